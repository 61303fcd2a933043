"""Inequalities by derivatives: what they settle exactly, and that no near miss gets through."""

import pytest
import sympy as sp

from dpsym.core.deadline import now, timed
from dpsym.core.verdicts import Verdict
from dpsym.deciding import decide, prover
from dpsym.deciding.domain import Domain
from dpsym.deciding.lemmas import bounding
from dpsym.deciding.limits import limit
from dpsym.deciding.strategies import monotone
from dpsym.deciding.strategies.strategy import Question, prove
from dpsym.language import read_declaration, read_relations

ORDER = ("alpha > 1", "eps >= 0")
CHANCE = ("0 <= q <= 1", "eps >= 0")
RANDOMIZED_RESPONSE = "log((exp(alpha*eps)+exp((1-alpha)*eps))/(1+exp(eps)))/(alpha-1)"
LAPLACE = "log(alpha/(2*alpha-1)*exp((alpha-1)*eps)+(alpha-1)/(2*alpha-1)*exp(-alpha*eps))/(alpha-1)"
ENTROPY = "-x*log(x)-(1-x)*log(1-x)"

PEAK = "(alpha-1)^(alpha-1)/alpha^alpha"
CHORD = "((exp(w)-exp(-z))*exp((alpha-1)*w)+(exp(-z)-exp(-w))*exp(-(alpha-1)*w))/(exp(w)-exp(-w))"

TRUE = [
    ("1+x <= exp(x)", ("x: real",)),
    ("1+x < exp(x)", ("x > 0",)),
    ("log(1+x) <= x", ("x > -1",)),
    ("log(x) <= x-1", ("x > 0",)),
    ("tanh(x) <= x", ("x >= 0",)),
    ("sinh(x) <= x*cosh(x)", ("x >= 0",)),
    ("exp(x) <= 1+x+x^2", ("0 <= x <= 1",)),
    ("log(1+q*(exp(eps)-1)) >= q*eps", CHANCE),
    ("exp(q*eps) <= 1-q+q*exp(eps)", ("0 <= q <= 1", "eps: real")),
    ("1-q+q*exp(eps) <= exp(q*(exp(eps)-1))", CHANCE),
    ("-log(1-x) >= x", ("0 <= x < 1",)),
    ("x-x^2/2 <= log(1+x)", ("x >= 0",)),
    ("(exp(eps)-1)/(exp(eps)+1) <= eps/2", ("eps >= 0",)),
    ("1/(x+1) <= log(1+1/x)", ("x > 0",)),
    ("log(1+1/x) <= 1/sqrt(x*(x+1))", ("x > 0",)),
    ("1-Phi(x) <= phi(x)/x", ("x > 0",)),
    ("1-Phi(x) >= x/(1+x^2)*phi(x)", ("x >= 0",)),
    ("(1+x)^n >= 1+n*x", ("x > -1", "n >= 1")),
    (f"{LAPLACE} <= eps", ORDER),
    (f"1-exp(-t) <= {PEAK}*exp((alpha-1)*t)", ("t >= 0", "alpha > 1")),
    (f"max(1-exp(-t), 0) <= {PEAK}*exp((alpha-1)*t)", ("t: real", "alpha > 1")),
    (f"u^(alpha-1)*(1-u) <= {PEAK}", ("0 < u < 1", "alpha > 1")),
    (f"exp((alpha-1)*z) <= {CHORD}", ("w > 0", "-w <= z <= w", "alpha > 1")),
    ("log(cosh(m*v)) - log(cosh(v)) <= (m^2-1)*v*tanh(v)/2", ("m: real", "v > 0")),
    ("(k+1/2)*log(1+1/k) >= 1", ("k: integer, k >= 1",)),
    pytest.param("(1-1/k)^k <= exp(-1)", ("k: integer, k >= 1",), marks=pytest.mark.slow),
    ("log(1+q^2*(exp(1/s^2)-1)) <= 2*q^2/s^2", ("0 < q < 1", "s >= 1")),
    pytest.param(f"{RANDOMIZED_RESPONSE} <= alpha*eps*tanh(eps/2)", ("alpha > 1", "eps > 0"), marks=pytest.mark.slow),
    pytest.param("cosh(x) <= exp(x^2/2)", ("x: real",), marks=pytest.mark.slow),
    pytest.param(f"{ENTROPY} <= log(2)", ("0 < x < 1",), marks=pytest.mark.slow),
    pytest.param("log(1-q+q*exp(t)) <= q*t+t^2/8", ("0 <= q <= 1", "t: real"), marks=pytest.mark.slow),
    pytest.param(f"{RANDOMIZED_RESPONSE} <= alpha*eps^2/2", ORDER, marks=pytest.mark.slow),
    pytest.param(f"{LAPLACE} <= alpha*eps^2/2", ORDER, marks=pytest.mark.slow),
    pytest.param("sinh(x) <= x*exp(x^2/6)", ("x >= 0",), marks=pytest.mark.slow),
]

