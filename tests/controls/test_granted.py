"""What a paper grants in its lines, or leaves unsaid: a step is proved under it, says so, and nothing is accepted."""

from __future__ import annotations

from itertools import pairwise

import pytest

from dpsym.checking import Report, check_document
from dpsym.checking.said import granted_nowhere, said_and_not_used
from dpsym.language import read_document
from dpsym.rendering.derivation import as_plain
from dpsym.rendering.report import under


def report_of(text: str, *, kind: str = "markdown") -> Report:
    return check_document(read_document(text, kind=kind), time_limit=10, suggest=False)


def found(text: str, *, kind: str = "markdown") -> list[tuple[str, str]]:
    """The verdict of every step, and under what it stands."""
    report = report_of(text, kind=kind)
    assert report.exit_status in (1, 3)
    steps = [(chain, step) for chain in report.chains for step in chain.steps]
    return [(str(step.decision.verdict), under(chain, step).removeprefix(", where ")) for chain, step in steps]


HALF = "q = 1 - p"


@pytest.mark.parametrize(
    "line",
    [
        "Let $q = 1 - p$.", "Let the failure probability be $q = 1-p$.", "Suppose that $q = 1 - p$.",
        "We set $q := 1 - p$.", "It is kept with probability $p$ and flipped with probability $q = 1 - p$.",
        "Take $0 < p < 1$ and $q = 1 - p$.",
        "Setting $q = 1 - p$ we find that", "If $q = 1 - p$, then", "For all $q = 1 - p$ and any $n$ we have",
        "Plugging in $q = 1-p$, we get", "If we choose $q = 1-p$ then",
    ],
)  # fmt: skip
def test_a_display_is_checked_under_what_is_granted_to_it(line: str) -> None:
    (said,) = found(f"{line}\n\n$$ p + q = 1 $$\n")
    assert said == ("proved", HALF)


def test_what_is_said_right_after_a_display_is_granted_to_it() -> None:
    assert found("$$ p + q = 1, $$\n\nwhere $q = 1 - p$.\n") == [("proved", HALF)]
    assert found("$$ p + q = 1 $$\n\nLet $q = 1 - p$.\n")[0][0] == "fails"


@pytest.mark.parametrize(
    "text",
    [
        "It is not true that we may let $q = 1 - p$. {}",
        "Let $q = 1 - p$ or $q = p$. {}",
        "Unless we choose $q = 1-p$, {}",
        "We get $q = 1 - p$. {}",
        "Hence $q = 1 - p$. {}",
        "We show that $q = 1 - p$. {}",
        "There is a number such that $q = 1 - p$. {}",
        "For some $q = 1 - p$ we have {}",
        "> Let $q = 1 - p$.\n\n{}",
        "~~Let $q = 1 - p$.~~\n\n{}",
        "Other authors let $q = 1 - p$. {}",
        "## One\n\nLet $q = 1 - p$.\n\n## Two\n\n{}",
        "**Lemma 1.** Let $q = 1 - p$.\n\n**Lemma 2.** {}",
        "Setting $q = 1 - p$ helps. In general, {}",
        "If $q = 1 - p$, this is known. In general, {}",
        "{}\n\nSuppose that $q = 1 - p$.",
        "Let $q = p$ or $q = 1 - p$. {}",
        "Instead of assuming $q = 1 - p$, we get {}",
        "In the example of Smith we set $q = 1 - p$. {}",
        "We avoid the choice to set $q = 1 - p$. {}",
        "{} with equality where $q = 1 - p$.",
        "If $q = 1 - p$, $$ q = q $$ In general, {}",
        "Previous work had to assume $q = 1 - p$. {}",
        "Set $q = 1 - p$. Now let $q$ be any positive number. Then {}",
        "Let $q = 1 - p$. From here on, $q$ is any number in $(0, 1)$. {}",
        "Let $q = 1 - p$. By induction, for every $q$, {}",
        "Suppose $q = 1 - p$. This is absurd. Hence {}",
        "It is a mistake to set $q = 1 - p$. {}",
        "Should we set $q = 1 - p$? {}",
        "They set $q = 1 - p$. {}",
        "In Smith (2019), we set $q = 1 - p$. {}",
        "For Laplace noise, let $q = 1 - p$. {}",
        "The referee asked us to assume $q = 1 - p$. {}",
        "Later we set $q = 1 - p$. {}",
        "Dwork et al. set $q = 1 - p$. {}",
        "In the special setting with $q = 1 - p$, this is known. {}",
        "Figure 1: Curves with $q = 1 - p$.\n\n{}",
        "We refrain from setting $q = 1 - p$. {}",
        "- Laplace: let $q = 1 - p$.\n- Gauss:\n\n{}",
        "[^1]: Let $q = 1 - p$.\n\n{}",
        'Some write "let $q = 1 - p$". {}',
        "| a | Let $q = 1 - p$. |\n|---|---|\n\n{}",
        "Set $q = 1 - p$ minus $r$. {}",
        "Set $q = 1 - p$ up to constants. {}",
        "Suppose $q = 1 - p$. We now drop this assumption. {}",
        "Let $q = 1 - p$ rounded up. {}",
        "Let $q = 1 - p$ for $p < 1/2$ and $q = p$ for $p \\ge 1/2$. {}",
        "Let $q = 1 - p$. From now on, both are arbitrary. {}",
        "Let $q = 1 - p$. More generally, we take other values. {}",
        "Let $q = 1 - p$. Forget this. {}",
        "Assume $q = 1 - p$. This leads to nonsense. {}",
        "Case A. Suppose $q = 1 - p$.\n\nCase B. Here it is not so.\n\n{}",
    ],
)
def test_what_is_not_granted_proves_nothing(text: str) -> None:
    assert found(text.format("$$ p + q = 1 $$"))[-1] == ("fails", "")


