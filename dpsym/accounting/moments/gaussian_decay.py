"""How fast the moment function of a subsampled Gaussian falls along a contour.

For t > 0 the integral that is M(c + it) may be taken along Im x = angle sigma^2, above the real line for removing and
below it for adding.  There |r(x)^(c' + it)| falls with t at every x, so that what bounds it at t bounds it beyond.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from flint import arb, ctx, fmpq

from dpsym.accounting.effort import ROUGH_BITS
from dpsym.accounting.inversion.float_estimates import best_angle


@dataclass(frozen=True, slots=True)
class Cell:
    """A part of the line.

    Attributes:
        least, most: bounds of its share of the law tilted by exp(cL).
        odds: q exp(v)/(1 - q) at its left end, the least there is in it: how much of r is due to the record.
        spread: p(1 - p), p = odds/(1 + odds), where |r|^a is largest on a shifted line.
    """

    least: arb
    most: arb
    odds: arb
    spread: arb


class SampledGaussianDecay:
    """Bounds of |M(c + it)|/M(c).

    Args:
        of: the parts of the line that count.
        a: the power of the likelihood ratio r (1 + c for removing, -c for adding).
        variance: sigma^2.
        beyond: more than the share of the law that is in no part, times what |r|^a may be larger by on a shifted line.
    """

    def __init__(self, of: list[Cell], a: arb, variance: arb, beyond: arb) -> None:
        self._cells, self._a, self._variance, self._beyond = of, a, variance, beyond
        self._adding = bool(a < 0)
        self._floats = [(float(cell.least), float(cell.most), float(cell.odds), float(cell.spread)) for cell in of]

    def __call__(self, t: arb) -> arb:
        """A number that |M(c + it')|/M(c) does not exceed for any t' >= t."""
        angle = best_angle(lambda x: self._rough(float(t), x), adding=self._adding)[0]
        with ctx.workprec(ROUGH_BITS):
            return self.at(t, arb(angle)).min(arb(1)).upper()

    def at(self, t: arb, angle: arb) -> arb:
        """The bound on the line at this angle, in [0, pi) for removing and [0, pi/2] for adding.

        The shares' sum is at most that of their upper bounds, and 1.
        """
        sine, cosine, half = angle.sin(), angle.cos(), (angle / 2).sin() ** 2
        total, rest = self._beyond, arb(1) + (self._beyond if self._adding else 0)
        for cell in self._cells:
            turn = arb.atan2(cell.odds * sine, 1 + cell.odds * cosine)
            factor = (self._a / 2 * (1 - 4 * cell.spread * half).log() - t * turn).exp()
            total += factor * cell.most
            if self._adding and not factor < 1:
                rest += (factor - 1) * (cell.most if factor > 1 else cell.least.union(cell.most))
            else:
                rest -= (1 - factor) * cell.least
        return (self._variance * angle * angle / 2).exp() * total.upper().min(rest.upper())

    def _rough(self, t: float, angle: float) -> float:
        """The logarithm of the bound in floats."""
        sine, cosine, half = math.sin(angle), math.cos(angle), math.sin(angle / 2) ** 2
        total, rest, a = float(self._beyond) + 1e-300, 1.0, float(self._a)
        for least, most, odds, spread in self._floats:
            power = a / 2 * math.log1p(-4 * spread * half) - t * math.atan2(odds * sine, 1 + odds * cosine)
            factor = math.exp(min(power, 600.0))
            total += most * factor
            rest -= least * (1 - factor)
        return float(self._variance) * angle * angle / 2 + math.log(min(total, rest) if rest > 0 else total)


def cells(q: arb, sigma: arb, a: arb, mass: arb, nodes: list[arb]) -> list[Cell]:
    """The cells between these nodes, for M(c) = `mass`.

    The logarithm of r^a times the density is bounded by linear functions: log r is convex, so that a log r lies between
    its tangent in the middle and its chord; -x^2/(2 sigma^2) lies above its chord and below its tangent.  The integral
    of exp of a linear function is at least the width times its value in the middle, and sinh(z)/z times that, z being
    half its rise, which is at most exp(z^2/6) and at most exp(z)/(2z).
    """
    with ctx.workprec(ROUGH_BITS):
        variance = sigma * sigma
        scale = (sigma * (2 * arb.pi()).sqrt() * mass).log()
        weights = [q * ((2 * x - 1) / (2 * variance)).exp() for x in nodes]
        heights = [a * (1 - q + b).log() for b in weights]
        falls = [-x * x / (2 * variance) for x in nodes]
        found = []
        for i, (left, right) in enumerate(pairwise(nodes)):
            width, middle = right - left, (left + right) / 2
            weight = q * ((2 * middle - 1) / (2 * variance)).exp()
            tangent = a * (1 - q + weight).log(), a * weight / ((1 - q + weight) * variance)
            chord = (heights[i] + heights[i + 1]) / 2, (heights[i + 1] - heights[i]) / width
            below, (above, slope) = (tangent[0], chord) if a > 0 else (chord[0], tangent)
            least = width * (below + (falls[i] + falls[i + 1]) / 2 - scale).exp()
            half_rise = abs(slope - middle / variance) * width / 2
            bulge = half_rise * half_rise / 6 if half_rise < 2 else half_rise - (2 * half_rise.max(arb(1))).log()
            most = width * (above - middle * middle / (2 * variance) + bulge - scale).exp()
            ends = [weights[j] / (1 - q + weights[j]) for j in (i, i + 1)]
            found.append(
                Cell(least.lower(), most.upper(), (weights[i] / (1 - q)).lower(), _spread(ends[0], ends[1], a))
            )
        return found


def _spread(first: arb, last: arb, a: arb) -> arb:
    """The least p(1 - p) between two probabilities for a > 0, else the greatest; it rises up to 1/2 and falls then."""
    ends = first * (1 - first), last * (1 - last)
    if a > 0:
        return ends[0].min(ends[1])
    half = fmpq(1, 2)
    return ends[0].max(ends[1]) if last < half or first > half else arb(half * half)
