"""The strategies that prove, with no point to refute first: what a false relation must not get past."""

from __future__ import annotations

from collections.abc import Iterable

from dpsym.core.deadline import timed
from dpsym.deciding import Domain
from dpsym.deciding.definedness import Need, of_expression
from dpsym.deciding.strategies.strategy import Question, Yes, met, prove
from dpsym.language import read_claimed, read_declarations


def _read(relation: str, let: Iterable[str], assume: Iterable[str]) -> tuple[Question, tuple[Need, ...]]:
    declared = read_declarations(let, (), assume)
    reading = read_claimed(relation, declared)
    (read,) = reading.relations
    needed = (*reading.needs, *of_expression(read.lhs), *of_expression(read.rhs))
    return Question(read, Domain(declared.conditions)), tuple(dict.fromkeys(needed))


def proof(relation: str, let: Iterable[str], assume: Iterable[str], limit: float) -> Yes | None:
    """A proof of a relation in plain notation, and of what its operations require, also of those SymPy cancels."""
    asked, needed = _read(relation, let, assume)
    with timed(limit):
        found = prove(asked)
        return found if found is not None and met(needed, asked) is not None else None
