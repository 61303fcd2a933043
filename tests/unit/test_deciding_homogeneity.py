"""Taking a scale as 1: what it proves, and where there is no scale."""

import pytest

from dpsym.core.deadline import timed
from dpsym.core.verdicts import Verdict
from dpsym.deciding import Domain, decide
from dpsym.deciding.strategies.homogeneity import prove
from dpsym.deciding.strategies.strategy import Question
from dpsym.language import read_declaration, read_relations


def read(text, *lets):
    names, conditions = {}, []
    for let in lets:
        symbols, found = read_declaration(let)
        names |= {s.name: s for s in symbols}
        conditions += found
    return read_relations(text, names).relations[0], tuple(conditions)


def scaled(text, *lets):
    relation, conditions = read(text, *lets)
    with timed(2):
        return prove(Question(relation, Domain(conditions)))


@pytest.mark.cases(2)
@pytest.mark.parametrize(
    ("text", "lets"),
    [
        ("sqrt(a^2 + b^2) <= a + b", ["a >= 0", "b > 0"]),
        ("rho + 2*sqrt(rho*L) <= 2*rho + L", ["rho > 0", "L > 0"]),
        ("x^2 + s^2 >= 2*s*x", ["x: real", "s > 0"]),
        ("exp(-t^2/sigma^2) <= sigma^2/t^2", ["t > 0", "sigma > 0"]),
        ("log(1 + x/b) <= x/b", ["x >= 0", "b > 0"]),
    ],
)
def test_a_scale_is_taken_as_one(text, lets):
    found = scaled(text, *lets)

    assert found is not None
    assert "scale" in found.why
    assert decide(*read(text, *lets), time_limit=5).verdict is Verdict.PROVED


@pytest.mark.parametrize(
    ("text", "lets"),
    [
        ("exp(-t/s) <= exp(-t^2/s)", ["t > 0", "s > 0"]),  # t and s do not come as one; false for t > 1
        ("a + b >= a*b", ["a > 0", "b > 0"]),  # true at b = 1 alone
        ("sqrt(a^2 + b^2) <= a + b", ["a >= 0", "b > 0", "b <= 1"]),  # true, but b is no scale
        ("x/s <= 1 + x", ["x > 0", "s > 1"]),
        ("x/s <= x", ["x: real", "s > 0"]),  # true at s = 1
        ("x <= s", ["x < 1", "s > 0"]),  # true at s = 1
        ("n/s <= n^2/s^2", ["n: integer, n >= 1", "s > 0"]),  # true at s = 1
        ("-t/s <= 1 + t/s", ["t: real", "s > 0"]),  # false at t = -s
    ],
)
def test_where_there_is_no_scale_none_is_taken(text, lets):
    assert scaled(text, *lets) is None


def test_coupled_symbols_are_no_scale():
    relation, conditions = read("x/s <= 1", "x > 0", "s > 0")
    coupled = (*conditions, read("x + s <= 1", "x > 0", "s > 0")[0])

    with timed(2):
        assert prove(Question(relation, Domain(coupled))) is None
