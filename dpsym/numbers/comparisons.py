"""Comparisons, connectives and cases, three-valued: True, False, or None where it cannot be told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp
from flint import acb, arb, fmpq

from dpsym.core.balls import ranges
from dpsym.core.balls.operations import NAN, Constant, Operation
from dpsym.core.balls.ranges import Range

Truth = bool | None


# --- comparisons
def less(x: arb, y: arb) -> Truth:
    """x < y."""
    return True if x < y else (False if x >= y else None)


def at_most(x: arb, y: arb) -> Truth:
    """x <= y."""
    return True if x <= y else (False if x > y else None)


def equal(x: arb, y: arb) -> Truth:
    """x = y; true only of two exact numbers."""
    if x < y or x > y:
        return False
    return True if x == y else None


def negation(truth: Truth) -> Truth:
    """Not."""
    return None if truth is None else not truth


def compare_with_zero(difference: arb, op: str) -> Truth:
    """Whether `difference op 0` holds on the whole ball (True), nowhere on it (False), or cannot be told (None)."""
    return RELATIONS[op](difference, arb(0))


RELATIONS: dict[str, Callable[[arb, arb], Truth]] = {
    "<": less,
    "<=": at_most,
    ">": lambda x, y: less(y, x),
    ">=": lambda x, y: at_most(y, x),
    "=": equal,
    "!=": lambda x, y: negation(equal(x, y)),
}


def _less_range(x: Range | None, y: Range | None) -> Truth:
    if x is None or y is None:
        return None
    if x.above < y.below or (x.above == y.below and (x.above_open or y.below_open)):
        return True
    return False if x.below >= y.above else None


def _at_most_range(x: Range | None, y: Range | None) -> Truth:
    return negation(_less_range(y, x))


def _equal_range(x: Range | None, y: Range | None) -> Truth:
    if x is None or y is None:
        return None
    if _less_range(x, y) or _less_range(y, x):
        return False
    return True if ranges.is_point(x) and ranges.is_point(y) and x.below == y.below else None


def _comparison(
    ball: Callable[[arb, arb], Truth],
    on_range: Callable[[Range | None, Range | None], Truth],
    exact: Callable[[fmpq, fmpq], bool],
) -> Operation:
    def on_complex(x: acb, y: acb) -> Truth:
        return ball(x.real, y.real)  # off the real line a case extends by its real part, while that is decided

    return Operation(ball, on_range, exact=exact, complex=on_complex)  # type: ignore[arg-type]


COMPARISONS: dict[type, Operation] = {
    sp.StrictLessThan: _comparison(less, _less_range, lambda x, y: x < y),
    sp.LessThan: _comparison(at_most, _at_most_range, lambda x, y: x <= y),
    sp.StrictGreaterThan: _comparison(lambda x, y: less(y, x), lambda x, y: _less_range(y, x), lambda x, y: x > y),
    sp.GreaterThan: _comparison(lambda x, y: at_most(y, x), lambda x, y: _at_most_range(y, x), lambda x, y: x >= y),
    sp.Eq: _comparison(equal, _equal_range, lambda x, y: x == y),
    sp.Ne: _comparison(
        lambda x, y: negation(equal(x, y)), lambda x, y: negation(_equal_range(x, y)), lambda x, y: x != y
    ),
}


# --- connectives
def _all(*truths: Any) -> Any:
    if any(t is False for t in truths):
        return False
    broken = next((t for t in truths if isinstance(t, str)), None)
    return broken if broken is not None else (True if all(t is True for t in truths) else None)


def _any(*truths: Any) -> Any:
    if any(t is True for t in truths):
        return True
    broken = next((t for t in truths if isinstance(t, str)), None)
    return broken if broken is not None else (False if all(t is False for t in truths) else None)


def _not(truth: Any) -> Any:
    return truth if isinstance(truth, str) else negation(truth)


def _connective(function: Callable[..., Any]) -> Operation:
    def choose(*exact: Any) -> Constant | None:
        truth = function(*exact)
        return None if truth is None else Constant.rational(truth)

    return Operation(function, function, complex=function, lazy=function, choose=choose)


CONNECTIVES: dict[type, Operation] = {
    sp.And: _connective(_all),
    sp.Or: _connective(_any),
    sp.Not: _connective(_not),
}


# --- cases: value, condition, value, condition, …
def _cases_ball(*arguments: Any) -> arb:
    hull: arb | None = None
    for value, condition in zip(arguments[::2], arguments[1::2], strict=True):
        if condition is False:
            continue
        if value.is_nan():
            return NAN
        hull = value if hull is None else hull.union(value)
        if condition is True:
            return hull
    return NAN


def _cases_range(*arguments: Any) -> Range | None:
    hull: Range | None = None
    for value, condition in zip(arguments[::2], arguments[1::2], strict=True):
        if condition is False:
            continue
        if value is None:
            return None
        hull = value if hull is None else ranges.hull(hull, value)
        if condition is True:
            return hull
    return None


def _cases_complex(*arguments: Any) -> acb:
    for value, condition in zip(arguments[::2], arguments[1::2], strict=True):
        if condition is True:
            return value
        if condition is None:
            break
    return acb(NAN)


def _cases_lazy(*arguments: Any) -> Any:
    from dpsym.numbers.tape import Violation

    for value, condition in zip(arguments[::2], arguments[1::2], strict=True):
        if isinstance(condition, Violation) or condition is True:
            return condition if isinstance(condition, Violation) else value
        if condition is None:
            return NAN
    return Violation("none of the cases of a piecewise function applies")


def _choose_case(*exact: Any) -> int | None:
    for i, condition in enumerate(exact[1::2]):
        if condition is not False:
            return 2 * i if condition is True else None
    return None


CASES = Operation(_cases_ball, _cases_range, complex=_cases_complex, lazy=_cases_lazy, choose=_choose_case)
