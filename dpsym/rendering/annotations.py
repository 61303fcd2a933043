"""Reports as other programs show them at the lines of a file: SARIF, and the commands of GitHub's workflows."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from dpsym import __version__
from dpsym.checking.results import ChainResult, Report, StepResult, is_definition
from dpsym.core.verdicts import Verdict
from dpsym.rendering.report import evidence, is_first, notes, resting, under

_LEVELS = {
    Verdict.REFUTED: "error", Verdict.FAILS: "warning", Verdict.OPEN: "warning", Verdict.SUPPORTED: "warning",
    Verdict.UNREAD: "note",
}  # fmt: skip
_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}
_MEANINGS = {
    Verdict.REFUTED: "The step fails at the point that is named.",
    Verdict.FAILS: "As it was read, the step fails at the point that is named; not all names in it are declared.",
    Verdict.OPEN: "The step was neither proved nor refuted.",
    Verdict.SUPPORTED: "The step holds at the points that were examined, and is not proved.",
    Verdict.UNREAD: "This part was not understood; nothing is said of it.",
}


def as_sarif(reports: Iterable[Report]) -> str:
    """SARIF 2.1.0 (OASIS Standard, 2020): a result for each step that was not accepted."""
    results = [found for report in reports for found in _results(report)]
    rules = [
        {"id": str(verdict), "shortDescription": {"text": said}, "defaultConfiguration": {"level": _LEVELS[verdict]}}
        for verdict, said in _MEANINGS.items()
        if any(found["ruleId"] == str(verdict) for found in results)
    ]
    driver = {"name": "dpsym", "version": __version__, "rules": rules}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return json.dumps({"$schema": schema, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False)


def as_github(reports: Iterable[Report]) -> str:
    """A line for each step that was not accepted, and for each note on a file."""
    lines = []
    for report in reports:
        for chain, result in _not_accepted(report):
            command = _COMMANDS[_LEVELS[result.decision.verdict]]
            where = f"file={_property(_file(report, result))},line={result.step.line},col={max(1, result.step.column)}"
            title = _property(f"dpsym: {result.decision.verdict}")
            lines.append(f"::{command} {where},title={title}::{_data(_message(chain, result))}")
        lines += [f"::notice file={_property(report.file)}::{_data(note)}" for note in notes(report)]
    return "\n".join(lines)


def _not_accepted(report: Report) -> Iterable[tuple[ChainResult, StepResult]]:
    """What fails comes first: GitHub shows some ten of them."""
    found = [(c, s) for c in report.chains for s in c.steps if s.decision.verdict in _LEVELS and not is_definition(s)]
    return sorted(found, key=lambda each: not is_first(each[1]))


def _results(report: Report) -> Iterable[dict[str, Any]]:
    for chain, result in _not_accepted(report):
        step = result.step
        region = {"startLine": step.line, "startColumn": max(1, step.column)}
        place = {"artifactLocation": {"uri": _uri(_file(report, result))}, "region": region}
        yield {
            "ruleId": str(result.decision.verdict),
            "level": _LEVELS[result.decision.verdict],
            "message": {"text": _message(chain, result)},
            "locations": [{"physicalLocation": place}],
        }


def _file(report: Report, result: StepResult) -> str:
    """The file in which the step stands; those that a paper reads are beside it."""
    return str(PurePath(report.file).parent / result.step.file) if result.step.file else report.file


def _message(chain: ChainResult, result: StepResult) -> str:
    found = result.decision
    verdict = "" if found.verdict is Verdict.FAILS else f"{found.verdict}, "  # its reason begins with the word
    said = f"{result.step}{under(chain, result)}: {verdict}{found.why}"
    rests = [f"rests on {', '.join(more)}"] if (more := resting(result)) else []
    return "\n".join([said, *rests, *evidence(result)])


def _uri(file: str) -> str:
    """A reference to it by RFC 3986: what stands before a colon would be a scheme."""
    path = quote(file.replace("\\", "/"))
    return f"file://{path}" if path.startswith("/") else path


def _data(text: str) -> str:
    """As GitHub reads it: a percent sign and the ends of lines are written with a percent sign."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
