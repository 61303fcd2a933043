"""Mechanisms on a Poisson sample: what is derived for them, and what is refused."""

import mpmath
import pytest
import sympy as sp

from dpsym.core.notation import b, delta, epsilon, q
from dpsym.deriving import DerivationError, routes
from dpsym.entries.mechanisms.laplace import laplace
from dpsym.language import ReadingError, read_goal, read_source
from dpsym.language import read_source as read
from dpsym.numbers import enclose
from dpsym.statements import Subsampled

FIVE = sp.Rational(1, 10**5)


def run(source, goal, **options):
    return routes(read_source(source), read_goal(goal), **options)


def gaussian_delta(x):
    """Of one Gaussian, sigma = 1 and sensitivity 1."""
    return mpmath.ncdf(mpmath.mpf(1) / 2 - x) - mpmath.exp(x) * mpmath.ncdf(-mpmath.mpf(1) / 2 - x)


def test_a_sampled_gaussian_has_its_exact_profile():
    best = run("subsampled(gaussian(sigma=1), q=1/100)", "approx", at={delta: FIVE})[0]
    assert best.exact
    found = best.evaluate({delta: FIVE}, digits=25)["epsilon"]
    with mpmath.workdps(40):
        value = mpmath.mpf(str(found.upper))
        inner = mpmath.log(1 + (mpmath.exp(value) - 1) * 100)
        assert abs(gaussian_delta(inner) / 100 - mpmath.mpf(10) ** -5) < mpmath.mpf(10) ** -28


def test_pure_privacy_of_a_sample():
    best = run("subsampled(laplace(b), q)", "pure")[0]
    for rate, scale in ((sp.Rational(1, 7), sp.Integer(2)), (sp.Integer(1), sp.Rational(1, 3)), (sp.Integer(0), b)):
        at = {q: rate, b: 2 if scale == b else scale}
        with mpmath.workdps(30):
            wanted = mpmath.log(1 + mpmath.mpf(rate.p) / rate.q * mpmath.expm1(1 / mpmath.mpf(str(sp.N(at[b], 30)))))
            found = enclose(best.epsilon, at, digits=15)
            assert abs(mpmath.mpf(str(found.upper)) - wanted) < mpmath.mpf(10) ** -14


@pytest.mark.slow
def test_a_thousand_sampled_laplace_queries_beat_their_basic_composition():
    found = run("subsampled(laplace(b=2), q=1/100) ** 1000", "approx", at={delta: FIVE})
    rules = set().union(*(f.rules for f in found))
    assert {"subsampling_pure", "composition_zcdp", "advanced_composition", "composition_approx"} <= rules
    with mpmath.workdps(30):
        one = mpmath.log(1 + mpmath.expm1(mpmath.mpf(1) / 2) / 100)
        by_zcdp = 1000 * one**2 / 2 + mpmath.sqrt(2000 * one**2 * mpmath.log(10**5))
        assert mpmath.mpf(str(found[0].evaluate({delta: FIVE})["epsilon"].upper)) < by_zcdp < 1000 * one


def test_sampling_everything_changes_nothing():
    plain = run("gaussian(sigma=3)", "approx", at={delta: FIVE})[0]
    sampled = run("subsampled(gaussian(sigma=3), q=1)", "approx", at={delta: FIVE})[0]
    first, second = (f.evaluate({delta: FIVE}, digits=20)["epsilon"] for f in (plain, sampled))
    assert first.lower <= second.upper
    assert second.lower <= first.upper


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("subsampled(laplace(b=2), q=2)", "q = 2.*q <= 1"),
        ("subsampled(laplace(b=2), q=-1/10)", "q = -1/10.*q >= 0"),
        ("subsampled(laplace(b=0), q=1/10)", "b = 0.*b > 0"),
        ("subsampled(randomized_response(epsilon=1), q=1/10)", "about one record replaced, a Poisson sample"),
    ],
)
def test_senseless_samples_are_refused(source, says):
    with pytest.raises((DerivationError, ReadingError), match=says):
        run(source, "approx", at={delta: FIVE})


@pytest.mark.parametrize(
    "text",
    [
        "subsampled(gaussian)",
        "subsampled(q=1/2)",
        "subsampled(gaussian, p=1/2)",
        "subsampled(gaussian, q=1/2, q=1/3)",
        "subsampled(zcdp(1), q=1/2)",
        "subsampled(subsampled(gaussian, q=1/2), q=1/2)",
        "subsampled",
    ],
)
def test_what_is_no_sampled_mechanism_is_not_read(text):
    with pytest.raises(ReadingError):
        read(text)


def test_it_is_written_as_it_is_read():
    for text in ("subsampled(laplace(b=2), q=1/100) ** 1000", "subsampled(laplace(b=b) ** k, q=q) * gaussian(sigma=1)"):
        assert str(read(str(read(text)))) == str(read(text))
    assert read("subsampled(laplace(b), q)") == Subsampled(laplace(b=b), q)
    assert Subsampled(laplace(b=b), q).free_symbols == {b, q}


@pytest.mark.slow
def test_a_composition_in_one_sample_is_not_a_composition_of_samples():
    together = run("subsampled(laplace(b=2) ** 3, q=1/2)", "pure")[0].epsilon
    apart = run("subsampled(laplace(b=2), q=1/2) ** 3", "pure")[0].epsilon
    with mpmath.workdps(20):
        assert abs(float(enclose(together).upper) - float(mpmath.log1p(mpmath.expm1(1.5) / 2))) < 1e-9
        assert abs(float(enclose(apart).upper) - float(3 * mpmath.log1p(mpmath.expm1(0.5) / 2))) < 1e-9


@pytest.mark.slow
def test_a_profile_stays_one_in_epsilon():
    facts = run("subsampled(laplace(b=1), q=1/4)", "approx(epsilon=epsilon)")
    exact = next(f for f in facts if f.exact)
    at = {epsilon: sp.Rational(1, 10)}
    with mpmath.workdps(30):
        inner = mpmath.log(1 + mpmath.expm1(mpmath.mpf(1) / 10) * 4)
        wanted = (1 - mpmath.exp((inner - 1) / 2)) / 4
        assert abs(mpmath.mpf(str(exact.evaluate(at)["delta"].upper)) - wanted) < mpmath.mpf(10) ** -14
