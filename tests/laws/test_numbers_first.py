"""What an answer says first: its number, then what decides it; long formulas and fractions are not in the way."""

import re
from contextlib import nullcontext
from dataclasses import replace
from decimal import Decimal

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

import dpsym
from dpsym import programs
from dpsym.core.plain_printer import for_readers, plain
from dpsym.deciding import EmptyDomain
from dpsym.language import read_expression
from dpsym.programs.measuring import Cases

SAMPLED = "subsampled(gaussian(sigma=2), q=1/100) ** 10"
PROGRAM = "x in [0,1]^n, replace\ns = laplace(b=c) on mean(x)*n\nt = laplace(b=c) on count(x < 1/3)\nrelease s, t"
NUMBER = r"\d[\d.]*(?:e[-+]?\d+)?"
NUMBERED = {
    "derive": lambda: dpsym.derive("gaussian(sigma=200) ** 500", to="approx", delta="1e-5"),
    "derive beside accounting": lambda: dpsym.derive(SAMPLED, to="approx", delta="1e-5"),
    "derive at an order": lambda: dpsym.derive("laplace(b=2)", to="rdp", alpha=3),
    "derive for an unknown": lambda: dpsym.derive("laplace(b) ** 7", to="pure(0.3)", for_="b"),
    "derive with a long fraction": lambda: dpsym.derive("gaussian(sigma=1.2345678901)", to="zcdp"),
    "derive of one's own noise": lambda: dpsym.derive(density="3/4*(1-x^2)", support="-1 <= x <= 1", shift="1/2",
                                                      to="approx", epsilon="1/4"),
    "account": lambda: dpsym.account(SAMPLED, delta="1e-5"),
    "account by the orders": lambda: dpsym.account("gaussian(sigma=2)", delta="1e-5", route="rdp"),
    "account at an order": lambda: dpsym.account("gaussian(sigma=2)", alpha="1.25", route="rdp"),
    "calibrate": lambda: dpsym.calibrate("gaussian(sigma) ** 3", for_="sigma", epsilon=1, delta="1e-5"),
    "program": lambda: dpsym.program(PROGRAM, to="approx", delta="1e-5", c="1.234567891"),
    "program by every notion": lambda: dpsym.program(PROGRAM, c="1.234567891"),
    "program for an unknown": lambda: dpsym.program(PROGRAM, to="pure(0.3)", for_="c"),
    "evaluate": lambda: dpsym.evaluate("log(1/delta)", delta="1e-5"),
    "sensitivity": lambda: dpsym.sensitivity("mean(x)", x="[0,1]^7", adjacent="replace"),
    "compare": lambda: dpsym.compare(to="pure(1)", sensitivity=1, only=["laplace", "logistic"]),
}  # fmt: skip


@pytest.mark.cases(5)
@pytest.mark.parametrize("name", NUMBERED)
def test_the_number_stands_first_and_no_fraction_is_long(name):
    answer = NUMBERED[name]()
    text = str(answer)
    value = answer.best.errors.absolute if name == "compare" else answer.value
    value = dpsym.enclose(value) if name == "sensitivity" else value
    first, *further = (Decimal(found) for found in re.findall(NUMBER, " ".join(text.splitlines()[:2])))
    assert first in (value.lower, value.upper)
    assert getattr(value, getattr(answer, "safe", "upper")) in (first, *further)
    for over, below in re.findall(r"(\d+)/(\d+)", text):
        assert len(over + below) <= 12


@pytest.mark.parametrize("options", [{"delta": "1e-5", "formula": True}, {}], ids=["asked for", "no number"])
def test_a_long_formula_is_shown_where_it_is_asked_for_or_is_the_answer(options):
    answer = dpsym.derive("gaussian(sigma=200) ** 500", to="approx", **options)
    assert "\nepsilon = smallest(" in f"\n{answer}"
    assert "…" not in str(answer)
    shorter = str(dpsym.derive("gaussian(sigma=200) ** 500", to="approx", delta="1e-5"))
    assert "smallest" not in shorter
    assert "formula=True" in shorter


