"""Each kind of fault that accountants have had is found within Hypothesis' usual number of examples."""

import math
from decimal import Decimal
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

from dpsym import catalogue
from dpsym.accounting import NotAccountable
from dpsym.testing import (
    LawBroken,
    Loose,
    NothingExamined,
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
    deltas,
    parameters,
    releases,
    senseless,
)
from dpsym.testing.domains import simple
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


SLOW = ("a count ignored", "digits lost at small rates", "the floor of a transform", "a direction ignored")


@pytest.mark.cases(1)
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


@pytest.mark.cases(1)
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
        nothing = parameters("laplace", b=st.just(Fraction(-1))).map(lambda p: Release("laplace", p))
        assert_sound(toys.laplace_by_adding, nothing, examples=2)


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


# --- an assertion that looked at nothing does not pass
TWO = Release("gaussian", {"sigma": 1.0, "Delta": 1.0}, count=2)


def silent(*_):
    raise NotImplementedError("nothing is known of this")


def infinite(*_):
    return math.inf


@pytest.mark.slow
@pytest.mark.parametrize("function", [silent, infinite])
@pytest.mark.parametrize(
    "examine",
    [
        lambda f: assert_sound(f, "laplace", examples=2),
        lambda f: assert_sound(f, TWO, at=1e-5),
        lambda f: assert_monotone(f, TWO, at=1e-5),
        lambda f: assert_composes(f, TWO, at=1e-5),
        lambda f: assert_rejects(f, "laplace"),
        lambda f: assert_postprocessing(f, examples=2),
        lambda f: assert_roundtrip(f, lambda x: x, examples=2),
    ],
)
def test_who_answers_nothing_has_not_passed(examine, function):
    with pytest.raises(NothingExamined, match="nothing is known of this" if function is silent else "(?i)infinity"):
        examine(function)


def test_bounds_that_say_nothing_are_not_passed_either():
    with pytest.raises(NothingExamined, match="knows too little"):
        assert_sound(lambda releases, delta: 0.0, TWO, at=1e-5, time_limit=0)
    with pytest.raises(NothingExamined, match="knows too little"):
        assert_tight(lambda releases, delta: 1e300, TWO, at=1e-5, within=0, time_limit=0)


def test_who_refuses_everything_shows_nothing_by_refusing():
    with pytest.raises(NothingExamined, match="positional argument"):
        assert_rejects(lambda releases: 1.0, "gaussian")


def test_sensible_input_is_a_release_like_any_other():
    def strict(releases, delta):
        assert releases[0].use.mechanism.id == "gaussian"
        return toys.gaussian_by_rdp(releases, delta)

    assert_rejects(strict, "gaussian")


@pytest.mark.parametrize("name", ["binomial", "truncated_laplace"])
def test_who_is_infinite_at_simple_parameters_is_asked_at_large_ones(name):
    def strict(releases, delta):
        (release,) = releases
        positive = all(value > 0 for value in release.parameters.values())
        if not (0 < delta < 1 and release.count == 1 and 0 <= release.rate <= 1 and positive):
            raise ValueError
        return 1.0 if release.parameters.get("N", release.parameters.get("A")) > 100 else math.inf

    assert assert_rejects(strict, name).cases > 10
    with pytest.raises(Senseless, match="delta = nan"):
        assert_rejects(lambda releases, delta: strict(releases, 0.1), name)


@pytest.mark.slow
def test_what_was_examined_is_told():
    found = assert_sound(toys.laplace_by_adding, "laplace", examples=5)
    assert found.cases + sum(found.passed_over.values()) >= 5
    assert str(found).startswith(f"{found.cases} cases examined")


def test_one_law_that_is_not_answered_does_not_hide_the_others():
    def single(releases, delta):
        if len(releases) > 1:
            raise NotImplementedError
        return delta

    with pytest.raises(LawBroken, match="another delta"):
        assert_monotone(single, "gaussian", examples=20)


# --- whatever is answered
@pytest.mark.parametrize("kind", [float, np.float64, np.float32, Fraction, Decimal, mpmath.mpf, int, np.int64])
def test_numbers_of_every_kind_are_understood(kind):
    assert_sound(lambda releases, delta: kind(7), TWO, at=1e-5)
    with pytest.raises(Unsafe):
        assert_sound(lambda releases, delta: kind(6), TWO, at=1e-5)


@pytest.mark.parametrize("answer", [None, "7", [7.0], 7 + 0j, np.complex64(7), True])
def test_what_is_no_number_is_not_taken_for_one(answer):
    with pytest.raises(TypeError, match="not a real number"):
        assert_sound(lambda releases, delta: answer, TWO, at=1e-5)


@pytest.mark.parametrize("answer", [math.nan, np.float64("nan"), Decimal("NaN"), mpmath.nan, -1, -1e-300, -math.inf])
def test_no_nan_and_nothing_negative_is_sound(answer):
    with pytest.raises(Unsafe, match="which is no epsilon"):
        assert_sound(lambda releases, delta: answer, TWO, at=1e-5)