def test_a_section_grants_its_parts_and_a_later_line_changes_it() -> None:
    text = "# A\n\nLet $q = 1 - p$.\n\n## B\n\n$$ p + q = 1 $$\n\nNow let $q = 2p$.\n\n"
    text += "$$ p + q = 3p $$\n\n$$ p + q = 1 $$\n"
    assert found(text) == [("proved", HALF), ("proved", "q = 2*p"), ("fails", "q = 2*p")]


@pytest.mark.parametrize("name", ["theorem", "lem", "remark", "example", "exercise", "assumption", "quote"])
def test_what_an_environment_grants_ends_with_it(name: str) -> None:
    inside = rf"\begin{{{name}}} Let $q = 1 - p$. Then \[ p + q = 1 \] \end{{{name}}} Now \[ q + p = 1 \]"
    assert found(inside, kind="latex") == [("proved", HALF), ("fails", "")]


def test_what_is_declared_is_not_granted_again() -> None:
    text = "---\nlet:\n  - x > 0\n---\n\nLet $x > 0$.\n\n$$ x + 1 > 1 $$\n"
    report = report_of(text)
    assert (report.exit_status, report.claim) == (0, "x + 1 > 1")


def test_what_is_granted_refutes_nothing_and_is_no_point_of_its_own() -> None:
    assert found("Let $q = 1 - p$.\n\n$$ p + q = 2 $$\n") == [("fails", HALF)]
    assert (
        found("Assume $t \\le 1$. Then $$ t \\le 1 $$ Assume now that $t \\ge 1$. Then $$ t^2 \\le 1 $$")[-1][0]
        == "fails"
    )
    assert found("Suppose that $x > y$ and $y > x$.\n\n$$ x = 5 $$\n")[0][0] != "proved"


@pytest.mark.parametrize(
    "words", ["Suppose that $b < 0$. Then", "Let $b$ be negative. Then", "If $b$ is negative, then", "Now $b \\le -1$."]
)
def test_no_habit_holds_against_the_text(words: str) -> None:
    assert found(f"{words} $$ |b| = b $$")[-1][0] in ("fails", "open")


def test_formulas_in_lines_are_read_as_those_in_displays() -> None:
    assert found("Let $y = exp(x)$.\n\n$$ y > 0 $$\n\n$$ y = e x p $$\n") == [
        ("proved", "y = exp(x)"), ("fails", "y = exp(x)"),
    ]  # fmt: skip


