"""Subsample and aggregate: Laplace noise on the mean of what a function says of each of m blocks of the data."""

import dataclasses

import sympy as sp

from dpsym.core.distributions import shifted
from dpsym.core.notation import Delta, b, m
from dpsym.core.relations import IsInteger
from dpsym.entries.mechanisms.laplace import laplace, noise
from dpsym.statements import Adjacency, LooksAt, Mechanism, Norm, Source, Trend

distance = Delta / m

subsample_and_aggregate = Mechanism(
    id="subsample_and_aggregate",
    title="subsample and aggregate, by the mean",
    params={b: None, m: None, Delta: sp.Integer(1)},
    domain=(b > 0, m >= 1, IsInteger(m), Delta > 0),
    outputs=shifted(noise, distance),
    norm=Norm.NONE,
    looks_at=LooksAt.ANSWER,
    adjacency=Adjacency.ADD_REMOVE,
    why_dominating=(
        "Each record is put into one of m blocks, by nothing but itself and coins. Any function of a block is "
        "evaluated on each, and its value moved into an interval of length Delta that is chosen beforehand; one record "
        "changes the value of one block, by at most Delta, so that the mean of all moves by at most Delta/m, and by so "
        "much for a function that depends on a single record. It has Laplace noise of scale b: the Laplace mechanism. "
        "Where a record is replaced, the other may be in another block, and two values change."
    ),
    claims=tuple(
        dataclasses.replace(claim, guarantee=claim.guarantee.subs({Delta: distance})) for claim in laplace.claims
    ),
    source=Source("NRS07"),
    trends={
        b: Trend("more", "noise of a larger scale is that for a smaller sensitivity"),
        m: Trend("more", "the mean of more blocks moves by less"),
    },
)