FALSE = [  # the constant, the strict sign, the domain, the direction
    ("exp(x) >= 1+1.001*x", ("x >= 0",)),
    ("exp(x) >= 1+1.000000001*x", ("x >= 0",)),
    ("exp(x) > 1+x", ("x: real",)),
    ("exp(x) > 1+x", ("x >= 0",)),
    ("exp(x) <= 1+x+0.718281828*x^2", ("0 <= x <= 1",)),
    ("tanh(x) <= 0.999999999*x", ("x >= 0",)),
    ("tanh(x) <= x", ("x: real",)),
    ("log(1+x) < x", ("x > -1",)),
    ("log(1+x) >= x", ("x > -1",)),
    ("x-x^2/2 <= log(1+x)", ("x > -1",)),
    ("x-x^2/2.000000001 <= log(1+x)", ("x >= 0",)),
    ("cosh(x) <= exp(x^2/2.000001)", ("x: real",)),
    ("(exp(eps)-1)/(exp(eps)+1) <= eps/2", ("eps: real",)),
    ("log(1+q*(exp(eps)-1)) >= q*eps", ("q >= 0", "eps >= 0")),
    ("log(1+q*(exp(eps)-1)) <= q*eps", CHANCE),
    ("log(1+q*(exp(eps)-1)) > q*eps", CHANCE),
    ("exp(q*eps) >= 1-q+q*exp(eps)", CHANCE),
    ("1-Phi(x) <= exp(-x^2/2)/2.000001", ("x >= 0",)),
    ("1-Phi(x) <= exp(-x^2/2)/2", ("x: real",)),
    ("1-Phi(x) >= 1.000001*x/(1+x^2)*phi(x)", ("x >= 0",)),
    ("1/(x+0.4999) <= log(1+1/x)", ("x > 0",)),
    (f"{ENTROPY} < log(2)", ("0 < x < 1",)),
    (f"{ENTROPY} <= 0.999999999*log(2)", ("0 < x < 1",)),
    ("(1+x)^n >= 1+n*x", ("x > -1", "n >= 0")),
    ("(1+x)^n > 1+n*x", ("x > -1", "n >= 1")),
    (f"{RANDOMIZED_RESPONSE} <= alpha*eps^2/2.001", ORDER),
    (f"{RANDOMIZED_RESPONSE} <= (alpha-1)*eps^2/2", ORDER),
    (f"{LAPLACE} < eps", ORDER),
    (f"{LAPLACE} <= 0.999999*eps", ORDER),
    ("rho*alpha+L/alpha >= rho+2*sqrt(rho*L)", ("rho > 0", "L > 0", "alpha > 1")),
    ("exp(-x) >= 1/10^30", ("x >= 0",)),
    ("x*exp(-x) < 1/exp(1)", ("x >= 0",)),
    ("x*log(x) >= -0.999999999/exp(1)", ("x > 0",)),
    ("Phi(x) <= 0.999999999", ("x: real",)),
    ("sqrt(x^2) <= x", ("x: real",)),
    ("1/(1+exp(-1/x)) >= 1/2", ("-1 <= x <= 1", "x != 0")),  # it jumps at 0
    ("1/x <= -1", ("-1 <= x <= 1", "x != 0")),
    ("exp(x) > exp(y)", ("y > 0", "x >= y")),
    ("x^2 >= y", ("y > 0", "x >= y")),
    (f"1-exp(-t) <= 0.999999*{PEAK}*exp((alpha-1)*t)", ("t >= 0", "alpha > 1")),
    (f"1-exp(-t) < {PEAK}*exp((alpha-1)*t)", ("t >= 0", "alpha > 1")),
    (f"1-exp(-t) <= {PEAK}*exp((alpha-1)*t)", ("t >= 0", "alpha > 0")),
    (f"u^(alpha-1)*(1-u) < {PEAK}", ("0 < u < 1", "alpha > 1")),
    (f"u^(alpha-1)*(1-u) <= {PEAK} - 10^(-9)", ("0 < u < 1", "alpha > 1")),
    (f"exp((alpha-1)*z) <= {CHORD}", ("w > 0", "-1.001*w <= z <= w", "alpha > 1")),
    (f"exp((alpha-1)*z) < {CHORD}", ("w > 0", "-w <= z <= w", "alpha > 1")),
    (f"exp((alpha-1)*z) <= {CHORD}", ("w > 0", "-w <= z <= w", "alpha > 0")),
    ("log(cosh(m*v)) - log(cosh(v)) <= (m^2-1)*v*tanh(v)/2.001", ("m: real", "v > 0")),
    ("log(cosh(m*v)) - log(cosh(v)) < (m^2-1)*v*tanh(v)/2", ("m: real", "v > 0")),
    ("(k+1/2)*log(1+1/k) >= 1.001", ("k: integer, k >= 1",)),
    ("(k+0.49)*log(1+1/k) >= 1", ("k: integer, k >= 1",)),
    ("(1-1/k)^k < exp(-1) - 10^(-9)", ("k: integer, k >= 1",)),
    ("log(1+q^2*(exp(1/s^2)-1)) <= 1.7*q^2/s^2", ("0 < q < 1", "s >= 1")),
    ("log(1+q^2*(exp(1/s^2)-1)) <= 2*q^2/s^2", ("0 < q < 1", "s > 0")),
    (f"{RANDOMIZED_RESPONSE} <= 0.999999*alpha*eps*tanh(eps/2)", ("alpha > 1", "eps > 0")),
    ("(x-y)^2 > 0", ("x > 0", "y > 0")),
    ("x^2*(x-1)^2 > 0", ("x > 0",)),
]


