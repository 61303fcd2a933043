"""What was found in documents: claims that were passed over, conditions that were lost, names that were captured."""

import pytest
from sympy import Integer, Symbol

from dpsym.checking import Chain, Step
from dpsym.core.notation import P, Q, renyi
from dpsym.core.relations import Relation
from dpsym.rendering.report import as_data, as_markdown, as_text
from dpsym.rendering.report_page import as_page
from oracle.asking import ACCEPTED, REFUSED, checked, said_of_document


def page(body, *let, where=(), assume=()):
    lines = ["---", "let:"]
    lines += [f"  - {item}" for item in ("x: real", "y: real", *let)]
    lines += ["where:", *(f"  - {item}" for item in where)] if where else []
    lines += ["assume:", *(f"  - {item}" for item in assume)] if assume else []
    return "\n".join([*lines, "---", body]) + "\n"


def said(body, *let, **more):
    return said_of_document(page(body, *let, **more))


def aligned(*rows):
    return "$$\n\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}\n$$\n"


# --- a claim beside a step is not passed over as its reason
@pytest.mark.parametrize(
    "body",
    [
        r"$$x^2 \ge 0 \quad \text{hence} \quad x = y + 5$$",
        r"$$x^2 \ge 0 \quad \text{and so $x = y + 5$}$$",
        r"$$x^2 + 1 > x^2 \tag{1} \ge x + 5$$",
        r"$$x^2 + 1 > x^2 \quad\text{[AM-GM]} \ge x + 5$$",
        r"$$x^2 + y^2 \ge 2xy \quad \text{with equality iff $x = y + 1$}$$",
    ],
)
def test_a_claim_beside_a_step_is_not_taken_for_its_reason(body):
    assert said(body) == REFUSED


@pytest.mark.parametrize("row", [r"x^2 &\ge 0 && x &= 5", r"x^2 &\ge 0 && x = 5", r"|x| &= x && x \ge 0"])
def test_a_relation_in_another_column_is_a_claim(row):
    assert said(aligned(row)) not in ACCEPTED


@pytest.mark.parametrize(
    "beside",
    [
        r"\text{since } x^2 \ge 0",
        r"\text{(since } x^2 \ge 0\text{)}",
        r"\text{because $x^2 \ge 0$ and $1 > 0$}",
        r"\text{by AM-GM with } a = x",
        r"\text{[Mir17, Lemma 1]}\tag{2}",
        r"\text{where $L$ is large}",
    ],
)
def test_what_explains_a_step_is_its_reason(beside):
    assert said(rf"$$x^2 + 1 > 0 \quad {beside}$$") == "proved"


# --- conditions and values beside a step are all read, and belong to the whole line
@pytest.mark.parametrize(
    "body",
    [
        r"$$|x| = x \quad \text{if } x > 0 \text{ or } x < 0$$",
        r"$$|x| = x \quad \text{if $x > 0$ or $x < 0$}$$",
        r"$$|x| = x \quad \text{unless } x < 0$$",
        r"$$|x| = x \quad \text{if } x \text{ is positive}$$",
        r"$$|x| = x \quad \text{holds for } x > 0$$",
    ],
)
def test_a_condition_that_is_not_read_is_an_error(body):
    assert said(body) == REFUSED


@pytest.mark.parametrize(
    "body",
    [
        r"$$|x| + |y| = x + y \quad \text{if $x > 0$ and $y > 0$}$$",
        r"$$|x| + |y| = x + y \quad \text{if } x > 0 \text{ and also } y > 0$$",
        r"$$|x| + |y| = x + y \quad \text{for } x > 0 \text{ if } y > 0$$",
        r"$$|x| = x \quad \text{assuming } x \ge 0$$",
        r"$$|x| = x \quad \text{if } x > 0 \tag{1}$$",
        r"$$|x| = x \quad \text{[Mir17], if } x > 0$$",
        r"$$x + y = 3 \quad \text{at $x = 1$ and $y = 2$}$$",
        r"$$|x| = x \le x^2 + 1 \quad \text{if } x \ge 0$$",
        r"$$x = 1 \le 2 \quad \text{at } x = 1$$",
        aligned(r"|x| + 1 &= x", r" &+ 1 && \text{if } x \ge 0"),
        aligned(r"|x| + 1 &= x && \text{a sum}", r" &+ 1 && \text{if } x \ge 0"),
        aligned(r"|x| &= ", r" & x && \text{if } x \ge 0"),
        aligned(r"|x| &= x", r" && \text{if } x \ge 0"),
        aligned("", r"|x| &= x && \text{if } x \ge 0"),
        aligned(r"x^2 &= 1 && \text{for } x > 0", r"\implies x &= 1"),
        aligned(r"x &= y", r"\implies |x| &= |y| = y && \text{if } y > 0", r"&\ge 0"),
    ],
)
def test_a_true_step_keeps_its_conditions(body):
    assert said(body) in ACCEPTED


