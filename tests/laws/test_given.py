"""Whatever a number is given as, text or a number of any library, the answer is the same; of every public function."""

import subprocess
import sys
from decimal import Decimal
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy as sp

import dpsym
from dpsym.language import ReadingError, read_source
from dpsym.language.sources import COMBINATORS
from dpsym.statements import StatementError, trials

HALF = (Fraction(1, 2), "1/2", "0.5", 0.5, Decimal("0.5"), np.float64(0.5), np.float32(0.5), sp.Rational(1, 2),
        sp.Float("0.5"), mpmath.mpf("0.5"))  # fmt: skip
TWO = (2, "2", 2.0, Fraction(2), Decimal(2), np.int64(2), np.uint8(2), np.float16(2), sp.Integer(2), sp.Float(2))
SAMPLED = "gaussian(sigma=1)"
NOISE = {"sensitivity": 1, "to": "pure(1)", "only": "laplace"}
ATTACK = {"with_": (950, 1000), "without": (20, 1000)}
PROGRAM = "x in [0,1]^n, replace\ns = laplace(b=c) on sum(x)"
UNIT = {"x": "[0,1]^n", "adjacent": "replace"}
CALLS = {
    "account": [(HALF, lambda n: dpsym.account("gaussian(sigma)", sigma=n, delta=1e-5).value),
                (HALF, lambda n: dpsym.account("gaussian(sigma=2)", at={"delta": n}).value),
                (TWO, lambda n: dpsym.account("gaussian(sigma=2)", delta=1e-5, digits=n).value)],
    "any": [(HALF, lambda n: dpsym.any(dpsym.pure(n)))],
    "audit": [(HALF, lambda n: dpsym.audit(**ATTACK, confidence=n).found),
              (HALF, lambda n: dpsym.audit(**ATTACK, delta=n).found),
              (TWO, lambda n: dpsym.audit(with_=(950, 1000), without=(n, 1000)).found),
              (TWO, lambda n: dpsym.audit(guesses="2/2", records=n).found)],
    "best_of": [(HALF, lambda n: dpsym.best_of(SAMPLED, trials("geometric", n)))],
    "calibrate": [(HALF, lambda n: dpsym.calibrate("gaussian(sigma)", epsilon=n, delta=1e-5).value)],
    "compare": [(TWO, lambda n: dpsym.compare(**NOISE | {"sensitivity": n}).to_dict()),
                (TWO, lambda n: dpsym.compare(**NOISE, times=n).to_dict()),
                (HALF, lambda n: dpsym.compare(**NOISE, by="tail", tail=n).to_dict())],
    "compose": [(HALF, lambda n: dpsym.compose(SAMPLED, dpsym.laplace(b=n)))],
    "derive": [(HALF, lambda n: dpsym.derive("gaussian(sigma)", "zcdp", sigma=n).to_dict()),
               (TWO, lambda n: dpsym.derive("gaussian(sigma=1)", "zcdp", group=n).to_dict())],
    "enclose": [(HALF, lambda n: dpsym.enclose("x^2", x=n)), (HALF, dpsym.enclose),
                (TWO, lambda n: dpsym.enclose("sqrt(2)", digits=n))],
    "evaluate": [(HALF, lambda n: dpsym.evaluate("x^2", x=n).bounds), (HALF, lambda n: dpsym.evaluate(n).bounds)],
    "Filter": [(HALF, lambda n: str(dpsym.Filter(dpsym.zcdp(n)))),
               (HALF, lambda n: str(dpsym.Filter("approx(1, 1/2)").price("gaussian(sigma=9)", delta=n)))],
    "matrix_mechanism": [(HALF, lambda n: dpsym.matrix_mechanism([[n, 0], [n, n]], sigma=n, Delta=n))],
    "noise": [(HALF, lambda n: dpsym.noise(density="exp(-abs(x))/2", shift=n).outputs[1])],
    "Odometer": [(HALF, lambda n: str(dpsym.Odometer(n, n)))],
    "parallel": [(HALF, lambda n: dpsym.parallel(dpsym.gaussian(n)))],
    "plot": [(TWO[:4], lambda n: len(dpsym.plot("trade-off", "laplace(b=1)", mu=n).picture.curves))],
    "post_processed": [(HALF, lambda n: dpsym.post_processed(dpsym.gaussian(n)))],
    "program": [(HALF, lambda n: str(dpsym.program(PROGRAM, "pure", c=n)))],
    "sensitivity": [(TWO, lambda n: dpsym.sensitivity("sum(x)", **UNIT, records=n).value),
                    (HALF, lambda n: dpsym.sensitivity("sum(x)", **UNIT, within=n).value)],
    "shuffled": [(TWO, lambda n: dpsym.shuffled(SAMPLED, n))],
    "subsampled": [(HALF, lambda n: dpsym.subsampled(SAMPLED, n)), (HALF, lambda n: dpsym.subsampled(SAMPLED, q=n))],
    "sweep": [(HALF, lambda n: [row["upper"] for row in dpsym.sweep("gaussian(s)", {"s": [n]}, delta=1e-5).rows])],
}  # fmt: skip
NO_NUMBERS = {"browse", "check", "decide", "prove", "query", "read", "show", "verify"}  # they take text, and relations
HOLD_ANSWERS = {"Decision", "Enclosure", "ForAll", "IsInteger", "Relation", "Verdict", "__version__"}


