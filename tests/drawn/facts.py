"""Inequalities and identities whose truth is textbook, each with a point at which it is an equation.

The point is what a false relation needs: moved by however little there, the inequality fails.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from dpsym.core.notation import Phi, Phi_inv, phi
from dpsym.core.relations import IsInteger, Operator, Proposition, propositions

u, v, w, k = sp.symbols("u v w k")
i, t = sp.symbols("i t")  # bound
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
    # elementary, of one variable
    _fact(sp.exp(u), "<=", 1 / (1 - u), (u < 1,), u=0),
    _fact(sp.log(1 + u), ">=", u / (1 + u), (u > -1,), u=0),
    _fact(sp.log(1 + u), ">=", u - u**2 / 2, (u >= 0,), u=0, edge=True),
    _fact(sp.sinh(u), "<=", u * sp.cosh(u), (u >= 0,), u=0, edge=True),
    _fact(sp.tanh(u), ">=", u - u**3 / 3, (u >= 0,), u=0, edge=True),
    _fact(sp.atan(u), "<=", u, (u >= 0,), u=0, edge=True),
    _fact(sp.atan(u), ">=", u - u**3 / 3, (u >= 0,), u=0, edge=True),
    _fact(sp.sin(u), "<=", u, (u >= 0,), u=0, edge=True),
    _fact(sp.cos(u), ">=", 1 - u**2 / 2, u=0),
    _fact(sp.asinh(u), "<=", u, (u >= 0,), u=0, edge=True),
    _fact(sp.cosh(u), "<=", sp.exp(u**2 / 2), u=0),
    _fact((sp.exp(u) - 1) / (sp.exp(u) + 1), "<=", u / 2, (u >= 0,), u=0, edge=True),
    _fact(u**u, ">=", sp.exp(u - 1), (u > 0,), u=1),
    _fact(sp.log(u) ** 2, "<=", (u - 1) ** 2 / u, (u > 0,), u=1),
    _fact(sp.sqrt(1 + u**2), "<=", 1 + u**2 / 2, u=0),
    _fact(sp.log(1 + sp.exp(u)), ">=", sp.log(2) + u / 2, u=0),
    _fact(sp.log(1 + sp.exp(u)), "<=", sp.log(2) + u / 2 + u**2 / 8, u=0),
    # special functions
    _fact(sp.erfc(u), "<=", sp.exp(-(u**2)), (u >= 0,), u=0, edge=True),
    _fact(Phi(u), ">=", sp.Rational(1, 2), (u >= 0,), u=0, edge=True),
    _fact(Phi(u), "<=", sp.Rational(1, 2) + u / sp.sqrt(2 * sp.pi), (u >= 0,), u=0, edge=True),
    _fact(phi(u), "<=", 1 / sp.sqrt(2 * sp.pi), u=0),
    _fact(Phi(Phi_inv(v) + u), ">=", v, (u >= 0, v > 0, v < 1), u=0, v=sp.Rational(1, 3)),
    _fact(sp.gamma((u + v) / 2) ** 2, "<=", sp.gamma(u) * sp.gamma(v), (u > 0, v > 0), u=2, v=2),
    _fact(sp.Integral(sp.exp(-u * t), (t, 0, 1)), "<=", 1, (u >= 0,), u=0, edge=True),
    _fact(sp.floor(u), "<=", u, u=2),
    _fact(sp.ceiling(u), ">=", u, u=3),
    # several variables
    _fact(u**w, ">=", 1 + w * (u - 1), (u > 0, w >= 1), u=1, w=2),
    _fact(u**w, "<=", 1 + w * (u - 1), (u > 0, w >= 0, w <= 1), u=1, w=sp.Rational(1, 3)),
    _fact((u + v) ** 2, "<=", 2 * u**2 + 2 * v**2, u=2, v=2),
    _fact(sp.log(sp.exp(u) + sp.exp(v)), "<=", sp.Max(u, v) + sp.log(2), u=1, v=1),
    _fact(sp.log(sp.exp(u) + sp.exp(v)), ">=", (u + v) / 2 + sp.log(2), u=1, v=1),
    _fact(u * v, "<=", sp.exp(u - 1) + v * sp.log(v), (v > 0,), u=1, v=1),
    _fact(2 / (1 / u + 1 / v), "<=", sp.sqrt(u * v), (u > 0, v > 0), u=3, v=3),
    _fact(sp.sqrt(u**2 + v**2), ">=", (u + v) / sp.sqrt(2), u=1, v=1),
    _fact(sp.sqrt(u**2 + v**2), "<=", sp.Abs(u) + sp.Abs(v), u=0, v=2),
    _fact(sp.Min(u, v), "<=", sp.sqrt(u * v), (u >= 0, v >= 0), u=2, v=2),
    _fact(sp.Max(u, v), ">=", (u + v) / 2, u=1, v=1),
    _fact(sp.Abs(sp.Abs(u) - sp.Abs(v)), "<=", sp.Abs(u - v), u=1, v=2),
    _fact(sp.log(1 - v + v * sp.exp(u)), "<=", u * v + u**2 / 8, (v >= 0, v <= 1), u=0, v=sp.Rational(1, 3)),
    _fact(
        v * sp.log(v / w) + (1 - v) * sp.log((1 - v) / (1 - w)), ">=", 2 * (v - w) ** 2,
        (v > 0, v < 1, w > 0, w < 1), v=sp.Rational(1, 3), w=sp.Rational(1, 3),
    ),
    _fact(
        sp.sqrt(v * w) + sp.sqrt((1 - v) * (1 - w)), "<=", 1, (v >= 0, v <= 1, w >= 0, w <= 1),
        v=sp.Rational(1, 4), w=sp.Rational(1, 4),
    ),
    # integers
    _fact(sp.factorial(k), ">=", 2 ** (k - 1), (IsInteger(k), k >= 1), k=1),
    _fact(sp.factorial(k), "<=", k**k, (IsInteger(k), k >= 1), k=1),
    _fact(sp.binomial(2 * k, k, evaluate=False), "<=", 4**k, (IsInteger(k), k >= 0), k=0),
    _fact(sp.harmonic(k), "<=", 1 + sp.log(k), (IsInteger(k), k >= 1), k=1),
    _fact(sp.harmonic(k), ">=", sp.log(k + 1), (IsInteger(k), k >= 0), k=0),
    _fact(sp.Sum(1 / i**2, (i, 1, k)), "<=", 2 - 1 / k, (IsInteger(k), k >= 1), k=1),
    _fact(sp.Sum(v**i, (i, 0, k)), "<=", 1 + k, (v > 0, v <= 1, IsInteger(k), k >= 0), v=1, k=3),
    _fact(k**3, ">=", 3 * k - 2, (IsInteger(k), k >= 1), k=1),
    _fact(sp.exp(u * k), ">=", 1 + k * (sp.exp(u) - 1), (u >= 0, IsInteger(k), k >= 1), u=0, k=4),
)  # fmt: skip

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
    _fact(sp.sinh(2 * u), "=", 2 * sp.sinh(u) * sp.cosh(u), u=1),
    _fact(sp.sin(u) ** 2 + sp.cos(u) ** 2, "=", 1, u=2),
    _fact(sp.sin(u + v), "=", sp.sin(u) * sp.cos(v) + sp.cos(u) * sp.sin(v), u=1, v=2),
    _fact(sp.erf(u), "=", 1 - sp.erfc(u), u=1),
    _fact(sp.erfc(u), "=", 2 * Phi(-sp.sqrt(2) * u), u=1),
    _fact(Phi_inv(Phi(u)), "=", u, u=1),
    _fact(sp.gamma(u + 1), "=", u * sp.gamma(u), (u > 0,), u=sp.Rational(1, 2)),
    _fact(sp.log(u**v), "=", v * sp.log(u), (u > 0,), u=2, v=3),
    _fact(sp.log(1 / u), "=", -sp.log(u), (u > 0,), u=3),
    _fact(sp.atan(u) + sp.atan(1 / u), "=", sp.pi / 2, (u > 0,), u=2),
    _fact(sp.Abs(u * v), "=", sp.Abs(u) * sp.Abs(v), u=-2, v=3),
    _fact(sp.Abs(u), "=", sp.Max(u, -u), u=-1),
    _fact(sp.Max(u, 0) - sp.Max(-u, 0), "=", u, u=-3),
    _fact(sp.asinh(u), "=", sp.log(u + sp.sqrt(1 + u**2)), u=1),
    _fact(1 / (1 + sp.exp(-u)), "=", (1 + sp.tanh(u / 2)) / 2, u=1),
    _fact(sp.Integral(sp.exp(u * t), (t, 0, 1)), "=", (sp.exp(u) - 1) / u, (u > 0,), u=1),
    _fact(sp.Integral(t * u + v, (t, 0, 2)), "=", 2 * u + 2 * v, u=1, v=2),
    _fact(sp.Sum(i**2, (i, 1, k)), "=", k * (k + 1) * (2 * k + 1) / 6, (IsInteger(k), k >= 1), k=4),
    _fact(sp.Sum(2**i, (i, 0, k)), "=", 2 ** (k + 1) - 1, (IsInteger(k), k >= 0), k=4),
    _fact(
        sp.Sum(sp.binomial(k, i, evaluate=False) * v**i, (i, 0, k)), "=", (1 + v) ** k,
        (v > 0, IsInteger(k), k >= 1), v=2, k=3,
    ),
    _fact(sp.Sum(1 / (i * (i + 1)), (i, 1, k)), "=", 1 - 1 / (k + 1), (IsInteger(k), k >= 1), k=4),
    _fact(sp.factorial(k + 1), "=", (k + 1) * sp.factorial(k), (IsInteger(k), k >= 0), k=3),
)  # fmt: skip
