"""The search: a box is settled by a form that has its sign there, or split."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice, product

import sympy as sp
from flint import arb, ctx, fmpq

from dpsym.core.balls.ranges import negative, nonnegative, positive
from dpsym.core.clocks import Work
from dpsym.core.deadline import apart, over
from dpsym.deciding.certificates import zeros
from dpsym.deciding.certificates.bounded_function import (
    BoundedFunction,
    Moved,
    Step,
    about_middle,
    derivative,
    halves,
    moved,
    put,
    settles,
)
from dpsym.deciding.certificates.certificate import Entry
from dpsym.deciding.certificates.forms import Form
from dpsym.deciding.certificates.problem import Box, Problem, Side
from dpsym.deciding.certificates.zeros import Contact
from dpsym.numbers import Range, Tape, compiled

_DEEPEST = 100  # halvings one inside the other: a box so small has ends that are no longer told apart
_FAR = 16  # times the width of a box: so far from a contact its derivatives are of no use
_LARGEST_TOP = 120  # operations of a derivative that is differentiated again
_MOST_TOPS = 4  # derivatives tried with more than their natural values
_MOST_SETS = 6  # of contacts tried together on one box
_SAMPLES = 9  # boxes on which forms are compared
_MOST_USEFUL = 4  # forms that are kept
_MOST_FORMS = 2  # tried on one box with more than their natural values
_FOR_CONTACTS = Work(1)  # seconds


class GaveUp(Exception):
    """No tree is found: why."""


@dataclass(slots=True)
class Search:
    """What one needs to find the tree of a box: it depends on nothing but the box."""

    problem: Problem
    forms: tuple[Form, ...]
    bits: int
    most: int
    banned: frozenset[Contact] = frozenset()
    known: tuple[Contact, ...] | None = None  # the contacts, where they have been looked for
    boxes: int = 0
    _useful: list[int] | None = field(init=False, default=None)  # forms; None: all of them
    _functions: list[BoundedFunction] = field(init=False)
    _factors: list[tuple[BoundedFunction, ...]] = field(init=False)
    _tops: dict[tuple[int, tuple[tuple[int, int], ...], bool], BoundedFunction] = field(
        init=False, default_factory=dict
    )
    _conditions: Tape | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        symbols = self.problem.symbols
        self._functions = [BoundedFunction(f.expression, symbols) for f in self.forms]
        large = BoundedFunction(self.problem.sides[1], symbols)
        factors = [() if f.factor == 1 else (BoundedFunction(f.factor, symbols),) for f in self.forms]
        self._factors = [(*own, large) if f.base == 1 else own for own, f in zip(factors, self.forms, strict=True)]
        if self.problem.conditions:
            self._conditions = compiled([c.lhs - c.rhs for c in self.problem.conditions], symbols)

    @property
    def contacts(self) -> tuple[Contact, ...]:
        """Where forms vanish; looked for once the first box needs them."""
        if self.known is None:
            found = apart(_FOR_CONTACTS, partial(zeros.contacts, self.problem, self.forms))
            self.known = tuple(c for c in found if c not in self.banned)
        return self.known

    def tree(self, box: Box, refused: frozenset[Box] = frozenset(), depth: int = 0) -> list[tuple[Entry, Box]]:
        """The entries in preorder, each with its box; boxes in `refused` are split.

        Raises:
            GaveUp: where the claim fails, or the time or the number of boxes is used up.
        """
        found: list[tuple[Entry, Box]] = []
        stack = [(box, depth)]
        with ctx.workprec(self.bits):
            while stack:
                here, at = stack.pop()
                entry = self.entry(here, at, split=here in refused)
                found.append((entry, here))
                if entry[0] == "split":
                    stack += [(half, at + 1) for half in reversed(self.halves(here, entry))]
        return found

    def halves(self, box: Box, entry: Entry) -> tuple[Box, Box]:
        """The boxes below a split."""
        i = [s.name for s in self.problem.symbols].index(entry[1])
        return halves(box, i, fmpq(*map(int, entry[2].split("/"))))

    def entry(self, box: Box, depth: int, *, split: bool = False) -> Entry:
        """How the box is dealt with.

        Raises:
            GaveUp: see `tree`.
        """
        self.boxes += 1
        if self.boxes > self.most or over():
            raise GaveUp(f"{self.boxes} boxes were not enough")
        void = self._void(box)
        if void is not None:
            return ["void", void]
        reduced: list[tuple[int, Box]] = []
        if depth and self._useful is None:
            self._choose()
        if not split:
            values = {n: self._functions[n].value(box) for n in self._counted(box)}
            for n, value in values.items():
                if settles(value, self.problem.strict):
                    return ["sign", n, []]
            promising = sorted(values, key=lambda n: _promise(values[n]), reverse=True)[:_MOST_FORMS]
            touching = [c.form for c in self.contacts if c.form in values and _is_near(c, box)]
            for n in dict.fromkeys((*touching, *promising)):
                steps, left = self._shown(n, box)
                if steps is not None:
                    names = [s.name for s in self.problem.symbols]
                    return ["sign", n, [[names[i], str(at), order] for i, at, order in steps]]
                reduced.append((n, left))
        if self._fails(box):
            raise GaveUp("it seems to fail")
        i = self._widest(box, reduced)
        if i is None or depth > _DEEPEST:
            raise GaveUp("a box cannot be split")
        return ["split", self.problem.symbols[i].name, str(box[i].middle())]

    # --- rules
    def _void(self, box: Box) -> int | None:
        if self._conditions is not None:
            for n, value in enumerate(self._conditions.ranges([s.range() for s in box])):
                if value is not None and _excluded(self.problem.conditions[n].op, value):
                    return n
        return None

    def _counted(self, box: Box) -> list[int]:
        """The forms that have the sign of the gap on this box."""
        forms = range(len(self.forms)) if self._useful is None else self._useful
        return [n for n in forms if all(settles(function.value(box), True) for function in self._factors[n])]

    def _choose(self) -> None:
        """Keep the forms that are among the best somewhere, and those with contacts."""
        wins: Counter[int] = Counter()
        for part in range(_SAMPLES):
            box = tuple(_sample(side, (part * (i + 3)) % _SAMPLES) for i, side in enumerate(self.problem.box))
            promises = {n: _promise(self._functions[n].value(box)) for n in self._counted(box)}
            wins.update(sorted(promises, key=lambda n: promises[n], reverse=True)[:_MOST_FORMS])
        best = {n for n, _ in wins.most_common(_MOST_USEFUL)}
        self._useful = sorted({0, *best, *(c.form for c in self.contacts)})

    def _shown(self, n: int, box: Box) -> tuple[tuple[Step, ...] | None, Box]:
        """The steps that show the sign of a form; else the box with the variables gone in which it is monotone."""
        strict = self.problem.strict
        least = moved(self._functions[n], box, strict)
        if least.settled:
            return least.steps, least.box
        tops: list[tuple[float, tuple[Step, ...], BoundedFunction, Box]] = []
        for start in dict.fromkeys((least, Moved(box, (), False, False))):
            for chosen in self._near(n, start.box):
                climbed = self._climbed(n, start.box, chosen)
                if climbed is None:
                    continue
                steps, top, hull = climbed
                value = top.value(hull)
                if settles(value, strict):
                    return start.steps + steps, start.box
                if top.size <= _LARGEST_TOP:
                    tops.append((_promise(value), start.steps + steps, top, hull))
        tops.sort(key=lambda item: item[0], reverse=True)
        for _, steps, top, hull in tops[:_MOST_TOPS]:
            rest = _refined(top, hull, strict)
            if rest is not None:
                return steps + rest, least.box
        middle = about_middle(self._functions[n], least.box, strict and not least.above)
        return (None if middle is None else least.steps + middle), least.box

    def _near(self, n: int, box: Box) -> Iterator[tuple[Contact, ...]]:
        """Contacts of a form near this box: the nearest one in each variable, one by one and all together."""
        nearest: dict[int, Contact] = {}
        for c in self.contacts:
            if c.form == n and _is_near(c, box) and not (self.problem.strict and box[c.variable].holds(c.at)):
                other = nearest.get(c.variable)
                if other is None or _gap(c, box) < _gap(other, box):
                    nearest[c.variable] = c
        orders = [_orders(c, box) for c in nearest.values()]
        for one in orders:
            yield from ((c,) for c in one)
        if len(nearest) > 1:
            yield from islice(product(*orders), _MOST_SETS)

    def _climbed(
        self, n: int, box: Box, chosen: tuple[Contact, ...]
    ) -> tuple[tuple[Step, ...], BoundedFunction, Box] | None:
        """With f = 0 to order k where x = c, f has the sign of (x - c)^k times that of its k-th derivative."""
        flipped, steps = False, []
        for c in chosen:
            side = box[c.variable]
            if c.order % 2 and not (side.lower is not None and side.lower >= c.at):
                if not (side.upper is not None and side.upper <= c.at):
                    return None
                flipped = not flipped
            box = put(box, c.variable, side.reaching(c.at))
            steps.append((c.variable, c.at, c.order))
        return tuple(steps), self._top(n, chosen, flipped), box

    def _top(self, n: int, chosen: tuple[Contact, ...], flipped: bool) -> BoundedFunction:
        key = n, tuple((c.variable, c.order) for c in chosen), flipped
        if key not in self._tops:
            e: sp.Expr | None = self.forms[n].expression
            for c in chosen:
                for _ in range(c.order):
                    e = derivative(e, self.problem.symbols[c.variable])
            self._tops[key] = BoundedFunction(-e if flipped and e is not None else e, self.problem.symbols)
        return self._tops[key]

    def _fails(self, box: Box) -> bool:
        """Whether the gap is negative in the middle, so that nothing can be shown; only to save time."""
        if self._conditions is not None or any(s.integer for s in box):
            return False
        centre = tuple(type(s)(s.middle(), s.middle()) for s in box)
        value = self._functions[0].value(centre)
        return value is not None and negative(value)

    def _widest(self, box: Box, reduced: list[tuple[int, Box]]) -> int | None:
        """The variable to split: the one over which a form varies most, of those in which it is not monotone."""
        for n, left in reduced[:1]:
            free = [i for i, side in enumerate(left) if not side.is_point]
            slopes = {i: self._functions[n].slope(i, left) for i in free}
            sizes = {i: _size(slope) for i, slope in slopes.items()}
            if free and not self.contacts and None not in sizes.values():
                return max(free, key=lambda i: (sizes[i] or 0.0) * _width(box, i))
            if free:
                return max(free, key=lambda i: self._relative(box, i))
        free = [i for i, side in enumerate(box) if not side.is_point]
        return max(free, key=lambda i: self._relative(box, i)) if free else None

    def _relative(self, box: Box, i: int) -> float:
        whole = _width(self.problem.box, i)
        return _width(box, i) / (whole if whole < 1e300 else 1.0)


def _sample(side: Side, part: int) -> Side:
    """A small part of a side."""
    low = side.lower if side.lower is not None else side.middle() - 1
    width = (side.upper if side.upper is not None else low + 4) - low
    start = low + width * fmpq(part, _SAMPLES)
    return Side(start, start + width / (4 * _SAMPLES))


def _orders(contact: Contact, box: Box) -> list[Contact]:
    """The contact, and as one of lower order, which is enough where the box does not reach it."""
    lower = [replace(contact, order=k) for k in (2, 1) if k < contact.order]
    inside = box[contact.variable].holds(contact.at)
    lower = [c for c in lower if c.order % 2 == 0 or not inside or contact.at in _ends(box, contact.variable)]
    return [contact, *lower] if _gap(contact, box) == 0 else [*lower, contact]


def _ends(box: Box, i: int) -> tuple[fmpq | None, fmpq | None]:
    return box[i].lower, box[i].upper


def _gap(contact: Contact, box: Box) -> float:
    side = box[contact.variable]
    if side.lower is not None and contact.at < side.lower:
        return float(arb(side.lower - contact.at))
    return float(arb(contact.at - side.upper)) if side.upper is not None and contact.at > side.upper else 0.0


def _is_near(contact: Contact, box: Box) -> bool:
    """Whether the box is not far from the contact, measured by its width."""
    return _gap(contact, box) <= _FAR * _width(box, contact.variable)


def _width(box: Box, i: int) -> float:
    side = box[i]
    return 1e300 if side.lower is None or side.upper is None else float(arb(side.upper - side.lower))


def _refined(function: BoundedFunction, box: Box, strict: bool) -> tuple[Step, ...] | None:
    """Steps to where an expression is least, then to the middle, that show its sign."""
    least = moved(function, box, strict)
    if least.settled:
        return least.steps
    rest = about_middle(function, least.box, strict and not least.above)
    return None if rest is None else least.steps + rest


def _excluded(op: str, value: Range) -> bool:
    """Whether the condition `value op 0` holds nowhere."""
    match op:
        case "<=":
            return positive(value)
        case "<":
            return nonnegative(value)
        case ">=":
            return negative(value)
    return bool(value.above <= 0)


def _promise(value: Range | None) -> float:
    """How near the values are to being positive, in parts of their spread."""
    if value is None or not (value.below.is_finite() and value.above.is_finite()):
        return -1e300
    spread = value.above - value.below
    return float(value.below / spread) if spread > 0 else 0.0


def _size(slope: Range | None) -> float | None:
    if slope is None or not (slope.below.is_finite() and slope.above.is_finite()):
        return None
    return max(abs(float(slope.below)), abs(float(slope.above)))
