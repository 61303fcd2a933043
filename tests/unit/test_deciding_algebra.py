"""The canonical form: identities of the field, the conditions of each rewriting rule, signs, and conditions used."""

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from dpsym.core.deadline import now
from dpsym.core.relations import Relation
from dpsym.core.verdicts import Verdict
from dpsym.deciding import Domain, decide, settle, sign, vanishes
from dpsym.deciding.algebra import CanonicalForm, Unsupported
from dpsym.deciding.definedness import shown
from dpsym.language import ReadingError, read_declaration, read_relations
from dpsym.numbers import NotNumeric, compare
from kit.work import work_at_most
from oracle.identities import FALSE, TRUE

x, y, k = sp.symbols("x y k")


def domain(*lets):
    assume = []
    for let in lets:
        try:
            assume += read_declaration(let)[1]
        except ReadingError:
            assume += read_relations(let).relations
    return Domain(tuple(assume))


def reason(claim, *lets):
    (relation,) = read_relations(claim).relations
    return settle(relation, domain(*lets))


@pytest.mark.parametrize(("claim", "lets"), TRUE, ids=[c for c, _ in TRUE])
def test_identities_of_the_field_are_proved(claim, lets):
    reading = read_relations(claim)
    known = domain(*lets)
    (relation,) = reading.relations

    assert settle(relation, known) == "both sides have the same canonical form"
    for need in reading.needs:
        assert shown(need, known, settle) is not None, str(need)


@pytest.mark.parametrize(("claim", "lets"), FALSE, ids=[f"{c} {d}" for c, d in FALSE])
def test_near_misses_are_not(claim, lets):
    assert reason(claim, *lets) is None


def test_identities_are_quick():
    with work_at_most(80_000 * len(TRUE)):
        for claim, lets in TRUE:
            reason(claim, *lets)


SIGNS = [
    # quadratics and sums of squares
    ("x^2 + x*y + y^2 >= 0", ("x: real", "y: real")),
    ("x^2 + y^2 + z^2 >= x*y + y*z + z*x", ("x: real", "y: real", "z: real")),
    ("x^2 + x + 1 > 0", ("x: real",)),
    ("x^4 + x^2*y^2 + y^4 >= 2*x^2*y^2 - x^2*y^2", ("x: real", "y: real")),
    ("(1+x+y)/3 >= x^(1/3)*y^(1/3)", ("x >= 0", "y >= 0")),
    ("Phi(x)*(1-Phi(x)) <= 1/4", ("x: real",)),
    # roots
    ("sqrt(x^2+1) > x", ("x: real",)),
    ("sqrt(x+1) - sqrt(x) < 1/(2*sqrt(x))", ("x > 0",)),
    ("sqrt(x+y) <= sqrt(x) + sqrt(y)", ("x >= 0", "y >= 0")),
    ("(x+1)^(1/3) > x^(1/3)", ("x >= 0",)),
    ("abs(x+y) <= abs(x) + abs(y)", ("x: real", "y: real")),
    ("max(x, 1-x) >= 1/2", ("x: real",)),
    # monotone functions
    ("exp(-x^2) <= 1", ("x: real",)),
    ("exp(x) < exp(y)", ("x < y",)),
    ("log(x) < log(y)", ("0 < x < y",)),
    ("Phi(x) < Phi(y)", ("x < y",)),
    ("Phi(x) + Phi(y) >= 1", ("x >= -y",)),
    ("tanh(x) < tanh(y)", ("x < y",)),
    ("x^a <= x^b", ("x >= 1", "0 < a < b")),
    ("x^b < x^a", ("0 < x < 1", "0 < a < b")),
    ("log(1-x) < 0", ("0 < x < 1",)),
    ("cosh(x) >= 1", ("x: real",)),
    ("sin(x) <= 1", ("x: real",)),
    ("q^k < 1", ("0 < q < 1", "k: integer, k >= 1")),
    ("log(1+exp(x)) <= log(1+exp(y))", ("x <= y",)),
    ("log(1+q*(exp(eps)-1)) <= eps", ("0 <= q <= 1", "eps >= 0")),
    ("atan(x) <= atan(y)", ("x <= y",)),
    ("floor(x) <= x", ("x: real",)),
    ("x < floor(x) + 1", ("x: real",)),
    ("floor(x) >= 0", ("x >= 0",)),
    # numbers among the kernels
    ("Phi(1)*x > 0.8413*x", ("x > 0",)),
    ("log(2)*x + (pi-3)*y > x/2", ("x > 0", "y >= 0")),
    ("-2*sqrt(n)*Phi_inv(exp(-1/2)/2) > n^(1/2)", ("n >= 1",)),
    ("Phi_inv(0.9)*x < 1.28156*x", ("x > 0",)),
    # closed intervals, ends included
    ("log(1+x) >= 0", ("0 <= x <= 1",)),
    ("3 - x - y > 0", ("0 <= x <= 1", "0 <= y <= 1")),
    ("1 + x > 0", ("0 <= x <= 1",)),
]

