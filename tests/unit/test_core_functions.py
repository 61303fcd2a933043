"""Bessel functions, incomplete gamma functions and sums of them, against mpmath."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
import sympy as sp
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from dpsym.core.functions import bessel, gamma
from dpsym.core.notation import besseli, gammaq
from dpsym.core.plain_printer import plain
from dpsym.language import read_expression
from dpsym.language.elaborate import Meaning
from dpsym.language.latex.grammar import parse_latex
from dpsym.language.latex.writer import latex
from dpsym.numbers import Range, Undefined, enclose

n, s, t = sp.symbols("n s t")
BESSEL, GAMMA_TAIL = bessel.BESSEL.operation, gamma.GAMMA_TAIL.operation
positive = st.fractions(Fraction(1, 20), 60, max_denominator=40)


def value(expression: sp.Expr, **at: Fraction) -> mpf:
    found = enclose(expression, {sp.Symbol(name): v for name, v in at.items()}, digits=20)
    assert found.lower <= found.upper
    return mpf(str(found.upper))


def exact(x: Fraction) -> mpf:
    return mpf(x.numerator) / x.denominator


@pytest.mark.slow
@given(st.integers(-30, 30), positive)
@settings(max_examples=5, deadline=None)
def test_bessel_functions_are_those_of_mpmath(order: int, at: Fraction) -> None:
    with mp.workdps(30):
        expected = mpmath.besseli(order, exact(at))
        assert abs(value(besseli(n, t), n=Fraction(order), t=at) / expected - 1) < mpf(10) ** -18


@given(positive, positive)
@settings(max_examples=5, deadline=None)
def test_incomplete_gamma_functions_are_those_of_mpmath(shape: Fraction, at: Fraction) -> None:
    with mp.workdps(30):
        expected = mpmath.gammainc(exact(shape), exact(at), regularized=True)
        assert abs(value(gammaq(s, t), s=shape, t=at) / expected - 1) < mpf(10) ** -18


def test_at_zero() -> None:
    assert enclose(gammaq(s, t), {s: Fraction(2, 3), t: 0}, digits=10).upper == 1
    assert enclose(besseli(n, t), {n: 0, t: 0}, digits=10).upper == 1
    assert enclose(besseli(n, t), {n: 3, t: 0}, digits=10).upper == 0


@pytest.mark.parametrize(
    "expression",
    [besseli(sp.Rational(1, 2), 1), besseli(2, -1), gammaq(0, 1), gammaq(-1, 1), gammaq(2, -1)],
    ids=str,
)
def test_outside_the_domain_there_is_no_value(expression: sp.Expr) -> None:
    with pytest.raises(Undefined):
        enclose(expression, digits=10)


@pytest.mark.parametrize(("operation", "first"), [(BESSEL, 3), (BESSEL, 0), (GAMMA_TAIL, 3)])
@pytest.mark.parametrize(("low", "high"), [(0, 2), (1, 9), (4, None)])
def test_a_range_holds_the_values_inside(operation: object, first: int, low: int, high: int | None) -> None:
    with ctx.workprec(80):
        ends = arb(low), arb.pos_inf() if high is None else arb(high)
        found = operation.range(Range(arb(first), arb(first)), Range(*ends, False, high is None))
        assert found is not None
        for step in range(9):
            inside = ends[0] + step * (arb(5) if high is None else (ends[1] - ends[0]) / 8)
            there = operation.ball(arb(first), inside.mid())
            assert found.below <= there.upper()
            assert there.lower() <= found.above


def test_a_ball_that_may_be_outside_has_no_finite_value() -> None:
    assert not BESSEL.ball(arb(2), arb(0, 1)).is_finite()
    assert not BESSEL.ball(arb(2, "0.1"), arb(1)).is_finite()
    assert not GAMMA_TAIL.ball(arb(1), arb(0, 1)).is_finite()
    assert not GAMMA_TAIL.ball(arb(0, 1), arb(1)).is_finite()


@pytest.mark.parametrize("first", [-9, -1, 0, 4])
def test_skellam_masses_sum_to_what_they_should(first: int) -> None:
    """In particular where the sum begins with orders at which the masses still grow."""
    x = Fraction(7, 2)
    with mp.workdps(30):
        found = value(sp.exp(-t) * sp.Sum(besseli(n, t), (n, first, sp.oo)), t=x)
        expected = sum(mpmath.exp(-exact(x)) * mpmath.besseli(i, exact(x)) for i in range(first, 90))
        assert abs(found / expected - 1) < mpf(10) ** -18


@pytest.mark.parametrize("expression", [besseli(n - 2, t), gammaq(1 / s, t**2) / 2, besseli(n, t) ** 2])
def test_they_are_read_as_they_are_written(expression: sp.Expr) -> None:
    names = {x.name: x for x in expression.free_symbols}

    assert read_expression(plain(expression), names) == expression
    assert Meaning(latex(expression), names).expression(parse_latex(latex(expression), names)) == expression


@pytest.mark.parametrize("number", [sp.Product(2, (n, 1, sp.oo)), sp.Integral(sp.exp(-(t**t)), (t, 0, sp.oo))])
def test_no_number_is_computed_to_write_a_sum_that_contains_it(number, monkeypatch):
    def computed(*arguments: object) -> None:
        raise AssertionError("computed")

    monkeypatch.setattr(type(number), "_eval_evalf", computed)
    monkeypatch.setattr(type(number), "evalf", computed)

    for write in (plain, latex):
        assert write(number) in write(number + s + 1)
