"""Where a relation may fail: scans, lines, descents and contacts, over exact points of its domain.

Everything is counted in evaluations and drawn from a seed, so that the same question is searched in the same way;
the clock can only end it early.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import pairwise, product

from flint import arb, arb_mat, ctx, fmpq

from dpsym.core.deadline import over
from dpsym.core.relations import Relation
from dpsym.deciding.counterexamples.objective import Axis, Objective, Place
from dpsym.deciding.domain import Domain, Point

_FAR = (12.5, 13.5, 15.0, 18.0, 22.0, 30.0, 50.0, 100.0, 200.0, 300.0)  # where only the growth is wrong
_GRID = (*(-u for u in reversed(_FAR)), *(i / 4 for i in range(-48, 49)), *_FAR)
_GOLDEN = (math.sqrt(5) - 1) / 2
_REFINED = 5  # of the local minima on a line
_POLISH_BITS = 400  # near a minimum doubles cancel; balls of these many bits do not
_TOUCHING = 1e-3  # a relative gap so small that the sides may touch nearby
_SMALL = (1, 2, 1 / 2, 3, 4, 1 / 4, 1 / 3)  # away from an end, or from 0
_MOST_READABLE = 400  # points with such coordinates
_MOST_TOUCHED = 10  # points at which the sides of a strict relation may be equal
_SLOW = 60  # how many times fewer evaluations of sums, integrals and minima are afforded
_LONG = 40  # steps of an evaluation that takes twice the usual time
_BETWEEN_LOOKS = 16  # evaluations between two looks at the clock, where one takes no longer than a look

_Floats = tuple[float, ...]


def search(
    relation: Relation,
    domain: Domain,
    starts: Iterable[Point],
    *,
    evaluations: int,
    seed: int = 0,
) -> Iterator[Point]:
    """Points of the domain at which the relation seems to fail, in the order of discovery.

    Raises:
        NotNumeric: for a relation that has no numbers.
    """
    objective = Objective(relation, domain)
    times = _SLOW if objective.costly else 1 + objective.steps // _LONG
    yield from _Search(objective, evaluations // times, seed).run(list(starts))


class _Over(Exception):
    """The evaluations or the time are used up."""


class _Search:
    def __init__(self, objective: Objective, evaluations: int, seed: int) -> None:
        self._objective = objective
        self._most = evaluations
        self._looked = -_BETWEEN_LOOKS
        self._rng = random.Random(seed)  # noqa: S311 - choosing points is no cryptography
        self._axes = objective.axes
        self._lowest: list[tuple[float, _Floats]] = []
        self._contacts: list[tuple[float, Place]] = []

    def run(self, starts: list[Point]) -> Iterator[Point]:
        phases: list[Callable[[], Iterator[None]]] = [lambda: self._given(starts), self._readable, self._scan]
        if self._axes:
            if self._objective.costly:  # many terms: from few to more
                phases.insert(2, self._lines)
            phases += [self._lines, self._descend, self._polish] * 4
        shown = touched = 0
        try:
            for phase in phases:
                for _ in phase():
                    while self._objective.touching:
                        point = self._objective.point(self._objective.touching.pop())
                        if point is not None and touched < _MOST_TOUCHED:
                            touched += 1
                            yield point
                    while self._objective.suspects:
                        point = self._objective.point(self._objective.suspects.pop())
                        if point is not None:
                            shown += 1
                            yield point
                    if shown > 40:  # they were all shown to be none
                        return
                    self._check()
        except _Over:
            return

    def _check(self) -> None:
        done = self._objective.evaluations
        if done > self._most:
            raise _Over
        if self._objective.costly or done >= self._looked + _BETWEEN_LOOKS:
            self._looked = done
            if over():
                raise _Over

    def _at(self, u: _Floats, digits: int = 3) -> float:
        place = [axis.at(c, digits) for axis, c in zip(self._axes, u, strict=True)]
        gap = self._objective(place)
        self._note(gap, u, place)
        return gap

    def _note(self, gap: float, u: _Floats, place: Place) -> None:
        if len(self._lowest) < 12 or gap < self._lowest[-1][0]:
            self._lowest.append((gap, u))
            self._lowest.sort()
            del self._lowest[12:]
        if abs(gap) < _TOUCHING and (len(self._contacts) < 8 or gap < self._contacts[-1][0]):
            self._contacts.append((gap, place))
            self._contacts.sort(key=lambda c: c[0])
            del self._contacts[8:]

    def _given(self, starts: list[Point]) -> Iterator[None]:
        for start in starts:
            place = self._objective.coordinates(start)
            if place is not None:
                gap = self._objective(place)
                if abs(gap) < _TOUCHING:
                    self._contacts.append((gap, place))
            yield
        self._contacts.sort(key=lambda c: c[0])
        del self._contacts[8:]

    # --- where a strict relation is likely to fail by equality
    def _readable(self) -> Iterator[None]:
        """Small numbers, and ends that belong to the domain, in all coordinates at once."""
        if not self._objective.strict:
            return
        most = max(2, int(_MOST_READABLE ** (1 / max(1, len(self._axes)))))
        values = [[*a.ends(), *(a.at(math.log10(n)) for n in _SMALL)][:most] for a in self._axes]
        for place in product(*values):
            self._objective(list(place))
            yield

    # --- all over the domain
    def _scan(self) -> Iterator[None]:
        for _ in range(self._most // 5):
            spread = self._rng.choice((0.5, 1.5, 4.0, 4.0, 12.0, 300.0))
            place, u = [], []
            for axis in self._axes:
                c = self._random(axis, spread)
                u.append(c)
                ends = axis.ends() if self._rng.random() < 0.08 else []
                place.append(self._rng.choice(ends) if ends else axis.at(c))
            self._note(self._objective(place), tuple(u), place)
            yield

    def _random(self, axis: Axis, spread: float) -> float:
        u = self._rng.uniform(-spread, spread)
        if axis.bounds.lower is None and axis.bounds.upper is None and not axis.integral and self._rng.random() < 0.3:
            return math.copysign(10 ** -abs(u), u)
        return abs(u) if axis.integral and self._rng.random() < 0.7 else u

    # --- along one coordinate
    def _lines(self) -> Iterator[None]:
        bases: list[_Floats] = [tuple(0.0 for _ in self._axes)]
        bases += [u for _, u in self._rng.sample(self._lowest, min(2, len(self._lowest)))]
        bases += [tuple(self._random(a, s) for a in self._axes) for s in (1.0, 3.0)]
        for base in bases:
            for i, axis in enumerate(self._axes):
                grid = _integers(axis) if axis.integral else list(_GRID)
                shift = 0.0 if axis.integral else self._rng.uniform(-0.12, 0.12)
                along = [(*base[:i], u + shift, *base[i + 1 :]) for u in grid]
                gaps = []
                for u in along:
                    gaps.append(self._at(u))
                    yield
                if axis.integral:
                    continue
                low = [j for j in range(1, len(gaps) - 1) if gaps[j - 1] > gaps[j] <= gaps[j + 1]]
                for j in sorted(low, key=lambda j: gaps[j])[:_REFINED]:
                    yield from self._golden(along[j], i, along[j - 1][i], along[j + 1][i])

    def _golden(self, u: _Floats, i: int, left: float, right: float, steps: int = 30) -> Iterator[None]:
        def at(c: float) -> float:
            return self._at((*u[:i], c, *u[i + 1 :]), 16)

        a, b = right - _GOLDEN * (right - left), left + _GOLDEN * (right - left)
        fa, fb = at(a), at(b)
        for _ in range(steps):
            yield
            if fa <= fb:
                right, b, fb = b, a, fa
                a = right - _GOLDEN * (right - left)
                fa = at(a)
            else:
                left, a, fa = a, b, fb
                b = left + _GOLDEN * (right - left)
                fb = at(b)

    # --- downhill in all coordinates at once
    def _descend(self) -> Iterator[None]:
        starts = list(self._lowest)
        if len(starts) > 4:
            starts = [*starts[:2], *self._rng.sample(starts[2:], 2)]
        for _, start in starts:
            yield from self._simplex(start)

    def _simplex(self, start: _Floats) -> Iterator[None]:
        """Nelder and Mead's method."""
        n = len(start)
        size = self._rng.choice((0.02, 0.2, 0.5))
        vertices = [start, *((*start[:i], start[i] + size, *start[i + 1 :]) for i in range(n))]
        found = sorted((self._at(u, 16), u) for u in vertices)
        for _ in range(60 * n):
            yield
            worst, far = found[-1]
            if abs(worst - found[0][0]) < 1e-18:
                return
            centre = [sum(u[i] for _, u in found[:-1]) / n for i in range(n)]

            def along(t: float, centre: list[float] = centre, far: _Floats = far) -> tuple[float, _Floats]:
                u = tuple(c + t * (c - f) for c, f in zip(centre, far, strict=True))
                return self._at(u, 16), u

            new = along(1.0)
            if new[0] < found[0][0]:
                new = min(new, along(2.0))
            elif new[0] >= found[-2][0]:
                new = along(0.5 if new[0] < worst else -0.5)
                if new[0] >= worst:
                    best = found[0][1]
                    shrunk = [tuple((b + c) / 2 for b, c in zip(best, u, strict=True)) for _, u in found[1:]]
                    found = sorted([found[0], *((self._at(u, 16), u) for u in shrunk)])
                    continue
            found = sorted([*found[:-1], new])

    # --- where both sides touch
    def _polish(self) -> Iterator[None]:
        contacts, self._contacts = self._contacts, []
        for _, place in contacts[:5]:
            yield from self._snap(place)
            free = [i for i, axis in enumerate(self._axes) if not axis.integral]
            for chosen in [*([i] for i in free), free] if len(free) > 1 else [free]:
                if chosen:
                    yield from self._newton(list(place), chosen)

    def _snap(self, place: Place) -> Iterator[None]:
        """Simple numbers nearby, where the sides may touch exactly."""
        for most in (1, 2, 6, 30, 1000):
            trial = [fmpq(*_nearest(v, most)) for v in place]
            if all(a.contains(v) for a, v in zip(self._axes, trial, strict=True)):
                self._objective(trial, _POLISH_BITS)
            yield

    def _newton(self, place: Place, chosen: list[int]) -> Iterator[None]:
        """Newton's method for the least gap, by differences at high precision."""
        least = self._objective.value(place, _POLISH_BITS)
        for _ in range(9):
            if least is None:
                return
            yield
            step = self._newton_step(place, chosen, least)
            if step is None:
                return
            for shrink in (1, 8):
                trial = list(place)
                for i, d in zip(chosen, step, strict=True):
                    trial[i] = place[i] - d / shrink
                if not all(a.contains(v) for a, v in zip(self._axes, trial, strict=True)):
                    continue
                gap = self._objective.value(trial, _POLISH_BITS)
                if gap is not None and gap < least:
                    place, least = trial, gap
                    break
            else:
                return
            self._contacts.append((float(least.mid()), place))
            del self._contacts[:-8]

    def _newton_step(self, place: Place, chosen: list[int], here: arb) -> list[fmpq] | None:
        n = len(chosen)
        width = [abs(place[i]) / 2**90 or fmpq(1, 2**90) for i in chosen]

        def at(*moves: tuple[int, int]) -> arb | None:
            trial = list(place)
            for k, sign in moves:
                trial[chosen[k]] += sign * width[k]
            return self._objective.value(trial, _POLISH_BITS)

        before, ctx.prec = ctx.prec, _POLISH_BITS
        try:
            up = [v for k in range(n) if (v := at((k, 1))) is not None]
            down = [v for k in range(n) if (v := at((k, -1))) is not None]
            if len(up) < n or len(down) < n:
                return None
            slope = [[((u - d) / 2).mid()] for u, d in zip(up, down, strict=True)]
            bend = [[arb(0)] * n for _ in range(n)]
            for k in range(n):
                bend[k][k] = (up[k] + down[k] - 2 * here).mid()
                for m in range(k):
                    mixed = at((k, 1), (m, 1))
                    if mixed is None:
                        return None
                    bend[k][m] = bend[m][k] = (mixed - up[k] - up[m] + here).mid()
            try:
                solution = arb_mat(bend).solve(arb_mat(slope))
            except (ZeroDivisionError, ValueError):
                return None
            moves = []
            for k in range(n):
                d = solution[k, 0].mid()
                if not d.is_finite() or abs(d) > arb(2) ** 90:
                    return None
                mantissa, exponent = d.man_exp()
                moves.append(_shortened(fmpq(mantissa) * fmpq(2) ** int(exponent) * width[k]))
            return moves
        finally:
            ctx.prec = before


