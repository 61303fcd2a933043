"""Composition of two kinds of pure or approximate DP: the best there is, and advanced composition."""

import sympy as sp

from dpsym.core.notation import delta, delta_1, delta_2, delta_slack, epsilon_1, epsilon_2, i, j, k_1, k_2, largest, x
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.pure import pure
from dpsym.statements import Setting, Source, Theorem

# The best composition of two kinds of approximate DP: randomized responses that leak are the worst there is.
_gained = (k_1 - i) * epsilon_1 + (k_2 - j) * epsilon_2
_lost = i * epsilon_1 + j * epsilon_2
_mixed_answers = sp.binomial(k_1, i) * sp.binomial(k_2, j) * largest(0, sp.exp(_gained) - sp.exp(x + _lost))
_mixed = sp.Sum(sp.Sum(_mixed_answers, (j, 0, k_2)), (i, 0, k_1))

composition_optimal_mixed = Theorem(
    id="composition_optimal_mixed",
    title="optimal composition of two kinds of approximate DP",
    premises=(approx(epsilon_1, delta_1), approx(epsilon_2, delta_2)),
    conclusion=approx(
        x,
        1
        - (1 - delta_1) ** k_1
        * (1 - delta_2) ** k_2
        * (1 - _mixed / ((1 + sp.exp(epsilon_1)) ** k_1 * (1 + sp.exp(epsilon_2)) ** k_2)),
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
    source=Source("MV16", "Theorem 1.5, for two kinds of mechanisms"),
)


# Advanced composition of two kinds of approximate DP, with the mean losses of randomized response.
_mean_losses = k_1 * epsilon_1 * sp.tanh(epsilon_1 / 2) + k_2 * epsilon_2 * sp.tanh(epsilon_2 / 2)
_squares = k_1 * epsilon_1**2 + k_2 * epsilon_2**2

advanced_composition_kov_mixed = Theorem(
    id="advanced_composition_kov_mixed",
    title="advanced composition of two kinds of approximate DP",
    premises=(approx(epsilon_1, delta_1), approx(epsilon_2, delta_2)),
    conclusion=approx(
        _mean_losses + sp.sqrt(2 * _squares * sp.log(1 / delta_slack)),
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
    source=Source("KOV15", "Theorem 3.5, for two kinds of mechanisms"),
)


# Advanced composition of two kinds of pure DP: their squares add up.
advanced_composition_pure_mixed = Theorem(
    id="advanced_composition_pure_mixed",
    title="advanced composition of two kinds of pure DP",
    premises=(pure(epsilon_1), pure(epsilon_2)),
    conclusion=approx(_squares / 2 + sp.sqrt(2 * _squares * sp.log(1 / delta)), delta),
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
    source=Source("Ste22", "Theorem 1, for two kinds of mechanisms"),
)
