"""Infima and suprema over an interval: at a stationary point of a convex or unimodal function, or at an end."""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from dpsym.deciding.calculus.heads import between, defined, free, fresh, smooth
from dpsym.deciding.calculus.limits import one_sided
from dpsym.deciding.rungs import Question, Yes, weakest
from dpsym.enclosing.factoring import factored
from dpsym.notation import Maximum, Minimum
from dpsym.relations import Proposition, Relation, substitute
from dpsym.verdicts import Method

_ZERO = sp.Integer(0)
_LONGEST = 60


def prove(question: Question) -> Yes | None:
    """A relation that contains optima: by their values, or by bounds at every point or at one."""
    found = free(question.relation, Minimum, Maximum)
    return (_by_values(found, question) or _by_points(question)) if found else None


def _by_values(found: list[sp.Expr], question: Question) -> Yes | None:
    table: dict[sp.Basic, sp.Expr] = {}
    needed: list[Yes] = []
    for e in found:
        optimum = value(e, question)
        if optimum is not None:
            table[e] = optimum[0]
            needed += optimum[1]
    answer = question.ask(question.relation.subs(table)) if table else None
    if answer is None:
        return None
    rest = weakest([answer, *needed])
    known = "; ".join(f"{type(e).__name__.lower()} = {v}" for e, v in table.items())
    return Yes(rest.verdict, Method.LEMMA, f"{known}; {answer.why}", rests_on=rest.rests_on)


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
        proofs.append(question.ask(Relation(region.lower, "<", region.upper), share=0.2))
    return None if None in proofs else (region, [p for p in proofs if p is not None])


def value(e: sp.Expr, question: Question) -> tuple[sp.Expr, list[Yes]] | None:
    """The value of an optimum and its proof."""
    found = _region(e, question)
    if found is None or not smooth(found[0].f):
        return None
    region, proofs = found
    side = -1 if isinstance(e, Maximum) else 1
    slope = side * sp.diff(region.f, region.x)
    for at_end, because in _at_end(region, slope, side, question):
        return at_end, [*proofs, *because]
    for point in _stationary(slope, region.x):
        proof = _least_at(point, region, slope, question)
        if proof is not None:
            return substitute(region.f, {region.x: point}), [*proofs, *proof]
    return None


def _at_end(region: _Region, slope: sp.Expr, side: int, question: Question) -> Iterator[tuple[sp.Expr, list[Yes]]]:
    """For a monotone function: the value at an end, or the limit there where it is open."""
    for op, end, is_open, towards in (
        (">=", region.lower, region.lower_open, 1),
        ("<=", region.upper, region.upper_open, -1),
    ):
        proof = question.ask(Relation(slope, op, _ZERO), region.inside, share=0.2)  # type: ignore[arg-type]
        if proof is None:
            continue
        if not is_open and end not in (sp.oo, -sp.oo):
            yield substitute(region.f, {region.x: end}), [proof]
            continue
        limit = one_sided(region.f, region.x, end, towards, question)
        if limit is not None and limit not in (sp.oo, -sp.oo):
            yield limit, [proof]


def _stationary(slope: sp.Expr, x: sp.Symbol) -> list[sp.Expr]:
    """Where the slope may vanish; anything may propose a point, it is checked."""
    above = factored(sp.fraction(sp.together(slope))[0])
    found: list[sp.Expr] = []
    for factor in sp.Mul.make_args(above):
        base = factor.base if isinstance(factor, sp.Pow) else factor
        if not base.has(x):
            continue
        if base.is_polynomial(x) and sp.degree(base, x) <= 2:
            found += sp.roots(sp.Poly(base, x))
        elif sp.count_ops(base) <= _LONGEST // 3:
            found += _solved(base, x)
    return [p for p in found if not p.has(sp.I, x) and p.is_real is not False]


def _solved(equation: sp.Expr, x: sp.Symbol) -> list[sp.Expr]:
    positive = {s: sp.Dummy(s.name, positive=True) for s in equation.free_symbols - {x}}
    try:
        solutions = sp.solve(equation.xreplace(positive), x)
    except (NotImplementedError, ValueError, TypeError, sp.PolynomialError):
        return []
    back = {new: old for old, new in positive.items()}
    return [s.xreplace(back) for s in solutions if isinstance(s, sp.Expr)][:4]


def _least_at(point: sp.Expr, region: _Region, slope: sp.Expr, question: Question) -> list[Yes] | None:
    """That the function is least there: it lies inside, and the slope rises through 0 or changes sign there."""
    x = region.x
    proofs: list[Yes] = []
    for inside in (c for c in region.inside if x in c.free_symbols):
        proof = question.ask(inside.subs({x: point}), share=0.2)  # type: ignore[arg-type]
        if proof is None:
            return None
        proofs.append(proof)
    vanishes = question.ask(Relation(substitute(slope, {x: point}), "=", _ZERO), share=0.3)
    if vanishes is not None:
        convex = question.ask(Relation(sp.factor_terms(sp.diff(slope, x)), ">=", _ZERO), region.inside, share=0.3)
        # the slope is then defined inside, too, as it is part of what was differentiated
        of_slope = defined(slope, region.inside, question) if convex is not None else None
        if convex is not None and of_slope is not None:
            return [*proofs, vanishes, convex, of_slope]
    before = question.ask(Relation(slope, "<=", _ZERO), (*region.inside, Relation(x, "<", point)), share=0.4)
    after = question.ask(Relation(slope, ">=", _ZERO), (*region.inside, Relation(x, ">", point)), share=0.4)
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
            proof = question.ask(Relation(region.f, relation.op, bound), region.everywhere, share=0.6)
        else:
            proof = _at_one_point(region, relation, question)
        if proof is not None:
            rest = weakest([proof, *proofs])
            return Yes(rest.verdict, Method.LEMMA, f"at the points of the set: {proof.why}", rests_on=rest.rests_on)
    return None


def _at_one_point(region: _Region, relation: Relation, question: Question) -> Yes | None:
    if not smooth(region.f):
        return None
    for point in _stationary(sp.diff(region.f, region.x), region.x):
        inside = [question.ask(c, share=0.2) for c in region.contains(point)]
        if None in inside:
            continue
        there = Relation(substitute(region.f, {region.x: point}), relation.op, relation.rhs)
        proof = question.ask(there, share=0.4)
        if proof is not None:
            return weakest([proof, *(p for p in inside if p is not None)])
    return None
