"""Integrals, sums, suprema, infima and derivatives: how they get a value, and how they compare.

`Integral(f, x, a, b)` is an improper Riemann integral, from a to b with a <= b: finitely many points may be ends of
pieces.  `Sum(f, k, a, b)` has integer ends with a <= b + 1, or b = oo.  `Maximum(f, x, A, B)` is a supremum, and
`Minimum` an infimum, over an interval that is not empty, with ends `closed(a)` or `open(a)`.  `Derivative(f, x, p)` is
f'(p).
Each function here is a rule of docs/certificates.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from flint import fmpq

from dpsym.verifying import Rejected
from dpsym.verifying.proofs.expressions import (
    ZERO,
    Expression,
    Statement,
    derivative,
    is_continuous,
    names,
    read,
    substituted,
    written,
)
from dpsym.verifying.proofs.limits import Limit

if TYPE_CHECKING:
    from dpsym.verifying.proofs.replaying import Replay

_ONE = fmpq(1)


class Bound(NamedTuple):
    """A call: its head, the function and the name that it binds, the ends, and whether these are in the range."""

    head: str
    body: Expression
    name: str
    low: Limit
    high: Limit
    closed: tuple[bool, bool]

    @property
    def ends(self) -> dict[int, Limit]:
        """The lower one as 1, the upper one as -1: from where the inside lies."""
        return {1: self.low, -1: self.high}

    @property
    def taken(self) -> dict[int, str]:
        """The same of the ends that are points of the range."""
        return {side: "at" if closed else "beyond" for side, closed in zip((1, -1), self.closed, strict=True)}


def bound(e: Expression, *heads: str) -> Bound:
    """The parts of a call of one of the heads."""
    if not isinstance(e, tuple) or e[0] not in heads:
        raise Rejected(f"{written(e)} is no {' or '.join(heads)}")
    head, body, name, *ends = e
    whole = head == "Sum"
    closed = [whole, whole]
    for i, one in enumerate(ends):
        if head in ("Maximum", "Minimum"):
            if not isinstance(one, tuple) or len(one) != 2 or one[0] not in ("open", "closed"):
                raise Rejected(f"{written(one)} is neither an open nor a closed end")
            closed[i], ends[i] = one[0] == "closed", one[1]
        ends[i] = {"oo": math.inf, ("*", fmpq(-1), "oo"): -math.inf}.get(ends[i], ends[i])
        closed[i] = closed[i] and not isinstance(ends[i], float)
    return Bound(head, body, name, ends[0], ends[-1], (closed[0], closed[1]))


def _inside(r: Replay, context: int, inside: int, b: Bound) -> None:
    """That the inner context holds for every value of the bound name, and that the ends are in order."""
    r.between(context, inside, b.name, b.ends, b.taken, whole=b.head == "Sum")
    for end in b.ends.values():
        if not isinstance(end, float):
            r.demand_defined(context, end)
            if b.head == "Sum":
                r.demand(context, Statement(end, "in", "Z"), "an end")
    if not isinstance(b.low, float) and not isinstance(b.high, float):
        last = ("+", b.high, _ONE) if b.head == "Sum" else b.high
        r.demand(context, Statement(b.low, "<=", last), "the order of the ends")


def _is_continuous(r: Replay, inside: int, e: Expression, x: str) -> bool:
    return is_continuous(e, x, lambda base: r.known(inside, Statement(base, ">", ZERO)))


def _finite(r: Replay, context: int, e: Limit) -> Expression:
    if isinstance(e, float):
        raise Rejected("the limit is infinite")
    r.demand_defined(context, e)
    return e


def by_integral(r: Replay, context: int, s: Statement, antiderivative: str, inside: int) -> None:
    """The difference of an antiderivative's values, or limits, at the ends."""
    b, whole = bound(s.left, "Integral"), read(antiderivative)
    _inside(r, context, inside, b)
    slope = derivative(whole, b.name)
    r.demand_defined(inside, whole, slope, b.body)
    r.demand(inside, Statement(slope, "=", b.body), "the derivative")
    if not _is_continuous(r, inside, b.body, b.name):
        raise Rejected(f"the integrand is not known to be continuous in {b.name}")
    there = [(end, r.towards(context, inside, whole, b.name, end)) for end in (b.high, b.low)]
    apart = any(isinstance(end, float) for end, _ in there) or r.known(context, Statement(b.low, "<", b.high))
    if not apart and any(value != substituted(whole, {b.name: end}) for end, value in there):
        raise Rejected("limits at ends that may be the same point")
    _equals(r, context, s, ("-", *(_finite(r, context, value) for _, value in there)))


def by_telescoping(r: Replay, context: int, s: Statement, antidifference: str, inside: int) -> None:
    """The difference of the values of what has the terms for its differences, or of its limit."""
    b, whole = bound(s.left, "Sum"), read(antidifference)
    _inside(r, context, inside, b)
    after = substituted(whole, {b.name: ("+", b.name, _ONE)})
    r.demand_defined(inside, whole, after, b.body)
    r.demand(inside, Statement(("-", after, whole), "=", b.body), "the difference")
    if isinstance(b.low, float):
        raise Rejected("a sum without a first term")
    end = _finite(r, context, r.limit(context, inside, whole, b.name, b.high)) if isinstance(b.high, float) else (
        substituted(whole, {b.name: ("+", b.high, _ONE)})
    )  # fmt: skip
    _equals(r, context, s, ("-", end, substituted(whole, {b.name: b.low})))


