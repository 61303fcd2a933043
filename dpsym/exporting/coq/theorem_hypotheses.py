"""What a theorem supposes of quantities such as divergences, beside the conditions that a derivation declares."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any

from flint import arb, fmpq

from dpsym.exporting.coq.known import premise
from dpsym.exporting.coq.lines import Head
from dpsym.exporting.coq.terms import name, opaque
from dpsym.exporting.coq.witnesses import put
from dpsym.verifying import Malformed, Rejected, verify
from dpsym.verifying.proofs.expressions import SWAPPED, Expression, Statement, ball, is_opaque, parts, said, statement
from dpsym.verifying.proofs.replaying import IMPLIED, Replay

_SHIFTS = (fmpq(0), fmpq(1, 7), fmpq(1), fmpq(3, 2))
_NEAR = arb("1e-9")


def supposed(head: Head, declared: Sequence[str]) -> tuple[str, ...]:
    """The premises of a theorem that the derivation does not declare."""
    own = {premise(statement(one)) for one in declared}
    return tuple(found for one in head.given if (found := premise(one)) not in own)


def assumed_itself(data: dict[str, Any], declared: Sequence[str]) -> str:
    """A hypothesis that says what a certificate claims, or a multiple of it; empty where there is none.

    A condition that the derivation declares may be what a step says: the reader sees it there.  What is supposed of a
    quantity may not, also where both sides were multiplied by something else, which is tried at points.
    """
    claim, own = claimed(data), [statement(one) for one in declared]
    replay = Replay()
    for h in map(statement, data["contexts"][0][1]):
        if "in" in (claim.op, h.op) or h in own or (is_general(h) and not is_general(claim)):
            continue
        shared = (_quantities(claim) & _quantities(h)) - frozenset[Expression]().union(*map(_quantities, own))
        if _implies(replay, h, claim) or any(_same_root(claim, h, q) for q in shared):
            return said(h)
    return ""


def claimed(data: dict[str, Any]) -> Statement:
    """The relation that a certificate is of, the last of what it claims."""
    return statement(data["lines"][data.get("claims", [-1])[-1]][1])


def is_general(s: Statement) -> bool:
    """Whether it bounds one quantity, or one name, by a number: such as that no divergence is negative."""
    sides = sorted((s.left, s.right), key=lambda e: isinstance(e, fmpq))
    return s.op != "in" and isinstance(sides[1], fmpq) and (is_opaque(sides[0]) or isinstance(sides[0], str))


def facts_as_premises(data: dict[str, Any], library: Container[str]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The same proof with what it takes from facts that are not in the library as hypotheses, and these.

    Such a fact is about quantities that are variables for Coq, divergences: it can only be supposed.
    """
    contexts, lines = [(parent, list(given)) for parent, given in data["contexts"]], list[Any]()
    before = len(contexts[0][1])
    for context, said_, rule, *arguments in data["lines"]:
        if rule == "lemma" and arguments[0] not in library and _speaks_of_quantities(statement(said_)):
            root = context
            while contexts[root][0] is not None:
                root = contexts[root][0]
            for known in {id(given): given for given in (contexts[0][1], contexts[root][1])}.values():
                if said_ not in known:
                    known.append(said_)
            lines.append([context, said_, "known"])
        else:
            lines.append([context, said_, rule, *arguments])
    facts = tuple(contexts[0][1][before:])
    if not facts:
        return data, ()
    found = {**data, "contexts": [list(one) for one in contexts], "lines": lines}
    verify(found)
    return found, facts


def _speaks_of_quantities(s: Statement) -> bool:
    return any(map(is_opaque, _quantities(s)))


def without_unused(data: dict[str, Any], declared: Sequence[str]) -> dict[str, Any]:
    """The same proof under those of the undeclared hypotheses alone that it uses."""
    own = [statement(one) for one in declared]
    for hypothesis in list(data["contexts"][0][1]):
        if statement(hypothesis) in own:
            continue
        (parent, hypotheses), *others = data["contexts"]
        less = {**data, "contexts": [[parent, [h for h in hypotheses if h != hypothesis]], *others]}
        try:
            verify(less)
        except (Malformed, Rejected):
            continue
        data = less
    return data


def is_same(one: Statement, other: Statement) -> bool:
    """Whether two relations have one normal form, up to a number as a factor."""
    replay = Replay()
    trivial = [replay.difference(s.left, s.right).above.is_zero() for s in (one, other)]
    if any(trivial):
        return all(trivial) and one.op == other.op
    return _implies(replay, one, other) and _implies(replay, other, one)


def _implies(replay: Replay, h: Statement, claim: Statement) -> bool:
    """Whether they differ by a number as a factor, and what is known of one gives the other."""
    (key, turned), (claimed_as, other_way) = (replay.key(s.left, s.right) for s in (h, claim))
    op = h.op if turned == other_way else SWAPPED[h.op]
    return key is not None and key == claimed_as and op in IMPLIED[claim.op]


def _quantities(s: Statement) -> frozenset[Expression]:
    """Names and opaque quantities."""
    return frozenset(p for side in s.sides for p in parts(side) if is_opaque(p) or (isinstance(p, str) and p != "pi"))


def _same_root(claim: Statement, h: Statement, q: Expression) -> bool:
    """Whether both are linear in a quantity, and are equations at the same value of it, at points of the others."""
    others, seen = sorted(_quantities(claim) | _quantities(h), key=str), 0
    for shift in _SHIFTS:
        at = {key(other): shift + fmpq(i + 1, len(others) + 3) for i, other in enumerate(others)}
        try:
            roots = _root(claim, q, at), _root(h, q, at)
        except (Rejected, ZeroDivisionError, ValueError):
            continue
        if any(a is None or b is None or not abs(a - b) < _NEAR for a, b in [roots]):
            return False
        seen += 1
    return seen > 1


def _root(s: Statement, q: Expression, at: dict[str, Expression]) -> arb | None:
    values = []
    for value in (fmpq(0), fmpq(1), fmpq(3)):
        there = {**at, key(q): value}
        values.append(ball(put(s.left, there)) - ball(put(s.right, there)))
    zero, one, three = values
    slope = one - zero
    return -zero / slope if abs(three - zero - 3 * slope) < _NEAR and abs(slope) > _NEAR else None


def key(q: Expression) -> str:
    """The variable that it is for Coq."""
    return opaque(q) if is_opaque(q) else name(q)
