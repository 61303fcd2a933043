"""Steps that papers leave to the reader: multiples of assumptions, integrals, sums, floors, tails, named bounds.

The strategies are asked alone, with no points that would refute first; beside what they prove stand its slips.
"""

import pytest

from dpsym.core.deadline import timed
from dpsym.core.verdicts import Verdict
from dpsym.deciding import Domain
from dpsym.deciding.strategies.strategy import Question, prove
from dpsym.language import read_declarations, read_relations

LOSS = ("eps > 0", "k >= 1", "L > 0", "assume sqrt(k)*(exp(eps)-1) <= sqrt(2*L)")
CHANCE = ("n: integer, n >= 1", "0 <= q <= 1")
BINOMIAL = "binomial(n,j)*q^j*(1-q)^(n-j)"
KEARNS_SAUL = "(1-2*p)/(4*log((1-p)/p))*t^2"
GAUSSIAN = ("0 < eps <= 1", "0 < delta < 1")
WIDTH = "sqrt(2*log(5/(4*delta)))"

TRUE = [
    # multiples of what is assumed
    (LOSS, "eps*k*(exp(eps)-1) <= eps*sqrt(2*k*L)"),
    (LOSS, "exp(eps*k*(exp(eps)-1)) <= exp(eps*sqrt(2*k*L))"),
    (LOSS, "eps^2*k*(exp(eps)-1)^2 <= 2*eps^2*L"),
    # integrals: ends that may meet or stand in either order, and by parts
    (("x >= 0",), "integral(1/(1+t), t, 0, x) = log(1+x)"),
    (("x > -1",), "integral(1/(1+t), t, 0, x) = log(1+x)"),
    (("a > 0", "b > 0"), "integral(1/t, t, a, b) = log(b/a)"),
    (("b > 0", "t >= 0"), "integral(max(0, x-t)*exp(-x/b), x, 0, oo) = b^2*exp(-t/b)"),
    ((), "integral(t*erfc(t), t, 0, oo) = 1/4"),
    (("x: real",), "integral(Phi(-t), t, x, oo) = phi(x) - x*Phi(-x)"),
    (("x: real",), "integral(exp(t)*erfc(t), t, x, oo) = exp(1/4)*erfc(x-1/2) - exp(x)*erfc(x)"),
    # binomial sums at all probabilities
    (CHANCE, f"sum({BINOMIAL}, j, 0, n) = 1"),
    (CHANCE, f"sum(j^2*{BINOMIAL}, j, 0, n) = n*q*(1-q) + n^2*q^2"),
    ((*CHANCE, "t: real"), f"sum({BINOMIAL}*exp(t*j), j, 0, n) = (1-q+q*exp(t))^n"),
    (("n: integer, n >= 0",), "sum(binomial(n,j)*(-1)^j*2^(n-j), j, 0, n) = 1"),
    # integers
    (("n: integer",), "floor(n/2) + ceil(n/2) = n"),
    (("n: integer",), "floor((n+1)/2) = ceil(n/2)"),
    (("n: integer",), "floor(n/3) + floor((n+1)/3) + floor((n+2)/3) = n"),
    (("x: real", "y: real"), "floor(x) + floor(y) <= floor(x+y)"),
    (("x: real",), "floor(2*x) <= 2*floor(x) + 1"),
    (("n: integer",), "(-1)^(n*(n+1)) = 1"),
    (("n: integer",), "(-1)^(n^2) = (-1)^n"),
    (("n: integer",), "(-1)^(n*(n+1)/2) <= 1"),
    # named bounds
    (("0 < p < 1", "p != 1/2", "t: real"), f"log(1-p+p*exp(t)) <= p*t + {KEARNS_SAUL}"),
    (("0 < p < 1/2", "t: real"), f"p*exp(t*(1-p)) + (1-p)*exp(-t*p) <= exp({KEARNS_SAUL})"),
    (GAUSSIAN, f"Phi(eps/(2*{WIDTH}) - {WIDTH}) - exp(eps)*Phi(-eps/(2*{WIDTH}) - {WIDTH}) <= delta"),
    # cases
    (("b > 0", "d > 0", "eps >= 0"), "piecewise(1 - exp((eps-d/b)/2), eps < d/b, 0) = max(0, 1 - exp((eps-d/b)/2))"),
]
SLOW = [
    (("v: real",), "v*Phi(-v) <= 0.17"),
    (("v >= 0",), "v^2*Phi(-v) <= 0.17"),
    ((), "maximum(v*Phi(-v), v >= 0) <= 0.17"),
]
FALSE = [
    (LOSS, "eps*k*(exp(eps)-1) <= 0.99*eps*sqrt(2*k*L)"),
    (("x: real", *LOSS), "x*k*(exp(eps)-1) <= x*sqrt(2*k*L)"),  # a multiplier of no sign
    (LOSS, "eps*k*(exp(eps)-1) < eps*sqrt(2*k*L)"),
    (("a: real", "b: real", "assume a <= b"), "a^2 <= b^2"),
    (("x >= -1",), "integral(1/(1+t), t, 0, x) = log(1+x)"),
    (("x >= 0",), "integral(1/(1+t), t, x, 0) = log(1+x)"),
    (("a > 0", "b: real"), "integral(1/t, t, a, b) = log(b/a)"),
    (("b > 0", "t: real"), "integral(max(0, x-t)*exp(-x/b), x, 0, oo) = b^2*exp(-t/b)"),
    ((), "integral(t*erfc(t), t, 0, oo) = 0.2501"),
    (("x: real",), "integral(Phi(-t), t, x, oo) = phi(x) + x*Phi(-x)"),
    (("x: real",), "integral(Phi(t), t, x, oo) = phi(x) - x*Phi(-x)"),  # diverges
    (CHANCE, f"sum(j^2*{BINOMIAL}, j, 0, n) = n*q + n^2*q^2"),
    (CHANCE, "sum(binomial(n,j)*q^(j-1)*(1-q)^(n-j), j, 0, n) = 1/q"),  # undefined at q = 0
    (("n: integer, n >= 0",), "sum(binomial(n,j)*(-1)^j, j, 0, n) = 0"),  # 1 at n = 0
    (("n: integer, n >= 0", "x: real"), "sum(j*binomial(n,j)*x^j*(-x)^(n-j), j, 0, n) = 0"),  # x at n = 1
    (("n: integer",), "floor(n/2) + floor((n+1)/2) = n + 1"),
    (("n: integer",), "floor(n/2) >= (n-0.99)/2"),
    (("x: real", "y: real"), "floor(x) + floor(y) >= floor(x+y)"),
    (("x: real",), "floor(x) >= x - 0.99"),
    (("n: integer",), "(-1)^(n*(n+1)/2) = (-1)^(n*(n+1))"),
    (("n: integer",), "(-1)^(n*(n+1)/2) = (-1)^(n^2)*(-1)^n"),
    (("x: real",), "floor(x/2) + ceil(x/2) = x"),  # no integer
    (("0 < p < 1/2", "t: real"), f"log(1-p+p*exp(t)) <= p*t + 0.99*{KEARNS_SAUL}"),
    (("0 < p < 1", "t: real"), f"log(1-p+p*exp(t)) <= p*t + {KEARNS_SAUL}"),  # undefined at 1/2
    (("0 < p < 1/2", "t: real"), f"p*exp(t*(1-p)) + (1-p)*exp(-t*p) < exp({KEARNS_SAUL})"),
    (("0 < eps <= 10", "0 < delta < 1"), f"Phi(eps/(2*{WIDTH}) - {WIDTH}) <= delta"),
    (GAUSSIAN, f"Phi(eps/(2*{WIDTH}) - {WIDTH}) <= 0.53*delta"),  # 0.5320 as delta approaches 1
    (("b > 0", "d > 0", "eps >= 0"), "piecewise(1 - exp((eps-d/b)/2), eps < d/b, 1) = max(0, 1 - exp((eps-d/b)/2))"),
    (("v: real",), "v*Phi(-v) <= 0.1699"),
]