@pytest.mark.slow
def test_a_citation_is_of_the_last_relation_of_its_line():
    body = r"$$H_2(P \| Q) \le x \le y \quad \text{[Mir17, Lemma 1]}$$"

    assert said(body, "P, Q: distributions", assume=("x <= y",)) not in ACCEPTED


@pytest.mark.parametrize(
    "heading",
    [
        "## Case $x > 0$ and $y > 0$",
        "## Case 1: $x > 0$, $y > 0$",
        "### The case $x > 0$",
        "## Case not $x > 0$",
        "## Case no $x > 0$",
    ],
)
def test_a_case_that_is_not_read_is_an_error(heading):
    assert said(f"{heading}\n\n$$|x| + |y| = x + y$$") == REFUSED


@pytest.mark.parametrize("heading", ["## Case $x > 0$, the easy one", "## A remark on $x^2$", "## Case $x > 0$ ##"])
def test_other_headings_are_read(heading):
    assert said(f"{heading}\n\n$$x^2 \\ge 0$$") in ACCEPTED


# --- cases in which a relation was written differently
@pytest.mark.parametrize("order", [1, -1])
def test_what_cancelled_in_one_case_is_not_concluded_without_it(order):
    cases = ["## Case $x = 0$\n\n$$1 = 1$$\n\n", "## Case $x \\ne 0$\n\n$$x/x = 1$$\n\n"][::order]
    found = as_data(checked(page("".join(cases))))

    assert found["verdict"] == "proved"
    assert found["conclusion"] == "1 = 1"


def test_a_step_is_printed_as_it_was_written():
    (step,) = as_data(checked(page("$$x/x = 1$$")))["steps"]

    assert (step["lhs"], step["rhs"], step["verdict"]) == ("x/x", "1", "refuted")


# --- a value that changes a distribution, or means something else where it is put
SPREAD = ("mu: real", "sigma: sigma > 0", "X: Normal(mu, sigma^2)")


@pytest.mark.parametrize(
    ("body", "true"),
    [
        (r"$$\mathbb{E}[X] = \sigma \quad \text{at } \mu = \sigma$$", True),
        (r"$$\mathbb{E}[X^2] = 5 \quad \text{at } \sigma = 2, \mu = 1$$", True),
        (r"$$\mathbb{E}[X] = \mu \quad \text{at } \mu = 2$$", True),
        (r"$$\mathbb{E}[X] = \mu \quad \text{at } x = 2$$", True),
        (r"$$\mathbb{E}[X] = \sigma \quad \text{at } \mu = 2\sigma$$", False),
        ("$$\\mathbb{E}[X] = 2 \\quad \\text{at } \\mu = 2$$\n\n$$\\mathbb{E}[X] = 2$$", False),
    ],
)
def test_a_value_that_changes_a_distribution(body, true):
    assert said(body, *SPREAD) not in (("refuted",) if true else ACCEPTED)


def test_a_value_that_a_quantifier_would_capture_is_not_put_in():
    body = r"$$\rho = \alpha \quad \text{at } \rho = \alpha$$"
    given = ("rho: real", "alpha: alpha > 1", "P, Q: distributions")

    assert said(body, *given, assume=("D(alpha, P, Q) <= rho*alpha for all alpha > 1",)) == "open"


