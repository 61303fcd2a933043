"""Equivalent forms of `expression >= 0`, and where a sign is worth asking for.

Each form has the sign of the expression it was made from (or a sign that implies it, where only `>=` is claimed):
denominators cleared, positive factors dropped, a logarithm undone, a logarithm taken of both sides.  SymPy suggests
the forms; every one is checked by the canonical form before it is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import sympy as sp
from flint import arb, ctx, fmpq

from dpsym.core import functions
from dpsym.core.deadline import TooCostly, over
from dpsym.core.expanding import expand
from dpsym.deciding.calculus.heads import linear
from dpsym.deciding.definedness import of_expression, shown
from dpsym.deciding.domain import Domain, Point
from dpsym.deciding.strategies.exact import Sign, settle, sign, vanishes
from dpsym.deciding.strategies.strategy import Question
from dpsym.numbers import NotNumeric, compiled

_ZERO = sp.Integer(0)
_LARGEST = 250  # operations; beyond this a form is not worth its time
_MOST_TERMS = 6  # each is tried on the other side by itself
_BITS = 192  # so that cancellation of some 40 digits leaves a sign; samples only suggest
_HYPERBOLIC = functions.heads("quotient")


@dataclass(frozen=True, slots=True)
class Goal:
    """`expression > 0` where strict, otherwise `expression >= 0`, on the question's domain."""

    expression: sp.Expr
    strict: bool
    question: Question

    @property
    def domain(self) -> Domain:
        """Where it is claimed."""
        return self.question.domain

    def sign_of(self, expression: sp.Expr) -> Sign | None:
        """Its exact sign on the domain, where that can be told."""
        return sign(expression, self.domain)

    def same(self, one: sp.Expr, other: sp.Expr) -> bool:
        """Whether both are proved to be the same on the domain."""
        return vanishes(one - other, self.domain)


def goal_of(question: Question) -> Goal | None:
    """The question as a goal; None for equations and for sides that are no real expressions."""
    relation = question.relation
    if relation.op in ("=", "!=") or not all(isinstance(s, sp.Expr) for s in (relation.lhs, relation.rhs)):
        return None
    above = relation if relation.op.startswith(">") else relation.swapped
    return Goal(above.lhs - above.rhs, above.op == ">", question)


# How the sign of a form gives that of the goal, with factors that are not negative:
# ("multiple", c): the goal is c times the form;
# ("logarithm undone", L, E, s, b, c): it is c s (L - log E), and s (exp L - E) is b times the form, where s is 1 or -1;
# ("logarithms", A, B, c): it is c (A - B), and the form is log(A) - log(B).
Way: TypeAlias = tuple[str, *tuple[sp.Expr, ...]]
_ONE = sp.Integer(1)


def forms(goal: Goal) -> Iterator[sp.Expr]:
    """Expressions whose sign settles the goal, each once, simplest first."""
    return (form for form, _ in reasoned_forms(goal))


def reasoned_forms(goal: Goal) -> Iterator[tuple[sp.Expr, Way]]:
    """The same, each with how it gives the sign of the goal."""
    seen: set[sp.Expr] = set()
    given = set(of_expression(goal.expression))
    for make in (_itself, _cleared, _logarithms_alone, _logarithm_undone, _logarithm_taken, _in_exponentials):
        with suppress(TooCostly):
            for form, way in make(goal):
                if form not in seen and form.count_ops() <= _LARGEST and not over():
                    seen.add(form)
                    new = set(of_expression(form)) - given
                    if all(shown(need, goal.domain, settle) is not None for need in new):
                        yield form, way


def _itself(goal: Goal) -> Iterator[tuple[sp.Expr, Way]]:
    yield goal.expression, ("multiple", _ONE)


def _cleared(goal: Goal) -> Iterator[tuple[sp.Expr, Way]]:
    form = _without(goal.expression, goal)
    if form is not None:
        yield form.kept, ("multiple", form.dropped)


class _Cleared(NamedTuple):
    """An expression as a product, of which one factor is not negative."""

    kept: sp.Expr
    dropped: sp.Expr


