"""The threshold 1 + log(1/(2 delta))/epsilon, above which a noisy count of 1 appears with probability delta."""

import sympy as sp

from dpsym.core.notation import X, b, chance, delta, epsilon, x
from dpsym.core.relations import Relation
from dpsym.entries.mechanisms.laplace import noise as laplace_noise
from dpsym.statements import Result, Source

laplace_threshold = Result(
    id="laplace_threshold",
    title="Laplace noise with a threshold",
    states=Relation(chance(x, x, ">", sp.log(1 / (2 * delta)) / epsilon, X), "=", delta),
    assume=(
        epsilon > 0,
        delta > 0,
        delta <= sp.Rational(1, 2),
    ),
    outputs={X: laplace_noise.subs({b: 1 / epsilon})},
    tight=True,
    remark="one key for each person; for k of them the scale is k/epsilon and delta is shared among them",
    source=Source("KKMN09", "unverified locator"),
)