# --- names that would be captured
@pytest.mark.parametrize(
    ("lines", "claim"),
    [
        (("let i: integer", "where c = i"), "sum(c, i, 1, 3) = 6"),
        (("let x: real", "where c = x"), "integral(c, x, 0, 1) = 1/2"),
        (("let x: real", "let X: Normal(x, 1)"), "E(exp(-x^2), x, X) = 1/sqrt(2)"),
        (("let x: real", "let X: Laplace(x, 1)"), "E(exp(-abs(x)), x, X) = 1"),
        (("let x: real", "let X: Uniform(x, x + 1)"), "E(log(x)/log(x), x, X) = 1"),
        (("let x: real", "let X: Normal(x, 1)"), "Pr(x > 1, x, X) = integral(1/sqrt(2*pi), x, 1, oo)"),
        (("let m: integer", "let X: Normal(m, 1)"), "sum(E(X), m, 1, 3) = 3*E(X)"),
        (("let m: integer", "let X: Normal(m, 1)"), "product(E(X), m, 1, 2) = E(X)^2"),
        (
            ("let a > 0, r > 0", "let P, Q: distributions", "where b = r*a", "assume D(a, P, Q) <= b for all a > 1"),
            "D(3, P, Q) <= 3*r",
        ),
    ],
)
def test_nothing_is_captured(lines, claim):
    assert said_of_document("\n".join([*lines, claim, ""]), "plain") not in ACCEPTED


@pytest.mark.parametrize(
    ("lines", "claim"),
    [
        (("let x: real", "let X: Normal(x, 1)"), "E(exp(-x^2), x, X) = exp(-x^2/3)/sqrt(3)"),
        (("let x > 0", "let X: Laplace(x)"), "Pr(x > 1, x, X) = exp(-1/x)/2"),
        (("let m: real", "let X: Normal(m, 1)"), "limit(E(X), m, 0) = 0"),
    ],
)
def test_a_name_that_might_be_captured_refutes_nothing(lines, claim):
    assert said_of_document("\n".join([*lines, claim, ""]), "plain") != "refuted"


# --- a theorem in its own proof, with more in the brackets; chains in Python
@pytest.mark.slow
@pytest.mark.parametrize("name", ["rdp_to_approx, as shown", r"rdp\_to\_approx, Theorem 1"])
def test_a_theorem_with_more_in_its_brackets_is_no_literature(name):
    bound = r"H_{e^{\epsilon + \log(1/\delta)/(\alpha - 1)}}(P \| Q) \le \delta"
    text = f"---\nproves: rdp_to_approx\n---\n$${bound} \\quad \\text{{[{name}]}}$$\n"

    assert said_of_document(text) == "open"


def test_a_chain_has_symbols_without_assumptions_of_their_own():
    with pytest.raises(TypeError, match="assumptions"):
        Chain(Symbol("x"), Step("=", Symbol("x", positive=True)))


def test_a_chain_about_outputs_says_that_they_are_distributions():
    x = Symbol("x")
    report = Chain(renyi(2, P, Q), Step("<=", x), assume=[Relation(renyi(2, P, Q), "<=", x)]).check()

    assert as_data(report)["context"]["let"] == ["P: distribution", "Q: distribution", "x: real"]


# --- a step is not printed without what it stands under
def test_a_step_is_printed_with_its_case_and_its_values():
    report = checked(page("## Case $x > 0$\n\n$$|x| = x$$\n\n$$x + y = y + 1 \\quad \\text{at } x = 1$$"))
    first, second = as_data(report)["steps"]

    assert (first["case"], first["chosen"]) == (["x > 0"], [])
    assert (second["case"], second["chosen"]) == (["x > 0"], ["x = 1"])
    for printed in (as_text([report]), as_page([report]).replace("&gt;", ">"), as_markdown([report])):
        assert ", where x > 0" in printed
        assert ", where x > 0, at x = 1" in printed


def test_a_value_chosen_in_python_is_printed():
    x = Symbol("x")
    report = Chain(x, Step("=", 1, at=(Relation(x, "=", Integer(1)),))).check()

    assert "x = 1, at x = 1" in as_text([report])
