"""Enclosures contain the value, round outward, and refuse what is not defined."""

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import mpmath
import pytest
import sympy as sp
from flint import arb, ctx, fmpq
from hypothesis import assume, given
from hypothesis import strategies as st

from dpsym.core.notation import Phi, Phi_inv, Root, phi
from dpsym.core.relations import Relation
from dpsym.language import read_formula
from dpsym.numbers import NotEnclosed, NotNumeric, Range, Undefined, ball, compare, compiled, enclose

x, s = sp.symbols("x s")
positive = st.fractions(min_value=Fraction(1, 1000), max_value=50, max_denominator=1000)

FORMULAS = {
    "root": (
        sp.sqrt(x) + x ** sp.Rational(2, 3),
        lambda t: mpmath.sqrt(t) + mpmath.mpf(t) ** (mpmath.mpf(2) / 3),
    ),
    "tail": (Phi(-x), lambda t: mpmath.erfc(t / mpmath.sqrt(2)) / 2),
    "density": (phi(x), mpmath.npdf),
    "log": (sp.log(1 + x) / x, lambda t: mpmath.log(1 + t) / t),
    "power": (x**x, lambda t: t**t),
    "hyperbolic": (sp.tanh(x) * sp.cosh(x), mpmath.sinh),
    "gamma": (sp.gamma(x + 1) / sp.gamma(x), lambda t: t),
    "quantile": (Phi(Phi_inv(x / (1 + x))), lambda t: t / (1 + t)),
    "harmonic": (sp.harmonic(x), mpmath.harmonic),
    "erf": (sp.erf(x) + sp.erfc(x), lambda t: mpmath.mpf(1)),
}


@pytest.mark.parametrize("name", FORMULAS)
@given(value=positive)
def test_mpmath_at_another_precision_lies_inside(name, value):
    formula, reference = FORMULAS[name]
    enclosure = enclose(formula, {x: value}, digits=25)
    with mpmath.workdps(60):
        expected = reference(mpmath.mpf(value.numerator) / value.denominator)
        slack = mpmath.mpf(10) ** -50 * (1 + abs(expected))
        assert mpmath.mpf(str(enclosure.lower)) - slack <= expected <= mpmath.mpf(str(enclosure.upper)) + slack
    assert enclosure.upper - enclosure.lower <= Decimal(10) ** -24 * abs(enclosure.upper)


@given(value=positive, width=st.fractions(min_value=0, max_value=1, max_denominator=100))
def test_a_box_contains_its_points(value, width):
    for formula, _ in FORMULAS.values():
        wide = arb(fmpq(value.numerator, value.denominator)).union(
            arb(fmpq(value.numerator, value.denominator) + fmpq(width.numerator, width.denominator))
        )
        box = ball(formula, {x: wide}, 64)
        if not box.is_finite():
            continue
        with ctx.workprec(200):
            assert box.overlaps(ball(formula, {x: fmpq(value.numerator, value.denominator)}, 200))


@pytest.mark.parametrize(
    ("formula", "at"),
    [(sp.log(x), 0), (sp.log(x), -1), (1 / x, 0), (sp.sqrt(x), -1), (Phi_inv(x), 1), (Phi_inv(x), 0),
     (x ** sp.Rational(1, 3), -1), (x**-2, 0), (sp.gamma(x), -3)],
)  # fmt: skip
def test_outside_its_domain_an_expression_is_undefined(formula, at):
    with pytest.raises(Undefined):
        enclose(formula, {x: at})


@pytest.mark.parametrize("formula", [1 / x, sp.log(x), sp.tanh(1 / x), sp.sqrt(x), sp.exp(-1 / x**2), Phi(1 / x)])
def test_no_finite_ball_over_a_point_where_it_is_undefined(formula):
    assert not ball(formula, {x: arb(0, 1)}, 64).is_finite()


def profile(mu, delta):
    t = sp.Symbol("t")
    return Root(sp.Lambda(t, Phi(mu / 2 - t / mu) - sp.exp(t) * Phi(-mu / 2 - t / mu) - delta), 0, sp.oo)


@pytest.mark.parametrize(
    ("mu", "delta", "digits"),
    [
        (sp.sqrt(500) / 200, sp.Rational(1, 10**5), "0.384692354051061627"),
        (sp.Integer(5), sp.Rational(1, 10**300), "197.448104880788516"),
        (sp.Integer(1), sp.Rational(1, 10**5), "4.37717809568122462"),
    ],
)
def test_the_analytic_gaussian_has_its_published_digits(mu, delta, digits):
    enclosure = enclose(profile(mu, delta))
    assert str(enclosure.lower).startswith(digits[:-1])
    assert enclosure.lower < enclosure.upper


def test_a_thousand_digits_at_delta_ten_to_the_minus_thousand():
    enclosure = enclose(profile(sp.Integer(1), sp.Rational(1, 10**1000)), digits=1000)
    with mpmath.workdps(1030):
        e = mpmath.mpf(str(enclosure.lower))
        delta = (mpmath.erfc((e - 0.5) / mpmath.sqrt(2)) - mpmath.exp(e) * mpmath.erfc((e + 0.5) / mpmath.sqrt(2))) / 2
        assert abs(delta * mpmath.mpf(10) ** 1000 - 1) < mpmath.mpf(10) ** -990


