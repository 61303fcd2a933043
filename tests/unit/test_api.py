"""The flat API: every answer is on the safe side, is the command's document, and refuses what is no question."""

import doctest
import json
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from importlib import import_module

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

import dpsym
from dpsym.accounting import NotAccountable, subsampled
from dpsym.api.given_values import UnknownName
from dpsym.auditing import NotAnAudit
from dpsym.catalogue import UnknownEntry
from dpsym.choosing import NotAnswered
from dpsym.cli import run
from dpsym.core.rounding import formatted, to_float
from dpsym.core.spelling import as_options
from dpsym.core.verdicts import Enclosure, Verdict
from dpsym.language import ReadingError
from dpsym.rendering.drawing import NoPlot
from dpsym.statements import StatementError

SAMPLED = "subsampled(gaussian(sigma=1), q=1/100) ** 1000"
DECIMALS = st.decimals(allow_nan=False, allow_infinity=False)
SPECS = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["", "+", " ", ">20", "012"]),
    st.sampled_from(["", ".0", ".1", ".3", ".12", ".40"]),
    st.just(""),
    st.sampled_from("eEfFgG%"),
)


def as_printed(capsys, *arguments):
    """The command's JSON document and its exit status."""
    capsys.readouterr()
    status = run([*arguments, "--json"])
    return json.loads(capsys.readouterr().out), status


# --- rounding
@given(number=DECIMALS)
def test_a_float_is_never_on_the_wrong_side(number):
    above, below = to_float(number, up=True), to_float(number, up=False)

    assert Decimal(below) <= number <= Decimal(above)
    assert Fraction(below) == Fraction(number) or below < above


@given(number=st.decimals(-(10**9), 10**9, allow_nan=False), spec=SPECS)
def test_a_format_is_never_on_the_wrong_side(number, spec):
    def read(text):
        return Decimal(text.strip().rstrip("%")) / (100 if "%" in text else 1)

    assert read(formatted(number, spec, up=False)) <= number <= read(formatted(number, spec, up=True))


@pytest.mark.parametrize(
    ("spec", "up", "down"),
    [
        (".3f", "0.385", "0.384"),
        (".1e", "3.9e-1", "3.8e-1"),
        (">8.2g", "    0.39", "    0.38"),
        (".0%", "39%", "38%"),
    ],
)
def test_formats_are_those_of_python(spec, up, down):
    number = Decimal("0.38469")

    assert (formatted(number, spec, up=True), formatted(number, spec, up=False)) == (up, down)
    assert f"{Enclosure(number, number):{spec}}" == up
    assert float(Enclosure(Decimal("0.1"), Decimal("0.30000000000000001"))) > 0.3


# --- answers
def test_an_account_is_what_the_command_answers(capsys):
    found = dpsym.account(SAMPLED, delta="1e-5")
    document, status = as_printed(capsys, "account", SAMPLED, "--at", "delta=1e-5")

    assert (found.to_dict(), found.status) == (document, status)
    assert Fraction(float(found)) >= Fraction(found.upper)
    assert len(repr(found)) < 80
    run(["account", SAMPLED, "--at", "delta=1e-5"])
    assert capsys.readouterr().out == f"{found}\n"


def test_a_number_of_steps_rounds_down():
    steps = dpsym.calibrate("gaussian(sigma=20) ** T", for_="T", epsilon=1, delta="1e-5")
    enough, too_many = (dpsym.account(f"gaussian(sigma=20) ** {n}", delta="1e-5") for n in (int(steps), int(steps) + 1))

    assert steps.safe == "lower"
    assert float(steps) == steps.lower
    assert enough.upper <= 1 < too_many.lower


@pytest.mark.parametrize(
    "delta", ["1e-5", "1/100000", 1e-5, Decimal("0.00001"), Fraction(1, 10**5), sp.Rational(1, 10**5)]
)
def test_every_kind_of_number_is_exact(delta):
    assert dpsym.account(dpsym.gaussian(sigma=0.5), delta=delta).given == {"delta": Fraction(1, 10**5)}


