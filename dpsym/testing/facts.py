"""Inequalities and identities whose truth is textbook, each with a point at which it is an equation.

The point is what a false relation needs: moved by however little there, the inequality fails.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from dpsym.notation import Phi
from dpsym.relations import IsInteger, Operator, Proposition, propositions

u, v, w, k = sp.symbols("u v w k")
ONE, TWO = sp.Integer(1), sp.Integer(2)


@dataclass(frozen=True)
class Fact:
    """`lhs op rhs` wherever `where` holds, with equality at `contact`.

    Attributes:
        contact: one value for each symbol.
        edge: whether it fails for every u just below 0, where the condition u >= 0 ends.
    """

    lhs: sp.Expr
    op: Operator
    rhs: sp.Expr
    contact: tuple[tuple[sp.Symbol, sp.Rational], ...]
    where: tuple[Proposition, ...] = ()
    edge: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "where", propositions(self.where))


def _expression(side: object) -> sp.Expr:
    return sp.Integer(side) if isinstance(side, int) else side


def _fact(
    lhs: object, op: Operator, rhs: object, where: tuple[object, ...] = (), *, edge: bool = False, **contact: object
) -> Fact:
    at = tuple((sp.Symbol(name), sp.Rational(value)) for name, value in contact.items())
    return Fact(_expression(lhs), op, _expression(rhs), at, where, edge)  # type: ignore[arg-type]


INEQUALITIES: tuple[Fact, ...] = (
    _fact(sp.exp(u), ">=", 1 + u, u=0),
    _fact(sp.log(1 + u), "<=", u, (u > -1,), u=0),
    _fact(u**2, ">=", 0, u=0),
    _fact(sp.cosh(u), ">=", 1 + u**2 / 2, u=0),
    _fact(sp.sqrt(1 + u), "<=", 1 + u / 2, (u >= -1,), u=0),
    _fact(Phi(-u), "<=", sp.exp(-(u**2) / 2) / 2, (u >= 0,), u=0, edge=True),
    _fact(sp.tanh(u), "<=", u, (u >= 0,), u=0, edge=True),
    _fact(sp.sinh(u), ">=", u, (u >= 0,), u=0, edge=True),
    _fact(1 - sp.exp(-u), "<=", u, u=0),
    _fact(sp.exp(-u) * (1 + u), "<=", 1, u=0),
    _fact(sp.erf(u), "<=", 2 * u / sp.sqrt(sp.pi), (u >= 0,), u=0, edge=True),
    _fact(u + 1 / u, ">=", 2, (u > 0,), u=1),
    _fact(sp.log(u), "<=", u - 1, (u > 0,), u=1),
    _fact(u * sp.log(u), ">=", u - 1, (u > 0,), u=1),
    _fact(sp.sqrt(u), "<=", (1 + u) / 2, (u >= 0,), u=1),
    _fact(u * v, "<=", (u**2 + v**2) / 2, u=1, v=1),
    _fact(sp.sqrt(u * v), "<=", (u + v) / 2, (u >= 0, v >= 0), u=2, v=2),
    _fact(sp.sqrt(u) + sp.sqrt(v), ">=", sp.sqrt(u + v), (u >= 0, v >= 0), u=0, v=3),
    _fact(sp.Max(u, v), ">=", u, u=2, v=1),
    _fact(sp.Abs(u), ">=", u, u=1),
    _fact(sp.Abs(u + v), "<=", sp.Abs(u) + sp.Abs(v), u=1, v=2),
    _fact(u * w + v / (w - 1), ">=", u + 2 * sp.sqrt(u * v), (u > 0, v > 0, w > 1), u=1, v=4, w=3),
    _fact(sp.log(1 + v * (sp.exp(u) - 1)), "<=", u, (u >= 0, v >= 0, v <= 1), u=1, v=1),
    _fact(sp.log(1 + v * (sp.exp(u) - 1)), ">=", v * u, (u >= 0, v >= 0, v <= 1), u=0, v=sp.Rational(1, 3)),
    _fact((1 + u) ** k, ">=", 1 + k * u, (u >= -1, IsInteger(k), k >= 1), u=0, k=3),
    _fact((1 - v) ** k, ">=", 1 - k * v, (v >= 0, v <= 1, IsInteger(k), k >= 1), v=sp.Rational(1, 4), k=1),
    _fact(k**2, ">=", 2 * k - 1, (IsInteger(k), k >= 1), k=1),
    _fact(2**k, ">=", k + 1, (IsInteger(k), k >= 0), k=1),
    _fact(w / (1 + w), "<=", w, (w >= 0,), w=0),
    _fact(sp.log(sp.cosh(u)), "<=", u**2 / 2, u=0),
    _fact(u**2 + v**2, ">=", 2 * u * v, u=sp.Rational(1, 2), v=sp.Rational(1, 2)),
    _fact(sp.exp(u) + sp.exp(-u), "<=", 2 * sp.exp(u**2 / 2), u=0),
)

IDENTITIES: tuple[Fact, ...] = (
    _fact(sp.exp(u) * sp.exp(v + 1), "=", sp.exp(u + v + 1), u=1, v=0),
    _fact(sp.log(u) + sp.log(v), "=", sp.log(u * v), (u > 0, v > 0), u=2, v=3),
    _fact((u + v) ** 3, "=", u**3 + 3 * u**2 * v + 3 * u * v**2 + v**3, u=1, v=1),
    _fact(sp.cosh(u) ** 2 - sp.sinh(u) ** 2, "=", 1, u=1),
    _fact(sp.tanh(u), "=", (sp.exp(2 * u) - 1) / (sp.exp(2 * u) + 1), u=1),
    _fact(Phi(u) + Phi(-u), "=", 1, u=1),
    _fact(sp.sqrt(u**2), "=", sp.Abs(u), u=-2),
    _fact(sp.log((sp.exp(2 * u) - 1) / (sp.exp(u) - 1)), "=", sp.log(sp.exp(u) + 1), (u > 0,), u=1),
    _fact(sp.Max(u, v) + sp.Min(u, v), "=", u + v, u=1, v=2),
    _fact(sp.Sum(w, (w, 1, k)), "=", k * (k + 1) / 2, (IsInteger(k), k >= 1), k=4),
    _fact(1 / u - 1 / (u + 1), "=", 1 / (u * (u + 1)), (u > 0,), u=1),
    _fact(sp.sqrt(u) * sp.sqrt(v), "=", sp.sqrt(u * v), (u >= 0, v >= 0), u=2, v=3),
    _fact(u**v * u**w, "=", u ** (v + w), (u > 0,), u=2, v=1, w=3),
    _fact((u**2 - 1) / (u - 1), "=", u + 1, (u > 1,), u=3),
)
