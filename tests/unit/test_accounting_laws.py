"""The laws of the catalogue's noises against the engine's profiles and against sums and integrals by mpmath."""

from fractions import Fraction
from itertools import product

import mpmath
import pytest
import sympy as sp
from flint import arb, ctx, fmpq

from dpsym import catalogue, noise
from dpsym.accounting import NotAccountable, calibrate, delta, epsilon, route_bound, subsampled, sweep
from dpsym.accounting.bounds import Bounds
from dpsym.accounting.claimed_renyi_bounds import best_order
from dpsym.accounting.compositions import composition, laws, one_sided
from dpsym.accounting.fixed_size_sampling import fixed_size
from dpsym.accounting.from_mechanism import known
from dpsym.accounting.inversion.by_inversion import by_inversion
from dpsym.accounting.lattices.by_lattice import by_lattice
from dpsym.accounting.lattices.pessimistic_optimistic import cells, from_above, from_below
from dpsym.accounting.loss_distributions.finite import FiniteLaw, approximate
from dpsym.accounting.loss_distributions.lattice import GaussianLaw, LaplaceLaw, SubsampledLaw
from dpsym.accounting.loss_distributions.log_concave import GumbelLaw, LogisticLaw
from dpsym.accounting.methods import one_step
from dpsym.accounting.moments.moment_generating import LogisticMoment
from dpsym.accounting.query import Found, Question
from dpsym.core.deadline import timed
from dpsym.core.notation import epsilon as level
from dpsym.core.verdicts import Verdict
from dpsym.entries.notions.approx import approx
from dpsym.numbers import enclose
from dpsym.satisfying import by_numbers
from dpsym.statements import StatementError

M = catalogue.mechanisms()
NOISES = [
    M["logistic"](2),
    M["logistic"](Fraction(1, 7), 3),
    M["cauchy"](2),
    M["cauchy"](Fraction(1, 9)),
    M["gumbel"](2),
    M["gumbel"](Fraction(1, 2)),
    M["generalised_gaussian"](2, Fraction(3, 2)),
    M["generalised_gaussian"](Fraction(1, 2), 3),
    M["generalised_gaussian"](2, 2),
    M["truncated_laplace"](2, 20),
    M["truncated_laplace"](2, 1),
    M["truncated_laplace"](1, 3, 2),
    M["skellam"](10),
    M["skellam"](Fraction(1, 2), 3),
    M["binomial"](40),
    M["binomial"](7, 3),
    M["binomial"](2, 2),
    M["tree_aggregation"](5, 7),
    M["tree_aggregation"](5, 8),
    M["square_root_factorisation"](5, 7),
    M["discrete_gaussian"](Fraction(3, 2), 2),
]
FINITE = [
    M["tulap"](1),
    M["staircase"](Fraction(3, 2), Fraction(1, 4)),
    M["optimized_unary_encoding"](Fraction(1, 2)),
    M["rappor"](Fraction(1, 2)),
    M["randomized_response"](1, 5),
    M["subset_selection"](1, 5, 2),
    M["hadamard_response"](1, 8),
]
CLAIMED = [
    M["exponential"](1),
    M["permute_and_flip"](1),
    M["report_noisy_max_laplace"](2),
    M["report_noisy_max_gumbel"](2),
    M["report_noisy_max_exponential"](2),
    M["sparse_vector"](1),
    M["sparse_vector_many"](Fraction(1, 2), 1, 2),
    M["sparse_vector_monotone"](Fraction(1, 2), 1, 2),
    M["k_norm"](1),
    M["partition_selection"](1, Fraction(1, 100)),
    M["set_union"](1, Fraction(1, 100)),
    M["propose_test_release"](1, Fraction(1, 100)),
    M["smooth_sensitivity"](1, Fraction(1, 100)),
]


@pytest.fixture(autouse=True)
def precise():
    with mpmath.workdps(30), ctx.workprec(128):
        yield


def mp(value):
    return mpmath.mpf(value.numerator) / value.denominator


