"""Equal Laplace steps: the sums, and the bound of what they leave out."""

import math
from fractions import Fraction
from functools import cache

import mpmath
import pytest
from flint import acb, arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsym import laplace
from dpsym.accounting import delta, epsilon
from dpsym.accounting.bounds import Bounds
from dpsym.accounting.inversion.saddle_point import saddle_of_epsilon
from dpsym.accounting.laplace_sums import LaplaceSteps, Terms, binomial, integrals
from dpsym.accounting.lattices.by_lattice import by_lattice
from dpsym.accounting.loss_distributions.lattice import LaplaceLaw
from dpsym.accounting.moments.moment_generating import LaplaceMoment
from dpsym.accounting.query import Found, Question

CASES = [  # a, steps, epsilon
    (fmpq(1, 3), 50, fmpq(9, 2)),
    (fmpq(1, 100), 50, fmpq(1, 6)),
    (fmpq(2), 40, fmpq(62)),
]
TRIED = [CASES[0], *(pytest.param(*case, marks=pytest.mark.slow) for case in CASES[1:])]


@pytest.fixture(autouse=True)
def _digits():
    with mpmath.workdps(60), ctx.workprec(300):
        yield


def real(value):
    return mpmath.mpf(int(value.p)) / int(value.q)


def holds(ball, truth):
    """Whether the ball contains an mpmath number, but for mpmath's own rounding."""
    low, high = (mpmath.mpf(end.str(60, radius=False)) for end in (ball.lower(), ball.upper()))
    slack = abs(truth) * mpmath.mpf(10) ** -45
    return low - slack <= truth <= high + slack


def profile(a, steps, epsilon, ks=None):
    """delta(epsilon), or its part with k in `ks`, from the expansion in powers of 1/(2z) of the whole transform.

    The sum over l and k of what belongs to exp(z b_l) (2z)^-k: nothing is grouped here as it is in `Terms`.
    """
    a, at = real(a), real(epsilon)
    with mpmath.workdps(60 + steps):
        total = mpmath.mpf(0)
        for place in range(steps + 1):
            reach = a * (steps - 2 * place) - at
            if reach <= 0:
                break
            for k, times in enumerate(signs(steps, place)):
                if ks is None or k in ks:
                    total += times * iterated(reach, k)
        return +(total * mpmath.exp((at - a * steps) / 2) / mpmath.mpf(2) ** steps)


@cache
def signs(steps, place):
    """For each k, C(T, k) times the coefficient of x^place in (1 - x)^k (1 + x)^(T - k), over 2^k."""
    return [
        mpmath.mpf(math.comb(steps, k))
        * sum(
            (-1) ** i * math.comb(k, i) * math.comb(steps - k, place - i)
            for i in range(max(0, place - steps + k), min(k, place) + 1)
        )
        / mpmath.mpf(2) ** k
        for k in range(steps + 1)
    ]


def iterated(b, k):
    """The k-fold integral of 2 sinh(y/2), as a hypergeometric series."""
    return (
        b ** (k + 1)
        / mpmath.factorial(k + 1)
        * mpmath.hyp1f2(1, (k + 2) / mpmath.mpf(2), (k + 3) / mpmath.mpf(2), b * b / 16)
    )


def steps_at(a, steps, at, few):
    """So many summed, around epsilon."""
    where = saddle_of_epsilon([(LaplaceLaw(a), steps)], float(arb(at)))
    return LaplaceSteps(LaplaceLaw(a), steps, where, 20.0, few)


# --- sums -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("b", "k"), [("0.001", 0), ("1.7", 3), ("40", 5), ("40", 6), ("900", 1), ("900", 6)])
def test_the_iterated_integrals_of_the_hyperbolic_sine(b, k):
    b = mpmath.mpf(b)
    found = integrals(arb(str(b)), 6)[k]
    truth = (
        2 * mpmath.sinh(b / 2)
        if k == 0
        else mpmath.quad(lambda y: 2 * mpmath.sinh(y / 2) * (b - y) ** (k - 1), [0, b]) / mpmath.factorial(k - 1)
    )

    assert holds(found, truth / 2**k)
    assert found.rad() < found * arb(10) ** -50


@pytest.mark.parametrize(("n", "k"), [(10, 3), (3000, 1500), (4000, 1999), (10**9, 2)])
def test_binomial_coefficients_of_any_size(n, k):
    assert holds(binomial(n, k), mpmath.mpf(math.comb(n, k)))


@pytest.mark.parametrize("at", [fmpq(-9), fmpq(-1, 5), fmpq(0), fmpq(1, 7), fmpq(3), fmpq(1201, 300), fmpq(5)])
@pytest.mark.parametrize(("steps", "few"), [(1, 1), (1, 2), (2, 1), (6, 3), (15, 4), (15, 16)])
def test_sums_over_signs_and_uniform_parts(steps, few, at):
    found = Terms(fmpq(1, 3), steps, few).delta(arb(at))

    assert holds(found, profile(fmpq(1, 3), steps, at, range(few)))


def test_sums_at_the_very_points_of_the_lattice():
    a = fmpq(1, 3)
    for place in range(9):
        at = a * (8 - 2 * place)

        assert holds(Terms(a, 8, 5).delta(arb(at)), profile(a, 8, at, range(5)))


