"""One derivation in every kind of document: the same steps, where they were written, and nothing that is none."""

import json

import pytest

from dpsym.checking import check_document
from dpsym.language.documents.document import read_document, read_path

BODY = ["x &= x \\\\", "&\\le x + 1"]
ALIGNED = "\\begin{aligned}\n" + "\n".join(BODY) + "\n\\end{aligned}"


def cells(*sources, indent=1):
    found = [{"cell_type": kind, "source": text.splitlines(keepends=True)} for kind, text in sources]
    return json.dumps({"cells": found, "nbformat": 4}, indent=indent)


def indented(text):
    return "".join(f"   {line}\n" for line in text.split("\n"))


def rows(environment, *signs):
    return f"\\begin{{{environment}}}" + " \\\\ ".join(signs) + f"\\end{{{environment.partition('}')[0]}}}"


KINDS = {
    "dollars": ("markdown", f"Text\n$$\n{ALIGNED}\n$$ (eq:label)\n"),
    "Quarto": ("markdown", f"Text\n\n$$\n{ALIGNED}\n$$ {{#eq-one}}\n"),
    "bookdown": ("markdown", "\\begin{align}\nx &= x \\\\\n&\\le x + 1 (\\#eq:one)\n\\end{align}\n"),
    "rows with a space in Markdown": ("markdown", "\\begin{align}\nx &= x \\\\[2pt]\n&\\le x + 1\n\\end{align}\n"),
    "MyST": ("markdown", f"Text\n\n```{{math}}\n:label: one\n\n{ALIGNED}\n```\n"),
    "MyST with colons": ("markdown", f":::{{math}}\n---\nlabel: one\n---\n{ALIGNED}\n:::\n"),
    "MyST in a theorem": ("markdown", f"````{{prf:theorem}} One\n:label: t\n```{{math}}\n{ALIGNED}\n```\n````\n"),
    "a quote": ("markdown", "Text\n\n> so\n> $$\n" + "".join(f"> {line}\n" for line in ALIGNED.split("\n")) + "> $$\n"),
    "HTML": ("markdown", f"<div>\n$$\n{ALIGNED}\n$$\n</div>\n"),
    "an entity": ("markdown", "$$ x = x $$\n\n$$ x &lt; x + 1 $$\n"),
    "escapes": ("markdown", "\\\\[ x = x \\\\] and \\\\[ x \\\\le x + 1 \\\\]\n"),
    "a notebook": ("notebook", cells(("markdown", "# T \"é\""), ("code", "y = 1"), ("markdown", f"$$\n{ALIGNED}\n$$"))),
    "a notebook in a line": ("notebook", cells(("markdown", f"α\n$$\n{ALIGNED}\n$$"), indent=None)),
    "Jupyter's brackets": ("notebook", cells(("markdown", f"\\\\[\n{ALIGNED}\n\\\\]"))),
    "an old notebook": ("notebook", json.dumps({"worksheets": [
        {"cells": [{"cell_type": "markdown", "source": f"$${ALIGNED}$$"}]}]})),
    "reStructuredText": ("rst", f"T\n=\n\n.. math::\n   :label: one\n\n{indented(ALIGNED)}\nText\n"),
    "without a line between": ("rst", ".. math:: x = x\n   :label: one\n\n   x \\le x + 1\n"),
    "environments": ("rst", ".. math::\n   :nowrap:\n\n" + indented(
        "\\begin{eqnarray}\nx & = & x \\\\\n& \\le & x + 1\n\\end{eqnarray}")),
    "in a directive": ("rst", ".. theorem::\n\n   Text\n\n   .. math:: x = x\n\n   .. math:: x \\le x + 1\n"),
    "eqnarray": ("latex", rows("eqnarray", "x & = & x \\nonumber", "& \\le & x + 1 \\label{a}")),
    "eqnarray in brackets": ("latex", "\\[" + rows("eqnarray*", "x & = & x", "& \\le & x + 1") + "\\]"),
    "alignat": ("latex", rows("alignat}{2", "x &= x &\\quad& \\text{so}", "&\\le x + 1 && \\text{thus}")),
    "split": ("latex", "\\begin{equation}\\label{a}" + rows("split", "x &= x", "&\\le x + 1") + "\\end{equation}"),
    "subequations": ("latex", "\\begin{subequations}" + rows("align", "x &= x", "&\\le x + 1") + "\\end{subequations}"),
    "an array": ("latex", "\\[\\begin{array}{r@{\\,}c@{\\,}l} x &=& x \\\\ &\\le& x + 1 \\end{array}.\\]"),
    "IEEE": ("latex", "\\begin{IEEEeqnarray}{rCl} x &=& x \\\\ &\\le& x + 1 \\end{IEEEeqnarray}"),
    "words between": ("latex", rows("align", "x &= x", "\\shortintertext{and so} x &\\le x + 1 \\tag{$\\star$}")),
    "numbers": ("latex", "\\[ x = x \\hspace{2cm} (3.1) \\] $$ x \\le x + 1 \\eqno (4) $$"),
    "numbers in columns": ("latex", rows("align", "x &= x & (1)", "&\\le x + 1 & (2)")),
    "boxes": ("latex", "\\[ \\boxed{x = x} \\] \\[ \\textcolor{red}{x} \\le \\lefteqn{x + 1} \\]"),
    "left out": ("latex", "\\begin{align}x &= x \\\\\n\\iffalse &= 3 \\\\ \\fi\n% &= 4 \\\\\n&\\le x + 1 \\end{align}"),
    "shorthands": ("latex", "\\def\\be{\\begin{align}}\\def\\ee{\\end{align}}\n\\be x &= x \\\\ &\\le x + 1 \\ee"),
    "the end": ("latex", "\\begin{document}\\[ x = x \\] 50\\% \\[ x \\le x + 1 \\] \\end{document} \\[ 1 > 2 \\]"),
}  # fmt: skip