def _integers(axis: Axis) -> list[float]:
    """Small values one by one, then ever larger ones."""
    small = [math.log10(n) for n in range(1, 41)]
    sides = [*(-u for u in small), *small] if axis.bounds.lower is None and axis.bounds.upper is None else small
    return [*sides, *(u / 5 for u in range(9, 60)), *_FAR]


def _nearest(value: fmpq, most: int) -> tuple[int, int]:
    near = Fraction(int(value.p), int(value.q)).limit_denominator(most)
    return near.numerator, near.denominator


def _shortened(value: fmpq) -> fmpq:
    """To about sixty digits."""
    p, q = int(value.p), int(value.q)
    excess = min(p.bit_length(), q.bit_length()) - 200
    return fmpq(p >> excess, q >> excess) if excess > 0 and q >> excess else value


def crossings(relation: Relation, points: list[Point], domain: Domain) -> Iterator[Point]:
    """For `!=`: simple numbers next to where the sides change places between two of the points."""
    if relation.op != "!=":
        return
    objective = Objective(Relation(relation.lhs, ">", relation.rhs), domain)
    for first, second in pairwise(points):
        ends = [objective.coordinates(first), objective.coordinates(second)]
        if ends[0] is None or ends[1] is None:
            continue
        left, right = ends[0], ends[1]
        low, high = objective(left), objective(right)
        if low * high >= 0 or max(low, high) > 1e3:
            continue
        for _ in range(50):
            middle = [(a + b) / 2 for a, b in zip(left, right, strict=True)]
            gap = objective(middle)
            left, right = (middle, right) if gap * low > 0 else (left, middle)
        for most in (1, 2, 10, 100):
            point = objective.point([fmpq(*_nearest(v, most)) for v in right])
            if point is not None:
                yield point
