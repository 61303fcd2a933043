"""Inputs k steps of the neighbouring relation apart, at epsilon = 0: total variation obeys the triangle inequality."""

import sympy as sp

from dpsym.core.notation import delta, k
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.approx import approx
from dpsym.statements import Setting, Source, Theorem

group_approx_zero = Theorem(
    id="group_approx_zero",
    title="group privacy of total variation",
    premises=(approx(0, delta),),
    conclusion=approx(0, sp.Min(1, k * delta)),
    assume=(
        IsInteger(k),
        k >= 1,
    ),
    setting=Setting.GROUP,
    count=k,
    source=Source("Vad17", "Lemma 2.2 and its proof (unverified locator)"),
)
