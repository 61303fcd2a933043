"""What is derived from claims about additive noise, and truncated noise with published values."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
import sympy as sp

from dpsym import catalogue
from dpsym.core.distributions import Pmf, shifted
from dpsym.core.notation import Delta, epsilon, n, sigma
from dpsym.entries.notions.approx import approx
from dpsym.numbers import enclose

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
