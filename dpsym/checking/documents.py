"""A whole document checked: each step alone first, then with what was shown before it; and what the whole says."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import sympy as sp

from dpsym.checking.cache import Cache
from dpsym.checking.chance import chance_of
from dpsym.checking.conclusion import drift, lineage
from dpsym.checking.cross_examination import cross_examined, objection
from dpsym.checking.failing import has_a_point, told_apart
from dpsym.checking.ledger import (
    DoesNotFollow,
    Inference,
    Judgement,
    accept,
    chained,
    context_of,
    generalised,
    is_certain,
    pose,
    split,
)
from dpsym.checking.lines_before import with_lines_before
from dpsym.checking.results import (
    NOT_REACHED,
    OPEN,
    STOPPED,
    ChainResult,
    Report,
    StepResult,
    claimed_by,
    is_definition,
    unread,
)
from dpsym.checking.said import as_a_problem, granted_nowhere, said_and_not_used
from dpsym.checking.satisfiable import can_hold
from dpsym.checking.steps import Task, annotated, answered, check_step, decided
from dpsym.checking.undeclared import with_what_it_rests_on
from dpsym.checking.workers import run
from dpsym.core.clocks import Work, each_keeping_time
from dpsym.core.relations import Proposition, Relation
from dpsym.core.verdicts import Decision, Method, Verdict
from dpsym.deciding import Domain
from dpsym.deciding.timeout import briefly
from dpsym.language.documents.derivation import Case, Document, Stated, WrittenChain, WrittenStep
from dpsym.language.documents.guesses import Guess

_CONDITIONS = Work(3)  # seconds to find a point that satisfies them
_CASES = 5.0  # seconds to see that some cases are all there are
_GIVEN = 1 / 2  # of a step's time, for what follows from lines before it
_ALONE = 1 / 6  # of a step's time, before what was shown earlier is tried with it


@each_keeping_time
def check_document(
    document: Document,
    *,
    file: str = "",
    time_limit: float = Work(10),
    file_time_limit: float | None = None,
    jobs: int | None = None,
    cache: Cache | None = None,
    suggest: bool = True,
    certify: float = 0.0,
    besides: bool = False,
    telling: Callable[[str], None] = lambda words: None,
) -> Report:
    """Every step of the document decided under its declarations, and what the chains conclude.

    Args:
        time_limit: for one step, in seconds.
        file_time_limit: for all of them; what is not reached is open.
        jobs: that many worker processes, which are stopped when they exceed their time; None: in this process.
        cache: results of earlier checks; what was undecided is never taken from it.
        suggest: whether to look for what would make a refuted step true.
        certify: seconds to look for a certificate of a step that was decided; 0: none is looked for.
        besides: whether one of what was asked of it in the end is looked for as well, in as many seconds.
        telling: is told how far it got, now and then.

    An interruption (KeyboardInterrupt) ends the check; the report has what was found until then.

    Raises:
        EmptyDomain: when no point satisfies the declared conditions.
        InternalContradiction: when the second opinion finds what was accepted false; a defect of dpsym.
    """
    started = time.monotonic()
    Domain(document.conditions)
    places = [(chain, step) for chain in document.chains for step in chain.steps]
    read = [number for number, (_, step) in enumerate(places) if not step.unread]
    tasks = [
        _posed(
            Task(step, pose(document, chain, step), time_limit, suggest, certify, besides, document.distributions),
            document,
        )
        for chain, step in places
    ]
    found: list[StepResult | None] = [unread(step) if step.unread else None for _, step in places]
    runner = _Runner(jobs, cache, None if file_time_limit is None else started + file_time_limit, telling)
    shown = _Shown(document)
    interrupted = False
    # others work on many at a time, so that none waits for a step that needs what another shows
    cut = jobs is None and len(read) > 1
    try:
        runner.run([_shortened(t) if cut else t for t in tasks], read, found)
        _again(tasks, places, found, runner, shown, cut)
    except KeyboardInterrupt:
        interrupted = True
    results = [f or StepResult(step, NOT_REACHED) for f, (_, step) in zip(found, places, strict=True)]
    chains = [chain for chain, _ in places]
    results = [
        with_what_it_rests_on(result, document, chain, shown.used.get(number, ()))
        for number, (result, chain) in enumerate(zip(results, chains, strict=True))
    ]
    results = [_unless_empty(result, chain, document) for result, chain in zip(results, chains, strict=True)]
    unused = said_and_not_used(document)
    results = told_apart(results, chains, document, unused)

    def decided_in(number: int, chain: WrittenChain) -> StepResult | None:
        task = replace(tasks[number], time_limit=_GIVEN * time_limit, suggest=False)
        return runner.one(_posed(replace(task, inference=pose(document, chain, task.step)), document))

    if not interrupted and document.proves is None:  # a proof says what it rests on
        try:
            results = list(with_lines_before(results, chains, document, decided_in))
        except KeyboardInterrupt:
            interrupted = True
    return cross_examined(
        _report(document, file, results, shown, unused, interrupted or runner.late, time.monotonic() - started)
    )


def _unless_empty(result: StepResult, chain: WrittenChain, document: Document) -> StepResult:
    """The result; what was shown under lines of prose that no known point satisfies is open."""
    case, shown = chain.case, result.decision.verdict in (Verdict.PROVED, Verdict.CERTIFIED, Verdict.SUPPORTED)
    if not shown or case is None or not case.said or has_a_point((*document.conditions, *case.relations)):
        return result
    return replace(result, decision=replace(OPEN, why=f"no point was found with {case}"))


def _posed(task: Task, document: Document) -> Task:
    """With the laws of chance that speak of the step's quantities."""
    named = tuple(sp.Symbol(name) for name, one in document.opaque.items() if one.may_be_infinite)
    task = replace(task, named=named)
    try:
        return replace(task, chance=chance_of(document, task.step, task.inference)) if document.opaque else task
    except Exception as error:  # noqa: BLE001 - a defect in one step must not take the others with it
        why = f"internal error, a defect of dpsym: {type(error).__name__}: {str(error)[:300]}"
        return replace(task, inference=replace(task.inference, refusal=why))


