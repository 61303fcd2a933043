"""Values by mpmath, which shares nothing with ball arithmetic: what proofs and witnesses are cross-examined with.

A value is given only where two precisions agree on it and nothing on the way was absorbed or cancelled; it is
evidence against a defect, never a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import mpmath
import sympy as sp

from dpsym.deciding.domain import Point
from dpsym.notation import Phi, Phi_inv, besseli, phi
from dpsym.relations import Relation

_DIGITS = (40, 160)
_GUARD = 15  # digits that a sum must keep
_ALIKE = 1e-3  # how far the gaps at both precisions may differ, relatively
_CLEAR = 1e-25  # a gap between the sides, relatively, that is told from none
_MILD = 10**12  # numerators and denominators of points that are looked at
_MOST_TERMS = 300


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
        except (_NoValue, ArithmeticError, ValueError, TypeError, RecursionError):
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
        function = _FUNCTIONS.get(type(e))
        if function is None:
            raise _NoValue
        value = function(self, *(self(a) for a in e.args))
        if not mp.isfinite(value) or mp.im(value) != 0:
            raise _NoValue
        return mp.re(value)

    def _sum(self, terms: list[Any]) -> Any:
        total, largest = self._mp.fsum(terms), max(map(abs, terms))
        if largest and not abs(total) > self._lost * largest:
            raise _NoValue  # cancelled
        return total

    def near(self, x: Any, place: Any) -> bool:
        """Whether x may be the place but for rounding; a function that jumps or vanishes there is not evaluated."""
        return bool(abs(x - place) <= self._lost * max(1, abs(x)))

    def _power(self, e: sp.Pow) -> Any:
        base, exponent = self(e.base), self(e.exp)
        if isinstance(e.exp, sp.Integer):
            if base == 0 and exponent < 0:
                raise _NoValue
            return base ** int(e.exp)
        if base < 0 or (base == 0 and exponent <= 0) or self.near(base, 1):
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

    @property
    def mp(self) -> Any:
        """The context of mpmath."""
        return self._mp


def _plain(name: str) -> Callable[..., Any]:
    return lambda evaluation, *arguments: getattr(evaluation.mp, name)(*arguments)


def _log(evaluation: _Evaluation, x: Any) -> Any:
    if not x > 0 or evaluation.near(x, 1):
        raise _NoValue
    return evaluation.mp.log(x)


def _step(name: str) -> Callable[..., Any]:
    def value(evaluation: _Evaluation, x: Any) -> Any:
        nearest = evaluation.mp.nint(x)
        if evaluation.near(x, nearest) and x != nearest:
            raise _NoValue
        return getattr(evaluation.mp, name)(x)

    return value


def _positive(name: str, least: int) -> Callable[..., Any]:
    def value(evaluation: _Evaluation, x: Any) -> Any:
        if not least < x <= 10**6:
            raise _NoValue
        return getattr(evaluation.mp, name)(x)

    return value


def _binomial(evaluation: _Evaluation, n: Any, k: Any) -> Any:
    if max(abs(n), abs(k)) > 10**4:
        raise _NoValue
    return evaluation.mp.binomial(n, k)


def _quantile(evaluation: _Evaluation, p: Any) -> Any:
    mp = evaluation.mp
    if not 0 < p < 1 or evaluation.near(p, 0) or evaluation.near(p, 1) or evaluation.near(p, mp.mpf(1) / 2):
        raise _NoValue
    return mp.sqrt(2) * mp.erfinv(2 * p - 1)


def _normal(evaluation: _Evaluation, x: Any) -> Any:
    return evaluation.mp.erfc(-x / evaluation.mp.sqrt(2)) / 2


def _density(evaluation: _Evaluation, x: Any) -> Any:
    return evaluation.mp.exp(-x * x / 2) / evaluation.mp.sqrt(2 * evaluation.mp.pi)


_FUNCTIONS: dict[type, Callable[..., Any]] = {
    sp.exp: _plain("exp"), sp.log: _log, sp.Abs: lambda _, x: abs(x),
    sp.Max: lambda _, *x: max(x), sp.Min: lambda _, *x: min(x),
    sp.sinh: _plain("sinh"), sp.cosh: _plain("cosh"), sp.tanh: _plain("tanh"), sp.coth: _plain("coth"),
    sp.asinh: _plain("asinh"), sp.atan: _plain("atan"), sp.sin: _plain("sin"), sp.cos: _plain("cos"),
    sp.erf: _plain("erf"), sp.erfc: _plain("erfc"), Phi: _normal, phi: _density, Phi_inv: _quantile,
    sp.gamma: _positive("gamma", 0), sp.loggamma: _positive("loggamma", 0), sp.binomial: _binomial,
    sp.factorial: _positive("factorial", -1), sp.harmonic: _positive("harmonic", -1),
    besseli: _plain("besseli"), sp.floor: _step("floor"), sp.ceiling: _step("ceil"),
}  # fmt: skip
