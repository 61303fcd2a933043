"""Examples of mechanisms with a given guarantee, by notion: what one of them violates does not follow from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import sympy as sp

from dpsym.core.distributions import Finite
from dpsym.core.notation import delta, epsilon
from dpsym.entries.mechanisms.exponential import exponential
from dpsym.entries.mechanisms.gaussian import gaussian
from dpsym.entries.mechanisms.laplace import laplace
from dpsym.entries.mechanisms.randomized_response import randomized_response
from dpsym.entries.notions.approx import approx
from dpsym.statements import Adjacency, Claim, Norm, Source, Use

# Whether one record is there, told by randomized response: for any neighbours, all of which agree on it or differ.
told = replace(randomized_response, adjacency=Adjacency.ANY)

# The truth with probability delta, and else randomized response: the pair that dominates all of (epsilon, delta)-DP.
_likely = (1 - delta) * sp.exp(epsilon) / (1 + sp.exp(epsilon))
leaking = replace(
    told,
    id="leaking_randomized_response",
    title="randomized response that tells the truth with probability delta, and says so",
    params={epsilon: None, delta: None},
    domain=(epsilon >= 0, delta >= 0, delta <= 1),
    outputs=(
        Finite((delta, _likely, 1 - delta - _likely, sp.S.Zero)),
        Finite((sp.S.Zero, 1 - delta - _likely, _likely, delta)),
    ),
    norm=Norm.NONE,
    why_dominating="There are only two inputs.",
    claims=(Claim(approx(epsilon, delta), Source("KOV15", "Theorem 2.1")),),
    source=Source("KOV15"),
    trends={},
    looks_at=None,
)


def members(use: Use) -> Iterator[Use]:
    """Mechanisms that satisfy what any is asked to, the most telling first."""
    guarantee = use.mechanism.claims[0].guarantee.subs(use.args)
    args = guarantee.args
    match guarantee.definition.id:
        case "pure":
            yield told(args[0])
            yield laplace(b=1 / args[0])
        case "approx":
            yield leaking(*args)
        case "bounded_range":
            yield exponential(args[0])
        case "zcdp" | "tcdp":
            yield gaussian(sigma=1 / sp.sqrt(2 * args[0]))
            yield told(sp.sqrt(2 * args[0]))  # which is no Gaussian
        case "offset_zcdp":  # of either budget alone
            offset, slope = args
            if not slope.is_zero:
                yield gaussian(sigma=1 / sp.sqrt(2 * slope))
            if not offset.is_zero:
                yield told(offset)
        case "gdp":
            yield gaussian(sigma=1 / args[0])
        case "rdp":
            order, budget = args
            variance = sp.cancel(order / (2 * budget))
            if not variance.free_symbols & ({order} if order.is_Symbol and order not in use.args else set()):
                yield gaussian(sigma=sp.sqrt(variance))
