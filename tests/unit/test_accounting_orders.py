"""The best order of Rényi DP, between two bounds."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from flint import arb, fmpq

from dpsym import gaussian, geometric, laplace, randomized_response
from dpsym.accounting import NotAccountable, epsilon, route_bound, subsampled
from dpsym.accounting.renyi_bounds import _from_below

D5 = Fraction(1, 10**5)


def converted(log_moment, c, d):
    """Log M(c), converted at the order 1 + c: the epsilon at which kappa(c) M(c) exp(-c epsilon) is delta."""
    c = mpmath.mpf(c)
    return (log_moment(c) - mpmath.log(d) + c * mpmath.log(c) - (1 + c) * mpmath.log(1 + c)) / c


def least(log_moment, d, near):
    """By golden sections."""
    low, high = mpmath.mpf(near) / 3, mpmath.mpf(near) * 3
    share = (mpmath.sqrt(5) - 1) / 2
    for _ in range(60):
        one, other = high - share * (high - low), low + share * (high - low)
        if converted(log_moment, one, d) < converted(log_moment, other, d):
            high = other
        else:
            low = one
    return converted(log_moment, (low + high) / 2, d)


def gaussian_moment(mu_squared):
    return lambda c: mu_squared * c * (c + 1) / 2


def laplace_moment(a, steps):
    return lambda c: steps * mpmath.log(((c + 1) * mpmath.exp(c * a) + c * mpmath.exp(-(c + 1) * a)) / (2 * c + 1))


def response_moment(eps, steps):
    return lambda c: steps * mpmath.log((mpmath.exp((c + 1) * eps) + mpmath.exp(-c * eps)) / (1 + mpmath.exp(eps)))


@pytest.mark.parametrize(
    ("of", "log_moment"),
    [
        (gaussian(100) ** 500, gaussian_moment(mpmath.mpf("0.05"))),
        (gaussian(1), gaussian_moment(mpmath.mpf(1))),
        (laplace(10) ** 100, laplace_moment(mpmath.mpf("0.1"), 100)),
        (randomized_response(Fraction(1, 5)) ** 50, response_moment(mpmath.mpf("0.2"), 50)),
    ],
    ids=["gaussians", "gaussian", "laplace", "responses"],
)
@pytest.mark.parametrize("d", ["1e-3", "1e-5", "1e-9"])
def test_the_best_order_is_the_minimum_of_the_converted_curve(of, log_moment, d):
    found = route_bound(of, delta=Fraction(d), route="rdp")
    truth = least(log_moment, mpmath.mpf(d), float(found.order) - 1)

    assert float(found.value.lower) * (1 - 1e-12) <= truth <= float(found.value.upper)
    assert float(found.value.upper - found.value.lower) < 1e-8 * float(found.value.upper)


@pytest.mark.slow
def test_sampled_steps_take_the_worse_direction_and_the_order_of_the_upper_end():
    q, sigma, steps = mpmath.mpf("0.01"), 1, 100

    def log_moment(c):
        ratio = lambda x: 1 - q + q * mpmath.exp(x - mpmath.mpf(1) / 2)  # noqa: E731
        points = [-10, -2, 0, 2, 1 + c, 6 + c, 14 + c]
        return steps * mpmath.log(mpmath.quad(lambda x: ratio(x) ** (1 + c) * mpmath.npdf(x, 0, sigma), points))

    found = route_bound(subsampled(gaussian(1), Fraction(1, 100)) ** steps, delta=D5, route="rdp")
    c = float(found.order) - 1

    assert mpmath.almosteq(converted(log_moment, c, mpmath.mpf("1e-5")), mpmath.mpf(str(found.value.upper)), 1e-9)
    assert all(converted(log_moment, c * f, mpmath.mpf("1e-5")) >= float(found.value.lower) for f in (0.5, 0.9, 1.1, 2))


@pytest.mark.parametrize(
    "of", [subsampled(gaussian(1), Fraction(1, 100)) ** 1000, geometric(3) ** 7, laplace(10) ** 30, gaussian(3) ** 2]
)
@pytest.mark.parametrize("route", ["rdp", "zcdp"])
def test_no_route_is_below_the_exact_epsilon(of, route):
    assert route_bound(of, delta=D5, route=route).value.upper >= epsilon(of, delta=D5, digits=4).lower


def test_zcdp_is_the_curve_of_a_gaussian():
    rho = mpmath.mpf("0.05") / 2
    found = route_bound(gaussian(100) ** 500, delta=D5, route="zcdp")

    truth = least(lambda c: rho * c * (c + 1), mpmath.mpf("1e-5"), 18)
    assert float(found.value.lower) <= truth <= float(found.value.upper)
    assert float(found.value.upper) < rho + 2 * mpmath.sqrt(rho * mpmath.log(10**5))


def test_three_orders_that_do_not_surround_the_minimum_bound_nothing():
    values = lambda points: [arb(1 + c * c) for c in points]  # noqa: E731 (1/c + c is least at 1)
    around, beside = [fmpq(9, 10), fmpq(1), fmpq(11, 10)], [fmpq(2), fmpq(3), fmpq(4)]

    assert fmpq(19, 10) < _from_below(around, values(around)) <= 2
    assert _from_below(beside, values(beside)) is None


def test_nothing_lost_needs_no_budget_and_delta_zero_is_refused():
    assert route_bound(gaussian(1) ** 0, delta=D5, route="rdp").value.upper == 0
    for bad in (0, 1):
        with pytest.raises(NotAccountable, match="not between 0 and 1"):
            route_bound(gaussian(1), delta=bad, route="rdp")
    with pytest.raises(NotAccountable, match=r"no zCDP claim|rho"):
        route_bound(randomized_response(1), delta=D5, route="zcdp")
