"""Each kind of fault that accountants have had is found within Hypothesis' usual number of examples."""

import math

import pytest
from hypothesis.errors import Unsatisfiable

from dpsym.testing import (
    LawBroken,
    Loose,
    Release,
    Senseless,
    Unsafe,
    assert_composes,
    assert_monotone,
    assert_postprocessing,
    assert_rejects,
    assert_roundtrip,
    assert_sound,
    assert_tight,
    compositions,
)
from kit import toys

SAMPLED = compositions(mechanisms=["gaussian"], sampled=True, most=2000, most_parts=1)
SPARSE = compositions(mechanisms=["gaussian"], sampled=True, most=10, most_parts=1, hostile=True)
USUALLY = 100  # Hypothesis' default
FAULTS = {
    "a count ignored": lambda: assert_sound(toys.laplace_once, "laplace", examples=USUALLY),
    "a negative epsilon": lambda: assert_sound(toys.gaussian_negative, "gaussian", examples=USUALLY),
    "a wrong Renyi divergence of pure DP": lambda: assert_sound(
        toys.response_eighth, "randomized_response", examples=USUALLY
    ),
    "a direction ignored": lambda: assert_sound(toys.sampled_one_way, SAMPLED, examples=USUALLY),
    "cancellation": lambda: assert_sound(
        toys.gaussian_delta_cancelling, "gaussian", quantity="delta", examples=USUALLY
    ),
    "the floor of a transform": lambda: assert_sound(toys.gaussian_with_a_floor, "gaussian", examples=USUALLY),
    "a limit theorem for a bound": lambda: assert_sound(toys.sampled_by_limit_theorem, SAMPLED, examples=USUALLY),
    "digits lost at small rates": lambda: assert_sound(toys.sampled_rdp, SPARSE, quantity="rdp", examples=USUALLY),
}


SLOW = ("digits lost at small rates", "the floor of a transform", "a direction ignored")


@pytest.mark.parametrize("fault", [pytest.param(f, marks=pytest.mark.slow) if f in SLOW else f for f in FAULTS])
def test_a_planted_fault_is_found(fault):
    with pytest.raises(Unsafe) as caught:
        FAULTS[fault]()
    assert "certified" in str(caught.value)


def test_a_count_ignored_breaks_the_law_of_composition():
    with pytest.raises(LawBroken, match="same composition"):
        assert_composes(toys.laplace_once, "laplace")


def test_senseless_answers_are_found():
    with pytest.raises(Senseless, match=r"sigma = nan: epsilon = 0\.0"):
        assert_rejects(toys.gaussian_of_anything, "gaussian")


@pytest.mark.parametrize(
    ("accountant", "mechanism"), [(toys.gaussian_by_rdp, "gaussian"), (toys.laplace_by_adding, "laplace")]
)
def test_a_right_accountant_passes(accountant, mechanism):
    unsampled = compositions(mechanisms=[mechanism], sampled=False, most_parts=2, hostile=True)
    assert_sound(accountant, unsampled, examples=10, time_limit=0.2)
    assert_monotone(accountant, unsampled, examples=10)
    assert_composes(accountant, unsampled, examples=10)
    assert_rejects(accountant, mechanism)


def test_a_failure_names_the_case_the_interval_and_the_gap():
    two = Release("gaussian", {"sigma": 1.0, "Delta": 1.0}, count=2)
    with pytest.raises(Unsafe) as caught:
        assert_sound(lambda releases, delta: 3.0, two, at=1e-5)
    said = str(caught.value)
    assert "epsilon of gaussian(sigma=1, Delta=1) ** 2 at delta = 1e-05" in said
    assert "answered   3.0" in said
    assert "too small by 3.57" in said


def test_what_is_loose_is_found_and_by_how_much():
    one = Release("gaussian", {"sigma": 1.0, "Delta": 1.0})
    assert_tight(toys.gaussian_by_rdp, one, at=1e-5, within=0.22)
    with pytest.raises(Loose, match=r"too large by 0\.925"):
        assert_tight(toys.gaussian_by_rdp, one, at=1e-5, within=0.21)


@pytest.mark.slow
def test_a_strategy_that_generates_nothing_raises():
    with pytest.raises(ValueError, match="no mechanism is left"):
        compositions(mechanisms=[])
    with pytest.raises(ValueError, match="no mechanism is left"):
        compositions(mechanisms=["randomized_response"], sampled=True)
    with pytest.raises(Unsatisfiable):
        assert_sound(lambda releases, delta: (_ for _ in ()).throw(NotImplementedError), "laplace", examples=2)


def hockey_stick(p, q):
    return sum(max(0.0, x - 2 * y) for x, y in zip(p, q, strict=True))


def test_post_processing():
    assert_postprocessing(hockey_stick, examples=5)
    with pytest.raises(LawBroken, match="merged"):
        assert_postprocessing(lambda p, q: max(abs(x - y) for x, y in zip(p, q, strict=True)))


def test_round_trips():
    assert_roundtrip(lambda mu: mu * mu / 2, lambda rho: math.sqrt(2 * rho), exact=True)
    with pytest.raises(LawBroken, match="better by"):
        assert_roundtrip(lambda epsilon: epsilon**2 / 8, lambda rho: math.sqrt(2 * rho))
