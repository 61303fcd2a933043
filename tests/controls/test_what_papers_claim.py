r"""What fails is shown; it is refuted only where everything in it is declared, and the text says no more of its names.

Which words stand around a display is not asked: only what they say of its names in mathematics.
"""

import pytest

from dpsym.checking import check_document
from dpsym.checking.cache import Cache
from dpsym.language.documents.document import read_document

REAL = r"Let $x \in \mathbb{R}$. "
DECLARED = "---\nlet:\n  - x: real\n  - n: integer, n >= 1\n---\n\n"
FALSE = "$$|x| = -x{}$$"  # but where x is not positive


def words(text, kind="markdown", **more):
    found = check_document(read_document(text, kind=kind, **more), time_limit=3.0, suggest=False)
    return [str(result.decision.verdict) for result in found.steps]


@pytest.mark.parametrize(
    "before",
    [
        "",
        "Then",
        "We have",
        "Thus,\n\n",
        "By the triangle inequality we have",
        "For all $y > 0$ we have\n\n",
        "Hence $x = x$, so",
    ],
)
@pytest.mark.parametrize("after", ["", "This proves the lemma.", "where $y > 0$."])
def test_a_claim_that_fails_is_refuted_where_its_names_are_declared(before, after):
    assert words(f"{DECLARED}{before} {FALSE.format('')} {after}") == ["refuted"]
    assert words(f"{REAL}{before} {FALSE.format('')} {after}") == ["fails"]


BEFORE = [
    "For $x<0$", "For all $x<0$,", "If $x < 0$,", "Whenever $x<0$,", "Given $x<0$,", "Suppose $x<0$. We get",
    "Since $x<0$ we have", "On $x<0$ we have", "At $x=0$:", "Here $x<0$, hence", "Unless $x>0$,", "**$x<0$:**",
    "1. $x<0$:",
    "### If $x<0$", "Case 1: x is negative.", "Now x is negative. Hence",
    "For x < 0 we have",
    "For large $x$,", "For all sufficiently large $x$ we have",
]  # fmt: skip


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("between", [" ", "\n\n"])
def test_what_the_text_says_of_a_name_before_keeps_a_step_from_being_refuted(before, between):
    text = f"{DECLARED}{before}{between}{FALSE.format('.')}"
    report = check_document(read_document(text, kind="markdown"), time_limit=3.0, suggest=False)
    (chain,) = report.chains
    expected = ("proved", 0) if str(chain.chain.case) == "x < 0" else ("fails", 3)  # it holds where x is negative
    assert ([str(step.decision.verdict) for step in chain.steps], report.exit_status) == ([expected[0]], expected[1])


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("Let $$x > 5.$$ Then $$x > 4.$$", ["fails", "fails"]),
        ("If $$x > 5$$ then $$x > 4.$$", ["fails", "fails"]),
        ("Suppose that $$x > 5.$$ Then $$n > 4.$$", ["fails", "refuted"]),
        ("We have $$x > 0$$ provided that $$x > 1.$$", ["fails", "fails"]),
        ("Suppose that $$x^2 \\ge 0.$$ Then $$x > 4.$$", ["proved", "refuted"]),
    ],
)
def test_what_a_display_supposes_is_said_of_its_names(text, verdicts):
    assert words(f"{DECLARED}{text}") == verdicts


@pytest.mark.parametrize(
    "before", ["It is a myth that", "Claim:", "Is it true that", "We conjecture that", "It suffices to show"]
)
@pytest.mark.parametrize("after", ["", "is false.", "up to constants."])
def test_no_words_are_asked_whether_they_assert_or_deny_a_display(before, after):
    assert words(f"{DECLARED}{before} {FALSE.format('')} {after}") == ["refuted"]
    assert words(f"{DECLARED}{before} $$|x| \\ge x$$ {after}") == ["proved"]


