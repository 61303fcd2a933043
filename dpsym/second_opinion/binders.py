"""Sums, limits, derivatives, roots and optima, by terms and by numerical estimates.

An estimate carries a generous error: what it cannot tell, it leaves open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import pairwise
from typing import Any

from dpsym.language.tree import Call, Chain, Name, Node
from dpsym.second_opinion import arithmetic
from dpsym.second_opinion.arithmetic import Unable, Unclear, Undefined
from dpsym.second_opinion.chance import divergence, expectation, probability
from dpsym.second_opinion.context import names_in, readings
from dpsym.second_opinion.estimates import INFINITE, TINY, an_integer, bound_name, estimated, function_of, middle_of
from dpsym.second_opinion.evaluation import Binder, Evaluator, Local, Truth, Value, canonical
from dpsym.second_opinion.integrals import integral

OPTIMA = ("minimum", "maximum", "argmin", "argmax")
_MOST_TERMS = 1_500  # each is evaluated


# --- sums
def _series(at: Evaluator, node: Call, local: Local) -> Value:
    """Term by term; an infinite sum where the terms soon fall geometrically."""
    name = bound_name(at, node, (4,))
    low, high = (at.end(e, local) for e in node.arguments[2:])
    added = node.function.removeprefix("\\") == "sum"
    before, at.indices = at.indices, at.indices | {name}
    try:
        return _summed(at, function_of(at, node.arguments[0], name, local), low, high, added)
    finally:
        at.indices = before


def _summed(at: Evaluator, body: Callable[[Value], Value], low: Any, high: Any, added: bool) -> Value:
    if high in INFINITE or low in INFINITE:
        if not added or high == -float("inf") or low == float("inf"):
            raise Unclear("an infinite product")
        if low in INFINITE and high in INFINITE:
            up = _tail(at, body, 0, 1)
            return arithmetic.combined("+", up, _tail(at, body, -1, -1), at.numbers)
        return _tail(at, body, an_integer(high), -1) if low in INFINITE else _tail(at, body, an_integer(low), 1)
    first, last = an_integer(low), an_integer(high)
    if last < first - 1 or last - first > _MOST_TERMS:
        raise Unclear("too many terms" if last > first else "a range that runs backwards")
    total: Value = Fraction(0 if added else 1)
    for i in range(first, last + 1):
        total = arithmetic.combined("+" if added else "*", total, body(Fraction(i)), at.numbers)
    return total


def _tail(at: Evaluator, body: Callable[[Value], Value], first: int, step: int) -> Value:
    total: Value = at.numbers.of(Fraction(0))
    largest, before, falling = Fraction(0), Fraction(0), 0
    for i in range(_MOST_TERMS):
        term = at.numbers.of(body(Fraction(first + step * i)))
        total = total + term
        size = abs(middle_of(at, term))
        largest = max(largest, size)
        falling = falling + 1 if size and before and size <= before * Fraction(199, 200) else 0
        if falling >= 24:
            left = size / (1 - size / before)
            if left <= largest * TINY:
                for k in range(4, 15):  # nothing rises again
                    later = body(Fraction(first + step * (i + 2**k)))
                    if abs(middle_of(at, at.numbers.of(later))) > size:
                        raise Unclear("an infinite sum")
                return estimated(at, total, 10 * left + largest * TINY)
        before = size
    raise Unclear("an infinite sum")


def _greatest(at: Evaluator, node: Call, local: Local) -> Value:
    """The greatest or least value at the integers of a range."""
    name = bound_name(at, node, (4,))
    low, high = (at.end(e, local) for e in node.arguments[2:])
    function = "max" if node.function.removeprefix("\\") == "greatest" else "min"
    return _among(at, function, function_of(at, node.arguments[0], name, local), _integers(low, high))


def _integers(low: Any, high: Any) -> Sequence[int]:
    if low in INFINITE or high in INFINITE:
        raise Unclear("an optimum of infinitely many")
    found = range(an_integer(low), an_integer(high) + 1)
    if len(found) > _MOST_TERMS:
        raise Unclear("too many terms")
    return found


def _among(at: Evaluator, function: str, body: Callable[[Value], Value], indices: Sequence[int]) -> Value:
    if not indices:
        raise Unclear("an optimum of nothing")
    return arithmetic.apply(function, tuple(body(Fraction(i)) for i in indices), at.numbers)


# --- limits and derivatives
def _limit(at: Evaluator, node: Call, local: Local) -> Value:
    name = bound_name(at, node, (3, 4))
    point = at.end(node.arguments[2], local)
    if point in INFINITE:
        sign = 1 if point > 0 else -1
        return _approached(at, node.arguments[0], name, [Fraction(sign * 10**k) for k in _POWERS], local)
    sides: tuple[int, ...] = (1, -1)
    if len(node.arguments) == 4:
        side = at.value(node.arguments[3], local)
        if side not in (1, -1):
            raise Unable("the side of a limit")
        sides = (int(side),)
    elif declared := _declared_side(at, name, node.arguments[2]):
        sides = (declared,)
    found = []
    for side in sides:
        points = [arithmetic.combined("+", point, Fraction(side, 10**k), at.numbers) for k in _POWERS]
        found.append(_approached(at, node.arguments[0], name, points, local))
    if len(found) == 2 and at.compared(found[0], "=", found[1]) is Truth.FALSE:
        raise Unclear("a limit that is another from each side")
    return found[0]


def _declared_side(at: Evaluator, name: str, point: Node) -> int:
    for one, op, other in (said for chain in at.context.conditions for said in readings(chain)):
        mine = isinstance(one, Name) and at.context.name(one.text) == name
        if mine and op[0] in "<>" and _same(other, point):
            return 1 if op[0] == ">" else -1
    return 0


def _same(a: Node, b: Node) -> bool:
    try:
        return bool(Fraction(a.text) == Fraction(b.text))  # type: ignore[union-attr]
    except (AttributeError, ValueError):
        return isinstance(a, Name) and isinstance(b, Name) and a.text == b.text


_POWERS = (5, 10, 15, 20, 25, 30, 60, 150, 400, 1000)  # of ten
_LOOKED_AT = 6  # the others only speak against what these show


def _approached(at: Evaluator, tree: Node, name: str, points: list[Value], local: Local) -> Value:
    with at.numbers.precision(640):
        near = at.afresh()
        values = []
        undefined = 0
        for x in points[:_LOOKED_AT]:
            try:
                values.append(middle_of(at, near.value(tree, {**local, name: x})))
            except Undefined as error:
                undefined += 1
                if undefined == _LOOKED_AT:
                    raise Undefined(f"{error} on the way to a limit") from None
        far = []
        for x in points[_LOOKED_AT:] if at.numbers.name == "balls" else ():  # which know how precise they are
            with suppress(Undefined, Unclear):
                far.append(middle_of(at, near.value(tree, {**local, name: x})))
    if undefined:
        raise Unclear("a limit that is not defined all the way")
    steps = [abs(b - a) for a, b in pairwise(values)]
    size = max(abs(values[-1]), Fraction(1, 10**6))
    falling = all(b <= a / 100 for a, b in pairwise(steps[1:])) and steps[-1] <= size / 10**8
    slack = 100 * steps[-1] + size * TINY
    if not falling or any(abs(value - values[-1]) > slack for value in far):
        raise Unclear("a limit that does not settle")
    return estimated(at, at.numbers.of(values[-1]), slack)


def _derivative(at: Evaluator, node: Call, local: Local) -> Value:
    """From differences at both sides, with short steps and many digits."""
    bound_name(at, node, (2, 3, 4))
    order = an_integer(at.value(node.arguments[2], local)) if len(node.arguments) > 2 else 1
    if not 1 <= order <= 9:
        raise Unable("the order of a derivative")
    found = _differences(at, node, order, (100, 130), local)
    apart = max(found) - min(found)
    size = max(map(abs, found)) + 1
    if apart <= size / 10**15:
        return estimated(at, at.numbers.of(found[2]), 10 * apart + size * TINY)
    closer = _differences(at, node, order, (3000,), local)
    steady = all(abs(a - b) <= size / 10**15 for a, b in zip(found, (*found[2:], *closer), strict=True))
    if steady and apart > size / 10**6:
        raise Undefined("a derivative that is another from each side")
    raise Unclear("a derivative that does not settle")


def _differences(at: Evaluator, node: Call, order: int, exponents: tuple[int, ...], local: Local) -> list[Fraction]:
    """The quotients of order `order` to the right and to the left, with these powers of 1/2 for a step."""
    name = bound_name(at, node, (2, 3, 4))
    found = []
    with at.numbers.precision(3 * max(exponents) * (order + 1)):
        near = at.afresh()
        point = near.value(node.arguments[3 if len(node.arguments) == 4 else 1], local)
        body = function_of(near, node.arguments[0], name, local)
        here = body(point)
        for exponent in exponents:
            for side in (1, -1):
                step = Fraction(side, 2**exponent)
                total, coefficient = (-1) ** order * at.numbers.of(here), 1
                for k in range(1, order + 1):
                    coefficient = coefficient * (order - k + 1) // k
                    value = body(arithmetic.combined("+", point, k * step, at.numbers))
                    total = total + (-1) ** (order - k) * coefficient * at.numbers.of(value)
                found.append(middle_of(at, total / at.numbers.of(step**order)))
    return found


# --- roots and optima
def _root(at: Evaluator, node: Call, local: Local) -> Value:
    name = bound_name(at, node, (4,))
    body = function_of(at, node.arguments[0], name, local)
    low, high = (at.end(e, local) for e in node.arguments[2:])
    ends = [e if e in INFINITE else middle_of(at, e) for e in (low, high)]
    samples = _samples(ends[0], ends[1])
    signs = []
    for x in samples:
        try:
            signs.append(at.numbers.sign(body(x)))
        except Undefined as error:
            raise Undefined(f"{error} inside the interval of a root") from None
    known = [(x, s) for x, s in zip(samples, signs, strict=True) if s]
    changes = [(a, b, s) for (a, s), (b, t) in pairwise(known) if s != t]
    if not changes:
        raise Unclear("a root that is not seen")
    if len(changes) > 1:
        raise Undefined("a root where the function changes its sign more than once")
    left, right, sign = changes[0]
    first = abs(middle_of(at, body(left)))
    for _ in range(110):
        middle = (left + right) / 2
        here = at.numbers.sign(body(middle))
        if here is None:
            raise Unclear("a root that is not found")
        if here == 0:
            return middle
        left, right = (middle, right) if here == sign else (left, middle)
    last = abs(middle_of(at, body(left)))
    if last > 1000 * (first + 1):
        raise Undefined("a root where the function has a pole")
    if last > first / 10**6:
        raise Unclear("a root where the function may jump")
    return estimated(at, at.numbers.of((left + right) / 2), right - left)


def _smallest(at: Evaluator, node: Call, local: Local) -> Value:
    """By samples: the first point at which the function is not positive, where every sign before it is seen."""
    name = bound_name(at, node, (4,))
    body = function_of(at, node.arguments[0], name, local)
    low, high = (at.end(e, local) for e in node.arguments[2:])
    if low in INFINITE:
        raise Unclear("no lower end")
    left = middle_of(at, low)

    def positive(x: Fraction) -> bool:
        sign = at.numbers.sign(body(x))
        if sign is None:
            raise Unclear("a sign that is not seen")
        return sign > 0

    if not positive(left):
        return low
    right = None
    for x in _samples(left, high if high in INFINITE else middle_of(at, high)):
        if not positive(x):
            right = x
            break
        left = x
    if right is None:
        raise Unclear("no point was seen at which the function is not positive")
    for _ in range(110):
        middle = (left + right) / 2
        left, right = (middle, right) if positive(middle) else (left, middle)
    return estimated(at, at.numbers.of((left + right) / 2), right - left)


def _samples(low: Any, high: Any) -> list[Fraction]:
    """Points inside an interval, in order."""
    if not low < high:
        raise Unclear("an empty interval")
    if low in INFINITE or high in INFINITE:
        powers = [Fraction(2) ** k for k in range(-12, 13)] + [Fraction(3, 2), Fraction(3), Fraction(5)]
        if low in INFINITE and high in INFINITE:
            return sorted([*powers, *(-p for p in powers), Fraction(0)])
        return sorted(low + p for p in powers) if high in INFINITE else sorted(high - p for p in powers)
    inside = {Fraction(k, 25) for k in range(1, 25)} | {Fraction(1, 10**4), 1 - Fraction(1, 10**4)}
    return [low + (high - low) * x for x in sorted(inside)]


def optimum(at: Evaluator, node: Node, op: str, bound: Value, local: Local) -> tuple[Truth, str]:
    """What samples say of `minimum(…) op bound` and its like: they bound the optimum from one side only."""
    if not isinstance(node, Call):
        raise Unable("an optimum of nothing")
    sign = 1 if "min" in node.function else -1
    first, *conditions = node.arguments
    if not conditions:
        raise Unable(f"{node.function} is not understood")
    name, low, high = _region(at, conditions, local)
    body = function_of(at, first, name, local)
    if any((at.context.member(text) or ("", ""))[1] == name for text in names_in(first)):  # of integers alone
        within = [i for i in _integers(low, high) if all(at.holds(c, {**local, name: Fraction(i)}) for c in conditions)]
        value = _among(at, "min" if sign == 1 else "max", body, within)
        if node.function.startswith("arg"):
            raise Unclear("which member is the least or the greatest")
        return at.compared(value, op, bound), f"{at.shown(value)} {op} {at.shown(bound)} is false"
    best, best_at = _least(at, body, _samples(low, high), sign)
    if bound in INFINITE:
        raise Unclear("an infinite optimum")
    if node.function.startswith("arg"):
        if op != "=":
            raise Unclear("an inequality about where an optimum is")
        bound = body(bound)
    at.rough = True
    exact = isinstance(best, Fraction) and isinstance(bound, Fraction)
    difference = sign * at.numbers.of(arithmetic.combined("-", best, bound, at.numbers))
    size = max(at.numbers.size(best), at.numbers.size(bound), 0)
    below = at.numbers.sign(difference) == -1 and (exact or at.numbers.size(difference) > size - 20)
    close = at.numbers.size(difference) < size - 20
    impossible = ("=", ">=", ">") if sign == 1 else ("=", "<=", "<")
    if below and op in impossible:
        shown = arithmetic.show(best, at.numbers)
        return Truth.FALSE, f"at {name} = {arithmetic.show(best_at, at.numbers)} it is {shown} already"
    if below and op not in ("=", "!="):
        return Truth.TRUE, ""
    if close and op in ("=", "<=", ">="):
        return Truth.NEAR, ""
    raise Unclear("an optimum")


def _region(at: Evaluator, conditions: list[Node], local: Local) -> tuple[str, Any, Any]:
    low, high, name = -float("inf"), float("inf"), None
    bounds: Any = (low, high)
    for condition in conditions:
        members = condition.members if isinstance(condition, Chain) else (condition,)
        ops = condition.ops if isinstance(condition, Chain) else ()
        middle = members[1] if len(members) == 3 else members[0]
        if not isinstance(middle, Name):
            raise Unable("the region of an optimum")
        name = at.context.name(middle.text) or canonical(middle.text)
        for left, op, right in zip(members, ops, members[1:], strict=False):
            if op[0] not in "<>":
                raise Unable("the region of an optimum")
            turned = left is not middle
            end = at.end(left if turned else right, local)
            end = end if end in INFINITE else middle_of(at, end)
            lower, upper = bounds
            bounds = (max(lower, end), upper) if (op[0] == ">") != turned else (lower, min(upper, end))
    if name is None:
        raise Unable("the region of an optimum")
    return name, *bounds


def _least(at: Evaluator, body: Callable[[Value], Value], samples: list[Fraction], sign: int) -> tuple[Value, Fraction]:
    """The least sampled value (the greatest where the sign is -1), refined, and where it is."""

    def value(x: Fraction) -> Fraction:
        return sign * middle_of(at, body(x))

    values = []
    for x in samples:
        try:
            values.append(value(x))
        except Undefined as error:
            raise Undefined(f"{error} inside the region of an optimum") from None
    k = min(range(len(values)), key=values.__getitem__)
    left, right = samples[max(k - 1, 0)], samples[min(k + 1, len(samples) - 1)]
    golden = Fraction(618, 1000)
    for _ in range(30):
        a, b = right - golden * (right - left), left + golden * (right - left)
        left, right = (left, b) if value(a) <= value(b) else (a, right)
    at_best = min((samples[k], (left + right) / 2), key=value)
    return body(at_best), at_best


def _no_value(at: Evaluator, node: Call, local: Local) -> Value:
    raise Unclear(f"{node.function} inside a formula")


BINDERS: dict[str, Binder] = {
    "sum": _series, "product": _series, "integral": integral, "limit": _limit, "diff": _derivative, "root": _root,
    "smallest": _smallest, "greatest": _greatest, "least": _greatest,
    **dict.fromkeys(OPTIMA, _no_value), "E": expectation, "Pr": probability,
    **dict.fromkeys(("D", "KL", "H"), divergence),
}  # fmt: skip