def _equals(r: Replay, context: int, s: Statement, value: Expression) -> None:
    r.demand_defined(context, value)
    if s.op != "=":
        raise Rejected("expected an equation")
    r.demand(context, Statement(s.right, "=", value), "the value")


def by_pieces(r: Replay, context: int, s: Statement) -> None:
    """An integral or sum is that to a point between, and that from there (or from the next integer)."""
    b = bound(s.left, "Integral", "Sum")
    if s.op != "=" or not isinstance(s.right, tuple) or s.right[0] != "+":
        raise Rejected("expected H = H + H")
    one, other = (bound(e, b.head) for e in s.right[1:])
    step = _ONE if b.head == "Sum" else ZERO
    same = all(p.body == b.body and p.name == b.name for p in (one, other))
    cut = not isinstance(one.high, float) and not isinstance(other.low, float)
    if not same or not cut or one.low != b.low or other.high != b.high:
        raise Rejected("expected the same function, and ranges that follow each other")
    r.demand(context, Statement(other.low, "=", ("+", one.high, step)), "the point between")
    if b.head == "Sum":
        r.demand(context, Statement(one.high, "in", "Z"), "the point between")
    if not isinstance(b.low, float):
        r.demand(context, Statement(b.low, "<=", ("+", one.high, step)), "the point between")
    if not isinstance(b.high, float):
        r.demand(context, Statement(one.high, "<=", b.high), "the point between")


def by_same(r: Replay, context: int, s: Statement, inside: int) -> None:
    """Of functions that are equal in the whole range, the one has a value where the other has, and the same."""
    if s.op != "=":
        raise Rejected("expected an equation")
    by_compared(r, context, s, inside)


def by_compared(r: Replay, context: int, s: Statement, inside: int) -> None:
    """Of functions that compare in the whole range, these compare."""
    b = bound(s.left, "Integral", "Sum", "Maximum", "Minimum")
    other = bound(s.right, b.head)
    if s.op not in ("=", "<=", ">=") or (b.ends, b.closed) != (other.ends, other.closed):
        raise Rejected("expected a weak relation over one range")
    if b.name != other.name and b.name in names(other.body):
        raise Rejected(f"{b.name} is taken")
    _inside(r, context, inside, b)
    second = other.body if other.name == b.name else substituted(other.body, {other.name: b.name})
    r.demand_defined(inside, b.body, second)
    r.demand(inside, Statement(b.body, s.op, second), "under it")


def by_bounded(r: Replay, context: int, s: Statement, inside: int, point: str) -> None:
    """A supremum is at most what bounds the function at every point of the range, of which there is one."""
    b, op = _extremum(s.left)
    if s.op != op:
        raise Rejected("a bound from the wrong side")
    _inside(r, context, inside, b)
    _is_in_range(r, context, b, read(point))
    if b.name in names(s.right):
        raise Rejected(f"{b.name} is bound")
    r.demand_defined(inside, b.body, s.right)
    r.demand(inside, Statement(b.body, op, s.right), "in the range")


def by_reached(r: Replay, context: int, s: Statement, at: str, inside: int | None = None) -> None:
    """A supremum is at least a value of the function, or its limit at an end."""
    b, op = _extremum(s.left)
    if s.op != {"<=": ">=", ">=": "<="}[op]:
        raise Rejected("a bound from the wrong side")
    if inside is None:
        place = read(at)
        _is_in_range(r, context, b, place)
        there = substituted(b.body, {b.name: place})
    else:
        _inside(r, context, inside, b)
        r.demand_defined(inside, b.body)
        finite = not any(isinstance(end, float) for end in (b.low, b.high))
        if finite:
            r.demand(context, Statement(b.low, "<", b.high), "the range")
        there = _finite(r, context, r.limit(context, inside, b.body, b.name, {"low": b.low, "high": b.high}[at]))
    r.demand_defined(context, there)
    r.demand(context, Statement(there, s.op, s.right), "the value there")


def _extremum(e: Expression) -> tuple[Bound, str]:
    """It, and how it compares with what bounds all values."""
    b = bound(e, "Maximum", "Minimum")
    return b, "<=" if b.head == "Maximum" else ">="


def _is_in_range(r: Replay, context: int, b: Bound, point: Expression) -> None:
    r.demand_defined(context, point)
    for end, closed, op in ((b.low, b.closed[0], ">"), (b.high, b.closed[1], "<")):
        if not isinstance(end, float):
            r.demand_defined(context, end)
            r.demand(context, Statement(point, op + "=" * closed, end), "the point")


def by_derivative(r: Replay, context: int, s: Statement, inside: int) -> None:
    """The derivative at a point around which the function and its derivative are defined."""
    b = bound(s.left, "Derivative")
    if isinstance(b.low, float):
        raise Rejected("a derivative at infinity")
    slope = derivative(b.body, b.name)
    r.demand_defined(context, b.low)
    r.between(context, inside, b.name, b.ends, {1: "around", -1: "around"})
    r.demand_defined(inside, b.body, slope)
    _equals(r, context, s, substituted(slope, {b.name: b.low}))


GIVING: Mapping[str, Callable[..., Any]] = {  # their left sides have a value then
    "integral": by_integral, "telescoping": by_telescoping, "pieces": by_pieces, "same": by_same,
    "bounded": by_bounded, "derivative": by_derivative,
}  # fmt: skip
COMPARING: Mapping[str, Callable[..., Any]] = {"compared": by_compared, "reached": by_reached}
