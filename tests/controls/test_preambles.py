r"""A line of a preamble matters where what it defines is used, and only there.

Each line stands above a true display.  In `HARMLESS` and `FOLLOWED` it is read as TeX prints it, and proved.  In
`TOUCHED` TeX may print something else, so that it must not be accepted.  In `FALSE` what TeX prints is false.
"""

from __future__ import annotations

import pytest

from oracle.asking import ACCEPTED, checked, said_of_document

SQUARE = "\\begin{align*}\n(x+1)^2 &= x^2 + 2x + 1 .\n\\end{align*}\n"

HARMLESS = [
    r"\AtBeginEnvironment{quote}{\small}",
    r"\AtBeginEnvironment{quote}{\begin{small}}\AtEndEnvironment{quote}{\end{small}}",
    r"\AddToHook{env/quote/begin}{\small}",
    r"\AtBeginDocument{\providecommand\BibTeX{{\normalfont B\kern-0.5em{\scshape i\kern-0.25em b}}}}",
    r"\def\code{\lstinline}",
    r"\newcommand{\mylst}[1]{\lstinline{#1}}",
    r"\let\oldsection\section",
    r"\let\proof\relax\let\endproof\relax",
    r"\renewenvironment{quote}{\small\begin{center}}{\end{center}}",
    r"\patchcmd{\section}{a}{b}{}{}",
    r"\apptocmd{\sloppy}{\hbadness 10000\relax}{}{}",
    "\\makeatletter\n\\def\\@seccntformat#1{\\csname the#1\\endcsname}\n\\@namedef{r@toc}{0pt}\n\\makeatother",
    r"\catcode`\@=11 \def\@foo{y} \catcode`\@=12",
    r"\lstset{basicstyle=\ttfamily, literate={~}{{$\sim$}}1 {$}{{\$}}1}",
    r"\hypersetup{colorlinks=true}\tcbset{colback=white}\sisetup{group-digits=false}",
    r"\lstnewenvironment{python}{\lstset{language=Python}}{}",
    r"\DeclareSymbolFont{bbold}{U}{bbold}{m}{n}",
    r"\IEEEoverridecommandlockouts",
    r"\newcommand{\any}[1]{\expandafter\def\csname#1\endcsname{y}}",
    r"\newcommand{\active}{\catcode`\+=13 }",
    r"\renewcommand\maketitle{\begingroup\let\\\newline\title\endgroup}",
    r"\foreach \n in {a,...,z} {\expandafter\xdef\csname vec\n\endcsname{\noexpand\mathbf{\n}}}",
    r"\expandafter\def\expandafter\normalsize\expandafter{\normalsize\setlength\abovedisplayskip{5pt}}",
    r"\ExplSyntaxOn \cs_new:Npn \my_bold:n #1 { \textbf{#1} } \ExplSyntaxOff",
    r"\AtBeginEnvironment{gather}{\small}",
    r"\renewenvironment{multline}{\small}{}",
    r"\excludecomment{solution}",
    r"\newcommand{\eqdef}{\stackrel{\mathrm{def}}{=}} $x \eqdef y$",
    r"\newcommand{\todef}[1]{\textbf{#1}} \todef{a}",
    r"\let\Left\left\renewcommand{\left}{\mathopen{}\mathclose\bgroup\Left}",
    r"\pdfstringdefDisableCommands{\def\\{}\def\texttt#1{<#1>}}",
    r"\BeforeBeginEnvironment{minted}{\begin{mdframed}}\AfterEndEnvironment{minted}{\end{mdframed}}",
    r"\specialcomment{sol}{\begin{quote}}{\end{quote}}",
    r"\def\cdef#1{\expandafter\def\csname c#1\endcsname{\mathcal{#1}}}\def\loop#1{\cdef{#1}\loop}\loop A",
]

TOUCHED = [
    r"\AtBeginEnvironment{align}{\small 1+}",
    r"\AtBeginEnvironment{align*}{\small 1+}",
    r"\AtEndEnvironment{align*}{+1}",
    r"\AddToHook{env/align*/begin}{1+}",
    r"\apptocmd{\align}{1+}{}{}",
    r"\renewenvironment{align*}{\begin{gather*} 1+}{\end{gather*}}",
    r"\AtBeginEnvironment{quote}{\catcode`\+=13 }",
    r"\AtBeginDocument{\mathcode`\+=32768 }",
    r"\everymath{1+}\everydisplay{1+}",
    "\\newcommand{\\active}{\\catcode`\\+=13 }\n\\active",
    "\\newcommand{\\active}{\\catcode`\\+=13 }\n\\newcommand{\\usual}{\\active}\\usual",
    "\\newcommand{\\active}{\\catcode`\\+=13 }\n\\csname active\\endcsname",
    "\\newcommand{\\any}[1]{\\expandafter\\def\\csname#1\\endcsname{y}}\n\\any{relax}",
    r"\newcommand{\active}{\catcode`\+=13 }\newenvironment{usual}{\active}{} \begin{usual}\end{usual}",
    r"\ExplSyntaxOn \cs_set:cpn { begin } { y } \ExplSyntaxOff",
    r"\def\par{\everymath{1+}}",
    r"\def\code{\lstinline} \code",
    r"\lstMakeShortInline+",
    r"\def\code{\lstinline}\renewcommand{\code}{\texttt} \code{$$ 1 = 2 $$}",
    r"\newcommand{\al}{align*}\AtBeginEnvironment{\al}{1+}",
    r"\newcommand{\more}{\AtBeginEnvironment{align*}{1+}} \more",
    r"\let\endalign\relax",
    r"\let\mydef\def \mydef\begin{y}",
    r"\newcommand{\mydef}{\renewcommand} \mydef{\begin}{y}",
    r"\renewcommand{\begin}{y}",
]

