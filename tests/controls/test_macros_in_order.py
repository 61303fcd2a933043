r"""A display is read with the macros in force at its place: what is false with them must not be accepted.

The other group is the nearest true documents, which must stay accepted; the third is refused, since what the macro
stands for is not certain.
"""

from __future__ import annotations

import pytest

from dpsym.language import ReadingError
from dpsym.language.documents.document import read_document
from oracle.asking import ACCEPTED, said_of_document

LET = "% dpsym: let x: real\n"
SQUARE = r"\newcommand{\foo}{x^2}" + "\n"  # foo >= 0 holds, foo >= x does not
PLAIN = r"\newcommand{\foo}{x}" + "\n"  # foo >= x holds, foo >= 0 does not
TO_PLAIN = r"\renewcommand{\foo}{x}" + "\n"
TO_SQUARE = r"\renewcommand{\foo}{x^2}" + "\n"
ABOVE_X = "\\[ \\foo \\ge x \\]\n"
ABOVE_0 = "\\[ \\foo \\ge 0 \\]\n"

FALSE = {
    "after a display": PLAIN + "\\[ \\renewcommand{\\foo}{x^2} \\foo \\ge 0 \\]\n" + ABOVE_0,
    "begun by a macro": "\\newcommand{\\be}{\\begin{equation}}\n\\[ x = x \\]\n\\be 1 = 2 \\end{equation}\n",
    "added to": SQUARE + "\\makeatletter\\g@addto@macro\\foo{-1}\\makeatother\n" + ABOVE_0,
    "added to by babel": SQUARE + "\\addto\\foo{-1}\n" + ABOVE_0,
    "added to by another package": SQUARE + "\\makeatletter\\l@addto@macro\\foo{-1}\\makeatother\n" + ABOVE_0,
    "redefined after the display": SQUARE + ABOVE_X + TO_PLAIN,
    "let keeps what it was": "\\newcommand{\\baz}{x^2}\\let\\foo\\baz\\renewcommand{\\baz}{x}\n" + ABOVE_X,
    "in iffalse": SQUARE + r"\iffalse" + TO_PLAIN + "\\fi\n" + ABOVE_X,
    "in a comment": SQUARE + "% " + TO_PLAIN + ABOVE_X,
    "in a comment after a line break": SQUARE + "a \\\\% " + TO_PLAIN + ABOVE_X,
    "in verbatim": SQUARE + "\\begin{verbatim}\n" + TO_PLAIN + "\\end{verbatim}\n" + ABOVE_X,
    "in verb": SQUARE + r"\verb|" + TO_PLAIN.strip() + "|\n" + ABOVE_X,
    "in a group that is over": SQUARE + "{" + TO_PLAIN + "}\n" + ABOVE_X,
    "in begingroup": SQUARE + "\\begingroup\n" + TO_PLAIN + "\\endgroup\n" + ABOVE_X,
    "in bgroup": SQUARE + "\\bgroup\n" + TO_PLAIN + "\\egroup\n" + ABOVE_X,
    "in a proof that is over": SQUARE + "\\begin{proof}\n" + TO_PLAIN + "\\end{proof}\n" + ABOVE_X,
    "in inline mathematics": SQUARE + "$" + TO_PLAIN + "$\n" + ABOVE_X,
    "in another display": SQUARE + "% dpsym: begin\n" + ABOVE_X + "% dpsym: end\n\\[" + TO_PLAIN + "\\]\n",
    "in the other branch": SQUARE + "\\iftrue x\\else " + TO_PLAIN + "\\fi\n" + ABOVE_X,
    "in iffalse beside a nested conditional": SQUARE
    + "\\iffalse\\ifx\\a\\b a\\else b\\fi"
    + TO_PLAIN
    + "\\fi\n"
    + ABOVE_X,
    "after the document": SQUARE + ABOVE_X + "\\end{document}\n" + TO_PLAIN,
    "globally": PLAIN + "{\\gdef\\foo{x}}" + "{\\global\\def\\foo{x^2}}\n" + ABOVE_X,
    "provided too late": SQUARE + "\\providecommand{\\foo}{x}\n" + ABOVE_X,
    "a built-in provided": "\\providecommand{\\le}{\\ge}\n\\[ x^2 \\le x \\]\n",
    "a built-in redefined": "\\renewcommand{\\le}{\\ge}\n\\[ x \\le x^2 + 1 \\]\n",
    "a built-in redefined afterwards": "\\[ x^2 + 1 \\le x \\]\n\\renewcommand{\\le}{\\ge}\n",
    "under a mark": "\\renewcommand{\\le}{\\ge}\n\\[ x \\overset{(a)}{\\le} x^2 + 1 \\]\n",
    "a function redefined": "\\def\\exp{x}\n\\[ \\exp \\ge 0 \\]\n",
    "a space redefined": "\\renewcommand{\\,}{-}\n\\[ x\\,x \\ge x^2 \\]\n",
    "a premise": SQUARE + "\\[ x > 0 \\quad \\text{if } \\foo > 0 \\]\n" + TO_PLAIN,
    "a starred call": SQUARE + "\\[ \\foo*x \\ge 0 \\]\n",
}

