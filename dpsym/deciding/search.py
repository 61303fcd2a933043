"""Where an inequality is nearly violated: descent on the relative gap, over exact points of the domain."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from fractions import Fraction

import sympy as sp
from flint import arb, ctx, fmpq

from dpsym.deciding.domain import Domain, Point
from dpsym.enclosing import Undefined, Unresolved, compiled
from dpsym.relations import Relation

_STARTS = 4
_MOST_STEPS = 60
_FACTORS = tuple(sp.Rational(n, d) for n, d in ((10, 1), (2, 1), (6, 5), (101, 100), (1001, 1000), (100001, 100000)))


def descents(relation: Relation, domain: Domain, points: Iterable[Point], deadline: float) -> Iterator[Point]:
    """The ends of a few descents, from the points where `lhs` and `rhs` are relatively closest."""
    if relation.op not in ("<", "<=", ">", ">="):
        return
    gap = _RelativeGap(relation)
    ranked = sorted(((g, i, p) for i, p in enumerate(points) if (g := gap(p)) is not None), key=lambda t: t[:2])
    for start_gap, _, start in ranked[:_STARTS]:
        best, least = start, start_gap
        for _ in range(_MOST_STEPS):
            if time.monotonic() > deadline:
                return
            moved = False
            for trial in _moves(best, domain):
                g = gap(trial)
                if g is not None and g < least:
                    best, least, moved = trial, g, True
            if not moved:
                break
        yield best


class _RelativeGap:
    """By how much the relation holds, relative to its sides; negative where it seems to fail."""

    def __init__(self, relation: Relation) -> None:
        self._relation = relation
        self._sign = 1 if relation.op.startswith(">") else -1

    def __call__(self, point: Point) -> float | None:
        tape = compiled((self._relation.lhs, self._relation.rhs), tuple(point))
        with ctx.workprec(128):
            try:
                lhs, rhs = tape([arb(fmpq(int(v.p), int(v.q))) for v in point.values()])
            except (Undefined, Unresolved):
                return None
            size = abs(lhs) + abs(rhs)
            return float(((lhs - rhs) * self._sign / size).mid()) if size > 0 else None


def _moves(point: Point, domain: Domain) -> Iterator[Point]:
    """Each coordinate scaled about its nearest finite end (or about zero), or one integer on."""
    for symbol, value in point.items():
        bounds = domain.of(symbol)
        if symbol in domain.integers:
            candidates = [value + 1, value - 1, 2 * value, value // 2]
        else:
            base = bounds.lower if bounds.lower is not None else (bounds.upper if bounds.upper is not None else 0)
            away = value - base
            candidates = [base + away * f for f in _FACTORS] + [base + away / f for f in _FACTORS]
            candidates = [_short(c, base) for c in candidates]
        for candidate in candidates:
            trial = {**point, symbol: candidate}
            if candidate != value and candidate in bounds and (not domain.coupled or domain.contains(trial)):
                yield trial


def _short(value: sp.Rational, base: sp.Rational) -> sp.Rational:
    """About twelve significant digits of the distance from the end."""
    away = Fraction(int((value - base).p), int((value - base).q))
    if away == 0:
        return value
    scale = Fraction(10) ** (12 - len(str(abs(away.numerator))) + len(str(away.denominator)))
    rounded = Fraction(round(away * scale)) / scale
    return base + sp.Rational(rounded.numerator, rounded.denominator)