def proof(let, claim, seconds):
    """By the strategies alone, with no points to refute it first."""
    declared = read_declarations([text for text in let if not text.startswith("assume ")])
    assumed = [text.removeprefix("assume ") for text in let if text.startswith("assume ")]
    conditions = [r for text in assumed for r in read_relations(text, declared.names).relations]
    (relation,) = read_relations(claim, declared.names).relations
    with timed(seconds):
        return prove(Question(relation, Domain((*declared.conditions, *conditions))))


@pytest.mark.cases(2)
@pytest.mark.parametrize(("let", "claim"), TRUE, ids=lambda v: v if isinstance(v, str) else "")
def test_a_true_step_is_proved(let, claim):
    found = proof(let, claim, 30)
    assert found is not None
    assert found.verdict in (Verdict.PROVED, Verdict.CERTIFIED)


@pytest.mark.slow
@pytest.mark.parametrize(("let", "claim"), SLOW, ids=lambda v: v if isinstance(v, str) else "")
def test_between_tails_and_along_them(let, claim):
    assert proof(let, claim, 60) is not None


@pytest.mark.parametrize(("let", "claim"), FALSE, ids=lambda v: v if isinstance(v, str) else "")
def test_its_slips_are_not(let, claim):
    assert proof(let, claim, 0.5) is None


@pytest.mark.slow
@pytest.mark.parametrize(("let", "claim"), FALSE, ids=lambda v: v if isinstance(v, str) else "")
def test_time_does_not_make_a_slip_true(let, claim):
    assert proof(let, claim, 5) is None
