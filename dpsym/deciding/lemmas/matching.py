"""Matching of a pattern with an expression, sums and products in any order."""

from __future__ import annotations

from collections.abc import Iterator, Set

import sympy as sp

Match = dict[sp.Symbol, sp.Expr]
_MOST_TERMS = 6  # all ways to choose some of them are tried


def matches(pattern: sp.Expr, expression: sp.Expr, variables: Set[sp.Symbol]) -> Iterator[Match]:
    """The values of the variables that make the pattern this expression, node by node."""
    yield from _match(pattern, expression, variables, {})


def _match(pattern: sp.Basic, expression: sp.Basic, variables: Set[sp.Symbol], known: Match) -> Iterator[Match]:
    if pattern in variables:
        if known.get(pattern, expression) == expression:
            yield {**known, pattern: expression}
    elif not pattern.free_symbols & variables:
        if pattern == expression:
            yield known
    elif (
        isinstance(expression, sp.Expr) and (scaled := _multiple(pattern, variables)) is not None
    ):  # x/2 is any expression, x twice that
        yield from _match(scaled[1], expression / scaled[0], variables, known)
    elif pattern.func is expression.func:
        if isinstance(pattern, sp.Add | sp.Mul):
            yield from _match_any_order(pattern.func, list(pattern.args), list(expression.args), variables, known)
        elif len(pattern.args) == len(expression.args):
            yield from _match_in_order(list(pattern.args), list(expression.args), variables, known)


def _multiple(pattern: sp.Basic, variables: Set[sp.Symbol]) -> tuple[sp.Rational, sp.Basic] | None:
    """(c, x) of c x, a rational multiple of a variable by more than its sign."""
    if not isinstance(pattern, sp.Mul):
        return None
    number, rest = pattern.as_coeff_Mul()
    return (number, rest) if isinstance(number, sp.Rational) and abs(number) != 1 and rest in variables else None


def _match_in_order(
    patterns: list[sp.Basic], parts: list[sp.Basic], variables: Set[sp.Symbol], known: Match
) -> Iterator[Match]:
    if not patterns:
        yield known
        return
    for found in _match(patterns[0], parts[0], variables, known):
        yield from _match_in_order(patterns[1:], parts[1:], variables, found)


def _match_any_order(
    func: type, patterns: list[sp.Basic], parts: list[sp.Basic], variables: Set[sp.Symbol], known: Match
) -> Iterator[Match]:
    """Each pattern takes one part; the last one, where it is a variable, takes all that are left."""
    if len(parts) > _MOST_TERMS or len(parts) < len(patterns):
        return
    ordered = sorted(patterns, key=lambda p: (p in variables, p.is_Mul and -1 in p.args, -p.count_ops()))
    first, rest = ordered[0], ordered[1:]
    if not rest:
        yield from _match(first, func(*parts), variables, known)
        return
    for i, part in enumerate(parts):
        others = parts[:i] + parts[i + 1 :]
        for found in _match(first, part, variables, known):
            yield from _match_any_order(func, rest, others, variables, found)
