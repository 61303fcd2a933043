"""A relation as the reader of a file had it: its syntax tree in the notation of certificates, nothing cancelled."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce

from dpsym.deciding.terms.translating import plain_name
from dpsym.language.errors import ReadingError
from dpsym.language.plain.grammar import parse
from dpsym.language.tree import Binary, Call, Name, Negation, Node, Number
from dpsym.verifying.proofs.expressions import FUNCTIONS

_SPELLED = {"ceil": "ceiling", "ln": "log", "D": "renyi", "H": "hockey_stick", "T": "trade_off"}


class _Unknown(Exception):
    """Something that certificates spell otherwise, or not at all."""


def relation(left: str, op: str, right: str) -> str:
    """The relation between two texts in plain notation; empty where it has no spelling of this kind."""
    try:
        return f"{_spelled(parse(left))} {op} {_spelled(parse(right))}"
    except (ReadingError, _Unknown, RecursionError):
        return ""


def _spelled(node: Node) -> str:
    match node:
        case Number(text):
            value = Fraction(text)
            return f"({value.numerator}/{value.denominator})" if value.denominator != 1 else str(value)
        case Name("e"):
            return "exp(1)"
        case Name(text):
            return _name(text)
        case Negation(operand):
            return f"(-{_spelled(operand)})"
        case Binary("^", Name("e"), exponent):
            return f"exp({_spelled(exponent)})"
        case Binary("^", base, exponent):
            return f"({_spelled(base)})**({_spelled(exponent)})"
        case Binary(op, left, right) if op in "+-*/":
            return f"({_spelled(left)} {op} {_spelled(right)})"
        case Call(function, arguments, ()):
            return _call(function, [_spelled(a) for a in arguments])
    raise _Unknown


def _call(function: str, arguments: Sequence[str]) -> str:
    if function == "sqrt" and len(arguments) == 1:
        return f"({arguments[0]})**(1/2)"
    if function in ("max", "min") and arguments:
        head = function.capitalize()
        return reduce(lambda found, a: f"{head}({a}, {found})", reversed(arguments))
    if function == "KL":
        return f"renyi(1, {', '.join(arguments)})"
    if function == "sum":
        return f"Sum({', '.join(arguments)})"
    spelled = _SPELLED.get(function, function)
    if spelled not in FUNCTIONS and function not in _SPELLED:
        raise _Unknown
    return f"{spelled}({', '.join(arguments)})"


def _name(text: str) -> str:
    """As a certificate spells the variable; where it is another the two relations differ, and this one is not used."""
    return text if text == "pi" else plain_name(text)
