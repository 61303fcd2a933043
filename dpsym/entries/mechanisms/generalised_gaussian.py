"""Generalised Gaussian noise, density proportional to exp(-(|y|/b)^beta), on a number of sensitivity Delta."""

import sympy as sp

from dpsym.core.distributions import Density, shifted
from dpsym.core.notation import Delta, Phi_inv, SoleRoot, b, beta, epsilon, gammaq, y
from dpsym.core.relations import Relation
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.infinite import InfiniteFrom
from dpsym.statements import Claim, Mechanism, Norm, Source, Trend

t = Delta / b
noise = Density(y, beta / (2 * b * sp.gamma(1 / beta)) * sp.exp(-((sp.Abs(y) / b) ** beta)))
u = sp.Symbol("u")


def tail(z: sp.Expr) -> sp.Expr:
    """How likely noise of scale 1 exceeds z >= 0."""
    return gammaq(1 / beta, z**beta) / 2


# at the output b (Delta/(2 b) + place) the privacy loss is epsilon
place = SoleRoot(sp.Lambda(u, (u + t / 2) ** beta - sp.Abs(u - t / 2) ** beta - epsilon), sp.S.Zero, sp.oo)
beyond = sp.Piecewise((tail(place - t / 2), place >= t / 2), (1 - tail(t / 2 - place), True))

generalised_gaussian = Mechanism(
    id="generalised_gaussian",
    title="generalised Gaussian mechanism",
    params={b: None, beta: None, Delta: sp.Integer(1)},
    domain=(b > 0, beta > 1, Delta > 0),
    outputs=shifted(noise, Delta),
    additive=True,
    norm=Norm.NUMBER,
    why_dominating="The density is log-concave, so every divergence grows with the shift (docs/lemmas.md, Lemma 5).",
    claims=(
        Claim(
            gdp(2 * Phi_inv(1 - tail(t / 2))),
            Source("dpsym", "docs/lemmas.md, Lemma 7"),
            tight=True,
            assume=(beta <= 2,),
        ),
        Claim(
            approx(epsilon, beyond - sp.exp(epsilon) * tail(place + t / 2)),
            Source("dpsym", "likelihood-ratio test"),
            tight=True,
            complete=True,
        ),
    ),
    source=Source("Liu19"),
    infinite=InfiniteFrom(
        sp.oo,
        "the privacy loss grows without bound with the output, as its power beta - 1",
        steep=Relation(beta, ">", sp.Integer(2)),
    ),
    trends={
        b: Trend("more", "noise of a larger scale is that for a smaller sensitivity"),
    },
)
