"""In which order terms, factors and arguments are written: one rule for every notation."""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp
from sympy.concrete.expr_with_limits import ExprWithLimits


def ordered_arguments(e: sp.Basic) -> list[sp.Basic]:
    """Arguments in a readable order where the order means nothing."""
    if isinstance(e, sp.Max | sp.Min):
        return sorted(e.args, key=lambda a: (not a.is_Number, sp.default_sort_key(a)))
    return list(e.args)


def ordered_terms(e: sp.Add) -> list[sp.Expr]:
    """The terms as people write them: one without a minus sign first, a number last, short ones before long ones."""
    # SymPy's order would compute numbers, which may take for ever of a sum or an integral
    computed = any(not b.free_symbols for b in e.atoms(ExprWithLimits, sp.Limit))
    terms = sorted(e.args, key=sp.default_sort_key) if computed else e.as_ordered_terms()
    return sorted(terms, key=lambda t: (t.could_extract_minus_sign(), bool(t.is_Number), sp.count_ops(t)))


def ordered_factors(e: sp.Expr) -> list[sp.Expr]:
    """The factors as people write them where exp is a power: numbers first, then what a function gives, sums last."""
    last = ((ExprWithLimits, sp.Limit), sp.Function)

    def rank(factor: sp.Expr) -> tuple[bool, ...]:
        if not factor.is_commutative:
            return (True,)
        base = factor.as_base_exp()[0]
        return False, *(isinstance(base, kinds) for kinds in last), not factor.is_number

    return sorted(sp.Mul.make_args(e), key=rank)


def quotient(factors: Iterable[sp.Expr]) -> tuple[list[sp.Expr], list[sp.Expr]]:
    """What stands above the line and what stands below it; a negative power of e stands above."""
    above, below = [], []
    for factor in factors:
        if isinstance(factor, sp.Pow) and factor.base is not sp.E and is_negative(factor.exp):
            below.append(factor.base if factor.exp == -1 else sp.Pow(factor.base, -factor.exp, evaluate=False))
        elif factor != 1:
            above.append(factor)
    return above, below


def is_negative(term: sp.Expr) -> bool:
    """Whether it starts with a minus sign."""
    coefficient = term.as_coeff_Mul()[0]
    return bool(coefficient.is_Rational and coefficient < 0)


def over_and_under(e: sp.Mul) -> tuple[sp.Expr, sp.Expr]:
    """What stands above and below the line; SymPy's sqrt(2)/2 is 1/sqrt(2), and sqrt(2)*sqrt(k) is sqrt(2*k)."""
    coefficient, rest = e.as_coeff_Mul(rational=True)
    above, below = coefficient.p, coefficient.q
    over, under = quotient(ordered_factors(rest))
    root = next((f for f in over if _is_root(f) and f.base.is_Integer), None)
    if root is not None:
        number = root.base
        over.remove(root)
        if below % number:
            _under_one_root(over, number)
        else:
            below //= number
            if any(map(_is_root, over)):
                _under_one_root(over, 1 / number)
            else:
                _under_one_root(under, number)
    return _product(above, over), _product(below, under)


def _under_one_root(factors: list[sp.Expr], number: sp.Rational) -> None:
    """The factors times the root of the number."""
    root = next(filter(_is_root, factors), None)
    radicand = number if root is None else sp.Mul(number, root.base, evaluate=False)
    at = 0 if root is None else factors.index(root)
    factors[at : at + (root is not None)] = [sp.Pow(radicand, sp.Rational(1, 2), evaluate=False)]


def _is_root(e: sp.Expr) -> bool:
    """A number below it would be multiplied into a sum."""
    return isinstance(e, sp.Pow) and e.exp == sp.Rational(1, 2) and not e.base.is_Add


def _product(number: int, factors: list[sp.Expr]) -> sp.Expr:
    """As it stands."""
    return sp.Mul(*(f for f in (sp.Integer(number), *factors) if f != 1), evaluate=False)
