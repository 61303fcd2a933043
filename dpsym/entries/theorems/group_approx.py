"""Inputs k steps of the neighbouring relation apart."""

import sympy as sp

from dpsym.core.notation import delta, epsilon, k
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.approx import approx
from dpsym.statements import Setting, Source, Theorem

group_approx = Theorem(
    id="group_approx",
    title="group privacy of approximate DP",
    premises=(approx(epsilon, delta),),
    conclusion=approx(k * epsilon, sp.Min(1, (sp.exp(k * epsilon) - 1) / (sp.exp(epsilon) - 1) * delta)),
    assume=(
        IsInteger(k),
        k >= 1,
        epsilon > 0,
    ),
    setting=Setting.GROUP,
    count=k,
    source=Source("Vad17", "Lemma 2.2 and its proof (unverified locator)"),
)
