"""The rungs that prove, with no point to refute first: what a false relation must not get past."""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from dpsym.clock import now
from dpsym.deciding import Domain
from dpsym.deciding.obligations import of_operations
from dpsym.deciding.rungs import Question, Yes, prove
from dpsym.reading import read_declaration, read_relations
from dpsym.relations import IsInteger, Proposition


def question(relation: str, let: Iterable[str], assume: Iterable[str], limit: float) -> Question:
    """A relation in plain notation, as the rungs are asked it."""
    names: dict[str, sp.Expr] = {}
    conditions: list[Proposition] = []
    for text in let:
        symbols, found = read_declaration(text)
        names |= {s.name: s for s in symbols}
        conditions += found
    for text in assume:
        conditions += read_relations(text, names).relations
    return Question(read_relations(relation, names).relations[0], Domain(tuple(conditions)), now() + limit)


def proof(relation: str, let: Iterable[str], assume: Iterable[str], limit: float) -> Yes | None:
    """A proof of a relation in plain notation, and of what its operations require, also of those SymPy cancels."""
    asked = question(relation, let, assume, limit)
    found = prove(asked)
    if found is None:
        return None
    integers = {c.expression for c in asked.domain.assume if isinstance(c, IsInteger)}
    duties = of_operations(read_relations(relation, {s.name: s for s in asked.domain.bounds}).operations, integers)
    return found if all(asked.ask(duty) is not None for duty in duties) else None
