"""Gumbel noise of scale b on a number of sensitivity Delta."""

import sympy as sp

from dpsym.core.distributions import Density, shifted
from dpsym.core.notation import Delta, a, alpha, b, epsilon, smallest, y
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.fdp import fdp
from dpsym.entries.notions.infinite import InfiniteFrom
from dpsym.entries.notions.rdp import rdp
from dpsym.statements import Claim, Mechanism, Norm, Source, Trend

t = Delta / b
noise = Density(y, sp.exp(-y / b - sp.exp(-y / b)) / b)
own = Source("dpsym", "docs/lemmas.md, Lemma 11")

gumbel = Mechanism(
    id="gumbel",
    title="Gumbel mechanism",
    params={b: None, Delta: sp.Integer(1)},
    domain=(b > 0, Delta > 0),
    outputs=shifted(noise, Delta),
    norm=Norm.NUMBER,
    why_dominating="The density is log-concave, so every divergence grows with the shift (docs/lemmas.md, Lemma 5).",
    claims=(
        Claim(
            rdp(alpha, -(alpha * t + sp.log(1 - alpha * (1 - sp.exp(-t)))) / (alpha - 1)),
            own,
            tight=True,
            assume=(alpha * (1 - sp.exp(-t)) < 1,),
        ),
        Claim(
            approx(epsilon, (1 - sp.exp(-t)) * sp.exp(-(epsilon + t) / (sp.exp(t) - 1))),
            own,
            tight=True,
            complete=True,
        ),
        Claim(fdp(smallest((1 - a) ** sp.exp(t), 1 - a ** sp.exp(-t))), own, tight=True, complete=True),
    ),
    source=own,
    infinite=InfiniteFrom(
        1 / (1 - sp.exp(-t)), "the privacy loss of the smaller answer grows exponentially to the left", attained=True
    ),
    trends={
        b: Trend("more", "noise of a larger scale is that for a smaller sensitivity"),
    },
)
