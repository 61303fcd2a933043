"""Tulap noise: a two-sided geometric number of steps Delta, of ratio exp(-epsilon), plus a uniform one.

It is the canonical noise of pure DP: shifted by the sensitivity it is told from itself exactly as well as pure DP
allows.
"""

import sympy as sp

from dpsym.core.distributions import Density, Finite
from dpsym.core.notation import Delta, Phi_inv, a, alpha, epsilon, largest, x, y
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.fdp import fdp
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Claim, Mechanism, Norm, Source, Trend

noise = Density(y, sp.tanh(epsilon / 2) / Delta * sp.exp(-epsilon * sp.floor(sp.Abs(y) / Delta + sp.Rational(1, 2))))
likely, unlikely = sp.exp(epsilon) / (1 + sp.exp(epsilon)), 1 / (1 + sp.exp(epsilon))

tulap = Mechanism(
    id="tulap",
    title="Tulap mechanism (truncated-uniform-Laplace noise)",
    params={epsilon: None, Delta: sp.Integer(1)},
    domain=(epsilon > 0, Delta > 0),
    outputs=(Finite((likely, unlikely)), Finite((unlikely, likely))),
    norm=Norm.NUMBER,
    why_dominating=(
        "This is staircase noise with steps halved: at the shift Delta the privacy loss is epsilon or -epsilon, at a "
        "smaller one it may also be 0, and is epsilon less often (docs/lemmas.md, Lemma 6). The likelihood ratio is a "
        "sufficient statistic, so the two outcomes stand for the density."
    ),
    claims=(
        Claim(pure(epsilon), Source("AS18"), tight=True),
        Claim(
            rdp(
                alpha,
                sp.log((sp.exp(alpha * epsilon) + sp.exp((1 - alpha) * epsilon)) / (1 + sp.exp(epsilon))) / (alpha - 1),
            ),
            Source("Mir17", "Proposition 5, of randomized response", verified=True),
            tight=True,
        ),
        Claim(zcdp(epsilon * sp.tanh(epsilon / 2)), Source("dpsym", "docs/lemmas.md, Lemma 1"), tight=True),
        Claim(gdp(2 * Phi_inv(likely)), Source("dpsym", "docs/lemmas.md, Lemma 2"), tight=True),
        Claim(
            approx(x, largest(0, (sp.exp(epsilon) - sp.exp(x)) / (1 + sp.exp(epsilon)))),
            Source("KOV15", "of randomized response"),
            tight=True,
            complete=True,
            over=(x,),
        ),
        Claim(
            fdp(largest(1 - sp.exp(epsilon) * a, sp.exp(-epsilon) * (1 - a))),
            Source("AV23"),
            tight=True,
            complete=True,
        ),
    ),
    source=Source("AS18"),
    trends={
        epsilon: Trend("less", "a response at less epsilon is one at more epsilon, randomised once more"),
    },
    added=noise,
)
