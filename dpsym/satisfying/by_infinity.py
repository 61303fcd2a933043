"""A no by way of infinity: no finite budget of this kind is true where a part's divergence is infinite."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import sympy as sp

from dpsym.core.deadline import over
from dpsym.core.relations import Proposition
from dpsym.core.verdicts import Decision, Method, Verdict, Witness
from dpsym.deciding import Domain, EmptyDomain
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.infinite import without_budget
from dpsym.entries.notions.pure import pure
from dpsym.numbers import NO_NUMBER, enclose
from dpsym.statements import Composed, Guarantee, Subsampled, Use, adjacency

_MOST = 4  # points at which it is asked whether what is claimed is a number


def decided(
    source: Use | Subsampled | Composed, guarantee: Guarantee, conditions: tuple[Proposition, ...]
) -> Decision | None:
    """A refutation at a point where what is claimed is a finite number, or None."""
    symbols = source.free_symbols | guarantee.free_symbols
    for why, needed in without_budget(source, guarantee.definition, guarantee.bound, adjacency.of(source)):
        try:
            domain = Domain((*conditions, *needed))
        except EmptyDomain:
            continue
        for point in domain.points(symbols, most=_MOST):
            if over():
                return None
            if all(_finite(arg, point) for arg in guarantee.args):
                values = {s.name: Fraction(int(v.p), int(v.q)) for s, v in point.items()}
                witness = Witness(values, None, None, "a finite divergence")
                kind = pure if guarantee.definition is approx else guarantee.definition
                return Decision(Verdict.REFUTED, Method.LEMMA, f"no {kind.id} budget is finite: {why}", witness)
    return None


def _finite(value: sp.Basic, point: dict[sp.Symbol, sp.Rational]) -> bool:
    """Whether it is certainly a number there."""
    if isinstance(value, sp.Lambda):
        return False
    try:
        found = enclose(value, point, digits=5)
    except NO_NUMBER:
        return False
    return all(isinstance(end, Decimal) and end.is_finite() for end in (found.lower, found.upper))
