"""Cauchy noise of scale b on a number of sensitivity Delta."""

import sympy as sp

from dpsym.core.distributions import Density, shifted
from dpsym.core.notation import Delta, Phi_inv, a, alpha, b, epsilon, largest, y
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.fdp import fdp
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Claim, Mechanism, Norm, Source, Trend

half = Delta / (2 * b)
r = half + sp.sqrt(1 + half**2)  # half of the largest privacy loss is log(r)
between = sp.sqrt(largest(0, r**2 - sp.exp(epsilon)) / (sp.exp(epsilon) * r**2 - 1))
v = sp.Symbol("v")
cosh, sinh = 1 + 2 * half**2, 2 * half * sp.sqrt(1 + half**2)  # of the largest privacy loss
legendre = sp.Integral((cosh + sinh * sp.cos(v)) ** (alpha - 1), (v, 0, sp.pi)) / sp.pi  # P_(alpha - 1)(cosh)
noise = Density(y, 1 / (sp.pi * b * (1 + (y / b) ** 2)))
own = Source("dpsym", "docs/lemmas.md, Lemma 10")

cauchy = Mechanism(
    id="cauchy",
    title="Cauchy mechanism",
    params={b: None, Delta: sp.Integer(1)},
    domain=(b > 0, Delta > 0),
    outputs=shifted(noise, Delta),
    norm=Norm.NUMBER,
    why_dominating=(
        "A Möbius map takes the pair to two Cauchy distributions about 0 of different scale, of which the logarithm of "
        "the absolute value is a sufficient statistic: a shift of hyperbolic-secant noise, whose density is "
        "log-concave, by a distance that grows with Delta (docs/lemmas.md, Lemmas 5 and 10)."
    ),
    claims=(
        Claim(pure(2 * sp.log(r)), own, tight=True),
        Claim(rdp(alpha, sp.log(legendre) / (alpha - 1)), own, tight=True),
        Claim(zcdp(sp.log(1 + half**2)), own, tight=True),
        Claim(gdp(2 * Phi_inv(2 / sp.pi * sp.atan(r))), Source("dpsym", "docs/lemmas.md, Lemma 7"), tight=True),
        Claim(
            approx(epsilon, 2 / sp.pi * (sp.atan(r * between) - sp.exp(epsilon) * sp.atan(between / r))),
            own,
            tight=True,
            complete=True,
        ),
        Claim(
            fdp(2 / sp.pi * sp.atan(1 / (r**2 * sp.tan(sp.pi * a / 2)))),
            own,
            tight=True,
            complete=True,
            assume=(a > 0, a < 1),
        ),
    ),
    source=own,
    trends={
        b: Trend("more", "noise of a larger scale is that for a smaller sensitivity"),
    },
)
