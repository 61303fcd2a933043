"""Every route ends in a bound that is true of the mechanism, and the exact ones in the best bound there is.

The arbiter is the exact privacy of the outputs, computed without dpsym.
"""

from fractions import Fraction

import pytest
import sympy as sp
from flint import arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsym.core.notation import Maximum, alpha, delta, epsilon
from dpsym.deriving import routes
from dpsym.language import read_goal, read_source
from oracle.pairs import Finite, Gaussian, Laplace, leaky_response

DELTAS = [Fraction(1, 10**5), Fraction(1, 10**12), Fraction(1, 20), Fraction(1, 10**100)]
ORDERS = [Fraction(3, 2), Fraction(2), Fraction(20), Fraction(101, 100)]


def ball(value):
    return arb(fmpq(value.numerator, value.denominator))


def scales(least, most):
    return st.fractions(min_value=Fraction(least), max_value=Fraction(most), max_denominator=40)


@st.composite
def mechanisms(draw):
    """A mechanism as a user writes it, and its pair of outputs."""
    kind = draw(st.sampled_from(["gaussian", "laplace", "randomized_response", "randomized_responses"]))
    if kind == "gaussian":
        sigma, k = draw(scales("1/4", "50")), draw(st.integers(1, 1000))
        return f"gaussian(sigma={sigma}) ** {k}", Gaussian(arb(k).sqrt() / ball(sigma))
    if kind == "laplace":
        b = draw(scales("1/8", "20"))
        return f"laplace(b={b})", Laplace(1 / ball(b))
    budget = draw(scales("1/20", "5"))
    k = 1 if kind == "randomized_response" else draw(st.integers(2, 12))
    return f"randomized_response(epsilon={budget}) ** {k}", leaky_response(ball(budget), arb(0), k)


def discharged(found):
    return [f for f in found if all(c.status == "discharged" for c in f.all_conditions)]


def upper(fact, parameter, values):
    return arb(fmpq(*Fraction(fact.evaluate(values)[parameter].upper).as_integer_ratio()))


def check_epsilon(source, pair, level):
    values = {delta: sp.Rational(level.numerator, level.denominator)}
    found = discharged(routes(read_source(source), read_goal("approx"), at=values))
    assert found
    for fact in found:
        bound = upper(fact, "epsilon", values)
        assert not pair.hockey_stick(bound) > ball(level), (source, level, fact.rules)
        if fact.exact and bound > arb(10) ** -9:
            assert pair.hockey_stick(bound * (1 - arb(10) ** -9)) > ball(level), (source, level, fact.rules)


def check_delta(source, pair, budget):
    values = {epsilon: sp.Rational(budget.numerator, budget.denominator)}
    found = discharged(routes(read_source(source), read_goal("approx(epsilon=epsilon)"), at=values))
    for fact in (f for f in found if not f.delta.has(Maximum)):  # a supremum over levels is a formula only
        assert not pair.hockey_stick(ball(budget)) > upper(fact, "delta", values), (source, budget, fact.rules)


def check_renyi(source, pair, order):
    values = {alpha: sp.Rational(order.numerator, order.denominator)}
    for fact in discharged(routes(read_source(source), read_goal("rdp"), at=values)):
        assert not pair.renyi(ball(order)) > upper(fact, "epsilon", values), (source, order, fact.rules)
    for fact in discharged(routes(read_source(source), read_goal("zcdp"))):
        assert not pair.renyi(ball(order)) > ball(order) * upper(fact, "rho", {}), (source, order, fact.rules)


def check(mechanism, level, order, budget):
    source, pair = mechanism
    with ctx.workprec(600):
        check_epsilon(source, pair, level)
        check_delta(source, pair, budget)
        check_renyi(source, pair, order)


@pytest.mark.slow
@settings(max_examples=4)
@given(mechanisms(), st.sampled_from(DELTAS), st.sampled_from(ORDERS), scales("1/10", "6"))
def test_routes_are_true_of_the_mechanism(mechanism, level, order, budget):
    check(mechanism, level, order, budget)


def test_the_arbiter_refuses_a_bound_that_is_too_small():
    with ctx.workprec(200):
        assert Gaussian(arb(1)).hockey_stick(arb(1)) > arb("0.1269")
        assert Finite(((arb(3) / 4, arb(1) / 4), (arb(1) / 4, arb(3) / 4))).hockey_stick(arb(1)) > arb(0)
