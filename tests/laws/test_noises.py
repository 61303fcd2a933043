"""Every claim about additive noise against an integral or a sum of its density, at random parameters."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
import sympy as sp
from mpmath import inf, log, mp, mpf

import mechanisms_page
from dpsym import catalogue
from dpsym.core import notation
from dpsym.core.distributions import Density, Finite, Pmf
from dpsym.core.relations import IsInteger
from dpsym.numbers import NotEnclosed, NotNumeric, Undefined, compare, enclose
from dpsym.statements import Claim, Mechanism, Norm, StatementError
from oracle import entries, noises
from oracle.beyond import BEYOND
from oracle.entries import parameters
from oracle.mutants import mistakes
from oracle.noises import NOISES, Line, Pair, Points
from oracle.quadrature import exact

# compositions, and iterates, with laws of their own
ELSEWHERE = {
    "banded_factorisation", "noisy_contraction", "noisy_iteration", "square_root_factorisation", "tree_aggregation",
}  # fmt: skip
ADDITIVE = {
    m.id: m
    for m in catalogue.mechanisms().values()
    if m.outputs is not None and m.norm is not Norm.NONE and m.id not in ELSEWHERE
}
CLAIMS = [pytest.param(m, c, id=f"{m.id}-{c.guarantee.definition.id}") for m in ADDITIVE.values() for c in m.claims]
INFINITE = [pytest.param(m, d, id=f"{m.id}-{d.id}") for m in ADDITIVE.values() for d in m.infinite]

# parameters at which nothing special happens
GENERIC = {
    "b": Fraction(7, 5), "sigma": Fraction(13, 8), "beta": Fraction(17, 10), "epsilon": Fraction(9, 7),
    "w": Fraction(2, 11), "A": Fraction(27, 10), "N": Fraction(23), "mu": Fraction(29, 6), "Delta": Fraction(2),
}  # fmt: skip


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    with mp.workdps(17):
        yield


def drawn(mechanism: Mechanism, chance: random.Random) -> dict[str, Fraction]:
    """Parameters at random, within the mechanism's domain."""
    whole = mechanism.norm in (Norm.INTEGER, Norm.ONE_INTEGER)
    draws = {"Delta": Fraction(chance.randint(1, 4)), "N": Fraction(chance.randint(5, 40)),
             "w": Fraction(chance.randint(0, 49), 100), "beta": Fraction(chance.randint(12, 40), 10),
             "mu": Fraction(chance.randint(3, 180), 6)}  # fmt: skip
    if not whole:
        draws["Delta"] = Fraction(chance.randint(4, 40), 12)
    v = {str(p): draws.get(str(p), Fraction(chance.randint(4, 40), 12)) for p in mechanism.params}
    if "A" in v:
        v["A"] += v["Delta"]
    return v


def generic(mechanism: Mechanism) -> dict[str, Fraction]:
    own = {"b": Fraction(5)} if mechanism.id == "gumbel" else {}  # so that some orders have a finite divergence
    return parameters(mechanism, {**GENERIC, **own})


def pair_of(mechanism: Mechanism, v: dict[str, Fraction]) -> Pair:
    """Its outputs for quadrature: typed once more where they are, else as the entry has them."""
    return NOISES[mechanism.id](v) if mechanism.id in NOISES else entries.pair(mechanism, v)


def value_of(claim: Claim, point: dict[str, Fraction]) -> mpf:
    """What is claimed there, good to 18 digits."""
    value = claim.guarantee.args[-1]
    value = value.expr if isinstance(value, sp.Lambda) else value
    found = enclose(value, {s: point[str(s)] for s in value.free_symbols}, digits=18)
    return (mpf(str(found.lower)) + mpf(str(found.upper))) / 2


def claimed_there(claim: Claim, point: dict[str, Fraction]) -> bool:
    for condition in claim.assume:
        if isinstance(condition, IsInteger):
            raise NotImplementedError(condition)
        if condition.free_symbols <= {notation.a}:  # a type-I error, which is one
            continue
        if not compare(condition.subs({s: sp.Rational(point[str(s)]) for s in condition.free_symbols})).holds:
            return False
    return True


