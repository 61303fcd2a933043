"""What every mechanism of the catalogue owes: each claim is what its output distributions say."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator
from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import erfinv, exp, log, mp, mpf, sqrt

from dpsym import catalogue
from dpsym.core.notation import a, alpha, epsilon, x
from dpsym.core.verdicts import Verdict
from dpsym.deciding import decide
from dpsym.divergences import NoClosedForm, affinity, symmetric
from dpsym.divergences.claims import check_claim, derive_claim
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.fdp import fdp
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.numbers import enclose
from dpsym.statements import Claim, Definition, Mechanism, StatementError
from oracle import quadrature
from oracle.beyond import BEYOND
from oracle.mutants import mistakes

MECHANISMS = catalogue.mechanisms()
WITH_OUTPUTS = [m for m in MECHANISMS.values() if m.outputs is not None]  # the others: tests/laws/test_selection.py
# whose claims are those of another mechanism: tests/laws/test_selection.py
LENGTHY = {
    "banded_factorisation", "noisy_contraction", "noisy_iteration", "noisy_sgd_last_iterate",
    "square_root_factorisation", "tree_aggregation",
}  # fmt: skip
LONGER = {"rappor-fdp", "rappor-approx", "rappor-gdp", "optimized_unary_encoding-fdp"}
CLAIMS = [(m, c) for m in WITH_OUTPUTS if m.id not in LENGTHY for c in m.claims]
NAMES = [f"{m.id}-{c.guarantee.definition.id}" for m, c in CLAIMS]
DERIVED = [pure, rdp, zcdp, gdp, approx, fdp]
PROVED = (Verdict.PROVED, Verdict.CERTIFIED)

ASYMMETRIC = {"gumbel"}
READ = [m for m in WITH_OUTPUTS if m.id not in BEYOND]
WITHIN = [(m, c) for m, c in CLAIMS if {m.id, f"{m.id}-{c.guarantee.definition.id}"}.isdisjoint(BEYOND)]

_MOST_MISTAKES = 10  # for each claim
_ALL_REFUTED = (
    40  # of each claim, evenly spread, where those are taken from; among the others are some that change nothing
)
each_claim = pytest.mark.parametrize(
    ("mechanism", "claim"),
    [
        pytest.param(*claim, id=name, marks=[pytest.mark.slow] if name in LONGER else [])
        for name, claim in zip(NAMES, CLAIMS, strict=True)
    ],
)
each_within = pytest.mark.parametrize(
    ("mechanism", "claim"), WITHIN, ids=[f"{m.id}-{c.guarantee.definition.id}" for m, c in WITHIN]
)
each_mechanism = pytest.mark.parametrize("mechanism", READ, ids=lambda m: m.id)

positive = st.fractions(Fraction(1, 4), 4, max_denominator=20)
PARAMETERS = {
    "gaussian": st.fixed_dictionaries({"sigma": positive, "Delta": positive}),
    "laplace": st.fixed_dictionaries({"b": positive, "Delta": positive}),
    "geometric": st.fixed_dictionaries({"b": positive, "Delta": st.integers(1, 7)}),
    "randomized_response": st.fixed_dictionaries({"epsilon": positive, "m": st.integers(2, 9)}),
}


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    with mp.workdps(25):
        yield


def claimed(mechanism: Mechanism, definition: Definition, values: dict[str, Fraction], **index: Fraction) -> mpf:
    """The claim at a point, as a number good to 18 digits."""
    claim = next(c for c in mechanism.claims if c.guarantee.definition is definition)
    value = claim.guarantee.args[-1]
    value = value.expr if isinstance(value, sp.Lambda) else value
    table = {str(s): s for s in value.free_symbols}
    point = {table[name]: v for name, v in (values | index).items() if name in table}
    found = enclose(value, point, digits=18)
    return (mpf(str(found.lower)) + mpf(str(found.upper))) / 2


def close(found: mpf, expected: mpf) -> bool:
    return abs(found - expected) <= mpf(10) ** -15 * (1 + abs(expected))


@each_claim
def test_a_claim_is_what_the_output_distributions_say(mechanism: Mechanism, claim: Claim) -> None:
    within = (mechanism, claim) in WITHIN
    decision = check_claim(mechanism, claim, time_limit=100.0 if within else 0.2)

    assert decision.verdict is not Verdict.REFUTED, decision
    if within:
        assert decision.verdict in PROVED, decision


@each_mechanism
def test_both_distributions_have_mass_one(mechanism: Mechanism) -> None:
    if mechanism.id == "cauchy":  # of a distribution and itself the engine says nothing; test_noises.py integrates it
        return
    for outputs in mechanism.outputs:
        assert affinity(alpha, outputs, outputs, mechanism.domain).expression == 1


@each_mechanism
def test_neighbours_can_be_exchanged(mechanism: Mechanism) -> None:
    assert symmetric(*mechanism.outputs, mechanism.domain) == (mechanism.id not in ASYMMETRIC)


@each_mechanism
@pytest.mark.parametrize("definition", DERIVED, ids=lambda d: d.id)
def test_what_is_derived_is_what_is_claimed(mechanism: Mechanism, definition: Definition) -> None:
    claims = [c for c in mechanism.claims if c.guarantee.definition is definition]
    if f"{mechanism.id}-{definition.id}" in BEYOND:
        return
    try:
        derived = derive_claim(mechanism, definition)
    except NoClosedForm:  # nothing is claimed that the engine does not know
        assert not claims
        return

    assert bool(claims) == (derived.expression != sp.oo), f"add or drop a claim: outputs have {derived.expression}"
    assert (definition in mechanism.infinite) == (derived.expression == sp.oo)
    for claim in claims:
        for condition in set(derived.conditions) - set(claim.assume):
            assert decide(condition, assume=(*mechanism.domain, *claim.assume)).verdict in PROVED, condition


@pytest.mark.cases(1)
@pytest.mark.parametrize("mechanism", ["gaussian", "laplace"])
@given(st.data())
@settings(max_examples=6, deadline=None)
def test_claims_about_densities_agree_with_quadrature(mechanism: str, data: st.DataObject) -> None:
    entry, v = MECHANISMS[mechanism], data.draw(PARAMETERS[mechanism])
    order = data.draw(st.fractions(Fraction(11, 10), 6, max_denominator=10))
    level = data.draw(st.fractions(0, 2, max_denominator=10))
    pair = getattr(quadrature, mechanism)(v)
    shift, e = pair.shift, quadrature.exact(level)
    crossing = shift / 2 + e * (
        quadrature.exact(v["sigma"]) ** 2 / shift if mechanism == "gaussian" else quadrature.exact(v["b"]) / 2
    )

    assert close(pair.integral(lambda p, q: p), mpf(1))
    assert close(claimed(entry, rdp, v, alpha=order), pair.renyi(quadrature.exact(order)))
    assert close(claimed(entry, approx, v, epsilon=level), pair.hockey_stick(e, crossing))
    if mechanism == "laplace":
        assert close(claimed(entry, zcdp, v), pair.kullback_leibler())
        assert close(claimed(entry, pure, v), log(pair.noise(mpf(0)) / pair.noise(shift)))
    threshold = quadrature.exact(data.draw(st.fractions(-2, 5, max_denominator=10)))
    type_one, type_two = pair.errors(threshold)
    near = Fraction(int(type_one * 10**30), 10**30)
    assert close(claimed(entry, fdp, v, a=near), type_two)


@pytest.mark.parametrize("mechanism", ["geometric", "randomized_response"])
@given(st.data())
@settings(max_examples=15, deadline=None)
def test_claims_about_masses_agree_with_sums(mechanism: str, data: st.DataObject) -> None:
    entry, v = MECHANISMS[mechanism], data.draw(PARAMETERS[mechanism])
    order = data.draw(st.fractions(Fraction(11, 10), 6, max_denominator=10))
    level = data.draw(st.fractions(0, 8, max_denominator=10))
    error = data.draw(st.fractions(Fraction(1, 1000), 1, max_denominator=1000))
    outcomes = getattr(quadrature, mechanism)(v)

    assert close(outcomes.mass(), mpf(1))
    assert close(claimed(entry, pure, v), outcomes.max_divergence())
    assert close(claimed(entry, rdp, v, alpha=order), outcomes.renyi(quadrature.exact(order)))
    assert close(claimed(entry, zcdp, v), outcomes.kullback_leibler())
    index = {"x" if mechanism == "randomized_response" else "epsilon": level}
    assert close(claimed(entry, approx, v, **index), outcomes.hockey_stick(quadrature.exact(level)))
    assert close(claimed(entry, fdp, v, a=error), outcomes.type_two(quadrature.exact(error)))


def _quantile(p: mpf) -> mpf:
    return sqrt(2) * erfinv(2 * p - 1)


@pytest.mark.cases(1)
@pytest.mark.parametrize("mechanism", ["laplace", "geometric", "randomized_response"])
@given(st.data())
@settings(max_examples=3, deadline=None)
def test_the_gdp_claim_is_the_largest_mu_that_any_error_needs(mechanism: str, data: st.DataObject) -> None:
    entry, v = MECHANISMS[mechanism], data.draw(PARAMETERS[mechanism])
    if mechanism == "laplace":  # type-II errors from the literature's formula, rewritten over thresholds
        t = quadrature.exact(v["Delta"]) / quadrature.exact(v["b"])
        points = [(exp(-u) / 2, exp(u - t) / 2) for u in mp.linspace(0, t, 101)]
    else:
        weights = sorted(getattr(quadrature, mechanism)(v).weights, key=lambda w: w[1] / w[0])
        points = list(itertools.accumulate(weights, lambda s, w: (s[0] + w[1], s[1] - w[0]), initial=(mpf(0), mpf(1))))
        points = [s for s in points if min(s) > mpf(10) ** -12]
    needed = [-_quantile(first) - _quantile(second) for first, second in points]

    assert abs(claimed(entry, gdp, v) - max(needed)) < mpf(10) ** -11


@pytest.mark.parametrize("mechanism", ["laplace", "geometric", "randomized_response"])
@given(st.data())
@settings(max_examples=10, deadline=None)
def test_no_order_needs_more_than_the_zcdp_claim(mechanism: str, data: st.DataObject) -> None:
    entry, v = MECHANISMS[mechanism], data.draw(PARAMETERS[mechanism])
    if mechanism == "randomized_response":
        v["m"] = min(v["m"], 2 + int(2 * exp(quadrature.exact(v["epsilon"]) / 2)))
    budget = claimed(entry, zcdp, v)
    ratios = [
        claimed(entry, rdp, v, alpha=order) / quadrature.exact(order)
        for order in (1 + Fraction(1, 10**9), Fraction(3, 2), Fraction(2), Fraction(5), Fraction(40), Fraction(10**4))
    ]

    assert all(ratio <= budget for ratio in ratios)
    assert ratios[0] > budget * (1 - mpf(10) ** -7)


def test_with_many_answers_the_zcdp_claim_needs_its_condition() -> None:
    entry, v = MECHANISMS["randomized_response"], {"epsilon": Fraction(1), "m": 1000}

    assert claimed(entry, rdp, v, alpha=Fraction(9)) / 9 > claimed(entry, zcdp, v)


@given(positive, positive, st.fractions(0, 9, max_denominator=20))
@settings(max_examples=8, deadline=None)
def test_one_laplace_number_dominates_two(s: Fraction, t: Fraction, level: Fraction) -> None:
    """Lemma 3: the profile of two shifted coordinates, by conditioning on the second."""
    first, second, e = (quadrature.exact(value) for value in (max(s, t), min(s, t), level))

    def profile(shift: mpf, at: mpf) -> mpf:
        if abs(at) <= shift:
            return 1 - exp((at - shift) / 2)
        return mpf(0) if at > 0 else 1 - exp(at)

    kinks = sorted({min(max(kink, -second), second) for kink in (-second, e - first, e + first, second)})
    between = mp.quad(lambda loss: exp((loss - second) / 2) / 4 * profile(first, e - loss), kinks)
    two = (profile(first, e - second) + exp(-second) * profile(first, e + second)) / 2 + between

    assert two <= profile(first + second, e) + mpf(10) ** -20
    x_ = exp((e - first - second) / 2)
    if first - second <= e <= first + second:
        assert close(two, 1 - x_ - (first + second - e) * x_ / 4)
    elif e < first - second:
        assert close(two, 1 - x_ - second * x_ / 2)


@pytest.mark.slow
@given(positive, st.integers(1, 5), st.integers(1, 5), st.fractions(0, 12, max_denominator=10))
@settings(max_examples=8, deadline=None)
def test_one_geometric_number_dominates_two(scale: Fraction, s: int, t: int, level: Fraction) -> None:
    """Lemma 3, by the sum over both coordinates."""
    with mp.workdps(15):
        one, other, both = (quadrature.geometric({"b": scale, "Delta": Fraction(d)}) for d in (s, t, s + t))
        e = quadrature.exact(level)
        likely = [[w for w in pair.weights if w[0] > mpf(10) ** -9] for pair in (one, other)]
        two = sum(max(p * u - exp(e) * q * v, mpf(0)) for p, q in likely[0] for u, v in likely[1])

        assert two <= both.hockey_stick(e) + mpf(10) ** -12


PUBLISHED = [  # from the tests of google/differential-privacy (dp_accounting), rounded to the digits printed
    ("gaussian", approx, {"sigma": 1, "Delta": 2, "epsilon": 1}, "0.50986166", 6e-8),
    ("gaussian", approx, {"sigma": 1, "Delta": 2, "epsilon": 2}, "0.331897999", 6e-8),
    ("laplace", approx, {"b": 2, "Delta": 4, "epsilon": Fraction(1, 2)}, "0.52763345", 6e-9),
    ("laplace", approx, {"b": 2, "Delta": 4, "epsilon": 1}, "0.3934693403", 6e-11),
    ("laplace", approx, {"b": 2, "Delta": 4, "epsilon": 0}, "0.6321205588", 6e-11),
    ("geometric", approx, {"b": 1, "Delta": 1, "epsilon": 1}, "0", 6e-9),
    ("geometric", approx, {"b": 2, "Delta": 4, "epsilon": Fraction(1, 2)}, "0.54202002", 6e-9),
    ("geometric", approx, {"b": 2, "Delta": 4, "epsilon": 1}, "0.39346934", 6e-9),
    ("geometric", approx, {"b": 2, "Delta": 4, "epsilon": 0}, "0.63212056", 6e-9),
]


@pytest.mark.parametrize(("mechanism", "definition", "values", "printed", "within"), PUBLISHED)
def test_published_values(mechanism: str, definition: Definition, values: dict, printed: str, within: float) -> None:
    assert abs(claimed(MECHANISMS[mechanism], definition, values) - mpf(printed)) <= within


@pytest.mark.parametrize(
    ("p", "answers", "order", "printed"),
    [
        ("0.3", 10, "3/2", "2.6946320226546314"),
        ("0.3", 10, "100", "3.1886682560677593"),
        ("0.05", 20, "5", "5.930633082131939"),
        ("0.01", 3, "5/2", "5.692634596034571"),
    ],
)
def test_published_values_of_randomized_response(p: str, answers: int, order: str, printed: str) -> None:
    """With probability p the answer is uniform; from the same library's tests."""
    entry = MECHANISMS["randomized_response"]
    lie = Fraction(p) / answers
    ratio = (1 - Fraction(p) + lie) / lie
    claim = next(c for c in entry.claims if c.guarantee.definition is rdp).guarantee.args[-1]
    m = next(s for s in entry.params if str(s) == "m")
    value = enclose(claim.subs({epsilon: sp.log(sp.Rational(ratio))}), {m: answers, alpha: Fraction(order)}, digits=18)

    assert abs(mpf(str(value.upper)) - mpf(printed)) < mpf(10) ** -13


