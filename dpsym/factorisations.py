"""The matrix mechanism: Gaussian noise on C x, and A x = B C x computed from it, where A = B C.

A record takes part in some steps of a stream, in each with a vector of L2 norm at most Delta; which steps, a
`Participation` says.  If it is added or removed, C x moves by at most Delta times the sensitivity of C, so that with
noise of standard deviation sigma this is the Gaussian mechanism with mu = Delta*sensitivity/sigma.  All numbers are
exact; of a sensitivity it is said whether it is attained or an upper bound.

Sources: Denisov et al. 2022 (one participation); Choquette-Choo et al. 2023, "Multi-Epoch Matrix Factorization
Mechanisms for Private Machine Learning" and "(Amplified) Banded Matrix Factorization" (several); Kalinin and Lampert
2024 (Toeplitz matrices).  No locator was verified; what is computed is shown in docs/matrix-mechanisms.md, and that a
stream may be chosen adaptively is not derived.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import combinations, pairwise
from math import comb
from typing import TypeAlias

import sympy as sp
from flint import fmpq, fmpq_mat

from dpsym.core.display import short
from dpsym.core.given import given
from dpsym.entries.notions.gdp import gdp
from dpsym.statements import Guarantee

Exact: TypeAlias = int | float | str | Fraction | Decimal | sp.Rational
Matrix: TypeAlias = Sequence[Sequence[Exact]]

_MOST_PATTERNS = 5000  # that are gone through one by one


@dataclass(frozen=True)
class Participation:
    """In which steps a record takes part, in at most `k`, any two of them at least `b` apart.

    Attributes:
        k: how often; 1 for a record that takes part once.
        b: the least distance of two steps, 1 for any steps.
        epochs: the order is fixed, and it is exactly the steps j, j + b, …, j + (k - 1)b for some j.

    Raises:
        ValueError: for k or b below 1.
    """

    k: int = 1
    b: int = 1
    epochs: bool = False

    def __post_init__(self) -> None:
        if self.k < 1 or self.b < 1:
            raise ValueError(f"k = {self.k}, b = {self.b}: both are at least 1")


@dataclass(frozen=True)
class Sensitivity:
    """How far C x moves in L2 norm where each contribution is of norm at most 1.

    Attributes:
        squared: its square, or an upper bound of it.
        exact: some contributions attain it; otherwise it is only an upper bound.
        why: by what.
    """

    squared: Fraction
    exact: bool
    why: str

    @property
    def value(self) -> sp.Expr:
        """The square root, in exact form."""
        return sp.sqrt(sp.Rational(self.squared.numerator, self.squared.denominator))


@dataclass(frozen=True)
class MatrixMechanism:
    """Gaussian noise of standard deviation `sigma` on C x: see `matrix_mechanism`."""

    encoder: tuple[tuple[Fraction, ...], ...]
    sigma: Fraction
    Delta: Fraction
    participation: Participation
    workload: tuple[tuple[Fraction, ...], ...]

    __repr__ = short

    @cached_property
    def sensitivity(self) -> Sensitivity:
        """The sensitivity of C, for contributions of norm at most 1."""
        return sensitivity(self.encoder, self.participation)

    @property
    def mu(self) -> sp.Expr:
        """The mu of Gaussian differential privacy; the smallest where the sensitivity is exact."""
        return sp.sqrt(_sympy(self.sensitivity.squared * (self.Delta / self.sigma) ** 2))

    @property
    def guarantee(self) -> Guarantee:
        """gdp(mu), for a record added or removed and no other neighbours, which the guarantee itself does not say."""
        return gdp(self.mu)

    @cached_property
    def _row_norms(self) -> tuple[Fraction, ...]:
        """Squared norms of the rows of B, which solves B C = A."""
        decoder = _flint(self.workload) * _flint(self.encoder).inv()
        rows = ([decoder[i, j] for j in range(decoder.ncols())] for i in range(decoder.nrows()))
        return tuple(_fraction(sum((x * x for x in row), fmpq(0))) for row in rows)

    @property
    def max_squared_error(self) -> Fraction:
        """The largest variance of one coordinate of one answer, exact."""
        return self.sigma**2 * max(self._row_norms)

    @property
    def mean_squared_error(self) -> Fraction:
        """The mean of these variances over all answers, exact."""
        return self.sigma**2 * sum(self._row_norms) / len(self._row_norms)

    @property
    def max_loss(self) -> Fraction:
        """The largest variance with noise such that mu = 1 is guaranteed; it does not depend on sigma."""
        return self.Delta**2 * self.sensitivity.squared * max(self._row_norms)

    @property
    def mean_loss(self) -> Fraction:
        """The mean variance with noise such that mu = 1 is guaranteed; it does not depend on sigma."""
        return self.Delta**2 * self.sensitivity.squared * sum(self._row_norms) / len(self._row_norms)


def matrix_mechanism(
    encoder: Matrix,
    sigma: Exact,
    Delta: Exact = 1,
    *,
    participation: Participation = Participation(),
    workload: Matrix | None = None,
) -> MatrixMechanism:
    """B (C x + z), z Gaussian of standard deviation sigma in each coordinate, where B C is the workload.

    Args:
        encoder: C, lower triangular with no 0 on the diagonal, by its rows.
        sigma: the standard deviation, positive.
        Delta: the largest L2 norm of a record's contribution to one step, positive.
        participation: in which steps it takes part; once, unless said otherwise.
        workload: A, by its rows; running sums unless said otherwise.

    Raises:
        TypeError: for what is no rational number; a float is the decimal that it prints.
        ValueError: where a matrix or a number is none of these.
    """
    rows = _matrix(encoder)
    size = len(rows)
    if any(len(row) != size for row in rows):
        raise ValueError("the encoder is not square")
    if any(row[i] == 0 or any(row[i + 1 :]) for i, row in enumerate(rows)):
        raise ValueError("the encoder is not lower triangular with no 0 on the diagonal")
    answers = toeplitz([1] * size, size) if workload is None else _matrix(workload)
    if any(len(row) != size for row in answers):
        raise ValueError(f"the workload has not {size} columns")
    scale, bound = _exact(sigma), _exact(Delta)
    if scale <= 0 or bound <= 0:
        raise ValueError(f"sigma = {scale}, Delta = {bound}: both are positive")
    return MatrixMechanism(rows, scale, bound, participation, answers)


# --- matrices -------------------------------------------------------------------------------------------


def toeplitz(coefficients: Sequence[Exact], n: int) -> tuple[tuple[Fraction, ...], ...]:
    """The lower triangular Toeplitz matrix of n rows with these entries in its first column, 0 after the last."""
    column = [*map(_exact, coefficients), *[Fraction(0)] * n][:n]
    return tuple(tuple(column[i - j] if i >= j else Fraction(0) for j in range(n)) for i in range(n))


def square_root(n: int, bands: int | None = None) -> tuple[tuple[Fraction, ...], ...]:
    """The square root of the matrix of running sums, all of it or its first bands (Kalinin and Lampert 2024)."""
    return toeplitz([Fraction(comb(2 * j, j), 4**j) for j in range(n if bands is None else bands)], n)


def buffered(weights: Sequence[Exact], decays: Sequence[Exact], n: int) -> tuple[tuple[Fraction, ...], ...]:
    """Buffered linear Toeplitz (Dvijotham et al. 2024): 1, and then sums of weight*decay**(j - 1).

    Raises:
        ValueError: where there are not as many weights as decays.
    """
    pairs = [(_exact(w), _exact(d)) for w, d in zip(weights, decays, strict=True)]
    return toeplitz([1, *(sum((w * d**j for w, d in pairs), Fraction(0)) for j in range(n - 1))], n)


# --- sensitivities --------------------------------------------------------------------------------------


def sensitivity(encoder: Matrix, participation: Participation = Participation()) -> Sensitivity:
    """The largest L2 norm of the sum of g_j c_j over a pattern of steps, c_j the columns, g_j of norm at most 1.

    For one pattern it is at most the sum of all |<c_i, c_j>|, and so much where signs of the columns make all these
    products non-negative.

    Raises:
        TypeError: for a number that is not an exact rational one.
        ValueError: for rows of different lengths, or where no record can take part so often.
    """
    rows = _matrix(encoder)
    steps = len(rows[0])
    matrix = _flint(rows)
    product = matrix.transpose() * matrix
    gram = [[_fraction(product[i, j]) for j in range(steps)] for i in range(steps)]
    k, b = participation.k, participation.b
    if k == 1:
        return Sensitivity(max(gram[j][j] for j in range(steps)), True, "the longest column")
    if participation.epochs:
        starts = range(steps - (k - 1) * b)
        if not starts:
            raise ValueError(f"no record takes part {k} times, {b} apart, in {steps} steps")
        return _over(gram, (tuple(range(j, j + (k - 1) * b + 1, b)) for j in starts), "all patterns")
    most = min(k, -(-steps // b))
    if _falls(rows):
        # A pattern's pairs are no earlier and no closer than those of the first one, so their products are no larger.
        first = tuple(range(0, (most - 1) * b + 1, b))
        return _over(gram, [first], "Toeplitz, not rising: the earliest steps")
    if sum(comb(steps - (size - 1) * (b - 1), size) for size in range(1, most + 1)) <= _MOST_PATTERNS:
        return _over(gram, _patterns(steps, most, b), "all patterns")
    weights = []
    for j, row in enumerate(gram):
        far = [abs(x) if abs(i - j) >= b else Fraction(0) for i, x in enumerate(row)]
        weights.append(row[j] + _best(far, most - 1, b)[0])
    bound, pattern = _best(weights, most, b)
    if _total(gram, pattern) == bound and _agree(gram, pattern):
        return Sensitivity(bound, True, "a bound for each column, attained")
    return Sensitivity(bound, False, "a bound for each column")


def _over(gram: list[list[Fraction]], patterns: Iterable[tuple[int, ...]], why: str) -> Sensitivity:
    """The largest over these patterns."""
    totals = {pattern: _total(gram, pattern) for pattern in patterns}
    most = max(totals.values())
    exact = any(total == most and _agree(gram, pattern) for pattern, total in totals.items())
    return Sensitivity(most, exact, why if exact else f"{why}, products of columns by their absolute values")


def _total(gram: list[list[Fraction]], pattern: tuple[int, ...]) -> Fraction:
    return sum((abs(gram[i][j]) for i in pattern for j in pattern), Fraction(0))


def _agree(gram: list[list[Fraction]], pattern: tuple[int, ...]) -> bool:
    """Whether signs of the columns make all their products non-negative."""
    signs: dict[int, int] = {}
    for start in pattern:
        reached = [] if start in signs else [start]
        signs.setdefault(start, 1)
        while reached:
            i = reached.pop()
            for j in pattern:
                if gram[i][j] != 0 and j not in signs:
                    signs[j] = signs[i] if gram[i][j] > 0 else -signs[i]
                    reached.append(j)
    return all(signs[i] * signs[j] * gram[i][j] >= 0 for i in pattern for j in pattern)


def _patterns(steps: int, most: int, b: int) -> Iterator[tuple[int, ...]]:
    """All of at most so many steps; one of fewer need not be part of one of more."""
    for size in range(1, most + 1):
        for chosen in combinations(range(steps - (size - 1) * (b - 1)), size):
            yield tuple(step + i * (b - 1) for i, step in enumerate(chosen))


def _best(weights: Sequence[Fraction], most: int, b: int) -> tuple[Fraction, tuple[int, ...]]:
    """The largest sum of at most so many non-negative weights, any two at least b apart, and which."""
    tables: list[list[tuple[Fraction, tuple[int, ...]]]] = [[(Fraction(0), ())] * (len(weights) + 1)]
    for _ in range(most):
        before, row = tables[-1], [tables[0][0]]
        for i, weight in enumerate(weights):
            total, chosen = before[max(0, i + 1 - b)]
            row.append(max(row[-1], (total + weight, (*chosen, i)), key=lambda found: found[0]))
        tables.append(row)
    return tables[-1][-1]


def _falls(rows: tuple[tuple[Fraction, ...], ...]) -> bool:
    """Whether it is lower triangular Toeplitz with entries that are not negative and do not rise."""
    column = [row[0] for row in rows]
    falling = all(x >= y for x, y in pairwise(column)) and column[-1] >= 0
    return falling and len(rows) == len(rows[0]) and rows == toeplitz(column, len(rows))


# --- numbers --------------------------------------------------------------------------------------------


def _exact(number: object) -> Fraction:
    found = given(number)
    if not isinstance(found, sp.Rational):
        raise TypeError(f"{found} is not a rational number")
    return Fraction(int(found.p), int(found.q))


def _matrix(rows: Matrix) -> tuple[tuple[Fraction, ...], ...]:
    exact = tuple(tuple(map(_exact, row)) for row in rows)
    if not exact or not exact[0] or len({len(row) for row in exact}) > 1:
        raise ValueError("a matrix has rows of one length, at least one")
    return exact


def _flint(rows: Sequence[Sequence[Fraction]]) -> fmpq_mat:
    return fmpq_mat([[fmpq(x.numerator, x.denominator) for x in row] for row in rows])


def _fraction(number: fmpq) -> Fraction:
    return Fraction(int(number.p), int(number.q))


def _sympy(number: Fraction) -> sp.Rational:
    return sp.Rational(number.numerator, number.denominator)
