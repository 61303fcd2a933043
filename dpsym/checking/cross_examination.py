"""After a yes, what is printed, and nothing else, is put to the second opinion."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from dpsym.core.verdicts import Verdict
from dpsym.deciding import InternalContradiction
from dpsym.second_opinion import Opinion, Statement, second_opinion

if TYPE_CHECKING:
    from dpsym.checking.ledger import Context, Judgement
    from dpsym.checking.results import Report
    from dpsym.language.documents.derivation import WrittenStep

_POINTS, _WORK = 12, 60_000  # for what a file concludes
_POINTS_OF_A_STEP, _WORK_ON_A_STEP = 4, 15_000  # a document has many steps, so each gets little
_MASS = re.compile(r"\b(?:mass|sum)_\w+")
_LAW = re.compile(r"\b(?:mass|sum|prob|mean|size|div|val|norm|one)_\d\w*\b.*(?:<|=|>)|\bmass_.*(?:<|>)")
_YES = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED)


def cross_examined(report: Report) -> Report:
    """The report with the second opinion on its conclusion, and on every step of it that was accepted.

    Raises:
        InternalContradiction: where a printed statement is undefined or false at a point of its context.
    """
    for judgement in _accepted(report):
        _agreed(_statement(judgement), _POINTS_OF_A_STEP, _WORK_ON_A_STEP)
    for chain in report.chains:
        if chain.conclusion is not None and len(chain.steps) > 1:
            _agreed(_statement(chain.conclusion), _POINTS_OF_A_STEP, _WORK_ON_A_STEP)
    if report.conclusion is None or report.verdict not in _YES:
        return report
    return replace(report, opinion=_agreed(_statement(report.conclusion), _POINTS, _WORK))


def objection(context: Context, step: WrittenStep, *, held: bool) -> str:
    """Why a step that is only cited is not taken: it fails at a point, or was seen to hold at none.

    Of outputs of which no more is known than their names there are no points.
    """
    opinion = second_opinion(_in_context(context, str(step)), points=_POINTS, work=_WORK)
    if opinion.against is not None:
        where = ", ".join(f"{name} = {value}" for name, value in opinion.against.items()) or "every point"
        return f"what is cited fails at {where}: {opinion.why}"
    unnamed = {name for name, law in context.document.distributions.items() if law is None}
    unknown = unnamed.intersection(s.name for claim in step.claim for s in claim.free_symbols)
    return "" if held or opinion.agreed or unknown else "no point was found at which what is cited could be evaluated"


def opinion_on(statement: Statement) -> Opinion:
    """The second opinion on a claim that was accepted.

    Raises:
        InternalContradiction: where the claim is undefined or false at a point of its context.
    """
    return _agreed(statement, _POINTS, _WORK)


def _accepted(report: Report) -> Iterator[Judgement]:
    for chain in report.chains:
        for judgements in chain.judgements:
            yield from judgements


def _statement(judgement: Judgement) -> Statement:
    return _in_context(judgement.context, judgement.said)


def _in_context(context: Context, said: str) -> Statement:
    lines = context.lines
    let, where, assume = (list(lines[key]) for key in ("let", "where", "assume"))
    for line in context.provided:  # what the laws of chance say of quantities stands for them
        name, _, value = line.partition(" = ")
        if name in context.document.opaque and value:
            let = [one for one in let if not one.startswith(f"{name}:")]
            let += [f"{mass}: real" for mass in _MASS.findall(value) if f"{mass}: real" not in let]
            again = any(one.startswith(f"{name} = ") for one in where)
            (assume if again else where).append(line)
        elif _LAW.search(line):
            assume.append(line)
    return Statement(said, tuple(let), tuple(where), tuple(assume), lines["case"], lines["chosen"])


def _agreed(statement: Statement, points: int, work: int) -> Opinion:
    found = second_opinion(statement, points=points, work=work)
    if found.against is not None:
        where = ", ".join(f"{name} = {value}" for name, value in found.against.items()) or "every point"
        raise InternalContradiction(
            f"{statement.relation} was accepted, but as it is printed it fails at {where}: {found.why}.  "
            f"To reproduce: second_opinion({statement!r})"
        )
    return found
