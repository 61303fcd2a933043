"""A domain along one of its variables, where each slice is an interval."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from dpsym.core.expanding import expand
from dpsym.core.relations import Proposition, Relation
from dpsym.deciding.domain import Domain, possible


@dataclass(frozen=True, slots=True)
class Slice:
    """One variable, its ends (the largest lower one counts, and the smallest upper), and the conditions."""

    variable: sp.Symbol
    lower: tuple[sp.Expr, ...]
    upper: tuple[sp.Expr, ...]
    closed_below: bool
    closed_above: bool
    interior: tuple[Proposition, ...]  # on all variables, with this one strictly between its ends
    others: tuple[Proposition, ...]  # on the other variables

    @property
    def inside(self) -> Domain | None:
        """The interior; None where it has no point."""
        return possible(self.interior)

    @property
    def own(self) -> tuple[Relation, ...]:
        """What is said of the variable in the interior."""
        return tuple(c for c in self.interior if isinstance(c, Relation) and self.variable in c.free_symbols)


def slice_along(x: sp.Symbol, domain: Domain) -> Slice | None:
    """The domain along x; None where a slice need not be an interval."""
    if x in domain.integers:
        return None
    lower: dict[sp.Expr, bool] = {}
    upper: dict[sp.Expr, bool] = {}
    interior: list[Proposition] = []
    others: list[Proposition] = []
    for item in domain.assume:
        if x not in item.free_symbols:
            interior.append(item)
            others.append(item)
            continue
        side = isolated(x, item) if isinstance(item, Relation) and item.op not in ("=", "!=") else None
        if side is None:
            return None
        if isinstance(side.rhs, sp.Rational) and item not in domain.coupled:
            continue  # the domain has merged these into bounds
        ends = lower if side.op.startswith(">") else upper
        ends[side.rhs] = ends.get(side.rhs, True) and not side.op.endswith("=")
        interior.append(Relation(x, ">" if ends is lower else "<", side.rhs))
    bounds = domain.of(x)
    if bounds.lower is not None:
        lower[bounds.lower] = bounds.lower_open
        interior.append(Relation(x, ">", bounds.lower))
    if bounds.upper is not None:
        upper[bounds.upper] = bounds.upper_open
        interior.append(Relation(x, "<", bounds.upper))
    return Slice(
        x, tuple(lower), tuple(upper), not all(lower.values()), not all(upper.values()), tuple(interior), tuple(others)
    )


def isolated(x: sp.Symbol, item: Relation) -> Relation | None:
    """`x op e` with e free of x, from a relation that is linear in x with a rational coefficient."""
    for side in (item, item.swapped):
        if side.lhs == x and x not in side.rhs.free_symbols:
            return side
    difference = expand(item.lhs - item.rhs, log=False, power_base=False, power_exp=False)
    factor = difference.coeff(x, 1)
    rest = difference - factor * x
    if x in rest.free_symbols or not isinstance(factor, sp.Rational) or factor == 0:
        return None
    isolated = Relation(x, item.op if factor > 0 else item.swapped.op, -rest / factor)
    return None if isolated.rhs.has(sp.nan, sp.zoo, sp.oo, -sp.oo) else isolated
