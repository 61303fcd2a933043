"""The named facts about divergences hold for finite laws, by definitions that share nothing with the checker."""

import importlib.util
import random
from pathlib import Path

import pytest

from attack import quantities
from dpsym.verifying.proofs.expressions import said
from dpsym.verifying.proofs.lemmas import lemmas

OF_LAWS = sorted(name for name, fact in lemmas().items() if fact.parameters & {"P", "Q"})


@pytest.fixture(scope="module")
def by_numbers():
    """The evaluation that the mutations of certificates use."""
    path = Path(__file__).parents[2] / "benchmarks" / "certificate_mutations.py"
    found = importlib.util.spec_from_file_location("certificate_mutations", path)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", OF_LAWS)
def test_facts_about_divergences_hold_for_finite_laws(name, by_numbers):
    fact, judge = lemmas()[name], by_numbers.Judge(seed=3)
    verdict, detail = judge.of(tuple(map(said, fact.premises)), said(fact.conclusion))
    assert verdict == "held", detail


@pytest.mark.parametrize(
    ("given", "claim"),
    [
        (("a > 1",), "renyi(a, P, Q) <= hockey_stick(a, P, Q)"),
        (("a >= 0", "a <= 1"), "trade_off(a, P, Q) >= 1 - a - hockey_stick(1, P, Q)/2"),
        (("a >= 0",), "hockey_stick(a, P, Q) = E(Max(0, 1 - a*exp(z)), z, privacy_loss(P, Q))"),
        (("a > 1",), "E(exp(a*z), z, privacy_loss(P, Q)) = exp((a - 1)*renyi(a, P, Q))"),
        ((), "E(exp(-z), z, privacy_loss(P, Q)) <= 99/100"),
        (("a >= 0", "a <= 1/2"), "hockey_stick(a, P, Q) = Maximum(1 - t - trade_off(t, Q, P), t, open(0), open(1))"),
        ((), "Integral(exp(-x), x, 0, oo) = 2"),
        ((), "Maximum(x*(1 - x), x, closed(0), closed(1)) <= 1/8"),
    ],
)
def test_near_misses_are_seen(given, claim, by_numbers):
    assert by_numbers.Judge(seed=3).of(given, claim)[0] == "false"


def test_a_test_between_two_laws_is_the_best_one():
    draw = random.Random(1)  # noqa: S311 - no secret
    for _ in range(50):
        p, q = quantities.some_finite_law(draw), quantities.some_finite_law(draw)
        level = draw.randint(0, 10)
        least = quantities.trade_off(quantities.fmpq(level, 10), p, q)
        for rejected in range(8):  # no test that is not randomised does better
            chosen = [i for i in range(3) if rejected >> i & 1]
            if sum((p[i] for i in chosen), quantities.fmpq(0)) <= quantities.fmpq(level, 10):
                assert least <= 1 - sum((q[i] for i in chosen), quantities.fmpq(0))
