"""Pure differential privacy: the max divergence at most epsilon."""

import sympy as sp

from dpsym.core.notation import P, Q, epsilon, renyi
from dpsym.core.relations import Relation
from dpsym.entries.notions.composition import add
from dpsym.statements import Definition, Source

pure = Definition(
    id="pure",
    title="pure differential privacy",
    params=(epsilon,),
    domain=(epsilon >= 0,),
    means=Relation(renyi(sp.oo, P, Q), "<=", epsilon),
    compose={epsilon: add},
    source=Source("DMNS06", "Definition 1"),
)
