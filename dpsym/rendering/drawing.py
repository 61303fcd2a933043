"""Curves and maps as pictures: one look for all of them, as PNG, SVG or PDF (needs matplotlib)."""

from __future__ import annotations

import math
import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from textwrap import wrap
from typing import Any, Literal

from dpsym.core.display import Displayed, short


class NoPlot(ValueError):
    """The plot cannot be made; the message says what is missing."""


class NoPlotInTime(NoPlot):
    """There is nothing to draw, and there was too little time."""


# each line differs from the others in dashes and in marker; the colours are those of Okabe and Ito
STYLES = (
    ("-", "o", "#000000"),
    ("--", "s", "#D55E00"),
    ("-.", "^", "#0072B2"),
    (":", "D", "#009E73"),
    ((0, (6, 1, 1, 1, 1, 1)), "v", "#CC79A7"),
    ((0, (1, 1)), "x", "#E69F00"),
    ((0, (8, 2)), "+", "#56B4E9"),
    ((0, (3, 1, 1, 1)), "*", "#7F7F7F"),
)
FORMATS = {".png", ".svg", ".pdf"}
_WIDEST = 40.0  # inches
_FEW = 30  # points of steps that are all marked


@dataclass(frozen=True, slots=True)
class Look:
    """How a picture is drawn.

    Attributes:
        size: width and height in inches.
        dark: light lines on a dark ground.
        y: the range that is shown; None shows all that there is.
        title: words over it, taken as they are; None leaves the picture's own.
    """

    size: tuple[float, float] = (8.0, 5.5)
    dark: bool = False
    title: str | None = None
    y: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        if not all(1 <= side <= _WIDEST for side in self.size):
            raise NoPlot(
                f"a picture is 1 to {_WIDEST:g} inches wide and high, not {self.size[0]:g} by {self.size[1]:g}"
            )

    @property
    def ink(self) -> str:
        """The colour of lines and letters."""
        return "#e8e8e8" if self.dark else "#1a1a1a"

    @property
    def ground(self) -> str:
        """The colour behind them."""
        return "#16181d" if self.dark else "#ffffff"

    def styled(self) -> Iterator[tuple[object, str, str]]:
        """Dashes, marker and colour of each line; black is the ink."""
        while True:
            yield from (
                (dashes, marker, self.ink if colour == "#000000" else colour) for dashes, marker, colour in STYLES
            )


_PLAIN = Look()


class Picture(Displayed):
    """What can be drawn: it shows itself in a notebook, and `save` writes it to a file."""

    __slots__ = ()
    title: str

    @property
    def notes(self) -> tuple[str, ...]:
        """What is not drawn, and why."""
        return ()

    def to_dict(self) -> dict[str, Any]:
        """The numbers, where the picture is of curves."""
        return {}

    def figure(self, look: Look = _PLAIN) -> Any:
        """A matplotlib figure.

        Raises:
            NoPlot: without matplotlib.
        """
        figure, axes = _empty(look)
        across, upwards = self._draw(axes, look)
        _named(figure, axes, look, self.title, across, upwards)
        self._legend(figure, look)
        return figure

    def _draw(self, axes: Any, look: Look) -> tuple[str, str]:
        """Draw it on empty axes; how these are called."""
        raise NotImplementedError

    def _legend(self, figure: Any, look: Look) -> None:
        """Say below the axes what the marks stand for, where there are several."""

    def save(self, path: Path, look: Look = _PLAIN) -> None:
        """Write a PNG, SVG or PDF file.

        Raises:
            NoPlot: without matplotlib, or for another kind of file.
            OSError: where the file cannot be written.
        """
        if path.suffix.lower() not in FORMATS:
            raise NoPlot(
                f"cannot draw {path.suffix or 'a file without ending'} (expected {', '.join(sorted(FORMATS))})"
            )
        _write(self.figure(look), path, path.suffix.lower()[1:])

    def html(self, look: Look = _PLAIN) -> str:
        """An image of HTML.

        Raises:
            NoPlot: without matplotlib.
        """
        buffer = BytesIO()
        _write(self.figure(look), buffer, "svg")
        return f'<img src="data:image/svg+xml;base64,{b64encode(buffer.getvalue()).decode()}">'

    def __repr__(self) -> str:
        return f"<{type(self).__name__.lower()}: {self.title}>"

    def _repr_html_(self) -> str:
        return self.html()


def _write(figure: Any, target: Path | BytesIO, kind: str) -> None:
    import matplotlib as mpl

    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "dpsym"}):
        figure.savefig(target, dpi=150, format=kind, metadata={"Date": None} if kind == "svg" else None)


def _empty(look: Look) -> tuple[Any, Any]:
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise NoPlot("plots need matplotlib: pip install 'dpsym[plot]'") from None
    figure = Figure(figsize=look.size, layout="constrained", facecolor=look.ground)
    axes = figure.add_subplot(facecolor=look.ground)
    axes.tick_params(colors=look.ink, which="both")
    for side, spine in axes.spines.items():
        spine.set_color(look.ink)
        spine.set_visible(side in ("left", "bottom"))
    axes.grid(visible=True, linewidth=0.4, alpha=0.35, color=look.ink)
    axes.set_axisbelow(True)
    return figure, axes