def ball(value):
    return arb(fmpq(value.numerator, value.denominator))


def exactly(end):
    mantissa, exponent = end.man_exp()
    return mpmath.ldexp(mpmath.mpf(int(mantissa)), int(exponent))


def exactly_ball(value):
    return arb(mpmath.nstr(value, 28))


def near(enclosed, value, tolerance="1e-20"):
    """Whether a ball is narrow and has the value in it, up to the error of that."""
    return (
        abs(exactly(enclosed.mid()) - value) <= exactly(enclosed.rad()) + mpmath.mpf(tolerance)
        and enclosed.rad() < 1e-9
    )


def between(found, value, slack="1e-18"):
    slack = mpmath.mpf(slack)
    return mpmath.mpf(str(found.lower)) - slack <= value <= mpmath.mpf(str(found.upper)) + slack


# --- one step -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("use", [*NOISES, *FINITE], ids=str)
@pytest.mark.parametrize("at", [Fraction(1, 10), Fraction(7, 5)])
def test_one_step_is_the_profile_that_the_catalogue_claims(use, at):
    claim = next(c for c in use.mechanism.claims if c.guarantee.definition.id == "approx")
    index, value = claim.guarantee.subs(use.args).args
    profile = enclose(
        value.subs(index if index.is_Symbol else level, sp.Rational(at.numerator, at.denominator)), digits=25
    )
    found = one_step(known(use).above, ball(at))

    assert claim.complete
    assert found.overlaps(arb(str(profile.lower)).union(arb(str(profile.upper))))
    assert found.rad() < 1e-25


@pytest.mark.parametrize("use", [*NOISES, *FINITE, *CLAIMED, M["skellam"](5000), M["binomial"](10**6)], ids=str)
def test_masses_make_two_distributions(use):
    for law in {known(use).above, *known(use).below}:
        unseen = law.exchanged().infinite()
        for loss in ("-3", "-0.2", "0", "0.37", "5"):
            p = law.infinite() + sum((atom.first for atom in law.atoms()), arb(0))
            q = unseen + sum((atom.second for atom in law.atoms()), arb(0))
            edge = law.edge(arb(loss))
            if edge is not None:
                p, q = p + edge.first_below + edge.first_above, q + edge.second_below + edge.second_above
            assert p.contains(1)
            assert q.contains(1)
            assert p.rad() < 1e-20


@pytest.mark.parametrize("use", [*NOISES[::2], *FINITE[:2], CLAIMED[7]], ids=str)
def test_a_law_lies_between_its_lattices_with_all_of_its_infinite_loss(use):
    law, h = known(use).above, fmpq(1, 30)
    cut = cells(law, h, range(-90, 91))
    upper, lower = from_above(cut), from_below(cut)

    def hockey(masses, at):
        total = masses.escaped
        for k, p in zip(masses.marks, masses.values, strict=True):
            total += (p * (1 - (arb(at) - k * h).exp())).nonnegative_part()
        return total

    assert lower.escaped.overlaps(law.infinite())
    assert not upper.escaped < law.infinite()
    for at in (fmpq(-3, 2), fmpq(-1, 100), fmpq(0), fmpq(1, 11), fmpq(11, 9), fmpq(2), fmpq(5)):
        truth = one_step(law, arb(at))
        assert not hockey(upper, at) < truth
        assert not hockey(lower, at) > truth


@pytest.mark.slow
def test_a_loss_that_floats_do_not_see_is_no_error():
    of = M["generalised_gaussian"](Fraction(61, 10), 60_001) ** 10
    found = epsilon(of, delta=Fraction(1, 10**6), time_limit=0.5)
    assert 0 <= found.lower <= found.upper


