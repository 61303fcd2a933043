"""Infima and suprema over an interval, and where they are attained: at a stationary point, or at an end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from dpsym.core.notation import ArgMaximum, ArgMinimum, Maximum, Minimum
from dpsym.core.plain_printer import plain
from dpsym.core.relations import Operator, Proposition, Relation, substitute
from dpsym.deciding.calculus.heads import between, by_values, defined, free, fresh, smooth
from dpsym.deciding.calculus.limits import one_sided
from dpsym.deciding.calculus.stationary import zeros
from dpsym.deciding.strategies.strategy import Question, Yes, by_lemma, weakest

_ZERO = sp.Integer(0)
_USUAL = (_ZERO, sp.Integer(1), sp.Integer(2))  # points at which an optimum may be seen to be on one side
_OPTIMA = (Minimum, Maximum, ArgMinimum, ArgMaximum)


def prove(question: Question) -> Yes | None:
    """A relation that contains optima: by their values, or by bounds at every point or at one."""
    found = free(question.relation, *_OPTIMA)
    return (_by_values(found, question) or _by_points(question)) if found else None


def _by_values(found: list[sp.Expr], question: Question) -> Yes | None:
    where: dict[sp.Expr, str] = {}

    def value_of(e: sp.Expr, question: Question) -> tuple[sp.Expr, list[Yes]] | None:
        optimum = _found(e, question)
        if optimum is None:
            return None
        where[e] = optimum.where
        return optimum.value, optimum.proofs

    return by_values(question, found, value_of, lambda e, v: f"{type(e).__name__.lower()} = {plain(v)}, {where[e]}")


@dataclass(frozen=True, slots=True)
class _Optimum:
    """What a head is worth, in words where that is attained, and why."""

    value: sp.Expr
    where: str
    proofs: list[Yes]


class _Region:
    """The interval of an optimum with a fresh variable, and what holds in its interior."""

    def __init__(self, e: sp.Expr, question: Question) -> None:
        function, interval = e.args
        self.lower, self.upper = interval.start, interval.end
        self.lower_open, self.upper_open = bool(interval.left_open), bool(interval.right_open)
        self.x = fresh(function.variables[0], question)
        self.f = substitute(function.expr, {function.variables[0]: self.x})
        self.assume = question.domain.assume

    @property
    def inside(self) -> tuple[Proposition, ...]:
        """Strictly between the ends."""
        return (*self.assume, *between(self.x, self.lower, self.upper))

    @property
    def everywhere(self) -> tuple[Proposition, ...]:
        """In the interval, its closed ends included."""
        below = between(self.x, self.lower, sp.oo, closed=not self.lower_open)
        return (*self.assume, *below, *between(self.x, -sp.oo, self.upper, closed=not self.upper_open))

    def contains(self, point: sp.Expr) -> list[Relation]:
        """What says that a point is in it."""
        spoken = [c for c in self.everywhere if isinstance(c, Relation) and self.x in c.free_symbols]
        return [c.subs({self.x: point}) for c in spoken]


def _region(e: sp.Expr, question: Question) -> tuple[_Region, list[Yes]] | None:
    """The region of an optimum, proved to have a point, with the function defined on all of it."""
    function, interval = e.args
    if not isinstance(interval, sp.Interval) or not isinstance(function, sp.Lambda) or len(function.variables) != 1:
        return None
    region = _Region(e, question)
    proofs = [defined(region.f, region.everywhere, question)]
    if region.lower is not -sp.oo and region.upper is not sp.oo:
        proofs.append(question.check(Relation(region.lower, "<", region.upper)))
    return None if None in proofs else (region, [p for p in proofs if p is not None])


def value(e: sp.Expr, question: Question) -> tuple[sp.Expr, list[Yes]] | None:
    """The value of an optimum and its proof."""
    found = _found(e, question)
    return None if found is None else (found.value, found.proofs)


def _found(e: sp.Expr, question: Question) -> _Optimum | None:
    found = _region(e, question)
    if found is None or not smooth(found[0].f):
        return None
    region, proofs = found
    place = isinstance(e, ArgMinimum | ArgMaximum)  # where, instead of how much: only one point may attain it
    slope = sp.diff(region.f, region.x) * (-1 if isinstance(e, Maximum | ArgMaximum) else 1)
    for optimum in _at_end(region, slope, question, place=place):
        return _Optimum(optimum.value, optimum.where, [*proofs, *optimum.proofs])
    for point in zeros(slope, region.x):
        proof = _least_at(point, region, slope, question, alone=place)
        if proof is not None:
            there = point if place else substitute(region.f, {region.x: point})
            return _Optimum(there, f"attained at {region.x} = {plain(point)}", [*proofs, *proof])
    return None


def _at_end(region: _Region, slope: sp.Expr, question: Question, *, place: bool) -> Iterator[_Optimum]:
    """For a monotone function: the value at an end, or the limit there where it is open."""
    x = region.x
    ends: list[tuple[Operator, sp.Expr, bool, int]] = [
        (">=", region.lower, region.lower_open, 1),
        ("<=", region.upper, region.upper_open, -1),
    ]
    for op, end, is_open, towards in ends:
        attained = not is_open and end not in (sp.oo, -sp.oo)
        if place and not attained:
            continue
        proof = question.check(Relation(slope, op[0] if place else op, _ZERO), region.inside)  # type: ignore[arg-type]
        if proof is None:
            continue
        if attained:
            there = end if place else substitute(region.f, {x: end})
            yield _Optimum(there, f"attained at the end {x} = {plain(end)}", [proof])
            continue
        limit = one_sided(region.f, x, end, towards, question)
        if limit is not None and limit not in (sp.oo, -sp.oo):
            yield _Optimum(limit, f"approached as {x} goes to {plain(end)}", [proof])


def _least_at(
    point: sp.Expr, region: _Region, slope: sp.Expr, question: Question, *, alone: bool = False
) -> list[Yes] | None:
    """That the function is least there: it lies inside, and the slope rises through 0 or changes sign there.

    `alone`: and nowhere else, since the slope vanishes nowhere else.
    """
    x = region.x
    proofs: list[Yes] = []
    for inside in (c for c in region.inside if isinstance(c, Relation) and x in c.free_symbols):
        proof = question.check(inside.subs({x: point}))
        if proof is None:
            return None
        proofs.append(proof)
    vanishes = question.check(Relation(substitute(slope, {x: point}), "=", _ZERO))
    if vanishes is not None:
        bend = sp.factor_terms(sp.diff(slope, x))
        convex = question.check(Relation(bend, ">" if alone else ">=", _ZERO), region.inside)
        # the slope is then defined inside, too, as it is part of what was differentiated
        of_slope = defined(slope, region.inside, question) if convex is not None else None
        if convex is not None and of_slope is not None:
            return [*proofs, vanishes, convex, of_slope]
    falls, rises = Relation(slope, "<" if alone else "<=", _ZERO), Relation(slope, ">" if alone else ">=", _ZERO)
    before = question.ask_part(falls, (*region.inside, Relation(x, "<", point)))
    after = question.ask_part(rises, (*region.inside, Relation(x, ">", point))) if before is not None else None
    return None if before is None or after is None else [*proofs, before, after]


def _by_points(question: Question) -> Yes | None:
    """`minimum >= G` where the function is at every point; `minimum <= G` where it is at one."""
    for relation in (question.relation, question.relation.swapped):
        e = relation.lhs
        if not isinstance(e, Minimum | Maximum) or relation.op in ("=", "!="):
            continue
        found = _region(e, question)
        if found is None:
            return None
        region, proofs = found
        bound = relation.rhs
        if (relation.op.startswith(">")) == isinstance(e, Minimum):
            if relation.op in ("<", ">"):
                continue  # an optimum that is not attained may equal the bound
            proof = question.ask_main(Relation(region.f, relation.op, bound), region.everywhere)
        else:
            proof = _at_one_point(region, relation, question)
            bounded = None if proof is None else _bounded(region, relation, question)
            proof = None if proof is None or bounded is None else weakest([proof, bounded])
        if proof is not None:
            return by_lemma(f"at the points of the set: {proof.why}", proof, *proofs)
    return None


def _bounded(region: _Region, relation: Relation, question: Question) -> Yes | None:
    """That the function is bounded on the other side, so that the optimum is a number."""
    op: Operator = ">=" if relation.op.startswith("<") else "<="
    for bound in (_ZERO, relation.rhs - 1 if op == ">=" else relation.rhs + 1):
        found = question.check(Relation(region.f, op, bound), region.everywhere)
        if found is not None:
            return found
    return None


def _at_one_point(region: _Region, relation: Relation, question: Question) -> Yes | None:
    if not smooth(region.f):
        return None
    usual = [end for end in (region.lower, region.upper) if end not in (sp.oo, -sp.oo)]
    for point in (*zeros(sp.diff(region.f, region.x), region.x), *usual, *_USUAL):
        inside = [question.check(c) for c in region.contains(point)]
        if None in inside:
            continue
        there = Relation(substitute(region.f, {region.x: point}), relation.op, relation.rhs)
        proof = question.ask_part(there)
        if proof is not None:
            return weakest([proof, *(p for p in inside if p is not None)])
    return None