def test_a_derivation_is_what_the_command_answers(capsys):
    asked = ("gaussian(sigma=200) ** 500", "approx")
    found = dpsym.derive(asked[0], to=asked[1], at={"delta": 1e-5})
    document, status = as_printed(capsys, "derive", asked[0], "--to", asked[1], "--at", "delta=1e-5")

    assert (found.to_dict(), found.status) == (document, status)
    assert found.name == "epsilon"
    assert Decimal(float(found)) >= found.upper
    assert found.rules[0] == found.fact.rules[0] == "gaussian"
    run(["derive", *asked[:1], "--to", "approx", "--at", "delta=1e-5"])
    with as_options():
        assert capsys.readouterr().out == f"{found}\n"
    assert "--all" not in str(found)


def test_an_unknown_of_a_derivation_rounds_to_its_safe_side():
    noise = dpsym.derive("gaussian", to="zcdp(rho)", for_="sigma", rho=1 / 3, Delta=1)
    steps = dpsym.derive("gaussian(sigma=10) ** k", to="zcdp(0.03)", for_="k")

    assert (noise.name, noise.safe, steps.name, steps.safe) == ("sigma", "upper", "k", "lower")
    assert 1 / (2 * Fraction(float(noise)) ** 2) <= Fraction("0.3333333333333333")
    assert float(steps) == 6


def test_up_to_which_order_a_divergence_is_bounded_rounds_down():
    third = dpsym.derive("zcdp(1/3)", to="tcdp(rho=1/3, omega=10/3)")
    assert third.facts
    found = dpsym.derive("tcdp(1/3, 10/3)", to="tcdp(rho=1/3)")

    assert (found.name, found.safe) == ("omega", "lower")
    assert Fraction(float(found)) <= Fraction(10, 3)


def test_what_has_no_number_says_so():
    with pytest.raises(ValueError, match="no value for Delta, rho"):
        float(dpsym.derive("gaussian", to="zcdp(rho)", for_="sigma"))
    with pytest.raises(TypeError, match="not a boolean"):
        bool(dpsym.evaluate("1/4"))


@pytest.mark.parametrize(
    ("answer", "command"),
    [
        (lambda: dpsym.evaluate("sqrt(x)", x="1/2"), ("evaluate", "sqrt(x)", "--at", "x=1/2")),
        (lambda: dpsym.browse("theorems", from_="zcdp", to="approx"),
         ("list", "theorems", "--from", "zcdp", "--to", "approx")),
        (lambda: dpsym.audit(with_=(950, 1000), without="20/1000", delta=1e-5),
         ("audit", "--with", "950/1000", "--without", "20/1000", "--at", "delta=1e-5")),
        (lambda: dpsym.audit(guesses=(60, 64), records=100, confidence="9/10"),
         ("audit", "--guesses", "60/64", "--records", "100", "--confidence", "9/10")),
        (lambda: dpsym.compare(sensitivity={"L1": 4, "L2": 2}, to="pure(1)", by="variance", only="laplace"),
         ("compare", "--sensitivity", "L1=4", "--sensitivity", "L2=2", "--to", "pure(1)", "--by", "variance", "--only",
          "laplace")),
        (lambda: dpsym.compare(sensitivity=1, to="pure(1)", only="laplace", map_={"times": [1, 2]}),
         ("compare", "--sensitivity", "1", "--to", "pure(1)", "--only", "laplace", "--map", "times=1,2")),
        pytest.param(lambda: dpsym.compare("mean(x)", "zcdp(1/8)", x="[0,1]^100", adjacent="replace", only="gaussian"),
         ("compare", "--query", "mean(x)", "--let", "x in [0,1]^100", "--adjacent", "replace", "--to", "zcdp(1/8)",
          "--only", "gaussian"), marks=pytest.mark.slow),
        pytest.param(lambda: dpsym.sensitivity("mean(x)", x="[0,1]^n", adjacent="replace"),
         ("sensitivity", "mean(x)", "--let", "x in [0,1]^n", "--adjacent", "replace"), marks=pytest.mark.slow),
        pytest.param(lambda: dpsym.show("zcdp_to_approx"), ("show", "zcdp_to_approx"), marks=pytest.mark.slow),
    ],
    ids=["evaluate", "list", "audit", "audit of one run", "compare", "map", "compare by query", "sensitivity", "show"],
)  # fmt: skip
def test_an_answer_is_the_document_of_its_command(answer, command, capsys):
    found = answer()

    assert (found.to_dict(), found.status) == as_printed(capsys, *command)
    assert "\n" not in repr(found)
    assert found._repr_html_()


