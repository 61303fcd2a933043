"""Gaussian noise on the square root of the matrix of running sums, cut after b bands: a record takes part k times."""

import dataclasses

import sympy as sp

from dpsym.core.distributions import shifted
from dpsym.core.notation import Delta, b, j, k, n, sigma
from dpsym.core.relations import IsInteger
from dpsym.entries.mechanisms.gaussian import gaussian, noise
from dpsym.statements import Adjacency, Mechanism, Norm, Source, Trend

length = sp.Sum((sp.binomial(2 * j, j) / 4**j) ** 2, (j, 0, b - 1))  # squared, of a whole column
distance = Delta * sp.sqrt(k) * sp.sqrt(length)

banded_factorisation = Mechanism(
    id="banded_factorisation",
    title="banded square-root factorisation of running sums",
    params={sigma: None, n: None, b: None, k: sp.Integer(1), Delta: sp.Integer(1)},
    domain=(
        sigma > 0,
        n >= 1,
        IsInteger(n),
        b >= 1,
        IsInteger(b),
        k >= 1,
        IsInteger(k),
        k * b <= n,
        Delta > 0,
        length > 0,
    ),
    outputs=shifted(noise, distance),
    norm=Norm.L2,
    adjacency=Adjacency.ADD_REMOVE,
    why_dominating=(
        "The lower triangular matrix of ones is B C, C the lower triangular Toeplitz matrix with the entries "
        "binomial(2j, j)/4^j on its first b diagonals and 0 below them. Released is B (C x + z), z Gaussian noise of "
        "standard deviation sigma. A record takes part in at most k steps, any two of them at least b apart, with L2 "
        "norm at most Delta in each. Columns at least b apart have no row in common, so that it moves C x by at "
        "most sqrt(k) Delta times the norm of a whole column, and by so much since there are k b steps; this "
        "is post-processing of the Gaussian mechanism. A stream of fewer than k b steps is part of one of so many. "
        "With k = 1 the step may be any. Where a record is replaced, "
        "the other may be in other steps, and the columns of both count."
    ),
    claims=tuple(
        dataclasses.replace(claim, guarantee=claim.guarantee.subs({Delta: distance})) for claim in gaussian.claims
    ),
    infinite=gaussian.infinite,
    source=Source("KL24", also=Source("CGMRTX23")),
    trends={
        sigma: Trend("more", "noise of a larger scale is that for a smaller sensitivity"),
        b: Trend("less", "every band makes the columns longer"),
        k: Trend("less", "taking part less often is a special case"),
    },
)