LETTER = "\\begin{align*}\nx + y &\\ge y .\n\\end{align*}\n"  # x >= 0, and \y means something else in the lines below
DOUBTFUL = [
    r"\AtBeginEnvironment{document}{\renewcommand{\ge}{\le}}",
    r"\AtBeginEnvironment{center}{\let\ge\le}",
    r"\AddToHook{cmd/ge/before}{-}",
    r"\newcommand{\set}{\renewcommand{\ge}{\le}}",
    r"\patchcmd{\ge}{a}{b}{}{}",
    r"\makeatletter\@namedef{ge}{\le}\makeatother",
    r"\expandafter\let\csname ge\endcsname\le",
    r"\foreach \n in {e} {\expandafter\def\csname g\n\endcsname{\le}}",
    r"\ExplSyntaxOn \cs_set_eq:NN \ge \le \ExplSyntaxOff",
    r"\edef\ge{\le}",
]

FOLLOWED = {
    r"\let\Pr\relax\DeclareMathOperator*{\Pr}{\mathbb{P}}": r"e^{-\epsilon}\Pr[M(D) \in S] &\le \Pr[M(D) \in S]",
    r"\undef\Pr\DeclareMathOperator{\Pr}{Pr}": r"e^{-\epsilon}\Pr[M(D) \in S] &\le \Pr[M(D) \in S]",
    r"\renewcommand{\Pr}{\mathbb{P}}": r"\Pr[M(D) \in S] &= \mathbb{P}[M(D) \in S]",
    r"\providecommand{\Pr}{\mathbb{P}}": r"\Pr[M(D) \in S] &\le 1",
    r"\DeclareMathOperator{\Pr}{\mathrm{Pr}}": r"\Pr[M(D) \in S] &\le 1",
    r"\let\log\relax\DeclareMathOperator{\log}{exp}": r"\log(x) &\ge 1 + x",
    r"\DeclarePairedDelimiter{\abs}{\lvert}{\rvert}": r"\abs{x - y} &\le \abs*{x} + \abs[\big]{y}",
    r"\DeclarePairedDelimiter\abs||": r"\abs{x - y} &\le \abs*{x} + \abs[\Bigg]{y}",
    r"\DeclarePairedDelimiter\ceil\lceil\rceil": r"\ceil{x} &\ge x",
    r"\DeclarePairedDelimiter{\floor}{\lfloor}{\rfloor}": r"\floor*{\frac{x}{2}} &\le \frac{x}{2}",
    r"\DeclarePairedDelimiter{\paren}{(}{)}": r"2\paren*{x + 1} &= 2x + 2",
    r"\DeclarePairedDelimiter{\norm}{\lVert}{\rVert}": r"\norm{v + w} &\le \norm*{v} + \norm{w}",
    r"\DeclarePairedDelimiterX{\absx}[1]{\lvert}{\rvert}{#1}": r"\absx{x - y} &\le \absx*{x} + \absx[\Big]{y}",
    r"\DeclarePairedDelimiterX{\both}[2]{(}{)}{#1 + #2}": r"2\both{x}{y} &= 2x + 2y",
    r"\DeclarePairedDelimiterXPP{\twice}[1]{2}{(}{)}{}{#1}": r"\twice{x} &= 2x",
    r"\NewDocumentCommand{\square}{m}{{(#1)}^2}": r"\square{x + 1} &= x^2 + 2x + 1",
    r"\NewDocumentCommand{\power}{O{2} m}{{#2}^{#1}}": r"\power{x} + \power[3]{x} &= x^2 + x^3",
    r"\NewDocumentCommand{\part}{m o}{\IfNoValueTF{#2}{#1}{\frac{#1}{#2}}}": r"\part{x}[2] + \part{x} &= \frac{3x}{2}",
    r"\NewDocumentCommand{\sq}{s m}{\IfBooleanTF{#1}{{(#2)}^3}{{(#2)}^2}}": r"\sq{x} + \sq*{x} &= x^2 + x^3",
    r"\RenewDocumentCommand{\Pr}{m}{\mathbb{P}[#1]}": r"\Pr{M(D) \in S} &\le 1",
    r"\newcommand{\power}[2][2]{{#2}^{#1}}": r"\power{x} + \power[3]{x} &= x^2 + x^3",
    r"\newrobustcmd{\twice}[1]{2{(#1)}}": r"\twice{x} &= 2x",
}  # fmt: skip

