"""Optimal composition of approximate DP."""

import sympy as sp

from dpsym.core.notation import (
    delta,
    epsilon,
    i,
    k,
    largest,
    x,
)
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.approx import approx
from dpsym.statements import Setting, Source, Theorem

# The best composition of approximate DP: k randomized responses that leak are the worst there is.
_answers = sp.binomial(k, i) * largest(0, sp.exp((k - i) * epsilon) - sp.exp(x + i * epsilon))

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
