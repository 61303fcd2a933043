"""The copy of a paper with its margin, and what other programs show at its lines."""

import json
import subprocess

import pytest

from dpsym.checking import check_document
from dpsym.language.documents.document import read_document
from dpsym.rendering import annotations
from dpsym.rendering.margin import as_tex

PAPER = r"""\documentclass{article}
\usepackage{amsmath}
\begin{document}
Text.
\begin{align*}
 3 &\le 4 \\
   &\le 2
\end{align*}
and \[ x_1^2 \ge \foo{\{} \] more text.
\end{document}
"""


@pytest.fixture(scope="module")
def report():
    return check_document(read_document(PAPER, kind="latex"), file="a:b,%.tex", time_limit=3.0, suggest=False)


def test_nothing_but_notes_is_added(report):
    written = as_tex(report, PAPER).split("\n")
    notes = [line for line in written if line.startswith(r"\dpsymnote{")]
    assert [line for line in written if "dpsymnote" not in line] == PAPER.split("\n")
    assert [note.count("refuted") for note in notes] == [1, 0]
    for note in notes:
        plain = note.replace(r"\{", "").replace(r"\}", "")
        assert plain.count("{") == plain.count("}")
    assert written.index(notes[0]) == written.index(r"\end{align*}") + 1


@pytest.mark.needs("pdflatex")
@pytest.mark.slow
def test_it_is_built_as_the_paper_is(report, tmp_path):
    (tmp_path / "a.tex").write_text(as_tex(report, PAPER.replace(r"\foo{\{}", "0")))
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "a.tex"],  # noqa: S607 - found on the path
        cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:]


def test_sarif_has_a_result_for_each_step_that_was_not_accepted(report):
    data = json.loads(annotations.as_sarif([report]))
    (run,) = data["runs"]
    assert data["version"] == "2.1.0"
    assert [(r["ruleId"], r["level"]) for r in run["results"]] == [("refuted", "error"), ("unread", "note")]
    assert {r["ruleId"] for r in run["results"]} <= {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    regions = [r["locations"][0]["physicalLocation"]["region"] for r in run["results"]]
    assert [r["startLine"] for r in regions] == [7, 9]


def test_a_workflow_command_is_one_line_with_its_signs_escaped(report):
    lines = annotations.as_github([report]).split("\n")
    assert lines[0].startswith("::error file=a%3Ab%2C%25.tex,line=7,")
    assert all(line.startswith("::") for line in lines)