TRUE = {
    "in the display": PLAIN + "\\[ \\renewcommand{\\foo}{x^2} \\foo \\ge 0 \\]\n",
    "let": "\\newcommand{\\baz}{x^2}\\let\\foo\\baz\\renewcommand{\\baz}{x}\n" + ABOVE_0,
    "let in a group": SQUARE + "{\\let\\foo\\baz}\n" + ABOVE_0,
    "as defined": SQUARE + ABOVE_0,
    "redefined before": PLAIN + TO_SQUARE + ABOVE_0,
    "redefined between": PLAIN + ABOVE_X + TO_SQUARE + ABOVE_0,
    "in the group": PLAIN + "{" + TO_SQUARE + ABOVE_0 + "}\n" + ABOVE_X,
    "in the proof": PLAIN + "\\begin{proof}\n" + TO_SQUARE + ABOVE_0 + "\\end{proof}\n" + ABOVE_X,
    "globally": PLAIN + "{\\gdef\\foo{x^2}}\n" + ABOVE_0,
    "the other branch": PLAIN + "\\iffalse a\\else" + TO_SQUARE + "\\fi\n" + ABOVE_0,
    "the branch that is taken": PLAIN + "\\iftrue" + TO_SQUARE + "\\else b\\fi\n" + ABOVE_0,
    "provided": "\\providecommand{\\foo}{x^2}\n" + ABOVE_0,
    "a built-in redefined": "\\renewcommand{\\le}{\\ge}\n\\[ x^2 + 1 \\le x \\]\n",
    "hidden displays": PLAIN + ABOVE_X + "\\iffalse" + ABOVE_0 + "\\fi\n\\iftrue\\else" + ABOVE_0 + "\\fi\n",
    "displays after the document": PLAIN + ABOVE_X + "\\end{document}\n" + ABOVE_0,
    "doubt about another name": PLAIN + "\\let\\bar\\baz\n" + ABOVE_X,
    "doubt afterwards": PLAIN + ABOVE_X + "\\let\\foo\\baz\n",
    "a switch of the document's own": "\\newif\\ifdraft\n\\ifdraft a\\else b\\fi\n" + PLAIN + ABOVE_X,
    "an argument": PLAIN + "\\footnote{" + ABOVE_X + "}\n",
    "an address": PLAIN + "\\url{http://a.b/c%20d$e} and \\href{x%20}{text}\n" + ABOVE_X,
    "iff": PLAIN + "\\[ x > 0 \\iff \\foo > 0 \\]\n",
    "with internal names": "\\makeatletter\\def\\@foo{x}\\def\\foo{x^2}\\makeatother\n" + ABOVE_0,
    "a nested call": "\\newcommand{\\sq}[1]{{(#1)}^2}\n" + PLAIN + "\\[ \\sq{\\foo} \\ge 0 \\]\n",
    "a letter after a command": "\\newcommand{\\letter}{x}\n" + "\\[ 2\\letter - \\letter = x \\]\n",
}

