"""Bounds of the privacy loss that hold at all times, for budgets that nobody fixed beforehand."""

import sympy as sp

from dpsym.core.notation import gamma, rho, t, x
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

# Half a normal mixture of the supermartingales exp(t X - t^2 rho): large wherever the loss X + rho is.
_variance = 2 * rho + gamma

odometer_mixture = Result(
    id="odometer_mixture",
    title="a privacy odometer for zCDP: the mixture that bounds the loss at all times",
    states=Relation(
        sp.Integral(sp.sqrt(2 * gamma / sp.pi) * sp.exp(-gamma * t**2 / 2 + t * x - t**2 * rho), (t, 0, sp.oo)),
        ">=",
        sp.sqrt(gamma / _variance) * sp.exp(x**2 / (2 * _variance)),
    ),
    assume=(rho >= 0, gamma > 0, x >= 0),
    remark=(
        "rho is the sum of the budgets so far and x + rho the privacy loss of the answers so far: the left side is "
        "then a supermartingale that starts at 1, and ever exceeds 1/delta with probability at most delta"
    ),
    source=Source("dpsym", "docs/lemmas.md, Lemma 16"),
)
