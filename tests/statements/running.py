"""What dpsym says of the statements.  `PYTHONPATH=tests python -m statements.running [SECONDS [ID…]]` prints it."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from dpsym.checking import check_document
from dpsym.claims import read_claim
from dpsym.core.verdicts import Decision, Verdict
from dpsym.language import ReadingError, read_document
from statements import UNREADABLE, Statement, statements


@dataclass(frozen=True, slots=True)
class Result:
    """The verdict with its reason and, where a claim is refuted, the point; of a chain, of its weakest relation."""

    statement: Statement
    verdict: str
    why: str
    point: Mapping[str, Fraction]
    seconds: float

    @property
    def unsound(self) -> bool:
        """A false claim accepted or a true one refuted."""
        wrong = ("refuted",) if self.statement.true else ("proved", "certified", "cited")
        return self.verdict in wrong


def run(statement: Statement, limit: float) -> Result:
    """The verdict as `dpsym check` gives it, and of a mechanism as `dpsym prove` does."""
    began = time.perf_counter()
    try:
        decision = _of_a_mechanism(statement, limit) if statement.is_about_a_mechanism else _of_a_file(statement, limit)
    except ReadingError as error:
        return Result(statement, UNREADABLE, str(error), {}, time.perf_counter() - began)
    witness = decision.witness
    point = {} if witness is None else {name: Fraction(value) for name, value in witness.point.items()}
    return Result(statement, str(decision.verdict), decision.why, point, time.perf_counter() - began)


def text_of(statement: Statement) -> str:
    """The statement as a derivation file in plain text."""
    lines = [f"{key} {said}" for key in ("let", "where", "assume") for said in statement.declared(key)]
    return "\n".join([*lines, statement.claim, ""])


def _of_a_file(statement: Statement, limit: float) -> Decision:
    kind = "markdown" if "\\" in statement.claim else "plain"
    text = text_of(statement)
    if kind == "markdown":
        declared = {key: statement.declared(key) for key in ("let", "where", "assume")}
        document = read_document(f"$$ {statement.claim} $$", kind="markdown", **declared)
    else:
        document = read_document(text, kind="plain")
    report = check_document(document, time_limit=limit, suggest=False)
    unread = next((s.decision.why for s in report.steps if s.decision.verdict is Verdict.UNREAD), None)
    if unread is not None:
        raise ReadingError(unread, text, 0)
    return next(s.decision for s in report.steps if s.decision.verdict is report.verdict)


def _of_a_mechanism(statement: Statement, limit: float) -> Decision:
    used = [w for w in statement.declared("where") if re.search(rf"\b{w.split('=')[0].strip()}\b", statement.claim)]
    claim = read_claim(statement.claim, let=statement.declared("let"), where=used, assume=statement.declared("assume"))
    return claim.decide(limit)


if __name__ == "__main__":
    limit = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    for one in statements():
        if one.claim and (len(sys.argv) <= 2 or one.id in sys.argv[2:]):
            found = run(one, limit)
            mark = "UNSOUND" if found.unsound else "" if found.verdict == one.expected else f"expected {one.expected}"
            point = ", ".join(f"{name} = {value}" for name, value in found.point.items())
            line = f"{one.id:8} {found.verdict:10} {found.seconds:5.1f} s  {mark:18} {point or found.why}"
            print(line[:230], flush=True)