@pytest.mark.parametrize("prec", [24, 53, 300])
@pytest.mark.parametrize(
    "use", [M["skellam"](3, 2), M["binomial"](30, 2), M["generalised_gaussian"](2, Fraction(5, 4))], ids=str
)
def test_laws_at_other_precisions_agree(use, prec):
    fine = [one_step(known(use).above, arb(at)) for at in (-1, "0.3", 2)]
    with ctx.workprec(prec):
        assert all(one_step(known(use).above, arb(at)).overlaps(x) for at, x in zip((-1, "0.3", 2), fine, strict=True))


# --- two steps and three ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("use", [FINITE[1], FINITE[3], CLAIMED[7]], ids=str)
def test_steps_of_finitely_many_outcomes_are_a_finite_sum(use):
    law = known(use).above
    if use.mechanism.id == "partition_selection":
        grown, chance = mpmath.e, mpmath.mpf(1) / 100
        rest = (1 - chance) / (1 + grown)
        outcomes = [(chance, 0), (rest * grown, rest), (rest, rest * grown), (0, chance)]
    else:
        outcomes = [(exactly(atom.first.mid()), exactly(atom.second.mid())) for atom in law.atoms()]
    at = Fraction(3, 10)
    truth = mpmath.mpf(0)
    for drawn in product(outcomes, repeat=3):
        p, q = (mpmath.fprod(side) for side in zip(*drawn, strict=True))
        truth += max(p - mpmath.exp(mp(at)) * q, 0)
    found = delta(use**3, epsilon=at, digits=8)

    assert abs(mpmath.mpf(str(found.upper)) - truth) < mpmath.mpf(10) ** -7
    assert found.lower <= found.upper


# --- Gumbel noise: two orders -------------------------------------------------------------------------------------


def _gumbel_profile(t, at, backwards):
    """One step by exponentials of rates e^t and 1."""
    rate = mpmath.exp(t)
    if backwards:
        x = max((at + t) / (rate - 1), 0)
        return mpmath.exp(-x) - mpmath.exp(at) * mpmath.exp(-rate * x)
    x = max((t - at) / (rate - 1), 0)
    return (1 - mpmath.exp(-rate * x)) - mpmath.exp(at) * (1 - mpmath.exp(-x))


def _gumbel_pair(t, at, orders):
    first, second = orders
    rate, loss = mpmath.exp(t), lambda x: t - (mpmath.exp(t) - 1) * x
    if first:
        points = [0, max((at + t + t) / (rate - 1), mpmath.mpf(1) / 2), 80]
        return mpmath.quad(lambda x: mpmath.exp(-x) * _gumbel_profile(t, at + loss(x), second), points)
    points = [0, max((2 * t - at) / (rate - 1), mpmath.mpf(1) / 100), 40]
    return mpmath.quad(lambda x: rate * mpmath.exp(-rate * x) * _gumbel_profile(t, at - loss(x), second), points)


@pytest.mark.parametrize("at", [Fraction(1, 5), Fraction(3, 2), pytest.param(Fraction(-1, 2), marks=pytest.mark.slow)])
def test_two_gumbel_steps_are_bounded_in_any_order_of_neighbours(at):
    use, t = M["gumbel"](2), mpmath.mpf(1) / 2
    truths = {orders: _gumbel_pair(t, mp(at), orders) for orders in product((False, True), repeat=2)}
    found = delta(use**2, epsilon=at, digits=3, time_limit=1.5)

    assert abs(truths[True, False] - truths[False, True]) < mpmath.mpf(10) ** -7
    assert mpmath.mpf(str(found.upper)) > max(truths.values())
    assert abs(mpmath.mpf(str(found.lower)) - max(truths[True, True], truths[False, False])) < 0.03
    assert mpmath.mpf(str(found.lower)) <= max(truths[True, True], truths[False, False])
    assert found.upper_only


def test_one_order_of_gumbel_noise_does_not_bound_the_other():
    worse = GumbelLaw(fmpq(1, 2), backwards=True)

    assert one_step(worse, arb("0.3")) > one_step(worse.exchanged(), arb("0.3"))
    assert one_step(worse, arb("-0.3")) < one_step(worse.exchanged(), arb("-0.3"))
    both = known(M["gumbel"](2)).above
    assert one_step(both, arb("-0.3")).overlaps(one_step(worse.exchanged(), arb("-0.3")))