NOT_SIGNS = [
    ("x*(1-x) > 0", ("0 <= x <= 1",)),
    ("2 - x - y > 0", ("0 <= x <= 1", "0 <= y <= 1")),
    ("exp(x) > 1", ("0 <= x <= 1",)),
    ("log(1-x) < 0", ("0 <= x < 1",)),
    ("max(x, 1-x) > 1/2", ("x: real",)),
    ("x^2 + 2*x*y + y^2 > 0", ("x: real", "y: real")),
    ("x^2 + 3*x*y + y^2 >= 0", ("x: real", "y: real")),
    ("x^2 + x + 1/5 > 0", ("x: real",)),
    ("sqrt(x+1) - sqrt(x) < 1/(2.1*sqrt(x))", ("x > 0",)),
    ("Phi(x) > 1/2", ("x >= 0",)),
    ("Phi(x)*(1-Phi(x)) < 1/4", ("x: real",)),
    ("x^a <= x^b", ("x > 0", "0 < a < b")),
    ("2*sqrt(log(x)) >= sqrt(log(x^5))", ("x > 1",)),
    ("gamma(x) > 0", ("-1 < x < 0",)),
    ("factorial(x) >= 0", ("x > -3",)),
    ("log(2)*x + (pi-3.15)*y > 0", ("x > 0", "y >= 0")),
    ("harmonic(n) > 1", ("n: integer, n >= 1",)),
    ("factorial(k) <= x", ("x >= 1", "k: integer", "0 <= k <= 3")),
    ("floor(x) < x", ("x: real",)),
    ("floor(x) > x - 1/2", ("x: real",)),
    ("log(1+exp(x)) <= log(1+exp(y))", ("y <= x",)),
    ("log(1+q*(exp(eps)-1)) <= q*eps", ("0 <= q <= 1", "eps >= 0")),
    ("Phi(1)*x > 0.8414*x", ("x > 0",)),
    ("Phi_inv(0.9)*x < 1.28155*x", ("x > 0",)),
    ("Phi_inv(3/2)*x < 0", ("x > 0",)),
]


@pytest.mark.parametrize(("claim", "lets"), SIGNS, ids=[c for c, _ in SIGNS])
def test_signs_are_proved(claim, lets):
    assert reason(claim, *lets)


@pytest.mark.parametrize(("claim", "lets"), NOT_SIGNS, ids=[f"{c} {d}" for c, d in NOT_SIGNS])
def test_signs_that_fail_somewhere_are_not(claim, lets):
    assert reason(claim, *lets) is None


