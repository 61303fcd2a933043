"""Sensitivities on a given number of records, by branch and bound: against pairs from a grid and at random."""

from __future__ import annotations

import json
from itertools import combinations_with_replacement
from math import exp, log, sqrt
from random import Random

import pytest
import sympy as sp

from dpsym.cli import run
from dpsym.core.relations import Relation
from dpsym.deciding import certificates
from dpsym.language import ReadingError
from dpsym.queries import Kind, Norm, read_query, sensitivity
from dpsym.queries.evaluating import attained_by

GRID = [k / 4 for k in range(5)]


def mean(x):
    return sum(x) / len(x)


def median(x):
    s, n = sorted(x), len(x)
    return (s[(n - 1) // 2] + s[n // 2]) / 2


def variance(x):
    return sum((v - mean(x)) ** 2 for v in x) / len(x)


QUERIES = {
    "max(x)*min(x)": lambda x: max(x) * min(x),
    "mean(x)*median(x)": lambda x: mean(x) * median(x),
    "max(x)/(1 + min(x))": lambda x: max(x) / (1 + min(x)),
    "mean(x)^2*max(x)": lambda x: mean(x) ** 2 * max(x),
    "max(x)*variance(x)": lambda x: max(x) * variance(x),
    "median(x)*(1 - median(x)) + min(x)": lambda x: median(x) * (1 - median(x)) + min(x),
    "sum(x)*range(x)": lambda x: sum(x) * (max(x) - min(x)),
    "max(x)^2 - min(x)*mean(x)": lambda x: max(x) ** 2 - min(x) * mean(x),
    "exp(min(x))*max(x)": lambda x: exp(min(x)) * max(x),
    "exp(mean(x))*max(x)": lambda x: exp(mean(x)) * max(x),
    "max(x)*std(x)": lambda x: max(x) * sqrt(variance(x)),
    "log(1 + sum(x))*std(x)": lambda x: log(1 + sum(x)) * sqrt(variance(x)),
    "max(x)*mean(x^2)*(1 - min(x))": lambda x: max(x) * mean([v * v for v in x]) * (1 - min(x)),
}
EXACT = [
    ("max(x)*min(x)", 3, "replace", "1"),
    ("mean(x)*median(x)", 3, "replace", "2/3"),
    ("max(x)/(1 + min(x))", 2, "replace", "1"),
    ("mean(x)^2*max(x)", 3, "replace", "5/9"),
    ("max(x)*variance(x)", 3, "replace", "2/9"),
    ("max(x)*min(x)", 2, "add", "1"),
    ("mean(x)*median(x)", 2, "add-remove", "3/4"),
]


def neighbours(n, adjacent, some):
    """All pairs with values from these; the order of the records says nothing to any of the queries."""
    if adjacent == "replace":
        for rest in combinations_with_replacement(some, n - 1):
            yield from (([u, *rest], [v, *rest]) for u, v in combinations_with_replacement(some, 2))
    if "add" in adjacent:
        yield from ((list(rest), [v, *rest]) for rest in combinations_with_replacement(some, n) for v in some)
    if "remove" in adjacent:
        yield from (([v, *rest], list(rest)) for rest in combinations_with_replacement(some, n - 1) for v in some)


def largest(text, n, adjacent):
    """Over a grid and values at random."""
    answer, rng = QUERIES[text], Random(n)  # noqa: S311
    lists = [GRID, *([rng.random() for _ in range(5)] for _ in range(20))]
    return max(abs(answer(a) - answer(b)) for some in lists for a, b in neighbours(n, adjacent, some))


@pytest.mark.cases(1)
@pytest.mark.parametrize(("text", "n", "adjacent", "expected"), EXACT)
def test_it_is_exact_where_the_rules_are_not(text, n, adjacent, expected):
    (one,) = sensitivity(read_query(text, [f"x in [0,1]^{n}"]), adjacent, time_limit=60.0)
    assert (one.kind, one.value) == (Kind.EXACT, sp.Rational(expected))
    assert one.inequalities
    assert largest(text, n, adjacent) == pytest.approx(float(one.value), abs=1e-12)  # the grid has the ends


@pytest.mark.cases(2)
@pytest.mark.parametrize(
    ("text", "n", "adjacent"),
    [(text, n, adjacent) for n, adjacent in ((2, "replace"), (3, "replace"), (2, "add-remove")) for text in QUERIES],
)
def test_what_is_said_to_be_attained_is_and_nothing_exceeds_the_bound(text, n, adjacent):
    asked = read_query(text, [f"x in [0,1]^{n}"])
    (one,) = sensitivity(asked, adjacent, time_limit=20.0)
    found = largest(text, n, adjacent)
    assert one.lower is not None
    assert one.lower == sp.Max(*(attained_by(asked, pair, Norm.L1) for pair in one.pairs))
    assert float(one.lower) >= found * (1 - 1e-4)  # in short numbers, the ascent is no worse than the others
    assert one.upper is None or float(one.upper) >= found - 1e-12
    for pair in one.pairs:
        before, after = ([float(v) for v, count in records.blocks for _ in range(int(count))] for records in pair)
        size = abs(QUERIES[text](before) - QUERIES[text](after))
        assert size <= float(one.lower) + 1e-12


@pytest.mark.slow
def test_every_inequality_is_replayed_and_one_for_less_is_rejected(tmp_path, capfd):
    path = tmp_path / "bound.json"
    asked = ["max(x)/(1 + min(x))", "--let", "x in [0,1]^2", "--adjacent", "replace", "--time-limit", "60"]
    assert run(["sensitivity", *asked, "--certificate", str(path)]) == 0
    (one,) = sensitivity(read_query(asked[0], [asked[2]]), "replace", time_limit=60.0)
    written = sorted(tmp_path.iterdir())
    assert [p.name for p in written] == [f"bound-{k}.json" for k in range(1, len(one.inequalities) + 1)]
    assert run(["verify", *map(str, written)]) == 0
    capfd.readouterr()
    rejected = 0
    for file in written:
        certificate = json.loads(file.read_text())
        left, right = certificate["claim"].rsplit(" <= ", 1)
        file.write_text(json.dumps(certificate | {"claim": f"{left} <= 9*({right})/10"}))
        status = run(["verify", str(file)])
        assert status == (0 if "verified: " in capfd.readouterr().out else 1)
        rejected += status
    assert rejected


@pytest.mark.slow
def test_a_smaller_bound_than_what_is_attained_has_no_certificate():
    (one,) = sensitivity(read_query("max(x)/(1 + min(x))", ["x in [0,1]^2"]), "replace", time_limit=60.0)
    smaller = [(Relation(r.lhs, r.op, r.rhs * sp.Rational(9, 10)), known) for r, known in one.inequalities]
    assert not all(certificates.certificate(relation, known, 1.0) for relation, known in smaller)


@pytest.mark.parametrize(
    ("text", "adjacent"),
    [("log(sum(x))*max(x)", "replace"), ("max(x)/sum(x)", "add"), ("sqrt(min(x) - 1/2)", "remove")],
)
def test_what_may_have_no_value_has_no_bound(text, adjacent):
    (one,) = sensitivity(read_query(text, ["x in [0,1]^2"]), adjacent)
    assert (one.kind, one.upper, one.inequalities) == (Kind.OPEN, None, ())


@pytest.mark.slow
@pytest.mark.parametrize("text", ["std(x) + log(1 + sum(x))", "sample_std(x)*max(x)"])
def test_a_standard_deviation_has_a_value_wherever_its_factor_has_one(text):
    found = sensitivity(read_query(text, ["x in [0,1]^3"]), "replace", time_limit=2.0)
    assert all(one.lower is not None for one in found)
    with pytest.raises(ReadingError, match="so few records"):
        sensitivity(read_query("sqrt(variance(x) - 1/4) + sum(x)", ["x in [0,1]^3"]), "replace")
