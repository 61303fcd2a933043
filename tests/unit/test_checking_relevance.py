"""What is assumed of other names does not delay a step, and is used where the step needs it."""

import pytest

from dpsym.checking import check_document
from dpsym.language.documents.document import read_document

DECLARED = """---
let:
  - n: integer, n >= 2
  - x_j: real for j in 1..n
  - a: real
  - m: real
  - M >= m
where:
  - bar_x = 1/n*sum(x_i, i, 1, n)
assume:
  - x_j >= m for j in 1..n
  - x_j <= M for j in 1..n
---
"""
SQUARES = r"\sum_{i=1}^n (x_i - a)^2 = \sum_{i=1}^n (x_i - \bar{x})^2 + "


def verdicts(text, declared=DECLARED):
    found = check_document(read_document(f"{declared}\n$${text}$$\n", kind="markdown"), time_limit=20.0, suggest=False)
    return [str(result.decision.verdict) for result in found.steps]


@pytest.mark.slow
def test_bounds_on_the_members_do_not_delay_an_identity_between_their_sums():
    assert verdicts(SQUARES + r"n(a - \bar{x})^2") == ["proved"]


@pytest.mark.cases(1)
@pytest.mark.parametrize("slip", [r"n(a + \bar{x})^2", r"(n - 1)(a - \bar{x})^2", r"n(a - \bar{x})"])
def test_a_slip_in_it_is_refuted(slip):
    assert verdicts(SQUARES + slip) == ["refuted"]


COUPLED = "---\nlet:\n  - x: real\n  - y: real\n  - z: real\nassume:\n  - x <= y\n  - y <= z\n---\n"


def test_what_is_assumed_of_other_names_is_used_where_it_is_needed():
    assert verdicts(r"x \le z", COUPLED) == ["proved"]


@pytest.mark.cases(1)
@pytest.mark.parametrize("slip", [r"z \le x", r"x < z", r"x^2 \le z^2"])
def test_what_does_not_follow_from_it_is_refuted(slip):
    assert verdicts(slip, COUPLED) == ["refuted"]


def test_conditions_that_contradict_each_other_pass_nothing():
    contradictory = "---\nlet:\n  - x: real\n  - y: real\nassume:\n  - x + y >= 1\n  - x + y <= 0\n---\n"
    document = read_document(f"{contradictory}\n$$x^2 \\ge 0$$\n", kind="markdown")
    found = check_document(document, time_limit=5.0, suggest=False)
    assert found.exit_status != 0
    assert found.problems