# --- lines before a step
SOLVED = r"""
$$
\begin{aligned}
q &= \frac{1}{1 + e^{t/2}} \\
\frac t2 &= \log \frac{1 - q}{q} \\
e^{t/2} &= \frac{1-q}{q}
\end{aligned}
$$

$$ \rho = t^2 $$

$$ \rho = 4 (\log \frac{1 - q}{q})^2 $$
"""


def test_what_follows_from_lines_before_it_is_proved_given_these() -> None:
    first, *rest, line, last = found(SOLVED)
    assert (first, line) == (("open", ""), ("open", ""))  # they say what q and rho stand for
    assert [verdict for verdict, _ in (*rest, last)] == ["proved"] * 3
    assert all("(line 4)" in where for _, where in rest)
    assert "(line 10)" in last[1]


@pytest.mark.parametrize("slip", [r"\log \frac{q}{1 - q}", r"\frac{1 - q}{q}", r"2 \log \frac{1 - q}{q}"])
def test_a_slip_does_not_follow_from_the_lines_before_it(slip: str) -> None:
    _, wrong, *_ = found(SOLVED.replace(r"&= \log \frac{1 - q}{q}", "&= " + slip))
    assert wrong[0] == "fails"


def test_what_is_refuted_grants_nothing() -> None:
    text = "---\nlet:\n  - x > 0\n---\n\n$$ x = x + 1 $$\n\n$$ 0 = 1 $$\n\n$$ x = 2 $$\n\n$$ x + 1 = 3 $$\n"
    assert [verdict for verdict, _ in found(text)] == ["refuted"] * 4


def test_lines_that_contradict_each_other_grant_nothing() -> None:
    text = "$$ y = 2x $$\n\n$$ x = y $$\n\n$$ x > 0 $$\n\n$$ z = 5 $$\n"
    assert "proved" not in {verdict for verdict, _ in found(text)[:3]}


@pytest.mark.parametrize(
    "text",
    [
        "We show that $$ a = b + 1 $$ Indeed $$ a = b + 1 $$",  # a goal does not prove itself
        "It is not true that $$ a = b + 1 $$ But $$ a + 1 = b + 2 $$",
        "$$ a = b + 1 $$ is false in general. $$ a + 1 = b + 2 $$",
        "Suppose for contradiction that $$ a = b + 1 $$ That is absurd. Hence $$ a + 1 = b + 2 $$",
        "Some authors wrongly claim $$ a = b + 1 $$ We show $$ a + 1 = b + 2 $$",
        "If $b > 0$, $$ a = b + 1 $$ If $b \\le 0$, $$ a + 1 = b + 2 $$",
        "If $b > 0$, $$ a = b $$ If $b < 0$, $$ a = -b $$ In general, $$ a + b = 0 $$",
        "$$ a = b $$ $$ a = b + 1 $$ $$ a - b = 1 $$",  # two equations of one name
        "## Case $b > 0$\n\n$$ a = b + 1 $$\n\n## Case $b < 0$\n\n$$ a + 1 = b + 2 $$",
        "$$ a = b + 1 $$ Now let $a$ be arbitrary. Then $$ a - 1 = b $$",
        "A popular heuristic is $$ a = b + 1 $$ We have $$ a - 1 = b $$",
        "Smith used $$ a = b + 1 $$ We have $$ a - 1 = b $$",
        "After one step, $$ a = b + 1 $$ After two steps, $$ a - 1 = b $$",
        "$$ a = b + 1 $$ would be convenient. We get $$ a - 1 = b $$",
        "$$ a = b + 1 $$ is what Smith claimed, which is a contradiction. $$ a - 1 = b $$",
        r"$$ a = \lambda + 1 $$ $$ b = a $$ $$ \sum_{\lambda=1}^2 b = 2a $$",  # b changes with what is summed over
    ],
)
def test_a_line_that_is_denied_aimed_at_or_of_another_case_gives_nothing(text: str) -> None:
    assert found(text)[-1][0] in ("fails", "open")


# --- what a step needs to have a value
def test_a_guessed_name_may_be_taken_where_the_step_is_defined() -> None:
    ((verdict, where),) = found(r"$$ \frac{s^{-2}}{s^{-2} + 1} = \frac{1}{1 + s^2} $$")
    assert (verdict, where) == ("proved", "s != 0 (to be defined)")


