"""The declared domain decides, and nothing else: hypotheses survive, conditions are used, points of equality count."""

from fractions import Fraction

import pytest
import sympy as sp

from dpsym.claims import read_claim
from dpsym.core.relations import IsInteger, Relation
from dpsym.core.verdicts import Method, Verdict
from dpsym.deciding import Domain, decide

YES = (Verdict.PROVED, Verdict.CERTIFIED)
x, y = sp.symbols("x y")

HANGS_ON_THE_DOMAIN = [
    # claim, domains on which it is true, domains on which it is false or undefined somewhere
    ("sqrt(x^2) = x", [("x >= 0",), ("x > 3",), ("x = 0",)], [("x: real",), ("x <= 0",), ("x >= -1/1000000",)]),
    ("sqrt(x^2) = -x", [("x <= 0",), ("x < -1",)], [("x: real",), ("x < 1e-12",)]),
    ("sqrt(x^2) = abs(x)", [("x: real",), ("x < 0",)], []),
    ("log(x^2) = 2*log(x)", [("x > 0",)], [("x: real",), ("x >= 0",), ("x != 0",), ("x < 0",)]),
    ("log(x^2) = 2*log(abs(x))", [("x > 0",), ("x < 0",), ("x: real", "x != 0")], [("x: real",), ("x >= 0",)]),
    ("log(x^2) = 2*log(-x)", [("x < 0",)], [("x != 0",), ("x <= 0",)]),
    ("x/x = 1", [("x > 0",), ("x != 0",), ("x < 0",)], [("x: real",), ("x >= 0",), ("-1 <= x <= 1",)]),
    ("(x^2 - 1)/(x - 1) = x + 1", [("x > 1",), ("x != 1",)], [("x >= 1",), ("x: real",)]),
    ("1/(1/x) = x", [("x > 0",), ("x != 0",)], [("x: real",)]),
    ("exp(log(x)) = x", [("x > 0",)], [("x >= 0",), ("x: real",)]),
    ("log(exp(x)) = x", [("x: real",)], []),
    ("sqrt(x)^2 = x", [("x >= 0",)], [("x: real",)]),
    ("sqrt(x)*sqrt(y) = sqrt(x*y)", [("x >= 0", "y >= 0")], [("x: real", "y: real"), ("x <= 0", "y <= 0")]),
    ("log(x*y) = log(x) + log(y)", [("x > 0", "y > 0")], [("x != 0", "y != 0"), ("x < 0", "y < 0")]),
    ("(x^y)^2 = x^(2*y)", [("x > 0", "y: real")], [("x: real", "y: real")]),
    ("(-1)^(2*k) = 1", [("k: integer",)], [("k: real",)]),
    ("floor(k/2) + floor((k+1)/2) = k", [], [("k: real",)]),
    ("x^2 >= x", [("x >= 1",), ("x <= 0",)], [("x: real",), ("x > 0",)]),
    ("k^2 >= k", [("k: integer",), ("k: integer, k >= -5",)], [("k: real",)]),
    ("x*y <= x", [("x >= 0", "y <= 1")], [("x: real", "y <= 1"), ("x >= 0", "y <= 1.001")]),
    ("1/x >= 1", [("0 < x <= 1",)], [("0 < x <= 1.001",), ("x <= 1", "x != 0"), ("0 <= x <= 1",)]),
    ("abs(x) = x", [("x >= 0",)], [("x: real",)]),
    ("max(x, y) = x", [("x: real", "y: real", "x >= y")], [("x: real", "y: real"), ("x: real", "y: real", "x <= y")]),
    ("tanh(x) <= x", [("x >= 0",)], [("x: real",)]),
]

TRUE = [(claim, lets) for claim, right, _ in HANGS_ON_THE_DOMAIN for lets in right]
FALSE = [(claim, lets) for claim, _, wrong in HANGS_ON_THE_DOMAIN for lets in wrong]