def test_a_verdict_is_what_the_command_answers(capsys):
    claim = "gaussian(sigma, Delta) satisfies zcdp(Delta^2/(3*sigma^2))"
    found = dpsym.prove(claim)
    document, status = as_printed(capsys, "prove", claim)

    assert {**found.to_dict(), "seconds": 0} == {**document, "seconds": 0}
    assert (found.verdict, found.status, status) == (Verdict.REFUTED, 1, 1)
    assert "refuted" in found._repr_html_()


def test_a_document_is_checked_as_text_and_as_a_file(tmp_path):
    text = "Let $x > 0$.\n\n$$ 1 + x \\le e^x \\le 1 + 2x $$\n"
    (tmp_path / "paper.md").write_text(text)

    for found in (dpsym.check(text=text), dpsym.check(tmp_path / "paper.md")):
        assert [row["verdict"] for row in found.rows] == ["proved", "fails"]
        assert (found.status, found.verdict) == (3, Verdict.FAILS)
    found = dpsym.check(text=text, let="x > 0")
    assert (found.status, found.verdict) == (1, Verdict.REFUTED)
    with pytest.raises(ReadingError, match="expected a file"):
        dpsym.check()


def test_a_sweep_is_rows_for_a_data_frame():
    found = dpsym.sweep("gaussian(sigma) ** T", {"sigma": [10, "41/2"], "T": "1:100:*10"}, delta=1e-5)

    assert [(row["sigma"], row["T"]) for row in found.rows] == [(s, t) for s in (10, 20.5) for t in (1, 10, 100)]
    for row, exact in zip(found.rows, found.to_dict(), strict=True):
        assert Decimal(row["lower"]) <= Decimal(exact["lower"]) <= Decimal(exact["upper"]) <= Decimal(row["upper"])
        assert Fraction(exact["sigma_decimal"]) == Fraction(exact["sigma"])
        one = dpsym.account(f"gaussian(sigma={exact['sigma']}) ** {exact['T']}", delta="1e-5")
        assert one.value == Enclosure(Decimal(exact["lower"]), Decimal(exact["upper"]))
    assert len(found) == 6


def test_an_audit_rounds_down_and_is_never_an_upper_bound():
    found = dpsym.audit(with_=(950, 1000), without=(20, 1000), delta="1e-5")

    assert (found.safe, found.upper.is_finite()) == ("lower", False)
    assert Fraction(float(found)) <= Fraction(found.lower)
    assert Decimal(f"{found:.3f}") <= found.lower
    assert int(found) == 3


def test_what_is_compared_is_rows_with_each_bound_on_its_side():
    found = dpsym.compare(sensitivity=1, to="pure(1)", only=["laplace", "cauchy"])

    assert [(row["rank"], row["mechanism"]) for row in found.rows] == [(1, "laplace"), (2, "cauchy")]
    for row, one in zip(found.rows, found.candidates, strict=True):
        assert Decimal(row["variance_lower"]) <= one.errors.variance.lower
        assert one.errors.variance.upper <= Decimal(row["variance_upper"])
    assert found.best.mechanism == "laplace"
    assert found.rows[1]["variance_upper"] == float("inf")


