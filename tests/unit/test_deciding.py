"""Deciding: what is proved, what is refuted, what stays open, and that domains decide."""

from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from dpsym.core.relations import IsInteger, NotAProposition, Relation
from dpsym.core.verdicts import Method, Verdict
from dpsym.deciding import Domain, EmptyDomain, Limits, decide, vanishes
from dpsym.language import read_declaration, read_relations
from dpsym.numbers import compare

x = sp.Symbol("x")
R_L = ("rho > 0", "L > 0")
DELTA = ("eps > 0", "0 < delta < 1")
Q = ("0 < q < 1", "eps > 0")

PROVED = [
    ("rho*alpha + L/(alpha-1) >= rho + 2*sqrt(rho*L)", (*R_L, "alpha > 1")),
    ("rho*alpha + L/(alpha-1) = rho + rho*(alpha-1) + L/(alpha-1)", (*R_L, "alpha > 1")),
    ("rho + 2*sqrt(rho*L) = rho*(1 + sqrt(L/rho)) + L/sqrt(L/rho)", R_L),
    ("2*sqrt(rho*L) = sqrt(4*rho*L)", R_L),
    ("sqrt(rho^2 + 2*rho*L + L^2) = rho + L", R_L),
    ("exp(eps)/((1-q)*exp(eps)+q) <= 1-q+q*exp(eps)", Q),
    ("1/(1-q+q*exp(-eps)) = exp(eps)/((1-q)*exp(eps)+q)", Q),
    ("16*k*log(1/(delta/2))*log(1.25/(delta/(2*k)))/eps^2 = 16*k/eps^2*log(2/delta)*(log(2.5/delta)+log(k))",
     (*DELTA, "k: integer, k >= 1")),
    ("floor(x) <= floor(x + 1/2)", ("x: real",)),
    ("tanh(eps/2) = (exp(eps)-1)/(exp(eps)+1)", ("eps: real",)),
    ("(sinh(alpha*eps) - sinh((alpha-1)*eps))/sinh(eps) = (exp(alpha*eps)+exp((1-alpha)*eps))/(1+exp(eps))",
     ("eps > 0", "alpha > 1")),
    ("Phi(-x) = 1 - Phi(x)", ("x: real",)),
    ("erf(x) = 2*Phi(x*sqrt(2)) - 1", ("x: real",)),
    ("erfc(x) = 2*Phi(-x*sqrt(2))", ("x: real",)),
    ("Phi(Phi_inv(p)) = p", ("0 < p < 1",)),
    ("Phi_inv(1-p) = -Phi_inv(p)", ("0 < p < 1",)),
    ("phi(x) = exp(-x^2/2)/sqrt(2*pi)", ("x: real",)),
    ("log(1/delta) > 0", ("0 < delta < 1",)),
    ("log(x^2) = 2*log(x)", ("x > 0",)),
    ("log(x^2) = 2*log(abs(x))", ("x < 0",)),
    ("sqrt(x^2) = x", ("x >= 0",)),
    ("sqrt(x^2) = -x", ("x <= 0",)),
    ("sqrt(x^2) = abs(x)", ("x: real",)),
    ("x/x = 1", ("x > 0",)),
    ("exp(log(x)/2) = sqrt(x)", ("x > 0",)),
    ("(a*b)^c = a^c*b^c", ("a > 0", "b > 0", "c: real")),
    ("2^(x+1) = 2*2^x", ("x: real",)),
    ("max(0, x) >= x", ("x: real",)),
    ("x^2 + y^2 >= 2*x*y", ("x: real", "y: real")),
    ("x*(1-x) >= 0", ("0 <= x <= 1",)),
    ("sqrt(x+1) > sqrt(x)", ("x >= 0",)),
    ("1/x >= 1", ("0 < x <= 1",)),
]  # fmt: skip

