"""Branch and bound with `mpmath.iv`, as a baseline: natural extension on boxes, counterexamples at their middles."""

import time

import sympy as sp
from mpmath import iv, mpf

from dpsym.core.relations import Relation


class Unreadable(ValueError):
    """Something that `mpmath.iv` has no notion of."""


def value(e, box):
    """The interval of an expression on a box."""
    if isinstance(e, sp.Rational):
        return iv.mpf(int(e.p)) / int(e.q)
    if isinstance(e, sp.Symbol):
        return box[e]
    if e is sp.pi:
        return +iv.pi
    if e is sp.E:
        return +iv.e
    if isinstance(e, sp.Add | sp.Mul):
        first, *rest = (value(a, box) for a in e.args)
        for x in rest:
            first = first + x if isinstance(e, sp.Add) else first * x
        return first
    if isinstance(e, sp.exp):
        return iv.exp(value(e.args[0], box))
    if isinstance(e, sp.log):
        return iv.log(value(e.args[0], box))
    if isinstance(e, sp.Pow):
        if isinstance(e.exp, sp.Integer):
            return value(e.base, box) ** int(e.exp)
        if e.exp == sp.Rational(1, 2):
            return iv.sqrt(value(e.base, box))
        return iv.exp(value(e.exp, box) * iv.log(value(e.base, box)))
    if isinstance(e, sp.sinh | sp.cosh | sp.tanh):
        return value(e.rewrite(sp.exp), box)
    if isinstance(e, sp.Abs):
        return abs(value(e.args[0], box))
    raise Unreadable(type(e).__name__)


def told(relation, box):
    """Whether it holds on the whole box (True), nowhere on it (False), or neither is known."""
    a, b = value(relation.lhs, box), value(relation.rhs, box)
    less, more = (a.b < b.a, a.a > b.b), (a.b <= b.a, a.a >= b.b)
    match relation.op:
        case "<":
            return True if less[0] else False if more[1] else None
        case "<=":
            return True if more[0] else False if less[1] else None
        case ">":
            return True if less[1] else False if more[0] else None
        case ">=":
            return True if more[1] else False if less[0] else None
        case "=":
            return False if any(less) else (True if a.a == a.b == b.a == b.b else None)
    return True if any(less) else None


def decide(relation, domain, seconds, extra=()):
    """True, False or None (the time was over)."""
    until = time.monotonic() + seconds
    claims = (relation, *extra)
    symbols = sorted(relation.free_symbols | set(domain.bounds), key=lambda s: s.name)
    coupled = list(domain.coupled)
    if not all(isinstance(c, Relation) for c in coupled):
        raise Unreadable("a condition that is no relation")
    whole = {}
    for s in symbols:
        b = domain.of(s)
        low = -iv.inf if b.lower is None else iv.mpf(int(b.lower.p)) / int(b.lower.q)
        high = iv.inf if b.upper is None else iv.mpf(int(b.upper.p)) / int(b.upper.q)
        whole[s] = iv.mpf([low.a if hasattr(low, "a") else low, high.b if hasattr(high, "b") else high])
    value(relation.lhs - relation.rhs, dict.fromkeys(symbols, iv.mpf(2)))  # unreadable?
    boxes = [whole]
    while boxes:
        if time.monotonic() > until:
            return None
        box = boxes.pop()
        try:
            if any(told(c, box) is False for c in coupled) or all(told(c, box) is True for c in claims):
                continue
        except (ArithmeticError, ValueError, TypeError):
            pass
        point = {s: middle(x, s in domain.integers) for s, x in box.items()}
        try:
            inside = all(_inside(point[s], domain.of(s), s in domain.integers) for s in symbols)
            if inside and all(told(c, point) is True for c in coupled) and any(told(c, point) is False for c in claims):
                return False
        except (ArithmeticError, ValueError, TypeError):
            pass
        widest = max(symbols, key=lambda s: float(box[s].delta.b), default=None)
        if widest is None or box[widest].delta.b == 0:
            return None
        cut = middle(box[widest], False)
        halves = [box[widest].a, cut], [cut, box[widest].b]
        boxes.extend({**box, widest: iv.mpf(half)} for half in halves)
    return True


def middle(x, integral):
    """A number inside: the middle, or twice as far out on an unbounded side."""
    a, b = mpf(x.a), mpf(x.b)
    if a == -iv.inf and b == iv.inf:
        m = mpf(0)
    elif b == iv.inf:
        m = 2 * a + 1 if a > 0 else a + 1
    elif a == -iv.inf:
        m = 2 * b - 1 if b < 0 else b - 1
    else:
        m = (a + b) / 2
    return iv.mpf(round(m) if integral else m)


def _inside(x, bounds, integral):
    m = mpf(x.a)
    if integral and m != int(m):
        return False
    low = bounds.lower is None or m > mpf(int(bounds.lower.p)) / int(bounds.lower.q)
    high = bounds.upper is None or m < mpf(int(bounds.upper.p)) / int(bounds.upper.q)
    return low and high
