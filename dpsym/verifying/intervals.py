"""Intervals with exact ends that may be infinite; a mark tells that an end is not itself a value."""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, fmpq

_ZERO, _INFINITY = arb(0), arb.pos_inf()


class Undefined(ArithmeticError):
    """Not provably defined on all of the box."""


def _down(x: arb) -> arb:
    return x.lower() if x.is_finite() else (x if x.is_exact() and not x.is_nan() else -_INFINITY)


def _up(x: arb) -> arb:
    return -_down(-x)


@dataclass(frozen=True, slots=True)
class Interval:
    """All values of a quantity lie between `low` and `high`."""

    low: arb
    high: arb
    low_open: bool = False
    high_open: bool = False

    @staticmethod
    def of(value: fmpq | int) -> Interval:
        """A number."""
        x = arb(value)
        return Interval(_down(x), _up(x))

    @staticmethod
    def between(low: fmpq | None, high: fmpq | None, low_open: bool, high_open: bool) -> Interval:
        """The numbers between two ends; None is an infinite one."""
        return Interval(
            -_INFINITY if low is None else _down(arb(low)),
            _INFINITY if high is None else _up(arb(high)),
            low is None or low_open,
            high is None or high_open,
        )

    @staticmethod
    def pi() -> Interval:
        """The circle's."""
        return Interval(_down(arb.pi()), _up(arb.pi()))

    def positive(self) -> bool:
        """Every value is above zero."""
        return bool(self.low > 0) or (self.low_open and bool(self.low == 0))

    def nonnegative(self) -> bool:
        """No value is below zero."""
        return bool(self.low >= 0)

    def common(self, o: Interval) -> Interval:
        """What two enclosures of one quantity say together."""
        low = self if self.low > o.low or (self.low == o.low and self.low_open) else o
        high = self if self.high < o.high or (self.high == o.high and self.high_open) else o
        return Interval(low.low, high.high, low.low_open, high.high_open)

    def __add__(self, o: Interval) -> Interval:
        low, high = _down(self.low + o.low), _up(self.high + o.high)
        return Interval(low, high, self.low_open or o.low_open, self.high_open or o.high_open)

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low, self.high_open, self.low_open)

    def __mul__(self, o: Interval) -> Interval:
        products = [
            (_ZERO if x == 0 or y == 0 else x * y)
            for x in (self.low, self.high)
            for y in (o.low, o.high)
        ]  # 0 * oo is 0: no value is infinite
        low, high = _down(products[0]), _up(products[0])
        for p in products[1:]:
            down, up = _down(p), _up(p)
            low, high = (down if down < low else low), (up if up > high else high)
        both = self.positive() and o.positive()
        open_ends = both and (low == 0 or self.low_open or o.low_open)
        return Interval(low, high, open_ends, not high.is_finite())

    def inverse(self) -> Interval:
        """1/x."""
        if (-self).positive():
            return -((-self).inverse())
        if not self.positive():
            raise Undefined("division by an interval that contains zero")
        low = _ZERO if not self.high.is_finite() else _down(1 / self.high)
        high = _INFINITY if self.low == 0 else _up(1 / self.low)
        return Interval(low, high, self.high_open or low == 0, self.low_open)

    def _increasing(self, function: str, least: arb, most: arb) -> Interval:
        low = _down(getattr(self.low, function)()) if self.low.is_finite() else least
        high = _up(getattr(self.high, function)()) if self.high.is_finite() else most
        return Interval(low if low >= least else least, high, self.low_open, self.high_open)

    def exp(self) -> Interval:
        """e^x."""
        found = self._increasing("exp", _ZERO, _INFINITY)
        return Interval(found.low, found.high, self.low_open or found.low == 0, self.high_open)

    def log(self) -> Interval:
        """The natural logarithm of x > 0."""
        if not self.positive():
            raise Undefined("logarithm")
        low = -_INFINITY if self.low == 0 else _down(self.low.log())
        high = _up(self.high.log()) if self.high.is_finite() else _INFINITY
        return Interval(low, high, self.low_open, self.high_open)

    def sinh(self) -> Interval:
        """Hyperbolic sine."""
        return self._increasing("sinh", -_INFINITY, _INFINITY)

    def tanh(self) -> Interval:
        """Hyperbolic tangent."""
        return self._increasing("tanh", arb(-1), arb(1))

    def Phi(self) -> Interval:
        """Distribution function of the standard normal."""
        low, high = (
            (-(x / arb(2).sqrt())).erfc() / 2 if x.is_finite() else limit
            for x, limit in ((self.low, _ZERO), (self.high, arb(1)))
        )
        return Interval(_down(low) if low >= 0 else _ZERO, _up(high), self.low_open, self.high_open)

    def cosh(self) -> Interval:
        """Hyperbolic cosine."""
        if not self.nonnegative():
            if self.high <= 0:
                return (-self).cosh()
            far = -self.low if -self.low > self.high else self.high
            return Interval(arb(1), _up(far.cosh()) if far.is_finite() else _INFINITY)
        return self._increasing("cosh", arb(1), _INFINITY)

    def power(self, r: fmpq) -> Interval:
        """x^r: for r = p/q with q > 1 of x >= 0 only."""
        p, q = int(r.p), int(r.q)
        if p == 0:
            return Interval.of(1)
        if p < 0:
            return self.power(-r).inverse()
        if q > 1 and not self.nonnegative():
            raise Undefined("a root")
        if p % 2 == 0 and q == 1 and not self.nonnegative():
            if self.high <= 0:
                return (-self).power(r)
            far = -self.low if -self.low > self.high else self.high
            return Interval(_ZERO, Interval(far, far).power(r).high)

        def at(x: arb) -> arb:
            if not x.is_finite() or x == 0:
                return x
            return x**p if q == 1 else x.root(q) ** p

        return Interval(_down(at(self.low)), _up(at(self.high)), self.low_open, self.high_open)
