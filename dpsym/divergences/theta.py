"""Sums of exp(quadratic) over integers: named, and equal where a shift by an integer makes them equal.

Over all integers the sum of exp(-c (i - m)^2) does not depend on an integer m; for other m it is smaller
(docs/lemmas.md).
"""

from __future__ import annotations

import sympy as sp

from dpsym.core.distributions import Pmf
from dpsym.core.relations import substitute, unlike
from dpsym.divergences.exponential_sums import ExpSum, Rational, Ring
from dpsym.divergences.signs import Signs


def with_named_indices(masses: Pmf) -> Pmf:
    """The same masses, every sum in them over an index that nothing else is called."""
    sums = masses.expression.atoms(sp.Sum)
    if not sums:
        return masses
    taken = masses.expression.free_symbols | {masses.variable}
    index = unlike("i", taken)
    table = {}
    for total in sums:
        if len(total.limits) == 1 and len(total.limits[0]) == 3:
            (variable, low, high) = total.limits[0]
            table[total] = sp.Sum(substitute(total.function, {variable: index}), (index, low, high))
    return Pmf(masses.variable, masses.expression.xreplace(table), masses.lower, masses.upper)


def gaussian_sum(
    ring: Ring, signs: Signs, curvature: Rational, centre: Rational, ends: tuple[Rational | None, Rational | None]
) -> ExpSum:
    """The sum of exp(curvature (i - centre)^2) over the integers between the ends; None is infinite."""
    low, high = ends
    if signs.is_integer(centre):
        low, high = (None if end is None else end - centre for end in (low, high))
        centre = ring.zero
        if low is None and high is None:
            for generator, element in zip(ring.generators, ring.field.gens, strict=True):
                if centred_curvature(generator, ring) == curvature:
                    return ring.term(ring.field(element))
    factor, middle = ring.expression(curvature), ring.expression(centre)
    limits = (-sp.oo if low is None else ring.expression(low), sp.oo if high is None else ring.expression(high))
    index = unlike("i", factor.free_symbols | middle.free_symbols)
    return ring.atom(sp.Sum(sp.exp(factor * (index - middle) ** 2), (index, *limits)))


def gaussian_sum_parts(expression: sp.Expr, ring: Ring) -> tuple[Rational, Rational] | None:
    """(c, m), for the sum of exp(c (i - m)^2) over all integers; None for anything else."""
    if not isinstance(expression, sp.Sum) or len(expression.limits) != 1:
        return None
    variable, low, high = expression.limits[0]
    function = expression.function
    if (low, high) != (-sp.oo, sp.oo) or not isinstance(function, sp.exp):
        return None
    if not function.args[0].is_polynomial(variable):
        return None
    coefficients = sp.Poly(function.args[0], variable).all_coeffs()[::-1]
    if len(coefficients) != 3:
        return None
    try:
        c0, c1, c2 = map(ring.rational, coefficients)
    except ArithmeticError:
        return None
    centre = -c1 / (2 * c2)
    return (c2, centre) if c0 == c2 * centre**2 else None


def centred_curvature(expression: sp.Expr, ring: Ring) -> Rational | None:
    """c, for the sum of exp(c i^2) over all integers; None for anything else."""
    parts = gaussian_sum_parts(expression, ring)
    return parts[0] if parts is not None and parts[1] == 0 else None
