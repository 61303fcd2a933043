"""Truncated concentrated differential privacy: Rényi divergences at most rho times the order, below the order omega."""

from dpsym.core.notation import P, Q, alpha, omega, renyi, rho
from dpsym.core.relations import ForAll, Relation
from dpsym.entries.notions.composition import add, least
from dpsym.statements import Definition, Source

tcdp = Definition(
    id="tcdp",
    title="truncated concentrated differential privacy (tCDP)",
    params=(rho, omega),
    domain=(rho >= 0, omega > 1),
    means=ForAll(Relation(renyi(alpha, P, Q), "<=", rho * alpha), (alpha,), (alpha > 1, alpha < omega)),
    compose={rho: add, omega: least},
    source=Source("BDRS18", "Definition 1 (unverified locator)"),
)
