"""Signs by monotone functions: of bounds, logarithms, exponentials and the normal distribution function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flint import fmpq, fmpq_mpoly

from dpsym.core import functions
from dpsym.deciding.algebra.field import Positivity, Quotient, Restart
from dpsym.deciding.algebra.reasons import Sign

if TYPE_CHECKING:
    from dpsym.deciding.algebra.signs import Signs

_DEEPEST = 3  # signs asked for inside of signs, one per kernel inside a kernel
_MOST_TERMS = 200  # of a polynomial that is enclosed kernel by kernel
_MONOTONE = {"Phi", "Phi_inv", *(f.name for f in functions.these("odd_and_rising"))}
_MOST_RAISED = 6  # powers of a kernel that its bounds are raised to


def within_bounds(signs: Signs, p: fmpq_mpoly) -> Sign | None:
    """Every kernel from l up is l + s, every one between l and u is (l + u s)/(1 + s), u not attained."""
    raised: dict[int, Positivity] = {}
    bounds: list[tuple[int, fmpq, fmpq | None, int]] = []  # kernels, their bounds, and the powers of the denominators
    for i in signs.field.used(p):
        near, far, known = _bounds(signs, i)
        degree = int(p.degrees()[i])
        if near is None or degree > _MOST_RAISED * 2 or len(p) > _MOST_TERMS:
            continue
        s = signs.field.generators[i]
        above = s + near if far is None else s * far + near
        below = signs.field.one if far is None else s + 1
        total = signs.field.zero
        for power, rest in signs.field.in_powers_of(p, i).items():
            total += rest * above**power * below ** (degree - power)
        p, raised[i] = total, known
        bounds.append((i, near, far, degree))
    if not raised or p.is_zero():
        return None
    found = signs.of_terms(p, raised)
    return None if found is None else Sign(*found, "bounds", p, tuple(bounds))


def _bounds(signs: Signs, i: int) -> tuple[fmpq | None, fmpq | None, Positivity]:
    """Rational bounds on a generator that say more than its sign; the first is attained where s = 0."""
    kernel = signs.field.kernels[i]
    if kernel.inner is not None and signs.depth <= _DEEPEST and kernel.key[0] in ("exp", "Phi"):
        sign = signs.of(kernel.inner)
        known = Positivity.POSITIVE if sign is not None and sign[1] and sign[0] else Positivity.NONNEGATIVE
        if kernel.key[0] == "exp":
            if sign is not None:
                return fmpq(1), None if sign[0] >= 0 else fmpq(0), known
        elif kernel.degree == 1 and sign is not None and sign[0]:
            return fmpq(1, 2), fmpq(1) if sign[0] > 0 else fmpq(0), known
        elif kernel.degree == 1:
            return fmpq(0), fmpq(1), Positivity.POSITIVE
    return None, None, Positivity.UNKNOWN


def of_logarithms(signs: Signs, p: fmpq_mpoly) -> Sign | None:
    """A sum T + m log|f| + ... with integers m has the sign of exp(T) times the product of |f|**m, less 1."""
    above = below = signs.field.one
    size, left, together = 0, signs.field.zero, []
    for exponents, c in p.to_dict().items():
        used = [(i, e) for i, e in enumerate(exponents) if e]
        kernel = signs.field.kernels[used[0][0]] if len(used) == 1 and used[0][1] == 1 else None
        if kernel is None or kernel.key[0] != "log" or kernel.inner is None or kernel.degree != 1 or c.q != 1:
            left += signs.field.terms({exponents: c})
            continue
        times = int(c.p)
        size += abs(times)
        if size > _MOST_RAISED * 2 or signs.of(kernel.inner) != (1, True):
            return None
        together.append((used[0][0], times))
        over, under = (kernel.inner.above, kernel.inner.below)[:: 1 if times > 0 else -1]
        above, below = above * over ** abs(times), below * under ** abs(times)
    if not size:
        return None
    rest = None
    if not left.is_zero() and signs.exponential is not None:
        try:
            rest = signs.exponential(signs.field.polynomial(left))
        except Restart:  # a sign is not worth building the form anew
            return None
        above, below = above * rest.above, below * rest.below
    difference = signs.field.lowered(above - below)
    found = signs.polynomial(difference)
    return None if found is None else Sign(*found, "logarithms", tuple(together), left, (above, below), found)


def of_monotone(signs: Signs, p: fmpq_mpoly) -> Sign | None:
    """Phi(u) - Phi(v) and Phi(u) + Phi(v) - 1; the same of its inverse and of odd functions that rise."""
    single: list[tuple[Quotient, fmpq]] = []
    constant, name = fmpq(0), ""
    for exponents, c in p.to_dict().items():
        used = [(i, e) for i, e in enumerate(exponents) if e]
        if not used:
            constant = fmpq(c)
            continue
        kernel = signs.field.kernels[used[0][0]]
        if len(used) != 1 or used[0][1] != 1 or kernel.inner is None or kernel.key[0] not in _MONOTONE:
            return None
        if kernel.degree != 1 or (name and name != kernel.key[0]):
            return None
        name = kernel.key[0]
        single.append((kernel.inner, fmpq(c)))
    if len(single) == 1 and name == "Phi" and constant == -single[0][1] / 2:
        sign = signs.of(single[0][0])
        if sign is None:
            return None
        return Sign((1 if single[0][1] > 0 else -1) * sign[0], sign[1], "half", single[0][0], sign)
    if len(single) != 2:
        return None
    (u, a), (v, c) = single
    if a == -c and constant == 0:
        gap = signs.field.subtract(u, v)
    elif a == c and name == "Phi" and constant == -a:
        gap = signs.field.add(u, v)
    else:
        return None
    sign = signs.of(gap)
    return (
        None
        if sign is None
        else Sign((1 if a > 0 else -1) * sign[0], sign[1], "monotone", name, (u, v), a == c, gap, sign)
    )


def of_two_terms(signs: Signs, p: fmpq_mpoly) -> Sign | None:
    """a M - b N with positive M and N, of which one has exponentials, by the logarithm of a M/(b N)."""
    terms = list(p.to_dict().items())
    if len(terms) != 2 or terms[0][1] * terms[1][1] > 0 or signs.logarithm is None or signs.depth > 2:
        return None
    used = signs.field.used(p)
    if any(signs.field.kernels[i].positivity is not Positivity.POSITIVE for i in used):
        return None
    if not any(signs.field.kernels[i].key[0] == "exp" for i in used):
        return None
    plus, minus = sorted(terms, key=lambda t: -t[1])
    ratio = Quotient(signs.field.terms({plus[0]: plus[1]}), signs.field.terms({minus[0]: -minus[1]}))
    try:
        logarithm = signs.logarithm(ratio)
        found = signs.of(logarithm)
    except Restart:  # a sign is not worth building the form anew
        return None
    return None if found is None else Sign(*found, "two terms", ratio, logarithm, found)
