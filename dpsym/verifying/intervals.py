"""Intervals with exact ends that may be infinite; a mark tells that an end is not itself a value."""

from __future__ import annotations

from functools import lru_cache, reduce
from operator import add, mul
from typing import Any, NamedTuple

import sympy as sp
from flint import arb, fmpq


def _down(x: arb) -> arb:
    return x.lower() if x.is_finite() else x if x.is_exact() and not x.is_nan() else arb.neg_inf()


def outward(low: arb, high: arb, low_open: bool = False, high_open: bool = False) -> Interval:
    """The ends rounded outward."""
    return Interval(_down(low), -_down(-high), low_open, high_open)


class Interval(NamedTuple):
    """All values of a quantity lie between two ends."""

    low: arb
    high: arb
    low_open: bool = False
    high_open: bool = False

    def positive(self) -> bool:
        """Whether every value is above zero."""
        return bool(self.low > 0) or (self.low_open and bool(self.low == 0))

    def hull(self, o: Interval) -> Interval:
        """What lies between the ends of both."""
        low, high = self if self.low < o.low else o, self if self.high > o.high else o
        return Interval(low.low, high.high, low.low_open, high.high_open)

    def __add__(self, o: Interval) -> Interval:  # type: ignore[override]
        return outward(self.low + o.low, self.high + o.high, self.low_open or o.low_open, self.high_open or o.high_open)

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low, self.high_open, self.low_open)

    def __mul__(self, o: Interval) -> Interval:  # type: ignore[override]
        if (-self).positive():
            return -(-self * o)
        products = [arb(0) if x == 0 or y == 0 else x * y for x in self[:2] for y in o[:2]]  # no value is infinite
        low, high = min(map(_down, products)), -min(_down(-x) for x in products)
        left_out = self.positive() and o.positive() and (low == 0 or self.low_open or o.low_open)
        return Interval(low, high, left_out, not high.is_finite())

    def __pow__(self, r: fmpq) -> Interval:
        p, q = int(r.p), int(r.q)
        if q == 1 and (-self).positive():
            return (-self) ** r if p % 2 == 0 else -((-self) ** r)
        if p < 0 and self.positive():
            x = self**-r
            return _above_zero(outward(1 / x.high, 1 / x.low, x.high_open, x.low_open))
        if p < 0 or (q > 1 and not self.low >= 0):
            raise ValueError("a division by what may be zero, or a root of what may be negative")
        if p % 2 == 0 and not self.low >= 0:
            return Interval(arb(0), (Interval(arb(0), max(-self.low, self.high)) ** r).high)
        return self.through(lambda x: x if x == 0 or not x.is_finite() else x.root(q) ** p) if p else exactly(fmpq(1))

    def through(self, increasing: Any) -> Interval:
        """The values of an increasing function."""
        return outward(increasing(self.low), increasing(self.high), self.low_open, self.high_open)


def exactly(number: fmpq) -> Interval:
    """A number."""
    return outward(arb(number), arb(number))


def _above_zero(x: Interval) -> Interval:
    return x if x.low > 0 else Interval(arb(0), x.high, True, x.high_open)


def _log(x: Interval) -> Interval:
    if not x.positive():
        raise ValueError("the logarithm of what may not be positive")
    return x.through(arb.log)


_FUNCTIONS: dict[Any, Any] = {
    sp.exp: lambda x: _above_zero(x.through(arb.exp)),
    sp.log: _log,
    sp.sinh: lambda x: x.through(arb.sinh),
    sp.cosh: lambda x: (x.through(arb.sinh) ** fmpq(2) + exactly(fmpq(1))) ** fmpq(1, 2),
    sp.erfc: lambda x: _above_zero((-x).through(lambda t: (-t).erfc() if t.is_finite() else arb(2 * (t > 0)))),
}
_parts = lru_cache(maxsize=4096)(lambda e: list(dict.fromkeys(sp.postorder_traversal(e))))


def enclosed(e: Any, box: dict[Any, Interval]) -> Interval:
    """The values of an expression on a box, on all of which it is thereby shown to be defined and continuous."""
    done = {sp.pi: outward(arb.pi(), arb.pi()), sp.E: _FUNCTIONS[sp.exp](exactly(fmpq(1)))} | box
    for part in _parts(e):
        arguments = [done[a] for a in part.args]
        if part.is_Rational:
            done[part] = exactly(fmpq(int(part.p), int(part.q)))
        elif part.is_Add or part.is_Mul:
            done[part] = reduce(add if part.is_Add else mul, arguments)
        elif part.is_Pow and part.exp.is_Rational:
            done[part] = arguments[0] ** fmpq(int(part.exp.p), int(part.exp.q))
        elif part.is_Pow:
            done[part] = _FUNCTIONS[sp.exp](_log(arguments[0]) * arguments[1])
        elif arguments:
            done[part] = _FUNCTIONS[part.func](*arguments)
    return done[e]
