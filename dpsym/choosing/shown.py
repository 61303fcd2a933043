"""How much less the error of a mechanism could be at other parameters: shown, for all parameters, by boxes of them.

On each box either the error is at least what it has to be, or the guarantee fails.  The error is at least that at a
corner where the size of the noise is stochastically monotone in a parameter: where the likelihood ratio is monotone.
Of another parameter that only raises the density's part with the outcome, it is that at the lower end, times what the
constant factor loses.  The guarantee fails where the claim, which is tight, is more than what is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import count, product

import sympy as sp
from flint import arb, ctx

from dpsym.choosing.calibrated import Budgets, CannotMeet, Wanted, nearest
from dpsym.choosing.errors import MEASURES, NoErrors, beyond, error_of, even, scales
from dpsym.core.balls import ranges
from dpsym.core.balls.ends import INFINITY
from dpsym.core.balls.ranges import Range
from dpsym.core.clocks import Work
from dpsym.core.deadline import over
from dpsym.core.distributions import Pmf
from dpsym.core.notation import Delta, delta
from dpsym.core.relations import Relation
from dpsym.core.verdicts import Verdict
from dpsym.deciding import Domain, decide
from dpsym.numbers import NotNumeric, Tape, compiled, rational_ball
from dpsym.statements import Mechanism, Use

SHARES = tuple(Fraction(1, 10**n) for n in (3, 2, 1))  # of the error: what is tried to be shown, the best first
_BOXES = 4000  # at most, for one share: a few seconds
_BITS = 64  # of a box's ends; what is rounded is in the box
_FINE = 160  # of an error, of which large terms cancel each other
_HALF = sp.Rational(1, 2)  # of a step: where Tulap noise first drops
_QUESTIONS, _FOR_ONE = 3, Work(4)  # about boxes without an end, which only a proof covers, and for each of them
_BEYOND = 1000  # times the finite end: there a box without an end is looked at before a proof is tried
_YES = (Verdict.PROVED, Verdict.CERTIFIED)

Side = tuple[Fraction, Fraction | None]  # None: without an end
Box = tuple[Side, ...]


def better_by_at_most(
    use: Use, wanted: Wanted, name: str, beta: Fraction, error: Fraction, shares: Sequence[Fraction] = SHARES
) -> Fraction | None:
    """The share of the error by which no parameters are better that the guarantee allows; None where none is shown.

    Args:
        use: the mechanism at the best parameters that are known.
        wanted: the guarantee.
        name, beta: of the error.
        error: what its error is compared with: its own, or that of another mechanism.
        shares: which are tried, in order.
    """
    try:
        family = _Family(use, wanted, name, beta)
        return next((share for share in shares if family.has_at_least(error * (1 - share))), None)
    except (_NotCovered, CannotMeet, NotNumeric):
        return None


class _NotCovered(ValueError):
    """Nothing is shown of such a mechanism."""


@dataclass(frozen=True)
class _Family:
    use: Use
    wanted: Wanted
    name: str
    beta: Fraction

    def has_at_least(self, target: Fraction) -> bool:
        """Whether its error is at least this at all parameters that the guarantee allows."""
        with ctx.workprec(_FINE):
            if not self.share([Fraction(v) for v in self.best], target) >= 1:
                return False
        boxes, asked = list(self._first()), 0
        for _ in range(_BOXES):
            if not boxes:
                return True
            box = boxes.pop()
            if self.forbidden(box) or self.large(box, target) or self.escapes(box):
                continue
            without = self.end == sp.oo and any(low == 0 or high is None for low, high in box)
            if without and self._may_be_forbidden(box):
                asked += 1
                if asked > _QUESTIONS or over():
                    return False
                if self._shown_forbidden(box):
                    continue
            boxes += self._halves(box)
            if over():
                return False
        return False

    # --- what is known of the mechanism
    @cached_property
    def mechanism(self) -> Mechanism:
        return self.use.mechanism

    @cached_property
    def own(self) -> tuple[sp.Symbol, ...]:
        return tuple(p for p in self.mechanism.params if p != Delta)

    @cached_property
    def best(self) -> tuple[sp.Rational, ...]:
        return tuple(self.use.args[p] for p in self.own)

    @cached_property
    def claim(self) -> tuple[Tape, sp.Expr]:
        """How much more the budget is than the one asked for, as a tape in the parameters; the budget as a formula."""
        known = Budgets.of(self.mechanism, self.wanted)
        if self.wanted.times > 1 or not known.exact or len(known.known) != 1:
            raise _NotCovered
        _, symbols, assume, formula = known.known[0]
        if assume or symbols != self.own:
            raise _NotCovered
        return compiled((_gathered(formula) - self.wanted.budget[1],), self.own), formula

    @cached_property
    def domain(self) -> Domain:
        return Domain(tuple(c.subs({Delta: self.wanted.sensitivity}) for c in self.mechanism.domain))

    def side(self, parameter: sp.Symbol) -> Side:
        """Between which values the domain has the parameter."""
        bounds = self.domain.bounds[parameter]
        if bounds.lower is None or bounds.lower < 0:
            raise _NotCovered
        return Fraction(bounds.lower), None if bounds.upper is None else Fraction(bounds.upper)

    @cached_property
    def end(self) -> sp.Expr:
        """Where the noise ends."""
        noise = self.mechanism.noise_added
        return noise.upper if isinstance(noise, Pmf) else sp.oo if noise is None else noise.support.end

    @cached_property
    def noise(self) -> tuple[sp.Symbol, sp.Expr, sp.Expr]:
        """The outcome, the constant factor, and the logarithm of the rest at outcomes of 0 or more."""
        noise = self.mechanism.noise_added
        if noise is None:
            raise _NotCovered
        noise = noise.subs({Delta: self.wanted.sensitivity})
        factor, rest = noise.expression.as_independent(noise.variable, as_Add=False)
        if not isinstance(rest, sp.exp) or not even(noise):
            raise _NotCovered
        z = sp.Symbol("z", nonnegative=True)
        plain_z = sp.Symbol("z")
        return plain_z, factor, rest.args[0].subs(noise.variable, z).subs(z, plain_z)

    @cached_property
    def rising(self) -> Mapping[sp.Symbol, int]:
        """Of which parameters more makes the noise stochastically larger (1), or smaller (-1)."""
        return {p: sign for p in self.own if (sign := self._sign(p))}

    def _sign(self, p: sp.Symbol) -> int:
        if p in scales(self.mechanism):
            return 1
        z, _, level = self.noise
        if any(p in e.free_symbols for e in level.atoms(sp.floor, sp.Abs, sp.Min, sp.Max, sp.Piecewise)):
            return 0
        slope = sp.diff(level, p)
        signs = {self._trend(slope, z), self._trend(self.end, p)} - {0}
        return next(iter(signs)) or 0 if len(signs) == 1 else 0

    @cached_property
    def raising(self) -> sp.Symbol | None:
        """The one parameter that is not among those, where more of it raises the density but for its factor."""
        others = [p for p in self.own if p not in self.rising]
        if not others:
            return None
        if len(others) > 1 or others[0] in self.end.free_symbols or self._trend(self.noise[2], others[0]) != 1:
            raise _NotCovered
        return others[0]

    def _trend(self, e: sp.Expr, v: sp.Symbol) -> int | None:
        """1 where e rises with v >= 0 (or is constant for a while), -1 where it falls, 0 without it; else None."""
        if v not in e.free_symbols or e == v:
            return int(e == v)
        if isinstance(e, sp.floor | sp.exp):
            return self._trend(e.args[0], v)
        if isinstance(e, sp.Pow) and v not in e.exp.free_symbols and e.base == v:
            return self._of(e.exp)
        parts = [self._trend(part, v) for part in e.args]
        if isinstance(e, sp.Add):
            signs = set(parts) - {0}
            return signs.pop() if len(signs) == 1 else None
        if isinstance(e, sp.Mul) and parts.count(0) == len(parts) - 1:
            (sign,) = (s for s in parts if s != 0)
            for f, s in zip(e.args, parts, strict=True):
                constant = self._of(f) if s == 0 else 1
                sign = None if sign is None or constant is None else sign * constant
            return sign
        return None

    def _of(self, e: sp.Expr) -> int | None:
        """The sign of what does not vary; None where it is not seen."""
        if e.is_Number:
            return int(sp.sign(e))
        if e in self.own or isinstance(e, sp.exp) or (isinstance(e, sp.Pow) and e.base in self.own):
            return 1
        return None

    @cached_property
    def factor(self) -> Tape:
        try:
            return compiled((self.noise[1],), self.own)
        except NotNumeric:
            raise _NotCovered from None

    # --- boxes
    def _first(self) -> Iterator[Box]:
        sides = [self.side(p) for p in self.own]
        at = [Fraction(v) for v in self.best]
        parts = [[(low, value), (value, high)] for (low, high), value in zip(sides, at, strict=True)]
        yield from product(*([side for side in pair if side[0] != side[1]] for pair in parts))

    def _halves(self, box: Box) -> list[Box]:
        """Two parts, at a short number, of the longer side; one without an end is shorter the further it begins."""

        def length(i: int) -> float:
            low, high = box[i]
            best = Fraction(self.best[i])
            return float((high - low) / max(high, best) if high is not None else best / max(low, best))

        i = max(range(len(box)), key=length)
        low, high = box[i]
        middle = (low + high) / 2 if high is not None else 2 * low or Fraction(1)
        middle = next(m for d in count(3) if low < (m := nearest(middle, d)) and (high is None or m < high))
        return [(*box[:i], side, *box[i + 1 :]) for side in ((low, middle), (middle, high))]

    def _range(self, side: Side) -> Range:
        low, high = side
        with ctx.workprec(_BITS):
            above = INFINITY if high is None else rational_ball(high)
            return Range(rational_ball(low), above, low == 0, high is None)

    def forbidden(self, box: Box) -> bool:
        """Whether the budget is seen to be too large on all of it."""
        sides = []
        for p, (low, high) in zip(self.own, box, strict=True):
            trend = self.mechanism.trends.get(p)
            end = None if trend is None else high if trend.better == "more" else low or None
            sides.append((low, high) if end is None else (end, end))
        with ctx.workprec(_BITS):
            excess = self.claim[0].ranges([self._range(side) for side in sides])[0]
            return excess is not None and ranges.positive(excess)

    def escapes(self, box: Box) -> bool:
        """Whether outcomes that the neighbour cannot have are likelier than delta: noise that ends says so itself.

        With the size of the noise, the chance of its last Delta is at least that at the lower corner.
        """
        share, size = self.wanted.to.bound.get(delta), self.wanted.sensitivity
        lows, highs = (dict(zip(self.own, ends, strict=True)) for ends in zip(*box, strict=True))
        end = highs.get(self.end)
        if end is None or all(highs.values()) or not (isinstance(share, sp.Rational) and isinstance(size, sp.Rational)):
            return False
        if any(self.rising.get(p) != 1 or not low for p, low in lows.items()):
            return False
        last = max(end - Fraction(size), Fraction(0))
        with ctx.workprec(_BITS), suppress(NoErrors, ValueError):
            twice = 2 * rational_ball(Fraction(share))  # the noise is even, and one end of it is meant
            return bool(beyond(self._at(list(lows.values())), last) > twice)
        return False

    def _may_be_forbidden(self, box: Box) -> bool:
        """Whether the budget is too large near its corners."""
        corners = product(*(_inside(low, high) for low, high in box))
        return all(self.forbidden(tuple((v, v) for v in corner)) for corner in corners)

    def _shown_forbidden(self, box: Box) -> bool:
        inside = [Relation(p, ">=", sp.Rational(low)) for p, (low, _) in zip(self.own, box, strict=True)]
        inside += [Relation(p, "<=", sp.Rational(high)) for p, (_, high) in zip(self.own, box, strict=True)
                   if high is not None]  # fmt: skip
        too_much = Relation(self.claim[1], ">", self.wanted.budget[1])
        return decide(too_much, assume=(*self.domain.assume, *inside), time_limit=_FOR_ONE).verdict in _YES

    def large(self, box: Box, target: Fraction) -> bool:
        """Whether the error is nowhere below the target on it."""
        corner: list[Fraction] = []
        for p, (low, high) in zip(self.own, box, strict=True):
            end = high if self.rising.get(p, 1) < 0 else low
            if end is None or (end == 0 and p in self.rising):
                return False  # there may be hardly any noise
            corner.append(end)
        with ctx.workprec(_FINE):
            found = self.share(corner, target)
            if self.raising is not None:
                at = [self._range((c, c)) for c in corner]
                i = self.own.index(self.raising)
                along, here = (
                    self.factor.ranges([*at[:i], side, *at[i + 1 :]])[0] for side in (self._range(box[i]), at[i])
                )
                if along is None or here is None or not ranges.positive(along):
                    return False
                found *= arb(along.below) / arb(here.above)
            return bool(found >= 1)

    def share(self, at: Sequence[Fraction], target: Fraction) -> arb:
        """Of the target, not above it: the error there; or of beta, how likely it is above the target."""
        if self.size is None:
            try:
                least = error_of(self._at(at), self.name, self.beta).lower
            except (NoErrors, ValueError):
                return arb(0)
            return rational_ball(Fraction(least) / target) if least.is_finite() else arb(0)
        found = self.size.balls([*map(rational_ball, at), rational_ball(target)])[0]
        goal = self.beta if self.name == "tail" else target
        return found / rational_ball(goal) if found.is_finite() else arb(0)

    @cached_property
    def size(self) -> Tape | None:
        """The mean of a power of the error, or how likely it is above a target, in the parameters and the target."""
        if isinstance(self.mechanism.noise_added, Pmf) or scales(self.mechanism):
            return None
        z, factor, level = self.noise
        steps = {p for e in level.atoms(sp.floor) for p in self.own if p in e.free_symbols}
        if any((high := self.side(p)[1]) is None or high > 1 for p in steps):
            raise _NotCovered  # see `_integral`
        power = 0 if self.name == "tail" else MEASURES.index(self.name) + 1
        target = sp.Symbol("target")
        positive = {s: sp.Symbol(f"{s}_", positive=True) for s in (*self.own, z, target)}
        start = sp.S.Zero if power else target
        try:
            here = [e.subs(positive) for e in (z, level, start, self.end)]
            found = _integral(here[0], here[1], here[2], here[3], power)
            back = {new: old for old, new in positive.items()}
            return compiled((2 * factor * found.subs(back),), (*self.own, target))
        except (NotNumeric, NotImplementedError):
            raise _NotCovered from None

    def _at(self, at: Sequence[Fraction]) -> Use:
        values = {str(p): sp.Rational(v) for p, v in zip(self.own, at, strict=True)}
        return self.mechanism(**values, Delta=self.wanted.sensitivity)


def _integral(z: sp.Symbol, level: sp.Expr, start: sp.Expr, end: sp.Expr, power: int) -> sp.Expr:
    """Of z^power exp(level) from the start to the end; where the level is a staircase, step by step."""
    steps = level.atoms(sp.floor)
    if not steps:
        found = sp.integrate(z**power * sp.exp(level), (z, start, end))
        if found.has(sp.Integral, sp.Piecewise):
            raise _NotCovered
        return found
    step, j, r = min(steps, key=str), sp.Symbol("j"), sp.Symbol("r")
    slope, offset = sp.diff(step.args[0], z), step.args[0].subs(z, 0)
    falls = sp.diff(level.subs(step, j), j)
    if len(steps) > 1 or start != 0 or end != sp.oo or {z, j} & (slope.free_symbols | falls.free_symbols):
        raise _NotCovered
    if not (slope.is_Rational and slope > 0) or not (offset == 0 or (-offset).is_Symbol or offset == -_HALF):
        raise _NotCovered  # the first drop is at -offset, between 0 and 1 step
    ends = [(k - offset) / slope for k in (0, j, j + 1)]
    inside = sp.Poly(sp.expand((ends[2] ** (power + 1) - ends[1] ** (power + 1)) / (power + 1)), j)
    sums = (1 / (1 - r), r / (1 - r) ** 2, r * (1 + r) / (1 - r) ** 3)  # of r^j, j r^j, j^2 r^j
    later = sum((c * sums[k] for (k,), c in inside.terms()), sp.S.Zero).subs(r, sp.exp(falls))
    before = sp.exp(level.subs(step, -1)) * ends[0] ** (power + 1) / (power + 1)
    return before + sp.exp(level.subs(step, 0)) * later


def _inside(low: Fraction, high: Fraction | None) -> tuple[Fraction, Fraction]:
    """Two values, in place of 0 and of no end."""
    above = (low or Fraction(1)) * _BEYOND if high is None else high
    return low or above / _BEYOND, above


def _gathered(e: sp.Expr) -> sp.Expr:
    """The same with min(x, y) - y as min(x - y, 0): on a box a number that stands twice is taken for two."""

    def within(total: sp.Expr) -> sp.Expr:
        chosen = [t for t in total.args if isinstance(t.as_coeff_Mul()[1], sp.Min | sp.Max)]
        if len(chosen) != 1:
            return total
        times, choice = chosen[0].as_coeff_Mul()
        return times * choice.func(*(sp.expand(a + (total - chosen[0]) / times) for a in choice.args))

    return e.replace(lambda part: isinstance(part, sp.Add), within)
