"""What stands beside a step, or between steps: a false statement there does not vanish, and no word is ignored."""

import contextlib

import pytest

from dpsym.checking import check_document
from dpsym.checking.said import said_and_not_used
from dpsym.language import ReadingError
from dpsym.language.documents.document import read_document
from oracle.asking import REFUSED, checked, said_of_document


def page(body, *let):
    return "\n".join(["---", "let:", *(f"  - {item}" for item in ("x > 0", "y: real", *let)), "---", body]) + "\n"


def beside(text):
    return page(rf"$$ 1 = 1 \quad {text} $$")


def rows(*lines):
    return "% dpsym: let x > 0\n\\begin{align}\n" + "\n".join(lines) + "\n\\end{align}\n"


def refused(text, kind="markdown"):
    with pytest.raises(ReadingError) as caught:
        read_document(text, kind=kind, strict=True)
    with contextlib.suppress(ReadingError):  # what the whole document depends on
        assert any(step.unread for chain in read_document(text, kind=kind).chains for step in chain.steps)
    return caught.value.message


def claims(text, kind="latex"):
    return [str(s.claim[0]) for chain in read_document(text, kind=kind).chains for s in chain.steps]


# --- words between rows
@pytest.mark.parametrize("word", [r"\intertext", r"\shortintertext"])
@pytest.mark.parametrize("words", ["Now note that", "and", r"by \textbf{Jensen},", "[BS16, Lemma 2] and"])
def test_a_row_after_words_between_rows_is_a_step(word, words):
    found = claims(rows(r"1 &= 1 \\", rf"{word}{{{words}}}", r"x^2 &< 0"))
    assert found == ["1 = 1", "x^2 < 0"]


def test_a_chain_goes_on_after_words_between_rows():
    found = claims(rows(r"x &= x \\", r"\intertext{and further}", r"&\le x + 1"))
    assert found == ["x = x", "x <= x + 1"]


@pytest.mark.parametrize("words", ["at $x = 1$", "which is false", "if x is large", "hence $1 = 3$", "Suppose $x > 1$"])
def test_words_between_rows_that_say_more_are_prose(words):
    text = rows(r"1 &= 1 \\", rf"\intertext{{{words}}}", r"x &= x")
    assert claims(text) == ["1 = 1", "x = x"]
    said = [one.text for one in said_and_not_used(read_document(text, kind="latex"))]
    known = ("x > 1", "x = 1", "$x$ is large")
    assert said == [one for one in known if one.replace("$", "") in words.replace("$", "")]


def test_a_condition_between_rows_is_one_of_the_rows_after_it():
    text = rows(r"1 &= 1 \\", r"\intertext{for $x > 1$ we have}", r"x^2 &> x")
    report = check_document(read_document(text, kind="latex"), time_limit=2, suggest=False)
    assert [str(step.decision.verdict) for step in report.steps] == ["proved", "proved"]


@pytest.mark.parametrize("row", [r"+ 1 &= 2", r"&& \text{if } x > 1"])
def test_words_between_rows_end_the_row_before(row):
    refused(rows(r"1 &= 1 \\", r"\intertext{and}", row), "latex")


@pytest.mark.parametrize(
    "row",
    [
        r"& \text{note that } 1 = 2",
        r"\text{We conclude with } 1 = 3",
        r"&& \text{since } x \ge 5",
        r"\quad \text{by } 1 = 2",
        r"&& \text{with } z = 2",
        r"{} & \text{note that } 1 = 3",
    ],
)
def test_a_row_of_words_with_a_relation_is_no_reason_of_the_row_above(row):
    refused(rows(r"1 &= 1 \\", row), "latex")
    refused(rows(row + r" \\", r"1 &= 1"), "latex")


@pytest.mark.parametrize("row", [r"&& \text{if } x > 1", r"&& \text{at } x = 1", r"&& \text{by [BS16]}", r"&& (x > 1)"])
def test_a_row_of_a_condition_a_value_or_a_citation_belongs_to_the_row_above(row):
    assert claims(rows(r"x &= x \\", row)) == ["x = x"]


