"""False relations that an inference rule once let through: the strategies must not prove them, points aside.

`decide` examines every proof at points and would contradict most of these; here the strategies stand alone, since what
is false only far out, or has no numbers, is not found by points.
"""

from __future__ import annotations

import pytest
import sympy as sp

from dpsym.core.deadline import timed
from dpsym.core.notation import (
    P,
    Phi_inv,
    Q,
    derivative,
    essential_infimum,
    essential_supremum,
    expectation,
    privacy_loss,
)
from dpsym.core.relations import Proposition, Relation
from dpsym.core.verdicts import Verdict
from dpsym.deciding import Domain, EmptyDomain, decide
from dpsym.deciding.calculus.slices import slice_along
from dpsym.deciding.strategies.strategy import Question, prove
from dpsym.language import read_declaration, read_relations

x, y, k = sp.symbols("x y k")
ZERO = sp.Integer(0)


def proved(relation: Relation, assume: tuple[Proposition, ...] = (), seconds: float = 2.0) -> bool:
    """Whether the strategies, left to themselves, prove the relation."""
    with timed(seconds):
        return prove(Question(relation, Domain(assume))) is not None


def read(claim: str, *lets: str) -> tuple[Relation, tuple[Proposition, ...]]:
    """A relation and its domain in plain notation; a declaration is a `let` or a condition."""
    (relation,) = read_relations(claim).relations
    assume: list[Proposition] = []
    for let in lets:
        condition = let.removeprefix("assume ")
        assume += read_relations(condition).relations if condition != let else read_declaration(let)[1]
    return relation, tuple(assume)


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("claim", "lets"),
    [
        ("log(x^2+y^2)^2 > 0", ("x: real", "y: real", "assume x^2+y^2 = 1")),
        ("(Phi(x^3-y^3)-1/2)^2 > 0", ("x: real", "y: real", "assume x^3 = y^3")),
    ],
)
def test_the_square_of_what_vanishes_under_the_conditions_is_not_positive(claim: str, lets: tuple[str, ...]) -> None:
    assert not proved(*read(claim, *lets))


@pytest.mark.parametrize(
    ("claim", "lets"),
    [
        ("limit(2 + x^2/(x+1) - x, x, oo) = 2", ()),  # it is 1
        ("limit(a + x^2/(x+1) - x, x, oo) = a", ("a > 5",)),  # a - 1
        ("limit(a + x^2/(x+1) - x, x, oo) >= a", ("a > 5",)),
    ],
)
def test_a_term_that_does_not_outgrow_the_others_is_not_the_limit_of_a_sum(claim: str, lets: tuple[str, ...]) -> None:
    assert not proved(*read(claim, *lets))


def test_the_limit_of_a_sum_with_terms_that_cancel() -> None:
    assert proved(*read("limit(2 + x^2/(x+1) - x, x, oo) = 1"))


def test_an_equation_says_nothing_of_a_bound_variable_of_the_same_name() -> None:
    four = (Relation(x**2, "=", sp.Integer(4)),)
    total = sp.Sum(x**2, (x, 1, 3))  # 14, not 12
    assert not proved(Relation(total, "=", sp.Integer(12)), four)
    assert not proved(Relation(y * total, "=", 12 * y), four)


@pytest.mark.parametrize(
    ("claim", "lets"),
    [
        ("sum(max(i,2), i, 1, 3) <= 6", ()),  # 2 + 2 + 3
        ("y*sum(max(i,2), i, 1, 3) <= 6*y", ("y >= 0",)),
        ("integral(abs(x), x, -1, 1) <= 0", ()),
        ("limit(abs(x), x, 5) = -5", ()),
    ],
)
def test_cases_of_a_bound_variable_are_not_cases_of_the_claim(claim: str, lets: tuple[str, ...]) -> None:
    assert not proved(*read(claim, *lets))


def test_a_lemma_does_not_bound_a_term_under_a_binder() -> None:
    far = sp.Integer(10) ** 50
    weight = (2 - k) * (far + y) - (k - 1) * y  # far + y and -y: positive together, but the second counts for more
    claim = Relation(sp.Sum(weight * sp.exp(k), (k, 1, 2)), ">=", sp.Sum(weight * (1 + k), (k, 1, 2)))
    assert not proved(claim, (Relation(y, ">=", ZERO),))  # fails where y > far


LOSS = privacy_loss(P, Q)


def mean(function: sp.Expr) -> sp.Expr:
    """The expectation of a function of x, the privacy loss."""
    return expectation(sp.Lambda(x, function), LOSS)


