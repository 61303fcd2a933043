"""What false documents and claims say is not accepted, whatever they are put together from; what is true stays so.

The faults were not in relations but between the parts: what was chosen, what had cancelled, under which case.
"""

import json

import pytest

from dpsym.checking.ledger import DoesNotFollow, Judgement
from dpsym.rendering.report import as_data
from oracle.asking import ACCEPTED, checked, said_of_claim, said_of_document


def page(body, **declarations):
    lines = ["---"]
    for key, given in declarations.items():
        lines.append(f"{key}:" if not isinstance(given, str) else f"{key}: {given}")
        lines += [f"  - {item}" for item in given] if key == "assume" else []
        lines += [f"  {name}: {what}" for name, what in given.items()] if isinstance(given, dict) else []
    return "\n".join([*lines, "---", body]) + "\n"


def aligned(*rows):
    return "$$\n\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}\n$$\n"


REALS = {"OPT": "real", "alpha": "real", "epsilon": "real", "x": "real", "y": "real"}
POSITIVE = {"epsilon": "epsilon > 0", "x": "x > 0"}

# --- chosen values: in the order in which they depend on each other, and only where they are chosen
DEPENDENT = aligned(
    r"\alpha\epsilon &= \epsilon^2+\epsilon && \text{at } \alpha = 1+\epsilon", r"&\le 2 && \text{at } \epsilon = 1"
)
FALSE_CHOICES = [
    DEPENDENT + "\n$$\\epsilon + 1 \\le 2$$",
    DEPENDENT + "\n$$\\epsilon(\\epsilon + 1) \\le 2$$",
    aligned(r"\alpha &\le 2\epsilon && \text{at } \alpha = \epsilon", r"&\le 2 && \text{at } \epsilon = 1")
    + "\n$$\\epsilon \\le 2$$",
    "$$\\alpha \\le 1 \\quad \\text{at } \\alpha = 1$$\n\n$$\\alpha \\le 1$$",
    "$$x/y = 1 \\quad \\text{at } x = y$$",
    "$$1/x = 0 \\quad \\text{at } x = \\infty$$",
    "$$x/(x - 1) = x/(x - 1) \\quad \\text{at } x = 1$$",
    "$$\\alpha = \\epsilon \\quad \\text{at } \\alpha = \\epsilon + 1, \\epsilon = \\alpha - 1$$",
]
TRUE_CHOICES = [
    DEPENDENT,
    aligned(r"x &\le x && \text{at } \mathrm{OPT} = 1", r"&= 1 && \text{at } x = 1"),
    "$$\\alpha \\le 1 \\quad \\text{at } \\alpha = 1$$",
    "$$\\alpha\\epsilon = \\epsilon^2 \\quad \\text{at } \\alpha = \\epsilon$$\n\n$$\\epsilon\\epsilon = \\epsilon^2$$",
]


@pytest.mark.parametrize("body", FALSE_CHOICES)
def test_a_value_holds_only_where_it_is_chosen(body):
    assert said_of_document(page(body, let=REALS)) not in ACCEPTED


@pytest.mark.parametrize("body", TRUE_CHOICES)
def test_what_follows_at_chosen_values_is_proved(body):
    assert said_of_document(page(body, let=REALS)) in ACCEPTED


def test_a_conclusion_at_chosen_values_says_at_which():
    found = as_data(checked(page(DEPENDENT, let=REALS)))

    assert found["conclusion"] == "alpha*epsilon <= 2"
    assert found["context"]["chosen"] == ["alpha = 1 + epsilon", "epsilon = 1"]


