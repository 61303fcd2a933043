"""Several mechanisms on one sample, and sums of finitely many losses, against outcomes that are written out."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from itertools import product

import mpmath
import pytest
import sympy as sp
from flint import arb, ctx, fmpq

import dpsym
from dpsym import exponential, gaussian, geometric, laplace, randomized_response
from dpsym.accounting import NotAccountable, calibrate, delta, epsilon, renyi, subsampled
from dpsym.accounting.calibration.boundary import NothingEnough, Trial
from dpsym.accounting.compositions import composition, laws
from dpsym.accounting.from_mechanism import known
from dpsym.accounting.loss_distributions.lattice import SubsampledLaw
from dpsym.accounting.loss_distributions.together import JointLaw, together
from dpsym.accounting.methods import one_step
from dpsym.core.distributions import Finite
from dpsym.statements import Adjacency, Composed, Mechanism, Norm, Source

D5 = Fraction(1, 10**5)
TENTH = Fraction(1, 10)


@pytest.fixture(autouse=True)
def precise():
    with mpmath.workdps(30):
        yield


def alike(one, other):
    return max(one.lower, other.lower) <= min(one.upper, other.upper)


def profile(pairs, eps):
    """The hockey-stick divergence of two distributions on finitely many outcomes."""
    return mpmath.fsum(max(p - mpmath.exp(eps) * q, mpmath.mpf(0)) for p, q in pairs)


def sampled(pairs, q, *, adding):
    mixed = [((1 - q) * b + q * a, b) for a, b in pairs]
    return [(b, a) for a, b in mixed] if adding else mixed


def joint(*each):
    """Independent outcomes together."""
    return [(mpmath.fprod(p for p, _ in chosen), mpmath.fprod(q for _, q in chosen)) for chosen in product(*each)]


def geometric_pairs(b):
    """The losses of geometric noise shifted by 1: 1/b with probability 1/(1 + r), or -1/b."""
    r = mpmath.exp(-mpmath.mpf(1) / b)
    return [(1 / (1 + r), r / (1 + r)), (r / (1 + r), 1 / (1 + r))]


@pytest.mark.parametrize(("runs", "steps", "q"), [(1, 3, "1/10"), (2, 3, "1/10"), (3, 2, "1/2")])
def test_finitely_many_losses_are_added_exactly(runs, steps, q):
    q, eps = Fraction(q), Fraction(3, 10)
    found = delta(subsampled(geometric(b=2) ** runs, q) ** steps, epsilon=eps)
    once = joint(*[geometric_pairs(2)] * runs)
    true = max(
        profile(joint(*[sampled(once, mpmath.mpf(q.numerator) / q.denominator, adding=a)] * steps), mpmath.mpf("0.3"))
        for a in (False, True)
    )
    assert found.value.lower <= Decimal(mpmath.nstr(true, 25)) <= found.value.upper
    assert found.finished
    assert found.method in ("exact sum", "bounds by single steps")  # where these are as narrow already


@pytest.mark.parametrize(("count", "sigma", "steps"), [(2, "1/2", 60), (3, "7/3", 12)])
def test_gaussians_on_one_sample_are_one(count, sigma, steps):
    """k Gaussians of the same sigma are one of sigma/sqrt(k): here k is a square, so that it can be written."""
    sigma = Fraction(sigma)
    many = epsilon(subsampled(gaussian(sigma=count * sigma) ** count**2, TENTH) ** steps, delta=D5)
    one = epsilon(subsampled(gaussian(sigma=sigma), TENTH) ** steps, delta=D5)
    assert many.value == one.value
    assert many.method == one.method


def test_gaussians_whose_sum_has_an_irrational_scale_are_between_their_neighbours():
    both = epsilon(subsampled(gaussian(sigma=1) ** 2, TENTH) ** 50, delta=D5).value
    less, more = (
        epsilon(subsampled(gaussian(sigma=Fraction(s)), TENTH) ** 50, delta=D5).value for s in ("0.70711", "0.70710")
    )
    assert less.lower < both.lower
    assert both.upper < more.upper
    assert both.upper - both.lower < Decimal("1e-8")


def normal(x, shift):
    return math.exp(-((x - shift) ** 2) / 8) / math.sqrt(8 * math.pi)


def two_sided(x, shift):
    return math.exp(-abs(x - shift) / 2) / 4


@pytest.mark.parametrize("adding", [False, True])
@pytest.mark.parametrize(
    ("noise", "density"), [(gaussian(sigma=2), normal), (laplace(b=2), two_sided)], ids=["gaussian", "laplace"]
)
def test_noise_beside_finitely_many_losses_is_a_mixture(noise, density, adding):
    """One step, by Simpson's rule in floats over the output of the noise for each outcome of the other."""
    q, eps, nodes = 0.2, 0.05, 40_000
    others = [(float(a), float(b)) for a, b in joint(geometric_pairs(3), geometric_pairs(3))]

    def gap(x):
        first, second, total = density(x, 1), density(x, 0), 0.0
        for a, b in others:
            mixed = (1 - q) * b * second + q * a * first
            one, other = (b * second, mixed) if adding else (mixed, b * second)
            total += max(one - math.exp(eps) * other, 0.0)
        return total

    low, high = -60.0, 62.0
    width = (high - low) / nodes
    heights = [gap(low + i * width) * (1 if i in (0, nodes) else 4 if i % 2 else 2) for i in range(nodes + 1)]
    true = math.fsum(heights) * width / 3
    law = together([(known(noise).above, 1), (known(geometric(b=3)).above, 2)])
    assert isinstance(law, JointLaw)
    with ctx.workprec(100):
        found = one_step(SubsampledLaw(law, fmpq(1, 5), adding), arb("0.05"))
    assert true > 1e-3
    assert abs(float(found) - true) < 1e-5 * true


