"""How far the exponential mechanism falls behind the best of m answers."""

import sympy as sp

from dpsym.core.notation import R, chance, eta, m, mean, t, z
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

behind = (sp.log(m) + t) / eta

exponential_utility_tail = Result(
    id="exponential_utility_tail",
    title="utility of the exponential mechanism: tail",
    states=Relation(
        mean(z, sp.Piecewise((sp.exp(-eta * z), z >= behind), (0, True)), R) / mean(z, sp.exp(-eta * z), R),
        "<=",
        sp.exp(-t),
    ),
    assume=(
        eta > 0,
        t >= 0,
        m >= 1,
        Relation(chance(z, z, ">=", 0, R), "=", 1),
        Relation(chance(z, z, "<=", 0, R), ">=", 1 / m),
    ),
    outputs={R: None},
    remark=(
        "eta is epsilon/(2 Delta); R is the shortfall from the best utility of an answer drawn uniformly, and "
        "m at least the number of answers for each best one"
    ),
    source=Source("DR14", "Theorem 3.11"),
)
