"""Pure budgets, Rényi divergences and zCDP budgets of noise without a closed form: enclosed, infinite, or refused."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise

import mpmath
import pytest
import sympy as sp

from dpsym import answering
from dpsym.core.distributions import Density
from dpsym.core.notation import y
from dpsym.core.verdicts import Enclosure
from dpsym.entries.notions.pure import pure as pure_dp
from dpsym.language import read_formula
from dpsym.own_noise import NotADistribution, noise
from dpsym.own_noise.enclosed import renyi, zcdp
from dpsym.own_noise.supremum import NotSettled, pure

HUBER = "exp(-min(abs(x),1)*(abs(x)-min(abs(x),1)/2))/(sqrt(2*pi)*(2*Phi(1)-1)+2*exp(-1/2))"


def density(text: str) -> Density:
    return Density(y, read_formula(text)[0].subs(sp.Symbol("x"), y))


def holds(found: Enclosure, exact: object) -> bool:
    number = Decimal(mpmath.nstr(exact, 25)) if isinstance(exact, mpmath.mpf) else Decimal(str(exact))
    return number in found and found.width <= Decimal("1e-6")


@pytest.mark.parametrize(
    ("text", "shift", "exact"),
    [
        ("1/(pi*cosh(x))", 1, 1),  # the slope of its logarithm tends to 1
        ("exp(-abs(x))/2", 2, 2),
        ("3/8*exp(-abs(x)-x/2)", 1, sp.Rational(3, 2)),  # steeper on one side
        (HUBER, 1, 1),
        ("1/(pi*(1+x^2))", 1, 2 * mpmath.asinh(mpmath.mpf(1) / 2)),  # docs/lemmas.md, Lemma 10
        ("exp(-abs(x-1))/4+exp(-abs(x+1))/4", sp.Rational(1, 2), sp.Rational(1, 2)),
    ],
)
def test_the_supremum_is_that_of_the_literature(text: str, shift: object, exact: object) -> None:
    found = pure(density(text), sp.sympify(shift), {})

    exact = mpmath.mpf(exact.p) / exact.q if isinstance(exact, sp.Rational) else exact
    assert holds(found, exact if isinstance(exact, mpmath.mpf) else mpmath.mpf(exact))


@pytest.mark.slow
def test_the_maximum_of_a_rational_ratio_is_inside() -> None:
    """Of Student's t with three degrees of freedom: at the outputs where the derivative of the ratio vanishes."""
    found = pure(density("2/(pi*sqrt(3)*(1+x^2/3)^2)"), sp.S.One, {})

    # the two places are the roots of y^2 - y - 3; at the larger one the loss is the largest
    place = (1 + mpmath.sqrt(13)) / 2
    assert holds(found, 2 * mpmath.log((1 + place**2 / 3) / (1 + (place - 1) ** 2 / 3)))


@pytest.mark.slow
def test_a_smaller_shift_than_the_largest_may_be_the_worst_one() -> None:
    """Two heaps far apart: a shift by 1 takes the valley to a heap, and one by 2 takes one heap to the other."""
    text = "exp(-8*abs(x-1))+exp(-8*abs(x+1))+1/(pi*(1+x^2))/2"
    wide, narrow = (pure(density(text), sp.sympify(s), {}) for s in (2, 1))

    assert wide.lower >= narrow.lower - Decimal("1e-7")  # it is about all shifts up to this one
    assert wide.upper < 4 * narrow.upper


def test_of_a_peak_next_to_a_pit_the_worst_shift_is_an_inner_one() -> None:
    """log f is -abs(y)/10 with a tent of height 3 at 0 and one of depth 3 at 1: from the tip to the bottom, and no
    other way, it falls by 6 + 1/10, at a shift of 1 of the 10 that are possible."""
    log = -abs(y) / 10 + 3 * sp.Max(0, 1 - 2 * abs(y)) - 3 * sp.Max(0, 1 - 2 * abs(y - 1))
    places = [sp.Rational(i, 2) for i in range(-1, 4)]
    ends = [(log.subs(y, a), log.subs(y, b)) for a, b in pairwise(places)]
    total = 10 * (sp.exp(log.subs(y, places[0])) + sp.exp(log.subs(y, places[-1])))
    total += sum((sp.exp(b) - sp.exp(a)) / (2 * (b - a)) for a, b in ends)
    noise_here = Density(y, sp.exp(log) / total)

    assert holds(pure(noise_here, sp.Integer(10), {}), "6.1")
    assert holds(pure(Density(y, noise_here.expression.subs(y, -y)), sp.Integer(10), {}), "6.1")
    assert pure(noise_here, sp.Rational(1, 2), {}).upper < 4  # half of the way