def _named(figure: Any, axes: Any, look: Look, title: str, x: str, y: str) -> None:
    """The title over the picture, in lines that fit and do not break within a formula, and the names of the axes."""
    unbroken = re.sub(r" (=|\*\*) ", "\u00a0\\1\u00a0", title if look.title is None else look.title)
    lines = wrap(unbroken, max(20, int(11 * look.size[0])))
    figure.suptitle("\n".join(lines), color=look.ink, fontsize=12, parse_math=look.title is None)
    axes.set_xlabel(x, color=look.ink)
    axes.set_ylabel(y, color=look.ink)
    if look.y is not None:
        axes.set_ylim(*look.y)


def _legend(figure: Any, look: Look, labels: Sequence[str], caption: str = "") -> None:
    columns = max(1, min(len(labels), int(13 * look.size[0] / (max(map(len, labels), default=1) + 8))))
    said = "\n".join(wrap(caption, max(20, int(13 * look.size[0]))))
    legend = figure.legend(
        loc="outside lower center", ncols=columns, frameon=False, labelcolor=look.ink, title=said, title_fontsize=9
    )
    legend.get_title().set_color(look.ink)


Toward = Literal["left", "right"]
_STEPS = "steps are certified everywhere: between two points, the value of the less private one"
_GUIDES = "thin lines are certified at the markers, and guides for the eye between them"


@dataclass(frozen=True, slots=True)
class Curve:
    """Points of one line, in the order of x; None where the bound does not hold or has no value.

    Attributes:
        lower: at the same places the other bound; a bar at the point reaches to it.
        toward: where privacy is known to go one way along the axis, on which side of a place the less private ones
            are: what is certified at the next point on that side holds there, too, and is what is drawn.  None where
            that is not known: nothing is certified between the points.
        rules: by which it was derived, as `by` takes them; empty where it was not derived by rules.
    """

    label: str
    points: tuple[tuple[Fraction, float | None], ...]
    lower: tuple[float | None, ...] = ()
    toward: Toward | None = None
    rules: tuple[str, ...] = ()

    __repr__ = short

    def to_dict(self) -> dict[str, Any]:
        """The label, where the less private places are, the rules, and the points."""
        other: tuple[float | None, ...] = self.lower or (None,) * len(self.points)
        points = [{"x": str(x), "value": y, "other": o} for (x, y), o in zip(self.points, other, strict=True)]
        rules = {"rules": list(self.rules)} if self.rules else {}
        return {"label": self.label, "less_private": self.toward, **rules, "points": points}