# --- what cancelled is asked of every step that uses it, under that step's own case
CANCELLED = [
    ({"u": "x/x"}, "## Case $x > 0$\n\n$$x = x$$\n\n## Then\n\n$$u = 1$$"),
    ({"u": "x/x"}, "## Case $x > 0$\n\n$$u = 1$$\n\n## Case $x < 1$\n\n$$u = 1$$"),
    ({"u": "log(x) - log(x)"}, "$$x = x$$\n\n$$u = 0$$"),
    ({"u": "sqrt(x)^2", "v": "u - u"}, "$$x^2 = x^2 \\quad \\text{if } x > 0$$\n\n$$v = 0$$"),
    ({"u": "x/x"}, "$$x^2 = 1 \\quad \\text{at } x = 1$$\n\n$$u + y = 1 + y$$"),
]


@pytest.mark.parametrize(("where", "body"), CANCELLED)
def test_an_abbreviation_needs_at_every_use_what_it_is_made_of(where, body):
    assert said_of_document(page(body, let=REALS, where=where)) not in ACCEPTED


@pytest.mark.parametrize(
    ("let", "body"),
    [
        (POSITIVE, "$$u = 1$$"),
        (REALS, "## Case $x > 0$\n\n$$u = 1$$"),
        (REALS, "$$x^2 \\ge 0$$"),
        (REALS, "$$u = 1 \\quad \\text{at } x = 2$$"),
    ],
)
def test_what_is_defined_where_it_is_used_is_proved(let, body):
    assert said_of_document(page(body, let=let, where={"u": "x/x"})) in ACCEPTED


# --- cases
def test_what_is_shown_in_one_case_is_concluded_in_that_case():
    found = as_data(checked(page("## Case $\\epsilon < 1$\n\n$$\\epsilon^2 \\le \\epsilon$$", let=POSITIVE)))

    assert found["conclusion"] == "epsilon^2 <= epsilon"
    assert found["context"]["case"] == ["epsilon < 1"]


def test_what_is_shown_in_every_case_is_concluded_without_them():
    body = "## Case $\\epsilon < 1$\n\n$$\\epsilon + 1 > 1$$\n\n## Case $\\epsilon \\ge 1$\n\n$$\\epsilon + 1 > 1$$"
    found = as_data(checked(page(body, let=POSITIVE)))

    assert found["conclusion"] == "epsilon + 1 > 1"
    assert found["context"]["case"] == []


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    "body",
    [
        "## Case $\\epsilon < 1$\n\n$$\\epsilon^2 \\le \\epsilon$$\n\n## And so\n\n$$\\epsilon^2 \\le \\epsilon$$",
        "## Case $1/(x - 1) > 0$\n\n$$(x - 1)^2 > 0$$\n\n## Case $1/(x - 1) \\le 0$\n\n$$(x - 1)^2 > 0$$\n\n"
        "## And so\n\n$$(x - 1)^2 > 0$$",
        "## Case $\\epsilon < 1$\n\n$$\\epsilon < 2$$\n\n## Case $\\epsilon < 2$\n\n$$\\epsilon < 2$$\n\n## So\n\n"
        "$$\\epsilon < 2$$",
        "## Case $\\log x > 0$\n\n$$x \\ne 1$$\n\n## Case $\\log x < 0$\n\n$$x \\ne 1$$\n\n## So\n\n$$x \\ne 1$$",
    ],
)
def test_cases_that_are_not_all_prove_nothing_without_them(body):
    assert said_of_document(page(body, let=POSITIVE)) not in ACCEPTED


@pytest.mark.slow
def test_cases_that_may_have_no_truth_value_are_not_all():
    body = "## Case $1/(x - 1) > 0$\n\n$$x \\ne 1$$\n\n## Case $1/(x - 1) \\le 0$\n\n$$x \\ne 1$$"
    found = as_data(checked(page(body, let=POSITIVE)))

    assert found["context"] is None or found["context"]["case"]


# --- a theorem does not prove itself
BOUND = r"H_{e^{\epsilon + \log(1/\delta)/(\alpha - 1)}}(P \| Q) \le \delta"


