"""The plain notation: what is read, what is refused, and that nothing is ever evaluated."""

import contextlib

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from dpsym.core.plain_printer import plain
from dpsym.core.relations import TRUE
from dpsym.core.verdicts import Verdict
from dpsym.deciding import decide
from dpsym.language import (
    ReadingError,
    read_assignment,
    read_declaration,
    read_expression,
    read_goal,
    read_relations,
    read_source,
)
from dpsym.language.latex.writer import latex
from kit.work import work_at_most

x, y = sp.symbols("x y")


leaves = st.one_of(
    st.sampled_from([x, y, sp.pi, sp.Integer(2), sp.Rational(-3, 7)]), st.integers(-9, 9).map(sp.Integer)
)


def bigger(inner):
    return st.one_of(
        st.tuples(inner, inner).map(lambda p: p[0] + p[1]),
        st.tuples(inner, inner).map(lambda p: p[0] * p[1]),
        inner.map(lambda e: sp.exp(-e)),
        inner.map(lambda e: sp.Abs(e + x)),
        inner.map(lambda e: (e + y) ** 2),
        inner.map(lambda e: sp.sqrt(e**2 + 1)),
        inner.map(lambda e: 1 / (e**2 + 3)),
    )


@given(st.recursive(leaves, bigger, max_leaves=8))
def test_what_is_spelled_is_read_back(expression):
    if expression.has(sp.nan, sp.zoo, sp.oo):
        return
    assert read_expression(plain(expression)) == expression


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-x^2", -(x**2)),
        ("2^3^2", sp.Integer(512)),
        ("8/4/2", sp.Integer(1)),
        ("0.1 + 0.2", sp.Rational(3, 10)),
        ("1e-5", sp.Rational(1, 100000)),
        ("1.2500000000000001", sp.Rational(12500000000000001, 10**16)),
        ("2**-1", sp.Rational(1, 2)),
        ("eps", sp.Symbol("epsilon")),
        ("delta'", sp.Symbol("delta'")),
        ("sum(i, i, 1, 4)", sp.Sum(sp.Symbol("i"), (sp.Symbol("i"), 1, 4))),
    ],
)
def test_precedence_and_literals(text, value):
    assert read_expression(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "9**9**9", "10**10**10", "factorial(10**8)", "1e9999999", "(" * 5000, "-" * 5000 + "1", "x" * 100_000,
        "1" * 9000, "2^(2^(2^(2^(2^2))))", "binomial(10^9, 5*10^8)", "1^" * 3000 + "1", "exp(" * 70 + "1" + ")" * 70,
        "exp(10^9*log(2))", "2^(10^9*log(3)/log(2))", "(sqrt(10^1999))^39999", "(x*10^1999)^39999",
        "*".join(["2^9999"] * 900), "+".join(f"1/{10**20 + i}" for i in range(1, 400)), "floor(exp(10^12))",
        "ceil(exp(exp(exp(5))))", "floor(sin(exp(exp(exp(3)))))", "max(" + ",".join(f"x{i}" for i in range(300)) + ")",
        "sinh(" * 50 + "x" + ")" * 50, "tanh(" * 30 + "x + 1/y" + ")" * 30, "gamma(1/2 + 1999)",
    ],
)  # fmt: skip
def test_explosive_text_is_refused_at_once(text):
    with work_at_most(1_000_000), pytest.raises(ReadingError):
        read_expression(text)


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')", "().__class__", "lambda: 0", "x.y", "x;y", "f'{x}'", "eval(x)", "x[0]", "x y", "2x",
        "f(x)", "log()", "log(1, 2)", "1/0", "log(0)", "oo + 1", "nan", "inf", "(((1", "", "   ", "x = ", "ж", "1 <",
        "sqrt(-1)", "x == y", "import os", "\x00", "x`y`", "max()", "root(x, 1, 0, 1)",
    ],
)  # fmt: skip
def test_what_is_not_an_expression_is_refused(text):
    with pytest.raises(ReadingError):
        read_expression(text)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text):
    for read in (read_expression, read_relations, read_source, read_goal, read_assignment, read_declaration):
        with contextlib.suppress(ReadingError):
            read(text)


def test_undeclared_names_are_named_with_the_nearest():
    with pytest.raises(ReadingError, match=r"rhoo is not declared; did you mean 'rho'\?"):
        read_expression("rhoo + 1", {"rho": sp.Symbol("rho")})


def test_cancelled_divisions_are_remembered():
    reading = read_relations("x/x = 1")
    assert reading.relations[0].lhs == 1
    assert [str(need) for need in reading.needs] == ["x != 0"]


