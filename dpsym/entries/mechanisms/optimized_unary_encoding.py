"""Optimised unary encoding: of a one-hot vector the one is kept with probability 1/2, zeros are turned more rarely."""

import sympy as sp

from dpsym.core.distributions import Finite
from dpsym.core.notation import Phi_inv, a, alpha, epsilon, largest, x
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.fdp import fdp
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.statements import Adjacency, Claim, LooksAt, Mechanism, Norm, Source, Trend

total = 2 * (sp.exp(epsilon) + 1)
right, wrong = sp.exp(epsilon) / total, 1 / total  # both bits as for the one input, or as for the other

optimized_unary_encoding = Mechanism(
    id="optimized_unary_encoding",
    title="optimised unary encoding (OUE)",
    params={epsilon: None},
    domain=(epsilon > 0,),
    outputs=(Finite((right, wrong, sp.Rational(1, 2))), Finite((wrong, right, sp.Rational(1, 2)))),
    norm=Norm.NONE,
    looks_at=LooksAt.RECORDS,
    adjacency=Adjacency.REPLACE,
    why_dominating=(
        "A one is kept with probability 1/2, and a zero becomes one with probability 1/(exp(epsilon) + 1). Two "
        "different inputs have their ones at two places, and all other bits are alike. The two bits are 1 and "
        "0, or 0 and 1, with the probabilities given; where they are equal they tell nothing, which happens "
        "with probability 1/2 for both inputs."
    ),
    claims=(
        Claim(pure(epsilon), Source("WBLJ17"), tight=True),
        Claim(
            rdp(
                alpha,
                sp.log((sp.exp(alpha * epsilon) + sp.exp((1 - alpha) * epsilon) + sp.exp(epsilon) + 1) / total)
                / (alpha - 1),
            ),
            Source("dpsym", "sum over the outcomes"),
            tight=True,
        ),
        Claim(gdp(-Phi_inv(1 - right) - Phi_inv(wrong)), Source("dpsym", "docs/lemmas.md, Lemma 2"), tight=True),
        Claim(
            approx(x, largest(0, (sp.exp(epsilon) - sp.exp(x)) / total)),
            Source("dpsym", "sum over the outcomes"),
            tight=True,
            complete=True,
            over=(x,),
        ),
        Claim(
            fdp(largest(1 - sp.exp(epsilon) * a, 1 - right + wrong - a, sp.exp(-epsilon) * (1 - a))),
            Source("dpsym", "likelihood-ratio test"),
            tight=True,
            complete=True,
        ),
    ),
    source=Source("WBLJ17"),
    trends={
        epsilon: Trend("less", "a response at less epsilon is one at more epsilon, randomised once more"),
    },
)
