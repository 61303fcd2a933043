"""The search: boxes are settled by a rule, collapsed to a face, or split."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Any

import sympy as sp
from flint import arb, ctx, fmpq

from dpsym.deciding.certified import contacts
from dpsym.deciding.certified.certificate import Derivatives, Tree, written_down
from dpsym.deciding.certified.problem import Box, Problem, Side, as_range, posed, written
from dpsym.deciding.rungs import Question, Yes
from dpsym.enclosing import NotNumeric, Range, Tape, compiled
from dpsym.enclosing.ranges import add, multiply, negate, negative, nonnegative, positive
from dpsym.verdicts import Method, Verdict
from dpsym.verifying import Malformed, Rejected, verify

BITS = 64
_MOST_BOXES = 60_000
_SHARE = 0.6  # of the time for the search; the rest replays it
_MOST_REPAIRS = 12


def prove(question: Question) -> Yes | None:
    """An inequality on a box under conditions, with a certificate."""
    problem = posed(question)
    if problem is None or question.remaining <= 0:
        return None
    deadline = time.monotonic() + _SHARE * question.remaining
    banned: set[contacts.Face] = set()
    for _ in range(_MOST_REPAIRS):
        with ctx.workprec(BITS):
            search = Search(problem, question, deadline, banned=frozenset(banned))
            tree = search.run()
        if tree is None or question.remaining <= 0:
            return None
        found = certified(search, tree, question)
        if isinstance(found, dict):
            why = f"it holds on each of {len(tree)} boxes"
            return Yes(Verdict.CERTIFIED, Method.BRANCH_AND_BOUND, why, certificate=found)
        if found is None:
            return None
        banned.add(found)
    return None


def certified(search: Search, tree: Tree, question: Question) -> dict[str, Any] | contacts.Face | None:
    """The certificate that the checker accepts, or the contact that it does not believe."""
    derivatives = dict(search.derivatives)
    while question.remaining > 0:
        data = written_down(search.problem, BITS, search.faces, derivatives, tree)
        try:
            verify(data)
        except Rejected as rejected:
            match rejected.part:
                case ("derivative", n):
                    del derivatives[list(derivatives)[n]]
                case ("face", n):
                    return search.faces[n]
                case _:
                    return None
        except Malformed:
            return None
        else:
            return data
    return None


@dataclass(frozen=True, slots=True)
class Owed:
    """A box that is still to be settled."""

    box: Box
    strict: bool
    conditioned: bool = True
    depth: int = 0


@dataclass(slots=True)
class Search:
    """One search; `run` gives the tree or None."""

    problem: Problem
    question: Question
    deadline: float
    boxes: int = 0
    faces: tuple[contacts.Face, ...] = ()
    derivatives: Derivatives = field(default_factory=dict)
    banned: frozenset[Any] = frozenset()  # faces not to be used
    _values: Tape = field(init=False)
    _slopes: Tape | None = field(init=False, default=None)
    _conditions: Tape | None = field(init=False, default=None)
    _tops: dict[tuple[contacts.Face, ...], Any] = field(init=False, default_factory=dict)
    _ladders: dict[tuple[contacts.Face, ...], Tape | None] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        p = self.problem
        wanted = [e for f in p.forms for e in ((f.expression,) if f.factor is None else (f.expression, f.factor))]
        self._values = compiled(wanted, p.symbols)
        if p.conditions:
            self._conditions = compiled([c.lhs - c.rhs for c in p.conditions], p.symbols)

    def run(self) -> Tree | None:
        """The tree of boxes in preorder, if all could be settled."""
        tree: Tree = []
        stack = [Owed(self.problem.box, self.problem.strict)]
        prepared = False
        while stack:
            self.boxes += 1
            if self.boxes > _MOST_BOXES or time.monotonic() > self.deadline:
                return None
            if self.boxes == 2 and not prepared:
                self._prepare()
                prepared = True
            owed = stack.pop()
            if prepared or self.boxes > 1:
                step = self._settled(owed)
            else:
                step = self._quickly(owed)
                if step is None:
                    self._prepare()
                    prepared = True
                    step = self._settled(owed)
            if step is not None:
                tree.append(step)
                continue
            if self._fails(owed):
                return None
            collapsed = self._collapsed(owed)
            if collapsed is not None:
                entry, child = collapsed
                tree.append(entry)
                stack.append(child)
                continue
            cut = self._cut(owed)
            if cut is None:
                return None
            i, at = cut
            tree.append(["split", i, str(at)])
            stack.extend(_halves(owed, i, at))
        return tree

    def _prepare(self) -> None:
        p = self.problem
        slopes = [sp.diff(f.expression, s) for f in p.forms for s in p.symbols]
        self._slopes = compiled(slopes, p.symbols)
        found = contacts.faces(p, self.question.domain, self.deadline)
        self.faces = tuple(f for f in found if f not in self.banned)

    # --- rules
    def _quickly(self, owed: Owed) -> list[Any] | None:
        if any(s.is_empty for s in owed.box):
            return ["empty"]
        box = [as_range(s) for s in owed.box]
        if owed.conditioned and self._conditions is not None:
            for n, value in enumerate(self._conditions.ranges(box)):
                if value is not None and _fails(self.problem.conditions[n].op, value):
                    return ["void", n]
        for n, value in self._counted(box):
            if value is not None and _settles(value, owed.strict):
                return ["natural", n]
        return None

    def _settled(self, owed: Owed) -> list[Any] | None:
        return self._quickly(owed) or self._on_faces(owed) or self._mean(owed)

    def _counted(self, box: list[Range]) -> list[tuple[int, Range | None]]:
        """The forms whose factor is positive here, with their ranges."""
        values = iter(self._values.ranges(box))
        found = []
        for n, form in enumerate(self.problem.forms):
            value = next(values)
            if form.factor is not None:
                factor = next(values)
                if factor is None or not positive(factor):
                    continue
            found.append((n, value))
        return found

    def _on_faces(self, owed: Owed) -> list[Any] | None:
        usable = []
        for n, (form, i, at, order) in enumerate(self.faces):
            side = owed.box[i]
            if owed.strict and side.holds(at):
                continue
            if not owed.strict and side.lower == side.upper == at:
                return ["ladder", n]
            touches = at in (side.lower, side.upper) or side.holds(at)
            usable.append((not touches, n))
        usable.sort()
        counted = {n for n, _ in self._counted([as_range(s) for s in owed.box])} if usable else set()
        near = [n for far, n in usable if not far and self.faces[n][0] in counted]
        candidates: list[list[int]] = [[n] for n in near]
        for form in counted:
            group: dict[int, int] = {}
            for _, n in usable:
                if self.faces[n][0] == form:
                    group.setdefault(self.faces[n][1], n)
            if len(group) > 1 and any(n in near for n in group.values()):
                candidates.append(list(group.values()))
        for chosen in candidates:
            if self._ladder(owed, chosen):
                return ["ladder", *chosen]
        return None

    def _ladder(self, owed: Owed, chosen: list[int]) -> bool:
        faces = tuple(self.faces[n] for n in chosen)
        if faces not in self._ladders:
            try:
                top = contacts.derivative(self.problem, faces)
                self._ladders[faces] = compiled([top], self.problem.symbols)
                orders = [0] * len(self.problem.symbols)
                for _, i, _, order in faces:
                    orders[i] = order
                self._tops[faces] = (faces[0][0], tuple(orders)), written(top)
            except NotNumeric:
                self._ladders[faces] = None
        tape = self._ladders[faces]
        if tape is None:
            return False
        box, flipped = list(owed.box), False
        for _, i, at, order in faces:
            side = box[i]
            if order % 2 and not (side.lower is not None and side.lower >= at):
                if not (side.upper is not None and side.upper <= at):
                    return False
                flipped = not flipped
            box[i] = side.reaching(at)
        value = tape.ranges([as_range(s) for s in box])[0]
        if value is None or not _settles(negate(value) if flipped else value, owed.strict):
            return False
        key, top = self._tops[faces]
        self.derivatives[key] = top
        return True

    def _mean(self, owed: Owed) -> list[Any] | None:
        if self._slopes is None or any(s.lower is None or s.upper is None for s in owed.box):
            return None
        centre = [_middle(s) for s in owed.box]
        point = [_point(t) for t in centre]
        box = [as_range(s) for s in owed.box]
        slopes = self._slopes.ranges(box)
        count = len(box)
        counted = {n for n, _ in self._counted(box)}
        for n, value in self._counted(point):
            if n not in counted or value is None:
                continue
            here = slopes[n * count : (n + 1) * count]
            if None in here:
                continue
            for side, t, slope in zip(owed.box, point, here, strict=True):
                if not side.is_point and slope is not None:
                    value = add(value, multiply(slope, add(as_range(side), negate(t))))
            if _settles(value, owed.strict):
                self._used(n)
                return ["mean", n, *map(str, centre)]
        return None

    def _fails(self, owed: Owed) -> bool:
        """Whether the gap is negative at the centre, so that nothing can be shown; only to save time."""
        centre = [_point(_middle(s)) for s in owed.box]
        if self._conditions is not None and owed.conditioned:
            return False
        value = dict(self._counted(centre)).get(0)
        return value is not None and negative(value)

    def _collapsed(self, owed: Owed) -> tuple[list[Any], Owed] | None:
        assert self._slopes is not None
        count = len(owed.box)
        for n, form in enumerate(self.problem.forms):
            if form.factor is not None:
                continue
            slopes = None
            for i, side in enumerate(owed.box):
                if side.is_point:
                    continue
                for upper, end in ((0, side.lower), (1, side.upper)):
                    if end is None:
                        continue
                    opened = replace(side, **{"upper_open" if upper else "lower_open": True})
                    box = [as_range(opened if j == i else s) for j, s in enumerate(owed.box)]
                    slopes = self._slopes.ranges(box)
                    slope = slopes[n * count + i]
                    if slope is None:
                        continue
                    slope = negate(slope) if upper else slope
                    if not nonnegative(slope):
                        continue
                    face = (*owed.box[:i], Side(end, end), *owed.box[i + 1 :])
                    left_out = side.upper_open if upper else side.lower_open
                    strict = owed.strict and not (left_out and positive(slope))
                    child = Owed(face, strict, False, owed.depth)
                    defined = dict(self._counted([as_range(s) for s in face])).get(n)
                    if defined is None or (self._fails(child)):
                        continue
                    self._used(n)
                    return ["collapse", n, i, upper], child
        return None

    def _used(self, form: int) -> None:
        """Put the gradient of a form into the certificate."""
        count = len(self.problem.symbols)
        for i, symbol in enumerate(self.problem.symbols):
            key = form, tuple(int(i == j) for j in range(count))
            if key not in self.derivatives:
                self.derivatives[key] = written(sp.diff(self.problem.forms[form].expression, symbol))

    # --- splitting
    def _cut(self, owed: Owed) -> tuple[int, fmpq] | None:
        best, most = None, -1.0
        slopes: list[Range | None] = [None] * len(owed.box)
        if self._slopes is not None and not self.faces:
            slopes = self._slopes.ranges([as_range(s) for s in owed.box])[: len(owed.box)]
        steep = [_size(s) for s in slopes]
        for i, side in enumerate(owed.box):
            if side.is_point:
                continue
            if side.lower is None or side.upper is None:
                width = 1e300
            else:
                width = _float(side.upper - side.lower)
                whole = self.problem.box[i]
                if None not in steep:
                    width *= steep[i] or 1e-300
                elif whole.lower is not None and whole.upper is not None:
                    width /= _float(whole.upper - whole.lower)
            if width > most:
                best, most = i, width
        if best is None or owed.depth > 200:
            return None
        return best, _middle(owed.box[best])


def _settles(value: Range, strict: bool) -> bool:
    return positive(value) if strict else nonnegative(value)


def _fails(op: str, value: Range) -> bool:
    match op:
        case "<=":
            return positive(value)
        case "<":
            return nonnegative(value)
        case ">=":
            return negative(value)
    return bool(value.above <= 0)


def _size(slope: Range | None) -> float | None:
    if slope is None or not (slope.below.is_finite() and slope.above.is_finite()):
        return None
    return max(abs(float(slope.below)), abs(float(slope.above)))


def _float(q: fmpq) -> float:
    return float(arb(q))


def _point(t: fmpq) -> Range:
    x = arb(t)
    return Range(x.lower(), x.upper())


def _middle(side: Side) -> fmpq:
    """A number inside: the middle, or twice as far out on an unbounded side."""
    low, high = side.lower, side.upper
    if low is None and high is None:
        return fmpq(0)
    if high is None:
        assert low is not None
        return (2 * low if low > 0 else low) + 1
    if low is None:
        return (2 * high if high < 0 else high) - 1
    return (low + high) / 2


def _halves(owed: Owed, i: int, at: fmpq) -> list[Owed]:
    side = owed.box[i]
    left, right = replace(side, upper=at, upper_open=False), replace(side, lower=at, lower_open=False)
    if side.integer:
        left, right = replace(left, upper=fmpq(at.floor())), replace(right, lower=fmpq(at.floor() + 1))
    return [
        replace(owed, box=(*owed.box[:i], half, *owed.box[i + 1 :]), depth=owed.depth + 1) for half in (right, left)
    ]