def test_a_map_has_no_one_order():
    found = dpsym.compare(sensitivity="s", to="pure(1)", only="laplace", map_={"s": "1,2"})

    assert [(row["s"], row["mechanism"], row["parameters"]) for row in found.rows] == [
        (1.0, "laplace", "b=1"), (2.0, "laplace", "b=2"),
    ]  # fmt: skip
    with pytest.raises(ValueError, match="in each of its cells"):
        _ = found.best


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ask", "command"),
    [
        (lambda out: dpsym.plot("account", "gaussian(sigma) ** T", over={"T": [1, 4], "sigma": "5,10"}, delta=1e-5,
                                dark=True, size=(6, 4), vertical="0:2", output=out),
         ("account", "gaussian(sigma) ** T", "--over", "T=1,4", "--over", "sigma=5,10", "--at", "delta=1e-5", "--dark",
          "--size", "6x4", "--vertical", "0:2")),
        (lambda out: dpsym.plot("trade-off", "laplace(b=1)", mu=1, guarantee="approx(1, 1/20)", output=out),
         ("trade-off", "--mechanism", "laplace(b=1)", "--mu", "1", "--guarantee", "approx(1, 1/20)")),
        (lambda out: dpsym.plot("profile", "laplace(b=1)", range_=(0, "1/2"), output=out),
         ("profile", "laplace(b=1)", "--range", "0:1/2")),
        (lambda out: dpsym.plot("epsilon", at={"delta": 1e-5}, over=(1, 9), log=True, output=out),
         ("epsilon", "--at", "delta=1e-5", "--over", "1:9", "--log")),
        (lambda out: dpsym.plot("winners", "gaussian(sigma) ** k", x="k=1:9", y=("sigma", [5, 50]), cells=2,
                                at={"delta": 1e-5}, output=out),
         ("winners", "--x", "k=1:9", "--y", "sigma=5:50", "--cells", "2", "--at", "delta=1e-5")),
    ],
    ids=["account", "trade-off", "profile", "epsilon", "winners"],
)  # fmt: skip
def test_a_plot_is_the_picture_of_its_command(ask, command, tmp_path, capsys):
    found = ask(tmp_path / "function.svg")
    document, status = as_printed(capsys, "plot", *command, "-o", str(tmp_path / "command.svg"))

    assert {**found.to_dict(), "wrote": document["wrote"]} == document
    assert found.status == status
    assert (tmp_path / "function.svg").read_bytes() == (tmp_path / "command.svg").read_bytes()


def test_a_sweep_is_drawn_with_a_curve_for_each_of_its_other_values(tmp_path):
    over = {"T": [1, 2, 4], "b": [10, 20]}
    found = dpsym.sweep("laplace(b) ** T", over, delta=1e-5)
    (tmp_path / "sweep.json").write_text(json.dumps(found.to_dict()))

    for source in (found, tmp_path / "sweep.json"):
        picture = dpsym.plot("sweep", source, x="T").picture
        assert [c.label for c in picture.curves] == ["b = 10", "b = 20"]
        assert [[x for x, _ in c.points] for c in picture.curves] == [over["T"]] * 2


def test_what_varies_may_be_given_as_any_value():
    asked = dpsym.plot("account", "gaussian(sigma=20) ** T", T=range(1, 4), delta="1e-5")
    over = dpsym.plot("account", "gaussian(sigma=20) ** T", over={"T": "1:3:1"}, at={"delta": "1e-5"})
    assert asked.to_dict() == over.to_dict()
    assert [float(x) for x, _ in asked.picture.curves[0].points] == [1, 2, 3]