UNCERTAIN = {
    "let of what changes": ("\\let\\foo\\zeta\n\\renewcommand{\\zeta}{x^2}\n" + ABOVE_0, "line 3"),
    "edef": (SQUARE + "\\edef\\foo{x^2}\n" + ABOVE_0, "line 3"),
    "xdef in a group": (SQUARE + "{\\xdef\\foo{x^2}}\n" + ABOVE_0, "line 3"),
    "csname": (SQUARE + "\\expandafter\\def\\csname foo\\endcsname{x}\n" + ABOVE_0, "line 3"),
    "delimited arguments": ("\\def\\foo#1.{x^2}\n" + ABOVE_0, "line 2"),
    "an open conditional": (PLAIN + "\\ifx\\a\\b" + TO_SQUARE + "\\fi\n" + ABOVE_0, "line 3"),
    "a switch": (PLAIN + "\\newif\\ifa\n\\ifa" + TO_SQUARE + "\\fi\n" + ABOVE_0, "line 4"),
    "in another body": (SQUARE + "\\newcommand{\\set}{\\renewcommand{\\foo}{x}}\n" + ABOVE_0, "line 3"),
    "in an environment": (SQUARE + "\\newenvironment{q}{\\def\\foo{x}}{}\n\\begin{q}" + ABOVE_0 + "\\end{q}", "line 3"),
    "in an argument": (SQUARE + "\\AtBeginDocument{\\renewcommand{\\foo}{x}}\n" + ABOVE_0, "line 3"),
    "the display in an argument": (SQUARE + "\\later{" + ABOVE_0 + "}\n" + TO_PLAIN, "line 5"),
    "read in": (SQUARE + "\\input{macros}\n" + ABOVE_0, "line 3"),
    "defined twice": (SQUARE + "\\newcommand{\\foo}{x^2}\n" + ABOVE_0, "line 3"),
    "a built-in defined anew": ("\\newcommand{\\log}{x}\n\\[ \\log(2) \\ge 0 \\]\n", "line 2"),
    "defined by name": (SQUARE + "\\makeatletter\\@namedef{foo}{x}\\makeatother\n" + ABOVE_0, "line 3"),
    "a tool by another name": (SQUARE + "\\let\\nc\\renewcommand\n\\nc{\\foo}{x}\n" + ABOVE_0, "line 3"),
    "a tool of its own": (SQUARE + "\\newcommand{\\nc}{\\renewcommand}\n\\nc{\\foo}{x}\n" + ABOVE_0, "line 3"),
    "in a body, and redefined": (
        SQUARE + "\\newcommand{\\set}{\\renewcommand{\\foo}{x}}\n" + TO_SQUARE + "\\set\n" + ABOVE_0, "line 3"
    ),
    "a group that another name closes": (
        PLAIN + "\\newcommand{\\shut}{\\endgroup}\n\\begingroup" + TO_SQUARE + "\\shut\n" + ABOVE_0, "line 5"
    ),
    "verbatim in the display": ("\\[ x = x \\verb|+ 1| \\]\n", "verbatim"),
    "a display by its command": ("\\[ x = x \\]\n\\equation 1 = 2 \\endequation\n", "line 3"),
    "conditionals that are negated": ("\\unless\\iffalse\n\\[ 1 = 2 \\]\n\\fi\n\\[ x = x \\]\n", "line 2"),
    "the tools themselves": ("\\let\\renewcommand\\newcommand\n" + SQUARE + ABOVE_0, "line 2"),
    "categories": ("\\catcode`\\!=13\n" + SQUARE + ABOVE_0, "line 2"),
    "groups that do not match": (SQUARE + "\\endgroup\n" + ABOVE_0, "line 3"),
    "a hidden display by let": ("\\let\\be\\equation\n\\[ x = x \\]\n\\be 1 = 2 \\endequation\n", "line 4"),
    "an unknown conditional in iffalse": ("\\iffalse \\ifpdf \\fi a\\fi\n\\[ x = x \\]\n", "ifpdf"),
    "several symbols as an argument": ("\\newcommand{\\ab}{2x}\n\\[ \\frac\\ab2 = x \\]\n", "several"),
    "several symbols below": (
        "\\newcommand{\\ab}{2x}\n\\newcommand{\\h}{\\frac1\\ab}\n\\[ \\h = x \\]\n", "several"
    ),
    "no argument": ("\\newcommand{\\f}[1]{#1}\n\\[ x = \\f \\]\n", "argument"),
    "a line break as an argument": ("\\newcommand{\\f}[1]{x}\n\\[ \\f\\\\ = x \\]\n", "argument"),
    "a declaration in iffalse": ("\\iffalse\n% dpsym: assume x > 5\n\\fi\n\\[ x > 4 \\]\n", "iffalse"),
    "a declaration after the document": ("\\[ x > 4 \\]\n\\end{document}\n% dpsym: assume x > 5\n", "document"),
    "a doubtful declaration": (SQUARE + "\\let\\foo\\bar\n% dpsym: assume \\foo > 1\n\\[ x = x \\]", "line 4"),
}  # fmt: skip


