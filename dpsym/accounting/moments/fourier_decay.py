"""How fast the moment function of a loss with a density falls along a contour: the density, layer by layer.

Where a density f of total mass 1 is at least v_1 >= v_2 >= ... on nested intervals I_1, I_2, ..., it is a sum of
the layers (v_j - v_{j+1}) 1_{I_j} and of a rest, so that its Fourier transform is at most
1 - sum (v_j - v_{j+1}) |I_j| (1 - |sinc(t |I_j|/2)|).
"""

from __future__ import annotations

from flint import arb, ctx

from dpsym.accounting.effort import ROUGH_BITS

_SECOND_LOBE = 0.21724  # |sin u/u| is at most this for u >= 2.7
_FIRST_LOBE = 2.7  # up to where sin u/u itself is taken, which falls up to pi


class Layers:
    """A certified minorant of a density, as layers on nested intervals.

    Args:
        losses: the nodes of its cells, monotone.
        least: for each cell a number that the density, of total mass 1 with whatever else there is, exceeds.
    """

    def __init__(self, losses: list[arb], least: list[arb]) -> None:
        with ctx.workprec(ROUGH_BITS):
            self._layers = _nested(least, losses)

    def bound(self, t: arb) -> arb:
        """A number that the modulus of the Fourier transform does not exceed at t or beyond."""
        with ctx.workprec(ROUGH_BITS):
            lost = arb(0)
            for height, length in self._layers:
                u = t * length / 2
                cap = arb(str(_SECOND_LOBE))
                envelope = (u.sin() / u).max(cap) if u < _FIRST_LOBE else cap.min(1 / u)
                lost += height * length * (1 - envelope)
            return (1 - lost).upper().max(arb(0))


def _nested(least: list[arb], losses: list[arb]) -> list[tuple[arb, arb]]:
    """Heights v_j - v_{j+1} and lengths |I_j|, rounded down; the intervals grow from the highest cell."""
    sizes = [float(v) for v in least]
    left = right = max(range(len(sizes)), key=sizes.__getitem__)
    grown: list[tuple[arb, arb]] = []
    level = least[left]
    while True:
        grown.append((level, abs(losses[right + 1] - losses[left]).lower()))
        below = sizes[left - 1] if left > 0 else -1.0
        above = sizes[right + 1] if right + 1 < len(sizes) else -1.0
        if max(below, above) <= 0:
            break
        left, right = (left - 1, right) if below > above else (left, right + 1)
        level = level.min(least[left if below > above else right])
    heights = [v for v, _ in grown] + [arb(0)]
    return [
        ((heights[j] - heights[j + 1]).lower(), length)
        for j, (_, length) in enumerate(grown)
        if heights[j] > heights[j + 1] and length > 0
    ]
