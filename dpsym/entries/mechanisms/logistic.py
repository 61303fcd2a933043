"""Logistic noise of scale b on a number of sensitivity Delta."""

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

t = Delta / b
noise = Density(y, sp.exp(-y / b) / (b * (1 + sp.exp(-y / b)) ** 2))
own = Source("dpsym", "docs/lemmas.md, Lemma 8")

logistic = Mechanism(
    id="logistic",
    title="logistic mechanism",
    params={b: None, Delta: sp.Integer(1)},
    domain=(b > 0, Delta > 0),
    outputs=shifted(noise, Delta),
    norm=Norm.NUMBER,
    why_dominating="The density is log-concave, so every divergence grows with the shift (docs/lemmas.md, Lemma 5).",
    claims=(
        Claim(pure(t), own, tight=True),
        Claim(
            rdp(
                alpha,
                sp.log(sp.sinh((2 * alpha - 1) * t / 2) / ((2 * alpha - 1) * sp.sinh(t / 2))) / (alpha - 1),
            ),
            own,
            tight=True,
        ),
        Claim(zcdp(t * sp.coth(t / 2) - 2), own, tight=True),
        Claim(gdp(2 * Phi_inv(1 / (1 + sp.exp(-t / 2)))), Source("dpsym", "docs/lemmas.md, Lemma 7"), tight=True),
        Claim(
            approx(epsilon, largest(0, 1 - sp.exp((epsilon - t) / 2)) ** 2 / (1 - sp.exp(-t))),
            own,
            tight=True,
            complete=True,
        ),
        Claim(fdp((1 - a) / (1 - a + sp.exp(t) * a)), own, tight=True, complete=True),
    ),
    source=own,
    trends={
        b: Trend("more", "noise of a larger scale is that for a smaller sensitivity"),
    },
)
