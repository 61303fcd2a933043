"""Noisy iterations, simulated as distributions without dpsym, against what the entries claim of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

import pytest
import sympy as sp
from mpmath import mp, mpf, quad
from mpmath import sqrt as root

from dpsym import catalogue
from dpsym.claims import read_claim
from dpsym.core.distributions import shifted
from dpsym.core.notation import a, c, i, k, sigma
from dpsym.core.relations import IsInteger, Proposition, propositions
from dpsym.core.verdicts import Verdict
from dpsym.divergences import NoClosedForm, trade_off
from dpsym.numbers import enclose

MECHANISMS = catalogue.mechanisms()
HALF = Fraction(1, 2)


def claimed(name: str, **values: Fraction | int) -> sp.Expr:
    """The square of the claimed mu, exactly."""
    (mu,) = (c.guarantee.args[0] for c in MECHANISMS[name].claims if c.guarantee.definition.id == "gdp")
    entry = MECHANISMS[name]
    at = {p: sp.Rational(values.get(p.name, entry.params[p] or 1)) for p in entry.params}
    return sp.simplify(mu.subs(at).doit() ** 2)


def run(maps: Sequence[tuple[Fraction, Fraction, Fraction]], sigma: Fraction) -> Fraction:
    """The square of the exact mu of x -> f x + s with noise, for (f, s, s') in each step, from a fixed start."""
    means, variance = (Fraction(0), Fraction(0)), Fraction(0)
    for factor, *moves in maps:
        means = (factor * means[0] + moves[0], factor * means[1] + moves[1])
        variance = factor**2 * variance + sigma**2
    return (means[0] - means[1]) ** 2 / variance


def rational(value: Fraction) -> sp.Rational:
    return sp.Rational(value.numerator, value.denominator)


@pytest.mark.parametrize(("t", "k", "sigma"), [(1, 1, 1), (4, 1, HALF), (3, 5, 2), (7, 2, 1)])
def test_maps_that_move_nothing_attain_the_claim_and_are_no_more_private(t: int, k: int, sigma: Fraction) -> None:
    maps = ([(Fraction(1), Fraction(1), Fraction(0))] + [(Fraction(1), Fraction(0), Fraction(0))] * (t - 1)) * k
    assert claimed("noisy_iteration", sigma=sigma, t=t, k=k) == rational(run(maps, Fraction(sigma)))


@pytest.mark.parametrize("c", [HALF, Fraction(9, 10), Fraction(1, 100)])
@pytest.mark.parametrize(("k", "b"), [(1, 1), (1, 4), (3, 1), (3, 2), (2, 5)])
def test_a_linear_contraction_attains_the_claim(c: Fraction, k: int, b: int) -> None:
    maps = ([(c, Fraction(2), Fraction(0))] + [(c, Fraction(0), Fraction(0))] * (b - 1)) * k
    assert claimed("noisy_contraction", sigma=3, c=c, k=k, b=b, Delta=2) == rational(run(maps, Fraction(3)))


@pytest.mark.parametrize("t", [1, 2, 5])
def test_linear_losses_attain_the_claim_of_one_pass(t: int) -> None:
    """The iterate in units of the step: x -> x - (g + z), the first gradient L or -L, all others 0."""
    slope = Fraction(3)
    maps = [(Fraction(1), -slope, slope)] + [(Fraction(1), Fraction(0), Fraction(0))] * (t - 1)
    expected = rational(run(maps, Fraction(2)))
    assert claimed("noisy_sgd_last_iterate", sigma=2, t=t, eta=HALF, beta=4, L=slope) == expected


def test_quadratic_and_linear_losses_never_exceed_one_pass() -> None:
    """Gradients m x + g, with slopes up to the smoothness; on a line they are not Lipschitz, so only the map counts."""
    draw = random.Random(5)  # noqa: S311
    for _ in range(200):
        eta, beta = Fraction(draw.randint(1, 8), 4), Fraction(draw.randint(1, 8), 8)
        t, before = draw.randint(1, 6), draw.randint(0, 3)
        if eta * beta > 2:
            continue
        factors = [1 - eta * beta * Fraction(draw.randint(0, 4), 4) for _ in range(before + t)]
        # the record's loss is linear in either run, all others are quadratic and known
        moves = [(Fraction(0), Fraction(0))] * (before + t)
        moves[before] = (-eta, eta)
        factors[before] = Fraction(1)
        got = run([(f, *m) for f, m in zip(factors, moves, strict=True)], eta)
        assert rational(got) <= claimed("noisy_sgd_last_iterate", sigma=1, t=t, eta=eta, beta=beta)


@pytest.mark.parametrize("seed", range(6))
def test_no_linear_iteration_exceeds_the_claim(seed: int) -> None:
    """Other factors, of either sign, other moves, and more steps than are needed."""
    draw = random.Random(seed)  # noqa: S311
    for _ in range(40):
        c = Fraction(draw.randint(1, 9), 10)
        k, b, later = draw.randint(1, 4), draw.randint(1, 4), draw.randint(0, 3)

        def factor(c: Fraction = c) -> Fraction:
            return c * Fraction(draw.randint(-4, 4), 4) if draw.random() < 0.5 else c

        maps = [(factor(), Fraction(0), Fraction(0)) for _ in range(draw.randint(0, 3))]
        for _ in range(k):
            move = Fraction(draw.randint(-4, 4), 4)
            maps.append((factor(), move / 2, -move / 2))
            maps += [(factor(), Fraction(0), Fraction(0)) for _ in range(b - 1 + draw.randint(0, later))]
        got = rational(run(maps, Fraction(1)))
        assert got <= claimed("noisy_contraction", sigma=1, c=c, k=k, b=b)
        assert got <= claimed("noisy_iteration", sigma=1, t=b, k=k)


def test_strong_contractions_are_no_less_private_than_contractions_and_approach_them() -> None:
    for times, b in ((1, 3), (4, 1), (2, 5)):
        weak = claimed("noisy_iteration", sigma=1, t=b, k=times)
        strong = [claimed("noisy_contraction", sigma=1, c=1 - Fraction(1, 10**i), k=times, b=b) for i in (1, 2, 4)]
        assert strong == sorted(strong) and strong[-1] < weak < strong[-1] * (1 + Fraction(1, 500))


# --- shares of the distance, by search over what the proof allows


def shares(c: Fraction, touched: Sequence[bool], moves: Sequence[Fraction]) -> bool:
    """Whether these moves bring the runs together at the end (and nothing is taken that is not there)."""
    left = Fraction(0)
    for here, move in zip(touched, moves, strict=True):
        left = c * left + here - move
        if left < 0:
            return False
    return left == 0


@pytest.mark.parametrize(("c", "k", "b"), [(HALF, 3, 1), (HALF, 2, 2), (Fraction(9, 10), 3, 2), (Fraction(1), 2, 3)])
def test_the_shares_of_the_proof_are_allowed_and_cost_what_is_claimed(c: Fraction, k: int, b: int) -> None:
    steps = k * b
    touched = ([True] + [False] * (b - 1)) * k
    apart = sum(c ** (steps - 1 - i) for i in range(steps) if touched[i])
    spread = sum(c ** (2 * i) for i in range(steps))
    moves = [apart / spread * c ** (steps - 1 - i) for i in range(steps)]
    assert shares(c, touched, moves)
    name, more = ("noisy_contraction", {"c": c, "b": b}) if c < 1 else ("noisy_iteration", {"t": b})
    assert rational(sum(move**2 for move in moves)) == claimed(name, sigma=1, k=k, **more)
    draw = random.Random(1)  # noqa: S311
    for _ in range(300):  # no others that are allowed cost less
        other = [max(Fraction(0), move + Fraction(draw.randint(-20, 20), 100)) for move in moves[:-1]]
        left = Fraction(0)
        for here, move in zip(touched[:-1], other, strict=True):
            left = c * left + here - move
        last = c * left + touched[-1]
        assert sum(move**2 for move in other) + last**2 >= sum(move**2 for move in moves)


def test_shares_that_ignore_when_the_record_comes_are_not_allowed() -> None:
    """Steps 1 and 4 of four: equal shares would take more than is there before the second one."""
    assert not shares(Fraction(1), [True, False, False, True], [HALF] * 4)


# --- a map that is not linear: densities on a grid of nodes


@pytest.mark.slow
def test_a_clipped_map_does_not_exceed_the_claim() -> None:
    """x -> max(-1, min(1, x)) after a step, then noise again: the hockey-stick divergence by quadrature."""
    mp.dps = 15

    def normal(x: mpf) -> mpf:
        return mp.npdf(x)

    def two_steps(start: mpf, y: mpf) -> mpf:
        inside = quad(lambda x: normal(x - start) * normal(y - x), [-1, 0, 1])
        return inside + mp.ncdf(-1 - start) * normal(y + 1) + (1 - mp.ncdf(1 - start)) * normal(y - 1)

    mu = root(mpf(1) / 2)
    for epsilon in (mpf(0), mpf("0.5"), mpf(1)):
        for first, second in ((HALF, -HALF), (Fraction(1), Fraction(0)), (Fraction(-1), Fraction(0))):
            p, q = (mpf(s.numerator) / s.denominator for s in (first, second))
            gap = quad(
                lambda y, p=p, q=q, epsilon=epsilon: max(two_steps(p, y) - mp.exp(epsilon) * two_steps(q, y), mpf(0)),
                [-7, -3, -1, 0, 1, 3, 7],
                maxdegree=5,
            )
            bound = mp.ncdf(mu / 2 - epsilon / mu) - mp.exp(epsilon) * mp.ncdf(-mu / 2 - epsilon / mu)
            assert gap <= bound + mpf(10) ** -6


# --- what is claimed, 1% smaller

SMALLER = Fraction(99, 100)
AT = {
    "noisy_iteration": {"sigma": 2, "t": 9, "k": 4},
    "noisy_contraction": {"sigma": 1, "c": HALF, "k": 3, "b": 2},
    "noisy_sgd_last_iterate": {"sigma": 3, "t": 4, "eta": HALF, "beta": 4, "L": 2},
}


@pytest.mark.cases(1)
@pytest.mark.parametrize("name", AT)
def test_one_per_cent_less_is_refuted(name: str) -> None:
    mu = sp.sqrt(claimed(name, **AT[name]))
    written = f"{name}({', '.join(f'{p}={v}' for p, v in AT[name].items())})"
    for factor, wanted in ((Fraction(1), (Verdict.PROVED, Verdict.CITED)), (SMALLER, (Verdict.REFUTED,))):
        claim = f"{written} satisfies gdp({factor}*({mu}))".replace("**", "^")
        assert read_claim(claim).decide(20.0).verdict in wanted, claim


@pytest.mark.parametrize(("eta", "beta"), [(2, 2), (Fraction(41, 20), 1)])
def test_steps_that_are_too_long_are_refused(eta: Fraction, beta: Fraction) -> None:
    with pytest.raises(ValueError, match="beta"):
        MECHANISMS["noisy_sgd_last_iterate"](sigma=1, t=2, eta=eta, beta=beta)


# --- sums of powers, on which the pair of a contraction rests


@pytest.mark.parametrize(
    ("term", "assume", "positive"),
    [
        (c ** (2 * i), (c > 0, k >= 1), True),
        (c ** (2 * i), (c > 0, k >= 0), False),  # it may be empty
        (c**i, (k >= 1,), False),  # c may be negative
        (i * c**i, (c > 0, k >= 1), False),  # its only term may be 0
    ],
)
def test_a_sum_is_positive_only_where_every_term_is_and_there_is_one(
    term: sp.Expr, assume: tuple[Proposition, ...], positive: bool
) -> None:
    density = MECHANISMS["gaussian"].outputs[1]
    total = sp.Sum(term, (i, 0, k - 1))
    known = propositions((*assume, IsInteger(k), sigma > 0, a > 0, a < 1))
    if positive:
        assert trade_off(a, *shifted(density, total), known).expression.has(total)
    else:
        with pytest.raises(NoClosedForm):
            trade_off(a, *shifted(density, total), known)


@pytest.mark.parametrize("base", ["1/2", "99/100", "1", "3", "-1/2", "-1"])
@pytest.mark.parametrize(("slope", "first", "last"), [(1, 0, 40), (3, 2, 9), (-2, 1, 5), (2, 3, 3)])
def test_a_geometric_sum_is_enclosed(base: str, slope: int, first: int, last: int) -> None:
    exact = sum((Fraction(base) ** (slope * j + 1) for j in range(first, last + 1)), Fraction(0))
    found = enclose(sp.Sum(c ** (slope * i + 1), (i, first, k)), {c: sp.Rational(base), k: last}, digits=15)
    assert Fraction(str(found.lower)) <= exact <= Fraction(str(found.upper))
    assert Fraction(str(found.upper)) - Fraction(str(found.lower)) <= abs(exact) / 10**12
