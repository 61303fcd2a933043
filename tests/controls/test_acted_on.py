"""Answers that people act on, as they were found wrong: nothing runs, plateaus, one loss alone, no number reached."""

import json
import re
from fractions import Fraction

import pytest

from dpsym import accounting
from dpsym.claims import read_claim
from dpsym.cli import run
from dpsym.core.verdicts import Verdict
from dpsym.entries.mechanisms.partition_selection import partition_selection
from dpsym.entries.mechanisms.set_union import set_union
from dpsym.statements import Subsampled

YES = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED)


def verdict(claim):
    return read_claim(claim).decide(10.0).verdict


NOTHING_RUNS = [
    "gaussian(sigma=1)**0 satisfies pure(1)",
    "gaussian(sigma=1)**(k-k) satisfies bounded_range(0)",
    "laplace(b=1)*gaussian(sigma=1)**0 satisfies pure(1)",
    "truncated_laplace(b=1,A=5)**0 satisfies rdp(3,0)",
    "propose_test_release(1,1e-5)**0 satisfies zcdp(1)",
    "laplace(b=1)*propose_test_release(1,1e-5)**0 satisfies pure(1)",
    "partition_selection(1,1e-5)**0*laplace(b=1) satisfies pure(1)",
    "randomized_response(8,2)**0*optimized_unary_encoding(3)**0 satisfies rdp(2,0)",
    "gaussian(sigma=1)**0 satisfies fdp(1-a)",
    "gaussian(sigma=1)**0 satisfies approx(0,1e-9)",
    "subsampled(gaussian(sigma=1)**0, q=1/2) satisfies gdp(0)",
    "subsampled(gaussian(sigma=1), q=0)**3 satisfies pure(0)",
]


@pytest.mark.parametrize("claim", NOTHING_RUNS)
def test_what_runs_no_times_loses_nothing(claim):
    assert verdict(claim) in YES


@pytest.mark.parametrize(
    "claim",
    [
        "laplace(b=1)*gaussian(sigma=1)**0 satisfies pure(99/100)",
        "laplace(b=1)**1*propose_test_release(1,1e-5)**0 satisfies zcdp(1/10)",
        "gaussian(sigma=1)**0 satisfies fdp(1-a/2)",
        "gaussian(sigma=1)**1 satisfies pure(1)",
    ],
)
def test_what_runs_loses_something(claim):
    assert verdict(claim) is Verdict.REFUTED


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("binomial(N=10)**2 satisfies approx(4.60517018599, 2047/1048576)", True),
        ("partition_selection(1,1/10)**2 satisfies approx(2, 19/100)", True),
        ("binomial(N=10)**2 satisfies approx(4.60517018599, 2046/1048576)", False),
        ("binomial(N=10) satisfies approx(2.302585092994, 1/1024)", False),
    ],
)
def test_a_plateau_is_compared_exactly(claim, holds):
    found = verdict(claim)

    assert found in YES if holds else found not in YES


@pytest.mark.parametrize("delta", ["2/100000", "3/100000", "5/100000", "1/10"])
def test_few_infinite_losses_beside_one_finite(delta):
    for of in (set_union(1, Fraction(1, 10**5)) ** 2, partition_selection(1, Fraction(1, 10**5)) ** 2):
        found = accounting.epsilon(of, delta=Fraction(delta), digits=6)

        assert 0 <= found.lower <= found.upper <= 2


@pytest.mark.slow
@pytest.mark.parametrize(("count", "delta"), [(2, "1/10"), (3, "3/20")])
def test_a_sample_with_one_loss_alone_can_be_summed(count, delta):
    half = Subsampled(partition_selection(1, Fraction(1, 10)), Fraction(1, 2))
    found = accounting.epsilon(half**count, delta=Fraction(delta), digits=4)

    assert 0 <= found.lower <= found.upper <= count


@pytest.mark.slow
def test_where_no_number_was_reached_nothing_is_done():
    for delta, limit in (("1e-99", "1"), ("1e-99", "3")):
        status = run(["derive", "binomial(N=300)", "--to", "approx", "--at", f"delta={delta}", "--time-limit", limit])

        assert status in (1, 3)


@pytest.mark.parametrize(
    ("source", "more", "at"),
    [
        ("zcdp(rho)", ["--to", "pure"], "rho=0"),
        ("approx(e0, d0)", ["--to", "approx", "--group", "3"], "e0=0"),
        ("rdp(2, r)", ["--to", "pure"], "r=0"),
    ],
)
def test_a_theorem_that_holds_at_a_given_value_says_so(source, more, at, capsys):
    """Its formula may be exported, and asked elsewhere: what holds at rho = 0 must not read as if for every rho."""
    status = run(["derive", source, *more, "--at", at, "--json"])
    found = json.loads(capsys.readouterr().out)
    assert status in (0, 3)
    for route in found["routes"]:
        said = {c["relation"] for c in route["conditions"]}
        spoken = " ".join((*route["guarantee"].values(), *said))
        name = at.split("=")[0]
        assert re.search(rf"\b{name}\b", spoken), route