def test_every_function_is_here():
    assert {*CALLS, *NO_NUMBERS, *HOLD_ANSWERS} == {*dpsym.__all__, "any"}


@pytest.mark.cases(8)
@pytest.mark.parametrize(
    ("numbers", "ask"), [call for calls in CALLS.values() for call in calls],
    ids=[name for name, calls in CALLS.items() for _ in calls],
)  # fmt: skip
def test_every_kind_of_number_has_the_same_answer(numbers, ask):
    first = ask(numbers[0])

    for number in numbers[1:]:
        assert ask(number) == first, type(number)


@pytest.mark.parametrize("number", HALF)
def test_mechanisms_and_notions_take_every_kind_of_number(number):
    assert dpsym.gaussian(number, Delta=number) == dpsym.gaussian(Fraction(1, 2), Fraction(1, 2))
    assert dpsym.approx(1, number) == dpsym.approx(1, Fraction(1, 2))


@pytest.mark.parametrize("count", TWO)
def test_a_power_takes_every_kind_of_number(count):
    assert dpsym.gaussian(1) ** count == dpsym.gaussian(1) ** 2


def test_text_is_read_wherever_a_mechanism_or_a_guarantee_goes():
    assert dpsym.gaussian(sigma="sigma", Delta="sqrt(3)") == dpsym.gaussian(sp.Symbol("sigma"), sp.sqrt(3))
    assert dpsym.gaussian(1) * "laplace(b=2)" == "gaussian(sigma=1)" * dpsym.laplace(b=2)
    assert str(dpsym.Filter("approx(1, 1e-6)")) == str(dpsym.Filter(dpsym.approx(1, 1e-6)))
    assert dpsym.Odometer("1e-6").spend("gaussian(sigma=9)").costs == dpsym.zcdp("1/162")
    assert dpsym.decide("x >= 0", "x > 1").verdict is dpsym.Verdict.PROVED


def test_text_that_is_decided_keeps_what_it_needs():
    assert dpsym.decide("x/x = 1").verdict is dpsym.Verdict.REFUTED


@pytest.mark.parametrize(
    "wrong", [True, np.True_, 1j, None, [1], float("nan"), np.inf, "__import__('os')", "1 +", "oo"]
)
def test_what_is_no_number_is_refused(wrong):
    for ask in (lambda: dpsym.gaussian(wrong), lambda: dpsym.account(SAMPLED, delta=wrong),
                lambda: dpsym.subsampled(SAMPLED, wrong)):  # fmt: skip
        with pytest.raises((TypeError, ValueError)):
            ask()


def test_an_expression_with_a_float_inside_is_refused():
    with pytest.raises(TypeError, match="binary float"):
        dpsym.gaussian(sp.Symbol("x") + 0.5)


def test_no_library_is_loaded_for_its_numbers():
    program = "import sys, dpsym; dpsym.gaussian(0.5); dpsym.account('gaussian(sigma=2)', delta=0.5);"
    program += "print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603

    assert done.stdout.strip() == "False"


