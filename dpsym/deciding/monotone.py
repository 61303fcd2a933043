"""Inequalities by the mean value theorem: f >= 0 where f is at an end, if it only moves away from 0 from there.

A function that is continuous on an interval and differentiable inside, with f' >= 0 there, is least at the lower
end.  The interval is a variable's range, or its part on one side of a point at which the claim is an equality.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp
from flint import arb, ctx, fmpq

from dpsym.deciding import obligations as duties
from dpsym.deciding.domain import Domain, EmptyDomain
from dpsym.deciding.exact import Sign, sign, vanishes
from dpsym.deciding.rungs import Question, Yes, weakest
from dpsym.enclosing import NotNumeric, Undefined, Unresolved, compiled
from dpsym.notation import Phi, Phi_inv, phi
from dpsym.relations import Proposition, Relation, substitute
from dpsym.spelling import plain
from dpsym.verdicts import Method, Verdict

_ZERO = sp.Integer(0)
_SMOOTH = (
    sp.Add, sp.Mul, sp.Pow, sp.exp, sp.log, sp.sinh, sp.cosh, sp.tanh, sp.coth, sp.asinh, sp.atan, sp.sin, sp.cos,
    sp.erf, sp.erfc, Phi, phi, Phi_inv, sp.Symbol, sp.Number, sp.NumberSymbol,
)  # fmt: skip
_GROWING = (sp.exp, sp.cosh, sp.sinh, sp.Pow)  # of which logarithms are simpler
_LARGEST = 120  # operations of a function that is differentiated
_SAMPLES = 12
_CENTRES = tuple(sp.Rational(n, d) for n, d in ((0, 1), (1, 1), (-1, 1), (1, 2), (2, 1)))


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the domain, and the value of the variable from which the function moves away."""

    assume: tuple[Proposition, ...]
    start: sp.Expr
    rising: bool  # the variable runs upward from the start
    excluded: bool  # the start itself is not in the part


def prove(question: Question) -> Yes | None:
    """`A >= B` or `A > B` by the sign of a derivative of A - B, or of log A - log B."""
    relation = question.relation
    if relation.op in ("=", "!=") or question.domain.integers & relation.free_symbols == relation.free_symbols:
        return None
    above, below = (relation.lhs, relation.rhs) if relation.op[0] == ">" else (relation.rhs, relation.lhs)
    strict = relation.op in ("<", ">")
    for function in _forms(above, below, question.domain):
        key = (function, strict, question.domain.assume)
        if key in question.tried:
            continue
        question.tried.add(key)
        if not _is_smooth(function):
            continue
        for symbol in sorted(function.free_symbols - question.domain.integers, key=lambda s: s.name):
            found = _along(symbol, function, strict, question)
            if found is not None:
                return found
    return None


def _forms(above: sp.Expr, below: sp.Expr, domain: Domain) -> Iterator[sp.Expr]:
    """Functions that are non-negative exactly where `above >= below`."""
    difference = above - below
    reduced = _without_known_factors(difference, domain)
    yield reduced
    sides = (above, below)
    if _ZERO not in sides and above.has(*_GROWING) and all(sign(side, domain) is Sign.POSITIVE for side in sides):
        yield _log(above) - _log(below)
    if reduced != difference:
        yield difference


def _log(e: sp.Expr) -> sp.Expr:
    """The logarithm of a positive product of positive factors, exponentials undone."""
    if isinstance(e, sp.exp):
        return e.args[0]
    return sp.log(e)


def _without_known_factors(e: sp.Expr, domain: Domain) -> sp.Expr:
    """The expression without factors and denominators that are positive on the domain."""
    if sp.count_ops(e) > _LARGEST:
        return e
    factored = sp.factor(sp.together(e))
    if not vanishes(factored - e, domain):
        return e
    kept: list[sp.Expr] = []
    for factor in sp.Mul.make_args(factored):
        known = sign(factor, domain)
        if known is Sign.POSITIVE:
            continue
        kept.append(sp.Integer(-1) if known is Sign.NEGATIVE else factor)
    return sp.Mul(*kept)


def _is_smooth(e: sp.Expr) -> bool:
    return sp.count_ops(e) <= _LARGEST and all(isinstance(part, _SMOOTH) for part in sp.preorder_traversal(e))


