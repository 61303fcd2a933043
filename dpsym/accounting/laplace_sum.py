"""The composition of equal Laplace steps as a finite sum.

With a = shift/scale, the privacy loss L of one step has, under the measure exp(-L/2) dP, atoms of mass exp(-a/2)/2
at a and -a and the density exp(-a/2)/4 between.  The bilateral Laplace transform of T such steps is

    exp(-aT/2) 2^-T sum over k of C(T, k) exp(z b_k) (1 + w)^(T-k) (1 - w)^k,  w = 1/(2z),  b_k = a(T - 2k),

and z^-i belongs to the kernel t^(i-1)/(i-1)! at t = b_k - L > 0 (docs/accounting.md).
"""

from __future__ import annotations

import math
from functools import lru_cache

from flint import arb, ctx, fmpq, fmpz_poly

from dpsym.accounting.bounds import Bounds, crossing, endpoints
from dpsym.accounting.laws import LaplaceLaw
from dpsym.accounting.planning import saddle_of_delta
from dpsym.accounting.questions import EXACT_SUM, Found, Question
from dpsym.accounting.tails import log_of

_MOST_STEPS = 300
_MOST_BITS = 1 << 15


def is_laplace_sum(question: Question) -> bool:
    """Whether this is the way: equal Laplace steps, not too many."""
    (law, count), *others = question.laws
    return isinstance(law, LaplaceLaw) and not others and count <= _MOST_STEPS


def by_laplace_sum(question: Question, found: Found) -> None:
    """Narrow what is found, at as much precision as it takes.

    Raises:
        OutOfTime: at the deadline.
    """
    ((law, count),) = question.laws
    if not isinstance(law, LaplaceLaw):
        raise TypeError(f"{law} is not a Laplace law")
    bits = 2 * count + math.ceil(-4 * math.log2(question.relative)) + 64
    while not found.finished and bits <= _MOST_BITS:
        with ctx.workprec(bits):
            if question.epsilon is not None:
                bounds = endpoints(profile(law.a, count, arb(question.epsilon)))
            else:
                at = saddle_of_delta(question.laws, log_of(question.delta))
                bounds = _within(
                    crossing(
                        lambda x: profile(law.a, count, x),
                        arb(question.delta),
                        at.epsilon,
                        at.c,
                        question.relative,
                        question.deadline,
                    ),
                    count * law.a,
                )
        found.improve(bounds, EXACT_SUM, question)
        question.deadline.check()
        bits *= 2


def _within(bounds: Bounds, most: fmpq) -> Bounds:
    """No more than the largest loss."""
    return bounds if bounds.upper <= most else Bounds(bounds.lower, arb(most).upper())


def profile(a: fmpq, count: int, epsilon: arb) -> arb:
    """delta(epsilon), for epsilon > -a count.

    It is exp((epsilon - a count)/2) 2^-count times the sum over k with b = b_k - epsilon > 0, and over i, of
    C(count, k) d_ki 2^-i J_i(b), d_ki the coefficient of w^i above and J_i the i-fold integral of 2 sinh(y/2).
    """
    total = arb(0)
    for k, coefficients in enumerate(_expansions(count)):
        reach = a * (count - 2 * k) - epsilon
        if reach <= 0:
            break
        integrals = _integrals(reach.nonnegative_part(), count)
        total += math.comb(count, k) * sum(
            (d * integral for d, integral in zip(coefficients, integrals, strict=True)), arb(0)
        )
    return (total * ((epsilon - a * count) / 2).exp() / arb(2) ** count).nonnegative_part()


@lru_cache(maxsize=4)
def _expansions(count: int) -> list[list[int]]:
    """The coefficients of (1 + w)^(count - k) (1 - w)^k for all k."""
    up, down = [fmpz_poly([1])], [fmpz_poly([1])]
    for _ in range(count):
        up.append(up[-1] * fmpz_poly([1, 1]))
        down.append(down[-1] * fmpz_poly([1, -1]))
    return [[int(d) for d in (up[count - k] * down[k]).coeffs()] for k in range(count + 1)]


def _integrals(b: arb, count: int) -> list[arb]:
    """2^-i J_i(b) for i = 0..count, where J_i is the sum over n of b^(2n+1+i)/((2n+1+i)! 4^n).

    So J_i = J_(i+2)/4 + b^(i+1)/(i+1)!, all terms positive; only the last two are summed as series.
    """
    half = b / 2
    powers = [half]  # half^(i+1)/(i+1)!
    for i in range(1, count + 2):
        powers.append(powers[-1] * half / (i + 1))
    scaled = [arb(0)] * (count + 3)  # 2^-i J_i = 2 sum over n of half^(2n+1+i)/(2n+1+i)!
    for i in (count, count + 1):
        scaled[i] = 2 * _exponential_tail(powers[i], half, i + 1)
    for i in range(count - 1, -1, -1):
        scaled[i] = scaled[i + 2] + 2 * powers[i]
    return scaled[: count + 1]


def _exponential_tail(first: arb, x: arb, power: int) -> arb:
    """The sum of x^m/m! over m = power, power + 2, ..., of which `first` is the first term; x >= 0."""
    total, term, m = first, first, power
    tiny = arb(2) ** (-ctx.prec - 10)
    while True:
        ratio = x * x / ((m + 1) * (m + 2))
        term *= ratio
        m += 2
        if ratio < fmpq(1, 2) and not term > tiny * total:
            # the later ratios are smaller still: what follows is at most the term again
            return total + (2 * term).union(arb(0))
        total += term