@cache
def measured(mechanism: str, notion: str, point: tuple[tuple[str, Fraction], ...]) -> tuple[tuple[mpf, mpf], ...]:
    """What integrals and sums say of both orders: values, or points of the trade-off function."""
    v = dict(point)
    pair = pair_of(ADDITIVE[mechanism], v)
    both: tuple[Pair, Pair] = (pair, pair.swapped)
    order, level = exact(v["order"]), exact(v["level"])
    match notion:
        case "pure":
            return (max(p.max_divergence() for p in both),)
        case "approx":
            return (max(p.hockey_stick(level) for p in both),)
        case "rdp":
            return (max(p.renyi(order) for p in both),)
        case "zcdp":
            rates = [p.renyi(o) / o for p in both for o in (mpf(2), order, mpf(7))]
            return (max(*rates, *(p.kullback_leibler() for p in both)),)
        case "gdp":
            if isinstance(pair, Points):  # the corners of its trade-off function
                losses = {mp.nint(log(p / q) * 10**6) / 10**6 for p, q in pair.weights if p and q}
                tests = [(pair, loss - mpf(10) ** -5) for loss in losses]
            else:  # if it is symmetric, its fixed point first
                tests = [(pair, mpf(0)), (pair, level), (pair.swapped, mpf("0.37"))]
            errors = [p.errors(o) for p, o in tests]
            needed = [noises.mu_needed(e) for e in errors if min(e) > mpf(10) ** -9]
            return (max(needed),) if isinstance(pair, Points) else (needed[0], max(needed))
        case "fdp":
            return tuple(p.errors(level) for p in both)
    raise NotImplementedError(f"nothing is measured of {notion}")


def fault(mechanism: Mechanism, claim: Claim, v: dict[str, Fraction], order: Fraction, level: Fraction) -> str | None:
    """What integrals and sums have to say against the claim at a point; None where they bear it out."""
    notion = claim.guarantee.definition.id
    argument = "x" if "epsilon" in v else "epsilon"
    point = {"alpha": order, argument: level, **v}
    if not claimed_there(claim, point):
        return None
    at = tuple(sorted({**v, "order": order, "level": level}.items()))
    found = measured(mechanism.id, notion, at)
    if notion == "fdp":
        gaps = []
        for one, two in found:
            near = Fraction(int(one * 10**30), 10**30)
            if near > 0:
                gaps.append(two - value_of(claim, {**point, "a": near}))
        if gaps and min(gaps) < -(mpf(10) ** -12):
            return f"the test is better by {-min(gaps)}"
        return f"not attained, by {min(gaps)}" if claim.tight and gaps and min(gaps) > mpf(10) ** -12 else None
    claimed, seen = value_of(claim, point), found[-1]
    room = mpf(10) ** {"pure": -9, "gdp": -10}.get(notion, -12) * (1 + abs(seen))
    if claimed < seen - room:
        return f"{seen} is needed, not {claimed}"
    if notion == "pure":
        room = seen / 1000  # it need not be attained
    return f"{seen} is enough, {claimed} claimed" if claim.tight and claimed > found[0] + room else None


@pytest.mark.parametrize(("mechanism", "claim"), CLAIMS)
def test_a_claim_is_what_an_integral_or_a_sum_says(mechanism: Mechanism, claim: Claim) -> None:
    order, level = Fraction(23, 10), Fraction(2, 9)

    assert claimed_there(claim, {**generic(mechanism), "alpha": order})
    assert fault(mechanism, claim, generic(mechanism), order, level) is None


@pytest.mark.slow
@pytest.mark.parametrize(("mechanism", "claim"), CLAIMS)
def test_a_claim_is_what_an_integral_or_a_sum_says_at_random(mechanism: Mechanism, claim: Claim) -> None:
    chance = random.Random(f"{mechanism.id} {claim.guarantee.definition.id}")  # noqa: S311
    v = drawn(mechanism, chance)
    order, level = Fraction(chance.randint(11, 50), 10), Fraction(chance.randint(0, 30), 10)

    assert fault(mechanism, claim, v, order, level) is None, v


