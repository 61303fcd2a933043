"""Laplace noise scaled to a smooth bound of the local sensitivity."""

import sympy as sp

from dpsym.core.distributions import Density
from dpsym.core.notation import delta, epsilon, y
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.infinite import InfiniteFrom
from dpsym.statements import Claim, Instance, LooksAt, Mechanism, Norm, Source

small = 2 / epsilon  # the scale at a smooth sensitivity of 1
beta = epsilon / (2 * sp.log(2 / delta))
large = small * sp.exp(beta)  # at a neighbour where it is as much larger as it may be


def laplace_of_scale(b: sp.Expr) -> Density:
    """Centred Laplace noise."""
    return Density(y, sp.exp(-sp.Abs(y) / b) / (2 * b))


smooth_sensitivity = Mechanism(
    id="smooth_sensitivity",
    title="Laplace noise by smooth sensitivity",
    params={epsilon: None, delta: None},
    domain=(epsilon > 0, delta > 0, delta < 1),
    outputs=None,
    description=(
        "A number f(x) with Laplace noise of scale 2 S(x)/epsilon, where S is at least the local sensitivity "
        "and changes between neighbours by a factor of at most exp(beta), beta = epsilon/(2 log(2/delta))."
    ),
    instances=(
        Instance(
            outputs=(laplace_of_scale(large), laplace_of_scale(small)),
            what="two neighbours with the same answer, one of them with the larger S",
        ),
    ),
    norm=Norm.NONE,
    looks_at=LooksAt.ANSWER,
    claims=(
        Claim(
            approx(epsilon, delta),
            Source("NRS07", "here by docs/lemmas.md, Lemma 12"),
            assume=(epsilon <= 2, delta <= sp.Rational(1, 2)),
        ),
    ),
    infinite=InfiniteFrom(  # large/(large - small)
        1 / (1 - sp.exp(-beta)), "of Laplace noise of two scales the loss grows with the output", attained=True
    ),
    source=Source("NRS07"),
)