# --- combinators
WRITTEN = {
    "any": ("any(zcdp(1/2))", lambda: (dpsym.any("zcdp(1/2)"), dpsym.any(guarantee=dpsym.zcdp(0.5)))),
    "best_of": ("best_of(gaussian(sigma=1), geometric(1/10))",
                lambda: (dpsym.best_of(SAMPLED, "geometric(1/10)"), dpsym.best_of(SAMPLED, runs="geometric(0.1)"))),
    "compose": ("compose(gaussian(sigma=1), laplace(b=2) ** 3)",
                lambda: (dpsym.compose(SAMPLED, "laplace(b=2) ** 3"), dpsym.compose([SAMPLED, dpsym.laplace(2) ** 3]))),
    "parallel": ("parallel(gaussian(sigma=1))", lambda: (dpsym.parallel(SAMPLED),)),
    "post_processed": ("post_processed(gaussian(sigma=1))", lambda: (dpsym.post_processed(dpsym.gaussian(1)),)),
    "shuffled": ("shuffled(gaussian(sigma=1), n=10)",
                 lambda: (dpsym.shuffled(SAMPLED, 10), dpsym.shuffled(dpsym.gaussian(1), n="10"))),
    "subsampled": ("subsampled(gaussian(sigma=1), q=1/100)",
                   lambda: (dpsym.subsampled(SAMPLED, 0.01), dpsym.subsampled(dpsym.gaussian(1), q="1/100"))),
}  # fmt: skip


def test_every_combinator_is_a_function():
    assert set(WRITTEN) == set(COMBINATORS) <= set(dir(dpsym))
    assert {*COMBINATORS} - {*dpsym.__all__} == {"any"}


@pytest.mark.parametrize("name", COMBINATORS)
def test_a_combinator_makes_what_its_text_says(name):
    text, ask = WRITTEN[name]

    assert {str(made) for made in ask()} == {str(read_source(text))}
    assert COMBINATORS[name].form in getattr(dpsym, name).__doc__


def test_a_composition_is_a_product():
    assert dpsym.compose(SAMPLED, "laplace(b=2)") == dpsym.gaussian(1) * dpsym.laplace(2)
    assert read_source("compose(gaussian(sigma=1), laplace(b=2))") == read_source("gaussian(sigma=1) * laplace(b=2)")


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: dpsym.subsampled(SAMPLED), r"subsampled\(MECHANISM, q=RATE\)"),
        (lambda: dpsym.subsampled(SAMPLED, rate=0.1), "argument: 'q'"),
        (lambda: dpsym.subsampled(SAMPLED, 0.1, q=0.2), "q"),
        (lambda: read_source("subsampled(gaussian(sigma=1), q=1/2, q=1/3)"), "q is given twice"),
        (lambda: dpsym.subsampled(SAMPLED, q=1.5), "q <= 1"),
        (dpsym.compose, "compose"),
        (lambda: dpsym.any("gaussian(sigma=1)"), "no guarantee"),
        (lambda: dpsym.any(dpsym.pure(-1)), "-1 >= 0"),
        (lambda: dpsym.best_of(SAMPLED, 3), r"geometric\(1/10\)"),
        (lambda: dpsym.parallel("randomized_response(epsilon=1, m=2)"), "not about one record added or removed"),
    ],
)  # fmt: skip
def test_what_a_combinator_does_not_take_is_refused(ask, said):
    with pytest.raises((ReadingError, StatementError, ValueError), match=said):
        ask()


@pytest.mark.parametrize("ask", [lambda: dpsym.gaussian(1) * 3, lambda: 3 * dpsym.gaussian(1)])
def test_a_number_of_runs_is_a_power(ask):
    with pytest.raises(TypeError, match=r"A \*\* 10"):
        ask()


# --- attributes
@pytest.mark.parametrize(
    ("name", "said"),
    [("Gaussian", "'gaussian'"), ("gausian", "'gaussian'"), ("zCDP", "'zcdp'"), ("acount", "'account'"),
     ("dpsgd", r"subsampled\(gaussian"), ("poisson", r"subsampled\(MECHANISM"), ("renyi", "rdp"),
     ("shuffle", "shuffled"), ("quite_another", "no attribute 'quite_another'$")],
)  # fmt: skip
def test_an_attribute_that_is_not_there_says_what_is_meant(name, said):
    with pytest.raises(AttributeError, match=said):
        getattr(dpsym, name)
    assert not hasattr(dpsym, name)


