"""Exponentials, logarithms and powers with symbolic exponents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp
from flint import fmpq, fmpq_mat, fmpq_mpoly

from dpsym.core.expanding import expand
from dpsym.deciding.algebra import roots
from dpsym.deciding.algebra.field import Positivity, Quotient, Unsupported

if TYPE_CHECKING:
    from dpsym.deciding.algebra.form import CanonicalForm

_LARGEST_EXPONENT = 10_000  # of a whole power: what is larger is a number that nobody can write out
_LARGEST_DEGREE = 60  # a common denominator of exponents, which becomes the degree of a polynomial
_MOST_UNKNOWNS = 400  # entries of a linear system over the rationals


def exponential(form: CanonicalForm, exponent: Quotient) -> Quotient:
    """exp of a sum of monomials, each with a kernel of its own up to rational multiples."""
    field = form.field
    whole, rest = divmod(exponent.above, exponent.below)  # so that x/(1 + x) is 1 - 1/(1 + x)
    product = field.polynomial(field.one)
    for part, below in ((whole, field.one), (rest, exponent.below)):
        for exponents, coefficient in part.to_dict().items():
            monomial = field.terms({exponents: fmpq(1)})
            power = _of_logarithm(form, monomial, fmpq(coefficient)) if below.is_one() else None
            if power is None:
                power = _of_unit(form, field.reduced(monomial, below), fmpq(coefficient))
            product = field.multiply(product, power)
    return product


def _of_logarithm(form: CanonicalForm, monomial: fmpq_mpoly, c: fmpq) -> Quotient | None:
    """exp(c log|f|) = |f|**c."""
    single = form.field.single(monomial)
    if single is None or c.q > _LARGEST_DEGREE:
        return None
    kernel = form.field.kernels[single[0]]
    if kernel.key[0] != "log" or kernel.inner is None or kernel.degree != single[1]:
        return None
    size = roots.absolute(form, kernel.inner)
    return form.field.power(roots.root(form, size, int(c.q)), int(c.p))


def _of_unit(form: CanonicalForm, unit: Quotient, c: fmpq) -> Quotient:
    field = form.field
    scale = unit.above.leading_coefficient()
    unit, c = Quotient(unit.above * (1 / scale), unit.below), c * scale
    if not unit.below.is_one() and field.key("exp", unit) not in form.exponents:
        combination = _combination(unit, list(form.exponents.values()))
        if combination is not None:
            product = field.polynomial(field.one)
            for inner, share in combination:
                product = field.multiply(product, _kernel_power(form, inner, c * share))
            return product
    return _kernel_power(form, unit, c)


def _kernel_power(form: CanonicalForm, unit: Quotient, c: fmpq) -> Quotient:
    field = form.field
    key = field.key("exp", unit)
    degree = field.degree(key, int(c.q))
    form.exponents[key] = unit
    i = field.kernel(key, Positivity.POSITIVE, inner=unit, degree=degree, constant=form.is_number(unit))
    power = int(c.p) * (degree // int(c.q))
    if abs(power) > _LARGEST_EXPONENT:
        raise Unsupported(f"the exponent {c} is too large")
    monomial = field.generators[i] ** abs(power)
    return Quotient(monomial, field.one) if power >= 0 else Quotient(field.one, monomial)


def _combination(unit: Quotient, basis: list[Quotient]) -> list[tuple[Quotient, fmpq]] | None:
    """The unit as a rational combination of exponents that have kernels already.

    So exp(L/(alpha (alpha - 1))) is exp(L/(alpha - 1)) exp(-L/alpha).
    """
    if not basis or len(basis) > 12:
        return None
    below = unit.below
    for b in basis:
        below = below * (b.below // below.gcd(b.below))
    columns = [b.above * (below // b.below) for b in basis]
    target = unit.above * (below // unit.below)
    rows = sorted({e for p in (*columns, target) for e in p.to_dict()})
    if len(rows) * len(basis) > _MOST_UNKNOWNS:
        return None
    entries = [p.to_dict() for p in (*columns, target)]
    matrix = fmpq_mat(len(rows), len(basis) + 1, [d.get(e, fmpq(0)) for e in rows for d in entries])
    reduced, rank = matrix.rref()
    shares = [fmpq(0)] * len(basis)
    for i in range(rank):
        pivot = next(j for j in range(len(basis) + 1) if reduced[i, j] != 0)
        if pivot == len(basis):
            return None
        shares[pivot] = reduced[i, len(basis)]
    return [(b, s) for b, s in zip(basis, shares, strict=True) if s]


def logarithm(form: CanonicalForm, x: Quotient) -> Quotient:
    """log of a positive x as the sum of m log|f| over its irreducible factors f**m."""
    field = form.field
    if x.above.is_zero():
        raise Unsupported("the logarithm of zero")
    total = field.polynomial(field.zero)
    for p, side in ((x.above, 1), (x.below, -1)):
        constant, factors = field.factor(p)
        for prime, times in field.primes(constant):
            total = field.add(total, field.scaled(_log_kernel(form, field.number(prime)), side * times))
        for factor, times in factors:
            total = field.add(total, field.scaled(_log_of_factor(form, factor), side * times))
    return total


def _log_of_factor(form: CanonicalForm, factor: fmpq_mpoly) -> Quotient:
    """log|factor|."""
    field = form.field
    single = field.single(factor)
    if single is not None and single[1] == 1:
        kernel = field.kernels[single[0]]
        if kernel.key[0] == "exp" and kernel.inner is not None:  # log exp(u/degree) = u/degree
            return field.scaled(kernel.inner, fmpq(1, kernel.degree))
        if kernel.relation is not None:
            n, radicand = kernel.relation
            return field.scaled(logarithm(form, field.polynomial(radicand)), fmpq(1, n))
        if kernel.degree > 1:
            whole = field.generators[single[0]] ** kernel.degree
            return field.scaled(_log_kernel(form, whole), fmpq(1, kernel.degree))
    return _log_kernel(form, factor)


def _log_kernel(form: CanonicalForm, factor: fmpq_mpoly) -> Quotient:
    """log|factor| >= 0, or -log|factor| >= 0, where the factor is known to lie above 1, or between 0 and 1."""
    field, known, side = form.field, Positivity.UNKNOWN, 1
    key = field.key("log", factor)
    old = field.find(key)
    if old is not None and old.inner is not None:  # what is known of signs may have grown since
        side = 1 if old.inner.below.is_one() else -1
    elif form.signs.positivity(factor) is Positivity.POSITIVE:
        excess = form.signs.polynomial(factor - field.one)
        if excess is not None and excess[0]:
            known = Positivity.POSITIVE if excess[1] else Positivity.NONNEGATIVE
            side = excess[0]
    inner = Quotient(factor, field.one) if side > 0 else Quotient(field.one, factor)
    return field.scaled(field.value(key, known, inner=inner, constant=form.is_number(inner)), side)


def power(form: CanonicalForm, base: sp.Expr, exponent: sp.Expr) -> Quotient:
    """base**exponent; the exponent is no number."""
    field = form.field
    if base is sp.E:
        return exponential(form, form.convert(exponent))
    size = form.convert(base)
    if size.above.is_zero():  # 0**0 = 1: nothing is known by continuity at an end that the form leaves out
        known = form.sign(form.convert(exponent))
        if known == (1, True) and not form.left_out:
            return field.constant(0)
    if form.signs.of(size) == (1, True):
        return exponential(form, field.multiply(form.convert(exponent), logarithm(form, size)))
    if not form.is_integral(exponent):  # no rule holds for a base that may be negative
        exponent_form = form.convert(exponent)
        if exponent_form.above.is_constant() and exponent_form.below.is_one():
            raise Unsupported("an exponent that is a number in disguise")
        key = field.key("power", size, exponent_form)
        nonnegative = (form.sign(size) or (-1, True))[0] >= 0
        return field.value(key, Positivity.NONNEGATIVE if nonnegative else Positivity.UNKNOWN)
    known = form.sign(size)
    if known is not None and known[0] < 0 and known[1]:
        positive = exponential(form, field.multiply(form.convert(exponent), logarithm(form, field.scaled(size, -1))))
        return field.multiply(_parity(form, exponent), positive)
    return _integer_power(form, size, exponent)


def _parity(form: CanonicalForm, exponent: sp.Expr) -> Quotient:
    """(-1)**exponent for an integer exponent, a product of such powers with one term each."""
    field, product = form.field, form.field.polynomial(form.field.one)
    odd, together = [], sp.Integer(0)
    for term in sp.Add.make_args(expand(exponent)):
        number, rest = term.as_coeff_Mul()
        if not number.is_Integer:  # n^2/2 and n/2 are no integers, but their sum is
            together += term
        elif number % 2:
            odd.append(sp.Mul(*(f.base if f.is_Pow and f.exp.is_Integer else f for f in sp.Mul.make_args(rest))))
    for rest in [*odd, together]:
        if rest == 1:
            product = field.scaled(product, -1)
        elif rest != 0:
            i = field.kernel(field.key("parity", sp.srepr(rest)), Positivity.UNKNOWN, relation=(2, field.one))
            product = field.multiply(product, field.polynomial(field.generators[i]))
    return product


def _integer_power(form: CanonicalForm, base: Quotient, exponent: sp.Expr) -> Quotient:
    """An integer power of something that may vanish or be negative: only 0**(k + n) = 0**k 0**n, k, n >= 0."""
    field, product = form.field, form.field.polynomial(form.field.one)
    kernels: list[tuple[sp.Expr, int]] = []
    for term in sp.Add.make_args(expand(exponent)):
        number, rest = term.as_coeff_Mul()
        if rest == 1 and number > 0:
            product = field.multiply(product, field.power(base, int(number)))
        elif rest != 1 and number > 0 and (form.sign(form.convert(rest)) or (-1, True))[0] >= 0:
            kernels.append((rest, int(number)))
        else:
            kernels, product = [(expand(exponent), 1)], field.polynomial(field.one)
            break
    nonnegative = (form.sign(base) or (-1, True))[0] >= 0
    for rest, number in kernels:
        known = Positivity.NONNEGATIVE if nonnegative else Positivity.UNKNOWN
        value = field.value(field.key("power", base, sp.srepr(rest)), known)
        product = field.multiply(product, field.power(value, number))
    return product
