"""The derivations of the field in `tests/derivations`: right ones pass at every step, wrong ones fail at one.

A file that is wrong says at which step, counted from 1, in a comment: `wrong step: 2`.
"""

import re
from pathlib import Path

import pytest

from dpsym.checking import check_document
from dpsym.reading import read_path
from dpsym.verdicts import Verdict

FOLDER = Path(__file__).parent.parent / "derivations"
FILES = sorted(FOLDER.iterdir())
ACCEPTED = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED)
QUICK = 0.4  # seconds, within which most are checked
"""Checked whenever the tests are run; the others take longer."""
FAST = {
    "right_poisson_sampling_pure.tex", "right_advanced_composition_noise.md", "right_zcdp_order.txt",
    "wrong_linear_amplification.md", "wrong_dropped_term.txt", "wrong_factor_two.md", "wrong_log_base.md",
    "wrong_undefined.txt", "wrong_implication.txt", "right_product_rule.md", "right_kl_gaussians.md",
}  # fmt: skip
CASES = [pytest.param(path, id=path.name, marks=() if path.name in FAST else pytest.mark.slow) for path in FILES]


def wrong_step(path):
    found = re.search(r"wrong step: (\d+)", path.read_text())
    return None if found is None else int(found[1])


def test_there_are_files_in_every_notation():
    assert {p.suffix for p in FILES} == {".md", ".tex", ".txt"}
    assert len(FILES) >= 80
    assert all((wrong_step(p) is not None) == p.name.startswith("wrong_") for p in FILES)
    assert all(p.name.startswith(("right_", "wrong_")) for p in FILES)


@pytest.mark.parametrize("path", CASES)
def test_exactly_the_wrong_step_is_refuted(path):
    report = check_document(read_path(path), time_limit=10.0, suggest=False)
    wrong = wrong_step(path)

    steps = list(report.steps)
    assert steps
    assert report.problems == ()
    for number, result in enumerate(steps, start=1):
        if number == wrong:
            assert result.decision.verdict is Verdict.REFUTED, result
            assert result.decision.witness is not None
        else:
            assert result.decision.verdict in ACCEPTED, result
    assert report.exit_status == (0 if wrong is None else 1)
