"""From the tree of what was written to a SymPy expression, within limits of magnitude.

Nothing is looked up by name outside the tables here, and no number is built before its size is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy.core.symbol import Str

from dpsym import notation
from dpsym.reading.errors import ReadingError
from dpsym.reading.magnitude import (
    LARGEST_DECIMAL_EXPONENT,
    MOST_DIGITS,
    call_too_large,
    power_too_large,
    too_large,
)
from dpsym.reading.names import canonical, declared_as
from dpsym.reading.partial import nearby, survives
from dpsym.reading.tree import Binary, Call, Chain, Name, Negation, Node, Number, mentions
from dpsym.relations import IsInteger, Proposition, Relation, is_function, substitute

_HIGHEST_DERIVATIVE = 9
_MOST_CASES = 20

Names = Mapping[str, sp.Basic] | None

_CONSTANTS = {"pi": sp.pi, "oo": sp.oo, "e": sp.E}


def _binomial(n: sp.Expr, k: sp.Expr) -> sp.Expr:
    """SymPy would write other than integer arguments with gamma functions, and expand n(n - 1)…(n - k + 1)/k!."""
    return sp.binomial(n, k, evaluate=n.is_Integer and k.is_Integer)


_FUNCTIONS: dict[str, tuple[int, Callable[..., sp.Expr]]] = {
    "exp": (1, sp.exp), "log": (1, sp.log), "ln": (1, sp.log), "sqrt": (1, sp.sqrt), "abs": (1, sp.Abs),
    "floor": (1, sp.floor), "ceil": (1, sp.ceiling), "sinh": (1, sp.sinh), "cosh": (1, sp.cosh), "tanh": (1, sp.tanh),
    "coth": (1, sp.coth), "asinh": (1, sp.asinh), "acosh": (1, sp.acosh), "atanh": (1, sp.atanh), "sin": (1, sp.sin),
    "cos": (1, sp.cos), "tan": (1, sp.tan), "cot": (1, sp.cot), "asin": (1, sp.asin), "acos": (1, sp.acos),
    "atan": (1, sp.atan), "sign": (1, sp.sign), "Phi": (1, notation.Phi), "Phi_inv": (1, notation.Phi_inv),
    "phi": (1, notation.phi), "erf": (1, sp.erf), "erfc": (1, sp.erfc), "gamma": (1, sp.gamma),
    "loggamma": (1, sp.loggamma), "factorial": (1, sp.factorial), "harmonic": (1, sp.harmonic),
    "binomial": (2, _binomial),
}  # fmt: skip
_RECIPROCALS = {"sec": "cos", "csc": "sin", "sech": "cosh", "csch": "sinh"}
# functions of distributions: how many numbers they take first, and how many distributions
_OF_DISTRIBUTIONS: dict[str, tuple[int, int, Callable[..., sp.Expr]]] = {
    "D": (1, 2, notation.renyi), "KL": (0, 2, lambda p, q: notation.renyi(1, p, q)), "H": (1, 2, notation.hockey_stick),
    "T": (1, 2, notation.trade_off), "ess_sup": (0, 1, notation.essential_supremum),
    "ess_inf": (0, 1, notation.essential_infimum),
}  # fmt: skip
_BINDERS = {"sum": sp.Sum, "product": sp.Product, "integral": sp.Integral}
_OPTIMA = {
    "minimum": notation.Minimum, "maximum": notation.Maximum, "argmin": notation.ArgMinimum,
    "argmax": notation.ArgMaximum,
}  # fmt: skip
_BINDING = frozenset({*_BINDERS, *_OPTIMA, "tensor", "root", "limit", "diff", "E", "Pr"})
_SYMPY_RELATIONS = {"=": sp.Eq, "!=": sp.Ne, "<": sp.Lt, "<=": sp.Le, ">": sp.Gt, ">=": sp.Ge}


class Meaning:
    """Reads trees as expressions; `names` maps what is declared, None declares every name a symbol.

    `random` are the names of declared distributions (None: any name may be one), which stand for their outcome
    inside ``E[…]`` and ``Pr[…]`` and have no value outside; `conditions` tell the side of a limit that is written
    without one.
    """

    def __init__(
        self,
        text: str,
        names: Names = None,
        bound: frozenset[sp.Symbol] = frozenset(),
        *,
        random: frozenset[str] | None = None,
        conditions: tuple[Proposition, ...] = (),
    ) -> None:
        self._text = text
        self._names = names
        self._bound = bound
        self._random = random
        self._conditions = conditions
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
        indices = {s.name for s in self._bound}.intersection(name.rstrip("'").split("_")[1:])
        if indices and sp.Symbol(canonical(name)) not in self._bound:
            raise ReadingError(
                f"is {name} the same for every {min(indices)}? rename the name or the bound {min(indices)}",
                self._text,
                node.position,
            )
        if self._names is None:
            if name in _CONSTANTS:
                return _CONSTANTS[name]
            if name in ("nan", "NaN", "inf", "Infinity", "infinity"):
                raise ReadingError(f"{name} is not a number here", self._text, node.position)
            if name in _FUNCTIONS or name in _BINDERS:
                raise ReadingError(f"{name} is a function; write {name}(…)", self._text, node.position)
            return sp.Symbol(canonical(name))
        spelling = declared_as(name, self._names)
        if spelling is not None:
            value = self._names[spelling]
            if spelling in (self._random or ()) or isinstance(value, notation.privacy_loss):
                raise ReadingError(
                    f"{name} is a distribution, not a value: write E[…], Pr[…] or a divergence",
                    self._text,
                    node.position,
                )
            if is_function(value):
                raise ReadingError(f"{name} is a function; write {name}(…)", self._text, node.position)
            if not isinstance(value, sp.Symbol) and value.free_symbols & self._bound:
                raise ReadingError(
                    f"{name} stands for an expression in a variable that is bound here: write it out",
                    self._text,
                    node.position,
                )
            return value
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
            self._finite(value, step)
            if step.op == "/" and isinstance(step.right, Binary) and step.right.op == "*":
                factors += self._divisors(step.right)
                value = sp.Mul(*factors)
                self._refuse(too_large(value), step)
                continue
            right = self.expression(step.right)
            self._finite(right, step)
            if step.op in ("*", "/"):
                factors.append(self._divisor(right, step) if step.op == "/" else right)
                value = sp.Mul(*factors)
            else:
                value = self._power(value, right, step) if step.op == "^" else _added(step.op, value, right)
                factors = [value]
            self._refuse(too_large(value), step)
        return value

    def _divisors(self, node: Binary) -> list[sp.Expr]:
        """The inverses of the factors of a divisor: SymPy would distribute 2*(x + y) before it divides by it."""
        factors: list[sp.Expr] = []
        part: Node = node
        while isinstance(part, Binary) and part.op == "*":
            factors.append(self.expression(part.right))
            part = part.left
        factors.append(self.expression(part))
        for factor in factors:
            self._finite(factor, node)
        self._refuse(too_large(sp.Mul(*factors)), node)
        return [self._divisor(factor, node) for factor in reversed(factors)]

    def _divisor(self, right: sp.Expr, node: Node) -> sp.Expr:
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
        builtin = node.function.startswith("\\")  # LaTeX has settled that no declared name is meant
        if builtin:
            node = Call(node.function[1:], node.arguments, node.named, node.position)
        name, count = node.function, len(node.arguments)
        if node.named and name != "tensored":
            raise ReadingError(f"{name} takes no named arguments", self._text, node.position)
        spelling = None if builtin or self._names is None else declared_as(name, self._names)
        if spelling is not None and is_function(self._names[spelling]):  # type: ignore[index]
            return self._applied(self._names[spelling], node)  # type: ignore[index]
        if spelling is not None:
            raise ReadingError(f"write {name}*(…): products are not implicit", self._text, node.position)
        if name in ("max", "min"):
            if not count:
                raise ReadingError(f"{name} needs an argument", self._text, node.position)
            function = sp.Max if name == "max" else sp.Min
            compared = tuple(self.expression(a) for a in node.arguments)
            self._refuse(call_too_large(name, compared), node)
            return self._made(function, compared, node)
        if name == "tensor":
            return self._tensor(node)
        if name in _BINDING:
            return self._binder(node)
        if name == "piecewise":
            return self._piecewise(node)
        if name in _OF_DISTRIBUTIONS:
            return self._divergence(node)
        if name in _RECIPROCALS:
            return self._divisor(self.expression(Call(_RECIPROCALS[name], node.arguments, (), node.position)), node)
        if name in ("tensored", "mapping"):
            raise ReadingError(
                "a tensor product is a function: bracket it and write its argument", self._text, node.position
            )
        if name == "privacy_loss":
            raise ReadingError(
                "privacy_loss(P, Q) is a distribution, not a value: write E(f, z, privacy_loss(P, Q))",
                self._text,
                node.position,
            )
        if name not in _FUNCTIONS:
            near = get_close_matches(name, [*_FUNCTIONS, *_OF_DISTRIBUTIONS, *_BINDING, "max", "min", "piecewise"], n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise ReadingError(f"unknown function {name}{hint}", self._text, node.position)
        arity, function = _FUNCTIONS[name]
        if count != arity:
            raise ReadingError(f"{name} takes {arity} argument(s), not {count}", self._text, node.position)
        arguments = tuple(self.expression(a) for a in node.arguments)
        for argument in arguments:
            self._finite(argument, node)
        self._refuse(call_too_large(name, arguments), node)
        self.operations.append((name, arguments))
        value = self._made(function, arguments, node)
        self._refuse(too_large(value), node)
        if value.has(sp.nan, sp.zoo, sp.I) or value in (sp.oo, -sp.oo):
            raise ReadingError(f"{name}({', '.join(map(str, arguments))}) is not defined", self._text, node.position)
        return value

    def _divergence(self, node: Call) -> sp.Expr:
        """``D(alpha, P, Q)`` and its like: an order, which may be oo in ``D``, and distributions."""
        name = node.function
        numbers, distributions, function = _OF_DISTRIBUTIONS[name]
        if len(node.arguments) != numbers + distributions:
            raise ReadingError(
                f"{name} takes {numbers + distributions} argument(s), not {len(node.arguments)}",
                self._text,
                node.position,
            )
        orders = [self.expression(a) for a in node.arguments[:numbers]]
        for order in orders:
            if not (name == "D" and order is sp.oo):
                self._finite(order, node)
        given = [self.distribution(a) for a in node.arguments[numbers:]]
        if distributions == 2:
            self._refuse_losses(given, node.arguments[numbers:])
        return self._made(function, (*orders, *given), node)

    def distribution(self, node: Node) -> sp.Basic:
        """The distribution that is named here, or ``privacy_loss(P, Q)``.

        Raises:
            ReadingError: for anything else, and for a name that is not declared as a distribution.
        """
        if isinstance(node, Call) and node.function.lstrip("\\") == "privacy_loss" and not node.named:
            if len(node.arguments) != 2 or not all(isinstance(a, Name) for a in node.arguments):
                raise ReadingError("write privacy_loss(P, Q)", self._text, node.position)
            pair = [self.distribution(a) for a in node.arguments]
            self._refuse_losses(pair, node.arguments)
            return notation.privacy_loss(*pair)
        if not isinstance(node, Name):
            raise ReadingError("expected the name of a distribution", self._text, node.position)
        if self._names is None:
            return self._name(node)
        spelling = declared_as(node.text, self._names)
        if spelling is None or sp.Symbol(spelling) in self._bound or not self._may_be_random(spelling):
            raise ReadingError(f"{node.text} is not declared as a distribution", self._text, node.position)
        return self._names[spelling]

    def _refuse_losses(self, given: list[sp.Basic], written: tuple[Node, ...]) -> None:
        for value, node in zip(given, written, strict=True):
            if isinstance(value, notation.privacy_loss):
                raise ReadingError("expected a distribution of outputs, found one of privacy losses",
                                   self._text, node.position)  # fmt: skip

    def _may_be_random(self, spelling: str) -> bool:
        value = self._names[spelling]  # type: ignore[index]
        if isinstance(value, notation.privacy_loss):
            return True
        return spelling in self._random if self._random is not None else isinstance(value, sp.Symbol)

    def _made(self, function: Callable[..., sp.Expr], arguments: tuple[sp.Expr, ...], node: Call) -> sp.Expr:
        try:
            return function(*arguments)
        except (ArithmeticError, ValueError, TypeError, RecursionError) as error:  # SymPy, at poles and huge numbers
            raise ReadingError(f"{node.function} cannot be taken of this", self._text, node.position) from error

    def _applied(self, function: Any, node: Call) -> sp.Expr:
        arguments = tuple(self.expression(a) for a in node.arguments)
        if not arguments:
            raise ReadingError(f"{node.function} needs an argument", self._text, node.position)
        for argument in arguments:
            self._finite(argument, node)
        return function(*arguments)

    def _binder(self, node: Call) -> sp.Expr:
        name, arguments = node.function, node.arguments
        if name in ("E", "Pr"):
            return self._expectation(node)
        wanted = {"root": (4,), "limit": (3, 4), "diff": (2, 3, 4)}.get(name, (4,) if name in _BINDERS else (2,))
        if len(arguments) < 2 or (len(arguments) not in wanted and name not in _OPTIMA):
            raise ReadingError(f"{name} takes {' or '.join(map(str, wanted))} arguments", self._text, node.position)
        if name in _OPTIMA:
            return self._optimum(node)
        variable = arguments[1]
        if not isinstance(variable, Name):
            raise ReadingError(f"the second argument of {name} is its variable", self._text, variable.position)
        symbol = self._variable(variable)
        ends = [self.expression(a) for a in arguments[2:]]
        if name == "diff":
            return self._derivative(node, symbol, ends)
        if any(symbol in end.free_symbols for end in ends):
            raise ReadingError(
                f"the range of {variable.text} mentions it: rename one of them", self._text, node.position
            )
        body = self._body(symbol, arguments[0], near=name == "limit")
        if name == "root":
            return notation.Root(sp.Lambda(symbol, body), *ends)
        if name == "limit":
            return self._limit(node, body, symbol, ends)
        return _BINDERS[name](body, (symbol, *ends))

    def _derivative(self, node: Call, symbol: sp.Symbol, ends: list[sp.Expr]) -> sp.Expr:
        """``diff(f, x)``, ``diff(f, x, n)`` and ``diff(f, x, n, point)``."""
        order = ends[0] if ends else sp.Integer(1)
        if not isinstance(order, sp.Integer) or not 1 <= order <= _HIGHEST_DERIVATIVE:
            raise ReadingError(f"the order is a number from 1 to {_HIGHEST_DERIVATIVE}", self._text, node.position)
        inside = self._inside(symbol)
        body = inside.expression(node.arguments[0])
        point = ends[1] if len(ends) > 1 else self.expression(node.arguments[1])
        for name, operands in inside.operations:  # the function must be defined where it is differentiated
            self.operations.append((name, tuple(substitute(o, {symbol: point}) for o in operands)))
        return notation.derivative(sp.Lambda(symbol, body), order, point)

    def _limit(self, node: Call, body: sp.Expr, symbol: sp.Symbol, ends: list[sp.Expr]) -> sp.Expr:
        """``limit(f, x, a)``, from the side where x is declared; ``limit(f, x, a, 1)`` from above, -1 from below."""
        point = ends[0]
        if len(ends) > 1:
            if ends[1] not in (1, -1) or point in (sp.oo, -sp.oo):
                raise ReadingError("the side of a limit is 1 (from above) or -1", self._text, node.position)
            return sp.Limit(body, symbol, point, "+" if ends[1] == 1 else "-")
        if point in (sp.oo, -sp.oo):
            return sp.Limit(body, symbol, point)
        return sp.Limit(body, symbol, point, self._side(symbol, point))

    def _side(self, symbol: sp.Symbol, point: sp.Expr) -> str:
        for item in self._conditions:
            for side in (item, item.swapped) if isinstance(item, Relation) else ():
                if side.lhs == symbol and side.rhs == point and side.op in (">", ">=", "<", "<="):
                    return "+" if side.op[0] == ">" else "-"
        return "+-"

    def _expectation(self, node: Call) -> sp.Expr:
        """``E(f, x, P)`` and ``Pr(x > t, x, P)``; a declared distribution stands for its own outcome."""
        arguments = node.arguments
        if not 1 <= len(arguments) <= 3:
            raise ReadingError(f"write {node.function}(…, x, P)", self._text, node.position)
        if len(arguments) < 3:
            arguments = (arguments[0], *self._outcome(node))
        body, variable, source = arguments
        if not isinstance(variable, Name):
            raise ReadingError(f"the second argument of {node.function} is its variable", self._text, node.position)
        distribution = self.distribution(source)
        symbol = self._variable(variable)
        if node.function == "E":
            return notation.expectation(sp.Lambda(symbol, self._body(symbol, body)), distribution)
        if not isinstance(body, Chain):
            raise ReadingError("expected a condition such as x > t", self._text, body.position)
        members = [self._body(symbol, member) for member in body.members]
        ops = [Str(op) for op in body.ops]
        parts = [members[0], *(part for pair in zip(ops, members[1:], strict=True) for part in pair)]
        return notation.probability(sp.Lambda(symbol, notation.event(*parts)), distribution)

    def _outcome(self, node: Call) -> tuple[Node, Node]:
        random = sorted(self._random or ())
        names = [n for n in random if mentions(node.arguments[0], n)]
        if len(node.arguments) == 2:
            given = node.arguments[1]
            names = [given.text] if isinstance(given, Name) and canonical(given.text) in random else []
        if len(names) != 1:
            raise ReadingError(
                f"{node.function} over what? name the outcome and its distribution", self._text, node.position
            )
        name = Name(names[0], node.position)
        return name, name

    def _tensor(self, node: Call) -> sp.Expr:
        """``tensor(a, f(a), k, g(a), m, …)``: the product of these functions of a, k and m times, at a."""
        variable, *rest = node.arguments or (node,)
        if not isinstance(variable, Name) or not rest:
            raise ReadingError("write tensor(a, f(a), k, …)", self._text, node.position)
        symbol = self._variable(variable)
        at = self.expression(rest.pop() if len(rest) % 2 else variable)
        parts: list[sp.Basic] = []
        for body, times in zip(rest[::2], rest[1::2], strict=True):
            parts += [sp.Lambda(symbol, self._body(symbol, body)), self.expression(times)]
        return notation.tensor_product(at, *parts)

    def _piecewise(self, node: Call) -> sp.Expr:
        """``piecewise(value, condition, …, otherwise)``, the first condition that holds; also all(…) and any(…)."""
        arguments = node.arguments
        if len(arguments) < 2 or len(arguments) > _MOST_CASES:
            raise ReadingError("write piecewise(value, condition, …, otherwise)", self._text, node.position)
        branches = [
            (self._branch(value), self._condition(condition))
            for value, condition in zip(arguments[::2], arguments[1::2], strict=False)
        ]
        if len(arguments) % 2:
            branches.append((self._branch(arguments[-1]), sp.true))
        return self._made(sp.Piecewise, tuple(branches), node)

    def _branch(self, node: Node) -> sp.Expr:
        """A value that matters only under its condition: nothing that can be undefined may cancel in it."""
        inside = Meaning(self._text, self._names, self._bound, random=self._random, conditions=self._conditions)
        value = inside.expression(node)
        if not all(survives(operation, value) for operation in inside.operations):
            raise ReadingError("something that may be undefined cancels in this case", self._text, node.position)
        return value

    def _condition(self, node: Node) -> sp.Basic:
        if isinstance(node, Call) and node.function in ("all", "any"):
            return (sp.And if node.function == "all" else sp.Or)(*map(self._condition, node.arguments))
        relations = self.relation(node)
        return sp.And(*(_SYMPY_RELATIONS[r.op](r.lhs, r.rhs) for r in relations))

    def _optimum(self, node: Call) -> sp.Expr:
        head = _OPTIMA[node.function]
        first, *conditions = node.arguments
        variable = conditions[0]
        if isinstance(variable, Chain):  # x > a or a < x < b
            variable = variable.members[len(variable.members) // 2 if len(variable.members) == 3 else 0]
        if not isinstance(variable, Name):
            what = f"write {node.function}(f, x > a) or {node.function}(f, a < x < b)"
            raise ReadingError(what, self._text, node.position)
        symbol = self._variable(variable)
        if IsInteger(symbol) in self._conditions:
            what = f"{variable.text} is declared an integer, and optima are over real numbers: use another name"
            raise ReadingError(what, self._text, node.position)
        whole = {">": (-sp.oo, True), "<": (sp.oo, True)}  # by the direction of the condition: an end, whether open
        region, ends = sp.Interval(-sp.oo, sp.oo), whole
        for condition in conditions:
            if isinstance(condition, Name):
                continue
            for part in self._inside(symbol).relation(condition):
                part = part.swapped if part.rhs == symbol else part
                if part.lhs != symbol or symbol in part.rhs.free_symbols or part.op not in ("<", "<=", ">", ">="):
                    what = f"write {node.function}(f, x > a) or {node.function}(f, a < x < b)"
                    raise ReadingError(what, self._text, condition.position)
                if not ends[part.op[0]][0].is_infinite:  # a second bound from the same side
                    region, ends = region.intersect(_between(ends)), whole
                ends = ends | {part.op[0]: (part.rhs, part.op in ("<", ">"))}
        region = _between(ends) if region == sp.Reals else region.intersect(_between(ends))
        return head(sp.Lambda(symbol, self._body(symbol, first)), region)

    def _body(self, symbol: sp.Symbol, node: Node, *, near: bool = False) -> sp.Expr:
        """The body of a binder; what can be undefined in it must still be seen in it, at some values or `near` one."""
        if symbol in self._bound:
            raise ReadingError(f"{symbol} is already bound", self._text, node.position)
        inside = self._inside(symbol)
        body = inside.expression(node)
        for operation in inside.operations:
            if not any(symbol in argument.free_symbols for argument in operation[1]):
                self.operations.append(operation)
            elif survives(operation, body):
                continue
            elif near and (divisors := nearby(operation, body, symbol)) is not None:
                self.operations += [("/", (divisor,)) for divisor in divisors]
            else:
                raise ReadingError(
                    f"something that may be undefined cancels under the bound {symbol}: cancel it in the text",
                    self._text,
                    node.position,
                )
        return body

    def _variable(self, node: Name) -> sp.Symbol:
        spelling = None if self._names is None else declared_as(node.text, self._names)
        return sp.Symbol(spelling or canonical(node.text))

    def _inside(self, symbol: sp.Symbol) -> Meaning:
        names = None if self._names is None else {**self._names, symbol.name: symbol}
        return Meaning(
            self._text,
            names,
            self._bound | {symbol},
            random=None if self._random is None else self._random - {symbol.name},
            conditions=self._conditions,
        )


def _added(op: str, left: sp.Expr, right: sp.Expr) -> sp.Expr:
    return left + right if op == "+" else left - right


def _between(ends: dict[str, tuple[sp.Expr, bool]]) -> sp.Set:
    (low, low_open), (high, high_open) = ends[">"], ends["<"]
    return sp.Interval(low, high, left_open=low_open, right_open=high_open)
