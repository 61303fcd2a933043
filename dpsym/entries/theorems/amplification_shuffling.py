"""Privacy amplification by shuffling the reports of local randomizers."""

import sympy as sp

from dpsym.core.notation import delta, epsilon, k
from dpsym.core.relations import Relation
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.pure import pure
from dpsym.statements import Adjacency, Setting, Source, Theorem

# Local randomizers whose reports are shuffled: each user's report hides among the others'.
_hidden = 8 * sp.sqrt(sp.exp(epsilon) * sp.log(4 / delta) / k) + 8 * sp.exp(epsilon) / k

shuffling_pure = Theorem(
    id="shuffling_pure",
    title="shuffled reports are as private as each report",
    premises=(pure(epsilon),),
    conclusion=pure(epsilon),
    setting=Setting.SHUFFLED,
    count=k,
    adjacency=Adjacency.REPLACE,
    source=Source("DR14", "Proposition 2.1, of all reports, of which a record changes one"),
)

shuffling_pure_to_approx = Theorem(
    id="shuffling_pure_to_approx",
    title="amplification of local DP by shuffling",
    premises=(pure(epsilon),),
    conclusion=approx(sp.log(1 + sp.tanh(epsilon / 2) * _hidden), delta),
    assume=(
        delta > 0,
        delta <= 1,
        Relation(epsilon, "<=", sp.log(k / (16 * sp.log(2 / delta)))),
    ),
    chooses=(delta,),
    setting=Setting.SHUFFLED,
    count=k,
    adjacency=Adjacency.REPLACE,
    source=Source("FMT21", "Theorem III.1"),
)
