"""From one data set to its neighbour: how many records both have, and how many each has of its own."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from dpsym.core.relations import Proposition, Relation
from dpsym.queries.answers import TooFew
from dpsym.queries.candidates import holds

_ONE = sp.Integer(1)


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