def _shortened(task: Task) -> Task:
    """The same with less time; what is cited never has much."""
    return task if task.cited else replace(task, time_limit=_ALONE * task.time_limit)


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
            found[where] = now_known = result if result is not None else stopped
            if self.cache is not None:
                self.cache.put(tasks[where], now_known)

    def one(self, task: Task) -> StepResult | None:
        """The result of this task; None where it was not reached."""
        found: list[StepResult | None] = [None]
        if not self.late:
            self.run([task], [0], found)
        return found[0]

    def _results(self, tasks: list[Task]) -> Iterator[tuple[int, StepResult | None]]:
        total = len(tasks)
        if self.jobs is None:
            for number, task in enumerate(tasks):
                if self._too_late():
                    return
                self.telling(f"step {number + 1} of {total}")
                left = math.inf if self.until is None else max(self.until - time.monotonic(), 0.0)
                yield number, check_step(replace(task, time_limit=min(task.time_limit, left)))
            return
        more = [1 + t.certify * (1 + t.besides) / t.time_limit for t in tasks]
        limits = [times * t.time_limit for t, times in zip(tasks, more, strict=True)]  # on the same clock
        waiting = lambda done: self.telling(f"{done} of {total} steps")  # noqa: E731
        yield from run(decided, tasks, limits, then=annotated, jobs=self.jobs, until=self.until, waiting=waiting)
        self._too_late()

    def _too_late(self) -> bool:
        if self.until is not None and time.monotonic() > self.until:
            self.late = True
        return self.late


