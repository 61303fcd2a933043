from __future__ import annotations

import dataclasses
from decimal import Decimal
from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from dpsym import catalogue
from dpsym.core.distributions import Finite
from dpsym.core.notation import Delta, P, Q, a, alpha, b, delta, epsilon, f, k, mu, renyi, rho, sigma, x
from dpsym.core.relations import IsInteger, NotAProposition, Relation
from dpsym.entries.mechanisms.gaussian import gaussian
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.composition import add
from dpsym.entries.notions.fdp import fdp
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import (
    Claim,
    Composed,
    Definition,
    Guarantee,
    Mechanism,
    Norm,
    Setting,
    Source,
    StatementError,
    Theorem,
    Use,
)

HERE = Source("DR14", "nowhere")


def theorem(**changes: object) -> Theorem:
    """A well-formed theorem, changed."""
    fields: dict[str, object] = {
        "id": "t",
        "title": "a theorem",
        "premises": (zcdp(rho),),
        "conclusion": approx(rho + 1 / delta, delta),
        "assume": (delta > 0,),
        "chooses": (delta,),
        "source": HERE,
    }
    return Theorem(**{**fields, **changes})


def definition(**changes: object) -> Definition:
    fields: dict[str, object] = {
        "id": "d",
        "title": "a notion",
        "params": (epsilon,),
        "domain": (epsilon >= 0,),
        "means": Relation(renyi(sp.oo, P, Q), "<=", epsilon),
        "compose": {epsilon: add},
        "source": HERE,
    }
    return Definition(**{**fields, **changes})


def mechanism(**changes: object) -> Mechanism:
    fields: dict[str, object] = {
        "id": "m",
        "title": "a mechanism",
        "params": {epsilon: None},
        "domain": (epsilon > 0,),
        "outputs": (Finite((1, 0)), Finite((0, 1))),
        "norm": Norm.NONE,
        "why_dominating": "there are two inputs",
        "claims": (Claim(pure(epsilon), HERE),),
        "source": HERE,
    }
    return Mechanism(**{**fields, **changes})


def test_the_samples_are_well_formed() -> None:
    assert theorem().id == "t"
    assert definition().id == "d"
    assert mechanism().id == "m"


# --- ill-formed statements are refused when made ------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"conclusion": approx(rho + sigma, delta)}, "unbound sigma"),
        ({"assume": (sigma > 0, delta > 0)}, "unbound sigma"),
        ({"chooses": ()}, "unbound delta"),
        ({"conclusion": approx(rho * k, delta)}, "unbound k"),
        ({"chooses": (delta, rho)}, "rho is given by the premise"),
        ({"chooses": (delta, mu)}, "nothing depends on the choice of mu"),
        ({"premises": ()}, "needs a premise"),
        ({"conclusion": fdp(f), "chooses": (), "assume": ()}, "unbound f"),
        ({"lossless": True}, "what loses nothing is exact"),
    ],
)
def test_an_ill_formed_theorem_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(StatementError, match=message):
        theorem(**changes)


@pytest.mark.parametrize("condition", [True, False, rho, sp.true, "rho > 0", sp.Eq(rho, rho)])
def test_a_condition_that_is_no_proposition_is_refused(condition: object) -> None:
    with pytest.raises(NotAProposition):
        theorem(assume=(condition,))
    with pytest.raises(NotAProposition):
        definition(domain=(condition,))
    with pytest.raises(NotAProposition):
        mechanism(domain=(condition,))
    with pytest.raises(NotAProposition):
        Claim(pure(epsilon), HERE, assume=(condition,))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"means": Relation(renyi(alpha, P, Q), "<=", epsilon)}, "unbound alpha"),
        ({"domain": (sigma > 0,)}, "unbound sigma"),
        ({"compose": {delta: add}}, "composition rule is needed for exactly"),
        ({"compose": {epsilon: add, delta: add}}, "composition rule is needed for exactly"),
    ],
)
def test_an_ill_formed_definition_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(StatementError, match=message):
        definition(**changes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"domain": (sigma > 0,)}, "unbound sigma"),
        ({"claims": (Claim(pure(sigma), HERE),)}, "unbound sigma"),
        ({"claims": (Claim(pure(epsilon), HERE, assume=(sigma > 0,)),)}, "unbound sigma"),
    ],
)
def test_an_ill_formed_mechanism_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(StatementError, match=message):
        mechanism(**changes)


