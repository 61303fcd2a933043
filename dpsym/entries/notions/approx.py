"""Approximate differential privacy: the hockey-stick divergence of order e^epsilon at most delta."""

import sympy as sp

from dpsym.core.notation import P, Q, delta, epsilon, hockey_stick
from dpsym.core.relations import Relation
from dpsym.entries.notions.composition import add
from dpsym.statements import Definition, Source

approx = Definition(
    id="approx",
    title="approximate differential privacy",
    params=(epsilon, delta),
    domain=(epsilon >= 0, delta >= 0, delta <= 1),
    means=Relation(hockey_stick(sp.exp(epsilon), P, Q), "<=", delta),
    compose={epsilon: add, delta: add},
    source=Source("DKMMN06", "unverified locator"),
)