COUPLED = [
    ("y^2 > x^2", ("0 < x < y",)),
    ("1 - x*y > 0", ("0 < x < y < 1",)),
    ("alpha*beta > 1", ("alpha > beta", "beta > 1")),
    ("log(alpha/beta) > 0", ("alpha > beta", "beta > 1")),
    ("log(1/(x*y)) > 0", ("x > 0", "y > 0", "x*y < 1")),
    ("sqrt(x+y) <= 1", ("x >= 0", "y >= 0", "x+y <= 1")),
    ("x*y <= 1", ("x >= 0", "y >= 0", "x+y <= 1")),
    ("x + y <= 2*z", ("x <= z", "y <= z")),
    ("exp(x)*y + x <= z", ("exp(x)*y <= z - x", "x: real", "y: real")),
    ("log(x) <= exp(z)", ("log(x) <= y^2", "y^2 <= exp(z)", "x > 0", "y: real")),
    ("exp(x) = y*z", ("x = log(y*z)", "y > 0", "z > 0")),
    ("exp(log(x)^2) = exp(y)", ("log(x)^2 = y", "x > 0")),
    ("sigma^2*eps^2/2 = L", ("sigma = sqrt(2*L)/eps", "L > 0", "eps > 0")),
    ("sqrt(k)*(exp(eps)-1)*sqrt(2*L) <= 2*L", ("k >= 1", "eps > 0", "L > 0", "sqrt(k)*(exp(eps)-1) <= sqrt(2*L)")),
    ("a^2 + b^2 <= c^2 + 1", ("a^2 + b^2 = c^2",)),
    ("k - i >= 1", ("k: integer", "i: integer", "i < k")),
]

NOT_COUPLED = [
    ("y^2 > x^2", ("x < y",)),
    ("alpha*beta > 2", ("alpha > beta", "beta > 1")),
    ("x*y < 1/4", ("x >= 0", "y >= 0", "x+y <= 1")),
    ("x + y < 2*z", ("x <= z", "y <= z")),
    ("log(x) < exp(z)", ("log(x) <= y^2", "y^2 <= exp(z)", "x > 0", "y: real")),
    ("exp(z) <= log(x)", ("log(x) <= y^2", "y^2 <= exp(z)", "x > 0", "y: real")),
    ("k - i >= 1", ("i < k",)),
    ("a + b <= c", ("a^2 + b^2 = c^2",)),
    ("x = y", ("x^2 = y^2",)),
    ("x = y", ("x*z = y*z",)),
    ("x <= y", ("x*z <= y*z",)),
]


@pytest.mark.parametrize(("claim", "lets"), COUPLED, ids=[c for c, _ in COUPLED])
def test_conditions_on_several_symbols_are_used(claim, lets):
    assert reason(claim, *lets)
    kept = [let for let in lets if len(domain(let).coupled) == 0]
    assert reason(claim, *kept) is None, "the condition was not needed"


@pytest.mark.parametrize(("claim", "lets"), NOT_COUPLED, ids=[f"{c} {d}" for c, d in NOT_COUPLED])
def test_conditions_are_not_stretched(claim, lets):
    assert reason(claim, *lets) is None


@pytest.mark.parametrize("lets", [("x < y", "y < x"), ("x < y", "y < z", "z < x"), ("x >= y", "y >= x + 1")])
def test_nothing_follows_from_a_contradiction(lets):
    assert reason("x = x + 1", *lets) is None
    assert reason("x < x", *lets) is None


