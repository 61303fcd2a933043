"""What a lemma is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import sympy as sp

from dpsym.core.relations import Relation


@dataclass(frozen=True, slots=True)
class Change:
    """Other variables, in which a lemma is proved: what the lemma's own are in them, and the way back.

    Wherever the lemma's conditions hold, `back` gives values that satisfy `where`, and `to` of these the old ones.
    """

    to: Mapping[sp.Symbol, sp.Expr]
    back: Mapping[sp.Symbol, sp.Expr]
    where: tuple[Relation, ...]


@dataclass(frozen=True, slots=True)
class Lemma:
    """`relation` wherever the conditions `where` hold; its left side is the pattern that is looked for.

    Each lemma is a step of a file in `proofs/lemmas`, in its own variables or after the `change`.

    Raises:
        ValueError: when the left side does not mention every variable, or the relation is not `<=` or `>=`.
    """

    id: str
    relation: Relation
    where: tuple[Relation, ...] = ()
    name: str = ""  # as the field calls it
    change: Change | None = None

    def __post_init__(self) -> None:
        if self.relation.op not in ("<=", ">="):
            raise ValueError(f"{self.id}: {self.relation.op} is not <= or >=")
        mentioned = self.relation.free_symbols.union(*(c.free_symbols for c in self.where))
        if mentioned != self.variables:
            raise ValueError(f"{self.id}: {self.relation.lhs} does not mention {mentioned - self.variables}")

    @property
    def variables(self) -> set[sp.Symbol]:
        """The symbols that stand for any expression."""
        return self.relation.lhs.free_symbols
