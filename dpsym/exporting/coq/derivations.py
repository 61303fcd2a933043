"""A derivation file, checked, with the certificates of its steps."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from dpsym.checking import check_document
from dpsym.checking.cache import Cache
from dpsym.checking.certifying import runs, spellings
from dpsym.checking.ledger import is_certain
from dpsym.checking.results import Report, StepResult
from dpsym.core.relations import ForAll
from dpsym.deciding.terms.translating import Translator
from dpsym.exporting.coq.as_read import relation
from dpsym.exporting.coq.chains import Run
from dpsym.exporting.coq.developments import Derivation, Step
from dpsym.exporting.coq.premises import Premise
from dpsym.language import read_path
from dpsym.language.documents.derivation import Document


def checked(file: Path, time_limit: float, kept: Path | None = None, jobs: int | None = None) -> Derivation:
    """The derivation, with certificates of the steps that were decided and of what it concludes.

    Args:
        file: the derivation.
        time_limit: seconds for deciding a step, and as many for its certificate.
        kept: a folder in which what was found of each step is remembered by its content.
        jobs: that many processes; None: this one.

    Raises:
        ReadingError, EmptyDomain, OSError: where the file is no derivation that can be checked.
    """
    document = read_path(str(file))
    cache = None if kept is None else Cache(kept)
    report = check_document(
        document, file=str(file), time_limit=time_limit, suggest=False, certify=time_limit, besides=True, cache=cache,
        jobs=jobs,
    )  # fmt: skip
    return of_report(report, str(file), document)


def of_report(report: Report, title: str, document: Document) -> Derivation:
    """What a report of a document has for Coq."""
    titles, steps = Titles(), list[Step]()
    spoken: dict[int, str] = {}  # of the steps whose theorems say what stands there
    for result in filter(lambda result: is_certain(result.decision), report.steps):
        steps.append(_step(titles.of(result.step.line), result))
        if steps[-1].whole or (steps[-1].otherwise is not None and steps[-1].otherwise.whole):
            spoken[id(result)] = steps[-1].title
    found = tuple(
        Run(case, tuple(spoken.get(id(s), f"{s.step.where} as it stands") for s in of)) for case, of in runs(report)
    )
    return Derivation(title, tuple(steps), found, spellings(document.conditions), tuple(_premises(document)))


def _premises(document: Document) -> Iterator[Premise]:
    """What is given for all values of a name."""
    found = (Translator().general(one) for one in document.conditions if isinstance(one, ForAll))
    yield from (Premise(*one) for one in found if one is not None)


def _step(title: str, result: StepResult) -> Step:
    """With its certificates: first those that are of the step as it stands."""
    step = result.step
    said = "; ".join(f"{left} {r.op} {right}" for r, (left, right) in zip(step.claim, step.said, strict=False))
    given = " and ".join(str(p) for p in step.premises)
    read = relation(step.said[0][0], step.claim[0].op, step.said[0][1]) if len(step.claim) == 1 else ""
    shown = f"{given} => {said}" if given else said
    found: list[tuple[dict[str, Any] | None, bool]] = []
    if result.of_the_end is not None:
        found.append(result.of_the_end)
    if result.replayed:  # its lines are the longer ones, where what was asked in the end is the step as well
        found.insert(1 if found and found[0][1] else 0, (result.certificate, True))
    otherwise: Step | None = None
    for certificate, whole in reversed(found or [(result.certificate, False)]):
        otherwise = Step(title, certificate, shown, step.line, whole, read, otherwise, spellings(step.premises))
    assert otherwise is not None  # noqa: S101 - there is at least one
    return otherwise


class Titles:
    """Names of theorems by the lines of their steps."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def of(self, line: object) -> str:
        """A name that is not taken."""
        if type(line) is not int or line < 0:  # it becomes a name in the file for Coq
            raise ValueError(f"{line!r} is no line")
        wanted = (f"step_{line}{'' if n == 1 else f'_{n}'}" for n in count(1))
        self._taken.add(title := next(t for t in wanted if t not in self._taken))
        return title
