"""Lines that give integrals, sums, extrema and derivatives their values.

A value may be found by anyone: an antiderivative by SymPy, a bound by the strategies.  The checker is told what it is,
and takes derivatives, differences and limits by itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

import sympy as sp
from flint import fmpq

from dpsym.core.deadline import timed
from dpsym.core.expanding import expand
from dpsym.core.notation import Maximum, Minimum, derivative, trade_off
from dpsym.core.relations import IsInteger, Operator, Proposition, Relation, substitute
from dpsym.deciding.calculus import integrals, sums
from dpsym.deciding.calculus.breakpoints import _breakpoints, in_order, smooth_between
from dpsym.deciding.calculus.heads import between, smooth
from dpsym.deciding.calculus.stationary import zeros
from dpsym.deciding.domain import Domain
from dpsym.deciding.strategies.strategy import Question
from dpsym.deciding.terms.builder import Builder, Lacking
from dpsym.verifying import Rejected
from dpsym.verifying.proofs.binders import bound
from dpsym.verifying.proofs.expressions import Expression, Statement, replaced, substituted, written
from dpsym.verifying.proofs.expressions import derivative as slope_of
from dpsym.verifying.proofs.lemmas import lemma
from dpsym.verifying.proofs.limits import Limit

_ZERO, _ONE = fmpq(0), fmpq(1)
_SECONDS = 20.0  # for what the strategies are asked about one integral
_MOST_PROPOSALS = 4  # of antiderivatives of one term


def value_of(builder: Builder, context: int, head: Expression) -> Expression | None:
    """The value of a head, which it has by the last of the lines that were added; None where none were found."""
    try:
        e = builder.translator.sympy(head)
        if isinstance(e, sp.Integral):
            return _integral(builder, context, e, head)
        if isinstance(e, sp.Sum):
            return _sum(builder, context, e, head)
        if isinstance(e, derivative):
            return _derivative(builder, context, e, head)
        if isinstance(e, Maximum | Minimum):
            return _extremum(builder, context, e, head)
    except (Lacking, Rejected, KeyError):
        pass
    return None


def _renamed(builder: Builder, head: Expression, variable: sp.Symbol, body: sp.Expr) -> (
    tuple[Expression, sp.Symbol, sp.Expr]
):  # fmt: skip
    """The same head with a name for what is bound that nothing else has; the symbol of it, and the function."""
    x = sp.Dummy(variable.name)
    name = builder.translator.name(x)
    return (head[0], substituted(head[1], {head[2]: name}), name, *head[3:]), x, substitute(body, {variable: x})


def _question(assume: tuple[Proposition, ...]) -> Question:
    return Question(Relation(sp.Integer(0), "=", sp.Integer(0)), Domain(assume))


def _conclude(
    builder: Builder, context: int, head: Expression, difference: Expression, rule: str, *arguments: object
) -> Expression:
    """The line that gives the value, in its shortest form for which lines are found."""
    builder.define(context, difference)
    plain = builder.translator.sympy(difference)
    for value in (sp.factor_terms(expand(plain)), plain):
        s = Statement(builder.translator.expression(value), "=", difference)
        try:
            builder.define(context, s.left)
            builder.prove(context, s)
        except Lacking:
            continue
        builder.give(context, Statement(head, "=", s.left), rule, *arguments)
        return s.left
    builder.give(context, Statement(head, "=", difference), rule, *arguments)
    return difference


# --- integrals


def _integral(builder: Builder, context: int, e: sp.Integral, head: Expression) -> Expression:
    variable, low, high = e.limits[0]
    head, x, body = _renamed(builder, head, variable, e.function)
    assume = builder.domains[context].assume
    if not body.has(sp.Abs, sp.Max, sp.Min):
        return _of_piece(builder, context, head, body, x, low, high)
    question = _question(assume)
    with timed(_SECONDS):
        found = in_order(body, x, low, high, question)
    if found is None:
        raise Lacking("the order of breakpoints")
    values = []
    ends = [low, *found[0], high]
    for start, end in pairwise(ends):
        with timed(_SECONDS):
            piece = smooth_between(body, x, between(x, start, end), question)
        if piece is None:
            raise Lacking("a piece")
        here, there = (
            ("Integral", f, head[2], *(builder.translator.end(one) for one in (start, end)))
            for f in (head[1], builder.translator.expression(piece[0]))
        )
        smooth_value = _of_piece(builder, context, there, piece[0], x, start, end)
        inside = _inside(builder, context, x, start, end)
        values.append((here, _same(builder, context, here, there, smooth_value, inside)))
    total, value = values[-1]
    for (piece_before, value_before), start in zip(values[-2::-1], ends[-3::-1], strict=True):
        for bound_of in (start, ends[ends.index(start) + 1]):
            _ordered(builder, context, bound_of, high)
            _ordered(builder, context, start, bound_of)
        whole = (*head[:3], *(builder.translator.end(one) for one in (start, high)))
        numbers = [builder.give(context, Statement(whole, "=", ("+", piece_before, total)), "pieces")]
        numbers += [
            builder.number(context, Statement(p, "=", v)) for p, v in ((piece_before, value_before), (total, value))
        ]
        added = builder.translator.expression(builder.translator.sympy(("+", value_before, value)))
        builder.define(context, added)
        s = Statement(whole, "=", added)
        parts = Statement(("+", value_before, value), "=", added)
        builder.prove(context, parts)
        numbers.append(builder.number(context, parts))
        builder.line(context, s, "sum", [], [["zero", "1", n] for n in numbers])
        total, value = whole, added
    return value


def _same(
    builder: Builder, context: int, here: Expression, there: Expression, value: Expression, inside: int
) -> Expression:
    """Lines that the one integral has the value of the other, whose function is the same inside."""
    if here == there:
        return value
    same = Statement(here[1], "=", there[1])
    builder.define(inside, same.left, same.right)
    builder.prove(inside, same)
    numbers = [
        builder.number(context, Statement(there, "=", value)),
        builder.give(context, Statement(here, "=", there), "same", inside),
    ]
    builder.line(context, Statement(here, "=", value), "sum", [], [["zero", "1", n] for n in numbers])
    return value


def _as_exponential(body: sp.Expr, x: sp.Symbol, domain: Domain) -> sp.Expr | None:
    """A product of powers of exponentials as one exponential of a polynomial, times what is free of the variable."""
    table = {
        s: sp.Dummy(s.name, positive=True)
        for s in body.free_symbols - {x}
        if (low := domain.of(s)).lower is not None and (low.lower > 0 or (low.lower == 0 and low.lower_open))
    }
    table[x] = sp.Dummy(x.name, real=True)
    table |= {s: sp.Dummy(s.name, real=True) for s in body.free_symbols - table.keys()}
    back = {dummy: s for s, dummy in table.items()}
    exponent = expand(sp.expand_log(sp.log(body.xreplace(table)), force=True))
    moving, fixed = sp.Add(), sp.Add()
    for term in sp.Add.make_args(exponent):
        if term.has(table[x]):
            moving += term
        else:
            fixed += term
    if not moving.is_polynomial(table[x]):
        return None
    rest = sp.simplify(sp.exp(fixed)).xreplace(back)
    return sp.Mul(rest, sp.exp(sp.collect(moving, table[x]).xreplace(back)))


def _ordered(builder: Builder, context: int, low: sp.Expr, high: sp.Expr) -> None:
    if low != high and not {low, high} & {sp.oo, -sp.oo}:
        ends = [builder.translator.expression(end) for end in (low, high)]
        builder.define(context, *ends)
        builder.prove(context, Statement(ends[0], "<=", ends[1]))


def _inside(builder: Builder, context: int, x: sp.Symbol, low: sp.Expr, high: sp.Expr) -> int:
    assume = builder.domains[context].assume
    return builder.context(None, (*assume, *between(x, low, high)))


def _of_piece(
    builder: Builder, context: int, head: Expression, body: sp.Expr, x: sp.Symbol, low: sp.Expr, high: sp.Expr
) -> Expression:
    """As it is, or with one exponential for products of powers of some."""
    try:
        return _smooth_integral(builder, context, head, body, x, low, high)
    except Lacking:
        plainer = _as_exponential(body, x, builder.domains[context])
        if plainer is None or plainer == body:
            raise
    there = (head[0], builder.translator.expression(plainer), *head[2:])
    value = _smooth_integral(builder, context, there, plainer, x, low, high)
    return _same(builder, context, head, there, value, _inside(builder, context, x, low, high))


def _smooth_integral(
    builder: Builder, context: int, head: Expression, body: sp.Expr, x: sp.Symbol, low: sp.Expr, high: sp.Expr
) -> Expression:
    translator = builder.translator
    b = bound(head, "Integral")
    _ordered(builder, context, low, high)
    for end in (b.low, b.high):
        if not isinstance(end, float):
            builder.define(context, end)
    if not isinstance(b.low, float) and not isinstance(b.high, float):
        builder.tries(context, Statement(b.low, "<", b.high))
    inside = _inside(builder, context, x, low, high)
    builder.define(inside, b.body)
    whole: sp.Expr = sp.Integer(0)
    for term in sp.Add.make_args(expand(body, power_base=False, power_exp=False)):
        weight, rest = term.as_independent(x, as_Add=False)
        whole += weight * _antiderivative(builder, inside, rest, x)
    why = ""
    for shape in (whole, sp.factor_terms(whole)):
        f = translator.expression(shape)
        try:
            slope = slope_of(f, b.name)
            builder.define(inside, f, slope)
            builder.prove(inside, Statement(slope, "=", b.body))
            there = [_towards(builder, context, inside, f, b.name, end) for end in (b.high, b.low)]
        except (Lacking, Rejected) as error:
            why = str(error)
            continue
        return _conclude(builder, context, head, ("-", *there), "integral", written(f), inside)
    raise Lacking(why)


def _antiderivative(builder: Builder, inside: int, body: sp.Expr, x: sp.Symbol) -> sp.Expr:
    """An expression of which lines say that its derivative is the body."""
    for number, proposal in enumerate(integrals._proposals(body, x)):
        if number >= _MOST_PROPOSALS:
            break
        if not smooth(proposal) or proposal.has(sp.I):
            continue
        f = builder.translator.expression(proposal)
        try:
            slope = slope_of(f, builder.translator.name(x))
            builder.define(inside, f, slope)
            builder.prove(inside, Statement(slope, "=", builder.translator.expression(body)))
        except (Lacking, Rejected):
            continue
        return proposal
    raise Lacking("an antiderivative")


def _towards(builder: Builder, context: int, inside: int, e: Expression, x: str, end: Limit) -> Expression:
    """The value at an end, or the limit where that is a number."""
    found = builder.limit(context, inside, e, x, end)
    if isinstance(found, float):
        raise Lacking("an infinite limit")
    builder.define(context, found)
    return found


# --- sums


def _sum(builder: Builder, context: int, e: sp.Sum, head: Expression) -> Expression:
    variable, low, high = e.limits[0]
    head, k, body = _renamed(builder, head, variable, e.function)
    translator = builder.translator
    b = bound(head, "Sum")
    for end in (b.low, b.high):
        if not isinstance(end, float):
            builder.define(context, end)
            builder.prove(context, Statement(end, "in", "Z"))
    if not isinstance(b.high, float):
        builder.prove(context, Statement(b.low, "<=", ("+", b.high, _ONE)))
    assume = (*builder.domains[context].assume, IsInteger(k), *between(k, low, high, closed=True))
    inside = builder.context(None, assume)
    builder.define(inside, b.body)
    whole: sp.Expr = sp.Integer(0)
    for term in sp.Add.make_args(sums._expanded(body)):
        weight, rest = term.as_independent(k, as_Add=False)
        whole += weight * _antidifference(builder, inside, rest, k)
    f = translator.expression(whole)
    after = substituted(f, {b.name: ("+", b.name, _ONE)})
    builder.define(inside, f, after)
    builder.prove(inside, Statement(("-", after, f), "=", b.body))
    start = substituted(f, {b.name: b.low})
    if isinstance(b.high, float):
        end_value = _towards(builder, context, inside, f, b.name, math.inf)
    else:
        end_value = substituted(f, {b.name: ("+", b.high, _ONE)})
    return _conclude(builder, context, head, ("-", end_value, start), "telescoping", written(f), inside)


def _antidifference(builder: Builder, inside: int, body: sp.Expr, k: sp.Symbol) -> sp.Expr:
    for proposal in sums._proposals(body, k):
        f = builder.translator.expression(proposal)
        after = substituted(f, {builder.translator.name(k): ("+", builder.translator.name(k), _ONE)})
        try:
            builder.define(inside, f, after)
            builder.prove(inside, Statement(("-", after, f), "=", builder.translator.expression(body)))
        except (Lacking, Rejected):
            continue
        return proposal
    raise Lacking("an antidifference")


# --- derivatives, extrema


def _derivative(builder: Builder, context: int, e: sp.Basic, head: Expression) -> Expression:
    function, _, point = e.args
    head, x, _ = _renamed(builder, head, function.variables[0], function.expr)
    b = bound(head, "Derivative")
    assume = builder.domains[context].assume
    around = [substitute_in(c, point, x) for c in assume if isinstance(c, Relation) and point in (c.lhs, c.rhs)]
    inside = builder.context(None, (*assume, *(c for c in around if c is not None)))
    slope = slope_of(b.body, b.name)
    builder.define(inside, b.body, slope)
    there = substituted(slope, {b.name: b.low})
    return _conclude(builder, context, head, there, "derivative", inside)


def substitute_in(c: Relation, point: sp.Expr, x: sp.Symbol) -> Relation | None:
    """A strict bound on the point as one on what stands near it."""
    other = c.rhs if c.lhs == point else c.lhs
    if c.op not in ("<", ">") or other.has(point):
        return None
    return Relation(x, c.op, other) if c.lhs == point else Relation(other, c.op, x)


def _range(builder: Builder, context: int, e: sp.Basic, head: Expression) -> tuple[sp.Symbol, sp.Expr, Expression, int]:
    """A fresh variable, the function of it, the head with it, and a context for all points of the range."""
    function, interval = e.args
    head, x, body = _renamed(builder, head, function.variables[0], function.expr)
    above: Operator = ">" if interval.left_open else ">="
    below: Operator = "<" if interval.right_open else "<="
    bounds = [Relation(x, above, interval.start)] if interval.start is not -sp.oo else []
    bounds += [Relation(x, below, interval.end)] if interval.end is not sp.oo else []
    return x, body, head, builder.context(None, (*builder.domains[context].assume, *bounds))


def _points(builder: Builder, context: int, e: sp.Basic, body: sp.Expr, x: sp.Symbol) -> Iterator[Expression]:
    """Points of the range, as far as that was shown; the most promising first."""
    interval = e.args[1]
    try:
        stationary = list(zeros(sp.diff(body, x), x))
    except (TypeError, ValueError, NotImplementedError):
        stationary = []
    ends = [end for end, is_open in zip(interval.args[:2], interval.args[2:], strict=True) if not is_open]
    middle = [(interval.start + interval.end) / 2] if not {interval.start, interval.end} & {sp.oo, -sp.oo} else []
    for point in dict.fromkeys(
        (*stationary, *_breakpoints(body, x), *ends, *middle, sp.Integer(0), sp.Integer(1), sp.Integer(2))
    ):
        place = builder.translator.expression(point)
        above, below = (">" if interval.left_open else ">="), ("<" if interval.right_open else "<=")
        wanted = ((op, end) for op, end in ((above, interval.start), (below, interval.end)) if not end.is_infinite)
        if all(builder.tries(context, Statement(place, op, builder.translator.expression(end))) for op, end in wanted):
            yield place


def bounded(builder: Builder, context: int, s: Statement) -> bool:
    """Whether lines were found for a bound on all values of a function, and so on its supremum or infimum."""
    e = builder.translator.sympy(s.left)
    x, body, head, inside = _range(builder, context, e, s.left)
    builder.define(context, s.right)
    within = Statement(head[1], s.op, s.right)
    builder.define(inside, within.left, within.right)
    if not builder.known(inside, within):
        builder.at_length(inside, within)
    for end in bound(head, head[0]).ends.values():
        if not isinstance(end, float):
            builder.define(context, end)
    interval = e.args[1]
    _ordered(builder, context, interval.start, interval.end)
    point = next(_points(builder, context, e, body, x), None)
    if point is None:
        return False
    builder.give(context, Statement(head, s.op, s.right), "bounded", inside, written(point))
    return builder.known(context, s)


def _extremum(builder: Builder, context: int, e: sp.Basic, head: Expression) -> Expression:
    """Bounded by its value at a point of the range; or known to be a divergence."""
    x, body, head, inside = _range(builder, context, e, head)
    if (profile := _as_profile(builder, context, e, head, x, body, inside)) is not None:
        return profile
    op, other = ("<=", ">=") if isinstance(e, Maximum) else (">=", "<=")
    for place in _points(builder, context, e, body, x):
        value = substituted(head[1], {head[2]: place})
        try:
            builder.define(context, value)
            if not bounded(builder, context, Statement(head, op, value)):
                continue
            builder.line(context, Statement(head, other, value), "reached", written(place))
            builder.lemma(context, Statement(head, "=", value), "equal", x=head, y=value)
        except (Lacking, Rejected):
            continue
        return value
    raise Lacking("where it is attained")


def _as_profile(
    builder: Builder, context: int, e: sp.Basic, head: Expression, x: sp.Symbol, body: sp.Expr, inside: int
) -> Expression | None:
    """The hockey-stick divergence that the largest 1 - gamma a - T(a) is."""
    for curve in body.atoms(trade_off) if isinstance(e, Maximum) else ():
        gamma = expand((1 - body - curve) / x)
        if curve.args[0] == x and not gamma.has(x):
            first, second = (builder.translator.expression(law) for law in (curve.args[2], curve.args[1]))
            profile = ("hockey_stick", builder.translator.expression(gamma), first, second)
            builder.define(context, profile)
            laws = {"P": first, "Q": second, "a": profile[1]}
            builder.define(context, *laws.values())
            largest = lemma("hockey_largest")
            for premise in largest.premises:
                builder.prove(context, replaced(premise, laws))
            s = replaced(largest.conclusion, laws)
            number = builder.fact(context, s, "hockey_largest", laws)
            builder.define(inside, head[1])
            same = builder.give(context, Statement(head, "=", s.right), "same", inside)
            builder.line(
                context, Statement(head, "=", profile), "sum", [], [["zero", "1", same], ["zero", "-1", number]]
            )
            return profile
    return None
