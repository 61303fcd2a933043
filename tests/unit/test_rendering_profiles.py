"""Curves and maps: every value on the safe side, the winner no worse than any other."""

from fractions import Fraction

import pytest
import sympy as sp

from dpsym.core.notation import Phi, delta, k, rho
from dpsym.deriving import routes
from dpsym.entries.mechanisms.gaussian import gaussian
from dpsym.entries.mechanisms.geometric import geometric
from dpsym.entries.mechanisms.laplace import laplace
from dpsym.entries.mechanisms.randomized_response import randomized_response
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.zcdp import zcdp
from dpsym.numbers import enclose
from dpsym.rendering.drawing import NoPlot
from dpsym.rendering.plots import privacy_profiles, renyi_curves, winners


def test_a_privacy_profile_is_rounded_up_from_the_exact_delta():
    (curve,) = privacy_profiles([gaussian(2)]).curves

    for x, y in curve.points[::7]:
        e = sp.Rational(x)
        exact = enclose(Phi(sp.Rational(1, 4) - 2 * e) - sp.exp(e) * Phi(-sp.Rational(1, 4) - 2 * e), digits=20)
        assert Fraction(exact.upper) <= Fraction(y) <= Fraction(exact.upper) * (1 + Fraction(1, 10**9))


def test_a_renyi_curve_is_that_of_the_mechanism():
    (curve,) = renyi_curves([gaussian(2, 3)]).curves

    for x, y in curve.points[::9]:
        exact = x * 9 / 8
        assert exact <= Fraction(y) <= exact * (1 + Fraction(1, 10**9))


def test_the_epsilon_of_randomized_response_is_not_that_of_the_axis():
    (curve,) = privacy_profiles([randomized_response(1)]).curves
    zero = dict(curve.points)[Fraction(0)]

    assert Fraction(zero) >= Fraction(enclose(sp.tanh(sp.Rational(1, 2)), digits=15).lower)  # total variation
    assert max(x for x, y in curve.points if y is not None) < 1  # there delta reaches 0, and is drawn no further


@pytest.mark.slow
def test_every_mechanism_with_a_closed_form_is_drawn(tmp_path):
    for number, plot in enumerate((privacy_profiles([laplace(1), geometric(1)]), renyi_curves([laplace(1)]))):
        for kind in ("png", "svg", "pdf"):
            path = tmp_path / f"{number}.{kind}"
            plot.save(path)
            assert path.stat().st_size > 2000


def test_a_mechanism_with_symbols_has_no_curve():
    with pytest.raises(NoPlot):
        privacy_profiles([gaussian(rho)])


def test_the_winner_of_a_cell_is_no_worse_than_any_other_route():
    goal = approx.goal(delta=delta)
    source = zcdp(rho)
    budgets, slacks = [Fraction(1, 1000), Fraction(1)], [Fraction(1, 10**6), Fraction(9, 10)]
    drawn = winners(source, goal, x=(rho, budgets), y=(delta, slacks), at={})
    facts = routes(source, goal)

    for v, row in zip(slacks, drawn.cells, strict=True):
        for u, cell in zip(budgets, row, strict=True):
            point = {rho: sp.Rational(u), delta: sp.Rational(v)}
            values = [Fraction(f.evaluate(point, 12)["epsilon"].upper) for f in facts]
            assert values[cell] <= min(values) * (1 + Fraction(1, 10**9))


@pytest.mark.slow
def test_routes_can_be_left_out(tmp_path):
    goal = approx.goal(delta=delta)
    axes = {"x": (k, [Fraction(1), Fraction(9)]), "y": (delta, [Fraction(1, 100), Fraction(1, 10)])}
    drawn = winners(gaussian(3) ** k, goal, **axes, at={}, leave_out=("gdp_to_approx",))

    assert not any("gdp_to_approx" in label for label in drawn.labels)
    drawn.save(tmp_path / "map.svg")
    assert "svg" in drawn._repr_html_()
