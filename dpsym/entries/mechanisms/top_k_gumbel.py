"""One-shot top-k: the k largest of scores with Gumbel noise of scale b, in their order, and nothing else."""

import sympy as sp

from dpsym.core.distributions import Finite
from dpsym.core.notation import Delta, b, k, x
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Claim, Instance, Mechanism, Norm, Source, Trend

budget = 2 * Delta / b  # of one answer


def ordered(others: sp.Expr) -> sp.Expr:
    """How likely k answers of weight 1 are the largest, in one order, where all others together have this weight."""
    return sp.gamma(1 + others) / sp.gamma(k + 1 + others)


after, before = ordered(x * sp.exp(-budget)), ordered(x)

top_k_gumbel = Mechanism(
    id="top_k_gumbel",
    title="one-shot top-k with Gumbel noise",
    params={b: None, k: None, Delta: sp.Integer(1)},
    domain=(b > 0, IsInteger(k), k >= 1, Delta > 0),
    outputs=None,
    description=(
        "To each of the scores u(r), of sensitivity Delta, it adds Gumbel noise of scale b once, and says which k are "
        "the largest, in their order. The answer is distributed like those of k exponential mechanisms at epsilon = "
        "2 Delta/b one after the other, each among the answers that are left: so many times bounded range 2 Delta/b, "
        "chosen adaptively. The noisy scores themselves are not given out."
    ),
    instances=(
        Instance(
            outputs=(Finite((after, 1 - after)), Finite((before, 1 - before))),
            what="k answers of equal scores, in one order, that move up by Delta, and all others down by Delta",
            over=(x > 0,),
        ),
    ),
    norm=Norm.SCORES,
    claims=(
        Claim(pure(k * budget), Source("DR19", "Lemma 4.2"), tight=True),
        Claim(zcdp(k * budget**2 / 8), Source("CR21")),
    ),
    source=Source("DR19"),
    trends={
        b: Trend("more", "noise of a larger scale is that for a smaller sensitivity"),
        k: Trend("less", "the first answers are a function of all"),
    },
)
