"""From the tree of what was written to a SymPy expression, within limits of magnitude.

Nothing is looked up by name outside the tables here, and no number is built before its size is known.
"""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from fractions import Fraction
from typing import Any

import sympy as sp

from dpsym import notation
from dpsym.reading.magnitude import (
    LARGEST_DECIMAL_EXPONENT,
    MOST_DIGITS,
    call_too_large,
    power_too_large,
    too_large,
)
from dpsym.reading.meaning_of_binders import BINDING, bound, tensor
from dpsym.reading.meaning_of_chance import COMBINED, OF_DISTRIBUTIONS, divergence, expectation
from dpsym.reading.names import canonical, declared_as
from dpsym.reading.partial import survives
from dpsym.reading.scope import Scope
from dpsym.reading.tree import Binary, Call, Chain, Name, Negation, Node, Number
from dpsym.relations import Relation, is_function
from dpsym.spelling import plain

_MOST_CASES = 20

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
    "binomial": (2, _binomial), "besseli": (2, notation.besseli), "gammaq": (2, notation.gammaq),
}  # fmt: skip
_RECIPROCALS = {"sec": "cos", "csc": "sin", "sech": "cosh", "csch": "sinh"}
_MAY_LACK_A_VALUE = (
    sp.Sum, sp.Product, sp.Integral, sp.Limit, notation.Minimum, notation.Maximum, notation.ArgMinimum,
    notation.ArgMaximum, notation.Root, notation.derivative, notation.expectation, notation.renyi,
    notation.essential_supremum, notation.essential_infimum,
)  # fmt: skip
_SYMPY_RELATIONS = {"=": sp.Eq, "!=": sp.Ne, "<": sp.Lt, "<=": sp.Le, ">": sp.Gt, ">=": sp.Ge}