@given(
    st.integers(1, 12), st.fractions(Fraction(1, 50), 4, max_denominator=60), st.fractions(-1, 1, max_denominator=99)
)
@settings(max_examples=12, deadline=None)
def test_the_whole_sum_is_the_profile(steps, a, share):
    a, at = fmpq(a.numerator, a.denominator), fmpq(share.numerator, share.denominator)
    at *= a * steps

    with mpmath.workdps(60), ctx.workprec(300):
        assert holds(Terms(a, steps, steps + 1).delta(arb(at)), profile(a, steps, at))


def test_a_sum_with_a_wrong_coefficient_is_noticed(monkeypatch):
    monkeypatch.setattr("dpsym.accounting.laplace_sums.binomial", lambda n, k: arb(math.comb(n, k) + 1))

    assert not holds(Terms(fmpq(1, 3), 15, 16).delta(arb(1) / 7), profile(fmpq(1, 3), 15, fmpq(1, 7)))


# --- the rest -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("a", "steps", "at"), TRIED)
@pytest.mark.parametrize("few", [1, 4, 9])
def test_chernoff_bounds_what_has_many_between_the_atoms(a, steps, at, few):
    truth, whole = profile(a, steps, at, range(few, steps + 1)), profile(a, steps, at)
    parts = steps_at(a, steps, at, few)

    assert truth <= mpmath.mpf(parts.rest(arb(at)).upper().str(50, radius=False))
    assert holds(parts.delta(arb(at)), whole)


def test_what_is_left_out_of_the_sums_is_noticed(monkeypatch):
    a, steps, at = CASES[0]
    monkeypatch.setattr(LaplaceSteps, "rest", lambda self, epsilon: arb(0))

    assert not holds(steps_at(a, steps, at, 3).delta(arb(at)), profile(a, steps, at))


@pytest.mark.parametrize(
    ("steps", "b", "at"),
    [(1, 2, fmpq(1, 7)), (17, 5, fmpq(-1, 5)), (60, 30, fmpq(1)), (1000, 10, fmpq(19))],
)
def test_the_lattice_holds_what_the_sums_hold(steps, b, at):
    question = Question(((LaplaceLaw(fmpq(1, b)), steps),), None, at, 1e-3)
    found = Found(Bounds(arb(0), arb(1)), "")
    by_lattice(question, found)
    truth = delta(laplace(b) ** steps, epsilon=Fraction(int(at.p), int(at.q)))

    assert truth.finished
    assert found.finished
    assert arb(str(truth.upper)) >= found.bounds.lower
    assert arb(str(truth.lower)) <= found.bounds.upper


@pytest.mark.parametrize(
    ("b", "steps", "at"),
    [
        (3, 10_000, "1e-5"),
        (200, 10_000, "1e-50"),
        (50, 300, "1e-3"),
        (5, 50, "1e-50"),
        (117, 5, "1e-49"),
        (20, 10**9, "1e-9"),
    ],
)
def test_many_steps_to_ten_digits_in_little_time(b, steps, at):
    found = epsilon(laplace(b) ** steps, delta=Fraction(at))
    there, beyond = (
        delta(laplace(b) ** steps, epsilon=Fraction(end) * shift, digits=4)
        for end, shift in ((found.lower, 1 - Fraction(1, 10**9)), (found.upper, 1 + Fraction(1, 10**9)))
    )

    assert found.finished
    assert there.upper >= Fraction(at) >= beyond.lower


@pytest.mark.parametrize("digits", [3, 10, pytest.param(30, marks=pytest.mark.slow)])
def test_more_digits_are_within_fewer(digits):
    of = laplace(20) ** 400
    rough, fine = (epsilon(of, delta=Fraction("1e-6"), digits=n) for n in (digits, digits + 7))

    assert rough.finished
    assert fine.finished
    assert rough.lower <= fine.lower <= fine.upper <= rough.upper


def test_negative_budgets_by_symmetry():
    at = fmpq(-3, 2)
    found = delta(laplace(5) ** 40, epsilon=Fraction(-3, 2), digits=15)
    truth = profile(fmpq(1, 5), 40, at)

    assert mpmath.mpf(str(found.lower)) <= truth <= mpmath.mpf(str(found.upper))
    assert found.finished


def test_no_epsilon_where_the_total_variation_is_small_enough():
    assert epsilon(laplace(100) ** 500, delta=Fraction(1, 5)).upper == 0


def test_what_takes_too_long_is_given_up():
    found = epsilon(laplace(10**8) ** 10**9, delta=Fraction(1, 10**6), time_limit=0.2)

    assert not found.finished
    assert 0 <= found.lower <= Fraction("7.43079977e-4") <= found.upper


@pytest.mark.parametrize(("a", "c"), [(fmpq(1, 3), 2.0), (fmpq(4), 0.3), (fmpq(1, 50), 40.0)])
def test_the_decay_bounds_the_moments_also_where_both_atoms_point_the_same_way(a, c):
    moment, middle = LaplaceMoment(a), arb(c)
    decay = moment.decay(middle)
    for turns in (fmpq(1, 4), fmpq(1), fmpq(7), fmpq(1000)):
        t = arb.pi() * turns / a
        size = abs(moment.value(acb(middle, t)) / moment.at(middle))
        assert size.lower() <= decay(t).upper()
    assert decay(t).upper() < 1
