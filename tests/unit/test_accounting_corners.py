"""Input at the edge of what there is: every answer is an interval, never less than nothing, never not a number."""

from __future__ import annotations

from decimal import Context, Decimal, localcontext
from fractions import Fraction

import pytest

from dpsym import discrete_gaussian, gaussian, geometric, laplace, randomized_response
from dpsym.accounting import delta, epsilon, largest_q, route_bound, smallest_sigma, subsampled

CORNERS = {
    "no steps": gaussian(1) ** 0,
    "no samples": subsampled(gaussian(1), 0) ** 7,
    "everyone": subsampled(gaussian(1), 1) ** 7,
    "nearly nobody": subsampled(gaussian(1), Fraction(1, 10**30)) ** 1000,
    "nearly everyone": subsampled(gaussian(1), 1 - Fraction(1, 10**12)) ** 3,
    "hardly any noise": gaussian(Fraction(1, 10**12)),
    "hardly any noise on samples": subsampled(gaussian(Fraction(1, 10**6)), Fraction(1, 100)) ** 100,
    "much noise": subsampled(gaussian(10**12), Fraction(1, 2)) ** 10**6,
    "many steps": subsampled(gaussian(1), Fraction(1, 2)) ** 10**12,
    "tiny budgets": randomized_response(Fraction(1, 10**20)) ** 5,
    "large budgets": laplace(Fraction(1, 1000)) ** 3,
    "fine geometric": geometric(10**6, 3) ** 4,
    "mixed": subsampled(gaussian(Fraction(1, 100)), Fraction(1, 1000)) * laplace(10**6) ** 2,
}

DELTAS = [0, Fraction(1, 10**300), 1 - Fraction(1, 10**9), 1]
EPSILONS = [-1, 0, Fraction(1, 10**9), 10**6]


@pytest.mark.cases(2)
@pytest.mark.parametrize("of", CORNERS.values(), ids=CORNERS)
@pytest.mark.parametrize("d", [Fraction(1, 10**5), *(pytest.param(d, marks=pytest.mark.slow) for d in DELTAS)])
def test_epsilon_is_an_interval_of_numbers_that_are_not_negative(of, d):
    found = epsilon(of, delta=d, digits=4, time_limit=0.05)

    assert Decimal(0) <= found.lower <= found.upper
    assert not found.upper.is_nan()
    assert found.method
    narrow = found.lower == found.upper or (
        found.upper.is_finite() and found.upper - found.lower <= Decimal("1.1e-3") * found.lower
    )
    assert narrow or not found.finished  # in so little time it may be narrow and not know it


@pytest.mark.cases(2)
@pytest.mark.parametrize("of", CORNERS.values(), ids=CORNERS)
@pytest.mark.parametrize("e", [1, *(pytest.param(e, marks=pytest.mark.slow) for e in EPSILONS)])
def test_delta_is_a_probability(of, e):
    found = delta(of, epsilon=e, digits=4, time_limit=0.05)

    assert Decimal(0) <= found.lower <= found.upper <= Decimal(1)


def test_with_no_noise_to_speak_of_nothing_is_gained_and_that_is_said():
    found = epsilon(CORNERS["hardly any noise"], delta=Fraction(1, 10**5), digits=6)

    assert Decimal("4.9e23") < found.lower <= found.upper < Decimal("5.1e23")  # about mu^2/2, mu = 10^12
    assert epsilon(CORNERS["hardly any noise"], delta=0).lower == Decimal("Infinity")


def test_samples_that_hardly_anyone_is_in_need_no_epsilon():
    # whoever is in no sample is not noticed: delta is at most T q
    found = epsilon(CORNERS["nearly nobody"], delta=Fraction(1, 10**20), digits=4)

    assert found.upper < Decimal("1e-20")
    assert delta(CORNERS["nearly nobody"], epsilon=0, time_limit=1).upper <= Decimal("1.01e-27")


def test_inverse_problems_in_the_corners():
    assert smallest_sigma(epsilon=0, delta=Fraction(1, 10**6), steps=3, time_limit=5).lower > 10**5
    assert largest_q(gaussian(Fraction(1, 10**6)), epsilon=1, delta=Fraction(1, 1000), time_limit=5).lower >= Decimal(
        "0.00099"
    )
    found = smallest_sigma(epsilon=Fraction(1, 10**9), delta=Fraction(1, 10**300), time_limit=5)
    assert 0 < found.lower <= found.upper


