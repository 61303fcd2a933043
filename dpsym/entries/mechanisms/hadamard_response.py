"""Hadamard response: one of m outputs, each of those in the input's half exp(epsilon) times as likely as the others."""

import sympy as sp

from dpsym.core.distributions import Finite
from dpsym.core.notation import epsilon, m
from dpsym.core.relations import IsInteger
from dpsym.entries.mechanisms.optimized_unary_encoding import optimized_unary_encoding
from dpsym.entries.notions.pure import pure
from dpsym.statements import Adjacency, Claim, LooksAt, Mechanism, Norm, Source

total = sp.exp(epsilon) + 1
likely, rare = 2 * sp.exp(epsilon) / (m * total), 2 / (m * total)
quarter = m / 4

hadamard_response = Mechanism(
    id="hadamard_response",
    title="Hadamard response",
    params={epsilon: None, m: sp.Integer(4)},
    domain=(epsilon > 0, m >= 4, IsInteger(quarter)),
    outputs=(
        Finite((likely, likely, rare, rare), (quarter,) * 4),
        Finite((likely, rare, likely, rare), (quarter,) * 4),
    ),
    norm=Norm.NONE,
    looks_at=LooksAt.RECORDS,
    adjacency=Adjacency.REPLACE,
    why_dominating=(
        "The inputs are rows of a Hadamard matrix of order m other than its first, which is all ones: at most m - 1 of "
        "them. The half of an input are the outputs in whose columns its row is 1. The first row and any two others "
        "are orthogonal in pairs, so that m/4 outputs each are in both halves, in the one only, in the other only, and "
        "in neither. There is such a matrix for every power of two from 4 on; for an m without one there is no such "
        "mechanism."
    ),
    claims=(
        Claim(pure(epsilon), Source("ASZ19"), tight=True),
        # two inputs are told apart as there
        *(claim for claim in optimized_unary_encoding.claims if claim.guarantee.definition is not pure),
    ),
    source=Source("ASZ19"),
    trends=optimized_unary_encoding.trends,
)
