"""Infima and suprema as numbers: both bounds certified, ends attained or not."""

from decimal import Decimal

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsym.core.notation import Maximum, Minimum, alpha, phi, x
from dpsym.numbers import NotEnclosed, enclose

TEN = sp.Integer(10)
RIGHT_OF_ONE = sp.Interval.open(1, sp.oo)
POSITIVE = sp.Interval.open(0, sp.oo)


def minimum(f, region, variable=x):
    return Minimum(sp.Lambda(variable, f), region)


def maximum(f, region, variable=x):
    return Maximum(sp.Lambda(variable, f), region)


OPTIMA = [
    (minimum(x**2, RIGHT_OF_ONE), 1),
    (minimum((x - 1) ** 2, sp.Interval(0, sp.oo)), 0),
    (minimum(x, sp.Interval(3, 7)), 3),
    (maximum(x, sp.Interval.Ropen(3, 7)), 7),
    (minimum(x + 1 / x, POSITIVE), 2),
    (minimum(sp.Abs(x - 1) + 1, POSITIVE), 1),
    (maximum(x * sp.exp(-x), POSITIVE), sp.exp(-1)),
    (maximum(x * phi(x), POSITIVE), sp.exp(-sp.Rational(1, 2)) / sp.sqrt(2 * sp.pi)),
    (maximum(x * (1 - x), sp.Interval(-sp.oo, 2)), sp.Rational(1, 4)),
    (minimum(x**4 - 2 * x**2, sp.Interval(-sp.oo, sp.oo)), -1),
    (minimum(x - sp.log(x), POSITIVE), 1),
    (minimum(2 * alpha + sp.log(TEN**5) / (alpha - 1), RIGHT_OF_ONE, alpha), 2 + 2 * sp.sqrt(2 * sp.log(TEN**5))),
]


@pytest.mark.parametrize(("optimum", "value"), OPTIMA, ids=lambda v: str(v)[:50])
@pytest.mark.parametrize("digits", [15, 60])
def test_an_optimum_is_enclosed_to_any_number_of_digits(optimum, value, digits):
    found, known = enclose(optimum, digits=digits), enclose(sp.sympify(value), digits=digits + 10)

    assert found.lower <= known.upper
    assert known.lower <= found.upper
    assert found.width <= abs(found.upper) * Decimal(10) ** (1 - digits)


@settings(max_examples=20, deadline=None)
@given(st.fractions(min_value="1/1000", max_value=100), st.integers(1, 40))
def test_the_zcdp_conversion_at_its_best_order(rho, power):
    size = power * sp.log(10)
    rho = sp.Rational(rho.numerator, rho.denominator)
    best = enclose(rho + 2 * sp.sqrt(rho * size), digits=40)
    found = enclose(minimum(rho * alpha + size / (alpha - 1), RIGHT_OF_ONE, alpha), digits=30)

    assert found.lower <= best.upper
    assert best.lower <= found.upper


@pytest.mark.parametrize(
    "unbounded",
    [minimum(-x, POSITIVE), maximum(1 / x, POSITIVE), minimum(sp.log(x), POSITIVE), maximum(x**2, RIGHT_OF_ONE)],
    ids=str,
)
def test_no_number_is_given_for_an_infinite_optimum(unbounded):
    with pytest.raises(NotEnclosed):
        enclose(unbounded, digits=10)


def test_no_number_is_given_where_the_function_is_not_defined():
    with pytest.raises(NotEnclosed):
        enclose(minimum(sp.sqrt(x) + 1, sp.Interval(-1, 1)), digits=10)


def test_no_number_is_given_across_a_pole():
    with pytest.raises(NotEnclosed):
        enclose(minimum(1 / x, sp.Interval(-1, 1)), digits=10)