def test_a_question_for_an_attribute_that_is_not_there_loads_nothing():
    program = "import sys, dpsym; hasattr(dpsym, 'Gaussian'); print('sympy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603

    assert done.stdout.strip() == "False"


# --- irrational parameters
def test_an_irrational_sensitivity_is_enclosed():
    alone = dpsym.account("laplace(b=20, Delta=sqrt(3))", delta=0)
    assert alone.lower <= Decimal(3).sqrt() / 20 <= alone.upper
    assert alone.upper - alone.lower < Decimal("1e-8")

    by_value = dpsym.account("gaussian(sigma=2, Delta=D)", D="sqrt(3)", delta=1e-5)
    less, more = (dpsym.account(f"gaussian(sigma=2, Delta={end})", delta=1e-5, digits=20) for end in
                  ("1.7320508075688772", "1.7320508075688773"))  # fmt: skip
    assert less.lower <= by_value.upper and by_value.lower <= more.upper
    assert by_value.value == dpsym.account(dpsym.gaussian(2, sp.sqrt(3)), delta=1e-5).value


@pytest.mark.parametrize("mechanism", ["laplace(b=20, Delta={}) ** 3", "subsampled(gaussian(sigma=2), q={}/100) ** 9",
                                       "logistic(b=20, Delta={})"])  # fmt: skip
def test_irrational_parameters_are_between_those_beside_them(mechanism):
    ends = [dpsym.account(mechanism.format(end), delta=1e-5) for end in ("1.7320508", "sqrt(3)", "1.7320509")]

    assert ends[0].lower <= ends[1].lower <= ends[1].upper <= ends[2].upper
    assert ends[1].status == 0


def test_where_it_is_not_known_which_side_is_safe_an_irrational_parameter_is_refused():
    with pytest.raises(ValueError, match="not a rational number"):
        dpsym.account("truncated_laplace(b=20, A=100*sqrt(2))", delta=1e-5)
    with pytest.raises(ReadingError, match="delta"):
        dpsym.account("gaussian(sigma=1)", delta="exp(-10)")


def test_an_unknown_that_is_the_only_one_need_not_be_named():
    assert (
        dpsym.calibrate("gaussian(sigma)", epsilon=1, delta=1e-5).value
        == dpsym.calibrate("gaussian(sigma)", "sigma", epsilon=1, delta=1e-5).value
    )
    with pytest.raises(ReadingError, match="T, sigma"):
        dpsym.calibrate("gaussian(sigma) ** T", epsilon=1, delta=1e-5)


@pytest.mark.parametrize(
    "mechanism",
    ["gaussian(sigma=1) ** sqrt(2)", "geometric(b=1, Delta=sqrt(2))", "randomized_response(epsilon=1, m=2*sqrt(2))",
     "top_k_gumbel(b=20, k=sqrt(2))", "tree_aggregation(sigma=2, n=sqrt(200))"],
)  # fmt: skip
def test_an_irrational_number_is_no_count(mechanism):
    for claimed in (f"{mechanism} satisfies zcdp(100)", f"{mechanism} satisfies pure(100)"):
        with pytest.raises((ReadingError, StatementError), match="integer"):
            dpsym.prove(claimed)
    with pytest.raises((ReadingError, StatementError), match="integer"):
        dpsym.derive(mechanism, "zcdp")


@pytest.mark.parametrize(
    ("mechanism", "name"),
    [("gaussian(sigma=1) ** T", "T"), ("geometric(b=1, Delta=D)", "D"), ("gaussian(sigma=s)", "s")],
)
def test_an_irrational_value_outside_a_domain_is_refused_wherever_it_is_given(mechanism, name):
    value = "sqrt(3 + 2*sqrt(2)) - 1 - sqrt(2)" if name == "s" else "sqrt(2)"  # the first is 0
    with pytest.raises((ValueError, StatementError), match=r"integer|> 0"):
        dpsym.derive(mechanism, "zcdp", **{name: value})
