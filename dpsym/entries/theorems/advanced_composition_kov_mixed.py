"""Advanced composition of two kinds of approximate DP, with the mean losses of randomized response."""

import sympy as sp

from dpsym.core.notation import delta_1, delta_2, delta_slack, epsilon_1, epsilon_2, k_1, k_2
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.approx import approx
from dpsym.statements import Setting, Source, Theorem

mean = k_1 * epsilon_1 * sp.tanh(epsilon_1 / 2) + k_2 * epsilon_2 * sp.tanh(epsilon_2 / 2)
squares = k_1 * epsilon_1**2 + k_2 * epsilon_2**2

advanced_composition_kov_mixed = Theorem(
    id="advanced_composition_kov_mixed",
    title="advanced composition of two kinds of approximate DP",
    premises=(approx(epsilon_1, delta_1), approx(epsilon_2, delta_2)),
    conclusion=approx(
        mean + sp.sqrt(2 * squares * sp.log(1 / delta_slack)),
        1 - (1 - delta_1) ** k_1 * (1 - delta_2) ** k_2 * (1 - delta_slack),
    ),
    assume=(
        epsilon_1 >= 0,
        epsilon_2 >= 0,
        delta_1 <= 1,
        delta_2 <= 1,
        IsInteger(k_1),
        k_1 >= 1,
        IsInteger(k_2),
        k_2 >= 1,
        delta_slack > 0,
        delta_slack < 1,
    ),
    chooses=(delta_slack,),
    setting=Setting.MIXED,
    counts=(k_1, k_2),
    source=Source("KOV15", "Theorem 3.5 (unverified locator), for two kinds of mechanisms"),
)
