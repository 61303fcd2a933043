"""From one data set to its neighbour: how many records both have, and how many each has of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import sympy as sp

from dpsym.core.relations import Proposition, Relation
from dpsym.queries.answers import TooFew
from dpsym.queries.candidates import holds
from dpsym.queries.data import FAR, Interval, Records

_Conditions = tuple[Proposition, ...]
_MOST_SHARED = 3  # records that the neighbours may have to share for the answers to have a value


@dataclass(frozen=True, slots=True)
class Within:
    """A new record is at most so far from the one in whose place it stands, in the p-norm (p: 1, 2 or oo)."""

    p: sp.Expr
    radius: sp.Expr


@dataclass(frozen=True, slots=True)
class Change:
    """How many records two neighbours share, and how many each has of its own.

    Attributes:
        shared: by both.
        before: of the first alone.
        after: of the second alone; where both have some, they are as many.
        fewer: the step may also be one of fewer records, at least one.
        within: how far the second's may be from the first's.
    """

    shared: sp.Expr
    before: sp.Expr
    after: sp.Expr
    fewer: bool = False
    within: Within | None = None

    @property
    def own(self) -> sp.Expr:
        """How many one of the neighbours has of its own."""
        return self.after or self.before

    @property
    def replaces(self) -> bool:
        """Whether both have as many."""
        return bool(self.before == self.after)

    def pair(
        self, old: sp.Basic | None, new: sp.Basic | None, *rest: tuple[sp.Basic, sp.Expr]
    ) -> tuple[Records, Records]:
        """Both data sets: the records that each has of its own, all alike, before those that they share."""
        before, after = (
            Records((*(((who, own),) if own and who is not None else ()), *rest))
            for who, own in ((old, self.before), (new, self.after))
        )
        return before, after

    def ends(self, record: Interval) -> tuple[sp.Expr, sp.Expr]:
        """Between what numbers a record moves farthest; where nothing bounds it, as far as one likes."""
        low, high = record.low, record.high
        if self.within is None and record.bounded:
            return low, high
        r = FAR if self.within is None else self.within.radius
        return (low, low + r) if not low.is_infinite else (high - r, high) if not high.is_infinite else (sp.S.Zero, r)


def sharing_enough(
    change: Change, size: sp.Expr, conditions: _Conditions, seen: Callable[[_Conditions], bool]
) -> _Conditions | None:
    """The conditions, and that the neighbours share as few records as something is seen for; None where it is not.

    Raises:
        TooFew: where they do not share enough.
    """
    for shared in range(_MOST_SHARED + 1):
        known = sharing(shared, change, size, conditions)
        if seen(known):
            return known
    return None


def sharing(number: int, change: Change, size: sp.Expr, conditions: tuple[Proposition, ...]) -> tuple[Proposition, ...]:
    """The conditions, and that the neighbours share so many records.

    Raises:
        TooFew: where they do not.
    """
    if change.shared.is_Integer and change.shared < number:
        raise TooFew("the data set has too few records for an answer")
    if change.shared.is_Integer:
        return conditions
    if size.is_number:
        enough = Relation(size - change.shared, "<=", size - number)
    else:
        (symbol,) = size.free_symbols  # of the form p*h + r
        least = (number - change.shared.subs(symbol, 0)) / size.coeff(symbol)
        enough = Relation(symbol, ">=", sp.ceiling(least) if least.is_number else least)
    return conditions if holds(enough, conditions) else (*conditions, enough)
