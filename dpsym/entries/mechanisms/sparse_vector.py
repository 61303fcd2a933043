"""The sparse vector technique (AboveThreshold): the first query that is above a noisy threshold, and nothing else."""

import sympy as sp

from dpsym.core.distributions import Finite
from dpsym.core.notation import epsilon, x
from dpsym.entries.notions.pure import pure
from dpsym.statements import Claim, Instance, Mechanism, Norm, Source


def above(gap: sp.Expr) -> sp.Expr:
    """How likely a query below the threshold by `gap` times 4 Delta/epsilon is found above it."""
    return (4 * sp.exp(-gap) - sp.exp(-2 * gap)) / 6


first, second = above(x), above(x + epsilon / 4)

sparse_vector = Mechanism(
    id="sparse_vector",
    title="sparse vector technique (AboveThreshold)",
    params={epsilon: None},
    domain=(epsilon > 0,),
    outputs=None,
    description=(
        "To a threshold it adds Laplace noise of scale 2 Delta/epsilon, once; to each query of sensitivity "
        "Delta, as they come, Laplace noise of scale 4 Delta/epsilon; it answers no until a noisy query is "
        "above the noisy threshold, then yes, and stops. Queries may be chosen by the answers. For c answers of "
        "yes it is run c times, each time with a new threshold: sparse_vector(epsilon) ** c; sparse_vector_many keeps "
        "the threshold."
    ),
    instances=(
        Instance(
            outputs=(Finite((first, 1 - first)), Finite((second, 1 - second))),
            what="a single query, which moves away from the threshold by Delta",
            over=(x >= 0,),
        ),
    ),
    norm=Norm.SCORES,
    claims=(Claim(pure(epsilon), Source("DR14", "Theorem 3.23")),),
    source=Source("DR14", "Algorithm 1"),
)
