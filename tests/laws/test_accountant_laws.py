"""What holds of every accountant: monotone in everything, no better than its parts, the same by every road."""

from contextlib import suppress
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsym import gaussian, geometric, laplace, randomized_response
from dpsym.accounting import delta, epsilon, subsampled

FEW = settings(max_examples=5)
SIGMAS = st.fractions(Fraction(3, 4), 8, max_denominator=8)
RATES = st.fractions(Fraction(1, 50), 1, max_denominator=50)
STEPS = st.integers(60, 100_000)
DELTAS = st.integers(2, 30).map(lambda n: Fraction(1, 10**n))
EPSILONS = st.fractions(0, 6, max_denominator=8)
SMALL = st.sampled_from(
    [
        laplace(2),
        laplace(3, Fraction(1, 2)),
        geometric(3, 2),
        gaussian(4),
        gaussian(7, 2),
        subsampled(gaussian(2), Fraction(1, 3)),
        subsampled(laplace(2), Fraction(1, 4)),
    ]
)
REPLACED = st.sampled_from([randomized_response(Fraction(1, 5)), randomized_response(1, 4), laplace(3), gaussian(5)])


def at(of, d):
    found = epsilon(of, delta=d, digits=4, time_limit=2)
    assert 0 <= found.lower <= found.upper
    return found


def sampled(q, sigma, steps):
    return subsampled(gaussian(sigma), q) ** steps


@FEW
@given(q=RATES, sigma=SIGMAS, steps=STEPS, more=st.integers(1, 1000), d=DELTAS)
def test_more_steps_are_no_more_private(q, sigma, steps, more, d):
    assert at(sampled(q, sigma, steps), d).lower <= at(sampled(q, sigma, steps + more), d).upper


@FEW
@given(q=RATES, sigma=SIGMAS, steps=STEPS, factor=st.fractions(1, 2, max_denominator=9), d=DELTAS)
def test_more_noise_is_no_less_private(q, sigma, steps, factor, d):
    assert at(sampled(q, sigma * factor, steps), d).lower <= at(sampled(q, sigma, steps), d).upper


@FEW
@given(q=RATES, sigma=SIGMAS, steps=STEPS, share=st.fractions(Fraction(1, 4), 1, max_denominator=9), d=DELTAS)
def test_smaller_samples_are_no_less_private(q, sigma, steps, share, d):
    assert at(sampled(q * share, sigma, steps), d).lower <= at(sampled(q, sigma, steps), d).upper


@FEW
@given(q=RATES, sigma=SIGMAS, steps=STEPS, d=DELTAS, smaller=DELTAS)
def test_epsilon_falls_with_delta(q, sigma, steps, d, smaller):
    of = sampled(q, sigma, steps)

    assert at(of, max(d, smaller)).lower <= at(of, min(d, smaller)).upper


@FEW
@given(q=RATES, sigma=SIGMAS, steps=STEPS, e=EPSILONS, more=EPSILONS)
def test_delta_falls_with_epsilon_and_is_a_probability(q, sigma, steps, e, more):
    low = delta(sampled(q, sigma, steps), epsilon=e, digits=4, time_limit=2)
    high = delta(sampled(q, sigma, steps), epsilon=e + more, digits=4, time_limit=2)

    assert 0 <= high.lower <= low.upper <= 1


@FEW
@given(q=RATES, sigma=SIGMAS, steps=STEPS, d=DELTAS)
def test_there_and_back_again(q, sigma, steps, d):
    of = sampled(q, sigma, steps)
    found = epsilon(of, delta=d, digits=8, time_limit=4)
    wanted = Decimal(d.numerator) / Decimal(d.denominator)

    assert delta(of, epsilon=Fraction(found.upper), digits=5, time_limit=4).lower <= wanted
    if found.lower > 0:
        assert delta(of, epsilon=Fraction(found.lower), digits=5, time_limit=4).upper >= wanted


