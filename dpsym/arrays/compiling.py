"""From formulas to trees of interval operations on arrays."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any, TypeAlias

import sympy as sp

from dpsym.core import functions
from dpsym.core.balls.doubles import (
    Array,
    Interval,
    argument,
    expm1,
    exponential,
    log1p,
    logarithm,
    number,
    plus,
    square_root,
    times,
    whole_power,
)
from dpsym.core.relations import Relation, exact, propositions
from dpsym.core.verdicts import Side

_LARGEST_POWER = 64  # by repeated products; beyond, by exp and log

Values: TypeAlias = Mapping[sp.Symbol, Interval]
Node: TypeAlias = Callable[[Values], Interval]


class NotCompiled(ValueError):
    """The formula has something in it that is not compiled here."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """A formula over arrays: call it with an array, or a number, for each parameter.

    Attributes:
        formula: what is computed.
        parameters: in the order of positional arguments.
        side: upper bounds, or lower ones.
        assume: where one of these is not known to hold, the bound is infinite.

    A float stands for the binary fraction that it is: for delta = 1e-5 that is the double nearest to it.  An exact
    number that no double is, such as Fraction(1, 10**5), stands for itself: it is between two doubles.
    """

    formula: sp.Expr
    parameters: tuple[sp.Symbol, ...]
    side: Side
    assume: tuple[Relation, ...]
    _node: Node
    _conditions: tuple[Callable[[Values], tuple[Any, Any]], ...]

    def __call__(self, *arguments: object, **named: object) -> Array:
        """The bounds, with the shape that the arguments have together.

        Raises:
            TypeError: where a parameter has no value, or two, or a name is none of the parameters', and for what is
                not a number or an array of numbers.
        """
        import numpy as np

        given = dict(zip((str(p) for p in self.parameters), arguments, strict=False))
        if len(arguments) > len(self.parameters) or given.keys() & named.keys():
            raise TypeError(f"expected one value for each of {', '.join(map(str, self.parameters))}")
        given |= named
        if given.keys() != {str(p) for p in self.parameters}:
            raise TypeError(
                f"expected values for {', '.join(map(str, self.parameters))}, got {', '.join(given) or 'none'}"
            )
        ends = [end for p in self.parameters for end in argument(str(p), given[str(p)])]
        arrays = np.broadcast_arrays(*ends)
        values = {p: (arrays[2 * i], arrays[2 * i + 1]) for i, p in enumerate(self.parameters)}
        worst = math.inf if self.side == "upper" else -math.inf
        with np.errstate(all="ignore"):
            low, high = self._node(values)
            bound = np.broadcast_to(high if self.side == "upper" else low, arrays[0].shape if arrays else ())
            known = ~np.isnan(low) & ~np.isnan(high)
            for array in arrays:
                known = known & ~np.isnan(array)
            for condition in self._conditions:
                known = known & condition(values)[0]
            return np.where(known, bound, worst)


def compiled(
    formula: sp.Expr,
    parameters: Sequence[sp.Symbol],
    *,
    side: Side = "upper",
    assume: Sequence[object] = (),
) -> Compiled:
    """A formula as a function over NumPy arrays, every value rounded up (or down).

    Args:
        formula: of rational numbers, pi, e, the parameters, + - * /, powers, exp, log, sqrt, sinh, cosh, tanh, erf,
            erfc, Phi, floor, ceiling, absolute values, minima, maxima and case distinctions.
        parameters: all symbols of the formula, in the order of positional arguments.
        side: which side is safe: "upper" for a guarantee.
        assume: conditions on the parameters.

    Raises:
        NotCompiled: for anything else in the formula.
        ImportError: without NumPy.
    """
    import numpy as np  # noqa: F401  (a missing NumPy is to be told here)

    formula = exact(formula)
    free = formula.free_symbols - set(parameters)
    if free:
        raise NotCompiled(f"{', '.join(sorted(map(str, free)))} is not among the parameters")
    conditions = []
    for condition in propositions(assume):
        if not isinstance(condition, Relation):
            raise NotCompiled(f"{condition} is not a relation")
        conditions.append(condition)
    node = _node(formula)
    checks = tuple(_condition(c.lhs, c.op, c.rhs) for c in conditions)
    return Compiled(formula, tuple(parameters), side, tuple(conditions), node, checks)


def _node(e: sp.Expr) -> Node:
    if isinstance(e, sp.Symbol):
        return lambda values: values[e]
    if isinstance(e, sp.Rational):
        constant = number(Fraction(int(e.p), int(e.q)))
        return lambda values: constant
    if e in (sp.pi, sp.E):  # the doubles nearest to them lie below
        near = float(math.pi if e == sp.pi else math.e)
        around = number(Fraction(near))[0], number(Fraction(math.nextafter(near, math.inf)))[0]
        return lambda values: around
    if isinstance(e, sp.Add):
        return _sum(e)
    if isinstance(e, sp.Mul):
        return _folded(times, e.args)
    if isinstance(e, sp.Pow):
        return _power(*e.as_base_exp())
    if isinstance(e, sp.Min | sp.Max):
        return _extreme(e)
    if isinstance(e, sp.Piecewise):
        return _cases(e)
    if isinstance(e, sp.log) and isinstance(e.args[0], sp.Add) and sp.S.One in e.args[0].args:
        return _applied(log1p, e.args[0] - 1)
    function = functions.of(e)
    if function is not None and function.doubles is not None:
        return _applied(function.doubles, e.args[0])
    raise NotCompiled(f"{e.func.__name__} is not compiled (in {e})")


def _applied(function: Callable[[Interval], Interval], argument: sp.Expr) -> Node:
    inner = _node(argument)
    return lambda values: function(inner(values))


def _folded(operation: Callable[[Interval, Interval], Interval], parts: Sequence[sp.Expr]) -> Node:
    nodes = [_node(part) for part in parts]
    return lambda values: reduce(operation, [node(values) for node in nodes])


def _sum(e: sp.Add) -> Node:
    """A sum; exp(x) - 1 in it by expm1."""
    parts = list(e.args)
    powers = [part for part in parts if isinstance(part, sp.exp)]
    if powers and sp.S.NegativeOne in parts:
        parts.remove(powers[0])
        parts.remove(sp.S.NegativeOne)
        rest = [_node(part) for part in parts]
        first = _applied(expm1, powers[0].args[0])
        return lambda values: reduce(plus, [node(values) for node in [first, *rest]])
    return _folded(plus, parts)


def _power(base: sp.Expr, exponent: sp.Expr) -> Node:
    if base == sp.E:
        return _applied(exponential, exponent)
    inner = _node(base)
    if isinstance(exponent, sp.Rational) and exponent.q in (1, 2) and abs(exponent.p) <= _LARGEST_POWER:
        power = int(exponent.p)
        if exponent.q == 1:
            return lambda values: whole_power(inner(values), power)
        return lambda values: whole_power(square_root(inner(values)), power)
    above = _node(exponent)
    return lambda values: exponential(times(above(values), logarithm(inner(values))))


def _extreme(e: sp.Min | sp.Max) -> Node:
    name = "minimum" if isinstance(e, sp.Min) else "maximum"

    def fold(x: Interval, y: Interval) -> Interval:
        import numpy as np

        function = getattr(np, name)
        return function(x[0], y[0]), function(x[1], y[1])

    return _folded(fold, e.args)


def _condition(left: sp.Expr, op: str, right: sp.Expr) -> Callable[[Values], tuple[Any, Any]]:
    """Whether a relation surely holds, and whether it surely does not; neither where a side is not defined."""
    lhs, rhs = _node(left), _node(right)

    def holds(values: Values) -> tuple[Any, Any]:
        (a, b), (c, d) = lhs(values), rhs(values)
        if op == "<":
            return b < c, a >= d
        if op == "<=":
            return b <= c, a > d
        if op == ">":
            return a > d, b <= c
        if op == ">=":
            return a >= d, b < c
        if op == "!=":
            return (b < c) | (a > d), (a == b) & (c == d) & (a == c)
        return (a == b) & (c == d) & (a == c), (b < c) | (a > d)

    return holds


def _lost(sides: Sequence[sp.Expr]) -> Callable[[Values], Any]:
    """Whether a side of a relation is not known to be defined."""
    nodes = [_node(side) for side in sides]

    def lost(values: Values) -> Any:
        import numpy as np

        return reduce(np.logical_or, [np.isnan(end) for node in nodes for end in node(values)])

    return lost


_OPS = {
    sp.StrictLessThan: "<",
    sp.LessThan: "<=",
    sp.StrictGreaterThan: ">",
    sp.GreaterThan: ">=",
    sp.Equality: "=",
    sp.Unequality: "!=",
}


def _cases(e: sp.Piecewise) -> Node:
    """The first case that holds; where that is not known, the hull of those it may be."""
    cases: list[Any] = []
    for value, condition in e.args:
        if condition == sp.true:
            cases.append((_node(value), None))
        elif type(condition) in _OPS:
            op, sides = _OPS[type(condition)], (condition.lhs, condition.rhs)
            cases.append((_node(value), (_condition(sides[0], op, sides[1]), _lost(sides))))
        else:
            raise NotCompiled(f"the condition {condition} is not a relation")

    def node(values: Values) -> Interval:
        import numpy as np

        low: Any = np.float64(np.inf)
        high: Any = np.float64(-np.inf)
        may: Any = np.bool_(True)  # whether no earlier case is known to hold
        undefined: Any = np.bool_(False)
        for value, condition in cases:
            yes, no = (np.bool_(True), np.bool_(False)) if condition is None else condition[0](values)
            lost = np.bool_(False) if condition is None else condition[1](values)
            here = may & ~no
            a, b = value(values)
            undefined = undefined | (here & (np.isnan(a) | np.isnan(b) | lost))
            low = np.where(here, np.fmin(low, a), low)
            high = np.where(here, np.fmax(high, b), high)
            may = may & ~yes
        nothing = undefined | may
        return np.where(nothing, np.nan, low), np.where(nothing, np.nan, high)

    return node
