"""Integrals by double exponential rules, between the kinks and peaks that can be foreseen in the tree."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import mpmath

from dpsym.language.tree import Binary, Call, Chain, Negation, Node
from dpsym.second_opinion import arithmetic
from dpsym.second_opinion.arithmetic import Unable, Unclear, Undefined
from dpsym.second_opinion.context import names_in
from dpsym.second_opinion.estimates import INFINITE, TINY, bound_name, estimated, function_of, middle_of
from dpsym.second_opinion.evaluation import Evaluator, Local, Value, canonical

_ON_AN_INTERVAL, _FALLING_FAST, _FALLING_SLOWLY = range(3)


@cache
def _nodes(kind: int, odd: bool) -> tuple[tuple[Fraction, Fraction], ...]:
    """Abscissae and weights of every second node of double exponential rules on (0, 1) or (0, oo), outwards."""
    per_unit = 6
    least, greatest = ((-3.6, 3.6), (-4, 14), (-4, 4))[kind]
    found = []
    with mpmath.workprec(160):
        pi, sinh, cosh, exp = mpmath.pi, mpmath.sinh, mpmath.cosh, mpmath.exp
        for k in range(int(per_unit * least), int(per_unit * greatest) + 1):
            t = mpmath.mpf(2 * k + odd) / (2 * per_unit)
            if kind == _ON_AN_INTERVAL:
                x = 1 / (1 + exp(-pi * sinh(t)))
                slope = x * (1 - x) * pi * cosh(t)
            elif kind == _FALLING_FAST:
                x = exp(t - exp(-t))
                slope = x * (1 + exp(-t))
            else:
                x = exp(pi / 2 * sinh(t))
                slope = x * pi / 2 * cosh(t)
            found.append((_fraction(x), _fraction(slope / per_unit)))
    return tuple(found)


def _fraction(x: Any) -> Fraction:
    sign, mantissa, exponent, _ = x._mpf_
    return (-1) ** int(sign) * Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


@cache
def _converted(kind: int, odd: bool, numbers: arithmetic.Arithmetic) -> tuple[tuple[tuple[Value, Value], ...], ...]:
    """The rule from its middle to the right, and to the left."""
    with numbers.precision(160):
        rule = [(numbers.of(x), numbers.of(weight)) for x, weight in _nodes(kind, odd)]
    middle = sum(x < Fraction(1, 2) for x, _ in _nodes(kind, odd))
    return tuple(rule[middle:]), tuple(rule[middle - 1 :: -1])


def integral(at: Evaluator, node: Call, local: Local) -> Value:
    """`integral(f, x, a, b)`."""
    name = bound_name(at, node, (4,))
    low, high = (at.end(e, local) for e in node.arguments[2:])
    return integrated(at, node.arguments[0], name, low, high, local)


def integrated(at: Evaluator, tree: Node, name: str, low: Value, high: Value, local: Local) -> Value:
    """By two rules on each piece between kinks and peaks that can be foreseen; they have to agree."""
    body = function_of(at, tree, name, local)
    ends = [e if e in INFINITE else middle_of(at, e) for e in (low, high)]
    if ends[0] == ends[1]:
        return Fraction(0)
    if ends[0] > ends[1]:
        return -integrated(at, tree, name, high, low, local)
    turning, unit = _features(at, tree, name, local)
    inner = _apart([x for x in turning if ends[0] < x < ends[1]])[:4]
    if not inner and ends == [-float("inf"), float("inf")]:
        inner = [Fraction(0)]
    borders = [ends[0], *inner, ends[1]]
    exact = {ends[0]: low, ends[1]: high}
    total: Value = at.numbers.of(Fraction(0))
    error = scale = Fraction(0)
    for left, right in pairwise(borders):
        one, other, size = _piece(at, body, exact.get(left, left), exact.get(right, right), at.numbers.of(unit))
        total = total + (one + other) / 2
        error += abs(middle_of(at, one - other))
        scale += middle_of(at, size)
    if error > scale / 1000 or not scale:  # or where nothing was seen at all
        raise Unclear("an integral that does not settle")
    slack = 10 * error + scale * TINY + (scale / 1000 if error > scale / 10**5 else 0)
    return estimated(at, total, slack)


def _apart(points: list[Fraction]) -> list[Fraction]:
    """Of points that are the same but for rounding only the shortest, in order."""
    found: list[Fraction] = []
    for x in sorted(points, key=lambda x: x.denominator):
        if all(abs(x - y) > abs(y) / 10**9 + Fraction(1, 10**12) for y in found):
            found.append(x)
    return sorted(found)


def _piece(
    at: Evaluator, body: Callable[[Value], Value], low: Value, high: Value, unit: Value
) -> tuple[Value, Value, Value]:
    """Two rules on one piece, and the integral of the modulus, roughly."""
    kinds = (_FALLING_FAST, _FALLING_SLOWLY) if low in INFINITE or high in INFINITE else (_ON_AN_INTERVAL,)
    for kind in kinds:
        one, size, ended = _by_rule(at, body, low, high, unit, _converted(kind, False, at.numbers))
        if ended or kind != _FALLING_FAST:
            other, _, _ = _by_rule(at, body, low, high, unit, _converted(kind, True, at.numbers))
            return one, other, size
    raise Unclear("an integral")


def _by_rule(
    at: Evaluator, body: Callable[[Value], Value], low: Value, high: Value, unit: Value, rule: Any
) -> tuple[Value, Value, bool]:
    """The integral, that of the modulus, and whether the last terms to the right were negligible."""
    numbers = at.numbers
    total = size = numbers.of(Fraction(0))
    infinite = low in INFINITE or high in INFINITE
    width = unit if infinite else numbers.of(high) - numbers.of(low)
    ended = [False, False]
    for right, side in enumerate(rule):
        small = 0
        for x, weight in side:
            y = numbers.of(low) + width * x if low not in INFINITE else numbers.of(high) - width * x
            try:
                value = numbers.of(body(y))
            except Undefined as error:
                _on_an_interval(body, y, x, width, error)
                raise Unclear("an integrand that is undefined at a point") from None
            term = value * weight
            total, size = total + term, size + abs(term)
            small = small + 1 if term == 0 or numbers.size(term) < numbers.size(size) - 50 else 0
            if small > (3 if size != 0 else 7):
                ended[right] = True
                break
    return total * width, size * width, ended[0]


def _on_an_interval(body: Callable[[Value], Value], y: Value, x: Value, width: Value, error: Undefined) -> None:
    """Raise the error where the function is undefined around this point, which is well inside, as well."""
    inside = min(x, 1 - x) if x < 1 else x
    if not 1e-6 < inside < 1e6:
        return
    for share in (-1, 1, 2):
        try:
            body(y + width * inside * share / 1000)
        except Undefined:
            continue
        except Unclear:
            pass
        return
    raise error


def _features(at: Evaluator, tree: Node, name: str, local: Local) -> tuple[list[Fraction], Fraction]:
    """Where parts that are polynomials of degree 1 or 2 vanish or turn: kinks and peaks; and how wide these are."""
    found: list[Fraction] = []
    units = [Fraction(10**6)]
    waiting: list[tuple[Node, bool]] = [(tree, False)]
    while waiting and len(found) < 12:
        part, inside = waiting.pop()
        if isinstance(part, Call):
            waiting += ((argument, True) for argument in part.arguments)
        elif isinstance(part, Chain):
            waiting += ((Binary("-", a, b, 0), False) for a, b in pairwise(part.members))
        elif isinstance(part, Negation):
            waiting.append((part.operand, inside))
        elif isinstance(part, Binary):
            waiting += ((part.left, inside), (part.right, inside or part.op == "^"))
        if not isinstance(part, Call | Chain) and name in map(canonical, names_in(part)):
            point, unit = _turning(at, part, name, local)
            found += [point] if point is not None else []
            units += [unit] if unit is not None and inside else []
    unit = min(units)
    return found, Fraction(1) if unit == 10**6 else unit


def _turning(at: Evaluator, part: Node, name: str, local: Local) -> tuple[Fraction | None, Fraction | None]:
    body = function_of(at, part, name, local)
    try:
        values = [middle_of(at, body(Fraction(x))) for x in (1, 2, 3, 4)]
    except (Undefined, Unclear, Unable):
        return None, None
    first = [b - a for a, b in pairwise(values)]
    second = [b - a for a, b in pairwise(first)]
    small = max(map(abs, values)) / 10**25
    if abs(second[0]) <= small and abs(second[1]) <= small:
        return (1 - values[0] / first[0], 1 / abs(first[0])) if abs(first[0]) > small else (None, None)
    if abs(second[1] - second[0]) <= small:
        return Fraction(3, 2) - first[0] / second[0], Fraction(1 / float(abs(second[0])) ** 0.5)
    return None, None
