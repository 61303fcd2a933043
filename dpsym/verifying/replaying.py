"""Replay: every split, every leaf and every identity of a certificate, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import factorial, prod
from typing import Any

from flint import ctx, fmpq

from dpsym.verifying.fields import Field, TooHard
from dpsym.verifying.intervals import Interval, Undefined
from dpsym.verifying.reading import Certificate, Malformed, Variable, certificate, index, number, read
from dpsym.verifying.series import Series, Space

_MOST_COEFFICIENTS = 400


class Rejected(Exception):
    """The certificate does not show what it claims; `part` says which part of it fails, where that is known."""

    def __init__(self, why: str, part: tuple[str, int] | None = None) -> None:
        super().__init__(why)
        self.part = part


@dataclass(frozen=True, slots=True)
class Report:
    """What was verified: the claim with its domain, and how many boxes it took."""

    claim: str
    boxes: int


@dataclass(frozen=True, slots=True)
class Box:
    """A box; below a collapse the conditions are no longer known, and a strict relation may be owed no more."""

    sides: tuple[Variable, ...]
    strict: bool
    conditioned: bool = True


def verify(source: str | bytes | dict[str, Any]) -> Report:
    """Check a certificate, given as JSON text or data.

    Raises:
        Malformed: for something that is no certificate.
        Rejected: for one that does not show its claim.
    """
    found = certificate(source) if isinstance(source, dict) else read(source)
    with ctx.workprec(found.bits):
        try:
            boxes = _Replay(found).run()
        except Malformed:
            raise
        except (ArithmeticError, ValueError, MemoryError) as error:
            raise Rejected(f"{error}") from None
    return Report(spelled(found), boxes)


class _Replay:
    def __init__(self, c: Certificate) -> None:
        self.c = c
        self.count = len(c.variables)
        self.up = c.claim[1] in ("<", "<=")
        for number_, form in enumerate(c.forms):
            if form[0] == "scaled":
                self._check_scaled(number_)
        for check, items in ((self._check_face, c.faces), (self._check_derivative, list(c.derivatives.items()))):
            for n, item in enumerate(items):
                what = "face" if items is c.faces else "derivative"
                try:
                    holds = check(item)  # type: ignore[operator]
                except (TooHard, ValueError):
                    holds = False
                if not holds:
                    raise Rejected(f"{what} {n} is not shown", (what, n))

    def run(self) -> int:
        """The number of boxes, all of them settled."""
        stack = [Box(tuple(_rounded(v) for v in self.c.variables), self.c.claim[1] in ("<", ">"))]
        for step, entry in enumerate(self.c.tree):
            if not stack:
                raise Rejected(f"step {step} belongs to no box")
            try:
                stack.extend(self._children(stack.pop(), entry))
            except (Undefined, TooHard, Rejected) as error:
                raise Rejected(f"step {step}: {error}", ("step", step)) from None
        if stack:
            raise Rejected(f"{len(stack)} boxes are not covered")
        return len(self.c.tree)

    def _children(self, box: Box, entry: list[Any]) -> list[Box]:
        """What remains to be shown for a box, in reverse order."""
        match entry:
            case ["split", i, at]:
                return _halves(box, index(i, self.count), number(at))
            case ["collapse", form, i, side]:
                return [self._collapsed(box, self._form(form), index(i, self.count), index(side, 2))]
            case ["empty"]:
                holds = any(_empty(v) for v in box.sides)
            case ["void", which]:
                holds = box.conditioned and self._void(box, self.c.conditions[index(which, len(self.c.conditions))])
            case ["natural", form]:
                holds = _settles(self._gap(self._counted(box, form), self._plain(box)), box.strict)
            case ["mean", form, *centre]:
                holds = self._mean(box, self._counted(box, form), [number(t) for t in centre])
            case ["ladder", *faces]:
                holds = self._ladder(box, [self.c.faces[index(f, len(self.c.faces))] for f in faces])
            case ["touch", form, *point]:
                holds = not box.strict and self._touch(box, self._counted(box, form), [number(t) for t in point])
            case _:
                raise Rejected(f"an unknown rule {str(entry[0])[:40]!r}")
        if not holds:
            raise Rejected(f"the rule {entry[0]} does not settle {_shown(box)}")
        return []

    # --- evaluation
    def _form(self, form: object) -> tuple[Any, ...]:
        return self.c.forms[index(form, len(self.c.forms))]

    def _counted(self, box: Box, form: object) -> tuple[Any, ...]:
        """A form whose sign is that of the difference on this box."""
        found = self._form(form)
        if found[0] == "scaled":
            space, inputs = self._plain(box)
            if not self._values((found[2],), space, inputs, Interval.pi)[0].coefficient(()).positive():
                raise Undefined("the factor is not provably positive")
        return found

    def _values(
        self, roots: tuple[int, ...], space: Space, inputs: list[Series], pi: Callable[[], Any]
    ) -> list[Series]:
        needed = set(roots)
        for i in range(max(roots), -1, -1):
            if i in needed:
                head, *rest = self.c.nodes[i]
                needed.update(rest[:1] if head == "^" else () if head in ("variable", "number") else rest)
        zero, done = (0,) * len(space.degrees), dict[int, Series]()
        for i in sorted(needed):
            head, *rest = self.c.nodes[i]
            if head == "variable":
                done[i] = inputs[rest[0]]
            elif head in ("number", "pi"):
                done[i] = Series(space, {zero: space.of(rest[0]) if rest else pi()})
            elif head == "^":
                done[i] = done[rest[0]].apply("^", rest[1])
            elif head in ("+", "*"):
                done[i] = Series(space, {zero: space.of(0 if head == "+" else 1)})
                for j in rest:
                    done[i] = done[i] + done[j] if head == "+" else done[i] * done[j]
            else:
                done[i] = done[rest[0]].apply(head)
        return [done[i] for i in roots]

    def _plain(self, box: Box) -> tuple[Space, list[Series]]:
        return self._series(box, Space((), 0, Interval.of), [()] * self.count)

    def _series(self, box: Box, space: Space, slopes: list[tuple[int, ...]]) -> tuple[Space, list[Series]]:
        """The variables on a box; one with a slope also varies in the series."""
        inputs = []
        for v, slope in zip(box.sides, slopes, strict=True):
            terms = {(0,) * len(space.degrees): Interval.between(v.lower, v.upper, v.lower_open, v.upper_open)}
            if slope:
                terms[slope] = Interval.of(1)
            inputs.append(Series(space, terms))
        return space, inputs

    def _gap(self, form: tuple[Any, ...], at: tuple[Space, list[Series]], pi: Callable[[], Any] = Interval.pi) -> Any:
        """The series that must not be negative; its constant where there are no variables."""
        space, inputs = at
        small, large = (self.c.claim[0], self.c.claim[2]) if self.up else (self.c.claim[2], self.c.claim[0])
        minus = Series(space, {(0,) * len(space.degrees): space.of(-1)})
        if form[0] == "scaled":
            gap = self._values((form[1],), space, inputs, pi)[0]
        else:
            lower, upper = self._values((small, large), space, inputs, pi)
            if form[0] == "logarithm":
                lower, upper = lower.apply("log"), upper.apply("log")
            gap = upper + minus * lower
        return gap if space.degrees else gap.coefficient(())

    def _coefficient(self, form: tuple[Any, ...], box: Box, orders: tuple[int, ...]) -> Interval:
        """A Taylor coefficient on the box: by series, which also shows that it exists, and by its expression."""
        moving = [i for i, k in enumerate(orders) if k]
        degrees = tuple(orders[i] for i in moving)
        slopes: list[tuple[int, ...]] = [() for _ in orders]
        for n, i in enumerate(moving):
            slopes[i] = tuple(int(n == m) for m in range(len(moving)))
        space = Space(degrees, sum(degrees), Interval.of)
        found: Interval = self._gap(form, self._series(box, space, slopes)).coefficient(degrees)
        node = self.c.derivatives.get((self.c.forms.index(form), orders))
        if node is None:
            return found
        space, inputs = self._plain(box)
        given = self._values((node,), space, inputs, Interval.pi)[0].coefficient(())
        return found.common(given * Interval.of(fmpq(1, prod(map(factorial, orders)))))

    # --- rules
    def _collapsed(self, box: Box, form: tuple[Any, ...], i: int, side: int) -> Box:
        """The face towards which the gap decreases."""
        v = box.sides[i]
        end = v.upper if side else v.lower
        if end is None or form[0] == "scaled":
            raise Undefined("no face there")
        opened = replace(v, upper_open=True) if side else replace(v, lower_open=True)
        inside = replace(box, sides=_with(box.sides, i, opened))
        slope = self._coefficient(form, inside, _units(self.count)[i])
        slope = -slope if side else slope
        if not slope.nonnegative():
            raise Undefined("not monotone")
        left_out = v.upper_open if side else v.lower_open
        strict = box.strict and not (left_out and slope.positive())
        face = replace(v, lower=end, upper=end, lower_open=False, upper_open=False, integer=False)
        child = Box(_with(box.sides, i, face), strict, False)
        self._gap(form, self._plain(child))  # defined there, hence continuous up to there
        return child

    def _mean(self, box: Box, form: tuple[Any, ...], centre: list[fmpq]) -> bool:
        if len(centre) != self.count:
            return False
        there = replace(box, sides=tuple(_at(v, t) for v, t in zip(box.sides, centre, strict=True)))
        value = self._gap(form, self._plain(there))
        wide = replace(box, sides=tuple(_reaching(v, t) for v, t in zip(box.sides, centre, strict=True)))
        for v, t, unit in zip(wide.sides, centre, _units(self.count), strict=True):
            if v.lower is None or v.upper is None:
                return False
            if v.lower < v.upper:
                reach = Interval.between(v.lower, v.upper, False, False) + Interval.of(-t)
                value = value + self._coefficient(form, wide, unit) * reach
        return _settles(value, box.strict)

    def _ladder(self, box: Box, faces: list[tuple[int, int, fmpq, int]]) -> bool:
        """With f = 0 to order k where x = c, f = (x - c)^k g with g the k-th derivative, over k!, in between."""
        if not faces or len({i for _, i, _, _ in faces}) != len(faces) or len({form for form, *_ in faces}) != 1:
            return False
        form, sides, sign, left_out = self._counted(box, faces[0][0]), box.sides, 1, True
        degrees = tuple(order for *_, order in faces)
        if prod(order + 1 for order in degrees) > _MOST_COEFFICIENTS:
            return False
        for _, i, at, order in faces:
            v = sides[i]
            if v.lower == v.upper == at and not box.strict:
                return True
            above, below = v.lower is not None and v.lower >= at, v.upper is not None and v.upper <= at
            if not above and order % 2:
                if not below:
                    return False
                sign = -sign
            left_out = left_out and not _holds(v, at)
            sides = _with(sides, i, _reaching(v, at))
        orders = [0] * self.count
        for _, i, _, order in faces:
            orders[i] = order
        top = self._coefficient(form, replace(box, sides=sides), tuple(orders))
        top = top if sign > 0 else -top
        return _settles(top, box.strict) and (left_out or not box.strict)

    def _touch(self, box: Box, form: tuple[Any, ...], point: list[fmpq]) -> bool:
        """A point where the gap and its gradient vanish, and a Hessian that is nowhere negative."""
        if len(point) != self.count:
            return False
        field, units = Field(self.count), _units(self.count)
        space = Space((1,) * self.count, 1, field.of)
        none = (0,) * self.count
        inputs = [Series(space, {none: field.of(t), u: field.of(1)}) for t, u in zip(point, units, strict=True)]
        gap = self._gap(form, (space, inputs), field.pi)
        if not all(gap.coefficient(d).is_zero() for d in (none, *units)):
            return False
        wide = replace(box, sides=tuple(_reaching(v, t) for v, t in zip(box.sides, point, strict=True)))
        space = Space((2,) * self.count, 2, Interval.of)
        gap = self._gap(form, self._series(wide, space, units))
        two = Interval.of(2)
        entries = {(u, w): gap.coefficient(tuple(a + b for a, b in zip(u, w, strict=True))) for u in units for w in units}
        rows = [[entries[u, w] * two if u == w else entries[u, w] for w in units] for u in units]
        return _semidefinite(rows)

    def _void(self, box: Box, condition: tuple[int, str, int]) -> bool:
        """Whether the condition fails on all of the box."""
        space, inputs = self._plain(box)
        lhs, rhs = (s.coefficient(()) for s in self._values((condition[0], condition[2]), space, inputs, Interval.pi))
        above = lhs + -rhs
        match condition[1]:
            case "<=":
                return bool(above.positive())
            case "<":
                return bool(above.nonnegative())
            case ">=":
                return bool((-above).positive())
            case ">":
                return bool((-above).nonnegative())
        return bool(above.positive() or (-above).positive())

    # --- identities
    def _check_face(self, face: tuple[int, int, fmpq, int]) -> bool:
        """That a form vanishes to this order."""
        form, i, at, order = face
        field = Field(self.count)
        space = Space((order,), order, field.of)
        inputs = [Series(space, {(0,): field.variable(j)}) for j in range(self.count)]
        inputs[i] = Series(space, {(0,): field.of(at), (1,): field.of(1)})
        gap = self._gap(self.c.forms[form], (space, inputs), field.pi)
        return all(gap.coefficient((k,)).is_zero() for k in range(order))

    def _check_derivative(self, item: tuple[tuple[int, tuple[int, ...]], int]) -> bool:
        """That an expression is the derivative of a form."""
        (form, orders), expression = item
        if prod(k + 1 for k in orders) > _MOST_COEFFICIENTS:
            return False
        field, none = Field(self.count), (0,) * self.count
        space = Space(orders, sum(orders), field.of)
        inputs = [Series(space, {none: field.variable(i)}) for i in range(self.count)]
        moving = [
            Series(space, s.terms | ({u: field.of(1)} if space.holds(u) else {}))
            for s, u in zip(inputs, _units(self.count), strict=True)
        ]
        top = self._gap(self.c.forms[form], (space, moving), field.pi).coefficient(orders)
        given = self._values((expression,), space, inputs, field.pi)[0].coefficient(none)
        return bool((given * field.of(fmpq(1, prod(map(factorial, orders)))) + -top).is_zero())

    def _check_scaled(self, which: int) -> None:
        """That the form is the difference times its factor."""
        field = Field(self.count)
        space = Space((), 0, field.of)
        inputs = [Series(space, {(): field.variable(j)}) for j in range(self.count)]
        _, form, factor = self.c.forms[which]
        gap = self._gap(("difference",), (space, inputs), field.pi)
        scaled, by = (s.coefficient(()) for s in self._values((form, factor), space, inputs, field.pi))
        if not (scaled + -(gap * by)).is_zero():
            raise Rejected(f"form {which} is not shown to be the difference times its factor")


def _settles(gap: Interval, strict: bool) -> bool:
    return gap.positive() if strict else gap.nonnegative()


def _units(count: int) -> list[tuple[int, ...]]:
    return [tuple(int(i == j) for j in range(count)) for i in range(count)]


def _with(sides: tuple[Variable, ...], i: int, side: Variable) -> tuple[Variable, ...]:
    return (*sides[:i], side, *sides[i + 1 :])


def _at(v: Variable, t: fmpq) -> Variable:
    return replace(v, lower=t, upper=t, lower_open=False, upper_open=False)


def _holds(v: Variable, t: fmpq) -> bool:
    above = v.lower is None or v.lower < t or (v.lower == t and not v.lower_open)
    return above and (v.upper is None or v.upper > t or (v.upper == t and not v.upper_open))


def _reaching(v: Variable, t: fmpq) -> Variable:
    """The least interval with the point in it."""
    if v.lower is not None and t <= v.lower:
        v = replace(v, lower=t, lower_open=False)
    if v.upper is not None and t >= v.upper:
        v = replace(v, upper=t, upper_open=False)
    return v


def _rounded(v: Variable) -> Variable:
    """The bounds of an integer variable as integers."""
    if not v.integer:
        return v
    lower, upper = v.lower, v.upper
    if lower is not None:
        lower = fmpq(lower.floor() + 1 if v.lower_open else lower.ceil())
    if upper is not None:
        upper = fmpq(upper.ceil() - 1 if v.upper_open else upper.floor())
    return replace(v, lower=lower, upper=upper, lower_open=False, upper_open=False)


def _empty(v: Variable) -> bool:
    if v.lower is None or v.upper is None:
        return False
    return v.lower > v.upper or (v.lower == v.upper and (v.lower_open or v.upper_open))


def _halves(box: Box, i: int, at: fmpq) -> list[Box]:
    v = box.sides[i]
    if (v.lower is not None and at <= v.lower) or (v.upper is not None and at >= v.upper):
        raise Rejected("a box is split outside itself")
    left, right = replace(v, upper=at, upper_open=False), replace(v, lower=at, lower_open=False)
    if v.integer:
        left, right = replace(left, upper=fmpq(at.floor())), replace(right, lower=fmpq(at.floor() + 1))
    return [replace(box, sides=_with(box.sides, i, half)) for half in (right, left)]


def _semidefinite(rows: list[list[Interval]]) -> bool:
    """By elimination: positive pivots, the last one not negative."""
    size = len(rows)
    for k in range(size):
        if not (rows[k][k].nonnegative() if k == size - 1 else rows[k][k].positive()):
            return False
        for i in range(k + 1, size):
            for j in range(k + 1, size):
                rows[i][j] = rows[i][j] + -(rows[i][k] * rows[k][j] * rows[k][k].inverse())
    return True


def _shown(box: Box) -> str:
    return ", ".join(f"{v.name} in [{v.lower}, {v.upper}]" for v in box.sides)[:300]


_INFIX = {"+": " + ", "*": " "}


def spelled(c: Certificate) -> str:
    """The claim and its domain in words, long expressions cut."""
    texts: list[str] = []
    for head, *rest in c.nodes:
        if head in ("variable", "number"):
            text = c.variables[rest[0]].name if head == "variable" else str(rest[0])
        elif head == "^":
            text = f"{texts[rest[0]]}^({rest[1]})"
        elif head in _INFIX:
            text = f"({_INFIX[head].join(texts[j] for j in rest[:50])})"
        else:
            text = f"{head}({', '.join(texts[j] for j in rest)})" if rest else head
        texts.append(text if len(text) <= 1000 else text[:999] + "…")
    said = [f"{texts[a]} {op} {texts[b]}" for a, op, b in (c.claim, *c.conditions)]
    for v in c.variables:
        low = "" if v.lower is None else f"{v.lower} {'<' if v.lower_open else '<='} "
        high = "" if v.upper is None else f" {'<' if v.upper_open else '<='} {v.upper}"
        said.append(f"{low}{v.name}{high}{' an integer' if v.integer else ' real'}")
    return f"{said[0]} for all {', '.join(said[1:])}" if said[1:] else said[0]
