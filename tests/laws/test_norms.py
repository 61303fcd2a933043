"""A norm of vectors stands only where a shift that is split over coordinates is not told more easily."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
import sympy as sp
from mpmath import exp, log, mp, mpf, quad

from dpsym import catalogue, noise
from dpsym.core.notation import Delta
from dpsym.numbers import enclose
from dpsym.statements import Mechanism, Norm

MECHANISMS = catalogue.mechanisms()
AT = {"sigma": 2, "b": 2, "n": 5, "beta": sp.Rational(3, 2)}
# Gaussian noise on vectors whose L2 norm Delta bounds
RELEASES = {
    "banded_factorisation", "noisy_contraction", "noisy_iteration", "square_root_factorisation", "tree_aggregation",
}  # fmt: skip
VECTORS = [m for m in MECHANISMS.values() if m.norm.vectors and m.outputs is not None and m.id not in RELEASES]
ORDERS = (sp.Rational(101, 100), sp.Integer(2), sp.Integer(20))


def split(norm: Norm, whole: int) -> Iterator[tuple[sp.Expr, sp.Expr]]:
    """Shifts of two coordinates that are `whole` together in the norm."""
    if norm is Norm.L2:
        yield from ((whole * sp.Rational(3, 5), whole * sp.Rational(4, 5)), (whole / sp.sqrt(2), whole / sp.sqrt(2)))
    else:
        yield from ((sp.Integer(part), sp.Integer(whole - part)) for part in (1, whole // 2))


def renyi(mechanism: Mechanism, order: sp.Rational, shift: sp.Expr) -> mpf:
    """The divergence of one coordinate, by the mechanism's claim (which tests/laws/test_noises.py integrates)."""
    (curve,) = (c.guarantee for c in mechanism.claims if c.guarantee.definition.id == "rdp" and c.tight)
    values = {p: sp.sympify(AT[p.name]) for p in mechanism.params if p != Delta}
    found = enclose(curve.args[1].subs({**values, curve.args[0]: order, Delta: shift}), {}, digits=18)
    return (mpf(str(found.lower)) + mpf(str(found.upper))) / 2


def faults(mechanism: Mechanism) -> list[str]:
    """Splits that are told more easily than the whole; divergences of independent coordinates add up."""
    return [
        f"D({order}) at {one} and {two}"
        for whole in (2, 10)
        for one, two in split(mechanism.norm, whole)
        for order in ORDERS
        if renyi(mechanism, order, one) + renyi(mechanism, order, two)
        > renyi(mechanism, order, sp.Integer(whole)) + mpf(10) ** -12
    ]


def test_which_mechanisms_are_about_vectors() -> None:
    assert {m.id for m in VECTORS} == {"gaussian", "geometric", "laplace"}


@pytest.mark.cases(1)
@pytest.mark.parametrize("mechanism", VECTORS, ids=lambda m: m.id)
def test_a_shift_that_is_split_is_not_told_more_easily(mechanism: Mechanism) -> None:
    assert not faults(mechanism)


@pytest.mark.cases(1)
@pytest.mark.parametrize(("name", "norm"), [("cauchy", Norm.L1), ("laplace", Norm.L2)])
def test_a_norm_that_says_too_much_is_noticed(name: str, norm: Norm) -> None:
    assert faults(replace(MECHANISMS[name], norm=norm))


def test_the_zcdp_budget_of_cauchy_noise_is_false_of_vectors() -> None:
    (budget,) = (c.guarantee.args[0] for c in MECHANISMS["cauchy"].claims if c.guarantee.definition.id == "zcdp")
    whole, half = (budget.subs({"b": 1, Delta: shift}) for shift in (10, 5))

    assert (sp.exp(whole), sp.exp(half)) == (26, sp.Rational(29, 4))
    assert 2 * half > whole


@pytest.mark.parametrize("mechanism", MECHANISMS.values(), ids=lambda m: m.id)
def test_additive_noise_is_of_numbers_unless_vectors_are_proved(mechanism: Mechanism) -> None:
    proved = mechanism.id in {"gaussian", "laplace", "geometric", "k_norm", *RELEASES}
    assert mechanism.norm.vectors is proved
    if proved and mechanism.outputs is not None:  # the reason speaks of them
        assert "vector" in mechanism.why_dominating or "L2" in mechanism.why_dominating


def test_noise_of_ones_own_is_added_to_one_number() -> None:
    assert noise(density="exp(-x)", support="x >= 0", shift="1").norm is Norm.NUMBER
    assert noise(pmf="(1/2)^(n+1)", support="n >= 0", shift="1").norm is Norm.ONE_INTEGER


# --- hockey-stick divergences of two coordinates, summed and integrated without dpsym


@pytest.mark.parametrize("level", ["0", "0.3", "1.1", "2.4"])
def test_two_integers_with_geometric_noise(level: str) -> None:
    reach, rate = 60, exp(mpf(-1) / 2)
    gamma = exp(mpf(level))

    def mass(n: int) -> mpf:
        return (1 - rate) / (1 + rate) * rate ** abs(n)

    def profile(*shifts: int) -> mpf:
        losses: dict[int, mpf] = {0: mpf(1)}  # of the coordinates together, in units of 1/2, under the first
        for shift in shifts:
            new: dict[int, mpf] = {}
            for n in range(-reach, reach + 1):
                loss = abs(n) - abs(n - shift)
                for before, p in losses.items():
                    new[before + loss] = new.get(before + loss, mpf(0)) + p * mass(n - shift)
            losses = new
        return sum(p * max(0, 1 - gamma * exp(-mpf(loss) / 2)) for loss, p in losses.items())

    assert profile(2, 3) <= profile(5) + mpf(10) ** -10
    assert profile(1, 4) <= profile(5) + mpf(10) ** -10


@pytest.mark.cases(2)
@pytest.mark.parametrize("level", ["0", "0.3", "1.1", "2.4"])
def test_two_numbers_with_laplace_noise(level: str) -> None:
    epsilon = mpf(level)

    def one(shift: mpf, at: mpf) -> mpf:
        """Of one coordinate of scale 1, at any level."""
        return mpf(0) if at >= shift else 1 - exp(at) if at <= -shift else 1 - exp((at - shift) / 2)

    def two(first: mpf, second: mpf) -> mpf:
        def integrand(y: mpf) -> mpf:
            return exp(-abs(y - second)) / 2 * one(first, epsilon - abs(y) + abs(y - second))

        kinks = sorted({mpf(0), second, *((second + epsilon + sign * first) / 2 for sign in (1, -1))})
        return quad(integrand, [-40, *(k for k in kinks if -40 < k < 40), 40])

    for first, second in ((1, 2), (mpf("0.3"), mpf("2.7")), (mpf("1.5"), mpf("1.5"))):
        assert two(mpf(first), mpf(second)) <= one(mpf(3), epsilon) + mpf(10) ** -8


def test_two_numbers_with_cauchy_noise_are_told_more_easily() -> None:
    """At the Kullback-Leibler divergence, by an integral: log(1 + shift^2/4) of one coordinate of scale 1."""

    def kullback_leibler(shift: int) -> mpf:
        def integrand(angle: mpf) -> mpf:
            y = mp.tan(angle)
            return (log(1 + (y + shift) ** 2) - log(1 + y**2)) / mp.pi

        return quad(integrand, [-mp.pi / 2, -mp.atan(shift), 0, mp.pi / 2])

    assert kullback_leibler(5) == pytest.approx(float(log(mpf(29) / 4)))
    assert 2 * kullback_leibler(5) > kullback_leibler(10) + mpf("0.7")
