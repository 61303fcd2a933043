"""Limits from the inside out: of continuous functions, and where infinity leaves nothing undetermined."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TypeAlias

from flint import fmpq

from dpsym.verifying import Rejected
from dpsym.verifying.proofs.expressions import (
    FUNCTIONS,
    ZERO,
    Expression,
    Statement,
    is_opaque,
    names,
    read,
    replaced,
    statement,
    written,
)  # fmt: skip

Limit: TypeAlias = Expression | float  # math.inf or -math.inf

_AT_INFINITY: Mapping[str, tuple[str, str]] = {  # at -oo and at oo
    "exp": ("0", "oo"), "log": ("", "oo"), "Phi": ("0", "1"), "phi": ("0", "0"), "erf": ("-1", "1"), "erfc": ("2", "0"),
    "sinh": ("-oo", "oo"), "cosh": ("oo", "oo"), "tanh": ("-1", "1"), "coth": ("-1", "1"), "atan": ("-pi/2", "pi/2"),
    "asinh": ("-oo", "oo"), "acosh": ("", "oo"), "abs": ("oo", "oo"),
}  # fmt: skip


class Limits:
    """Limits of expressions as a name goes to an end.

    `known` tells what holds of the limits, `near` what holds on the way, and `vanishes` whether an expression is 0.
    """

    def __init__(
        self,
        name: str,
        end: Limit,
        known: Callable[[Statement], bool],
        near: Callable[[Statement], bool],
        vanishes: Callable[[Expression], bool],
    ) -> None:
        self._name, self._end = name, end
        self._known, self._near, self._vanishes = known, near, vanishes

    def of(self, e: Expression) -> Limit:
        """The limit; raises Rejected where these rules do not give one."""
        if self._name not in names(e):
            return e
        if e == self._name:
            return self._end
        if is_opaque(e):
            raise Rejected(f"no limit of {written(e)} is known")
        head, *inner = e
        if head == "*" and isinstance(self._end, float) and self._fades(e):
            return ZERO
        if head == "**" and not isinstance(inner[1], fmpq):
            if not self._near(Statement(inner[0], ">", ZERO)):
                raise Rejected(f"{written(inner[0])} > 0 is not known")
            return self.of(("exp", ("*", inner[1], ("log", inner[0]))))
        found = [self.of(a) for a in inner]
        match head:
            case "+":
                return self._sum(*found)
            case "-":
                return self._sum(found[0], self._product(found[1], fmpq(-1)))
            case "*":
                return self._product(*found)
            case "/":
                return self._product(found[0], self._power(inner[1], found[1], fmpq(-1)))
            case "**":
                return self._power(inner[0], found[0], inner[1])
        return self._function(head, found)

    def _fades(self, e: Expression) -> bool:
        """Whether it is the exponential of a polynomial that goes to -oo, or phi of one, times polynomials."""
        factors, waiting = list[Expression](), [e]
        while waiting:
            one = waiting.pop()
            waiting += one[1:] if isinstance(one, tuple) and one[0] == "*" else ()
            factors += [] if isinstance(one, tuple) and one[0] == "*" else [one]
        powers = [f for f in factors if isinstance(f, tuple) and f[0] in ("exp", "phi") and self._name in names(f)]
        rest = [f for f in factors if f not in powers]
        if len(powers) != 1 or not all(map(self._is_polynomial, (powers[0][1], *rest))):
            return False
        end = self.of(powers[0][1])
        return isinstance(end, float) and (end < 0 or powers[0][0] == "phi")

    def _is_polynomial(self, e: Expression) -> bool:
        if self._name not in names(e) or e == self._name:
            return True
        match e:
            case ("+" | "-" | "*", a, b):
                return self._is_polynomial(a) and self._is_polynomial(b)
            case ("/", a, b):
                return self._is_polynomial(a) and self._name not in names(b)
            case ("**", a, fmpq() as n):
                return n.q == 1 and n > 0 and self._is_polynomial(a)
        return False

    def _sum(self, a: Limit, b: Limit) -> Limit:
        if isinstance(a, float) and isinstance(b, float) and a != b:
            raise Rejected("oo - oo")
        return a if isinstance(a, float) else b if isinstance(b, float) else ("+", a, b)

    def _product(self, a: Limit, b: Limit) -> Limit:
        if not isinstance(a, float) and not isinstance(b, float):
            return ("*", a, b)
        return math.inf * self._side(a) * self._side(b)

    def _side(self, a: Limit) -> int:
        if isinstance(a, float):
            return 1 if a > 0 else -1
        for op, side in ((">", 1), ("<", -1)):
            if self._known(Statement(a, op, ZERO)):
                return side
        raise Rejected(f"the sign of {written(a)} is not known")

    def _power(self, base: Expression, size: Limit, exponent: fmpq) -> Limit:
        if exponent == 0:
            return fmpq(1)
        if isinstance(size, float):
            if size < 0 and exponent.q != 1:
                raise Rejected("a root of what is negative")
            return ZERO if exponent < 0 else size ** int(exponent.p) if exponent.q == 1 else math.inf
        if exponent < 0 and not self._known(Statement(size, "!=" if exponent.q == 1 else ">", ZERO)):
            if self._vanishes(size) and self._near(Statement(base, ">", ZERO)):
                return math.inf
            raise Rejected(f"{written(size)} != 0 is not known")
        if exponent.q != 1 and not self._known(Statement(size, ">=", ZERO)):
            raise Rejected(f"{written(size)} >= 0 is not known")
        return ("**", size, exponent)

    def _function(self, head: str, found: list[Limit]) -> Limit:
        (a, *others) = found
        if isinstance(a, float):
            said = _AT_INFINITY.get(head, ("", ""))[a > 0]
            if others or not said:
                raise Rejected(f"no limit of {head} at infinity is known")
            return math.inf * (-1 if said[0] == "-" else 1) if said.endswith("oo") else read(said)
        if head == "log" and self._vanishes(a):
            return -math.inf
        needed = [replaced(statement(need), {"a": a}) for need in FUNCTIONS[head].needs]
        if any(isinstance(o, float) for o in others) or not FUNCTIONS[head].continuous:
            raise Rejected(f"no limit of {head} is known")
        if not all(map(self._known, needed)):
            raise Rejected(f"{head} may be undefined at {written(a)}")
        return (head, *found)