@pytest.mark.parametrize(("claim", "lets"), TRUE)
def test_it_is_true_where_the_domain_makes_it_true(claim, lets):
    decision = read_claim(claim, let=lets).decide(10)

    assert decision.verdict is not Verdict.REFUTED, decision
    assert decision.verdict in YES, decision


@pytest.mark.parametrize(("claim", "lets"), FALSE)
def test_it_is_refuted_where_the_domain_does_not(claim, lets):
    assert read_claim(claim, let=lets).decide(10).verdict is Verdict.REFUTED


def test_assumptions_of_a_symbol_are_not_asked_for():
    positive = sp.Symbol("x", positive=True)
    for relation in (Relation(sp.sqrt(x**2), "=", x), Relation(x, ">", sp.Integer(0))):
        assert decide(relation).verdict is Verdict.REFUTED
        assert decide(relation, (x > 0,)).verdict in YES
    with pytest.raises(Exception, match="evaluated"):
        decide(positive > 0)  # SymPy has made it True


@pytest.mark.cases(4)
@pytest.mark.parametrize(
    ("claim", "lets", "assume"),
    [
        ("x <= 1", ("x: real",), ("x^2 <= 1",)),
        ("x >= -1", ("x: real",), ("x^2 <= 1",)),
        ("x^2 > 0", ("x: real",), ("x != 0",)),
        ("x > 1/2", ("x: real",), ("x != 0", "x^3 > x^2")),
        ("x <= 2", ("x: real",), ("exp(x) <= 1 + x + x^2/2",)),
    ],
)
def test_conditions_that_bound_nothing_by_themselves_are_used(claim, lets, assume):
    assert read_claim(claim, let=lets, assume=assume).decide(10).verdict in YES


@pytest.mark.parametrize(
    ("claim", "lets", "assume"),
    [
        ("x <= 1", ("x: real",), ("x^2 <= 1.0001",)),
        ("x < 1", ("x: real",), ("x^2 <= 1",)),
        ("x >= 1", ("x: real",), ("x^2 >= 1",)),
        ("x > 0", ("x: real",), ("x != 0",)),
        ("log(x^2) = 2*log(x)", ("x > -1",), ("x != 0",)),
        ("binomial(n, i) >= 1", ("n: integer, n >= 0", "i: integer, i >= 0"), ("i <= n + 1",)),
        ("binomial(n, i) = n/i*binomial(n-1, i-1)", ("n: integer, n >= 0", "i: integer, i >= 0"), ("i <= n",)),
        ("(1-1/k)^k < 0.36787", ("k: integer, k >= 1",), ()),
        ("(1-1/k)^k > 0", ("k: integer, k >= 1",), ()),
    ],
)
def test_conditions_are_not_stretched(claim, lets, assume):
    assert read_claim(claim, let=lets, assume=assume).decide(10).verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    ("claim", "lets", "equal"),
    [
        ("rho*alpha + L/(alpha-1) > rho + 2*sqrt(rho*L)", ("rho > 0", "L > 0", "alpha > 1"), True),
        ("Phi(Phi_inv(1-a) - mu) < 1 - a", ("0 < a < 1", "mu >= 0"), True),
        ("log(1+q*(exp(eps)-1)) > q*eps", ("0 < q <= 1", "eps > 0"), True),
        ("exp(x) > 1 + x", ("x: real",), True),
        ("sqrt(x^2 + 1) != 1", ("x: real",), True),
        ("exp(x) >= 1 + x + x^3", ("x: real",), False),
    ],
)
def test_a_strict_relation_fails_where_both_sides_are_equal(claim, lets, equal):
    decision = read_claim(claim, let=lets).decide(10)

    assert decision.verdict is Verdict.REFUTED
    assert decision.witness.obligation is None
    same = (
        decision.witness.lhs.lower <= decision.witness.rhs.upper
        and decision.witness.rhs.lower <= decision.witness.lhs.upper
    )
    assert same == equal
    assert equal or decision.method is Method.ENCLOSURE


