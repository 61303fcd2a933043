"""A mechanism on a query is derived and accounted for at what neighbouring data sets do to its answer."""

from fractions import Fraction
from itertools import product

import pytest

import dpsym
from dpsym.language.errors import ReadingError

UNIT = "x in [0,1]^4"
GRID = (Fraction(0), Fraction(1, 3), Fraction(1))
ANSWERS = {
    "mean(x)": lambda x: sum(x) / len(x), "sum(x)": sum, "max(x)": max, "median(x)": lambda x: sum(sorted(x)[1:3]) / 2,
    "max(x) - min(x)": lambda x: max(x) - min(x),
}  # fmt: skip


def most_apart(answer):
    """The most by which an answer differs between data sets of four records from a grid that differ in one."""
    return max(
        abs(answer([*rest, old]) - answer([*rest, new])) for *rest, old, new in product(GRID, repeat=5)
    )  # the order of records does not matter to these answers


@pytest.mark.parametrize("query", ANSWERS)
def test_pure_privacy_is_the_largest_change_over_the_scale(query):
    mechanism, asked = f"laplace(b=2, query={query})", {"let": UNIT, "adjacent": "replace"}
    expected = most_apart(ANSWERS[query]) / 2
    assert dpsym.derive(mechanism, to="pure", **asked).guarantee.args[0] == expected
    found = dpsym.account(f"({mechanism}) ** 3", delta="1e-9", **asked)
    alone = dpsym.account(f"laplace(b=2, Delta={2 * expected}) ** 3", delta="1e-9", adjacent="replace")
    assert (found.lower, found.upper) == (alone.lower, alone.upper)
    assert any("sensitivity" in said and query in said for said in found.to_dict()["noted"])


def test_what_never_changes_costs_nothing():
    never, asked = "laplace(b=2, query=count(x > 3))", {"let": UNIT, "adjacent": "replace"}
    assert dpsym.derive(f"{never} ** 3", to="pure", **asked).guarantee.args[0] == 0
    assert dpsym.account(never, delta="1e-9", **asked).upper == 0
    beside = dpsym.account(f"{never} ** 3 * gaussian(sigma=2)", delta="1e-9", **asked)
    assert beside.upper == dpsym.account("gaussian(sigma=2)", delta="1e-9").upper
    for mu, verdict in (("1/2", "proved"), ("0.499", "refuted")):
        assert str(dpsym.prove(f"{never} * gaussian(sigma=2) satisfies gdp({mu})", **asked).verdict) == verdict


def test_a_number_of_records_gets_a_value_that_the_data_may_have():
    asked = {"let": "x in [0,1]^n", "adjacent": "replace", "delta": "1e-5"}
    for n in (1, 7, 1000):
        of_n = dpsym.account("gaussian(sigma=1/10, query=mean(x))", n=n, **asked)
        alone = dpsym.account(f"gaussian(sigma=1/10, Delta=1/{n})", delta="1e-5", adjacent="replace")
        assert (of_n.lower, of_n.upper) == (alone.lower, alone.upper)
    for n in (0, "5/2", -3):
        with pytest.raises(ReadingError, match="declared"):
            dpsym.account("gaussian(sigma=1/10, query=mean(x))", n=n, **asked)
        with pytest.raises(ReadingError, match="declared"):
            dpsym.derive("gaussian(sigma=1/10, query=mean(x))", to="approx", n=n, **asked)


@pytest.mark.parametrize(
    ("mechanism", "let", "adjacent"),
    [
        ("laplace(b=1/n, query=mean(x))", "x in [0,1]^n", "add-remove"),  # its scale would tell how many there are
        ("laplace(b=1, query=histogram(x))", "x in categories(3)^n", "replace"),  # two counts change, by one each
        ("laplace(b=1, query=sum(x))", "x in [0,1]^n", None),  # which data sets are neighbours?
        ("laplace(b=1, query=sum(x))", "x in [0,oo)^n", "replace"),
        ("laplace(b=max(x), query=sum(x))", UNIT, "replace"),
        ("laplace(b=1, query=sum(x), Delta=1/2)", UNIT, "replace"),
        ("subsampled(laplace(b=1, query=sum(x)), q=1/10)", UNIT, "replace"),
        ("laplace(b=1, query=sum(x)) * laplace(b=1, query=max(x))", UNIT, "replace"),
        ("report_noisy_max_laplace(b=1, query=histogram(x))", "x in categories(3)^n", "add-remove"),
    ],
)
def test_what_the_sensitivity_alone_does_not_tell_is_refused(mechanism, let, adjacent):
    for ask in (
        lambda **more: dpsym.account(mechanism, delta="1e-5", **more),
        lambda **m: dpsym.derive(mechanism, **m),
    ):
        with pytest.raises(ReadingError):
            ask(let=let, **({} if adjacent is None else {"adjacent": adjacent}))


def test_what_changes_in_one_coordinate_costs_what_one_number_costs():
    asked = {"let": "x in categories(3)^n", "adjacent": "add-remove"}
    found = dpsym.account("laplace(b=2, query=histogram(x)) ** 7", delta="1e-6", **asked)
    alone = dpsym.account("laplace(b=2) ** 7", delta="1e-6", adjacent="add-remove")
    assert (found.lower, found.upper) == (alone.lower, alone.upper)
    for epsilon, verdict in (("1/2", "proved"), ("0.499", "refuted")):
        claim = f"laplace(b=2, query=histogram(x)) satisfies approx({epsilon}, 1e-9)"
        assert str(dpsym.prove(claim, **asked).verdict) == verdict
    two = "laplace(b=2, query=histogram(x)) satisfies approx(0.9, 1e-9)"
    assert str(dpsym.prove(two, let=asked["let"], adjacent="replace").verdict) == "open"  # two counts, by one each


def test_a_sweep_and_a_calibration_take_a_query_too():
    asked = {"let": "x in [0,1]^n", "adjacent": "replace", "delta": "1e-5"}
    rows = dpsym.sweep("gaussian(sigma=1, query=mean(x))", {"n": [2, 4]}, **asked).rows
    apart = [float(dpsym.account("gaussian(sigma=1, query=mean(x))", n=n, **asked)) for n in (2, 4)]
    assert [float(row["upper"]) for row in rows] == pytest.approx(apart, rel=1e-6)
    found = dpsym.calibrate(
        "laplace(b, query=mean(x))", epsilon=1, let="x in [0,1]^10", adjacent="replace", delta="1e-5"
    )
    assert float(found) == pytest.approx(float(dpsym.calibrate("laplace(b, Delta=1/10)", epsilon=1, delta="1e-5")))
