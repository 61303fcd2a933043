"""What a check found: steps, chains, files; a whole is worth its weakest part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import sympy as sp

from dpsym.displaying import Displayed
from dpsym.reading.written import WrittenChain, WrittenStep
from dpsym.relations import Relation
from dpsym.satisfying import weakest
from dpsym.verdicts import Decision, Method, Verdict


@dataclass(frozen=True, slots=True)
class StepResult:
    """A step as it was read, what was decided of it, and how it would become true (decided as well, or None)."""

    step: WrittenStep
    decision: Decision
    suggestion: str | None = None
    cached: bool = False


@dataclass(frozen=True, slots=True)
class ChainResult:
    """The steps of one chain; `conclusion` relates its first and last expression, `note` says why there is none."""

    chain: WrittenChain
    steps: tuple[StepResult, ...]
    conclusion: Relation | None
    note: str = ""

    @property
    def verdict(self) -> Verdict:
        """That of the weakest step."""
        return _weakest(s.decision for s in self.steps)


@dataclass(frozen=True, slots=True)
class Report(Displayed):
    """A checked file.

    Attributes:
        problems: what keeps the file from proving what it says although its steps may hold: conditions that no
            point is known to satisfy, a conclusion that is not that of the theorem named in `proves`.
        interrupted: whether some steps were never looked at.
    """

    file: str
    chains: tuple[ChainResult, ...]
    title: str | None = None
    proves: str | None = None
    problems: tuple[str, ...] = ()
    interrupted: bool = False
    seconds: float = 0.0

    @property
    def steps(self) -> Iterator[StepResult]:
        """Every step, in the order of the text."""
        for chain in self.chains:
            yield from chain.steps

    @property
    def verdict(self) -> Verdict:
        """The weakest step's; at most OPEN where there is a problem."""
        found = [s.decision for s in self.steps]
        if self.problems or self.interrupted or not found:
            found.append(OPEN)
        return _weakest(found)

    @property
    def conclusion(self) -> Relation | None:
        """That of the last chain."""
        return self.chains[-1].conclusion if self.chains else None

    @property
    def exit_status(self) -> int:
        """0: every step proved, certified or cited; 1: some step refuted; 3: none refuted, some undecided."""
        if self.verdict in (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED):
            return 0
        return 1 if self.verdict is Verdict.REFUTED else 3


OPEN = Decision(Verdict.OPEN, Method.NONE, "not decided")
NOT_REACHED = replace(OPEN, why="interrupted before this step was reached")
STOPPED = replace(OPEN, why="stopped at the limit of its time")


def _weakest(decisions: Iterable[Decision]) -> Verdict:
    found = tuple(decisions)
    return weakest(found).verdict if found else Verdict.OPEN


def is_certain(decision: Decision) -> bool:
    """Whether later steps may rest on it: proved or certified, nothing less."""
    return decision.verdict in (Verdict.PROVED, Verdict.CERTIFIED)


def conclusion_of(steps: tuple[WrittenStep, ...]) -> tuple[Relation | None, str]:
    """First and last expression of the last run of connected steps, with the combined sign; or why there is none."""
    start = max((i for i, s in enumerate(steps) if not s.continues), default=0)
    run = steps[start:]
    if any(s.premises for s in run):
        return None, "implications conclude nothing unconditionally"
    links = [r for s in run for r in s.claim]
    values: dict[sp.Basic, sp.Expr] = {}
    for relation in (r for s in run if s.reason is not None for r in s.reason.at):
        if values.setdefault(relation.lhs, relation.rhs) != relation.rhs:
            return None, f"{relation.lhs} is given two values"
    signs = {r.op for r in links}
    for upward in ({"=", "<=", "<"}, {"=", ">=", ">"}):
        if signs <= upward:
            # a strict sign wins over a weak one, either over equality
            op = max((r.op for r in links), key=lambda sign: 0 if sign == "=" else 2 - len(sign) // 2)
            return Relation(links[0].lhs, op, links[-1].rhs).subs(values), ""
    if signs <= {"=", "!="} and sum(r.op == "!=" for r in links) == 1:
        return Relation(links[0].lhs, "!=", links[-1].rhs).subs(values), ""
    return None, "the relations point in different directions, so the chain has no overall conclusion"
