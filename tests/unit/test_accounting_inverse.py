"""What is enough for a guarantee, and what is not: noise, steps, rates."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace

import mpmath
import pytest
import sympy as sp

from dpsym import gaussian, geometric, laplace, randomized_response
from dpsym.accounting import NotAccountable, calibrate, delta, largest_q, largest_steps, smallest_sigma, subsampled
from dpsym.accounting.calibration.boundary import NothingEnough, Trial, _Search
from dpsym.cli.running import run
from dpsym.entries.mechanisms.discrete_gaussian import discrete_gaussian
from dpsym.entries.mechanisms.exponential import exponential
from dpsym.entries.mechanisms.permute_and_flip import permute_and_flip
from dpsym.entries.mechanisms.staircase import staircase
from dpsym.statements import Subsampled

x = sp.Symbol("x")
ONE_PERCENT, D5 = Fraction(1, 100), Fraction(1, 10**5)


def test_the_largest_number_of_steps_is_allowed_and_one_more_is_not():
    step = subsampled(gaussian(1), ONE_PERCENT)
    found = largest_steps(step, epsilon=2, delta=D5, time_limit=120)
    steps = int(found.enough)

    assert found.lower == found.upper
    assert found.finished
    assert found.safe == "lower"
    assert delta(step**steps, epsilon=2).upper <= Decimal("1e-5") < delta(step ** (steps + 1), epsilon=2).lower


def test_the_number_of_gaussian_steps_is_the_closed_form():
    # mu^2 = T/sigma^2, and delta = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu)
    found = largest_steps(gaussian(100), epsilon=1, delta=D5)
    profile = lambda t: (  # noqa: E731
        mpmath.ncdf(mpmath.sqrt(t) / 200 - 100 / mpmath.sqrt(t))
        - mpmath.e * mpmath.ncdf(-mpmath.sqrt(t) / 200 - 100 / mpmath.sqrt(t))
    )

    assert profile(int(found.lower)) <= 1e-5 < profile(int(found.lower) + 1)
    assert found.lower == found.upper


def test_steps_at_delta_zero_are_the_sum_of_pure_budgets():
    assert largest_steps(laplace(10), epsilon=1, delta=0).value.lower == 10
    assert largest_steps(gaussian(10), epsilon=1, delta=0).upper == 0
    assert largest_steps(gaussian(Fraction(1, 50)), epsilon=1, delta=D5).upper == 0
    assert largest_steps(subsampled(gaussian(1), 0), epsilon=1, delta=D5).lower == Decimal("Infinity")
    assert largest_steps(gaussian(1), epsilon=0, delta=1).lower == Decimal("Infinity")


def test_the_largest_rate_is_allowed_and_a_little_more_is_not():
    found = largest_q(gaussian(1), epsilon=2, delta=D5, steps=1000, time_limit=120)

    assert found.finished
    assert found.safe == "lower"
    assert delta(subsampled(gaussian(1), Fraction(found.lower)) ** 1000, epsilon=2).upper <= Decimal("1e-5")
    more = delta(subsampled(gaussian(1), Fraction(found.upper)) ** 1000, epsilon=2)
    assert more.lower >= Decimal("1e-5") * Decimal("0.999999")


def test_rates_in_the_corners():
    assert largest_q(gaussian(100), epsilon=2, delta=Fraction(1, 1000), steps=10).lower == 1
    assert largest_q(gaussian(1), epsilon=2, delta=0, steps=10).upper == 0
    # one sampled Laplace step: log(1 + q(e - 1)) = 1/2
    found = largest_q(laplace(1), epsilon=Fraction(1, 2), delta=0)
    truth = (mpmath.exp(0.5) - 1) / (mpmath.e - 1)
    assert float(found.lower) <= truth <= float(found.upper)
    assert found.finished


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("of", "safe"), [(laplace(x) ** 5, "upper"), (geometric(x) ** 5, "upper"), (randomized_response(x) ** 5, "lower")]
)
def test_other_mechanisms_are_calibrated_on_the_safe_side(of, safe):
    found = calibrate(of, x, epsilon=1, delta=Fraction(1, 1000))
    other = found.upper if safe == "lower" else found.lower

    def at(value):
        return delta(type(of)(((of.parts[0][0].mechanism(Fraction(value)), 5),)), epsilon=1)

    assert found.safe == safe
    assert at(found.enough).upper <= Decimal("0.001") <= at(other).upper


def test_a_time_limit_leaves_a_bracket_that_is_marked():
    found = smallest_sigma(epsilon=1, delta=D5, q=ONE_PERCENT, steps=1000, digits=12, time_limit=0.05)

    assert not found.finished
    assert found.cut
    assert found.lower <= Decimal("1.41462") <= found.upper


@pytest.mark.parametrize(("kind", "past"), [("scale", 1), ("rate", -1), ("count", -1)])
def test_a_value_that_is_not_told_is_approached_from_both_sides(kind, past):
    scale = {"count": Fraction(1000), "rate": Fraction(1, 100), "scale": Fraction(1)}[kind]
    short, last = (scale * Fraction(n) for n in (("9.0", "9.2") if past > 0 else ("9.2", "9.0")))
    tried = []

    def gap(value):  # enough at and beyond `last`, too little at and before `short`, untold between them
        tried.append(value)
        told = True if (value - last) * past >= 0 else False if (value - short) * past <= 0 else None
        return told, past * float((short - value) / scale)

    trial = SimpleNamespace(gap=gap, check=lambda: None)
    search = _Search(trial, kind, 1e-9)
    search.run()

    assert abs(search.value(enough=True) - last) <= last / 500
    assert abs(search.value(enough=False) - short) <= short / 500
    assert len(tried) < 50


def test_an_unknown_without_any_delta_on_one_side_takes_few_trials(monkeypatch):
    tried, real = [], Trial.gap
    monkeypatch.setattr(Trial, "gap", lambda self, value: tried.append(value) or real(self, value))
    found = calibrate(laplace(x) ** 3, x, epsilon=1, delta=Fraction(1, 10**6), time_limit=None)

    assert found.finished
    assert not found.cut
    assert len(tried) < 15
    assert Decimal("2.9999") < found.enough < 3


@pytest.mark.parametrize(
    ("of", "safe"),
    [(discrete_gaussian(x) ** 3, "upper"), (staircase(x, Fraction(1, 4)) ** 2, "lower")],
)
def test_without_a_trend_one_value_is_enough_and_one_is_not(of, safe):
    """Each of the two as it is printed, by an account of its own; nothing is said of others."""
    found = calibrate(of, x, epsilon=1, delta=D5, time_limit=None)
    ends = (found.upper, found.lower) if safe == "upper" else (found.lower, found.upper)
    enough, short = (
        delta(of.subs({x: sp.Rational(Fraction(end))}), epsilon=1, digits=12, time_limit=None) for end in ends
    )

    assert (found.safe, found.shape, found.monotone, found.enough) == (safe, "only", "", ends[0])
    assert Fraction(enough.upper) <= D5 < Fraction(short.lower)
    assert abs(ends[0] - ends[1]) < ends[0] / 1000


@pytest.mark.slow
def test_without_a_trend_nothing_is_refuted():
    with pytest.raises(NothingEnough, match="no value was found") as found:
        calibrate(discrete_gaussian(x), x, epsilon=1, delta=0, time_limit=2)
    assert not found.value.shown


@pytest.mark.parametrize(
    ("of", "message"),
    [
        (gaussian(1) ** 3, "nowhere"),
        (gaussian(x) ** x, "several roles"),
        (gaussian(2 * x) ** 3, "not known to be monotone.*sweep x"),
        (gaussian(1) ** (x + 1), "not a multiple"),
        (Subsampled(gaussian(1), x / 2), "not x itself"),
        (laplace(x) ** sp.Symbol("y"), "y"),
    ],
)
def test_unknowns_that_cannot_be_found_are_refused_with_a_reason(of, message):
    with pytest.raises(NotAccountable, match=message):
        calibrate(of, x, epsilon=1, delta=D5)


def test_what_fails_without_the_unknown_is_enough_at_no_value_of_it():
    loud = gaussian(Fraction(1, 10))
    for of in (loud * laplace(1) ** x, loud * gaussian(x), loud * Subsampled(gaussian(1), x), loud * geometric(x)):
        with pytest.raises(NotAccountable, match="already exceed this epsilon and delta by themselves"):
            calibrate(of, x, epsilon=1, delta=D5)
    quiet = calibrate(gaussian(10) * laplace(1) ** x, x, epsilon=1, delta=D5)
    assert quiet.enough == 0
    assert delta(gaussian(10), epsilon=1).upper <= Decimal("1e-5")
    assert calibrate(gaussian(10) * laplace(100) ** x, x, epsilon=1, delta=D5).enough > 0


def test_a_number_of_steps_is_written_with_all_its_digits():
    found = calibrate(gaussian(123456) ** x, x, epsilon=1, delta=D5)

    assert found.lower == found.upper
    assert found.finished
    assert delta(gaussian(123456) ** int(found.lower), epsilon=1, digits=20).upper <= Decimal("1e-5")
    assert delta(gaussian(123456) ** (int(found.lower) + 1), epsilon=1, digits=20).lower > Decimal("1e-5")


# --- samples of fixed size -------------------------------------------------------------------------------------------


def test_noise_for_one_sample_of_fixed_size_is_that_for_the_poisson_sample_of_a_removed_record():
    fixed = smallest_sigma(epsilon=1, delta=D5, q=ONE_PERCENT, sampling="fixed-size")
    removed = calibrate(Subsampled(gaussian(x), ONE_PERCENT), x, epsilon=1, delta=D5, direction="remove")

    assert fixed.finished
    assert max(fixed.lower, removed.lower) <= min(fixed.upper, removed.upper)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("of", "less", "more"),
    [
        pytest.param(
            Subsampled(laplace(x), Fraction(1, 5)) ** 3, Fraction(9, 10), Fraction(11, 10), marks=pytest.mark.slow
        ),
        pytest.param(Subsampled(laplace(1), x) ** 2, Fraction(11, 10), Fraction(9, 10), marks=pytest.mark.slow),
        (Subsampled(randomized_response(x), Fraction(1, 5)) ** 3, Fraction(11, 10), Fraction(9, 10)),
    ],
    ids=["noise", "rate", "response"],
)
def test_with_samples_of_fixed_size_one_end_is_enough_and_the_other_is_not(of, less, more):
    tenth = Fraction(1, 10)
    found = calibrate(of, x, epsilon=1, delta=tenth, sampling="fixed-size", digits=3, time_limit=4)
    ends = (found.lower, found.upper) if found.safe == "upper" else (found.upper, found.lower)
    at = [
        of.subs({x: sp.Rational(*(Fraction(e) * f).as_integer_ratio())})
        for e, f in zip(ends, (less, more), strict=True)
    ]
    short, enough = (delta(c, epsilon=1, sampling="fixed-size", digits=4, time_limit=8) for c in at)

    assert 0 < found.lower < found.upper
    assert short.lower > Decimal("0.1")
    assert enough.upper <= Decimal("0.1")


@pytest.mark.parametrize("step", [exponential(1), permute_and_flip(1)], ids=["exponential", "permute and flip"])
def test_where_no_pair_of_outputs_is_the_worst_one_end_is_enough_and_the_other_is_not(step):
    found = largest_steps(step, epsilon=4, delta=D5, time_limit=8)
    enough, short = int(found.lower), int(found.upper) + 1

    assert 0 < enough <= found.upper < 1000
    assert delta(step**enough, epsilon=4, time_limit=4).upper <= Decimal("1e-5")
    assert delta(step**short, epsilon=4, time_limit=4).lower > Decimal("1e-5")


def test_directions_of_samples_of_fixed_size_are_refused():
    with pytest.raises(NotAccountable, match="replaced"):
        calibrate(Subsampled(gaussian(x), ONE_PERCENT), x, epsilon=1, delta=D5, sampling="fixed-size", direction="add")


# --- on the command line ---------------------------------------------------------------------------------------------


def test_values_of_other_parameters_are_taken_and_missing_ones_named(capfd):
    assert run(["account", "gaussian(sigma) ** T", "--at", "sigma=3", "--at", "T=5", "--at", "delta=1e-5"]) == 0
    there = capfd.readouterr().out
    assert run(["account", "gaussian(sigma=3) ** 5", "--at", "delta=1e-5"]) == 0
    assert capfd.readouterr().out == there
    assert run(["account", "gaussian(sigma) ** T", "--at", "sigma=3", "--at", "delta=1e-5"]) == 2
    assert "no value for T (expected --at T=VALUE, or --for T" in capfd.readouterr().err
    assert (
        run(
            [
                "account",
                "gaussian(sigma) ** T",
                "--at",
                "sigma=9",
                "--at",
                "delta=1e-5",
                "--at",
                "epsilon=1",
                "--for",
                "T",
            ]
        )
        == 0
    )
    assert "T = " in capfd.readouterr().out


def test_what_samples_are_meant_is_said_to_programs(capfd):
    assert (
        run(["account", "subsampled(gaussian(2), 1/2)", "--at", "epsilon=1", "--sampling", "fixed-size", "--json"]) == 0
    )
    assert json.loads(capfd.readouterr().out)["sampling"] == "fixed-size"


@pytest.mark.parametrize(
    ("of", "options", "assumed"),
    [
        ("subsampled(gaussian(2), 1/2)", ("--sampling", "fixed-size"), "Delta = 1 was assumed"),
        ("subsampled(gaussian(2, Delta=1), q=1/2)", ("--sampling", "fixed-size"), ""),
        ("subsampled(gaussian(2, 2), 1/2)", ("--sampling", "fixed-size"), ""),
        ("subsampled(gaussian(2), 1/2)", (), ""),
    ],
)
def test_a_sensitivity_that_was_not_written_is_said_where_records_are_replaced(capfd, of, options, assumed):
    assert run(["account", of, "--at", "epsilon=1", *options]) == 0
    assert ("Delta = 1" in capfd.readouterr().out) is bool(assumed)
    run(["account", of, "--at", "epsilon=1", *options, "--json"])
    assert json.loads(capfd.readouterr().out).get("assumed", "").startswith(assumed)


def test_of_shuffled_batches_it_is_said_what_there_is_instead(capfd):
    sampled = [["gaussian(1)", "--sampling", word] for word in ("shuffle", "balls-and-bins")]
    for asked in (["shuffled_batches(gaussian(1))"], *sampled):
        assert run(["account", *asked, "--at", "epsilon=1"]) == 2
        assert "shuffled(MECHANISM, n)" in capfd.readouterr().err