def test_a_root_without_a_sign_change_is_not_enclosed():
    with pytest.raises(NotEnclosed, match="sign"):
        enclose(Root(sp.Lambda(x, x**2 + 1), -sp.oo, sp.oo))


def test_numbers_out_of_reach_are_refused_and_not_computed():
    with pytest.raises(NotEnclosed):
        enclose(sp.exp(sp.exp(sp.exp(x))), {x: 10})
    with pytest.raises(NotNumeric):
        enclose(x + s, {x: 1})


def test_floats_do_not_enter():
    with pytest.raises(TypeError):
        enclose(x, {x: 0.5})
    with pytest.raises(TypeError):
        enclose(x + sp.Float("0.5"), {x: 1})


def test_zero_is_zero_and_nearly_zero_is_not():
    assert enclose(x - 1, {x: 1}).upper == 0
    with pytest.raises(NotEnclosed):
        enclose(sp.log(6) - sp.log(2) - sp.log(3) + x, {x: 0}, most_bits=2000)


def test_comparisons_see_a_difference_in_the_fortieth_digit():
    tiny = sp.Rational(1, 10**40)
    assert compare(Relation(sp.exp(x), ">=", 1 + x + tiny), {x: 0}).holds is False
    assert compare(Relation(sp.exp(1), "<", sp.E + tiny)).holds is True
    assert compare(Relation(sp.sqrt(2) ** 2 + x, "=", 2 + x), {x: sp.Rational(1, 3)}).holds is True
    assert compare(Relation(sp.log(6), "=", sp.log(2) + sp.log(3)), {}).holds is None
    assert compare(Relation(sp.log(x), ">", sp.Integer(0)), {x: -1}).obligation is not None


@pytest.mark.parametrize("f", ["exp(10*abs(s - 1/2))", "max(exp(-10*s - s^4), s)", "exp(-10*s - s^4)", "s"])
@pytest.mark.parametrize("ends", [(-1, 1), (-1, 2), (-1, -0.5), (0.5, 1), (-0.001, 0.001)])
def test_an_integral_up_to_a_variable_end_is_enclosed_on_boxes_where_its_ends_change_places(f, ends):
    # the part below 0 was left out: on [-1, 1] the first was said to be at least -149, and is -326887 at -1
    upto = read_formula(f"integral({f}, s, 0, v)")[0]
    tape = compiled((upto,), (sp.Symbol("v"),))
    box = tape.ranges([Range(arb(ends[0]), arb(ends[1]))])[0]
    for value in (ends[0], ends[1], sum(ends) / 2):
        at = tape([arb(value)])[0]
        assert at.is_finite()
        assert not at < box.below
        assert not at > box.above


places = st.fractions(min_value=-2, max_value=2, max_denominator=30)


@given(ends=st.tuples(places, places), corners=st.tuples(places, places), head=st.sampled_from(["max", "min", "abs"]))
def test_an_integral_over_corners_is_that_of_its_smooth_parts(ends, corners, head):
    low, high = sorted(ends)
    assume(low < high)
    u, v = corners
    other = {"max": f"max(z, {v})", "min": f"min(z, {v})", "abs": f"abs(z - {v})"}[head]
    meant = {"max": lambda z: max(z, v), "min": lambda z: min(z, v), "abs": lambda z: abs(z - v)}[head]

    def body(z):
        return abs(3 * z - 3 * u) * meant(z)

    cuts = sorted({low, high, *(c for c in corners if low < c < high)})
    exact = sum(  # Simpson's rule is exact for what is quadratic between the cuts
        (b - a) * (body(a) + 4 * body((a + b) / 2) + body(b)) / 6 for a, b in pairwise(cuts)
    )
    text = f"integral(abs(3*z - 3*({u}))*{other}, z, {low}, {high})".replace("--", "+")
    found = ball(read_formula(text)[0], {}, 128)  # to so many bits: where it is 0 no digits are ever right
    with ctx.workprec(512):
        assert found.contains(fmpq(exact.numerator, exact.denominator))
    assert found.rad() < 1e-12


def test_an_integral_from_the_right_to_the_left_is_that_from_the_left_to_the_right_negated():
    for there, back in (("1, 0", "0, 1"), ("2, -1", "-1, 2"), ("3, 3", "3, 3")):
        forth = enclose(read_formula(f"integral(exp(-s^3/7), s, {there})")[0], digits=12)
        other = enclose(read_formula(f"integral(exp(-s^3/7), s, {back})")[0], digits=12)
        assert forth.lower <= -other.lower
        assert -other.upper <= forth.upper


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("i + integral(sum(abs(x - i), i, 0, 3), x, 0, 3)", 15),
        ("i + integral(sum(max(x, i), i, 0, 1), x, 0, 2)", Fraction(11, 2)),
        ("integral(i*product(abs(x - i), i, 0, 1), x, 0, 1)", Fraction(1, 6)),
    ],
)
def test_a_corner_belongs_to_the_name_that_is_bound_there(text, value):
    i = sp.Symbol("i")
    found = ball(read_formula(text)[0], {i: sp.Integer(1)}, 64)
    assert abs(float(found.mid()) - float(value)) < 1e-12