@pytest.mark.parametrize(
    "of",
    [gaussian(sigma=2) ** 2 * geometric(b=4), geometric(b=2) ** 3, laplace(b=3) * geometric(b=3)],
    ids=str,
)
@pytest.mark.parametrize("adding", [False, True])
def test_a_joint_law_is_two_distributions(of, adding):
    parts = [(known(use).above, int(count)) for use, count in of.parts]
    law = SubsampledLaw(together(parts), fmpq(1, 10), adding)
    with ctx.workprec(100):
        first = sum((atom.first for atom in law.atoms()), arb(0))
        second = sum((atom.second for atom in law.atoms()), arb(0))
        edge = law.edge(fmpq(1, 7))
        if edge is not None:
            first, second = first + edge.first_below + edge.first_above, second + edge.second_below + edge.second_above
        assert first.contains(1)
        assert second.contains(1)
        moment = sum((atom.second * atom.loss.exp() for atom in law.atoms()), arb(0))
        assert edge is not None or moment.contains(1)  # the second's mean of P/Q


def test_more_on_the_sample_is_never_more_private():
    each = [gaussian(sigma=3), gaussian(sigma=3) * geometric(b=50), gaussian(sigma=3) * geometric(b=50) ** 3]
    one, two, three = (epsilon(subsampled(inner, TENTH), delta=D5).value for inner in each)
    assert one.upper < two.lower
    assert two.upper < three.lower


def test_on_everything_it_is_the_composition_and_on_nothing_nothing():
    inner = gaussian(sigma=2) * laplace(b=3) ** 2
    assert epsilon(subsampled(inner, 1) ** 3, delta=D5).value == epsilon(inner**3, delta=D5).value
    assert epsilon(subsampled(inner, 0) ** 3, delta=D5).value.upper == 0


def test_an_unknown_may_be_inside():
    s = sp.Symbol("s")
    of = subsampled(gaussian(sigma=s) * gaussian(sigma=4), TENTH) ** 30
    found = calibrate(of, s, epsilon=1, delta=D5)
    enough = Fraction(found.value.upper)
    assert epsilon(subsampled(gaussian(sigma=enough) * gaussian(sigma=4), TENTH) ** 30, delta=D5).value.upper <= 1
    less = enough * Fraction(99, 100)
    assert epsilon(subsampled(gaussian(sigma=less) * gaussian(sigma=4), TENTH) ** 30, delta=D5).value.lower > 1


def test_renyi_divergences_of_gaussians_on_one_sample():
    many = renyi(subsampled(gaussian(sigma=2) ** 4, TENTH) ** 7, order=Fraction(5, 2))
    assert alike(many, renyi(subsampled(gaussian(sigma=1), TENTH) ** 7, order=Fraction(5, 2)))


def test_samples_of_fixed_size_hold_several():
    three = subsampled(randomized_response(Fraction(1, 2), 2) ** 3, TENTH) ** 4
    found = epsilon(three, delta=D5, sampling="fixed-size").value
    # one randomized response of another budget is no more private than three: they have its largest loss
    worse = epsilon(subsampled(randomized_response(Fraction(3, 2), 2), TENTH) ** 4, delta=D5, sampling="fixed-size")
    assert Decimal(0) < found.lower <= found.upper <= worse.value.upper


@pytest.mark.parametrize(
    ("of", "said"),
    [
        (subsampled(laplace(b=1) ** 2, TENTH), "one other noise"),
        (subsampled(laplace(b=1) * gaussian(sigma=1), TENTH), "one other noise"),
        (subsampled(subsampled(gaussian(sigma=1), TENTH), TENTH), "a sample of a sample"),
        (subsampled(subsampled(gaussian(sigma=1), TENTH) * gaussian(sigma=1), TENTH), "a sample of a sample"),
        (subsampled(geometric(b=1) ** 3000, TENTH), "different losses"),
        (subsampled(geometric(b=1) ** 300 * gaussian(sigma=1), TENTH), "beside noise"),
        (subsampled(exponential(Fraction(1, 10)) * gaussian(sigma=5), TENTH), "one other noise"),
    ],
    ids=[
        "two densities",
        "two noises",
        "nested",
        "nested beside another",
        "too many",
        "too many beside noise",
        "a claim",
    ],
)
def test_what_cannot_be_added_is_refused(of: Composed, said: str):
    with pytest.raises(NotAccountable, match=said):
        epsilon(of, delta=D5)