def _without(expression: sp.Expr, goal: Goal) -> _Cleared | None:
    """Without its denominator, and without the factors that cannot be negative."""
    above, below = sp.fraction(sp.together(expression))
    above = sp.factor_terms(above)
    if not goal.same(expression * below, above):
        return None
    orientation = goal.sign_of(below)
    if orientation not in (Sign.POSITIVE, Sign.NEGATIVE):
        return None
    harmless = {Sign.POSITIVE} if goal.strict else {Sign.POSITIVE, Sign.NONNEGATIVE}
    factors = list(sp.Mul.make_args(above))
    kept = [f for f in factors if f.is_Number or goal.sign_of(f) not in harmless]
    kept = [f for f in kept if not (f.is_Rational and f > 0)]
    dropped = list(factors)
    for f in kept:
        dropped.remove(f)
    side = -1 if orientation is Sign.NEGATIVE else 1
    return _Cleared(side * sp.Mul(*kept), sp.Mul(*dropped) / (side * below))


def _logarithms_alone(goal: Goal) -> Iterator[tuple[sp.Expr, Way]]:
    """From w (log(A) - log(B)) + c >= 0 to log(A) - log(B) + c/w >= 0 for w > 0, and the reverse for w < 0."""
    expression = expand(goal.expression, log=False, power_exp=False, power_base=False, mul=True)
    logarithms = [e for e in expression.atoms(sp.log) if e.args[0].free_symbols]
    if len(logarithms) not in (1, 2) or expression.count_ops() > _LARGEST // 2:
        return
    combination = linear(expression, logarithms)
    if combination is None:
        return
    weights, rest = {e: sp.factor_terms(w) for e, w in combination[0].items()}, combination[1]
    weight = weights[logarithms[0]]
    if not weight.free_symbols or weight.has(sp.log):
        return
    ratios = {e: sp.cancel(w / weight) for e, w in weights.items()}
    orientation = goal.sign_of(weight)
    if not all(r.is_Rational for r in ratios.values()) or orientation not in (Sign.POSITIVE, Sign.NEGATIVE):
        return
    form = sp.Add(*(r * e for e, r in ratios.items())) + sp.cancel(rest / weight)
    if goal.same(form * weight, goal.expression):
        side = 1 if orientation is Sign.POSITIVE else -1
        yield side * form, ("multiple", side * weight)


def _logarithm_undone(goal: Goal) -> Iterator[tuple[sp.Expr, Way]]:
    """From w log(A) + c >= 0 to A - exp(-c/w) >= 0 for w > 0, and the reverse for w < 0."""
    first = _without(goal.expression, goal) or _Cleared(goal.expression, _ONE)
    expression = expand(first.kept, log=False, power_exp=False, power_base=False, mul=True)
    logarithms = [e for e in expression.atoms(sp.log) if not e.args[0].is_Number]
    for logarithm in logarithms[:3]:
        combination = linear(expression, (logarithm,))
        if combination is None:
            continue
        weight, rest = combination[0][logarithm], combination[1]
        orientation = goal.sign_of(weight)
        if orientation not in (Sign.POSITIVE, Sign.NEGATIVE):
            continue
        other = sp.exp(expand(sp.cancel(-rest / weight))) if not rest.has(sp.log) else sp.exp(-rest / weight)
        if not goal.same(other, sp.exp(-rest / weight)):
            continue
        side = sp.Integer(1 if orientation is Sign.POSITIVE else -1)
        form = side * (logarithm.args[0] - other)
        outside = side * weight * first.dropped
        yield form, ("logarithm undone", logarithm, other, side, _ONE, outside)
        if (shorter := _without(form, goal)) is not None:
            yield shorter.kept, ("logarithm undone", logarithm, other, side, shorter.dropped, outside)


def _logarithm_taken(goal: Goal) -> Iterator[tuple[sp.Expr, Way]]:
    """log(A) - log(B) for a goal A - B >= 0, where both are positive: the sides as written, or its positive terms."""
    relation = goal.question.relation
    above = relation if relation.op.startswith(">") else relation.swapped
    if above.lhs - above.rhs == goal.expression and _ZERO not in (above.lhs, above.rhs):
        for form in compared_by_logarithms(above.lhs, above.rhs, goal):
            yield form, ("logarithms", above.lhs, above.rhs, _ONE)
    shorter = _without(goal.expression, goal)
    if shorter is None or not isinstance(shorter.kept, sp.Add) or len(shorter.kept.args) > _MOST_TERMS:
        return
    known = {term: goal.sign_of(term) for term in shorter.kept.args}
    if set(known.values()) == {Sign.POSITIVE, Sign.NEGATIVE}:
        parts = [sp.Add(*(t for t, s in known.items() if s is wanted)) for wanted in (Sign.POSITIVE, Sign.NEGATIVE)]
        for form in compared_by_logarithms(parts[0], -parts[1], goal):
            yield form, ("logarithms", parts[0], -parts[1], shorter.dropped)


