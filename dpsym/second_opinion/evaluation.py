"""A syntax tree at a point: its value as it is written, nothing cancelled, in one of two kinds of number."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from fractions import Fraction
from functools import cache

from dpsym.language import names
from dpsym.language.tree import Binary, Call, Chain, Name, Negation, Node, Number
from dpsym.second_opinion import arithmetic
from dpsym.second_opinion.arithmetic import Arithmetic, Unable, Unclear, Undefined
from dpsym.second_opinion.context import Context, names_in

Value = arithmetic.Number
Local = Mapping[str, Value]  # bound variables

DIGITS = 30  # to which two sides that cannot be told apart have to agree
_MOST_DIGITS = 400  # of a literal, and its exponent: a Fraction is made of it


canonical, _exactly = cache(names.canonical), cache(Fraction)  # of what is written


class Exhausted(Exception):
    """The work that was allowed is done."""


class Truth(Enum):
    """Of a relation at a point."""

    TRUE = "true"
    NEAR = "near"  # the sides agree to all digits that are looked at, and may be equal
    FALSE = "false"


class Budget:
    """How many nodes may still be evaluated."""

    def __init__(self, work: int) -> None:
        self.left = work

    def spend(self, work: int = 1) -> None:
        """Raises: Exhausted."""
        self.left -= work
        if self.left < 0:
            raise Exhausted


class Evaluator:
    """Values at one point, with one kind of number."""

    def __init__(
        self, context: Context, point: Mapping[str, Fraction], numbers: Arithmetic, budget: Budget, rough: bool = False
    ) -> None:
        self.context, self.point, self.numbers, self.budget = context, point, numbers, budget
        self.rough = rough  # whether anything was only estimated
        self.indices: set[str] = set()  # bound variables that run over integers
        self._values: dict[str, Value] = {}
        self._constant: dict[int, tuple[Node, bool, Value]] = {}  # parts without bound variables, once
        self._under_way: set[str] = set()

    def afresh(self) -> Evaluator:
        """The same with nothing remembered: for another precision."""
        other = Evaluator(self.context, self.point, self.numbers, self.budget)
        other.indices = self.indices
        return other

    # --- relations
    def truth(self, chain: Chain, local: Local) -> tuple[Truth, str]:
        """Whether it holds, with both sides.

        Raises:
            Undefined, Unclear, Unable, Exhausted.
        """
        from dpsym.second_opinion.binders import OPTIMA, optimum

        values: list[Value | None] = []
        for member in chain.members:
            late = isinstance(member, Call) and member.function in OPTIMA and self.context.name(member.function) is None
            values.append(None if late else self.end(member, local))
        found = Truth.TRUE
        for at, op in enumerate(chain.ops):
            left, right = values[at], values[at + 1]
            if left is None and right is None:
                raise Unclear("two optima")
            if left is None:
                truth, shown = optimum(self, chain.members[at], op, right, local)
            elif right is None:
                turned = op.translate(str.maketrans("<>", "><"))
                truth, shown = optimum(self, chain.members[at + 1], turned, left, local)
            else:
                truth = self.compared(left, op, right)
                shown = f"{self.shown(left)} {op} {self.shown(right)} is false"
            if truth is Truth.FALSE:
                return truth, shown
            if truth is Truth.NEAR:
                found = truth
        return found, ""

    def compared(self, left: Value, op: str, right: Value) -> Truth:
        """Whether `left op right`; near where they may be equal and that is allowed."""
        if isinstance(left, float) or isinstance(right, float):  # infinite
            sign = 0 if left == right else 1 if left == float("inf") or right == -float("inf") else -1
            return Truth.TRUE if _holds(sign, op) else Truth.FALSE
        if isinstance(left, Fraction) and isinstance(right, Fraction):
            return Truth.TRUE if _holds((left > right) - (left < right), op) else Truth.FALSE
        numbers = self.numbers
        a, b = numbers.of(left), numbers.of(right)
        difference = a - b
        size = max(numbers.size(a), numbers.size(b))
        margin = numbers.size(difference) - size  # in bits
        if numbers.name == "balls":
            clear = numbers.sign(difference)
        elif size < float("inf") and margin > -2 * DIGITS:  # far from the rounding
            clear = 1 if difference > 0 else -1
        else:
            clear = None
        if self.rough and not margin > -20:
            clear = None
        if clear is not None and clear != 0:
            return Truth.TRUE if _holds(clear, op) else Truth.FALSE
        close = numbers.size(difference) <= max(size, 0) - (20 if self.rough else 3.33 * DIGITS)
        if clear == 0 or (close and op in ("=", "<=", ">=")):
            if clear == 0:
                return Truth.TRUE if _holds(0, op) else Truth.FALSE
            return Truth.NEAR
        raise Unclear("the sides cannot be told apart" if close else "not precise enough")

    def shown(self, x: Value) -> str:
        """The value in digits."""
        return ("oo" if x > 0 else "-oo") if isinstance(x, float) else arithmetic.show(x, self.numbers)

    def holds(self, condition: Node, local: Local) -> bool:
        """A condition inside a formula: a relation, `all(…)` or `any(…)`.

        Raises:
            Unclear: where it cannot be told.
        """
        if isinstance(condition, Call) and condition.function in ("all", "any"):
            wanted = condition.function == "any"
            unclear: Exception | None = None
            for inner in condition.arguments:
                try:
                    if self.holds(inner, local) is wanted:
                        return wanted
                except (Undefined, Unclear) as error:
                    unclear = error
            if unclear is not None:
                raise unclear
            return not wanted
        if not isinstance(condition, Chain):
            raise Unable("a condition that is no relation")
        truth, _ = self.truth(condition, local)
        if truth is Truth.NEAR:
            raise Unclear("a condition at its boundary")
        return truth is Truth.TRUE

    # --- values
    def end(self, node: Node, local: Local) -> Value:
        """A value, or plus or minus infinity as a float."""
        if isinstance(node, Name) and node.text == "oo":
            return float("inf")
        if isinstance(node, Negation) and isinstance(node.operand, Name) and node.operand.text == "oo":
            return -float("inf")
        return self.value(node, local)

    def value(self, node: Node, local: Local) -> Value:
        """What is written has this value here.

        Raises:
            Undefined, Unclear, Unable, Exhausted.
        """
        self.budget.spend()
        match node:
            case Number():
                if len(node.text) > _MOST_DIGITS or abs(int(node.text.lower().partition("e")[2] or 0)) > _MOST_DIGITS:
                    raise Unable("a number of many digits")
                return _exactly(node.text)
            case Name():
                return self._name(node.text, local)
            case Negation():
                return -self.value(node.operand, local)
            case Binary() | Call():
                return self._composed(node, local)
            case _:
                raise Unable("a relation where a value is needed")

    def _composed(self, node: Binary | Call, local: Local) -> Value:
        evaluate = self._binary if isinstance(node, Binary) else self._call
        if not local:
            return evaluate(node, local)  # type: ignore[arg-type]
        known = self._constant.get(id(node))  # the node is kept with it, so that nothing else is ever at this place
        if known is None:
            bound = any(self._is_bound(text, local) for text in names_in(node))
            known = (node, bound, None if bound else evaluate(node, local))  # type: ignore[arg-type]
            self._constant[id(node)] = known
        return evaluate(node, local) if known[1] else known[2]  # type: ignore[arg-type]

    def _is_bound(self, text: str, local: Local) -> bool:
        member = self.context.member(text)
        return text in local or canonical(text) in local or (member is not None and self._is_bound(member[1], local))

    def _member(self, family: str, index: Value) -> Value:
        """A member of a family, whose value is a part of the point."""
        place = f"{family}[{index}]"
        if place not in self.point:
            raise Unclear(f"{place} has no value here")
        return self.point[place]

    def _name(self, text: str, local: Local) -> Value:
        if text.startswith("\\"):  # not the user's, whatever is declared
            return self.numbers.call(text[1:], ())
        for bound in (text, canonical(text)):
            if bound in local:
                return local[bound]
        name, member = self.context.name(text), self.context.member(text)
        if member is not None and (name is None or self._is_bound(member[1], local)):  # a bound index hides a name
            family, index = member
            return self._member(family, Fraction(index) if index.isdigit() else self._name(index, local))
        if name is None:
            if text in arithmetic.CONSTANTS:
                return self.numbers.call(text, ())
            raise Unable(f"{text} is not declared" if text != "oo" else "infinity inside a formula")
        if name in self.point:
            return self.point[name]
        if name not in self.context.values:
            raise Unable(f"{name} has no value")
        if name not in self._values:
            if name in self._under_way:
                raise Unable(f"{name} is explained by itself")
            node = self.context.values[name]
            if local and not self.context.mentioned(node).isdisjoint(local):
                raise Unable(f"{name} mentions a bound variable")
            self._under_way.add(name)
            try:
                self._values[name] = self.value(node, {})
            finally:
                self._under_way.discard(name)
        return self._values[name]

    def _binary(self, node: Binary, local: Local) -> Value:
        spine: list[Binary] = []  # a long sum nests to the left
        first: Node = node
        while isinstance(first, Binary):
            spine.append(first)
            first = first.left
        value = self.value(first, local)
        for step in reversed(spine):
            self.budget.spend()
            right = self.value(step.right, local)
            if step.op == "^":
                value = arithmetic.power(value, right, self.numbers, self._is_integral(step.right))
            elif step.op == "/":
                value = arithmetic.divided(value, right, self.numbers)
            else:
                value = arithmetic.combined(step.op, value, right, self.numbers)
        return value

    def _is_integral(self, node: Node) -> bool:
        """Whether the tree is an integer by its form."""
        match node:
            case Number():
                return node.text.isdigit()
            case Name():
                name = self.context.name(node.text)
                return canonical(node.text) in self.indices or (name is not None and name in self.context.integers)
            case Negation():
                return self._is_integral(node.operand)
            case Binary(op=op) if op in ("+", "-", "*"):
                return self._is_integral(node.left) and self._is_integral(node.right)
            case _:
                return False

    def _formula(self, name: str, arguments: tuple[Value, ...], local: Local) -> Value:
        """A function that is defined by a formula."""
        variables, body = self.context.formulas[name]
        if len(variables) != len(arguments) or not self.context.mentioned(body).isdisjoint(local):
            raise Unable(f"{name} of other arguments, or of a bound variable")
        return self.value(body, dict(zip(variables, arguments, strict=True)))

    def _call(self, node: Call, local: Local) -> Value:
        from dpsym.second_opinion.binders import BINDERS

        name, builtin = node.function.removeprefix("\\"), node.function.startswith("\\")
        family = names.declared_as(name.removesuffix("[]"), self.context.families) if name.endswith("[]") else None
        if family is not None:
            return self._member(family, self.value(node.arguments[0], local))
        declared = None if builtin else self.context.name(name)
        if declared in self.context.formulas and not node.named:
            return self._formula(declared, tuple(self.value(argument, local) for argument in node.arguments), local)
        if declared is not None:
            raise Unable(f"{name} is declared, and not known")
        if node.named:
            raise Unable("named arguments")
        if name == "piecewise":
            return self._piecewise(node.arguments, local)
        if name in BINDERS:
            return BINDERS[name](self, node, local)
        if name not in arithmetic.ARITY:
            raise Unable(f"{name} is not evaluated here")
        arity = arithmetic.ARITY[name]
        if not node.arguments or (arity and len(node.arguments) != arity):
            raise Unable(f"{name} of {len(node.arguments)} arguments")
        values = tuple(self.value(argument, local) for argument in node.arguments)
        return arithmetic.apply("log" if name == "ln" else name, values, self.numbers)

    def _piecewise(self, branches: tuple[Node, ...], local: Local) -> Value:
        if len(branches) < 2:
            raise Unable("a piecewise without conditions")
        for value, condition in zip(branches[::2], branches[1::2], strict=False):
            if self.holds(condition, local):
                return self.value(value, local)
        if len(branches) % 2 == 0:
            raise Undefined("no case of a piecewise holds")
        return self.value(branches[-1], local)


def _holds(sign: int, op: str) -> bool:
    """Whether `left op right` where this is the sign of left - right."""
    return {"=": sign == 0, "!=": sign != 0, "<": sign < 0, "<=": sign <= 0, ">": sign > 0, ">=": sign >= 0}[op]


Binder = Callable[[Evaluator, Call, Local], Value]
