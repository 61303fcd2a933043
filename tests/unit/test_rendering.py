"""Answers on the page: every format says the same, and what it says can be read, compiled, drawn."""

import json
import re
import subprocess
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from dpsym import catalogue
from dpsym.cli import run
from dpsym.core import rounding
from dpsym.core.notation import alpha, delta, epsilon, k
from dpsym.core.relations import Relation
from dpsym.core.verdicts import Enclosure
from dpsym.entries.mechanisms.gaussian import gaussian
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.gdp import gdp
from dpsym.language import read_expression, read_relations
from dpsym.numbers import compare, enclose
from dpsym.rendering import drawing, plots, text
from dpsym.rendering.page import Page, as_latex, escaped, line

ENTRIES = [
    *catalogue.definitions().values(),
    *catalogue.mechanisms().values(),
    *catalogue.theorems().values(),
]
QUESTIONS = [
    ["derive", "gaussian(sigma=200) ** 500", "--to", "approx", "--at", "delta=1e-5"],
    pytest.param(["derive", "gaussian(sigma) ** k", "--to", "approx"], marks=pytest.mark.slow),
    ["derive", "zcdp(rho)", "--to", "approx"],
    ["derive", "gaussian", "--to", "zcdp(rho)", "--for", "sigma"],
    ["derive", "gdp(mu)", "--to", "fdp"],
    ["derive", "laplace(b=3) * randomized_response(epsilon=1)", "--to", "pure"],
]


def printed(capsys, *arguments):
    assert run(arguments) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def assert_is_latex(source):
    """Braces and environments are balanced, and no character needs a package that is not loaded."""
    assert source.startswith("\\documentclass")
    stripped = re.sub(r"\\[{}$\\]", "", source)
    depth = 0
    for character in stripped:
        depth += {"{": 1, "}": -1}.get(character, 0)
        assert depth >= 0
    assert depth == 0
    opened = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+\*?)\}", source):
        if kind == "begin":
            opened.append(name)
        else:
            assert opened.pop() == name
    assert not opened
    assert stripped.count("$") % 2 == 0
    assert len(re.findall(r"\\left[^a-z]", source)) == len(re.findall(r"\\right[^a-z]", source))
    assert source.isascii()


# --- numbers on the page


@given(st.decimals(allow_nan=False, allow_infinity=False, places=12))
def test_a_decimal_is_written_exactly(number):
    assert Decimal(rounding.decimal(number)) == number


@given(st.fractions(Fraction(1, 10**30), 10**12).filter(lambda q: q.denominator > 1))
def test_a_line_of_bounds_encloses_the_number(number):
    root = sp.sqrt(sp.Rational(number))
    lower, name, upper = text.between("x", enclose(root + sp.pi, digits=9)).split(" <= ")

    assert name == "x"
    assert Fraction(lower) < Fraction(upper)
    assert compare(Relation(sp.Rational(lower), "<", root + sp.pi)).holds
    assert compare(Relation(root + sp.pi, "<", sp.Rational(upper))).holds


def test_equal_bounds_are_one_number():
    assert text.between("x", Enclosure(Decimal("0.2500"), Decimal("0.25"))) == "x = 0.25"


# --- routes as data


@pytest.mark.cases(2)
@pytest.mark.parametrize("question", QUESTIONS, ids=" ".join)
def test_json_has_the_promised_shape(question, capsys):
    answer = json.loads(printed(capsys, *question, "--json"))

    assert answer["target"] in catalogue.definitions()
    assert answer["routes"]
    for route in answer["routes"]:
        assert {"rules", "guarantee", "latex", "conditions", "sources", "exact", "value"} <= set(route)
        assert all(c["status"] in ("discharged", "open", "decided at the choice") for c in route["conditions"])
        assert isinstance(route["exact"], bool)
        if route["value"] is not None:
            for bounds in route["value"].values():
                assert Decimal(bounds["lower"]) <= Decimal(bounds["upper"])


@pytest.mark.parametrize("question", QUESTIONS[:4], ids=" ".join)
def test_formulas_and_conditions_in_json_can_be_read_back(question, capsys):
    for route in json.loads(printed(capsys, *question, "--json"))["routes"]:
        for formula in [*route["guarantee"].values(), *(route["solution"] or {}).values()]:
            read_expression(formula)
        for condition in route["conditions"]:
            if not condition["relation"].endswith("is an integer"):
                read_relations(condition["relation"])


