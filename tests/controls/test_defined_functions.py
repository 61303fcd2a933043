"""A function that is defined by a formula has its values at every argument, and no name in it changes meaning."""

import pytest

import dpsym
from dpsym.checking import Report, check_document
from dpsym.core.verdicts import Verdict
from dpsym.language.documents.document import read_document
from dpsym.language.documents.sidecar import proposed

LET = ["x > 0", "y: real", "n: integer, n >= 1", "c_i: real", "g: function"]
ACCEPTED = (Verdict.PROVED, Verdict.CERTIFIED)


def settled(text: str, kind: str, let: list[str]) -> Report:
    return check_document(read_document(text, kind=kind, let=let), time_limit=5.0, suggest=False)


def last(*displays: str, kind: str = "markdown", let: list[str] = LET) -> Verdict:
    """Of the last display, or of the last line in plain notation; open where it is not read."""
    text = "\n\n".join(f"$$ {one} $$" for one in displays) if kind == "markdown" else "\n".join(displays)
    return [*settled(text + "\n", kind, let).steps][-1].decision.verdict


@pytest.mark.parametrize(
    ("definition", "true", "false"),
    [
        ("f(t) := t^2", "f(3) = 9", "f(3) = 6"),
        ("f(t) := t^2", "f(x + 1) = x^2 + 2x + 1", "f(x + 1) = x^2 + 1"),
        ("f(t) := t^2", r"f(-1) = f(1)", "f(-1) = -f(1)"),
        (r"f(t) := e^t - 1", r"f(2x) = (f(x) + 1)^2 - 1", "f(2x) = 2f(x)"),
        (r"f(s, t) := s e^t", "f(2, 0) = 2", "f(0, 2) = 2"),
        (r"f(t) := t^2", r"\sum_{i=1}^n f(i) = \frac{n(n+1)(2n+1)}{6}", r"\sum_{i=1}^n f(i) = n f(1)"),
        (r"f(t) := \sum_{i=1}^n t i", r"f(x) = \frac{x n (n+1)}{2}", r"f(x) = x n"),
        (r"f(y) := y^2", "f(2) = 4", "f(2) = y^2"),
    ],
)
def test_values_follow_from_the_formula(definition, true, false):
    assert last(definition, true) in ACCEPTED
    assert last(definition, false) is Verdict.REFUTED


@pytest.mark.parametrize(
    "lines",
    [
        ("f(t) := t^2", "f(f(2)) = 16"),
        ("f(t) := t^2", "h(t) := f(t) + 1", "h(x) = x^2 + 1"),
        ("f(t) := 1/t", "x*f(x) = 1"),
        ("f(t) := t + g(y)", "f(1) = 1 + g(y)"),
    ],
)
def test_in_plain_notation_as_well(lines):
    assert last(*lines, kind="plain") in ACCEPTED


@pytest.mark.parametrize(
    "lines",
    [
        ("f(t) := c_i*t", "sum(f(1), i, 1, n) = n*f(1)"),  # c_i may change with i
        ("f(t) := t + i", "sum(f(1), i, 1, n) = n*f(1)"),
        ("f(t) := sum(t, i, 1, n)", "sum(f(i), i, 1, 2) = 3*n"),  # true, but it needs another name for i
        ("f(t) := 1/t", "0*f(0) = 0"),
        ("f(t) := log(t) - log(t)", "f(-1) = 0"),
        ("f(t) := t/t", "f(y) = 1"),
        ("f(t) := t", "f(t) := t^2", "f(2) = 2"),
        ("f(t) := t", "f(t) := t^2", "f(2) = 4"),
        ("f(t) := t", "f(1, 2) = 1"),
        ("f(t) := f(t) + 1", "f(1) = 2"),
        ("exp(t) := t", "exp(1) = 1"),
        ("f(x) := x", "f(-1) = -1"),  # x is above 0, so that nobody says what f is at -1
        ("f(t) := t + y/y", "sum(f(1), y, 1, 3) = 6"),  # y is bound, and may be 0 where f is defined
        ("u := y/y", "sum(u, y, 1, 3) = 3"),
    ],
)
def test_what_is_not_the_same_function_or_has_no_value_is_not_accepted(lines):
    assert settled("\n".join(lines) + "\n", "plain", LET).exit_status != 0


@pytest.mark.parametrize(
    "displays",
    [
        ("f(t) := t", "f(t) := t^2", "f(2) = 2"),
        ("f(t) := t", "f(t) := t^2", "f(2) = 4"),
        ("f(x) := x", "f(-1) = -1"),
        (r"f(t) := q(t)", "f(2) = q(2)"),  # which may be drawn anew
        (r"f(t) := t \text{ for } t > 1", "f(0) = 0"),
        (r"f(t) := t, \quad t > 1", "f(0) = 0"),
        (r"f(t) := t \quad \forall t > 1", "f(0) = 0"),
        (r"\begin{aligned} f(t) &:= t \\ \text{for } t &> 1 \end{aligned}", "f(0) = 0"),
        (r"f(t) := c_i t", r"\sum_{i=1}^n f(1) = n f(1)"),
    ],
)
def test_in_displays_what_a_definition_does_not_say_is_not_accepted(displays):
    assert last(*displays) not in ACCEPTED


