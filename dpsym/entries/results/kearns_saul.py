"""A biased coin is sub-Gaussian, with a smaller variance than the 1/4 of Hoeffding's lemma."""

import sympy as sp

from dpsym.core.notation import p, t
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

kearns_saul = Result(
    id="kearns_saul",
    title="the inequality of Kearns and Saul",
    states=Relation(sp.log(1 - p + p * sp.exp(t)), "<=", t * p + t**2 / 4 * (1 - 2 * p) / sp.log((1 - p) / p)),
    assume=(
        p > 0,
        p < sp.Rational(1, 2),
    ),
    reals=(t,),
    tight=True,
    tightness="at t = 0 and at t = 2 log((1 - p)/p)",
    source=Source("KS98", "unverified locator"),
)
