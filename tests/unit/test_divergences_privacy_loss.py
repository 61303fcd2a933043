"""The privacy loss as a distribution: what is known of any privacy loss, and what the divergences say of it."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from dpsym.checking import check_document
from dpsym.core.distributions import Density, Distribution, Finite, Pmf, shifted
from dpsym.core.notation import Delta, b, epsilon, m, n, sigma, x, y
from dpsym.core.relations import Proposition, propositions
from dpsym.divergences import NoClosedForm, hockey_stick, kullback_leibler, loss_variance, privacy_loss
from dpsym.entries.mechanisms.gaussian import gaussian
from dpsym.entries.mechanisms.geometric import geometric
from dpsym.entries.mechanisms.laplace import laplace
from dpsym.entries.mechanisms.randomized_response import randomized_response
from dpsym.language import read_expression
from dpsym.language.documents.document import read_document
from dpsym.numbers import enclose

z = sp.Symbol("z")
Case = tuple[tuple[Distribution, Distribution], tuple[Proposition, ...]]


def of(name: str) -> Case:
    if name in MECHANISMS:
        return MECHANISMS[name].outputs, MECHANISMS[name].domain
    known = (b > 0, Delta > 0)
    if name == "one-sided":
        noise = Density(y, sp.exp(-y / b) / b, sp.Interval(0, sp.oo))
        return shifted(noise, Delta)[::-1], propositions(known)
    if name == "one-sided masses":
        masses = Pmf(n, (1 - sp.exp(-1 / b)) * sp.exp(-n / b), sp.S.Zero)
        from dpsym.core.relations import IsInteger

        return shifted(masses, Delta)[::-1], propositions((b > 0, Delta >= 1, IsInteger(Delta)))
    return shifted(Density(y, read_expression(TEXTS[name])), Delta), propositions(known)


MECHANISMS = {e.id: e for e in (gaussian, laplace, geometric, randomized_response)}
TEXTS = {"logistic": "1/(4*b*cosh(y/(2*b))^2)", "gumbel": "exp(-y/b-exp(-y/b))/b"}
NAMES = [*MECHANISMS, *TEXTS, "one-sided", "one-sided masses"]


def value(expression: sp.Expr, at: dict[sp.Symbol, object]) -> mpf:
    found = enclose(expression, at, digits=14)
    return (mpf(str(found.lower)) + mpf(str(found.upper))) / 2


@pytest.mark.cases(1)
@pytest.mark.parametrize("name", NAMES)
@given(st.fractions(Fraction(1, 2), 3, max_denominator=6), st.integers(1, 3), st.fractions(0, 1, max_denominator=6))
@settings(max_examples=2, deadline=None)
def test_its_moments_and_its_tail_are_the_divergences(name: str, scale: Fraction, size: int, level: Fraction) -> None:
    (P, Q), known = of(name)
    at = {sigma: scale, b: scale, epsilon: scale, m: size + 1, Delta: size}
    loss = privacy_loss(P, Q, known)
    absolutely_continuous = not name.startswith("one-sided")

    def mean(function: sp.Expr) -> mpf:
        return value(loss.expectation(sp.Lambda(z, function)), at)

    with mp.workdps(20):
        infinite = value(loss.at_infinity, at)
        assert abs(mean(sp.S.One) + infinite - 1) < mpf(10) ** -12
        if name != "gumbel":  # whose loss has an exponential tail at the left, so that this converges slowly
            assert abs(mean(sp.exp(-z)) - 1) < mpf(10) ** -10  # p is positive wherever q is
        if absolutely_continuous:
            kl = value(kullback_leibler(P, Q, known).expression, at)
            assert abs(mean(z) - kl) < mpf(10) ** -11
            variance = value(loss_variance(P, Q, known).expression, at)
            assert abs(mean(z**2) - kl**2 - variance) < mpf(10) ** -10
        else:
            assert infinite > 0
            assert loss_variance(P, Q, known).expression == sp.oo
        symbol = x if name == "randomized_response" else epsilon
        e = {**at, symbol: level}
        profile = hockey_stick(sp.exp(symbol), P, Q, (*known, symbol >= 0)).expression
        if not loss.stretches:
            gain = sp.Max(0, 1 - sp.exp(sp.Rational(level) - z))
            assert abs(mean(gain) + infinite - value(profile, e)) < mpf(10) ** -11


def test_the_variance_of_two_normal_distributions_of_different_scales() -> None:
    """From log A, whose second derivative it is: ((s0^2 - s1^2)^2/2 + m^2 s0^2)/s1^4."""
    s0, s1 = sp.symbols("s0 s1")

    def normal(mean: sp.Expr, scale: sp.Expr) -> Density:
        return Density(y, sp.exp(-((y - mean) ** 2) / (2 * scale**2)) / (scale * sp.sqrt(2 * sp.pi)))

    found = loss_variance(normal(m, s0), normal(sp.S.Zero, s1), (s0 > 0, s1 > 0))
    expected = ((s0**2 - s1**2) ** 2 / 2 + m**2 * s0**2) / s1**4

    assert sp.cancel(found.expression - expected) == 0
    assert found.conditions == ()


def test_outcomes_that_q_cannot_have_are_mass_at_infinity() -> None:
    loss = privacy_loss(Finite((sp.Rational(1, 4), sp.Rational(3, 4))), Finite((sp.S.Zero, sp.S.One)))

    assert loss.at_infinity == sp.Rational(1, 4)
    assert [a.mass for a in loss.atoms] == [sp.Rational(3, 4)]
    assert "at infinity" in str(loss)


def test_it_is_written_in_words() -> None:
    said = str(privacy_loss(*laplace.outputs, laplace.domain))

    assert "mass 1/2 at Delta/b" in said
    assert "-Delta/b < loss < Delta/b" in said


def test_a_ratio_that_is_not_linear_is_refused() -> None:
    wide, narrow = (Density(y, sp.exp(-(y**2) / (2 * s**2)) / (s * sp.sqrt(2 * sp.pi))) for s in (2, 1))

    with pytest.raises(NoClosedForm):
        privacy_loss(wide, narrow)


NORMAL, LAPLACE = ("P: Normal(0, sigma^2)", "Q: Normal(d, sigma^2)"), ("U: Laplace(0, b)", "V: Laplace(d, b)")
LOSS = "Z: privacy_loss(P, Q)"


@pytest.mark.cases(2)
@pytest.mark.parametrize(
    "true, slip",
    [
        (r"\mathbb{E}[Z] = \frac{d^2}{2\sigma^2}", r"\mathbb{E}[Z] = \frac{d^2}{\sigma^2}"),
        (r"\mathbb{E}[e^{\lambda Z}] = e^{\lambda(\lambda+1) d^2/(2\sigma^2)}",
         r"\mathbb{E}[e^{\lambda Z}] = e^{\lambda(\lambda-1) d^2/(2\sigma^2)}"),
        (r"\Pr[Z > \epsilon] = \Phi\left(\frac{d}{2\sigma} - \frac{\epsilon\sigma}{d}\right)",
         r"\Pr[Z < \epsilon] = \Phi\left(\frac{d}{2\sigma} - \frac{\epsilon\sigma}{d}\right)"),
        (r"\mathbb{E}_{z \sim \mathrm{PrivLoss}(U \| V)}[z] = \frac{d}{b} - 1 + e^{-d/b}",
         r"\mathbb{E}_{z \sim \mathrm{PrivLoss}(U \| V)}[z] = \frac{d}{b} - 1"),
    ],
)  # fmt: skip
def test_steps_about_the_loss_of_declared_distributions_are_decided(true, slip):
    let = ("sigma > 0", "d > 0", "b > 0", "epsilon > 0", "lambda > 0", *NORMAL, *LAPLACE, LOSS)
    documents = (read_document(f"$$ {claim} $$", kind="markdown", let=let) for claim in (true, slip))
    verdicts = [str(next(check_document(d, time_limit=10.0, suggest=False).steps).decision.verdict) for d in documents]
    assert verdicts == ["proved", "refuted"]


@pytest.mark.slow
def test_a_loss_that_may_be_infinite_has_no_value():
    claim = r"$$ \mathbb{E}[Z] = 1/b $$"
    let = ("b > 0", "P: Exponential(b)", "Q: Uniform(0, 1)", LOSS)
    (result,) = check_document(read_document(claim, kind="markdown", let=let), time_limit=3.0, suggest=False).steps
    assert str(result.decision.verdict) == "open"
