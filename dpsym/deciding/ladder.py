"""The rungs that prove, strongest first."""

from __future__ import annotations

from functools import wraps

from dpsym.deciding import cases, certified, conditions, exact, expectations, first_values, monotone, scaling
from dpsym.deciding.calculus import RUNGS as CALCULUS
from dpsym.deciding.calculus import convergence
from dpsym.deciding.lemmas import bounding
from dpsym.deciding.rungs import Question, Rung, Yes, weakest


def _where_heads_have_values(rung: Rung) -> Rung:
    """The rung, asked also whether what it may have cancelled converges."""

    @wraps(rung)
    def both(question: Question) -> Yes | None:
        found = rung(question)
        values = None if found is None else convergence.of_heads(question)
        return None if found is None or values is None else weakest([found, *values])

    return both


EXACT: tuple[Rung, ...] = (_where_heads_have_values(exact.prove),)
REST: tuple[Rung, ...] = (
    *CALCULUS,
    conditions.prove,
    cases.prove,
    first_values.prove,
    *map(
        _where_heads_have_values, (expectations.prove, scaling.prove, monotone.prove, bounding.prove, certified.prove)
    ),
)
