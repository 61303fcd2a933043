"""What a display is by the words of the text; a claim of a derivation has no role."""

import pytest

from dpsym.checking import check_document
from dpsym.language.documents.document import read_document
from dpsym.language.documents.roles import Kind
from dpsym.rendering.report import as_data, summary

DISPLAY = "$$a = b + c.$$"
INEQUALITY = r"$$a \le b + c.$$"


def role(text, kind="latex", number=-1):
    around = read_document(text, kind=kind).chains[number].around
    return around.role and around.role.kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (rf"\begin{{definition}}The cost is {DISPLAY}\end{{definition}}", Kind.DEFINITION),
        (rf"\begin{{defn}}[Privacy] $M$ is private if for all $x$ {INEQUALITY}\end{{defn}}", Kind.DEFINITION),
        (rf"Let variance be defined as {DISPLAY}", Kind.DEFINITION),
        (rf"We define for all other nodes {DISPLAY}", Kind.DEFINITION),
        (rf"Let $X$ be a set of $n$ elements, and {DISPLAY} be its cost.", Kind.DEFINITION),
        (rf"$$d = a.$$ where $$e = c.$$ and {DISPLAY}", Kind.DEFINITION),
        (rf"Suppose that {INEQUALITY}", Kind.ASSUMPTION),
        (rf"We want to show that {INEQUALITY}", Kind.STATEMENT),
        (rf"It suffices to prove {INEQUALITY}", Kind.STATEMENT),
        (rf"\begin{{theorem}}For all $a$, then {INEQUALITY}\end{{theorem}}", Kind.STATEMENT),
        (rf"Recall that {INEQUALITY}", Kind.CITATION),
        (rf"The weights are {DISPLAY} which is equation 10 in \cite{{honacker}}.", Kind.CITATION),
    ],
)  # fmt: skip
def test_the_words_of_the_text_say_what_a_display_is(text, kind):
    assert role(text) == kind


@pytest.mark.parametrize("before", ["**Definition 3.** The cost is ", '<a id="d">Definition 1</a>: the cost is '])
def test_a_paragraph_may_begin_with_what_it_is(before):
    assert role(f"{before}{DISPLAY}", kind="markdown") is Kind.DEFINITION
    assert role(f"{before}{DISPLAY}\n\nThe rest is {DISPLAY}", kind="markdown") is None


@pytest.mark.parametrize(
    "text",
    [
        rf"By definition we have {DISPLAY}",
        rf"By the definition of $a$, {DISPLAY}",
        rf"Let $a > 0$. Then {DISPLAY}",
        rf"Let's rewrite it: {DISPLAY}",
        rf"Let $c = 1$, then {DISPLAY}",
        rf"Let $c = 1$, so that we get {DISPLAY}",
        rf"Assume $a > 0$, hence {DISPLAY}",
        rf"Suppose $c > 0$. We have {DISPLAY}",
        rf"To show that, we have {DISPLAY}",
        rf"Recall that $c > 0$, which gives {DISPLAY}",
        rf"\begin{{definition}}A cost is $a$.\end{{definition}} So {DISPLAY}",
        rf"\begin{{definition}}A cost is $a$. Hence {DISPLAY}\end{{definition}}",
        rf"\begin{{definition}}$$a = c.$$ Equivalently, {DISPLAY}\end{{definition}}",
        rf"\begin{{theorem}}$a$ is small.\end{{theorem}}\begin{{proof}}{DISPLAY}\end{{proof}}",
        rf"\begin{{theorem}}$$a = c.$$\begin{{proof}}{DISPLAY}\end{{proof}}\end{{theorem}}",
        rf"\begin{{theorem}}$$a = c.$$\end{{theorem}}\begin{{proof}}{DISPLAY}\end{{proof}}",
        rf"It is easy to see that {DISPLAY}",
        rf"We define nothing new and find {DISPLAY}",
    ],
)
def test_a_claim_has_none(text):
    assert role(text) is None


def test_what_continues_a_definition_is_a_claim():
    text = r"Let $x > 0$." + "\n\n" + r"For all nodes the cost is defined to be $$a = x + 1 = x + 2 \le x + 3.$$"
    found = check_document(read_document(text, kind="markdown"), time_limit=2.0, suggest=False)
    kinds = [chain.role(step) for chain in found.chains for step in chain.steps]
    assert [k and k.kind for k in kinds] == [Kind.DEFINITION, None, None]
    assert str(found.chains[0].steps[1].decision.verdict) != "proved"


def test_only_equations_define_a_name():
    text = "Let $x > 0$ be real, and $$x \\le x + y - 1.$$"
    found = check_document(read_document(text, kind="markdown"), time_limit=2.0, suggest=False)
    assert [chain.role(step) for chain in found.chains for step in chain.steps] == [None]


def test_what_is_settled_is_counted_by_its_verdict():
    text = "Let $x$ be a real number.\n\n**Definition.** The cost is $$(x + 1)^2 = x^2 + 2x + 1.$$"
    found = check_document(read_document(text, kind="markdown"), time_limit=2.0, suggest=False)
    assert as_data(found)["steps"][0]["role"] is None
    assert as_data(found)["roles"] == {}


def test_the_report_counts_what_is_no_claim():
    text = "Let $x$ be a real number.\n\nThe cost is defined to be $$a = x + 1.$$ Suppose that $$b \\le x.$$"
    found = check_document(read_document(text, kind="markdown"), time_limit=2.0, suggest=False)
    assert "1 fails, 1 definition, not settled and no claims: 1 assumption" in summary(found)
    assert as_data(found)["roles"] == {"definition": 1, "assumption": 1}
    assert [str(step.decision.verdict) for step in found.steps] == ["open", "fails"]
