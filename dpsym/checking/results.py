"""What a check found: steps, chains, files; a whole is worth its weakest part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dpsym.checking.ledger import Judgement, together
from dpsym.core.display import Displayed, short
from dpsym.core.relations import Operator
from dpsym.core.verdicts import Decision, Method, Verdict, weakest
from dpsym.language.documents.derivation import WrittenChain, WrittenStep
from dpsym.language.documents.guesses import Guess
from dpsym.language.documents.roles import Kind, Role
from dpsym.second_opinion import Opinion


@dataclass(frozen=True, slots=True)
class StepResult:
    """A step as it was read, what was decided of it, and how it would become true (decided as well, or None).

    `guesses` are the readings of names that nobody declared or confirmed, and `opaque` the merely named quantities,
    that it may rest on.  `certificate` is for `dpsym verify`, where one was found, and `replayed` whether it is of the
    step as it stands (None: not asked); `lacking` says why it is not.  `of_the_end` is a certificate of what was asked
    of it in the end, and whether that is the step, where this was wanted besides.  `not_refuted` says of a step that
    fails what is not known of it; `given` are the lines before it that nobody has shown, and under which it holds.
    """

    step: WrittenStep
    decision: Decision
    suggestion: str | None = None
    cached: bool = False
    guesses: tuple[Guess, ...] = ()
    opaque: tuple[str, ...] = ()
    certificate: dict[str, Any] | None = None
    replayed: bool | None = None
    lacking: str = ""
    of_the_end: tuple[dict[str, Any], bool] | None = None
    not_refuted: tuple[str, ...] = ()
    given: tuple[str, ...] = ()

    __repr__ = short


@dataclass(frozen=True, slots=True)
class ChainResult:
    """The steps of one chain.

    Attributes:
        conclusion: what was shown of its first and last expression, with its context; None where it was not.
        claim: the same as it stands there, shown or not; empty where the chain says nothing overall.
        note: why there is none.
        judgements: what was shown by each step.
    """

    chain: WrittenChain
    steps: tuple[StepResult, ...]
    conclusion: Judgement | None = None
    claim: str = ""
    note: str = ""
    judgements: tuple[tuple[Judgement, ...], ...] = ()

    __repr__ = short

    @property
    def verdict(self) -> Verdict:
        """That of the weakest step."""
        return _weakest(s.decision for s in self.steps if not is_definition(s))

    def role(self, result: StepResult) -> Role | None:
        """What a step that was not settled is, where the text says that it is no claim of a derivation.

        A definition, an assumption or a citation is the first relation of a chain; those that continue it are claims.
        """
        said = None if self.chain.around is None else self.chain.around.role
        step, unsettled = result.step, result.decision.verdict in (Verdict.OPEN, Verdict.SUPPORTED, Verdict.FAILS)
        if is_definition(result):
            return said if said is not None and said.kind is Kind.DEFINITION else Role(Kind.DEFINITION, "")
        if said is None or not unsettled or step.premises or (said.equations and [r.op for r in step.claim] != ["="]):
            return None
        return said if said.kind is Kind.STATEMENT or not step.continues else None


@dataclass(frozen=True, slots=True, repr=False)
class Report(Displayed):
    """A checked file.

    Attributes:
        problems: what keeps the file from proving what it says although its steps may hold: conditions that no
            point is known to satisfy, a conclusion that is not that of the theorem named in `proves`.
        interrupted: whether some steps were never looked at.
        conclusion: what the last chain shows, with its context; without its case, where that was shown in every one.
        opinion: the second opinion on the conclusion, of a file that was accepted.
        guessed: how names were read that nothing declares; such a file is not accepted.
        unconfirmed: declarations beside it that were proposed, and that nobody has confirmed.
        opaque: quantities of which only the kind is known, with their text.
        missing: the commands that read a file which was not found, each with its line.
    """

    file: str
    chains: tuple[ChainResult, ...]
    title: str | None = None
    proves: str | None = None
    problems: tuple[str, ...] = ()
    interrupted: bool = False
    seconds: float = 0.0
    conclusion: Judgement | None = None
    opinion: Opinion | None = None
    guessed: tuple[Guess, ...] = ()
    unconfirmed: tuple[Guess, ...] = ()
    opaque: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()

    @property
    def steps(self) -> Iterator[StepResult]:
        """Every step, in the order of the text."""
        for chain in self.chains:
            yield from chain.steps

    @property
    def verdict(self) -> Verdict:
        """The weakest step's, definitions left out; at most OPEN where there is a problem."""
        found = [s.decision for s in self.steps if not is_definition(s)]
        if self.problems or self.interrupted or not found or any(step.given for step in self.steps):
            found.append(OPEN)
        return _weakest(found)

    @property
    def claim(self) -> str:
        """What the last chain claims, with its case."""
        if not self.chains or not self.chains[-1].claim:
            return ""
        last = self.chains[-1]
        where = [
            *(() if last.chain.case is None else (str(last.chain.case),)),
            *(g for s in last.steps for g in s.given),
        ]
        return f"{last.claim}, where {', '.join(dict.fromkeys(where))}" if where else last.claim

    @property
    def exit_status(self) -> int:
        """0: every step proved, certified or cited; 1: some step refuted; 3: none, but some fail or are undecided."""
        if self.verdict in (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED):
            return 0
        return 1 if self.verdict is Verdict.REFUTED else 3


OPEN = Decision(Verdict.OPEN, Method.NONE, "not decided")
NOT_REACHED = replace(OPEN, why="interrupted before this step was reached")
STOPPED = replace(OPEN, why="stopped at the limit of its time")


def is_definition(result: StepResult) -> bool:
    """Whether a step only says what a new name stands for: it claims nothing, and nothing rests on it."""
    accepted = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED)
    return bool(result.step.defines) and result.decision.verdict not in accepted


def unread(step: WrittenStep) -> StepResult:
    """What is said of a part that could not be read."""
    return StepResult(step, Decision(Verdict.UNREAD, Method.NONE, step.unread))


def _weakest(decisions: Iterable[Decision]) -> Verdict:
    """That of the whole; where a part was not read, it is open."""
    found = tuple(decisions)
    worst = weakest(found).verdict if found else Verdict.OPEN
    return Verdict.OPEN if worst is Verdict.UNREAD else worst


def claimed_by(steps: tuple[WrittenStep, ...]) -> tuple[str, str]:
    """What the last run of connected steps says of its first and last expression, shown or not; or why nothing."""
    if lost := [s.where for s in steps if s.unread]:
        whole = f"{', '.join(dict.fromkeys(lost))} was not read, so the chain has no overall conclusion"
        return "", whole if len(steps) > 1 else ""
    start = max((i for i, s in enumerate(steps) if not s.continues), default=0)
    run = steps[start:]
    if any(s.premises for s in run):
        return "", "implications conclude nothing unconditionally"
    links = [(r.op, text) for s in run for r, text in zip(s.claim, s.said, strict=True)]
    op: Operator | None = links[0][0]
    for other, _ in links[1:]:
        op = None if op is None else together(op, other)
    if op is None:
        return "", "the relations point in different directions, so the chain has no overall conclusion"
    return f"{links[0][1][0]} {op} {links[-1][1][1]}", ""
