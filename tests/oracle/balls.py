"""Python trees of relations in ball arithmetic (python-flint), to tell a difference from rounding; nothing of dpsym."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

from flint import arb, ctx, fmpq


class Unknown(ArithmeticError):
    """It cannot be told."""


class NotReal(ArithmeticError):
    """There is certainly no real value."""


def _log(x: arb) -> arb:
    if x <= 0:
        raise NotReal
    return x.log()


def _sqrt(x: arb) -> arb:
    if x < 0:
        raise NotReal
    return x.sqrt()


def _quantile(p: arb) -> arb:
    if p <= 0 or p >= 1:
        raise NotReal
    return arb(2).sqrt() * (2 * p - 1).erfinv()


FUNCTIONS: dict[str, Callable[..., arb]] = {
    "exp": arb.exp, "log": _log, "sqrt": _sqrt, "abs": abs, "floor": arb.floor, "ceil": arb.ceil, "sinh": arb.sinh,
    "cosh": arb.cosh, "tanh": arb.tanh, "erf": arb.erf, "erfc": arb.erfc, "gamma": arb.gamma, "Phi_inv": _quantile,
    "min": lambda *v: reduce(arb.min, v), "max": lambda *v: reduce(arb.max, v),
    "Phi": lambda x: (-x / arb(2).sqrt()).erfc() / 2,
    "phi": lambda x: (-x * x / 2).exp() / (2 * arb.pi()).sqrt(),
    "factorial": lambda n: (n + 1).gamma(), "harmonic": lambda n: (n + 1).digamma() + arb.const_euler(),
    "binomial": lambda n, k: (n + 1).gamma() / ((k + 1).gamma() * (n - k + 1).gamma()),
}  # fmt: skip


def ball(node: ast.expr, env: Mapping[str, arb]) -> arb:
    """The value as a ball, at the working precision.

    Raises:
        NotReal: where an operation is certainly outside its domain.
        Unknown: for what is not known here, and where a ball is not finite.
    """
    found = _ball(node, env)
    if not found.is_finite():
        raise Unknown
    return found


def _ball(node: ast.expr, env: Mapping[str, arb]) -> arb:
    match node:
        case ast.Constant(value=n):
            text = str(n)
            return arb(n) if isinstance(n, int) else arb(fmpq(*map(int, _fraction(text))))
        case ast.Name(id=name):
            if name in env:
                return env[name]
            return {"pi": arb.pi, "e": arb.const_e}[name]()
        case ast.UnaryOp():
            return -ball(node.operand, env)
        case ast.BinOp():
            return _operation(node.op, ball(node.left, env), ball(node.right, env))
        case ast.Call(func=ast.Name(id="sum" | "product" as kind)):
            return _series(kind, node.args, env)
        case ast.Call(func=ast.Name(id=name)) if name in FUNCTIONS:
            return FUNCTIONS[name](*(ball(a, env) for a in node.args))
    raise Unknown


def _fraction(text: str) -> tuple[str, str]:
    mantissa, _, exponent = text.partition("e")
    whole, _, part = mantissa.partition(".")
    power = int(exponent or 0) - len(part)
    return (whole + part + "0" * max(0, power), "1" + "0" * max(0, -power))


def _operation(op: ast.operator, a: arb, b: arb) -> arb:
    match op:
        case ast.Add():
            return a + b
        case ast.Sub():
            return a - b
        case ast.Mult():
            return a * b
        case ast.Div():
            if b.is_zero():
                raise NotReal
            return a / b
    if b.is_integer():
        n = int(b.unique_fmpz())
        if n < 0 and a.is_zero():
            raise NotReal
        return a**n
    if a < 0 and (b.is_exact() or not b.contains_integer()):
        raise NotReal
    if a.is_zero():
        if b < 0:
            raise NotReal
        return arb(0) if b > 0 else arb.nan()
    return (b * a.log()).exp() if a > 0 else arb.nan()


def _series(kind: str, args: list[ast.expr], env: Mapping[str, arb]) -> arb:
    variable, low, high = args[1], ball(args[2], env), ball(args[3], env)
    if not (isinstance(variable, ast.Name) and low.is_integer() and high.is_integer()):
        raise Unknown
    total = arb(0 if kind == "sum" else 1)
    for i in range(int(low.unique_fmpz()), int(high.unique_fmpz()) + 1):
        term = ball(args[0], {**env, variable.id: arb(i)})
        total = total + term if kind == "sum" else total * term
    return total


def fails(relation: ast.Compare, at: Mapping[str, fmpq], bits: int) -> bool | None:
    """Whether the relation certainly fails at the point, or has no value there; None where that cannot be told."""
    with ctx.workprec(bits):
        env: dict[str, Any] = {name: arb(x) for name, x in at.items()}
        try:
            left, right = ball(relation.left, env), ball(relation.comparators[0], env)
        except NotReal:
            return True
        except (Unknown, KeyError, ValueError, ArithmeticError, TypeError):
            return None
        outcome = {
            ast.Lt: (left < right, left >= right), ast.LtE: (left <= right, left > right),
            ast.Gt: (left > right, left <= right), ast.GtE: (left >= right, left < right),
            ast.Eq: (False, left < right or left > right), ast.NotEq: (left < right or left > right, False),
        }[type(relation.ops[0])]  # fmt: skip
    return True if outcome[1] else (False if outcome[0] else None)
