"""Operators that bind a variable: sums, integrals, limits, derivatives, optima, roots, tensor products."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

import sympy as sp

from dpsym.core import families, notation
from dpsym.core.relations import IsInteger, Proposition, Relation, is_function
from dpsym.deciding.definedness import Need, near, needing, under
from dpsym.language.errors import Varies
from dpsym.language.names import WRITTEN_ACCENTS, declared_as
from dpsym.language.scope import Place, Scope
from dpsym.language.tree import Call, Chain, Name, Node, has_member, inner, mentions

_INDICES = {"i", "j", "l"}  # letters that mostly stand for whole numbers
_HIGHEST_DERIVATIVE = 9  # the size of a derivative grows exponentially with its order
_BINDERS = {"sum": sp.Sum, "product": sp.Product, "integral": sp.Integral}
_EXTREMES = {"greatest": notation.Greatest, "least": notation.Least}
_TURNED = {"<=": ">=", ">=": "<="}
_OVER_INTEGERS = {"sum", "product", *_EXTREMES}
_OPTIMA = {
    "minimum": notation.Minimum, "maximum": notation.Maximum, "argmin": notation.ArgMinimum,
    "argmax": notation.ArgMaximum,
}  # fmt: skip
BINDING = frozenset({*_BINDERS, *_EXTREMES, *_OPTIMA, "tensor", "root", "smallest", "limit", "diff"})


def bound(scope: Scope, node: Call) -> sp.Expr:
    """The operator of this name, with its variable, its body and its range.

    Raises:
        ReadingError: for a wrong number of arguments, and a range that mentions the variable.
    """
    name, arguments = node.function, node.arguments
    wanted = {"root": (4,), "smallest": (4,), "limit": (3, 4), "diff": (2, 3, 4)}.get(
        name, (2, 3, 4) if name in _OVER_INTEGERS else (4,) if name in _BINDERS else (2,)
    )
    if len(arguments) < 2 or (len(arguments) not in wanted and name not in _OPTIMA):
        scope.fail(f"{name} takes {' or '.join(map(str, wanted))} arguments", node)
    if name in _OPTIMA:
        return _optimum(scope, node)
    variable = arguments[1]
    if not isinstance(variable, Name):
        scope.fail(f"the second argument of {name} is its variable", variable)
    symbol = scope.variable(variable)
    over_set = name in _OVER_INTEGERS and len(arguments) == 3
    ends = [] if over_set else [scope.expression(a) for a in arguments[2:]]
    if name in _OVER_INTEGERS and not ends:
        ends = _of_members(scope, node, symbol, over_set=over_set)
    if name == "diff":
        return _derivative(scope, node, symbol, ends)
    if any(symbol in end.free_symbols for end in ends):
        scope.fail(f"the range of {variable.text} mentions it: rename one of them", node)
    if name == "limit":
        return _limit(scope, node, symbol, ends)
    if name in ("integral", "root", "smallest"):
        body = scope.body(symbol, arguments[0], _between_ends(symbol, *ends), of_functions=name == "integral")
        if name == "integral":
            return sp.Integral(body, (symbol, *ends))
        return (notation.Root if name == "root" else notation.Smallest)(sp.Lambda(symbol, body), *ends)
    if name in _EXTREMES:
        scope.needs += needing((IsInteger(ends[0]), IsInteger(ends[1]), Relation(ends[1], ">=", ends[0])))
    else:
        if all(end.is_Integer for end in ends) and ends[1] - ends[0] < -1:
            scope.fail(f"from {ends[0]} down to {ends[1]}: is it an empty sum, or one with the other sign?", node)
        scope.needs += _of_range(*ends)
    inside: tuple[Proposition, ...] = (IsInteger(symbol), *_beyond(symbol, *ends, strict=False))
    among = partial(under, conditions=inside, variables=(symbol,))
    body = scope.body(symbol, arguments[0], among, is_index=True)
    if name in _EXTREMES:
        return _EXTREMES[name](sp.Lambda(symbol, body), *ends)
    return _BINDERS[name](body, (symbol, *ends))


def _of_members(scope: Scope, node: Call, symbol: sp.Symbol, *, over_set: bool) -> list[sp.Expr]:
    """The range that is not written: that of the families of which the body has the member at this index.

    Where these go on for ever, a paper means some finite range, of which only the last index needs a name.  So it does
    where a set stands, if the terms are values at its members, and say nothing else of these.
    """
    body = scope.inside(symbol, is_index=True).expression(node.arguments[0])
    at = {e for e in families.members(body) if e.args[0] == symbol}
    at -= {e for e in at if over_set and str(e.func) not in scope.opaque}
    found = {None} if over_set else {families.range_of(scope.carried.get(str(e.func), ())) for e in at}
    over = node.arguments[2] if over_set else node.arguments[1]
    last = families.last_index(over.text if isinstance(over, Name) else "", is_set=over_set)
    if found == {None} and (scope.guessing or declared_as(last, scope.names or ()) is not None):
        if symbol not in body.xreplace(dict.fromkeys(at, sp.S.One)).free_symbols:
            raise Varies("", symbol.name, scope.text, node.position)
        for value in _values_at(scope, node.arguments[0], symbol) if over_set else ():
            scope.fail(f"one number for each {symbol}", value)  # where it is only named
    if len(found) != 1 or None in found:
        scope.fail(f"over which range does {symbol} go? write it below and above the sign", node)
    return list(next(iter(found)))  # type: ignore[arg-type]


def _values_at(scope: Scope, node: Node, symbol: sp.Symbol) -> Iterator[Node]:
    """The values of functions without a formula, in the tree, at what the symbol stands for."""
    for part in inner(node):
        yield from _values_at(scope, part, symbol)
    name = declared_as(node.function, scope.names or ()) if isinstance(node, Call) else None
    if name is not None and is_function((scope.names or {})[name]) and mentions(node, symbol.name):
        yield node


def _of_range(start: sp.Expr, end: sp.Expr) -> tuple[Need, ...]:
    """Whole ends, the last no less than one before the first: then the sum is 0, and the product 1."""
    finite = [e for e in (start, end) if not e.is_infinite]
    found = [need for e in finite for need in needing((IsInteger(e),))]
    return (*found, *(needing((Relation(end - start, ">=", sp.Integer(-1)),)) if len(finite) == 2 else ()))


def _beyond(symbol: sp.Symbol, start: sp.Expr, end: sp.Expr, *, strict: bool) -> tuple[Relation, ...]:
    """That the variable is between the ends."""
    lower = () if start is -sp.oo else (Relation(symbol, ">" if strict else ">=", start),)
    return lower if end is sp.oo else (*lower, Relation(symbol, "<" if strict else "<=", end))


def _between_ends(symbol: sp.Symbol, start: sp.Expr, end: sp.Expr) -> Place:
    """At every inner point of the range, whichever of its ends is the lower one."""

    def place(needs: Iterable[Need]) -> tuple[Need, ...]:
        needs = tuple(needs)
        ways = [(start, end)]
        if not (start is -sp.oo or end is sp.oo or (start.is_Rational and end.is_Rational and start <= end)):
            ways.append((end, start))
        if end is -sp.oo or start is sp.oo:
            ways = [(end, start)]
        inner = (_beyond(symbol, low, high, strict=True) for low, high in ways)
        return tuple(n for given in inner for n in under(needs, given, (symbol,), pointwise=False))

    return place


def _derivative(scope: Scope, node: Call, symbol: sp.Symbol, ends: list[sp.Expr]) -> sp.Expr:
    """``diff(f, x)``, ``diff(f, x, n)`` and ``diff(f, x, n, point)``."""
    order = ends[0] if ends else sp.Integer(1)
    if not isinstance(order, sp.Integer) or not 1 <= order <= _HIGHEST_DERIVATIVE:
        scope.fail(f"the order is a number from 1 to {_HIGHEST_DERIVATIVE}", node)
    point = ends[1] if len(ends) > 1 else scope.expression(node.arguments[1])

    def place(needs: Iterable[Need]) -> tuple[Need, ...]:
        needs = tuple(needs)
        return (*(n.subs({symbol: point}) for n in needs), *near(needs, symbol, point, (1, -1)))

    # the variable may be bound already: it is differentiated where it is
    inside = scope.inside(symbol, of_functions=True)
    body = inside.expression(node.arguments[0])
    if scope.opening and symbol not in body.free_symbols and body.free_symbols:
        scope.fail(f"does what is differentiated depend on {symbol}?", node)
    scope.needs += place(inside.needs)
    return notation.derivative(sp.Lambda(symbol, body), order, point)


def _limit(scope: Scope, node: Call, symbol: sp.Symbol, ends: list[sp.Expr]) -> sp.Expr:
    """``limit(f, x, a)``, from the side where x is declared; ``limit(f, x, a, 1)`` from above, -1 from below."""
    point = ends[0]
    side = _side(scope, node, symbol, ends)
    sides = {"+": (1,), "-": (-1,), "+-": (1, -1)}[side] if not point.is_infinite else (1,)
    place = partial(near, variable=symbol, point=point, sides=sides)
    body = scope.body(symbol, node.arguments[0], place, of_functions=True)
    return sp.Limit(body, symbol, point) if point.is_infinite else sp.Limit(body, symbol, point, side)


def _side(scope: Scope, node: Call, symbol: sp.Symbol, ends: list[sp.Expr]) -> str:
    point = ends[0]
    if len(ends) > 1:
        if ends[1] not in (1, -1) or point in (sp.oo, -sp.oo):
            scope.fail("the side of a limit is 1 (from above) or -1", node)
        return "+" if ends[1] == 1 else "-"
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
    if has_member(first, variable.text):
        return _among_members(scope, node, variable, conditions)
    others = [c.text for c in conditions if isinstance(c, Name) and c.text != variable.text]
    if others or symbol.name in scope.opaque:
        scope.fail("an optimum is over one variable: write its range as a < x < b", node)
    if IsInteger(symbol) in scope.conditions:
        what = f"{variable.text} is an integer, declared or by habit, and optima are over reals: use another name"
        scope.fail(what, node)
    whole = {">": (-sp.oo, True), "<": (sp.oo, True)}  # by the direction of the condition: an end, whether open
    region, ends = sp.Interval(-sp.oo, sp.oo), whole
    bounds: list[Relation] = []
    for condition in conditions:
        if isinstance(condition, Name):
            continue
        inside = scope.inside(symbol)
        written = inside.relation(condition)
        scope.needs += under(inside.needs, (), (symbol,))
        for part in written:
            bounds.append(part)
            part = part.swapped if part.rhs == symbol else part
            if part.lhs != symbol or symbol in part.rhs.free_symbols or part.op not in ("<", "<=", ">", ">="):
                what = f"write {node.function}(f, x > a) or {node.function}(f, a < x < b)"
                scope.fail(what, condition)
            if not ends[part.op[0]][0].is_infinite:  # a second bound from the same side
                region, ends = region.intersect(_between(ends)), whole
            ends = ends | {part.op[0]: (part.rhs, part.op in ("<", ">"))}
    region = _between(ends) if region == sp.Reals else region.intersect(_between(ends))
    given = {(part.swapped if part.rhs == symbol else part).op[0] for part in bounds}
    if _sides(scope, symbol) - given:
        scope.fail(f"over which {variable.text}? write its range, such as {variable.text} > 0", node)
    body = scope.body(symbol, first, partial(under, conditions=bounds, variables=(symbol,)))
    return head(sp.Lambda(symbol, body), region)


def _sides(scope: Scope, symbol: sp.Symbol) -> set[str]:
    """From which sides a range has to bound the name: those of its domain, by declaration or by habit.

    A name with another script or accent may have the same domain; in a paper an index goes over whole numbers.
    """
    letter, found = _letter(symbol.name), set[str]()
    for condition in scope.conditions:
        for name in condition.free_symbols:
            if _letter(name.name) == letter:
                known = isinstance(condition, Relation) and name in (condition.lhs, condition.rhs)
                sides = {condition.op[0]} if known and condition.rhs != name else set("<>")  # type: ignore[union-attr]
                found |= sides if known and sides <= set("<>") else set("<>")
    names = scope.names or ()
    if any(name.endswith(families.MARK) and _letter(name[:-2]) == letter for name in names):
        found |= set("<>")
    if scope.opening and letter in _INDICES:
        found |= set("<>")
    if scope.opening and symbol.name not in names:
        from dpsym.language.documents.guesses import habit

        said = habit(letter)
        found |= {"<", ">"} if "integer" in said or said.startswith("0") else {sign for sign in "<>" if sign in said}
    return found


def _letter(name: str) -> str:
    """A name without accents, scripts and primes."""
    parts = name.rstrip("'").split("_")
    return next((part for part in parts if part not in WRITTEN_ACCENTS), name)


def _among_members(scope: Scope, node: Call, variable: Name, conditions: list[Node]) -> sp.Expr:
    """The greatest or least of an expression in members of families: over integers."""
    name = {"maximum": "greatest", "minimum": "least"}.get(node.function)
    ends: tuple[Node, ...] = ()
    if not all(isinstance(c, Name) for c in conditions):
        parts = [part for c in conditions if isinstance(c, Chain) for part in _taken_apart(c)]
        found = {op: end for left, op, end in parts if isinstance(left, Name) and left.text == variable.text}
        if len(parts) != 2 or found.keys() != {">=", "<="}:
            scope.fail(f"write the range of {variable.text} as a <= {variable.text} <= b", node)
        ends = (found[">="], found["<="])
    if name is None:
        scope.fail("members of a family are compared by max and min only", node)
    return bound(scope, Call(name, (node.arguments[0], variable, *ends), (), node.position))


def _taken_apart(chain: Chain) -> list[tuple[Node, str, Node]]:
    """``j >= a`` and ``a <= j <= b`` as bounds on what stands first, or in the middle."""
    if len(chain.ops) == 1:
        return [(chain.members[0], chain.ops[0], chain.members[1])]
    low, middle, high = chain.members[:3]
    return [(middle, _TURNED.get(chain.ops[0], ""), low), (middle, chain.ops[1], high)]


def tensor(scope: Scope, node: Call) -> sp.Expr:
    """``tensor(a, f(a), k, g(a), m, …)``: the product of these functions of a, k and m times, at a."""
    variable, *rest = node.arguments or (node,)
    if not isinstance(variable, Name) or not rest:
        scope.fail("write tensor(a, f(a), k, …)", node)
    symbol = scope.variable(variable)
    at = scope.expression(rest.pop() if len(rest) % 2 else variable)
    parts: list[sp.Basic] = []
    for body, times in zip(rest[::2], rest[1::2], strict=True):
        inside = (Relation(symbol, ">=", sp.Integer(0)), Relation(symbol, "<=", sp.Integer(1)))
        place = partial(under, conditions=inside, variables=(symbol,), pointwise=False)
        parts += [sp.Lambda(symbol, scope.body(symbol, body, place)), scope.expression(times)]
        scope.needs += needing((IsInteger(parts[-1]), Relation(parts[-1], ">=", sp.Integer(0))))
    scope.needs += needing((Relation(at, ">=", sp.Integer(0)), Relation(at, "<=", sp.Integer(1))))
    return notation.tensor_product(at, *parts)


def _between(ends: dict[str, tuple[sp.Expr, bool]]) -> sp.Set:
    (low, low_open), (high, high_open) = ends[">"], ends["<"]
    return sp.Interval(low, high, left_open=low_open, right_open=high_open)
