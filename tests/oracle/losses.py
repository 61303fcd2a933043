"""Compositions in floating point, from the output distributions alone: losses rounded up, and down, to a grid.

Nothing here uses dpsym.  With every loss of P rounded up a hockey-stick divergence of P from Q is no smaller, and with
every loss rounded down no larger; what lies beyond the ends counts as infinite above and as nothing below.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

Density = Callable[[np.ndarray], np.ndarray]
STEP = 1e-3  # of the grid of losses
SLACK = 1e-8  # for Simpson's rule, and for the rounding of sums


@dataclass(frozen=True)
class Losses:
    """P's masses of cells, and the least and the greatest log(P/Q) in each."""

    masses: np.ndarray
    least: np.ndarray
    greatest: np.ndarray

    def powers(self, count: int, up: bool, size: int, reach: float) -> tuple[np.ndarray, float]:
        """The transform of the rounded losses of `count` steps, and the chance that none of them is infinite."""
        losses = self.greatest if up else self.least
        lost = (losses > reach) if up else np.isposinf(losses)
        kept = np.where(lost, -reach, np.maximum(losses, -reach) if up else np.minimum(losses, reach))
        seen = ~lost & (kept >= -reach)
        places = (np.ceil if up else np.floor)(kept[seen] / STEP).astype(int) % size
        finite = np.bincount(places, self.masses[seen], size)
        escaped = 1 - finite.sum() if up else self.masses[lost].sum()
        return np.fft.rfft(finite) ** count, (1 - escaped) ** count


def of_outcomes(first: Sequence[float], second: Sequence[float]) -> Losses:
    """Of finitely many outcomes."""
    p, q = (np.array(masses, dtype=float) for masses in (first, second))
    with np.errstate(divide="ignore"):
        losses = np.log(p[p > 0]) - np.log(q[p > 0])
    return Losses(p[p > 0], losses, losses)


def of_densities(first: Density, second: Density, cuts: Sequence[float], cells: int = 8000) -> Losses:
    """Of densities on the line between the first and the last cut, smooth between neighbouring ones.

    The cells grow with the distance from 0, so that heavy tails have few.
    """
    found = []
    for low, high in pairwise(np.arcsinh(np.array(cuts, dtype=float))):
        edge = (high - low) * 1e-13  # a density may jump at a cut
        t = np.linspace(low + edge, high - edge, 2 * cells + 1)
        p, q = (density(np.sinh(t)) for density in (first, second))
        with np.errstate(divide="ignore", invalid="ignore"):
            losses = np.where(p > 0, np.log(p) - np.log(q), -np.inf)
        three = np.array([losses[:-2:2], losses[1::2], losses[2::2]])
        weights = p * np.cosh(t) * (t[2] - t[0]) / 6
        masses = weights[:-2:2] + 4 * weights[1::2] + weights[2::2]
        found.append(np.array([masses, three.min(0), three.max(0)])[:, masses > 0])
    return Losses(*np.concatenate(found, axis=1))


def profile(steps: Sequence[tuple[Losses, int]], epsilon: float, reach: float = 8.0) -> tuple[float, float]:
    """Between what the hockey-stick divergence of these steps at e^epsilon lies."""
    size = 1 << int(np.ceil(np.log2(2 * (reach / STEP + 2) * sum(count for _, count in steps))))
    ends = []
    for up in (False, True):
        parts = [losses.powers(count, up, size, reach) for losses, count in steps]
        masses = np.fft.irfft(np.prod([transform for transform, _ in parts], axis=0), size)
        losses = np.fft.fftfreq(size, 1 / size) * STEP
        finite = float(np.sum(masses * np.maximum(0, -np.expm1(np.minimum(epsilon - losses, 0)))))
        ends.append(1 - float(np.prod([kept for _, kept in parts])) + finite)
    return ends[0] - SLACK, ends[1] + SLACK