class Meaning(Scope):
    """Reads trees as expressions, in a scope."""

    def relation(self, node: Node) -> list[Relation]:
        """A chain as its single relations.

        Raises:
            ReadingError: for an expression that is not a relation, or what `expression` refuses.
        """
        if not isinstance(node, Chain):
            self.fail("expected a relation such as a <= b", node)
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
                return self.fail("a relation stands where an expression is needed", node)

    def _number(self, node: Number) -> Fraction:
        mantissa, _, exponent = node.text.lower().partition("e")
        if len(mantissa) > MOST_DIGITS or len(exponent) > 8 or abs(int(exponent or 0)) > LARGEST_DECIMAL_EXPONENT:
            self.fail(
                f"the number has more than {MOST_DIGITS} digits or an exponent beyond {LARGEST_DECIMAL_EXPONENT}", node
            )
        return Fraction(node.text)

    def _name(self, node: Name) -> sp.Expr:
        name = node.text
        indices = {s.name for s in self.bound}.intersection(name.rstrip("'").split("_")[1:])
        if indices and sp.Symbol(canonical(name)) not in self.bound:
            index = min(indices)
            self.fail(f"is {name} the same for every {index}? rename the name or the bound {index}", node)
        if self.names is None:
            if name in _CONSTANTS:
                return _CONSTANTS[name]
            if name in ("nan", "NaN", "inf", "Infinity", "infinity"):
                self.fail(f"{name} is not a number here", node)
            if name in _FUNCTIONS or name in BINDING:
                self.fail(f"{name} is a function; write {name}(…)", node)
            return sp.Symbol(canonical(name))
        spelling = declared_as(name, self.names)
        if spelling is not None:
            value = self.names[spelling]
            if spelling in (self.random or ()) or isinstance(value, notation.privacy_loss):
                self.fail(f"{name} is a distribution, not a value: write E[…], Pr[…] or a divergence", node)
            if is_function(value):
                self.fail(f"{name} is a function; write {name}(…)", node)
            if not isinstance(value, sp.Symbol) and value.free_symbols & self.bound:
                self.fail(f"{name} stands for an expression in a variable that is bound here: write it out", node)
            return value
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        near = get_close_matches(name, self.names, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        return self.fail(f"{name} is not declared{hint}", node)

    def _binary(self, node: Binary) -> sp.Expr:
        spine: list[Binary] = []  # a long sum nests to the left, deeper than Python recurses
        first: Node = node
        while isinstance(first, Binary):
            spine.append(first)
            first = first.left
        value = self.expression(first)
        valued = value.atoms(*_MAY_LACK_A_VALUE)
        factors = [value]  # multiplied at once: SymPy distributes 2*(x + y), but not 2*(x + y)*z
        for step in reversed(spine):
            self.finite(value, step)
            if step.op == "/" and isinstance(step.right, Binary) and step.right.op == "*":
                factors += self._divisors(step.right)
                value = sp.Mul(*factors)
                self.refuse(too_large(value), step)
                self._keep(valued.union(*(f.atoms(*_MAY_LACK_A_VALUE) for f in factors)), value, step)
                continue
            right = self.expression(step.right)
            self.finite(right, step)
            if step.op in ("*", "/"):
                factors.append(self._divisor(right, step) if step.op == "/" else right)
                value = sp.Mul(*factors)
            else:
                value = self._power(value, right, step) if step.op == "^" else _added(step.op, value, right)
                factors = [value]
            self.refuse(too_large(value), step)
            valued |= right.atoms(*_MAY_LACK_A_VALUE)
            self._keep(valued, value, step)
        return value

    def _keep(self, heads: set[sp.Basic], value: sp.Expr, node: Node) -> None:
        """Refuse where an integral or the like has cancelled: nobody would ask any more whether it has a value."""
        if heads and (lost := heads - value.atoms(*_MAY_LACK_A_VALUE)):
            what = plain(min(lost, key=sp.default_sort_key))
            self.fail(f"{what} cancels here, whether or not it has a value: cancel it in the text", node)

    def _divisors(self, node: Binary) -> list[sp.Expr]:
        """The inverses of the factors of a divisor: SymPy would distribute 2*(x + y) before it divides by it."""
        factors: list[sp.Expr] = []
        part: Node = node
        while isinstance(part, Binary) and part.op == "*":
            factors.append(self.expression(part.right))
            part = part.left
        factors.append(self.expression(part))
        for factor in factors:
            self.finite(factor, node)
        self.refuse(too_large(sp.Mul(*factors)), node)
        return [self._divisor(factor, node) for factor in reversed(factors)]

    def _divisor(self, right: sp.Expr, node: Node) -> sp.Expr:
        if right == 0:
            self.fail("division by zero", node)
        self.operations.append(("/", (right,)))
        return right**-1

    def _power(self, base: sp.Expr, exponent: sp.Expr, node: Binary) -> sp.Expr:
        self.refuse(power_too_large(base, exponent), node)
        if base == 0 and not (exponent.is_Rational and exponent >= 0):
            self.fail("division by zero", node)
        self.operations.append(("^", (base, exponent)))
        return base**exponent

    def _call(self, node: Call) -> sp.Expr:
        builtin = node.function.startswith("\\")  # LaTeX has settled that no declared name is meant
        if builtin:
            node = Call(node.function[1:], node.arguments, node.named, node.position)
        name, count = node.function, len(node.arguments)
        if node.named and name != "tensored":
            self.fail(f"{name} takes no named arguments", node)
        spelling = None if builtin or self.names is None else declared_as(name, self.names)
        if spelling is not None and is_function(self.names[spelling]):  # type: ignore[index]
            return self._applied(self.names[spelling], node)  # type: ignore[index]
        if spelling is not None:
            self.fail(f"write {name}*(…): products are not implicit", node)
        if name in ("max", "min"):
            if not count:
                self.fail(f"{name} needs an argument", node)
            function = sp.Max if name == "max" else sp.Min
            compared = tuple(self.expression(a) for a in node.arguments)
            self.refuse(call_too_large(name, compared), node)
            return self.made(function, compared, node)
        if name == "tensor":
            return tensor(self, node)
        if name in BINDING:
            return bound(self, node)
        if name in ("E", "Pr"):
            return expectation(self, node)
        if name == "piecewise":
            return self._piecewise(node)
        if name in OF_DISTRIBUTIONS:
            return divergence(self, node)
        if name in _RECIPROCALS:
            return self._divisor(self.expression(Call(_RECIPROCALS[name], node.arguments, (), node.position)), node)
        if name in ("tensored", "mapping"):
            self.fail("a tensor product is a function: bracket it and write its argument", node)
        if name == "privacy_loss":
            self.fail("privacy_loss(P, Q) is a distribution, not a value: write E(f, z, privacy_loss(P, Q))", node)
        if name in COMBINED:
            self.fail(f"{name}(…) is a distribution, not a value: write it inside a divergence, E(…) or Pr(…)", node)
        if name not in _FUNCTIONS:
            near = get_close_matches(
                name, [*_FUNCTIONS, *OF_DISTRIBUTIONS, *BINDING, "E", "Pr", "max", "min", "piecewise"], n=1
            )
            hint = f"; did you mean {near[0]}?" if near else ""
            self.fail(f"unknown function {name}{hint}", node)
        arity, function = _FUNCTIONS[name]
        if count != arity:
            self.fail(f"{name} takes {arity} argument(s), not {count}", node)
        arguments = tuple(self.expression(a) for a in node.arguments)
        for argument in arguments:
            self.finite(argument, node)
        self.refuse(call_too_large(name, arguments), node)
        self.operations.append((name, arguments))
        value = self.made(function, arguments, node)
        self.refuse(too_large(value), node)
        if value.has(sp.nan, sp.zoo, sp.I) or value in (sp.oo, -sp.oo):
            self.fail(f"{name}({', '.join(map(str, arguments))}) is not defined", node)
        return value

    def _applied(self, function: Any, node: Call) -> sp.Expr:
        arguments = tuple(self.expression(a) for a in node.arguments)
        if not arguments:
            self.fail(f"{node.function} needs an argument", node)
        for argument in arguments:
            self.finite(argument, node)
        return function(*arguments)

    def _piecewise(self, node: Call) -> sp.Expr:
        """``piecewise(value, condition, …, otherwise)``, the first condition that holds; also all(…) and any(…)."""
        arguments = node.arguments
        if len(arguments) < 2 or len(arguments) > _MOST_CASES:
            self.fail("write piecewise(value, condition, …, otherwise)", node)
        branches = [
            (self._branch(value), self._condition(condition))
            for value, condition in zip(arguments[::2], arguments[1::2], strict=False)
        ]
        if len(arguments) % 2:
            branches.append((self._branch(arguments[-1]), sp.true))
        return self.made(sp.Piecewise, tuple(branches), node)

    def _branch(self, node: Node) -> sp.Expr:
        """A value that matters only under its condition: nothing that can be undefined may cancel in it."""
        inside = Meaning(self.text, self.names, self.bound, random=self.random, conditions=self.conditions)
        value = inside.expression(node)
        if not all(survives(operation, value) for operation in inside.operations):
            self.fail("something that may be undefined cancels in this case", node)
        return value

    def _condition(self, node: Node) -> sp.Basic:
        if isinstance(node, Call) and node.function in ("all", "any"):
            return (sp.And if node.function == "all" else sp.Or)(*map(self._condition, node.arguments))
        relations = self.relation(node)
        return sp.And(*(_SYMPY_RELATIONS[r.op](r.lhs, r.rhs) for r in relations))


def _added(op: str, left: sp.Expr, right: sp.Expr) -> sp.Expr:
    return left + right if op == "+" else left - right