def test_routes_come_tightest_first_and_the_exact_one_is_best(capsys):
    answer = json.loads(printed(capsys, *QUESTIONS[0], "--json"))
    uppers = [Decimal(route["value"]["epsilon"]["upper"]) for route in answer["routes"]]

    assert uppers == sorted(uppers)
    assert answer["routes"][0]["exact"]
    assert len(uppers) >= 5
    # the exact epsilon solves delta(epsilon) = 1e-5 for mu = sqrt(500)/200
    bounds = answer["routes"][0]["value"]["epsilon"]
    mu = sp.sqrt(500) / 200
    profile = gaussian(sigma=1, Delta=mu).mechanism.claims[-1].guarantee.args[1]
    table = dict(gaussian(sigma=1, Delta=mu).args)
    at = [enclose(profile.subs(table), {epsilon: Fraction(bounds[end])}) for end in ("lower", "upper")]
    assert at[0].upper >= Decimal("1e-5") >= at[1].lower


def test_all_shows_what_the_first_answer_only_counts(capsys):
    short, long = printed(capsys, *QUESTIONS[2]), printed(capsys, *QUESTIONS[2], "--all")

    assert "looser routes: 1" in short
    assert long.count("route ") == 2
    assert "zcdp_to_approx" not in short
    assert "zcdp_to_approx" in long


def test_the_touching_point_of_rdp_and_zcdp_is_found(capsys):
    answer = json.loads(
        printed(
            capsys,
            "derive",
            "gaussian(sigma=200) ** k",
            "--to",
            "approx",
            "--at",
            "delta=1e-5",
            "--at",
            "alpha=20",
            "--json",
        )
    )
    found = [c for c in answer["crossings"] if c["touches"]]
    expected = enclose(80000 * sp.log(10**5) / 19**2)

    assert len(found) == 1
    assert Decimal(found[0]["value"]["lower"]) <= expected.upper
    assert Decimal(found[0]["value"]["upper"]) >= expected.lower
    rules = {answer["routes"][i - 1]["rules"][-1] for i in found[0]["routes"]}
    assert rules == {"rdp_to_approx", "zcdp_to_approx"}


def test_text_is_plain_where_nobody_looks_at_a_terminal(capsys):
    out = printed(capsys, *QUESTIONS[0], "--all")

    assert "\x1b" not in out
    assert all(line == line.rstrip() for line in out.splitlines())


# --- LaTeX and Markdown


@pytest.mark.cases(2)
@pytest.mark.parametrize("question", QUESTIONS, ids=" ".join)
def test_routes_are_latex_documents(question, capsys):
    assert_is_latex(printed(capsys, *question, "--all", "--format", "latex"))


SOME = [pytest.param(e, id=e.id, marks=() if i % 4 == 0 else pytest.mark.slow) for i, e in enumerate(ENTRIES)]


@pytest.mark.parametrize("entry", SOME)
def test_entries_are_latex_documents(entry, capsys):
    assert_is_latex(printed(capsys, "show", entry.id, "--format", "latex"))


@pytest.mark.slow
@pytest.mark.needs("pdflatex")
@pytest.mark.parametrize("arguments", [*QUESTIONS, *(["show", e.id] for e in ENTRIES)], ids=" ".join)
def test_documents_compile(arguments, tmp_path, capsys):
    (tmp_path / "page.tex").write_text(printed(capsys, *arguments, "--format", "latex"))
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"]

    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == 0  # noqa: S603


@pytest.mark.parametrize("entry", SOME)
def test_entries_are_markdown_with_closed_formulas(entry, capsys):
    out = printed(capsys, "show", entry.id, "--format", "markdown")

    assert out.startswith("## ")
    assert all(line.count("$") % 2 == 0 for line in out.splitlines())


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: e.id)
def test_show_names_source_and_conditions(entry, capsys):
    out = printed(capsys, "show", entry.id)

    assert str(entry.source) in out
    for condition in getattr(entry, "domain", ()) or getattr(entry, "conditions", ()):
        assert str(condition) in out


@given(st.text(alphabet=st.characters(codec="ascii", categories=("L", "N", "P", "S", "Zs"))))
def test_words_survive_in_latex(words):
    page = Page("title", (line("words", words),)) if words else Page("title", ())

    assert_is_latex(as_latex([page]))
    assert "&" not in re.sub(r"\\&", "", escaped(words))


# --- plots

DELTA = {delta: sp.Rational(1, 10**5)}


RELEASES = gaussian(sigma=200) ** k


