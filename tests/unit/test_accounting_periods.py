"""Losses on a lattice: the integral over one period against exact sums, and its bounds one by one."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import partial

import mpmath
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsym import discrete_gaussian, gaussian, geometric, randomized_response
from dpsym.accounting import epsilon
from dpsym.accounting.bounds import Bounds
from dpsym.accounting.compositions import composition, laws
from dpsym.accounting.from_mechanism import known
from dpsym.accounting.inversion.by_inversion import moment_of
from dpsym.accounting.inversion.lattice_inversion import by_period, gaussian_fall, grid_of, pairs_fall
from dpsym.accounting.lattices.by_lattice import by_lattice
from dpsym.accounting.loss_distributions.discrete_gaussian import DiscreteGaussianLaw
from dpsym.accounting.loss_distributions.lattice import LaplaceLaw, LatticeLaw
from dpsym.accounting.query import Found, Question
from dpsym.core.deadline import TooCostly


def response(epsilon, m):
    """The law of randomized response."""
    return known(randomized_response(epsilon, m)).above


D5 = Fraction(1, 10**5)


def asked(of, *, delta=None, epsilon=None, relative=1e-9):
    return Question(laws(composition(of), adding=False), delta, epsilon, relative)


def by(way, question):
    found = Found(Bounds(arb(0), arb(1) if question.delta is None else arb.pos_inf()), "")
    with ctx.workprec(128):
        way(question, found)
    return found


COMPOSITIONS = {
    "two": randomized_response(Fraction(1, 3)) ** 2,
    "few": randomized_response(2, 5) ** 7,
    "response": randomized_response(Fraction(1, 10)) ** 300,
    "answers": randomized_response(Fraction(1, 7), 4) ** 90,
    "geometric": geometric(3, 4) ** 50,
    "large shift": geometric(1, 9) ** 3,
    "mixed": geometric(2, 2) ** 20 * randomized_response(Fraction(1, 2)) ** 11,
    "discrete": discrete_gaussian(2, 3) ** 40,
    "fine": discrete_gaussian(9) ** 5,
    "unequal": discrete_gaussian(2) ** 3 * discrete_gaussian(1) ** 2,
}


@pytest.mark.cases(4)
@pytest.mark.parametrize("of", COMPOSITIONS.values(), ids=COMPOSITIONS)
def test_the_integral_over_a_period_is_the_exact_sum(of):
    for exponent in (1, 5, 40):
        question = asked(of, delta=fmpq(1, 10**exponent))
        one, other = by(by_period, question), by(by_lattice, question)
        assert one.finished
        assert one.bounds.lower <= other.bounds.upper
        assert other.bounds.lower <= one.bounds.upper
        if other.bounds.lower > 0:  # delta there, and at points of the lattice, where which is the first matters
            at = fmpq(*Fraction(float(other.bounds.lower) * 0.9).limit_denominator(1000).as_integer_ratio())
            spacing = grid_of(question.laws).spacing
            offset = grid_of(question.laws).offset
            for place in (at, offset + spacing * ((at - offset) / spacing).floor(), offset + spacing):
                question = asked(of, epsilon=place)
                one, other = by(by_period, question), by(by_lattice, question)
                assert one.bounds.lower <= other.bounds.upper
                assert other.bounds.lower <= one.bounds.upper
                assert one.finished


@settings(max_examples=15, deadline=None)
@given(
    budget=st.fractions(Fraction(1, 50), Fraction(2), max_denominator=60),
    steps=st.integers(2, 200),
    share=st.fractions(Fraction(-1, 5), Fraction(99, 100), max_denominator=500),
)
def test_randomized_response_is_a_binomial_sum(budget, steps, share):
    at = share * budget * steps
    question = asked(randomized_response(budget) ** steps, epsilon=fmpq(at.numerator, at.denominator))
    found = by(by_period, question)
    with mpmath.workdps(60):
        e, x = (mpmath.mpf(f.numerator) / f.denominator for f in (budget, at))
        p = mpmath.exp(e) / (1 + mpmath.exp(e))
        there = mpmath.fsum(
            mpmath.binomial(steps, i) * p**i * (1 - p) ** (steps - i) * (1 - mpmath.exp(x - (2 * i - steps) * e))
            for i in range(steps + 1)
            if (2 * i - steps) * budget > at
        )
        low, high = (mpmath.mpf(end.str(40, radius=False)) for end in (found.bounds.lower, found.bounds.upper))
        assert low <= there * (1 + mpmath.mpf(10) ** -35)
        assert high >= there * (1 - mpmath.mpf(10) ** -35)


@pytest.mark.parametrize(
    "law",
    [response(Fraction(1, 2), 2), response(Fraction(1, 2), 6), LatticeLaw(fmpq(1, 3), 5)],
    ids=["two", "six", "five"],
)
@pytest.mark.parametrize("c", ["1/10", "2", "30"])
def test_the_decay_of_pairs_holds_from_there_to_half_a_period(law, c):
    spacing = grid_of([(law, 1)]).spacing
    _holds(partial(pairs_fall, law, spacing), law, c, spacing)


@pytest.mark.parametrize(("variance", "n"), [(fmpq(1), 1), (fmpq(9, 4), 2), (fmpq(64), 3)])
@pytest.mark.parametrize("c", ["1/10", "2", "30"])
def test_the_decay_of_discrete_gaussian_noise_holds_from_there_to_half_a_period(variance, n, c):
    law = DiscreteGaussianLaw(variance, n)
    _holds(partial(gaussian_fall, law), law, c, law.unit)


def _holds(fall, law, at, spacing):
    with ctx.workprec(300):
        points, c, half = 24, arb(fmpq(*Fraction(at).as_integer_ratio())), arb.pi() / spacing
        _, values = moment_of(law).along(c, half / points, points, 100.0)
        sizes = [value.abs_upper() for value in values]
        for k in range(1, points + 1):
            bound = fall(k * half / points, c)
            assert all(size <= bound + arb("1e-40") for size in sizes[k:])
            assert not bound > 1


def test_the_cost_depends_neither_on_steps_nor_on_the_spacing():
    for sigma, steps in ((1000, 10**3), (10**4, 10**5), (10**6, 10**9)):
        found = epsilon(discrete_gaussian(sigma) ** steps, delta=D5, time_limit=2)
        smooth = epsilon(gaussian(sigma) ** steps, delta=D5)
        assert found.finished
        assert abs(found.upper - smooth.upper) < Decimal("1e-4")
    for steps in (10**6, 10**9):
        assert epsilon(randomized_response(Fraction(1, 1000)) ** steps, delta=D5, time_limit=2).finished
        assert epsilon(geometric(100, 3) ** steps, delta=D5, digits=6, time_limit=2).finished


def test_what_is_no_lattice_is_left_to_others():
    for of in (LaplaceLaw(fmpq(1)), LatticeLaw(fmpq(1), 1)):
        with pytest.raises(TooCostly):
            by_period(Question(((of, 3),), fmpq(1, 100), None, 1e-6), Found(Bounds(arb(0), arb(1)), ""), 4000)
    assert epsilon(randomized_response(1) ** 3, delta=Fraction(1, 100)).finished


def test_a_short_sum_at_a_tiny_delta_is_as_narrow_as_asked():
    assert epsilon(randomized_response(Fraction(1, 3)) ** 2, delta=Fraction(1, 10**40)).finished
    assert epsilon(geometric(1, 9) ** 3, delta=Fraction(1, 10**40)).finished