@pytest.mark.parametrize("words", ["Let", "Define"])
def test_a_later_definition_in_words_ends_an_earlier_one(words):
    report = settled(f"$$ f(t) := t $$\n\n{words}\n$$ f(t) = t^2. $$\n\n$$ f(2) = 2 $$\n", "markdown", LET)
    assert [*report.steps][-1].decision.verdict not in ACCEPTED


def test_a_definition_in_a_case_ends_with_it():
    text = "## Case $x > 1$\n\n$$ f(t) := t + x $$\n\n$$ f(1) > 2 $$\n\n## Case $x \\le 1$\n\n$$ f(1) > 2 $$\n"
    first, second = settled(text, "markdown", LET).steps
    assert first.decision.verdict in ACCEPTED
    assert second.decision.verdict not in (*ACCEPTED, Verdict.REFUTED)


def test_a_function_that_the_text_defines_in_words_is_proposed_and_counts_when_confirmed(tmp_path):
    paper, beside = tmp_path / "paper.md", tmp_path / "paper.dpsym.yaml"
    paper.write_text("Define\n$$ g(t) = e^t - 1. $$\n\n$$ g(2q) = (g(q) + 1)^2 - 1 $$\n")
    document = read_document(paper.read_text(), kind="markdown")
    assert "#  - g(t) = e^t - 1  # line 2" in proposed("paper.md", document)
    assert {step.decision.verdict for step in check_document(document).steps} == {Verdict.OPEN}
    beside.write_text("let:\n  - q: real\n  - t: real\nwhere:\n  - g(t) = e^t - 1\n")
    assert dpsym.check(paper).verdict is Verdict.PROVED


@pytest.mark.parametrize(
    "words",
    [
        "For $t > 0$ define",
        "We define, for $t\\in[0,1]$,",
        "Fix $t>0$.",
        "where for $t \\geq 0$",
        "Let $t > 0$. Put",
        "For positive $t$ let",
        "For integers $t$,",
        "For positive t, define",
    ],
)
@pytest.mark.parametrize("value", [4, 5])
def test_what_is_said_of_its_variable_may_be_where_it_is_defined(words, value):
    report = settled(f"{words}\n$$ f(t) := t^2 $$\n\nThen\n$$ f(-2) = {value} $$\n", "markdown", [])
    assert report.exit_status == 3


def test_a_claim_of_its_variable_in_the_same_display_is_not_refuted():
    display = r"$$\begin{aligned} f(\epsilon) &:= 2\epsilon \\ &\ge 0 \end{aligned}$$"
    assert all(s.decision.verdict is not Verdict.REFUTED for s in settled(display + "\n", "markdown", []).steps)


@pytest.mark.parametrize(
    "definition",
    [
        r"$$ \phi(t) := t^2 + 1 $$",
        "Let\n$$ \\phi(t) = t^2 + 1. $$",
        r"$$ h := 1, \quad$$ and $$ \phi(x) \coloneqq x^2 + 1 $$",
    ],
)
def test_a_built_in_function_that_is_defined_anew_refutes_nothing(definition):
    report = settled(f"{definition}\n\nThen\n$$ \\phi(3) = 10 $$\n", "markdown", LET)
    assert [*report.steps][-1].decision.verdict not in (*ACCEPTED, Verdict.REFUTED)


@pytest.mark.parametrize(
    "lines",
    [
        ("f(t) := t*(t + 1)", f"{'f(' * 40}x{')' * 40} > 0"),
        ("u0 := x", *(f"u{i} := u{i - 1}*(u{i - 1} + 1)" for i in range(1, 40)), "u39 > 0"),
    ],
)
def test_what_grows_beyond_measure_is_refused(lines):
    *_, last = settled("\n".join(lines) + "\n", "plain", LET).steps
    assert last.decision.verdict is Verdict.UNREAD
    assert last.step.unread


def test_a_tower_of_powers_is_no_internal_error():
    (step,) = settled(f"f(t) := exp(t)\n{'f(' * 7}10{')' * 7} > 0\n", "plain", LET).steps
    assert step.decision.verdict in (*ACCEPTED, Verdict.UNREAD)  # SymPy sees its size in some orders only


@pytest.mark.parametrize(
    "words", ["Define", "For all $t$, let", "For real $t$ define", "Let $t$ be a real number and put"]
)
def test_that_its_variable_is_real_goes_without_saying(words):
    report = settled(f"{words}\n$$ f(t) := t^2 $$\n\nThen\n$$ f(-2) = 4 $$\n", "markdown", [])
    assert report.verdict is Verdict.PROVED
    assert report.exit_status == 0
