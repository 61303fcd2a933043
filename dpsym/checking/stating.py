"""Does a file prove the theorem that it names?  Its conclusion and conditions against the theorem object."""

from __future__ import annotations

from dpsym import catalogue
from dpsym.catalogue import UnknownEntry
from dpsym.checking.applying import statements
from dpsym.checking.results import is_certain
from dpsym.deciding import EmptyDomain, decide
from dpsym.notation import hockey_stick, renyi, trade_off
from dpsym.relations import ForAll, Proposition, Relation
from dpsym.statements import Theorem

_SECONDS = 2.0


def drift(proves: str, conclusion: Relation | None, conditions: tuple[Proposition, ...]) -> list[str]:
    """Where the file says something else than the theorem: its conclusion, or a condition that is not the theorem's."""
    try:
        theorem = catalogue.look_up(proves, catalogue.theorems(), "theorem")
    except UnknownEntry as error:
        return [str(error)]
    found = []
    allowed = _given(theorem)
    if conclusion is None:
        found.append(f"the file has no overall conclusion, so it does not prove {proves}")
    elif not any(_same(conclusion, s, allowed) for s in statements(theorem.conclusion)):
        wanted = "; ".join(map(str, statements(theorem.conclusion)))
        found.append(f"the file concludes {conclusion}, but {proves} says {wanted}")
    found += [
        f"the file assumes {condition}, which {proves} does not"
        for condition in conditions
        if not _follows(condition, allowed)
    ]
    return found


def _given(theorem: Theorem) -> tuple[Proposition, ...]:
    """What the theorem lets a proof use: its premises, its conditions, the domains, the conclusion's quantifiers."""
    given: list[Proposition] = [s for p in theorem.premises for s in statements(p)]
    given += theorem.conditions
    given += [c for p in theorem.premises for c in p.domain]
    given += [c for s in statements(theorem.conclusion) if isinstance(s, ForAll) for c in s.conditions]
    return tuple(dict.fromkeys(given))


def _follows(condition: Proposition, allowed: tuple[Proposition, ...]) -> bool:
    if condition in allowed:
        return True
    if not isinstance(condition, Relation) or condition.swapped in allowed:
        return isinstance(condition, Relation)
    return _decided(condition, allowed)


def _same(conclusion: Relation, stated: Proposition, allowed: tuple[Proposition, ...]) -> bool:
    wanted = stated.relation if isinstance(stated, ForAll) else stated
    if not isinstance(wanted, Relation):
        return False
    for given in (conclusion, conclusion.swapped):
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
