"""A record replaced: one removed and another added, two steps of the add/remove relation."""

import sympy as sp

from dpsym.core.notation import delta, epsilon
from dpsym.entries.notions.approx import approx
from dpsym.statements import Adjacency, Setting, Source, Theorem

replacement_approx = Theorem(
    id="replacement_approx",
    title="approximate DP of a record replaced",
    premises=(approx(epsilon, delta),),
    conclusion=approx(2 * epsilon, (1 + sp.exp(epsilon)) * delta),
    setting=Setting.REPLACEMENT,
    adjacency=Adjacency.ADD_REMOVE,
    source=Source("Vad17", "Lemma 2.2 and its proof, for a group of two (unverified locator)"),
)