AFTER = [
    "holds only if $x<0$.", "for all $x<0$.", "valid for $x<0$.",
    "since $x<0$.", "where $x<0$.", "for negative $x$.", "if and only if $x<0$.", "as $x\\to -\\infty$.",
    "has the solution $x=0$.", "This claim is false, as $x=1/2$ shows.", "This holds if x is negative.",
]  # fmt: skip


@pytest.mark.parametrize("after", AFTER)
@pytest.mark.parametrize("between", [" ", ". ", ".\n\n"])
def test_what_the_text_says_of_a_name_after_a_step_keeps_it_from_being_refuted(after, between):
    end = between.strip()[:1]
    assert words(f"{DECLARED}Then\n\n{FALSE.format(end)}{between.lstrip('.')}{after}") == ["fails"]


def test_a_condition_may_stand_anywhere_before():
    text = f"{DECLARED}We begin with {{}} and return to it.\n\nThen $$x = x.$$\n\nHence {FALSE.format('')}"
    assert [words(text.replace("{}", said))[-1] for said in ("$x < 0$", "$x = x$")] == ["fails", "refuted"]
    bound = "For $\\epsilon \\le 1$,\n\n$$e^\\epsilon - 1 \\le 2\\epsilon$$"
    assert words(bound, let=["epsilon > 0"]) == ["proved"]
    assert words(bound.replace("2\\epsilon", "\\epsilon"), let=["epsilon > 0"]) == ["fails"]
    assert words(bound.replace("For $\\epsilon \\le 1$,", "Then"), let=["epsilon > 0"]) == ["refuted"]


BESIDE = [
    r"\text{ for negative }x", r"\text{ on the event } E", r"\text{ as } x\to-\infty", r"\text{ w.p. } 1",
    r"\text{a.s.}",
    r"\text{up to constants}", r"\text{(negative case)}", r"\text{(conjecture)}", r"\text{by definition}",
    r"\text{since } x<0", r"\tag{x<0}", r", \\ x<0",
]  # fmt: skip


@pytest.mark.parametrize("beside", BESIDE)
def test_words_beside_a_step_restrict_it_also_where_names_are_declared(beside):
    assert "refuted" not in words(f"{DECLARED}$$|x| = -x {beside}$$")


@pytest.mark.parametrize(
    "beside", [r"\tag{3}", r"\text{by Jensen}", r"\quad\text{since } x^2 \ge 0", r"\text{(Jensen)}", ""]
)
def test_a_reason_beside_a_step_restricts_nothing(beside):
    assert words(f"{DECLARED}$$|x| = -x {beside}$$") == ["refuted"]


@pytest.mark.parametrize(
    ("mark", "verdict"), [("(a)", "refuted"), ("a.s.", "unread"), (r"\cdot", "unread"), ("!", "unread")]
)
def test_what_stands_above_a_sign_may_change_its_meaning(mark, verdict):
    assert words(rf"{DECLARED}$$|x| \overset{{{mark}}}{{=}} -x$$") == [verdict]


@pytest.mark.parametrize(
    "display",
    [
        r"n^2 \ge 2n \quad\text{for } n \text{ large}",
        r"x \ge 0 \rightarrow |x| = x",
        "\\begin{aligned} |x| &= -x \\\\ \\text{for } x &< 0. \\end{aligned}",
    ],
)
def test_a_display_that_holds_its_own_condition_is_not_refuted(display):
    assert "refuted" not in words(f"{DECLARED}$${display}$$")


@pytest.mark.parametrize(
    "before",
    [
        "### Case 1: x < 0\n\n", "### Case 1: x is negative\n\n", "**Case 1** ($x<0$). We have", "(i) $x<0$: we have",
        "Assume $x<0$.\n\n*Proof.* We have",
    ],
)  # fmt: skip
def test_cases_and_hypotheses_of_the_prose_hold_also_where_names_are_declared(before):
    assert "refuted" not in words(f"{DECLARED}{before} {FALSE.format('')}")


