"""Which noise: errors as integration has them, parameters that are enough, an order that is certain."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from fractions import Fraction
from importlib import import_module
from itertools import product

import mpmath
import pytest
import sympy as sp
from click.testing import CliRunner

import dpsym
from dpsym import catalogue
from dpsym.accounting.calibration.boundary import Trial
from dpsym.choosing import NotAnswered, Ranking, asked, errors, ranking, regions
from dpsym.choosing.calibrated import TIME, Wanted
from dpsym.choosing.errors import NoErrors, size_of_error
from dpsym.choosing.question import Question, guarantee, of_numbers
from dpsym.choosing.shown import better_by_at_most
from dpsym.cli import run
from dpsym.cli.commands import dpsym as command
from dpsym.core.clocks import Kind, clock
from dpsym.core.deadline import OutOfTime, leave_out
from dpsym.core.distributions import Density, Pmf
from dpsym.core.notation import n, y
from dpsym.core.relations import exact, substitute
from dpsym.core.verdicts import Enclosure
from dpsym.numbers import enclose
from dpsym.rendering.choices import Compared
from dpsym.statements import Mechanism, StatementError

TWENTIETH = Fraction(1, 20)
HALF = sp.Rational(1, 2)


def compare(query: str | None = None, to: str = "", *, at: object = None, **said: object) -> Ranking:
    """The ranking for what is asked in words."""
    values = {symbol: exact(value) for symbol, value in dict(at or {}).items()}
    how = {name: said.pop(name) for name in ("measure", "beta", "also", "only", "time_limit") if name in said}
    return ranking(asked(query, to, at=values, **said).at(values), **how)


def close(found: Enclosure, exact: mpmath.mpf | float) -> bool:
    number = Decimal(mpmath.nstr(mpmath.mpf(exact), 25))
    slack = abs(number) * Decimal("1e-8")
    return found.lower - slack <= number <= found.upper + slack and found.width <= 2 * slack


@pytest.mark.parametrize(
    ("density", "absolute", "variance", "tail"),
    [
        (sp.exp(-sp.Abs(y)) / 2, 1, 2, mpmath.log(20)),
        (sp.exp(-(y**2) / 2) / sp.sqrt(2 * sp.pi), mpmath.sqrt(2 / mpmath.pi), 1, mpmath.mpf("1.9599639845400542355")),
        (sp.exp(-y) / (1 + sp.exp(-y)) ** 2, 2 * mpmath.log(2), mpmath.pi**2 / 3, mpmath.log(39)),
    ],
    ids=["laplace", "normal", "logistic"],
)
def test_errors_of_a_density_are_those_of_the_textbook(
    density: sp.Expr, absolute: float, variance: float, tail: float
) -> None:
    found = errors(Density(y, density), TWENTIETH)

    assert (close(found.absolute, absolute), close(found.variance, variance), close(found.tail, tail)) == (True,) * 3
    assert found.centre == 0


def test_a_moment_that_does_not_exist_is_infinite() -> None:
    found = errors(Density(y, 1 / (sp.pi * (1 + y**2))), TWENTIETH)

    assert found.absolute.lower == found.variance.lower == Decimal("Infinity")
    assert close(found.tail, mpmath.tan(mpmath.pi * (1 - mpmath.mpf(1) / 20) / 2))


def test_masses_are_measured_from_their_middle() -> None:
    """Of five coins, less 5/2: variance 5/4, and all but 1/16 of the mass within 3/2."""
    found = errors(Pmf(n, sp.binomial(5, n) / 32, sp.S.Zero, sp.Integer(5)), Fraction(1, 10))

    assert found.centre == Fraction(5, 2)
    assert close(found.variance, 1.25)
    assert found.tail == Enclosure(Decimal("1.5"), Decimal("1.5"))


def test_a_tail_probability_of_0_is_refused() -> None:
    with pytest.raises(NoErrors, match="between 0 and 1"):
        errors(Density(y, sp.exp(-sp.Abs(y)) / 2), Fraction(0))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tulap", "staircase"])
def test_noise_that_its_outputs_are_a_statistic_of_has_their_chances(name: str) -> None:
    """The largest loss is as likely as the first of the finitely many outcomes: where p = e^epsilon q, by cells."""
    mechanism = catalogue.mechanisms()[name]
    at = {
        p: {"epsilon": sp.Integer(1), "w": sp.Rational(1, 4), "Delta": sp.Integer(1)}[str(p)] for p in mechanism.params
    }
    noise = mechanism.noise_added
    assert noise is not None
    f = sp.lambdify(noise.variable, substitute(noise.expression, at), "mpmath")

    step = mpmath.mpf(1) / 64  # corners are multiples of 1/4
    places = [(i + mpmath.mpf(1) / 2) * step for i in range(-64 * 40, 64 * 40)]
    likely = sum(f(y - 1) * step for y in places if f(y - 1) > f(y) * mpmath.exp("0.5"))

    assert mechanism.outputs is not None
    assert abs(likely - mpmath.mpf(str(sp.N(substitute(mechanism.outputs[0].probabilities[0], at), 20)))) < 1e-12


@pytest.mark.parametrize(
    "to", ["zcdp(1/2)", *(pytest.param(g, marks=pytest.mark.slow) for g in ("pure(1)", "approx(1, 1e-6)"))]
)
def test_what_is_calibrated_satisfies_the_guarantee_and_little_less_does_not(to: str) -> None:
    found = compare(to=to, sensitivity=1, integers=True, only=["laplace", "geometric", "cauchy"])
    asked = guarantee(to)

    for c in found.candidates:
        (claim,) = (k for k in c.use.mechanism.claims if k.guarantee.definition is asked.definition)
        budget = claim.guarantee.args[-1].subs(dict(zip(claim.guarantee.args[:-1], asked.args[:-1], strict=True)))
        most = enclose(asked.args[-1], digits=15)
        assert enclose(substitute(budget, c.use.args), digits=15).lower <= most.upper
        (scale,) = (p for p in c.use.args if str(p) == "b")
        less = {**c.use.args, scale: c.use.args[scale] * sp.Rational(999999, 1000000)}
        assert enclose(substitute(budget, less), digits=15).lower > most.upper


def test_the_order_is_that_of_the_enclosures() -> None:
    found = compare(to="pure(1)", sensitivity=1, integers=True, only=["laplace", "geometric", "cauchy", "gaussian"])

    assert [c.mechanism for c in found.candidates] == ["geometric", "laplace", "cauchy"]
    first, second = (c.errors.absolute for c in found.candidates[:2])
    assert first.upper < second.lower
    assert found.told_apart
    assert [one.mechanism for one in found.left_out] == ["gaussian"]
    assert "no finite pure DP budget" in found.left_out[0].why


def test_two_that_are_not_told_apart_share_a_rank() -> None:
    found = compare(to="zcdp(1/2)", sensitivity=1, measure="absolute", only=["gaussian", "cauchy", "gumbel"])

    assert [c.rank for c in found.candidates] == [1, 2]
    twice = compare(to="pure(1)", sensitivity=1, measure="variance", only=["cauchy", "laplace"])
    assert [c.rank for c in twice.candidates] == [1, 2]


def test_several_numbers_need_the_norm_of_each_mechanism() -> None:
    found = compare(to="zcdp(1/2)", sensitivity={"L1": 9, "L2": 3}, only=["laplace", "gaussian", "logistic"])

    assert [c.mechanism for c in found.candidates] == ["gaussian", "laplace"]
    assert str(found.candidates[0].use.args[sp.Symbol("Delta")]) == "3"
    assert "proved for one number" in found.left_out[0].why


def test_budgets_of_several_answers_add_up() -> None:
    one, four = (compare(to="zcdp(1/2)", sensitivity=1, times=t, only=["gaussian"]) for t in (1, 4))

    assert close(four.candidates[0].errors.absolute, float(2 * one.candidates[0].errors.absolute.upper))


def test_a_notion_without_a_law_of_composition_is_asked_of_one_answer() -> None:
    kw: dict[str, object] = {"to": "bounded_range(1)", "sensitivity": 1, "only": ["laplace"]}
    (once,) = compare(**kw).candidates  # type: ignore[arg-type]
    assert once.parameters == {"b": 2}  # epsilon-DP has a bounded range of 2 epsilon
    several = compare(**kw, times=3)  # type: ignore[arg-type]
    assert not several.candidates
    assert "no law of composition" in several.left_out[0].why


@pytest.mark.slow
def test_several_answers_are_accounted_for() -> None:
    """A hundred Laplace answers at delta = 1e-6: advanced composition has sqrt(200 log(10^6)) = 52.6 and a little."""
    one, many = (compare(to="approx(1, 1e-6)", sensitivity=1, times=t, only=["laplace"]) for t in (1, 100))

    ratio = many.candidates[0].errors.absolute.upper / one.candidates[0].errors.absolute.upper
    assert 30 < ratio < 60


def test_another_one_is_first_from_some_dimension_on() -> None:
    """One record moves d counts: L1 sensitivity d, L2 sensitivity sqrt(d)."""
    d = sp.Symbol("d")
    question = of_numbers({"L1": d, "L2": sp.sqrt(d)}, guarantee("zcdp(1/8)"))
    found = regions(question, [(d, [1, 4, 100])], only=["laplace", "gaussian"], measure="variance")

    assert found.winners[0][-1] == ("gaussian",)
    assert found.finished


@pytest.mark.parametrize(
    ("kw", "said"),
    [
        ({"to": "approx"}, "leaves a parameter open"),
        ({"to": "pure(1)"}, "one of them"),
        ({"to": "pure(1)", "sensitivity": 0}, "positive"),
        ({"to": "pure(epsilon)", "sensitivity": 1}, "epsilon has no value"),
        ({"to": "pure(1)", "sensitivity": {"L3": 1}}, "a norm is"),
        ({"to": "pure(1)", "sensitivity": 1, "times": HALF}, "positive integer"),
        ({"to": "pure(1)", "sensitivity": 1, "measure": "size"}, "ranked by"),
    ],
)
def test_what_cannot_be_asked_is_refused(kw: dict[str, object], said: str) -> None:
    with pytest.raises(StatementError, match=said):
        compare(**kw)  # type: ignore[arg-type]


def test_a_delta_of_0_is_pure() -> None:
    assert guarantee("approx(2, 0)") == guarantee("pure(2)")


@pytest.mark.slow
def test_a_query_brings_its_sensitivity() -> None:
    found = compare("mean(x)", to="pure(1)", let=["x in [0,1]^100"], adjacent="replace", only=["laplace", "geometric"])

    assert close(found.candidates[0].errors.absolute, mpmath.mpf(1) / 100)
    assert "adds integers" in found.left_out[0].why


@pytest.mark.slow
def test_the_command_writes_a_table_and_a_picture(tmp_path: object) -> None:
    invoke = CliRunner().invoke
    path = f"{tmp_path}/noise.svg"
    asked = ["compare", "--sensitivity", "1", "--to", "pure(1)", "--only", "laplace", "--only", "gaussian"]

    text = invoke(command, [*asked, "-o", path])
    assert text.exit_code == 0, text.output
    assert "laplace(b=1)" in text.output
    assert "gaussian: has no finite pure DP budget" in text.output
    with open(path, encoding="utf-8") as file:  # noqa: PTH123
        assert "mean absolute error" in file.read()
    refused = invoke(command, ["compare", "--sensitivity", "1", "--to", "approx"])
    assert refused.exit_code == 2
    assert "leaves a parameter open" in refused.output


def test_a_question_says_what_is_missing() -> None:
    question = of_numbers(sp.Symbol("s"), guarantee("pure(1)"))
    assert isinstance(question, Question)
    with pytest.raises(NotAnswered, match="s=…"):
        question.settled()


def test_a_search_that_its_time_stopped_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["compare", "--sensitivity", "1", "--to", "approx(1, 1e-6)", "--times", "3", "--only", "laplace"]
    assert run([*asked, "--time-limit", "1e-9"]) == 3
    assert "laplace: was not calibrated in the time there was" in capsys.readouterr().out


def stopped_after(trials: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """No account is begun after so many, as if the time were over."""
    real, begun = Trial.gap, Counter[Kind]()  # in each of the two runs that a question has

    def gap(self: Trial, value: Fraction | None) -> tuple[bool | None, float]:
        begun[clock().kind] += 1
        if begun[clock().kind] > trials:
            leave_out()
            raise OutOfTime
        return real(self, value)

    monkeypatch.setattr(Trial, "gap", gap)


@pytest.mark.parametrize("trials", [3, 5])
def test_what_a_stopped_search_leaves_is_enough_and_is_called_coarse(
    trials: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {"to": "approx(1, 1e-6)", "sensitivity": 1, "times": 3, "only": ["laplace"]}
    least = compare(**asked, time_limit=None)  # type: ignore[arg-type]
    stopped_after(trials, monkeypatch)
    coarse = compare(**asked, time_limit=None)  # type: ignore[arg-type]

    assert least.finished
    assert not least.candidates[0].coarse
    assert not coarse.finished
    if coarse.candidates:
        assert coarse.candidates[0].parameters["b"] >= least.candidates[0].parameters["b"]
        assert Compared(coarse).to_dict()["ranking"][0]["coarse"] == TIME
        assert f"coarse, less noise may be enough: {TIME}" in str(Compared(coarse))
    else:
        assert "in the time there was" in coarse.left_out[0].why
    assert bool(coarse.candidates) is (trials == 5)


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("to", "measure"),
    [
        pytest.param("approx(1, 1/500)", "variance", marks=pytest.mark.slow),
        ("pure(1)", "absolute"), ("approx(1/10, 1/20)", "variance"),
        ("approx(1/3, 1/500)", "absolute"), ("approx(2, 1e-6)", "variance"), ("approx(1, 1/500)", "tail"),
    ],
)  # fmt: skip
def test_nothing_that_is_proved_to_be_allowed_beats_the_first_place(to: str, measure: str) -> None:
    found = compare(to=to, sensitivity=1, only=["truncated_laplace", "staircase", "laplace"], measure=measure)
    first = found.best
    assert first is not None and first.at_most is not None and first.at_most <= Fraction(1, 100)
    least = float(getattr(first.errors, measure).upper) * (1 - float(first.at_most))

    beaten, allowed = [], 0
    for c in found.candidates:
        values = [[sp.Rational(v) * f for f in NEAR] for v in c.parameters.values()]
        for at in product(*values):
            use = c.use.mechanism(**dict(zip(c.parameters, at, strict=True)), Delta=1)
            if size_of_error(use, measure, TWENTIETH) < least:
                beaten.append(use)
            allowed += 1
    assert allowed > 0
    assert not [use for use in beaten if dpsym.prove(f"{use} satisfies {to}").verdict in ("proved", "certified")]


NEAR = tuple(sp.Rational(n, 100) for n in (97, 99, 101))


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("mechanism", "measure"),
    [
        ("truncated_laplace", "variance"),
        ("staircase", "variance"),
        ("truncated_laplace", "tail"),
        ("gumbel", "absolute"),
    ],
)
def test_of_an_error_that_is_five_percent_too_large_no_less_is_shown(mechanism: str, measure: str) -> None:
    to = guarantee("approx(1, 1/500)")
    best = compare(to=to, sensitivity=1, only=[mechanism], measure=measure).best
    assert best is not None
    error = Fraction(getattr(best.errors, measure).upper)
    wanted = Wanted(to, sp.Integer(1), 1)

    assert better_by_at_most(best.use, wanted, measure, TWENTIETH, error) == best.at_most == Fraction(1, 1000)
    assert better_by_at_most(best.use, wanted, measure, TWENTIETH, error * Fraction(21, 20)) == Fraction(1, 10)


def test_where_no_error_is_enclosed_over_parameters_nothing_is_claimed_of_others() -> None:
    found = compare(to="approx(1, 1/500)", sensitivity=1, only=["generalised_gaussian"])

    assert found.best is not None and found.best.at_most is None
    assert "another may be better" in str(Compared(found))
    assert "the best b and beta that were found" in str(Compared(found))


def test_a_time_limit_that_is_not_reached_changes_nothing() -> None:
    asked = {"to": "approx(1, 1e-6)", "sensitivity": 1, "times": 3, "only": ["laplace", "gaussian"]}
    one, other = (compare(**asked, time_limit=seconds).candidates for seconds in (None, 10_000.0))  # type: ignore[arg-type]
    assert [c.use for c in one] == [c.use for c in other]


@pytest.mark.slow
def test_a_shape_outside_its_domain_is_not_tried() -> None:
    found = compare(to="approx(1, 1e-6)", sensitivity=1, times=2, only=["generalised_gaussian", "laplace"])
    assert {c.mechanism for c in found.candidates} | {one.mechanism for one in found.left_out} == {
        "generalised_gaussian", "laplace"
    }  # fmt: skip
    assert "laplace" in {c.mechanism for c in found.candidates}


def test_what_one_mechanism_cannot_do_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    place = import_module("dpsym.choosing.ranking")
    real = place._candidate

    def failing(mechanism: Mechanism, *more: object) -> object:
        if mechanism.id == "tulap":
            raise StatementError("tulap: it fails")
        return real(mechanism, *more)

    monkeypatch.setattr(place, "_candidate", failing)
    found = compare(to="pure(1)", sensitivity=1, only=["laplace", "tulap"])
    assert [c.mechanism for c in found.candidates] == ["laplace"]
    assert [(one.mechanism, "it fails" in one.why) for one in found.left_out] == [("tulap", True)]