ILLEGAL = [
    ("x^k*x = x^(k+1)", ("x: real", "k: integer")),  # x = 0, k = -1
    ("(-2)^k = 2^k", ("k: integer",)),
    ("(-1)^k = 1", ("k: integer",)),
    ("exp(k*log(abs(x))) = x^k", ("x < 0", "k: integer")),
    ("exp(log(abs(x))/3) = x^(1/3)", ("x: real",)),
    ("abs(x)^3 = x^3", ("x: real",)),
    ("abs((2*x)^y)^3 = (2*x)^(3*y)", ("-1 < x < 1", "y: real")),  # x = -1/3, y = 1
    ("(x*y)^c = x^c*y^c", ("x < 0", "y < 0", "c: real")),
    ("(x^a)^b = x^(a*b)", ("x: real", "a: real", "b: real")),
    ("x^k = abs(x)^k", ("x: real", "k: integer, k >= 0")),
    ("((x-1)^3)^(1/3) = abs(x-1) - 1e-30", ("x >= 1",)),
    ("(x^2)^(1/3) = x^(2/3) + 1e-30", ("x >= 0",)),
    ("binomial(n, k) = binomial(n, n-k)", ("n: integer", "k: integer")),  # k < 0 or k > n with n < 0
    ("factorial(n)/factorial(k) = factorial(n-k)", ("n: integer", "k: integer", "0 <= k <= n")),
    ("(x/y)^(1/3)*(x/y)^(1/3)*(x*y^5)^(1/3) = x*abs(y)", ("x < 0", "y < 0")),
    ("sqrt(x-2*sqrt(x-1)) = 1-sqrt(x-1)", ("x >= 1",)),
    ("sqrt(x^2+2*x*sqrt(y)+y) = x+sqrt(y)", ("x: real", "y >= 0")),
    ("sum(x^i, i, 1, k) = sum(x^j, j, 1, k+1)", ("x: real", "k: integer, k >= 1")),
    ("sum(i*x, i, 1, k) = sum(i*y, i, 1, k)", ("x: real", "y: real", "k: integer, k >= 1")),
    ("(-8)^(1/3) = -2", ()),
    ("floor(k/2)*2 = k", ("k: integer",)),
    ("exp(x/y)*exp(1/y) = exp(x)", ("y > 0",)),
    ("sin(x+y) = sin(x)+sin(y)", ("x: real", "y: real")),
]


@pytest.mark.parametrize(("claim", "lets"), ILLEGAL, ids=[f"{c} {d}" for c, d in ILLEGAL])
def test_no_rule_is_applied_outside_its_domain(claim, lets):
    assert reason(claim, *lets) is None


@pytest.mark.parametrize(
    ("claim", "lets"),
    [
        ("sqrt(x)^2 = x", ("x: real",)),
        ("x/x = 1", ("x: real",)),
        ("log(x) + log(y) = log(x*y)", ("x: real", "y: real")),
        ("x^k*x^(-k) = 1", ("x: real", "k: integer, k >= 1")),
        ("sum(x/(i-x), i, 1, 3) = x*(1/(1-x) + 1/(2-x) + 1/(3-x))", ("x: real",)),
    ],
)
def test_what_holds_only_where_it_is_defined_fails_where_it_is_not(claim, lets):
    reading = read_relations(claim)
    known = domain(*lets)
    (relation,) = reading.relations

    decision = decide(relation, known.assume, needs=reading.needs)

    assert decision.verdict is Verdict.REFUTED
    assert decision.witness.obligation


@pytest.mark.parametrize(
    ("claim", "lets", "verdict"),
    [
        ("(-1)^(2*k) = 1", ("k: integer",), Verdict.PROVED),
        ("(-1)^(k+1) = -(-1)^k", ("k: integer",), Verdict.PROVED),
        ("(-1)^k = 1", ("k: integer",), Verdict.REFUTED),
        ("q^k >= 0", ("0 <= q <= 1", "k: integer, k >= 1"), Verdict.PROVED),
        ("q^(k+1) = q*q^k", ("0 <= q <= 1", "k: integer, k >= 0"), Verdict.PROVED),
    ],
)
def test_integer_powers_need_no_positive_base(claim, lets, verdict):
    reading = read_relations(claim)
    known = domain(*lets)

    assert decide(reading.relations[0], known.assume, needs=reading.needs).verdict is verdict


def test_closed_heads_are_equal_up_to_the_names_of_their_variables():
    assert reason("sum(x^i, i, 1, k) = sum(x^j, j, 1, k)", "k: integer, k >= 1")
    assert reason("integral(exp(-t^2), t, 0, x) = integral(exp(-s^2), s, 0, x)", "x: real")
    assert reason("sum((x+1)^2*i, i, 1, k) = sum((x^2+2*x+1)*j, j, 1, k)", "k: integer, k >= 1")
    assert reason("sum((x+1)^2*i, i, 1, k) = sum((x^2+2*x+1)*j, j, 0, k)", "k: integer, k >= 1") is None
    assert reason("sum((i^2-i)/(i-1), i, 1, k) = sum(i, i, 1, k)", "k: integer, k >= 1") is None  # undefined at 1
    assert reason("sum(x^i, i, 1, k) - sum(x^j, j, 1, k) >= 0", "k: integer, k >= 1")
    assert reason("sum(x^i, i, 1, k) >= 0", "x: real", "k: integer, k >= 1") is None


