"""An expression with its ranges and those of its slopes, and how to show its sign on one box."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

import sympy as sp
from flint import fmpq

from dpsym.core.balls.ranges import add, multiply, negate, nonnegative, positive
from dpsym.deciding.certificates.problem import Box, Side
from dpsym.numbers import NotNumeric, Range, Tape, compiled

_LARGEST = 800  # operations of a derivative
Step = tuple[int, fmpq, int]  # variable, value, order of the contact there (0: none)


@dataclass(slots=True)
class BoundedFunction:
    """One expression."""

    expression: sp.Expr | None
    symbols: tuple[sp.Symbol, ...]
    size: float = field(init=False, default=float("inf"))  # in operations
    _values: Tape | None = field(init=False, default=None)
    _slopes: dict[int, Tape | None] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._values = _tape(self.expression, self.symbols)
        if self.expression is not None:
            self.size = self.expression.count_ops()

    def value(self, box: Box) -> Range | None:
        """Its values; None where it is not provably defined."""
        return None if self._values is None else self._values.ranges([s.range() for s in box])[0]

    def slope(self, i: int, box: Box) -> Range | None:
        """The values of its derivative in one variable, inside of that one's side."""
        if i not in self._slopes:
            self._slopes[i] = _tape(derivative(self.expression, self.symbols[i]), self.symbols)
        tape = self._slopes[i]
        if tape is None:
            return None
        return tape.ranges([s.inner_range() if j == i else s.range() for j, s in enumerate(box)])[0]


@lru_cache(maxsize=1024)
def derivative(e: sp.Expr | None, symbol: sp.Symbol) -> sp.Expr | None:
    """The derivative as the checker writes it; None where it is too large to be of use."""
    if e is None:
        return None
    found = sp.factor_terms(sp.diff(e, symbol))
    return found if found.count_ops() <= _LARGEST else None


def _tape(e: sp.Expr | None, symbols: tuple[sp.Symbol, ...]) -> Tape | None:
    try:
        return None if e is None or e.has(sp.nan, sp.zoo, sp.I) else compiled([e], symbols)
    except NotNumeric:
        return None


@dataclass(frozen=True, slots=True)
class Moved:
    """Where an expression is least in the variables in which it is monotone; `above`: it is strictly more elsewhere."""

    box: Box
    steps: tuple[Step, ...]
    above: bool
    settled: bool


def settles(value: Range | None, strict: bool) -> bool:
    """Whether the values show the sign."""
    return value is not None and (positive(value) if strict else nonnegative(value))


def moved(function: BoundedFunction, box: Box, strict: bool) -> Moved:
    """The box collapsed, one variable after the other, to where the expression is least."""
    steps: list[Step] = []
    above, again = False, True
    settled = settles(function.value(box), strict)
    while again and not settled:
        again = False
        for i, side in enumerate(box):
            if side.is_point:
                continue
            slope = function.slope(i, box)
            if slope is None:
                continue
            if nonnegative(slope) and side.lower is not None:
                end, left_out, steep = side.lower, side.lower_open, positive(slope)
            elif nonnegative(negate(slope)) and side.upper is not None:
                end, left_out, steep = side.upper, side.upper_open, positive(negate(slope))
            else:
                continue
            if function.value(put(box, i, side.reaching(end))) is None:
                continue
            box = put(box, i, Side(end, end))
            steps.append((i, end, 0))
            above = above or (left_out and steep)
            settled = settles(function.value(box), strict and not above)
            again = True
            break
    return Moved(box, tuple(steps), above, settled)


def about_middle(function: BoundedFunction, box: Box, strict: bool) -> tuple[Step, ...] | None:
    """The mean value form about the middle, one variable after the other."""
    if any(s.lower is None or s.upper is None for s in box):
        return None
    points = [Side(t, t) for t in (side.middle() for side in box)]
    value = function.value(tuple(points))
    if value is None or not positive(value) or function.value(box) is None:
        return None
    steps = []
    for i, (side, point) in enumerate(zip(box, points, strict=True)):
        if side.is_point:
            continue
        slope = function.slope(i, box)
        if slope is None:
            return None
        value = add(value, multiply(slope, add(side.range(), negate(point.range()))))
        if not settles(value, False):
            return None
        box = put(box, i, point)
        steps.append((i, point.lower, 0))
    return tuple(steps) if settles(value, strict) else None


def put(box: Box, i: int, side: Side) -> Box:
    """With another side."""
    return (*box[:i], side, *box[i + 1 :])


def halves(box: Box, i: int, at: fmpq) -> tuple[Box, Box]:
    """Both parts of a box; an integer variable skips what lies between."""
    side = box[i]
    left, right = replace(side, upper=at, upper_open=False), replace(side, lower=at, lower_open=False)
    if side.integer:
        left, right = replace(left, upper=fmpq(at.floor())), replace(right, lower=fmpq(at.floor() + 1))
    return put(box, i, left), put(box, i, right)
