from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from dpsym.core.notation import Maximum, a, alpha, delta, epsilon, f, k, mu, rho, sigma, x, y
from dpsym.core.relations import (
    ForAll,
    IsInteger,
    NotAProposition,
    Relation,
    apply,
    exact,
    functions,
    propositions,
    relation,
    substitute,
)

g = sp.Function("g")
OPERATORS = ("=", "!=", "<", "<=", ">", ">=")
rationals = st.fractions(max_denominator=10**6).map(lambda q: sp.Rational(q.numerator, q.denominator))


# --- inert --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("op", OPERATORS)
def test_a_relation_is_never_evaluated_or_coerced(op: str) -> None:
    trivial = Relation(x, op, x)

    assert (trivial.lhs, trivial.op, trivial.rhs) == (x, op, x)
    with pytest.raises(TypeError, match="truth value"):
        bool(trivial)
    with pytest.raises(TypeError, match="truth value"):
        _ = trivial and trivial


@pytest.mark.parametrize("proposition", [IsInteger(k), ForAll(Relation(x, ">", 0), (x,))])
def test_no_proposition_has_a_truth_value(proposition: object) -> None:
    with pytest.raises(TypeError, match="truth value"):
        bool(proposition)


@given(st.sampled_from(OPERATORS), rationals, rationals)
def test_negation_holds_exactly_where_the_relation_does_not(op: str, left: sp.Rational, right: sp.Rational) -> None:
    holds = {"=": left == right, "!=": left != right, "<": left < right, "<=": left <= right,
             ">": left > right, ">=": left >= right}  # fmt: skip
    r = Relation(left, op, right)

    assert bool(holds[r.negated.op]) is not bool(holds[op])
    assert r.negated.negated == r
    assert r.swapped.swapped == r
    swapped = {"=": right == left, "!=": right != left, "<": right < left, "<=": right <= left,
               ">": right > left, ">=": right >= left}  # fmt: skip
    assert bool(swapped[r.swapped.op]) is bool(holds[op])


def test_relations_are_equal_when_spelled_alike_only() -> None:
    assert Relation(x, "<", y) == Relation(x, "<", y)
    assert Relation(x, "<", y) != Relation(y, ">", x)
    assert len({Relation(x, "<", y), Relation(x, "<", y)}) == 1


# --- what is a proposition ----------------------------------------------------------------------------


@pytest.mark.parametrize("built", [epsilon >= 0, sp.Eq(x, y), sp.Ne(x, y), x < y, x > 0, sp.Le(x, y)])
def test_an_unevaluated_sympy_relation_is_taken_over(built: sp.Rel) -> None:
    assert (relation(built).lhs, relation(built).rhs) == (built.lhs, built.rhs)


@pytest.mark.parametrize(
    "impostor",
    [True, False, sp.true, sp.false, x, x + 1, sp.Integer(1), "x > 0", None, sp.Eq(x, x), sp.And(x > 0, y > 0)],
)
def test_what_is_no_relation_is_refused(impostor: object) -> None:
    with pytest.raises(NotAProposition):
        relation(impostor)
    with pytest.raises(NotAProposition):
        propositions([x > 0, impostor])


def test_a_relation_that_python_evaluated_is_named_as_such() -> None:
    with pytest.raises(NotAProposition, match="before dpsym saw it"):
        relation(sp.Integer(3) > 2)


@pytest.mark.parametrize("op", ["==", "=<", "", "in", "≤"])
def test_an_unknown_operator_is_refused(op: str) -> None:
    with pytest.raises(NotAProposition, match="is not one of"):
        Relation(x, op, y)


@pytest.mark.parametrize("side", [sp.Interval(0, 1), sp.true, sp.Tuple(x, y)])
def test_a_side_that_is_no_expression_is_refused(side: sp.Basic) -> None:
    with pytest.raises(NotAProposition):
        Relation(side, "<", x)


# --- exactness ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "inexact", [0.1, 1.0, float("nan"), float("inf"), "1/10", True, 1j, None, [1], sp.Float("0.1"), x + 0.5]
)
def test_floats_text_and_others_are_refused(inexact: object) -> None:
    with pytest.raises(TypeError):
        exact(inexact)