@pytest.mark.slow
def test_what_is_too_large_is_given_up_in_time():
    terms = sum(sp.sqrt(x + i) * sp.exp(y * i) for i in range(12))
    started = now()
    vanishes(terms**8 - (terms + 1) ** 8, Domain())
    sign(sp.expand((x + y + 1) ** 30) + terms, Domain())
    assert now() - started < 80

    with pytest.raises(Unsupported):
        CanonicalForm((terms**60,), Domain())


atoms = st.sampled_from([x, y, k, sp.Integer(2), sp.Rational(-1, 3), sp.pi, sp.sqrt(2)])


def larger(inner):
    unary = [
        sp.exp, sp.log, sp.sqrt, sp.Abs, sp.sin, sp.floor, sp.tanh, lambda e: e ** sp.Rational(2, 3), lambda e: e**k,
        lambda e: (-1) ** k * e, lambda e: sp.Max(e, x, evaluate=False), lambda e: 1 / e, lambda e: e**2, sp.gamma,
    ]  # fmt: skip
    pairs = st.tuples(inner, inner)
    return st.one_of(
        pairs.map(sum),
        pairs.map(lambda p: p[0] * p[1]),
        st.tuples(st.sampled_from(unary), inner).map(lambda p: p[0](p[1])),
    )


expressions = st.recursive(atoms, larger, max_leaves=5)
DOMAINS = [
    ("x: real", "y: real", "k: integer"),
    ("x > 0", "y < 0", "k: integer, k >= 0"),
    ("0 <= x <= 1", "y >= -1", "k: integer, k >= 1"),
    ("-1 <= x <= 1", "x < y", "k: integer"),
    ("x >= 1", "y = x^2", "k: integer, k <= 2"),
]
RULES = [
    lambda a, b: (sp.sqrt(a * b), sp.sqrt(a) * sp.sqrt(b)),
    lambda a, b: (sp.log(a * b), sp.log(a) + sp.log(b)),
    lambda a, b: (sp.sqrt(a**2), a),
    lambda a, b: (sp.log(a**2), 2 * sp.log(a)),
    lambda a, b: (sp.exp(3 * sp.log(sp.Abs(a))), a**3),
    lambda a, b: (a**k * b**k, (a * b) ** k),
    lambda a, b: (a ** (k + 1), a * a**k),
    lambda a, b: ((a**3) ** sp.Rational(1, 3), a),
    lambda a, b: (sp.sqrt(a + b - 2 * sp.sqrt(a * b)), sp.sqrt(a) - sp.sqrt(b)),
    lambda a, b: (sp.floor(a + b), sp.floor(a) + sp.floor(b)),
    lambda a, b: (sp.gamma(a + 1), a * sp.gamma(a)),
    lambda a, b: (sp.Max(a, b, evaluate=False), a),
    lambda a, b: (sp.sign(a) * sp.Abs(a), a),
    lambda a, b: (a, b),
]


@given(
    st.sampled_from(RULES), expressions, expressions, st.sampled_from(DOMAINS), st.sampled_from(["=", ">=", ">", "<"])
)
def test_what_is_settled_holds_wherever_it_is_defined(rule, a, b, lets, op):
    known = domain(*lets)
    lhs, rhs = rule(a, b)
    if any(e.has(sp.zoo, sp.nan, sp.oo, sp.I) for e in (lhs, rhs)):
        return
    relation = Relation(lhs, op, rhs)
    if settle(relation, known) is None:
        return
    for point in known.points(relation.free_symbols, most=12):
        try:
            outcome = compare(relation, point, most_bits=300)
        except NotNumeric:
            return
        assert outcome.holds is not False or outcome.obligation or None in (outcome.lhs, outcome.rhs), point