def mistaken(claim: Claim) -> Iterator[tuple[str, Claim]]:
    """The claim with one mistake in its formula."""
    guarantee = claim.guarantee
    value = guarantee.args[-1]
    for what, wrong in mistakes(value.expr if isinstance(value, sp.Lambda) else value):
        try:
            changed = replace(guarantee, args=(*guarantee.args[:-1], wrong))
        except StatementError:
            continue
        if changed != guarantee:
            yield what, replace(claim, guarantee=changed)


# further points: where a sum of masses matters, and where the other of two bounds is the smaller one
SPECIAL = {"discrete_gaussian": {"sigma": Fraction(2, 5)}, "skellam": {"mu": Fraction(1, 2)}}


def skellam_bound(v: dict[str, Fraction], order: Fraction) -> mpf:
    """The published bounds at integer orders (AKL21), and chords of (order - 1) times them between."""
    mu, shift, below, alpha = exact(v["mu"]), exact(v["Delta"]), int(order), exact(order)
    bounds = (
        lambda k: k * shift**2 / (2 * mu) + ((2 * k - 1) * shift**2 + 6 * shift) / (4 * mu**2),
        lambda k: k * shift**2 / (2 * mu) + 3 * shift / (2 * mu),
    )
    chords = [(below + 1 - alpha) * (below - 1) * b(below) + (alpha - below) * below * b(below + 1) for b in bounds]
    return min(chords) / (alpha - 1)


def misquoted(mechanism: Mechanism, claim: Claim, v: dict[str, Fraction], order: Fraction) -> bool:
    """Whether a claim that is not tight is another than its source's."""
    if claim.tight:
        return False
    assert (mechanism.id, claim.guarantee.definition.id) == ("skellam", "rdp")
    return abs(value_of(claim, {**v, "alpha": order}) - skellam_bound(v, order)) > mpf(10) ** -12


@pytest.mark.parametrize("order", [Fraction(3), Fraction(23, 10), Fraction(5, 4)])
@pytest.mark.parametrize("variance", [Fraction(1, 2), Fraction(29, 6)])
def test_a_claim_that_is_not_tight_is_its_sources(order: Fraction, variance: Fraction) -> None:
    entry = ADDITIVE["skellam"]
    loose = [c for c in entry.claims if not c.tight]

    assert loose
    assert not any(misquoted(entry, c, {"mu": variance, "Delta": Fraction(2)}, order) for c in loose)


def noticed(mechanism: Mechanism, claim: Claim) -> bool:
    """At one of a few points; a formula that has no value there is noticed too."""
    order, usual = Fraction(23, 10), generic(mechanism)
    special = {**usual, **SPECIAL.get(mechanism.id, {})}
    for v, level in ((usual, Fraction(2, 9)), (usual, Fraction(9, 4)), (special, Fraction(1))):
        try:
            if fault(mechanism, claim, v, order, level) is not None or misquoted(mechanism, claim, v, order):
                return True
        except (Undefined, NotEnclosed, NotNumeric):
            return True
    return False


