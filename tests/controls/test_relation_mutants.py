"""False relations, made from true ones by a slip: none is accepted, neither with the help of points nor without.

The longer study is in benchmarks/mutations.md, and goes on with `benchmarks/hunt.py --kinds slip`.
"""

from __future__ import annotations

import ast
import random
from itertools import islice

import pytest

from dpsym.claims import read_claim
from dpsym.core.verdicts import Verdict
from dpsym.deciding import EmptyDomain
from dpsym.language import ReadingError
from oracle.relation_mutants import Claim, claims, false_at, false_mutants, written
from oracle.strategies_alone import proof

ACCEPTED = (Verdict.PROVED, Verdict.CERTIFIED)


def accepted(claim: Claim, limit: float) -> bool:
    """Whether the engine accepts it; a contradiction between a proof and a point raises."""
    try:
        return read_claim(claim.text, let=claim.let, assume=claim.assume).decide(limit).verdict in ACCEPTED
    except (ReadingError, EmptyDomain):
        return False


@pytest.mark.cases(2)
@pytest.mark.parametrize("seed", range(4))
def test_no_false_mutant_is_accepted(seed: int) -> None:
    for kind, claim, where in islice(false_mutants(seed), 12):
        assert not accepted(claim, 0.1), f"{kind}: {claim} fails at {where}"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4, 8))
def test_no_false_mutant_is_proved_where_no_point_is_asked(seed: int) -> None:
    for kind, claim, where in islice(false_mutants(seed, lambda c: not c.spoken), 8):
        try:
            found = proof(claim.relation, claim.let, claim.assume, 0.3)
        except (ReadingError, EmptyDomain):
            continue
        assert found is None, f"{kind}: {claim} fails at {where}"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 120))
def test_no_false_mutant_is_accepted_given_more_time(seed: int) -> None:
    for kind, claim, where in islice(false_mutants(seed), 40):
        assert not accepted(claim, 2.0), f"{kind}: {claim} fails at {where}"


def test_the_arbiter_finds_nothing_against_the_true_relations() -> None:
    rng = random.Random(0)  # noqa: S311 - no cryptography
    for claim in claims()[::6]:
        assert false_at(claim, rng) is None, str(claim)


@pytest.mark.parametrize(
    ("relation", "let"),
    [
        ("2*(1 + 3/10^30)*x = 2*x", ("x > 0",)),
        ("x^2 > 0", ("x: real",)),
        ("sqrt(x^2) = x", ("x: real",)),
        ("log(x) <= x", ("x: real",)),
        ("exp(x) <= 1 + x + x^2", ("0 <= x <= 1.8",)),
    ],
)
def test_the_arbiter_sees_what_is_false(relation: str, let: tuple[str, ...]) -> None:
    assert false_at(Claim("", relation, let), random.Random(1)) is not None  # noqa: S311


def test_what_is_written_reads_as_the_same_tree() -> None:
    for claim in claims():
        tree = ast.parse(claim.relation.replace("^", "**").replace("<=", "#").replace(">=", "@").replace("=", "==")
                         .replace("#", "<=").replace("@", ">="), mode="eval").body  # fmt: skip
        assert written(tree) == claim.relation
