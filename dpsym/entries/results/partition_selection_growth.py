"""The probability of keeping a key that n people have, while it grows as fast as approximate DP allows: e^epsilon times
the previous one plus delta.
"""

import sympy as sp

from dpsym.core.notation import delta, epsilon, m, n
from dpsym.core.relations import IsInteger, Relation
from dpsym.statements import Result, Source

partition_selection_growth = Result(
    id="partition_selection_growth",
    title="growth of the probability in optimal partition selection",
    states=Relation(
        sp.Sum(delta * sp.exp(epsilon * m), (m, 0, n - 1)),
        "=",
        delta * (sp.exp(n * epsilon) - 1) / (sp.exp(epsilon) - 1),
    ),
    assume=(
        epsilon > 0,
        delta >= 0,
        IsInteger(n),
        n >= 1,
    ),
    tight=True,
    source=Source("DVGM22", "Theorem 1 (unverified locator)"),
)