# --- moments ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("t", "c"), [(Fraction(1, 2), "0.3"), (Fraction(3), "2"), (Fraction(1, 100), "40")])
def test_the_moments_of_logistic_noise_are_those_of_its_loss(t, c):
    """The density of the loss in g = exp((L - t)/2) is linear: P(L >= l) = (1 - g)/(1 - exp(-t))."""
    moment, x, c = LogisticMoment(fmpq(t.numerator, t.denominator)), mp(t), mpmath.mpf(c)

    def truth(s):
        return mpmath.quad(lambda g: mpmath.exp(s * (x + 2 * mpmath.log(g))), [mpmath.exp(-x), 1]) / (
            1 - mpmath.exp(-x)
        )

    step, middle = arb(3) / 10, arb(str(c))
    total, ratios = moment.along(middle, step, 6, 20.0)
    decay = moment.decay(middle)
    assert near(total / exactly_ball(truth(c)), 1)
    for k, ratio in enumerate(ratios):
        value = truth(c + k * mpmath.mpc(0, "0.3")) / truth(c)
        assert near(ratio.real, value.real)
        assert near(ratio.imag, value.imag)
        for further in (1, 2, 7):
            size = abs(truth(c + k * further * mpmath.mpc(0, "0.3")) / truth(c)) if k else mpmath.mpf(1)
            assert size <= exactly(decay(k * step).upper()) + mpmath.mpf(10) ** -20


@pytest.mark.parametrize("steps", [2, 40])
def test_the_integral_and_the_lattice_agree_for_logistic_noise(steps):
    law = known(M["logistic"](2)).above
    asked = Question(((law, steps),), None, fmpq(1, 3), 1e-4)
    found = [Found(Bounds(arb(0), arb(1)), "") for _ in range(2)]
    for way, each in zip((by_inversion, by_lattice), found, strict=True):
        way(asked, each)
    bounds = found[0].bounds.meet(found[1].bounds)

    assert bounds.narrow(1e-4)
    assert all(each.bounds.narrow(1e-2) for each in found)


@pytest.mark.slow
def test_the_best_order_of_bounded_range_bounds_its_worst_pairs_and_beats_the_pair_that_dominates_them():
    """Composed, no two answers are as bad as logistic noise: the orders of Lemma 4 are closer to them."""
    eta, steps, d = Fraction(1, 10), 100, Fraction(1, 10**5)
    found = epsilon(M["exponential"](eta) ** steps, delta=d, digits=3, time_limit=1.5)
    logistic = epsilon(M["logistic"](1, eta) ** steps, delta=d, digits=6)

    assert found.upper < logistic.lower
    assert "one Rényi order from above" in found.method
    for x in (Fraction(1, 50), Fraction(1, 2), Fraction(9, 10)):
        p, q = mp(x) * mpmath.exp(mp(eta)) / (1 + mp(x) * (mpmath.exp(mp(eta)) - 1)), mp(x)
        gap = mpmath.exp(mpmath.mpf(str(found.upper)))
        total = sum(
            mpmath.binomial(steps, i) * max(p**i * (1 - p) ** (steps - i) - gap * q**i * (1 - q) ** (steps - i), 0)
            for i in range(steps + 1)
        )
        assert total <= mp(d)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("use", "budget"),
    [
        (
            M["sparse_vector_gaussian"](2, 2, 1000),
            lambda a: a / 8 + mpmath.log1p(1000 * mpmath.exp(a * (a - 1) / 2)) / (a - 1),
        ),
        (M["top_k_gumbel"](1, 10), lambda a: 5 * a),
    ],
    ids=["rdp", "zcdp"],
)
def test_claims_of_renyi_divergences_are_added_up(use, budget):
    """No bound is above what the claimed curve converts to at any order, and none by orders is below the least."""
    steps, d = 10, Fraction(1, 10**5)
    found = epsilon(use**steps, delta=d, digits=3, time_limit=1.5)
    orders = [mpmath.mpf(1) + mpmath.mpf(2) ** (mpmath.mpf(x) / 4) for x in range(-30, 30)]
    converted = [
        steps * budget(a) + mpmath.log1p(-1 / a) - (mpmath.log(a) + mpmath.log(mp(d))) / (a - 1) for a in orders
    ]

    assert mp(Fraction(found.upper)) <= min(converted)
    if "one Rényi order from above" in found.method:
        assert mp(Fraction(found.upper)) >= 0.98 * min(converted)  # the orders between those
        there = best_order(composition(use**steps), None, fmpq(*found.upper.as_integer_ratio()))
        assert there <= fmpq(d.numerator, d.denominator)


