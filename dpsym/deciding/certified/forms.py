"""Other expressions with the sign of the gap: without denominators, factored, in partial fractions, of logarithms.

SymPy suggests them; the checker of the certificate proves each one that is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp
from flint import fmpq

from dpsym.deciding.certified.problem import Problem
from dpsym.enclosing import NotNumeric, ball

_ONE = sp.Integer(1)
_LARGE, _SMALL = 150, 60  # operations up to which a rewriting is worth its time
_MOST = 6


@dataclass(frozen=True, slots=True)
class Form:
    """`expression` is the difference (base 0) or the difference of logarithms (base 1), times the factor."""

    base: int
    expression: sp.Expr
    factor: sp.Expr = _ONE


def forms(problem: Problem) -> tuple[Form, ...]:
    """The difference, the difference of logarithms, then others that agree with them at a point."""
    small, large = problem.sides
    gap, logarithms = large - small, sp.log(large) - sp.log(small)
    found = [Form(0, gap), Form(1, logarithms)]
    seen = {gap, logarithms}
    for form in _suggested(gap, logarithms, positive=_near_positive(problem)):
        if form.expression not in seen and len(found) < 2 + _MOST:
            seen.add(form.expression)
            base = (gap, logarithms)[form.base]
            if form.factor is _ONE or not _differs(base * form.factor - form.expression, problem):
                found.append(form)
    return tuple(found)


def _suggested(gap: sp.Expr, logarithms: sp.Expr, *, positive: bool) -> Iterator[Form]:
    if sp.count_ops(gap) < _LARGE:
        above, below = sp.fraction(sp.together(gap))
        if below.free_symbols:
            yield Form(0, sp.expand(above) if sp.count_ops(above) < _SMALL else above, below)
            yield Form(0, above, below)
        if sp.count_ops(gap) < _SMALL:
            yield Form(0, sp.factor(gap))
        yield Form(0, _partial_fractions(gap))
    if positive and sp.count_ops(logarithms) < _LARGE:
        expanded = _of_products(logarithms)
        yield Form(1, expanded)
        yield Form(1, _partial_fractions(expanded))


def _of_products(e: sp.Expr) -> sp.Expr:
    """Logarithms of products, powers and exponentials taken apart."""
    return e.replace(sp.log, lambda x: sp.expand_log(sp.log(sp.factor_terms(x)), force=True))


def _partial_fractions(e: sp.Expr) -> sp.Expr:
    if not e.args:
        return e
    if len(e.free_symbols) == 1 and e.is_rational_function(*e.free_symbols):
        try:
            return sp.apart(e, *e.free_symbols)
        except (sp.PolynomialError, NotImplementedError):
            return e
    return e.func(*map(_partial_fractions, e.args))


def _point(problem: Problem) -> dict[sp.Symbol, fmpq]:
    return {s: (side.middle() * 7 + 1) / 7 for s, side in zip(problem.symbols, problem.box, strict=True)}


def _near_positive(problem: Problem) -> bool:
    """Whether both sides have logarithms at a point, so that these may be worth something elsewhere."""
    point = {s: side.middle() for s, side in zip(problem.symbols, problem.box, strict=True)}
    try:
        return all(not ball(side, point, 128) <= 0 for side in problem.sides)
    except NotNumeric:
        return False


def _differs(e: sp.Expr, problem: Problem) -> bool:
    try:
        value = ball(e, _point(problem), 128)
    except NotNumeric:
        return True
    return value.is_finite() and not value.contains(0)
