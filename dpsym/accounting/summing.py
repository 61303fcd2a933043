"""Answers by lattices: exact sums where all losses lie on one, finer and finer lattices from both sides elsewhere."""

from __future__ import annotations

import math
import time

from flint import arb, ctx, fmpq

from dpsym.accounting.bounds import Bounds
from dpsym.accounting.compositions import Laws
from dpsym.accounting.lattice import profile
from dpsym.accounting.laws import Law
from dpsym.accounting.planning import Saddle, saddle_of_delta, saddle_of_epsilon
from dpsym.accounting.questions import EXACT_LATTICE, LATTICE, Found, Question
from dpsym.accounting.tails import log_of, simple

_MOST_POINTS = 4_000_000
_FIRST_POINTS = 800  # of the first lattice, at least
_ROUNDS = 14


def by_lattice(question: Question, found: Found) -> None:
    """Narrow what is found, on finer and finer lattices as long as time allows.

    Raises:
        TooCostly: where no tilt can be found.
        OutOfTime: at the deadline.
    """
    if question.delta is not None:
        at = saddle_of_delta(question.laws, log_of(question.delta))
        rare = -log_of(question.delta)
    else:
        at = saddle_of_epsilon(question.laws, float(arb(question.epsilon)))
        rare = max(0.0, -at.log_delta)
    deviations = math.sqrt(2 * (30 + math.log(question.steps) + rare))
    reaches = [law.reach(at.c, deviations) for law, _ in question.laws]
    extent = max(high - low for low, high in reaches) + 20 * math.sqrt(at.curvature)
    exact = common_grid(question.laws)
    if exact is not None and extent / float(arb(exact)) < _MOST_POINTS:
        _sum(question, found, exact, at, reaches, EXACT_LATTICE)
        return
    unit = _grid([atom.exact for law, _ in question.laws for atom in law.atoms() if atom.exact is not None])
    wanted = extent / _FIRST_POINTS
    for _ in range(_ROUNDS):
        h = _spacing(unit, wanted, extent)
        points, started = extent / float(arb(h)), time.monotonic()
        if points > _MOST_POINTS:
            return
        before = found.bounds
        _sum(question, found, h, at, reaches, LATTICE)
        seconds = time.monotonic() - started
        if found.finished:
            return
        finer = _finer(found, question.relative, improved=found.bounds is not before)
        if question.deadline.left < 2 * seconds / finer:
            finer = 2.2 * seconds / max(question.deadline.left, 1e-9)
            if finer > 0.7:
                return
        wanted = float(arb(h)) * finer


def _finer(found: Found, relative: float, *, improved: bool) -> float:
    """By which factor the lattice should shrink: the width falls with its square."""
    lower, upper = found.bounds.lower, found.bounds.upper
    if not improved or not upper.is_finite() or not lower > 0:
        return 0.3
    width = float((upper - lower) / lower)
    return max(0.15, min(0.5, 0.8 * math.sqrt(relative / width))) if width > 0 else 0.5


def _sum(
    question: Question, found: Found, h: fmpq, at: Saddle, reaches: list[tuple[float, float]], method: str
) -> None:
    """Bounds from both sides on the lattice of spacing h."""
    width = float(arb(h))
    parts: list[tuple[Law, int, tuple[int, int]]] = []
    for (law, count), (low, high) in zip(question.laws, reaches, strict=True):
        parts.append((law, count, (math.floor(low / width) - 2, math.ceil(high / width) + 2)))
    points = max(last - first for _, _, (first, last) in parts) + 20 * math.sqrt(at.curvature) / width
    bits = 64 + math.ceil(math.log2(question.steps + 1) + math.log2(points))
    if method == EXACT_LATTICE:
        bits += math.ceil(-math.log2(question.relative)) + 20
    c = simple(at.c)
    ends: list[arb] = []
    for above in (False, True):
        down = 0 if question.epsilon is None else int((question.epsilon / h).floor())
        with ctx.workprec(bits):
            until = arb(question.delta) if question.delta is not None else None
        one_side = profile(parts, h, c, above=above, bits=bits, down_to=down, until=until, deadline=question.deadline)
        with ctx.workprec(bits):
            if question.epsilon is not None:
                bound = one_side.delta(question.epsilon)
                ends.append(bound.upper() if above else bound.lower().max(arb(0)))
            else:
                bound = one_side.epsilon(arb(question.delta), above=above)
                ends.append(bound)
    found.improve(Bounds(ends[0], ends[1]), method, question.relative)


def common_grid(laws: Laws) -> fmpq | None:
    """The spacing of the lattice on which all losses lie exactly; None where there is none."""
    losses: list[fmpq] = []
    for law, _ in laws:
        if law.edge(arb(0)) is not None:
            return None
        for atom in law.atoms():
            if atom.exact is None:
                return None
            losses.append(atom.exact)
    return _grid(losses)


def _grid(losses: list[fmpq]) -> fmpq | None:
    """The greatest common divisor of rationals."""
    unit = fmpq(0)
    for loss in losses:
        common = unit.q * loss.q
        unit = fmpq(math.gcd(int(unit.p * loss.q), int(loss.p * unit.q)), int(common))
    return unit if unit > 0 else None


def _spacing(unit: fmpq | None, wanted: float, extent: float) -> fmpq:
    """About the wanted spacing; where possible a divisor of `unit`, so that exact atoms stay on the lattice."""
    if unit is not None and extent / float(arb(unit)) < _MOST_POINTS / 4:
        return unit / max(1, math.ceil(float(arb(unit)) / wanted))
    return simple(wanted)