class _Shown:
    """What was shown so far: the judgements on each step, and the facts that later steps may use."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.of_step: dict[int, tuple[Judgement, ...]] = {}
        self.facts: list[Judgement] = []
        self.used: dict[int, Sequence[Judgement]] = {}  # the facts with which a step was decided
        self._split: dict[tuple[Relation, int], bool] = {}

    def add(
        self, number: int, chain: WrittenChain, result: StepResult, facts: Sequence[Judgement]
    ) -> tuple[StepResult, tuple[Judgement, ...]]:
        """Enter a step that was decided; a yes that does not follow is none."""
        if result.decision.verdict not in (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED):
            return result, ()
        try:
            entered = accept(self.document, chain, result.step, result.decision, facts, lineage)
        except DoesNotFollow as error:
            return replace(result, decision=replace(OPEN, why=str(error))), ()
        if result.decision.method is Method.CITATION and not result.decision.rests_on:
            context = context_of(self.document, chain, result.step)
            if why := objection(context, result.step, held=result.decision.points > 0):
                return replace(result, decision=replace(OPEN, why=why)), ()
        self.of_step[number] = entered
        if is_certain(result.decision):
            self.keep(*entered)
        return result, entered

    def keep(self, *judgements: Judgement) -> None:
        """Facts for later steps; what was shown in all of some cases holds without them."""
        for judgement in map(generalised, judgements):
            if judgement in self.facts:
                continue
            self.facts.append(judgement)
            same = (f for f in self.facts if f.relation == judgement.relation)
            alike = list({f.context.case: f for f in same if f.context.case is not None}.values())
            key = (judgement.relation, len(alike))
            if len(alike) > 1 and key not in self._split:
                whole = split(alike, self.document, _of_cases(self.document))
                self._split[key] = whole is not None
                self.facts += [whole] if whole is not None else []

    def usable(self, chain: WrittenChain) -> list[Judgement]:
        """The facts that hold where the chain stands."""
        return [f for f in self.facts if f.context.case is None or f.context.case.within(chain.case)]


def _of_cases(document: Document) -> Callable[[Inference], Decision]:
    return lambda inference: answered(inference, document.distributions, _CASES)


def _again(
    tasks: list[Task],
    places: list[tuple[WrittenChain, WrittenStep]],
    found: list[StepResult | None],
    runner: _Runner,
    shown: _Shown,
    cut: bool,
) -> None:
    """Each step is entered in turn; what was not decided alone is tried with the facts shown before it.

    Of steps that continue each other what they conclude serves as well.  Where the first time was `cut` short, what is
    still not decided has all of it in the end.
    """
    run: list[Judgement] = []
    for number, result in enumerate(found):
        chain, facts = places[number][0], list[Judgement]()
        if result is None:
            run = []
            continue
        usable = shown.usable(chain)
        if usable and _undecided(result):
            inference = pose(shown.document, chain, result.step, usable)
            better = runner.one(_posed(replace(tasks[number], inference=inference), shown.document))
            if better is not None and (is_certain(better.decision) or better.decision.verdict is Verdict.CITED):
                result, facts = better, usable
                shown.used[number] = usable
        if cut and result.decision.verdict in (Verdict.SUPPORTED, Verdict.OPEN):
            longer = runner.one(tasks[number])
            result = result if longer is None else longer
        found[number], entered = shown.add(number, chain, result, facts)
        if not entered or not is_certain(result.decision):
            run = []
            continue
        try:
            run = [chained([*run, entered[0]])] if run and result.step.continues else list(entered[:1])
            shown.keep(*run)
        except DoesNotFollow:
            run = []


def _undecided(result: StepResult) -> bool:
    return result.decision.verdict in (Verdict.SUPPORTED, Verdict.OPEN, Verdict.CITED)


def _report(
    document: Document,
    file: str,
    results: list[StepResult],
    shown: _Shown,
    unused: Sequence[Stated],
    interrupted: bool,
    seconds: float,
) -> Report:
    chains, at = [], 0
    for chain in document.chains:
        numbers = range(at, at + len(chain.steps))
        at += len(chain.steps)
        claim, note = claimed_by(chain.steps) if chain.steps else ("", "")
        conclusion, why = _concluded(chain, numbers, shown) if claim else (None, "")
        shown_by = tuple(shown.of_step.get(n, ()) for n in numbers)
        mine = tuple(results[n] for n in numbers)
        chains.append(ChainResult(chain, mine, conclusion, claim, note or why, shown_by))
    last = last_of_each_case(chains)
    conclusion, problems = _conclusion(last, document), list[str]()
    if all(map(is_definition, results)):
        problems.append("there is no step to check")
    elif not briefly(_CONDITIONS, lambda: can_hold(document.conditions), False):
        problems.append("no point was found that satisfies the conditions: what is said under them may be empty")
    if document.proves is not None:
        problems += _drift(document.proves, last, conclusion, document.conditions)
    problems += (*document.doubts, *as_a_problem(granted_nowhere(unused, document)))
    guessed = _spoken_of(document, results)
    if guessed:
        problems.append(f"nobody confirmed {', '.join(map(str, guessed))}: see dpsym check --init")
    report = Report(
        file, tuple(chains), document.title, document.proves, tuple(problems), interrupted, seconds, conclusion,
        guessed=guessed, unconfirmed=document.unconfirmed,
        opaque={name: one.text for name, one in document.opaque.items()}, missing=document.missing,
    )  # fmt: skip
    return report if report.exit_status == 0 else replace(report, conclusion=None)


def _spoken_of(document: Document, results: Sequence[StepResult]) -> tuple[Guess, ...]:
    """The guesses about names that occur in a step that claims something."""
    chains = [chain for chain in document.chains for _ in chain.steps]
    claims = ((r.step, c) for r, c in zip(results, chains, strict=True) if not is_definition(r))
    names = frozenset[str]().union(*(step.names(c.abbreviations) for step, c in claims))
    granted = (guess for result in results if not is_definition(result) for guess in result.guesses)
    return tuple(dict.fromkeys((*(guess for name, guess in document.guessed.items() if name in names), *granted)))


def _concluded(chain: WrittenChain, numbers: range, shown: _Shown) -> tuple[Judgement | None, str]:
    """The judgement on first and last expression of the last run of steps, where all of these were shown."""
    start = max((i for i, s in enumerate(chain.steps) if not s.continues), default=0)
    links = [j for n in numbers[start:] for j in shown.of_step.get(n, ())]
    if len(links) != sum(len(s.claim) for s in chain.steps[start:]) or any(s.unread for s in chain.steps):
        return None, ""
    try:
        return chained(links), ""
    except DoesNotFollow as error:
        return None, str(error)


def last_of_each_case(chains: Sequence[ChainResult]) -> dict[Case | None, ChainResult]:
    """The last chain; where it stands in a case, the last chain of every case there."""
    last: dict[Case | None, ChainResult] = {}
    for found in reversed(chains):
        if last and not (found.chain.case is not None and None not in last):
            break
        last.setdefault(found.chain.case, found)
    return last


def _conclusion(last: dict[Case | None, ChainResult], document: Document) -> Judgement | None:
    """What the file shows: the last chain's judgement, without its case where every case has it."""
    judgements = [c.conclusion for c in last.values()]
    known = [j for j in judgements if j is not None]
    whole = split(known, document, _of_cases(document)) if 1 < len(known) == len(judgements) else None
    return whole or next(iter(judgements), None)


def _drift(
    proves: str, last: dict[Case | None, ChainResult], conclusion: Judgement | None, conditions: tuple[Proposition, ...]
) -> list[str]:
    """Whether the file's conclusion is the theorem's."""
    problems = drift(proves, None if conclusion is None else generalised(conclusion).relation, conditions)
    if conclusion is not None and conclusion.context.case is not None:
        problems.append(f"the cases {'; '.join(map(str, last))} are not known to be all")
    return problems
