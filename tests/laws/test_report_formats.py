"""What every format of a check's report owes: no step that fails is lost in it, and none is blamed for another."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from dpsym.checking import check_document
from dpsym.checking.results import Report
from dpsym.cli import run
from dpsym.core.verdicts import Verdict
from dpsym.language import read_path
from dpsym.rendering import reports as formats

FILES = {  # a title that formats have to escape; steps of several verdicts, one of them with premises
    "some.md": "---\ntitle: 'a, \"b\" <c> | d & e'\nlet:\n  x: x > 0\n---\n"
    "$$x^2 \\ge 0$$\n\n$$x \\le x^2/3 + 1/4$$\n\n$$x < 1 \\implies x^2 < x$$\n\n$$\\lvert x\\rvert = 2x$$\n",
    "paper.md": "Let $t > 0$.\n\n$$c = t + 1$$\n\n$$t + 1 > t$$\n\n$$t > 3$$\n",
    "others.md": "---\nlet:\n  y: real\n---\n$$y^2 + 1 \\ge 2y$$\n\n$$y^2 > 2y - 1$$\n",
}
each = pytest.mark.parametrize("name", formats.names())


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> list[Report]:
    folder = tmp_path_factory.mktemp("reports")
    found = []
    for name, text in FILES.items():
        (folder / name).write_text(text)
        file = str(folder / name)
        found.append(check_document(read_path(file), file=file, time_limit=10.0, suggest=False))
    verdicts = {str(step.decision.verdict) for report in found for step in report.steps}
    assert {"proved", "fails", "refuted"} <= verdicts
    return found


def said(name: str, reports: list[Report]) -> str:
    """The report's words, without the marks by which the formats escape signs."""
    return re.sub(r"\\(?=[^\w\s])", "", unescape(formats.write(name, reports)))


@each
def test_every_step_that_is_not_accepted_is_there_with_where_it_fails(name: str, checked: list[Report]) -> None:
    text = said(name, checked)
    for report in checked:
        for step in report.steps:
            if step.decision.verdict not in (Verdict.FAILS, Verdict.REFUTED):
                continue
            assert re.search(rf"\b{step.step.line}\b", text)
            assert step.decision.witness is not None
            for symbol, value in step.decision.witness.point.items():
                assert f"{symbol} = {value}" in text, (step.step.line, symbol)


@each
def test_a_step_is_called_refuted_where_it_was_and_nowhere_else(name: str, checked: list[Report]) -> None:
    for report in checked:
        whole = blamed(name, report)
        for chain in report.chains:
            fewer = replace(report, chains=tuple(c for c in report.chains if c is not chain))
            refuted = any(step.decision.verdict is Verdict.REFUTED for step in chain.steps)
            assert (blamed(name, fewer) < whole) == refuted, chain.chain.line


@each
def test_what_fails_as_read_is_called_that_and_a_definition_is_blamed_for_nothing(
    name: str, checked: list[Report]
) -> None:
    (report,) = [one for one in checked if one.file.endswith("paper.md")]
    text = re.sub("(?s)<style>.*?</style>|<[^<>]*>", " ", said(name, [report]))
    assert re.search(r"\bfails as read at t = ", text)
    assert not re.search(r"\bopen\b|false as|::error", text)
    if name in ("github", "sarif"):
        assert "c = t + 1" not in text
    if name in ("text", "markdown", "github", "html"):  # what fails comes first
        assert re.search(r"\bfails\b", text.partition("proved")[0])


def blamed(name: str, report: Report) -> int:
    """How often the report says that something is refuted."""
    return len(re.findall(r"\brefuted\b|::error", said(name, [report])))


@each
def test_of_a_file_in_which_all_is_true_nothing_else_is_said(name: str, tmp_path: Path) -> None:
    file = tmp_path / "true.md"
    file.write_text("---\nlet:\n  x: x > 0\n---\n$$x + 1 > 1$$\n")
    report = check_document(read_path(str(file)), file=str(file), suggest=False)

    assert report.verdict is Verdict.PROVED
    assert not re.search(r"\brefuted\b|\bopen\b", re.sub("(?s)<style>.*?</style>", "", said(name, [report])))


@each
def test_the_command_writes_what_the_format_is(name: str, tmp_path: Path) -> None:
    file, written = tmp_path / "true.md", tmp_path / "report"
    file.write_text("---\nlet:\n  x: x > 0\n---\n$$x + 1 > 1$$\n")

    assert run(["check", str(file), "--no-cache", "--format", name, "-o", str(written)]) == 0
    report = check_document(read_path(str(file)), file=str(file), suggest=False, certify=10.0)
    assert written.read_text() == formats.write(name, [report]) + "\n"


def test_the_usual_format_is_one_and_comes_first() -> None:
    assert formats.names()[0] == formats.USUAL
    assert {"text", "markdown", "html"} <= set(formats.names())
