"""Python trees of relations in ball arithmetic (python-flint), to tell a difference from rounding; nothing of dpsym.

What is rational stays exact as long as that is possible, so that equality can be told, too.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

from flint import acb, arb, ctx, fmpq

Value = Any  # fmpq where it is exact, else arb

_LARGEST_POWER = 10_000
_PIECES = 64  # of an interval over which is integrated
_MOST_DIGITS = 20_000  # bits of an exact number; beyond it becomes a ball


class Unknown(ArithmeticError):
    """It cannot be told."""


class NotReal(ArithmeticError):
    """There is certainly no real value."""


def _real(x: Value) -> arb:
    return x if isinstance(x, arb) else arb(x)


def _at(special: dict[int, Any], ball_function: Callable[[arb], arb]) -> Callable[[Value], Value]:
    """A function that is exact at some integers."""

    def value(x: Value) -> Value:
        if isinstance(x, fmpq) and x.q == 1 and int(x.p) in special:
            return fmpq(special[int(x.p)])
        return ball_function(_real(x))

    return value


def _log(x: Value) -> Value:
    if x <= 0:
        raise NotReal
    return fmpq(0) if isinstance(x, fmpq) and x == 1 else _real(x).log()


def _sqrt(x: Value) -> Value:
    if x < 0:
        raise NotReal
    if isinstance(x, fmpq):
        roots = [_exact_root(n) for n in (int(x.p), int(x.q))]
        if None not in roots:
            return fmpq(roots[0], roots[1])
    return _real(x).sqrt()


def _exact_root(n: int) -> int | None:
    from math import isqrt

    root = isqrt(n)
    return root if root * root == n else None


def _quantile(p: Value) -> Value:
    if p <= 0 or p >= 1:
        raise NotReal
    if isinstance(p, fmpq) and p == fmpq(1, 2):
        return fmpq(0)
    return arb(2).sqrt() * (2 * _real(p) - 1).erfinv()


def _normal(x: Value) -> Value:
    return fmpq(1, 2) if isinstance(x, fmpq) and x == 0 else (-_real(x) / arb(2).sqrt()).erfc() / 2


def _absolute(x: Value) -> Value:
    return abs(x) if isinstance(x, arb) or x >= 0 else -x


def _sign(x: Value) -> Value:
    if x > 0:
        return fmpq(1)
    if x < 0:
        return fmpq(-1)
    if isinstance(x, fmpq) or x.is_zero():
        return fmpq(0)
    raise Unknown


def _step(exact: Callable[[fmpq], Any], of_ball: Callable[[arb], arb]) -> Callable[[Value], Value]:
    def value(x: Value) -> Value:
        if isinstance(x, fmpq):
            return fmpq(exact(x))
        found = of_ball(x)
        return fmpq(int(found.unique_fmpz())) if found.is_integer() else found

    return value


def _inside(low: Any, high: Any, function: Callable[[Value], Value], *, open_: bool) -> Callable[[Value], Value]:
    def value(x: Value) -> Value:
        below = low is not None and (x < low or (open_ and isinstance(x, fmpq) and x == low))
        above = high is not None and (x > high or (open_ and isinstance(x, fmpq) and x == high))
        if below or above:
            raise NotReal
        return function(x)

    return value


def _gamma(x: Value) -> Value:
    if isinstance(x, fmpq) and x.q == 1:
        if x <= 0:
            raise NotReal
        if x < 1000:
            return reduce(lambda a, b: a * b, (fmpq(i) for i in range(1, int(x.p))), fmpq(1))
    return _real(x).gamma()


def _factorial(n: Value) -> Value:
    return _gamma(n + 1)


def _binomial(n: Value, k: Value) -> Value:
    if all(isinstance(x, fmpq) and x.q == 1 for x in (n, k)) and 0 <= n < 10**4:
        from math import comb

        return fmpq(comb(int(n.p), int(k.p)) if k >= 0 else 0)
    return _gamma(n + 1) / (_gamma(k + 1) * _gamma(n - k + 1))


def _harmonic(n: Value) -> Value:
    if isinstance(n, fmpq) and n.q == 1 and 0 <= n < 1000:
        return sum((fmpq(1, i) for i in range(1, int(n.p) + 1)), fmpq(0))
    return (_real(n) + 1).digamma() + arb.const_euler()


def _tan(x: Value) -> Value:
    return _at({0: 0}, arb.tan)(x)


def _least(*values: Value) -> Value:
    return _extreme(values, arb.min, lambda a, b: a < b)


def _largest(*values: Value) -> Value:
    return _extreme(values, arb.max, lambda a, b: a > b)


def _extreme(values: tuple[Value, ...], of_balls: Any, before: Any) -> Value:
    best = values[0]
    for other in values[1:]:
        if isinstance(best, fmpq) and isinstance(other, fmpq):
            best = other if before(other, best) else best
        elif before(_real(other), _real(best)):
            best = other
        elif not before(_real(best), _real(other)):
            best = of_balls(_real(best), _real(other))
    return best


def _bessel(order: Value, x: Value) -> Value:
    if x < 0:
        raise NotReal
    return acb(_real(x)).bessel_i(acb(_real(order))).real


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "exp": _at({0: 1}, arb.exp), "log": _log, "ln": _log, "sqrt": _sqrt, "abs": _absolute, "sign": _sign,
    "floor": _step(lambda x: x.p // x.q, arb.floor), "ceil": _step(lambda x: -((-x.p) // x.q), arb.ceil),
    "sinh": _at({0: 0}, arb.sinh), "cosh": _at({0: 1}, arb.cosh), "tanh": _at({0: 0}, arb.tanh),
    "sin": _at({0: 0}, arb.sin), "cos": _at({0: 1}, arb.cos), "tan": _tan, "atan": _at({0: 0}, arb.atan),
    "asin": _inside(-1, 1, _at({0: 0}, arb.asin), open_=False), "asinh": _at({0: 0}, arb.asinh),
    "acos": _inside(-1, 1, _at({1: 0}, arb.acos), open_=False), "coth": lambda x: 1 / _real(x).tanh(),
    "acosh": _inside(1, None, _at({1: 0}, arb.acosh), open_=False),
    "atanh": _inside(-1, 1, _at({0: 0}, arb.atanh), open_=True),
    "erf": _at({0: 0}, arb.erf), "erfc": _at({0: 1}, arb.erfc), "gamma": _gamma, "Phi_inv": _quantile,
    "loggamma": _inside(0, None, _at({1: 0, 2: 0}, arb.lgamma), open_=True),
    "min": _least, "max": _largest, "Phi": _normal, "besseli": _bessel,
    "phi": lambda x: (-_real(x) * _real(x) / 2).exp() / (2 * arb.pi()).sqrt(),
    "factorial": _factorial, "harmonic": _harmonic, "binomial": _binomial,
}  # fmt: skip


def ball(node: ast.expr, env: Mapping[str, Value]) -> Value:
    """The value, exact or as a ball at the working precision.

    Raises:
        NotReal: where an operation is certainly outside its domain.
        Unknown: for what is not known here, and where a ball is not finite.
    """
    found = _ball(node, env)
    if isinstance(found, arb) and not found.is_finite():
        raise Unknown
    if isinstance(found, fmpq) and max(found.p.bit_length(), found.q.bit_length()) > _MOST_DIGITS:
        return arb(found)
    return found


def _ball(node: ast.expr, env: Mapping[str, Value]) -> Value:
    match node:
        case ast.Constant(value=n):
            return fmpq(n) if isinstance(n, int) else fmpq(*map(int, _fraction(str(n))))
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
        case ast.Call(func=ast.Name(id="piecewise")):
            return _cases(node.args, env)
        case ast.Call(func=ast.Name(id="integral" | "minimum" | "maximum" as kind)):
            return _everywhere(kind, node.args, env)
        case ast.Call(func=ast.Name(id=name)) if name in FUNCTIONS:
            return FUNCTIONS[name](*(ball(a, env) for a in node.args))
    raise Unknown


def _fraction(text: str) -> tuple[str, str]:
    mantissa, _, exponent = text.partition("e")
    whole, _, part = mantissa.partition(".")
    power = int(exponent or 0) - len(part)
    return (whole + part + "0" * max(0, power), "1" + "0" * max(0, -power))


def _operation(op: ast.operator, a: Value, b: Value) -> Value:
    exact = isinstance(a, fmpq) and isinstance(b, fmpq)
    if not exact:
        a, b = (_real(a), _real(b)) if not isinstance(op, ast.Mult | ast.Pow) else (a, b)
    match op:
        case ast.Add():
            return a + b
        case ast.Sub():
            return a - b
        case ast.Mult():
            if any(isinstance(x, fmpq) and x == 0 for x in (a, b)):
                return fmpq(0)  # the other one is a finite real number
            return a * b if exact else _real(a) * _real(b)
        case ast.Div():
            if b == 0:
                raise NotReal
            return a / b
    return _power(a, b)


def _power(a: Value, b: Value) -> Value:
    if isinstance(b, fmpq) and b.q == 1:
        n = int(b.p)
        if n < 0 and a == 0:
            raise NotReal
        small = abs(n) <= _LARGEST_POWER
        return a**n if small else _real(a) ** n
    if isinstance(a, fmpq) and a == 1:
        return a
    if isinstance(b, fmpq) and b.q == 2 and abs(b.p) <= _LARGEST_POWER and (isinstance(a, arb) or a != 0):
        return _sqrt(a) ** int(b.p)
    x, y = _real(a), _real(b)
    if x < 0 and (isinstance(b, fmpq) or not y.contains_integer()):
        raise NotReal
    if a == 0:
        if y < 0:
            raise NotReal
        return fmpq(0) if y > 0 else arb.nan()
    return (y * x.log()).exp() if x > 0 else arb.nan()


def _series(kind: str, args: list[ast.expr], env: Mapping[str, Value]) -> Value:
    variable, low, high = args[1], ball(args[2], env), ball(args[3], env)
    if not (isinstance(variable, ast.Name) and all(isinstance(x, fmpq) and x.q == 1 for x in (low, high))):
        raise Unknown
    total: Value = fmpq(0 if kind == "sum" else 1)
    for i in range(int(low.p), int(high.p) + 1):
        term = ball(args[0], {**env, variable.id: fmpq(i)})
        total = _operation(ast.Add() if kind == "sum" else ast.Mult(), total, term)
        if isinstance(total, fmpq) and max(total.p.bit_length(), total.q.bit_length()) > _MOST_DIGITS:
            total = arb(total)
    return total


def _cases(args: list[ast.expr], env: Mapping[str, Value]) -> Value:
    for value, condition in zip(args[::2], args[1::2], strict=False):
        if _condition(condition, env):
            return ball(value, env)
    if len(args) % 2:
        return ball(args[-1], env)
    raise NotReal


def _condition(node: ast.expr, env: Mapping[str, Value]) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="all" | "any" as kind)):
            return (all if kind == "all" else any)(_condition(a, env) for a in node.args)
        case ast.Compare():
            sides = [ball(s, env) for s in (node.left, *node.comparators)]
            told = [_holds(op, a, b) for op, a, b in zip(node.ops, sides, sides[1:], strict=False)]
            if False in told:
                return False
            if None not in told:
                return True
    raise Unknown


def _everywhere(kind: str, args: list[ast.expr], env: Mapping[str, Value]) -> Value:
    """An integral over a finite interval, or an optimum on one, by the range of the function there.

    Sharp where the function does not depend on its variable, and rough elsewhere.
    """
    if kind == "integral":
        variable, low, high = args[1], ball(args[2], env), ball(args[3], env)
    else:
        match args[1]:
            case ast.Compare(left=a, ops=[ast.Lt() | ast.LtE(), ast.Lt() | ast.LtE()], comparators=[variable, b]):
                low, high = ball(a, env), ball(b, env)
            case _:
                raise Unknown
    if not isinstance(variable, ast.Name):
        raise Unknown
    inside = ball(args[0], {**env, variable.id: _real(low).union(_real(high))})
    if kind != "integral" or isinstance(inside, fmpq):
        return _operation(ast.Mult(), _operation(ast.Sub(), high, low), inside) if kind == "integral" else inside
    a, step, total = _real(low), (_real(high) - _real(low)) / _PIECES, arb(0)
    for n in range(_PIECES):
        piece = (a + n * step).union(a + (n + 1) * step)
        total += step * _real(ball(args[0], {**env, variable.id: piece}))
    return total


def _holds(op: ast.cmpop, a: Value, b: Value) -> bool | None:
    if not (isinstance(a, fmpq) and isinstance(b, fmpq)):
        a, b = _real(a), _real(b)
        equal = a.is_exact() and b.is_exact() and bool(a == b)
    else:
        equal = a == b
    yes, no = {
        ast.Lt: (a < b, a >= b), ast.LtE: (a <= b, a > b), ast.Gt: (a > b, a <= b), ast.GtE: (a >= b, a < b),
        ast.Eq: (equal, a < b or a > b), ast.NotEq: (a < b or a > b, equal),
    }[type(op)]  # fmt: skip
    return True if yes else (False if no else None)


def holds(relation: ast.Compare, at: Mapping[str, fmpq], bits: int) -> bool | None:
    """Whether the chain of relations certainly holds at the point; None where that cannot be told.

    Raises:
        NotReal: where a side certainly has no value.
    """
    with ctx.workprec(bits):
        try:
            sides = [ball(s, at) for s in (relation.left, *relation.comparators)]
        except NotReal:
            raise
        except (Unknown, KeyError, ValueError, ArithmeticError, TypeError, RecursionError):
            return None
        told = [_holds(op, a, b) for op, a, b in zip(relation.ops, sides, sides[1:], strict=False)]
    return False if False in told else (None if None in told else True)


def fails(relation: ast.Compare, at: Mapping[str, fmpq], bits: int) -> bool | None:
    """Whether the relation certainly fails at the point, or has no value there; None where that cannot be told."""
    try:
        told = holds(relation, at, bits)
    except NotReal:
        return True
    return None if told is None else not told
