"""What sums, integrals and the like have in common: bound variables, and values that are only estimated."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from dpsym.language.tree import Call, Name, Node
from dpsym.second_opinion.arithmetic import Unable, Unclear
from dpsym.second_opinion.evaluation import Evaluator, Local, Value, canonical

INFINITE = (float("inf"), -float("inf"))
TINY = Fraction(1, 10**15)  # relatively: what doubles cannot tell from nothing


def bound_name(at: Evaluator, node: Call, counts: tuple[int, ...]) -> str:
    """The variable that the operator binds."""
    if len(node.arguments) not in counts or not isinstance(node.arguments[1], Name):
        raise Unable(f"{node.function} is not understood")
    text = node.arguments[1].text
    return at.context.name(text) or canonical(text)


def an_integer(x: Value) -> int:
    """An end of a sum, or an order."""
    if not isinstance(x, Fraction) or x.denominator != 1:
        raise Unclear("an end of a sum that is no integer")
    return int(x)


def function_of(at: Evaluator, node: Node, name: str, local: Local) -> Callable[[Value], Value]:
    """The tree as a function of the bound variable."""
    return lambda x: at.value(node, {**local, name: x})


def estimated(at: Evaluator, value: Value, error: Fraction) -> Value:
    """A value with this possible error; what it goes into is compared with a wide margin."""
    at.rough = True
    return at.numbers.widened(value, error)


def middle_of(at: Evaluator, x: Value) -> Fraction:
    """An exact value close by, where the value is precise."""
    return at.numbers.middle(x)