# --- samples ------------------------------------------------------------------------------------------------------

SAMPLED = [
    M["logistic"](2),
    M["cauchy"](1),
    M["gumbel"](2),
    M["generalised_gaussian"](1, 3),
    M["truncated_laplace"](1, 2),
    M["skellam"](2),
    M["binomial"](10, 2),
    M["staircase"](1, Fraction(1, 4)),
    M["tree_aggregation"](2, 7),
]


@pytest.mark.parametrize("use", SAMPLED, ids=str)
@pytest.mark.parametrize("at", [Fraction(-1, 30), Fraction(1, 20), Fraction(2, 5)])
def test_one_sampled_step_is_amplified(use, at):
    """At u > 1 - q removing has q H at 1 + (u - 1)/q; adding follows by exchanging the two."""
    q, law = fmpq(1, 5), known(use).above

    def removed(x):
        inner = 1 + (x.exp() - 1) / q
        return q * one_step(law, inner.log()) if inner > 0 else 1 - x.exp()

    x = ball(at)
    assert one_step(SubsampledLaw(law, q, False), x).overlaps(removed(x))
    assert one_step(SubsampledLaw(law, q, True), x).overlaps(1 - x.exp() + x.exp() * removed(-x))
    assert one_step(SubsampledLaw(law, q, True), x).rad() < 1e-20


@pytest.mark.parametrize("use", SAMPLED, ids=str)
def test_one_step_on_a_sample_of_fixed_size_is_the_worse_of_two_mirror_images(use):
    if use.mechanism.id == "binomial":
        with pytest.raises(ValueError, match="has no loss"):
            fixed_size(SubsampledLaw(known(use).above, fmpq(1, 5), False))
        return
    removing = SubsampledLaw(known(use).above, fmpq(1, 5), False)
    law = fixed_size(removing)

    assert one_step(law, arb("0.1")).overlaps(one_step(removing, arb("0.1")))
    image = 1 - arb("-0.1").exp() + arb("-0.1").exp() * one_step(removing, arb("0.1"))
    assert one_step(law, arb("-0.1")).overlaps(image)


def test_a_sampled_infinite_loss_is_a_large_loss_when_added_and_stays_infinite_when_removed():
    base = known(M["truncated_laplace"](1, 2)).above
    adding, removing = (SubsampledLaw(base, fmpq(1, 10), way) for way in (True, False))

    assert adding.infinite().is_zero()
    assert removing.infinite().overlaps(base.infinite() / 10)
    assert one_step(removing, arb(50)).overlaps(base.infinite() / 10)
    assert (one_step(adding, arb(10) / 100) > 0) and (one_step(adding, arb(11) / 100) == 0)  # -log(0.9) lies between
    of = subsampled(M["truncated_laplace"](1, 2), Fraction(1, 10)) ** 2
    assert epsilon(of, delta=Fraction(1, 1000), direction="remove").lower.is_infinite()
    assert epsilon(of, delta=Fraction(1, 1000), direction="add", digits=3).upper < Fraction(22, 100)


# --- what is only known from above --------------------------------------------------------------------------------