def _along(symbol: sp.Symbol, function: sp.Expr, strict: bool, question: Question) -> Yes | None:
    domain = question.domain
    if any(symbol in c.free_symbols for c in domain.coupled):
        return None
    slope = sp.diff(function, symbol)
    if slope == 0:
        return None
    for parts in _divisions(symbol, function, slope, domain):
        answers: list[Yes] = []
        for part in parts:
            found = _from_start(symbol, function, slope, part, strict, question)
            if found is None:
                break
            answers.append(found)
        else:
            return weakest(answers)
    return None


def _divisions(symbol: sp.Symbol, function: sp.Expr, slope: sp.Expr, domain: Domain) -> Iterator[tuple[_Part, ...]]:
    """The ways to cut the variable's range into parts, each with a start, that the slope's signs allow."""
    bounds = domain.of(symbol)
    if bounds.lower is not None and _never(slope, domain, negative=True):
        yield (_Part(domain.assume, bounds.lower, True, bounds.lower_open),)
    if bounds.upper is not None and _never(slope, domain, negative=False):
        yield (_Part(domain.assume, bounds.upper, False, bounds.upper_open),)
    others = tuple(c for c in domain.assume if symbol not in c.free_symbols)
    for centre in (*_CENTRES, *sorted(function.free_symbols - {symbol}, key=lambda s: s.name)):
        if isinstance(centre, sp.Rational):
            if centre not in bounds or centre in (bounds.lower, bounds.upper):
                continue
        elif domain.of(centre) != bounds:
            continue
        try:
            value = substitute(function, {symbol: centre})
        except (ArithmeticError, ValueError):
            continue
        if value.has(sp.nan, sp.zoo, sp.oo) or not vanishes(value, _domain(others)):
            continue
        above = (*domain.assume, Relation(symbol, ">=", centre))
        below = (*domain.assume, Relation(symbol, "<=", centre))
        if _never(slope, _domain(above), negative=True) and _never(slope, _domain(below), negative=False):
            yield (_Part(above, centre, True, False), _Part(below, centre, False, False))


def _domain(assume: tuple[Proposition, ...]) -> Domain:
    return Domain(assume)


def _never(slope: sp.Expr, domain: Domain, *, negative: bool) -> bool:
    """Whether no sample point shows the slope to have this sign: worth an attempt."""
    try:
        tape = compiled((slope,), tuple(sorted(slope.free_symbols, key=lambda s: s.name)))
    except NotNumeric:
        return False
    symbols = sorted(slope.free_symbols, key=lambda s: s.name)
    with ctx.workprec(96):
        for point in domain.points(symbols, most=_SAMPLES):
            try:
                (value,) = tape([arb(fmpq(int(point[s].p), int(point[s].q))) for s in symbols])
            except (Undefined, Unresolved):
                continue
            if value < 0 if negative else value > 0:
                return False
    return True


def _from_start(
    symbol: sp.Symbol, function: sp.Expr, slope: sp.Expr, part: _Part, strict: bool, question: Question
) -> Yes | None:
    """f >= 0 on the part: it is at the start, and from there it does not fall."""
    others = tuple(c for c in part.assume if symbol not in c.free_symbols)
    for duty in duties.of_expression(function):  # at the start itself: SymPy would put 0 for 1/log(0)
        if symbol in duty.free_symbols and question.ask(duty.subs({symbol: part.start}), others, share=0.2) is None:
            return None
    try:
        at_start = substitute(function, {symbol: part.start})
        if at_start.has(sp.nan, sp.zoo, sp.oo):
            return None
        inside = (*part.assume, Relation(symbol, ">" if part.rising else "<", part.start))
        Domain(inside)
    except (EmptyDomain, ArithmeticError, ValueError):
        return None
    moves = _without_known_factors(slope, Domain(inside))
    op = (">" if part.rising else "<") if strict else (">=" if part.rising else "<=")
    beginning = None
    if strict:  # either it starts above 0, or it starts at 0, outside the part, and leaves it at once
        beginning = question.ask(Relation(at_start, ">", _ZERO), others, share=0.3)
        if beginning is not None:
            op += "="
        elif not part.excluded:
            return None
    if beginning is None:
        beginning = question.ask(Relation(at_start, ">=", _ZERO), others, share=0.3)
    if beginning is None:
        return None
    moving = question.ask(Relation(moves, op, _ZERO), inside, share=0.5)  # type: ignore[arg-type]
    if moving is None:
        return None
    direction = "does not fall" if part.rising else "does not fall downwards"
    what = "above" if strict and not part.excluded else "at least"
    why = f"it is {what} 0 at {symbol} = {plain(part.start)} and {direction} from there: {plain(function)}"
    return weakest([Yes(Verdict.PROVED, Method.LEMMA, why), beginning, moving])