def domain(lets):
    return Domain(tuple(p for let in lets for p in read_declaration(let)[1]))


@pytest.mark.parametrize(("claim", "lets"), TRUE)
def test_known_inequalities_are_proved_without_covering_anything(claim, lets, without_boxes):
    reading = read_relations(claim)
    assume = domain(lets).assume
    # several times what it needs: shares of the time must not run out where the machine is busy
    decision = decide(reading.relations[0], assume, needs=reading.needs, time_limit=60)
    assert decision.verdict is Verdict.PROVED, decision


def is_proved(claim, lets, seconds):
    (relation,) = read_relations(claim).relations
    with timed(seconds):
        return prove(Question(relation, domain(lets))) is not None


@pytest.mark.cases(5)
@pytest.mark.parametrize(("claim", "lets"), FALSE)
def test_near_misses_are_not_proved(claim, lets, monkeypatch):
    """By these strategies alone, without the search for witnesses."""
    monkeypatch.setattr(prover, "REST", (monotone.prove, bounding.prove))
    assert not is_proved(claim, lets, seconds=0.4)


@pytest.mark.slow
@pytest.mark.parametrize(("claim", "lets"), FALSE)
def test_the_arguments_are_sound_even_where_samples_do_not_steer_them(claim, lets, monkeypatch):
    monkeypatch.setattr(prover, "REST", (monotone.prove, bounding.prove))
    for module in (monotone, bounding):
        monkeypatch.setattr(module, "signs_at", lambda expression, points: set())
    assert not is_proved(claim, lets, seconds=1.5)


def test_an_argument_does_not_wait_for_ever():
    (relation,) = read_relations("sin(x*y)*exp(x)+log(1+x^2*y^2)+cosh(x-y) >= -2").relations
    started = now()
    with timed(0.5):
        monotone.prove(Question(relation, domain(("x >= 0", "y >= 0"))))
    assert now() - started < 30


t = sp.Symbol("t")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (t * sp.exp(-t), 0),
        (t**9 * sp.exp(-(t**2) + 5 * t), 0),
        ((2 * t + 1) / (t - 3), 2),
        (sp.exp(t) / t**5, sp.oo),
        (-sp.exp(t) / t**5, -sp.oo),
        (sp.tanh(-t), -1),
        (sp.log(1 + 1 / t), 0),
        (sp.exp(t) - t, sp.oo),  # the exponential outgrows the other
        (sp.sin(t), None),
        (sp.Symbol("y") * t, None),  # the sign of y is not known
        (t / sp.Symbol("y"), None),
    ],
)
def test_limits_are_told_or_left_open(expression, expected):
    found = limit(expression, t, Domain())
    assert found == expected if expected is not None else found is None


def test_the_strategy_is_among_those_that_prove():
    assert any(strategy.__module__ == monotone.__name__ for strategy in prover.REST)
