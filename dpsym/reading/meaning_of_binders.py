"""Operators that bind a variable: sums, integrals, limits, derivatives, optima, roots, tensor products."""

from __future__ import annotations

import sympy as sp

from dpsym import notation
from dpsym.reading.scope import Scope
from dpsym.reading.tree import Call, Chain, Name
from dpsym.relations import IsInteger, Relation, substitute

_HIGHEST_DERIVATIVE = 9
_BINDERS = {"sum": sp.Sum, "product": sp.Product, "integral": sp.Integral}
_OPTIMA = {
    "minimum": notation.Minimum, "maximum": notation.Maximum, "argmin": notation.ArgMinimum,
    "argmax": notation.ArgMaximum,
}  # fmt: skip
BINDING = frozenset({*_BINDERS, *_OPTIMA, "tensor", "root", "limit", "diff"})


def bound(scope: Scope, node: Call) -> sp.Expr:
    """The operator of this name, with its variable, its body and its range.

    Raises:
        ReadingError: for a wrong number of arguments, a range that mentions the variable, what cancels in the body.
    """
    name, arguments = node.function, node.arguments
    wanted = {"root": (4,), "limit": (3, 4), "diff": (2, 3, 4)}.get(name, (4,) if name in _BINDERS else (2,))
    if len(arguments) < 2 or (len(arguments) not in wanted and name not in _OPTIMA):
        scope.fail(f"{name} takes {' or '.join(map(str, wanted))} arguments", node)
    if name in _OPTIMA:
        return _optimum(scope, node)
    variable = arguments[1]
    if not isinstance(variable, Name):
        scope.fail(f"the second argument of {name} is its variable", variable)
    symbol = scope.variable(variable)
    ends = [scope.expression(a) for a in arguments[2:]]
    if name == "diff":
        return _derivative(scope, node, symbol, ends)
    if any(symbol in end.free_symbols for end in ends):
        scope.fail(f"the range of {variable.text} mentions it: rename one of them", node)
    body = scope.body(symbol, arguments[0], near=name == "limit")
    if name == "root":
        return notation.Root(sp.Lambda(symbol, body), *ends)
    if name == "limit":
        return _limit(scope, node, body, symbol, ends)
    return _BINDERS[name](body, (symbol, *ends))


def _derivative(scope: Scope, node: Call, symbol: sp.Symbol, ends: list[sp.Expr]) -> sp.Expr:
    """``diff(f, x)``, ``diff(f, x, n)`` and ``diff(f, x, n, point)``."""
    order = ends[0] if ends else sp.Integer(1)
    if not isinstance(order, sp.Integer) or not 1 <= order <= _HIGHEST_DERIVATIVE:
        scope.fail(f"the order is a number from 1 to {_HIGHEST_DERIVATIVE}", node)
    inside = scope.inside(symbol)
    body = inside.expression(node.arguments[0])
    point = ends[1] if len(ends) > 1 else scope.expression(node.arguments[1])
    for name, operands in inside.operations:  # the function must be defined where it is differentiated
        scope.operations.append((name, tuple(substitute(o, {symbol: point}) for o in operands)))
    return notation.derivative(sp.Lambda(symbol, body), order, point)


def _limit(scope: Scope, node: Call, body: sp.Expr, symbol: sp.Symbol, ends: list[sp.Expr]) -> sp.Expr:
    """``limit(f, x, a)``, from the side where x is declared; ``limit(f, x, a, 1)`` from above, -1 from below."""
    point = ends[0]
    if len(ends) > 1:
        if ends[1] not in (1, -1) or point in (sp.oo, -sp.oo):
            scope.fail("the side of a limit is 1 (from above) or -1", node)
        return sp.Limit(body, symbol, point, "+" if ends[1] == 1 else "-")
    if point in (sp.oo, -sp.oo):
        return sp.Limit(body, symbol, point)
    return sp.Limit(body, symbol, point, _side_of(scope, symbol, point))


def _side_of(scope: Scope, symbol: sp.Symbol, point: sp.Expr) -> str:
    for item in scope.conditions:
        for side in (item, item.swapped) if isinstance(item, Relation) else ():
            if side.lhs == symbol and side.rhs == point and side.op in (">", ">=", "<", "<="):
                return "+" if side.op[0] == ">" else "-"
    return "+-"


def _optimum(scope: Scope, node: Call) -> sp.Expr:
    head = _OPTIMA[node.function]
    first, *conditions = node.arguments
    variable = conditions[0]
    if isinstance(variable, Chain):  # x > a or a < x < b
        variable = variable.members[len(variable.members) // 2 if len(variable.members) == 3 else 0]
    if not isinstance(variable, Name):
        what = f"write {node.function}(f, x > a) or {node.function}(f, a < x < b)"
        scope.fail(what, node)
    symbol = scope.variable(variable)
    if IsInteger(symbol) in scope.conditions:
        what = f"{variable.text} is declared an integer, and optima are over real numbers: use another name"
        scope.fail(what, node)
    whole = {">": (-sp.oo, True), "<": (sp.oo, True)}  # by the direction of the condition: an end, whether open
    region, ends = sp.Interval(-sp.oo, sp.oo), whole
    for condition in conditions:
        if isinstance(condition, Name):
            continue
        for part in scope.inside(symbol).relation(condition):
            part = part.swapped if part.rhs == symbol else part
            if part.lhs != symbol or symbol in part.rhs.free_symbols or part.op not in ("<", "<=", ">", ">="):
                what = f"write {node.function}(f, x > a) or {node.function}(f, a < x < b)"
                scope.fail(what, condition)
            if not ends[part.op[0]][0].is_infinite:  # a second bound from the same side
                region, ends = region.intersect(_between(ends)), whole
            ends = ends | {part.op[0]: (part.rhs, part.op in ("<", ">"))}
    region = _between(ends) if region == sp.Reals else region.intersect(_between(ends))
    return head(sp.Lambda(symbol, scope.body(symbol, first)), region)


def tensor(scope: Scope, node: Call) -> sp.Expr:
    """``tensor(a, f(a), k, g(a), m, …)``: the product of these functions of a, k and m times, at a."""
    variable, *rest = node.arguments or (node,)
    if not isinstance(variable, Name) or not rest:
        scope.fail("write tensor(a, f(a), k, …)", node)
    symbol = scope.variable(variable)
    at = scope.expression(rest.pop() if len(rest) % 2 else variable)
    parts: list[sp.Basic] = []
    for body, times in zip(rest[::2], rest[1::2], strict=True):
        parts += [sp.Lambda(symbol, scope.body(symbol, body)), scope.expression(times)]
    return notation.tensor_product(at, *parts)


def _between(ends: dict[str, tuple[sp.Expr, bool]]) -> sp.Set:
    (low, low_open), (high, high_open) = ends[">"], ends["<"]
    return sp.Interval(low, high, left_open=low_open, right_open=high_open)