@pytest.mark.parametrize("route", ["rdp", "zcdp"])
@pytest.mark.parametrize(
    "of", [gaussian(Fraction(1, 10**6)), gaussian(10**9) ** 5, subsampled(gaussian(1), Fraction(1, 10**9))]
)
def test_routes_are_intervals_too(of, route):
    found = route_bound(of, delta=Fraction(1, 10**5), route=route)

    assert Decimal(0) <= found.value.lower <= found.value.upper
    assert found.order > 1


@pytest.mark.cases(2)
@pytest.mark.parametrize(
    "of",
    [
        subsampled(gaussian(sigma=1), Fraction(1, 10**300)) ** 1000,
        subsampled(gaussian(sigma=1), Fraction(1, 100)) ** 10**30,
        subsampled(discrete_gaussian(sigma=66), Fraction(3, 10**100)) * gaussian(sigma=6) ** 7,
    ],
    ids=["rate", "steps", "discrete"],
)
@pytest.mark.parametrize("exponent", [5, pytest.param(310, marks=pytest.mark.slow)])
def test_what_no_float_can_plan_has_an_answer_all_the_same(of, exponent):
    at_delta = epsilon(of, delta=Fraction(1, 10**exponent), time_limit=0.1)
    at_epsilon = delta(of, epsilon=10**exponent, time_limit=0.1)

    assert 0 <= at_delta.lower <= at_delta.upper
    assert 0 <= at_epsilon.lower <= at_epsilon.upper <= 1


def test_no_decimal_says_that_a_delta_is_more_than_one():
    nothing = gaussian(sigma=1) ** 0

    assert delta(nothing, epsilon=-600, digits=6).upper == 1
    assert delta(nothing, epsilon=-600, digits=6).lower < 1
    assert delta(gaussian(sigma=Fraction(1, 100)), epsilon=-50, digits=6).upper == 1


@pytest.mark.slow
def test_a_rate_close_to_one_and_noise_without_largest_loss_have_a_finite_bound():
    of = subsampled(discrete_gaussian(44, 2), 1 - Fraction(1, 10**30)) ** 7
    found = epsilon(of, delta=Fraction(1, 10**20), digits=3, time_limit=0.3)
    every = epsilon(discrete_gaussian(44, 2) ** 7, delta=Fraction(1, 10**20), digits=3)

    assert found.upper.is_finite()
    assert found.lower <= every.upper
    assert epsilon(of, delta=0, direction="add").upper < 1000


@pytest.mark.parametrize("q", [Fraction(1, 10**60), 1 - Fraction(1, 10**60)])
def test_losses_on_samples_are_precise_at_extreme_rates(q):
    """One step of Laplace noise at delta = 0: log(1 - q + q e), and minus log(1 - q + q/e)."""
    removed = epsilon(subsampled(laplace(1), q), delta=0, direction="remove", digits=8)
    added = epsilon(subsampled(laplace(1), q), delta=0, direction="add", digits=8)

    assert removed.finished
    assert added.finished
    with localcontext(Context(prec=100)):
        rate, e = Decimal(q.numerator) / Decimal(q.denominator), Decimal(1).exp()
        assert removed.lower <= (1 - rate + rate * e).ln() <= removed.upper
        assert added.lower <= -(1 - rate + rate / e).ln() <= added.upper


def test_what_one_side_of_a_lattice_has_found_is_kept_when_time_ends(monkeypatch):
    from dpsym.accounting.lattices import by_lattice
    from dpsym.core.deadline import OutOfTime

    original = by_lattice.profile

    def only_from_below(*arguments, above, **options):
        if above:
            raise OutOfTime("the time limit was reached")
        return original(*arguments, above=above, **options)

    monkeypatch.setattr(by_lattice, "profile", only_from_below)
    of = laplace(3) ** 2 * geometric(2) ** 3
    found = epsilon(of, delta=Fraction(1, 1000), digits=6)
    monkeypatch.undo()
    exact = epsilon(of, delta=Fraction(1, 1000), digits=6)

    assert exact.lower * Decimal("0.9") < found.lower <= exact.upper <= found.upper
    assert not found.finished
