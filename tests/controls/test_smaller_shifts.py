"""Noise of which a smaller shift may be worse: what holds of the largest shift alone is claimed nowhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import cos, exp, log, pi, tanh

import pytest

import dpsym
from dpsym.budgets import NoPrice, Overspent
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.zcdp import zcdp
from dpsym.own_noise import OwnNoise
from dpsym.satisfying import satisfies

Density = Callable[[float], float]
INFINITE = float("inf")
YES = ("proved", "certified", "cited")


@dataclass(frozen=True)
class Given:
    """A noise as it is typed, the same typed once more, and by how much answers differ."""

    what: str
    text: str
    at: Density
    largest: str
    size: float
    support: str | None = None
    masses: bool = False

    @property
    def own(self) -> OwnNoise:
        kind = "pmf" if self.masses else "density"
        return dpsym.noise(**{kind: self.text}, support=self.support, shift=self.largest)  # type: ignore[arg-type]

    def lost(self, epsilon: float, shift: float) -> float:
        """The larger hockey-stick divergence of two answers so far apart, by a sum over a grid."""
        step = 1 if self.masses else 1 / 64
        places = [i * step for i in range(int(-40 / step), int(40 / step))]
        pairs = [(self.at(x - shift), self.at(x)) for x in places]
        sides = ([p - exp(epsilon) * q for p, q in pairs], [q - exp(epsilon) * p for p, q in pairs])
        return step * max(sum(gain for gain in side if gain > 0) for side in sides)


def hump(x: float) -> float:
    return exp(-abs(x)) / 2


def normal(x: float) -> float:
    return exp(-(x**2) / 2) / (2 * pi) ** 0.5


def plateau(x: float) -> float:
    return 0.499 * exp(1 - abs(x)) if abs(x) > 1 else 0.001


def at_ends(x: float) -> float:
    return 0.5 if 0 <= x < 1 or 2 <= x < 3 else 0


def on_even(n: float) -> float:
    return 0.5 if n in (0, 2) else 0


# Each with a smaller shift, of which it is known that more than the largest shift says is lost there.
WORSE = (
    (Given("a dip", "piecewise(499/1000*exp(x+1), x < -1, 1/1000, x < 1, 499/1000*exp(1-x))", plateau, "3", 3), 2),
    (Given("two humps", "exp(-abs(x-3))/4+exp(-abs(x+3))/4", lambda x: (hump(x - 3) + hump(x + 3)) / 2, "6", 6), 4),
    (Given("one beside another", "exp(-abs(x))/4+exp(-abs(x-10))/4",
           lambda x: (hump(x) + hump(x - 10)) / 2, "10", 10), 5),
    (Given("unequal humps", "3*exp(-abs(x))/10+exp(-abs(x-8))/5",
           lambda x: 0.6 * hump(x) + 0.4 * hump(x - 8), "8", 8), 5),
    (Given("two normals", "(exp(-(x-4)^2/2)+exp(-(x+4)^2/2))/(2*sqrt(2*pi))",
           lambda x: (normal(x - 4) + normal(x + 4)) / 2, "8", 8), 5),
    (Given("two intervals", "piecewise(1/2, x < 1, 0, x < 2, 1/2)", at_ends, "2", 2, "0 <= x <= 3"), 1),
    (Given("even integers", "piecewise(1/2, n < 1, 0, n < 2, 1/2)", on_even, "2", 2, "0 <= n <= 2", masses=True), 1),
    (Given("two geometric ones", "tanh(1/2)/2*(exp(-abs(n-3))+exp(-abs(n+3)))",
           lambda n: tanh(0.5) / 2 * (exp(-abs(n - 3)) + exp(-abs(n + 3))), "6", 6, masses=True), 4),
    (Given("two Cauchy ones", "1/(2*pi*(1+(x-5)^2))+1/(2*pi*(1+(x+5)^2))",
           lambda x: (1 / (1 + (x - 5) ** 2) + 1 / (1 + (x + 5) ** 2)) / (2 * pi), "10", 10), 5),
    (Given("three humps", "exp(-abs(x-6))/6+exp(-abs(x))/6+exp(-abs(x+6))/6",
           lambda x: (hump(x - 6) + hump(x) + hump(x + 6)) / 3, "6", 6), 3),
)  # fmt: skip

# Each has a zero, so that at some shifts the likelihood ratio is not bounded.
ZEROS = (
    Given("waves", "(1+cos(x))*exp(-abs(x))/3", lambda x: (1 + cos(x)) * exp(-abs(x)) / 3, "2*pi", 2 * pi),
    Given("a zero in the middle", "abs(x)*exp(-abs(x))/2", lambda x: abs(x) * hump(x), "3", 3),
)

# The nearest that rise to one place and fall from there: no smaller shift is worse, and they keep their answers.
BEST = (
    Given("a plateau", "piecewise(exp(x+1)/4, x < -1, 1/4, x < 1, exp(1-x)/4)",
          lambda x: exp(1 - abs(x)) / 4 if abs(x) > 1 else 0.25, "3", 3),
    Given("two scales", "exp(-abs(x))/4+exp(-abs(x)/3)/12", lambda x: hump(x) / 2 + hump(x / 3) / 6, "6", 6),
    Given("two normals of one centre", "exp(-x^2/2)/(2*sqrt(2*pi))+exp(-x^2/8)/(4*sqrt(2*pi))",
          lambda x: normal(x) / 2 + normal(x / 2) / 4, "3", 3),
    Given("a normal and a Cauchy", "exp(-x^2/2)/(2*sqrt(2*pi))+1/(2*pi*(1+x^2))",
          lambda x: normal(x) / 2 + 1 / (2 * pi * (1 + x**2)), "3", 3),
    Given("steps", "piecewise(1/6, x < 1, 1/2, x < 2, 1/3)",
          lambda x: 0 if not 0 <= x < 3 else 1 / 6 if x < 1 else 1 / 2 if x < 2 else 1 / 3, "2", 2, "0 <= x <= 3"),
    Given("a jump", "piecewise(exp(x)/4, x < 0, 3*exp(-x)/4)",
          lambda x: exp(x) / 4 if x < 0 else 3 * exp(-x) / 4, "2", 2),
    Given("Student's t", "2/(pi*(1+x^2)^2)", lambda x: 2 / (pi * (1 + x**2) ** 2), "3", 3),
    Given("one side", "x*exp(-x)", lambda x: x * exp(-x) if x > 0 else 0, "3", 3, "x >= 0"),
    Given("masses", "(1+n)/4*(1/2)^n", lambda n: (1 + n) / 4 * 0.5**n if n >= 0 else 0, "3", 3, "n >= 0", masses=True),
)  # fmt: skip


# Slow tests: each takes more than two seconds, and there are others of its shape.
LONG = (
    "two humps", "one beside another", "unequal humps", "two normals", "two geometric ones", "two Cauchy ones",
    "a jump", "a normal and a Cauchy", "a plateau", "two scales", "two normals of one centre", "Student's t",
)  # fmt: skip


def above(answer: object) -> float:
    return float(answer.upper)  # type: ignore[attr-defined]


def answered(step: object, to: str, **at: object) -> float:
    """What is said to be enough; infinite where nothing is."""
    try:
        found = dpsym.derive(step, to=to, at=at, time_limit=20)
        return above(found) if found.status == 0 and found.values else INFINITE
    except dpsym.deriving.DerivationError:
        return INFINITE


@pytest.mark.parametrize(
    ("given", "smaller"),
    [pytest.param(*one, id=one[0].what, marks=[pytest.mark.slow] * (one[0].what in LONG)) for one in WORSE],
)
def test_what_is_said_to_be_enough_is_enough_for_smaller_shifts(given: Given, smaller: float) -> None:
    own = given.own
    assert not own.dominating
    assert own.outputs is None
    assert {claim.guarantee.definition for claim in own.claims} <= {pure}
    truth = given.lost(1, smaller)
    assert truth > given.lost(1, given.size) + 1e-3  # the smaller shift is the worse one
    assert answered(own(), "approx", epsilon=1) > truth - 1e-6
    assert answered(own() ** 2, "approx", epsilon=1) > truth - 1e-6


@pytest.mark.parametrize(
    "given", [pytest.param(one, id=one.what, marks=[pytest.mark.slow] * (one.what in LONG)) for one in BEST]
)
def test_noise_that_rises_and_falls_keeps_its_answers(given: Given) -> None:
    own = given.own
    assert own.dominating
    for epsilon in (0, 1):
        lost = [given.lost(epsilon, share * given.size / 3) for share in (1, 2, 3)]
        assert lost[0] <= lost[1] + 1e-6
        assert lost[1] <= lost[2] + 1e-6
    found = dpsym.derive(own(), to="approx", at={"epsilon": 1}, time_limit=60)
    assert found.status == 0
    assert abs(above(found) - given.lost(1, given.size)) < 0.02


def test_the_supremum_over_all_shifts_is_what_composes() -> None:
    own = WORSE[0][0].own
    least = log(499)

    assert least <= answered(own(), "pure") < least + 1e-6
    assert 2 * least <= answered(own() ** 2, "pure") < 2 * least + 1e-6
    assert least + 1 <= answered(own() * dpsym.noise(density="exp(-abs(x))/2", shift="1")(), "pure") < least + 1 + 1e-6
    assert dpsym.derive(own(), to="pure", group=2).upper >= 2 * least  # type: ignore[arg-type]
    sampled = dpsym.subsampled(own(), Fraction(1, 2))
    assert answered(sampled, "pure") >= log(1 + (499 - 1) / 2) - 1e-9


def test_a_filter_counts_the_supremum() -> None:
    own = WORSE[0][0].own
    kept = dpsym.Filter(pure(Fraction(11, 2)))
    with pytest.raises(Overspent):
        kept.spend(own())
    assert kept.steps == ()
    dpsym.Filter(pure(7)).spend(own())


@pytest.mark.cases(1)
@pytest.mark.parametrize("given", [WORSE[5][0], WORSE[6][0], *ZEROS], ids=lambda given: given.what)
def test_a_filter_and_an_odometer_take_no_step_of_which_no_finite_budget_is_true(given: Given) -> None:
    with pytest.raises(NoPrice):
        dpsym.Filter(pure(100), zcdp(100)).spend(given.own())
    with pytest.raises(NoPrice):
        dpsym.Odometer(Fraction(1, 100)).spend(given.own())


def test_a_filter_of_approximate_privacy_takes_no_step_at_one_pair() -> None:
    for given, smaller in (WORSE[1], WORSE[5]):
        most = given.lost(1, given.size) + 1e-3
        with pytest.raises((NoPrice, Overspent)):
            dpsym.Filter(approx(1, Fraction(most))).spend(given.own(), delta=Fraction(most))
        assert given.lost(1, smaller) > most


def test_claims_are_refuted_by_a_pair_and_proved_by_the_supremum() -> None:
    own = WORSE[0][0].own
    assert satisfies(own(), pure(5)).verdict.value == "refuted"  # of the largest shift alone it is log(499) - 1
    assert satisfies(own(), pure(6)).verdict.value not in YES
    assert satisfies(own(), pure(7)).verdict.value in YES


@pytest.mark.slow
def test_claims_of_compositions_and_profiles_are_proved_by_no_pair() -> None:
    assert satisfies(WORSE[0][0].own() ** 2, pure(12)).verdict.value not in YES
    assert satisfies(WORSE[1][0].own(), approx(1, Fraction(1, 2))).verdict.value not in YES


def test_accounting_knows_no_pair_of_it() -> None:
    two = WORSE[1][0]
    found = dpsym.account(two.own(), epsilon=1)
    assert found.upper >= two.lost(1, 4) - 1e-6


def test_parameters_make_no_claims_where_domination_is_open() -> None:
    own = dpsym.noise(density="exp(-abs(x-3)/b)/(4*b)+exp(-abs(x+3)/b)/(4*b)", shift="Delta")
    assert own.claims == ()
    assert own.outputs is None
    known = dpsym.derive(own(b=1, Delta=6), to="approx", at={"epsilon": 1})
    assert known.status == 3
    assert not known.upper.is_finite()
    found = dpsym.compare(sensitivity=1, to="pure(1)", only=["noise"], also=[own])
    assert found.candidates == ()


def test_integers_have_no_smaller_shift_than_one() -> None:
    own = dpsym.noise(pmf="piecewise(1/2, n < 1, 0, n < 2, 1/2)", support="0 <= n <= 2", shift=1)
    assert own.dominating
    assert above(dpsym.derive(own(), to="approx", at={"epsilon": 1})) == 1


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("text", "let"),
    [
        ("piecewise(exp(-abs(x))/2, b > 1, exp(-abs(abs(x)-3))/(4-2*exp(-3)))", "b > 0"),
        ("exp(-abs(abs(x)-c))/(4-2*exp(-c))", "c > 0"),
        pytest.param("(1+cos(x)/t)*exp(-abs(x))/(2+1/t)", "t >= 1", marks=pytest.mark.slow),
        ("q*exp(-abs(x))/2+(1-q)*exp(-abs(x-m))/2", "0 < q < 1"),
    ],
)
def test_a_shape_that_depends_on_a_parameter_is_not_taken_for_one_hump(text: str, let: str) -> None:
    assert not dpsym.noise(density=text, shift="Delta", let=[let]).dominating
