"""Worlds in which a result can be tried: random ones, and those in which bounds of its kind are attained."""

from __future__ import annotations

import random
from collections.abc import Callable

import mpmath as mp
import sympy as sp

from dpsym.core.notation import (
    Delta,
    K,
    P,
    P_other,
    Q,
    Q_other,
    R,
    X,
    a,
    alpha,
    beta,
    delta,
    epsilon,
    epsilon_1,
    epsilon_2,
    image,
    m,
    mu,
    omega,
    p,
    q,
    rho,
    sigma,
    x,
)
from dpsym.core.relations import ForAll
from dpsym.statements import Result
from laws.mpmath_values import NoValue
from oracle.worlds import PLACES, Values, World, hockey_stick, holds, is_numeric, renyi, trade_off

_MOST_DRAWS = 3_000
_POOL = ("0", "1", "0.5", "2", "3", "0.1", "1.5", "5", "0.01", "0.9", "0.99", "4", "-1", "-0.3")
_HALF = sp.Rational(1, 2)
_KINDS = 8  # of pairs of tables

Special = Callable[[World, random.Random, int], None]


def trials(result: Result, *, seed: int, count: int = 12) -> list[World]:
    """Worlds that satisfy the conditions and the premises of the result."""
    with mp.workdps(PLACES):
        draw = random.Random(f"{result.id} {seed}")  # noqa: S311
        found: list[World] = []
        for attempt in range(_MOST_DRAWS):
            if len(found) == count:
                break
            world = World(given={s: d for s, d in result.outputs.items() if d is not None})
            try:
                _fill(result, world, draw, len(found) if attempt % 8 else attempt // 8)
                if all(holds(c, world) for c in result.conditions if is_numeric(c)):
                    found.append(world)
            except NoValue:
                continue
        return found


def _fill(result: Result, world: World, draw: random.Random, kind: int) -> None:
    named = [s for s, d in result.outputs.items() if d is None]
    for symbol in sorted(result.variables | set(result.reals), key=str):  # the same worlds in every process
        world.numbers[symbol] = _number(draw)
    if named:
        world.tables.update(_tables(named, draw, kind))
    if result.channels:
        world.channels[K] = _channel(world.tables, draw, kind)
    for premise in result.premises:
        _PREMISES[premise.definition.id](world)
    if any(isinstance(c, ForAll) and c.relation.lhs.has(image) for c in result.conditions):
        rows = list(world.channels[K].values())
        world.numbers[epsilon] = _finite(max(renyi(mp.inf, u, v) for u in rows for v in rows))
    if result.id in _SPECIAL:
        _SPECIAL[result.id](world, draw, kind)


def _number(draw: random.Random) -> mp.mpf:
    if draw.random() < 0.4:
        return mp.mpf(draw.choice(_POOL))
    return mp.mpf(draw.randrange(100, 40_000)) / draw.choice((10**4, 10**4, 40_000))


# --- tables


def _tables(named: list[sp.Symbol], draw: random.Random, kind: int) -> dict[sp.Symbol, dict]:
    """A pair of some kind first; what else there is at random, or alike."""
    size = draw.choice((2, 3, 4))
    found = dict(zip((P, Q), _pair(draw, kind % _KINDS, size), strict=True)) if P in named else {}
    for name in named:
        if name not in found:
            alike = {P_other: P, Q_other: Q}.get(name)
            found[name] = found[alike] if alike in found and kind % 3 == 0 else _table(draw, size)
    return found


def _pair(draw: random.Random, kind: int, size: int) -> tuple[dict, dict]:
    e = mp.exp(abs(_number(draw)) % 4)
    if kind == 0:  # randomized response
        return {0: e / (1 + e), 1: 1 / (1 + e)}, {0: 1 / (1 + e), 1: e / (1 + e)}
    if kind == 1:  # which at times gives the answer away
        d = mp.mpf(draw.randrange(1, 999)) / 1000
        return (
            {0: (1 - d) * e / (1 + e), 1: (1 - d) / (1 + e), 2: d, 3: mp.mpf(0)},
            {0: (1 - d) / (1 + e), 1: (1 - d) * e / (1 + e), 2: mp.mpf(0), 3: d},
        )
    if kind == 2:  # equal
        one = _table(draw, size)
        return one, dict(one)
    if kind == 3:  # P is Q on an event
        whole = _table(draw, size)
        return {0: mp.mpf(1)} | dict.fromkeys(range(1, size), mp.mpf(0)), whole
    if kind == 4:  # disjoint
        return {0: mp.mpf(1), 1: mp.mpf(0)}, {0: mp.mpf(0), 1: mp.mpf(1)}
    if kind == 5:  # nearly equal coins
        small = mp.mpf(10) ** -6
        return {0: 0.5 + small, 1: 0.5 - small}, {0: 0.5 - small, 1: 0.5 + small}
    return _table(draw, size), _table(draw, size, holes=kind == 7)


def _table(draw: random.Random, size: int, *, holes: bool = False) -> dict:
    weights = [mp.mpf(draw.randrange(1, 1000)) ** draw.choice((1, 2)) for _ in range(size)]
    if holes and size > 2:
        weights[draw.randrange(size)] = mp.mpf(0)
    return {i: u / mp.fsum(weights) for i, u in enumerate(weights)}


def _channel(tables: dict, draw: random.Random, kind: int) -> dict:
    inputs = sorted({o for table in tables.values() for o in table})
    if kind % 4 == 3:  # an input is its own output
        return {o: {o: mp.mpf(1)} for o in inputs}
    if kind % 4 == 1:  # randomized response
        e = mp.exp(abs(_number(draw)) % 4)
        return {o: {0: (e if o % 2 else 1) / (1 + e), 1: (1 if o % 2 else e) / (1 + e)} for o in inputs}
    return {o: _table(draw, 3) for o in inputs}


# --- budgets that the tables meet exactly


def _both(world: World) -> tuple[tuple[dict, dict], tuple[dict, dict]]:
    first, second = world.tables[P], world.tables[Q]
    return (first, second), (second, first)


def _finite(value: mp.mpf) -> mp.mpf:
    if not mp.isfinite(value):
        raise NoValue("infinite")
    return value


def _pure(world: World) -> None:
    world.numbers[epsilon] = _finite(max(renyi(mp.inf, *pair) for pair in _both(world)))


def _approx(world: World) -> None:
    world.numbers[delta] = max(hockey_stick(mp.exp(world.numbers[epsilon]), *pair) for pair in _both(world))


def _rdp(world: World) -> None:
    world.numbers[alpha] = 1 + abs(world.numbers[alpha])
    world.numbers[epsilon] = _finite(max(renyi(world.numbers[alpha], *pair) for pair in _both(world)))


def _zcdp(world: World) -> None:
    """The largest D_alpha/alpha: where it is on a coarse grid of orders, then on two finer ones, and a little more."""

    def rate(exponent: mp.mpf) -> mp.mpf:
        order = 1 + mp.mpf(2) ** exponent
        return max(renyi(order, *pair) for pair in _both(world)) / order

    places = [mp.mpf(i) for i in range(-20, 12)]
    for width in (mp.mpf(1) / 8, mp.mpf(1) / 64):
        best = max(places, key=rate)
        places = [best + width * i for i in range(-8, 9)]
    world.numbers[rho] = _finite(max(map(rate, places))) * (1 + mp.mpf(10) ** -3)


def _gdp(world: World) -> None:
    """The largest -Phi_inv(a) - Phi_inv(T(a)) over the corners of the trade-off functions, which are convex."""
    found = mp.mpf(0)
    for null, other in _both(world):
        if any((null.get(o, 0) > 0) != (other.get(o, 0) > 0) for o in {**null, **other}):
            raise NoValue("an error rate of 0")
        level = mp.mpf(0)
        for o in sorted(null, key=lambda o: other[o] / null[o] if null[o] > 0 else 0, reverse=True):
            level += null[o]
            error = trade_off(level, null, other)
            if 0 < level < 1 and error > mp.mpf(10) ** (5 - PLACES):
                quantiles = [mp.sqrt(2) * mp.erfinv(2 * u - 1) for u in (level, error)]
                found = max(found, -mp.fsum(quantiles))
    world.numbers[mu] = found


_PREMISES: dict[str, Callable[[World], None]] = {
    "pure": _pure,
    "approx": _approx,
    "rdp": _rdp,
    "zcdp": _zcdp,
    "gdp": _gdp,
}


# --- conditions that are seldom met at random, and places where bounds are attained


def _shortfalls(world: World, draw: random.Random, kind: int) -> None:
    """m answers, some of them best: the shortfall of one that is drawn uniformly."""
    best, others = draw.choice((1, 1, 2)), draw.randrange(0, 6)
    total = mp.mpf(best + others)
    world.tables[R] = {mp.mpf(0): best / total} | {
        mp.mpf(i + 1) * draw.choice((1, 7)) / 3: 1 / total for i in range(others)
    }
    left = 1 - mp.fsum(world.tables[R].values())  # outcomes that fell together
    world.tables[R][mp.mpf(50)] = left
    world.numbers[m] = total / best


def _fixed_point(world: World, draw: random.Random, kind: int) -> None:
    table = _table(draw, draw.choice((2, 3, 4)))
    mirrored = dict(enumerate(reversed(table.values())))
    world.tables |= {P: table, Q: mirrored}
    low, high = mp.mpf(0), mp.mpf(1)
    for _ in range(4 * PLACES):
        middle = (low + high) / 2
        low, high = (middle, high) if trade_off(middle, table, mirrored) > middle else (low, middle)
    world.numbers[x] = low


def _noise(world: World, draw: random.Random, kind: int) -> None:
    """Laplace noise, or a staircase at some shape: symmetric, with exactly this epsilon at this sensitivity."""
    e, d = (world.numbers[s] for s in (epsilon, Delta))
    if e < mp.mpf("0.3") or d <= 0:  # a staircase has too many steps
        raise NoValue("no such noise")
    if kind % 3 == 1:
        world.given[X] = (lambda u: mp.exp(-abs(u) * e / d) * e / (2 * d), -mp.inf, mp.inf)
        return
    r = mp.exp(-e)
    share = mp.sqrt(r) / (1 + mp.sqrt(r)) if kind % 3 == 0 else mp.mpf(draw.randrange(0, 1001)) / 1000
    scale = (1 - r) / (2 * d * (share + r * (1 - share)))
    steps = 2 * (int(60 / e) + 2)
    world.tables[X] = _staircase(share, r, d, scale, steps)


def _staircase(share: mp.mpf, r: mp.mpf, d: mp.mpf, scale: mp.mpf, steps: int) -> dict:
    """Each half step as one outcome at its mean, on both sides: the mean error of the density itself."""
    found = {}
    for i in range(steps):
        for low, high, level in ((i, i + share, r**i), (i + share, mp.mpf(i + 1), r ** (i + 1))):
            middle, mass = d * (low + high) / 2, scale * level * d * (high - low)
            if mass > 0:
                found |= {middle: mass, -middle: mass}
    return found


def _at(choices: int = 3, **values: sp.Expr) -> Special:
    """One time in `choices` these values, as expressions of the numbers there."""

    def special(world: World, draw: random.Random, kind: int) -> None:
        if kind % choices == 0:
            world.numbers |= {sp.Symbol(n): Values(world).at(sp.sympify(v), world.numbers) for n, v in values.items()}

    return special


def _event(world: World, draw: random.Random, kind: int) -> None:
    """The level is the probability of an outcome."""
    world.numbers[a] = world.tables[Q][0]


def _likely_answer(world: World, draw: random.Random, kind: int) -> None:
    """One outcome is likely, and the budgets are those of two orders, the first no smaller than that of the bound."""
    world.numbers[alpha] = 1 + world.numbers[alpha] % 5
    world.numbers[beta] = world.numbers[alpha] + abs(world.numbers[beta]) * (kind % 2)
    world.numbers[omega] = 1 + abs(world.numbers[omega])
    for budget, order in ((epsilon_1, beta), (epsilon_2, omega)):
        world.numbers[budget] = _finite(max(renyi(world.numbers[order], *pair) for pair in _both(world)))
    world.numbers[q] = 1 - world.tables[P].get(0, mp.mpf(0))


def _corner(world: World, draw: random.Random, kind: int) -> None:
    """The level is a corner of the trade-off function of (P, Q)."""
    world.numbers[a] = min(world.tables[P].values())


_SPECIAL: dict[str, Special] = {
    "exponential_utility_tail": _shortfalls,
    "exponential_utility_mean": _shortfalls,
    "total_variation_at_fixed_point": _fixed_point,
    "least_noise": _noise,
    "probability_preservation": _event,
    "membership_true_positives": _corner,
    "membership_advantage": _corner,
    "renyi_testing_region": _corner,
    "pate_data_dependent": _likely_answer,
    "reconstruction_rdp": _corner,
    "reconstruction_zcdp": _corner,
    "reconstruction_gdp": _corner,
    "exponential_majorant": _at(y=epsilon + sp.log(alpha / (alpha - 1))),
    "kearns_saul": _at(t=2 * sp.log((1 - p) / p)),
    "laplace_gaussian_crossover": _at(k=sigma**2 * epsilon**2 / 2),
    "sparse_vector_split": _at(epsilon_2=(2 * sp.Symbol("k")) ** sp.Rational(2, 3) * epsilon_1),
    "gaussian_maximum_tail": _at(k=1, t=0),
    "laplace_maximum_tail": _at(k=1, t=sp.Symbol("b") / 2),
    "posterior_odds": _at(p=sp.exp(epsilon) * q),
    "posterior_probability": _at(p=sp.exp(epsilon) * q),
    "gaussian_tail": _at(t=0),
    "mills_ratio_above": _at(t=60),
    "mills_ratio_below": _at(t=60),
    "mutual_information": _at(w=sp.Rational(1, 10**6)),
    "mutual_information_pure": _at(w=sp.Rational(1, 10**6)),
    "bretagnolle_huber_simpler": _at(x=20),
    "laplace_moment_bound": _at(t=0),
    "renyi_monotone": _at(beta=alpha * (1 + sp.Rational(1, 10**6))),
    "sampling_no_better_than_linear": _at(q=1),
    "sampling_reciprocal": _at(q=1),
    "renyi_normal": _at(1, sigma=sigma + _HALF),  # narrower peaks are missed by quadrature
    "renyi_normal_unequal": _at(1, **{name: sp.Symbol(name) + _HALF for name in ("s_0", "s_1")}),
    "discrete_gaussian_moment": _at(t=2 / sigma**2),
}
