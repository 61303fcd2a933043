"""The derivations of the field in `tests/derivations`: right ones pass at every step, wrong ones fail at one.

A file that is wrong says at which step, counted from 1, in a comment: `wrong step: 2`.
"""

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
import sympy as sp

from dpsym.checking import Cache, check_document
from dpsym.core.verdicts import Verdict
from dpsym.language import read_path
from laws.chain_slips import false_at, slips, with_claim
from laws.mpmath_values import NoValue, fails

FOLDER = Path(__file__).parent.parent / "derivations"
FILES = sorted(path for path in FOLDER.iterdir() if path.is_file())
ACCEPTED = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED)
FAST = {  # the others, a minute or two in all, are slow
    "right_poisson_sampling_pure.tex", "right_advanced_composition_noise.md", "right_zcdp_order.txt",
    "wrong_linear_amplification.md", "wrong_dropped_term.txt", "wrong_order_without_one.tex", "wrong_factor_two.md",
    "wrong_log_base.md", "wrong_undefined.txt", "wrong_implication.txt", "wrong_by_parts.md", "right_product_rule.md",
    "right_kl_gaussians.md", "right_laplace_variance.md", "right_geometric_noise.md", "right_minimum.md",
}  # fmt: skip
CASES = [pytest.param(p, id=p.name, marks=() if p.name in FAST else pytest.mark.slow) for p in FILES]


def wrong_step(path):
    found = re.search(r"wrong step: (\d+)", path.read_text())
    return None if found is None else int(found[1])


def agrees_with_mpmath(document, result):
    """Whether mpmath has the refuted claim fail at its witness; True also where it has no value there."""
    step, witness = result.step, result.decision.witness
    if witness.obligation is not None or step.premises or (step.reason is not None and step.reason.at):
        return True
    point = {sp.Symbol(n): sp.Rational(v.numerator, v.denominator) for n, v in witness.point.items()}
    try:
        return fails(step.claim[0], point, document.distributions)
    except NoValue:
        return True


def test_there_are_files_in_every_notation():
    assert {p.suffix for p in FILES} == {".md", ".tex", ".txt"}
    assert len(FILES) >= 80
    assert all(p.name.startswith(("right_", "wrong_")) for p in FILES)
    assert all((wrong_step(p) is not None) == p.name.startswith("wrong_") for p in FILES)


@pytest.mark.parametrize("path", CASES)
def test_exactly_the_wrong_step_is_refuted(path):
    document = read_path(path)
    report = check_document(document, time_limit=60.0, suggest=False)  # all of it is settled in much less
    wrong = wrong_step(path)

    steps = list(report.steps)
    assert steps
    assert report.problems == ()
    for number, result in enumerate(steps, start=1):
        if number == wrong:
            assert result.decision.verdict is Verdict.REFUTED, result
            assert agrees_with_mpmath(document, result)
        else:
            assert result.decision.verdict in ACCEPTED, result
    assert report.exit_status == (0 if wrong is None else 1)


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    "name", ["right_advanced_composition_noise.md", "right_zcdp_order.txt", "right_group_privacy.txt"]
)
def test_a_slip_in_one_step_is_refuted_there_and_nowhere_else(name):
    """A few of those of `benchmarks/checking.py`."""
    document, cache = read_path(FOLDER / name), Cache()
    check_document(document, suggest=False, cache=cache)
    (chain,) = document.chains
    pool = [(n, claim) for n, step in enumerate(chain.steps) for _, claim in slips(step.claim[0])]
    examined = 0
    for n, claim in random.Random(name).sample(pool, 8):  # noqa: S311 - choosing slips is no cryptography
        if false_at(chain.steps[n], claim, document.conditions, document.distributions) is None:
            continue
        steps = (*chain.steps[:n], with_claim(chain.steps[n], claim), *chain.steps[n + 1 :])
        spoilt = replace(document, chains=(replace(chain, steps=steps),))
        found = list(check_document(spoilt, suggest=False, cache=cache).steps)

        assert [s.decision.verdict is Verdict.REFUTED for s in found] == [i == n for i in range(len(found))]
        assert agrees_with_mpmath(spoilt, found[n])
        examined += 1
    assert examined >= 4
