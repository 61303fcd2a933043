"""Optimal composition of pure and approximate DP, exactly and by a central limit theorem with its error."""

import sympy as sp

from dpsym.core.notation import (
    Phi,
    Phi_inv,
    a,
    delta,
    delta_1,
    delta_2,
    epsilon,
    epsilon_1,
    epsilon_2,
    i,
    j,
    k,
    k_1,
    k_2,
    x,
)
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.fdp import fdp
from dpsym.entries.notions.pure import pure
from dpsym.statements import Setting, Source, Theorem

# The best composition of approximate DP: k randomized responses that leak are the worst there is.
_answers = sp.binomial(k, i) * sp.Max(0, sp.exp((k - i) * epsilon) - sp.exp(x + i * epsilon))

composition_optimal = Theorem(
    id="composition_optimal",
    title="optimal composition of approximate DP",
    premises=(approx(epsilon, delta),),
    conclusion=approx(x, 1 - (1 - delta) ** k * (1 - sp.Sum(_answers, (i, 0, k)) / (1 + sp.exp(epsilon)) ** k)),
    assume=(
        epsilon >= 0,
        delta <= 1,
        x >= 0,
        IsInteger(k),
        k >= 1,
    ),
    chooses=(x,),
    setting=Setting.COMPOSITION,
    count=k,
    exact=True,
    lossless=True,
    source=Source("KOV15", "Theorem 3.3, at every epsilon"),
)


# The best composition of two kinds of approximate DP: randomized responses that leak are the worst there is.
_gained = (k_1 - i) * epsilon_1 + (k_2 - j) * epsilon_2
_lost = i * epsilon_1 + j * epsilon_2
_mixed_answers = sp.binomial(k_1, i) * sp.binomial(k_2, j) * sp.Max(0, sp.exp(_gained) - sp.exp(x + _lost))
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


# The central limit theorem for compositions of pure DP, with its error: nearly GDP with 2 sqrt(k) sinh(epsilon/2).
#
# The losses of k randomized responses, the worst pure mechanisms, add up.  Each has mean epsilon t and variance
# epsilon^2 (1 - t^2), t = tanh(epsilon/2), and its third absolute central moment over the third power of its standard
# deviation is cosh(epsilon)/cosh(epsilon/2); the rest is the inequality of Berry and Esseen, with the constant 0.56.
_shift = 2 * sp.sqrt(k) * sp.sinh(epsilon / 2)
_error = sp.Rational(14, 25) * sp.cosh(epsilon) / (sp.cosh(epsilon / 2) * sp.sqrt(k))
_nearly_gaussian = Phi(Phi_inv(1 - a - _error) - _shift) - _error

composition_pure_to_fdp = Theorem(
    id="composition_pure_to_fdp",
    title="central limit theorem for pure DP, with its error",
    premises=(pure(epsilon),),
    conclusion=fdp(sp.Piecewise((_nearly_gaussian, a + _error < 1), (0, True))),
    setting=Setting.COMPOSITION,
    count=k,
    source=Source("DRS22", "Theorem 3.4, for randomized response"),
)
