"""Answers by lattices: exact sums where all losses lie on one, finer and finer lattices from both sides elsewhere."""

from __future__ import annotations

import math
from collections.abc import Sequence

from flint import arb, ctx, fmpq

from dpsym.accounting.bounds import Bounds, larger
from dpsym.accounting.chernoff import log_of, log_share, simple
from dpsym.accounting.compositions import Laws
from dpsym.accounting.inversion.saddle_point import Saddle, saddle_of_delta, saddle_of_epsilon
from dpsym.accounting.lattices.pessimistic_optimistic import cells
from dpsym.accounting.lattices.tilted_convolution import GUARD, Range, profile
from dpsym.accounting.loss_distributions.adaptive_grid import marks, offset
from dpsym.accounting.loss_distributions.discrete_gaussian import DiscreteGaussianLaw
from dpsym.accounting.loss_distributions.lattice import Law
from dpsym.accounting.query import EXACT_SUM, LATTICE, Found, Question
from dpsym.core.deadline import TooCostly, leave_out, now, remaining

_MOST_POINTS = 4_000_000  # of a lattice, of which one product takes seconds
_MANY_POINTS = 200_000  # for an exact sum: coarser lattices are tried before
_FIRST_POINTS = 2000  # of the first lattice, at least
_FIRST_CELLS = 200  # among which the stake is divided in the first lattice
_FIRST_STAKE = 0.03  # relative error of delta that cells may cause, in the first lattice
_MOST_ASTRAY = 600.0  # a logarithm: what cancels beyond it is not made up for
_ROUNDS = 14  # of lattices, each finer than the one before
_SPENT = 0.4  # of the time left, for the next lattice
_WORTHWHILE = 0.7  # a lattice that is not finer than so much of the last one is not worth its time


def by_lattice(question: Question, found: Found, rounds: int = _ROUNDS) -> None:
    """Narrow what is found, on finer and finer lattices as long as time allows.

    Raises:
        TooCostly: where no tilt can be found.
        OutOfTime: when there is no time left.
    """
    if question.delta is not None:
        at = saddle_of_delta(question.laws, log_of(question.delta))
        rare = -log_of(question.delta)
    else:
        at = saddle_of_epsilon(question.laws, float(arb(question.epsilon)))
        rare = max(0.0, -at.log_delta)
    deviations = math.sqrt(2 * (30 + math.log(question.steps) + rare))
    reaches = [_reach(law, law.reach(at.c, deviations), _negligible(question, found)) for law, _ in question.laws]
    widest = max(high - low for low, high in reaches)
    extent = widest + min(20 * math.sqrt(at.curvature), question.steps * widest)
    exact = common_grid(question.laws)
    if exact is not None and extent / float(arb(exact)) < _MOST_POINTS:
        if extent / float(arb(exact)) > _MANY_POINTS:
            _refined(question, found, at, reaches, extent, 2)
        for known in (False, True):
            if not found.finished:
                _sum(question, found, exact, at, reaches, EXACT_SUM, 0.0, known=known)
        return
    _refined(question, found, at, reaches, extent, rounds)


def _refined(
    question: Question, found: Found, at: Saddle, reaches: list[tuple[float, float]], extent: float, rounds: int
) -> None:
    """Finer and finer lattices, as many as that or as long as time allows."""
    unit = common_divisor([atom.exact for law, _ in question.laws for atom in law.atoms() if atom.exact is not None])
    h, stake = extent / _FIRST_POINTS, _FIRST_STAKE
    stake *= 8 / (question.steps * at.c * (at.c + 1) * _FIRST_CELLS)
    for turn in range(rounds):
        spacing = _spacing(unit, h, extent)
        points, started = extent / float(arb(spacing)), now()
        if points > _MOST_POINTS:
            return
        _sum(question, found, spacing, at, reaches, LATTICE, stake, known=turn > 0)
        seconds = now() - started
        if found.finished:
            return
        finer, fits = _finer(found, question.relative), seconds / (_SPENT * max(remaining(), 1e-9))
        if fits > finer and extent / (h * finer) <= _MOST_POINTS:  # time decides only what its size does not
            leave_out()
            finer = 2 ** (math.ceil(2 * math.log2(fits)) / 2)  # in steps, so that a few calls more change nothing
        if finer > _WORTHWHILE:
            return
        h *= finer
        stake *= finer**3  # its square is the error, and there are more cells


def _negligible(question: Question, found: Found) -> arb | None:
    """A probability, of one step, that may be counted as lost; None where that is not known."""
    at_stake = arb(question.delta) if question.delta is not None else found.bounds.lower
    return at_stake * question.relative / (1000 * question.steps) if at_stake > 0 else None


