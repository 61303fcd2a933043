"""dpsym: a symbolic derivation and verification toolkit for differential privacy.

Two verbs carry it: `derive` (from what I have to what I want, by every route) and `decide` (is this relation
true on this domain, and how do you know).  Names are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import cast

from dpsym.core import display

__version__ = "0.1.0"

_HOMES = {
    "decide": "dpsym.deciding",
    "derive": "dpsym.answering",
    "enclose": "dpsym.numbers",
    "noise": "dpsym.own_noise",
    "program": "dpsym.programs",
    "query": "dpsym.queries",
    "sensitivity": "dpsym.queries",
    "Relation": "dpsym.core.relations",
    "IsInteger": "dpsym.core.relations",
    "ForAll": "dpsym.core.relations",
    "Verdict": "dpsym.core.verdicts",
    "Decision": "dpsym.core.verdicts",
    "Enclosure": "dpsym.core.verdicts",
}

__all__ = [*_HOMES, "__version__"]  # noqa: PLE0604 - the keys are strings


display.register(lambda: cast("display.Display", import_module("dpsym.rendering.notebook")))


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    for folder in ("notions", "mechanisms"):
        try:
            return getattr(import_module(f"dpsym.entries.{folder}.{name}"), name)
        except ModuleNotFoundError as error:
            if error.name != f"dpsym.entries.{folder}.{name}":
                raise
    raise AttributeError(f"module 'dpsym' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
