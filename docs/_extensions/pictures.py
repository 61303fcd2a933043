"""The pictures of the catalogue, drawn from certified values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import sympy as sp

from dpsym import catalogue
from dpsym.rendering.drawing import NoPlot, Picture
from dpsym.rendering.plots import privacy_profiles, renyi_curves
from dpsym.statements import Mechanism, StatementError, Use

_VALUES = (sp.Rational(1, 2), sp.Integer(1), sp.Integer(2))  # of the first parameter; the others have their defaults
_KINDS: tuple[tuple[str, Callable[[Sequence[Use]], Picture], str], ...] = (
    ("profile", privacy_profiles, "the privacy profile: the least delta that is certified, against epsilon"),
    ("renyi", renyi_curves, "the Rényi divergence of its outputs against the order"),
)


def draw_all(folder: Path) -> Mapping[str, Sequence[tuple[str, str]]]:
    """Draw what helps; the files and captions by the id of the entry."""
    folder.mkdir(parents=True, exist_ok=True)
    return {m.id: drawn for m in catalogue.mechanisms().values() if (drawn := list(_of(m, folder)))}


def _of(mechanism: Mechanism, folder: Path) -> Iterator[tuple[str, str]]:
    for kind, draw, caption in _KINDS:
        name = f"{mechanism.id}-{kind}.svg"
        try:
            uses = [mechanism(value) for value in _VALUES]
            draw(uses).save(folder / name)
        except (NoPlot, StatementError):
            continue
        yield name, f"{mechanism.title[0].upper()}{mechanism.title[1:]}: {caption}"
