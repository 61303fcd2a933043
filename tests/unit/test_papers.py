# ruff: noqa: E501
"""Whole documents as people publish them, and each format that is read: what is found, where, and what is passed over."""

import json
import sys
from pathlib import Path

import pytest

from dpsym.checking import check_document
from dpsym.reading import ReadingError, read_document, read_path
from dpsym.rendering.report import as_data, as_text

PAPERS = Path(__file__).parent.parent / "papers"
X = "---\nlet:\n  x: x > 0\n---\n"


def checked(name):
    return as_data(check_document(read_path(PAPERS / name, mending=True), time_limit=3, suggest=False))


def read(text, kind="markdown", **options):
    return [
        (s.line, s.unread or str(s))
        for c in read_document(text, kind=kind, mending=True, **options).chains
        for s in c.steps
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("blog.md", [(21, "unread"), (28, "proved"), (29, "unread"), (30, "unread"), (36, "refuted"), (41, "proved"),
                     (49, "unread"), (51, "unread")]),
        ("appendix.tex", [(15, "proved"), (16, "proved"), (23, "proved"), (25, "proved"), (34, "unread"), (37, "proved"),
                          (38, "refuted"), (40, "unread")]),
        ("lecture.rst", [(9, "proved"), (16, "unread"), (17, "unread"), (28, "refuted")]),
        ("homework.ipynb", [(5, "proved"), (3, "unread"), (8, "proved"), (9, "refuted")]),
    ],
)  # fmt: skip
def test_a_paper_is_checked_as_far_as_it_is_read(name, expected):
    found = checked(name)

    assert [(s["line"], s["verdict"]) for s in found["steps"]] == expected
    assert found["counts"]["unread"] == [v for _, v in expected].count("unread")
    assert found["counts"]["read"] + found["counts"]["unread"] == found["counts"]["steps"] == len(expected)
    assert found["conclusion"] is None


@pytest.mark.parametrize(
    "front",
    [
        "---\nlayout: post\ndate: 2020-01-01\nauthors:\n- a\n-   name: b\n    x: [1,\n    2]\ntags: [a]\nlet:\n  x: x > 0\n---\n",
        '+++\ntitle = "T"\ndate = 2020-01-01\nlet = ["x > 0"]\n[params]\nx = 1.5\n+++\n',
        '+++\n[let]\nx = "x > 0"\n[extra.deep]\ny = [1, 2]\n+++\n',
        "---\ntitle: >-\n  folded: title\nKey With Spaces: 1\nx-y.z: {a: 1}\nlet: x > 0\n---\n",
    ],
)
def test_front_matter_of_others_is_passed_over(front):
    (step,) = read(front + "$$ x \\ge 0 $$\n")
    assert step[1] == "x >= 0"


@pytest.mark.parametrize(
    "text", ["---\n\nA rule.\n\n$$ 1 = 1 $$\n", "+++\nx = \n+++\n$$ 1 = 1 $$\n", "---\nfoo: 1\n$$ 1 = 1 $$\n"]
)
def test_what_is_no_front_matter_of_ours_is_no_error(text):
    assert [said for _, said in read(text)] == ["1 = 1"]


@pytest.mark.parametrize("key", ["titel: x", "lets: x", "asume:\n  - x > 1", "wheres:\n  c: 1"])
def test_a_misspelled_key_is_not_passed_over(key):
    text = f"---\n{key}\nlet:\n  x: x > 0\n---\n$$ x \\ge 0 $$\n"
    assert read(text)[0][0] == 2
    assert "expected one of" in read(text)[0][1]
    with pytest.raises(ReadingError, match="line 2"):
        read_document(text, kind="markdown")


@pytest.mark.parametrize(
    "display",
    [
        r"\\[ x \ge 0 \\]", "text $$ x \\ge 0 $$ text", "$$ x \\ge 0 $$ (label)", "```{math}\n:label: a\n:nowrap:\n\nx \\ge 0\n```",
        ":::{math}\n:label: a\nx \\ge 0\n:::", "```math\nx \\ge 0\n```", "> said\n>\n> $$\n> x\n> \\ge 0\n> $$",
        "\\begin{equation*}\\label{a} x \\ge 0 \\tag{3} \\end{equation*}", "\\begin {align} x &\\ge 0 \\nonumber \\end{align}",
        "\\begin{eqnarray} x & \\ge & 0 \\end{eqnarray}", "$$ x \\ge 0, \\qquad (12) $$", "$$ \\tag{$*$} x \\ge 0 $$",
        "$$\\begin{split} x &\\ge 0 \\end{split}$$", "$$\\newcommand{\\xx}{x}$$ $$ \\xx \\ge 0 $$",
        "\\begin{multline} x \\\\ \\ge 0 \\end{multline}", "\\begin{gather} x \\ge 0 \\notag \\end{gather}",
        "\\(1 = 2\\) and \\\\(1 = 2\\\\) and $1 = 2$\n\n$$ x \\ge 0 $$", "[^1]: {eq}`a`\n\n$$ x \\ge 0 $$",
        "$\\DeclareMathOperator{\\yy}{x} \\def\\zz#1{#1 \\ge}$\n\n$$ \\zz{x} 0 $$",
    ],
)  # fmt: skip
def test_markdown_of_every_kind(display):
    assert [said for _, said in read(X + display + "\n")] == ["x >= 0"]


