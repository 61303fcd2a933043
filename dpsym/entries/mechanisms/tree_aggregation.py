"""Gaussian noise in the nodes of a binary tree: every running sum of n steps from few noisy sums."""

import dataclasses

import sympy as sp

from dpsym.core.distributions import shifted
from dpsym.core.notation import Delta, n, sigma
from dpsym.core.relations import IsInteger
from dpsym.entries.mechanisms.gaussian import gaussian, noise
from dpsym.statements import Adjacency, Mechanism, Norm, Source, Trend

levels = sp.ceiling(sp.log(n + 1) / sp.log(2))  # the nodes that a record is in
distance = Delta * sp.sqrt(levels)

tree_aggregation = Mechanism(
    id="tree_aggregation",
    title="binary tree aggregation",
    params={sigma: None, n: None, Delta: sp.Integer(1)},
    domain=(sigma > 0, n >= 1, IsInteger(n), Delta > 0, levels > 0),
    outputs=shifted(noise, distance),
    norm=Norm.L2,
    adjacency=Adjacency.ADD_REMOVE,
    why_dominating=(
        "A record of L2 norm at most Delta enters one of n steps, and with it the sums of the dyadic blocks of "
        "steps that contain it: at most floor(log2(n)) + 1 of them, which is ceil(log2(n + 1)). Together they "
        "move by at most sqrt of that times Delta in L2 norm, and each has Gaussian noise of standard deviation "
        "sigma, so that this is the Gaussian mechanism. Running sums are computed from at most as many noisy "
        "ones. Where a record is replaced, the other may be in another step, and two blocks of sums move."
    ),
    claims=tuple(
        dataclasses.replace(claim, guarantee=claim.guarantee.subs({Delta: distance})) for claim in gaussian.claims
    ),
    infinite=gaussian.infinite,
    source=Source("CSS11", also=Source("DNPR10")),
    trends={
        sigma: Trend("more", "noise of a larger scale is that for a smaller sensitivity"),
        n: Trend("less", "the running sums of fewer steps are among those of more"),
    },
)
