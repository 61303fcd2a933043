"""No noise that is added to a real answer and gives pure DP has a smaller mean error than the best staircase."""

import sympy as sp

from dpsym.core.notation import Delta, X, epsilon, mean, renyi, translate, x, z
from dpsym.core.relations import ForAll, Relation
from dpsym.statements import Result, Source

least_noise = Result(
    id="least_noise",
    title="least mean error of noise for pure DP",
    states=Relation(mean(z, sp.Abs(z), X), ">=", Delta / (2 * sp.sinh(epsilon / 2))),
    assume=(
        epsilon > 0,
        Delta > 0,
        ForAll(Relation(renyi(sp.oo, translate(x, X), X), "<=", epsilon), (x,), (x >= -Delta, x <= Delta)),
    ),
    outputs={X: None},
    tight=True,
    tightness="for the staircase mechanism",
    source=Source("GV14", "Theorem 3 (unverified locator)"),
)
