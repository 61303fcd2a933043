"""The mean shortfall of the exponential mechanism behind the best of m answers: by the non-negativity of the entropy
relative to the uniform distribution.
"""

import sympy as sp

from dpsym.core.notation import R, chance, eta, m, mean, z
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

exponential_utility_mean = Result(
    id="exponential_utility_mean",
    title="utility of the exponential mechanism: mean",
    states=Relation(mean(z, z * sp.exp(-eta * z), R) / mean(z, sp.exp(-eta * z), R), "<=", sp.log(m) / eta),
    assume=(
        eta > 0,
        m >= 1,
        Relation(chance(z, z, ">=", 0, R), "=", 1),
        Relation(chance(z, z, "<=", 0, R), ">=", 1 / m),
    ),
    outputs={R: None},
    remark=(
        "eta is epsilon/(2 Delta); R is the shortfall from the best utility of an answer drawn uniformly, and "
        "m at least the number of answers for each best one"
    ),
    source=Source("BNSSSU16", "Lemma 7.1 (unverified locator)"),
)