@pytest.mark.parametrize("use", CLAIMED, ids=str)
def test_claims_bound_from_above_and_instances_from_below(use):
    found = delta(use**2, epsilon=Fraction(1, 2), digits=3, time_limit=2)

    assert found.upper_only
    assert use.mechanism.id in found.upper_only
    assert "an upper bound" in str(found)
    assert found.lower < found.upper <= 1


@pytest.mark.parametrize("use", CLAIMED, ids=str)
def test_what_stands_in_dominates_every_instance_in_both_orders(use):
    facts = known(use)
    for law in facts.below:
        for at in (-2, -1, "-0.5", "-0.01", 0, "0.01", "0.3", "0.9", 1, 2):
            assert not one_step(law, arb(at)) > one_step(facts.above, arb(at))
            assert not one_step(law.exchanged(), arb(at)) > one_step(facts.above, arb(at))


@pytest.mark.parametrize("x", [Fraction(1, 1000), Fraction(1, 4), Fraction(1, 2), Fraction(9, 10)])
def test_logistic_noise_dominates_what_is_of_bounded_range(x):
    eta = fmpq(3, 2)
    scale = 1 + ball(x) * (arb(eta).exp() - 1)
    p, q = ball(x) * arb(eta).exp() / scale, ball(x)
    for at in ("-1", "-0.2", "0", "0.3", "1.2"):
        u = arb(at).exp()
        for first, second in ((p, q), (q, p)):
            pair = (first - u * second).nonnegative_part() + (1 - first - u * (1 - second)).nonnegative_part()
            assert not pair > one_step(LogisticLaw(eta), arb(at))


def test_the_pair_of_approximate_dp_is_exactly_as_private_as_it_says():
    law = approximate(sp.Rational(3, 2), sp.Rational(1, 100))

    assert law.symmetric
    assert one_step(law, arb("1.5")).overlaps(arb("0.01"))
    assert one_step(law, arb("1.6")).overlaps(arb("0.01"))
    assert one_step(law, arb("1.4")) > arb("0.0101")


def test_a_lopsided_pair_is_seen_to_be_one():
    lopsided = FiniteLaw((sp.Rational(1, 2), sp.Rational(1, 2)), (sp.Rational(1, 3), sp.Rational(2, 3)))

    assert not lopsided.symmetric
    assert lopsided.exchanged() == FiniteLaw(lopsided.second, lopsided.first)
    assert not one_step(lopsided, arb("0.2")).overlaps(one_step(lopsided.exchanged(), arb("0.2")))


def test_lower_bounds_of_neighbours_with_and_without_a_record_are_for_one_order():
    """That a value is listed without its record never happens: the other order has no infinite loss."""
    steps = composition(subsampled(M["set_union"](1, Fraction(1, 100)), Fraction(1, 2)))
    ((removing, _),) = laws(steps, adding=False, occurring=0)
    ((adding, _),) = laws(steps, adding=True, occurring=0)

    assert removing.infinite().overlaps(arb(1) / 200)
    assert adding.infinite().is_zero()


# --- composition of different mechanisms, corners, refusals ---------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "less"),
    [
        (M["logistic"](2), M["logistic"](1)),
        (M["cauchy"](2), M["cauchy"](1)),
        (M["skellam"](8), M["skellam"](4)),
        (M["binomial"](60), M["binomial"](20)),
        (M["truncated_laplace"](2, 8), M["truncated_laplace"](1, 4)),
        (M["staircase"](1, 0), M["staircase"](1, Fraction(1, 4))),
        (M["tree_aggregation"](3, 3), M["tree_aggregation"](3, 4)),
    ],
    ids=str,
)
def test_more_noise_is_more_private(more, less):
    at = Fraction(1, 5)

    assert delta(more**2, epsilon=at, digits=3).upper < delta(less**2, epsilon=at, digits=3).lower


