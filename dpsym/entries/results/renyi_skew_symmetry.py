"""Exchanging the two distributions of a Rényi divergence of order below 1."""

from dpsym.core.notation import P, Q, alpha, renyi
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

renyi_skew_symmetry = Result(
    id="renyi_skew_symmetry",
    title="skew symmetry of the Rényi divergence",
    states=Relation(renyi(alpha, P, Q), "=", alpha / (1 - alpha) * renyi(1 - alpha, Q, P)),
    assume=(
        alpha > 0,
        alpha < 1,
    ),
    outputs={P: None, Q: None},
    tight=True,
    source=Source("vEH14", "Proposition 2"),
)
