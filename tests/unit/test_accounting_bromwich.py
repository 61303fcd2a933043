"""The trapezoidal rule of the Bromwich integral and its three bounds, on functions whose transforms are known."""

import pytest
from flint import acb, arb, ctx, fmpq

from dpsym.accounting.chernoff import Exponential
from dpsym.accounting.inversion.bromwich import Aliases, TrapezoidalSum, after
from dpsym.accounting.inversion.by_inversion import moment_of
from dpsym.accounting.inversion.contour import spaced
from dpsym.accounting.loss_distributions.discrete_gaussian import DiscreteGaussianMoment
from dpsym.accounting.loss_distributions.lattice import LaplaceLaw
from dpsym.accounting.moments.moment_generating import GaussianMoment, LogisticMoment
from dpsym.core.deadline import OutOfTime, TooCostly, timed

C = arb(1) / 4
POINTS = ("-2.5", "-0.3", "0", "0.1", "1", "4")


@pytest.fixture(autouse=True)
def _digits():
    with ctx.workprec(120):
        yield


def decaying(y, rate=1):
    return (-rate * abs(y)).exp()


def transform(s, rate=1):
    """The integral of exp(sy - rate |y|)."""
    return 2 * rate / (rate * rate - s * s)


def rule(step, last, of=transform, scale=7, count=4000):
    """The rule on the points up to `last`; those after it are summed, and bounded from `count` on."""
    values = [of(acb(C, k * step)) / scale for k in range(count + 1)]
    left_out = sum((abs(v) for v in values[last + 1 :]), arb(0))
    end = count * step
    left_out += after(end, 4 / (end * end * scale), 2, step)  # |F| <= 4/t^2 for the function above, t >= 10
    return TrapezoidalSum(C, step, values[: last + 1], left_out.upper(), arb(scale))


@pytest.mark.parametrize("step", ["0.2", "1", "3"])
@pytest.mark.parametrize("last", [4000, 0, 7, 90])
def test_a_function_is_enclosed_whatever_is_evaluated(step, last):
    step = arb(step)
    aliases = Aliases(C, 2 * arb.pi() / step, Exponential(arb(1), arb(1)))
    for y in map(arb, POINTS):
        assert aliases.taken_from(rule(step, last).at(y), y).overlaps(decaying(y))


@pytest.mark.parametrize("step", ["1", "3"])
def test_the_rule_by_itself_is_the_function_and_its_aliases(step):
    step = arb(step)
    period = 2 * arb.pi() / step
    for y in map(arb, POINTS):
        found = rule(step, 4000).at(y)
        assert found.overlaps(sum(((C * m * period).exp() * decaying(y + m * period) for m in range(-60, 61)), arb(0)))
        assert not found.overlaps(decaying(y))


@pytest.mark.parametrize("y", POINTS)
def test_aliases_far_apart_are_next_to_nothing(y):
    y, period = arb(y), arb(80)
    aliases = Aliases(C, period, Exponential(arb(1), arb(1)))
    found = aliases.taken_from(rule(2 * arb.pi() / period, 4000).at(y), y)

    assert found.overlaps(decaying(y))
    assert found.rad() < arb("0.01")


@pytest.mark.parametrize("above", ["0.2", "0.25"])
def test_a_rate_on_the_wrong_side_is_refused(above):
    with pytest.raises(TooCostly):
        Aliases(C, arb(9), Exponential(arb(1), arb(above)))


@pytest.mark.parametrize("power", [2, 3, 9])
@pytest.mark.parametrize("last", [1, 5, 80])
def test_what_falls_like_a_power_is_summed(power, last):
    step = arb("0.3")
    terms = [(last / arb(k)) ** power for k in range(last + 1, last + 4000)]
    bound = after(last * step, arb(1), power, step)

    assert sum(terms, arb(0)) < bound
    assert last < 80 or sum(terms, arb(0)) > bound * arb("0.9")


def test_the_rates_that_are_chosen_are_those_of_the_least_distance():
    bounds = [(2.0, 1.0), (3.0, 1.5), (9.0, 100.0)]
    period, further = spaced(1.0, 0.5, 20.0, bounds)

    assert further == 3.0
    assert 0 < period < 21
    for rate, size in ((3.0, 1.5), (0.0, 0.0)):
        assert size - rate * 0.5 - abs(rate - 1) * period <= -20


@pytest.mark.parametrize(
    "moment",
    [
        GaussianMoment(fmpq(1, 9)),
        LogisticMoment(fmpq(1, 3)),
        moment_of(LaplaceLaw(fmpq(1, 5))),
        DiscreteGaussianMoment(fmpq(9), 1),
        DiscreteGaussianMoment(fmpq(1500), 1),
    ],
    ids=["gaussian", "logistic", "laplace", "discrete gaussian", "wide discrete gaussian"],
)
def test_moments_along_a_contour_are_given_up_in_time(moment):
    assert len(moment.along(C, C, 20, 9.0)[1]) == 21
    with pytest.raises(OutOfTime), timed(-1):
        moment.along(C, C, 20, 9.0)
