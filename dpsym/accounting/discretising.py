"""One step's privacy loss replaced by one on a lattice, from above by splitting and from below by merging.

Splitting keeps the masses under both distributions, which can only spread the likelihood ratio; merging can only
contract it.  So the first has everywhere a larger privacy profile and the second a smaller one, and both orders are
kept by composition (docs/accounting.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from flint import arb, fmpq

from dpsym.accounting.deadline import Deadline
from dpsym.accounting.laws import Atom, Edge, Law

_TRIALS = 12  # of finding where to cut
_WASTE = 0.004  # a cell's ratio may exceed its point's by this times h^2: little beside what merging costs anyway


@dataclass(frozen=True, slots=True)
class Masses:
    """Non-negative masses at (first + i) h under P, with `escaped`: mass at an infinite loss."""

    first: int
    values: list[arb]
    escaped: arb


def from_above(law: Law, h: fmpq, first: int, last: int, deadline: Deadline) -> Masses:
    """A law on the lattice that is no more private, by splitting.

    What lies between kh and (k+1)h is split among them; what lies below first goes there; what lies above last
    becomes infinite.
    """
    values = [arb(0)] * (last - first + 1)
    escaped = arb(0)
    for atom in law.atoms():
        low, high = (max(first, k) for k in _neighbours(atom, h))
        if high > last:
            escaped += atom.first
        elif low == high:
            values[low - first] += atom.first
        else:
            _split(values, first, low, high, h, (atom.first, atom.second))
    edges: list[Edge] = []
    for k in range(first, last + 1):
        deadline.check()
        edge = law.edge(arb(k * h))
        if edge is None:
            break
        edges.append(edge)
    if edges:
        values[0] += edges[0].first_below
        escaped += edges[-1].first_above
        for i, (left, right) in enumerate(pairwise(edges)):
            _split(values, first, first + i, first + i + 1, h, _between(left, right))
    return Masses(first, values, escaped)


def from_below(law: Law, h: fmpq, first: int, last: int, deadline: Deadline) -> Masses:
    """A law on the lattice that is no less private, by merging.

    The outcomes between two cuts, one on either side of kh, count as a loss of kh with their mass under Q, where
    their likelihood ratio together is at least exp(kh), and else as one of (k-1)h; what lies below first is
    forgotten.  The cuts are sought so that the ratio exceeds exp(kh) as little as possible.
    """
    values = [arb(0)] * (last - first + 1)

    def put(k: int, second: arb) -> None:
        if k >= first:
            values[min(k, last) - first] += second * arb(min(k, last) * h).exp()

    for atom in law.atoms():
        put(_neighbours(atom, h)[0], atom.second)
    cut = (first - fmpq(1, 2)) * h
    left = law.edge(arb(cut))
    if left is None:
        return Masses(first, values, arb(0))
    for k in range(first, last):
        if cut >= k * h:
            continue  # the last cell reached beyond this point
        deadline.check()
        cut, right, enough = _balanced(law, left, cut, k, h)
        put(k if enough else k - 1, _between(left, right)[1])
        left = right
    enough = left.first_above >= left.second_above * arb(last * h).exp()
    put(last if enough else last - 1, left.second_above)
    return Masses(first, values, arb(0))


def _balanced(law: Law, left: Edge, cut: fmpq, k: int, h: fmpq) -> tuple[fmpq, Edge, bool]:
    """The next cut, its edge, and whether what lies between certainly has a likelihood ratio of exp(kh) or more.

    The excess P - exp(kh) Q of a cell grows with its upper end beyond kh; the end is found by regula falsi.
    """
    point, waste = arb(k * h).exp(), _WASTE * float(arb(h)) ** 2
    low, high = k * h, (k + 2) * h
    below: float | None = None  # the excess at either end, where it is known
    above: float | None = None
    end = max(k * h + h / 100, min(high, 2 * k * h - cut))
    best: tuple[fmpq, Edge] | None = None
    for _ in range(_TRIALS):
        right = _edge(law, end)
        first, second = _between(left, right)
        excess = first - point * second
        relative = float(excess / (point * second)) if second > 0 else -1.0
        if excess >= 0:
            best = end, right
            if relative <= waste:
                break
            high, above = end, relative
        else:
            low, below = end, relative
        # a little beyond the estimate, so that it errs to the useful side
        share = 1.02 * below / (below - above) if below is not None and above is not None else 0.5
        end = low + (high - low) * fmpq(round(min(max(share, 0.02), 0.98) * 2**40), 2**40)
    if best is not None:
        return *best, True
    middle = (k + fmpq(1, 2)) * h
    return middle, _edge(law, middle), False


def _edge(law: Law, loss: fmpq) -> Edge:
    edge = law.edge(arb(loss))
    if edge is None:
        raise AssertionError("a law has edges everywhere or nowhere")
    return edge


def _between(left: Edge, right: Edge) -> tuple[arb, arb]:
    """The masses between two losses under P and under Q, by the differences of the smaller tails."""
    below = right.first_below < left.first_above
    first = right.first_below - left.first_below if below else left.first_above - right.first_above
    below = right.second_below < left.second_above
    second = right.second_below - left.second_below if below else left.second_above - right.second_above
    return first, second


def _split(values: list[arb], first: int, low: int, high: int, h: fmpq, masses: tuple[arb, arb]) -> None:
    """Put masses under P and Q at the points low and high so that both are kept."""
    p, q = masses
    ratio, gap = arb(low * h).exp(), arb((high - low) * h).exp()
    values[high - first] += (p - ratio * q) / (1 - 1 / gap)
    values[low - first] += (ratio * gap * q - p) / (gap - 1)


def _neighbours(atom: Atom, h: fmpq) -> tuple[int, int]:
    """The lattice points around an atom; the same one twice where it is known to lie on it."""
    if atom.exact is not None:
        place = atom.exact / h
        return int(place.floor()), int(place.ceil())
    place = atom.loss / h
    return int(place.lower().floor().unique_fmpz()), int(place.upper().ceil().unique_fmpz())