@FEW
@given(q=RATES, sigma=SIGMAS, steps=STEPS, d=DELTAS)
def test_the_worse_direction_is_the_larger(q, sigma, steps, d):
    of = sampled(q, sigma, steps)
    ways = [epsilon(of, delta=d, direction=way, digits=4, time_limit=2) for way in ("add", "remove")]
    both = at(of, d)

    assert both.lower <= max(way.upper for way in ways)
    assert max(way.lower for way in ways) <= both.upper


@FEW
@given(one=SMALL, other=SMALL, n=st.integers(1, 6), d=DELTAS)
def test_the_order_of_steps_does_not_matter(one, other, n, d):
    left, right = (epsilon(of, delta=d, digits=2, time_limit=0.4) for of in (one**n * other, other * one**n))

    assert left.lower <= right.upper
    assert right.lower <= left.upper


@FEW
@given(one=SMALL, other=SMALL, n=st.integers(1, 6), d=DELTAS)
def test_a_composition_lies_between_its_parts_and_their_sum(one, other, n, d):
    alone = [epsilon(of, delta=d / 2, digits=2, time_limit=0.4) for of in (one**n, other)]
    whole = epsilon(one**n * other, delta=d, digits=2, time_limit=0.4)
    part = epsilon(other, delta=d, digits=4, time_limit=0.4)

    assert part.lower <= whole.upper
    assert whole.lower <= alone[0].upper + alone[1].upper


@FEW
@given(of=REPLACED, n=st.integers(2, 5), m=st.integers(2, 5), d=DELTAS)
def test_a_power_of_a_power_is_a_power(of, n, m, d):
    left = epsilon(of ** (n * m), delta=d, digits=3, time_limit=0.5)
    right = epsilon((of**n) ** m, delta=d, digits=3, time_limit=0.5)

    assert left.lower <= right.upper
    assert right.lower <= left.upper


@FEW
@given(sigma=SIGMAS, q=RATES, d=DELTAS, n=st.integers(1, 400))
def test_sampling_never_harms(sigma, q, d, n):
    assert at(sampled(q, sigma, n), d).lower <= at(gaussian(sigma) ** n, d).upper


@FEW
@given(sigma=SIGMAS, q=RATES, n=st.integers(1, 3))
def test_a_guarantee_holds_also_without_time_for_it(sigma, q, n):
    of, d = sampled(q, sigma, 100 * n), Fraction(1, 10**6)
    hasty, patient = epsilon(of, delta=d, time_limit=0), epsilon(of, delta=d, digits=5)

    assert hasty.lower <= patient.upper
    assert patient.lower <= hasty.upper


@pytest.mark.slow
@settings(max_examples=20)
@given(
    q=st.fractions(Fraction(1, 10_000), 1, max_denominator=10_000),
    sigma=st.fractions(Fraction(3, 10), 20, max_denominator=100),
    steps=st.integers(1, 1_000_000),
    exponent=st.integers(3, 50),
    way=st.sampled_from(["add", "remove"]),
)
def test_the_lattice_and_the_integral_agree_everywhere(q, sigma, steps, exponent, way):
    from flint import arb, fmpq

    from dpsym.accounting.bounds import Bounds
    from dpsym.accounting.compositions import composition, laws
    from dpsym.accounting.inversion.by_inversion import by_inversion
    from dpsym.accounting.lattices.by_lattice import by_lattice
    from dpsym.accounting.query import Found, Question
    from dpsym.core.deadline import OutOfTime, TooCostly, timed

    lossy = laws(composition(sampled(q, sigma, steps)), adding=way == "add")
    each = []
    for method, relative in ((by_inversion, 1e-6), (by_lattice, 0.05)):
        question = Question(lossy, fmpq(1, 10**exponent), None, relative)
        found = Found(Bounds(arb(0), arb.pos_inf()), "")
        with suppress(TooCostly, OutOfTime), timed(5):
            method(question, found)
        each.append(found.bounds)
    one, other = each

    assert one.lower <= other.upper
    assert other.lower <= one.upper
