"""The moment function of a sampled Laplace step far up a contour: an expansion at both ends of the law.

The loss L has an atom at each end of [low, high], of mass p- and p+, and between them a density f.  Let
f(low + x) exp(-shift x) and f(high + x) exp(-shift x) have the derivatives l_i and h_i at x = 0, and w = 1/(s + shift).
Parts integrated N times,

    M(s) = exp(s high) alpha(w) + exp(s low) beta(w) + rho(s),
    alpha(w) = p+ + sum over i < N of (-1)^i h_i w^(i+1),  beta(w) = p- - sum over i < N of (-1)^i l_i w^(i+1),

and rho is bounded (docs/accounting-bounds.md).
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, arb_series, ctx, fmpq


@dataclass(frozen=True, slots=True)
class Ends:
    """The expansion at the working precision.

    Attributes:
        low, high: the losses of the atoms.
        alpha, beta: the coefficients of powers of w, from 0 to N.
        spread: |rho(s)| is at most this times |w|^N exp(high Re s).
    """

    low: arb
    high: arb
    alpha: list[arb]
    beta: list[arb]
    spread: arb

    def majorant(self, c: arb, w: arb) -> arb:
        """A bound of |exp(s high) alpha| + |exp(s low) beta| at Re s = c for |w| up to this, for any signs of terms."""
        first = sum((abs(x) * w**i for i, x in enumerate(self.alpha)), arb(0))
        second = sum((abs(x) * w**i for i, x in enumerate(self.beta)), arb(0))
        return (c * self.high).exp() * first + (c * self.low).exp() * second

    def rest(self, c: arb, w: arb) -> arb:
        """A bound of |rho| there."""
        return w ** (len(self.alpha) - 1) * self.spread * (c * self.high).exp()


def ends(a: fmpq, q: fmpq, adding: bool, terms: int, shift: arb) -> Ends:
    """The expansion with N = `terms` >= 1 of the step of shift/scale a, sampled at rate q, for an exact shift >= 1/2.

    With r = 1 - q + q exp(l), l the loss without sampling: removing a record, L = log r, with the density
    C r^2 (r - 1 + q)^(-3/2), C = exp(-a/2) q^(1/2)/4; adding one, L = -log r, with C r (r - 1 + q)^(-3/2).
    """
    if not shift >= fmpq(1, 2):
        raise ValueError(f"shift = {shift} is less than 1/2")
    size, rate = arb(a), arb(q)
    most, least = 1 - rate + rate * size.exp(), 1 - rate + rate * (-size).exp()
    if adding:
        upper, lower, masses = least, most, (arb(1) / 2, (-size).exp() / 2)
    else:
        upper, lower, masses = most, least, (most * (-size).exp() / 2, least / 2)
    high, low = (-upper.log(), -lower.log()) if adding else (upper.log(), lower.log())
    above, below = (_derivatives(size, rate, r, adding, terms, -shift) for r in (upper, lower))
    alpha, beta = [masses[0]], [masses[1]]
    for i in range(terms):
        sign = -1 if i % 2 else 1
        alpha.append(sign * above[i])
        beta.append(-sign * below[i])
    if adding:  # exponentials exp((k + 1/2) L): none has a larger derivative than at the upper end, turned upwards
        spread = _derivatives(size, rate, upper, adding, terms + 1, shift)[terms] * (high - low)
    else:  # exponentials exp((1/2 - k) L): of one sign, and all but the first are largest at the lower end
        steepest = _derivatives(size, rate, lower, adding, terms + 1, -shift)[terms]
        spread = abs(steepest) * (high - low) * ((high - low) / 2).exp()
    return Ends(low, high, alpha, beta, spread.upper())


def _derivatives(a: arb, q: arb, r: arb, adding: bool, terms: int, shift: arb) -> list[arb]:
    """Of f exp(shift x) at one end, from the Taylor series there: r turns into r exp(x), or r exp(-x)."""
    before = ctx.cap
    ctx.cap = terms
    try:
        moved = arb_series([0, -1 if adding else 1], prec=terms).exp() * r
        density = ((moved - (1 - q)).log() * arb(-3) / 2).exp() * moved * (1 if adding else moved)
        density *= arb_series([0, shift], prec=terms).exp() * ((-a / 2).exp() * q.sqrt() / 4)
        found, factorial = [], arb(1)
        for i in range(terms):
            found.append(density[i] * factorial)
            factorial *= i + 1
    finally:
        ctx.cap = before
    return found