@pytest.mark.parametrize(
    ("text", "support"),
    [
        ("exp(-x^2/2)/sqrt(2*pi)", sp.Reals),
        ("exp(-x-exp(-x))", sp.Reals),  # to the left alone
        ("abs(x)*exp(-abs(x))/2", sp.Reals),  # 0 at one output
        ("exp(-x)", sp.Interval(0, sp.oo)),
    ],
)
def test_an_unbounded_ratio_is_said_to_be_infinite(text: str, support: sp.Interval) -> None:
    found = pure(Density(y, density(text).expression, support), sp.S.One, {})

    assert found.lower == Decimal("Infinity")


@pytest.mark.parametrize(
    ("text", "said"), [("exp(-abs(x))", "integrates to"), ("1/(1+abs(x))", "to infinity"), ("exp(-x^2)", "not to 1")]
)
def test_what_is_no_density_is_refused(text: str, said: str) -> None:
    for ask in (lambda: pure(density(text), sp.S.One, {}), lambda: renyi(density(text), sp.S.One, 2, {})):
        with pytest.raises(NotADistribution, match=said):
            ask()


@pytest.mark.slow
def test_what_was_tried_is_said() -> None:
    with pytest.raises(NotSettled, match="in a tail its log-derivative"):
        pure(density("(exp(-x^2)/sqrt(pi)+1/(pi*(1+x^2)))/2"), sp.S.One, {})


@pytest.mark.parametrize("order", [2, sp.Rational(5, 2)])
def test_a_renyi_divergence_is_that_of_the_closed_form(order: sp.Rational) -> None:
    found = renyi(density("exp(-abs(x))/2"), sp.S.One, order, {})

    a = mpmath.mpf(int(sp.Rational(order).p)) / int(sp.Rational(order).q)
    exact = mpmath.log(a / (2 * a - 1) * mpmath.exp(a - 1) + (a - 1) / (2 * a - 1) * mpmath.exp(-a)) / (a - 1)
    assert holds(found, exact)


@pytest.mark.slow
def test_of_cauchy_noise_order_two_is_a_logarithm() -> None:
    assert holds(renyi(density("1/(pi*(1+x^2))"), sp.S.One, 2, {}), mpmath.log(mpmath.mpf(3) / 2))


def test_a_divergence_is_infinite_where_one_answer_is_impossible() -> None:
    assert renyi(Density(y, sp.exp(-y), sp.Interval(0, sp.oo)), sp.S.One, 2, {}).lower == Decimal("Infinity")


@pytest.mark.slow
def test_a_zcdp_budget_holds_the_closed_form() -> None:
    """Of Laplace noise it is the Kullback-Leibler divergence, e^(-1) at scale 1."""
    found = zcdp(density("exp(-abs(x))/2"), sp.S.One, {})

    assert float(found.lower) <= float(mpmath.exp(-1)) <= float(found.upper)
    assert float(found.upper) <= 1.002 * float(found.lower)


@pytest.mark.slow
def test_a_derivation_asks_for_the_number() -> None:
    own = noise(density="exp(-abs(x))/4+exp(-2*abs(x))/2", shift=1, time_limit=2)

    fact = answering.derive(own(), pure_dp)

    epsilon = fact.evaluate({})["epsilon"]
    assert Decimal("1.547") < epsilon.lower <= epsilon.upper < Decimal("1.5472")
    # far out one of the two shifts has slope 1, and 0 against 1: the larger loss is near the centre
    p = mpmath.exp(-1) / 4 + mpmath.exp(-2) / 2
    assert float(epsilon.upper) >= float(mpmath.log(mpmath.mpf(3) / 4 / p)) - 1e-9