def verdicts(text, kind, let=("x: real",)):
    """Of all steps, from the first; the status of the whole."""
    report = check_document(read_document(text, kind=kind, let=let), time_limit=3.0, suggest=False)
    return [str(result.decision.verdict) for result in report.steps], report.exit_status


def steps(text, kind, **more):
    document = read_document(text, kind=kind, let=("x: real",), **more)
    return [step for chain in document.chains for step in chain.steps]


@pytest.mark.parametrize(("kind", "text"), KINDS.values(), ids=KINDS)
def test_the_same_steps_stand_where_they_were_written(kind, text):
    first, second = steps(text, kind)
    assert (str(first), str(second).replace("<=", "<")) == ("x = x", "x < x + 1")
    lines = text.split("\n")
    for step in (first, second):
        begins = lines[step.line - 1][step.column - 1 :]
        assert begins.startswith(("x", "\\boxed{x", "\\textcolor{red}{x")), begins
    if kind == "notebook":
        source = [cell["source"] for sheet in json.loads(text).get("worksheets", [json.loads(text)])
                  for cell in sheet["cells"]]  # fmt: skip
        for step in (first, second):
            number, line = step.cell
            assert "".join(source[number - 1]).split("\n")[line - 1].count("x")


@pytest.mark.parametrize(("kind", "text"), KINDS.values(), ids=KINDS)
def test_a_slip_is_found_in_every_kind(kind, text):
    assert verdicts(text, kind) == (["proved", "proved"], 0)
    assert verdicts(text.replace("x + 1", "x - 1"), kind) == (["proved", "refuted"], 1)


@pytest.mark.parametrize(
    ("before", "verdict"), [("<b>We</b> have", "refuted"), ("Here x <b and b> 0: we have", "fails")]
)
def test_a_tag_is_no_relation_and_a_relation_no_tag(before, verdict):
    assert verdicts(f"{before} $$ x \\ge 0 $$", "markdown", ("x: real", "b: real"))[0] == [verdict]


