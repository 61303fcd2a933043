"""Rényi differential privacy: the Rényi divergence of order alpha at most epsilon."""

from dpsym.core.notation import P, Q, alpha, epsilon, renyi
from dpsym.core.relations import Relation
from dpsym.entries.notions.composition import add
from dpsym.statements import Definition, Source

rdp = Definition(
    id="rdp",
    title="Rényi differential privacy (RDP)",
    params=(alpha, epsilon),
    index=(alpha,),
    domain=(alpha > 1, epsilon >= 0),
    means=Relation(renyi(alpha, P, Q), "<=", epsilon),
    compose={epsilon: add},
    source=Source("Mir17", "Definition 4"),
)
