"""Relations with sums, products, limits and optima: the true ones are proved, their near misses never."""

import pytest

from dpsym.claims import read_claim
from dpsym.core.deadline import timed
from dpsym.core.verdicts import Verdict
from dpsym.deciding.domain import Domain
from dpsym.deciding.strategies.strategy import Question, prove
from dpsym.language import read_declarations, read_relations

K = ("k: integer, k >= 1",)
N = ("n: integer, n >= 0",)
R = ("r > 0",)
SMALL = ("0 < r < 1",)
Q = ("0 < q < 1",)
RHO = ("rho > 0", "0 < delta < 1")
T = ("c > 0",)
AB = ("a > 0", "b > 0")
B = ("b > 0",)
S = ("s > 0",)

TRUE = [
    # sums by their differences
    (K, "sum(i, i, 1, k) = k*(k+1)/2"),
    (K, "sum(2*i - 1, i, 1, k) = k^2"),
    (K, "sum(i^2, i, 1, k) = k*(k+1)*(2*k+1)/6"),
    (K, "sum(i^3, i, 0, k) = (k*(k+1)/2)^2"),
    ((*K, *T), "sum(c, i, 1, k) = k*c"),
    ((*K, *T), "sum(c*i + 1, i, 1, k) = c*k*(k+1)/2 + k"),
    (K, "sum(2^i, i, 0, k-1) = 2^k - 1"),
    (K, "sum(2^(-i), i, 1, k) = 1 - 2^(-k)"),
    (K, "sum(i*2^i, i, 1, k) = (k-1)*2^(k+1) + 2"),
    ((*K, *SMALL), "sum(r^i, i, 0, k) = (1 - r^(k+1))/(1 - r)"),
    ((*K, *T), "sum(exp(c*i), i, 0, k-1) = (exp(c*k) - 1)/(exp(c) - 1)"),
    (K, "sum(1/(i*(i+1)), i, 1, k) = 1 - 1/(k+1)"),
    (K, "sum(1/(i*(i+1)), i, 1, k) = k/(k+1)"),
    ((*K, *T), "sum(c/2^i, i, 1, k) <= c"),
    (K, "sum(i, i, 1, k) <= k^2"),
    # without an end
    ((), "sum(2^(-i), i, 1, oo) = 1"),
    (SMALL, "sum(r^i, i, 0, oo) = 1/(1 - r)"),
    (SMALL, "sum(i*r^i, i, 0, oo) = r/(1 - r)^2"),
    (T, "sum(exp(-c*i), i, 0, oo) = 1/(1 - exp(-c))"),
    ((), "sum(1/(i*(i+1)), i, 1, oo) = 1"),
    # binomials
    (N, "sum(binomial(n, i), i, 0, n) = 2^n"),
    ((*N, *Q), "sum(binomial(n, i)*q^i*(1-q)^(n-i), i, 0, n) = 1"),
    ((*N, *Q), "sum(i*binomial(n, i)*q^i*(1-q)^(n-i), i, 0, n) = n*q"),
    ((*N, *Q), "sum(i^2*binomial(n, i)*q^i*(1-q)^(n-i), i, 0, n) = n*q*(1-q) + n^2*q^2"),
    ((*N, *Q, *T), "sum(binomial(n, i)*q^i*(1-q)^(n-i)*exp(c*i), i, 0, n) = (1 - q + q*exp(c))^n"),
    ((*N, "x > 0", "y > 0"), "sum(binomial(n, i)*x^i*y^(n-i), i, 0, n) = (x+y)^n"),
    # term by term, and by induction
    ((*K, *T), "sum(exp(-c*i), i, 1, k) <= sum(1, i, 1, k)"),
    (K, "sum(1/i^2, i, 1, k) <= 2 - 1/k"),
    (K, "sum(i, i, 1, k) < (k+1)^2/2"),
    (K, "harmonic(k) >= log(k+1)"),
    (K, "harmonic(k) <= 1 + log(k)"),
    (K, "binomial(2*k, k) <= 4^k"),
    (K, "binomial(2*k, k) >= 4^k/(2*k)"),
    (K, "factorial(k) >= (k/exp(1))^k"),
    # towards a limit at infinity
    (K, "harmonic(k) >= 0.577 + log(k)"),
    (K, "sum(1/i^2, i, 1, k) < pi^2/6"),
    (N, "sum(1/factorial(i), i, 0, n) < exp(1)"),
    (K, "factorial(k) >= sqrt(2*pi*k)*(k/exp(1))^k"),
    (K, "factorial(k) <= sqrt(2*pi*k)*(k/exp(1))^k*exp(1/(12*k))"),
    (K, "sum((-1)^i*binomial(k, i), i, 0, k) = 0"),
    # optima and where they are
    (AB, "minimum(a*t + b/t, t > 0) = 2*sqrt(a*b)"),
    (AB, "argmin(a*t + b/t, t > 0) = sqrt(b/a)"),
    (("x > 0", "s > 0"), "minimum(t^2*s^2/2 - t*x, t > 0) = -x^2/(2*s^2)"),
    (("x > 0", "s > 0"), "minimum(exp(t^2*s^2/2 - t*x), t >= 0) = exp(-x^2/(2*s^2))"),
    ((), "minimum(x - log(x), x > 0) = 1"),
    ((), "argmin(x - log(x), x > 0) = 1"),
    ((), "maximum(x*exp(-x), x > 0) = exp(-1)"),
    ((), "argmax(x*exp(-x), x > 0) = 1"),
    ((), "maximum(-x*log(x) - (1-x)*log(1-x), 0 < x < 1) = log(2)"),
    (T, "minimum(1/a + c^2/(1-a), 0 < a < 1) = (1 + c)^2"),
    (T, "argmin(1/a + c^2/(1-a), 0 < a < 1) = 1/(1 + c)"),
    (("rho > 0", "L > 0"), "minimum(rho*a + L/(a-1), a > 1) = rho + 2*sqrt(rho*L)"),
    (("rho > 0", "L > 0"), "argmin(rho*a + L/(a-1), a > 1) = 1 + sqrt(L/rho)"),
    ((), "minimum(exp(-x), x >= 0) = 0"),
    (T, "maximum(1 - exp(-c*x), x >= 0) = 1"),
    (T, "maximum(log(1-q+q*exp(c)), 0 <= q <= 1) = c"),
    (("m: real",), "argmin((x-m)^2 + 3, x) = m"),
    (("alpha > 1",), "maximum(u^(alpha-1)*(1-u), 0 < u < 1) = (alpha-1)^(alpha-1)/alpha^alpha"),
    (("p: real",), "minimum(t^2 - t*p + p^2, t) <= p^2"),
    # products
    (K, "product(i, i, 1, k) = factorial(k)"),
    ((*K, *T), "product(exp(c*i), i, 1, k) = exp(c*k*(k+1)/2)"),
    ((*K, *T), "product(c, i, 1, k) = c^k"),
    # integrals: by antiderivatives, cut at corners, by the integrands, by quadrature
    (B, "integral(exp(-x/b)/b, x, 0, oo) = 1"),
    (B, "integral(x^2*exp(-x/b)/b, x, 0, oo) = 2*b^2"),
    ((), "integral(phi(x), x, -oo, oo) = 1"),
    (("t: real",), "integral(exp(t*x)*phi(x), x, -oo, oo) = exp(t^2/2)"),
    ((*S, "m: real"), "integral(x*exp(-(x-m)^2/(2*s^2))/(s*sqrt(2*pi)), x, -oo, oo) = m"),
    (S, "integral(x^2*exp(-x^2/(2*s^2))/(s*sqrt(2*pi)), x, -oo, oo) = s^2"),
    (B, "integral(exp(-abs(x)/b)/(2*b), x, -oo, oo) = 1"),
    (B, "integral(abs(x)*exp(-abs(x)/b)/(2*b), x, -oo, oo) = b"),
    ((*B, "m: real"), "integral(exp(-abs(x-m)/b)/(2*b), x, -oo, oo) = 1"),
    ((*B, "d > 0"), "integral(exp(-abs(x-d)/b)/(2*b), x, -oo, 0) = exp(-d/b)/2"),
    (("a > 0",), "integral(max(1-x, 0)*exp(-a*x), x, 0, oo) = 1/a - (1-exp(-a))/a^2"),
    (("b > 1",), "integral(1/x, x, 1, b) = log(b)"),
    (("a > 1",), "integral(x^(-a), x, 1, oo) = 1/(a-1)"),
    (("a > 0",), "integral(x^a, x, 0, 1) = 1/(a+1)"),
    ((), "integral(log(x), x, 0, 1) = -1"),
    ((), "integral(1/(1+x^2), x, 0, 1) = pi/4"),
    ((), "integral(1/(exp(x)+exp(-x)), x, -oo, oo) = pi/2"),
    (("t > 0",), "integral(exp(-x^2/2), x, t, oo) <= exp(-t^2/2)/t"),
    (("t > 0",), "integral(exp(-x^3), x, 0, t) <= t"),
    (("t > 0",), "integral(exp(-x^3), x, 0, t) <= integral(exp(-x^3/2), x, 0, t)"),
    ((), "integral(exp(-x^2), x, 0, 1) <= 0.747"),
    # derivatives, under the sign of an integral as well
    (("t > 0",), "diff(integral(exp(-t*x), x, 0, oo), t) = -1/t^2"),
    (("t > 0",), "diff(integral(exp(-t*x^3), x, 0, 1), t) = -integral(x^3*exp(-t*x^3), x, 0, 1)"),
    (("t: real",), "diff(t^2*integral(exp(-t*x^3), x, 0, 1), t) <= 2*t*integral(exp(-t*x^3), x, 0, 1)"),
    # limits
    ((), "limit((exp(x) - 1)/x, x, 0) = 1"),
    ((), "limit(log(1 + x)/x, x, 0) = 1"),
    (T, "limit(log(1 + c*x)/x, x, 0) = c"),
    ((), "limit(x*log(x), x, 0, 1) = 0"),
    ((), "limit(x^3*exp(-x), x, oo) = 0"),
    (T, "limit((1 + c/x)^x, x, oo) = exp(c)"),
    (T, "limit((1 - exp(-c*x))/x, x, 0) = c"),
    ((), "limit((x^2 + 3)/(2*x^2 + x), x, oo) = 1/2"),
    ((), "limit(Phi(x), x, oo) = 1"),
    ((), "limit((cosh(x) - 1)/x^2, x, 0, 1) = 1/2"),
    ((), "limit(cosh(x)*exp(-x), x, oo) = 1/2"),
    ((), "limit(log(cosh(x)) - x, x, oo) = -log(2)"),
    ((), "limit(x*(1 - tanh(x)), x, oo) = 0"),
    ((), "limit(log(x)/x, x, oo) = 0"),
    (T, "limit(log(1 + c*x)/x, x, 0, 1) <= c"),
]

