"""Statements of teaching material: their truth without dpsym, and dpsym's verdicts on them."""

from collections import Counter

import pytest

from corpus.truth import check
from dpsym.language import read_document
from statements import UNREADABLE, statements
from statements.running import run, text_of

CLAIMS = [s for s in statements() if s.claim]
ACCEPTED = ("proved", "certified", "cited")  # from the strongest
NUMBERS = [s for s in CLAIMS if s.in_numbers is not None]


@pytest.mark.parametrize(
    "statement",
    [pytest.param(s, id=s.id, marks=pytest.mark.slow if "maximum(" in s.claim else ()) for s in NUMBERS],
)
def test_the_truth_is_known_without_dpsym(statement):
    assert check(statement.in_numbers, points=60) is None


def test_what_is_not_evaluated_speaks_of_arbitrary_distributions():
    for statement in CLAIMS:
        if statement.in_numbers is None and statement.expected != UNREADABLE:
            assert statement.true
            assert "distributions" in statement.said["let"]


@pytest.mark.parametrize("statement", [s for s in CLAIMS if not s.is_about_a_mechanism], ids=lambda s: s.id)
def test_the_claims_are_read(statement):
    if statement.expected == UNREADABLE:
        return
    (chain,) = read_document(text_of(statement), kind="plain").chains
    assert chain.steps


def test_every_statement_of_the_sources_is_there():
    numbers = Counter(s.id[:5] for s in statements())
    counts = {"S0": 44, "S1": 19, "S2": 13, "S3": 6, "S4": 26, "S5": 21}
    assert set(numbers) == {f"{source}-{n:02}" for source, count in counts.items() for n in range(1, count + 1)}


@pytest.mark.slow
@pytest.mark.parametrize("statement", CLAIMS, ids=lambda s: s.id)
def test_the_verdict_is_at_least_the_expected_one(statement):
    settled = statement.expected not in ("open", "supported")
    found = run(statement, 300.0 if settled else 5.0)  # of the others it is only asked that nothing unsound is said
    assert not found.unsound
    if statement.expected in ACCEPTED:
        assert found.verdict in ACCEPTED[: ACCEPTED.index(statement.expected) + 1], found.why
    elif settled:
        assert found.verdict == statement.expected, found.why
