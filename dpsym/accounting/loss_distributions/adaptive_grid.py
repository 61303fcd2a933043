"""Which points of a lattice a law is cut at: close together where much of it lies.  Nothing here is trusted.

Whatever the marks and the offset, the lattices bound the law; the marks decide how closely, and at what cost.
"""

from __future__ import annotations

import math

from flint import arb, ctx, fmpq

from dpsym.accounting.effort import ROUGH_BITS
from dpsym.accounting.lattices.pessimistic_optimistic import NO_OFFSET
from dpsym.accounting.loss_distributions.discrete_gaussian import DiscreteGaussianLaw
from dpsym.accounting.loss_distributions.lattice import Law

_LEAST = 64  # cells, whatever is in them
_MOST_MARKS = 400_000  # of one law, whose masses take some seconds
_NUDGE = 2.0**-30  # of the spacing, by which an offset stays below the spike it is for


def marks(law: Law, h: fmpq, first: int, last: int, c: float, tolerance: float, cap: float = math.inf) -> list[int]:
    """Integers from first to last such that, of the law tilted by exp(cL), no cell has mass * width^2 > tolerance.

    Losses above `cap` count as if they were it.
    """
    if isinstance(law, DiscreteGaussianLaw) and (law.unit / h).q == 1:
        every = int((law.unit / h).p)
        return list(range(first // every * every, last + every, every))
    found = {first, last}
    for atom in law.atoms():
        place = float(arb(atom.exact) if atom.exact is not None else atom.loss) / float(arb(h))
        near = (
            (round(place),)
            if atom.exact is not None and (atom.exact / h).q == 1
            else (math.floor(place), math.ceil(place))
        )
        found.update(k for k in near if first < k < last)
    with ctx.workprec(ROUGH_BITS):
        if law.edge(arb(0)) is not None:
            found.update(_bisected(law, h, first, last, c, tolerance, cap))
    return sorted(found)


def _bisected(law: Law, h: fmpq, first: int, last: int, c: float, tolerance: float, cap: float) -> set[int]:
    known: dict[int, tuple[float, float]] = {}
    width, log_moment = float(arb(h)), law.cumulants(c)[0]
    least = math.log(max(tolerance, 5e-324))
    widest = max(1, (last - first) // _LEAST)

    def at(k: int) -> tuple[float, float]:
        if k not in known:
            edge = law.edge(arb(k * h))
            known[k] = (float(edge.first_below), float(edge.first_above)) if edge is not None else (0.0, 0.0)
        return known[k]

    found: set[int] = set()
    cells = [(first, last)]
    while cells and len(found) < _MOST_MARKS:
        low, high = cells.pop()
        if high - low < 2:
            continue
        left, right = at(low), at(high)
        mass = right[0] - left[0] if right[0] < left[1] else left[1] - right[1]
        size = (high - low) * width
        weight = math.log(mass) + c * min(high * width, cap) - log_moment if mass > 0 else -math.inf
        if high - low > widest or weight + 2 * math.log(size) > least:
            middle = (low + high) // 2
            found.add(middle)
            cells += [(low, middle), (middle, high)]
    return found


def offset(law: Law, h: fmpq, *, above: bool) -> fmpq:
    """Where the lattice should begin: where it can hold a law exactly, or its spike."""
    if isinstance(law, DiscreteGaussianLaw) and (law.unit / h).q == 1:
        return law.offset
    return NO_OFFSET if above else spike(law, h)


def spike(law: Law, h: fmpq) -> fmpq:
    """An offset that puts a point of the lattice just below the loss of what is nearly always lost; 0 where none is."""
    found = fmpq(0)
    with ctx.workprec(2 * ROUGH_BITS):
        if law.edge(arb(0)) is None or any(atom.exact is not None for atom in law.atoms()):
            return NO_OFFSET
        for _ in range(4):
            left, right = law.edge(found - h / 2), law.edge(found + h / 2)
            if left is None or right is None:
                return NO_OFFSET
            first, second = right.first_below - left.first_below, right.second_below - left.second_below
            if not (first > 0.5 and second > 0.5):
                return NO_OFFSET
            loss = float((first / second).log() / h)
            found = h * fmpq(math.floor((loss - _NUDGE) * 2**40), 2**40)
    return found