# --- parameters ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "named", "message"),
    [
        ((), {}, "epsilon is missing"),
        ((1,), {}, "delta is missing"),
        ((1, 0, 0), {}, "takes 2 parameters, not 3"),
        ((1,), {"epsilon": 1, "delta": 0}, "epsilon is given twice"),
        ((1,), {"gamma": 0}, "no parameter 'gamma'"),
    ],
)
def test_parameters_are_named_counted_and_not_doubled(
    args: tuple[int, ...], named: dict[str, int], message: str
) -> None:
    with pytest.raises(StatementError, match=message):
        approx(*args, **named)


@pytest.mark.parametrize("value", [sp.nan, sp.oo, -sp.oo, sp.zoo, sp.I, 1 + sp.I, 1 / sp.Integer(0)])
def test_what_is_no_finite_real_number_is_refused(value: sp.Expr) -> None:
    for make in (pure, zcdp, gdp, lambda v: gaussian(sigma=v), lambda v: gaussian(1) ** v):
        with pytest.raises(StatementError, match="not a finite real number"):
            make(value)


@pytest.mark.parametrize("value", [None, True, 1j, [1], 1 + sp.Float("0.5") * sigma])
def test_what_is_not_exact_is_refused(value: object) -> None:
    for make in (pure, gdp, lambda v: gaussian(sigma=v), lambda v: gaussian(1) ** v):
        with pytest.raises(TypeError):
            make(value)


def test_a_float_is_the_decimal_that_it_prints() -> None:
    for value in (0.1, Decimal("0.1"), Fraction(1, 10)):
        assert gaussian(sigma=value) == gaussian(sigma=sp.Rational(1, 10))
    for value in (float("nan"), float("inf"), Decimal("1e99999999")):
        with pytest.raises(StatementError):
            gaussian(sigma=value)
    with pytest.raises(StatementError, match="positive integer"):
        gaussian(1) ** 0.5


@pytest.mark.parametrize("outside", [{"sigma": -1}, {"sigma": 0}, {"sigma": 1, "Delta": -0.5}])
def test_a_number_outside_the_domain_is_refused_at_once(outside: dict[str, object]) -> None:
    with pytest.raises(StatementError, match="is required"):
        gaussian(**outside)
    assert gaussian(sigma=sigma).free_symbols == {sigma}


@given(st.fractions(), st.fractions())
def test_parameters_by_position_and_by_name_are_the_same(e: Fraction, d: Fraction) -> None:
    assert approx(e, d) == approx(epsilon=e, delta=d) == approx(e, delta=d)
    assert hash(approx(e, d)) == hash(approx(delta=d, epsilon=e))
    assert approx(e, d).bound[epsilon] == sp.Rational(e.numerator, e.denominator)


def test_a_default_fills_in_and_only_where_there_is_one() -> None:
    assert gaussian(sigma=2).args == {sigma: 2, Delta: 1}
    with pytest.raises(StatementError, match="sigma is missing"):
        gaussian(Delta=1)


def test_a_goal_fixes_some_parameters() -> None:
    goal = approx.goal(delta=Fraction(1, 100))

    assert goal.fixed == {delta: sp.Rational(1, 100)}
    assert approx.goal().fixed == {}
    with pytest.raises(StatementError, match="no parameter"):
        approx.goal(gamma=1)


# --- curves and functions -----------------------------------------------------------------------------


