"""How fast a summand or an integrand falls, read off its factors: the ratio of neighbours, the log-derivative.

Both are used only as bounds on absolute values: |max(a, b)| <= |a| + |b| splits what is not a product.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import sympy as sp

from dpsym.core.notation import besseli, phi
from dpsym.numbers.factoring import terms_of


class NoTail(ValueError):
    """The expression is not a sum of products of exponentials, powers, and factorials."""


@dataclass(frozen=True, slots=True)
class PowerTail:
    """A term as u^power h(u) at x = 1/u, u > 0, where h is a product of powers of polynomials that are not 0 at 0."""

    power: sp.Rational
    rest: sp.Expr
    u: sp.Symbol

    @property
    def at_infinity(self) -> sp.Expr:
        """The limit of the term times x^power."""
        return self.rest.subs(self.u, 0)


def power_tail(term: sp.Expr, x: sp.Symbol) -> PowerTail | None:
    """How a product of powers of rational functions falls as x grows; None for other terms."""
    u = sp.Dummy("u", positive=True)
    power, rest = sp.S.Zero, sp.S.One
    for factor in sp.Mul.make_args(term):
        if x not in factor.free_symbols:
            rest *= factor
            continue
        base, exponent = factor.as_base_exp() if not isinstance(factor, sp.exp) else (factor, sp.S.One)
        if not (exponent.is_Rational and base.is_rational_function(x)):
            return None
        above, below = (sp.Poly(side, x) for side in sp.fraction(sp.cancel(sp.together(base))))
        if above.is_zero:
            return None
        power += exponent * (below.degree() - above.degree())
        reversed_ = [sum((c * u**i for i, c in enumerate(p.all_coeffs())), sp.S.Zero) for p in (above, below)]
        rest *= (reversed_[0] / reversed_[1]) ** exponent
    return PowerTail(power, rest, u)


def bounds(expression: sp.Expr, x: sp.Symbol, rate: Callable[[sp.Expr, sp.Symbol], sp.Expr]) -> list[sp.Expr]:
    """Products that bound the expression where x > 0, then the rate of each; nothing where the shape is another."""
    try:
        parts = _products(expression, x)
        return [*parts, *(rate(p, x) for p in parts)]
    except NoTail:
        return []


def _products(expression: sp.Expr, x: sp.Symbol) -> list[sp.Expr]:
    """Products whose absolute values add up to a bound on that of the expression where x > 0."""
    positive = expression.replace(lambda e: isinstance(e, sp.Abs) and e.args[0] in (x, -x), lambda _: x)
    split = positive.replace(lambda e: isinstance(e, sp.Max | sp.Min), lambda e: sp.Add(*e.args))
    split = split.replace(lambda e: isinstance(e, sp.Piecewise), lambda e: sp.Add(*(v for v, _ in e.args)))
    if _inside_function(expression, x):
        raise NoTail(f"{expression}: a maximum, a case or an absolute value under another function")
    return terms_of(split, x)


def _inside_function(expression: sp.Expr, x: sp.Symbol) -> bool:
    """Whether a Max, Min or Piecewise that depends on x stands anywhere but in sums and products."""
    if isinstance(expression, sp.Add | sp.Mul):
        return any(_inside_function(a, x) for a in expression.args)
    if isinstance(expression, sp.Max | sp.Min):
        return any(_inside_function(a, x) for a in expression.args)
    if isinstance(expression, sp.Piecewise):
        return any(_inside_function(value, x) for value, _ in expression.args)
    kinds = (sp.Max, sp.Min, sp.Piecewise)
    return any(x in e.free_symbols for e in expression.atoms(*kinds))


def ratio(product: sp.Expr, i: sp.Symbol) -> sp.Expr:
    """product(i + 1)/product(i), or an upper bound of its size, written so that its range for large i is tight.

    Raises:
        NoTail: for a factor of another shape.
    """
    value = sp.S.One
    for factor in sp.Mul.make_args(product):
        base, exponent = factor.as_base_exp() if not isinstance(factor, sp.exp) else (factor, sp.S.One)
        value *= _ratio(base, exponent, i)
    return value


def _ratio(base: sp.Expr, exponent: sp.Expr, i: sp.Symbol) -> sp.Expr:
    if i not in base.free_symbols | exponent.free_symbols:
        return sp.S.One
    if i in exponent.free_symbols and i not in base.free_symbols:
        return base ** _step(exponent, i)
    if not exponent.is_Rational:
        raise NoTail(f"{base}**{exponent}")
    if isinstance(base, sp.exp):
        return sp.exp(exponent * _step(base.args[0], i))
    if isinstance(base, besseli) and exponent == 1 and i not in base.args[1].free_symbols:
        order, x = base.args
        if _step(order, i) == 1:  # I_n - I_(n+2) = 2(n+1)/x I_(n+1), and all of them are positive
            return sp.Piecewise((sp.Abs(x) / (2 * (order + 1)), order >= 0), (sp.Integer(2), True))
    if isinstance(base, sp.factorial | sp.gamma):
        argument = base.args[0]
        if _step(argument, i) == 1:
            return (argument + (1 if isinstance(base, sp.factorial) else 0)) ** exponent
    step = _step(base, i)
    if i not in step.free_symbols:
        return (1 + step / base) ** exponent
    raise NoTail(f"{base}**{exponent}")


def _step(expression: sp.Expr, i: sp.Symbol) -> sp.Expr:
    return sp.expand(expression.subs(i, i + 1) - expression)


def log_derivative(product: sp.Expr, x: sp.Symbol) -> sp.Expr:
    """The derivative of log|product|, term by term.

    Raises:
        NoTail: for a factor of another shape.
    """
    value = sp.S.Zero
    for factor in sp.Mul.make_args(product):
        if x not in factor.free_symbols:
            continue
        base, exponent = factor.as_base_exp() if not isinstance(factor, sp.exp) else (factor, sp.S.One)
        if x not in base.free_symbols:
            value += sp.expand(sp.diff(exponent, x)) * sp.log(base)
        elif not exponent.is_Rational:
            raise NoTail(str(factor))
        elif isinstance(base, sp.exp):
            value += exponent * _written_at_infinity(sp.expand(sp.diff(base.args[0], x)), x)
        elif isinstance(base, phi):
            value += -exponent * sp.expand(base.args[0] * sp.diff(base.args[0], x))
        elif isinstance(base, sp.cosh):
            value += exponent * sp.diff(base.args[0], x) * sp.tanh(base.args[0])
        elif base.is_polynomial(x) and sp.degree(base, x) == 1:
            value += exponent * sp.diff(base, x) / base
        elif base.is_polynomial(x):
            value += exponent * _written_at_infinity(sp.diff(base, x) / base, x)
        else:
            value += exponent * _of_exponentials(base, x)
    return value


def _written_at_infinity(rate: sp.Expr, x: sp.Symbol) -> sp.Expr:
    """The same in powers of 1/x where it is a sum of products of powers, so that its range for large x is tight."""
    if rate.is_polynomial(x):
        return rate
    tails = [power_tail(term, x) for term in sp.Add.make_args(rate)]
    if any(t is None for t in tails):
        return rate
    return sp.Add(*(x ** (-t.power) * t.rest.subs(t.u, 1 / x) for t in tails if t is not None))


def _of_exponentials(base: sp.Expr, x: sp.Symbol) -> sp.Expr:
    """That of a sum of exponentials of linear functions, above and below divided by the one that grows fastest.

    Raises:
        NoTail: for another base.
    """
    if base.atoms(sp.Function) - base.atoms(sp.exp):  # SymPy cannot differentiate all of them
        raise NoTail(str(base))
    parts = [(term, sp.diff(term, x)) for term in sp.Add.make_args(sp.expand_mul(base))]
    rates = [sp.cancel(slope / term) for term, slope in parts]
    if not rates or not all(r.is_Rational for r in rates):
        raise NoTail(str(base))
    fastest = parts[rates.index(max(rates))][0]
    ratios = [sp.powsimp(sp.expand_power_exp(term / fastest), combine="exp") for term, _ in parts]
    return sp.Add(*(r * q for r, q in zip(rates, ratios, strict=True))) / sp.Add(*ratios)
