"""Rényi divergences of compositions at real orders, against closed forms, a published series and published numbers."""

from __future__ import annotations

import json
from fractions import Fraction

import mpmath as mp
import pytest
import sympy as sp

import dpsym
from dpsym.accounting import NotAccountable, renyi, subsampled
from dpsym.cli import run
from dpsym.core.notation import alpha, mu, q
from dpsym.entries.theorems.amplification_poisson import subsampling_gdp_to_rdp

# Values in the tests of autodp, said there to be of TensorFlow Privacy: q, sigma, order, value, how far it is off.
# Two are too large by more than their last digits, and one is too small: it is no upper bound.
PUBLISHED = (
    ("0.01", "0.1", "1.25", "39.47435359280898", "1e-12"),
    ("0.01", "0.1", "2.25", "104.21069366522143", "1e-12"),
    ("0.01", "0.25", "10", "74.883144237791", "1e-12"),
    ("0.01", "0.5", "2", "0.005345502314345245", "1e-12"),
    ("0.01", "1", "2.25", "0.0001945383384777645", "1e-9"),
    ("0.01", "1", "4.5", "0.00041492706734509965", "1e-10"),
    ("0.01", "2", "64", "3.321746408681008", "1e-12"),
    ("0.01", "10", "1.25", "6.280881026314128e-07", "1e-8"),
    ("0.05", "0.25", "4.5", "32.1483442197163", "1e-12"),
)


def step(share: str, noise: str):
    return subsampled(dpsym.gaussian(sigma=Fraction(noise)), q=Fraction(share))


@pytest.mark.parametrize(("share", "noise", "order", "printed", "off"), PUBLISHED)
def test_published_values_are_met_as_far_as_they_hold(share, noise, order, printed, off) -> None:
    found = renyi(step(share, noise), order=Fraction(order), digits=14)
    value = Fraction(found.upper)

    assert abs(Fraction(printed) - value) <= Fraction(off) * value
    assert abs(Fraction(printed) - value) > Fraction(off) * value / 100 or off == "1e-12"


def test_a_published_value_is_below_the_divergence() -> None:
    assert Fraction("6.280881026314128e-07") < Fraction(renyi(step("0.01", "10"), order=Fraction(5, 4)).lower)


@pytest.mark.parametrize("order", [2, 3, 7])
def test_at_integers_it_is_the_closed_form(order) -> None:
    closed = subsampling_gdp_to_rdp.conclusion.args[1]
    at = {alpha: sp.Integer(order), mu: sp.Rational(1, 2), q: sp.Rational(1, 100)}
    expected = dpsym.enclose(closed, at, digits=25)
    found = renyi(step("0.01", "2") ** 30, order=order, digits=18)

    assert found.lower <= 30 * expected.upper and 30 * expected.lower <= found.upper


def partial_sums(share: mp.mpf, sigma: mp.mpf, order: mp.mpf, terms: int) -> list[mp.mpf]:
    """The divergence from so many terms of Mironov, Talwar and Zhang's series, and from one more."""
    edge, total, found = sigma**2 * mp.log(1 / share - 1) + mp.mpf(1) / 2, mp.mpf(0), []
    for k in range(terms + 1):
        j = order - k
        left, right = mp.erfc((k - edge) / (mp.sqrt(2) * sigma)) / 2, mp.erfc((edge - j) / (mp.sqrt(2) * sigma)) / 2
        left *= share**k * (1 - share) ** j * mp.exp((k * k - k) / (2 * sigma**2))
        right *= share**j * (1 - share) ** k * mp.exp((j * j - j) / (2 * sigma**2))
        total += mp.binomial(order, k) * (left + right)
        found.append(mp.log(total) / (order - 1))
    return found[-2:]


@pytest.mark.parametrize(
    ("share", "noise", "order"), [("0.01", "1", "2.25"), ("0.2", "2", "3.5"), ("0.1", "1.5", "1.3")]
)
def test_the_published_series_closes_in_on_it_from_both_sides(share, noise, order) -> None:
    """Beyond the order its binomials change their signs in turn and its terms shrink, so that partial sums do, too."""
    found = renyi(step(share, noise), order=Fraction(order), direction="remove", digits=15)
    with mp.workdps(60):
        point = [mp.mpf(t) for t in (share, noise, order)]
        low, high = sorted(partial_sums(*point, terms=80))

        assert low <= mp.mpf(str(found.upper)) and mp.mpf(str(found.lower)) <= high
        assert high - low < high / 10**3
        assert low < high  # an accountant that stops there may stop on either side


def test_a_record_removed_is_worse_than_one_added_and_both_are_what_the_larger_is() -> None:
    both, add, remove = (renyi(step("0.01", "1"), order=Fraction(9, 4), direction=d) for d in ("both", "add", "remove"))

    assert both == remove
    assert add.upper < remove.lower


def test_it_adds_up_over_steps_and_grows_with_the_order() -> None:
    one, ten = renyi(step("0.1", "2"), order=3), renyi(step("0.1", "2") ** 10, order=3)
    later = renyi(step("0.1", "2"), order=Fraction(16, 5))

    assert 10 * one.lower <= ten.upper and ten.lower <= 10 * one.upper
    assert one.upper < later.lower


def test_without_samples_it_is_the_claim_of_the_entry() -> None:
    found = renyi(dpsym.gaussian(sigma=Fraction(5, 4)), order=Fraction(5, 2))

    assert Fraction(found.lower) <= Fraction(4, 5) <= Fraction(found.upper)


@pytest.mark.parametrize("order", [1, Fraction(1, 2), -3])
def test_an_order_that_is_not_above_one_is_refused(order) -> None:
    with pytest.raises(NotAccountable, match="not above 1"):
        renyi(dpsym.gaussian(sigma=1), order=order)


def test_a_mechanism_without_one_pair_is_refused() -> None:
    with pytest.raises(NotAccountable, match="no exact"):
        renyi(dpsym.exponential(epsilon=1), order=2)


def test_a_sample_of_a_sample_is_refused_with_a_way_out() -> None:
    with pytest.raises(NotAccountable, match="product of both rates"):
        renyi(subsampled(step("0.1", "1"), q=Fraction(1, 2)), order=2)


def test_a_sampled_laplace_step_is_its_integral() -> None:
    """Split at the kinks of both densities."""
    found = renyi(subsampled(dpsym.laplace(b=1), q=Fraction(1, 10)), order=Fraction(3, 2), digits=12)
    with mp.workdps(25):
        share, order = mp.mpf(1) / 10, mp.mpf(3) / 2
        without = lambda y: mp.exp(-abs(y)) / 2  # noqa: E731
        sampled = lambda y: (1 - share) * without(y) + share * without(y - 1)  # noqa: E731
        places = [-60, -10, 0, 1, 10, 60]
        expected = max(
            mp.log(mp.quad(lambda y, p=p, q=q: p(y) ** order * q(y) ** (1 - order), places)) / (order - 1)
            for p, q in ((sampled, without), (without, sampled))
        )

        assert abs(mp.mpf(str(found.upper)) - expected) < mp.mpf(10) ** -12


def test_the_command_gives_it_at_an_order(capsys) -> None:
    step = "subsampled(gaussian(sigma=1), q=1/100)"
    status = run(["account", step, "--route", "rdp", "--at", "alpha=9/4", "--json"])
    said = json.loads(capsys.readouterr().out)

    assert status == 0
    assert (
        said["epsilon"]["lower"].startswith("0.00019453833840") and said["adjacency"] == "one record added or removed"
    )
    assert run(["account", step, "--route", "zcdp", "--at", "alpha=9/4"]) == 2
