"""Closed forms of divergences beside quadrature and sums: shifted noise, and members of one family, in both orders."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import pytest
import sympy as sp
from mpmath import exp, inf, linspace, log, mp, mpf, quad

from dpsym.core.distributions import Density, Pmf, shifted
from dpsym.core.notation import Delta, alpha, epsilon, n, y
from dpsym.core.relations import IsInteger, Proposition, propositions
from dpsym.divergences import (
    ClosedForm,
    hockey_stick,
    kullback_leibler,
    max_divergence,
    renyi,
    zero_concentrated,
)
from dpsym.language import read_expression
from dpsym.numbers import enclose

F = Fraction
ORDERS, LEVELS = (F(5, 4), F(7, 2)), (F(0), F(1, 4))


@dataclass(frozen=True)
class Pair:
    """A noise and the same moved by Delta, or two texts; where its parameters are, and where it is not smooth."""

    noise: str
    given: tuple[object, ...]
    at: dict[str, Fraction]
    other: str | None = None
    ends: tuple[object, object] = (-sp.oo, sp.oo)
    masses: bool = False
    corners: tuple[object, ...] = (0,)
    multiple: str | None = None  # of the noise, where a sum in it is for dpsym alone
    without: tuple[str, ...] = ()  # questions without a closed form

    def distributions(self) -> tuple[Density | Pmf, Density | Pmf]:
        def of(text: str) -> Density | Pmf:
            body = read_expression(text)
            return (
                Pmf(n, body, *map(sp.sympify, self.ends)) if self.masses else Density(y, body, sp.Interval(*self.ends))
            )

        return (of(self.noise), of(self.other)) if self.other else shifted(of(self.noise), Delta)


s, t, k, N = sp.symbols("s t k N")
UP, BOTH, SHARES = (s > 0, Delta > 0), (s > 0, t > 0, Delta > 0), (s > 0, t > s, t < 1)
PAIRS = {
    "laplace": Pair("exp(-abs(y)/s)/(2*s)", UP, {"s": F(3, 2), "Delta": F(2)}),
    "laplace of two scales": Pair("exp(-abs(y-Delta)/s)/(2*s)", (*BOTH, s < t),
                                  {"s": F(1), "t": F(3, 2), "Delta": F(1, 2)}, "exp(-abs(y)/t)/(2*t)",
                                  without=("zcdp",)),
    "steeper on one side": Pair("piecewise(exp(y/t), y < 0, exp(-y/s))/(s+t)", BOTH,
                                {"s": F(3, 2), "t": F(4, 5), "Delta": F(2, 3)}, without=("zcdp",)),
    "wider against narrower": Pair("exp(-(y-m)^2/(2*s^2))/(s*sqrt(2*pi))", (t > 0, s > t),
                                   {"s": F(3, 2), "t": F(1), "m": F(1, 2)}, "exp(-y^2/(2*t^2))/(t*sqrt(2*pi))",
                                   without=("zcdp",)),
    "exponentials": Pair("exp(-y)", (), {}, "3*exp(-3*y)", (0, sp.oo), without=("zcdp",)),
    "uniform": Pair("1", (Delta > 0, Delta < 1), {"Delta": F(1, 3)}, ends=(0, 1), corners=(0, 1)),
    "truncated laplace": Pair("exp(-abs(y))/(2*(1-exp(-2)))", (Delta > 0, Delta < 1), {"Delta": F(4, 5)}, ends=(-2, 2),
                              corners=(-2, 0, 2)),
    "cauchy": Pair("s/(pi*(y^2+s^2))", UP, {"s": F(3), "Delta": F(2)}),
    "cauchy of two scales": Pair("2/(pi*((y-1)^2+4))", (), {}, "1/(pi*(y^2+1))"),
    "logistic": Pair("1/(4*s*cosh(y/(2*s))^2)", UP, {"s": F(3, 2), "Delta": F(2)}),
    "logistic by exponentials": Pair("exp(-y/s)/(s*(1+exp(-y/s))^2)", UP, {"s": F(3, 2), "Delta": F(2)}),
    "gamma": Pair("y^(k-1)*exp(-y/s)/(gamma(k)*s^k)", (s > 0, t > s, k > 0), {"s": F(1), "t": F(6, 5), "k": F(2)},
                  "y^(k-1)*exp(-y/t)/(gamma(k)*t^k)", (0, sp.oo), without=("delta", "zcdp")),
    "poisson": Pair("exp(-s)*s^n/factorial(n)", (s > 0, t > s), {"s": F(1), "t": F(2)}, "exp(-t)*t^n/factorial(n)",
                    (0, sp.oo), True, without=("delta", "zcdp")),
    "binomial": Pair("binomial(N, n)*s^n*(1-s)^(N-n)", (*SHARES, N >= 1, IsInteger(N)),
                     {"s": F(1, 3), "t": F(1, 2), "N": F(4)}, "binomial(N, n)*t^n*(1-t)^(N-n)", (0, N), True,
                     without=("delta", "zcdp")),
    "geometric on one side": Pair("(1-s)*s^n", SHARES, {"s": F(1, 3), "t": F(1, 2)},
                                  "(1-t)*t^n", (0, sp.oo), True, without=("zcdp",)),
    "geometric, moved": Pair("(1/2)^(n+1)", (Delta >= 1, IsInteger(Delta)), {"Delta": F(1)}, ends=(0, sp.oo),
                             masses=True, without=("zcdp",)),
    "discrete gaussian": Pair("exp(-n^2/(2*s^2))/sum(exp(-i^2/(2*s^2)), i, -oo, oo)",
                              (s > 0, Delta >= 1, IsInteger(Delta)), {"s": F(3, 2), "Delta": F(2)},
                              masses=True, multiple="exp(-n^2/(2*s^2))"),
}  # fmt: skip


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    with mp.workdps(17):
        yield


def number(x: object) -> mpf:
    x = sp.Rational(x)
    return mpf(x.p) / x.q


def value(expression: sp.Expr, at: dict[sp.Symbol, object]) -> mpf:
    found = enclose(expression, {s: v for s, v in at.items() if s in expression.free_symbols}, digits=12)
    return (mpf(str(found.lower)) + mpf(str(found.upper))) / 2


def close(found: mpf, expected: mpf) -> bool:
    return abs(found - expected) <= mpf(10) ** -6 * (1 + abs(expected))


class Numbers:
    """The same divergences in mpmath, of what was typed; infinite where q is 0 and p is not."""

    def __init__(self, pair: Pair, P: Density | Pmf, Q: Density | Pmf) -> None:
        exact = {sp.Symbol(s): sp.Rational(v) for s, v in pair.at.items()}
        if pair.multiple:
            table = {read_expression(pair.noise): read_expression(pair.multiple)}
            table |= {a.subs(n, n - Delta): b.subs(n, n - Delta) for a, b in table.items()}
            P, Q = (Pmf(n, table[D.expression], D.lower, D.upper) for D in (P, Q))
        P, Q = P.subs(exact), Q.subs(exact)
        variable, self.masses = (n if pair.masses else y), pair.masses
        self.p, self.q = (self.function(variable, D) for D in (P, Q))
        move = number(pair.at.get("Delta", 0))
        self.corners = sorted({number(c) + m for c in pair.corners for m in (0, move)})
        self.grid = [mpf(i) for i in range(-60, 61)] if self.masses else linspace(-20, 20, 2001)
        if self.masses:
            p, q = self.p, self.q
            of_p, of_q = (sum(map(f, self.grid)) for f in (p, q))
            self.p, self.q = (lambda x: p(x) / of_p), (lambda x: q(x) / of_q)
        self.covered = all(self.q(x) > 0 for x in self.grid if self.p(x) > 0)

    def function(self, variable: sp.Symbol, D: Density | Pmf) -> Callable[[mpf], mpf]:
        low, high = (D.lower, D.upper) if self.masses else (D.support.start, D.support.end)
        low, high = (mpf(float(end)) if end.is_infinite else number(end) for end in (low, high))
        body = sp.lambdify(variable, D.expression.doit(), "mpmath")
        return lambda x: mpf(body(x)) if low <= x <= high else mpf(0)

    def total(self, f: Callable[[mpf, mpf], mpf], crossings: bool = False) -> mpf:
        def at(x: mpf) -> mpf:
            return f(self.p(x), self.q(x))

        if self.masses:
            return sum(at(x) for x in self.grid)
        places = list(self.corners)
        if crossings:  # where it begins or ends
            signs = [at(x) > 0 for x in self.grid]
            for x, z, a, b in zip(self.grid, self.grid[1:], signs, signs[1:], strict=False):
                if a != b:
                    low, high = x, z
                    for _ in range(50):
                        middle = (low + high) / 2
                        low, high = (middle, high) if (at(middle) > 0) == a else (low, middle)
                    places.append(low)
        return quad(at, [-inf, -8, *sorted(set(places)), 8, inf])


def ask(question: str, P: Density | Pmf, Q: Density | Pmf, given: tuple[Proposition, ...]) -> ClosedForm:
    if question == "kl":
        return kullback_leibler(P, Q, given)
    if question == "renyi":
        return renyi(alpha, P, Q, given)
    if question == "delta":
        return hockey_stick(sp.exp(epsilon), P, Q, (*given, epsilon >= 0))
    return max_divergence(P, Q, given) if question == "largest" else zero_concentrated(P, Q, given)


@pytest.mark.cases(len(PAIRS))  # each in one order
@pytest.mark.parametrize("back", [False, True], ids=["forth", "back"])
@pytest.mark.parametrize("name", PAIRS)
def test_closed_forms_are_what_quadrature_and_sums_say(name: str, back: bool) -> None:
    pair = PAIRS[name]
    given = propositions(pair.given)
    P, Q = pair.distributions()[:: -1 if back else 1]
    at: dict[sp.Symbol, object] = {sp.Symbol(symbol): v for symbol, v in pair.at.items()}
    numbers = Numbers(pair, P, Q)

    kl, curve, largest = (ask(question, P, Q, given) for question in ("kl", "renyi", "largest"))
    budget = None if "zcdp" in pair.without else ask("zcdp", *pair.distributions(), given)
    loss = numbers.total(lambda p, q: p * log(p / q) if p and q else mpf(0))
    assert (kl.expression == sp.oo) is not numbers.covered
    assert kl.expression == sp.oo or close(value(kl.expression, at), loss)
    for order in ORDERS:
        there = {**at, alpha: order}
        if curve.expression == sp.oo or not all(value(c.lhs, there) > 0 for c in curve.conditions):
            assert largest.expression == sp.oo
            continue
        o = number(order)
        found = log(numbers.total(lambda p, q, o=o: p**o * q ** (1 - o) if p and q else mpf(0))) / (o - 1)
        assert close(value(curve.expression, there), found)
        if budget is not None:
            assert found <= o * value(budget.expression, at) + mpf(10) ** -9
    two = renyi(sp.Integer(2), P, Q, given)  # at a number there may be another closed form
    if two.expression != sp.oo and all(value(c.lhs, at) > 0 for c in two.conditions):
        assert close(value(two.expression, at), log(numbers.total(lambda p, q: p * p / q if q else mpf(0))))
    if largest.expression != sp.oo:
        most = max(log(numbers.p(x) / numbers.q(x)) for x in numbers.grid if numbers.p(x) and numbers.q(x))
        assert most - mpf(10) ** -9 <= value(largest.expression, at) <= most + mpf(1) / 200
    for level in () if "delta" in pair.without else LEVELS:
        ratio = exp(number(level))
        found = numbers.total(lambda p, q, ratio=ratio: max(p - ratio * q, mpf(0)), crossings=True)
        assert close(value(ask("delta", P, Q, given).expression, {**at, epsilon: level}), found)