# --- an explanation is one relation or chain
@pytest.mark.parametrize(
    "text",
    [
        r"\text{since } 2 = 2, \quad 1 = 3",
        r"\text{by } x > 0; 1 = 3",
        r"\text{because } f(x, y) = 2 \quad 1 = 3",
        r"\text{since $2 = 2$, $1 = 3$}",
        r"\text{since } 2 = 2 \text{, } 1 = 3",
        r"\text{since } 2 = 2 \text{ } 1 = 3",
        r"\text{since } 2 = 2 \implies 1 = 3",
        r"\text{since } 2 = 2 && 1 = 3",
        r"\text{using } x \in (0, 1], x = 5",
        r"\text{hence by } 1 = 3",
        r"\text{and so } 1 \leqq 0",
        r"\text{since } (2 = 2, 1 = 3)",
        r"\text{since } 2 = 2 .~ 1 = 3",
        r"\text{since } 2 = 2 \mathrm{hence} 1 = 3",
    ],
)
def test_a_second_relation_is_a_claim(text):
    assert "a claim?" in refused(beside(text))


# --- denials
@pytest.mark.parametrize(
    "words",
    [
        "does not hold", "is false", "is wrong", "fails", "not true", "never", "unless", "impossible", "contradiction",
        "untrue", "incorrect", "cannot hold", "doesn't hold", "is not always true", "no longer holds", "wrong",
        "is not, in general, true", "holds nowhere", "except for small x",
    ],
)  # fmt: skip
@pytest.mark.parametrize("form", [r"\text{%s}", r"\tag{%s}", r"\text{(a), which \textbf{%s}}", r"\textsf{%s}"])
def test_what_denies_a_step_is_refused(words, form):
    refused(beside(form % words))


def test_a_denial_in_pieces_is_refused():
    refused(beside(r"\text{does \emph{not} hold}"))
    refused(beside(r"\text{is not}\ \text{true}"))
    refused(page(r"$$ 1 \overset{\text{not true}}{=} 1 $$"))


# --- definitions and choices
@pytest.mark.parametrize(
    "text",
    [
        r"\text{with } x := -5", r"\text{since } -5 =: x", r"\text{by } x \coloneqq -5", r"\text{as } -5 \eqqcolon x",
        r"\text{by } x \triangleq 5", r"\text{using } x \overset{def}{=} 5", r"\text{since } x \stackrel{\Delta}{=} 5",
        r"\text{since } x \mathrel{:}= 5", r"\text{where } z := 3", r"\text{where $x := 5$}", r"\text{by } x \gets 5",
    ],
)  # fmt: skip
def test_a_definition_beside_a_step_is_refused(text):
    assert "definition" in refused(beside(text))


@pytest.mark.parametrize(
    "word", ["with", "taking", "setting", "putting", "substituting", "choosing", "by [A], writing"]
)
@pytest.mark.parametrize("what", ["x = -5", "x^2 = 4", r"\pi = 3", r"\Phi(z) = z", "z = 1, x = 2", "z = x = 2"])
def test_a_value_is_chosen_with_at(word, what):
    assert "'at'" in refused(beside(rf"\text{{{word} }} {what}"))


@pytest.mark.parametrize(
    "mark", ["=: x", ":= x", r"\ge 0", "1 = 3", r"\coloneqq y", r"\text{since $1 = 3$}", r"\text{fails}"]
)
@pytest.mark.parametrize("form", [r"\underbrace{-5}_{%s} \le -4", r"\overbrace{-5}^{%s} \le -4"])
def test_a_mark_does_not_claim_or_define(mark, form):
    refused(page(f"$$ {form % mark} $$"))


@pytest.mark.parametrize("mark", ["1 = 3", ":=", "x > 5", r"\text{is false}"])
def test_a_mark_over_a_sign_does_not_claim_or_define(mark):
    refused(page(rf"$$ 1 \overset{{{mark}}}{{=}} 1 $$"))
    refused(page(rf"$$ 1 \stackrel{{{mark}}}{{\le}} 1 $$"))


@pytest.mark.parametrize(
    "text",
    [r"\Phi(z) = 1/(1+e^{-z})", r"\log(z) = z", r"\mathbb{E}[z] = 3", "x = z", "z = 1, w = x = 5", r"x(t) = 5"],
)
def test_where_does_not_redefine_what_has_a_meaning(text):
    refused(beside(rf"\text{{where }} {text}"))


