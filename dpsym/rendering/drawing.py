"""Curves and maps as pictures: one look for all of them, as PNG, SVG or PDF (needs matplotlib)."""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import Any

from dpsym.core.display import Displayed

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


class NoPlot(ValueError):
    """The plot cannot be made; the message says what is missing."""


class Picture(Displayed):
    """What can be drawn: it shows itself in a notebook, and `save` writes it to a file."""

    __slots__ = ()
    title: str

    def figure(self) -> Any:
        """A matplotlib figure.

        Raises:
            NoPlot: without matplotlib.
        """
        raise NotImplementedError

    def save(self, path: Path) -> None:
        """Write a PNG, SVG or PDF file.

        Raises:
            NoPlot: without matplotlib, or for another kind of file.
            OSError: where the file cannot be written.
        """
        if path.suffix.lower() not in FORMATS:
            raise NoPlot(
                f"cannot draw {path.suffix or 'a file without ending'} (expected {', '.join(sorted(FORMATS))})"
            )
        _write(self.figure(), path, path.suffix.lower()[1:])

    def _repr_html_(self) -> str:
        buffer = BytesIO()
        _write(self.figure(), buffer, "svg")
        return f'<img src="data:image/svg+xml;base64,{b64encode(buffer.getvalue()).decode()}">'


def _write(figure: Any, target: Path | BytesIO, kind: str) -> None:
    import matplotlib as mpl

    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "dpsym"}):
        figure.savefig(target, dpi=150, format=kind, metadata={"Date": None} if kind == "svg" else None)


def _empty() -> tuple[Any, Any]:
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise NoPlot("plots need matplotlib: pip install 'dpsym[plot]'") from None
    with mpl.rc_context({"font.size": 10}):
        figure = Figure(figsize=(8, 5.5), layout="constrained")
        return figure, figure.add_subplot()


@dataclass(frozen=True, slots=True)
class Curve:
    """Points of one line, in the order of x; None where the bound does not hold or has no value."""

    label: str
    points: tuple[tuple[Fraction, float | None], ...]


@dataclass(frozen=True, slots=True)
class Plot(Picture):
    """Curves on one pair of axes; `filled` shades what lies below each."""

    title: str
    x: str
    y: str
    curves: tuple[Curve, ...]
    logarithmic: bool = False
    filled: bool = False

    def __post_init__(self) -> None:
        for curve in self.curves:
            if all(y is None for _, y in curve.points):
                raise NoPlot(f"the curve {curve.label!r} has no value anywhere in the range")

    def figure(self) -> Any:
        """A matplotlib figure.

        Raises:
            NoPlot: without matplotlib.
        """
        figure, axes = _empty()
        for number, (curve, (dashes, marker, colour)) in enumerate(zip(self.curves, _cycled(), strict=False)):
            every = max(1, len(curve.points) // 10)
            xs = [float(x) for x, _ in curve.points]
            ys = [math.nan if y is None else y for _, y in curve.points]
            axes.plot(
                xs, ys, linestyle=dashes, marker=marker, color=colour, label=curve.label, linewidth=1.6, markersize=5,
                markevery=(number * every // max(1, len(self.curves)), every),
            )  # fmt: skip
            if self.filled:
                axes.fill_between(xs, ys, color=colour, alpha=0.06, linewidth=0)
        axes.set_title(self.title)
        axes.set_xlabel(self.x)
        axes.set_ylabel(self.y)
        if self.logarithmic:
            axes.set_yscale("log")
        else:
            axes.set_ylim(bottom=0)
        axes.grid(visible=True, linewidth=0.4, alpha=0.6)
        figure.legend(loc="outside lower center", ncols=1, frameon=False)
        return figure


@dataclass(frozen=True, slots=True)
class Winners(Picture):
    """For each cell of a grid the number of the label that wins there, or None; rows in the order of y."""

    title: str
    x: tuple[str, tuple[Fraction, ...]]
    y: tuple[str, tuple[Fraction, ...]]
    labels: tuple[str, ...]
    cells: tuple[tuple[int | None, ...], ...]

    def figure(self) -> Any:
        """A matplotlib figure.

        Raises:
            NoPlot: without matplotlib.
        """
        figure, axes = _empty()
        (x_name, xs), (y_name, ys) = self.x, self.y
        shown = sorted({cell for row in self.cells for cell in row if cell is not None})
        for number, (label, (_, marker, colour)) in enumerate(zip(shown, _cycled(), strict=False)):
            at = [(x, y) for y, row in zip(ys, self.cells, strict=True)
                  for x, cell in zip(xs, row, strict=True) if cell == label]  # fmt: skip
            axes.scatter(
                [float(x) for x, _ in at], [float(y) for _, y in at], marker=marker, color=colour, s=28,
                label=self.labels[label], zorder=3 + number,
            )  # fmt: skip
        for setter, values in ((axes.set_xscale, xs), (axes.set_yscale, ys)):
            if min(values) > 0 and max(values) >= 50 * min(values):
                setter("log")
        axes.set_title(self.title)
        axes.set_xlabel(x_name)
        axes.set_ylabel(y_name)
        axes.grid(visible=True, linewidth=0.4, alpha=0.6)
        figure.legend(loc="outside lower center", ncols=1, frameon=False)
        return figure


def _cycled() -> Iterator[tuple[object, str, str]]:
    while True:
        yield from STYLES
