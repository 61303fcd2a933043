"""The least mean error of the staircase mechanism over the shape of its steps, x the share of each step at its upper
level.

With e^-epsilon = r the steps have levels proportional to 1, r, r^2, …; summing |y| over them gives the cost.
"""

import sympy as sp

from dpsym.core.notation import Delta, Minimum, epsilon, x
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

r = sp.exp(-epsilon)

staircase_cost = Result(
    id="staircase_cost",
    title="least mean error of the staircase mechanism",
    states=Relation(
        Minimum(
            sp.Lambda(x, Delta * (r / (1 - r) + (r + (1 - r) * x**2) / (2 * (r + (1 - r) * x)))), sp.Interval(0, 1)
        ),
        "=",
        Delta * sp.exp(epsilon / 2) / (sp.exp(epsilon) - 1),
    ),
    assume=(
        epsilon > 0,
        Delta > 0,
    ),
    tight=True,
    remark="under the minimum stands the mean error of the staircase of that shape, a sum over its steps",
    source=Source("GV14", "Theorem 3 (unverified locator)"),
)
