"""Where a form is exactly zero: on planes at the ends of the box and inside it, with the order of the zero."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import sympy as sp
from flint import fmpq

from dpsym.core.deadline import apart, over
from dpsym.deciding.certificates.bounded_function import BoundedFunction, derivative
from dpsym.deciding.certificates.forms import Form
from dpsym.deciding.certificates.problem import Problem, Side
from dpsym.deciding.domain import Domain
from dpsym.deciding.strategies.exact import vanishes
from dpsym.numbers import NotNumeric, ball

_HIGHEST_ORDER = 6  # a zero of higher order is a sign that the form vanishes along a whole line
_INSIDE = (fmpq(0), fmpq(1), fmpq(1, 2), fmpq(2))
_OUTSIDE = (fmpq(0), fmpq(1))  # next to the box: what vanishes there is small at its end
_LARGEST = 120  # operations of a form that is looked at
_ENOUGH = 2  # forms with contacts
_LOOKED = 4  # at so many forms, before it seems that there are none


@dataclass(frozen=True, slots=True)
class Contact:
    """The form vanishes to this order where the variable has this value."""

    form: int
    variable: int
    at: fmpq
    order: int


def contacts(problem: Problem, forms: tuple[Form, ...]) -> tuple[Contact, ...]:
    """Those that the canonical form proves."""
    found: list[tuple[Contact, ...]] = []
    by_size = sorted(enumerate(forms), key=lambda item: item[1].expression.count_ops())
    most = 0
    for looked, (number, form) in enumerate(by_size):
        if form.expression.count_ops() > _LARGEST or over() or (looked >= _LOOKED and not most):
            break
        here = tuple(_of_form(problem, number, form.expression))
        most = max(most, len(here))
        found.append(here)
        if sum(len(f) == most > 0 for f in found) == _ENOUGH:
            break
    found.sort(key=len, reverse=True)
    return tuple(c for contacts in found[:_ENOUGH] for c in contacts)


def _of_form(problem: Problem, number: int, e: sp.Expr) -> Iterator[Contact]:
    inner = [side.middle() + fmpq(1, 97) for side in problem.box]
    function = BoundedFunction(e, problem.symbols)
    for i, (symbol, side) in enumerate(zip(problem.symbols, problem.box, strict=True)):
        ends = [t for t in (side.lower, side.upper) if t is not None]
        inside = [t for t in _INSIDE if side.holds(t) and t not in ends]
        outside = [t for t in _OUTSIDE if not side.holds(t) and t not in ends]
        for at in (*ends, *inside, *outside):
            value = function.value(tuple(Side(t, t) for t in (*inner[:i], at, *inner[i + 1 :])))
            if value is not None and not value.below <= 0 <= value.above:
                continue
            order = _order(e, symbol, at)
            if order and (at not in inside or order % 2 == 0):
                yield Contact(number, i, at, order)


def _order(expression: sp.Expr, symbol: sp.Symbol, at: fmpq) -> int:
    value = sp.Rational(int(at.p), int(at.q))
    for order in range(_HIGHEST_ORDER + 1):
        if over() or expression == 0:
            return 0
        there = expression.subs(symbol, value)
        if there.has(sp.nan, sp.zoo, sp.oo, sp.I):
            return 0
        if there != 0 and not (_near_zero(there) and apart(0.5, partial(vanishes, there, Domain()))):
            return order
        expression = derivative(expression, symbol)
        if expression is None:
            return 0
    return 0


def _near_zero(e: sp.Expr) -> bool:
    """A quick look at one point, to spare the exact test where it cannot succeed."""
    at = {s: fmpq(7 * n + 9, 11) for n, s in enumerate(sorted(e.free_symbols, key=str))}
    try:
        value = ball(e, at, 64)
    except NotNumeric:
        return False
    return not value.is_finite() or bool(value.contains(0))