FALSE = [
    (K, "sum(i, i, 1, k) = k*(k-1)/2"),
    (K, "sum(i, i, 1, k-1) = k*(k+1)/2"),
    (K, "sum(2*i - 1, i, 1, k) = k^2 + 10^(-30)"),
    (K, "sum(i^2, i, 1, k) = k*(k+1)*(2*k-1)/6"),
    (K, "sum(i^3, i, 0, k) = (k*(k-1)/2)^2"),
    (("k: integer, k >= -5",), "sum(i, i, 1, k) = k*(k+1)/2"),
    (("k >= 1",), "sum(i, i, 1, k) = k*(k+1)/2"),
    ((*K, *T), "sum(c, i, 0, k) = k*c"),
    ((*K, *T), "sum(c, i, 1, k) = (k+1)*c"),
    (K, "sum(2^i, i, 0, k) = 2^k - 1"),
    (K, "sum(2^(-i), i, 0, k) = 1 - 2^(-k)"),
    (K, "sum(i*2^i, i, 1, k) = (k-1)*2^k + 2"),
    ((*K, *R), "sum(r^i, i, 0, k) = (1 - r^(k+1))/(1 - r)"),  # r = 1
    ((*K, *SMALL), "sum(r^i, i, 0, k) = (1 - r^k)/(1 - r)"),
    ((*K, *T), "sum(exp(c*i), i, 0, k) = (exp(c*k) - 1)/(exp(c) - 1)"),
    (K, "sum(1/(i*(i+1)), i, 1, k) = 1 - 1/k"),
    (K, "sum(1/(i*(i-1)), i, 1, k) = 1 - 1/k"),
    (K, "sum(i, i, 1, k) <= k^2 - 1/1000"),
    (K, "sum(i, i, 1, k) < k^2"),
    ((), "sum(2^(-i), i, 0, oo) = 1"),
    (R, "sum(r^i, i, 0, oo) = 1/(1 - r)"),
    (("r < -1",), "sum(r^i, i, 0, oo) = 1/(1 - r)"),
    (("r > 1",), "sum(r^i, i, 0, oo) = 1/(1 - r)"),
    ((), "sum(2^i, i, 0, oo) = -1"),
    ((), "sum((-1)^i, i, 0, oo) = 1/2"),
    ((), "sum(1/i, i, 1, oo) = 1"),
    ((), "sum(1, i, 1, oo) >= 0"),
    (SMALL, "sum(i*r^i, i, 0, oo) = r/(1 - r)"),
    (T, "sum(exp(-c*i), i, 1, oo) = 1/(1 - exp(-c))"),
    (N, "sum(binomial(n, i), i, 0, n) = 2^n - 1"),
    (("n: integer, n >= -1",), "sum(binomial(n, i), i, 0, n) = 2^n"),
    (N, "sum(binomial(n, i), i, 1, n) = 2^n"),
    ((*N, *Q), "sum(binomial(n, i)*q^i*(1-q)^(n-i+1), i, 0, n) = 1"),
    ((*N, *Q), "sum(i*binomial(n, i)*q^i*(1-q)^(n-i), i, 0, n) = n*q*(1-q)"),
    ((*N, *Q), "sum(i^2*binomial(n, i)*q^i*(1-q)^(n-i), i, 0, n) = n*q*(1-q)"),
    ((*N, *Q, *T), "sum(binomial(n, i)*q^i*(1-q)^(n-i)*exp(c*i), i, 0, n) = (1 - q + exp(c))^n"),
    ((*N, "x > 0", "y > 0"), "sum(binomial(n, i)*x^i*y^(n-i), i, 0, n) = (x+y)^(n+1)"),
    ((*K, *T), "sum(exp(c*i), i, 1, k) <= sum(1, i, 1, k)"),
    ((*K, *T), "sum(exp(-c*i), i, 0, k) <= sum(1, i, 1, k)"),
    (K, "sum(1/i^2, i, 1, k) <= 2 - 1/k - 10^(-9)"),
    (K, "sum(1/i^2, i, 1, k) < 2 - 1/k"),
    (K, "sum(1/i, i, 1, k) <= 5"),
    (K, "harmonic(k) <= log(k) + 99/100"),
    (K, "harmonic(k) >= log(k) + 0.5773"),
    (K, "harmonic(k) >= log(k+1) + 1/3"),
    (("k: integer, 1 <= k <= 100",), "harmonic(k) <= 5"),
    (K, "sum(1/i^2, i, 1, k) < 1.644"),
    (K, "sum(1/(i-5), i, 1, k) - sum(1/(i-5) - 1/i^2, i, 1, k) <= pi^2/6"),
    (N, "sum(1/factorial(i), i, 0, n) < 2.718"),
    (N, "sum(1/factorial(i), i, 1, n) < exp(1) - 1.001"),
    (K, "factorial(k) >= 1.0001*sqrt(2*pi*k)*(k/exp(1))^k"),
    (K, "factorial(k) <= sqrt(2*pi*k)*(k/exp(1))^k"),
    (K, "factorial(k) <= sqrt(2*pi*k)*(k/exp(1))^k*exp(1/(12.5*k))"),
    (K, "binomial(2*k, k) <= 3.99^k"),
    (K, "binomial(2*k, k) >= 4^k/(1.99*k)"),
    (("k: integer",), "binomial(2*k, k) <= 4^k"),
    ((*K, *N), "factorial(k)*binomial(n, 5) < 2*k*factorial(k)*binomial(n, 5)"),  # it may be 0
    (N, "sum((-1)^i*binomial(n, i), i, 0, n) = 0"),
    (AB, "minimum(a*t + b/t, t > 0) = 2*sqrt(a*b) + 10^(-30)"),
    (AB, "argmin(a*t + b/t, t > 0) = sqrt(a/b)"),
    (("a >= 0", "b >= 0"), "argmin(a*t + b/t, t > 0) = sqrt(b/a)"),
    (("rho > 0", "L > 0"), "minimum(rho*a + L/(a-1), a > 1) <= rho + 1.999*sqrt(rho*L)"),
    ((), "argmin(exp(-x), x >= 0) = 0"),
    ((), "argmin(1, x >= 0) = 0"),
    ((), "argmin(1, x >= 0) = argmin(1, x >= 0)"),  # every point is one
    ((), "argmin((x^2-1)^2, x) = 1"),
    ((), "argmax(x*(1-x), 0 < x < 1/2) = 1/2"),
    ((), "minimum(1/x, x > 0) > 0"),
    ((), "minimum(-x, x > 0) <= 0"),
    ((), "maximum(x, x > 0) >= 0"),
    ((), "minimum(x^3 - 3*x, x) <= -1"),  # it is not bounded below
    ((), "minimum(log(x), x > 0) <= 0"),
    ((), "maximum(x*exp(-x), x > 1) < exp(-1)"),
    ((), "maximum(x*exp(-x), x > 0) = 0.368"),
    ((), "minimum(x - log(x), x > 2) = 1"),
    (("b: real",), "minimum(b*t, 0 <= t <= 1) = 0"),
    (("a: real",), "minimum(x^2, 0 < x < a) = 0"),
    ((), "minimum(1/x, -1 < x < 1) <= 0"),
    (K, "product(i, i, 1, k) = factorial(k+1)"),
    ((*K, *T), "product(exp(c*i), i, 1, k) = exp(c*k*(k-1)/2)"),
    ((*K, *T), "product(c, i, 1, k) = c^(k+1)"),
    (B, "integral(exp(-x/b)/b, x, 0, oo) = b"),
    (("b: real",), "integral(exp(-x/b)/b, x, 0, oo) = 1"),
    (B, "integral(exp(-abs(x)/b)/(2*b), x, -oo, oo) = 2"),
    ((*B, "d: real"), "integral(exp(-abs(x-d)/b)/(2*b), x, -oo, 0) = exp(-d/b)/2"),
    (("a > 0",), "integral(max(1-x, 0)*exp(-a*x), x, 0, oo) = 1/a"),
    ((), "integral(1/x, x, -1, 1) = 0"),
    ((), "integral(1/x^2, x, -1, 1) = -2"),
    ((), "integral(1/x^2, x, -1, 1) <= 2"),
    ((), "integral(1/(1-x), x, 0, 2) = 0"),
    ((), "integral(1/x, x, 1, oo) >= 0"),  # they diverge
    ((), "integral(x, x, -oo, oo) = 0"),
    ((), "integral(cos(x), x, 0, oo) = 0"),
    ((), "integral(1/x, x, 1, oo) = integral(1/x, x, 1, oo)"),
    ((), "integral(1/abs(x), x, -1, 1) >= 0"),
    (("t > 0",), "integral(1/x, x, 0, t) >= 0"),
    ((), "integral(1/(x*log(x)), x, 1, 2) <= 100"),
    ((), "integral(abs(x)/x, x, -1, 1) = 0"),
    (("b: real",), "integral(1/x, x, 1, b) = log(b)"),
    (("a: real",), "integral(x^a, x, 0, 1) = 1/(a+1)"),
    (("a >= 1",), "integral(x^(-a), x, 1, oo) = 1/(a-1)"),
    (("t: real",), "integral(exp(t*x)*phi(x), x, -oo, oo) = exp(t^2)"),
    (("t: real",), "integral(exp(-x^3), x, 0, t) <= t"),
    (("t > 0",), "integral(exp(-x^3), x, 0, t) <= t - 1/1000"),
    (("t > 0",), "integral(exp(-x^3/2), x, 0, t) <= integral(exp(-x^3), x, 0, t)"),
    ((), "integral(exp(-x^2), x, 0, 1) <= 0.7468"),
    ((), "integral(exp(-x^2), x, 0, 1) = 0.746824132812"),
    ((), "integral(x*phi(x), x, 0, oo) = 0.399"),
    (("t > 0",), "diff(integral(exp(-t*x), x, 0, oo), t) = -2/t^2"),
    (("t > 0",), "diff(integral(exp(-t*x), x, 0, oo), t) = 1/t"),
    (("t >= 0",), "diff(integral(exp(-t*x), x, 0, oo), t) = -1/t^2"),
    (("t: real",), "diff(integral(exp(-t*x), x, 0, oo), t) = -1/t^2"),
    (("t >= 0",), "diff(t^(3/2), t) = 3/2*sqrt(t)"),  # it is none from one side only
    (("t: real",), "diff(abs(t), t) <= 1"),
    (("t > 0",), "diff(integral(exp(-t*x^3), x, 0, t), t) = -integral(x^3*exp(-t*x^3), x, 0, t)"),  # the end moves
    (("t > 0",), "diff(integral(exp(-t*x^3), x, 0, 1), t) = integral(x^3*exp(-t*x^3), x, 0, 1)"),
    (("t > 0",), "diff(integral(t/(t^2+x^2), x, 0, 1), t) >= 0"),
    ((), "limit((exp(x) - 1)/x, x, 0) = 1 + 10^(-30)"),
    ((), "limit(log(1 + x)/x, x, 0) < 1"),
    ((), "limit(x*log(x), x, 0, 1) < 0"),
    ((), "limit(1/x, x, 0, 1) = 0"),
    ((), "limit(1/x, x, 0, 1) >= 0"),
    ((), "limit(sin(x), x, oo) = 0"),
    ((), "limit(log(x), x, -1) = 0"),
    (T, "limit((1 + c/x)^x, x, oo) = exp(1)"),
    (T, "limit((1 + c*x)^(1/x), x, oo) = exp(c)"),
    (T, "limit((1 - exp(-c*x))/x, x, 0) = 1"),
    ((), "limit((x^2 + 3)/(2*x^2 + x), x, oo) = 3"),
    ((), "limit(Phi(-x), x, oo) = 1"),
    ((), "limit((cosh(x) - 1)/x^2, x, 0, 1) = 1"),
    ((), "limit(sinh(x)*exp(-x), x, oo) = -1/2"),
    ((), "limit(log(cosh(x)) - x, x, oo) = 0"),
    ((), "limit(tanh(x), x, -oo) = 1"),
    ((), "limit(atan(x), x, -oo) = pi/2"),
    ((), "limit(abs(x)/x, x, 0) = 0"),
    (("c: real",), "limit(exp(c*x), x, oo) = 0"),
    (("c >= 0",), "limit(exp(-c*x), x, oo) = 0"),
]


