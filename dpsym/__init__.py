"""dpsym: a symbolic derivation and verification toolkit for differential privacy.

Each command is a function with the same words: `derive`, `account`, `calibrate`, `sweep`, `compare`, `audit`, `prove`,
`check`, `read`, `evaluate`, `enclose`, `sensitivity`, `noise`, `plot`, `show`, `browse`, `verify` (docs/python.md).
Mechanisms, notions and what is made of mechanisms are attributes, such as `dpsym.gaussian` and `dpsym.subsampled`.
Names are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from dpsym.core import display, grammar

__version__ = "0.2.0"

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
        read,
        sensitivity,
        show,
        sweep,
        verify,
    )
    from dpsym.api.combining import best_of, compose, parallel, post_processed, shuffled, subsampled
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
         "program", "prove", "read", "sensitivity", "show", "sweep", "verify"), "dpsym.api"),
    **dict.fromkeys(
        ("any", "best_of", "compose", "parallel", "post_processed", "shuffled", "subsampled"), "dpsym.api.combining"),
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

__all__ = [  # without `any`, which `import *` would put in the place of Python's
    "Decision", "Enclosure", "Filter", "ForAll", "IsInteger", "Odometer", "Relation", "Verdict", "__version__",
    "account", "audit", "best_of", "browse", "calibrate", "check", "compare", "compose", "decide", "derive", "enclose",
    "evaluate", "matrix_mechanism", "noise", "parallel", "plot", "post_processed", "program", "prove", "query",
    "read", "sensitivity", "show", "shuffled", "subsampled", "sweep", "verify",
]  # fmt: skip


grammar.register(lambda: import_module("dpsym.language"))
display.register(lambda: cast("display.Display", import_module("dpsym.rendering.notebook")))


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    for folder in ("notions", "mechanisms"):
        try:
            if (entry := getattr(import_module(f"dpsym.entries.{folder}.{name}"), name, None)) is not None:
                return entry
        except ModuleNotFoundError as error:
            if error.name != f"dpsym.entries.{folder}.{name}":
                raise
    raise AttributeError(_NoSuchName(name), name=name)


class _NoSuchName:
    """Says what is meant, as the grammar of mechanisms does, when it is shown: Python often asks in vain."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __str__(self) -> str:
        from dpsym.catalogue.words import called
        from dpsym.core.nearest import did_you_mean
        from dpsym.language.sources import why_not_there

        why = why_not_there(self.name)
        meant = f"; {why}" if why else called(self.name) or did_you_mean(self.name, __dir__())
        return f"module 'dpsym' has no attribute {self.name!r}{meant}"


def __dir__() -> list[str]:
    from dpsym.entries.index import places

    return sorted({*__all__, *_HOMES, *places("Mechanism"), *places("Definition")})
