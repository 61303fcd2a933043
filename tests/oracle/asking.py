"""What dpsym says of a claim or of a whole document, as one word: for controls, which ask what it must not say."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from dpsym.checking import Report, check_document
from dpsym.claims import read_claim
from dpsym.core.verdicts import Verdict
from dpsym.deciding import EmptyDomain
from dpsym.language import ReadingError
from dpsym.language.documents.document import read_document

REFUSED = "refused"
ACCEPTED = ("proved", "certified", "cited")


def said_of_claim(
    claim: str, let: Iterable[str] = (), where: Iterable[str] = (), assume: Iterable[str] = (), seconds: float = 12.0
) -> str:
    """The verdict word for a relation under its declarations; `REFUSED` where it is not read."""
    try:
        question = read_claim(claim, let=let, where=where, assume=assume)
        return str(question.decide(seconds).verdict)
    except (ReadingError, EmptyDomain):
        return REFUSED


def checked(text: str, kind: Literal["markdown", "latex", "plain"] = "markdown", seconds: float = 12.0) -> Report:
    """The report on a document."""
    return check_document(read_document(text, kind=kind), time_limit=seconds, suggest=False)


def said_of_document(text: str, kind: Literal["markdown", "latex", "plain"] = "markdown", seconds: float = 12.0) -> str:
    """The verdict word for a whole document; `REFUSED` where a part of it is not read, and no other part is refuted."""
    try:
        report = checked(text, kind, seconds)
        unread = any(s.decision.verdict is Verdict.UNREAD for s in report.steps)
        return REFUSED if unread and report.verdict is not Verdict.REFUTED else str(report.verdict)
    except (ReadingError, EmptyDomain):
        return REFUSED
