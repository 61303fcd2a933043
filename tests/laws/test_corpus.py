"""The prover over relations whose truth is known: nothing false accepted, nothing true refuted, most of it settled."""

import pytest

from corpus import entries
from corpus.running import report, run

LIMIT = 10  # seconds for each
SHARE = 0.95  # of the true ones
EVERY, SHORT = 12, 1.0  # of the corpus in the default suite, and the seconds for each

SOME = entries()[5::EVERY]


@pytest.mark.cases(5)
@pytest.mark.parametrize("entry", SOME, ids=lambda e: e.id)
def test_nothing_false_is_accepted_and_nothing_true_refuted_in_a_second(entry):
    result = run(entry, SHORT)

    assert result.verdict is not None, result
    assert not result.unsound, result
    assert "failed with" not in result.why, result
    assert result.cpu < 1.5 * SHORT + 0.5, result


@pytest.mark.slow
def test_the_whole_corpus():
    """In one test, since each process would ask all of it again for another."""
    everything = [run(entry, LIMIT) for entry in entries()]

    wrong = [r for r in everything if r.unsound or r.verdict is None]
    assert not wrong, f"false and accepted, or true and refuted\n{report(wrong)}"
    missed = [r for r in everything if not r.entry.true and not r.settled]
    assert not missed, f"false and not refuted\n{report(missed)}"
    true = [r for r in everything if r.entry.true]
    assert sum(r.settled for r in true) >= SHARE * len(true), report(true)
    late = [r for r in everything if r.cpu > 1.2 * LIMIT]
    assert not late, f"later than the limit\n{report(late)}"
