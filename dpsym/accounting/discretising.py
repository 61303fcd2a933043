"""One step's privacy loss replaced by one on a lattice, from above by splitting and from below by merging.

Splitting keeps the masses under both distributions, which can only spread the likelihood ratio; merging can only
contract it.  So the first has everywhere a larger privacy profile and the second a smaller one, and both orders are
kept by composition (docs/accounting.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from flint import arb, fmpq

from dpsym.accounting.laws import Atom, Edge, Law
from dpsym.accounting.limits import Deadline, TooCostly

Pair = tuple[arb, arb]  # masses under P and Q


@dataclass(frozen=True, slots=True)
class Cells:
    """A law cut at the points kh, first <= k <= last, and half-way between them.

    Attributes:
        points: masses that lie exactly on kh (even places) or half-way to the next (odd places).
        halves: masses between these.
        below, above: what lies beyond the first and the last point.
    """

    h: fmpq
    first: int
    points: list[Pair]
    halves: list[Pair]
    below: Pair
    above: Pair


@dataclass(frozen=True, slots=True)
class Masses:
    """Non-negative masses at (first + i) h under P, with `escaped`: mass at an infinite loss."""

    first: int
    values: list[arb]
    escaped: arb


def cells(law: Law, h: fmpq, first: int, last: int, deadline: Deadline) -> Cells:
    """Cut a law at the points kh, first <= k <= last, and half-way between them.

    Raises:
        OutOfTime: at the deadline.
        TooCostly: where it takes more precision to tell an atom from a point.
    """
    nothing = arb(0), arb(0)
    count, half, start = 2 * (last - first), h / 2, 2 * first
    points, halves = [nothing] * (count + 1), [nothing] * count
    below = above = nothing
    if law.edge(arb(0)) is not None:
        edges = []
        for k in range(count + 1):
            deadline.check()
            edges.append(_edge(law, (start + k) * half))
        halves = [_between(left, right) for left, right in pairwise(edges)]
        below = edges[0].first_below, edges[0].second_below
        above = edges[-1].first_above, edges[-1].second_above
    for atom in law.atoms():
        low, high = (k - start for k in _neighbours(atom, half))
        mass = atom.first, atom.second
        if low < 0:
            below = _plus(below, mass)
        elif high > count:
            above = _plus(above, mass)
        elif low == high:
            points[low] = _plus(points[low], mass)
        elif high == low + 1:
            halves[low] = _plus(halves[low], mass)
        else:
            raise TooCostly("an atom cannot be told from a point of the lattice")
    return Cells(h, first, points, halves, below, above)


def from_above(cut: Cells) -> Masses:
    """A law on the lattice that is no more private, by splitting.

    What lies between two points is split among them; what lies below the first goes there; what lies above the last
    becomes infinite.
    """
    values = [p for p, _ in cut.points[::2]]
    values[0] += cut.below[0]
    gap = arb(cut.h).exp()
    for i in range(len(values) - 1):
        p, q = _plus(_plus(cut.halves[2 * i], cut.points[2 * i + 1]), cut.halves[2 * i + 1])
        ratio = arb((cut.first + i) * cut.h).exp()
        values[i + 1] += (p - ratio * q) / (1 - 1 / gap)
        values[i] += (ratio * gap * q - p) / (gap - 1)
    return Masses(cut.first, values, cut.above[0])


def from_below(cut: Cells) -> Masses:
    """A law on the lattice that is no less private, by merging.

    What lies within h/2 of kh counts as a loss of kh with its mass under Q where its likelihood ratio as a whole is
    at least exp(kh); what the next such cell has in excess first lifts some of this one to (k+1)h, and a cell that
    has itself much in excess joins the next one.  A cell that lacks something takes as little of the next one as
    suffices; what not even all of that lifts counts as a loss of (k-1)h.  What lies below the first point is forgotten.
    """
    values = [p for p, _ in cut.points[::2]]
    groups = _around_points(cut)
    step, much = arb(cut.h).exp(), cut.h * cut.h / 20
    p, q = groups[0]
    for i, (p_next, q_next) in enumerate([*groups[1:], (arb(0), arb(0))]):
        ratio = arb((cut.first + i) * cut.h).exp()
        if p >= ratio * q:
            wasteful = p > ratio * q * (1 + much) and i < len(values) - 1
            lent = arb(1) if wasteful else _at_most(p_next - ratio * step * q_next, ratio * step * q - p)
            values[i] += ratio * (1 - lent) * q
            p, q = p_next + lent * p, q_next + lent * q
            continue
        lacking, spare = ratio * q - p, p_next - ratio * q_next
        taken = _at_least(lacking, spare)
        if taken is not None:
            values[i] += ratio * (q + taken * q_next)
            p, q = (1 - taken) * p_next, (1 - taken) * q_next
            continue
        lifted = _at_most(spare, lacking)
        values[i] += ratio * lifted * q
        if i > 0:
            values[i - 1] += ratio / step * (1 - lifted) * q
        if lifted > 0:
            values[i] += ratio * q_next
            p, q = arb(0), arb(0)
        else:
            p, q = p_next, q_next
    return Masses(cut.first, values, arb(0))


def _around_points(cut: Cells) -> list[Pair]:
    """The masses within h/2 of each point, that on the point itself left out; the last cell reaches to infinity."""
    groups = []
    for i in range(0, len(cut.points), 2):
        group = cut.halves[i] if i < len(cut.halves) else cut.above
        if i > 0:
            group = _plus(group, _plus(cut.points[i - 1], cut.halves[i - 1]))
        groups.append(group)
    return groups


def _at_least(part: arb, whole: arb) -> arb | None:
    """An exact number in [0, 1] that is at least part/whole; None where there is none for sure."""
    if not whole > 0:
        return None
    share = (part / whole).upper().max(arb(0))
    return share if share <= 1 else None


def _at_most(part: arb, whole: arb) -> arb:
    """An exact number in [0, 1] that is at most part/whole; 0 where the signs are in doubt."""
    if not (part > 0 and whole > 0):
        return arb(0)
    return (part / whole).lower().min(arb(1)).max(arb(0))


def _edge(law: Law, loss: fmpq) -> Edge:
    edge = law.edge(arb(loss))
    if edge is None:
        raise AssertionError("a law has edges everywhere or nowhere")
    return edge


def _between(left: Edge, right: Edge) -> Pair:
    """The masses between two losses, by the differences of the smaller tails."""
    below = right.first_below < left.first_above
    first = right.first_below - left.first_below if below else left.first_above - right.first_above
    below = right.second_below < left.second_above
    second = right.second_below - left.second_below if below else left.second_above - right.second_above
    return first, second


def _plus(one: Pair, other: Pair) -> Pair:
    return one[0] + other[0], one[1] + other[1]


def _neighbours(atom: Atom, h: fmpq) -> tuple[int, int]:
    """The lattice points around an atom; the same one twice where it is known to lie on it."""
    if atom.exact is not None:
        place = atom.exact / h
        return int(place.floor()), int(place.ceil())
    place = atom.loss / h
    return int(place.lower().floor().unique_fmpz()), int(place.upper().ceil().unique_fmpz())
