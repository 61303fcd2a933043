"""Divergences of finite laws, and integrals, sums, suprema and derivatives by numbers: by definition, nothing cleverer.

Written for what attacks certificates: it shares no line with the checker or with what finds proofs.  Quantities of laws
are enclosures; those of functions are balls whose radius is meant to be larger than the error (`ROUGH`): they only tell
apart what is far apart.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from flint import arb, fmpq

ROUGH = 1e-2  # relative and absolute, of what is integrated or searched by numbers
Law = Sequence[fmpq]
Function = Callable[[Any], Any]


def some_finite_law(draw: random.Random, outcomes: int = 3) -> list[fmpq]:
    """Probabilities of some outcomes, all positive; at times nearly those of another law."""
    base = 200 if draw.random() < 0.4 else 0
    weights = [base + draw.randint(1, 20) for _ in range(outcomes)]
    return [fmpq(w, sum(weights)) for w in weights]


def _real(x: Any) -> arb:
    return x if isinstance(x, arb) else arb(x)


def loss(p: Law, q: Law) -> list[tuple[Any, Any]]:
    """The privacy loss under p: its values with their probabilities."""
    return [(fmpq(0) if a == b else _real(a / b).log(), a) for a, b in zip(p, q, strict=True)]


def renyi(order: Any, p: Law, q: Law) -> Any:
    """Of an order that is positive; None: infinite."""
    if p == q:
        return fmpq(0)
    if order is None:
        return _largest([_real(a / b) for a, b in zip(p, q, strict=True)]).log()
    if order == 1:
        return sum((_real(a) * _real(a / b).log() for a, b in zip(p, q, strict=True)), arb(0))
    a = _real(order)
    total = sum(((_real(x).log() * a + _real(y).log() * (1 - a)).exp() for x, y in zip(p, q, strict=True)), arb(0))
    return total.log() / (a - 1)


def hockey_stick(level: Any, p: Law, q: Law) -> Any:
    """The largest p(S) - level q(S)."""
    if isinstance(level, fmpq):
        return sum((max(fmpq(0), a - level * b) for a, b in zip(p, q, strict=True)), fmpq(0))
    return sum(((_real(a) - _real(level) * b).max(arb(0)) for a, b in zip(p, q, strict=True)), arb(0))


def trade_off(level: fmpq, p: Law, q: Law) -> fmpq:
    """The least type-II error of a randomised test that rejects under p with probability at most `level`."""
    left, power = level, fmpq(0)
    for a, b in sorted(zip(p, q, strict=True), key=lambda pair: pair[0] / pair[1]):  # the most telling outcomes first
        part = min(fmpq(1), left / a)
        power, left = power + part * b, left - part * a
    return 1 - power


def _largest(values: list[arb]) -> arb:
    found = values[0]
    for value in values[1:]:
        found = found.max(value)
    return found


# --- by numbers


def _rough(x: float) -> arb:
    return arb(x, ROUGH * (1 + abs(x)))


def _float(x: Any) -> float:
    return float(_real(x).mid())


def _onto(low: float | None, high: float | None) -> Callable[[float], tuple[float, float]]:
    """From (-1, 1) onto a range that may be infinite: the point, and how fast it moves."""
    if low is not None and high is not None:
        return lambda t: (low + (high - low) * (t + 1) / 2, (high - low) / 2)
    if low is not None:
        return lambda t: (low + (1 + t) / (1 - t), 2 / (1 - t) ** 2)
    if high is not None:
        return lambda t: (high - (1 - t) / (1 + t), 2 / (1 + t) ** 2)
    return lambda t: (t / (1 - t * t), (1 + t * t) / (1 - t * t) ** 2)


def integral(f: Function, low: Any, high: Any, points: int = 60) -> arb:
    """By the midpoint rule; an end that is None is infinite."""
    ends = [None if end is None else _float(end) for end in (low, high)]
    place = _onto(*ends)

    def by(n: int) -> float:
        total = 0.0
        for i in range(n):
            x, speed = place(-1 + (2 * i + 1) / n)
            total += _float(f(_exact(x))) * speed * 2 / n
        return total

    coarse, fine = by(points), by(3 * points)
    return arb(fine, ROUGH * (1 + abs(fine)) + 10 * abs(fine - coarse))  # what is steeper than the grid is not told


def largest(f: Function, low: Any, high: Any, points: int = 48) -> arb:
    """A supremum, as far as points tell; an end that is None is infinite."""
    ends = [None if end is None else _float(end) for end in (low, high)]
    place = _onto(*ends)
    near = [side * (1 - 10.0**-n) for n in range(2, 9) for side in (-1, 1)]  # it may only be reached at an end
    where = [*near, *(-1 + (2 * i + 1) / points for i in range(points))]

    def height(t: float) -> float:
        return _float(f(_exact(place(t)[0])))

    best = max(where, key=height)
    step = 2 / points
    for _ in range(12):  # it may have a corner between two of them
        step /= 2
        best = max((t for t in (best - step, best, best + step) if -1 < t < 1), key=height)
    return _rough(height(best))


def total(f: Function, low: int, high: int) -> Any:
    """A sum of finitely many terms."""
    found: Any = fmpq(0)
    for k in range(low, high + 1):
        found = found + f(fmpq(k))
    return found


def slope(f: Function, at: Any) -> arb:
    """A derivative, by a difference to both sides."""
    step = fmpq(1, 10**6)
    return _rough(_float((_real(f(at + step)) - _real(f(at - step))) / (2 * _real(step))))


def _exact(x: float) -> fmpq:
    return fmpq(round(x * 2**40), 2**40)