def test_an_expectation_is_not_a_symbol_that_happens_to_have_its_internal_name() -> None:
    named = sp.Symbol("E0")
    assert not proved(Relation(mean(sp.exp(x)), "=", named))
    assert not proved(Relation(mean(sp.exp(x)), "=", named), (Relation(named, ">", ZERO),))


def test_a_bound_on_what_does_not_grow_with_an_expectation_does_not_make_it_finite() -> None:
    bounded = Relation(1 - 1 / mean(sp.exp(x)), "<=", sp.Integer(1))  # holds of an infinite one, too
    assert not proved(Relation(mean(sp.exp(-x)), ">", ZERO), (bounded,))
    assert proved(Relation(mean(sp.exp(-x)), ">", ZERO), (Relation(mean(sp.exp(x)), "<=", y),))


def test_a_lower_bound_on_the_supremum_does_not_bound_the_loss() -> None:
    apart = Relation(mean(sp.exp(2 * x) - sp.exp(x)), "=", mean(sp.exp(2 * x)) - mean(sp.exp(x)))
    at_least = (Relation(essential_supremum(LOSS), ">=", y), Relation(essential_infimum(LOSS), ">=", -y))
    at_most = (Relation(essential_supremum(LOSS), "<=", y), Relation(essential_infimum(LOSS), ">=", -y))
    assert not proved(apart, at_least)  # the difference of two infinite expectations is no number
    assert proved(apart, at_most)


@pytest.mark.parametrize("outside", [Phi_inv(sp.pi), sp.atanh(sp.pi), sp.asin(sp.E), sp.acos(sp.Integer(2))])
def test_a_number_outside_the_domain_of_a_function_is_an_obligation_that_fails(outside: sp.Expr) -> None:
    assert not proved(Relation(outside, "=", outside))


def test_a_number_inside_the_domain_is_none() -> None:
    assert proved(Relation(sp.asin(sp.Rational(1, 3)), "<=", sp.Integer(2)))


@pytest.mark.cases(2)
@pytest.mark.parametrize(
    ("claim", "lets"),
    [
        pytest.param("x > 7", ("x: real", "y: real", "assume x > y", "assume y > x"), marks=pytest.mark.slow),
        pytest.param("x <= 7", ("x: real", "y: real", "assume x > y", "assume y > x"), marks=pytest.mark.slow),
        ("x > 5", ("x: real", "assume exp(x) < x")),
        ("x > 5", ("x: real", "y: real", "assume x^2+y^2 < -1")),
    ],
)
def test_what_follows_from_contradictory_conditions_is_not_accepted(claim: str, lets: tuple[str, ...]) -> None:
    relation, assume = read(claim, *lets)
    with pytest.raises(EmptyDomain):
        decide(relation, assume, time_limit=5)


@pytest.mark.parametrize(
    ("claim", "lets"),
    [
        ("integral(1/x, x, 0, 1) = integral(1/x, x, 0, 1)", ()),
        ("y*integral(1/x, x, 0, 1) + y^2 + 1 > y*integral(1/x, x, 0, 1)", ("y: real",)),
        ("integral(exp(-y*x), x, 0, oo) = integral(exp(-x*y), x, 0, oo)", ("y: real",)),
        ("sum(1/i, i, 1, oo) = sum(1/i, i, 1, oo)", ()),
        ("sum(y^i, i, 0, oo) = sum(y^i, i, 0, oo)", ("y > 0",)),
        ("sum(y^i, i, 0, k) = sum(y^i, i, 0, k)", ("y > 0", "k: integer")),
        ("sum(log(y-i), i, 0, k) = sum(log(y-i), i, 0, k)", ("y > 0", "k: integer, k >= 0")),
        ("minimum(log(x-y), x > 0) = minimum(log(x-y), x > 0)", ("y: real",)),
        ("limit(sin(x), x, oo) = limit(sin(x), x, oo)", ()),
        ("limit(x, x, log(y)) = limit(x, x, log(y))", ("y: real",)),
        ("integral(x, x, 0, log(y)) = integral(x, x, 0, log(y))", ("y: real",)),
    ],
)
def test_what_has_no_value_does_not_equal_itself(claim: str, lets: tuple[str, ...]) -> None:
    assert not proved(*read(claim, *lets), seconds=1)


@pytest.mark.parametrize(
    ("claim", "lets"),
    [
        ("integral(exp(-y*x), x, 0, oo) = integral(exp(-x*y), x, 0, oo)", ("y > 0",)),
        ("integral(exp(-x^2)*cos(x), x, 0, 1) = integral(cos(x)*exp(-x^2), x, 0, 1)", ()),
        ("sum(y^i*log(1+i), i, 0, k) = sum(y^i*log(1+i), i, 0, k)", ("y > 0", "k: integer, k >= 0")),
        ("minimum(y*x + 1/x, x > 0) = minimum(1/x + x*y, x > 0)", ("y > 0",)),
    ],
)
def test_what_has_a_value_equals_itself(claim: str, lets: tuple[str, ...]) -> None:
    assert proved(*read(claim, *lets))


