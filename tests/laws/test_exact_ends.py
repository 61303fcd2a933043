"""What is exact stays exact, and what is rounded encloses: numbers of 1 to 400 bits at 53 to 300 bits of precision."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from dpsym.core import functions
from dpsym.core.balls import ranges
from dpsym.core.balls.ends import End, down, up
from dpsym.core.balls.operations import (
    ADD,
    DIVIDE,
    GENERAL_POWER,
    MULTIPLY,
    NEGATE,
    UNVIOLATED,
    Operation,
    integer_power,
    rational_power,
)
from dpsym.core.balls.ranges import Range

BY_NAME = {f.name: f.operation for f in functions.ALL}
# what takes nothing but signs, integer parts and choices
UNROUNDED: dict[str, tuple[Operation, int, Callable[..., Fraction]]] = {
    "-": (NEGATE, 1, operator.neg),
    "itself": (UNVIOLATED, 1, lambda x: x),
    "abs": (BY_NAME["abs"], 1, abs),
    "sign": (BY_NAME["sign"], 1, lambda x: Fraction((x > 0) - (x < 0))),
    "floor": (BY_NAME["floor"], 1, lambda x: Fraction(floor(x))),
    "ceil": (BY_NAME["ceil"], 1, lambda x: Fraction(ceil(x))),
    "max": (BY_NAME["max"], 2, max),
    "min": (BY_NAME["min"], 2, min),
}
ROUNDED: dict[str, tuple[Operation, int, Callable[..., Fraction]]] = {
    "+": (ADD, 2, operator.add),
    "*": (MULTIPLY, 2, operator.mul),
    "/": (DIVIDE, 2, operator.truediv),
    "general power": (GENERAL_POWER, 2, lambda x, y: x ** int(y)),
    **{f"power {n}": (integer_power(n), 1, lambda x, n=n: x**n) for n in (-3, -2, -1, 1, 2, 3, 4, 5)},
}
ROOTS = {f"power {p}/{q}": rational_power(p, q) for p, q in ((1, 2), (3, 2), (1, 3), (2, 5), (-1, 2), (-2, 3))}

precisions = st.integers(53, 300)


@st.composite
def numbers(draw: st.DrawFn, most_bits: int = 400) -> Fraction:
    """A dyadic number with 1 to 400 binary digits, or 0."""
    bits = draw(st.integers(1, most_bits))
    size = draw(st.integers(1 << bits - 1, (1 << bits) - 1))
    shift = draw(st.sampled_from([0, 0, -1, -bits // 2, -bits, -bits - 3, 5]))
    return draw(st.sampled_from([1, 1, -1, -1, 0])) * size * Fraction(2) ** shift


def end(x: Fraction) -> arb:
    """The number itself, whatever the precision."""
    made = arb((x.numerator, 1 - x.denominator.bit_length()))
    assert made.is_exact()
    return made


def value(x: arb) -> Fraction:
    """The number that an exact ball is."""
    assert x.is_exact()
    assert x.is_finite()
    mantissa, exponent = x.man_exp()
    return int(mantissa) * Fraction(2) ** int(exponent)


def holds(found: Range, x: Fraction) -> bool:
    """Whether the range has the number, its ends being exact."""
    assert isinstance(found.below, End)
    assert isinstance(found.above, End)
    low, high = (None if not e.is_finite() else value(e) for e in found[:2])
    return (low is None or low <= x) and (high is None or x <= high)


@given(x=numbers(), y=numbers(), bits=precisions)
@pytest.mark.parametrize("name", UNROUNDED)
def test_signs_integer_parts_and_choices_are_not_rounded(name: str, x: Fraction, y: Fraction, bits: int) -> None:
    operation, arity, truth = UNROUNDED[name]
    given_ = (x, y)[:arity]
    right = truth(*given_)
    with ctx.workprec(bits):
        assert value(operation.ball(*map(end, given_))) == right
        found = operation.range(*(Range(end(v), end(v)) for v in given_))
        assert ranges.is_point(found)
        assert value(found.below) == right
        assert value(ranges.as_ball(found)) == right
        assert ranges.of_ball(end(right)) == found


@given(x=numbers(), y=numbers(), u=numbers(), v=numbers(), share=st.fractions(0, 1), bits=precisions)
@pytest.mark.parametrize("name", [*UNROUNDED, *ROUNDED])
def test_ranges_enclose(
    name: str, x: Fraction, y: Fraction, u: Fraction, v: Fraction, share: Fraction, bits: int
) -> None:
    operation, arity, truth = (UNROUNDED | ROUNDED)[name]
    spans = [sorted((x, y)), sorted((u, v))][:arity]
    if name == "general power":
        spans[1] = [Fraction(abs(int(u)) % 6)] * 2
    inside = [low + (high - low) * share for low, high in spans]
    with ctx.workprec(bits):
        found = operation.range(*(Range(end(low), end(high)) for low, high in spans))
        at = operation.ball(*(end(low) for low, _ in spans))
    if found is not None:
        for point in (inside, [low for low, _ in spans], [high for _, high in spans]):
            assert holds(found, truth(*point))
    if at.is_finite():
        right = truth(*(low for low, _ in spans))
        assert at.contains(arb(fmpq(right.numerator, right.denominator))) or holds(Range(at.lower(), at.upper()), right)


@given(x=numbers(), y=numbers(), u=numbers(), bits=precisions)
@pytest.mark.parametrize("name", [*(f.name for f in functions.ALL if f.arity == 1), *ROOTS])
def test_functions_enclose(name: str, x: Fraction, y: Fraction, u: Fraction, bits: int) -> None:
    operation = (BY_NAME | ROOTS)[name]
    if name not in ("sin", "cos", "atan", "asinh", "log", *ROOTS):  # of the others the values are too large
        x, y, u = (v / Fraction(2) ** max(0, int(abs(v)).bit_length() - 6) for v in (x, y, u))
    low, inside, high = sorted((x, y, u))
    with ctx.workprec(bits):
        found = operation.range(Range(end(low), end(high)))
        rounded = operation.ball(end(inside))
    with ctx.workprec(2_000):
        known = operation.ball(end(inside))
    if known.is_finite():
        assert not rounded.is_finite() or rounded.overlaps(known)
        if found is not None:
            assert isinstance(found.below, End)
            assert isinstance(found.above, End)
            assert not known < found.below
            assert not known > found.above


@given(x=numbers(), y=numbers(), u=numbers(), v=numbers(), bits=precisions)
def test_ends_of_several_ranges_are_not_rounded(x: Fraction, y: Fraction, u: Fraction, v: Fraction, bits: int) -> None:
    (a, b), (c, d) = sorted((x, y)), sorted((u, v))
    first, second = Range(end(a), end(b)), Range(end(c), end(d))
    with ctx.workprec(bits):
        assert ranges.negate(ranges.negate(first)) == first
        hull, both = ranges.hull(first, second), ranges.common(first, second)
        assert [value(e) for e in hull[:2]] == [min(a, c), max(b, d)]
        assert [value(e) for e in both[:2]] == [max(a, c), min(b, d)]
        size = ranges.absolute(first)
        assert value(size.above) == max(abs(a), abs(b))
        assert [value(e) for e in ranges.maximum(first, second)[:2]] == [max(a, c), max(b, d)]
        assert [value(e) for e in ranges.minimum(first, second)[:2]] == [min(a, c), min(b, d)]
        assert ranges.is_point(first) == (a == b)


@given(x=numbers(), radius=st.integers(1, 1000), bits=precisions)
def test_an_end_holds_no_radius(x: Fraction, radius: int, bits: int) -> None:
    ball = arb(end(x), radius)
    with ctx.workprec(bits):
        assert value(down(ball)) <= x - radius
        assert value(up(ball)) >= x + radius
        assert holds(Range(ball, ball), x - radius)
        assert holds(ranges.negate(Range(ball, ball)), radius - x)
        assert value(-End(end(x))) == -x
        assert value(abs(End(end(x)))) == abs(x)
        with pytest.raises(ValueError, match="no exact number"):
            End(ball)
    with pytest.raises(ValueError, match="no exact number"):
        End(arb.nan())
    assert not down(arb.nan()).is_finite()
    assert not up(arb.nan()).is_finite()
