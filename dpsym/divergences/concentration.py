"""The least zCDP budget of a symmetric pair: its Kullback-Leibler divergence, where Lemma 1 applies.

Lemma 1 (docs/lemmas.md).  With s = alpha - 1/2 the affinity of a symmetric pair is an even function of s.
If all its zeros are imaginary, its logarithm is concave in s^2, and therefore D_alpha <= alpha KL for
alpha > 1; as D_alpha tends to KL at alpha = 1, no smaller rho will do.  They are imaginary for multiples of
    cosh(k s) + c                                                 -1 < c <= 1,
    cosh(k s) + g sinh(k s)/s                                      g >= 0,      and sinh(k s)/s alone,
    (sinh((n + 1) k s) - c sinh((n - 1) k s)) / sinh(k s)          0 <= c <= 1, n a positive integer.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import sympy as sp

from dpsym.core.distributions import Distribution
from dpsym.core.relations import Proposition, Relation, propositions
from dpsym.divergences.cauchy import separated
from dpsym.divergences.closed_form import ClosedForm, NoClosedForm
from dpsym.divergences.exponential_sums import ExpSum, Powers, Rational, Ring
from dpsym.divergences.pairs import symmetric
from dpsym.divergences.renyi import INFINITE, affinity_sum, kullback_leibler
from dpsym.divergences.signs import Signs
from dpsym.divergences.theta import centred_curvature, gaussian_sum_parts

_ORDER = sp.Dummy("alpha")
_NO_POWERS: Powers = frozenset()


def zero_concentrated(P: Distribution, Q: Distribution, assume: Iterable[object] = ()) -> ClosedForm:
    """The least rho with D_alpha <= rho alpha for every alpha > 1 and both orders of P and Q.

    Raises:
        NoClosedForm: where the engine cannot tell.
    """
    known = propositions(assume)
    if (apart := separated(P, Q, known)) is not None:
        return apart.zero_concentrated()
    found = affinity_sum(_ORDER, P, Q, (*known, Relation(_ORDER, ">", sp.S.One)))
    if found is None:
        return INFINITE
    if not symmetric(P, Q, known):
        raise NoClosedForm("no rule for the zCDP of a pair that is not symmetric")
    total = found.total.collected()
    rate = _gaussian_rate(total)
    if rate is not None:
        return ClosedForm(total.ring.expression(rate), found.conditions)
    rate = _discrete_gaussian_rate(total, found.signs)
    if rate is not None:
        return ClosedForm(total.ring.expression(rate), found.conditions, ("docs/lemmas.md, sums of Gaussians",))
    conditions = _zeros_are_imaginary(found.total, found.signs)
    least = kullback_leibler(P, Q, known)
    return ClosedForm(least.expression, (*least.conditions, *conditions), ("docs/lemmas.md, Lemma 1",))


def _gaussian_rate(total: ExpSum) -> Rational | None:
    """c, if the affinity is exp(c alpha (alpha - 1))."""
    if len(total.terms) != 1:
        return None
    (((exponent, powers), coefficient),) = total.terms.items()
    order = total.ring.rational(_ORDER)
    rate = exponent / (order * (order - 1))
    return rate if coefficient == 1 and not powers and _steady(rate, total.ring) else None


def _discrete_gaussian_rate(total: ExpSum, signs: Signs) -> Rational | None:
    """c, if the affinity is exp(c alpha (alpha - 1)) S(alpha d)/S(0), S(m) the sum of exp(-r (i - m)^2), d an integer.

    S(m) <= S(0), with equality where m is an integer: at alpha = 2 the divergence is alpha c, and never more.
    """
    ring = total.ring
    if len(total.terms) != 1:
        return None
    (((exponent, powers), coefficient),) = total.terms.items()
    order = ring.rational(_ORDER)
    rate = exponent / (order * (order - 1))
    if not _steady(rate, ring) or len(powers) != 1:
        return None
    ((base, power),) = powers
    if power != 1 or not isinstance(base, sp.Sum):
        return None
    for generator, element in zip(ring.generators, ring.field.gens, strict=True):
        curvature = centred_curvature(generator, ring)
        if curvature is None or coefficient * element != 1:
            continue
        moved = gaussian_sum_parts(base, ring)
        if moved is None or moved[0] != curvature:
            continue
        shift = moved[1] / order
        if _steady(shift, ring) and signs.is_integer(shift):
            return rate
    return None


def _zeros_are_imaginary(total: ExpSum, signs: Signs) -> tuple[Proposition, ...]:
    """The conditions under which the affinity has one of the three shapes.

    Raises:
        NoClosedForm: if it has none of them.
    """
    ring = total.ring
    numerator, denominator = total.over_common_denominator()
    moving = {base: k for base, k in denominator.items() if k and base.has(_ORDER)}
    groups: dict[Powers, None] = dict.fromkeys(powers for _, powers in numerator.terms)
    if len(groups) == 1:
        terms = {exponent: c for (exponent, _), c in numerator.terms.items()}
        if not moving and len(terms) >= 2:
            found = _hyperbolic(terms, ring, signs)
        elif len(moving) == 1 and set(moving.values()) == {1} and len(terms) in (2, 4):
            found = _chebyshev(terms, ring.base_sum(next(iter(moving))), ring, signs)
        else:
            found = None
        if found is not None:
            return found
    raise NoClosedForm("no rule for the largest D_alpha/alpha of this pair")


def _hyperbolic(terms: dict[Rational, Rational], ring: Ring, signs: Signs) -> tuple[Proposition, ...] | None:
    """The first two shapes: exponents e + k s, e - k s and perhaps some that do not move."""
    width = 2 * ring.rational(_ORDER) - 1  # 2 s
    for first, second in combinations(terms, 2):
        rate, middle = (first - second) / width, (first + second) / 2
        if not (_steady(rate, ring) and _steady(middle, ring)) or rate == 0:
            continue
        rest = [exponent for exponent in terms if exponent not in (first, second)]
        c1, c2 = terms[first], terms[second]
        if not rest:
            total, tilt = c1 + c2, (c1 - c2) * width
            if _steady(total, ring) and _steady(tilt, ring):
                along = signs.of(rate)  # tilt * sinh(rate s)/s must not be negative, nor both be zero
                if along is None or not (signs.at_least_zero(total) and signs.at_least_zero(tilt * along)):
                    continue
                if signs.of(total) == 1 or signs.of(tilt * along) == 1:
                    return ()
        elif c1 == c2 and all(_steady(x, ring) for x in (c1, *rest, *(terms[e] for e in rest))):
            # 2 c1 e^middle cosh + the sum of c e^rest: their ratio must be at most 1
            ceiling, constant = ring.term(2 * c1, middle), ExpSum(ring, {(e, _NO_POWERS): terms[e] for e in rest})
            if signs.of(c1) != 1 or not all(signs.at_least_zero(terms[e]) for e in rest):
                continue
            if signs.of(constant - ceiling) == 1:  # a condition that never holds says nothing
                continue
            if signs.at_least_zero(ceiling - constant):
                return ()
            shared = ring.term(ring.one, -rest[0])
            return (Relation((constant * shared).expression, "<=", (ceiling * shared).expression),)
    return None


def _chebyshev(
    terms: dict[Rational, Rational], base: ExpSum | None, ring: Ring, signs: Signs
) -> tuple[Proposition, ...] | None:
    """The third shape, with the denominator 1 - exp(-2 k s) in place of sinh(k s)."""
    width, zero = 2 * ring.rational(_ORDER) - 1, _NO_POWERS
    if base is None or len(base.terms) != 2 or base.terms.get((ring.zero, zero)) != 1:
        return None
    ((step, minus_one),) = [(e, c) for (e, powers), c in base.terms.items() if e != 0 and not powers]
    rate = -step / width
    if minus_one != -1 or not _steady(rate, ring) or rate == 0:
        return None
    centred = {exponent - step / 2: c for exponent, c in terms.items()}  # times exp(k s)
    for outer in combinations(centred, 2):
        inner = tuple(exponent for exponent in centred if exponent not in outer)
        whole, part = _odd(outer, centred, rate * width, signs), _odd(inner, centred, rate * width, signs)
        if whole is None or not signs.is_integer(whole[0]) or signs.of(whole[2]) != 1:
            continue
        if not inner and signs.of(whole[0]) == 1:
            return ()
        if part is None or whole[0] != part[0] + 2:
            continue
        leading, subtracted = ring.term(whole[2], whole[1]), ring.term(-part[2], part[1])
        no_more = signs.at_least_zero(-part[2]) and signs.at_least_zero(leading - subtracted)
        if no_more and signs.of(whole[0] - 1) == 1:
            return ()
    return None


def _odd(
    pair: tuple[Rational, ...], terms: dict[Rational, Rational], unit: Rational, signs: Signs
) -> tuple[Rational, Rational, Rational] | None:
    """(n, e, c) with n >= 0 if two terms are c exp(e + n unit/2) - c exp(e - n unit/2)."""
    ring = signs.ring
    for first, second in (pair, pair[::-1]) if pair else ():
        count, middle, c = (first - second) / unit, (first + second) / 2, terms[first]
        steady = all(_steady(x, ring) for x in (count, middle, c))
        if terms[second] == -c and steady and signs.at_least_zero(count):
            return count, middle, c
    return None


def _steady(element: Rational, ring: Ring) -> bool:
    """Whether it does not depend on the order."""
    return ring.diff(element, _ORDER) == 0