def test_a_function_may_be_given_as_symbol_lambda_or_expression_in_the_index() -> None:
    as_expression = fdp(1 - a)

    assert as_expression == fdp(sp.Lambda(a, 1 - a)) == fdp(sp.Lambda(x, 1 - x))
    assert fdp(f).subs({f: sp.Lambda(x, 1 - x)}) == as_expression
    assert as_expression.free_symbols == set()
    assert fdp(1 - a * mu).free_symbols == {mu}


def test_renaming_the_argument_of_a_function_does_not_capture() -> None:
    shifted = fdp(sp.Lambda(x, 1 - x * a))

    assert shifted.free_symbols == {a}
    assert shifted.subs({a: sp.Integer(2)}) == fdp(1 - 2 * a)


def test_a_guarantee_is_substituted_in_its_parameters_and_its_domain() -> None:
    curve = rdp(alpha, alpha * rho)

    assert curve.subs({alpha: sp.Integer(2), rho: mu**2 / 2}) == rdp(2, mu**2)
    assert Relation(alpha * rho, ">=", sp.Integer(0)) in curve.domain
    assert Relation(sp.Integer(2), ">", sp.Integer(1)) in curve.subs({alpha: sp.Integer(2)}).domain


# --- composition --------------------------------------------------------------------------------------


def test_uses_compose_and_keep_their_counts() -> None:
    one, two = gaussian(sigma=1), gaussian(sigma=2)

    assert (one**3).parts == ((one, 3),)
    assert (one * two).parts == ((one, 1), (two, 1))
    assert ((one**2 * two) ** 3).parts == ((one, 6), (two, 3))
    assert ((one**k) ** 2).parts == ((one, 2 * k),)
    assert (one * (two * one)).parts == ((one * two) * one).parts
    assert (one**k).free_symbols == {k}


def test_only_mechanisms_compose() -> None:
    with pytest.raises(TypeError):
        gaussian(sigma=1) * 3
    with pytest.raises(TypeError):
        pure(1) * pure(1)


# --- frozen -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "statement",
    [pure, pure(1), gaussian, gaussian(1), gaussian(1) ** 2, theorem(), HERE, approx.goal(delta=1)],
    ids=lambda statement: type(statement).__name__,
)
def test_a_statement_cannot_be_changed_and_can_be_a_key(statement: object) -> None:
    for name in (field.name for field in dataclasses.fields(statement)):
        with pytest.raises((dataclasses.FrozenInstanceError, TypeError)):
            setattr(statement, name, None)
    assert {statement: 1}[statement] == 1


def test_equal_uses_are_one_key() -> None:
    assert len({gaussian(1), gaussian(sigma=1), Use(gaussian, {sigma: sp.Integer(1), Delta: sp.Integer(1)})}) == 1
    assert gaussian(1) != gaussian(2)
    assert isinstance(gaussian(1) ** 2, Composed)


# --- conditions ---------------------------------------------------------------------------------------


def test_the_conditions_are_the_domains_of_the_orders_and_what_is_assumed() -> None:
    conditions = catalogue.theorems()["rdp_to_approx"].conditions

    assert Relation(alpha, ">", sp.Integer(1)) in conditions
    assert Relation(delta, ">", sp.Integer(0)) in conditions
    assert Relation(delta, "<", sp.Integer(1)) in conditions


def test_a_count_may_stand_in_conclusion_and_conditions() -> None:
    counted = theorem(
        premises=(pure(epsilon),),
        conclusion=pure(k * epsilon),
        assume=(IsInteger(k), k >= 1),
        chooses=(),
        setting=Setting.COMPOSITION,
        count=k,
    )
    assert set(counted.conditions) == {IsInteger(k), Relation(k, ">=", sp.Integer(1))}


def test_statements_print_as_they_are_written() -> None:
    assert str(gaussian(sigma=200) ** 500) == "gaussian(sigma=200, Delta=1) ** 500"
    assert str(approx.goal(delta=Fraction(1, 100000))) == "approx(delta=1/100000)"
    assert str(pure(b)) == "pure(b)"
    assert str(Guarantee(fdp, (1 - a,))) == "fdp(1 - a)"
