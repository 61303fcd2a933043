"""The comparison of libraries' sensitivities with the exact ones, without a library."""

from __future__ import annotations

import pytest

from peers.environments import PACKAGES, SENSITIVITIES
from peers.sensitivities import LIBRARIES, Asked, Compared, cases, exact
from peers.sensitivity_adapters import ADAPTERS

MEAN = Asked("mean", "mean(x)")


def compared(factor, adjacent="replace", asked=MEAN):
    one = Compared(asked, adjacent, "L1")
    for case in cases(asked):
        one.add({"value": factor * (case["high"] - case["low"]) / case["size"]}, case)
    return one


def test_a_value_that_is_too_small_comes_with_two_data_sets_and_others_do_not():
    right, small, large = compared(1), compared(1 - 1e-5), compared(2)
    assert (right.word([right]), large.word([large]), right.unsafe, large.unsafe) == ("equal", "loose", "", "")
    assert "unsafe" in small.word([small])
    assert "unsafe" not in small.word([small, right])  # it is enough for other neighbours
    assert "x' = (" in small.unsafe
    assert len(small.ratios) == len(list(cases(MEAN)))


def test_what_was_not_answered_is_neither_safe_nor_unsafe():
    one = Compared(MEAN, "replace", "L1")
    for case, answer in zip(cases(MEAN), [{"error": "ValueError: no"}, {"unsupported": "no"}], strict=False):
        one.add(answer, case)
    assert one.word([one]) == "not compared"
    assert list(one.errors) == ["ValueError: no"]


def test_every_library_has_an_adapter_and_an_environment():
    assert set(ADAPTERS) == set(LIBRARIES)
    assert set(LIBRARIES) <= {*PACKAGES, *SENSITIVITIES}


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_exact_value_of_each_query_is_known(library):
    for asked in LIBRARIES[library][1]:
        first = next(case for case in cases(asked) if case["size"] > 2)
        for adjacent in asked.adjacent:
            assert exact(first["query"], first["data"], adjacent, asked.norms[0], first["records"]) is not None