@pytest.mark.parametrize("text", [r"\pi = 3", "e = 3"])
def test_a_condition_does_not_speak_of_a_constant(text):
    constant = text.removesuffix(" = 3")
    for claim in ("1 = 2", rf"{constant} \le 3"):
        refused(page(rf"$$ {claim} \quad \text{{where }} {text} $$"))


def test_where_of_several_parts_keeps_the_conditions():
    document = read_document(beside(r"\text{where } x > 1, L = 3"), kind="markdown")
    assert [str(p) for p in document.chains[0].steps[0].premises] == ["x > 1"]


# --- plain text
@pytest.mark.parametrize(
    "comment",
    ["if x > 1", "for x > 1", "(when x > 1)", "assuming x != 0", "provided x >= 1, by AM-GM", "with x := -5",
     "taking x = 5", "setting pi = 3", "by Phi, with Phi(z) = z", "x =: 5",
     "where x = 5", "[A], if x > 1", "with a = 3 and x = 5", "at x > 5",
     "at x = 5 and then some"],
)  # fmt: skip
def test_a_comment_sets_no_condition_and_no_value_and_what_it_may_restrict_is_not_refuted(comment):
    document = read_document(f"let x: real\nx^2 >= x - 1  # {comment}\nx = 5  # {comment}\n", kind="plain")
    steps = [step for chain in document.chains for step in chain.steps]
    assert not any(step.premises or (step.reason and step.reason.at) for step in steps)
    report = check_document(document, time_limit=2, suggest=False)
    true, wrong = (str(step.decision.verdict) for step in report.steps)
    assert true in ("proved", "unread") and wrong in ("fails", "unread")


def test_a_comment_that_is_a_value_chooses_it_for_its_line_and_is_part_of_what_is_shown():
    document = read_document("let x > 0\nx^2 = 4  # at x = 2\nx^2 = 5  # at x = 2\nx = 0  # at x = 0\n", kind="plain")
    right, wrong, outside = check_document(document, time_limit=3.0, suggest=False).chains
    assert str(right.conclusion) == "x^2 = 4, at x = 2"
    assert [str(chain.steps[0].decision.verdict) for chain in (wrong, outside)] == ["refuted", "refuted"]
    refused("let x > 0\n1 = 1 = x  # at x = 1\n", "plain")


def test_a_case_of_plain_text_ends_where_the_next_one_begins():
    text = "let x: real\ncase x > 0\nabs(x) = x\ncase x < -1\nabs(x) = x\ncase\nabs(x) = x\ncase x >> 1\nx = 0\n"
    report = check_document(read_document(text, kind="plain"), time_limit=3.0, suggest=False)
    assert [str(r.decision.verdict) for r in report.steps] == ["proved", "refuted", "refuted", "unread", "fails"]
    assert str(report.chains[0].conclusion) == "abs(x) = x, where x > 0"
    refused("let x: real\ncase x >> 1\nx = 0\n", "plain")


@pytest.mark.parametrize("definition", ["x := 7", "x := 1 + 1  # twice", "x:=0"])
def test_nothing_continues_past_a_definition(definition):
    refused(f"1 = 1\n{definition}\n<= 5\n", "plain")
    assert claims(f"1 = 1\n{definition}\n1 <= 5\n", "plain") == ["1 = 1", "1 <= 5"]


# --- other files
@pytest.mark.parametrize("command", ["input", "include", "subfile", "import{a}", "InputIfFileExists", "subimport{a}"])
def test_another_file_is_not_passed_over(command):
    text = f"\\[1=1\\]\n\\{command}{{sub/one}}\n"
    assert "another file" in refused(text, "latex")
    macro = f"\\newcommand{{\\part}}[1]{{\\{command}{{#1}}}}\n\\[1=1\\]\n\\part{{one}}\n"
    assert "another file" in refused(macro, "latex")
    assert "another file" in refused("\\[1=1\\]\n\\csname input\\endcsname{one}\n", "latex")


