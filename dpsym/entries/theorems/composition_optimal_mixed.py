"""The best composition of two kinds of approximate DP: randomized responses that leak are the worst there is."""

import sympy as sp

from dpsym.core.notation import delta_1, delta_2, epsilon_1, epsilon_2, i, j, k_1, k_2, x
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.approx import approx
from dpsym.statements import Setting, Source, Theorem

gained = (k_1 - i) * epsilon_1 + (k_2 - j) * epsilon_2
lost = i * epsilon_1 + j * epsilon_2
answers = sp.binomial(k_1, i) * sp.binomial(k_2, j) * sp.Max(0, sp.exp(gained) - sp.exp(x + lost))
inside = sp.Sum(sp.Sum(answers, (j, 0, k_2)), (i, 0, k_1))

composition_optimal_mixed = Theorem(
    id="composition_optimal_mixed",
    title="optimal composition of two kinds of approximate DP",
    premises=(approx(epsilon_1, delta_1), approx(epsilon_2, delta_2)),
    conclusion=approx(
        x,
        1
        - (1 - delta_1) ** k_1
        * (1 - delta_2) ** k_2
        * (1 - inside / ((1 + sp.exp(epsilon_1)) ** k_1 * (1 + sp.exp(epsilon_2)) ** k_2)),
    ),
    assume=(
        epsilon_1 >= 0,
        epsilon_2 >= 0,
        delta_1 <= 1,
        delta_2 <= 1,
        x >= 0,
        IsInteger(k_1),
        k_1 >= 1,
        IsInteger(k_2),
        k_2 >= 1,
    ),
    chooses=(x,),
    setting=Setting.MIXED,
    counts=(k_1, k_2),
    exact=True,
    lossless=True,
    source=Source("MV16", "Theorem 1.5 (unverified locator), for two kinds of mechanisms"),
)