def test_a_decimal_that_is_printed_is_the_value():
    for value in ("0", "1", "-1", "10", "0.05", "-0.125", "1e-40", "1e60", "123456789012345"):
        assert Decimal(str(dpsym.evaluate(value)).removeprefix("= ")) == Decimal(value)


@given(st.fractions(), st.sampled_from([1, sp.Symbol("x"), sp.pi**2]))
def test_a_decimal_is_the_fraction_that_it_stands_for(value, factor):
    exact = sp.Rational(value.numerator, value.denominator)
    with for_readers():
        text = plain(exact * factor)
    if "…" not in text:
        assert sp.simplify(read_expression(text) - exact * factor) == 0
    else:
        cut = re.search(rf"({NUMBER})…(e-?\d+)?", text)
        digits = Decimal(cut[1] + (cut[2] or ""))
        least = sp.Rational(str(digits))
        assert least < abs(exact) < least * (1 + sp.Rational(1, 10**11))
    assert plain(exact) == str(exact)  # what is read back stays a fraction


@pytest.mark.parametrize("ask", [
    lambda mechanism, **k: dpsym.account(mechanism, delta="1e-5", **k),
    lambda mechanism, **k: dpsym.derive(mechanism, to="approx", delta="1e-5", **k),
], ids=["account", "derive"])  # fmt: skip
def test_what_decides_stands_in_the_first_lines(ask):
    def said(*args, **options):
        return "\n".join(str(ask(*args, **options)).splitlines()[:6])

    drawn = said(SAMPLED)
    assert "neighbours: one record added or removed" in drawn
    assert "sampling: Poisson" in drawn
    fixed = "subsampled(gaussian(sigma=2), q=1/100)"
    assumed = said(fixed, sampling="fixed-size")
    assert "neighbours: one record replaced" in assumed
    assert "sampling: fixed size" in assumed
    assert "sensitivity: Delta = 1 was assumed" in assumed
    assert "assumed" not in said("subsampled(gaussian(sigma=2, Delta=2), q=1/100)", sampling="fixed-size")
    assert not {"sampling", "assumed"} & set(re.findall(r"\w+", said("gaussian(sigma=2) ** 10")))


def test_values_of_a_program_by_name_are_those_of_at():
    by_name = dpsym.program(PROGRAM, to="pure", c=2)
    assert str(by_name) == str(dpsym.program(PROGRAM, to="pure", at={"c": 2}))
    assert str(by_name) == str(dpsym.program(PROGRAM, to="pure", at=["c=2"]))
    assert by_name.name == "epsilon"
    assert by_name.upper <= 1  # 1/2 and 1/2
    assert float(by_name) >= by_name.upper


def test_values_that_no_case_of_a_sensitivity_admits_are_refused():
    n = sp.Symbol("n")
    run = programs.run("x in [0,1]^n, replace\ns = laplace(b=1) on quantile(x, 1/4)\nrelease s")
    (every,) = run.given  # n is 4 m, 4 m + 1, 4 m + 2 or 4 m + 3
    for value in (1, 2, 4, 7):
        programs.refuse_values(run, {n: sp.Integer(value)})
        for left_over, case in enumerate(every.cases):
            alone = replace(run, given=(Cases((case,)),))
            wrong = pytest.raises(EmptyDomain, match=f"n = {value}")
            with nullcontext() if value % 4 == left_over else wrong:
                programs.refuse_values(alone, {n: sp.Integer(value)})


def test_values_of_a_program_are_refused_together():
    text = "x in [0,1]^n, replace\nlet a < b\ns = laplace(b=b - a) on sum(x)\nrelease s"
    assert dpsym.program(text, to="pure", a=1, b=3).upper == Decimal("0.5")
    with pytest.raises(EmptyDomain):
        dpsym.program(text, to="pure", a=3, b=1)
