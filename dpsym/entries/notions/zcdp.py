"""Zero-concentrated differential privacy: every Rényi divergence at most rho times its order."""

from dpsym.core.notation import P, Q, alpha, renyi, rho
from dpsym.core.relations import ForAll, Relation
from dpsym.entries.notions.composition import add
from dpsym.statements import Definition, Source

zcdp = Definition(
    id="zcdp",
    title="zero-concentrated differential privacy (zCDP)",
    params=(rho,),
    domain=(rho >= 0,),
    means=ForAll(Relation(renyi(alpha, P, Q), "<=", rho * alpha), (alpha,), (alpha > 1,)),
    compose={rho: add},
    source=Source("BS16", "Definition 1.1"),
)