@pytest.mark.cases(2)
@pytest.mark.parametrize(
    "claim",
    [
        "limit((exp(x)-1)/x, x, 0, 1) = 1.0000001",
        pytest.param("limit((1+t/x)^x, x, oo) = exp(-t)", marks=pytest.mark.slow),
        "limit(x*Phi(-x)/phi(x), x, oo) = 0.999",
    ],
)
def test_a_wrong_limit_is_refuted_by_the_right_one(claim):
    decision = read_claim(claim, let=("t: real",)).decide(20)

    assert decision.verdict is Verdict.REFUTED
    assert "limit(" in decision.why


@pytest.mark.parametrize("off", ["1e-12", "1e-30", "1e-60"])
@pytest.mark.parametrize(
    ("claim", "lets"),
    [
        ("exp(x) >= 1 + x + {}", ("x: real",)),
        ("rho*alpha + L/(alpha-1) >= (rho + 2*sqrt(rho*L))*(1 + {})", ("rho > 0", "L > 0", "alpha > 1")),
        ("x + 1/x >= 2 + {}", ("x > 0",)),
        ("sqrt(2)*sqrt(3) = sqrt(6) + {}", ()),
        ("Phi(x) + Phi(-x) = 1 + {}", ("x: real",)),
        ("log(x) <= x - 1 - {}*x", ("x > 0",)),
        ("minimum(x + c/x, x > 0) = 2*sqrt(c)*(1 + {})", ("c > 0",)),
    ],
)
def test_near_misses_are_never_accepted(claim, lets, off):
    assert read_claim(claim.format(off), let=lets).decide(5).verdict in (Verdict.REFUTED, Verdict.OPEN)


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("claim", "lets"),
    [
        pytest.param(
            "sum(1/i^2, i, 1, k) <= 1.6449", ("k: integer, k >= 1",), marks=pytest.mark.slow
        ),  # from 29 000 terms on
        ("exp(-x) >= 1e-100", ("x >= 0",)),
        ("x^2 + 1e20 >= 2e10*x + 1e-20", ("x: real",)),  # about x = 1e10 only
        ("(1 + x)^k <= exp(k*x)*(1 - 1e-12)", ("0 < x < 1", "k > 0")),
    ],
)
def test_what_fails_far_out_or_on_a_speck_is_refuted(claim, lets):
    assert read_claim(claim, let=lets).decide(20).verdict is Verdict.REFUTED


def test_a_value_tried_to_make_a_witness_readable_may_be_outside_the_domain():
    claim = (
        "(x - 3/2) - (x - 3/2)^3/3 - ((y - 3/2)^4 + (y - 3/2)^2) <= tanh(x - 3/2) - (1/500000000000)*(1 + tanh(2*y)^2)"
    )
    decision = read_claim(claim, let=("x: real", "y: real"), assume=("x - 3/2 >= 0",)).decide(10)
    assert decision.verdict is Verdict.REFUTED
    assert decision.witness.point["x"] >= Fraction(3, 2)


@pytest.mark.slow
def test_points_of_a_domain_may_be_whole_multiples():
    domain = Domain((x >= 4, IsInteger(x / 4), y > 0, IsInteger(2 * y)))

    assert domain.contains({x: sp.Integer(8), y: sp.Rational(1, 2)})
    assert not domain.contains({x: sp.Integer(6), y: sp.Rational(1, 2)})
    assert not domain.contains({x: sp.Integer(8), y: sp.Rational(1, 3)})
    found = list(domain.points({x, y}, most=5))
    assert found
    assert all((p[x] / 4).is_Integer and (2 * p[y]).is_Integer for p in found)
    assert decide(Relation(x, ">=", sp.Integer(5)), assume=(x >= 4, IsInteger(x / 4))).verdict is Verdict.REFUTED
    assert decide(Relation(x, "!=", sp.Integer(6)), assume=(x >= 4, IsInteger(x / 4))).verdict is not Verdict.REFUTED