def wrong_claims(claim: Claim) -> Iterator[tuple[str, Claim]]:
    """The claim with one mistake in its formula; the cases of a formula take their turn."""
    guarantee = claim.guarantee
    value = guarantee.args[-1]
    for what, mistaken in _mistakes(value.expr if isinstance(value, sp.Lambda) else value):
        try:
            wrong = dataclasses.replace(guarantee, args=(*guarantee.args[:-1], mistaken))
        except StatementError:
            continue
        if wrong != guarantee:
            yield what, dataclasses.replace(claim, guarantee=wrong)


def _mistakes(value: sp.Expr) -> Iterator[tuple[str, sp.Expr]]:
    if isinstance(value, sp.Piecewise):
        for i, (case, condition) in enumerate(value.args):
            for what, mistaken in mistakes(case):
                cases = (*value.args[:i], (mistaken, condition), *value.args[i + 1 :])
                yield f"case {i}: {what}", sp.Piecewise(*cases)
    else:
        yield from mistakes(value)


@pytest.mark.cases(1)
@each_within
def test_mistaken_claims_are_refuted(mechanism: Mechanism, claim: Claim) -> None:
    """As many as leave the suite its time, from all over the formula; `benchmarks/formulas.py` takes all of them."""
    wrong = list(wrong_claims(claim))
    wrong = wrong[:: -(-len(wrong) // _ALL_REFUTED)]  # not cos(4*v) for cos(2*v) below an integral over both periods
    for what, mistaken in wrong[:: -(-len(wrong) // _MOST_MISTAKES)]:
        decision = check_claim(mechanism, mistaken)

        assert decision.verdict is Verdict.REFUTED, (what, str(mistaken.guarantee), str(decision))
        assert decision.witness is not None


@pytest.mark.slow
@each_within
def test_a_claim_that_is_not_called_tight_is_only_a_bound(mechanism: Mechanism, claim: Claim) -> None:
    guarantee = claim.guarantee
    value = guarantee.args[-1]
    if guarantee.definition in (pure, zcdp, gdp, rdp):
        looser, stricter = value * sp.Rational(11, 10), value * sp.Rational(9, 10)
    elif guarantee.definition is approx:
        looser, stricter = value + sp.Rational(1, 100), value - sp.Rational(1, 100)
    else:
        looser, stricter = value.expr * sp.Rational(9, 10), value.expr * sp.Rational(11, 10)
    loose, strict = (
        dataclasses.replace(
            claim, tight=False, guarantee=dataclasses.replace(guarantee, args=(*guarantee.args[:-1], v))
        )
        for v in (looser, stricter)
    )

    assert check_claim(mechanism, loose, time_limit=1.0).verdict is not Verdict.REFUTED
    assert check_claim(mechanism, strict).verdict is Verdict.REFUTED
    assert check_claim(mechanism, dataclasses.replace(loose, tight=True)).verdict is Verdict.REFUTED


def test_the_profile_argument_of_randomized_response_is_not_its_parameter() -> None:
    response = MECHANISMS["randomized_response"]

    assert derive_claim(response, approx).expression.free_symbols >= {x, epsilon}
    assert a in derive_claim(response, fdp).expression.free_symbols
