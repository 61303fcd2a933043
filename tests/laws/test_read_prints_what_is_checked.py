"""`dpsym read` prints the derivation that is checked: what it printed, checked, gives every step the same verdict."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dpsym.checking import check_document
from dpsym.cli import run
from dpsym.language import read_path
from dpsym.language.documents.derivation import Document, Reason

ROOT = Path(__file__).parents[2]
FILES = [
    one
    for folder in (ROOT / "tests" / "derivations", ROOT / "proofs")
    for one in sorted(folder.iterdir())
    if one.suffix in {".md", ".tex", ".txt"}
]
LONG = {"pure_to_approx_at_delta"}  # seconds, for what shorter files say too
PAPERS = {
    "guesses": "Let $x > 0$ and $y > 0$.\n\n$$x + y > x$$\n\n$$x \\le 1$$\n\n$$\\epsilon \\le 1$$\n",
    "a definition": "Let $x > 0$.\n\n$$c = x + 1$$\n\n$$c > 1$$\n\n$$x + 1 > x$$\n",
    "a case": "---\nlet: x: real\n---\n## Case $x > 0$\n\n$$|x| = x$$\n\n$$|x| = -x$$\n\n# Then\n\n$$|x| = x$$\n",
    "a value": "---\nlet:\n  x: x > 0\n---\n$$x^2 = 4 \\quad\\text{at } x = 2$$\n\n"
    "$$x^2 = 5 \\quad\\text{at } x = 2$$\n",
    "a restriction": "---\nlet: x: real\n---\n$$|x| = x \\quad\\text{on the event } E$$\n\n$$|x| = x$$\n",
    "what is supposed": "---\nlet: x: real\n---\nSuppose that $$x > 5.$$ It is done.\n\n# Next\n\n$$|x| \\ge 0$$\n",
    "what is unread": "---\nlet: x: real\n---\n$$x \\approx 3$$\n\n"
    "$$\\begin{aligned} x &< 1 \\\\ x &\\sim 2 \\end{aligned}$$\n",
    "what is said": "---\nlet: x: real\n---\nFor $x < 0$ we have\n\n$$|x| = -x$$\n\n$$x^2 \\ge 0$$\n",
}


def again(paper: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> Document:
    """What the command prints of it, read."""
    assert run(["read", str(paper)]) == 0
    printed = folder / "printed.txt"
    printed.write_text(capsys.readouterr().out)
    return read_path(printed)


def steps(document: Document) -> list[tuple[object, ...]]:
    posed = [(s, c.case, s.reason or Reason("")) for c in document.chains for s in c.steps if not s.unread]
    return [
        (s.claim, s.premises, s.both_ways, r.at, r.theorem, () if case is None else case.relations)
        for s, case, r in posed
    ]


@pytest.mark.cases(8)
@pytest.mark.parametrize(
    "file",
    [pytest.param(one, id=one.stem, marks=[pytest.mark.slow] * (one.stem in LONG)) for one in FILES],
)
def test_what_is_printed_of_a_derivation_poses_the_same_steps(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = read_path(file)
    found = again(file, tmp_path, capsys)
    assert not document.opaque
    assert steps(found) == steps(document)
    needed = [[set(s.needs) for c in one.chains for s in c.steps if not s.unread] for one in (document, found)]
    assert all(before <= after for before, after in zip(*needed, strict=True))  # a line needs what that above it does
    assert set(found.conditions) == set(document.conditions)
    assert found.proves == document.proves


@pytest.mark.parametrize("text", PAPERS.values(), ids=PAPERS)
def test_every_step_of_what_is_printed_has_the_verdict_of_the_paper(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paper = tmp_path / "paper.md"
    paper.write_text(text)
    read = [read_path(paper), again(paper, tmp_path, capsys)]
    verdicts = [
        [
            str(step.decision.verdict)
            for step in check_document(one, time_limit=3.0, suggest=False).steps
            if step.step.claim
        ]
        for one in read
    ]
    assert verdicts[0] == verdicts[1]
    assert "unread" not in verdicts[0]


NOT_SETTLED = {
    "another logarithm": "Let $\\log$ be base 2.\n\n$$\\log 2 = \\log 2$$\n",
    "an unread line": "$$x^2 \\approx x$$\n\n$$x \\le x + 1$$\n",
    "several readings": "$$x/2x = 1/2$$\n",
    "a union": "$$\\Pr[A \\cap B] \\ge \\Pr[A]$$\n",
    "norms": "$$\\|u + v\\| \\ge \\|u\\| + \\|v\\|$$\n",
}


@pytest.mark.parametrize("text", NOT_SETTLED.values(), ids=NOT_SETTLED)
def test_what_is_not_settled_is_not_settled_by_what_is_printed(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paper = tmp_path / "paper.md"
    paper.write_text(f"---\nlet: x > 0\n---\n{text}")
    for one in (read_path(paper), again(paper, tmp_path, capsys)):
        assert check_document(one, time_limit=3.0, suggest=False).exit_status == 3


def test_what_is_guessed_opaque_and_unread_is_marked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paper = tmp_path / "paper.md"
    paper.write_text("For all $q \\in (0, 1)$ and $t$\n\n$$\\Pr[A] \\le 1 + q t^2$$\n\n$$q \\approx t$$\n")
    assert run(["read", str(paper)]) == 0
    printed = capsys.readouterr().out
    assert "let 0 < q < 1  # read at line 1\n" in printed
    assert "let t: real  # guessed\n" in printed
    assert "prob_1: real  # stands for \\Pr [ A ]" in printed
    assert "prob_1 <= 1 + q*t^2  # line 3\n" in printed
    assert "?? unread in line 5: q \\approx t: " in printed
    assert run(["read", str(paper), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [step["unread"] is None for step in document["steps"]] == [True, False]
    assert document["opaque"] == {"prob_1": "\\Pr [ A ]"}
