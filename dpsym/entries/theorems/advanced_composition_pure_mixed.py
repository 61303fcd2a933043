"""Advanced composition of two kinds of pure DP: their squares add up."""

import sympy as sp

from dpsym.core.notation import delta, epsilon_1, epsilon_2, k_1, k_2
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.pure import pure
from dpsym.statements import Setting, Source, Theorem

squares = k_1 * epsilon_1**2 + k_2 * epsilon_2**2

advanced_composition_pure_mixed = Theorem(
    id="advanced_composition_pure_mixed",
    title="advanced composition of two kinds of pure DP",
    premises=(pure(epsilon_1), pure(epsilon_2)),
    conclusion=approx(squares / 2 + sp.sqrt(2 * squares * sp.log(1 / delta)), delta),
    assume=(
        IsInteger(k_1),
        k_1 >= 1,
        IsInteger(k_2),
        k_2 >= 1,
        delta > 0,
        delta < 1,
    ),
    chooses=(delta,),
    setting=Setting.MIXED,
    counts=(k_1, k_2),
    source=Source("Ste22", "Theorem 1 (unverified locator), for two kinds of mechanisms"),
)