@pytest.mark.parametrize("use", [NOISES[0], NOISES[4], NOISES[9], NOISES[12], CLAIMED[0], CLAIMED[7]], ids=str)
def test_what_never_runs_costs_nothing(use):
    for of in (use**0, subsampled(use, 0) ** 10):
        assert epsilon(of, delta=0).upper == 0
        assert epsilon(of, delta=Fraction(1, 10**6)).upper == 0
    assert epsilon(use, delta=1).upper == 0
    whole = subsampled(use, 1)
    assert delta(whole, epsilon=Fraction(1, 4)).value == delta(use, epsilon=Fraction(1, 4)).value


def test_at_delta_zero_unbounded_losses_have_no_epsilon_and_bounded_ones_their_largest():
    assert epsilon(M["logistic"](2) ** 3, delta=0).upper == Fraction(3, 2)
    assert epsilon(M["staircase"](2, 0) ** 3, delta=0).upper == 6
    assert abs(float(epsilon(M["cauchy"](1), delta=0).upper) - 2 * float(mpmath.asinh(0.5))) < 1e-9
    for name, parameters in {"skellam": (4,), "binomial": (10,), "truncated_laplace": (1, 5), "gumbel": (1,)}.items():
        assert epsilon(M[name](*parameters) ** 3, delta=0).lower.is_infinite() or name == "gumbel"
        assert epsilon(M[name](*parameters) ** 3, delta=0).upper.is_infinite()


def test_an_infinite_loss_that_is_likelier_than_delta_leaves_no_epsilon():
    of = M["truncated_laplace"](1, 5) ** 10
    lost = 1 - (1 - (mpmath.exp(-4) - mpmath.exp(-5)) / (2 * (1 - mpmath.exp(-5)))) ** 10
    less, more = (Fraction(str(mpmath.nstr(lost * x, 12))) for x in (0.999, 1.001))

    assert epsilon(of, delta=less).lower.is_infinite()
    assert epsilon(of, delta=more, digits=3).upper < 10
    assert between(delta(of, epsilon=100), lost)


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda: M["logistic"](0), "b > 0"),
        (lambda: M["cauchy"](sp.Symbol("b")), "b has no value"),
        (lambda: M["generalised_gaussian"](1, 1), "beta > 1"),
        (lambda: M["truncated_laplace"](1, 1, 2), "Delta <= A"),
        (lambda: M["binomial"](2, 3), "Delta <= N"),
        (lambda: M["binomial"](Fraction(5, 2)), "integer"),
        (lambda: M["skellam"](-1), "mu > 0"),
        (lambda: M["staircase"](1, Fraction(1, 2)), "w < 1/2"),
        (lambda: M["tree_aggregation"](1, 0), "n >= 1"),
        (lambda: M["square_root_factorisation"](1, 10**6), "more than 2000 fractions"),
        (lambda: M["exponential"](-1), "epsilon > 0"),
        (lambda: M["smooth_sensitivity"](3, Fraction(1, 100)), "nothing is claimed"),
        (
            lambda: subsampled(M["rappor"](1), Fraction(1, 2)),
            "rappor.*about one record replaced, a Poisson sample about",
        ),
    ],
)
def test_parameters_outside_their_domain_are_refused_with_the_rule(use, message):
    with pytest.raises((NotAccountable, StatementError), match=message):
        epsilon(use(), delta=Fraction(1, 10))


def test_what_is_known_from_above_only_is_calibrated_from_both_sides_apart_and_has_no_route():
    found = calibrate(M["permute_and_flip"](1) ** sp.Symbol("T"), sp.Symbol("T"), epsilon=2, delta=Fraction(1, 100))
    assert "for enough" in found.method
    assert 2 <= found.enough <= found.upper  # pure composition alone allows two
    with pytest.raises(NotAccountable, match="permute_and_flip"):
        route_bound(M["permute_and_flip"](1), delta=Fraction(1, 100), route="rdp")
    assert not one_sided(composition(M["logistic"](1) ** 3))


