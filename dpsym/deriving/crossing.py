"""Where two routes give the same budget: in closed form where the gap is a quadratic in a root of the symbol."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from dpsym.deciding import Domain, Sign, sign, vanishes
from dpsym.deriving.fact import Fact
from dpsym.deriving.steps import DerivationError


@dataclass(frozen=True, slots=True)
class Crossing:
    """`symbol = at`: there the two budgets agree; they only touch, or each is smaller on one side."""

    symbol: sp.Symbol
    at: sp.Expr
    touches: bool


def crossings(one: Fact, other: Fact, symbol: sp.Symbol, domain: Domain) -> tuple[Crossing, ...]:
    """Every positive value of the symbol at which the first budgets of two facts agree, each verified.

    Args:
        one, other: facts of one definition, with budgets in closed form.
        symbol: what varies, a positive quantity.
        domain: what is assumed of the symbols.

    Raises:
        DerivationError: when the facts differ in definition, or no closed form is found.
    """
    if one.guarantee.definition != other.guarantee.definition:
        raise DerivationError(f"{one.guarantee} and {other.guarantee} are of different definitions")
    index = set(one.guarantee.definition.index)
    budget = next(p for p in one.guarantee.definition.params if p not in index)
    gap = one.guarantee.bound[budget] - other.guarantee.bound[budget]
    found = _roots(gap, symbol, domain)
    if found is None:
        raise DerivationError(f"no closed form for the {symbol} at which {gap} vanishes")
    verified = []
    for at, double in found:
        if sign(at, domain) in (Sign.POSITIVE, Sign.NONNEGATIVE) and vanishes(gap.subs(symbol, at), domain):
            verified.append(Crossing(symbol, at, double))
    return tuple(verified)


def _roots(gap: sp.Expr, symbol: sp.Symbol, domain: Domain) -> list[tuple[sp.Expr, bool]] | None:
    """The squares of the non-negative zeros of a u^2 + b u + c, where u is the root of the symbol."""
    known = {s for s in gap.free_symbols if (low := domain.of(s).lower) is not None and low >= 0} | {symbol}
    positive = {s: sp.Dummy(s.name, positive=True) for s in known}
    u = sp.Dummy("u", positive=True)
    expression = sp.expand(gap.subs(positive).subs(positive[symbol], u**2))
    if not expression.is_polynomial(u) or sp.degree(expression, u) > 2:
        return None
    back = {d: s for s, d in positive.items()}
    a, b, c = (sp.Poly(expression, u).coeff_monomial(u**i).subs(back) for i in (2, 1, 0))
    if vanishes(a, domain):
        return None if vanishes(b, domain) else [((c / b) ** 2, False)]
    discriminant = b**2 - 4 * a * c
    if vanishes(discriminant, domain):
        return [((b / (2 * a)) ** 2, True)]
    return [(((-b + side * sp.sqrt(discriminant)) / (2 * a)) ** 2, False) for side in (1, -1)]
