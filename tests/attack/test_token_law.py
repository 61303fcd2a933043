"""Every token of a display counts: deleted, doubled or replaced it changes what is read, or the display is unread."""

import random
from pathlib import Path

import pytest

from attack import token_law
from attack.token_law import run, run_in

PROOFS = sorted((Path(__file__).parents[2] / "proofs").rglob("*.md"))
FEW = 6
MANY = range(1000, 3000, 50)  # 2,000 seeds of ten displays


def told(faults):
    return "\n".join(map(str, faults))


def test_every_token_counts():
    found = [run(seed, 10, 12) for seed in range(FEW)]
    assert sum(tried for _, tried in found) > 100 * FEW
    assert not (faults := [fault for some, _ in found for fault in some]), told(faults)


@pytest.mark.slow
@pytest.mark.parametrize("first", MANY)
def test_every_token_counts_in_many_displays(first):
    faults = [fault for seed in range(first, first + MANY.step) for fault in run(seed, 10, 12)[0]]
    assert not faults, told(faults)


@pytest.mark.parametrize("most", [pytest.param(1), pytest.param(30, marks=pytest.mark.slow)])
def test_every_token_of_our_own_proofs_counts(most):
    rng = random.Random(f"proofs {most}")  # noqa: S311
    chosen = PROOFS if most > 1 else rng.sample(PROOFS, 20)
    found = [run_in(rng, path.read_text(encoding="utf-8"), "markdown", most) for path in chosen]
    assert sum(tried for _, tried in found) > 0.8 * most * len(chosen)
    assert not (faults := [fault for some, _ in found for fault in some]), told(faults)


def test_a_reader_that_passes_over_a_token_is_found(monkeypatch):
    read_document = token_law.read_document
    monkeypatch.setattr(token_law, "read_document", lambda text, kind: read_document(text.replace("'", ""), kind=kind))
    assert any(fault.sign == "'" for seed in range(FEW) for fault in run(seed, 10, 12)[0])
