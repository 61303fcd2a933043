"""Constants such as sqrt(2), e beside exp(-1) and log(5/4) in the parameters of a mechanism hide no answer."""

import pytest

from dpsym.accounting.rounded_parameters import rounded
from dpsym.claims import read_claim
from dpsym.core.verdicts import Verdict
from dpsym.language import read_source

ACCEPTED = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED)
CLAIMS = [  # what is true, and what is not
    ("gaussian(sigma=1, Delta=sqrt(2))", "gdp(sqrt(2))", "gdp(7/5)"),
    ("laplace(b=e, Delta=exp(-1))", "pure(exp(-2))", "pure(exp(-2)/2)"),
    ("gumbel(b=sqrt(2))", "approx(1, 1/10)", "approx(1, 9/100)"),
    ("cauchy(b=sqrt(2))", "pure(3/4)", "pure(1/2)"),
    ("gaussian(sigma=sqrt(2*log(1.25/1e-5)))", "approx(1, 1e-5)", "approx(1/2, 1e-5)"),
    ("gaussian(sigma=sqrt(sqrt(2) + sqrt(3)))", "zcdp(1/(2*(sqrt(2) + sqrt(3))))", "zcdp(1/7)"),
    ("laplace(b=1/log(3)) ** 2", "approx(log(3), 1/2)", "approx(log(3), 1/100)"),
    ("subsampled(laplace(b=1, Delta=sqrt(2)), q=1/10)", "pure(3/10)", "pure(1/10)"),
    ("subsampled(gaussian(sigma=sqrt(2)), q=1/sqrt(99)) ** 2", "approx(1, 1/1000)", "approx(1/10, 1/1000)"),
]


@pytest.mark.cases(2)
@pytest.mark.parametrize(("mechanism", "right", "wrong"), CLAIMS)
def test_constants_hide_no_answer(mechanism, right, wrong):
    assert read_claim(f"{mechanism} satisfies {right}").decide(30.0).verdict in ACCEPTED
    assert read_claim(f"{mechanism} satisfies {wrong}").decide(30.0).verdict is Verdict.REFUTED


@pytest.mark.parametrize("better", [True, False])
def test_rounding_goes_one_way(better):
    """More noise, a smaller sensitivity and a smaller rate are more private."""
    source = read_source("subsampled(laplace(b=sqrt(2), Delta=sqrt(3)), q=1/sqrt(5))")
    found = rounded(source, better=better)
    sign = 1 if better else -1
    (noise, distance), (noise_, distance_) = source.inner.args.values(), found.inner.args.values()
    assert sign * (noise_ - noise) > 0
    assert sign * (distance_ - distance) < 0
    assert sign * (found.rate - source.rate) < 0
    assert found.inner.args.values() != source.inner.args.values()
