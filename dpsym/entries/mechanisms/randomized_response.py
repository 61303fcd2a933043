"""Randomized response over m answers: the true one exp(epsilon) times as likely as each of the others."""

import sympy as sp

from dpsym.core.distributions import Finite
from dpsym.core.notation import Phi_inv, a, alpha, epsilon, largest, m, x
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.fdp import fdp
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Adjacency, Claim, LooksAt, Mechanism, Norm, Source, Trend

total = sp.exp(epsilon) + m - 1
truth, lie = sp.exp(epsilon) / total, 1 / total

randomized_response = Mechanism(
    id="randomized_response",
    title="randomized response",
    params={epsilon: None, m: sp.Integer(2)},
    domain=(epsilon > 0, m >= 2, IsInteger(m)),
    outputs=(Finite((truth, lie, lie), (1, 1, m - 2)), Finite((lie, truth, lie), (1, 1, m - 2))),
    norm=Norm.NONE,
    looks_at=LooksAt.RECORDS,
    adjacency=Adjacency.REPLACE,
    why_dominating=(
        "Permuting the answers leaves the mechanism as it is, so two different true answers may be taken for "
        "the first and the second; the other m - 2 outcomes are alike."
    ),
    claims=(
        Claim(pure(epsilon), Source("War65"), tight=True),
        Claim(
            rdp(
                alpha,
                sp.log((sp.exp(alpha * epsilon) + sp.exp((1 - alpha) * epsilon) + m - 2) / total) / (alpha - 1),
            ),
            Source("Mir17", "Proposition 5, for two answers", verified=True),
            tight=True,
        ),
        Claim(
            zcdp(epsilon * (sp.exp(epsilon) - 1) / total),
            Source("dpsym", "docs/lemmas.md, Lemma 1"),
            tight=True,
            assume=(m - 2 <= 2 * sp.exp(epsilon / 2),),
        ),
        Claim(gdp(Phi_inv(truth) - Phi_inv(lie)), Source("dpsym", "docs/lemmas.md, Lemma 2"), tight=True),
        Claim(
            approx(x, largest(0, (sp.exp(epsilon) - sp.exp(x)) / total)),
            Source("KOV15"),
            tight=True,
            complete=True,
            over=(x,),
        ),
        Claim(
            fdp(largest(1 - sp.exp(epsilon) * a, 1 - truth + lie - a, sp.exp(-epsilon) * (1 - a))),
            Source("WZ10"),
            tight=True,
            complete=True,
        ),
    ),
    source=Source("War65"),
    trends={
        epsilon: Trend("less", "a response at less epsilon is one at more epsilon, randomised once more"),
    },
)
