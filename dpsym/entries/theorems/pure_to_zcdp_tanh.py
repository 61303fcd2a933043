"""Pure DP as the smallest zCDP budget: the Kullback-Leibler divergence of randomized response."""

import sympy as sp

from dpsym.core.notation import epsilon
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Source, Theorem

pure_to_zcdp_tanh = Theorem(
    id="pure_to_zcdp_tanh",
    title="pure DP implies zCDP, best constant",
    premises=(pure(epsilon),),
    conclusion=zcdp(epsilon * sp.tanh(epsilon / 2)),
    exact=True,
    source=Source("Ste24", "Theorem 5 (unverified locator)"),
)
