"""Proofs are cross-examined at points, and witnesses by mpmath: a broken strategy is found out and reproduced."""

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from dpsym import deciding
from dpsym.core.notation import Phi, Phi_inv, phi
from dpsym.core.relations import IsInteger, Relation
from dpsym.core.verdicts import Method, Verdict
from dpsym.deciding import InternalContradiction, decide
from dpsym.deciding.counterexamples import finding, points
from dpsym.deciding.domain import Domain
from dpsym.deciding.mpmath_check import confirms, contradicts
from dpsym.deciding.strategies.strategy import Yes
from dpsym.numbers import Comparison, compare

x, y, k = sp.symbols("x y k")
ONE = sp.Integer(1)


def believing(verdict):
    """A strategy that says yes to everything."""
    return lambda question: Yes(verdict, Method.BRANCH_AND_BOUND, "believe me")


FALSE = [
    (Relation(x, ">=", ONE), (x > 0,)),
    (Relation(sp.exp(x), "<=", 1 + x), ()),
    (Relation(sp.log(1 + x), "=", x - x**2 / 2), (x > 0,)),
    (Relation(sp.exp(x) * sp.Rational(999, 1000), ">=", 1 + x), (x > -1, x < 1)),
    (Relation(Phi(x), "<=", sp.Rational(999, 1000)), ()),
    (Relation(sp.Sum(k, (k, 1, y)), "=", y * (y + 1) / 2 + sp.Rational(1, 1000)), (y >= 1, IsInteger(y))),
    (Relation(x * (1 - x), "<", sp.Rational(1, 4)), (x > 0, x < 1)),
]


@pytest.mark.parametrize("verdict", [Verdict.PROVED, Verdict.CERTIFIED])
@pytest.mark.parametrize("strategies", ["EXACT", "REST"])
@pytest.mark.parametrize(("relation", "assume"), FALSE[:3])
def test_a_broken_strategy_is_found_out(monkeypatch, strategies, verdict, relation, assume):
    monkeypatch.setattr(deciding, strategies, (believing(verdict),))
    monkeypatch.setattr(finding.Refuting, "quickly" if strategies == "REST" else "deeply", lambda *_, **__: None)

    with pytest.raises(InternalContradiction):
        decide(relation, assume)


@pytest.mark.parametrize(("relation", "assume"), FALSE)
def test_what_is_said_to_be_exact_is_looked_at_all_the_same(monkeypatch, relation, assume):
    monkeypatch.setattr(deciding, "EXACT", (believing(Verdict.PROVED),))

    with pytest.raises(InternalContradiction):
        decide(relation, assume)


def test_the_error_has_all_that_reproduces_it(monkeypatch):
    monkeypatch.setattr(deciding, "EXACT", (believing(Verdict.PROVED),))
    relation, assume = FALSE[0]

    with pytest.raises(InternalContradiction) as caught:
        decide(relation, assume, seed=7)

    said = str(caught.value)
    for part in ("x >= 1", "x > 0", "believe me", "seed=7", "dpsym ", "sympy "):
        assert part in said, said
    call = said[said.index("decide(") :].partition("  [")[0]
    assert "assume=['x > 0']" in call


def test_mpmath_finds_out_a_proof_that_ball_arithmetic_shares_the_error_of(monkeypatch):
    def mistaken(relation, at=None, **_):
        return Comparison(True)  # as if the enclosures agreed with the broken proof

    monkeypatch.setattr(deciding, "EXACT", (believing(Verdict.CERTIFIED),))
    monkeypatch.setattr(points, "compare", mistaken)
    monkeypatch.setattr(finding, "search", lambda *_, **__: iter(()))

    with pytest.raises(InternalContradiction, match="mpmath"):
        decide(Relation(sp.exp(x), "<=", 1 + x), ())


def test_mpmath_finds_out_a_witness_at_which_the_relation_holds(monkeypatch):
    def mistaken(relation, at=None, **_):
        found = compare(relation, at)
        return Comparison(False, found.lhs, found.rhs)

    monkeypatch.setattr(points, "compare", mistaken)

    with pytest.raises(InternalContradiction, match="mpmath"):
        decide(Relation(sp.exp(x) + sp.gamma(x), ">", sp.Rational(3, 2) + x), (x > 0,))