@pytest.mark.cases(1)
@pytest.mark.parametrize("name", ["rdp_to_approx"])
@pytest.mark.parametrize("more", ["", "\n\n$$\\epsilon = \\epsilon$$"])
def test_a_theorem_cannot_be_cited_in_its_own_proof(name, more):
    text = page(f"$${BOUND} \\quad \\text{{by [{name}]}}$${more}", proves=name)
    report = checked(text, seconds=2)

    first = next(iter(report.steps)).decision
    assert first.verdict not in (ACCEPTED)
    assert report.exit_status == 3
    assert str(report.verdict) not in ACCEPTED


# --- under binders, behind guards
FALSE_IN_THEIR_PLACE = [
    ("sum(i/i - 1 + piecewise(0, i <= 0, 1/i), i, 0, 2) = 3/2", ()),
    ("sum(i/i, i, 0, 3) = 4", ()),
    ("sum(log(i) - log(i), i, 0, n) = 0", ("n: integer, n >= 0",)),
    ("product(i/i, i, -1, 1) = 1", ()),
    ("x/x + piecewise(0, x <= 0, 1/x) - piecewise(0, x <= 0, 1/x) = 1", ("x: real",)),
    ("integral(x/x, x, -1, 1) = 2", ()),
    ("minimum((x - 1)/(x - 1), x >= 0) = 1", ()),
    ("piecewise(x/x, x >= 0, 1) = 1", ("x: real",)),
    ("piecewise(1, log(x) > 0, 1) = 1", ("x: real",)),
    ("E(X/X, X) = 1", ("X: Normal(0, 1)", "p: real")),
]
TRUE_IN_THEIR_PLACE = [
    ("sum(i/i, i, 1, 3) = 3", ()),
    ("piecewise(x/x, x > 0, 1) = 1", ("x: real",)),
    ("sum(piecewise(0, i <= 0, i/i), i, 0, 2) = 2", ()),
    ("integral(x/x, x, 0, 1) = 1", ()),
    ("x*(1/x) = 1", ("x > 0",)),
]


@pytest.mark.parametrize(("claim", "let"), FALSE_IN_THEIR_PLACE)
def test_a_need_stands_under_its_binder_and_behind_its_guard(claim, let):
    assert said_of_claim(claim, let) not in ACCEPTED


@pytest.mark.parametrize(("claim", "let"), TRUE_IN_THEIR_PLACE)
def test_what_is_defined_in_its_place_is_not_refused(claim, let):
    assert said_of_claim(claim, let) in ACCEPTED


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    "claim",
    [
        "piecewise(0, x <= 0, 1, log(x) > -1000, 2) >= 0",
        "piecewise(0, x <= 0, sqrt(x)) >= 0",
        "piecewise(0, 0 = x, 1, 1/x > 0, 2) >= 0",
        "piecewise(1, x < 0, 2, sqrt(x) >= 0) > 0",
    ],
)
def test_a_condition_is_needed_only_where_those_before_it_fail(claim):
    assert said_of_claim(claim, ("x: real",)) not in ("refuted", "refused")


@pytest.mark.parametrize(
    ("claim", "let", "where"),
    [
        ("gaussian(sigma=1) satisfies zcdp(1/2 + x - x + 0*log(x))", ("x: real",), ()),
        ("gaussian(sigma=1) satisfies zcdp(u/2)", ("x: real",), ("u = x/x",)),
        ("gaussian(sigma=x/x) satisfies zcdp(1/2)", ("x: real",), ()),
        ("laplace(b=2)^(x/x) satisfies pure(1/2)", ("x: real",), ()),
    ],
)
def test_the_arguments_of_mechanisms_and_guarantees_have_needs_too(claim, let, where):
    assert said_of_claim(claim, let, where) not in ACCEPTED


def test_arguments_that_are_defined_are_accepted():
    assert said_of_claim("gaussian(sigma=1) satisfies zcdp(u/2)", ("x > 0",), ("u = x/x",)) in ACCEPTED