FALSE = {
    r"\let\Pr\relax\DeclareMathOperator{\Pr}{E}": r"\Pr[X] &\le 1",
    r"\renewcommand{\Pr}{\mathbb{E}}": r"\Pr[X] &\le 1",
    r"\DeclareMathOperator{\Pr}{E}": r"\Pr[X] &\le 1",
    r"\let\Pr\relax": r"\Pr[M(D) \in S] &\le 1",
    r"\let\log\relax\DeclareMathOperator{\log}{exp}": r"\log(x) &\le x",
    r"\DeclarePairedDelimiter{\abs}{(}{)}": r"\abs{x - y} &\ge 0",
    r"\DeclarePairedDelimiter{\abs}{2(}{)}": r"\abs{x} &= x",
    r"\DeclarePairedDelimiter{\abs}{\lfloor}{\rfloor}": r"\abs{x} &= x",
    r"\DeclarePairedDelimiter{\ceil}{\lfloor}{\rfloor}": r"\ceil{x} &\ge x",
    r"\DeclarePairedDelimiter{\paren}{(}{)} ": r"\paren[2]{x} &= x",
    r"\DeclarePairedDelimiterX{\both}[2]{(}{)}{#1 - #2}": r"\both{x}{y} &= x + y",
    r"\DeclarePairedDelimiterXPP{\twice}[1]{2}{(}{)}{^2}{#1}": r"\twice{x} &= 2x",
    r"\NewDocumentCommand{\power}{O{3} m}{{#2}^{#1}}": r"\power{x} &= x^2",
    r"\NewDocumentCommand{\part}{m o}{\frac{#1}{#2}}": r"\part{x} &= x",
    r"\NewDocumentCommand{\sq}{s m}{\IfBooleanTF{#1}{{(#2)}^3}{{(#2)}^2}}": r"\sq*{x} &= x^2",
    r"\NewDocumentCommand{\sq}{t+ m}{\IfBooleanTF{#1}{{(#2)}^3}{{(#2)}^2}}": r"\sq+{x} &= x^2",
    r"\newcommand{\power}[2][3]{{#2}^{#1}}": r"\power{x} &= x^2",
    r"\NewDocumentCommand{\ge}{}{\le}": r"x + 1 &\ge x",
}  # fmt: skip


def _document(preamble: str, display: str, before: str = "") -> str:
    if not display.startswith("\\begin"):
        display = f"\\begin{{align*}}\n{display}\n\\end{{align*}}\n"
    words = "We have $x > 0$, $y > 0$ and $\\epsilon > 0$."
    return f"\\documentclass{{article}}\n{preamble}\n\\begin{{document}}\n{before}{words}\n{display}\\end{{document}}\n"


@pytest.mark.parametrize("line", HARMLESS)
def test_a_line_that_defines_nothing_of_a_display_is_harmless(line: str) -> None:
    assert [str(step.decision.verdict) for step in checked(_document(line, SQUARE), "latex").steps] == ["proved"]


@pytest.mark.parametrize("line", TOUCHED)
def test_what_may_change_a_display_leaves_it_unread(line: str) -> None:
    said = [str(step.decision.verdict) for step in checked(_document(line, SQUARE), "latex").steps]
    assert said and "unread" in said and not {*ACCEPTED} & {*said}


@pytest.mark.parametrize("line", DOUBTFUL)
def test_a_line_that_may_change_a_command_leaves_the_displays_unread_that_use_it(line: str) -> None:
    steps = checked(_document(line, LETTER + SQUARE), "latex").steps
    assert [str(step.decision.verdict) for step in steps] == ["unread", "proved"]


@pytest.mark.parametrize(("definition", "row"), FOLLOWED.items())
def test_a_definition_of_a_usual_kind_is_followed(definition: str, row: str) -> None:
    said = [str(step.decision.verdict) for step in checked(_document(definition, row), "latex").steps]
    assert said and {*said} <= {*ACCEPTED}


@pytest.mark.parametrize(("definition", "row"), FALSE.items())
def test_what_a_definition_makes_false_is_not_accepted(definition: str, row: str) -> None:
    said = [str(step.decision.verdict) for step in checked(_document(definition, row), "latex").steps]
    assert said and not {*ACCEPTED} & {*said}


def test_code_of_an_environment_of_the_documents_own_is_no_mathematics() -> None:
    code = "\\begin{python}\ndef f(x): { $$ 1 = 2 $$\n\\end{python}\n"
    line = r"\lstnewenvironment{python}{}{}\newcommand{\two}{2}"
    steps = checked(_document(line, "x + x &= \\two x", code), "latex").steps
    assert [str(step.decision.verdict) for step in steps] == ["proved"]


def test_a_display_after_a_definition_is_not_taken_for_a_part_of_it() -> None:
    text = _document("", "x &= x", "\\edef\\foo{y} {\\[ 1 = 2 \\]}\n")
    assert said_of_document(text, "latex") not in ACCEPTED
