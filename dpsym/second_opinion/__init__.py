"""What is printed after a yes, read again and put to the test at points, with none of what has proved it.

The text is read by the plain grammar only.  Its syntax tree is evaluated as it stands, uncancelled, with balls and with
long floats: neither SymPy nor the canonical form nor the obligations come in between.  A statement that is undefined
or clearly false at a point of its own context is contradicted; agreement is no proof.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dpsym.language.errors import ReadingError
from dpsym.language.tree import Chain
from dpsym.second_opinion.arithmetic import Balls, Floats, Unable, Unclear, Undefined
from dpsym.second_opinion.context import Context, asserted, context_of
from dpsym.second_opinion.evaluation import Budget, Evaluator, Exhausted, Truth
from dpsym.second_opinion.points import Point, Sampler, connected

__all__ = ["Opinion", "Statement", "second_opinion"]

_BALLS, _FLOATS = Balls(), Floats()
_PRECISIONS = ((_BALLS, 128), (_BALLS, 320), (_BALLS, 2500))
_CONFIRMING = ((_FLOATS, 200), (_FLOATS, 300))
_ENOUGH = 3  # points: one could be the exception


@dataclass(frozen=True, slots=True)
class Statement:
    """A conclusion and its context in the plain notation; several relations between commas are all meant."""

    relation: str
    let: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    assume: tuple[str, ...] = ()
    case: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Opinion:
    """At how many points the statement held, at how many it could not be told, and a point against it.

    `agreed` counts those at which both sides agree to 30 digits, too (fewer where they were estimated): of the
    points that agreed, these are `near`.
    """

    agreed: int
    undecided: int
    against: Mapping[str, str] | None
    why: str
    near: int = 0
    closed: bool = False  # without variables

    @property
    def obtained(self) -> bool:
        """Whether enough points were evaluated: three, or one where there are no variables."""
        return self.against is not None or self.agreed >= (1 if self.closed else _ENOUGH)


class _Contradicted(Exception):
    """The statement is undefined or false here."""


def second_opinion(statement: Statement, *, points: int = 12, work: int = 60_000, seed: int = 0) -> Opinion:
    """The statement at points of its context, with at most so much work; never raises for what is written."""
    try:
        return _opinion(statement, points, work, seed)
    except (ReadingError, Unable, Unclear, Undefined) as error:
        return Opinion(0, 0, None, f"not evaluated: {error}")
    except Exhausted:
        return Opinion(0, 0, None, "not evaluated: too much work")
    except Exception as error:  # noqa: BLE001 - a second opinion must not stop the first
        return Opinion(0, 0, None, f"not evaluated: {type(error).__name__}: {error}")


def _opinion(statement: Statement, points: int, work: int, seed: int) -> Opinion:
    assertions = asserted(statement.relation)
    found = []
    for assertion in assertions:
        context = context_of(statement.let, statement.where, statement.assume, statement.case, statement.chosen)
        context.assume(assertion.premises)
        found.append(_of_assertion(context, assertion.conclusions, points, work // len(assertions), seed))
        if found[-1].against is not None:
            return found[-1]
    return min(found, key=lambda opinion: opinion.agreed)


def _of_assertion(context: Context, claims: tuple[Chain, ...], points: int, work: int, seed: int) -> Opinion:
    names = {name for claim in claims for name in context.mentioned(claim)}
    conditions, names, partly = connected(context, names)
    sampler = Sampler(context, conditions, names, seed)
    closed = sampler.closed
    agreed = undecided = near = 0
    why = ""
    budget = Budget(work)
    candidates = sampler.points(_BALLS, Budget(work))
    try:
        while agreed + undecided < points:
            with _BALLS.precision(_PRECISIONS[0][1]):
                point = next(candidates, None)
            if point is None:
                break
            share = Budget(min(budget.left, max(work // 3, 1)))
            before = share.left
            try:
                held = _at(context, point, claims, share)
                agreed += 1
                near += held is Truth.NEAR
            except Unclear as error:
                undecided += 1
                why = why or f"cannot be told: {error}"
            except Exhausted:
                if share.left < 0 and budget.left <= work // 3:
                    raise
                undecided += 1
            except _Contradicted as contradiction:
                if not partly and _confirmed(context, point, claims, work):
                    shown = {name: str(value) for name, value in point.items()}
                    return Opinion(agreed, undecided, shown, str(contradiction), near, closed)
                undecided += 1
                reason = "a condition is not evaluated, without which" if partly else "not confirmed"
                why = why or f"{reason}: {contradiction}"
            budget.spend(before - max(share.left, 0))
    except Exhausted:
        why = why or "the work allowed is done"
    if not agreed + undecided:
        why = why or "no point of the context was found"
    return Opinion(agreed, undecided, None, why, near, closed)


def _at(context: Context, point: Point, claims: tuple[Chain, ...], budget: Budget) -> Truth:
    """How the claims hold at the point.

    Raises:
        _Contradicted, Unclear, Unable, Exhausted.
    """
    unclear: Unclear | None = None
    for numbers, bits in _PRECISIONS:
        evaluator = Evaluator(context, point, numbers, budget)
        try:
            with numbers.precision(bits):
                return _once(evaluator, claims)
        except Unclear as error:
            unclear = error
            if evaluator.rough:  # an estimate does not gain by more digits
                break
    raise unclear or Unclear("")


def _once(at: Evaluator, claims: tuple[Chain, ...]) -> Truth:
    found = Truth.TRUE
    unclear: Unclear | Unable | None = None
    for claim in claims:
        try:
            truth, shown = at.truth(claim, {})
        except Undefined as error:
            raise _Contradicted(str(error)) from None
        except (Unclear, Unable) as error:  # another may be false
            unclear = error
            continue
        if truth is Truth.FALSE:
            raise _Contradicted(shown)
        found = truth if found is Truth.TRUE else found
    if unclear is not None:
        raise unclear
    return found


def _confirmed(context: Context, point: Point, claims: tuple[Chain, ...], work: int) -> bool:
    """Whether the other kind of number says the same at two precisions; where it cannot, balls at two more do."""
    said = [_contradicts(Evaluator(context, point, n, Budget(work)), claims, bits) for n, bits in _CONFIRMING]
    if None not in said:
        return all(said)
    if False in said:
        return False
    for bits in (256, 512):
        evaluator = Evaluator(context, point, _BALLS, Budget(work))
        if not _contradicts(evaluator, claims, bits) or evaluator.rough:
            return False
    return True


def _contradicts(at: Evaluator, claims: tuple[Chain, ...], bits: int) -> bool | None:
    """None where it cannot be told."""
    try:
        with at.numbers.precision(bits):
            _once(at, claims)
    except _Contradicted:
        return True
    except (Unclear, Unable, Exhausted):
        return None
    return False
