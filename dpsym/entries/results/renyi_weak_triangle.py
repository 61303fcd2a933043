"""A triangle inequality for Rényi divergences, at the price of larger orders."""

import sympy as sp

from dpsym.core.notation import P, Q, R, alpha, renyi
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

renyi_weak_triangle = Result(
    id="renyi_weak_triangle",
    title="weak triangle inequality of the Rényi divergence",
    states=Relation(
        renyi(alpha, P, Q),
        "<=",
        (alpha - sp.Rational(1, 2)) / (alpha - 1) * renyi(2 * alpha, P, R) + renyi(2 * alpha - 1, R, Q),
    ),
    assume=(alpha > 1,),
    outputs={P: None, Q: None, R: None},
    source=Source("Mir17", "Proposition 11"),
)