def test_a_vertical_axis_is_as_it_is_asked_for():
    wide = {"T": "1:10000:*10"}
    axes = [dpsym.plot("account", "laplace(b=20) ** T", over=wide, epsilon=1, log=log).figure().axes[0]
            for log in (None, False, True)]  # fmt: skip
    assert [one.get_yscale() for one in axes] == ["log", "linear", "log"]


def test_a_title_of_ones_own_is_no_formula(tmp_path):
    plotted = dpsym.plot("profile", "gaussian(sigma=1)", title="A $ and a _", output=tmp_path / "p.svg")
    assert "A $ and a _" in (tmp_path / "p.svg").read_text(encoding="utf-8")
    assert plotted.figure()._suptitle.get_text() == "A $ and a _"


@pytest.mark.slow
def test_a_curve_is_named_in_words_and_by_its_rules():
    plotted = dpsym.plot("epsilon", "gaussian(sigma=200) ** k", over="1:9", delta="1e-5")
    theorems = {row["id"]: row["title"] for row in dpsym.browse("theorems").rows}
    for curve in plotted.to_dict()["curves"]:
        assert curve["label"] == " → ".join(theorems[rule] for rule in curve["rules"] if rule in theorems)
        again = dpsym.plot("epsilon", "gaussian(sigma=200) ** k", over="1:9", delta="1e-5", by=curve["rules"][1])
        assert again.picture.curves
    many = dpsym.plot("epsilon", "exponential(1/10) ** k", over="499:500", delta="1e-5", by="composition_optimal")
    assert many.finished  # a sum of 500 terms


@pytest.mark.slow
def test_a_notebook_shows_formulas():
    account = dpsym.account("gaussian(sigma=2) ** 10", delta="1e-5")
    assert f"<mn>{account.lower}</mn>" in account._repr_html_()
    assert account._repr_latex_().startswith(f"${account.lower}")
    for name in [*dpsym.browse("definitions"), *dpsym.browse("mechanisms")]:
        shown = dpsym.show(name)
        assert "<math" in shown._repr_html_() or not shown.entry.domain


