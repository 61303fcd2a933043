"""What is enough for a guarantee, and what is not: noise, steps, rates."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import mpmath
import pytest
import sympy as sp

from dpsym import gaussian, geometric, laplace, randomized_response
from dpsym.accounting import NotAccountable, calibrate, delta, largest_q, largest_steps, smallest_sigma, subsampled
from dpsym.statements import Subsampled

x = sp.Symbol("x")
ONE_PERCENT, D5 = Fraction(1, 100), Fraction(1, 10**5)


def test_the_largest_number_of_steps_is_allowed_and_one_more_is_not():
    step = subsampled(gaussian(1), ONE_PERCENT)
    found = largest_steps(step, epsilon=2, delta=D5, time_limit=120)
    steps = int(found.enough)

    assert found.lower == found.upper
    assert found.finished
    assert found.safe == "lower"
    assert delta(step**steps, epsilon=2).upper <= Decimal("1e-5") < delta(step ** (steps + 1), epsilon=2).lower


def test_the_number_of_gaussian_steps_is_the_closed_form():
    # mu^2 = T/sigma^2, and delta = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu)
    found = largest_steps(gaussian(100), epsilon=1, delta=D5)
    profile = lambda t: (  # noqa: E731
        mpmath.ncdf(mpmath.sqrt(t) / 200 - 100 / mpmath.sqrt(t))
        - mpmath.e * mpmath.ncdf(-mpmath.sqrt(t) / 200 - 100 / mpmath.sqrt(t))
    )

    assert profile(int(found.lower)) <= 1e-5 < profile(int(found.lower) + 1)
    assert found.lower == found.upper


def test_steps_at_delta_zero_are_the_sum_of_pure_budgets():
    assert largest_steps(laplace(10), epsilon=1, delta=0).value.lower == 10
    assert largest_steps(gaussian(10), epsilon=1, delta=0).upper == 0
    assert largest_steps(gaussian(Fraction(1, 50)), epsilon=1, delta=D5).upper == 0
    assert largest_steps(subsampled(gaussian(1), 0), epsilon=1, delta=D5).lower == Decimal("Infinity")
    assert largest_steps(gaussian(1), epsilon=0, delta=1).lower == Decimal("Infinity")


def test_the_largest_rate_is_allowed_and_a_little_more_is_not():
    found = largest_q(gaussian(1), epsilon=2, delta=D5, steps=1000, time_limit=120)

    assert found.finished
    assert found.safe == "lower"
    assert delta(subsampled(gaussian(1), Fraction(found.lower)) ** 1000, epsilon=2).upper <= Decimal("1e-5")
    more = delta(subsampled(gaussian(1), Fraction(found.upper)) ** 1000, epsilon=2)
    assert more.lower >= Decimal("1e-5") * Decimal("0.999999")


def test_rates_in_the_corners():
    assert largest_q(gaussian(100), epsilon=2, delta=Fraction(1, 1000), steps=10).lower == 1
    assert largest_q(gaussian(1), epsilon=2, delta=0, steps=10).upper == 0
    # one sampled Laplace step: log(1 + q(e - 1)) = 1/2
    found = largest_q(laplace(1), epsilon=Fraction(1, 2), delta=0)
    truth = (mpmath.exp(0.5) - 1) / (mpmath.e - 1)
    assert float(found.lower) <= truth <= float(found.upper)
    assert found.finished


@pytest.mark.parametrize(
    ("of", "safe"), [(laplace(x) ** 5, "upper"), (geometric(x) ** 5, "upper"), (randomized_response(x) ** 5, "lower")]
)
def test_other_mechanisms_are_calibrated_on_the_safe_side(of, safe):
    found = calibrate(of, x, epsilon=1, delta=Fraction(1, 1000))
    other = found.upper if safe == "lower" else found.lower

    def at(value):
        return delta(type(of)(((of.parts[0][0].mechanism(Fraction(value)), 5),)), epsilon=1)

    assert found.safe == safe
    assert at(found.enough).upper <= Decimal("0.001") <= at(other).upper


def test_a_time_limit_leaves_a_bracket_that_is_marked():
    found = smallest_sigma(epsilon=1, delta=D5, q=ONE_PERCENT, steps=1000, digits=12, time_limit=0.05)

    assert not found.finished
    assert found.lower <= Decimal("1.41462") <= found.upper


@pytest.mark.parametrize(
    ("of", "message"),
    [
        (gaussian(1) ** 3, "nowhere"),
        (gaussian(x) ** x, "several roles"),
        (gaussian(1, x) ** 3, "not known to be monotone"),
        (gaussian(2 * x) ** 3, "not known to be monotone"),
        (gaussian(1) ** (x + 1), "not a multiple"),
        (Subsampled(gaussian(1), x / 2), "not x itself"),
        (laplace(x) ** sp.Symbol("y"), "y"),
    ],
)
def test_unknowns_that_cannot_be_found_are_refused_with_a_reason(of, message):
    with pytest.raises(NotAccountable, match=message):
        calibrate(of, x, epsilon=1, delta=D5)
