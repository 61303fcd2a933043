"""Signs of polynomials with roots, of quadratic ones, and of sums of squares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flint import fmpq_mpoly

from dpsym.deciding.algebra.field import Positivity
from dpsym.deciding.algebra.reasons import Sign
from dpsym.deciding.algebra.squares import sum_of_squares

if TYPE_CHECKING:
    from dpsym.deciding.algebra.signs import Signs

_DEEPEST = 3  # signs of coefficients asked for inside of signs
_MOST_RAISED = 6  # the power that does away with a root: both parts are raised to it


def between_roots(signs: Signs, p: fmpq_mpoly) -> Sign | None:
    """A + B r with r**n = C: by the signs of A, B and of A**m + (B r)**m, where m is free of the root."""
    if signs.depth > _DEEPEST:
        return None
    for i in reversed(signs.field.used(p)):
        kernel = signs.field.kernels[i]
        if kernel.relation is None or kernel.positivity is Positivity.UNKNOWN:
            continue
        parts = signs.field.in_powers_of(p, i)
        powers = [j for j in parts if j]
        if len(powers) != 1 or powers[0] >= kernel.relation[0]:
            continue
        n, radicand = kernel.relation
        j, first, second = powers[0], parts.get(0), parts[powers[0]]
        if first is None or len(first) + len(second) > 40:
            continue
        m = next(m for m in range(1, n + 1) if m * j % n == 0)
        if m > _MOST_RAISED:
            continue
        power = signs.field.lowered(second**m * radicand ** (m * j // n))
        if m % 2:  # an odd power keeps the order
            whole = signs.field.lowered(first**m) + power
            odd = signs.polynomial(whole)
            found = None if odd is None else Sign(*odd, "odd power", m, first, second, (i, j), whole, odd)
        else:
            found = _opposed(signs, (i, j), m, first, second, signs.field.lowered(first**m) - power)
        if found is not None:
            return found
    return None


def _opposed(
    signs: Signs, root: tuple[int, int], m: int, first: fmpq_mpoly, second: fmpq_mpoly, excess: fmpq_mpoly
) -> Sign | None:
    """The sign of A + B with r >= 0 in B, from those of A, of B/r and of A**m - B**m for even m."""
    one, other = signs.polynomial(first), signs.polynomial(second)
    if one is None and other is None:
        return None
    if one is not None and other is not None and one[0] * other[0] >= 0:
        return Sign(one[0] or other[0], one[1] and one[0] != 0, "agreeing", root, (first, one), (second, other))
    larger = signs.polynomial(excess)
    if larger is None:
        return None
    if larger[0] >= 0 and one is not None and one[0]:
        found = one
    elif larger[0] <= 0 and other is not None and other[0]:
        found = other
    else:
        return None
    strict = larger[1] and larger[0] != 0
    return Sign(found[0], strict, "opposed", root, m, (first, one), (second, other), (excess, larger))


def collected(signs: Signs, p: fmpq_mpoly) -> Sign | None:
    """All coefficients of the powers of a kernel >= 0 have one sign."""
    if signs.depth > 2 or len(p) > 60:
        return None
    for i in signs.field.used(p):
        if signs.field.kernels[i].positivity is Positivity.UNKNOWN:
            continue
        parts = signs.field.in_powers_of(p, i)
        if len(parts) < 2 or len(parts) == len(p):
            continue
        sign, strict, each = 0, False, []
        for power, rest in parts.items():
            known = signs.polynomial(rest)
            each.append((power, rest, known))
            if known is None or known[0] * sign < 0:
                break
            sign = sign or known[0]
            positive = power == 0 or signs.field.kernels[i].positivity is Positivity.POSITIVE
            strict = strict or (known[1] and known[0] != 0 and positive)
        else:
            return Sign(sign, strict, "collected", i, tuple(each))
    return None


def quadratic(signs: Signs, p: fmpq_mpoly) -> Sign | None:
    """a g**2 + b g + c has the sign of a where b**2 <= 4 a c."""
    if len(p) > 60 or signs.depth > _DEEPEST:
        return None
    for i in signs.field.used(p):
        parts = signs.field.in_powers_of(p, i)
        if p.degrees()[i] == 4 and set(parts) <= {0, 2, 4}:
            parts = {power // 2: rest for power, rest in parts.items()}
        if max(parts) != 2 or 0 not in parts:
            continue
        leading = signs.polynomial(parts[2])
        if leading is None or not leading[1] or not leading[0]:
            continue
        b = parts.get(1, signs.field.zero)
        least = signs.field.lowered(b * b - parts[2] * parts[0] * 4)
        discriminant = signs.polynomial(least)
        if discriminant is not None and discriminant[0] <= 0:
            strict = discriminant[1] and discriminant[0] != 0
            power = int(p.degrees()[i]) // 2
            return Sign(leading[0], strict, "quadratic", (i, power), (parts[2], leading), b, (least, discriminant))
    return None


def squares(signs: Signs, p: fmpq_mpoly) -> Sign | None:
    """A sum of squares over the rationals, and of terms that are not negative."""
    for sign in (1, -1):
        terms = {tuple(map(int, e)): c * sign for e, c in p.to_dict().items()}
        free = {e for e, c in terms.items() if c > 0 and harmless(signs, e)}
        found = sum_of_squares(terms, free)
        if found is None:
            continue
        apart = None
        if any(not any(e) for e in free):
            moving = {e: c for e, c in terms.items() if any(e)}
            apart = sum_of_squares(moving, {e for e in free if any(e)})
        return Sign(sign, apart is not None, "squares", found if apart is None else apart)
    return None


def harmless(signs: Signs, exponents: tuple[int, ...]) -> bool:
    """Whether a monomial is nowhere negative."""
    return all(
        e % 2 == 0 or signs.field.kernels[i].positivity is not Positivity.UNKNOWN for i, e in enumerate(exponents) if e
    )