NONE = {
    "code": ("markdown", "```latex\n$$ 1 > 2 $$\n```\n"),
    "code of R": ("markdown", "```{r, echo=FALSE}\n$$ 1 > 2 $$\n```\n"),
    "a comment of MyST": ("markdown", "% $$ 1 > 2 $$\n"),
    "preformatted": ("markdown", "<pre>\n$$ 1 > 2 $$\n</pre>\n"),
    "a style": ("markdown", '<style>\na { content: "$$ 1 > 2 $$" }\n</style>\n'),
    "a code cell": ("notebook", cells(("code", "$$ 1 > 2 $$"), ("raw", "$$ 1 > 2 $$"))),
    "an output": ("notebook", json.dumps({"cells": [{"cell_type": "code", "source": "1", "outputs": [
        {"cell_type": "markdown", "source": ["$$ 1 > 2 $$"]}]}]})),
    "a comment": ("rst", ".. a comment\n   .. math:: 1 > 2\n\n   .. math:: 1 > 2\n"),
    "a literal block": ("rst", "So::\n\n  .. math:: 1 > 2\n\n"),
    "a block of code": ("rst", ".. code-block:: rst\n\n   .. math:: 1 > 2\n"),
    "brackets": ("rst", "An escaped \\[ 1 > 2 \\] bracket.\n"),
    "left out": ("latex", "\\iffalse \\[ 1 > 2 \\] \\fi \\iftrue\\else \\[ 1 > 2 \\] \\fi"),
    "a comment of LaTeX": ("latex", "% \\[ 1 > 2 \\]\n\\begin{comment}\n\\[ 1 > 2 \\]\n\\end{comment}"),
}  # fmt: skip


@pytest.mark.parametrize(("kind", "text"), NONE.values(), ids=NONE)
def test_what_is_no_mathematics_is_no_step(kind, text):
    assert steps(text, kind) == []


@pytest.mark.parametrize(
    "text",
    [
        "\\[ x \\le x + 3 \\hspace{2cm} (3 x + 1) \\]",
        "\\[ x \\le x + 3 ~~ (3 x + 1) \\]",
        "\\[ x = \\begin{array}{ll} x & x \\\\ x & x \\end{array} \\]",
        "\\[ \\begin{array}{ll} x &= x \\\\ x &= x \\end{array} + 1 \\]",
        "\\begin{numcases}{x =} 1 & x \\\\ 2 & x \\end{numcases}",
        "\\begin{align} x &= x & x \\end{align}",
        "\\[ \\begin{array}{r@{\\text{ if }}l} x = x & x = 1 \\end{array} \\]",
        "\\[ x \\le 1 \\noalign{where $x \\le 1$} \\]",
    ],
)
def test_what_stands_apart_is_no_factor(text):
    assert all(step.unread for step in steps(text, "latex"))


def test_a_column_with_a_value_is_no_number_of_the_line():
    (step,) = steps(rows("eqnarray", "x &=& (2)"), "latex")
    assert str(step) == "x = 2"


def test_what_is_open_in_one_cell_does_not_reach_into_the_next():
    text = cells(("markdown", "so $$ x + "), ("markdown", "```\n"), ("markdown", "$$ x = x $$"))
    assert [str(s) for s in steps(text, "notebook") if not s.unread] == ["x = x"]


def test_a_part_that_is_read_from_another_file_stands_there(tmp_path):
    (tmp_path / "parts").mkdir()
    whole = "\\documentclass{subfiles}\n\\begin{document}\n\\input{inner}\n\\[ x = x \\]\n\\end{document}\n"
    (tmp_path / "parts" / "one.tex").write_text(whole)
    (tmp_path / "parts" / "inner.tex").write_text("\n\n\\[ x \\le x + 2 \\]\n")
    (tmp_path / "paper.tex").write_text("\\import{parts/}{one}\n\\subfile{parts/one} \\[ x \\le x + 1 \\]")
    found = [s for c in read_path(tmp_path / "paper.tex", let=("x: real",)).chains for s in c.steps]
    assert [(s.file, s.line, str(s)) for s in found] == [
        ("parts/inner.tex", 3, "x <= x + 2"),
        ("parts/one.tex", 4, "x = x"),
        ("parts/one.tex", 3, r"\input{inner}"),  # which is looked for beside the paper
        ("parts/one.tex", 4, "x = x"),
        ("", 2, "x <= x + 1"),
    ]