def epsilons(source=RELEASES, over=(1, 500), **options):
    return plots.epsilon_against_k(source, approx.goal(delta=delta), at=DELTA, over=over, **options)


@pytest.fixture(scope="module")
def drawn():
    return epsilons(by=["gdp_to_approx", "zcdp_to_approx", "advanced_composition"], orders=[sp.Integer(60)])


@pytest.mark.slow
def test_every_point_of_a_curve_is_an_upper_bound(drawn):
    _, zcdp, _, rdp = drawn.curves
    at_k = {
        zcdp: k / 80000 + 2 * sp.sqrt(k / 80000 * sp.log(1 / delta)),
        rdp: 60 * k / 80000 + sp.log(1 / delta) / 59,
    }

    for curve, formula in at_k.items():
        for where, value in curve.points:
            certified = enclose(formula, {k: where, **DELTA}, digits=20)
            assert Fraction(certified.upper) <= Fraction(value) <= Fraction(certified.lower) * (1 + Fraction(1, 10**12))


def test_the_exact_curve_is_below_all_others(drawn):
    exact, *others = drawn.curves

    for curve in others:
        assert all(low <= high for (_, low), (_, high) in zip(exact.points, curve.points, strict=True))


def test_curves_differ_without_colour(drawn):
    styles = [(str(dashes), marker) for dashes, marker, _ in drawing.STYLES]

    assert len(set(styles)) == len(styles) >= len(drawn.curves)


@pytest.mark.cases(1)
@pytest.mark.parametrize("ending", ["png", "svg"])
def test_a_plot_is_written_with_its_labels(ending, drawn, tmp_path):
    path = tmp_path / f"plot.{ending}"
    drawn.save(path)
    content = path.read_bytes()

    assert content.startswith(b"\x89PNG" if ending == "png" else b"<?xml")
    if ending == "svg":
        for words in (drawn.x, drawn.y, *(curve.label for curve in drawn.curves)):
            assert words.encode() in content


@pytest.mark.slow
def test_variance_is_called_variance_and_one_vector_query_needs_less():
    at = {epsilon: sp.Rational(1, 2), **DELTA}
    plot = plots.noise_against_k(
        catalogue.mechanisms()["gaussian"],
        approx(epsilon, delta),
        at=at,
        over=(2, 100),
        by=["advanced_composition_simplified", "classical_gaussian"],
    )
    queries = next(c for c in plot.curves if c.label.startswith("k queries") and "advanced" in c.label)
    vector = next(c for c in plot.curves if c.label.startswith("one vector query"))

    assert "variance" in plot.y
    assert "squared" in plot.y
    assert all(low < high for (_, low), (_, high) in zip(vector.points, queries.points, strict=True))
    where, value = vector.points[-1]  # sigma^2 = 2 k log(1.25/delta)/epsilon^2
    expected = enclose(2 * k * sp.log(sp.Rational(5, 4) / delta) / epsilon**2, {k: where, **at})
    assert float(expected.lower) <= value <= float(expected.upper) * (1 + 1e-12)


def test_trade_off_curves_are_lower_bounds():
    plot = plots.trade_off_curves([gdp(sp.Rational(1)), approx(sp.Integer(1), sp.Rational(1, 20))])
    _, f = plot.curves

    for level, value in f.points:
        exact = max(0, 1 - 0.05 - 2.718281828459046 * float(level), (0.95 - float(level)) / 2.718281828459045)
        assert exact - 1e-9 <= value <= exact + 1e-12
    for curve in plot.curves:
        values = [value for _, value in curve.points]
        assert values == sorted(values, reverse=True)


@pytest.mark.cases(2)
@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: epsilons(source=gaussian(sigma=200) ** 5), "no k"),
        (lambda: epsilons(by=["gpd_to_approx"]), "no route uses"),
        (lambda: plots.noise_against_k(gaussian, approx(sp.S.One, delta), at=DELTA, over=(2, 9), by=["gpd"]), "s gpd"),
        (lambda: epsilons(most=1).save(Path("plot.gif")), "cannot draw"),
        (lambda: epsilons(over=(5, 2)), "range"),
        (lambda: epsilons(source=gaussian(sigma=alpha) ** k), "alpha without a value"),
    ],
    ids=["no k", "unknown rule", "noise by an unknown rule", "unknown ending", "empty range", "no number"],
)  # fmt: skip
def test_what_cannot_be_drawn_is_refused(make, said):
    with pytest.raises(plots.NoPlot, match=said):
        make()