def _reach(law: Law, reach: tuple[float, float], negligible: arb | None) -> tuple[float, float]:
    """The same, but no further up than where next to nothing lies: a tilt sees more there than there is at stake."""
    low, high = reach = min(reach), max(reach)  # of one loss alone they may come the other way round
    with ctx.workprec(64):
        if negligible is None or law.edge(arb(0)) is None:
            return reach
        for _ in range(30):
            middle = (low + high) / 2
            edge = law.edge(arb(middle))
            if edge is None or not edge.first_above < negligible:
                break
            high = middle
        top = max(atom.loss.upper() for atom in law.atoms()) if law.atoms() else None
    return low, high if top is None else max(high, float(top))


def _finer(found: Found, relative: float) -> float:
    """By which factor the lattice should shrink: the width falls with its square."""
    lower, upper = found.bounds.lower, found.bounds.upper
    if not upper.is_finite() or not lower > 0:
        return 0.05
    width = float((upper - lower) / lower)
    return max(0.02, min(0.5, 0.8 * math.sqrt(relative / width))) if width > 0 else 0.5


def _sum(
    question: Question,
    found: Found,
    h: fmpq,
    at: Saddle,
    reaches: list[tuple[float, float]],
    method: str,
    tolerance: float,
    *,
    known: bool,
) -> None:
    """Bounds from both sides on the lattice of spacing h, laws cut where more than `tolerance` would be at stake.

    `known` says that a lattice has been tried: how well the tilt fits can be told from what was found.
    """
    width, c = float(arb(h)), simple(at.c)
    ends = [(math.floor(low / width) - 2, math.ceil(high / width) + 2) for low, high in reaches]
    widest = max(last - first for first, last in ends)
    points = widest + min(20 * math.sqrt(at.curvature) / width, question.steps * widest)
    bits = 60 + math.ceil(math.log2(question.steps + 1) + math.log2(points))
    astray = _astray(question, found, at) if known else 0.0
    bits += math.ceil(astray / math.log(2))
    if method == EXACT_SUM:
        bits += math.ceil(-math.log2(question.relative)) + 20
    upper = found.bounds.upper if question.epsilon is None else arb(question.epsilon)
    cap = float(upper) if upper.is_finite() else math.inf
    stake = tolerance * math.exp(-astray)
    marked = [marks(law, h, *end, float(arb(c)), stake, cap) for (law, _), end in zip(question.laws, ends, strict=True)]
    for above in (False, True):
        with ctx.workprec(bits + GUARD):
            parts = [
                (cells(law, h, marked[i], offset(law, h, above=above)), count)
                for i, (law, count) in enumerate(question.laws)
            ]
        with ctx.workprec(bits):
            one_side = profile(parts, c, above=above, bits=bits, wanted=_wanted(question, found))
            if question.epsilon is None:
                bound = one_side.epsilon(arb(question.delta))
            else:
                bound = one_side.delta(question.epsilon)
                bound = bound.upper() if above else bound.lower().max(arb(0))
        # each side as soon as it is known: time may end before the other
        lower, upper = (arb(0), bound) if above else (bound, larger(found.bounds.upper, bound))
        found.improve(Bounds(lower, upper), method, question)


def _astray(question: Question, found: Found, at: Saddle) -> float:
    """How far, in logarithms, Chernoff's bound at the tilt lies above the delta at stake, as far as is known.

    Where rare losses are large no tilt fits: what is rounded away counts for more there.
    """
    if question.epsilon is None:
        low, log_delta = float(found.bounds.lower), log_of(question.delta)
    else:
        least = found.bounds.lower
        low, log_delta = float(arb(question.epsilon)), float(least.log()) if least > 0 else at.log_delta
    try:
        log_moment = sum(count * law.cumulants(at.c)[0] for law, count in question.laws)
    except (TooCostly, OverflowError):
        return 0.0
    return min(max(0.0, log_moment + log_share(at.c) - at.c * low - log_delta), _MOST_ASTRAY)


def _wanted(question: Question, found: Found) -> Range:
    """The part of the profile that answers; beyond the bounds that are known nothing is asked."""
    if question.epsilon is not None:
        return Range(question.epsilon, question.epsilon)
    upper = found.bounds.upper
    high = simple(float(upper), 40) * fmpq(17, 16) if upper.is_finite() and 0 < float(upper) < math.inf else None
    return Range(fmpq(0), high, arb(question.delta))


def common_grid(laws: Laws) -> fmpq | None:
    """The spacing of the lattice on which all losses lie exactly; None where there is none."""
    losses: list[fmpq] = []
    for law, _ in laws:
        if isinstance(law, DiscreteGaussianLaw):
            losses.append(law.unit)
            continue
        if law.edge(arb(0)) is not None:
            return None
        for atom in law.atoms():
            if atom.exact is None:
                return None
            losses.append(atom.exact)
    return common_divisor(losses)


def common_divisor(losses: Sequence[fmpq]) -> fmpq | None:
    """The greatest common divisor of rationals; None where all of them are 0."""
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
