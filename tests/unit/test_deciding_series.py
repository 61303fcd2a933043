"""Series with a name: their values, and bodies that only look like them."""

import pytest

from dpsym.core.deadline import timed
from dpsym.deciding import Domain
from dpsym.deciding.calculus.series import value
from dpsym.deciding.strategies.strategy import Question
from dpsym.language import read_declaration, read_relations
from laws.mpmath_values import value as by_mpmath


def valued(text, *lets):
    names, conditions = {}, []
    for let in lets:
        symbols, found = read_declaration(let)
        names |= {s.name: s for s in symbols}
        conditions += found
    relation = read_relations(f"{text} = 0", names).relations[0]
    domain = Domain(tuple(conditions))
    with timed(5):
        return relation.lhs, domain, value(relation.lhs, Question(relation, domain))


@pytest.mark.parametrize(
    ("text", "lets"),
    [
        ("sum(x^n/factorial(n), n, 0, oo)", ["x: real"]),
        ("sum((-x)^n/factorial(n), n, 1, oo)", ["x: real"]),
        ("sum(n*(n - 1)*x^n/factorial(n), n, 0, oo)", ["x > 0"]),
        ("sum((n^2 + 3)*x^n*exp(-x)/factorial(n), n, 2, oo)", ["x > 0"]),
        ("sum(exp(x*n)/factorial(n), n, 0, oo)", ["-2 < x < 2"]),
        ("sum(x^(n + 1)/factorial(n), n, 0, oo)", ["x > 0"]),
        ("sum(x/n^4, n, 1, oo)", ["x: real"]),
        ("sum(2*x^n/n, n, 1, oo)", ["-1 < x < 1"]),
    ],
)
def test_the_value_is_what_mpmath_sums(text, lets):
    series, domain, found = valued(text, *lets)

    assert found is not None
    for point in domain.points(series.free_symbols, most=3):
        summed, closed = (by_mpmath(e, point) for e in (series, found[0]))
        assert abs(summed - closed) < 1e-9 * max(1, abs(summed))


@pytest.mark.parametrize(
    ("text", "lets"),
    [
        ("sum(x^n/n, n, 1, oo)", ["-1 <= x <= 1"]),  # infinite at 1
        ("sum(x^n/n, n, 0, oo)", ["0 < x < 1"]),
        ("sum(1/n^3, n, 1, oo)", []),
        ("sum(1/n^2, n, 2, oo)", []),
        ("sum(x^n/factorial(n + 1), n, 0, oo)", ["x > 0"]),
        ("sum(x^n/factorial(n)^2, n, 0, oo)", ["x > 0"]),
        ("sum(x^(n^2)/factorial(n), n, 0, oo)", ["0 < x < 1"]),
        ("sum(n^n/factorial(n), n, 0, oo)", []),
    ],
)
def test_what_only_looks_like_one_has_no_value_here(text, lets):
    assert valued(text, *lets)[2] is None
