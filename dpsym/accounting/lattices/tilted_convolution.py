"""Sums of independent losses on a lattice, tilted and in integers that are rounded down.

The masses p_k of a law on {kh}, times exp(ckh) and divided by their sum, are rounded down to integers over 2^bits.
A product of such polynomials, rounded down again, lies below the law of the sum; since all of these laws have mass
at most one, what rounding and trimming have taken away in the end is at most one minus the sum of the masses.  No
other record of errors is needed (docs/accounting.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import arb, arb_poly, ctx, fmpq, fmpz_poly

from dpsym.accounting.bounds import larger, smaller
from dpsym.accounting.chernoff import largest_share
from dpsym.accounting.lattices.pessimistic_optimistic import Cells, Masses, from_above, from_below
from dpsym.core.clocks import charge
from dpsym.core.deadline import TooCostly, check

_BIT = 1e-8  # seconds of a product, for each bit of its factors
GUARD = 32  # bits by which enclosures of masses are more precise than the integers


@dataclass(frozen=True, slots=True)
class Tilted:
    """Masses times exp(c k h)/scale, rounded down to integers over 2^bits; before rounding they sum to at most one."""

    first: int
    integers: fmpz_poly
    log_scale: arb
    bits: int

    @property
    def missing(self) -> arb:
        """At most so much has been taken away by rounding and trimming."""
        return 1 - arb(self.integers(1)) / arb(2) ** self.bits

    def __mul__(self, other: Tilted) -> Tilted:
        """The sum of two independent losses."""
        charge(_BIT * self.bits * (self.integers.length() + other.integers.length()))
        return _trimmed(
            self.first + other.first,
            self.integers * other.integers // (1 << self.bits),
            self.log_scale + other.log_scale,
            self.bits,
        )

    def power(self, count: int) -> Tilted:
        """The sum of so many independent losses, count >= 1."""
        result: Tilted | None = None
        square = self
        while True:
            check()
            if count & 1:
                result = square if result is None else result * square
            count >>= 1
            if not count:
                return result if result is not None else square
            square = square * square


def tilted(masses: Masses, h: fmpq, c: fmpq, bits: int) -> Tilted:
    """Tilt, normalise and round down.

    Raises:
        TooCostly: where a mass could not be enclosed at this precision.
    """
    grown = [m.nonnegative_part() * arb(k * h * c).exp() for k, m in zip(masses.marks, masses.values, strict=True)]
    scale = sum(grown, arb(0)).upper()
    unit = arb(2) ** bits
    first = masses.marks[0]
    integers = [0] * (masses.marks[-1] - first + 1)
    for k, m in zip(masses.marks, grown, strict=True):
        share = (m.lower().max(arb(0)) / scale * unit).lower().floor()
        if not share.is_finite():
            raise TooCostly("the masses are beyond the precision that was planned")
        integers[k - first] = int(share.unique_fmpz())
    return _trimmed(first, fmpz_poly(integers), scale.log(), bits)


def _trimmed(first: int, integers: fmpz_poly, log_scale: arb, bits: int) -> Tilted:
    """Drop at either end as much as rounding has taken away at most."""
    low, dropped = 0, 0
    length = spare = integers.length()
    while low < length - 1 and (dropped := dropped + int(integers[low])) <= spare:
        low += 1
    high, dropped = length, 0
    while high > low + 1 and (dropped := dropped + int(integers[high - 1])) <= spare:
        high -= 1
    return Tilted(first + low, integers.truncate(high).right_shift(low), log_scale, bits)


@dataclass(frozen=True, slots=True)
class Profile:
    """A privacy profile on a lattice: delta(epsilon) is linear in exp(epsilon) between the points offset + kh.

    The bounds at offset + (top - i) h are `bounds[i]`, from `top` downwards; they are upper ones if `above`.
    """

    h: fmpq
    offset: fmpq
    top: int
    bounds: list[arb]
    above: bool
    infinite: arb  # no more than the mass at an infinite loss

    def loss(self, k: int) -> arb:
        """The loss at a point of the lattice."""
        return arb(self.offset + k * self.h)

    def delta(self, epsilon: fmpq) -> arb:
        """The bound at epsilon."""
        k = int(((epsilon - self.offset) / self.h).floor())
        if k >= self.top:
            return self.bounds[0] if self.above or epsilon == self.offset + self.top * self.h else self.infinite
        index = self.top - k
        if index >= len(self.bounds):  # below the masses that were kept
            return arb(1) if self.above else self.bounds[-1]
        low, high = self.loss(k).exp(), self.loss(k + 1).exp()
        return self.bounds[index] + (self.bounds[index - 1] - self.bounds[index]) * (
            (arb(epsilon).exp() - low) / (high - low)
        )

    def epsilon(self, delta: arb) -> arb:
        """Where the bound crosses delta, not below zero: rounded up for upper bounds, else down."""
        found = self._crossing(delta.lower() if self.above else delta.upper())
        return larger(found, arb(0))

    def _crossing(self, target: arb) -> arb:
        for index, bound in enumerate(self.bounds):
            k = self.top - index
            if not bound <= target:
                break
            if self.offset + k * self.h <= 0:
                return arb(0)
        else:  # nothing is known of what lies below the masses that were kept
            return self.loss(k).upper() if self.above else arb(0)
        if index == 0:
            return arb.pos_inf() if self.above or self.infinite > target else self.loss(k).lower()
        low, high = self.loss(k).exp(), self.loss(k + 1).exp()
        fall = bound - self.bounds[index - 1]
        crossing = (low + (high - low) * (bound - target) / fall).log() if fall > 0 else self.loss(k + 1)
        end = self.loss(k + 1).upper() if self.above else self.loss(k).lower()
        if not crossing.is_finite():
            return end
        return smaller(crossing.upper(), end) if self.above else larger(crossing.lower(), end)


@dataclass(frozen=True, slots=True)
class Range:
    """Which part of a profile is wanted: losses from `low` to `high`, and none below where it exceeds `until`."""

    low: fmpq
    high: fmpq | None = None
    until: arb | None = None


def profile(parts: Sequence[tuple[Cells, int]], c: fmpq, *, above: bool, bits: int, wanted: Range) -> Profile:
    """Bounds of a composition's privacy profile from one side.

    Args:
        parts: laws cut at points of lattices of one spacing, each with how many steps have it.
        c: the tilt, c > 0; any is right, the saddle point is best.
        above: upper bounds, else lower ones.
        bits: of the integers.
        wanted: which part of it.
    """
    h = parts[0][0].h
    with ctx.workprec(bits + GUARD):
        total: Tilted | None = None
        log_kept, offset = arb(0), fmpq(0)
        for cut, count in parts:
            masses = from_above(cut) if above else from_below(cut)
            log_kept += count * (-masses.escaped).log1p()
            offset += count * cut.offset
            power = tilted(masses, h, c, bits).power(count)
            total = power if total is None else total * power
        if total is None:
            raise ValueError("a composition of nothing")
        escaped = -log_kept.expm1() if log_kept.is_finite() else arb(0).union(arb(1))  # one infinite loss is enough
        return _scanned(total, h, offset, c, above=above, escaped=escaped, wanted=wanted)


def _scanned(total: Tilted, h: fmpq, offset: fmpq, c: fmpq, *, above: bool, escaped: arb, wanted: Range) -> Profile:
    """Bounds of D_k = sum over j > k of (1 - exp((k - j)h)) p_j.

    With C_k = sum over j > k of exp((k + 1 - j)h) p_j one has C_k = p_{k+1} + exp(-h) C_{k+1} and
    D_k = D_{k+1} + (1 - exp(-h)) C_k: sums of positive terms, here all times exp(ckh)/scale.  Where losses above
    some loss are not wanted, D and C start there, as values of polynomials.
    """
    top = last = total.first + total.integers.length() - 1
    unit = arb(2) ** -total.bits
    tilt, shrink, rise = arb(-c * h).exp(), arb(-h).exp(), arb(c * h).exp()
    slack = largest_share(arb(c)) * total.missing if above else arb(0)
    carried = found = arb(0)
    if wanted.high is not None:
        top = max(min(last, int(((wanted.high - offset) / h).ceil()) + 1), total.first)
        if top < last:
            rest = arb_poly(total.integers.right_shift(top - total.first + 1))  # the masses above `top`
            slow, fast = tilt * rest(tilt) * unit, tilt * shrink * rest(tilt * shrink) * unit
            carried, found = fast / shrink, (slow - fast).nonnegative_part()
    scale = (total.log_scale - c * top * h).exp()
    bounds: list[arb] = []
    k = top
    while True:
        bound = scale * (found + slack)
        bound = (bound + escaped).upper().min(arb(1)) if above else (bound + escaped).lower().max(arb(0))
        bounds.append(bound)
        if offset + k * h <= wanted.low or k < total.first or (wanted.until is not None and bound > wanted.until):
            return Profile(h, offset, top, bounds, above, escaped.lower())
        index = k - total.first
        mass = int(total.integers[index]) * unit if index >= 0 else arb(0)
        carried = tilt * (mass + shrink * carried)
        found = tilt * found + (1 - shrink) * carried
        scale *= rise
        k -= 1