REFUTED = [
    ("sqrt(x^2) = x", ("x: real",)),
    ("log(x^2) = 2*log(x)", ("x: real",)),
    ("sqrt(x)*sqrt(y) = sqrt(x*y)", ("x: real", "y: real")),
    ("x/x = 1", ("x: real",)),
    ("log(1+q*(exp(eps)-1)) <= q*eps", Q),
    ("eps^2/(4*L) + eps <= eps", ("eps > 0", "L > 0")),
    ("rho + 2*sqrt(rho*L) = 2*sqrt(rho*L)", R_L),
    ("rho*alpha + L/(alpha-1) >= 1.001*rho + 2*sqrt(rho*L)", (*R_L, "alpha > 1")),
    ("exp(x) >= 1 + x + 1e-30", ("x: real",)),
    ("exp(pi*sqrt(163)) = 262537412640768744", ()),
    ("log(10) = 2.302585092994045684", ()),
    ("log(delta) > 0", ("0 < delta < 1",)),
    ("1/x > 1", ("0 < x <= 1",)),
    ("x > 0", ("x >= 0",)),
    ("log(x) >= -5", ("x: real",)),
    ("exp(2*log(abs(x))) = x*abs(x)", ("x < 0",)),
    ("exp(3*log(abs(x))) = x^3", ("x < 0",)),
    ("sqrt(x)^2 = x", ("x: real",)),
    ("k/2 >= 1", ("k: integer, k >= 1",)),
    ("alpha*eps^2/2.05 >= log((exp(alpha*eps)+exp((1-alpha)*eps))/(1+exp(eps)))/(alpha-1)",
     ("0 < eps < 2", "1 < alpha < 8")),
]  # fmt: skip

NEVER_PROVED_NOR_REFUTED = [  # true, and beyond every strategy
    ("gamma(x)*gamma(1 - x) >= 3", ("0 < x", "x < 1")),
]


def settle(claim, lets, limit=10):
    reading = read_relations(claim)
    assume = [p for let in lets for p in read_declaration(let)[1]]
    decisions = [decide(r, assume, needs=reading.needs, time_limit=limit) for r in reading.relations]
    assert len(decisions) == 1
    return decisions[0], reading.relations[0]


@pytest.mark.parametrize(("claim", "lets"), PROVED)
def test_identities_and_signs_of_the_field_are_proved(claim, lets):
    decision, _ = settle(claim, lets)
    assert decision.verdict is Verdict.PROVED, decision
    assert decision.method in (Method.CANONICAL_FORM, Method.EXACT_SIGN)


@pytest.mark.cases(2)
@pytest.mark.parametrize(("claim", "lets"), REFUTED)
def test_false_relations_are_refuted_at_a_point_that_can_be_checked(claim, lets):
    decision, relation = settle(claim, lets)
    assert decision.verdict is Verdict.REFUTED, decision
    point = {sp.Symbol(n): sp.Rational(v.numerator, v.denominator) for n, v in decision.witness.point.items()}
    assert decision.witness.obligation or compare(relation, point).holds is False


@pytest.mark.cases(1)
@pytest.mark.parametrize(("claim", "lets"), NEVER_PROVED_NOR_REFUTED)
def test_what_is_only_sampled_is_only_supported(claim, lets):
    decision, _ = settle(claim, lets, 0.5)
    assert decision.verdict in (Verdict.SUPPORTED, Verdict.OPEN), decision
    if decision.verdict is Verdict.SUPPORTED:
        assert decision.points > 0


@pytest.mark.parametrize(
    ("claim", "lets"),
    [
        ("exp(3*log(abs(x))) = x^3", ("x: real",)),
        ("sqrt(x^2*y) = x*sqrt(y)", ("x: real", "y >= 0")),
        ("log(x*y) = log(x) + log(y)", ("x < 0", "y < 0")),
        ("(x^2)^(1/2) = x", ("x: real",)),
        ("(x^c)^d = x^(c*d)", ("x: real", "c: real", "d: real")),
        ("abs(x) = x", ("x: real",)),
        ("sqrt(1/x) = 1/sqrt(x)", ("x: real",)),
        ("sqrt((x-1)^2) = x - 1", ("0 <= x <= 2",)),
        ("max(x, y) = x", ("x: real", "y: real")),
        ("Phi_inv(Phi(x)) = -x", ("x > 0",)),
        ("log(exp(x)) = abs(x)", ("x: real",)),
        ("floor(x) = x", ("0 <= x <= 1",)),
    ],
)
def test_each_rewriting_rule_is_refused_where_it_is_illegal(claim, lets):
    assert settle(claim, lets)[0].verdict is not Verdict.PROVED


def test_a_refutation_needs_a_witness_and_nothing_is_a_boolean():
    decision = decide(Relation(x, ">", sp.Integer(0)), (x > 1,))
    with pytest.raises(TypeError):
        bool(decision)
    with pytest.raises(TypeError):
        bool(decision.verdict)


