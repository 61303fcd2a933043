"""Curves of certified accounting, sweeps from a file, trade-off functions of mechanisms, and how pictures look."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import pytest
import sympy as sp

from dpsym import accounting, catalogue
from dpsym.cli.running import run
from dpsym.core.notation import delta, k
from dpsym.entries.mechanisms.gaussian import gaussian
from dpsym.entries.mechanisms.laplace import laplace
from dpsym.entries.mechanisms.randomized_response import randomized_response
from dpsym.language import read_source
from dpsym.rendering import plots
from dpsym.rendering.accounts import accounted, from_records
from dpsym.rendering.drawing import Bar, Bars, Curve, Look, NoPlot, Plot
from dpsym.rendering.plots import epsilon_against_k, trade_off_curves
from dpsym.rendering.symbols import with_symbols
from dpsym.statements import Goal

DELTA = {"delta": Fraction(1, 10**5)}


@pytest.mark.slow
def test_a_curve_of_a_sampled_mechanism_lies_between_its_bounds() -> None:
    of = read_source("subsampled(gaussian(sigma), q=1/10) ** T")
    plot = accounted(of, {"T": [5, 20], "sigma": [2]}, given=DELTA)  # type: ignore[arg-type]

    (curve,) = plot.curves
    assert curve.label == "σ = 2"
    for (steps, upper), lower in zip(curve.points, curve.lower, strict=True):
        asked = read_source(f"subsampled(gaussian(sigma=2), q=1/10) ** {steps}")
        found = accounting.epsilon(asked, delta=DELTA["delta"])  # type: ignore[arg-type]
        assert lower is not None
        assert upper is not None
        assert lower <= float(found.lower) <= float(found.upper) <= upper * (1 + 1e-15)


def test_of_the_largest_number_of_steps_the_line_is_the_lower_bound() -> None:
    at = {"epsilon": Fraction(1), "delta": Fraction(0)}
    plot = accounted(read_source("laplace(b) ** T"), {"b": [Fraction(5, 2), 4]}, given=at, unknown="T")  # type: ignore[arg-type]

    (curve,) = plot.curves
    assert [y for _, y in curve.points] == [2, 4]  # k answers cost k/b
    assert all(other is not None and other >= 2 for other in curve.lower)


def test_half_a_step_is_refused_with_its_place() -> None:
    of = read_source("laplace(b=10) ** T")
    with pytest.raises(NoPlot, match="at T = 3/2"):
        accounted(of, {"T": [1, Fraction(3, 2)]}, given=DELTA)  # type: ignore[arg-type]


def test_the_rows_of_a_file_are_drawn() -> None:
    same = {"mechanism": "m", "delta": "1/10", "asked": "epsilon"}
    rows = [{**same, "T": str(t), "b": b, "lower": str(t - 1), "upper": str(t)} for t in (1, 10, 100) for b in "12"]
    plot = from_records(rows, "T", "m")

    assert [c.label for c in plot.curves] == ["b = 1", "b = 2"]
    assert plot.curves[0].points == ((1, 1.0), (10, 10.0), (100, 100.0))
    assert plot.curves[0].lower == (0.0, 9.0, 99.0)
    assert plot.logarithmic_x


@pytest.mark.parametrize(
    ("rows", "across", "said"),
    [
        ([{"T": "1"}], None, "expected rows"),
        ([{"T": "1", "asked": "epsilon", "lower": "1", "upper": "2"}] * 2, None, "nothing varies"),
        ([{"T": t, "asked": "epsilon", "lower": "1", "upper": "2"} for t in "12"], "q", "q does not vary"),
        ([{"T": t, "asked": "epsilon", "lower": "", "upper": ""} for t in "12"], None, "no finite epsilon"),
    ],
)
def test_other_rows_are_refused(rows: list[dict[str, str]], across: str | None, said: str) -> None:
    with pytest.raises(NoPlot, match=said):
        from_records(rows, across, "m")


@pytest.mark.slow
def test_the_trade_off_curve_of_a_mechanism_is_below_its_function() -> None:
    """Of Laplace noise of scale 1: 1 - e a for small a, and 1/(4 e a) in the middle."""
    (curve,) = trade_off_curves([laplace(1)]).curves
    at = {x: y for x, y in curve.points if y is not None}

    tenth, third = float(1 - sp.E / 10), float(1 / (4 * sp.E * sp.Rational(3, 10)))
    assert tenth - 1e-9 <= at[Fraction(1, 10)] <= tenth
    assert third - 1e-9 <= at[Fraction(3, 10)] <= third


def test_names_are_symbols_and_a_name_is_said_once() -> None:
    assert with_symbols(f"{gaussian(sp.Symbol('sigma'))}, delta = 1") == "gaussian(σ, Δ=1), δ = 1"
    assert with_symbols("deltas and epsilonian") == "deltas and epsilonian"


def test_a_picture_has_the_size_and_the_ground_that_are_asked_for() -> None:
    plot = Plot("title", "x", "y", (Curve("line", ((Fraction(1), 1.0), (Fraction(2), 3.0))),))
    figure = plot.figure(Look(size=(6, 4), dark=True, y=(0, 9)))

    assert tuple(figure.get_size_inches()) == (6, 4)
    assert sum(figure.get_facecolor()[:3]) < 0.5
    (axes,) = figure.axes
    assert axes.get_ylim() == (0, 9)
    (line,) = axes.get_lines()
    assert line.get_color() == "#e8e8e8"  # ink is light there


@pytest.mark.parametrize("look", [{"size": (0, 4)}, {"size": (6, 400)}])
def test_a_look_that_is_none_is_refused(look: dict[str, tuple[float, float]]) -> None:
    with pytest.raises(NoPlot):
        Look(**look)  # type: ignore[arg-type]


def test_what_is_infinite_goes_to_the_edge() -> None:
    figure = Bars("t", "x", (Bar("finite", 1.0, 1.5), Bar("none", None, None))).figure()

    (axes,) = figure.axes
    assert [t.get_text() for t in axes.texts] == ["1.5", "infinite"]
    assert axes.patches[1].get_width() > axes.patches[0].get_width()


@pytest.mark.slow
def test_the_commands_write_their_pictures(tmp_path: Path) -> None:
    sweep, out = tmp_path / "sweep.csv", tmp_path / "out.svg"

    assert (
        run(
            [
                "account",
                "laplace(b) ** T",
                "--at",
                "delta=1e-5",
                "--sweep",
                "b=10,20",
                "--sweep",
                "T=1,2",
                "-o",
                str(sweep),
            ]
        )
        == 0
    )
    for command in (
        ["sweep", str(sweep), "--x", "T"],
        ["account", "laplace(b=10) ** T", "--at", "delta=1e-5", "--over", "T=1,2", "--dark"],
        ["epsilon", "subsampled(gaussian(sigma=1), q=1/100) ** k", "--at", "delta=1e-5", "--over", "1:20"],
        ["trade-off", "--mechanism", "laplace(b=1)", "--size", "5x4"],
        ["profile", "laplace(b=1)", "--range", "0:1/2"],
    ):
        assert run(["plot", *command, "-o", str(out)]) == 0
        assert "ε" in out.read_text(encoding="utf-8") or command[0] == "trade-off"
    assert run(["plot", "profile", "laplace(b=1)", "--size", "huge", "-o", str(out)]) == 2


def certified(curve: Curve, x: Fraction) -> float | None:
    """What is said at a place, which need not be that of a point; None where nothing is."""
    if curve.toward is None:
        return dict(curve.points).get(x)
    inside = curve.points[0][0] <= x <= curve.points[-1][0]
    on_its_side = [y for place, y in curve.points if (place <= x if curve.toward == "left" else place >= x)]
    return on_its_side[-1 if curve.toward == "left" else 0] if inside else None


def test_steps_are_safe_between_the_points() -> None:
    (curve,) = accounted(read_source("laplace(b=10) ** T"), {"T": [1, 7, 20]}, given={"delta": Fraction(0)}).curves  # type: ignore[arg-type]
    assert curve.toward == "right"
    for steps in range(1, 21):
        safe = certified(curve, Fraction(steps))
        assert safe is not None
        assert safe >= steps / 10

    (curve,) = trade_off_curves([randomized_response(epsilon=1)]).curves
    kink = 1 / (1 + math.e)  # where the lines of slope -e and -1/e meet
    for step in range(1, 400):
        x = Fraction(step, 400)
        below = certified(curve, x)
        assert below is None or below <= max(1 - math.e * float(x), (1 - float(x)) / math.e) + 1e-15
    lowest = certified(curve, Fraction(kink))
    assert lowest is not None
    assert lowest <= kink


def test_nothing_is_said_between_points_where_privacy_is_not_known_to_go_one_way() -> None:
    of = read_source("discrete_gaussian(sigma=s)")
    (curve,) = accounted(of, {"s": [1, 2]}, given=DELTA).curves  # type: ignore[arg-type]
    assert curve.toward is None
    assert certified(curve, Fraction(3, 2)) is None
    assert "guides" in Plot("", "", "", (curve,)).caption


def test_a_curve_without_values_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def drawn() -> Plot:
        goal = Goal(catalogue.definitions()["approx"], {})
        return epsilon_against_k(gaussian(sigma=200) ** k, goal, at={delta: sp.Rational(1, 10**5)}, over=(1, 9))

    real = plots.upper
    monkeypatch.setattr(plots, "upper", lambda fact, *a: None if "composition_zcdp" in fact.rules else real(fact, *a))
    plot = drawn()
    assert plot.curves
    assert any("composition of zCDP" in label for label, _ in plot.left_out)
    assert plot.to_dict()["not_drawn"] == [list(one) for one in plot.left_out]

    monkeypatch.setattr(plots, "upper", lambda *_: None)
    with pytest.raises(NoPlot, match="choose routes with by"):
        drawn()
