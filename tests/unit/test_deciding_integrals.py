"""Integrals compared under the sign, and where one of them does not exist or the ends are not in order."""

import pytest

from dpsym.core.deadline import now
from dpsym.deciding import Domain
from dpsym.deciding.calculus.integral_monotonicity import prove
from dpsym.deciding.strategies.strategy import Question
from dpsym.language import read_declaration, read_relations


def compared(text, *lets):
    names, conditions = {}, []
    for let in lets:
        symbols, found = read_declaration(let)
        names |= {s.name: s for s in symbols}
        conditions += found
    relation = read_relations(text, names).relations[0]
    return prove(Question(relation, Domain(tuple(conditions)), now() + 5))


@pytest.mark.parametrize(
    ("text", "let"),
    [
        ("integral(exp(-x^2 - c*x^4), x, 0, oo) <= integral(exp(-x^2), x, 0, oo)", "c > 0"),
        ("integral(exp(-x^2)*cosh(c*x), x, 0, 1) >= integral(exp(-x^2), x, 0, 1)", "c > 0"),
        ("integral(exp(-x^2 - c*x^4), x, 0, oo) < integral(exp(-x^2), x, 0, oo)", "c > 0"),
        ("integral(exp(-c*x)/(1 + x), x, 0, oo) <= integral(exp(-c*x), x, 0, oo)", "c > 0"),
        ("c*integral(exp(-x), x, 0, c) <= 2*c*integral(exp(-x), x, 0, c)", "c > 0"),
    ],
)
def test_what_holds_under_the_sign_holds_of_the_integrals(text, let):
    assert compared(text, let) is not None


@pytest.mark.parametrize(
    ("text", "let"),
    [
        ("integral(exp(-x^2 - c*x^4), x, 0, oo) <= integral(exp(-x^2), x, 0, oo)", "c: real"),
        ("integral(-exp(x), x, 0, oo) <= integral(exp(-x^2), x, 0, oo)", "c > 0"),  # the left one diverges
        ("integral(1/x, x, 0, 1) <= integral(2/x, x, 0, 1)", "c > 0"),  # both do
        ("integral(exp(-x^2), x, 0, c) <= integral(2*exp(-x^2), x, 0, c)", "c: real"),  # from right to left for c < 0
        ("c*integral(exp(-x), x, 0, 1) <= 2*c*integral(exp(-x), x, 0, 1)", "c: real"),
        ("integral(exp(-x), x, 0, 1) <= integral(exp(-x), x, 0, c)", "c >= 1"),  # true, over two intervals
        ("integral(2*exp(-x), x, 0, c) <= integral(exp(-x), x, 0, c)", "c > 0"),
    ],
)
def test_where_it_does_not_nothing_is_said(text, let):
    assert compared(text, let) is None