@pytest.mark.parametrize("word", ["discharged", "Trade-off function", "trade_off function", "f-DP", "privacy losses"])
def test_a_word_of_the_glossary_is_shown(word, capsys):
    assert run(["show", word, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == dpsym.show(word).to_dict()
    assert str(dpsym.show(word)) == f"{found['term']}: {found['means']}"
    assert "**" not in found["means"]
    assert "<!--" not in found["means"]


@pytest.mark.slow
def test_a_plot_shows_itself_and_is_written(tmp_path):
    found = dpsym.plot("trade-off", mu=["1/2", 1], guarantee="approx(1, 1/20)", output=tmp_path / "curves.svg")

    assert (tmp_path / "curves.svg").read_text().startswith("<?xml")
    assert "data:image/svg+xml" in found._repr_html_()
    assert found.to_dict()["finished"]


# --- what is refused
@pytest.mark.parametrize(
    ("ask", "error", "said"),
    [
        (lambda: dpsym.gaussian(-1), StatementError, "sigma = -1"),
        (lambda: dpsym.gaussian("2 +"), StatementError, "sigma: expected"),
        (lambda: dpsym.sweep("laplace(b)", {"b": [1]}, delta=0, output="b.png"), ReadingError, "in .csv or .json"),
        (lambda: dpsym.account("laplace(b=1)", delta=0, sampling="shuffle"), ReadingError, "are not independent"),
        (lambda: dpsym.account("gaussian(sigma=1)", delta=1e-5, digit=5), ReadingError, "option 'digits'"),
        (lambda: dpsym.account("gaussian(sigma=1)", delta=float("nan")), ReadingError, "finite"),
        (lambda: dpsym.account("gaussian(sigma=1)", delta=True), ReadingError, "not exact"),
        (lambda: dpsym.account("gaussian(sigma=1)", at={"delta": 1e-5}, delta=1e-6), ReadingError, "already"),
        (lambda: dpsym.account("gaussian(sigma)", delta=1e-5), ReadingError, "no value for sigma"),
        (lambda: dpsym.account("zcdp(1)", delta=1e-5), ReadingError, "guarantee"),
        (lambda: dpsym.account("subsampled(laplace(b=1), q=2)", delta=1e-5), ReadingError, "q <= 1"),
        (lambda: dpsym.account("laplace(b=1)", delta=0, sampling="fixed"), ReadingError, "fixed-size"),
        (lambda: dpsym.derive("gaussian(sigma)", to="zcdp", simga=3), UnknownName, "'sigma'"),
        (lambda: dpsym.evaluate("__import__('os').system('true')"), ReadingError, "unexpected"),
        (lambda: dpsym.evaluate("x", x="__import__('os')"), ReadingError, "unexpected"),
        (lambda: dpsym.show("gausian"), UnknownEntry, "'gaussian'"),
        (lambda: dpsym.audit(with_=(950, 1000)), ReadingError, "without, of many runs"),
        (lambda: dpsym.audit(guesses="six/7"), ReadingError, "950/1000"),
        (lambda: dpsym.audit(guesses=(-1, 7)), ReadingError, "-1"),
        (lambda: dpsym.audit(guesses=(8, 7)), NotAnAudit, "8 correct guesses of 7"),
        (lambda: dpsym.audit(guesses=(6, 7), dleta=1e-5), UnknownName, "'delta'"),
        (lambda: dpsym.compare(to="pure(1)"), NotAnswered, "a query or by a sensitivity"),
        (lambda: dpsym.compare(sensitivity=1, to="pure"), NotAnswered, "leaves a parameter open"),
        (lambda: dpsym.compare(sensitivity=1, to="pure(1)", by="varianze"), ReadingError, "'variance'"),
        (lambda: dpsym.compare(sensitivity=1, to="pure(1)", tail=2), NotAnswered, "not at 2"),
        (lambda: dpsym.compare(sensitivity=1, to="pure(1)", map_={n: [1] for n in "abc"}), ReadingError, "two axes"),
        (lambda: dpsym.plot("profil", "laplace(b=1)"), ReadingError, "'profile'"),
        (lambda: dpsym.plot("profile", "laplace(b)"), ReadingError, "with numbers"),
        (lambda: dpsym.plot("profile", "laplace(b=1)", size="0x4"), NoPlot, "inches"),
        (lambda: dpsym.plot("profile", "laplace(b=1)", range_=(3, 2)), ReadingError, "does not go up"),
        (lambda: dpsym.plot("account", "laplace(b=1)", delta=0), ReadingError, "nothing varies"),
        (lambda: dpsym.plot("epsilon", over="1:x", delta=0), ReadingError, "over = x"),
        (lambda: dpsym.sweep("gaussian(sigma)", {"sigma": "2:1:1"}, delta=1e-5), ReadingError, "go up"),
    ],
)  # fmt: skip
def test_what_is_no_question_is_refused_with_the_reason(ask, error, said):
    with pytest.raises(error, match=said):
        ask()


# --- names
def test_dir_has_the_commands_the_mechanisms_and_the_notions():
    there = dir(dpsym)

    assert {"derive", "account", "calibrate", "sweep", "prove", "check", "evaluate", "enclose", "sensitivity", "noise",
            "plot", "show", "browse", "compare", "audit", "Filter", "Odometer", "gaussian", "zcdp",
            } <= set(there)  # fmt: skip
    assert all(hasattr(dpsym, name) for name in there)


def test_importing_loads_nothing_heavy():
    program = "import sys, dpsym; print(*{'sympy', 'flint', 'click', 'rich', 'matplotlib'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603

    assert not done.stdout.split()


@pytest.mark.cases(3)
@pytest.mark.parametrize(
    "module",
    [
        "evaluating",
        "browsing",
        "auditing",
        "comparing",
        "sensitivities",
        "accounting",
        "deriving",
        "proving",
        "checking",
        "sweeping",
        "programs",
    ],
)
def test_the_examples_of_the_functions_run(module):
    found = doctest.testmod(import_module(f"dpsym.api.{module}"))

    assert found.attempted > 0
    assert found.failed == 0


PROJECT = """
import dpsym

eps = dpsym.account("gaussian(sigma=1) ** 10", delta="1e-5")
number: float = float(eps)
text: str = f"{eps:.3f}"
rows = dpsym.sweep("gaussian(sigma)", {"sigma": [1, 2.5]}, delta=1e-5).rows
first: float = rows[0]["upper"]
rules: tuple[str, ...] = dpsym.derive(dpsym.gaussian(sigma=1) ** 10, to="approx", delta=1e-5).rules
verdict: dpsym.Verdict = dpsym.prove("exp(x) >= 1 + x", let="x: real").verdict
bounds: dpsym.Enclosure = dpsym.evaluate("sqrt(2)").value
names: list[str] = dpsym.browse("mechanisms").names
enough = dpsym.calibrate("gaussian(sigma)", for_="sigma", epsilon=1, delta=1e-5).upper
moved = dpsym.sensitivity("mean(x)", x="[0,1]^n", adjacent="replace").value
shown: float = float(dpsym.audit(with_=(950, 1000), without=(20, 1000), delta=1e-5))
spread: float = dpsym.compare(sensitivity=1, to="pure(1)", only="laplace").rows[0]["variance_upper"]
"""


@pytest.mark.slow
@pytest.mark.needs("mypy")
def test_a_users_project_passes_a_strict_type_checker(tmp_path):
    (tmp_path / "project.py").write_text(PROJECT)
    (tmp_path / "wrong.py").write_text("import dpsym\n\nx: int = dpsym.account('gaussian(sigma=1)', delta=1).name\n")

    def checked(name):
        command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), name]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)  # noqa: S603

    assert "Success" in (found := checked("project.py")).stdout, found.stdout
    assert "incompatible type" in checked("wrong.py").stdout or "Incompatible types" in checked("wrong.py").stdout