def test_contradictory_assumptions_are_an_error_and_prove_nothing():
    for assume in ((x > 1, x < 0), (x > 1, x < 1), (x >= 1, x < 1)):
        with pytest.raises(EmptyDomain):
            decide(Relation(x, "=", x + 1), assume)
    k = sp.Symbol("k")
    with pytest.raises(EmptyDomain):
        decide(Relation(k, "=", k), read_declaration("k: integer, k > 1, k < 2")[1])


def test_a_domain_in_which_no_point_is_found_supports_nothing():
    hidden = Relation(sp.exp(x), "=", sp.pi)  # only x = log(pi), which no rational point reaches
    assert decide(Relation(x, ">", sp.Integer(5)), (hidden,), time_limit=0.5).verdict is Verdict.OPEN


def test_what_is_not_a_relation_is_refused():
    for thing in (True, sp.true, x, None):
        with pytest.raises(NotAProposition):
            decide(thing)


def test_an_assumption_is_used():
    y = sp.Symbol("y")
    assert decide(Relation(x, "<=", y), (Relation(x, "<=", y),)).verdict is Verdict.PROVED


@pytest.mark.slow
def test_limits_are_passed_down_to_what_a_strategy_asks():
    i, n = sp.Symbol("i"), sp.Symbol("n")
    relation = Relation(sp.Sum(i, (i, 1, n)), "=", n * (n + 1) / 2)  # with a closed form in its place it is asked again
    assume = (IsInteger(n), Relation(n, ">=", sp.Integer(1)))

    assert decide(relation, assume).verdict is Verdict.PROVED
    assert decide(relation, assume, time_limit=2.0, limits=Limits(deepest=0)).verdict is not Verdict.PROVED


def test_the_same_question_has_the_same_answer():
    claim = Relation(sp.exp(x), ">=", 1 + x + x**2 / 2)
    assert decide(claim) == decide(claim)


atoms = st.sampled_from([sp.Symbol("x"), sp.Symbol("y"), sp.Integer(2), sp.Rational(1, 3), sp.pi])


def larger(inner):
    return st.one_of(
        st.tuples(inner, inner).map(lambda p: p[0] + p[1]),
        st.tuples(inner, inner).map(lambda p: p[0] * p[1]),
        inner.map(lambda e: sp.exp(-e)),
        inner.map(lambda e: sp.log(1 + e**2)),
        inner.map(lambda e: sp.sqrt(1 + e**2)),
        inner.map(lambda e: 1 / (2 + e**2)),
    )


expressions = st.recursive(atoms, larger, max_leaves=6)
POSITIVE = Domain(tuple(p for let in ("x > 0", "y > 0") for p in read_declaration(let)[1]))


@given(expressions, expressions)
def test_what_is_expanded_is_proved_equal(e, g):
    assert vanishes((e + g) ** 2 - sp.expand(e**2) - 2 * e * g - g**2, POSITIVE)


@given(expressions, st.fractions(min_value=Fraction(1, 10**30), max_value=1))
def test_a_small_difference_is_never_taken_for_none(e, difference):
    assert not vanishes(
        sp.expand(e * (e + 1)) - e**2 - e - sp.Rational(difference.numerator, difference.denominator),
        POSITIVE,
    )
    off = Relation(e, "=", e + sp.Rational(difference.numerator, difference.denominator))
    assert decide(off, POSITIVE.assume).verdict in (Verdict.REFUTED, Verdict.OPEN)


@given(expressions, expressions, st.sampled_from(["=", ">=", ">"]))
def test_a_proof_is_never_contradicted_by_a_point(e, g, op):
    decide(Relation(e, op, g), POSITIVE.assume, time_limit=2)  # InternalContradiction would fail this


@pytest.mark.cases(2)
@pytest.mark.parametrize(("claim", "lets"), [c for c in REFUTED if "sqrt(x)" not in c[0]])
def test_the_values_shown_at_a_witness_exclude_the_relation(claim, lets):
    decision, relation = settle(claim, lets)
    witness = decision.witness
    if witness.obligation is None and relation.op != "=" and not relation.op.endswith("!="):
        greater = relation.op.startswith(">")
        low, high = (witness.lhs, witness.rhs) if greater else (witness.rhs, witness.lhs)
        assert low.upper < high.lower or (low.upper <= high.lower and relation.op in ("<", ">"))
    elif witness.obligation is None:
        assert witness.lhs.upper < witness.rhs.lower or witness.rhs.upper < witness.lhs.lower