def test_a_nan_keeps_no_law():
    for law in (assert_monotone, assert_composes):
        with pytest.raises(LawBroken, match="NaN"):
            law(lambda releases, delta: math.nan if len(releases) > 1 else 1.0, TWO, at=1e-5)
    with pytest.raises(LawBroken, match="NaN"):
        assert_postprocessing(lambda p, q: math.nan, examples=2)
    with pytest.raises(LawBroken, match="NaN"):
        assert_roundtrip(lambda x: x, lambda x: math.nan, examples=2)


def test_infinity_is_not_the_same_as_a_number():
    with pytest.raises(LawBroken, match="same composition"):
        assert_composes(lambda releases, delta: math.inf if len(releases) > 1 else 5.0, TWO, at=1e-5)


def test_tolerances_may_be_floats():
    assert_sound(lambda releases, delta: 6.5, TWO, at=1e-5, rounding=0.02)
    assert_monotone(toys.gaussian_by_rdp, TWO, at=1e-5, rounding=1e-6)
    assert_roundtrip(lambda x: x, lambda x: 0.99 * x, rounding=0.02, examples=2)


@pytest.mark.parametrize("infinity", [math.inf, np.float64("inf"), Decimal("Infinity"), mpmath.inf, None])
def test_an_infinity_of_every_kind_refuses(infinity):
    def strict(releases, delta):
        try:
            return toys.gaussian_by_rdp(releases, delta)
        except ValueError:
            return infinity

    assert assert_rejects(strict, "gaussian").cases == len(senseless("gaussian"))


def test_nothing_true_is_too_loose_where_the_truth_is_0():
    wide = Release("gaussian", {"sigma": 100.0, "Delta": 1.0})
    assert_tight(lambda releases, delta: 5e-324, wide, at=0.01, within=0)
    assert_tight(lambda releases, delta: 1e-9, wide, at=0.01, within=0, absolutely=1e-9)
    with pytest.raises(Loose):
        assert_tight(lambda releases, delta: 2e-9, wide, at=0.01, within=0, absolutely=1e-9)


def test_what_costs_the_oracle_too_much_is_no_failure_of_the_accountant():
    hard = Release("gaussian", {"sigma": 0.001, "Delta": 1.0}, rate=0.5)
    with pytest.raises(NotAccountable, match="Renyi divergence of"):
        assert_sound(infinite, hard, at=2.0, quantity="rdp")
    with pytest.raises(NothingExamined, match="Renyi divergence of"):
        assert_sound(infinite, st.just(hard), at=st.just(2.0), quantity="rdp", examples=1)


# --- however it is asked
def test_an_accountant_is_given_floats_whatever_the_strategy_draws():
    def strict(releases, delta):
        assert type(delta) is float
        assert 0 < delta < 1
        return 1e9

    assert_sound(strict, releases(mechanisms="laplace", sampled=False, most=3), at=deltas(), examples=20)


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        (lambda: assert_sound(infinite, TWO, at=2.0), NotAccountable),
        (lambda: assert_sound(infinite, TWO, at=0.1, direction="up"), NotAccountable),
        (lambda: assert_sound(infinite, TWO, at=0.1, quantity="rho"), ValueError),
        (lambda: assert_sound(infinite, (), at=0.1), ValueError),
        (lambda: assert_sound(infinite, "exponential"), NotAccountable),
        (lambda: assert_sound(infinite, "gausian"), LookupError),
        (lambda: assert_tight(infinite, TWO, at=0.1, within=-1), ValueError),
        (lambda: assert_tight(infinite, TWO, at=0.1, within=math.nan), ValueError),
        (lambda: assert_composes(infinite, TWO, at=0.1, within=math.nan), ValueError),
        (lambda: assert_composes(infinite, TWO, at=0.1, most=1), ValueError),
        (lambda: assert_sound(infinite, TWO, at=0.1, rounding=-1e-9), ValueError),
        (lambda: assert_monotone(infinite, TWO, at=0.1, rounding=math.inf), ValueError),
        (lambda: assert_roundtrip(infinite, infinite, rounding=math.nan), ValueError),
        (lambda: assert_rejects(infinite, "gaussian", quantity="rho"), ValueError),
    ],
)
def test_a_question_without_sense_is_refused(asked, error):
    with pytest.raises(error):
        asked()


@pytest.mark.parametrize("name", catalogue.mechanisms())
def test_senseless_input_has_one_thing_wrong(name):
    entry = catalogue.mechanisms()[name]
    assert entry(**{p: Fraction(v) for p, v in simple(entry).items()})
    for what, (release,), delta in senseless(name):
        changed = [v != simple(entry)[p] for p, v in release.parameters.items()]
        assert sum([*changed, release.rate != 1, release.count != 1, delta != 1e-5]) == 1, what
