"""Factoring and expanding with a limit: SymPy takes minutes for a polynomial of a high degree."""

from __future__ import annotations

import sympy as sp

_MOST_OPERATIONS, _HIGHEST_DEGREE = 150, 24  # SymPy's factoring is not interrupted


def factored(e: sp.Expr) -> sp.Expr:
    """In factors where they are cheap to find; else as it is."""
    return sp.factor(e) if _is_small(e) else e


def expanded(e: sp.Expr) -> sp.Expr:
    """Multiplied out where that is cheap; else as it is."""
    return sp.expand(e) if _is_small(e) else e


def terms_of(e: sp.Expr, x: sp.Symbol) -> list[sp.Expr]:
    """Its terms, multiplied out, each with what has no x in it as a factor: denominators stay in brackets.

    SymPy multiplies a denominator out over exponentials, and no factor can be seen any more.
    """
    hidden: dict[sp.Basic, sp.Symbol] = {}

    def hide(power: sp.Pow) -> sp.Expr:
        bracket = sp.factor_terms(sp.expand_power_exp(power.base)) ** power.exp
        constant, rest = bracket.as_independent(x, as_Add=False)
        return hidden.setdefault(constant, sp.Dummy()) * rest

    with_names = e.replace(lambda p: p.is_Pow and p.exp.is_negative and p.base.is_Add, hide)
    back = {name: constant for constant, name in hidden.items()}
    return [t.xreplace(back) for t in sp.Add.make_args(sp.expand_mul(with_names))]


def _is_small(e: sp.Expr) -> bool:
    return degree(e) <= _HIGHEST_DEGREE and sp.count_ops(e) <= _MOST_OPERATIONS


def degree(e: sp.Basic) -> int:
    """A bound on the degree of its numerator and denominator in whatever it is a rational function of.

    A power or an exponential with a symbolic exponent counts as SymPy sees it: exp(7*x/3) is the seventh power of
    exp(x/3).
    """
    match e:
        case sp.Add():
            return sum(map(degree, e.args)) if any(d.is_negative for d in _exponents(e)) else max(map(degree, e.args))
        case sp.Mul():
            return sum(map(degree, e.args))
        case sp.Pow() if isinstance(e.exp, sp.Rational):
            return abs(int(e.exp.p)) * degree(e.base)
        case sp.Pow() | sp.exp():
            factors = [t.as_coeff_Mul()[0] for t in sp.Add.make_args(e.exp)]
            return sum(abs(int(c.p)) + int(c.q) - 1 for c in factors if isinstance(c, sp.Rational))
    return int(bool(e.free_symbols))


def _exponents(e: sp.Expr) -> set[sp.Expr]:
    return {p.exp for p in e.atoms(sp.Pow)}