def test_a_sample_may_be_made_of_text_and_a_float():
    of = dpsym.subsampled("gaussian(sigma=1)", q=0.01)
    assert of == dpsym.subsampled(dpsym.gaussian(sigma=1), q=Fraction(1, 100))
    assert of.rate == sp.Rational(1, 100)
    for wrong, said in (
        ("subsampled(gaussian(sigma=1), q=1/2)", "multiply the two rates"),
        (["gaussian(sigma=1)", "laplace(b=1)"], r"A \* B"),
        ("zcdp(1)", r"any\(zcdp\(1\)\)"),
    ):
        with pytest.raises(ValueError, match=said):
            dpsym.subsampled(wrong, q=1)
    with pytest.raises(NotAccountable, match=r"write gaussian\(sigma=…\)"):
        subsampled(dpsym.gaussian, 1)


def test_a_number_that_stands_alone_is_not_rounded():
    found = dpsym.calibrate("discrete_gaussian(sigma=x) ** 10", for_="x", epsilon=1, delta="1e-5", digits=5)

    assert Decimal(repr(float(found))) == found.upper
    assert found._repr_latex_() == f"$x = {found.upper}$"
    assert Decimal(f"{found:.12f}") == found.upper
    for rounded in (int, "{:.1f}".format):
        with pytest.raises(ValueError, match="nothing is known of other values"):
            rounded(found)


@pytest.mark.parametrize("added", [lambda a, b: a + b, lambda a, b: sum([a, b]), lambda a, b: a**2 + b])
def test_a_sum_of_mechanisms_says_how_they_are_written(added):
    with pytest.raises(TypeError, match=r"A \* B"):
        added(dpsym.gaussian(sigma=1), dpsym.laplace(b=1))
