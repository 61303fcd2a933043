"""dpsym: a symbolic derivation and verification toolkit for differential privacy.

Each command is a function with the same words: `derive`, `account`, `calibrate`, `sweep`, `compare`, `audit`, `prove`,
`check`, `evaluate`, `enclose`, `sensitivity`, `noise`, `plot`, `show`, `browse` (docs/python.md).  Mechanisms and
notions are attributes, such as `dpsym.gaussian`.  Names are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from dpsym.core import display

__version__ = "0.1.0"

if TYPE_CHECKING:
    from dpsym.api import (
        account,
        audit,
        browse,
        calibrate,
        check,
        compare,
        derive,
        enclose,
        evaluate,
        plot,
        program,
        prove,
        sensitivity,
        show,
        subsampled,
        sweep,
    )
    from dpsym.budgets import Filter, Odometer
    from dpsym.core.relations import ForAll, IsInteger, Relation
    from dpsym.core.verdicts import Decision, Enclosure, Verdict
    from dpsym.deciding import decide
    from dpsym.factorisations import matrix_mechanism
    from dpsym.own_noise import noise
    from dpsym.queries import query

_HOMES = {
    **dict.fromkeys(
        ("account", "audit", "browse", "calibrate", "check", "compare", "derive", "enclose", "evaluate", "plot",
         "program", "prove", "sensitivity", "show", "subsampled", "sweep"), "dpsym.api"),
    "decide": "dpsym.deciding",
    "matrix_mechanism": "dpsym.factorisations",
    "noise": "dpsym.own_noise",
    "query": "dpsym.queries",
    "Relation": "dpsym.core.relations",
    "IsInteger": "dpsym.core.relations",
    "ForAll": "dpsym.core.relations",
    "Filter": "dpsym.budgets",
    "Odometer": "dpsym.budgets",
    "Verdict": "dpsym.core.verdicts",
    "Decision": "dpsym.core.verdicts",
    "Enclosure": "dpsym.core.verdicts",
}  # fmt: skip

__all__ = [
    "Decision", "Enclosure", "Filter", "ForAll", "IsInteger", "Odometer", "Relation", "Verdict", "__version__",
    "account", "audit", "browse", "calibrate", "check", "compare", "decide", "derive", "enclose", "evaluate",
    "matrix_mechanism", "noise", "plot", "program", "prove", "query", "sensitivity", "show", "subsampled", "sweep",
]  # fmt: skip


display.register(lambda: cast("display.Display", import_module("dpsym.rendering.notebook")))


def __getattr__(name: str) -> Any:
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
    from dpsym.entries.index import places

    return sorted({*__all__, *places("Mechanism"), *places("Definition")})
