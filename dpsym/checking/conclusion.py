"""Does a file prove the theorem that it names, and which others does it rest on?"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from dpsym import catalogue
from dpsym.catalogue import UnknownEntry
from dpsym.checking.ledger import is_certain
from dpsym.core.clocks import Work
from dpsym.core.notation import hockey_stick, renyi, trade_off
from dpsym.core.relations import ForAll, Proposition, Relation
from dpsym.deciding import Domain, EmptyDomain, decide
from dpsym.language import read_path
from dpsym.language.documents.derivation import Document
from dpsym.language.documents.hypotheses import conclusion, hypotheses

_SECONDS = Work(5)  # for one condition of a conclusion


def drift(proves: str, concluded: Proposition | None, conditions: tuple[Proposition, ...]) -> list[str]:
    """Where the file says something else than the theorem: its conclusion, or a condition that is not the theorem's.

    The conclusion has to be the theorem's, and the conditions may be no stronger.
    Names of the file's own range over an interval that is not empty, so that what does not mention them holds.
    """
    try:
        theorem = catalogue.look_up(proves, catalogue.provable(), "theorem")
    except UnknownEntry as error:
        return [str(error)]
    found = []
    given, stated = hypotheses(theorem), conclusion(theorem)
    if concluded is None:
        found.append(f"the file has no overall conclusion, so it does not prove {proves}")
    elif not _same(concluded, stated, given):
        found.append(f"the file concludes {concluded}, but {proves} says {stated}")
    own = _free_to_choose(given, stated, conditions)
    found += [
        f"the file assumes {condition}, which {proves} does not"
        for condition in conditions
        if condition not in own and not _follows(condition, given)
    ]
    return found


def _free_to_choose(
    given: tuple[Proposition, ...], stated: Relation | ForAll, conditions: tuple[Proposition, ...]
) -> set[Proposition]:
    """Conditions between numbers on names that the theorem does not have, where some values satisfy all of them."""
    spoken = stated.free_symbols.union(*(g.free_symbols for g in given))
    spoken |= set(stated.variables) if isinstance(stated, ForAll) else set()
    own = [c for c in conditions if not isinstance(c, ForAll) and not c.free_symbols & spoken]
    own = [c for c in own if c.free_symbols and not _speaks_of_outputs(c)]
    symbols = set().union(*(c.free_symbols for c in own))
    try:
        possible = next(iter(Domain(tuple(own)).points(symbols, most=1)), None) is not None
    except EmptyDomain:
        return set()
    return set(own) if possible else set()


def _follows(condition: Proposition, allowed: tuple[Proposition, ...]) -> bool:
    if condition in allowed:
        return True
    if not isinstance(condition, Relation) or condition.swapped in allowed:
        return isinstance(condition, Relation)
    return _decided(condition, allowed)


def _same(concluded: Proposition, stated: Proposition, allowed: tuple[Proposition, ...]) -> bool:
    wanted = stated.relation if isinstance(stated, ForAll) else stated
    if not isinstance(wanted, Relation):
        return False
    if not isinstance(concluded, Relation):
        return concluded == stated
    for given in (concluded, concluded.swapped):
        stronger = (given.op, wanted.op) in (("=", "<="), ("=", ">="), ("<", "<="), (">", ">="))
        if (given.op == wanted.op or stronger) and all(
            _equal(a, b, allowed) for a, b in ((given.lhs, wanted.lhs), (given.rhs, wanted.rhs))
        ):
            return True
    return False


def _equal(mine: object, stated: object, allowed: tuple[Proposition, ...]) -> bool:
    if mine == stated:
        return True
    for head in (renyi, hockey_stick, trade_off):
        if isinstance(mine, head) or isinstance(stated, head):
            return (
                isinstance(mine, head)
                and isinstance(stated, head)
                and all(_equal(a, b, allowed) for a, b in zip(mine.args, stated.args, strict=True))
            )
    return _decided(Relation(mine, "=", stated), allowed)


def _decided(relation: Relation, allowed: tuple[Proposition, ...]) -> bool:
    assume = [a for a in allowed if not isinstance(a, ForAll) and not _speaks_of_outputs(a)]
    try:
        return is_certain(decide(relation, assume, time_limit=_SECONDS))
    except EmptyDomain:
        return False


def _speaks_of_outputs(proposition: Proposition) -> bool:
    return isinstance(proposition, Relation) and any(
        side.has(renyi, hockey_stick, trade_off) for side in (proposition.lhs, proposition.rhs)
    )


# --- the theorems that are used
def used_by(document: Document) -> tuple[str, ...]:
    """The theorems that the document names as reasons."""
    reasons = (step.reason for chain in document.chains for step in chain.steps)
    return tuple(dict.fromkeys(r.theorem for r in reasons if r is not None and r.theorem is not None))


def lineage(names: Iterable[str]) -> set[str]:
    """The theorems, and those that their proofs as they stand use in their turn."""
    found: set[str] = set()
    pending = list(names)
    while pending:
        name = pending.pop()
        if name in found:
            continue
        found.add(name)
        theorem = catalogue.provable().get(name)
        file = None if theorem is None else catalogue.proof_of(theorem)
        pending += () if file is None else _used_in(file, file.stat().st_mtime_ns)
    return found


@lru_cache(maxsize=512)
def _used_in(file: Path, _: int) -> tuple[str, ...]:
    return used_by(read_path(file, strict=True))
