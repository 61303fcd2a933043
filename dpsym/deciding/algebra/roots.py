"""Roots, absolute values and extrema."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp
from flint import fmpq, fmpq_mpoly

from dpsym.deciding.algebra.field import Positivity, Quotient, Unsupported

if TYPE_CHECKING:
    from dpsym.deciding.algebra.form import CanonicalForm

_DEEPEST = 3  # roots inside roots that are written as sums of roots


def root(form: CanonicalForm, x: Quotient, degree: int) -> Quotient:
    """The root of x >= 0, factor by factor: that of n/d is that of n d**(degree - 1), divided by |d|, or the like."""
    field = form.field
    if degree == 1:
        return x
    if x.above.is_zero():
        return x
    if degree % 2 and form.signs.polynomial(x.below) != (1, True):  # an odd power would have the sign of d
        result = field.invert(field.polynomial(x.below**2))
        whole = field.lowered(x.above * x.below ** (2 * degree - 1))
    else:
        result = field.invert(absolute(form, field.polynomial(x.below)))
        whole = field.lowered(x.above * x.below ** (degree - 1))
    constant, factors = field.factor(whole)
    left, sign = field.one, 1 if constant > 0 else -1
    loose: list[tuple[fmpq_mpoly, int, bool]] = []  # factors that may vanish, and whether they are known to be >= 0
    for prime, times in field.primes(constant):
        result = field.multiply(result, _kernel_power(form, field.number(prime), times, degree))
    for factor, times in factors:
        known: tuple[int, bool] | None = form.signs.polynomial(factor)
        if known is not None and known[0] < 0:
            factor, sign, known = -factor, sign * (-1) ** (times % 2), (1, known[1])
        if known is not None and known[1]:
            result = field.multiply(result, _kernel_power(form, factor, times, degree))
        else:
            loose.append((factor, times, known is not None))
    if any(not sure and (times % degree or times // degree % 2 * (degree % 2)) for _, times, sure in loose):
        # what is left is of no known sign where one of the others vanishes, so that one of each stays with it
        for factor, times, _ in loose:
            taken = (times - 1) // degree
            if degree % 2:
                taken -= taken % 2  # what is left has the sign of the whole
            result = field.multiply(result, field.power(absolute(form, field.polynomial(factor)), taken))
            left = left * factor ** (times - taken * degree)
        return field.multiply(result, _kernel_power(form, left * sign, 1, degree))
    for factor, times, sure in loose:
        size = field.power(absolute(form, field.polynomial(factor)), times // degree)
        more = _kernel_power(form, factor, times, degree) if sure else size
        result = field.multiply(result, more)
    if sign < 0:
        raise Unsupported("the root of something negative")
    return result


def _kernel_power(form: CanonicalForm, p: fmpq_mpoly, times: int, degree: int) -> Quotient:
    """p**(times/degree) for a polynomial p >= 0 that is no perfect power."""
    field = form.field
    shared = sp.igcd(times, degree)
    times, degree = times // shared, degree // shared
    if degree == 1:
        return field.power(field.polynomial(p), times)
    if not 0 <= times < degree:
        whole = field.power(field.polynomial(p), times // degree)
        return field.multiply(whole, _kernel_power(form, p, times % degree, degree))
    single = field.single(p)
    if single is not None and single[1] == 1:
        kernel = field.kernels[single[0]]
        if kernel.key[0] == "exp" or (kernel.relation is None and kernel.positivity is not Positivity.UNKNOWN):
            field.rooted(single[0], kernel.degree * degree)
        elif kernel.relation is not None and kernel.key[0] == "root":
            n, radicand = kernel.relation
            return field.power(root(form, field.polynomial(radicand), n * degree), times)
    if degree == 2:
        denested = _denested(form, p)
        if denested is not None:
            return field.power(denested, times)
    key = field.key("root", p)
    full = field.degree(key, degree)
    known = Positivity.POSITIVE if form.signs.positivity(p) is Positivity.POSITIVE else Positivity.NONNEGATIVE
    number = form.is_number(field.polynomial(p))
    i = field.kernel(key, known, relation=(full, p), constant=number)
    return field.power(field.polynomial(field.generators[i]), times * (full // degree))


def _denested(form: CanonicalForm, p: fmpq_mpoly) -> Quotient | None:
    """sqrt(A + B r) = sqrt((A + D)/2) + sqrt((A - D)/2) with r**2 = C, D**2 = A**2 - B**2 C; minus for B < 0.

    Where A and B r have known signs, A > 0, and D is no root itself.  So rho + 2 sqrt(rho L) = eps is seen to hold of
    rho = eps + 2 L - 2 sqrt(L (L + eps)).
    """
    field = form.field
    if form.denesting >= _DEEPEST or len(p) > 60:
        return None
    for i in reversed(field.used(p)):
        relation = field.kernels[i].relation
        if relation is None or relation[0] != 2 or field.kernels[i].positivity is Positivity.UNKNOWN:
            continue
        parts = field.in_powers_of(p, i)
        if set(parts) != {0, 1}:
            continue
        first, second = form.signs.polynomial(parts[0]), form.signs.polynomial(parts[1])
        if first != (1, True) or second is None:
            continue
        square = field.lowered(parts[0] ** 2 - parts[1] ** 2 * relation[1])
        d = _exact_root(form, square)
        if d is None:
            continue
        size = form.signs.polynomial(d)
        if size is None:
            continue
        d = d * size[0]
        form.denesting += 1
        try:
            larger, smaller = (
                root(form, field.polynomial(half * fmpq(1, 2)), 2) for half in (parts[0] + d, parts[0] - d)
            )
        finally:
            form.denesting -= 1
        return field.add(larger, field.scaled(smaller, second[0]))
    return None


def _exact_root(form: CanonicalForm, p: fmpq_mpoly) -> fmpq_mpoly | None:
    """The polynomial of which p is the square, if there is one."""
    if p.is_zero():
        return p
    constant, factors = form.field.factor(p)
    if constant < 0 or any(times % 2 for _, times in factors):
        return None
    above, below = sp.integer_nthroot(int(constant.p), 2), sp.integer_nthroot(int(constant.q), 2)
    if not (above[1] and below[1]):
        return None
    result = form.field.number(fmpq(int(above[0]), int(below[0])))
    for factor, times in factors:
        result = result * factor ** (times // 2)
    return result


def absolute(form: CanonicalForm, x: Quotient) -> Quotient:
    """|x|, factor by factor."""
    field = form.field
    known = form.sign(x)
    if known is not None:
        return field.scaled(x, known[0])
    result = field.polynomial(field.one)
    for p, side in ((x.above, 1), (x.below, -1)):
        constant, factors = field.factor(p)
        result = field.multiply(result, field.power(field.constant(abs(constant)), side))
        for factor, times in factors:
            sign = form.signs.polynomial(factor)
            if times % 2 == 0:
                size = field.polynomial(factor)
            elif sign is not None:
                size = field.polynomial(factor * sign[0])
            else:
                i = field.kernel(field.key("abs", factor), Positivity.NONNEGATIVE, relation=(2, factor**2))
                size = field.polynomial(field.generators[i])
            result = field.multiply(result, field.power(size, side * times))
    return result


def extremum(form: CanonicalForm, e: sp.Expr) -> Quotient:
    """max(x, y) = (x + y + |x - y|)/2, and min likewise; first the arguments that another beats are dropped."""
    field = form.field
    direction = 1 if isinstance(e, sp.Max) else -1
    best = [form.convert(a) for a in e.args]
    i = 0
    while i < len(best) and len(best) > 1:
        beaten = False
        for j, other in enumerate(best):
            gap = form.sign(field.subtract(other, best[i])) if i != j else None
            beaten = beaten or (gap is not None and gap[0] * direction >= 0)
        if beaten:
            best.pop(i)
        else:
            i += 1
    total, *rest = sorted(best, key=field.spelled)
    for other in rest:
        size = field.scaled(absolute(form, field.subtract(total, other)), direction)
        total = field.scaled(field.add(field.add(total, other), size), fmpq(1, 2))
    return total
