"""Numbers for noise without a closed form: they bracket what quadrature, or a closed form, gives."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp
from click.testing import CliRunner
from mpmath import exp, mp, mpf, quad

from dpsym.cli.commands import dpsym as command
from dpsym.core.distributions import Density
from dpsym.core.notation import Delta, b, y
from dpsym.language import read_expression
from dpsym.numbers import enclose
from dpsym.own_noise.enclosed import NotSettled, delta
from dpsym.own_noise.enclosed import epsilon as epsilon_at

ONE = {Delta: 1}
QUARTER = Fraction(1, 4)


def density(text: str, support: sp.Interval = sp.Reals) -> Density:
    return Density(y, read_expression(text), support)


def test_beyond_the_largest_loss_it_is_zero() -> None:
    found = delta(density("exp(-abs(y))/2"), Delta, Fraction(3, 2), ONE)

    assert found.lower == 0
    assert found.upper < Fraction(1, 10**12)


@pytest.mark.cases(1)
@pytest.mark.parametrize("level", [Fraction(0), Fraction(1, 4), Fraction(2)])
def test_a_bounded_support_loses_what_sticks_out(level: Fraction) -> None:
    found = delta(density("3/4*(1-y^2)", sp.Interval(-1, 1)), sp.Rational(1, 2), level, {})
    g = exp(mpf(level.numerator) / level.denominator)

    def f(x: mpf) -> mpf:
        return 3 * (1 - x * x) / 4 if abs(x) <= 1 else mpf(0)

    expected = quad(lambda x: max(f(x - mpf(1) / 2) - g * f(x), mpf(0)), [mpf(i) / 100 - 1 for i in range(251)])
    assert float(found.lower) - 1e-4 <= expected <= float(found.upper) + 1e-4
    assert found.width < Fraction(1, 10**10)


def test_asymmetric_noise_takes_the_worse_order() -> None:
    noise = density("exp(-y)", sp.Interval(0, sp.oo))
    found = delta(noise, Delta, QUARTER, ONE)
    # unshifted against shifted: what lies below the shift gives itself away, 1 - 1/e
    with mp.workdps(20):
        exact = 1 - exp(-1)

    assert float(found.lower) - 1e-15 <= exact <= float(found.upper) + 1e-15


@pytest.mark.slow
def test_an_absolute_value_that_is_not_linear_is_left_to_the_ranges() -> None:
    """|y^2 - 1/4| changes its sign where no linear function does."""
    # the integral over [-1, 1] of |y^2 - 1/4| is 1/2
    found = delta(density("2*abs(y^2-1/4)", sp.Interval(-1, 1)), sp.Rational(1, 4), Fraction(1, 2), {}, time_limit=2)
    g = exp(mpf(1) / 2)

    def f(x: mpf) -> mpf:
        return 2 * abs(x * x - mpf(1) / 4) if abs(x) <= 1 else mpf(0)

    expected = quad(lambda x: max(f(x - mpf(1) / 4) - g * f(x), mpf(0)), [mpf(i) / 100 - 1 for i in range(251)])
    assert float(found.lower) - 1e-3 <= expected <= float(found.upper) + 1e-3


@pytest.mark.slow
def test_the_smallest_epsilon_is_between_two_numbers() -> None:
    found = epsilon_at(density("exp(-abs(y))/2"), Delta, Fraction(1, 10), ONE)
    exact = enclose(1 + 2 * sp.log(sp.Rational(9, 10)), digits=20)

    assert found.lower <= exact.upper
    assert exact.lower <= found.upper
    assert found.width < Fraction(1, 10**5)


def test_what_is_no_distribution_there_has_no_number() -> None:
    with pytest.raises((NotSettled, ValueError)):
        delta(density("exp(-abs(y)/b)/2"), Delta, QUARTER, {b: 2, Delta: 1})


def test_the_command_line_offers_the_number() -> None:
    arguments = ["derive", "--density", "3/4*(1-x^2)", "--support", "-1 <= x <= 1", "--shift", "1/2", "--to", "approx"]
    asked = CliRunner().invoke(command, [*arguments, "--at", "epsilon=1/4"], standalone_mode=False)
    silent = CliRunner().invoke(command, arguments, standalone_mode=False)

    assert asked.return_value == 0
    assert "<= delta <=" in asked.output
    assert "no closed form" in asked.output
    assert "is enclosed" in str(silent.exception)