@pytest.mark.slow
def test_a_series_is_defined_where_the_ratio_of_its_terms_in_the_other_direction_is_not() -> None:
    relation, assume = read("sum(y^i, i, 0, oo) >= 1", "0 <= y <= 1/2")  # 1/y at y = 0 does not matter
    assert decide(relation, assume, time_limit=3).verdict is not Verdict.REFUTED


def test_a_bound_on_a_multiple_of_a_variable_is_an_end_of_its_slice() -> None:
    along = slice_along(x, Domain((Relation(2 * x, ">", y), Relation(3 * x, "<=", sp.Integer(5)))))
    assert along is not None
    assert (set(along.lower), set(along.upper)) == ({y / 2}, {sp.Rational(5, 3)})
    assert (along.closed_below, along.closed_above) == (False, True)


def test_a_bound_that_may_be_infinite_makes_nothing_finite() -> None:
    positive = Relation(mean(sp.exp(-x)), ">", ZERO)  # not where the loss is infinite with probability 1
    assert not proved(positive, (Relation(mean(sp.exp(x)), "<=", mean(sp.exp(2 * x))),))
    assert not proved(positive, (Relation(essential_supremum(LOSS), "<=", essential_supremum(privacy_loss(Q, P))),))


@pytest.mark.slow
def test_an_integral_is_defined_where_the_rate_of_its_integrand_is_not() -> None:
    relation, assume = read("integral(y^x, x, 1, oo) >= 0", "0 <= y <= 1/2")  # log(y) at y = 0 does not matter
    assert decide(relation, assume, time_limit=3).verdict is not Verdict.REFUTED
    relation, assume = read("integral(log(y)*exp(-x), x, 0, oo) <= y", "0 <= y <= 1/2")  # here it does
    assert decide(relation, assume, time_limit=3).verdict is Verdict.REFUTED


SLOPE = derivative(sp.Lambda(y, sp.Abs(y)), 1, x)


@pytest.mark.parametrize(
    "partial", [sp.csc(x), sp.acoth(x), sp.LambertW(x), sp.Mod(x, y), sp.zeta(x), sp.Ei(x), SLOPE], ids=str
)
def test_a_function_that_may_be_undefined_there_does_not_equal_itself(partial: sp.Expr) -> None:
    assert not proved(Relation(partial, "=", partial))
    assert not proved(Relation(x**2 + 1 + partial, ">", partial))


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("claim", "lets"),
    [
        ("2*x >= 0", ("x >= -1", "0 <= y <= 2", "assume x*y >= 0")),  # not where y = 0
        ("abs(x) = x", ("x >= -1", "0 <= y <= 2", "assume x*y >= 0")),
        ("x >= 0", ("x >= -1", "z: real", "z >= 1", "0 <= y", "assume y <= z", "assume x*y >= 0")),
        ("x*exp(y) >= 0", ("-1 <= x <= 1", "0 <= y <= 1", "assume x*y >= 0")),
    ],
)
def test_a_condition_that_says_nothing_at_an_end_is_not_used_there(claim: str, lets: tuple[str, ...]) -> None:
    assert not proved(*read(claim, *lets))


@pytest.mark.parametrize(
    ("claim", "lets"),
    [
        ("2*x >= 0", ("x >= -1", "0 < y <= 2", "assume x*y >= 0")),
        ("y - x >= 0", ("0 <= x <= 1", "0 <= y <= 1", "assume x <= y")),
        ("x*y <= y^2", ("0 <= x <= 1", "0 <= y <= 1", "assume x <= y")),
        ("x*y^2 >= 0", ("x >= -1", "0 <= y <= 2", "assume x*y >= 0")),
    ],
)
def test_conditions_are_used_where_they_say_something(claim: str, lets: tuple[str, ...]) -> None:
    assert proved(*read(claim, *lets))


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("claim", "lets"),
    [
        ("max(0, x) - x > 0", ("-1 <= x <= 1", "y >= 1", "assume x*y > 0")),  # 0 inside, positive at an end left out
        ("min(x, y) - x < 0", ("x > 0", "0 <= y <= 2", "assume x = y")),
        ("min(x, y) - x != 0", ("x > 0", "0 <= y <= 2", "assume x = y")),
    ],
)
def test_a_sign_at_the_ends_is_not_one_inside(claim: str, lets: tuple[str, ...]) -> None:
    assert not proved(*read(claim, *lets))