@pytest.mark.parametrize("body", FALSE.values(), ids=FALSE)
def test_what_is_false_with_the_macros_at_its_place_is_not_accepted(body: str) -> None:
    assert said_of_document(LET + body, "latex") not in ACCEPTED


@pytest.mark.parametrize("body", TRUE.values(), ids=TRUE)
def test_what_is_true_with_the_macros_at_its_place_is_accepted(body: str) -> None:
    assert said_of_document(LET + body, "latex") in ACCEPTED


@pytest.mark.parametrize(("body", "expected"), UNCERTAIN.values(), ids=UNCERTAIN)
def test_what_is_not_certain_is_refused_with_its_reason(body: str, expected: str) -> None:
    with pytest.raises(ReadingError) as refused:
        read_document(LET + body, kind="latex", strict=True)
    assert expected in str(refused.value)


def test_declarations_are_read_with_the_macros_at_their_place() -> None:
    text = PLAIN + "% dpsym: let x: real\n% dpsym: assume \\foo > 5\n\\renewcommand{\\foo}{-x}\n\\[ x > 4 \\]\n"
    assert said_of_document(text, "latex") in ACCEPTED
    assert said_of_document(text.replace("x > 4", r"\foo > 4"), "latex") not in ACCEPTED


@pytest.mark.parametrize(
    ("definition", "accepted"),
    [
        (r"$$\renewcommand{\ge}{\le}$$", False),
        (r"Text $\renewcommand{\ge}{\le}$ text.", False),
        (r"\renewcommand{\ge}{\le}", False),
        (r"$\let\ge\le$", False),
        (r"$\newcommand{\foo}{\le}$ $$ -x^2 \foo 0 $$", True),
        (r"$\require{cancel}$", True),  # a package's commands are trusted
        ("```math\n\\def\\ge{\\le}\n```", False),
        (r"`a$\renewcommand{\ge}{\le}$``", False),  # no code: the runs of backticks are of two lengths
        (r"\`$\renewcommand{\ge}{\le}$\`", False),  # no code: the backticks are escaped
        ("`one`\n\n`$\\def\\ge{\\le}$", False),  # no code: the backtick is not closed in its paragraph
        (r"`\renewcommand{\ge}{\le}` is code.", True),
        ("```tex\n\\renewcommand{\\ge}{\\le}\n```", True),
        (r"<!-- $\renewcommand{\ge}{\le}$ -->", True),
    ],
)
def test_markdown_does_not_define(definition: str, accepted: bool) -> None:
    said = said_of_document(f"---\nlet:\n  x: real\n---\n{definition}\n\n$$ x^2 \\ge 0 $$\n")
    assert (said in ACCEPTED) == accepted, said


def test_a_random_variable_after_many_names() -> None:
    names = "".join(f"  {name}: real\n" for name in ("y", "t", "u", "z", "y_0", "y_00"))
    text = f"---\nlet:\n{names}  X: Normal(0, 1)\n---\n$$ \\mathbb{{E}}[X^2] {{}} $$\n"
    assert said_of_document(text.replace("{} $$", "= 1 $$")) in ACCEPTED
    assert said_of_document(text.replace("{} $$", "= 2 $$")) == "refuted"