def _proof(let, claim, seconds):
    """By the strategies alone, with no points to refute it first."""
    declared = read_declarations(let)
    (relation,) = read_relations(claim, declared.names).relations
    with timed(seconds):
        return prove(Question(relation, Domain(declared.conditions)))


@pytest.mark.parametrize(("let", "claim"), TRUE, ids=lambda v: v if isinstance(v, str) else "")
def test_a_true_relation_is_proved(let, claim):
    assert _proof(let, claim, 60) is not None


@pytest.mark.parametrize(("let", "claim"), FALSE, ids=lambda v: v if isinstance(v, str) else "")
def test_a_near_miss_is_never_proved(let, claim):
    assert _proof(let, claim, 0.3) is None


@pytest.mark.slow
@pytest.mark.parametrize(("let", "claim"), FALSE, ids=lambda v: v if isinstance(v, str) else "")
def test_time_does_not_make_a_near_miss_true(let, claim):
    assert _proof(let, claim, 5) is None


def test_a_divergent_integral_is_reported():
    decision = read_claim("integral(1/x, x, 1, b) <= integral(1/x, x, 1, oo)", let=("b > 1",)).decide(1.0)
    assert decision.verdict not in (Verdict.PROVED, Verdict.CERTIFIED)
    assert "diverges" in decision.why


@pytest.mark.cases(1)
@pytest.mark.parametrize(("let", "claim"), [TRUE[0], TRUE[21]])
def test_a_decision_agrees(let, claim):
    assert read_claim(claim, let=let).decide(5.0).verdict is Verdict.PROVED
