"""Sensitivities of matrix mechanisms, against all patterns and all signs; errors, against the decoder itself."""

from fractions import Fraction
from itertools import combinations, pairwise, product

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsym import factorisations
from dpsym.core import notation
from dpsym.entries.mechanisms.banded_factorisation import distance
from dpsym.factorisations import Participation, buffered, matrix_mechanism, sensitivity, square_root, toeplitz

HALF = Fraction(1, 2)
entries = st.fractions(-2, 2, max_denominator=3)


@st.composite
def encoders(draw, least=-2):
    n = draw(st.integers(2, 6))
    some = st.fractions(least, 2, max_denominator=3)
    return [[1 if i == j else draw(some) if i > j else 0 for j in range(n)] for i in range(n)]


def patterns(n, who):
    if who.epochs:
        starts = [j for j in range(n) if j + (who.k - 1) * who.b < n]
        return [tuple(j + i * who.b for i in range(who.k)) for j in starts]
    return [
        chosen
        for size in range(1, who.k + 1)
        for chosen in combinations(range(n), size)
        if all(t - s >= who.b for s, t in pairwise(chosen))
    ]


def by_signs(rows, who):
    """The largest square where contributions are 1 and -1: what is attained, also by vectors."""
    return max(
        sum(sum(s * row[j] for s, j in zip(signs, chosen, strict=True)) ** 2 for row in rows)
        for chosen in patterns(len(rows[0]), who)
        for signs in product((1, -1), repeat=len(chosen))
    )


def by_absolute_values(rows, who):
    def inner(i, j):
        return abs(sum(row[i] * row[j] for row in rows))

    return max(sum(inner(i, j) for i in chosen for j in chosen) for chosen in patterns(len(rows[0]), who))


PARTICIPATIONS = st.builds(Participation, st.integers(1, 4), st.integers(1, 3))


@given(encoders(), PARTICIPATIONS)
@settings(max_examples=60, deadline=None)
def test_it_is_attained_where_it_is_called_exact_and_a_bound_elsewhere(rows, who):
    found = sensitivity(rows, who)
    assert found.squared == by_absolute_values(rows, who) >= by_signs(rows, who)
    assert not found.exact or found.squared == by_signs(rows, who)


@given(encoders(), PARTICIPATIONS)
@settings(max_examples=60, deadline=None)
def test_so_is_the_bound_for_each_column(rows, who):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(factorisations, "_MOST_PATTERNS", 0)
        patch.setattr(factorisations, "_falls", lambda rows: False)
        found = sensitivity(rows, who)
    assert found.squared >= by_absolute_values(rows, who)
    assert not found.exact or found.squared == by_signs(rows, who)


@given(encoders(least=0), PARTICIPATIONS)
@settings(max_examples=30, deadline=None)
def test_without_negative_entries_it_is_exact(rows, who):
    assert sensitivity(rows, who).exact


@given(encoders(), st.integers(1, 3), st.integers(1, 3))
@settings(max_examples=40, deadline=None)
def test_epochs_in_a_fixed_order(rows, k, b):
    who = Participation(k, b, epochs=True)
    if k > 1 and not patterns(len(rows), who):
        with pytest.raises(ValueError, match="no record takes part"):
            sensitivity(rows, who)
    elif patterns(len(rows), who):
        found = sensitivity(rows, who)
        assert found.squared == by_absolute_values(rows, who)
        assert not found.exact or found.squared == by_signs(rows, who)


@given(st.lists(st.fractions(0, 1, max_denominator=4), min_size=1, max_size=6), st.integers(1, 7), PARTICIPATIONS)
@settings(max_examples=60, deadline=None)
def test_of_a_toeplitz_matrix_that_does_not_rise_the_earliest_steps_are_the_worst(column, n, who):
    rows = toeplitz(sorted(column, reverse=True), n)
    found = sensitivity(rows, who)
    assert found.exact
    assert found.squared == by_signs(rows, who)


