"""What a claim takes for granted: that what nobody evaluates has a value; whether its hypotheses exclude each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import TYPE_CHECKING

from flint import ctx, fmpq

from dpsym.verifying import Rejected
from dpsym.verifying.proofs.expressions import (
    BINDERS,
    CONTRARY,
    DIVERGENCES,
    Expression,
    Statement,
    ball,
    canonical,
    is_opaque,
    names,
    needs,
    needs_of,
    replaced,
    written,
)

if TYPE_CHECKING:
    from dpsym.verifying.proofs.replaying import Replay

_LAWS = {"E": (3,), "esssup": (1,), "essinf": (1,), "privacy_loss": (1, 2)} | dict.fromkeys(DIVERGENCES, (2, 3))
_SHOWN = frozenset({*BINDERS, *DIVERGENCES, "open", "closed", "Lambda"})  # no numbers, or a line shows their value
_SIDES = {"=": "0", "!=": "-+", "<": "-", "<=": "-0", ">": "+", ">=": "0+"}
_TRIED = [fmpq(n, 4) for n in range(-40, 41)] + [fmpq(side * 10**n) for n in (2, 4, 8) for side in (-1, 1)]
_POINTS, _ENOUGH = 1000, 5  # tried; that meet the hypotheses, before it is said of all of them


def granted(replay: Replay, context: int, claim: Statement) -> list[str]:
    """What is supposed beside the hypotheses of a claim.

    Raises:
        Rejected: where something in it was seen to have no value at any of the points that were tried.
    """
    hypotheses = replay.hypotheses(context)
    told = {canonical(e) for h in hypotheses for e in _opaque(h.left, h.right)}
    found = []
    for e in dict.fromkeys(_opaque(claim.left, claim.right)):
        if e[0] not in BINDERS and _is_nowhere(e, hypotheses):
            raise Rejected(f"{written(e)} has no value at any point that was tried")
        if e[0] == "privacy_loss":
            found.append(f"{written(e)} is finite")
        elif e[0] not in _SHOWN and canonical(e) not in told:
            found.append(f"{written(e)} has a value")
    return found


def contradict(replay: Replay, context: int) -> bool:
    """Whether the hypotheses of a context without parent were seen to exclude each other."""
    known = [*replay.hypotheses(context), *(line.statement for line in replay.lines if line.context == context)]
    known += [one[0][0] for h in replay.hypotheses(context) for one in needs_of(h) if len(one) == len(one[0]) == 1]
    return any(map(replay.is_false, known)) or any(map(_exclude, replay.contexts[context].signs.values()))


def _exclude(ops: Iterable[str]) -> bool:
    """Whether no number stands in all of these relations to 0."""
    return not frozenset("-0+").intersection(*(_SIDES[op] for op in ops))


def _opaque(*sides: Expression, law: bool = False) -> Iterator[Expression]:
    """All that is opaque, also inside of it, but for laws, which are no numbers."""
    for e in sides:
        if isinstance(e, tuple):
            if is_opaque(e) and (not law or e[0] == "privacy_loss"):
                yield e
            for i, inner in enumerate(e[1:], 1):
                yield from _opaque(inner, law=i in _LAWS.get(e[0], ()))


def _inner_needs(e: Expression) -> Iterator[tuple[tuple[Statement, ...], ...]]:
    """What all that stands inside of it needs, where names that are bound are names as others."""
    for inner in e[1:]:
        yield from needs(inner)
        for further in _opaque(inner):
            yield from _inner_needs(further)


def _is_nowhere(e: Expression, hypotheses: list[Statement]) -> bool:
    """Whether it was seen to have no value at enough points that meet the hypotheses, and at none a value."""
    needed = list(dict.fromkeys(_inner_needs(e)))
    spoken = sorted(names(e).union(*(names(h.left) | names(h.right) for h in hypotheses)))
    chance, without = Random(0), 0  # noqa: S311 - the same points each time, and no secret
    with ctx.workprec(128):
        for _ in range(_POINTS if needed else 0):
            point = {x: chance.choice(_TRIED) for x in spoken}
            if not any(_fails(h, point) for h in hypotheses):
                if all(any(not any(_fails(s, point) for s in group) for group in one) for one in needed):
                    return False
                without += 1
    return without >= _ENOUGH


def _fails(s: Statement, point: dict[str, fmpq]) -> bool:
    """Whether a statement is seen to be false at a point."""
    if s.op not in CONTRARY:
        return False
    try:
        at = replaced(s, point)
        d = ball(at.left) - ball(at.right)
    except Rejected:
        return False
    held = {"=": d == 0, "!=": d != 0, "<": d < 0, "<=": d <= 0, ">": d > 0, ">=": d >= 0}
    return bool(held[CONTRARY[s.op]])
