"""Ends: exact numbers of any length, or infinite ones.  This module alone makes them.

python-flint rounds everything that it computes to the working precision, `-x`, `abs(x)` and `floor(x)` included, and
marks it by a radius.  What compares such a ball as if it were a number is wrong by the rounding.  So an end is a type
of its own, which holds no radius: a ball becomes one by `down` or `up`, and what is exact by nature stays exact.
"""

from __future__ import annotations

from flint import arb, ctx


class End(arb):
    """An exact number or an infinite one.  What arithmetic makes of it is a ball."""

    def __init__(self, value: arb | float = 0) -> None:
        super().__init__(value)
        if self.is_nan() or not self.is_exact():
            raise ValueError(f"{value} is no exact number: round it down or up")

    def __neg__(self) -> End:
        return _Rounded(negated(self))

    def __abs__(self) -> End:
        return self if self >= 0 else -self

    def lower(self) -> End:
        """Itself."""
        return self

    def upper(self) -> End:
        """Itself."""
        return self


class _Rounded(End):
    """An end of what is exact already, without the question whether it is."""

    __init__ = arb.__init__


INFINITY, MINUS_INFINITY = End(arb.pos_inf()), End(arb.neg_inf())


def down(x: arb) -> End:
    """The greatest end that is known to be no more than any number in the ball."""
    if isinstance(x, End):
        return x
    if x.is_exact():
        return MINUS_INFINITY if x.is_nan() else _Rounded(x)
    return _Rounded(x.lower()) if x.is_finite() else MINUS_INFINITY


def up(x: arb) -> End:
    """The least end that is known to be no less than any number in the ball."""
    if isinstance(x, End):
        return x
    if x.is_exact():
        return INFINITY if x.is_nan() else _Rounded(x)
    return _Rounded(x.upper()) if x.is_finite() else INFINITY


def negated(x: arb) -> arb:
    """-x; exact where x is."""
    rounded = arb.__neg__(x)
    if rounded.is_exact() or not x.is_exact():
        return rounded
    mantissa, exponent = x.man_exp()
    return arb((-mantissa, exponent))


def absolute(x: arb) -> arb:
    """|x|; exact where x is."""
    if x.is_exact() and not x.is_nan():
        return negated(x) if x < 0 else arb(x)
    return abs(x)


def floor(x: arb) -> arb:
    """The greatest integer that is at most x; exact where x is."""
    if not x.is_exact():
        return x.floor()
    with ctx.workprec(max(ctx.prec, x.bits() + 1)):
        return x.floor()


def ceiling(x: arb) -> arb:
    """The least integer that is at least x; exact where x is."""
    return negated(floor(negated(x)))