# --- what lies between: nothing inside, no finite loss, infinite losses, losses that cancel


def mechanism(first, second):
    """One of a user's own, with these probabilities on two neighbours."""
    outputs = (Finite(tuple(map(sp.Rational, first))), Finite(tuple(map(sp.Rational, second))))
    return Mechanism(
        id="own", title="", params={}, domain=(), outputs=outputs, norm=Norm.NONE, claims=(), source=Source("DR14"),
        adjacency=Adjacency.ANY, why_dominating="it has no other inputs",
    )()  # fmt: skip


COIN = mechanism(["3/4", "1/4"], ["1/4", "3/4"])
APART = mechanism([1, 0], [0, 1])
PARTLY = mechanism(["1/2", "3/8", "1/8", 0], [0, "1/8", "3/8", "1/2"])
HALF = Fraction(1, 2)


def test_a_sample_on_which_nothing_runs_loses_nothing():
    beside = subsampled(gaussian(sigma=1) ** 0, TENTH) ** 3 * gaussian(sigma=2)
    assert epsilon(subsampled(gaussian(sigma=1) ** 0, TENTH) ** 5, delta=D5).value.upper == 0
    assert epsilon(beside, delta=D5).value == epsilon(gaussian(sigma=2), delta=D5).value


def test_outcomes_of_one_distribution_only_are_infinite_losses():
    assert delta(APART**2, epsilon=TENTH).value.lower == 1
    assert delta(subsampled(APART**2, HALF), epsilon=TENTH, direction="remove").value.lower == Decimal("0.5")
    assert epsilon(subsampled(APART * COIN, HALF) ** 3, delta=TENTH).value.lower == Decimal("Infinity")


def test_a_delta_that_is_the_chance_of_an_infinite_loss_needs_the_largest_finite_one():
    """Of two independent losses one at least is infinite with probability 3/4; the finite ones are log 3 at most."""
    found = epsilon(subsampled(PARTLY**2, HALF), delta=Fraction(3, 8), direction="remove").value
    assert found.lower <= Decimal(mpmath.nstr(mpmath.log(5), 25)) <= found.upper
    assert epsilon(subsampled(PARTLY**2, HALF), delta=Fraction(37, 100)).value.lower == Decimal("Infinity")


@pytest.mark.parametrize(("runs", "true"), [(2, 0.0434268176202), (3, 0.0523170440506)])
def test_losses_that_cancel_are_none(runs, true):
    """With samples of fixed size an atom without loss is told from others; at epsilon >= 0 one step is as "remove"."""
    found = delta(subsampled(COIN**runs, TENTH), epsilon=TENTH, sampling="fixed-size").value
    remove = delta(subsampled(COIN**runs, TENTH), epsilon=TENTH, direction="remove").value
    assert found.lower <= remove.upper
    assert remove.lower <= found.upper
    pairs = joint(*[[(mpmath.mpf(3) / 4, mpmath.mpf(1) / 4), (mpmath.mpf(1) / 4, mpmath.mpf(3) / 4)]] * runs)
    assert abs(float(profile(sampled(pairs, mpmath.mpf(1) / 10, adding=False), mpmath.mpf(1) / 10)) - true) < 1e-12
    assert abs(float(found.upper) - true) < 1e-12


def test_what_else_is_on_the_sample_is_there_without_the_unknown():
    s, k = sp.symbols("s k")
    for of, unknown in ((gaussian(sigma=s) * geometric(b=3), s), (gaussian(sigma=2) ** k * geometric(b=3), k)):
        with pytest.raises(NothingEnough, match="already exceed"):
            calibrate(subsampled(of, TENTH) ** 5, unknown, epsilon=Fraction(1, 100), delta=D5)


def test_what_is_too_large_to_be_tried_is_neither_enough_nor_not():
    def at(value):
        return composition(subsampled(geometric(b=30) ** int(value), TENTH) ** 5)

    trial = Trial(at, lambda parts: [laws(parts, adding=False)], Fraction(100), D5, 6, math.inf)
    assert trial.gap(Fraction(50))[0] is True
    assert trial.gap(Fraction(3000)) == (None, math.inf)


def test_a_record_that_is_replaced_on_a_sample_of_several_is_said_to_be():
    said = str(dpsym.account("subsampled(gaussian(sigma=2) * geometric(b=3), q=1/10)", delta=D5, sampling="fixed-size"))
    assert "Delta = 1 was assumed" in said
