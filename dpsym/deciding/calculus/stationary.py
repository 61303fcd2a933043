"""Where an expression may vanish, as formulas: proposals only, to be checked by whoever uses them.

No general solver is asked: those may take for ever.  Two terms of opposite sign are equal where the logarithm of
their ratio vanishes; that is solved where it is linear in the variable, or the logarithm of a ratio of linear
functions.  Otherwise the expression is a polynomial of degree at most two in the variable or in an exponential.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import sympy as sp

from dpsym.core import functions
from dpsym.core.expanding import expand
from dpsym.core.notation import phi
from dpsym.deciding.calculus.heads import density

_LARGEST = 80  # operations
_MOST_TERMS = 8  # with more no equation has a solution in closed form that is of use
_MOST = 6  # proposals
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)


def zeros(f: sp.Expr, x: sp.Symbol) -> list[sp.Expr]:
    """Formulas, free of x, at which f may vanish; often none."""
    if not f.has(x) or sp.count_ops(f) > _LARGEST:
        return []
    found: list[sp.Expr] = []
    for candidate in _candidates(_plain(f, x), x):
        if candidate not in found and not candidate.has(x, sp.I, sp.nan, sp.zoo, sp.oo, -sp.oo):
            found.append(candidate)
        if len(found) == _MOST:
            break
    return found


def _plain(f: sp.Expr, x: sp.Symbol) -> sp.Expr:
    """Hyperbolic functions and densities of x by exponentials."""
    heads = [e for e in f.atoms(*functions.heads("quotient")) if e.has(x)]
    table = {e: e.rewrite(sp.exp) for e in heads}
    table |= {e: density(*e.args) for e in f.atoms(phi) if e.has(x)}
    return f.xreplace(table)


def _candidates(f: sp.Expr, x: sp.Symbol) -> Iterator[sp.Expr]:
    logarithms = _of_logarithms(f, x)
    if logarithms is not None:
        yield from logarithms.zeros(x)
        return
    above = sp.fraction(sp.together(f))[0]
    for factor in sp.Mul.make_args(sp.factor_terms(above)):
        base = factor.base if isinstance(factor, sp.Pow) and factor.exp.is_Integer else factor
        if base.has(x):
            yield from _of_factor(base, x)


def _of_factor(f: sp.Expr, x: sp.Symbol) -> Iterator[sp.Expr]:
    if f.is_polynomial(x):
        yield from _of_polynomial(f, x)
        return
    if isinstance(f, sp.log):
        yield from _candidates(f.args[0] - 1, x)
        return
    terms = sp.Add.make_args(expand(f, power_base=False, log=False))
    if len(terms) > _MOST_TERMS:
        return
    parts = [_logarithm(term, x) for term in terms]
    shapes: dict[tuple[object, ...], sp.Expr] = {}  # terms of one shape in x are one term
    for term, part in zip(terms, parts, strict=True):
        if part is None:
            return
        key = part.shape
        shapes[key] = shapes.get(key, _ZERO) + term
    merged = [sp.factor_terms(t) for t in shapes.values()]
    if len(merged) == 2:
        ratio = _logarithm(-merged[0] / merged[1], x)
        if ratio is not None:
            yield from ratio.zeros(x)
    yield from _of_exponential(merged, x)


def _of_polynomial(f: sp.Expr, x: sp.Symbol) -> Iterator[sp.Expr]:
    polynomial = sp.Poly(f, x)
    if polynomial.degree() == 1:
        a, b = polynomial.all_coeffs()
        yield sp.cancel(-b / a)
    elif polynomial.degree() == 2:
        a, b, c = polynomial.all_coeffs()
        if b == 0:
            root = _root(sp.cancel(-c / a))
            yield from (root, -root)
            return
        root = _root(b**2 - 4 * a * c)
        for numerator in (-b + root, -b - root):
            yield sp.cancel(numerator / (2 * a)) if not root.has(sp.Pow) else _divided(numerator, 2 * a)


def _root(e: sp.Expr) -> sp.Expr:
    """A number whose square is e, up to its sign; without a root sign where e is a square."""
    factors = sp.Mul.make_args(sp.factor(e))
    halves = [f.base ** (f.exp / 2) if isinstance(f, sp.Pow) and f.exp.is_even else sp.sqrt(f) for f in factors]
    outside = [h for h in halves if not (isinstance(h, sp.Pow) and h.exp == sp.Rational(1, 2))]
    inside = [h.base for h in halves if isinstance(h, sp.Pow) and h.exp == sp.Rational(1, 2)]
    return sp.Mul(*outside, sp.sqrt(sp.Mul(*inside)))


def _divided(numerator: sp.Expr, denominator: sp.Expr) -> sp.Expr:
    return sp.Add(*(sp.cancel(term / denominator) for term in sp.Add.make_args(numerator)))


def _of_exponential(terms: list[sp.Expr], x: sp.Symbol) -> Iterator[sp.Expr]:
    """A polynomial of degree two in exp(s x)."""
    slopes = {}
    for term in terms:
        part = _logarithm(term, x)
        if part is None or part.bases:
            return
        slopes[term] = part.slope
    least = min(slopes.values(), key=lambda s: (sp.count_ops(s), sp.default_sort_key(s)))
    steps = sorted({sp.cancel(s - least) for s in slopes.values()} - {_ZERO}, key=sp.default_sort_key)
    for step in steps:
        w = sp.Dummy("w")
        table = {term: sp.cancel((s - least) / step) for term, s in slopes.items()}
        if not all(n.is_Integer for n in table.values()):
            continue
        lowest = min(table.values())
        weights = [term / sp.exp(s * x) * w ** (table[term] - lowest) for term, s in slopes.items()]
        polynomial = sp.Add(*(sp.powsimp(weight, combine="exp") for weight in weights))
        if polynomial.has(x) or not polynomial.is_polynomial(w) or sp.degree(polynomial, w) > 2:
            continue
        for value in _of_polynomial(polynomial, w):
            yield sp.log(value) / step
        return


@dataclass(slots=True)
class _Product:
    """exp(constant + slope x) times powers of `bases`, which depend on x, with exponents that do not."""

    constant: sp.Expr = _ZERO  # a sum of logarithms
    slope: sp.Expr = _ZERO
    bases: dict[sp.Expr, sp.Expr] = field(default_factory=dict)

    @property
    def shape(self) -> tuple[object, ...]:
        """Two terms with the same one differ by a factor that is free of the variable."""
        return (expand(self.slope), tuple(sorted(((b, expand(e)) for b, e in self.bases.items()), key=str)))

    def times(self, base: sp.Expr, exponent: sp.Expr, x: sp.Symbol) -> bool:
        """Multiply by base^exponent; False where that is no such product any more."""
        if exponent.has(x):
            if base.has(x):
                return False
            exponent = expand(exponent)
            slope = exponent.coeff(x, 1)
            rest = expand(exponent - slope * x)
            if rest.has(x) or slope.has(x):
                return False
            size = _expanded_log(base)
            self.slope += slope * size
            self.constant += rest * size
        elif base.has(x):
            total = expand(self.bases.get(base, _ZERO) + exponent)
            if total == 0:
                self.bases.pop(base, None)
            else:
                self.bases[base] = total
        else:
            self.constant += exponent * _expanded_log(base)
        return True

    def zeros(self, x: sp.Symbol) -> Iterator[sp.Expr]:
        """Where it is 1."""
        if not self.bases and self.slope != 0:
            yield -_over(self.constant, self.slope)
        elif self.bases and self.slope == 0:
            exponent = next(iter(self.bases.values()))
            turns = {base: sp.cancel(e / exponent) for base, e in self.bases.items()}
            above = [base for base, n in turns.items() if n == 1]
            below = [base for base, n in turns.items() if n == -1]
            if len(above) != 1 or len(below) > 1 or len(above) + len(below) != len(turns):
                return
            level = _exponentiated(-_over(self.constant, exponent))
            yield from _of_polynomial(expand(above[0] - level * (below[0] if below else _ONE)), x)


def _logarithm(term: sp.Expr, x: sp.Symbol) -> _Product | None:
    found = _Product()
    for factor in sp.Mul.make_args(term):
        base, exponent = (sp.E, factor.args[0]) if isinstance(factor, sp.exp) else factor.as_base_exp()
        if base.has(x) and not base.is_polynomial(x):
            return None
        if not found.times(base, exponent, x):
            return None
    return found


def _of_logarithms(f: sp.Expr, x: sp.Symbol) -> _Product | None:
    """Of c_1 log(b_1) + … + d: the product b_1^c_1 … exp(d), which is 1 where the sum is 0."""
    found = _Product()
    if not any(e.has(x) for e in f.atoms(sp.log)):
        return None
    for term in sp.Add.make_args(expand(f, log=False, power_base=False, power_exp=False)):
        weight, rest = term.as_independent(x, as_Add=False)
        if rest == 1:
            found.constant += weight
        elif isinstance(rest, sp.log):
            for factor in sp.Mul.make_args(rest.args[0]):
                base, exponent = factor.as_base_exp()
                if not (base.is_polynomial(x) or not base.has(x)) or not found.times(base, weight * exponent, x):
                    return None
        else:
            return None
    return found


def _expanded_log(e: sp.Expr) -> sp.Expr:
    """The logarithm as a sum; signs and domains are for whoever checks the proposal."""
    parts = []
    for factor in sp.Mul.make_args(sp.factor_terms(e)):
        base, exponent = factor.as_base_exp()
        if base is sp.E:
            parts.append(exponent)
        elif base != 1:
            parts.append(exponent * sp.log(base))
    return sp.Add(*parts)


def _over(total: sp.Expr, divisor: sp.Expr) -> sp.Expr:
    """The quotient of a sum of logarithms, one coefficient for each of them."""
    weights: dict[sp.Expr, sp.Expr] = {}
    for term in sp.Add.make_args(expand(total, log=False, power_base=False, power_exp=False)):
        logarithms = [f for f in sp.Mul.make_args(term) if isinstance(f, sp.log)]
        kernel = logarithms[0] if len(logarithms) == 1 else _ONE
        weights[kernel] = weights.get(kernel, _ZERO) + term / kernel
    return sp.Add(*(sp.cancel(w / divisor) * kernel for kernel, w in weights.items()))


def _exponentiated(total: sp.Expr) -> sp.Expr:
    """exp of a sum, logarithms undone."""
    factors = []
    for term in sp.Add.make_args(total):
        logarithms = [f for f in sp.Mul.make_args(term) if isinstance(f, sp.log)]
        factors.append(logarithms[0].args[0] ** (term / logarithms[0]) if len(logarithms) == 1 else sp.exp(term))
    return sp.Mul(*factors)