def test_mpmath_finds_out_what_is_only_seen_to_hold(monkeypatch):
    monkeypatch.setattr(deciding, "REST", ())
    monkeypatch.setattr(finding, "compare", lambda *_, **__: Comparison(True))
    monkeypatch.setattr(points, "compare", lambda *_, **__: Comparison(True))
    monkeypatch.setattr(finding, "search", lambda *_, **__: iter(()))

    with pytest.raises(InternalContradiction, match="mpmath"):
        decide(Relation(sp.exp(x), "<=", 1 + x + x**2 / 3), (x > 0,))


def test_right_proofs_and_right_witnesses_pass():
    assert decide(Relation(sp.exp(x), ">", x)).verdict in (Verdict.PROVED, Verdict.CERTIFIED)
    assert decide(Relation(sp.exp(x), "<=", 1 + x)).verdict is Verdict.REFUTED


# --- the independent values


def test_values_that_cancel_are_absorbed_or_are_too_far_out_say_nothing():
    tiny = sp.Rational(1, 10**11)
    for relation, point in [
        (Relation(sp.exp(-(x**2)) + 1, ">", ONE), {x: sp.Integer(40)}),
        (Relation(sp.log(Phi(x)), "<", sp.Integer(0)), {x: sp.Integer(60)}),
        (Relation(1 - Phi(x), ">", sp.Integer(0)), {x: sp.Integer(60)}),
        (Relation(sp.cosh(x) - 1 - x**2 / 2, ">", sp.Integer(0)), {x: tiny}),
        (Relation(sp.floor(sp.log(8) / sp.log(2)), "=", sp.Integer(3)), {}),
        (Relation(x, ">", sp.Integer(0)), {x: sp.Rational(1, 10**40)}),
        (Relation(sp.log(x), ">", sp.Integer(0)), {x: sp.Integer(-1)}),
        (
            Relation(
                sp.sqrt(2) ** 2,
                "=",
                sp.Integer(2),
            ),
            {},
        ),
        (Relation(sp.sqrt(x) * sp.sqrt(x), "!=", x), {x: sp.Integer(3)}),
    ]:
        assert not contradicts(relation, point), relation
        assert not contradicts(relation.negated, point), relation
        assert not confirms(relation, point) or relation.op != "=", relation


exact_points = st.fractions(min_value="1/1000", max_value=1000, max_denominator=1000)
expressions = st.recursive(
    st.sampled_from([x, y, ONE, sp.Rational(1, 3), sp.pi]),
    lambda e: st.one_of(
        st.tuples(e, e).map(sum),
        st.tuples(e, e).map(lambda p: p[0] * p[1]),
        st.tuples(e, e).map(lambda p: p[0] - p[1]),
        e.map(lambda a: sp.exp(-(a**2))),
        e.map(lambda a: sp.log(1 + a**2)),
        e.map(lambda a: sp.sqrt(1 + a**2)),
        e.map(lambda a: 1 / (1 + a**2)),
        e.map(Phi),
        e.map(phi),
        e.map(lambda a: Phi_inv(1 / (2 + a**2))),
        e.map(lambda a: sp.Max(a, 0, evaluate=False)),
    ),
    max_leaves=5,
)


@given(expressions, expressions, exact_points, exact_points, st.sampled_from(["<", "<=", ">", ">=", "="]))
def test_mpmath_never_contradicts_what_enclosures_tell(left, right, first, second, op):
    relation = Relation(left, op, right)
    point = {x: sp.Rational(first.numerator, first.denominator), y: sp.Rational(second.numerator, second.denominator)}
    told = compare(relation, point).holds
    if contradicts(relation, point):
        assert told is not True
    if confirms(relation, point):
        assert told is not False


@given(exact_points)
def test_mpmath_does_contradict_what_is_clearly_false(value):
    point = {x: sp.Rational(value.numerator, value.denominator)}

    assert contradicts(Relation(sp.exp(-x), ">", 1 + x), point)
    assert confirms(Relation(sp.exp(-x), "<", 1 + x), point)
    assert Domain((x > 0,)).contains(point)
