"""Parameters and their values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set
from typing import TypeAlias

import sympy as sp

from dpsym.core.plain_printer import plain
from dpsym.core.relations import exact, is_function
from dpsym.statements.sources import StatementError

Parameter: TypeAlias = sp.Symbol | sp.core.function.UndefinedFunction
Table: TypeAlias = Mapping[sp.Basic, sp.Basic]


def bind(
    owner: str,
    params: tuple[Parameter, ...],
    args: tuple[object, ...],
    named: Mapping[str, object],
    defaults: Mapping[Parameter, sp.Expr | None],
    *,
    partial: bool = False,
) -> dict[Parameter, sp.Expr]:
    """Parameters with their values, positional, named or by default.

    Raises:
        StatementError: for a missing, extra or doubled parameter, or a value that is not finite and real.
    """
    names = [str(p) for p in params]
    signature = f"{owner}({', '.join(names)})"
    if len(args) > len(params):
        raise StatementError(f"{signature} takes {len(params)} parameters, not {len(args)}")
    given = dict(zip(names, args, strict=False))
    repeated = [name for name, count in Counter([*given, *named]).items() if count > 1]
    if repeated:
        raise StatementError(f"{signature}: {repeated[0]} is given twice")
    unknown = [name for name in named if name not in names]
    if unknown:
        raise StatementError(f"{signature} has no parameter {unknown[0]!r}")
    given.update(named)
    values: dict[Parameter, sp.Expr] = {}
    for name, param in zip(names, params, strict=True):
        if name in given:
            value = given[name]
            values[param] = value if is_function(value) else sane(name, exact(value))
        elif defaults.get(param) is not None:
            values[param] = defaults[param]
        elif not partial:
            raise StatementError(f"{signature}: {name} is missing")
    return values


def sane(name: str, value: sp.Basic) -> sp.Basic:
    """The value, if it is finite and real.

    Raises:
        StatementError: otherwise.
    """
    if value.has(sp.nan, sp.zoo) or value in (sp.oo, -sp.oo) or value.has(sp.I):
        raise StatementError(f"{name} = {value} is not a finite real number")
    return value


def refuse_unbound(owner: str, stray: Set[object]) -> None:
    """Refuse what mentions a symbol that nothing declares.

    Raises:
    StatementError: if there are symbols that nothing declares.
    """
    if stray:
        raise StatementError(f"{owner}: unbound {', '.join(sorted(map(str, stray)))}")


def written(value: object) -> str:
    """A parameter's value in plain notation."""
    return str(value) if is_function(value) else plain(value)


def power(count: sp.Expr) -> str:
    """A count as an exponent in plain notation."""
    return plain(count) if count.is_Symbol or count.is_Integer else f"({plain(count)})"
