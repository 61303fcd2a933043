"""The copy of a paper with its margin, and what other programs show at its lines."""

import json
import re
import subprocess
from dataclasses import replace

import pytest

from dpsym.checking import check_document
from dpsym.language.documents.document import read_document, read_path
from dpsym.rendering import annotations
from dpsym.rendering.margin import as_tex

PAPER = r"""\documentclass{article}
\usepackage{amsmath}
\begin{document}
Then
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


DISPLAY = r"\[ x_1^2 \le 2 \]"
CLASSES = {
    "article": r"\documentclass{article}\usepackage{amsmath}",
    "two columns": r"\documentclass[twocolumn]{article}\usepackage{amsmath}",
    "amsart": r"\documentclass{amsart}",
    "beamer": r"\documentclass{beamer}",
    "in columns": r"\documentclass{article}\usepackage{amsmath,multicol}",
}
BODIES = {
    "beamer": rf"\begin{{frame}}\frametitle{{T}} Text. {DISPLAY} More. \begin{{align*}} 3 &\le 4 \end{{align*}}"
    "\n\\end{frame}",
    "in columns": f"\\begin{{multicols}}{{2}}\nText.\n{DISPLAY}\nMore.\n{DISPLAY}\n\\end{{multicols}}",
}
BOXES = (
    f"A footnote.\\footnote{{It says {DISPLAY}\nthis.}}\n"
    f"\\begin{{figure}}\nText. {DISPLAY}\n\\caption{{C}}\\end{{figure}}\n"
    f"\\noindent\\begin{{minipage}}{{5cm}}\n{DISPLAY}\n\\end{{minipage}}\n\\parbox{{5cm}}{{{DISPLAY}\n}}\n"
    f"\\begin{{itemize}}\\item {DISPLAY}\n\\end{{itemize}}\n"
    f"\\begin{{tabular}}{{p{{5cm}}}}\n{DISPLAY}\n\\end{{tabular}}\n"
)


@pytest.mark.needs("pdflatex")
@pytest.mark.slow
@pytest.mark.parametrize("name", CLASSES)
def test_it_is_built_as_the_paper_is(name, tmp_path):
    plain = PAPER.partition(r"\begin{document}")[2].replace(r"\foo{\{}", "0").replace(r"\end{document}", BOXES)
    paper = f"{CLASSES[name]}\n\\begin{{document}}\n{BODIES.get(name, plain)}\n\\end{{document}}\n"
    found = check_document(read_document(paper, kind="latex", let=["x_1: real"]), time_limit=3.0, suggest=False)
    noted = as_tex(found, paper)
    assert noted.count(r"\dpsymnote{") == len(found.chains) > 1
    (tmp_path / "a.tex").write_text(noted)
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "a.tex"],  # noqa: S607 - found on the path
        cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:]
    assert not re.search("lost|not allowed", done.stdout)


# what SARIF 2.1.0 (sections 3.13 to 3.52) requires of each object that is written here, and what its values may be
SARIF = {
    "log": {"version": {"2.1.0"}, "runs": ["run"]},
    "run": {"tool": "tool", "results": ["result"], "columnKind?": {"utf16CodeUnits", "unicodeCodePoints"}},
    "tool": {"driver": "component"},
    "component": {"name": str, "rules": ["rule"], "version?": str},
    "rule": {"id": str, "shortDescription?": "text", "defaultConfiguration?": "configuration"},
    "configuration": {"level": {"none", "note", "warning", "error"}},
    "text": {"text": str},
    "result": {"message": "text", "ruleId": str, "level": {"note", "warning", "error"}, "locations": ["location"]},
    "location": {"physicalLocation": "place"},
    "place": {"artifactLocation": "artifact", "region": "region"},
    "artifact": {"uri": re.compile(r"(?:[a-z]+://)?(?:[\w./~@+$&=;!*'()-]|%[0-9A-F]{2})+", re.ASCII)},
    "region": {"startLine": int, "startColumn": int},
}  # fmt: skip


def valid(data, kind):
    required = {key for key in SARIF[kind] if not key.endswith("?")}
    assert required <= set(data) <= {key.rstrip("?") for key in SARIF[kind]} | {"$schema"}, (kind, data)
    for key, wanted in SARIF[kind].items():
        value = data.get(key.rstrip("?"))
        if isinstance(wanted, list):
            assert isinstance(value, list)
            for one in value:
                valid(one, wanted[0])
        elif isinstance(wanted, str) and value is not None:
            valid(value, wanted)
        elif isinstance(wanted, set):
            assert value in wanted
        elif isinstance(wanted, re.Pattern):
            assert wanted.fullmatch(value), value
        elif isinstance(wanted, type):
            assert isinstance(value, wanted)
            assert value, (kind, key)


@pytest.mark.parametrize("file", ["a.md", "/home/x y/ü:%.tex", "a:b,%.tex", "x\\y.md"])
def test_sarif_has_what_its_specification_requires(report, file):
    valid(json.loads(annotations.as_sarif([replace(report, file=file)])), "log")


def test_sarif_has_a_result_for_each_step_that_was_not_accepted(report):
    data = json.loads(annotations.as_sarif([report]))
    (run,) = data["runs"]
    assert data["version"] == "2.1.0"
    assert [(r["ruleId"], r["level"]) for r in run["results"]] == [("refuted", "error"), ("unread", "note")]
    assert {r["ruleId"] for r in run["results"]} <= {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    regions = [r["locations"][0]["physicalLocation"]["region"] for r in run["results"]]
    assert [r["startLine"] for r in regions] == [7, 9]


COMMAND = re.compile(r"::(error|warning|notice) ([^:]*)::(.*)")


def unescaped(text):
    return re.sub("%(25|0D|0A|3A|2C)", lambda m: chr(int(m[1], 16)), text)


def test_a_workflow_command_is_one_line_and_reads_back(report):
    lines = annotations.as_github([report]).split("\n")
    refuted, unread = (COMMAND.fullmatch(line) for line in lines)
    assert [m[1] for m in (refuted, unread)] == ["error", "notice"]
    said = dict(part.split("=", 1) for part in refuted[2].split(","))
    assert {key: unescaped(value) for key, value in said.items()} == {
        "file": "a:b,%.tex", "line": "7", "col": "9", "title": "dpsym: refuted",
    }  # fmt: skip
    assert "\n" in unescaped(refuted[3])
    assert not re.search("%(?!25|0D|0A|3A|2C)", refuted[3])


def test_what_stands_in_an_included_file_is_said_of_that(tmp_path):
    (tmp_path / "main.tex").write_text("\\begin{document}\n\\input{part}\n\\end{document}\n")
    (tmp_path / "part.tex").write_text("Then\n\n\\[ 3 \\le 2 \\]\n")
    path = tmp_path / "main.tex"
    found = check_document(read_path(path), file=str(path), time_limit=3.0, suggest=False)
    (line,) = [one for one in annotations.as_github([found]).split("\n") if "error" in one]
    assert f"file={tmp_path}/part.tex,line=3," in line
    (result,) = json.loads(annotations.as_sarif([found]))["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].endswith("/part.tex")
