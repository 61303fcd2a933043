"""Symmetric unary encoding (the permanent response of RAPPOR with one hash): each bit by randomized response."""

import sympy as sp

from dpsym.core.distributions import Finite
from dpsym.core.notation import Phi_inv, a, alpha, epsilon, largest, x
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.fdp import fdp
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Adjacency, Claim, LooksAt, Mechanism, Norm, Source, Trend

total = sp.exp(epsilon) + 2 * sp.exp(epsilon / 2) + 1
right, mixed, wrong = sp.exp(epsilon) / total, sp.exp(epsilon / 2) / total, 1 / total  # of the two bits that differ

rappor = Mechanism(
    id="rappor",
    title="permanent randomized response of RAPPOR",
    params={epsilon: None},
    domain=(epsilon > 0,),
    outputs=(Finite((right, mixed, wrong), (1, 2, 1)), Finite((wrong, mixed, right), (1, 2, 1))),
    norm=Norm.NONE,
    looks_at=LooksAt.RECORDS,
    adjacency=Adjacency.REPLACE,
    why_dominating=(
        "Two different inputs have their ones at two places, and all other bits are alike. Each bit is kept with "
        "probability exp(epsilon/2)/(exp(epsilon/2) + 1), that is 1 - f/2 with f = 2/(exp(epsilon/2) + 1). With h hash "
        "functions two inputs differ in at most 2 h bits: that is the composition rappor(epsilon) ** h."
    ),
    claims=(
        Claim(pure(epsilon), Source("EPK14", "Theorem 1"), tight=True),
        Claim(
            rdp(
                alpha,
                2
                * sp.log((sp.exp(alpha * epsilon / 2) + sp.exp((1 - alpha) * epsilon / 2)) / (sp.exp(epsilon / 2) + 1))
                / (alpha - 1),
            ),
            Source("Mir17", "Proposition 5, for each of two bits", verified=True),
            tight=True,
        ),
        Claim(
            zcdp(epsilon * (sp.exp(epsilon / 2) - 1) / (sp.exp(epsilon / 2) + 1)),
            Source("dpsym", "docs/lemmas.md, Lemma 1"),
            tight=True,
        ),
        Claim(
            gdp(-Phi_inv(wrong) - Phi_inv(1 - right)),
            Source("dpsym", "docs/lemmas.md, Lemma 2"),
            tight=True,
        ),
        Claim(
            approx(
                x,
                largest(0, right - sp.exp(x) * wrong),
            ),
            Source("dpsym", "sum over the outcomes"),
            tight=True,
            complete=True,
            over=(x,),
        ),
        Claim(
            fdp(
                largest(1 - sp.exp(epsilon) * a, 1 - right + wrong - a, sp.exp(-epsilon) * (1 - a)),
            ),
            Source("dpsym", "likelihood-ratio test"),
            tight=True,
            complete=True,
        ),
    ),
    source=Source("EPK14"),
    trends={
        epsilon: Trend("less", "a response at less epsilon is one at more epsilon, randomised once more"),
    },
)
