"""An expression as calls of the interval operations, which have the same names in every language."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from dpsym.core import functions
from dpsym.core.notation import Minimum, Root, Smallest
from dpsym.core.plain_printer import plain
from dpsym.core.relations import IsInteger, Proposition, Relation
from dpsym.rendering.python_code import NoPythonCode, identifier, implicit

_EXACT = 2**53  # integers up to it are doubles
_RELATIONS = {"<": "iv_less({0}, {1})", "<=": "iv_at_most({0}, {1})", ">": "iv_less({1}, {0})",
              ">=": "iv_at_most({1}, {0})", "=": "iv_equal({0}, {1})", "==": "iv_equal({0}, {1})",
              "!=": "iv_not(iv_equal({0}, {1}))"}  # fmt: skip

Inner = Callable[[sp.Lambda], str]  # how a function is passed to iv_root, iv_smallest and iv_minimum


class NoScalarCode(NoPythonCode):
    """The expression holds something that has no interval operation."""


def calls(e: sp.Basic, inner: Inner, infinity: str) -> str:
    """The expression as nested calls.

    Raises:
        NoScalarCode: naming what has no counterpart.
    """

    def of(part: sp.Basic) -> str:
        return calls(part, inner, infinity)

    match e:
        case sp.Symbol():
            return identifier(e.name)
        case sp.Rational():
            return _number(e)
        case _ if e in (sp.oo, -sp.oo):
            return f"iv_num({'-' if e == -sp.oo else ''}{infinity})"
        case _ if e is sp.pi:
            return "iv_pi()"
        case _ if e is sp.E:
            return "iv_exp(iv_num(1))"
        case sp.Add():
            return _folded("iv_add", [_negated(a, of) for a in e.args])
        case sp.Mul():
            return _product(e, of)
        case sp.Pow():
            return _power(e.base, e.exp, of)
        case sp.Max():
            return _folded("iv_max", list(map(of, e.args)))
        case sp.Min():
            return _folded("iv_min", list(map(of, e.args)))
        case sp.Piecewise():
            return _cases(e, inner, infinity)
        case Root() | Smallest() | Minimum():
            kind, function, lower, upper = implicit(e, NoScalarCode)
            return f"iv_{kind}({inner(function)}, {of(lower)}, {of(upper)})"
    function = functions.of(e)
    if function is None or not function.scalar:
        raise NoScalarCode(f"no interval operation for {type(e).__name__} in {plain(e)}")
    if callable(function.scalar):
        return of(function.scalar(*e.args))
    return f"{function.scalar}({', '.join(map(of, e.args))})"


def holds(condition: Proposition | sp.Basic, inner: Inner, infinity: str) -> str:
    """A condition as 1, 0 or -1.

    Raises:
        NoScalarCode: for what cannot be decided in intervals.
    """
    match condition:
        case IsInteger():
            x = calls(condition.expression, inner, infinity)
            return f"iv_equal({x}, iv_floor({x}))"
        case Relation():
            sides = (calls(side, inner, infinity) for side in (condition.lhs, condition.rhs))
            return _RELATIONS[condition.op].format(*sides)
        case sp.And() | sp.Or():
            name = "iv_and" if isinstance(condition, sp.And) else "iv_or"
            return _folded(name, [holds(part, inner, infinity) for part in condition.args])
        case sp.core.relational.Relational():
            sides = (calls(side, inner, infinity) for side in condition.args)
            return _RELATIONS[condition.rel_op].format(*sides)
    raise NoScalarCode(f"the condition {condition} cannot be decided in interval arithmetic")


def _number(e: sp.Rational) -> str:
    p, q = int(e.p), int(e.q)
    if abs(p) > _EXACT or q > _EXACT:
        raise NoScalarCode(f"the number {plain(e)} has too many digits for a double")
    return f"iv_num({p})" if q == 1 else f"iv_div(iv_num({p}), iv_num({q}))"


def _folded(name: str, parts: list[str]) -> str:
    text = parts[0]
    for part in parts[1:]:
        text = f"{name}({text}, {part})"
    return text


def _negated(term: sp.Expr, of: Callable[[sp.Basic], str]) -> str:
    negative = bool(term.as_coeff_Mul()[0].is_negative) and not term.is_Number
    return f"iv_neg({of(-term)})" if negative else of(term)


def _product(e: sp.Mul, of: Callable[[sp.Basic], str]) -> str:
    """One division, by all factors of the denominator, as the formula is written."""
    coefficient, rest = e.as_coeff_Mul()
    if coefficient == -1:
        return f"iv_neg({of(rest)})"
    above, below = [], []
    if isinstance(coefficient, sp.Rational):
        above += [sp.Integer(coefficient.p)] if coefficient.p != 1 else []
        below += [sp.Integer(coefficient.q)] if coefficient.q != 1 else []
    elif coefficient != 1:
        above.append(coefficient)
    for factor in sp.Mul.make_args(rest):
        if isinstance(factor, sp.Pow) and factor.base is not sp.E and factor.exp.as_coeff_Mul()[0].is_negative:
            below.append(factor.base ** (-factor.exp))
        else:
            above.append(factor)
    top = _folded("iv_mul", list(map(of, above))) if above else "iv_num(1)"
    return f"iv_div({top}, {_folded('iv_mul', list(map(of, below)))})" if below else top


def _power(base: sp.Expr, exponent: sp.Expr, of: Callable[[sp.Basic], str]) -> str:
    if base is sp.E:
        return f"iv_exp({of(exponent)})"
    if isinstance(exponent, sp.Integer):
        return f"iv_powi({of(base)}, {int(exponent)})"
    if isinstance(exponent, sp.Rational) and exponent.q == 2:
        root = f"iv_sqrt({of(base)})"
        return root if exponent.p == 1 else f"iv_powi({root}, {int(exponent.p)})"
    return f"iv_pow({of(base)}, {of(exponent)})"


def _cases(e: sp.Piecewise, inner: Inner, infinity: str) -> str:
    text = "iv_nothing()"
    for value, condition in reversed(e.args):
        body = calls(value, inner, infinity)
        text = body if condition == sp.true else f"iv_if({holds(condition, inner, infinity)}, {body}, {text})"
    return text
