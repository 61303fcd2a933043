"""The comparison of accountants at random settings notices what it is there to notice."""

from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from peers.auditing import power

WAY = "dp-accounting PLD, pessimistic"


@pytest.fixture
def grid(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    import accounting_grid_tables

    return accounting_grid_tables


@pytest.fixture
def known(grid):
    from accounting_settings import settings

    found = {s.index: s for s in settings(5)}
    assert found[0].q < 1
    assert found[3].kind == "laplace"
    return found


def certified(index, lower, upper, asked="answer", limit=1.0):
    numbers = {"digits": 10, "limit": limit, "processor": 0.1, "memory": 50}
    return {"index": index, "asked": asked, "lower": lower, "upper": upper, "method": "", "finished": True} | numbers


def said(index, lower, upper, why=""):
    return {"index": index, "asked": WAY, "lower": lower, "upper": upper, "why": why, "message": "", "processor": 0.1}


def test_two_enclosures_without_a_common_point_are_a_contradiction(grid, known):
    apart = [certified(3, "1.0", "1.1"), certified(3, "1.1000001", "1.2", asked="lattices")]

    assert "contradictions: 1." in next(grid.contradictions(apart, known))
    assert "contradictions: 0." in next(grid.contradictions([apart[0], certified(3, "1.1", "1.2", limit=10.0)], known))


def test_the_worse_of_both_directions_may_lie_above_one_but_not_below_it(grid, known):
    one, above, below = (
        certified(0, "2", "3"),
        certified(0, "4", "5", asked="both"),
        certified(0, "0", "1", asked="both"),
    )

    assert "contradictions: 0." in next(grid.contradictions([one, above], known))
    assert "contradictions: 1." in next(grid.contradictions([one, below], known))
    assert "contradictions: 1." in next(grid.contradictions([below, one], known))


def test_one_direction_bounds_both_from_below_alone(grid, known):
    assert grid.truth([certified(0, "2", "3")], known)[0] == (2, Decimal("Infinity"))
    assert grid.truth([certified(0, "2", "3"), certified(0, "1", "5", asked="both")], known)[0] == (2, 5)
    assert grid.truth([certified(3, "2", "3"), certified(3, "1", "2.5")], known)[3] == (2, Decimal("2.5"))


def test_what_the_enclosure_excludes_is_called_outside(grid):
    ours = (Decimal(2), Decimal(3))

    assert grid.verdict(said(0, None, 1.99), "upper", ours) == "outside"
    assert grid.verdict(said(0, None, 2.5), "upper", ours) == "inside"
    assert grid.verdict(said(0, None, 7.0), "upper", ours) == "inside"
    assert grid.verdict(said(0, 3.01, None), "lower", ours) == "outside"
    assert grid.verdict(said(0, -1.0, None), "lower", ours) == "inside"
    assert grid.verdict(said(0, None, -1.0), "upper", ours) == "negative"
    assert grid.verdict(said(0, None, "nan"), "upper", ours) == "no number"
    assert grid.verdict(said(0, None, "inf"), "upper", ours) == "infinite"
    assert grid.verdict(said(0, None, None, "no answer in time"), "upper", ours) == "late"


def test_a_number_that_is_too_small_is_listed(grid):
    text = grid.tables([certified(3, "2", "2.0001"), said(3, None, 1.5)])

    assert f"{WAY}, numbers excluded: 1." in text
    assert "0.25" in text


def test_a_file_whose_last_line_was_cut_off_goes_on(grid, tmp_path):
    from accounting_settings import Kept

    path = tmp_path / "state.jsonl"
    path.write_text('{"index": 0}\n{"index": 1, "low')
    Kept(path).add({"index": 2})

    assert [row["index"] for row in Kept(path).rows] == [0, 2]


def test_the_power_of_a_test_is_its_level_where_nothing_differs():
    assert Decimal("0.05") in power(Fraction(0), Fraction(1, 20))


def test_the_power_at_half_of_the_distance():
    """A level of one half has the power Phi(mu): 0.84134474606854294858… for mu = 1."""
    found = power(Fraction(1), Fraction(1, 2))

    assert Decimal("0.84134474606854294858") in found
    assert found.upper - found.lower < Decimal("1e-12")
