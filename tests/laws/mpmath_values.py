"""Values by mpmath alone: an opinion on relations that shares nothing with the prover but SymPy's trees."""

from __future__ import annotations

import mpmath as mp
import sympy as sp

from dpsym.core.notation import (
    Maximum,
    Minimum,
    Phi,
    Phi_inv,
    besseli,
    derivative,
    expectation,
    gammaq,
    phi,
    probability,
    renyi,
)

PLACES = 25
MOST_TERMS = 2_000
LARGEST_ARGUMENT = 1_000  # bits: mpmath works with as many more digits, until the memory is full
CLOSE = mp.mpf(10) ** -9  # relative; mpmath's sums, integrals and optima are good to more

_FUNCTIONS = {
    sp.exp: mp.exp, sp.Abs: abs, sp.sinh: mp.sinh, sp.cosh: mp.cosh, sp.tanh: mp.tanh, sp.erf: mp.erf,
    sp.erfc: mp.erfc, sp.gamma: mp.gamma, sp.factorial: mp.factorial, sp.binomial: mp.binomial,
    sp.harmonic: mp.harmonic, sp.floor: mp.floor, sp.ceiling: mp.ceil, sp.Max: max, sp.Min: min,
    Phi: mp.ncdf, phi: mp.npdf, sp.sin: mp.sin, sp.cos: mp.cos, sp.tan: mp.tan, sp.atan: mp.atan, sp.coth: mp.coth,
    besseli: mp.besseli, gammaq: lambda s, x: mp.gammainc(s, x, regularized=True),
}  # fmt: skip


class NoValue(ArithmeticError):
    """Undefined there, not real, or beyond what is computed here."""


def value(e, point, distributions=None, places=None):
    """The real value of an expression at a point (symbols to numbers)."""
    try:
        with mp.workdps(places or PLACES):
            found = _Values(distributions or {}).at(e, dict(point))
    except (
        ZeroDivisionError,
        ValueError,
        OverflowError,
        TypeError,
        KeyError,
        AttributeError,
        mp.libmp.NoConvergence,
        MemoryError,
    ) as error:
        raise NoValue(str(error)) from None
    if isinstance(found, mp.mpc) or not mp.isfinite(found):
        raise NoValue("infinite, or not real")
    return found


def fails(relation, point, distributions=None):
    """Whether the relation fails there by more than rounding; raises NoValue where a side has no value."""
    seen = _excess(relation, point, distributions, PLACES)
    # where large terms cancel all that is seen may be rounding, which is another one with more places
    return seen > 0 and abs(_excess(relation, point, distributions, 2 * PLACES) / seen - 1) < 0.5


def _excess(relation, point, distributions, places):
    """By how much the relation fails; 0 where it does not by more than may be lost."""
    left, right = (value(side, point, distributions, places) for side in (relation.lhs, relation.rhs))
    slack = CLOSE * max(abs(left), abs(right), mp.mpf(10) ** -30)
    by = {"=": abs(left - right), "!=": 0, "<=": left - right, "<": left - right}.get(relation.op, right - left)
    return by if by > slack else 0