@pytest.mark.parametrize(
    "text",
    ["% \\input{one}\n\\[1=1\\]\n", "\\[1=1\\]\n\\iffalse\n\\input{one}\n\\fi\n", "\\[1=1\\]\n\\verb|\\input{one}|\n",
     "\\begin{verbatim}\n\\input{one}\n\\end{verbatim}\n\\[1=1\\]\n",
     "\\input{one}\n% dpsym: begin\n\\[1=1\\]\n% dpsym: end\n\\include{two}\n"],
)  # fmt: skip
def test_a_file_that_is_not_read_in_there_is_no_obstacle(text):
    assert claims(text) == ["1 = 1"]


# --- what only explains stays
@pytest.mark.parametrize(
    "text",
    [
        r"\text{since } a = b", r"\text{since } a \le b = c,", r"\text{by [BS16, Lemma 2]}", r"\text{for all } x > 0",
        r"\text{where } L = M", r"\text{where } f(t) = t^2", r"\text{by AM-GM with } a = x", r"\text{(since } x > 0)",
        r"\text{since $x$ is not negative}", r"\text{since } (a, b) \ne (c, d)",
        r"\text{by } \sum_{i=1}^{n} a_i = 1", r"\text{because $x > 0$ and $1 > 0$}", r"\text{the false positive rate}",
        r"\text{since } x &> 0", r"\text{with } z \in [0, 1)",
        r"\text{Jensen, the wrong way round}", r"\text{since $x$ cannot be zero}", r"\tag{2}",
    ],
)  # fmt: skip
def test_what_explains_stays(text):
    assert claims(beside(text), "markdown") == ["1 = 1"]


@pytest.mark.parametrize(
    "comment", ["by AM-GM", "since x > 0", "with a = b", "if in doubt, AM-GM", "x is not negative"]
)
def test_a_comment_that_explains_stays(comment):
    assert claims(f"let x: real\nx = x  # {comment}\n", "plain") == ["x = x"]


@pytest.mark.parametrize("mark", ["(a)", "a", r"\text{(i)}", r"\text{Jensen}", r"\mathrm{AM}"])
def test_marks_that_name_a_reason_stay(mark):
    assert claims(page(rf"$$ 1 \overset{{{mark}}}{{=}} \underbrace{{1}}_{{{mark}}} $$"), "markdown") == ["1 = 1"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (beside(r"\text{since } a = b"), "proved"),
        (page(r"$$ |y| = y \quad \text{for all } y > 0 $$"), "proved"),
        (page(r"$$ x^2 + 1 \overset{(a)}{\ge} 2x $$"), "proved"),
        (beside(r"\text{does not hold}"), REFUSED),
    ],
)
def test_the_nearest_true_ones_are_proved(text, expected):
    assert said_of_document(text) == expected


# --- words that explain nothing
@pytest.mark.parametrize(
    "words",
    [
        "has a solution",
        "is solvable",
        "is required",
        "is possible",
        "(to be shown)",
        "(goal)",
        "is our aim",
        "has roots",
    ],
)
def test_what_may_not_be_claimed_is_not_refuted(words):
    assert said_of_document(page(rf"$$ y^2 = 4 \text{{ {words}}} $$")) != "refuted"


@pytest.mark.parametrize("words", ["thus", "so", "by Lemma 2", "and hence", "since squares are numbers", "(Jensen)"])
def test_what_words_explain_is(words):
    assert said_of_document(page(rf"$$ y^2 = 4 \quad \text{{{words}}} $$")) == "refuted"
    assert said_of_document(page(rf"$$ y^2 \ge 0 \quad \text{{{words}}} $$")) == "proved"


# --- words after a bracket, a comma or a citation do not belong to what is before them
@pytest.mark.parametrize(
    "text",
    [
        r"\quad (\text{false})", r"\quad\left(\text{not true}\right)", r"\quad [\text{wrong}]", r"\quad (\text{twice})",
        r"\quad\text{by (1)} (\text{this fails})", r"\quad\text{by } (1) \text{ is false}",
        r"\quad\text{for } x > 0 \text{ is false}", r"\quad\text{for } x > 0, \text{ plus one}",
    ],
)  # fmt: skip
def test_words_in_brackets_are_read_like_others(text):
    refused(f"---\nlet: x > 0\n---\n$$ x = x {text} $$\n")