def test_of_one_that_rises_they_are_not():
    rows = toeplitz([1, 0, 0, 2], 8)
    who = Participation(2, 2)
    earliest = sum((row[0] + row[2]) ** 2 for row in rows)
    assert sensitivity(rows, who).squared == by_signs(rows, who) > earliest


def test_three_columns_that_no_signs_turn_towards_each_other():
    rows = [[1, 0, 0], [-HALF, 1, 0], [-HALF, -HALF, 1]]
    found = sensitivity(rows, Participation(3))
    assert not found.exact
    assert found.squared > by_signs(rows, Participation(3))


@pytest.mark.parametrize(("b", "k"), [(1, 1), (1, 3), (2, 2), (3, 2), (4, 1), (2, 4)])
def test_the_entry_of_the_catalogue_is_the_same(b, k):
    mechanism = matrix_mechanism(square_root(b * k, b), 3, HALF, participation=Participation(k, b))
    mu = (distance / notation.sigma).subs(
        {notation.sigma: 3, notation.b: b, notation.k: k, notation.Delta: sp.Rational(1, 2)}
    )
    assert mechanism.sensitivity.exact
    assert sp.simplify(mu.doit() - mechanism.mu) == 0
    if k > 1:  # with fewer steps a column is cut off
        fewer = sensitivity(square_root(b * k - 1, b), Participation(k, b))
        assert fewer.squared < mechanism.sensitivity.squared


@pytest.mark.parametrize(("b", "separation"), [(3, 2), (4, 1), (2, 1)])
def test_bands_that_overlap_are_worse_than_the_entry_says(b, separation):
    entry = 2 * sum(Fraction(sp.binomial(2 * j, j).p, 4**j) ** 2 for j in range(b))
    assert sensitivity(square_root(8, b), Participation(2, separation)).squared > entry


@given(encoders())
@settings(max_examples=20, deadline=None)
def test_errors_are_those_of_the_decoder(rows):
    n = len(rows)
    decoder = (
        sp.ones(n, n).lower_triangular() * sp.Matrix(n, n, lambda i, j: sp.Rational(str(Fraction(rows[i][j])))).inv()
    )
    norms = [sum(x**2 for x in decoder.row(i)) for i in range(n)]
    mechanism = matrix_mechanism(rows, 3, 2)
    assert mechanism.max_squared_error == 9 * max(norms)
    assert mechanism.mean_squared_error == Fraction(str(9 * sum(norms) / n))
    unit = matrix_mechanism(rows, 3, 2).mu
    assert sp.simplify(mechanism.max_loss - unit**2 * mechanism.max_squared_error) == 0


def test_buffers_are_sums_of_geometric_terms():
    rows = buffered([HALF, Fraction(1, 4)], [HALF, Fraction(1, 3)], 4)
    assert [row[0] for row in rows] == [1, Fraction(3, 4), Fraction(1, 3), Fraction(11, 72)]


@pytest.mark.cases(11)
@pytest.mark.parametrize(
    ("refused", "error"),
    [
        (lambda: matrix_mechanism([[sp.sqrt(2)]], 1), TypeError),
        (lambda: matrix_mechanism([[1]], None), TypeError),
        (lambda: matrix_mechanism([[1]], 0), ValueError),
        (lambda: matrix_mechanism([[1]], 1, -1), ValueError),
        (lambda: matrix_mechanism([[0]], 1), ValueError),
        (lambda: matrix_mechanism([[1, 1], [0, 1]], 1), ValueError),
        (lambda: matrix_mechanism([[1, 0]], 1), ValueError),
        (lambda: matrix_mechanism([[1], [1, 1]], 1), ValueError),
        (lambda: matrix_mechanism([[1]], 1, workload=[[1, 1]]), ValueError),
        (lambda: Participation(0), ValueError),
        (lambda: buffered([1], [], 3), ValueError),
    ],
)
def test_what_is_refused(refused, error):
    with pytest.raises(error):
        refused()