def test_a_case_goes_on_under_a_deeper_heading_and_ends_at_a_rule():
    assert words(f"{DECLARED}## Case $x > 0$\n\n### Computation\n\n$$|x| = x$$") == ["proved"]
    text = f"{DECLARED}## Case $x > 0$\n\n$$x > 0$$\n\n---\n\nNow $x$ is arbitrary again. Then $$x > -1$$"
    assert words(text) == ["proved", "refuted"]
    assert words(f"{DECLARED}## Case $x > 0$ does not occur\n\n$$x > -1$$") == ["unread"]
    assert words(f"{DECLARED}## Case $x > 1$\n\n### Case $x < 3$\n\n$$x > 0$$") != ["refuted"]


@pytest.mark.parametrize(
    "text",
    [
        "Let $x > 1$ or $x < -1$. {}",
        "Let $x > 1$ be given, or let $x = 0$. {}",
        "Choose $x > 1$ if $y > 0$ and $x < 0$ otherwise. {}",
        "Earlier authors assume $x > 1$. Here $x$ may be any real number. {}",
        "The sum is unbounded for some $x > 1$. In general, {}",
        "We drop the condition of the theorem where $x > 1$. {}",
        "![Figure with $x > 1$](a.png)\n\n{}",
        "~~Let $x > 1$.~~\n\n{}",
        "As in\n\n    Let $x > 1$.\n\n{}",
        "> Let $x > 1$.\n\n{}",
    ],
)
def test_what_the_text_says_for_a_part_of_it_or_not_at_all_proves_nothing(text):
    assert words(text.format("$$x > 0$$")) == ["fails"]
    assert words("Let $x > 1$. $$x > 0$$") == ["proved"]


def test_natural_numbers_may_begin_with_0():
    assert words(r"Let $n \in \mathbb{N}$. $$n / n = 1$$") == ["fails"]
    assert words(r"Let $n \in \mathbb{N}$. $$n \ge 0$$") == ["proved"]


def test_a_chain_in_a_line_is_a_step_where_that_is_asked_for():
    assert words("Hence $2 < 1 < 0$.", inline=True) == ["refuted", "refuted"]
    assert words("Hence $x < x + 1 < x$.", inline=True) == ["proved", "fails"]


def test_a_step_kept_from_an_earlier_check_is_still_under_its_condition(tmp_path):
    cache = Cache(tmp_path)

    def said(display):
        read = read_document(f"{DECLARED}$$|x| = -x {display}$$", kind="markdown")
        (found,) = check_document(read, cache=cache, suggest=False).steps
        return str(found.decision.verdict)

    assert [said(""), said(r"\text{ for negative }x")] == ["refuted", "unread"]


@pytest.mark.parametrize(
    "display",
    [
        "f(x) = f(x) + 1", "f(x) = f(n) + 1", r"g(x) = \sqrt{-1 - x^2}", r"\Pr[A] = 2", r"\|v\| = -1",
        "f(x) = x $$\n\n$$ f(x) = x + 1", "f(2) = 1 $$\n\n$$ f(2) = 2",
    ],
)  # fmt: skip
def test_what_is_said_of_a_value_is_no_definition_that_settles_a_file(display):
    text = f"{DECLARED}$$ {display} $$\n\n$$ x < x + 1 $$\n"
    report = check_document(read_document(text, kind="markdown"), time_limit=3.0, suggest=False)
    assert report.exit_status == 3


@pytest.mark.parametrize("value", ["c + 1", "1/0", r"\sqrt{-1}"])
def test_a_definition_that_is_none_does_not_settle_a_file(value):
    report = check_document(read_document(f"$$ c = {value} $$\n\n$$ 1 < 2 $$\n", kind="markdown"), suggest=False)
    assert report.exit_status == 3


def test_a_chain_under_a_condition_is_claimed_under_it():
    text = "Let $x > 0$. If $x > 2$, then\n$$ x^2 \\ge 2x $$\n"
    report = check_document(read_document(text, kind="markdown"), time_limit=2, suggest=False)
    assert report.claim == "x^2 >= 2*x, where x > 2"
