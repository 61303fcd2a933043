"""Sums of w(j) = exp(-j^2/(2 sigma^2)) over half-lines of integers and, shifted, over all of them.

Over half-lines: term by term where these fall fast, by the Euler-Maclaurin formula with a bound of its remainder
where they fall slowly.  Over all integers: by Poisson summation, where a single term is nearly all of it
(docs/accounting-bounds.md has the proofs).
"""

from __future__ import annotations

from functools import lru_cache

from flint import acb, arb, ctx, fmpq, fmpz

_SMOOTH = 64  # a variance from which on sums over half-lines are nearly integrals
_MOST_ORDER = 1 << 10  # of Euler and Maclaurin's formula, whose terms grow again at some order


def half_line(variance: fmpq, y: int) -> arb:
    """The sum of w(j) over j >= y, for y >= 0."""
    if variance < _SMOOTH or y >= variance:
        return _term_by_term(variance, y)
    return _euler_maclaurin(variance, y)


def _term_by_term(variance: fmpq, y: int) -> arb:
    """Terms until the rest, which falls faster than a geometric series, is next to nothing beside the first one."""
    first = _w(variance, y)
    total, j, tiny = first, y, arb(2) ** (-ctx.prec - 10)
    while True:
        j += 1
        term = _w(variance, j)
        ratio = (-fmpq(2 * j + 1) / (2 * variance) * arb(1)).exp()
        rest = term / (1 - ratio)
        if not rest > tiny * first:
            return total + rest.union(arb(0))
        total += term


def _w(variance: fmpq, j: int) -> arb:
    return (-fmpq(j * j) / (2 * variance) * arb(1)).exp()


def _euler_maclaurin(variance: fmpq, y: int) -> arb:
    """The integral from y on, half of w(y), and -B_2k/(2k)! w^(2k-1)(y) for k = 1..m.

    What is left out is at most |B_2m|/(2m)! times the integral of |w^(2m)|, and w^(n)(x) = (-1/sigma)^n He_n(x/sigma)
    w(x).  More terms are taken until that is next to nothing.
    """
    sigma = arb(variance).sqrt()
    u, w = y / sigma, _w(variance, y)
    whole = sigma * (2 * arb.pi()).sqrt() * (u / arb(2).sqrt()).erfc() / 2
    smallest: arb | None = None
    best = (whole + w / 2).union(whole)  # w falls: at most the first term more than the integral
    best = best.union(whole + w)
    order = 4
    while order <= _MOST_ORDER:
        hermite = _hermite(u, 2 * order)
        found = whole + w / 2
        for k in range(1, order + 1):
            # w^(2k-1)(y) = -He_(2k-1)(u) w(y)/sigma^(2k-1)
            found += _scaled_bernoulli(k) * hermite[2 * k - 1] * w / sigma ** (2 * k - 1)
        rest = (abs(_scaled_bernoulli(order)) * sigma ** (1 - 2 * order) * _absolute_integral(u, 2 * order)).upper()
        if smallest is not None and not rest < smallest:
            break
        smallest, best = rest, found + arb(0, rest)
        if rest < arb(2) ** (-ctx.prec) * whole:
            break
        order *= 2
    return best


@lru_cache(maxsize=2048)
def _bernoulli_over_factorial(k: int) -> fmpq:
    return fmpq.bernoulli(2 * k) / fmpq(fmpz.fac_ui(2 * k))


def _scaled_bernoulli(k: int) -> arb:
    return arb(_bernoulli_over_factorial(k))


def _hermite(u: arb, most: int) -> list[arb]:
    """He_0(u)..He_most(u)."""
    values = [arb(1), u]
    for n in range(1, most):
        values.append(u * values[n] - n * values[n - 1])
    return values


def _absolute_integral(u: arb, n: int) -> arb:
    """More than the integral of |He_n| exp(-x^2/2) from u >= 0 on: that of He_n with all signs positive."""
    tail = (-u * u / 2).exp()
    powers = [(arb.pi() / 2).sqrt() * (u / arb(2).sqrt()).erfc(), tail]  # the integrals of x^k exp(-x^2/2)
    for k in range(2, n + 1):
        powers.append(u ** (k - 1) * tail + (k - 1) * powers[k - 2])
    total, coefficient = arb(0), fmpz(1)
    for i in range(n // 2 + 1):  # n!/(i! (n - 2i)! 2^i)
        total += arb(coefficient) * powers[n - 2 * i]
        coefficient = coefficient * (n - 2 * i) * (n - 2 * i - 1) // (2 * (i + 1))
    return total


def whole_line(variance: fmpq, z: acb) -> acb:
    """The sum of exp(-(j - z)^2/(2 sigma^2)) over all integers j, divided by sigma sqrt(2 pi): a theta function.

    By Poisson summation it is 1 + the sum over k >= 1 of 2 exp(-2 (pi sigma k)^2) cos(2 pi k z).
    """
    return z.modular_theta(acb(0, 2 * arb.pi() * variance))[2]
