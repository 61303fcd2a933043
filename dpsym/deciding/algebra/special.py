"""The normal distribution, factorials and their kin, circular functions, floors, and heads that stay closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp
from flint import fmpq
from sympy.core.function import AppliedUndef

from dpsym.core.expanding import expand
from dpsym.core.notation import Phi, Phi_inv, phi
from dpsym.core.relations import IsInteger, Proposition, Relation, substitute
from dpsym.deciding.algebra.exponentials import logarithm
from dpsym.deciding.algebra.field import Positivity, Quotient, Unsupported
from dpsym.deciding.definedness import of_expression
from dpsym.deciding.domain import Domain, EmptyDomain
from dpsym.deciding.finite import written_out

if TYPE_CHECKING:
    from dpsym.deciding.algebra.form import CanonicalForm

_MOST_STEPS = 40  # of a recurrence that is written out
_BOUND = sp.Dummy("i")
_MOST_ROTATIONS = 12  # multiples of an angle that are written out


def normal(form: CanonicalForm, e: sp.Expr) -> Quotient:
    """Everything of the normal distribution through Phi at an argument of fixed sign, and Phi_inv."""
    field = form.field
    (argument,) = e.args
    if isinstance(e, phi):
        return form.convert(sp.exp(-(argument**2) / 2) / sp.sqrt(2 * sp.pi))
    if isinstance(e, sp.erf):
        return form.convert(2 * Phi(argument * sp.sqrt(2)) - 1)
    if isinstance(e, sp.erfc):
        return form.convert(2 * Phi(-argument * sp.sqrt(2)))
    x = form.convert(argument)
    half = field.constant(fmpq(1, 2))
    if isinstance(e, Phi_inv):
        return _inverse(form, x)
    if x.above.is_zero():
        return half
    undone = _inner(form, x, "Phi_inv")
    if undone is not None:
        inner, sign = undone
        return inner if sign > 0 else field.subtract(field.constant(1), inner)
    mirrored = x.above.leading_coefficient() < 0
    x = field.scaled(x, -1) if mirrored else x
    value = field.value(field.key("Phi", x), Positivity.POSITIVE, inner=x, constant=form.is_number(x))
    return field.subtract(field.constant(1), value) if mirrored else value


def _inverse(form: CanonicalForm, x: Quotient) -> Quotient:
    """Phi_inv(1 - p) = -Phi_inv(p), the one of the two that is spelled first."""
    field = form.field
    other = field.subtract(field.constant(1), x)
    for candidate, sign in ((x, 1), (other, -1)):
        undone = _inner(form, candidate, "Phi")
        if undone is not None and undone[1] > 0:
            return field.scaled(undone[0], sign)
    if field.spelled(x) == field.spelled(other):
        return field.polynomial(field.zero)
    mirrored = field.spelled(other) < field.spelled(x)
    inner = other if mirrored else x
    key = field.key("Phi_inv", inner)
    value = field.value(key, Positivity.UNKNOWN, inner=inner, constant=form.is_number(inner))
    return field.scaled(value, -1 if mirrored else 1)


def _inner(form: CanonicalForm, x: Quotient, name: str) -> tuple[Quotient, int] | None:
    """(u, sign) where x is sign times the named function of u."""
    if not x.below.is_one():
        return None
    for sign in (1, -1):
        single = form.field.single(x.above * sign)
        if single is not None and single[1] == 1:
            kernel = form.field.kernels[single[0]]
            if kernel.key[0] == name and kernel.inner is not None and kernel.degree == 1:
                return kernel.inner, sign
    return None


# --- the gamma function


def gamma(form: CanonicalForm, e: sp.Expr) -> Quotient:
    """Gamma functions of arguments that differ by integers, through the least of those that occur."""
    field = form.field
    if isinstance(e, sp.binomial):
        n, k = e.args
        if all((form.sign(form.convert(x)) or (-1, True))[0] >= 0 for x in (k, n - k)):
            whole, *parts = (_shifted(form, form.convert(x + 1), "gamma") for x in (n, k, n - k))
            return field.multiply(whole, field.invert(field.multiply(*parts)))
        if form.is_integral(n) and form.is_integral(k):
            signs = [form.sign(form.convert(x)) or (0, False) for x in (n, k - n, k)]
            if signs[2] == (-1, True) or (signs[0][0] >= 0 and signs[0] != (0, False) and signs[1] == (1, True)):
                return field.constant(0)
        return opaque(form, e)
    (argument,) = e.args
    x = form.convert(argument)
    if isinstance(e, sp.harmonic):
        return _shifted(form, x, "harmonic")
    if isinstance(e, sp.factorial):
        x = field.add(x, field.constant(1))
    if isinstance(e, sp.loggamma):
        if form.sign(x) != (1, True):
            return opaque(form, e)
        return logarithm(form, _shifted(form, x, "gamma"))
    return _shifted(form, x, "gamma")


def _shifted(form: CanonicalForm, x: Quotient, name: str) -> Quotient:
    """f(u + n) from f(u): gamma(u + 1) = u gamma(u), harmonic(u + 1) = harmonic(u) + 1/(u + 1).

    f(u) occurs as well, so that it is defined wherever the expression is.
    """
    field = form.field
    whole = divmod(x.above, x.below)[0]
    constant = fmpq(whole.to_dict().get((0,) * len(field.generators), fmpq(0)))
    steps = int(constant.p // constant.q)
    unit = field.subtract(x, field.constant(steps))
    least = form.least_shift(field.key(name, unit), steps)
    if steps - least > _MOST_STEPS:
        raise Unsupported(f"{name} at arguments that are {steps - least} apart")
    start = field.add(unit, field.constant(least))
    if unit.above.is_zero() and constant > 0:
        value = field.constant(1 if name == "gamma" else 0)  # gamma(1), and harmonic(0)
        start = field.constant(1 if name == "gamma" else 0)
        if steps > _MOST_STEPS:
            raise Unsupported(f"{name} at {steps}")
        least = 1 if name == "gamma" else 0
    else:
        positive = form.sign(start if name == "gamma" else field.add(start, field.constant(1))) == (1, True)
        known = Positivity.POSITIVE if name == "gamma" and positive else Positivity.UNKNOWN
        if name == "harmonic" and (form.sign(start) or (-1, True))[0] >= 0:
            known = Positivity.NONNEGATIVE
        value = field.value(field.key(name, start), known, inner=start)
    for i in range(steps - least):
        here = field.add(start, field.constant(i))
        if name == "gamma":
            value = field.multiply(value, here)
        else:
            value = field.add(value, field.invert(field.add(here, field.constant(1))))
    return value


# --- circular functions


def circular(form: CanonicalForm, e: sp.Expr) -> Quotient:
    """sin, cos, tan and cot through one sine and cosine for each term of the argument."""
    field = form.field
    x = form.convert(e.args[0])
    cos, sin = field.constant(1), field.constant(0)
    for exponents, c in x.above.to_dict().items():
        turned = _rotation(form, field.reduced(field.terms({exponents: fmpq(1)}), x.below), fmpq(c))
        cos, sin = _turned(form, (cos, sin), turned)
    if isinstance(e, sp.cos):
        return cos
    if isinstance(e, sp.sin):
        return sin
    above, below = (sin, cos) if isinstance(e, sp.tan) else (cos, sin)
    return field.multiply(above, field.invert(below))


def _turned(
    form: CanonicalForm, x: tuple[Quotient, Quotient], z: tuple[Quotient, Quotient]
) -> tuple[Quotient, Quotient]:
    field = form.field
    return (
        field.subtract(field.multiply(x[0], z[0]), field.multiply(x[1], z[1])),
        field.add(field.multiply(x[0], z[1]), field.multiply(x[1], z[0])),
    )


def _rotation(form: CanonicalForm, unit: Quotient, c: fmpq) -> tuple[Quotient, Quotient]:
    field = form.field
    scale = unit.above.leading_coefficient()
    unit, c = Quotient(unit.above * (1 / scale), unit.below), c * scale
    degree = field.degree(field.key("angle", unit), int(c.q))
    times = abs(int(c.p)) * (degree // int(c.q))
    if times > _MOST_ROTATIONS:
        raise Unsupported(f"a multiple {times} of an angle")
    i = field.kernel(field.key("cos", unit), Positivity.UNKNOWN)
    cosine = field.generators[i]
    j = field.kernel(field.key("sin", unit), Positivity.UNKNOWN, relation=(2, field.one - cosine**2))
    for value in map(field.polynomial, (cosine, field.generators[j])):
        form.signs.note(field.subtract(field.constant(1), value), strict=False)
        form.signs.note(field.add(field.constant(1), value), strict=False)
        form.signs.note(field.subtract(field.constant(1), field.power(value, 2)), strict=False)
    base = field.polynomial(cosine), field.scaled(field.polynomial(field.generators[j]), 1 if c > 0 else -1)
    total = field.constant(1), field.constant(0)
    for _ in range(times):
        total = _turned(form, total, base)
    return total


# --- floors and closed heads


def floor(form: CanonicalForm, e: sp.Expr) -> Quotient:
    """floor(n + x) = n + x - f for integer n, 0 <= f < 1, and ceil(x) = -floor(-x)."""
    field = form.field
    side = 1 if isinstance(e, sp.floor) else -1
    whole, rest = field.constant(0), []
    for term in sp.Add.make_args(expand(e.args[0]) * side):
        if form.is_integral(term):
            whole = field.add(whole, form.convert(term))
        else:
            rest.append(term)
    left = sp.Add(*rest)
    if isinstance(left, sp.Rational):
        whole = field.add(whole, field.constant(int(sp.floor(left))))
    elif rest:
        argument = form.convert(left)
        part = field.value(field.key("fraction", argument), Positivity.NONNEGATIVE, inner=argument)
        form.signs.note(field.subtract(field.constant(1), part), strict=True)
        floored = field.subtract(argument, part)
        if (form.sign(argument) or (-1, True))[0] >= 0:
            form.signs.note(floored, strict=False)
        whole = field.add(whole, floored)
    return field.scaled(whole, side)


def signum(form: CanonicalForm, e: sp.Expr) -> Quotient:
    """The sign of something, a number where it is known."""
    x = form.convert(e.args[0])
    known = form.sign(x)
    if known is not None and known[1]:
        return form.field.constant(known[0])
    return form.field.value(form.field.key("sign", x), Positivity.UNKNOWN)


def odd(form: CanonicalForm, e: sp.Expr, name: str) -> Quotient:
    """An odd and increasing function, such as the arc tangent, at arguments of fixed sign."""
    field = form.field
    x = form.convert(e.args[0])
    if x.above.is_zero():
        return x
    sign = -1 if x.above.leading_coefficient() < 0 else 1
    x = field.scaled(x, sign)
    known = form.sign(x)
    positivity = Positivity.UNKNOWN
    if known is not None and known[0] > 0:
        positivity = Positivity.POSITIVE if known[1] else Positivity.NONNEGATIVE
    return field.scaled(field.value(field.key(name, x), positivity, inner=x), sign)


def opaque(form: CanonicalForm, e: sp.Expr) -> Quotient:
    """A function of which only is known that equal arguments give equal values."""
    if any(not isinstance(a, sp.Expr) or a.has(sp.Lambda) or a.is_infinite for a in e.args):
        return closed(form, e)
    return form.field.value(form.field.key(*_head(e), *map(form.convert, e.args)), Positivity.UNKNOWN)


def _head(e: sp.Basic) -> tuple[str, str]:
    """What names the function in a key: one that a user declares is none of ours, whatever it is called."""
    return ("declared", e.func.__name__) if isinstance(e, AppliedUndef) else ("function", type(e).__name__)


def closed(form: CanonicalForm, e: sp.Basic) -> Quotient:
    """A sum, an integral or the like: the same as another one of the same structure, bound names aside.

    Where its body is defined everywhere, the canonical form of that is its structure.
    """
    field = form.field
    key = field.key("head", sp.srepr(e.as_dummy()))
    if isinstance(e, sp.Sum | sp.Product | sp.Integral) and len(e.limits) == 1 and len(e.limits[0]) == 3:
        variable, *ends = e.limits[0]
        if isinstance(e, sp.Integral) and ends[0] == ends[1]:
            return field.constant(0)
        if not of_expression(e.function) and not e.function.has(sp.Sum, sp.Product, sp.Integral, sp.Lambda):
            body = substitute(e.function, {variable: _BOUND})
            between = (str(end) if end.is_infinite else form.convert(end) for end in ends)
            key = field.key(*_head(e), form.convert(body), *between)
            return field.value(key, _of_body(form, type(e), body, *ends))
    return field.value(key, Positivity.UNKNOWN)


def _of_body(form: CanonicalForm, kind: type, body: sp.Expr, first: sp.Expr, last: sp.Expr) -> Positivity:
    """What the sign of every value of the body says of their sum, product or integral, where that has a value."""
    from dpsym.deciding.strategies.exact import Sign, sign  # which asks for forms

    if first is sp.oo or last is -sp.oo:
        return Positivity.UNKNOWN
    endless, smooth = first is -sp.oo or last is sp.oo, kind is sp.Integral
    order = Sign.POSITIVE if endless else sign(last - first, form.domain)
    if smooth and order not in (Sign.POSITIVE, Sign.NONNEGATIVE, Sign.ZERO):
        return Positivity.UNKNOWN
    above, below = (">", "<") if smooth else (">=", "<=")
    inside: list[Proposition] = [Relation(_BOUND, above, first)] if first is not -sp.oo else []  # type: ignore[arg-type]
    inside += [Relation(_BOUND, below, last)] if last is not sp.oo else []  # type: ignore[arg-type]
    inside += [] if smooth else [IsInteger(_BOUND)]
    try:
        found = sign(body, Domain((*form.domain.assume, *inside)))
    except EmptyDomain:
        return Positivity.UNKNOWN
    # an interval that may be a point, and a sum that may have no terms, are 0; a product without factors is 1
    some = order is Sign.POSITIVE or kind is sp.Product or (not smooth and order in (Sign.ZERO, Sign.NONNEGATIVE))
    if found is Sign.POSITIVE and some:
        return Positivity.POSITIVE
    return Positivity.NONNEGATIVE if found in (Sign.POSITIVE, Sign.NONNEGATIVE, Sign.ZERO) else Positivity.UNKNOWN


def series(form: CanonicalForm, e: sp.Expr) -> Quotient:
    """A sum or product of a few terms, one by one; a longer one stays closed."""
    terms = written_out(e)
    if terms is None:
        return closed(form, e)
    field = form.field
    combine, total = (field.add, field.constant(0)) if isinstance(e, sp.Sum) else (field.multiply, field.constant(1))
    for term in terms:
        total = combine(total, form.convert(term))
    return total
