"""Whether a point is known that satisfies conditions: what is said under others may be empty."""

from __future__ import annotations

from sympy.core.function import AppliedUndef

from dpsym.checking.equations import is_equation, without
from dpsym.core.notation import hockey_stick, renyi, trade_off
from dpsym.core.relations import IsInteger, Proposition, Relation
from dpsym.deciding import Domain, EmptyDomain
from dpsym.deciding.counterexamples.finding import points_of


def can_hold(conditions: tuple[Proposition, ...]) -> bool:
    """Whether a point is known that satisfies the numeric conditions; their equations are solved first.

    Conditions on distributions and functions are left out: whether those can hold is not decided here.
    """
    numeric = [c for c in conditions if isinstance(c, IsInteger) or _is_numeric(c)]
    reduced = without([c for c in numeric if is_equation(c)], [c for c in numeric if not is_equation(c)])  # type: ignore[misc]
    symbols = set().union(*(c.free_symbols for c in reduced))
    try:
        domain = Domain(reduced)
        simple = next(iter(domain.points(symbols, most=1)), None)
        return simple is not None or points_of(domain, frozenset(symbols), 0) != ()
    except EmptyDomain:
        return False


def _is_numeric(condition: Proposition) -> bool:
    return isinstance(condition, Relation) and not any(
        side.has(renyi, hockey_stick, trade_off, AppliedUndef) for side in (condition.lhs, condition.rhs)
    )
