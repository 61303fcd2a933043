"""Inequalities by derivatives: a value or limit at an end, and a derivative of one sign.

For f >= 0 on a domain whose slices along x are intervals: f does not decrease and is not negative at the lower end;
or does not increase and is not negative at the upper end; or is concave and not negative at both; or the domain is
split where f touches zero or turns.  Ends that do not belong to the domain are reached by continuity (every
function allowed here is continuous where it is defined, and it is asked to be defined there) or by a limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

import sympy as sp

from dpsym.core import functions
from dpsym.core.clocks import Work
from dpsym.core.deadline import apart, over, portion, timed
from dpsym.core.plain_printer import plain
from dpsym.core.relations import IsInteger, Operator, Proposition, Relation, substitute
from dpsym.core.verdicts import Method, Verdict
from dpsym.deciding.calculus.minimum import InteriorMinimum, interior_minima
from dpsym.deciding.calculus.slices import Slice, slice_along
from dpsym.deciding.calculus.unimodal import Unimodal
from dpsym.deciding.definedness import Need, of_expression
from dpsym.deciding.domain import Domain, Point, possible
from dpsym.deciding.limits import limit
from dpsym.deciding.strategies.exact import settle, vanishes
from dpsym.deciding.strategies.sign_equivalents import (
    Goal,
    Way,
    goal_of,
    reasoned_forms,
    sample,
    signs_at,
    value_at,
)  # fmt: skip
from dpsym.deciding.strategies.strategy import Question, Yes, met, weakest

_ZERO = sp.Integer(0)
_SMOOTH = (
    sp.Symbol, sp.Add, sp.Mul, sp.Pow, sp.Number, sp.NumberSymbol, *functions.heads("differentiable"),
)  # fmt: skip
_SPLITS = tuple(sp.Rational(t) for t in ("0", "1", "1/2", "2", "-1"))
_LARGEST = 200  # operations: the derivatives of longer ones are too long to be of use
_SIMPLE = 30  # operations of a derivative that is pursued before other forms are looked at
_GLANCE = Work(0.1)  # seconds for the exact sign of a derivative, before anything else is tried
_MOST_CLIMBED = 2  # forms of which it is asked whether they rise and then fall

# what was asked in vain while one question of depth 0 is worked on, and at which depth
_failed: ContextVar[dict[object, int] | None] = ContextVar("failed", default=None)


def prove(question: Question) -> Yes | None:
    """A relation of smooth functions, by one argument about one variable; what remains is asked again."""
    goal = goal_of(question)
    if goal is None or question.depth > question.limits.arguments or not _smooth(goal.expression):
        return None
    if goal.expression.free_symbols & question.domain.integers:
        return _over_reals(question)
    if not goal.strict:
        goal = replace(goal, question=replace(question, domain=_opened(question.domain)))
    opened = goal.domain
    goal = replace(goal, question=replace(goal.question, domain=_folded(goal)))
    failed = _failed.get()
    if failed is not None:
        found = _prove_once(goal, failed)
    else:
        failed = {}
        token = _failed.set(failed)
        try:
            found = _prove_once(goal, failed)
        finally:
            _failed.reset(token)
    return None if found is None else found.by("within", question, (opened, goal.domain), found)


def _over_reals(question: Question) -> Yes | None:
    """The relation for all real values within the bounds of those symbols that are integers.

    A least value of a single one that stands in the way is looked at by itself.
    """
    spoken = question.relation.free_symbols & question.domain.integers
    kept: list[Proposition] = []
    for item in question.domain.assume:
        if isinstance(item, IsInteger) and item.expression in spoken:
            bounds = question.domain.sharpened(item.expression)
            kept += [] if bounds.lower is None else [Relation(item.expression, ">=", bounds.lower)]
            kept += [] if bounds.upper is None else [Relation(item.expression, "<=", bounds.upper)]
        else:
            kept.append(item)
    found = question.ask_part(question.relation, kept)
    if found is not None:
        return found.by("over reals", question, (), found)
    if len(spoken) > 1:
        return None
    (k,) = spoken
    least = Domain(tuple(kept)).of(k).lower
    if least is None:
        return None
    first = question.check(question.relation.subs({k: least}))
    later = None if first is None else question.ask(question.relation, (*kept, Relation(k, ">=", least + 1)))
    if first is None or later is None:
        return None
    return weakest([later, first]).by("least integer", question, (k, least), later, first)


def _opened(domain: Domain) -> Domain:
    """The domain without the ends of its intervals, in which it is dense: enough for a claim that is continuous."""
    tied = set().union(*(c.free_symbols for c in domain.coupled)) | domain.integers
    free = {x for x, b in domain.bounds.items() if x not in tied and (b.lower is None or b.lower != b.upper)}
    return Domain(tuple(_without_end(item, free) for item in domain.assume))


def _folded(goal: Goal) -> Domain:
    """The domain with x >= 0 (0 left out by continuity) for each x of all reals whose sign makes no difference."""
    domain = goal.domain
    spoken = set().union(*(c.free_symbols for c in domain.assume))
    op: Operator = ">=" if goal.strict else ">"
    even = [x for x in sorted(goal.expression.free_symbols - spoken, key=str) if _is_even(goal, x)]
    return Domain((*domain.assume, *(Relation(x, op, _ZERO) for x in even))) if even else domain


def _is_even(goal: Goal, x: sp.Symbol) -> bool:
    mirrored = substitute(goal.expression, {x: -x})
    return mirrored == goal.expression or apart(_GLANCE, partial(vanishes, mirrored - goal.expression, goal.domain))


def _without_end(item: Proposition, free: set[sp.Symbol]) -> Proposition:
    if isinstance(item, Relation) and len(item.free_symbols) == 1 and item.free_symbols <= free:
        return Relation(item.lhs, cast("Operator", item.op.rstrip("=")), item.rhs)
    return item


def _prove_once(goal: Goal, failed: dict[object, int]) -> Yes | None:
    key = (goal.expression, goal.strict, frozenset(goal.domain.assume))
    if failed.get(key, goal.question.limits.arguments + 1) <= goal.question.depth:
        return None
    failed[key] = goal.question.depth  # also while it is worked on: an argument must not lead back to its question
    found = _prove(goal)
    if found is not None or over():  # with more time it may be found
        del failed[key]
    return found


def _smooth(expression: sp.Expr) -> bool:
    if expression.count_ops() > _LARGEST or expression.has(sp.I, sp.zoo, sp.nan, sp.oo, -sp.oo):
        return False
    return all(isinstance(e, _SMOOTH) for e in sp.preorder_traversal(expression))


def _prove(goal: Goal) -> Yes | None:
    points = sample(goal.question, goal.expression.free_symbols)
    if not points or -1 in signs_at(goal.expression, points):
        return None
    op: Operator = ">" if goal.strict else ">="
    tried = 0
    left: list[_Argument] = []
    ways: dict[sp.Expr, Way] = {}
    for form, how in reasoned_forms(goal):
        ways[form] = how
        signed = partial(settle, Relation(form, op, _ZERO), goal.domain)
        if form != goal.expression and apart(2 * _GLANCE, signed):
            why = f"it says that {plain(form)} {op} 0, which has that sign"
            shown = replace(goal.question, relation=Relation(form, op, _ZERO))
            settled = Yes(Verdict.PROVED, Method.EXACT_SIGN, why).by("exact", shown, ())
            return _of_form(goal, {form: how}, settled)
        if not _smooth(form):
            continue
        tried += 1
        here = replace(goal, expression=form)
        new = sorted(_arguments(here, points), key=lambda a: a.cost)
        simple = [a for a in new if a.split is None and a.derivative.count_ops() <= max(_SIMPLE, form.count_ops())]
        if (found := _first_success(new, goal.question, patient=False)) is not None:
            return _of_form(goal, ways, found)
        promising: list[_Argument | InteriorMinimum | Unimodal] = [*simple, *_minima(here, points)]
        promising.sort(key=lambda a: a.cost)
        if (found := _first_success(promising, goal.question, patient=True)) is not None:
            return _of_form(goal, ways, found)
        left += [a for a in new if a not in simple]
        climbed = len(form.free_symbols) == 1 and goal.question.depth <= 1 and tried <= _MOST_CLIMBED
        if climbed and (found := _first_success(_unimodal(here, points), goal.question, patient=True)) is not None:
            return _of_form(goal, ways, found)
    left.sort(key=lambda a: a.cost)
    found = _first_success(left, goal.question, patient=True)
    return None if found is None else _of_form(goal, ways, found)


def _of_form(goal: Goal, ways: Mapping[sp.Expr, Way], found: Yes) -> Yes:
    """What was found of a form, as a proof of the goal."""
    if found.term is None:
        return found
    form = cast("sp.Expr", found.term.relation.lhs)
    whole = replace(goal.question, relation=Relation(goal.expression, ">" if goal.strict else ">=", _ZERO))
    return found.by("form", whole, ways[form], found)


def _first_success(
    arguments: Iterable[_Argument | InteriorMinimum | Unimodal], question: Question, *, patient: bool
) -> Yes | None:
    """The first argument that succeeds; each has a part of the time that is left."""
    for argument in arguments:
        if over():
            return None
        with timed(portion(question.limits.main_claim)):
            found = argument.carried_out(patient=patient)
        if found is not None:
            return found
    return None


@dataclass(frozen=True, slots=True)
class _Argument:
    """One way to prove the goal; `direction` +1: rising from the lower end, -1: falling to the upper, 0: concave."""

    goal: Goal
    along: Slice
    direction: int
    derivative: sp.Expr
    first: sp.Expr  # the derivative of the form itself; `derivative` may be one of another order
    split: sp.Expr | None = None

    @property
    def cost(self) -> int:
        """Small derivatives first; a split counts as two."""
        return int(self.derivative.count_ops()) * (2 if self.split is not None else 1)

    def carried_out(self, *, patient: bool) -> Yes | None:
        """The proof; without patience only where the derivative has an exact sign."""
        goal, x = self.goal, self.along.variable
        if self.split is not None:
            return self._in_two() if patient else None
        closed = {1: self.along.closed_below, -1: self.along.closed_above, 0: False}[self.direction]
        strict = goal.strict and not closed  # from a positive value at an end that belongs, not falling is enough
        needed = Relation(self.derivative, ">" if strict else ">=", _ZERO)
        if self.direction <= 0:
            needed = Relation(self.derivative, "<" if strict else "<=", _ZERO)
        if (interior := self.along.inside) is None:
            return None
        signed = partial(settle, needed, interior)
        if not patient and apart(_GLANCE, signed) is None:
            return None
        ends = [at for at in (1, -1) if self.direction in (0, at)]
        answers = [self._at_end(at) for at in ends]
        if None in answers:
            return None
        if self.direction == 0:
            inside = replace(goal.question, domain=interior, depth=goal.question.depth + 1)
            steady = met(of_expression(self.first), inside)
            if steady is None:
                return None
            answers += steady
        slope = goal.question.ask(needed, self.along.interior)
        if slope is None or None in answers:
            return None
        what = {1: "rises from", -1: "falls to", 0: "rises and then falls between"}[self.direction]
        sense = ">=" if self.direction > 0 else "<="
        why = (
            f"{plain(goal.expression)} {what} where it is not negative, since {plain(self.derivative)} {sense} 0 ({x})"
        )
        head = Yes(Verdict.PROVED, Method.EXACT_SIGN, why)
        found = weakest([head, slope, *(a for a in answers if a is not None)])
        return found.by("climbing", self._claim, (self.along, self.direction), slope, *answers)

    @property
    def _claim(self) -> Question:
        relation = Relation(self.goal.expression, ">" if self.goal.strict else ">=", _ZERO)
        return replace(self.goal.question, relation=relation)

    def _at_end(self, at: int) -> Yes | None:
        """The form at the lower (1) or upper (-1) end is not negative; positive where a strict claim needs that."""
        ends = self.along.lower if at > 0 else self.along.upper
        closed = self.along.closed_below if at > 0 else self.along.closed_above
        op: Operator = ">" if self.goal.strict and closed else ">="
        if not ends:
            return self._at_infinity(at, op)
        answers = [self._at_face(end, at, op) for end in ends]
        return None if None in answers else weakest([a for a in answers if a is not None])

    def _at_face(self, end: sp.Expr, at: int, op: Operator) -> Yes | None:
        goal, x = self.goal, self.along.variable
        conditions = [_closed_at(c, end) for c in self.along.interior if x in c.free_symbols]
        assume = (*self.along.others, *(c for c in conditions if c is not None))
        if (face := possible(assume)) is None:
            return None
        there = replace(goal.question, domain=face, depth=goal.question.depth + 1)
        table = {x: end}
        needed = [need.subs(table) for need in of_expression(goal.expression)]
        defined = met(needed, there) if all(map(_has_numbers, needed)) else None
        value = substitute(goal.expression, table)
        if defined is not None and _real(value):
            found = goal.question.ask_part(Relation(value, op, _ZERO), assume)
            return found and weakest([found, *defined])
        if self.along.closed_below if at > 0 else self.along.closed_above:
            return None  # an end that belongs to the domain needs a value, not a limit
        t = sp.Dummy("t")
        return self._limit(substitute(goal.expression, {x: end + at / t}), t, face, op)

    def _at_infinity(self, at: int, op: Operator) -> Yes | None:
        t = sp.Dummy("t")
        face = Domain(self.along.others)
        return self._limit(substitute(self.goal.expression, {self.along.variable: -at * t}), t, face, op)

    def _limit(self, expression: sp.Expr, t: sp.Dummy, face: Domain, op: Operator) -> Yes | None:
        """The limit is not negative (positive, for `>`)."""
        found = limit(expression, t, face)
        if found is None or found is -sp.oo:
            return None
        if found is sp.oo:
            there = replace(self.goal.question, domain=face)
            return Yes(Verdict.PROVED, Method.EXACT_SIGN, "the limit is infinite").by("infinite", there, ())
        return self.goal.question.ask_part(Relation(found, op, _ZERO), face.assume)

    def _in_two(self) -> Yes | None:
        goal, x = self.goal, self.along.variable
        sides: tuple[Operator, ...] = ("<=", ">=")
        parts = ((self._claim.relation, (*goal.domain.assume, Relation(x, side, self.split))) for side in sides)
        answers = goal.question.in_cases(parts)
        if answers is None:
            return None
        why = f"{plain(goal.expression)}, for {x} on either side of {self.split}"
        found = weakest([Yes(Verdict.PROVED, Method.EXACT_SIGN, why), *answers])
        return found.by("either side", self._claim, (x, self.split), *answers)


def _closed_at(condition: Proposition, end: sp.Expr) -> Relation | None:
    """A bound on a variable, ends included, at the end; None where it says nothing."""
    if not isinstance(condition, Relation):
        return None
    op: Operator = ">=" if condition.op.startswith(">") else "<="
    there = Relation(end, op, condition.rhs)
    return there if there.free_symbols else None


def _real(e: sp.Basic) -> bool:
    return not e.has(sp.nan, sp.zoo, sp.oo, -sp.oo, sp.I, sp.AccumBounds)


def _has_numbers(need: Need) -> bool:
    propositions = (p for group in need.groups for p in group)
    return all(_real(e) for p in propositions for e in ((p.lhs, p.rhs) if isinstance(p, Relation) else p.free_symbols))


def _arguments(goal: Goal, points: list[Point]) -> Iterator[_Argument]:
    """The arguments that the samples do not speak against."""
    f = goal.expression
    for x in sorted(f.free_symbols, key=lambda s: s.name):
        along = slice_along(x, goal.domain)
        if along is None:
            continue
        derivative = f.diff(x)
        seen = signs_at(derivative, points)
        if not _smooth(derivative):
            continue
        if -1 not in seen:
            yield _Argument(goal, along, 1, derivative, derivative)
        if 1 not in seen:
            yield _Argument(goal, along, -1, derivative, derivative)
        if seen == {1, -1}:
            second = derivative.diff(x)
            if 1 not in signs_at(second, points) and _smooth(second):
                yield _Argument(goal, along, 0, second, derivative)
            for c in (*_SPLITS, *sorted(f.free_symbols - {x}, key=lambda s: s.name)):
                inside = c in goal.domain.of(x) if isinstance(c, sp.Rational) else True
                if inside and not _is_end(c, along) and _turns(derivative, x, c, points):
                    yield _Argument(goal, along, 0, derivative, derivative, split=c)


def _minima(goal: Goal, points: list[Point]) -> Iterator[InteriorMinimum]:
    for x in sorted(goal.expression.free_symbols, key=lambda s: s.name):
        along, derivative = slice_along(x, goal.domain), goal.expression.diff(x)
        if along is not None and _smooth(derivative) and signs_at(derivative, points) == {1, -1}:
            others = sorted(goal.expression.free_symbols - {x}, key=lambda s: s.name)
            near = [c for c in (*_SPLITS, *others) if _turns(derivative, x, c, points)]
            yield from interior_minima(goal, along, derivative, points, near)


def _unimodal(goal: Goal, points: list[Point]) -> Iterator[Unimodal]:
    for x in sorted(goal.expression.free_symbols, key=lambda s: s.name):
        along, derivative = slice_along(x, goal.domain), goal.expression.diff(x)
        if along is not None and _smooth(derivative) and signs_at(derivative, points) == {1, -1}:
            yield Unimodal(goal, along, derivative, tuple(points), _holds_at_end, _smooth)


def _holds_at_end(goal: Goal, along: Slice, at: int) -> Yes | None:
    return _Argument(goal, along, 0, goal.expression, goal.expression)._at_end(at)


def _is_end(c: sp.Expr, along: Slice) -> bool:
    return c in along.lower or c in along.upper


def _turns(derivative: sp.Expr, x: sp.Symbol, c: sp.Expr, points: list[Point]) -> bool:
    """Whether the derivative seems to vanish at x = c, whatever the other variables are."""
    values = [value_at(derivative, {**p, x: p.get(c, c)}) for p in points[:6]]
    return any(v is not None for v in values) and all(v is None or v.contains(0) for v in values)
