"""The answers of the engine: an expression with the conditions under which it is the divergence."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from dpsym.core.plain_printer import Worded
from dpsym.core.relations import Proposition


class NoClosedForm(Worded, ArithmeticError):
    """No rule for this shape, or a question of order that could not be settled; the message says which."""


@dataclass(frozen=True, slots=True)
class ClosedForm:
    """`expression` is the divergence wherever the assumptions it was asked under and `conditions` hold.

    `oo` is an answer, not a failure.
    """

    expression: sp.Expr
    conditions: tuple[Proposition, ...] = ()
    rests_on: tuple[str, ...] = ()  # lemmas beyond integration, e.g. "Lemma 1"

    def __str__(self) -> str:
        given = f"  where {', '.join(map(str, self.conditions))}" if self.conditions else ""
        return f"{self.expression}{given}"
