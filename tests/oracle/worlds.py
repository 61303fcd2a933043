"""Random distributions on which a relation between divergences is evaluated, by mpmath alone.

A world gives every name a value: a number, a table {outcome: probability}, a table of tables for a channel, or an
outcome's density with the ends of its support.  Nothing here is shared with the prover but SymPy's trees.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise

import mpmath as mp
import sympy as sp

from dpsym.core import notation as heads
from dpsym.core.distributions import Density, Finite, Pmf
from dpsym.core.relations import ForAll, IsInteger
from laws.mpmath_values import NoValue, _Values

PLACES = 40
_FARTHEST = 120  # outcomes of a mass on the integers, in each direction


@dataclass
class World:
    """Values of the names; `given` has the densities and masses that a result itself names."""

    numbers: dict[sp.Symbol, mp.mpf] = field(default_factory=dict)
    tables: dict[sp.Symbol, dict] = field(default_factory=dict)
    channels: dict[sp.Symbol, dict] = field(default_factory=dict)
    given: dict[sp.Symbol, object] = field(default_factory=dict)


def sides(relation, world):
    """Both sides at the world.

    Raises:
        NoValue: where one is undefined or was not computed well enough.
    """
    with mp.workdps(PLACES):
        values = Values(world)
        try:
            found = tuple(values.at(side, world.numbers) for side in (relation.lhs, relation.rhs))
        except (ZeroDivisionError, OverflowError, ValueError, mp.libmp.NoConvergence) as error:
            raise NoValue(str(error)) from None
    if any(isinstance(side, mp.mpc) or mp.isnan(side) for side in found):
        raise NoValue("not a number")
    slow = any(side.has(sp.Integral, sp.Limit) for side in (relation.lhs, relation.rhs))
    if slow and any(mp.isinf(side) for side in found):
        raise NoValue("infinite, which an integral or a limit is not seen to be")
    return found


def exactness(relation, world):
    """The size below which differences are of rounding: quadrature is good to 16 digits, sums to almost all places."""
    rough = world.given or any(side.has(sp.Integral, sp.Sum, sp.Limit) for side in (relation.lhs, relation.rhs))
    return mp.mpf(10) ** (-7 if rough else -25) if rough or world.tables else mp.mpf(10) ** -10_000


def off(op, left, right, least):
    """By how much `left op right` fails, relative to the larger side: at most about 0 where it holds."""
    if left == right:
        return mp.mpf(0)
    if not (mp.isfinite(left) and mp.isfinite(right)):
        difference = mp.inf if left > right else -mp.inf
    else:
        difference = (left - right) / max(abs(left), abs(right), least)
    return {"=": abs(difference), "<=": difference, ">=": -difference}[op]


def holds(condition, world):
    """Whether a condition on numbers holds there."""
    if isinstance(condition, IsInteger):
        value = Values(world).at(condition.expression, world.numbers)
        return value == mp.nint(value)
    left, right = sides(condition, world)
    tiny = mp.mpf(10) ** (10 - PLACES) * max(1, abs(left), abs(right))
    return {
        "=": abs(left - right) <= tiny, "!=": left != right, "<=": left <= right + tiny, "<": left < right,
        ">=": left >= right - tiny, ">": left > right,
    }[condition.op]  # fmt: skip


def is_numeric(condition):
    """Whether it speaks of numbers alone."""
    if isinstance(condition, ForAll):
        return False
    if isinstance(condition, IsInteger):
        return True
    kinds = (heads.renyi, heads.hockey_stick, heads.trade_off, heads.probability, heads.expectation)
    return not (condition.lhs.has(*kinds) or condition.rhs.has(*kinds))


class Values(_Values):
    """Expressions with tables in the place of densities."""

    def __init__(self, world):
        super().__init__({})
        self.world = world

    def at(self, e, point):
        if isinstance(e, heads.hockey_stick):
            return self._hockey_stick(self.at(e.args[0], point), *(self.source(d, point) for d in e.args[1:]))
        if isinstance(e, heads.trade_off):
            return trade_off(self.at(e.args[0], point), *(self.source(d, point) for d in e.args[1:]))
        if isinstance(e, sp.Piecewise):
            return next(self.at(v, point) for v, c in e.args if c == sp.true or self._is(c, point))
        return super().at(e, point)

    def _is(self, c, point):
        left, right = (self.at(side, point) for side in c.args)
        return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[c.rel_op]

    def _power(self, base, exponent, point):
        if base is sp.E:
            return mp.exp(self.at(exponent, point))
        return super()._power(base, exponent, point)

    # --- distributions

    def source(self, d, point):
        """The table of a distribution, or a given density as (function, low, high)."""
        if isinstance(d, sp.Symbol):
            given = self.world.given.get(d)
            if given is None:
                return self.world.tables[d]
            return given if isinstance(given, tuple) else self._given(given, point)
        if isinstance(d, heads.mixture):
            weight, first, second = self.at(d.args[0], point), *(self.source(part, point) for part in d.args[1:])
            return {o: (1 - weight) * first.get(o, 0) + weight * second.get(o, 0) for o in {**first, **second}}
        if isinstance(d, heads.independent):
            first, second = (self.source(part, point) for part in d.args)
            return {(o, u): p * r for o, p in first.items() for u, r in second.items()}
        if isinstance(d, heads.image):
            channel, drawn = self.world.channels[d.args[0]], self.source(d.args[1], point)
            found = defaultdict(mp.mpf)
            for o, p in drawn.items():
                for u, r in channel[o].items():
                    found[u] += p * r
            return dict(found)
        if isinstance(d, heads.privacy_loss):
            first, second = (self.source(part, point) for part in d.args)
            found = defaultdict(mp.mpf)
            for o, p in first.items():
                if p > 0:
                    r = second.get(o, 0)
                    found[mp.log(p / r) if r > 0 else mp.inf] += p
            return dict(found)
        raise NoValue(f"{d} has no table")

    def _given(self, d, point):
        if isinstance(d, Finite):
            masses = [
                (self.at(p, point), self.at(m, point)) for p, m in zip(d.probabilities, d.multiplicities, strict=True)
            ]
            return {i: p * m for i, (p, m) in enumerate(masses)}
        if isinstance(d, Density):
            low, high = self.at(d.support.start, point), self.at(d.support.end, point)
            constants = {c: sp.Dummy() for c in d.expression.atoms(heads.Phi_inv) if not c.has(d.variable)}
            values = {**point, **{name: self.at(c, point) for c, name in constants.items()}}
            expression = d.expression.xreplace(constants)
            names = sorted(expression.free_symbols - {d.variable}, key=str)
            density = sp.lambdify([d.variable, *names], expression, modules="mpmath")
            parameters = [values[name] for name in names]
            return (lambda u: density(u, *parameters), low, high)
        assert isinstance(d, Pmf)
        low, high = self.at(d.lower, point), self.at(d.upper, point)
        first = int(max(low, -_FARTHEST)) if low > -mp.inf else -_FARTHEST
        return {
            i: self.at(d.expression, {**point, d.variable: mp.mpf(i)})
            for i in range(first, int(min(high, _FARTHEST)) + 1)
        }

    # --- heads

    def _renyi(self, e, point):
        order = self.at(e.args[0], point)
        first, second = (self.source(d, point) for d in e.args[1:])
        if isinstance(first, tuple):
            (f, low, high), (g, *_) = first, second
            moment = integral(lambda u: f(u) ** order * g(u) ** (1 - order), low, high)
            return mp.log(moment) / (order - 1)
        return renyi(order, first, second)

    def _hockey_stick(self, gamma, first, second):
        if isinstance(first, tuple):
            (f, low, high), (g, *_) = first, second
            excess = lambda u: f(u) - gamma * g(u)  # noqa: E731
            ends = [low, *_zeros(excess), high]
            return mp.fsum(integral(excess, c, d) for c, d in pairwise(ends) if excess(_between(c, d)) > 0)
        return hockey_stick(gamma, first, second)

    def _expectation(self, e, point):
        function, name = e.args
        (x,), body = function.variables, function.expr
        drawn = self.source(name, point)
        if isinstance(drawn, tuple):
            f, low, high = drawn
            return integral(lambda u: f(u) * self.at(body, {**point, x: u}), low, high)
        return mp.fsum(p * self.at(body, {**point, x: o}) for o, p in drawn.items() if p > 0)

    def _probability(self, e, point):
        function, name = e.args
        (x,), (left, op, right) = function.variables, function.expr.args
        drawn = self.source(name, point)

        def happened(u):
            a, b = (self.at(side, {**point, x: u}) for side in (left, right))
            return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[str(op)]

        if not isinstance(drawn, tuple):
            return mp.fsum(p for o, p in drawn.items() if happened(o))
        f, low, high = drawn
        at = self.at(right, point) if not left.is_Add else self.at(right - (left - x), point)
        ends = sorted({u for u in (low, -abs(at), mp.mpf(0), abs(at), high) if low <= u <= high})
        parts = [(a, b) for a, b in pairwise(ends) if happened(_between(a, b))]
        return mp.fsum(integral(f, a, b) for a, b in parts)

    def _sum(self, e, point):
        """Over all integers from the middle outward."""
        i, low, _ = e.limits[0]
        if low != -sp.oo:
            return super()._sum(e, point)
        term = lambda j: self.at(e.function, {**point, i: mp.mpf(j)})  # noqa: E731
        return self._series(term, 0) + self._series(lambda j: term(-j), 1)

    def _optimum(self, e, point):
        """The ends of the interval are tried, too: what is optimised is continuous there."""
        (x,), interval = e.args[0].variables, e.args[1]
        ends = [self.at(end, point) for end in (interval.start, interval.end) if not end.is_infinite]
        there = [self.at(e.args[0].expr, {**point, x: end}) for end in ends]
        return (min if isinstance(e, heads.Minimum) else max)(super()._optimum(e, point), *there)

    def _integral(self, e, point):
        """Cut at the likelihood ratios of all pairs, where an integrand may have a kink."""
        x, low, high = e.limits[0]
        ends = [self.at(low, point), self.at(high, point)]
        ratios = set()
        for first in self.world.tables.values():
            for second in self.world.tables.values():
                ratios |= {p / second[o] for o, p in first.items() if second.get(o, 0) > 0 and p > 0}
        cuts = {r for r in (*ratios, *map(mp.log, ratios)) if ends[0] < r < ends[1]}
        inner = sorted(cuts) if cuts else []
        if inner and ends[1] == mp.inf:
            tail = self.at(e.function, {**point, x: inner[-1] + 1})
            if tail != 0 and x == heads.gamma:
                raise NoValue("an integral that converges slowly, if at all")
            ends[1] = mp.inf if tail != 0 else inner[-1]
        return mp.fsum(
            integral(lambda u: self.at(e.function, {**point, x: u}), a, b)
            for a, b in pairwise([ends[0], *(c for c in inner if c < ends[1]), ends[1]])
        )

    def _limit(self, e, point):
        body, x, to, side = e.args
        near = mp.mpf(10) ** (24 if to == sp.oo else 14)
        at = near if to == sp.oo else self.at(to, point) + (-1 if str(side) == "-" else 1) / near
        with mp.workdps(2 * PLACES):
            return self.at(body, {**point, x: at})


def renyi(order, first, second):
    """Of two tables."""
    both = [(p, second.get(o, mp.mpf(0))) for o, p in first.items() if p > 0]
    if order == mp.inf:
        return max(mp.log(p / r) if r > 0 else mp.inf for p, r in both)
    if order >= 1 and any(r == 0 for _, r in both):
        return mp.inf
    if order == 1:
        return mp.fsum(p * mp.log(p / r) for p, r in both)
    moment = mp.fsum(p * (p / r) ** (order - 1) for p, r in both if r > 0)
    return mp.log(moment) / (order - 1) if moment > 0 else mp.inf


def hockey_stick(gamma, first, second):
    """Of two tables."""
    outcomes = {**first, **second}
    return mp.fsum(max(mp.mpf(0), first.get(o, 0) - gamma * second.get(o, 0)) for o in outcomes)


def trade_off(level, null, other):
    """The least type-II error of a randomised test at that level, by the lemma of Neyman and Pearson."""
    outcomes = {**null, **other}
    ratio = lambda o: other.get(o, 0) / null[o] if null.get(o, 0) > 0 else mp.inf  # noqa: E731
    power, left = mp.mpf(0), level
    for o in sorted(outcomes, key=ratio, reverse=True):
        p, r = null.get(o, mp.mpf(0)), other.get(o, mp.mpf(0))
        share = mp.mpf(1) if p <= left else left / p
        power, left = power + share * r, max(mp.mpf(0), left - p)
        if share < 1:
            break
    return 1 - power


def integral(f, low, high):
    """Cut at 0 and at a few scales; raises NoValue where it is not accurate."""
    cuts = [c for c in (-60, -15, -4, -1, 0, 1, 4, 15, 60) if low < c < high]
    with mp.workdps(18):
        found, error = mp.quad(f, [low, *cuts, high], error=True, maxdegree=6)
    if error > mp.mpf(10) ** -10 * abs(found) and error > mp.mpf(10) ** -16:
        raise NoValue("no accurate integral")
    return found


def _zeros(f):
    """Where it changes its sign between points of a grid."""
    found, grid = [], [mp.mpf(i) / 4 + mp.mpf(1) / 97 for i in range(-80, 81)]
    for low, high in pairwise(grid):
        if f(low) * f(high) < 0:
            for _ in range(60):
                middle = (low + high) / 2
                low, high = (low, middle) if f(low) * f(middle) <= 0 else (middle, high)
            found.append(low)
    return found


def _between(a, b):
    if a == -mp.inf:
        return b - 1
    return a + 1 if b == mp.inf else (a + b) / 2