def test_what_may_hold_displays_and_is_not_read_is_said():
    text = "\\newcommand{\\bb}[1]{\\begin{equation}}\n\\bb{a} 1 > 2 \\end{equation}\n\\input{gone}\n\\[ 1 < 2 \\]"
    assert [(s.line, bool(s.unread)) for s in steps(text, "latex")] == [(2, True), (3, True), (4, False)]
    assert len(steps(f"\\input{{gone}}\n% dpsym: begin\n{text}\n% dpsym: end\n\\input{{gone}}", "latex")) == 3


# --- what opens in a block ends with it
FALSE = "$$ x = x + 1 $$"
NOT_HIDDEN = [
    f"- a ``tight'' bound\n- {FALSE}\n- a ``loose'' bound\n",
    f"# On the ` sign\n{FALSE}\nand the ` sign\n",
    f"| `a | {FALSE} | b` |\n|---|---|---|\n",
    f"a `b\n***\n{FALSE}\nc` d\n",
    f"a `b\n> {FALSE}\n> c` d\n",
    f"a `b\n===\n{FALSE}\nc` d\n",
    f"a `b\n```\ncode\n```\n{FALSE}\nc` d\n",
    f"> ```\n> code\n\n{FALSE}\n\n> ```\n> code\n",
    f"> > ~~~\n> {FALSE}\n\n~~~\ncode\n~~~\n",
    f"- ```\n  code\n\n{FALSE}\n\n  ```\n",
    f"- ```\n  code\n  ```\n\n{FALSE}\n\n- ```\n  code\n  ```\n",
    f"1. > ```\n   > code\n\n{FALSE}\n\n1. > ```\n   > code\n",
    f"Text.\n\n    ```\n\n{FALSE}\n\n    ```\n",
    f"```\ncode\n  ```\n\n{FALSE}\n\n```\ncode\n```\n",
    f"```\n    ```\n```\n\n{FALSE}\n\n```\ncode\n```\n",
    f"```\n```python\n```\n\n{FALSE}\n\n```\ncode\n```\n",
    f"> <pre>\n> code\n\n{FALSE}\n\n> </pre>\n",
    f"The tag <pre> opens.\n\n{FALSE}\n\nHere is </pre>.\n",
    f"\\<pre> {FALSE} </pre>\n",
    f"a <!-- b\n\n{FALSE}\n\nc --> d\n",
    f"> <!--\n\n{FALSE}\n\n-->\n",
    f"<a title='`'>{FALSE}</a>`\n",
    f"<https://a.b/`> {FALSE} `\n",
    "```math title\nx = x + 1\n```\n",
    "> ```\n> code\n\n```{math}\nx = x + 1\n```\n",
    f"</script>\n````\ntext\n\n{FALSE}\n\n````\n",
    f"- item\nmore\n   ```\ncode\n\n{FALSE}\n\n```\ncode\n```\n",
]


@pytest.mark.parametrize("text", NOT_HIDDEN)
def test_what_opens_in_a_block_hides_nothing_after_it(text):
    found, status = verdicts(f"{text}\n$$ x = x $$\n", "markdown")
    assert len(found) > 1
    assert status != 0


@pytest.mark.parametrize("text", NOT_HIDDEN)
def test_and_a_true_display_there_is_proved(text):
    assert set(verdicts(text.replace("x + 1", "x"), "markdown")[0]) == {"proved"}


@pytest.mark.parametrize(
    "text",
    [
        f"a `b {FALSE} c` d\n", f"a ``b\n{FALSE}\nc`` d\n", f"> ```\n> {FALSE}\n> ```\n", f"- ```\n  {FALSE}\n  ```\n",
        f"- a\n\n  ~~~ x\n\n  {FALSE}\n  ~~~\n", f"```\n    ```\n{FALSE}\n```\n", f"````\n```\n{FALSE}\n````\n",
        f"```\n- a\n> {FALSE}\n```\n", f"<!-- so -->\n```\n{FALSE}\n```\n",
        f"<pre>\n\n{FALSE}\n\n</pre>\n", f"<!--\n\n{FALSE}\n\n-->\n",
        f"> - <!--\n>\n>   {FALSE} -->\n",
    ],
)  # fmt: skip
def test_code_and_comments_in_blocks_are_none(text):
    assert verdicts(f"{text}\n$$ x = x $$\n", "markdown") == (["proved"], 0)