@pytest.mark.parametrize(
    "passed",
    ["`$$ 1 = 2 $$`", "```\n$$ 1 = 2 $$\n```", "<!-- $$ 1 = 2 $$ -->", "~~~tex\n\\[ 1 = 2 \\]\n~~~", "\\$$ 1 = 2"],
)
def test_what_is_no_mathematics_is_passed_over(passed):
    assert read(X + passed + "\n\n$$ x \\ge 0 $$\n")[-1][1] == "x >= 0"
    assert len(read(X + passed + "\n\n$$ x \\ge 0 $$\n")) == 1


RST = """.. dpsym: let x > 0

.. math:: x \\ge 0
   :label: a

.. math::
   :label: b

   x &\\ge 0 \\\\
     &\\ge -1

   x \\ge -2

Code::

   .. math:: 1 = 2

.. code-block:: rst

   .. math:: 1 = 2

.. a comment

   .. math:: 1 = 2

.. [1] A note

.. note::

   .. math:: x \\ge -3

:math:`1 = 2`
"""


def test_restructured_text():
    found = read(RST, "rst")
    assert found == [(3, "x >= 0"), (9, "x >= 0"), (10, "0 >= -1"), (12, "x >= -2"), (30, "x >= -3")]


def test_files_beside_it_are_taken_in(tmp_path):
    (tmp_path / "secret.tex").write_text(r"\[ 1 = 3 \]")
    folder = tmp_path / "paper"
    (folder / "parts").mkdir(parents=True)
    (folder / "parts" / "a.tex").write_text(
        "\\newcommand{\\xx}{x}\n\\[ \\xx \\ge 0 \\]\n\\input{parts/b}\n\\[ \\xx \\ge -1 \\]\n"
    )
    (folder / "parts" / "b.tex").write_text("words\n\n\\[ \\foo \\]\n")
    (folder / "link.tex").symlink_to(tmp_path / "secret.tex")
    (folder / "loop.tex").write_text("\\input{loop}")
    (folder / "main.tex").write_text(
        "% dpsym: let x > 0\n\\include{parts/a}\n\\[ \\xx \\ge -2 \\]\n% \\input{parts/b}\n\\input{../secret}\n\\input{link}\n"
        f"\\input{{{tmp_path}/secret}}\n\\input{{loop}}\n\\input{{none}}\n\\[ x \\ge -3 \\]\n"
    )
    document = read_path(folder / "main.tex", mending=True)
    found = [(c.file, s.line, s.unread or str(s)) for c in document.chains for s in c.steps]

    assert [(f, n) for f, n, _ in found] == [
        ("parts/a.tex", 2), ("parts/b.tex", 3), ("parts/a.tex", 4), ("", 3), ("", 5), ("", 6), ("", 7), ("loop.tex", 1),
        ("", 9), ("", 10),
    ]  # fmt: skip
    assert [said for _, _, said in found if ">=" in said] == ["x >= 0", "x >= -1", "x >= -2", "x >= -3"]
    assert not any("1 = 3" in said for *_, said in found)
    assert "parts/b.tex line 3: unread" in as_text([check_document(document)])


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"cells": 1}', "[" * 50_000, '{"cells": [' + ",".join(["{}"] * 6_000) + "]}", "1e999"]
)
def test_what_is_no_notebook(text):
    with pytest.raises(ReadingError, match="no notebook"):
        read_document(text, kind="notebook")


def test_cells_are_read_each_by_itself():
    cells = [("markdown", "let us see\n"), ("markdown", "$$ 1 = 1"), ("markdown", ["$$ 1 ", "\\le 2 $$"]), ("code", "$$ 1 = 2 $$"),
             ("markdown", 7), ("raw", "$$ 1 = 2 $$")]  # fmt: skip
    text = json.dumps({"cells": [{"cell_type": k, "source": s} for k, s in cells] + [None]})
    chains = read_document(text, kind="notebook", mending=True).chains

    assert [(c.file, bool(s.unread)) for c in chains for s in c.steps] == [("cell 2", True), ("cell 3", False)]


def test_a_long_document_is_read_to_its_end():
    """The one whose time benchmarks/reading.md tells."""
    sys.path.insert(0, str(Path(__file__).parent.parent.parent / "benchmarks"))
    try:
        import reading
    finally:
        sys.path.pop(0)
    for kind in ("markdown", "latex"):
        text = reading.document(kind, 0.25)
        assert text.count("\n") >= 1_000
        document = read_document(text, kind=kind, mending=True)
        steps = [s for c in document.chains for s in c.steps]
        assert 0 < sum(bool(s.unread) for s in steps) < len(steps)
        assert steps[-1].line > 990