# a sum over all integers may begin anywhere
EQUIVALENT = {"i - 1 for i", "i + 1 for i"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mechanism", "claim"),
    [p for p in CLAIMS if not {p.values[0].id, p.id}.isdisjoint(BEYOND)],
)
def test_a_mistake_in_a_claim_that_the_engine_does_not_derive_is_noticed(mechanism: Mechanism, claim: Claim) -> None:
    wrong = list(mistaken(claim))
    assert wrong

    most = 4 if mechanism.id == "skellam" else 12  # a sum that no longer converges takes long to be given up
    unnoticed = [what for what, changed in wrong[:: 1 + len(wrong) // most] if not noticed(mechanism, changed)]
    assert set(unnoticed) <= EQUIVALENT


@pytest.mark.parametrize("mechanism", ADDITIVE.values(), ids=lambda m: m.id)
def test_the_density_has_mass_one_and_is_the_one_typed_once_more(mechanism: Mechanism) -> None:
    v = generic(mechanism)
    pair = pair_of(mechanism, v)
    assert abs(pair.mass() - 1) < mpf(10) ** -12
    if mechanism.id not in NOISES:
        return
    if not isinstance(pair, Line):
        weights = sorted(pair.weights, reverse=True)[:40]
        outputs = mechanism.outputs
        if isinstance(outputs[0], Finite):  # probabilities of losses: the masses of each
            table = {s: sp.Rational(v[str(s)]) for s in mechanism.params}
            stated = sorted(
                (mpf(str(enclose(p.subs(table), digits=18).upper)), mpf(str(enclose(q.subs(table), digits=18).upper)))
                for p, q in zip(outputs[0].probabilities, outputs[1].probabilities, strict=True)
            )
            losses: dict[int, tuple[mpf, mpf]] = {}
            for p, q in pair.weights:
                if p and q:
                    key = int(mp.nint(log(p / q) * 10**6))
                    a, b = losses.get(key, (mpf(0), mpf(0)))
                    losses[key] = a + p, b + q
            seen = sorted(losses.values())
            assert len(seen) == len(stated)
            for one, other in zip(seen, stated, strict=True):
                assert max(abs(x - y) for x, y in zip(one, other, strict=True)) < mpf(10) ** -12
            return
        masses = {at(outputs[0], v, n): at(outputs[1], v, n) for n in range(-6, 12) if inside(outputs, v, n)}
        for p, q in masses.items():
            assert any(abs(p - x) + abs(q - y) < mpf(10) ** -12 for x, y in weights)
        return
    for place in (Fraction(-7, 9), Fraction(1, 8), Fraction(5, 4), Fraction(21, 10)):
        for output, expected in zip(mechanism.outputs, (pair.first, pair.second), strict=True):
            logarithm = expected(exact(place))
            if logarithm != -inf:
                assert abs(at(output, v, place) - mp.exp(logarithm)) < mpf(10) ** -12


@pytest.mark.parametrize("name", ["laplace", "truncated_laplace", "logistic", "geometric", "binomial"])
def test_what_is_made_of_an_entry_is_what_was_typed(name: str) -> None:
    v = generic(ADDITIVE[name])
    made, typed = entries.pair(ADDITIVE[name], v), NOISES[name](v)
    for level in (mpf("0.1"), mpf("0.6")):
        assert abs(made.hockey_stick(level) - typed.hockey_stick(level)) < mpf(10) ** -13


def at(output: Density | Pmf, v: dict[str, Fraction], place: Fraction | int) -> mpf:
    table = {s: sp.Rational(v[str(s)]) for s in output.expression.free_symbols - {output.variable}}
    found = enclose(output.expression.subs(output.variable, sp.Rational(place)).subs(table), digits=18)
    return (mpf(str(found.lower)) + mpf(str(found.upper))) / 2


def inside(outputs: tuple, v: dict[str, Fraction], n: int) -> bool:
    table = {s: sp.Rational(x) for o in outputs for e in (o.lower, o.upper) for s in e.free_symbols
             for name, x in v.items() if name == str(s)}  # fmt: skip
    return all(o.lower.subs(table) <= n <= o.upper.subs(table) for o in outputs)


# --- what is infinite


def log_power(pair: Pair, order: int) -> Iterator[mpf]:
    """log(p^order q^(1 - order)) ever farther out."""
    if isinstance(pair, Line):
        for y in pair.outward():
            p, q = pair.first(y), pair.second(y)
            if p != -inf:
                yield inf if q == -inf else order * p + (1 - order) * q


def impossible(pair: Pair) -> bool:
    """Whether some output of the first has a positive probability, and none under the second."""
    if isinstance(pair, Points):
        return any(p and not q for p, q in pair.weights)
    return pair.integral(lambda y: mp.exp(pair.first(y)) if pair.second(y) == -inf else mpf(0)) > mpf(10) ** -6


@pytest.mark.parametrize(("mechanism", "definition"), INFINITE)
def test_what_is_called_infinite_is(mechanism: Mechanism, definition: object) -> None:
    pair = pair_of(mechanism, generic(mechanism))
    both = (pair, pair.swapped)
    if any(impossible(p) for p in both):  # then there is no bound on the loss, and no Rényi divergence is finite
        return
    match definition.id:
        case "pure" | "bounded_range" if isinstance(pair, Line):
            assert any(side[-1] > side[-2] + 1 > side[-3] + 2 for p in both for side in _sides(p))
        case "pure" | "bounded_range":
            losses = [log(p / q) for p, q in pair.weights]
            assert max(losses[-10:]) > max(losses[-20:-10]) + mpf("0.1") > max(losses[-30:-20]) + mpf("0.2")
        case "zcdp" | "offset_zcdp" | "rdp" | "tcdp":
            assert any(x > 100 for p in both for x in log_power(p, 1000))
        case "gdp":
            assert mechanism.id == "gumbel"
            v = generic(mechanism)
            with mp.workdps(300):
                needed = [noises.mu_needed(noises.gumbel_errors(v, -exact(v["b"]) * y)) for y in (1, 3, 5)]
            assert needed[2] > needed[1] + mpf("0.5") > needed[0] + 1
        case _:
            raise NotImplementedError(definition)


def _sides(pair: Line) -> tuple[list[mpf], list[mpf]]:
    losses = [pair.loss(y) for y in pair.outward()]
    return losses[:4], losses[4:]


# --- why one pair stands for all (docs/lemmas.md)


@pytest.mark.parametrize("noise", [noises.staircase, noises.tulap])
@pytest.mark.parametrize("part", [Fraction(1, 9), Fraction(2, 5), Fraction(4, 5)])
def test_smaller_shifts_of_a_staircase_are_dominated(noise, part: Fraction) -> None:
    v = {"epsilon": Fraction(6, 5), "w": Fraction(1, 6), "Delta": Fraction(3, 2)}
    smaller, whole_shift = noise(v, part), noise(v)

    assert abs(smaller.mass() - 1) < mpf(10) ** -12
    for level in (mpf(0), mpf("0.4"), mpf("1.1")):
        assert smaller.hockey_stick(level) <= whole_shift.hockey_stick(level)


def test_cauchy_noise_is_a_shift_of_hyperbolic_secant_noise() -> None:
    v = generic(ADDITIVE["cauchy"])
    pair, other = noises.cauchy(v), noises.hyperbolic_secant(v)

    assert abs(pair.hockey_stick(mpf("0.3")) - other.hockey_stick(mpf("0.3"))) < mpf(10) ** -15
    assert abs(pair.renyi(mpf("2.4")) - other.renyi(mpf("2.4"))) < mpf(10) ** -15
    assert abs(log(noises.legendre(mpf("2.4"), v)) / mpf("1.4") - pair.renyi(mpf("2.4"))) < mpf(10) ** -15


def test_every_additive_noise_is_about_the_sensitivity_that_comes_last() -> None:
    for mechanism in ADDITIVE.values():
        assert list(mechanism.params)[-1] == sp.Symbol("Delta")
        assert notation.alpha not in mechanism.params


def test_the_page_of_mechanisms_is_what_the_entries_say() -> None:
    page = Path(__file__).parents[2] / "docs" / "mechanisms.md"

    assert page.read_text(encoding="utf-8") == mechanisms_page.as_markdown(), (
        "run `python docs/_extensions/mechanisms_page.py docs/mechanisms.md`"
    )


def test_a_finite_claim_about_what_is_infinite_is_no_entry() -> None:
    gaussian = ADDITIVE["gaussian"]

    with pytest.raises(StatementError, match="which is infinite"):
        replace(gaussian, claims=(*gaussian.claims, ADDITIVE["laplace"].claims[0]))
