"""A claim as a user writes it, with its declarations: relations, or `MECHANISM satisfies GUARANTEE`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import sympy as sp

from dpsym.core.relations import TRUE, Proposition
from dpsym.core.verdicts import Decision, Verdict, weakest
from dpsym.deciding import decide
from dpsym.deciding.definedness import Need
from dpsym.language import (
    Declared,
    Reading,
    ReadingError,
    read_claimed,
    read_declarations,
    read_relations,
)
from dpsym.language.documents.declarations import declarations
from dpsym.second_opinion import Statement

if TYPE_CHECKING:
    from concurrent.futures import Executor


@dataclass(frozen=True, slots=True)
class WrittenClaim:
    """Something to decide, and how it was read."""

    text: str
    decide: Callable[..., Decision]  # of the time limit, and an executor for the parts of a branch and bound
    relations: tuple[Proposition, ...] = ()  # what is claimed, where it is no mechanism's guarantee
    conditions: tuple[Proposition, ...] = ()
    statement: Statement | None = None  # the claim and its declarations, for a second opinion


def read_claim(
    claim: str, *, let: Iterable[str] = (), where: Iterable[str] = (), assume: Iterable[str] = ()
) -> WrittenClaim:
    """The claim under its declarations; `where` abbreviations are expanded in order.

    Raises:
        ReadingError: what, where, what was expected.
        EmptyDomain: when no point satisfies the conditions.
    """
    subject, wanted = _split(claim)
    if wanted is not None:
        return _satisfaction(claim, subject, wanted, read_declarations(let, where), assume)
    declared = read_declarations(let, where, assume)
    conditions = declared.conditions
    reading = read_claimed(claim, declared)
    return WrittenClaim(
        " and ".join(map(str, reading.relations)),
        lambda limit, executor=None: _chain(reading, conditions, limit, executor),
        reading.relations,
        conditions,
        _statement(reading, declared) if reading.text else None,
    )


def _statement(reading: Reading, declared: Declared) -> Statement:
    said = declarations(
        declared.names, declared.kinds, declared.conditions, declared.assumed, declared.abbreviations
    )  # fmt: skip
    return Statement(reading.text, said["let"], said["where"], said["assume"])


def _split(claim: str) -> tuple[str, str | None]:
    parts = re.split(r"(?<![\w'])satisfies(?![\w'])", claim)
    if len(parts) == 1:
        return claim, None
    if len(parts) > 2:
        raise ReadingError("'satisfies' stands twice; write MECHANISM satisfies GUARANTEE")
    return parts[0], parts[1]


def _satisfaction(
    claim: str,
    subject: str,
    wanted: str,
    declared: Declared,
    assume: Iterable[str],
) -> WrittenClaim:
    from dpsym.language import read_goal, read_source
    from dpsym.satisfying import claimed_domain, satisfies
    from dpsym.statements import Guarantee

    names, conditions = declared.names, declared.conditions
    needs: list[Need] = []
    source = read_source(subject, needs=needs)
    if isinstance(source, Guarantee):
        raise ReadingError(f"{subject.strip()!r} is a guarantee; 'satisfies' speaks of a mechanism")
    guarantee = read_goal(wanted, needs)
    if not isinstance(guarantee, Guarantee):
        raise ReadingError(f"{wanted.strip()!r} lacks parameters; write a complete guarantee, e.g. zcdp(1/2)")
    abbreviations = {sp.Symbol(n): e for n, e in names.items() if sp.Symbol(n) != e}
    used = [s.name for s in guarantee.free_symbols if s in abbreviations]
    guarantee = guarantee.subs(abbreviations)
    needed = (*(n.subs(abbreviations) for n in needs), *(n for name in used for n in declared.carried.get(name, ())))
    own = claimed_domain(source, guarantee)
    known = {s.name: s for s in set().union(*(c.free_symbols for c in own))} | dict(names)
    stray = {s.name for s in guarantee.free_symbols} - set(known)
    if stray:
        raise ReadingError(f"{min(stray)} is neither a parameter nor declared; declare it with --let")
    for text in assume:
        conditions += read_relations(text, known).relations
    return WrittenClaim(
        claim.strip(),
        lambda limit, executor=None: _defined(
            satisfies(source, guarantee, assume=own + conditions, time_limit=limit), needed, own + conditions, limit
        ),
    )


def _defined(
    found: Decision, needs: tuple[Need, ...], conditions: tuple[Proposition, ...], time_limit: float
) -> Decision:
    """A yes counts only where everything that was written has a value."""
    if not needs or found.verdict not in (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED):
        return found
    return weakest([found, decide(TRUE, conditions, needs=needs, time_limit=time_limit)])


def _chain(
    reading: Reading,
    conditions: tuple[Proposition, ...],
    time_limit: float,
    executor: Executor | None,
) -> Decision:
    """The weakest of the relations' decisions: a chain holds where each of its links does."""
    decisions = []
    for relation in reading.relations:
        decision = decide(relation, conditions, needs=reading.needs, time_limit=time_limit, executor=executor)
        if len(reading.relations) > 1:
            decision = replace(decision, why=f"{relation}: {decision.why}")
        decisions.append(decision)
    return replace(weakest(decisions), seconds=sum(d.seconds for d in decisions))
