"""Inputs k steps of the neighbouring relation apart: the order falls to alpha/k.

With D_b(P, Q) <= k b/(k b - 1) D_{(k b - 1)/(k - 1)}(P, R) + D_{k b}(R, Q), from Hoelder's inequality, used k - 1 times
at b = alpha/k, every single step is seen at one of the orders alpha, alpha - 1, ..., alpha - k + 1, none above alpha.
"""

import sympy as sp

from dpsym.core.notation import alpha, epsilon, i, k
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.rdp import rdp
from dpsym.statements import Setting, Source, Theorem

group_rdp = Theorem(
    id="group_rdp",
    title="group privacy of RDP",
    premises=(rdp(alpha, epsilon),),
    conclusion=rdp(alpha / k, epsilon * sp.Sum(alpha / (alpha - i), (i, 0, k - 1))),
    assume=(
        IsInteger(k),
        k >= 1,
        alpha > k,
    ),
    setting=Setting.GROUP,
    count=k,
    source=Source("BS16", "Lemma 5.2, used k - 1 times (unverified locator)"),
)