def test_what_opens_in_a_cell_ends_with_it():
    for first, last in (("The tag <pre>", "</pre>"), ("<!--", "-->"), ("```", "```"), ("> ~~~", "> ~~~")):
        text = cells(("markdown", first), ("markdown", "$$ 1 = 2 $$"), ("markdown", last), ("markdown", "$$ 1 = 1 $$"))
        assert verdicts(text, "notebook")[1] != 0


@pytest.mark.parametrize(
    "before",
    ["T\n~~~\n\n{0}\n\nU\n~~~\n", "~~~\n\n{0}\n\n~~~\n", "```\n\n{0}\n\n```\n", "<!--\n\n{0}\n\n-->\n",
     "a ` b\n\n{0}\n\nc `\n"],
)  # fmt: skip
def test_reStructuredText_has_no_fences(before):
    assert verdicts(before.format(".. math:: 1 = 2") + "\n.. math:: 1 = 1\n", "rst")[1] != 0
    assert verdicts(before.format(".. math:: 2 = 2") + "\n.. math:: 1 = 1\n", "rst") == (["proved"] * 2, 0)


def test_raw_latex_in_reStructuredText_is_unread():
    assert verdicts(".. math:: 1 = 1\n\n.. raw:: latex\n\n   \\[ 1 = 2 \\]\n", "rst")[1] == 3
    assert verdicts(".. math:: 1 = 1\n\n.. raw:: html\n\n   <p>so</p>\n", "rst")[1] == 0


@pytest.mark.parametrize(
    "end", ["<h2>General case</h2>", "<hr>", "**General case.**", "In general\n===", "In general\n--", "__All signs__"]
)
def test_a_case_ends_with_every_heading(end):
    case = "## Case $x > 0$\n\n$$ x > 0 $$\n"
    assert verdicts(f"{case}\n{end}\n\n$$ x > 0 $$\n", "markdown")[1] != 0
    assert verdicts(f"{case}\n**Proof.**\n\n$$ x > 0 $$\n", "markdown") == (["proved"] * 2, 0)


def test_a_case_in_a_quote_ends_with_it():
    assert verdicts("> ## Case $x > 0$\n\n$$ x > 0 $$\n", "markdown")[1] != 0
    assert verdicts("> ## Case $x > 0$\n>\n> $$ x > 0 $$\n", "markdown") == (["proved"], 0)


# --- no document is refused
@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("latex", "\\[ x = x \\] \\newcommand{\\a}{ \\[ x = x + 1 \\]"),
        ("latex", "\\[ x = x \\] \\iffalse \\[ x = x + 1 \\]"),
        ("latex", "\\[ x = x \\] " + "{" * 300 + "\\[ x = x + 1 \\]"),
        ("markdown", "$$ x = x $$\n\n# Case $x >> $\n\n$$ x = x + 1 $$"),
    ],
)
def test_what_comes_after_a_place_that_is_not_understood_is_unread(kind, text):
    first, *rest = steps(text, kind)
    assert not first.unread
    assert all(step.unread for step in rest)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("markdown", "---\nlet:\n  - x: real\nassume:\n  - x >\n---\n$$ x \\ge 0 $$"),
        ("markdown", "---\nlet:\n  - x: real\nasume:\n  - x > 0\n---\n$$ x \\ge 0 $$"),
        ("latex", "% dpsym: let x: real\n% dpsym: assum x > 0\n\\[ x \\ge 0 \\]"),
        ("plain", "let x: real\nassume x >\nx >= 0"),
    ],
)
def test_nothing_is_refuted_without_an_assumption_that_was_not_read(kind, text):
    found, status = verdicts(text, kind, ())
    assert (found[0], found[-1], status) == ("unread", "fails", 3)


def test_keys_of_other_programs_beside_declarations_are_passed_over():
    text = "---\nlayout: post\ntags:\n  - a: b\nlet:\n  - x > 0\n---\n$$ x \\ge 0 $$"
    assert verdicts(text, "markdown", ()) == (["proved"], 0)
