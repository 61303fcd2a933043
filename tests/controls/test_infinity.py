"""Claims of a finite budget where none is true, and the nearest true ones; the infinity itself by mpmath."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp
from mpmath import exp, inf, log, mp, mpf, quad

from dpsym import catalogue, noise
from dpsym.checking import check_document
from dpsym.core.distributions import Density, Finite
from dpsym.core.notation import Delta, Phi, alpha, b, beta, k, omega, q, rho, x
from dpsym.core.relations import Relation
from dpsym.core.verdicts import Verdict
from dpsym.deriving import DerivationError, derive
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.bounded_range import bounded_range
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.offset_zcdp import offset_zcdp
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.tcdp import tcdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.language import read_document
from dpsym.numbers import compare
from dpsym.satisfying import by_infinity, claimed_domain, satisfies
from dpsym.statements import Adjacency, Guarantee, Mechanism, Subsampled

MECHANISMS = catalogue.mechanisms()
AT = {
    "sigma": 2, "b": 2, "beta": sp.Rational(3, 2), "N": 20, "A": 5, "mu": 3, "n": 5, "epsilon": 1,
    "delta": sp.Rational(1, 100), "Delta": 1, "w": sp.Rational(1, 5), "m": 4, "k": 2, "epsilon_1": 1, "epsilon_2": 1,
    "c": sp.Rational(1, 3), "t": 4, "eta": 1, "L": 1, "p": sp.Rational(2, 3), "sigma_1": 2, "sigma_2": 3,
}  # fmt: skip
USES = {m.id: m(**{p.name: AT[p.name] for p in m.params}) for m in MECHANISMS.values()}
laplace, gumbel, gaussian = USES["laplace"], MECHANISMS["gumbel"], USES["gaussian"]
generalised, smooth = MECHANISMS["generalised_gaussian"], MECHANISMS["smooth_sensitivity"]
HUGE = 10**6
CLAIMS = {
    pure: pure(HUGE), bounded_range: bounded_range(HUGE), rdp: rdp(sp.Rational(101, 100), HUGE), gdp: gdp(HUGE),
    tcdp: tcdp(HUGE, sp.Rational(101, 100)), zcdp: zcdp(HUGE), offset_zcdp: offset_zcdp(HUGE, HUGE),
}  # fmt: skip
FALSE = [pytest.param(m, CLAIMS[d], id=f"{m.id}-{d.id}") for m in MECHANISMS.values() for d in m.infinite]


def verdict(source: object, claim: Guarantee, *assume: Relation, time_limit: float = 0.3) -> Verdict:
    return satisfies(source, claim, assume=assume, time_limit=time_limit).verdict


@pytest.mark.parametrize(("mechanism", "claim"), FALSE)
def test_no_budget_is_finite(mechanism: Mechanism, claim: Guarantee) -> None:
    use = USES[mechanism.id]
    sources = [use, use**3, laplace**2 * use, use**k]
    if mechanism.adjacency is not Adjacency.REPLACE:  # samples are of data sets to which a record is added
        sources += [Subsampled(use, sp.Rational(1, 1000)), Subsampled(laplace * use, q) ** 2 * laplace]

    for source in sources:
        found = satisfies(source, claim)
        assert found.verdict is Verdict.REFUTED
        assert found.witness is not None
        assert {s.name for s in source.free_symbols} <= set(found.witness.point)


@pytest.mark.parametrize("mechanism", [m for m in MECHANISMS.values() if m.infinite], ids=lambda m: m.id)
def test_a_budget_that_is_claimed_of_it_is_not_refuted(mechanism: Mechanism) -> None:
    for claim in mechanism.claims:
        own = claim.guarantee.subs({p: sp.sympify(AT[p.name]) for p in mechanism.params})
        assert by_infinity.decided(USES[mechanism.id], own, claim.assume) is None


# --- which orders

ORDER = 1 / (1 - sp.exp(-sp.Rational(1, 2)))  # of the Gumbel mechanism with b = 2, about 2.54
BELOW, ABOVE = sp.Rational(254, 100), sp.Rational(255, 100)
AT_TWO = gumbel(b=1 / sp.log(2))  # infinite from the order 2 on


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        (USES["gumbel"], rdp(ABOVE, HUGE)), (USES["gumbel"] ** 2, tcdp(HUGE, ABOVE)),
        (AT_TWO, rdp(2, HUGE)), (AT_TWO, tcdp(HUGE, 2)), (gumbel(b=b), rdp(alpha, HUGE)),
        (gumbel(b=b), tcdp(rho, omega)), (gumbel(b=b) ** k, zcdp(rho)),
        (Subsampled(AT_TWO, q), rdp(3, HUGE)), (smooth(epsilon=1, delta=sp.Rational(1, 100)), rdp(12, HUGE)),
        (generalised(b=1, beta=3), zcdp(HUGE)), (generalised(b=1, beta=3), gdp(HUGE)),
        (generalised(b=1, beta=beta), zcdp(HUGE)), (gaussian, approx(HUGE, 0)), (gaussian**k, approx(HUGE, 0)),
    ],
    ids=lambda x: str(x)[:60],
)  # fmt: skip
def test_where_it_is_infinite(source: object, claim: Guarantee) -> None:
    found = satisfies(source, claim)

    assert found.verdict is Verdict.REFUTED
    point = {sp.Symbol(name): sp.Rational(v.numerator, v.denominator) for name, v in found.witness.point.items()}
    for condition in claimed_domain(source, claim):
        if isinstance(condition, Relation):
            assert compare(condition.subs(point)).holds is True


@pytest.mark.parametrize(
    ("source", "claim", "assume"),
    [
        (USES["gumbel"], rdp(BELOW, 20), ()), (USES["gumbel"], tcdp(20, 2), ()),
        (AT_TWO, rdp(sp.Rational(199, 100), 20), ()), (USES["gumbel"] ** 2, rdp(2, 40), ()),
        (gumbel(b=b), rdp(alpha, HUGE), (Relation(alpha, "<=", sp.Integer(2)), Relation(b, ">=", sp.Integer(10)))),
        (smooth(epsilon=1, delta=sp.Rational(1, 100)), rdp(11, HUGE), ()),
        (generalised(b=1, beta=2), zcdp(1), ()), (generalised(b=1, beta=3), rdp(2, HUGE), ()),
        (generalised(b=1, beta=beta), gdp(2), (Relation(beta, "<=", sp.Integer(2)),)),
        (gaussian, zcdp(sp.Rational(1, 8)), ()), (gaussian**k, rdp(alpha, k * alpha / 8), ()),
        (USES["discrete_gaussian"], zcdp(sp.Rational(1, 8)), ()), (USES["skellam"], rdp(2, 2), ()),
        (USES["skellam"], zcdp(HUGE), ()), (laplace, pure(sp.Rational(1, 2)), ()), (laplace**k, pure(k), ()),
        (USES["cauchy"], zcdp(1), ()), (USES["truncated_laplace"], approx(1, sp.Rational(1, 10)), ()),
        (USES["binomial"], approx(1, sp.Rational(1, 10)), ()), (USES["propose_test_release"], approx(1, 1), ()),
        (laplace, approx(1, 0), ()), (gaussian, approx(1, sp.Rational(1, 2)), ()),
        (USES["gumbel"] ** 0, zcdp(1), ()), (USES["gumbel"] ** 0 * laplace, zcdp(1), ()),
        (Subsampled(USES["binomial"], sp.S.Zero), zcdp(1), ()), (Subsampled(gaussian, sp.S.Zero) ** 3, pure(1), ()),
        (Subsampled(USES["gumbel"], q), zcdp(1), (Relation(q, "<=", sp.S.Zero),)),
    ],
    ids=lambda x: str(x)[:60],
)  # fmt: skip
def test_what_is_true_or_not_known_is_never_refuted(source: object, claim: Guarantee, assume: tuple) -> None:
    assert verdict(source, claim, *assume) is not Verdict.REFUTED


def test_what_is_claimed_must_be_a_number_there() -> None:
    (own,) = (c.guarantee for c in gumbel.claims if c.guarantee.definition is rdp)
    claim = own.subs({Delta: sp.S.One})  # its logarithm has no value at the orders where the divergence is infinite
    source = gumbel(b=b)

    assert by_infinity.decided(source, claim, claimed_domain(source, claim)) is None


@pytest.mark.slow
def test_noise_of_ones_own_is_infinite_too() -> None:
    one_sided = noise(density="exp(-x)", support="x >= 0")
    steeper = noise(density="exp(-x-exp(-x))", shift="1")

    assert verdict(one_sided(Delta=1) ** 2 * laplace, rdp(2, HUGE), time_limit=20) is Verdict.REFUTED
    assert verdict(steeper() ** 3, zcdp(HUGE), time_limit=20) is Verdict.REFUTED
    assert verdict(steeper() ** 3, rdp(sp.Rational(3, 2), 20)) is not Verdict.REFUTED
    assert verdict(noise(density="exp(-abs(x))/2")(Delta=1) ** 3, pure(3)) is not Verdict.REFUTED


def test_a_reason_that_is_given_for_a_notion_counts_everywhere() -> None:
    own = replace(MECHANISMS["laplace"], id="own", claims=(), infinite={bounded_range: "as it is said"})

    assert verdict(own(b=1) ** k, bounded_range(HUGE), time_limit=20) is Verdict.REFUTED
    assert verdict(own(b=1), pure(1)) is not Verdict.REFUTED


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("claim", "false"),
    [
        ("D(4/3, P, Q) <= 10^6", True), ("D(alpha, P, Q) <= 10^6*alpha", True), ("D(2, P, Q) = 5", True),
        ("10^6 > D(2, P, Q)", True), ("D(oo, P, Q) <= 10^6", True), ("D(2, P, R) <= 10^6", True),
        ("D(5/4, P, Q) <= 3", False), ("D(2, Q, P) <= 3", False), ("D(4/3, P, Q) >= 10^6", False),
        ("10^6 <= D(2, P, Q)", False), ("D(2, R, Q) <= 10", False), ("D(1/2, P, R) <= 10", False),
    ],
)  # fmt: skip
def test_a_finite_bound_of_an_infinite_divergence_is_refuted_in_documents(claim: str, false: bool) -> None:
    known = "let alpha > 1\nlet P: Normal(0, 4)\nlet Q: Normal(0, 1)\nlet R: Uniform(0, 1)\n"

    document = read_document(f"{known}{claim}\n", kind="plain")
    (step,) = check_document(document, time_limit=20 if false else 1.5, jobs=1).steps
    assert (step.decision.verdict is Verdict.REFUTED) is false


@pytest.mark.parametrize("source", [USES["gumbel"], Subsampled(USES["binomial"], q) ** k], ids=str)
def test_a_derivation_says_that_there_is_nothing_finite(source: object) -> None:
    with pytest.raises(DerivationError, match="no budget is finite"):
        derive(source, zcdp)


def test_a_derivation_does_not_say_so_where_a_theorem_is_missing() -> None:
    with pytest.raises(DerivationError) as refused:
        derive(USES["skellam"], gdp)
    assert "finite" not in str(refused.value)


# --- the infinity itself, without dpsym's rules


def pairs(mechanism: Mechanism, far: int) -> list[tuple[object, object]]:
    """The outputs at the parameters, in both orders, as they are written in the entry; of many, those at x = far."""
    written = [mechanism.outputs] if mechanism.outputs else [i.outputs for i in mechanism.instances]
    both = [tuple(o.subs(USES[mechanism.id].args) for o in pair) for pair in written]
    both = [tuple(o.subs({x: sp.Integer(far)}) if isinstance(o, Finite) else o for o in pair) for pair in both]
    return [*both, *(pair[::-1] for pair in both)]


def masses(output: object, reach: int) -> dict[int, mpf]:
    """The probabilities, or the density or the masses at whole numbers, where these are not 0."""
    if isinstance(output, Finite):
        written = [p.replace(Phi, lambda t: sp.erfc(-t / sp.sqrt(2)) / 2) for p in output.probabilities]
        return {i: mpf(str(p.evalf(20))) for i, p in enumerate(written) if p != 0}
    sums = dict.fromkeys(output.expression.atoms(sp.Sum), sp.S.One)  # a total, alike for the neighbours
    f = sp.lambdify(output.variable, output.expression.xreplace(sums), "mpmath")
    ends = (output.support.start, output.support.end) if isinstance(output, Density) else (output.lower, output.upper)
    low, high = max(ends[0], -reach), min(ends[1], reach)
    return {i: f(mpf(i)) for i in range(int(low), int(high) + 1)}


@pytest.mark.parametrize("mechanism", [m for m in MECHANISMS.values() if m.infinite], ids=lambda m: m.id)
def test_the_outputs_are_infinitely_far_apart(mechanism: Mechanism) -> None:
    """With an output that the neighbour cannot give, or with losses beyond any bound."""
    largest = {}
    with mp.workdps(17):
        for reach in (8, 16):
            found = ((masses(p, reach), masses(other, reach + 2)) for p, other in pairs(mechanism, reach))
            losses = (log(p / other[i]) if i in other else inf for first, other in found for i, p in first.items())
            largest[reach] = max(losses)
    if mechanism.infinite.order == 1:
        assert largest[8] == inf
    else:
        assert largest[8] + 0.3 < largest[16] < inf


def moment(order: mpf, ends: tuple[float, float], sampled: float = 1) -> mpf:
    """Of the Gumbel mechanism with b = 2, Delta = 1: the smaller answer against the larger, over a part of the line."""

    def density(y: mpf) -> mpf:
        return exp(-y / 2 - exp(-y / 2)) / 2

    def integrand(y: mpf) -> mpf:
        p, other = density(y), density(y - 1)
        return (sampled * p + (1 - sampled) * other) ** order * other ** (1 - order)

    return quad(integrand, [ends[0], (ends[0] + ends[1]) / 2, ends[1]])


@pytest.mark.cases(1)
@pytest.mark.parametrize("sampled", [1, 0.1])
def test_gumbel_moments_grow_without_bound_from_the_order_on(sampled: float) -> None:
    order = 1 / (1 - exp(mpf(-1) / 2))
    for above in (order, order + mpf("0.02")):
        pieces = [moment(above, (-y - 2, -y), sampled) for y in (2, 6, 10)]
        assert pieces[2] > pieces[1] > pieces[0] > 0.001 * sampled**3
    below = [moment(order - mpf("0.05"), (-y - 2, -y), sampled) for y in (8, 10, 12)]
    assert below[2] < below[1] / 100


def test_laplace_moments_of_two_scales_grow_without_bound_from_the_order_on() -> None:
    (instance,) = smooth.instances
    use = USES["smooth_sensitivity"]
    order = mpf(str(sp.N(smooth.infinite.subs(use.args).order, 30)))
    large, small = (sp.lambdify(o.variable, o.subs(use.args).expression, "mpmath") for o in instance.outputs)

    def piece(alpha: mpf, y: float) -> mpf:
        return quad(lambda x: large(x) ** alpha * small(x) ** (1 - alpha), [y, y + 1])

    assert piece(order, 1000) == pytest.approx(piece(order, 10))
    assert piece(order + 1, 1000) > 10**5 * piece(order + 1, 10)
    assert piece(order - 1, 1000) < piece(order - 1, 10) / 10**5


@pytest.mark.parametrize(("shape", "grows"), [(3, True), (2, False), (1.5, False)])
def test_the_rate_of_generalised_gaussian_noise_is_unbounded_above_shape_two(shape: float, grows: bool) -> None:
    def rate(order: int) -> mpf:
        top = order if shape > 2 else 3 * order  # where the integrand is largest, at most

        def exponent(y: mpf) -> mpf:
            return (order - 1) * abs(y) ** shape - order * abs(y - 1) ** shape

        with mp.workdps(30):
            places = [mpf(top) * i / 400 for i in range(800)]
            best = max(map(exponent, places))  # the integral is at least that of the part around it
            return best / ((order - 1) * order)

    assert (rate(400) > 2.5 * rate(100)) is grows


def test_normals_of_unequal_scale_from_the_order_on() -> None:
    def piece(order: float, y: float) -> mpf:
        return quad(lambda x: exp(-order * x**2 / 8 - (1 - order) * x**2 / 2), [y, y + 1])

    assert piece(4 / 3, 20) == pytest.approx(piece(4 / 3, 2))
    assert piece(1.5, 20) > 100 * piece(1.5, 2)
    assert piece(1.25, 20) < piece(1.25, 2) / 100
