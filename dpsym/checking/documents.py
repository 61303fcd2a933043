"""A whole document checked: each step alone first, then with what was shown before it; and what the whole says."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from dpsym.checking.cache import Cache
from dpsym.checking.equations import is_equation, without
from dpsym.checking.results import (
    NOT_REACHED,
    STOPPED,
    ChainResult,
    Report,
    StepResult,
    conclusion_of,
    is_certain,
)
from dpsym.checking.stating import drift, exhaustive
from dpsym.checking.steps import Task, check_step
from dpsym.checking.workers import run
from dpsym.clock import now
from dpsym.deciding import Domain
from dpsym.deciding.stopping import within
from dpsym.notation import hockey_stick, renyi, trade_off
from dpsym.reading.written import Document, WrittenStep
from dpsym.relations import IsInteger, Proposition, Relation
from dpsym.verdicts import Verdict

_CONDITIONS = 3.0  # seconds to find a point that satisfies them


def check_document(
    document: Document,
    *,
    file: str = "",
    time_limit: float = 10.0,
    file_time_limit: float | None = None,
    jobs: int | None = None,
    cache: Cache | None = None,
    suggest: bool = True,
    telling: Callable[[str], None] = lambda words: None,
) -> Report:
    """Every step of the document decided under its declarations, and what the chains conclude.

    Args:
        time_limit: for one step, in seconds.
        file_time_limit: for all of them; what is not reached is open.
        jobs: that many worker processes, which are stopped when they exceed their time; None: in this process.
        cache: results of earlier checks; what was undecided is never taken from it.
        suggest: whether to look for what would make a refuted step true.
        telling: is told how far it got, now and then.

    An interruption (KeyboardInterrupt) ends the check; the report has what was found until then.

    Raises:
        EmptyDomain: when no point satisfies the declared conditions.
    """
    started = time.monotonic()
    Domain(document.conditions)
    steps = [step for chain in document.chains for step in chain.steps]
    operations = [document.operations if number == 0 else () for number in range(len(steps))]
    cases = [chain.case for chain in document.chains for _ in chain.steps]
    tasks = [
        Task(
            step,
            (*document.conditions, *case),
            time_limit,
            written,
            suggest=suggest,
            distributions=document.distributions,
        )
        for step, written, case in zip(steps, operations, cases, strict=True)
    ]
    found: list[StepResult | None] = [None] * len(steps)
    runner = _Runner(jobs, cache, None if file_time_limit is None else started + file_time_limit, telling)
    interrupted = False
    try:
        runner.run(tasks, range(len(tasks)), found)
        _again(tasks, cases, document.conditions, found, runner)
    except KeyboardInterrupt:
        interrupted = True
    results = [f or StepResult(s, NOT_REACHED) for f, s in zip(found, steps, strict=True)]
    return _report(document, file, results, interrupted or runner.late, time.monotonic() - started)


Case: TypeAlias = tuple[Relation, ...]  # what is assumed in it; nothing outside of cases


class _Runner:
    """Tasks to results, from the cache, in this process or in others."""

    def __init__(
        self, jobs: int | None, cache: Cache | None, until: float | None, telling: Callable[[str], None]
    ) -> None:
        self.jobs, self.cache, self.until, self.telling = jobs, cache, until, telling
        self.late = False

    def run(self, tasks: Sequence[Task], numbers: Sequence[int], found: list[StepResult | None]) -> None:
        """Fill in the results of these tasks."""
        rest = []
        for number in numbers:
            known = None if self.cache is None else self.cache.get(tasks[number])
            if known is None:
                rest.append(number)
            else:
                found[number] = known
        for number, result in self._results([tasks[n] for n in rest]):
            where = rest[number]
            stopped = StepResult(tasks[where].step, replace(STOPPED, seconds=tasks[where].time_limit))
            found[where] = result if result is not None else stopped
            if self.cache is not None and result is not None:
                self.cache.put(tasks[where], result)

    def _results(self, tasks: list[Task]) -> Iterator[tuple[int, StepResult | None]]:
        total = len(tasks)
        if self.jobs is None:
            for number, task in enumerate(tasks):
                if self._too_late():
                    return
                self.telling(f"step {number + 1} of {total}")
                left = task.time_limit if self.until is None else self.until - time.monotonic()
                yield number, check_step(replace(task, time_limit=min(task.time_limit, left)))
            return
        limits = [t.time_limit for t in tasks]
        waiting = lambda done: self.telling(f"{done} of {total} steps")  # noqa: E731
        yield from run(check_step, tasks, limits, jobs=self.jobs, until=self.until, waiting=waiting)
        self._too_late()

    def _too_late(self) -> bool:
        if self.until is not None and time.monotonic() > self.until:
            self.late = True
        return self.late


def _again(
    tasks: list[Task],
    cases: list[Case],
    conditions: tuple[Proposition, ...],
    found: list[StepResult | None],
    runner: _Runner,
) -> None:
    """What was not decided alone is tried once more with the relations shown before it, in the order of the text.

    What was shown in a case serves in that case only, or everywhere once it was shown in all of some exhaustive cases.
    Of steps that continue each other what they conclude serves as well.
    """
    facts: dict[Relation, list[Case]] = {}
    everywhere: dict[tuple[Case, ...], bool] = {}
    run: list[WrittenStep] = []
    for number, result in enumerate(found):
        if result is None:
            run = []
            continue
        shown = []
        for fact, where in facts.items():
            if () in where or cases[number] in where:
                shown.append(fact)
            elif len(where) > 1:
                if tuple(where) not in everywhere:
                    everywhere[tuple(where)] = exhaustive(where, conditions)
                if everywhere[tuple(where)]:
                    shown.append(fact)
        undecided = result.decision.verdict in (Verdict.SUPPORTED, Verdict.OPEN, Verdict.CITED)
        if undecided and shown and not runner.late:
            more: list[StepResult | None] = list(found)
            task = replace(tasks[number], earlier=tuple(shown))
            more[number] = None
            runner.run([*tasks[:number], task], [number], more)
            better = more[number]
            if better is not None and (is_certain(better.decision) or better.decision.verdict is Verdict.CITED):
                found[number] = result = better
        run = [*run, result.step] if result.step.continues else [result.step]
        if not is_certain(result.decision):
            run = []
            continue
        new = list(shown_by(result.step))
        concluded, _ = conclusion_of(tuple(run))
        if len(run) > 1 and not run[0].continues and concluded is not None:
            new.append(concluded)
        for fact in new:
            where = facts.setdefault(fact, [])
            if cases[number] not in where:
                where.append(cases[number])


def shown_by(step: WrittenStep) -> tuple[Relation, ...]:
    """The relations that hold under the declared conditions once the step is proved: none of an implication."""
    if step.premises:
        return ()
    values = {} if step.reason is None else {r.lhs: r.rhs for r in step.reason.at}
    return tuple(r.subs(values) for r in step.claim)


def _report(document: Document, file: str, results: list[StepResult], interrupted: bool, seconds: float) -> Report:
    chains, at = [], 0
    for chain in document.chains:
        mine = tuple(results[at : at + len(chain.steps)])
        at += len(chain.steps)
        conclusion, note = conclusion_of(chain.steps) if chain.steps else (None, "")
        chains.append(ChainResult(chain, mine, conclusion, note))
    problems = []
    if not results:
        problems.append("there is no step to check")
    elif not within(now() + _CONDITIONS, lambda: can_hold(document.conditions), False):
        problems.append("no point was found that satisfies the conditions: what is said under them may be empty")
    if document.proves is not None:
        problems += _drift(document.proves, chains, document.conditions)
    return Report(
        file, tuple(chains), document.title, document.proves, tuple(problems), interrupted=interrupted, seconds=seconds
    )


def _drift(proves: str, chains: list[ChainResult], conditions: tuple[Proposition, ...]) -> list[str]:
    """Whether the last chain proves the theorem; where it stands in a case, the last chain of every case there."""
    last: dict[tuple[Relation, ...], Relation | None] = {}
    for found in reversed(chains):
        if last and not (found.chain.case and () not in last):
            break
        last.setdefault(found.chain.case, found.conclusion)
    problems = drift(proves, list(last.values()), conditions)
    if last and () not in last and not exhaustive(list(last), conditions):
        problems.append(f"the cases {'; '.join(str(r) for case in last for r in case)} are not known to be all")
    return problems


def can_hold(conditions: tuple[Proposition, ...]) -> bool:
    """Whether a point is known that satisfies the numeric conditions; their equations are solved first.

    Conditions on distributions and functions are left out: whether those can hold is not decided here.
    """
    numeric = [c for c in conditions if isinstance(c, IsInteger) or _is_numeric(c)]
    reduced = without([c for c in numeric if is_equation(c)], [c for c in numeric if not is_equation(c)])  # type: ignore[misc]
    symbols = set().union(*(c.free_symbols for c in reduced))
    return next(iter(Domain(reduced).points(symbols, most=1)), None) is not None


def _is_numeric(condition: Proposition) -> bool:
    from sympy.core.function import AppliedUndef

    return isinstance(condition, Relation) and not any(
        side.has(renyi, hockey_stick, trade_off, AppliedUndef) for side in (condition.lhs, condition.rhs)
    )
