"""Where a relation is claimed: the assumptions as bounds on each symbol, integrality, and coupled conditions."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import sympy as sp

from dpsym.core.clocks import Work
from dpsym.core.relations import ForAll, IsInteger, Proposition, Relation, propositions, substitute
from dpsym.deciding.timeout import briefly
from dpsym.numbers import NotNumeric, compare

Point = dict[sp.Symbol, sp.Rational]

_SPREAD = tuple(
    sp.Rational(text)
    for text in [
        "1/2",
        "2",
        "1/10",
        "10",
        "1/3",
        "3",
        "7/5",
        "1/1000",
        "1000",
        "1/100",
        "100",
        "19/20",
        "17/16",
        "1/100000",
        "100000",
    ]
)
_HOPELESS = 400  # attempts without a point, where conditions are coupled
_TOGETHER, _LEAST = 6, 2  # values of all symbols at once, and of one integer beside those of the others
_CONSTANT = Work(1)  # seconds for a condition without symbols
_EXTREME = tuple(sp.Rational(10) ** e for e in (-300, -30, -12, 12, 30))


class EmptyDomain(ValueError):
    """The conditions contradict each other, so nothing said under them means anything."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """An interval of the real line; None is an infinite end."""

    lower: sp.Rational | None = None
    upper: sp.Rational | None = None
    lower_open: bool = False
    upper_open: bool = False

    def cut(self, op: str, value: sp.Rational) -> Bounds:
        """The part where `x op value`."""
        lower, upper, lower_open, upper_open = self.lower, self.upper, self.lower_open, self.upper_open
        if op in (">", ">=", "=") and (lower is None or value > lower or (value == lower and op == ">")):
            lower, lower_open = value, op == ">"
        if op in ("<", "<=", "=") and (upper is None or value < upper or (value == upper and op == "<")):
            upper, upper_open = value, op == "<"
        return Bounds(lower, upper, lower_open, upper_open)

    @property
    def whole(self) -> Bounds:
        """The integers in it: from the least to the greatest."""
        low, high = self.lower, self.upper
        least = low if low is None else sp.floor(low) + 1 if self.lower_open else sp.ceiling(low)
        return Bounds(least, high if high is None else sp.ceiling(high) - 1 if self.upper_open else sp.floor(high))

    @property
    def is_empty(self) -> bool:
        """Whether no real number lies in it."""
        if self.lower is None or self.upper is None:
            return False
        return self.lower > self.upper or (self.lower == self.upper and (self.lower_open or self.upper_open))

    def __contains__(self, value: sp.Rational) -> bool:
        above = self.lower is None or value > self.lower or (value == self.lower and not self.lower_open)
        below = self.upper is None or value < self.upper or (value == self.upper and not self.upper_open)
        return bool(above and below)


@dataclass(frozen=True, slots=True)
class Domain:
    """The points that satisfy `assume`; a symbol of which nothing is assumed ranges over the reals.

    Raises:
        NotAProposition: for an assumption that is none.
        EmptyDomain: when it is certain that no point satisfies them.
    """

    assume: tuple[Proposition, ...] = ()
    bounds: dict[sp.Symbol, Bounds] = field(init=False, compare=False)
    integers: frozenset[sp.Symbol] = field(init=False, compare=False)
    coupled: tuple[Proposition, ...] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        assume = propositions(self.assume)
        bounds: dict[sp.Symbol, Bounds] = {}
        integers: set[sp.Symbol] = set()
        coupled: list[Proposition] = []
        for item in assume:
            if isinstance(item, IsInteger) and item.expression.is_number and item.expression.is_integer is not None:
                if not item.expression.is_integer:
                    raise EmptyDomain(f"the condition {item} is false")
                continue
            if isinstance(item, IsInteger) and isinstance(item.expression, sp.Symbol):
                integers.add(item.expression)
                bounds.setdefault(item.expression, Bounds())
                continue
            simple = _simple(item)
            if simple is None:
                coupled.append(item)
                for symbol in item.free_symbols:
                    bounds.setdefault(symbol, Bounds())
            else:
                symbol, op, value = simple
                bounds[symbol] = bounds.get(symbol, Bounds()).cut(op, value)
        for name, value in (
            ("assume", assume), ("bounds", bounds), ("integers", frozenset(integers)), ("coupled", tuple(coupled))
        ):  # fmt: skip
            object.__setattr__(self, name, value)
        self._refuse_empty()

    def _refuse_empty(self) -> None:
        for symbol in self.bounds:
            if self.sharpened(symbol).is_empty:
                which = "integer" if symbol in self.integers else "value"
                raise EmptyDomain(f"the conditions contradict each other: no {which} of {symbol} satisfies them")
        fixed = {s: b.lower for s, b in self.bounds.items() if b.lower is not None and b.lower == b.upper}
        known = [c for c in self.coupled if isinstance(c, Relation) and c.free_symbols <= set(fixed)]
        for condition in known:
            if self._fails(condition, fixed):
                raise EmptyDomain(f"the condition {condition} is false")

    @staticmethod
    def _fails(condition: Relation, point: Point) -> bool:
        try:
            return briefly(_CONSTANT, lambda: compare(condition, point).holds is False, False)
        except NotNumeric:
            return False

    def of(self, symbol: sp.Symbol) -> Bounds:
        """The bounds on one symbol."""
        return self.bounds.get(symbol, Bounds())

    def sharpened(self, symbol: sp.Symbol) -> Bounds:
        """The same, those of an integer with ends that are integers."""
        return self.of(symbol).whole if symbol in self.integers else self.of(symbol)

    def contains(self, point: Point) -> bool:
        """Whether the point certainly satisfies every assumption (False also where that cannot be told)."""
        for symbol, interval in self.bounds.items():
            if symbol not in point or point[symbol] not in interval:
                return False
            if symbol in self.integers and not point[symbol].is_Integer:
                return False
        for condition in self.coupled:
            if isinstance(condition, IsInteger):
                if not substitute(condition.expression, point).is_Integer:
                    return False
                continue
            if not isinstance(condition, Relation):
                return False
            try:
                if compare(condition, point).holds is not True:
                    return False
            except NotNumeric:
                return False
        return True

    def points(self, symbols: Iterable[sp.Symbol], *, most: int, seed: int = 0) -> Iterator[Point]:
        """Exact rational points of the domain: readable ones first, then extremes, then random magnitudes."""
        names = sorted(set(symbols) | set(self.bounds), key=lambda s: s.name)
        rng = random.Random(seed)  # noqa: S311 - choosing points is no cryptography
        usual = {s: self._candidates(s, _SPREAD) for s in names}
        wide = {s: self._candidates(s, _SPREAD + _EXTREME) for s in names}
        seen: set[tuple[sp.Rational, ...]] = set()
        found = 0
        readable = self._readable(names, usual)
        for attempt in range(40 * most):
            if found >= most:
                return
            source = usual if attempt % 3 else wide
            if attempt < len(readable):
                values = readable[attempt]
            else:
                values = tuple(self._random(s, rng) if rng.random() < 0.3 else rng.choice(source[s]) for s in names)
            if self.coupled and not found and attempt > _HOPELESS:
                return
            point = dict(zip(names, values, strict=True))
            if values not in seen and self.contains(point):
                found += 1
                yield point
            seen.add(values)
            if not names:
                return

    def _readable(
        self, names: list[sp.Symbol], usual: dict[sp.Symbol, list[sp.Rational]]
    ) -> list[tuple[sp.Rational, ...]]:
        """All symbols at their first, second, … value, then each integer at its least values beside usual others."""
        among = [tuple(usual[s][n % len(usual[s])] for s in names) for n in range(_TOGETHER)]
        for place, symbol in enumerate(names):
            if symbol not in self.integers or len(names) == 1:
                continue
            for least in sorted(usual[symbol], key=abs)[:_LEAST]:
                among += [(*values[:place], least, *values[place + 1 :]) for values in among[1:_TOGETHER:2]]
        return among

    def _candidates(self, symbol: sp.Symbol, magnitudes: tuple[sp.Rational, ...]) -> list[sp.Rational]:
        interval, integral = self.of(symbol), symbol in self.integers
        low, high = interval.lower, interval.upper
        if integral:
            values = [] if low is None else [sp.floor(low) + i for i in range(4)]
            values += [sp.Integer(i) for i in (0, 1, 2, 3, 5, 10, 100, 10_000, -1, -7)]
            values += [] if high is None else [sp.ceiling(high) - i for i in range(3)]
            values = list(dict.fromkeys(values))
        elif low is not None and high is not None:
            shares = [t / (1 + t) for t in magnitudes]
            values = [*(low + (high - low) * s for s in shares)]
            values[1:1] = [low, high]
        elif low is not None:
            values = [low + magnitudes[0], low, *(low + t for t in magnitudes[1:])]
        elif high is not None:
            values = [high - magnitudes[0], high, *(high - t for t in magnitudes[1:])]
        else:
            values = [sp.Integer(1), sp.Integer(0), *(sign * t for t in magnitudes for sign in (-1, 1))]
        inside = [v for v in values if v in interval and (not integral or v.is_Integer)]
        return inside or [low if low is not None else (high if high is not None else sp.Integer(0))]

    def _random(self, symbol: sp.Symbol, rng: random.Random) -> sp.Rational:
        interval = self.of(symbol)
        if symbol in self.integers:
            base = sp.ceiling(interval.lower) if interval.lower is not None else sp.Integer(0)
            return base + rng.randrange(0, 10 ** rng.randrange(1, 5))
        size = sp.Rational(rng.randrange(1, 1000), rng.randrange(1, 1000)) * sp.Rational(10) ** rng.randrange(-6, 4)
        if interval.lower is not None and interval.upper is not None:
            return interval.lower + (interval.upper - interval.lower) * size / (1 + size)
        if interval.lower is not None:
            return interval.lower + size
        if interval.upper is not None:
            return interval.upper - size
        return size * rng.choice((1, -1))


def possible(assume: Iterable[Proposition]) -> Domain | None:
    """The domain; None where it is certain that no point satisfies the conditions."""
    try:
        return Domain(tuple(assume))
    except EmptyDomain:
        return None


def _simple(item: Proposition) -> tuple[sp.Symbol, str, sp.Rational] | None:
    """`symbol op number`, whichever way it is written."""
    if isinstance(item, ForAll | IsInteger):
        return None
    for side in (item, item.swapped):
        if isinstance(side.lhs, sp.Symbol) and isinstance(side.rhs, sp.Rational) and side.op != "!=":
            return side.lhs, side.op, side.rhs
    return None