@dataclass(frozen=True, slots=True, repr=False)
class Plot(Picture):
    """Curves on one pair of axes; `filled` shades what lies below each.

    Attributes:
        left_out: curves that are not drawn, each with the reason.
    """

    title: str
    x: str
    y: str
    curves: tuple[Curve, ...]
    logarithmic: bool = False
    filled: bool = False
    logarithmic_x: bool = False
    left_out: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        for curve in self.curves:
            if all(y is None for _, y in curve.points):
                raise NoPlot(f"the curve {curve.label!r} has no value anywhere in the range")

    def to_dict(self) -> dict[str, Any]:
        """The axes, what is certified, what is not drawn, and the points: exact places, values on the safe side."""
        return {
            "x": self.x, "y": self.y, "certified": self.caption, "not_drawn": [list(one) for one in self.left_out],
            "curves": [c.to_dict() for c in self.curves],
        }  # fmt: skip

    @property
    def caption(self) -> str:
        """What is certified, the lines or their points, and what is not drawn."""
        steps = any(c.toward is not None for c in self.curves)
        guides = any(c.toward is None for c in self.curves)
        return "; ".join([*[_STEPS] * steps, *[_GUIDES] * guides, *self.notes])

    @property
    def notes(self) -> tuple[str, ...]:
        """The curves that are not drawn."""
        return tuple(f"not drawn: {label} ({why})" for label, why in self.left_out)

    def _draw(self, axes: Any, look: Look) -> tuple[str, str]:
        for number, (curve, (dashes, marker, colour)) in enumerate(zip(self.curves, look.styled(), strict=False)):
            every = 1 if curve.toward is None or len(curve.points) <= _FEW else len(curve.points) // 10
            style = {"left": "steps-post", "right": "steps-pre", None: "default"}[curve.toward]
            xs = [float(x) for x, _ in curve.points]
            ys = [math.nan if y is None else y for _, y in curve.points]
            axes.plot(
                xs, ys, linestyle=dashes, marker=marker, color=colour, label=curve.label, drawstyle=style,
                linewidth=0.6 if curve.toward is None else 1.6, markersize=5,
                markevery=(number * every // max(1, len(self.curves)), every),
            )  # fmt: skip
            if self.filled:
                step = {"left": "post", "right": "pre", None: None}[curve.toward]
                axes.fill_between(xs, ys, step=step, color=colour, alpha=0.06, linewidth=0)
            if curve.lower:
                least = [math.nan if y is None else y for y in curve.lower]
                axes.vlines(xs, least, ys, color=colour, alpha=0.4, linewidth=4)
        if self.logarithmic_x:
            axes.set_xscale("log")
        if self.logarithmic:
            axes.set_yscale("log")
        else:
            axes.set_ylim(bottom=0)
        return self.x, self.y

    def _legend(self, figure: Any, look: Look) -> None:
        _legend(figure, look, [c.label for c in self.curves], self.caption)


@dataclass(frozen=True, slots=True, repr=False)
class Winners(Picture):
    """For each cell of a grid the number of the label that wins there, or None; rows in the order of y.

    Attributes:
        areas: every cell is filled, instead of a mark at its centre.
    """

    title: str
    x: tuple[str, tuple[Fraction, ...]]
    y: tuple[str, tuple[Fraction, ...]]
    labels: tuple[str, ...]
    cells: tuple[tuple[int | None, ...], ...]
    areas: bool = False

    def _draw(self, axes: Any, look: Look) -> tuple[str, str]:
        (across, xs), (upwards, ys) = self.x, self.y
        logarithmic = [min(values) > 0 and max(values) >= 50 * min(values) for values in (xs, ys)]
        for number, (label, (_, marker, colour)) in enumerate(zip(self._shown, look.styled(), strict=False)):
            at = [(x, y) for y, row in zip(ys, self.cells, strict=True)
                  for x, cell in zip(xs, row, strict=True) if cell == label]  # fmt: skip
            axes.scatter(
                [float(x) for x, _ in at], [float(y) for _, y in at], marker=marker, color=colour, s=28,
                label=self.labels[label], zorder=3 + number,
            )  # fmt: skip
            if self.areas:
                inside = [[1.0 if cell == label else math.nan for cell in row] for row in self.cells]
                edges = [_edges(v, log) for v, log in zip((xs, ys), logarithmic, strict=True)]
                axes.pcolormesh(*edges, inside, cmap=_one_colour(colour), alpha=0.25, linewidth=0, rasterized=True)
        for setter, wide in ((axes.set_xscale, logarithmic[0]), (axes.set_yscale, logarithmic[1])):
            if wide:
                setter("log")
        return across, upwards

    @property
    def _shown(self) -> list[int]:
        """The labels that win somewhere."""
        return sorted({cell for row in self.cells for cell in row if cell is not None})

    def _legend(self, figure: Any, look: Look) -> None:
        _legend(figure, look, [self.labels[n] for n in self._shown])


@dataclass(frozen=True, slots=True)
class Bar:
    """A number between two bounds; None where it is infinite."""

    label: str
    lower: float | None
    upper: float | None


@dataclass(frozen=True, slots=True, repr=False)
class Bars(Picture):
    """Numbers by name, the first on top; what is infinite goes to the edge."""

    title: str
    x: str
    bars: tuple[Bar, ...]

    def _draw(self, axes: Any, look: Look) -> tuple[str, str]:
        finite = [b.upper for b in self.bars if b.upper is not None]
        least, most = (min(finite), max(finite)) if finite else (1.0, 1.0)
        wide = least > 0 and most > 30 * least
        edge = (3 if wide else 1.15) * most
        places = range(len(self.bars))
        sizes = [edge if b.upper is None else b.upper for b in self.bars]
        colours = ["#999999" if b.upper is None else "#0072B2" for b in self.bars]
        start = least / 3 if wide else 0.0
        axes.barh(places, [s - start for s in sizes], left=start, color=colours, height=0.62)
        for place, bar, size in zip(places, self.bars, sizes, strict=True):
            said = "infinite" if bar.upper is None else f"{_up(bar.upper):.4g}"
            outside = bar.upper is not None
            axes.annotate(
                said, (size, place), xytext=(4 if outside else -4, 0), textcoords="offset points", va="center",
                ha="left" if outside else "right", color=look.ink, fontsize=9,
            )  # fmt: skip
        if wide:
            axes.set_xscale("log")
        axes.set_xlim(start, edge * (1.6 if wide else 1.1))
        axes.set_yticks(places, [b.label for b in self.bars])
        axes.invert_yaxis()
        axes.grid(visible=False, axis="y")
        return self.x, ""


def _up(value: float) -> float:
    """In four digits, not below."""
    digits = 3 - math.floor(math.log10(value)) if value > 0 else 0
    scale = 10.0**digits
    return math.ceil(value * scale) / scale


def _edges(values: tuple[Fraction, ...], logarithmic: bool) -> list[float]:
    """Of cells about the values."""
    places = [math.log(v) if logarithmic else float(v) for v in values]
    if len(places) == 1:
        places = [places[0], places[0] + 1]
    between = [(a + b) / 2 for a, b in pairwise(places)]
    found = [2 * places[0] - between[0], *between, 2 * places[-1] - between[-1]][: len(values) + 1]
    return [math.exp(p) for p in found] if logarithmic else found


def _one_colour(colour: str) -> Any:
    from matplotlib.colors import ListedColormap

    return ListedColormap([colour])