class _Values:
    def __init__(self, distributions):
        self.distributions = distributions

    def at(self, e, point):
        if isinstance(e, sp.Rational):
            return mp.mpf(int(e.p)) / int(e.q)
        if e in (sp.pi, sp.E):
            return +mp.pi if e == sp.pi else +mp.e
        if e in (sp.oo, -sp.oo):
            return mp.inf if e == sp.oo else -mp.inf
        if isinstance(e, sp.Symbol):
            return mp.mpf(int(point[e].p)) / int(point[e].q) if isinstance(point[e], sp.Rational) else mp.mpf(point[e])
        if isinstance(e, sp.Add):
            return mp.fsum(self.at(a, point) for a in e.args)
        if isinstance(e, sp.Mul):
            return mp.fprod(self.at(a, point) for a in e.args)
        if isinstance(e, sp.Pow) and not isinstance(e, sp.exp):
            return self._power(*e.args, point)
        if isinstance(e, sp.log):
            inside = self.at(e.args[0], point)
            return mp.log(inside) if inside > 0 else self._none("logarithm")
        if isinstance(e, sp.Piecewise):
            for piece, condition in e.args:
                if self._holds(condition, point):
                    return self.at(piece, point)
            self._none("no piece")
        if isinstance(e, Phi_inv):
            return mp.sqrt(2) * mp.erfinv(2 * self.at(e.args[0], point) - 1)
        for kind, method in (
            (sp.Sum, self._sum), (sp.Product, self._product), (sp.Integral, self._integral), (sp.Limit, self._limit),
            (Minimum, self._optimum), (Maximum, self._optimum), (derivative, self._derivative),
            (expectation, self._expectation), (probability, self._probability), (renyi, self._renyi),
        ):  # fmt: skip
            if isinstance(e, kind):
                return method(e, point)
        at = [self.at(a, point) for a in e.args]
        if any(mp.isfinite(a) and a != 0 and mp.mag(a) > LARGEST_ARGUMENT for a in at):
            self._none("an argument that is too large")
        return _FUNCTIONS[type(e)](*at)

    def _holds(self, condition, point):
        if condition in (sp.true, sp.false):
            return condition == sp.true
        left, right = (self.at(side, point) for side in condition.args)
        return {sp.Lt: left < right, sp.Le: left <= right, sp.Gt: left > right, sp.Ge: left >= right}[type(condition)]

    def _none(self, what):
        raise NoValue(what)

    def _power(self, base, exponent, point):
        b, x = self.at(base, point), self.at(exponent, point)
        if b == 0 and x <= 0 and x != 0:
            self._none("division by zero")
        if b < 0 and x != mp.nint(x):
            self._none("root of a negative number")
        if b not in (0, 1) and mp.isfinite(x) and x != 0 and mp.mag(x) > LARGEST_ARGUMENT:
            self._none("an exponent that is too large")
        if b < 0:
            return b ** int(x)
        return mp.power(b, x)

    def _sum(self, e, point):
        i, low, high = e.limits[0]
        first, last = self.at(low, point), self.at(high, point)
        if last == mp.inf:
            return self._series(lambda n: self.at(e.function, {**point, i: n}), int(first))
        if last - first > MOST_TERMS:
            self._none("many terms")
        return mp.fsum(self.at(e.function, {**point, i: n}) for n in range(int(first), int(last) + 1))

    @staticmethod
    def _series(term, first):
        """Term by term where these fall fast (`nsum` extrapolates, at times wrongly), otherwise extrapolated."""
        total, small, n, t = mp.mpf(0), 0, first, mp.inf
        while small < 8 and n < first + MOST_TERMS:
            before, t = t, term(n)
            total += t
            small = small + 1 if total and abs(t) <= mp.eps * abs(total) else 0
            n += 1
        if small < 8 and abs(t) > abs(before):
            raise NoValue("terms that still rise")
        return total if small == 8 or not total else mp.nsum(term, [first, mp.inf])

    def _product(self, e, point):
        i, low, high = e.limits[0]
        first, last = self.at(low, point), self.at(high, point)
        if last - first > MOST_TERMS:
            self._none("many factors")
        return mp.fprod(self.at(e.function, {**point, i: n}) for n in range(int(first), int(last) + 1))

    def _integral(self, e, point):
        x, low, high = e.limits[0]
        return self._quad(lambda u: self.at(e.function, {**point, x: u}), self.at(low, point), self.at(high, point))

    @staticmethod
    def _quad(f, low, high):
        inner = [c for c in (-20, -4, 0, 4, 20) if low < c < high]
        with mp.workdps(15):
            found, error = mp.quad(f, [low, *inner, high], error=True, maxdegree=6)
        if error > CLOSE * abs(found):
            raise NoValue("no accurate integral")
        return found

    def _limit(self, e, point):
        body, x, to, side = e.args
        if to in (sp.oo, -sp.oo):
            raise NoValue("a limit at infinity")  # too slow to converge to judge by
        near, sign = self.at(to, point), -1 if str(side) == "-" else 1
        with mp.workdps(60):
            values = [self.at(body, {**point, x: near + sign * mp.mpf(10) ** -n}) for n in (14, 16)]
        if abs(values[0] - values[1]) > mp.mpf(10) ** -11 * max(1, abs(values[1])):
            raise NoValue("no limit seen")
        return values[1]

    def _optimum(self, e, point):
        function, interval = e.args
        (x,), body = function.variables, function.expr
        sign = -1 if isinstance(e, Maximum) else 1
        low, high = self.at(interval.start, point), self.at(interval.end, point)

        def place(u):
            if low > -mp.inf and high < mp.inf:
                return low + (high - low) / (1 + mp.exp(-u))
            if low > -mp.inf:
                return low + mp.exp(u)
            return high - mp.exp(u) if high < mp.inf else mp.sinh(u)

        def f(u):
            return sign * self.at(body, {**point, x: place(u)})

        grid = [mp.mpf(n) / 4 for n in range(-80, 81)]
        best = min(grid, key=f)
        a, b = best - mp.mpf(1) / 4, best + mp.mpf(1) / 4
        for _ in range(90):
            c, d = a + (b - a) * mp.mpf("0.382"), a + (b - a) * mp.mpf("0.618")
            a, b = (a, d) if f(c) < f(d) else (c, b)
        return sign * f((a + b) / 2)

    def _derivative(self, e, point):
        function, order, at = e.args
        (x,), body = function.variables, function.expr
        with mp.workdps(3 * PLACES):
            return mp.diff(lambda u: self.at(body, {**point, x: u}), self.at(at, point), int(order))

    def _density(self, name, y, point):
        d = self.distributions[name.name]
        return self.at(d.expression, {**point, d.variable: y})

    def _expectation(self, e, point):
        function, name = e.args
        (x,), body = function.variables, function.expr
        f = lambda u: self.at(body, {**point, x: u}) * self._density(name, u, point)  # noqa: E731
        return self._quad(f, -mp.inf, mp.inf)

    def _probability(self, e, point):
        function, name = e.args
        (x,), happened = function.variables, function.expr
        lhs, op, rhs = happened.args
        bound = self.at(rhs, point)
        f = lambda u: self._density(name, u, point)  # noqa: E731
        if isinstance(lhs, sp.Abs) and str(op) in (">", ">="):
            return self._quad(f, -mp.inf, -bound) + self._quad(f, bound, mp.inf)
        if lhs == x and str(op) in (">", ">="):
            return self._quad(f, bound, mp.inf)
        raise NoValue("another event")

    def _renyi(self, e, point):
        order, p, q = e.args
        a = self.at(order, point)
        if a == 1:
            f = lambda u: self._density(p, u, point) * mp.log(self._density(p, u, point) / self._density(q, u, point))  # noqa: E731
            return mp.quad(f, [-400, -40, -8, 0, 8, 40, 400])
        f = lambda u: self._density(p, u, point) ** a * self._density(q, u, point) ** (1 - a)  # noqa: E731
        return mp.log(self._quad(f, -mp.inf, mp.inf)) / (a - 1)
