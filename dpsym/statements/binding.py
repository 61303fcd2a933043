"""Parameters and their values."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Set
from typing import TypeAlias

import sympy as sp

from dpsym.core.given import given
from dpsym.core.nearest import nearest
from dpsym.core.plain_printer import plain
from dpsym.core.relations import IsInteger, Proposition, Relation, is_function
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
        TypeError: for a value that is no text, no expression and no number.
    """
    names = [str(p) for p in params]
    signature = f"{owner}({', '.join(names)})"
    if len(args) > len(params):
        raise StatementError(f"{signature} takes {len(params)} parameters, not {len(args)}")
    by_name = dict(zip(names, args, strict=False))
    repeated = [name for name, count in Counter([*by_name, *named]).items() if count > 1]
    if repeated:
        raise StatementError(f"{signature}: {repeated[0]} is given twice")
    unknown = [name for name in named if name not in names]
    if unknown:
        raise StatementError(f"{signature} has no parameter {unknown[0]!r}{_hint(owner, unknown[0], names)}")
    by_name.update(named)
    values: dict[Parameter, sp.Expr] = {}
    for name, param in zip(names, params, strict=True):
        if name in by_name:
            value = by_name[name]
            values[param] = value if is_function(value) else sane(name, _exact(name, value))
        elif defaults.get(param) is not None:
            values[param] = defaults[param]
        elif not partial:
            raise StatementError(f"{signature}: {name} is missing")
    return values


_OTHERS: Mapping[str, tuple[str, ...]] = {  # what parameters are called elsewhere
    "scale": ("b", "sigma", "s", "beta"), "std": ("sigma",), "stddev": ("sigma",), "standard_deviation": ("sigma",),
    "noise_multiplier": ("sigma",), "sensitivity": ("Delta",), "l1_sensitivity": ("Delta",),
    "l2_sensitivity": ("Delta",), "eps": ("epsilon",), "budget": ("epsilon", "rho", "mu"), "prob": ("p",),
}  # fmt: skip


def _hint(owner: str, unknown: str, names: list[str]) -> str:
    """Which parameter may be meant, or where it is said what they are."""
    meant = [name for name in _OTHERS.get(unknown.lower(), ()) if name in names]
    meant = meant or nearest(unknown, names)
    return f"; did you mean {meant[0]!r}?" if len(meant) == 1 else f" (what it has: dpsym show {owner})"


def _exact(name: str, value: object) -> sp.Basic:
    try:
        return given(value)
    except (TypeError, ValueError) as error:
        kind = TypeError if isinstance(error, TypeError) else StatementError
        raise kind(f"{name}: {error}") from None


def refuse_outside(owner: str, domain: Iterable[Proposition], values: Table) -> None:
    """Refuse numbers that are not in the domain; what is said of symbols is for whoever knows of them.

    Raises:
        StatementError: naming the condition and the numbers.
    """
    for condition in domain:
        symbols = condition.free_symbols
        if not all(isinstance(values.get(s), sp.Expr) and values[s].is_number for s in symbols):
            continue
        there = condition.subs(values)
        if isinstance(there, IsInteger):
            fails = not is_whole(there.expression)
        elif isinstance(there, Relation) and isinstance(there.lhs, sp.Rational) and isinstance(there.rhs, sp.Rational):
            fails = not _COMPARED[there.op](there.lhs, there.rhs)
        else:
            continue
        if fails:
            given = ", ".join(f"{s} = {values[s]}" for s in sorted(symbols, key=str))
            raise StatementError(f"{owner} with {given}: it is required that {condition}")


def is_whole(number: sp.Expr) -> bool:
    """Whether a number is an integer, and is seen to be one: an irrational one that is none is not to pass for open."""
    return number.is_integer is True


_COMPARED: Mapping[str, Callable[[sp.Rational, sp.Rational], object]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


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
