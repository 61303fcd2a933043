"""The K-norm mechanism: a vector with density proportional to exp(-|y - centre|_K/b), K a symmetric convex body."""

import sympy as sp

from dpsym.core.distributions import Density, shifted
from dpsym.core.notation import Delta, b, y
from dpsym.entries.notions.pure import pure
from dpsym.statements import Claim, Instance, Mechanism, Norm, Source, Trend

k_norm = Mechanism(
    id="k_norm",
    title="K-norm mechanism",
    params={b: None, Delta: sp.Integer(1)},
    domain=(b > 0, Delta > 0),
    outputs=None,
    description=(
        "The density of the answer y is proportional to exp(-|y - f(x)|_K/b), where |.|_K is the norm whose "
        "unit ball is the symmetric convex body K. |y - f(x)|_K has the Gamma distribution of shape d, the "
        "dimension, and scale b. For the L1 ball that is Laplace noise in each coordinate."
    ),
    instances=(
        Instance(
            outputs=shifted(Density(y, sp.exp(-sp.Abs(y) / b) / (2 * b)), Delta),
            what="a single number, K being the interval from -1 to 1",
        ),
    ),
    norm=Norm.K,
    claims=(Claim(pure(Delta / b), Source("HT10"), tight=True),),
    source=Source("HT10"),
    trends={
        b: Trend("more", "noise of a larger scale is that for a smaller sensitivity"),
    },
)
