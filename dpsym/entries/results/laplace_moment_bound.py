"""The moment generating function of Laplace noise is at most that of a Gaussian of twice its variance, near 0."""

import sympy as sp

from dpsym.core.notation import b, t
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

laplace_moment_bound = Result(
    id="laplace_moment_bound",
    title="sub-exponential bound on the moments of Laplace noise",
    states=Relation(1 / (1 - b**2 * t**2), "<=", sp.exp(2 * b**2 * t**2)),
    assume=(
        b > 0,
        2 * b**2 * t**2 <= 1,
    ),
    tight=True,
    tightness="at t = 0",
    source=Source("CSS11", "unverified locator"),
)
