"""What fails at a point: refuted where everything in it is declared, and else `fails`, with what keeps it from that."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from dpsym.checking.results import OPEN, StepResult, is_definition
from dpsym.checking.satisfiable import can_hold
from dpsym.core.clocks import Work
from dpsym.core.families import MARK, UPTO
from dpsym.core.relations import Proposition
from dpsym.core.verdicts import Verdict
from dpsym.deciding.timeout import briefly
from dpsym.language.documents.derivation import Document, Stated, WrittenChain, names_in
from dpsym.language.documents.stated import letters_of

_TOLD = 2  # reasons that are told one by one
_SECONDS = Work(0.5)  # for one relation between numbers
_CONDITIONS = Work(2)  # to find a point of a case


def told_apart(
    results: Sequence[StepResult], chains: Sequence[WrittenChain], document: Document, unused: Sequence[Stated]
) -> list[StepResult]:
    """The results of all steps; of those that fail at a point every one is refuted, fails, or is open.

    It is open where a quantity of which only laws are known has a value there that may not be possible, and where the
    step only says what a new name stands for.  `unused` is what the prose says of names and is not declared.
    """
    supposing = [
        (chain.around.start, result.step.where, result.step.names(chain.abbreviations))
        for result, chain in zip(results, chains, strict=True)
        if chain.around is not None and _supposes(result, chain)
    ]
    found = list[StepResult]()
    for result, chain in zip(results, chains, strict=True):
        one = result
        if is_definition(result) and not result.step.unread:
            one = _opened(result, f"it says what {result.step.defines} stands for; nothing rests on it")
        elif result.decision.verdict is Verdict.REFUTED:
            until = 0 if chain.around is None else chain.around.until
            supposed = {where: names for start, where, names in supposing if start <= until}
            one = _told(result, chain, document, unused, supposed)
        found.append(one)
    return found


def _opened(result: StepResult, why: str) -> StepResult:
    return replace(result, decision=replace(OPEN, why=why, seconds=result.decision.seconds), suggestion=None)


def _told(
    result: StepResult, chain: WrittenChain, document: Document, unused: Sequence[Stated],
    supposed: Mapping[str, frozenset[str]],
) -> StepResult:  # fmt: skip
    decision, step = result.decision, result.step
    point = {} if decision.witness is None else dict(decision.witness.point)
    names = step.names(chain.abbreviations)
    unsure = [
        name for name in point
        if re.sub(r"\[.*\]$", MARK, name) in names & document.opaque.keys() or name.endswith(UPTO)
    ]  # fmt: skip
    where = _at({name: v for name, v in point.items() if name in names or name in unsure} if unsure else point)
    if unsure:
        return _opened(result, f"false{where}, if that is possible: nothing declares {', '.join(unsure)}")
    reasons = tuple(dict.fromkeys(_unknown(result, chain, document, unused, supposed, point)))
    if not reasons:
        return result
    more = [f"{len(reasons) - _TOLD} more reasons (--json has them)"] if len(reasons) > _TOLD + 1 else reasons[_TOLD:]
    why = f"fails as read{where}; no refutation, as {'; '.join((*reasons[:_TOLD], *more))}"
    return replace(result, decision=replace(decision, verdict=Verdict.FAILS, why=why), not_refuted=reasons)


@lru_cache(maxsize=256)  # the same is asked of every step of a section
def has_a_point(conditions: tuple[Proposition, ...]) -> bool:
    """Whether a point was found at which all of them hold."""
    return briefly(_CONDITIONS, lambda: can_hold(conditions), False)


def _at(point: Mapping[str, Fraction | int]) -> str:
    return f" at {', '.join(f'{name} = {value}' for name, value in point.items())}" if point else ""


def _unknown(
    result: StepResult, chain: WrittenChain, document: Document, unused: Sequence[Stated],
    supposed: Mapping[str, frozenset[str]], point: Mapping[str, Fraction | int],
) -> Iterator[str]:  # fmt: skip
    """What keeps a step that fails from being refuted: what nobody declared, and what may restrict it."""
    step, names = result.step, result.step.names(chain.abbreviations)
    if result.guesses:
        yield f"nobody declared {', '.join(map(str, result.guesses))}"
    for guess in document.unconfirmed:
        if guess not in result.guesses and names.intersection(names_in(guess.declaration, {})):
            yield f"nobody confirmed {guess}"
    if step.lost:
        yield step.lost
    if chain.case is not None and not has_a_point((*document.conditions, *chain.case.relations)):
        yield f"no point was found with {chain.case}"
    yield from (f"{other.where}, in the same display, was not read" for other in chain.steps if other.unread)
    yield from (
        f"{where} supposes or defines something of the same names"
        for where, others in supposed.items()
        if names & others
    )
    letters = letters_of(names)
    for said in unused:
        before = said.place < chain.around.until if chain.around is not None else said.line <= step.line
        if before and (said.letters & letters or "" in said.letters):
            yield f"the text says '{said.text}' (line {said.line}), which is not used"


def _supposes(result: StepResult, chain: WrittenChain) -> bool:
    """Whether the words before a display make it an assumption, or a definition; what continues it is a claim."""
    step, role = result.step, None if chain.around is None else chain.around.role
    if role is None or step.unread or step.continues or result.decision.verdict in (Verdict.PROVED, Verdict.CERTIFIED):
        return False
    return role.supposes(equation=[r.op for r in step.claim] == ["="])
