"""Compiled closed forms: never on the wrong side, and close."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from flint import arb, ctx, fmpq

from dpsym import catalogue
from dpsym.arrays import ULPS, NotCompiled, compiled
from dpsym.core.notation import Phi, Phi_inv, alpha, delta, epsilon, rho, sigma
from dpsym.core.relations import Relation
from dpsym.numbers import enclose

x, y = sp.symbols("x y")


def draw(random_, low, high):
    return math.exp(random_.uniform(math.log(low), math.log(high)))


FORMULAS = {
    "zCDP to approximate DP": (rho + 2 * sp.sqrt(rho * sp.log(1 / delta)), {rho: (1e-6, 1e3), delta: (1e-300, 0.99)}),
    "Mironov's conversion": (
        epsilon + sp.log(1 / delta) / (alpha - 1),
        {epsilon: (1e-3, 10), delta: (1e-30, 0.9), alpha: (1.01, 300)},
    ),
    "the improved conversion": (
        epsilon + sp.log((alpha - 1) / alpha) - (sp.log(delta) + sp.log(alpha)) / (alpha - 1),
        {epsilon: (1e-3, 10), delta: (1e-30, 0.9), alpha: (1.01, 300)},
    ),
    "Gaussian profile": (
        Phi(1 / (2 * sigma) - epsilon * sigma) - sp.exp(epsilon) * Phi(-1 / (2 * sigma) - epsilon * sigma),
        {sigma: (0.3, 20), epsilon: (1e-3, 5)},
    ),
    "amplification": (sp.log(1 + x * (sp.exp(epsilon) - 1)), {x: (1e-8, 1), epsilon: (1e-8, 5)}),
    "hyperbolic": (sp.sinh(x) / sp.cosh(x) + sp.tanh(y) - sp.Rational(1, 3) * sp.pi, {x: (1e-3, 20), y: (1e-3, 4)}),
    "powers": (x ** sp.Rational(-3, 2) + y**5 - x**2 * y ** sp.Rational(1, 3) + sp.E, {x: (0.1, 9), y: (0.1, 9)}),
    "extremes": (sp.Max(x, 2 * y, 1) - sp.Min(x * y, 3) + sp.Abs(x - y), {x: (0.1, 9), y: (0.1, 9)}),
    "cases": (
        sp.Piecewise((x**2, x < y), (sp.exp(-y), x < 2 * y), (sp.erfc(x), True)),
        {x: (0.1, 9), y: (0.1, 9)},
    ),
    "steps": (sp.floor(x / 3) + sp.ceiling(y * x) + sp.erf(y), {x: (0.1, 9), y: (0.1, 9)}),
}


@pytest.mark.parametrize(("formula", "box"), FORMULAS.values(), ids=FORMULAS)
def test_bounds_are_on_the_safe_side_of_certified_values_and_close(formula, box):
    drawn = random.Random(7)  # noqa: S311
    points = {s: np.array([draw(drawn, *ends) for _ in range(60)]) for s, ends in box.items()}
    named = {str(s): values for s, values in points.items()}
    up, down = (compiled(formula, tuple(box), side=side)(**named) for side in ("upper", "lower"))

    for i in range(60):
        at = {s: sp.Rational(*float(values[i]).as_integer_ratio()) for s, values in points.items()}
        truth = enclose(formula, at, digits=30)
        assert Fraction(float(down[i])) <= Fraction(truth.upper)
        assert Fraction(float(up[i])) >= Fraction(truth.lower)
        size = max(abs(float(truth.upper)), 1e-3)
        assert float(up[i]) - float(down[i]) <= 1e-10 * size


@pytest.mark.parametrize("theorem", ["zcdp_to_approx", "rdp_to_approx", "pure_to_zcdp", "pure_to_rdp"])
def test_the_catalogues_closed_forms_compile(theorem):
    conclusion = catalogue.theorems()[theorem].conclusion
    for formula in conclusion.args:
        if isinstance(formula, sp.Expr):
            parameters = tuple(sorted(formula.free_symbols, key=str))
            values = {str(p): np.array([1.5, 2.5]) if p != delta else np.array([1e-5, 1e-3]) for p in parameters}
            assert np.all(np.isfinite(compiled(formula, parameters)(**values)))


@pytest.mark.parametrize("name", ["exp", "log", "expm1", "log1p", "sinh", "cosh", "tanh", "sqrt", "erf", "erfc"])
def test_no_function_errs_by_more_than_the_rounding_argument_assumes(name):
    drawn = random.Random(3)  # noqa: S311
    function = getattr(np, name, None) or np.vectorize(getattr(math, name), otypes=[float])
    points = np.array(
        [
            draw(drawn, 1e-12, 25) * (1 if name in ("log", "sqrt", "log1p") else drawn.choice([1, -1]))
            for _ in range(3000)
        ]
    )
    found = function(points)
    worst = 0.0
    with ctx.workprec(150):
        for point, value in zip(points.tolist(), found.tolist(), strict=True):
            z = arb(fmpq(*point.as_integer_ratio()))
            truth = getattr(z, name)()
            worst = max(worst, abs(float((arb(fmpq(*value.as_integer_ratio())) - truth) / arb(math.ulp(value)))))

    assert worst <= ULPS / 4


def test_where_a_value_is_not_defined_the_bound_is_infinite():
    bound = compiled(sp.log(x - 1) + 1 / y, (x, y))

    assert bound(np.array([0.5, 1.0, np.nan]), 1.0).tolist() == [math.inf, math.inf, math.inf]
    assert compiled(sp.Min(sp.sqrt(x) * 2, 3), (x,))(-1.0) == math.inf
    assert compiled(sp.Min(1 / x, 3), (x,))(0.0) == math.inf
    assert compiled(sp.tanh(sp.log(x)), (x,))(-1.0) == math.inf
    assert compiled(sp.Piecewise((1, sp.log(x) < 0), (2, True)), (x,))(-1.0) == math.inf
    assert bound(0.5, 1.0) == math.inf
    assert bound(2.0, 0.0) == math.inf
    assert bound(np.nan, 1.0) == math.inf
    assert compiled(sp.log(x), (x,), side="lower")(-1.0) == -math.inf
    assert math.isfinite(bound(2.0, 1.0))


def test_assumptions_are_kept():
    bound = compiled(x, (x,), assume=(Relation(x, ">", sp.Integer(0)), Relation(x, "<=", sp.Integer(1))))

    assert bound(np.array([0.0, 0.5, 1.0, 1.5])).tolist() == [math.inf, 0.5, 1.0, math.inf]


def test_a_rational_number_is_between_the_doubles_around_it():
    for value in (Fraction(1, 3), Fraction(1, 10), Fraction(10**400), Fraction(1, 10**400), Fraction(3, 4)):
        up, down = (
            compiled(sp.Rational(value.numerator, value.denominator) + x, (x,), side=s)(0.0) for s in ("upper", "lower")
        )
        assert Fraction(float(down)) <= value
        assert up == math.inf or Fraction(float(up)) >= value


def test_shapes_broadcast_and_a_million_points_are_no_matter():
    bound = compiled(rho + 2 * sp.sqrt(rho * sp.log(1 / delta)), (rho, delta))

    assert bound(np.ones((1000, 1)), np.full((1, 1000), 1e-5)).shape == (1000, 1000)


@pytest.mark.parametrize(
    ("formula", "message"), [(Phi_inv(x), "Phi_inv"), (sp.Sum(x, (y, 0, x)), "Sum"), (x + y, "y is not among")]
)
def test_what_is_not_compiled_is_refused(formula, message):
    with pytest.raises(NotCompiled, match=message):
        compiled(formula, (x,))


def test_arguments_are_checked():
    bound = compiled(x + y, (x, y))
    for arguments, named in (((1,), {}), ((1, 2, 3), {}), ((1,), {"x": 2}), ((1, 2), {"z": 3})):
        with pytest.raises(TypeError, match="expected"):
            bound(*arguments, **named)


def test_exact_arguments_stand_for_themselves():
    """Not for the doubles nearest to them, of which some lie on the wrong side."""
    identity, lower = compiled(x, (x,)), compiled(x, (x,), side="lower")
    for exact in (Fraction(1, 3), Fraction(2, 3), Fraction(1, 10**5), 2**53 + 1, 2**53 + 3, 10**400, -(2**60) - 1):
        assert Fraction(float(lower(exact))) <= exact if math.isfinite(lower(exact)) else exact < 0
        assert float(identity(exact)) == math.inf or Fraction(float(identity(exact))) >= exact
        assert identity(sp.Rational(exact)) == identity(exact)
    integers = np.array([3, 2**53 + 1, -(2**62) + 1])
    assert all(Fraction(float(v)) >= int(n) for v, n in zip(identity(integers), integers, strict=True))
    assert all(Fraction(float(v)) <= int(n) for v, n in zip(lower(integers), integers, strict=True))
    assert compiled(x, (x,))(np.array([Fraction(1, 3), math.nan], dtype=object))[1] == math.inf
    mixed = np.array([Fraction(1, 3), 2, 0.5], dtype=object)
    assert all(Fraction(float(v)) >= Fraction(n) for v, n in zip(identity(mixed), mixed, strict=True))
    assert identity(0.1) == 0.1
    assert identity(np.float32(0.1)) == np.float32(0.1)


@pytest.mark.parametrize("value", ["1/3", None, 1j, [1, "x"], object()])
def test_what_is_no_number_is_refused_by_name(value):
    with pytest.raises(TypeError, match=r"x = .* is not a number"):
        compiled(sp.exp(x), (x,))(value)


def test_what_overflows_has_a_lower_bound():
    assert compiled(sp.exp(x), (x,))(800.0) == math.inf
    assert 1e308 < compiled(sp.exp(x), (x,), side="lower")(800.0) < math.inf
    assert 700 < compiled(sp.log(1 + sp.exp(x)), (x,), side="lower")(800.0) <= 800