# --- around a point
@pytest.mark.parametrize(
    "claim",
    [
        "diff(sqrt(x)^2, x, 1, 0) = 1",
        "diff(x*(sqrt(x)/sqrt(x)), x, 1, 0) = 1",
        "diff(exp(log(x)), x, 1, 0) = 1",
        "limit(sqrt(x)^2, x, 0) = 0",
        "diff((x - 1)^2/(x - 1), x, 1, 1) = 1",
    ],
)
def test_a_derivative_needs_its_function_around_the_point(claim):
    assert said_of_claim(claim) not in ACCEPTED


@pytest.mark.parametrize(
    "claim", ["diff(sqrt(x)^2, x, 1, 1) = 1", "diff(x^2/x, x, 1, 2) = 1", "limit(x^2/x, x, 0) = 0"]
)
def test_a_derivative_inside_of_where_the_function_is_defined_has_a_value(claim):
    assert said_of_claim(claim) in ACCEPTED


# --- integer exponents
@pytest.mark.cases(2)
@pytest.mark.parametrize(
    ("claim", "let"),
    [
        ("abs((-1)^(n*(n+1)/2)) = 1", ("n: integer",)),
        ("(-1)^(n*(n+1)) = 1", ("n: integer",)),
        ("abs((-2)^(n^2 - n)) >= 0", ("n: integer",)),
        ("abs((-1)^(n*(n+1)*(2*n+1)/6)) = 1", ("n: integer, n >= 0",)),
        ("0^n = 0", ("n: integer, n >= 1",)),
    ],
)
def test_an_exponent_that_is_an_integer_everywhere_undoes_no_power(claim, let):
    assert said_of_claim(claim, let) not in ("refuted", "refused")


@pytest.mark.parametrize(
    ("claim", "let"),
    [
        ("abs((-1)^(n/2)) = 1", ("n: integer",)),
        ("0^n = 0", ("n: integer, n >= 0",)),
        ("x^n*x^(-n) = 1", ("x: real", "n: integer")),
    ],
)
def test_an_exponent_that_is_no_integer_somewhere_is_noticed(claim, let):
    assert said_of_claim(claim, let) not in ACCEPTED


# --- distributions
@pytest.mark.parametrize(
    ("law", "claim"),
    [
        ("Bernoulli(p)", "\\mathbb{E}[X] - \\mathbb{E}[X] = 0"),
        ("Bernoulli(p)", "\\mathbb{E}[X] = p"),
        ("Normal(0, p)", "\\mathbb{E}[X] = 0"),
        ("Laplace(p)", "\\mathbb{E}[X] = 0"),
        ("Exponential(p)", "\\mathbb{E}[X] = 1/p"),
        ("Uniform(p, 1)", "\\mathbb{E}[X] = (p + 1)/2"),
        ("Normal(0, p/p)", "\\mathbb{E}[X] = 0"),
    ],
)
def test_a_distribution_demands_its_own_domain(law, claim):
    assert said_of_document(page(f"$${claim}$$", let={"p": "real", "X": law})) not in ACCEPTED


def test_an_abbreviation_needs_the_domain_of_a_distribution_in_it():
    text = "let p: real\nlet X: Bernoulli(p)\nwhere q = E(t - t, t, X)\n\nq = 0\n"

    assert said_of_document(text, "plain") not in ACCEPTED


@pytest.mark.slow
@pytest.mark.parametrize("law", ["Normal(0, p)", "Laplace(p)"])
def test_a_distribution_inside_of_its_domain_is_used(law):
    assert said_of_document(page("$$\\mathbb{E}[X] = 0$$", let={"p": "p > 0", "X": law})) in ACCEPTED


# --- the ledger
def test_nothing_but_the_ledger_makes_a_judgement():
    shown = next(c.conclusion for c in checked(page("$$x = x$$", let=REALS)).chains)

    with pytest.raises(DoesNotFollow):
        Judgement(shown.context, shown.relation, shown.text, shown.verdict)


def test_what_is_not_shown_is_claimed_and_not_concluded():
    found = as_data(checked(page("$$x \\le y$$", let=REALS)))

    assert found["conclusion"] is None
    assert found["claims"] == "x <= y"
    assert json.dumps(found)
