"""Values by mpmath, which shares nothing with ball arithmetic: what proofs and witnesses are cross-examined with.

A value is given only where two precisions agree on it and nothing on the way was absorbed or cancelled; it is
evidence against a defect, never a proof.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import mpmath
import sympy as sp

from dpsym.core import functions
from dpsym.core.functions import Function
from dpsym.core.relations import Relation
from dpsym.deciding.domain import Point

_DIGITS = (40, 160)  # twice: what is only rounding changes with the precision
_GUARD = 15  # digits that a sum must keep
_ALIKE = 1e-3  # how far the gaps at both precisions may differ, relatively
_CLEAR = 1e-25  # a gap between the sides, relatively, that is told from none
_MILD = 10**12  # numerators and denominators of points that are looked at
_MOST_TERMS = 300  # of a sum that is added up term by term
_LARGEST_OF_TWO = 10**6  # arguments of functions that mpmath sums series for


class _NoValue(ArithmeticError):
    """Undefined, not known here, or too inaccurate."""


def contradicts(relation: Relation, point: Point) -> bool:
    """Whether the relation clearly fails at the point; False also where that cannot be told here."""
    side = _larger(relation, point)
    match relation.op:
        case "=":
            return side != 0
        case "<" | "<=":
            return side > 0
        case ">" | ">=":
            return side < 0
    return False


def confirms(relation: Relation, point: Point) -> bool:
    """Whether the relation clearly holds at the point; False also where that cannot be told here."""
    return relation.op != "=" and contradicts(relation.negated, point)


def _larger(relation: Relation, point: Point) -> int:
    """The sign of lhs - rhs where both precisions agree on it; 0 where it is not clear."""
    if any(max(abs(v.p), v.q) > _MILD for v in point.values()):
        return 0
    found = []
    for digits in _DIGITS:
        try:
            evaluation = _Evaluation(point, digits)
            lhs, rhs = evaluation(relation.lhs), evaluation(relation.rhs)
        except (_NoValue, ArithmeticError, ValueError, TypeError, RecursionError, mpmath.libmp.NoConvergence):
            return 0
        gap, size = lhs - rhs, abs(lhs) + abs(rhs)
        if not abs(gap) > _CLEAR * size:
            return 0
        found.append(gap)
    first, second = found
    if abs(first - second) > _ALIKE * abs(second):
        return 0
    return 1 if second > 0 else -1


class _Evaluation:
    """Expressions at one point, in a context of its own."""

    def __init__(self, point: Mapping[sp.Symbol, sp.Rational], digits: int) -> None:
        self._mp: Any = mpmath.mp.clone()
        self._mp.dps = digits
        self._lost = self._mp.mpf(10) ** (_GUARD - digits)
        self._point = dict(point)

    def __call__(self, e: sp.Basic) -> Any:
        mp = self._mp
        if isinstance(e, sp.Rational):
            return mp.mpf(int(e.p)) / int(e.q)
        if isinstance(e, sp.Symbol):
            if e not in self._point:
                raise _NoValue
            return self(self._point[e])
        if e is sp.pi:
            return +mp.pi
        if e is sp.E:
            return +mp.e
        if isinstance(e, sp.Add):
            return self._sum([self(a) for a in e.args])
        if isinstance(e, sp.Mul):
            return mp.fprod(self(a) for a in e.args)
        if isinstance(e, sp.Pow):
            return self._power(e)
        if isinstance(e, sp.Sum | sp.Product):
            return self._series(e)
        function = functions.of(e)
        if function is None:
            raise _NoValue
        arguments = [self(a) for a in e.args]
        if function.arity == 2 and max(map(abs, arguments)) > _LARGEST_OF_TWO:
            raise _NoValue
        self._refuse_near_zeros_and_jumps(function, arguments)
        value = function.mpmath(mp, *arguments)
        if not mp.isfinite(value) or mp.im(value) != 0:
            raise _NoValue
        return mp.re(value)

    def _sum(self, terms: list[Any]) -> Any:
        total, largest = self._mp.fsum(terms), max(map(abs, terms))
        if largest and not abs(total) > self._lost * largest:
            raise _NoValue  # cancelled
        return total

    def _near(self, x: Any, place: Any) -> bool:
        """Whether x may be the place but for rounding; a function that jumps or vanishes there is not evaluated."""
        return bool(abs(x - place) <= self._lost * max(1, abs(x)))

    def _refuse_near_zeros_and_jumps(self, function: Function, arguments: list[Any]) -> None:
        if any(self._near(x, zero) for x in arguments for zero in function.zeros):
            raise _NoValue
        for x in () if function.continuous else arguments:
            nearest = self._mp.nint(x)
            if self._near(x, nearest) and x != nearest:
                raise _NoValue

    def _power(self, e: sp.Pow) -> Any:
        base, exponent = self(e.base), self(e.exp)
        if isinstance(e.exp, sp.Integer):
            if base == 0 and exponent < 0:
                raise _NoValue
            return base ** int(e.exp)
        if base < 0 or (base == 0 and exponent <= 0) or self._near(base, 1):
            raise _NoValue
        return base**exponent

    def _series(self, e: sp.Basic) -> Any:
        if len(e.limits) != 1:
            raise _NoValue
        index, *ends = e.limits[0]
        first, last = (self(end) for end in ends)
        if first != int(first) or last != int(last) or not -1 <= last - first < _MOST_TERMS or index in self._point:
            raise _NoValue
        terms = []
        for i in range(int(first), int(last) + 1):
            self._point[index] = sp.Integer(i)
            try:
                terms.append(self(e.function))
            finally:
                del self._point[index]
        if isinstance(e, sp.Sum):
            return self._sum(terms) if terms else self._mp.mpf(0)
        return self._mp.fprod(terms)
