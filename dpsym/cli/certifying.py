"""Certificates on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from dpsym.cli.arguments import aside, shortened
from dpsym.rendering.answers import DONE, UNDECIDED


def write_certificate(path: Path, certificate: dict[str, Any] | None) -> int:
    """The exit status: undecided where there is none to write."""
    if certificate is None:
        aside(f"dpsym: no certificate was found in time; {shortened(str(path))} is not written")
        return UNDECIDED
    path.write_text(_laid_out(certificate))
    return DONE


_SECTIONS = ("tree", "scaled", "contacts", "variables", "conditions", "contexts", "lines")


def _laid_out(certificate: dict[str, Any]) -> str:
    """One section a line, one entry of the tree a line."""
    parts = [f'  "{key}": {_value(key, value)}' for key, value in certificate.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _value(key: str, value: object) -> str:
    if isinstance(value, list) and value and key in _SECTIONS:
        return "[\n    " + ",\n    ".join(json.dumps(entry) for entry in value) + "\n  ]"
    return json.dumps(value)