@pytest.mark.parametrize(
    "text",
    [
        "sum(i/i, i, 0, 3)", "sum(0*log(i), i, 0, 3)", "integral(x*(1/x), x, -1, 1)", "minimum(a*(1/a), a >= 0)",
        "sum(sqrt(i)*sqrt(i), i, -2, 2)", "root(x - 1 + exp(log(x)), x, -1, 1)", "sum(0*(1/i^2), i, 0, 2)",
        "sum(i/i + sum(1/i, i, 1, 2), i, 0, 3)", "product(0*Phi_inv(i), i, 1, 2)", "sum(i^-1*i, i, 0, 1)",
    ],
)  # fmt: skip
def test_what_could_be_undefined_under_a_bound_variable_is_needed_there(text):
    try:
        needs = read_relations(f"{text} = {text}").needs
    except ReadingError as error:
        assert "already bound" in str(error)
    else:
        assert decide(TRUE, needs=needs, time_limit=1).verdict in (Verdict.REFUTED, Verdict.OPEN)


@pytest.mark.parametrize(
    "text",
    [
        "integral(1/t, t, 0, 1) - integral(1/t, t, 0, 1)", "0*sum(i, i, 1, oo)", "limit(1/t, t, 0, 1)^0",
        "sum(i, i, 1, oo) + x - (1 + sum(i, i, 1, oo))", "minimum(t, t > 0)/minimum(t, t > 0)",
        "exp(0*D(2, P, Q))", "3 - integral(1/t, t, 0, 1)*0",
    ],
)  # fmt: skip
def test_what_may_have_no_value_cannot_cancel(text):
    with pytest.raises(ReadingError, match="cancels here, whether or not it has a value"):
        read_expression(text)


def test_what_has_a_value_may_stand_on_both_sides():
    (relation,) = read_relations("integral(exp(-t), t, 0, oo) + x >= x + integral(exp(-t), t, 0, oo)/1").relations
    assert relation.lhs == relation.rhs


def test_what_cancels_inside_a_sum_is_needed_for_every_index():
    (need,) = read_relations("sum(i*(x/x), i, 1, 3) = 6").needs
    assert str(need) == "x != 0 where i is an integer, i >= 1, i <= 3"


def test_a_long_sum_does_not_exhaust_the_stack():
    assert read_expression("+".join(["x"] * 450)) == 450 * x


@pytest.mark.parametrize(
    ("text", "value"),
    [("-x*y/3", -x * y / 3), ("2/-x*y", -2 * y / x), ("2^-x*y", y / 2**x), ("2 - -x*y", 2 + x * y), ("-8/4/2", -1)],
)
def test_a_minus_sign_keeps_the_value_of_its_term(text, value):
    assert read_expression(text) == value


@pytest.mark.parametrize("expression", [-(y - 2) * sp.exp(-1), 3 * (x + 1) * (y + 1) / 7, -2 * (x - y) * sp.log(x)])
def test_products_of_sums_are_not_distributed(expression):
    assert read_expression(plain(expression)) == expression


@pytest.mark.parametrize("text", ["0^sum(-1, i, 0, 3)", "min(sqrt(harmonic(-1/3) + 1/3))", "binomial(0, -1/0)"])
def test_what_sympy_cannot_build_is_refused(text):
    with pytest.raises(ReadingError):
        read_expression(text)


def test_a_prime_survives_in_latex():
    assert latex(sp.Symbol("delta'") ** 2) == r"\delta'^{2}"


def test_zero_to_a_negative_power_is_refused():
    with pytest.raises(ReadingError, match="division by zero"):
        read_expression("0^(-2)")
    (need,) = read_relations("0^(-x) = 0").needs
    assert str(need) == "-x is an integer and -x >= 0, or -x > 0"


@pytest.mark.parametrize(
    "text",
    ["sum(1/(i + 1), i, 0, 3)", "sum(log(i)/i^2, i, 1, oo)", "integral(exp(-x)*sqrt(x), x, 0, oo)",
     "sum(binomial(k, i)*x^i, i, 0, k)", "minimum(rho*a + log(1/delta)/(a - 1), a > 1)", "floor(log(10^30)/log(10))"],
)  # fmt: skip
def test_ordinary_sums_integrals_and_optima_are_read_and_spelled(text):
    expression = read_expression(text)
    assert read_expression(plain(expression)) == expression


def test_mechanisms_and_goals():
    assert str(read_source("gaussian(sigma=200) ** 500")) == "gaussian(sigma=200, Delta=1) ** 500"
    assert set(map(str, read_source("gaussian").args)) == {"sigma", "Delta"}
    assert read_goal("approx").id == "approx"
    assert read_goal("approx(eps=1, delta=0)") == read_goal("approx(epsilon=1, delta=0)")
    assert read_goal("approx(delta=1e-5)").fixed == {sp.Symbol("delta"): sp.Rational(1, 10**5)}
    for wrong in ("gausian(1)", "gaussian()", "gaussian(1, 2, 3)", "gaussian(tau=1)", "gaussian(1, sigma=1)"):
        with pytest.raises(ReadingError):
            read_source(wrong)
    with pytest.raises(ReadingError, match="did you mean 'approx'"):
        read_goal("aprox")
