"""How likely a selection chooses each candidate: laws that several mechanisms share."""

from __future__ import annotations

from functools import cache
from itertools import pairwise, product
from typing import TypeAlias

import sympy as sp

_Scores: TypeAlias = tuple[sp.Expr, ...]
_Powers: TypeAlias = dict[int, sp.Expr]  # coefficients of powers of exp(z)


def softmax(steepness: sp.Expr, scores: _Scores) -> _Scores:
    """In proportion to the exponential of the score: the largest of scores with Gumbel noise."""
    weights = [sp.exp(gap) for gap in _gaps(steepness, scores)]
    return tuple(weight / sp.Add(*weights) for weight in weights)


def flipped(steepness: sp.Expr, scores: _Scores) -> _Scores:
    """In random order, each with the exponential of its gap to the best: the largest with exponential noise."""
    symbols = _symbols(len(scores))
    values = {q: sp.exp(gap) for q, gap in zip(symbols, _gaps(steepness, scores), strict=True)}
    return tuple(_flipped(len(scores), i).xreplace(values) for i in range(len(scores)))


def largest_with_laplace(steepness: sp.Expr, scores: _Scores) -> _Scores:
    """The largest of scores with Laplace noise."""
    heights = [steepness * score for score in scores]
    return tuple(_largest(own, [*heights[:i], *heights[i + 1 :]]) for i, own in enumerate(heights))


def _gaps(steepness: sp.Expr, scores: _Scores) -> list[sp.Expr]:
    best = max(scores)
    return [steepness * (score - best) for score in scores]


def _largest(own: sp.Expr, others: list[sp.Expr]) -> sp.Expr:
    """How likely a number is the largest when each has Laplace noise of scale 1: an integral, piece by piece."""
    gaps = [other - own for other in others]
    ends = [-sp.oo, *sorted({sp.Integer(0), *gaps}), sp.oo]
    half, one, pieces = sp.Rational(1, 2), sp.Integer(1), []
    for low, high in pairwise(ends):
        density: _Powers = {-1: half} if low >= 0 else {1: half}
        for gap in gaps:
            below: _Powers = {0: one, -1: -sp.exp(gap) / 2} if low >= gap else {1: sp.exp(-gap) / 2}
            density = _times(density, below)
        for power, factor in density.items():
            pieces.append(factor * (high - low if power == 0 else (sp.exp(power * high) - sp.exp(power * low)) / power))
    return sp.Add(*pieces)


def _times(first: _Powers, second: _Powers) -> _Powers:
    found: _Powers = {}
    for (i, a), (j, b) in product(first.items(), second.items()):
        found[i + j] = found.get(i + j, sp.Integer(0)) + a * b
    return found


def _symbols(number: int) -> list[sp.Symbol]:
    return [sp.Symbol(f"q{i}") for i in range(number)]


@cache
def _flipped(number: int, own: int) -> sp.Expr:
    """The integral over t from 0 to 1 of q_own times the product of 1 - t q over the others."""
    t, q = sp.Dummy("t"), _symbols(number)
    others = sp.Mul(*(1 - t * q[i] for i in range(number) if i != own))
    polynomial = sp.Poly(sp.expand(others), t)
    return q[own] * sp.Add(*(c / (power + 1) for (power,), c in polynomial.terms()))
