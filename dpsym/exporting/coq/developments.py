"""A derivation as one file for Coq: the library, and a theorem for each of its steps that has a proof."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpsym.exporting.coq.known import NotExported
from dpsym.exporting.coq.lines import Development
from dpsym.verifying import Malformed, Rejected, verify

_LINE = re.compile(r"\bline_(?=\d)")
_SECONDS = 120  # for one file


@dataclass(frozen=True, slots=True)
class Exported:
    """The text of a file, the theorems in it, and what was left out, each with the reason."""

    text: str
    theorems: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]


class NoCoq(RuntimeError):
    """There is no `coqc` here."""


def exported(
    name: str, proofs: Sequence[tuple[str, dict[str, Any] | None]], accepts: Callable[[str], str] | None = None
) -> Exported:
    """The file for the steps of a derivation.

    Args:
        name: of the derivation, for the head of the file.
        proofs: for each step the name of its theorem, and its certificate or None.
        accepts: what Coq has against a text (empty: nothing); steps that it does not accept are left out.
    """
    left_out: list[tuple[str, str]] = []
    parts: list[tuple[str, str]] = []
    for title, data in proofs:
        try:
            if data is None:
                raise NotExported("it has no certificate")
            verify(data)
            if data["format"] != "dpsym proof":
                raise NotExported("a cover by boxes")
            made = Development(data)
            text = "\n\n".join([*made.lemmas, made.theorem(title)])
            parts.append((title, _LINE.sub(f"{title}_line_", text)))
        except (NotExported, Malformed, Rejected) as error:
            left_out.append((title, ": ".join(map(str, error.args))))
    whole = _file(name, parts, left_out)
    if accepts is None or not parts or not accepts(whole):
        return Exported(whole, tuple(title for title, _ in parts), tuple(left_out))
    kept = []
    for title, text in parts:
        against = accepts(_file(name, [(title, text)], []))
        if against:
            left_out.append((title, f"Coq does not accept it: {against}"))
        else:
            kept.append((title, text))
    return Exported(_file(name, kept, left_out), tuple(title for title, _ in kept), tuple(left_out))


def _file(name: str, parts: Iterable[tuple[str, str]], left_out: Iterable[tuple[str, str]]) -> str:
    library = (Path(__file__).parent / "library.v").read_text(encoding="utf-8")
    said = [f"(* {_harmless(name)} *)"]
    said += [f"(* left out: {title}: {_harmless(why)} *)" for title, why in left_out]
    titles = []
    for title, text in parts:
        said.append(f"(* --- {title} *)\n\n{text}")
        titles.append(title)
    ends = [f"Print Assumptions {title}." for title in titles]
    return "\n\n".join([library.rstrip(), *said, "\n".join([*ends, "End exported."])]) + "\n"


def _harmless(text: str) -> str:
    """A text that neither opens nor closes a comment or a string."""
    return re.sub(r"\s+", " ", text.replace("*)", "* )").replace("(*", "( *").replace('"', "'"))[:200]


def by_coq(text: str) -> str:
    """What `coqc` has against a file, its last line; empty where it compiles.

    Raises:
        NoCoq: where there is no `coqc`.
    """
    program = shutil.which("coqc")
    if program is None:
        raise NoCoq("there is no coqc here (Debian: coq, libcoq-interval, libcoq-coquelicot)")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "derivation.v"
        path.write_text(text, encoding="utf-8")
        try:
            done = subprocess.run(  # noqa: S603 - a program found on the path, and a file that was written here
                [program, "-q", path.name], cwd=folder, capture_output=True, text=True, timeout=_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return f"not done after {_SECONDS} seconds"
    if done.returncode == 0:
        return ""
    said = [line for line in done.stderr.splitlines() if line.strip() and not line.startswith("Warning")]
    return " ".join(said[-2:])[-300:] or "it failed"
