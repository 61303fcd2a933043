"""The best order for a tCDP budget is that for zCDP, or the largest where that one is too large."""

import sympy as sp

from dpsym.core.notation import delta, omega, rho
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.tcdp import tcdp
from dpsym.statements import Source, Theorem

L = sp.log(1 / delta)


tcdp_to_approx = Theorem(
    id="tcdp_to_approx",
    title="tCDP implies approximate DP",
    premises=(tcdp(rho, omega),),
    conclusion=approx(
        sp.Piecewise((rho + 2 * sp.sqrt(rho * L), (omega - 1) ** 2 * rho >= L), (rho * omega + L / (omega - 1), True)),
        delta,
    ),
    assume=(
        omega > 1,
        delta > 0,
        delta < 1,
    ),
    chooses=(delta,),
    source=Source("BDRS18", "Lemma 6 (unverified locator)"),
)
