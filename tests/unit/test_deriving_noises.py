"""What is derived from claims about additive noise, and truncated noise with published values."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
import sympy as sp

from dpsym import catalogue
from dpsym.core.distributions import Pmf, shifted
from dpsym.core.notation import Delta, delta, epsilon, n, sigma
from dpsym.deriving import routes
from dpsym.divergences import hockey_stick
from dpsym.entries.notions.approx import approx
from dpsym.numbers import enclose

TEN_TO_MINUS_FIVE = Fraction(1, 10**5)


@pytest.mark.slow
def test_many_discrete_gaussians_are_as_good_as_their_zcdp() -> None:
    noise = catalogue.mechanisms()["discrete_gaussian"]
    found = routes(noise(sigma=10) ** 100, approx, at={delta: TEN_TO_MINUS_FIVE})
    best = found[0]
    value = best.evaluate({delta: TEN_TO_MINUS_FIVE}, digits=10)["epsilon"]

    # the Gaussian with the same rho = 1/2, by the same conversion
    gaussian = catalogue.mechanisms()["gaussian"](sigma=10) ** 100
    same = [f for f in routes(gaussian, approx, at={delta: TEN_TO_MINUS_FIVE}) if "rdp_to_approx_improved" in f.rules]
    assert best.rules[:2] == ("discrete_gaussian", "composition_zcdp")
    assert abs(value.upper - same[0].evaluate({delta: TEN_TO_MINUS_FIVE}, digits=10)["epsilon"].upper) < Decimal("1e-8")
    assert {f.rules[-1] for f in found} >= {"optimise", "zcdp_to_approx"}
    # of two routes that are as tight, the one without sums is first
    sums = [any(arg.has(sp.Sum) for arg in f.guarantee.args) for f in found]
    assert not sums[0]
    assert sums[1]


@pytest.mark.slow
def test_one_discrete_gaussian_is_inverted_exactly() -> None:
    noise = catalogue.mechanisms()["discrete_gaussian"]
    best = routes(noise(sigma=2), approx, at={delta: Fraction(1, 100)})[0]
    profile = next(c for c in noise.claims if c.guarantee.definition is approx).guarantee.args[1]
    found = best.evaluate({delta: Fraction(1, 100)}, digits=12)["epsilon"]
    point = {sigma: 2, Delta: 1}

    assert best.exact
    below, above = (Fraction(found.lower) - Fraction(1, 10**9), Fraction(found.upper) + Fraction(1, 10**9))
    assert enclose(profile, {**point, epsilon: below}, digits=15).lower > Decimal("0.01")
    assert enclose(profile, {**point, epsilon: above}, digits=15).upper < Decimal("0.01")


# google/differential-privacy b5b0286, python/dp_accounting, pld/privacy_loss_mechanism_test.py, to 1e-9
PUBLISHED = [
    (Fraction(1), 1, 2, Fraction(1), "0.150574425"),
    (Fraction(1), 1, 2, Fraction(2), "0.054488685"),
]


@pytest.mark.parametrize(("deviation", "shift", "reach", "level", "printed"), PUBLISHED)
def test_published_values_of_truncated_discrete_gaussians(
    deviation: Fraction, shift: int, reach: int, level: Fraction, printed: str
) -> None:
    """The masses of our entry, cut off; summed here term by term."""
    full = catalogue.mechanisms()["discrete_gaussian"].outputs[1]
    weight = sp.exp(-(n**2) / (2 * sigma**2)).subs(sigma, sp.Rational(deviation))
    assert sp.simplify((full.expression / full.expression.subs(n, 0)).subs(sigma, sp.Rational(deviation)) - weight) == 0
    total = sum(weight.subs(n, i) for i in range(-reach, reach + 1))
    first, second = shifted(Pmf(n, weight / total, sp.Integer(-reach), sp.Integer(reach)), sp.Integer(shift))
    value = sp.S.Zero
    for i in range(-reach, reach + shift + 1):
        p = first.expression.subs(n, i) if first.lower <= i <= first.upper else sp.S.Zero
        q = second.expression.subs(n, i) if second.lower <= i <= second.upper else sp.S.Zero
        value += sp.Max(0, p - sp.exp(sp.Rational(level)) * q)
    found = enclose(value, digits=15)

    assert abs(found.upper - Decimal(printed)) < Decimal("1e-9")


def test_the_classical_truncated_laplace_is_what_it_is_calibrated_to() -> None:
    """With b = Delta/eps and A = b log(1 + (e^eps - 1)/(2 delta)) it is exactly (eps, delta)-DP."""
    entry = catalogue.mechanisms()["truncated_laplace"]
    claim = next(c for c in entry.claims if c.guarantee.definition is approx).guarantee
    level, wanted = sp.Rational(7, 10), sp.Rational(1, 1000)
    b, reach = sp.symbols("b A")
    cut = sp.log(1 + (sp.exp(level) - 1) / (2 * wanted)) / level
    value = claim.args[1].subs({reach: cut, b: 1 / level, Delta: 1, epsilon: level})
    found = enclose(value, digits=20)

    assert abs(found.upper - Decimal("0.001")) < Decimal("1e-20")


def test_the_engine_says_the_same_of_truncated_laplace_noise() -> None:
    entry = catalogue.mechanisms()["truncated_laplace"]
    found = hockey_stick(sp.exp(epsilon), *entry.outputs, (*entry.domain, epsilon >= 0))
    claim = next(c for c in entry.claims if c.guarantee.definition is approx).guarantee.args[1]
    point = {str(s): v for s, v in {"b": Fraction(3), "A": Fraction(5), "Delta": Fraction(2)}.items()}
    for level in (Fraction(0), Fraction(1, 2), Fraction(2, 3), Fraction(4)):
        values = [
            enclose(e, {s: {**point, "epsilon": level}[str(s)] for s in e.free_symbols}, digits=15).upper
            for e in (found.expression, claim)
        ]
        assert abs(values[0] - values[1]) < Decimal("1e-13")
