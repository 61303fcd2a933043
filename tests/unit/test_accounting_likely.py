"""Lower bounds by what is nearly certain to be lost, beside accounts that do not use them."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb, fmpq

from dpsym import discrete_gaussian, gaussian, laplace, randomized_response
from dpsym.accounting import delta, epsilon, subsampled
from dpsym.accounting.bounds import Bounds
from dpsym.accounting.compositions import composition, laws, neighbours
from dpsym.accounting.markov_lower_bound import by_likely_losses
from dpsym.accounting.query import Found, Question
from dpsym.statements import Adjacency

TENTH = Fraction(1, 10)
COMPOSITIONS = {
    "gaussian": gaussian(2) ** 500,
    "sampled": subsampled(gaussian(1), TENTH) ** 2000,
    "response": randomized_response(Fraction(1, 2)) ** 300,
    "laplace": laplace(3) ** 200,
    "discrete": discrete_gaussian(9) ** 9000,
    "mixed": gaussian(1) * randomized_response(Fraction(1, 5)) ** 4000,
}


def lower(of, *, adding, delta=None, epsilon=None):
    found = Found(Bounds(arb(0), arb(1) if delta is None else arb.pos_inf()), "")
    by_likely_losses(Question(laws(composition(of), adding=adding), delta, epsilon, 1e-3), found)
    return Fraction(*(int(n) for n in (found.bounds.lower.fmpq().p, found.bounds.lower.fmpq().q)))


@pytest.mark.parametrize("of", COMPOSITIONS.values(), ids=COMPOSITIONS)
@pytest.mark.parametrize("adding", [False, True])
def test_it_is_below_the_exact_numbers_and_says_something(of, adding):
    direction = "add" if adding else "remove"
    if neighbours(of) is Adjacency.REPLACE:
        direction = "both"
    exact = epsilon(of, delta=Fraction(1, 1000), direction=direction, digits=8)
    bound = lower(of, adding=adding, delta=fmpq(1, 1000))
    assert 0 < bound <= Fraction(exact.upper)

    for at in (0, Fraction(bound).limit_denominator(1000) / 4, -1):
        number = fmpq(Fraction(at).numerator, Fraction(at).denominator)
        there = delta(of, epsilon=at, direction=direction, digits=8)
        assert 0 < lower(of, adding=adding, epsilon=number) <= Fraction(there.upper)


def test_where_every_delta_is_large_it_is_all_there_is():
    assert lower(gaussian(1) ** 10, adding=False, delta=fmpq(999, 1000)) <= Fraction(
        epsilon(gaussian(1) ** 10, delta=Fraction(999, 1000)).upper
    )


@pytest.mark.cases(1)
@pytest.mark.parametrize("direction", ["add", "remove"])
def test_more_steps_than_anything_else_can_plan_for(direction):
    """The mean loss, by steps that can still be integrated, is nearly all of it."""
    step = subsampled(gaussian(1), Fraction(1, 100))
    few = epsilon(step**10**12, delta=Fraction(1, 10**5), direction=direction)
    many = epsilon(step**10**24, delta=Fraction(1, 10**5), direction=direction, digits=3, time_limit=0.3)

    assert many.finished
    assert abs(float(many.upper) / float(few.upper) / 1e12 - 1) < 1e-3
