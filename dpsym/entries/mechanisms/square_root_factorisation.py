"""Gaussian noise on the square root of the matrix of running sums: every running sum of n steps, with less noise."""

import dataclasses

import sympy as sp

from dpsym.core.distributions import shifted
from dpsym.core.notation import Delta, k, n, sigma
from dpsym.core.relations import IsInteger
from dpsym.entries.mechanisms.gaussian import gaussian, noise
from dpsym.statements import Adjacency, Mechanism, Norm, Source, Trend

length = sp.Sum((sp.binomial(2 * k, k) / 4**k) ** 2, (k, 0, n - 1))  # squared, of the longest column
distance = Delta * sp.sqrt(length)

square_root_factorisation = Mechanism(
    id="square_root_factorisation",
    title="square-root factorisation of running sums",
    params={sigma: None, n: None, Delta: sp.Integer(1)},
    domain=(sigma > 0, n >= 1, IsInteger(n), Delta > 0, length > 0),
    outputs=shifted(noise, distance),
    norm=Norm.L2,
    adjacency=Adjacency.ADD_REMOVE,
    why_dominating=(
        "The lower triangular matrix of ones is C C, C the lower triangular Toeplitz matrix with the entries "
        "binomial(2k, k)/4^k. Released is C (C x + z), z Gaussian noise of standard deviation sigma. A record "
        "of L2 norm at most Delta in one of n steps moves C x by at most Delta times the norm of the first "
        "column, so that this is post-processing of the Gaussian mechanism. Where a record is replaced, the other "
        "may be in another step, and two columns count."
    ),
    claims=tuple(
        dataclasses.replace(claim, guarantee=claim.guarantee.subs({Delta: distance})) for claim in gaussian.claims
    ),
    infinite=gaussian.infinite,
    source=Source("FHU23"),
    trends={
        sigma: Trend("more", "noise of a larger scale is that for a smaller sensitivity"),
        n: Trend("less", "the running sums of fewer steps are among those of more"),
    },
)