@pytest.mark.parametrize(
    "text",
    [
        r"Let $n \in \mathbb{N}$. $$n / n = 1$$",  # the text gives its values, and 0 is one of them
        r"Let $s = 0$. $$ \frac{s}{s} = 1 $$",
        r"Here $s$ may be zero. $$ \frac{s}{s} = 1 $$",
        r"For all $s$, even $s = 0$, we have $$ \frac{s}{s} = 1 $$",
        r"$$ \frac{s}{s} = 2 $$",
        r"$$ \frac{s}{s} = s $$",
        r"$$ \frac{1}{s - s} = \frac{2}{s - s} $$",
    ],
)
def test_a_step_is_not_defined_away(text: str) -> None:
    assert found(text)[-1][0] != "proved"


def test_a_declared_name_has_all_its_values() -> None:
    text = "---\nlet:\n  - s, t: real\n---\nLet $$ s = t + 1 $$ and $$ s^2 = (t + 1)^2 $$ "
    assert found(text)[-1] == ("proved", "s = t + 1 (line 5)")
    assert found(text.replace("s^2", "\\frac{s^3}{s}"))[-1][0] == "fails"


def test_no_document_is_accepted_of_which_a_step_was_given_anything() -> None:
    for text in (r"\frac{s^2}{s} = s \quad \text{for } s \text{ large}", r"s/s = 1 $$ then $$ s^2/s = s"):
        declared = f"---\nlet:\n  - s: real\n---\n\nSuppose that $$ {text} $$\n"
        assert report_of(declared).exit_status != 0
        assert report_of(f"## Case $s > -1$\n\n### Case $s < 5$\n\n$$ {text} $$\n").exit_status != 0


def test_many_equations_are_given_in_little_time() -> None:
    names = "abcdfghjklmnopqrstuvwxyz"
    rows = [f"$$ {two} = {one}^2 + {one} $$" for one, two in pairwise(names)]
    assert found("\n\n".join(rows) + "\n\n$$ z + 1 \\ge y $$")[-1][0] != "refuted"


def test_a_claim_says_what_it_was_given() -> None:
    report = report_of("$$ y = x + z $$\n\n$$ y - z = x $$\n")
    assert report.claim == "y - z = x, where y = x + z (line 1)"


def test_what_the_paper_says_keeps_the_derivation_from_being_refuted() -> None:
    text = r"Let $\lambda = 2$. $$ \min_{\lambda > 0} (\lambda + 1/\lambda) = 5/2 $$"
    document = read_document(text, kind="markdown")
    printed = as_plain(document, granted_nowhere(said_and_not_used(document), document))
    assert report_of(text).exit_status == report_of(printed, kind="plain").exit_status == 3


def test_what_is_read_is_checked_alike_and_no_more_accepted() -> None:
    text = "Suppose that $q = 1 - p$ and $r = q^2$.\n\n$$ p + q = 1 $$\n\n$$ r = (1 - p)^2 $$\n\n$$ r = p^2 $$\n"
    document = read_document(text, kind="markdown")
    printed = as_plain(document, granted_nowhere(said_and_not_used(document), document))
    assert "not used" not in printed
    assert [verdict for verdict, _ in found(printed, kind="plain")] == ["proved", "proved", "fails"]
    declared = "let p: real\nlet q: real\ncase q = 1 - p  # read at line 1\np + q = 1\n"
    assert report_of(declared, kind="plain").exit_status == 3
    assert report_of(declared.partition("  #")[0] + "\np + q = 1\n", kind="plain").exit_status == 0


def test_a_count_that_is_given_a_value_need_not_be_whole() -> None:
    text = "Setting $k = \\log(T) / 4$ and $T = e^8$, we have $$ k = 2 $$\n\n$$ k \\ge 0 $$\n"
    assert [verdict for verdict, _ in found(text)] == ["proved", "proved"]


def test_lines_before_hold_in_their_section_and_special_values_in_their_display() -> None:
    text = "# A\n\n$$ y = 2x $$\n\n$$ z = 0 $$\n\n$$ y + z = 2x + z $$\n\n$$ y + z = 2x $$\n\n# B\n\n$$ y - x = x $$\n"
    assert [verdict for verdict, _ in found(text)][2:] == ["proved", "fails", "fails"]
