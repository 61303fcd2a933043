"""The rungs that prove, with no point to refute first: what a false relation must not get past."""

from __future__ import annotations

import time
from collections.abc import Iterable

from dpsym.deciding import Domain
from dpsym.deciding.obligations import of_operations
from dpsym.deciding.rungs import Question, Yes, prove
from dpsym.proving import declared
from dpsym.reading import read_relations
from dpsym.relations import IsInteger


def proof(relation: str, let: Iterable[str], assume: Iterable[str], limit: float) -> Yes | None:
    """A proof of a relation in plain notation, and of what its operations require, also of those SymPy cancels."""
    names, conditions, operations = declared(let, ())
    for text in assume:
        conditions += read_relations(text, names).relations
    reading = read_relations(relation, names)
    integers = {c.expression for c in conditions if isinstance(c, IsInteger)}
    question = Question(reading.relations[0], Domain(conditions), time.monotonic() + limit)
    found = prove(question)
    duties = of_operations((*operations, *reading.operations), integers) if found is not None else ()
    return found if all(question.ask(duty) is not None for duty in duties) else None
