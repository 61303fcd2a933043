"""The functions of mathematics, one record for each: every table of functions elsewhere is a question to these.

A record is a `Function` in one of the files here; there is nothing to register.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

import sympy as sp

from dpsym.core.functions.record import EVERYWHERE, Function, Groups, Limit

__all__ = [
    "ALL",
    "EVERYWHERE",
    "Function",
    "Groups",
    "Limit",
    "by_head",
    "by_name",
    "heads",
    "of",
    "smooth",
    "these",
]


def _records() -> tuple[Function, ...]:
    modules = (import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__))
    values = (value for module in modules for value in vars(module).values() if isinstance(value, Function))
    return tuple(dict.fromkeys(values))


ALL = _records()
_BY_HEAD = {f.head: f for f in ALL if f.head is not None}
_BY_NAME = {name: f for f in ALL for name in f.names}


def by_head(head: type) -> Function | None:
    """The function that SymPy writes with this class; never one that only has the same name."""
    return _BY_HEAD.get(head)


def by_name(text: str) -> Function | None:
    """The function that the plain notation calls so."""
    return _BY_NAME.get(text)


def of(e: sp.Basic) -> Function | None:
    """The function that is applied in the expression, to as many arguments as it takes."""
    found = _BY_HEAD.get(type(e))
    return found if found is not None and found.arity in (None, len(e.args)) else None


def these(property_of: str, *, absent: bool = False) -> tuple[Function, ...]:
    """The functions of which the record says this (or does not)."""
    return tuple(f for f in ALL if bool(getattr(f, property_of)) is not absent)


def heads(property_of: str, *, absent: bool = False) -> tuple[type[sp.Basic], ...]:
    """The classes of those."""
    return tuple(f.head for f in these(property_of, absent=absent) if f.head is not None)


def made_of(e: sp.Basic, property_of: str) -> bool:
    """Whether the expression is made by arithmetic of functions of which the record says this."""
    for part in sp.preorder_traversal(e):
        if not isinstance(part, sp.Symbol | sp.Number | sp.NumberSymbol | sp.Add | sp.Mul | sp.Pow):
            found = _BY_HEAD.get(type(part))
            if found is None or not getattr(found, property_of):
                return False
    return True


def smooth(head: type) -> bool:
    """Whether it is known and has all derivatives wherever it is defined."""
    found = _BY_HEAD.get(head)
    return found is not None and found.smooth
