"""A zCDP budget as (epsilon, delta), in closed form."""

import sympy as sp

from dpsym.core.notation import delta, rho
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Source, Theorem

zcdp_to_approx = Theorem(
    id="zcdp_to_approx",
    title="zCDP implies approximate DP",
    premises=(zcdp(rho),),
    conclusion=approx(rho + 2 * sp.sqrt(rho * sp.log(1 / delta)), delta),
    assume=(
        delta > 0,
        delta < 1,
    ),
    chooses=(delta,),
    source=Source("BS16", "Proposition 1.3"),
)
