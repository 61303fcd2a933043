"""Variants of the sparse vector technique that are less private than was said, each at two inputs (LSL17, Figure 1).

The chances are in closed form, compared with quadrature of the algorithm, and put to `satisfies`; beside them stands
the nearest variant that is as private as it says.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import pytest
import sympy as sp
from mpmath import exp, inf, mp, mpf, quad

from dpsym import catalogue
from dpsym.core.distributions import Finite
from dpsym.core.verdicts import Verdict
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.zcdp import zcdp
from dpsym.entries.thresholds import none_then_all
from dpsym.numbers import enclose
from dpsym.satisfying import satisfies
from dpsym.statements import Guarantee, Mechanism, Norm, Source

ACCEPTED = (Verdict.PROVED, Verdict.CERTIFIED)
HALF, ONE = sp.Rational(1, 2), sp.Integer(1)


@dataclass(frozen=True)
class Pair:
    """One run of answers on two neighbours, by closed form, and what is needed to integrate it.

    `threshold` and `noise` are scales, 0 for none; the last `yes` queries are found above, `least` is where the value
    of the only one of them is given out, at most 0; `rounds` times all of it, independently.
    """

    chances: tuple[sp.Expr, sp.Expr]
    claimed: sp.Expr
    threshold: sp.Rational
    noise: sp.Rational
    inputs: tuple[Sequence[int], Sequence[int]]
    yes: int
    rounds: int = 1
    given_out: bool = False


def runs(
    e: sp.Rational, noise: sp.Rational, no: int, yes: int, claimed: sp.Expr, rounds: int = 1, falls: int = 1
) -> Pair:
    chances = none_then_all(e, noise, sp.Integer(no), sp.Integer(yes), falls=falls)
    inputs = [0] * (no + yes), [1] * no + [-falls] * yes
    return Pair(tuple(c**rounds for c in chances), claimed, 1 / e, noise, inputs, yes, rounds)


def exact_queries() -> Pair:
    """Queries 0, 1 and then 1, 0: not above, above."""
    return Pair(((1 - sp.exp(-HALF)) / 2, sp.S.Zero), ONE, 1 / HALF, sp.S.Zero, ([0, 1], [1, 0]), 1)


def exact_threshold(no: int) -> Pair:
    scale = sp.Integer(2)
    chances = HALF**no, (sp.exp(-1 / scale) / 2) ** no
    return Pair(chances, ONE, sp.S.Zero, scale, ([0] * no, [1] * no), 0)


def noisy_answer(no: int) -> Pair:
    """The value that is found above is given out: where it is below 0 the threshold was, too."""
    e, scale = HALF, 1 / HALF
    chance = e / 2 ** (no + 2) * (1 / (e + no / scale) - 1 / (e + (no + 1) / scale))
    inputs = [0] * (no + 1), [1] * no + [0]
    return Pair((chance, sp.exp(-no / scale) * chance), ONE, 1 / e, scale, inputs, 1, given_out=True)


WRONG = {
    "no noise on the queries": exact_queries(),
    "no noise on the threshold": exact_threshold(3),
    "noise on the queries for one answer, and three": runs(sp.Rational(1, 4), sp.Rational(4, 3), 12, 3, ONE),
    "noise on the queries for one answer, and no end": runs(HALF, sp.Integer(2), 60, 10, sp.Integer(10)),
    "the noisy answers given out": noisy_answer(4),
    "noise for monotone queries, and others": runs(HALF, 2 / HALF, 20, 2, ONE),
    "a new threshold for each of two answers, its noise that for one": runs(HALF, 4 / HALF, 16, 1, ONE, rounds=2),
}
RIGHT = {
    "one threshold, noise for two answers": runs(HALF, 4 / HALF, 20, 2, ONE),
    "one threshold, noise for two answers to monotone queries": runs(HALF, 2 / HALF, 20, 2, ONE, falls=0),
    "a new threshold for each of two answers, its noise for both": runs(HALF / 2, 4 / HALF, 16, 1, ONE, rounds=2),
    "noise on the queries for one answer, and one": runs(HALF, 2 / HALF, 12, 1, ONE),
}


def told(pair: Pair) -> Mechanism:
    """Whether the answers were these, at the two inputs."""
    return Mechanism(
        id="variant",
        title="whether the answers were these",
        params={},
        domain=(),
        outputs=tuple(Finite((chance, 1 - chance)) for chance in pair.chances),
        norm=Norm.NONE,
        why_dominating="There are only two inputs.",
        claims=(),
        source=Source("LSL17"),
    )


def by_quadrature(pair: Pair, queries: Sequence[int]) -> mpf:
    scale, noise = mpf(pair.threshold.p) / pair.threshold.q, mpf(pair.noise.p) / pair.noise.q
    no = len(queries) - pair.yes

    def below(x: mpf) -> mpf:
        if noise == 0:
            return mpf(1 if x > 0 else 0)
        return exp(x / noise) / 2 if x < 0 else 1 - exp(-x / noise) / 2

    def answers(t: mpf) -> mpf:
        not_above = prod((below(t - q) for q in queries[:no]), start=mpf(1))
        if pair.given_out:
            return not_above * max(mpf(0), below(mpf(0)) - below(t))
        return not_above * prod((1 - below(t - q) for q in queries[no:]), start=mpf(1))

    def density(t: mpf) -> mpf:
        return exp(-abs(t) / scale) / (2 * scale)

    points = [-inf, -20, -5, -1, 0, 1, 5, 20, 60, inf]
    once = quad(lambda t: density(t) * answers(t), points) if scale else answers(mpf(0))
    return once**pair.rounds


@pytest.mark.slow
@pytest.mark.parametrize("name", WRONG | RIGHT)
def test_the_chances_are_those_of_the_algorithm(name: str) -> None:
    pair = (WRONG | RIGHT)[name]
    with mp.workdps(25):
        for chance, queries in zip(pair.chances, pair.inputs, strict=True):
            value = mpf(str(enclose(chance, {}, digits=15).upper))
            expected = by_quadrature(pair, queries)
            assert abs(value - expected) <= expected * mpf(10) ** -9
            assert max(abs(a - b) for a, b in zip(*pair.inputs, strict=True)) == 1


@pytest.mark.cases(1)
@pytest.mark.parametrize("name", WRONG)
def test_what_was_claimed_of_a_wrong_variant_is_refuted(name: str) -> None:
    found = satisfies(told(WRONG[name])(), pure(WRONG[name].claimed), time_limit=120.0)
    assert found.verdict is Verdict.REFUTED


@pytest.mark.cases(1)
@pytest.mark.parametrize("name", RIGHT)
def test_what_is_claimed_of_the_nearest_right_one_holds_at_these_inputs(name: str) -> None:
    """Nearly with equality, so that the control is one."""
    pair = RIGHT[name]
    assert satisfies(told(pair)(), pure(pair.claimed), time_limit=120.0).verdict in ACCEPTED
    assert satisfies(told(pair)(), pure(pair.claimed * 8 / 10), time_limit=120.0).verdict is Verdict.REFUTED


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "at", "enough", "too_little"),
    [
        ("sparse_vector_many", (HALF, HALF, 2), ONE, sp.Rational(99, 100)),
        ("sparse_vector_monotone", (HALF, HALF, 2), ONE, sp.Rational(99, 100)),
        ("sparse_vector_many", (sp.Rational(1, 4), sp.Rational(9, 2), 3), sp.Rational(19, 4), sp.Rational(47, 10)),
    ],
)
def test_what_the_entries_say(name: str, at: tuple, enough: sp.Expr, too_little: sp.Expr) -> None:
    """The last is noise for one answer, and three: (1 + 6 c)/4 times what was claimed."""
    use = catalogue.mechanisms()[name](*at)
    assert satisfies(use, pure(enough), time_limit=120.0).verdict is Verdict.CITED
    assert satisfies(use, pure(too_little), time_limit=120.0).verdict is Verdict.REFUTED


# --- Gaussian noise


def first_above(queries: Sequence[int], threshold: float, noise: float) -> list[float]:
    """How likely each query is the first above a threshold of 0, and that none is; by the trapezoidal rule."""
    step, found = threshold / 40, [0.0] * (len(queries) + 1)
    for place in range(-360, 361):
        t = place * step
        left = math.exp(-((t / threshold) ** 2) / 2) * step / (threshold * math.sqrt(2 * math.pi))
        for i, q in enumerate(queries):
            above = math.erfc((t - q) / (noise * math.sqrt(2))) / 2
            found[i] += left * above
            left *= 1 - above
        found[-1] += left
    return found


@pytest.mark.cases(2)
@pytest.mark.parametrize("order", [1.5, 4.0, 10.0])
@pytest.mark.parametrize(("threshold", "noise"), [(1.0, 2.0), (3.0, 1.0)])
def test_with_gaussian_noise_no_neighbours_lose_more_than_lemma_19_says(
    order: float, threshold: float, noise: float
) -> None:
    queries = [0, -1, 0, 2, 0]
    claim = catalogue.mechanisms()["sparse_vector_gaussian"].claims[0].guarantee.args[1]
    values = {"alpha": order, "sigma_1": threshold, "sigma_2": noise, "n": len(queries), "Delta": 1}
    bound = float(claim.subs({name: sp.Rational(value) for name, value in values.items()}))
    for moved in ([1] * 5, [-1] * 5, [1, 1, 1, -1, -1], [-1, 1, -1, 1, -1]):
        here = first_above(queries, threshold, noise)
        there = first_above([q + s for q, s in zip(queries, moved, strict=True)], threshold, noise)
        assert abs(sum(here) - 1) < 1e-9
        for one, other in ((here, there), (there, here)):
            lost = math.log(sum(p**order * q ** (1 - order) for p, q in zip(one, other, strict=True))) / (order - 1)
            assert 0 < lost <= bound


@pytest.mark.parametrize(
    "claimed",
    [
        pure(1000),  # as with Laplace noise
        gdp(HALF),  # the noise of a query twice as large as it is
        zcdp(sp.Rational(1, 8)),
    ],
)
def test_what_is_too_little_for_gaussian_noise_is_refuted(claimed: Guarantee) -> None:
    use = catalogue.mechanisms()["sparse_vector_gaussian"](sigma_1=sp.Rational(1, 10), sigma_2=1, n=1)
    assert satisfies(use, claimed, time_limit=120.0).verdict is Verdict.REFUTED