@pytest.mark.parametrize(
    "of",
    [
        M["logistic"](sp.Symbol("x")) ** 10,
        M["tree_aggregation"](sp.Symbol("x"), 7) ** 2,
        M["rappor"](sp.Symbol("x")),
        M["skellam"](sp.Symbol("x")),
        M["generalised_gaussian"](sp.Symbol("x"), 3),
    ],
    ids=str,
)
def test_noise_is_calibrated_to_what_is_enough_and_what_is_not(of):
    x, at, d = sp.Symbol("x"), Fraction(1), Fraction(1, 1000)
    found = calibrate(of, x, epsilon=at, delta=d, digits=3)

    def account(value):
        return delta(of.subs({x: sp.Rational(Fraction(value))}), epsilon=at, digits=6)

    short = found.lower if found.safe == "upper" else found.upper
    assert found.lower < found.upper
    assert Fraction(account(found.enough).upper) <= d < Fraction(account(short).lower)


def test_noise_of_ones_own_is_known_by_its_density_and_not_by_its_name():
    own = noise(density="exp(-abs(x)/b)/(2*b)", name="logistic")

    assert known(own(b=3, Delta=1)) == known(M["laplace"](3))


@pytest.mark.parametrize(
    ("of", "at", "d", "verdict"),
    [
        (M["permute_and_flip"](Fraction(1, 2)) ** 3, 1, Fraction(1, 4), Verdict.CITED),
        (M["permute_and_flip"](Fraction(1, 2)) ** 3, Fraction(1, 10), Fraction(1, 1000), Verdict.REFUTED),
        (M["truncated_laplace"](1, 10) ** 3, 3, Fraction(1, 1000), Verdict.CERTIFIED),
        (M["truncated_laplace"](1, 10) ** 3, 100, Fraction(1, 10**7), Verdict.REFUTED),
    ],
)
def test_claims_at_numbers_are_worth_what_their_bounds_rest_on(of, at, d, verdict):
    with timed(20.0):
        decision = by_numbers.decided(of, approx(at, d), ())

    assert decision.verdict is verdict
    assert decision.rests_on == (("permute_and_flip_pure",) if verdict is Verdict.CITED else ())


def test_rows_of_a_sweep_say_what_is_an_upper_bound():
    (row,) = sweep(M["sparse_vector"](sp.Symbol("x")) ** 2, {"x": [Fraction(1)]}, given={"delta": Fraction(1, 100)})

    assert row.method.startswith("an upper bound by ")


def test_what_is_gaussian_in_disguise_is_gaussian():
    assert known(M["tree_aggregation"](2, 7)).above == GaussianLaw(fmpq(3, 4))
    assert known(M["tree_aggregation"](2, 8)).above == GaussianLaw(fmpq(1))
    assert known(M["square_root_factorisation"](1, 2)).above == GaussianLaw(fmpq(5, 4))
    assert known(M["generalised_gaussian"](3, 2)).above == GaussianLaw(fmpq(2, 9))
    assert known(M["k_norm"](2)).below == (LaplaceLaw(fmpq(1, 2)),)
    assert known(M["permute_and_flip"](1)).above == known(M["randomized_response"](1)).above


def test_every_mechanism_of_the_catalogue_is_accounted_for():
    half = {"epsilon": Fraction(1, 2), "delta": Fraction(1, 100), "w": Fraction(1, 4), "A": 9, "N": 9, "n": 4, "m": 4}
    half |= {"c": Fraction(1, 4), "eta": Fraction(1, 2), "p": Fraction(1, 2)}
    for name, entry in M.items():
        use = entry(**{str(p): half.get(str(p), 2) for p in entry.params if str(p) != "Delta"})
        assert known(use).above is not None, name


def test_few_infinite_losses_leave_the_largest_finite_ones():
    twice = M["truncated_laplace"](1, 100) ** 2
    assert epsilon(twice, delta=Fraction(1, 10**29), digits=4, time_limit=2).upper <= 2
    assert epsilon(twice, delta=Fraction(1, 10**60), digits=4, time_limit=2).lower > 10**9