@given(st.integers() | st.fractions())
def test_integers_and_fractions_stay_what_they_are(value: int | Fraction) -> None:
    assert Fraction(int(exact(value).p), int(exact(value).q)) == value


def test_a_float_does_not_slip_in_through_a_relation_or_a_substitution() -> None:
    with pytest.raises(TypeError, match="exact"):
        Relation(x, "<", 0.1)
    with pytest.raises(TypeError, match="exact"):
        Relation(x, "<", y).subs({x: 0.1})


# --- substitution -------------------------------------------------------------------------------------


def test_substitution_is_simultaneous() -> None:
    assert substitute(mu / sigma, {mu: sigma, sigma: mu}) == sigma / mu


def test_a_function_symbol_is_replaced_by_a_lambda_or_another_function() -> None:
    assert substitute(f(a) + f(1), {f: sp.Lambda(x, 1 - x)}) == 1 - a
    assert substitute(f(a), {f: g}) == g(a)
    assert substitute(f(f(a)), {f: sp.Lambda(x, x**2)}) == a**4


BINDERS = [
    sp.Lambda(a, f(a) + mu * a),
    sp.Integral(mu * a, (a, 0, mu)),
    sp.Sum(mu * a, (a, 1, mu)),
    sp.Product(mu + a, (a, 1, 3)),
    sp.Limit(mu * a, a, mu),
    Maximum(sp.Lambda(a, mu - a), sp.Interval(0, 1)),
    sp.Integral(mu * a * x, (x, 0, a), (a, 0, mu)),
]


@pytest.mark.parametrize("binder", BINDERS, ids=str)
def test_nothing_is_captured(binder: sp.Basic) -> None:
    """Substituting a free `a` under a binder of `a` is substituting a fresh symbol and renaming it."""
    fresh = sp.Symbol("fresh")
    direct = substitute(binder, {mu: a})

    assert direct.free_symbols == (binder.free_symbols - {mu}) | {a}
    assert substitute(direct, {a: sp.Integer(2)}) == _renamed(substitute(binder, {mu: sp.Integer(2)}), direct)
    assert substitute(binder, {mu: fresh}).free_symbols == (binder.free_symbols - {mu}) | {fresh}


def _renamed(expected: sp.Basic, like: sp.Basic) -> sp.Basic:
    """`expected` with its bound `a` named as in `like`."""
    return expected.replace(lambda e: e == a, lambda _: sp.Symbol("a_1")) if like.has(sp.Symbol("a_1")) else expected


@pytest.mark.parametrize("binder", BINDERS, ids=str)
def test_a_bound_symbol_is_not_substituted(binder: sp.Basic) -> None:
    assert substitute(binder, {a: sp.Integer(7)}) == binder


def test_for_all_refuses_to_capture_and_leaves_its_variables_alone() -> None:
    curve = ForAll(Relation(x, "<=", rho * alpha), (alpha,), (alpha > 1,))

    assert curve.free_symbols == {x, rho}
    assert curve.subs({alpha: sp.Integer(2)}) == curve
    assert curve.subs({rho: mu**2 / 2}).relation.rhs == mu**2 * alpha / 2
    with pytest.raises(ValueError, match="capture"):
        curve.subs({rho: 1 / alpha})


def test_applying_does_not_capture_either() -> None:
    inner = sp.Lambda(x, sp.Lambda(a, a + x))

    assert apply(apply(inner, (a,)), (sp.Integer(5),)) == a + 5
    with pytest.raises(TypeError, match="not a function of 2"):
        apply(inner, (x, y))
    with pytest.raises(TypeError):
        apply(x, (y,))


def test_the_functions_of_an_expression_are_found_in_lambdas_too() -> None:
    assert functions(sp.Lambda(a, f(a)), g(x) + 1) == {f, g}


@given(st.dictionaries(st.sampled_from([epsilon, delta, mu, x]), rationals, max_size=4))
def test_substitution_agrees_with_sympy_where_nothing_is_bound(table: dict[sp.Symbol, sp.Rational]) -> None:
    e = epsilon * delta + sp.sqrt(mu**2 + 1) - sp.exp(x) * delta**2

    assert substitute(e, table) == e.subs(table, simultaneous=True)
    assert Relation(e, "<", x).subs(table).lhs == substitute(e, table)
    assert IsInteger(e).subs(table).expression == substitute(e, table)