def compared_by_logarithms(larger: sp.Expr, smaller: sp.Expr, goal: Goal) -> Iterator[sp.Expr]:
    """The difference of the logarithms of two sides that are positive."""
    outside = [side.replace(sp.exp, lambda _: sp.Integer(1)) for side in (larger, smaller)]
    if any(side.has(sp.log) for side in outside):  # no logarithms of logarithms
        return
    if all(goal.sign_of(side) is Sign.POSITIVE for side in (larger, smaller)):
        yield logarithm(larger, goal) - logarithm(smaller, goal)


def logarithm(positive: sp.Expr, goal: Goal) -> sp.Expr:
    """The logarithm of an expression that is positive, of a product factor by factor."""
    if isinstance(positive, sp.exp):
        return positive.args[0]
    if isinstance(positive, sp.Pow) and goal.sign_of(positive.base) is Sign.POSITIVE:
        return positive.exp * logarithm(positive.base, goal)
    if isinstance(positive, sp.Mul) and all(goal.sign_of(f) is Sign.POSITIVE for f in positive.args):
        return sp.Add(*(logarithm(f, goal) for f in positive.args))
    return sp.log(positive)


def _in_exponentials(goal: Goal) -> Iterator[tuple[sp.Expr, Way]]:
    """Hyperbolic functions by exponentials, expanded; then divided by each exponential, so that terms lose them."""
    expression = goal.expression
    if not expression.has(sp.exp, *_HYPERBOLIC) or expression.has(sp.log):
        return
    written = sp.together(expression.rewrite(list(_HYPERBOLIC), sp.exp))
    if not goal.same(written, expression):
        return
    form = _without(written, goal)
    if form is None:
        return
    expanded = expand(form.kept)
    if not goal.same(expanded, form.kept):
        return
    yield expanded, ("multiple", form.dropped)
    for factor in sorted(exponentials(expanded), key=sp.default_sort_key)[:4]:
        quotient = sp.Add(*(sp.powsimp(term / factor, combine="exp") for term in sp.Add.make_args(expanded)))
        if goal.same(quotient * factor, expanded):
            yield quotient, ("multiple", form.dropped * factor)


def exponentials(expanded: sp.Expr) -> set[sp.Expr]:
    """Those that are factors of its terms, one of each term."""
    found = set()
    for term in sp.Add.make_args(expanded):
        exponentials = [f for f in sp.Mul.make_args(term) if isinstance(f, sp.exp)]
        if exponentials:
            found.add(sp.Mul(*exponentials))
    return found


def sample(question: Question, symbols: set[sp.Symbol], most: int = 24) -> list[Point]:
    """Exact points of the domain at which to try a sign."""
    return list(_points(question.domain, frozenset(symbols), most, question.seed))


@lru_cache(maxsize=256)
def _points(domain: Domain, symbols: frozenset[sp.Symbol], most: int, seed: int) -> tuple[Point, ...]:
    return tuple(domain.points(symbols, most=most, seed=seed))


def signs_at(expression: sp.Expr, points: list[Point]) -> set[int]:
    """The signs that the expression is seen to have; what cannot be told there is left out.  Never a proof."""
    found: set[int] = set()
    for point in points:
        value = value_at(expression, point)
        if value is not None and value > 0:
            found.add(1)
        elif value is not None and value < 0:
            found.add(-1)
    return found


def value_at(expression: sp.Expr, point: Point) -> arb | None:
    """An enclosure of the value; None where there is none within reach."""
    try:
        tape = compiled((expression,), tuple(point))
        with ctx.workprec(_BITS):
            (value,) = tape.thin([arb(fmpq(int(v.p), int(v.q))) for v in point.values()])
    except NotNumeric:
        return None
    return value if value.is_finite() else None
