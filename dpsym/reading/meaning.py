"""From the tree of what was written to a SymPy expression, within limits of magnitude.

Nothing is looked up by name outside the tables here, and no number is built before its size is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from fractions import Fraction

import sympy as sp

from dpsym import notation
from dpsym.reading.errors import ReadingError
from dpsym.reading.magnitude import (
    LARGEST_DECIMAL_EXPONENT,
    MOST_DIGITS,
    call_too_large,
    power_too_large,
    too_large,
)
from dpsym.reading.partial import survives
from dpsym.reading.tree import Binary, Call, Chain, Name, Negation, Node, Number
from dpsym.relations import Relation

Names = Mapping[str, sp.Expr] | None

_ALIASES = {"eps": "epsilon", "varepsilon": "epsilon", "varphi": "phi"}
_CONSTANTS = {"pi": sp.pi, "oo": sp.oo, "e": sp.E}


def _binomial(n: sp.Expr, k: sp.Expr) -> sp.Expr:
    """SymPy would write other than integer arguments with gamma functions, and expand n(n - 1)…(n - k + 1)/k!."""
    return sp.binomial(n, k, evaluate=n.is_Integer and k.is_Integer)


_FUNCTIONS: dict[str, tuple[int, Callable[..., sp.Expr]]] = {
    "exp": (1, sp.exp), "log": (1, sp.log), "ln": (1, sp.log), "sqrt": (1, sp.sqrt), "abs": (1, sp.Abs),
    "floor": (1, sp.floor), "ceil": (1, sp.ceiling), "sinh": (1, sp.sinh), "cosh": (1, sp.cosh), "tanh": (1, sp.tanh),
    "coth": (1, sp.coth), "asinh": (1, sp.asinh), "sin": (1, sp.sin), "cos": (1, sp.cos), "tan": (1, sp.tan),
    "atan": (1, sp.atan), "Phi": (1, notation.Phi), "Phi_inv": (1, notation.Phi_inv), "phi": (1, notation.phi),
    "erf": (1, sp.erf), "erfc": (1, sp.erfc), "gamma": (1, sp.gamma), "loggamma": (1, sp.loggamma),
    "factorial": (1, sp.factorial), "harmonic": (1, sp.harmonic), "binomial": (2, _binomial),
    "D": (3, notation.renyi), "KL": (2, lambda p, q: notation.renyi(1, p, q)), "H": (3, notation.hockey_stick),
    "T": (3, notation.trade_off),
}  # fmt: skip
_BINDERS = {"sum": sp.Sum, "product": sp.Product, "integral": sp.Integral}


class Meaning:
    """Reads trees as expressions; `names` maps what is declared, None declares every name a symbol."""

    def __init__(self, text: str, names: Names = None, bound: frozenset[sp.Symbol] = frozenset()) -> None:
        self._text = text
        self._names = names
        self._bound = bound
        self.operations: list[tuple[str, tuple[sp.Expr, ...]]] = []  # partial operations, as written

    def relation(self, node: Node) -> list[Relation]:
        """A chain as its single relations.

        Raises:
            ReadingError: for an expression that is not a relation, or what `expression` refuses.
        """
        if not isinstance(node, Chain):
            raise ReadingError("expected a relation such as a <= b", self._text, node.position)
        members = [self.expression(m) for m in node.members]
        return [
            Relation(left, op, right)  # type: ignore[arg-type]
            for left, op, right in zip(members, node.ops, members[1:], strict=False)
        ]

    def expression(self, node: Node) -> sp.Expr:
        """The expression that the tree spells.

        Raises:
            ReadingError: for an unknown name or function, a wrong number of arguments, a number out of bounds.
        """
        match node:
            case Number():
                return sp.Rational(*self._number(node).as_integer_ratio())
            case Name():
                return self._name(node)
            case Negation():
                return -self.expression(node.operand)
            case Binary():
                return self._binary(node)
            case Call():
                return self._call(node)
            case Chain():
                raise ReadingError("a relation stands where an expression is needed", self._text, node.position)

    def _number(self, node: Number) -> Fraction:
        mantissa, _, exponent = node.text.lower().partition("e")
        if len(mantissa) > MOST_DIGITS or len(exponent) > 8 or abs(int(exponent or 0)) > LARGEST_DECIMAL_EXPONENT:
            raise ReadingError(
                f"the number has more than {MOST_DIGITS} digits or an exponent beyond {LARGEST_DECIMAL_EXPONENT}",
                self._text,
                node.position,
            )
        return Fraction(node.text)

    def _name(self, node: Name) -> sp.Expr:
        name = node.text
        if self._names is None:
            if name in _CONSTANTS:
                return _CONSTANTS[name]
            if name in ("nan", "NaN", "inf", "Infinity", "infinity"):
                raise ReadingError(f"{name} is not a number here", self._text, node.position)
            if name in _FUNCTIONS or name in _BINDERS:
                raise ReadingError(f"{name} is a function; write {name}(…)", self._text, node.position)
            return sp.Symbol(_ALIASES.get(name, name))
        for spelling in (name, _ALIASES.get(name, name)):
            if spelling in self._names:
                return self._names[spelling]
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        near = get_close_matches(name, self._names, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise ReadingError(f"{name} is not declared{hint}", self._text, node.position)

    def _binary(self, node: Binary) -> sp.Expr:
        spine: list[Binary] = []  # a long sum nests to the left, deeper than Python recurses
        first: Node = node
        while isinstance(first, Binary):
            spine.append(first)
            first = first.left
        value = self.expression(first)
        factors = [value]  # multiplied at once: SymPy distributes 2*(x + y), but not 2*(x + y)*z
        for step in reversed(spine):
            right = self.expression(step.right)
            self._finite(value, step)
            self._finite(right, step)
            if step.op in ("*", "/"):
                factors.append(self._divisor(right, step) if step.op == "/" else right)
                value = sp.Mul(*factors)
            else:
                value = self._power(value, right, step) if step.op == "^" else _added(step.op, value, right)
                factors = [value]
            self._refuse(too_large(value), step)
        return value

    def _divisor(self, right: sp.Expr, node: Binary) -> sp.Expr:
        if right == 0:
            raise ReadingError("division by zero", self._text, node.position)
        self.operations.append(("/", (right,)))
        return right**-1

    def _power(self, base: sp.Expr, exponent: sp.Expr, node: Binary) -> sp.Expr:
        self._refuse(power_too_large(base, exponent), node)
        if base == 0 and not (exponent.is_Rational and exponent >= 0):
            raise ReadingError("division by zero", self._text, node.position)
        self.operations.append(("^", (base, exponent)))
        return base**exponent

    def _refuse(self, why: str | None, node: Node) -> None:
        if why is not None:
            raise ReadingError(why, self._text, node.position)

    def _finite(self, value: sp.Expr, node: Node) -> None:
        if value in (sp.oo, -sp.oo):
            raise ReadingError("oo can only be an end of a range", self._text, node.position)

    def _call(self, node: Call) -> sp.Expr:
        name, count = node.function, len(node.arguments)
        if node.named:
            raise ReadingError(f"{name} takes no named arguments", self._text, node.position)
        if self._names is not None and name in self._names:
            raise ReadingError(f"write {name}*(…): products are not implicit", self._text, node.position)
        if name in ("max", "min"):
            if not count:
                raise ReadingError(f"{name} needs an argument", self._text, node.position)
            function = sp.Max if name == "max" else sp.Min
            compared = tuple(self.expression(a) for a in node.arguments)
            self._refuse(call_too_large(name, compared), node)
            return self._made(function, compared, node)
        if name in _BINDERS or name in ("root", "limit", "minimum", "maximum"):
            return self._binder(node)
        if name not in _FUNCTIONS:
            near = get_close_matches(name, [*_FUNCTIONS, *_BINDERS, "max", "min", "root"], n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise ReadingError(f"unknown function {name}{hint}", self._text, node.position)
        arity, function = _FUNCTIONS[name]
        if count != arity:
            raise ReadingError(f"{name} takes {arity} argument(s), not {count}", self._text, node.position)
        arguments = tuple(self.expression(a) for a in node.arguments)
        if name not in ("D",):
            for argument in arguments:
                self._finite(argument, node)
        self._refuse(call_too_large(name, arguments), node)
        self.operations.append((name, arguments))
        value = self._made(function, arguments, node)
        self._refuse(too_large(value), node)
        if value.has(sp.nan, sp.zoo, sp.I) or value in (sp.oo, -sp.oo):
            raise ReadingError(f"{name}({', '.join(map(str, arguments))}) is not defined", self._text, node.position)
        return value

    def _made(self, function: Callable[..., sp.Expr], arguments: tuple[sp.Expr, ...], node: Call) -> sp.Expr:
        try:
            return function(*arguments)
        except (ArithmeticError, ValueError, TypeError, RecursionError) as error:  # SymPy, at poles and huge numbers
            raise ReadingError(f"{node.function} cannot be taken of this", self._text, node.position) from error

    def _binder(self, node: Call) -> sp.Expr:
        name, arguments = node.function, node.arguments
        wanted = {"root": 4, "limit": 3}.get(name, 4 if name in _BINDERS else 2)
        if len(arguments) < 2 or (len(arguments) != wanted and name not in ("minimum", "maximum")):
            raise ReadingError(f"{name} takes {wanted} arguments", self._text, node.position)
        if name in ("minimum", "maximum"):
            return self._optimum(node)
        variable = arguments[1]
        if not isinstance(variable, Name):
            raise ReadingError(f"the second argument of {name} is its variable", self._text, variable.position)
        symbol = sp.Symbol(variable.text)
        body = self._body(symbol, arguments[0])
        ends = [self.expression(a) for a in arguments[2:]]
        if name == "root":
            return notation.Root(sp.Lambda(symbol, body), *ends)
        if name == "limit":
            return sp.Limit(body, symbol, ends[0])
        return _BINDERS[name](body, (symbol, *ends))

    def _optimum(self, node: Call) -> sp.Expr:
        head = notation.Minimum if node.function == "minimum" else notation.Maximum
        first, *conditions = node.arguments
        variable = conditions[0].members[0] if isinstance(conditions[0], Chain) else conditions[0]
        if not isinstance(variable, Name):
            raise ReadingError(f"write {node.function}(f, x > a)", self._text, node.position)
        symbol = sp.Symbol(variable.text)
        region = sp.Interval(-sp.oo, sp.oo)
        for condition in conditions:
            if isinstance(condition, Name):
                continue
            for part in self._inside(symbol).relation(condition):
                if part.lhs != symbol or part.op not in ("<", "<=", ">", ">="):
                    raise ReadingError(f"write {node.function}(f, x > a)", self._text, condition.position)
                strict = part.op in ("<", ">")
                half = (
                    sp.Interval(part.rhs, sp.oo, left_open=strict)
                    if part.op[0] == ">"
                    else sp.Interval(-sp.oo, part.rhs, right_open=strict)
                )
                region = region.intersect(half)
        return head(sp.Lambda(symbol, self._body(symbol, first)), region)

    def _body(self, symbol: sp.Symbol, node: Node) -> sp.Expr:
        """The body of a binder; what can be undefined in it must still be seen in it."""
        if symbol in self._bound:
            raise ReadingError(f"{symbol} is already bound", self._text, node.position)
        inside = self._inside(symbol)
        body = inside.expression(node)
        for operation in inside.operations:
            if not any(symbol in argument.free_symbols for argument in operation[1]):
                self.operations.append(operation)
            elif not survives(operation, body):
                raise ReadingError(
                    f"something that may be undefined cancels under the bound {symbol}: cancel it in the text",
                    self._text,
                    node.position,
                )
        return body

    def _inside(self, symbol: sp.Symbol) -> Meaning:
        names = None if self._names is None else {**self._names, symbol.name: symbol}
        return Meaning(self._text, names, self._bound | {symbol})


def _added(op: str, left: sp.Expr, right: sp.Expr) -> sp.Expr:
    return left + right if op == "+" else left - right
