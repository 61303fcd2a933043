"""One step's privacy loss replaced by one on a lattice, from above by splitting and from below by merging.

Splitting keeps the masses under both distributions, which can only spread the likelihood ratio; merging can only
contract it.  So the first has everywhere a larger privacy profile and the second a smaller one, and both orders are
kept by composition (docs/accounting.md).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from flint import arb, fmpq

from dpsym.accounting.loss_distributions.lattice import Atom, Edge, Law
from dpsym.core.deadline import TooCostly, check

Pair = tuple[arb, arb]  # masses under P and Q
NO_OFFSET = fmpq(0)


@dataclass(frozen=True, slots=True)
class Cells:
    """A law cut at the losses offset + kh of some integers k, its marks, and half-way between successive ones.

    Attributes:
        h, offset: the lattice.
        marks: increasing integers.
        points: masses that lie exactly on a mark (even places) or half-way to the next (odd places).
        halves: masses between these.
        below, above: what lies beyond the first and the last mark.
        infinite: the mass under P at an infinite loss.
    """

    h: fmpq
    offset: fmpq
    marks: Sequence[int]
    points: list[Pair]
    halves: list[Pair]
    below: Pair
    above: Pair
    infinite: arb

    def ratios(self) -> list[arb]:
        """The likelihood ratios at the marks."""
        return [arb(self.offset + k * self.h).exp() for k in self.marks]


@dataclass(frozen=True, slots=True)
class Masses:
    """Non-negative masses at the marks under P, with `escaped`: mass at an infinite loss."""

    marks: Sequence[int]
    values: list[arb]
    escaped: arb


def cells(law: Law, h: fmpq, marks: Sequence[int], offset: fmpq = NO_OFFSET) -> Cells:
    """Cut a law at the losses offset + kh, k the marks, and half-way between them.

    Raises:
        OutOfTime: when there is no time left.
        TooCostly: where it takes more precision to tell an atom from a point.
    """
    nothing = arb(0), arb(0)
    half = h / 2
    places = [2 * marks[0]]  # in units of half a step
    for left, right in pairwise(marks):
        places += [left + right, 2 * right]
    count = len(places) - 1
    points, halves = [nothing] * (count + 1), [nothing] * count
    below = above = nothing
    if law.edge(arb(0)) is not None:
        edges = []
        for place in places:
            check()
            edges.append(_edge(law, offset + place * half))
        halves = [_between(left, right) for left, right in pairwise(edges)]
        below = edges[0].first_below, edges[0].second_below
        above = edges[-1].first_above, edges[-1].second_above
    for atom in law.atoms():
        low, high = _neighbours(atom, half, offset)
        mass = atom.first, atom.second
        at = bisect_right(places, low) - 1  # the last place that is not above
        if high <= places[0] and low < places[0]:
            below = _plus(below, mass)
        elif high > places[-1]:
            above = _plus(above, mass)
        elif low == high == places[at]:
            points[at] = _plus(points[at], mass)
        elif at < count and high <= places[at + 1]:
            halves[at] = _plus(halves[at], mass)
        else:
            raise TooCostly("an atom cannot be told from a point of the lattice")
    return Cells(h, offset, marks, points, halves, below, above, law.infinite())


def from_above(cut: Cells) -> Masses:
    """A law on the lattice that is no more private, by splitting.

    What lies between two marks is split among them; what lies below the first goes there; what lies above the last
    becomes infinite.
    """
    values = [p for p, _ in cut.points[::2]]
    values[0] += cut.below[0]
    for i, (ratio, higher) in enumerate(pairwise(cut.ratios())):
        p, q = _plus(_plus(cut.halves[2 * i], cut.points[2 * i + 1]), cut.halves[2 * i + 1])
        gap = higher / ratio
        values[i + 1] += (p - ratio * q) / (1 - 1 / gap)
        values[i] += (higher * q - p) / (gap - 1)
    return Masses(cut.marks, values, cut.above[0] + cut.infinite)


def from_below(cut: Cells) -> Masses:
    """A law on the lattice that is no less private, by merging.

    What lies nearest to a mark counts as a loss there with its mass under Q where its likelihood ratio as a whole is
    at least that of the mark; what the next such cell has in excess first lifts some of this one to the next mark, and
    a cell that has itself much in excess joins the next one.  A cell that lacks something takes as little of the next
    one as suffices; what not even all of that lifts counts as a loss at a mark before that it reaches.  What lies below
    the first mark is forgotten; marks that nothing is near to are passed over.  Infinite losses stay what they are.
    """
    values = [p for p, _ in cut.points[::2]]
    groups, ratios = _around_points(cut), cut.ratios()
    beyond = ratios[-1] * arb(cut.h).exp()  # a mark that nothing lies on
    filled = [i for i, (p, q) in enumerate(groups) if p > 0 and q > 0]  # to forget the others is from below
    p, q = groups[filled[0]] if filled else (arb(0), arb(0))
    for i, following in zip(filled, [*filled[1:], None], strict=False):
        p_next, q_next = (arb(0), arb(0)) if following is None else groups[following]
        ratio, higher = ratios[i], beyond if following is None else ratios[following]
        if p >= ratio * q:
            much = (higher / ratio - 1) ** 2 / 20
            wasteful = p > ratio * q * (1 + much) and following is not None
            lent = arb(1) if wasteful else _at_most(p_next - higher * q_next, higher * q - p)
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
        lower = next((k for k in range(i - 1, -1, -1) if p >= ratios[k] * q), None)
        if lower is not None:
            values[lower] += ratios[lower] * (1 - lifted) * q
        if lifted > 0:
            values[i] += ratio * q_next
            p, q = arb(0), arb(0)
        else:
            p, q = p_next, q_next
    return Masses(cut.marks, values, cut.infinite)


def _around_points(cut: Cells) -> list[Pair]:
    """The masses nearest to each mark, that on the mark itself left out; the last cell reaches to infinity."""
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
    edge = law.edge(loss)
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


def _neighbours(atom: Atom, h: fmpq, offset: fmpq) -> tuple[int, int]:
    """The lattice points around an atom; the same one twice where it is known to lie on it."""
    if atom.exact is not None:
        place = (atom.exact - offset) / h
        return int(place.floor()), int(place.ceil())
    place = (atom.loss - offset) / h
    return int(place.lower().floor().unique_fmpz()), int(place.upper().ceil().unique_fmpz())
