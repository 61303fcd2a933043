"""Staircase noise: steps of width Delta, of which a share w lies at the inner side of each drop by exp(-epsilon).

The density is proportional to exp(-epsilon floor(|y|/Delta + 1 - w)).  A shift by s <= Delta changes the privacy
loss by epsilon, 0 or -epsilon only, so the three probabilities of these losses say everything.  The expected size of
the noise is least at w = 1/(1 + exp(epsilon/2)); w = 1/2 is Tulap noise.
"""

import sympy as sp

from dpsym.core.distributions import Density, Finite
from dpsym.core.notation import Delta, Phi_inv, a, alpha, epsilon, largest, w, x, y
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.fdp import fdp
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Claim, Mechanism, Norm, Source

rise = 1 + w * (sp.exp(epsilon) - 1)
noise = Density(y, (sp.exp(epsilon) - 1) / (2 * Delta * rise) * sp.exp(-epsilon * sp.floor(sp.Abs(y) / Delta + 1 - w)))
likely = (1 + 2 * w * (sp.exp(epsilon) - 1)) / (2 * rise)  # the loss is epsilon
unlikely = sp.exp(-epsilon) * likely  # it is -epsilon
alike = (1 - sp.exp(-epsilon)) * (1 - 2 * w) / (2 * rise)  # it is 0

staircase = Mechanism(
    id="staircase",
    title="staircase mechanism",
    params={epsilon: None, w: None, Delta: sp.Integer(1)},
    domain=(epsilon > 0, w >= 0, w < sp.Rational(1, 2), Delta > 0),
    outputs=(Finite((likely, alike, unlikely)), Finite((unlikely, alike, likely))),
    norm=Norm.NUMBER,
    why_dominating=(
        "At any shift up to Delta the privacy loss is epsilon, 0 or -epsilon, and the first is likeliest at the "
        "shift Delta (docs/lemmas.md, Lemma 6); of such pairs the one with the larger probability of a loss "
        "dominates. The likelihood ratio is a sufficient statistic, so the three outcomes stand for the density."
    ),
    claims=(
        Claim(pure(epsilon), Source("GV16"), tight=True),
        Claim(
            rdp(
                alpha,
                sp.log(likely * (sp.exp((alpha - 1) * epsilon) + sp.exp(-alpha * epsilon)) + alike) / (alpha - 1),
            ),
            Source("dpsym", "docs/lemmas.md, Lemma 6"),
            tight=True,
        ),
        Claim(
            zcdp(epsilon * (1 - sp.exp(-epsilon)) * likely),
            Source("dpsym", "docs/lemmas.md, Lemma 1"),
            tight=True,
            assume=((1 - 2 * w) * sp.sinh(epsilon / 2) <= 1 + 2 * w * (sp.exp(epsilon) - 1),),
        ),
        Claim(gdp(Phi_inv(likely) - Phi_inv(unlikely)), Source("dpsym", "docs/lemmas.md, Lemma 2"), tight=True),
        Claim(
            approx(x, largest(0, 1 - sp.exp(x - epsilon)) * likely),
            Source("dpsym", "docs/lemmas.md, Lemma 6"),
            tight=True,
            complete=True,
            over=(x,),
        ),
        Claim(
            fdp(largest(1 - sp.exp(epsilon) * a, 1 - likely + unlikely - a, sp.exp(-epsilon) * (1 - a))),
            Source("dpsym", "docs/lemmas.md, Lemma 6"),
            tight=True,
            complete=True,
        ),
    ),
    source=Source("GV16"),
    added=noise,
)