@pytest.mark.parametrize(
    "text",
    [
        r"\text{ multiplied by } 2", r"\text{ added to $x$}", r"\quad\text{refuted}", r"\quad\text{Wrong}",
        r"\quad\text{under no circumstances}", r"\quad\text{a false inequality}", r"\quad\text{the opposite holds}",
        r"\overset{\text{Incorrect}}{=} x", r"\quad\text{for $x > 2$ only}",
    ],
)  # fmt: skip
def test_operations_and_denials_in_words_are_no_remarks(text):
    refused(f"---\nlet: x > 0\n---\n$$ x = x {text} $$\n")


# --- what a reason says of names
@pytest.mark.parametrize(
    "words",
    [
        "since $x<0$", "because } x < 0 \\text{", "as $x = -1$", "since $x^2 < 0$", r"using $x \in [-2, -1]$",
        "since $x$ is negative", "since x is negative", "since $x > 2$", "since $1 > 2$", "since $x > 5$, if $x > 2$",
    ],
)  # fmt: skip
def test_a_reason_that_does_not_follow_is_said_and_not_used(words):
    report = checked(page(rf"$$ x + 1 > 1 \quad\text{{{words}}} $$"))
    assert (report.exit_status, [str(s.decision.verdict) for s in report.steps]) == (3, ["proved"])
    assert any("said, not used" in problem for problem in report.problems)


@pytest.mark.parametrize(
    "words",
    [
        "since $x > 0$", "since $x$ is positive", "because } x + 1 > 0 \\text{", "since $e^x \\ge 1 + x$",
        "since $1 < 2$",
        "since $x > 1$, if $x > 2$", "if $x > 2$, since $x > 1$", "by convexity of $x^2$", "since $z > 0$",
    ],
)  # fmt: skip
def test_a_reason_that_follows_changes_nothing(words):
    assert checked(page(rf"$$ x + 1 > 1 \quad\text{{{words}}} $$")).exit_status == 0


@pytest.mark.parametrize(("comment", "status"), [("since x < 0", 3), ("x is negative here", 3), ("since x > 0", 0)])
def test_so_is_one_in_a_comment(comment, status):
    assert checked(f"let x > 0\nx + 1 > 1  # {comment}\n", kind="plain").exit_status == status


# --- words that concede
@pytest.mark.parametrize("word", ["Hopefully", "Unclear", "Wishful", "Maybe", "Unproven", "Handwaving", "Speculation"])
def test_a_word_that_concedes_is_no_name_and_no_reason(word):
    for display in (
        rf"\overset{{\text{{{word}}}}}{{=}} x", rf"\stackrel{{\mathrm{{{word}}}}}{{=}} x", rf"= x \quad\text{{{word}}}",
        rf"= x \tag*{{{word}}}", rf"= x \text{{ ({word})}}",
    ):  # fmt: skip
        refused(page(f"$$ x {display} $$"))


@pytest.mark.parametrize("word", ["Jensen", "Cauchy--Schwarz", "AM-GM", "Mironov", "Pinsker's", "convexity"])
def test_a_name_that_the_field_knows_is_one(word):
    assert claims(page(rf"$$ x \overset{{\text{{{word}}}}}{{=}} x \quad\text{{{word}}} $$"), "markdown") == ["x = x"]


# --- a formula that goes on around the display, or in words
@pytest.mark.parametrize(
    "text",
    ["2 $$ x = x $$", "-1\n$$ x = x $$", "$2$ $$ x = x $$", "We get y + $$ x = x $$", "$$ x = x $$ 2",
     r"$$ x/2 = x \text{ split in half} $$"],
)  # fmt: skip
def test_a_factor_beside_a_display_is_not_passed_over(text):
    refused(page(f"\n{text}\n"))


@pytest.mark.parametrize(
    "text",
    ["Lemma 2\n$$ x = x $$", "1. $$ x = x $$", "a) $$ x = x $$", "(2) $$ x = x $$", "$$ x = x $$ (2)",
     "2\n\n$$ x = x $$", r"$$ x = x \quad\text{splitting in half} $$"],
)  # fmt: skip
def test_a_number_of_a_step_is_no_factor(text):
    assert claims(page(f"\n{text}\n"), "markdown") == ["x = x"]
