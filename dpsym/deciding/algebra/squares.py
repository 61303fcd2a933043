"""Sums of squares over the rationals, by exact Cholesky decomposition of a Gram matrix."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from flint import fmpq

Exponents = tuple[int, ...]
Square = tuple[fmpq, Mapping[Exponents, fmpq]]  # a number > 0, and the coefficients of what is squared

_MOST_SQUARED = 12  # terms that may be squares; products of pairs are compared


def sum_of_squares(terms: Mapping[Exponents, fmpq], harmless: Collection[Exponents]) -> tuple[Square, ...] | None:
    """Squares that leave some of a polynomial's `harmless` terms, by one Gram matrix; None where there are none.

    The matrix has the squares of the polynomial on its diagonal and each other term off it once, so that a
    sum of squares that needs another matrix is missed.
    """
    squared = [tuple(i // 2 for i in e) for e, c in terms.items() if c > 0 and all(i % 2 == 0 for i in e)]
    if not squared or len(squared) > _MOST_SQUARED:
        return None
    place = {e: i for i, e in enumerate(squared)}
    size = len(squared)
    gram = [[fmpq(0)] * size for _ in range(size)]
    pairs: dict[Exponents, tuple[int, int]] = {}
    for a, i in place.items():
        for b, j in place.items():
            if i < j:
                pairs.setdefault(tuple(x + z for x, z in zip(a, b, strict=True)), (i, j))
    for e, c in terms.items():
        half = tuple(i // 2 for i in e)
        if c > 0 and half in place and all(i % 2 == 0 for i in e):
            gram[place[half]][place[half]] += c
        elif e in harmless:
            continue
        elif e in pairs:
            i, j = pairs[e]
            gram[i][j] += c / 2
            gram[j][i] += c / 2
        else:
            return None
    return _decomposed(gram, squared)


def _decomposed(matrix: list[list[fmpq]], names: list[Exponents]) -> tuple[Square, ...] | None:
    """The squares of a symmetric matrix that is positive semidefinite, by elimination."""
    found = []
    left = [row[:] for row in matrix]
    for k in range(len(left)):
        pivot = left[k][k]
        if pivot < 0 or (pivot == 0 and any(left[k][j] != 0 for j in range(k, len(left)))):
            return None
        if pivot == 0:
            continue
        found.append((pivot, {names[j]: left[k][j] / pivot for j in range(k, len(left)) if left[k][j] != 0}))
        for i in range(k + 1, len(left)):
            factor = left[i][k] / pivot
            for j in range(k, len(left)):
                left[i][j] -= factor * left[k][j]
    return tuple(found)
