"""How large the error of additive noise is, from its distribution: mean, variance and a tail quantile, enclosed.

The error is that of the noise less its centre, a number that is public and that whoever releases the answer subtracts:
0 where the noise is even, otherwise its mean, rounded to a rational.  Everything is a sum or an integral over the two
half-lines about the centre, cut where the formula has a corner.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from decimal import Decimal
from fractions import Fraction
from functools import cache

import sympy as sp
from flint import arb, ctx, fmpq

from dpsym.core.display import short
from dpsym.core.distributions import Density, Pmf, is_scale
from dpsym.core.notation import besseli
from dpsym.core.relations import substitute
from dpsym.core.verdicts import Enclosure
from dpsym.divergences.smooth_pieces import NoPieces, Piece, smooth_pieces
from dpsym.numbers import NotNumeric, ball, compiled, decimals, rational_ball, tail_integrals
from dpsym.numbers.bracketing import closed_in
from dpsym.statements import Mechanism, Use

_BITS = 128  # of every ball; what is rounded is in its radius
_DIGITS = 10  # of what is printed
_ROUNDS, _FARTHEST = 60, 2**60  # of the search for a quantile; a tail that reaches further is not looked at
_ENOUGH = Fraction(1, 10**9)  # how far apart its two ends may be, of itself
_MOST_MASSES = 20_000  # that are added up for a quantile
_CENTRE = 10**9  # the centre of noise that is not even is a multiple of 1 by this, times its order of magnitude


class NoErrors(ArithmeticError):
    """The errors of a noise could not be enclosed; the message says what was in the way."""


@dataclass(frozen=True, slots=True)
class Errors:
    """The error of a released number, in units of the answer; of the noise less `centre`.

    Attributes:
        absolute: its mean size, E|Z|; infinite where it has none.
        variance: its mean square, E[Z^2]: the variance, but for the rounding of the centre.
        tail: the least t with Pr[|Z| > t] <= beta.
        centre: what is subtracted, a public number.
    """

    absolute: Enclosure
    variance: Enclosure
    tail: Enclosure
    centre: Fraction = Fraction(0)

    __repr__ = short


MEASURES: tuple[str, ...] = tuple(f.name for f in fields(Errors) if f.name != "centre")


def errors_of(use: Use, beta: Fraction) -> Errors:
    """The errors of a mechanism that adds noise, with numbers for all parameters; what a scale multiplies, once.

    Raises:
        NoErrors: as `errors`, and where its noise is not known.
    """
    noise, scale = _at_scale_one(use)
    with ctx.workprec(_BITS):
        centre = _halves(noise).centre * scale
    absolute, variance, tail = (error_of(use, name, beta) for name in MEASURES)
    return Errors(absolute, variance, tail, centre)


def size_of_error(use: Use, name: str, beta: Fraction) -> float:
    """One of them, not below it, as a float; infinite where it is not known."""
    try:
        return float(error_of(use, name, beta).upper)
    except NoErrors:
        return math.inf


def error_of(use: Use, name: str, beta: Fraction) -> Enclosure:
    """One of them.

    Raises:
        NoErrors: as `errors_of`.
    """
    noise, scale = _at_scale_one(use)
    found = measure(noise, name, beta)
    with ctx.workprec(_BITS):
        return _enclosure(_ball(found) * rational_ball(scale ** (2 if name == "variance" else 1)))


def beyond(use: Use, place: Fraction) -> arb:
    """How likely the size of an error is above it; not finite where that is not known, and for integers."""
    noise, scale = _at_scale_one(use)
    halves = _halves(noise)
    return halves.tail(place / scale) if isinstance(halves, _Halves) else arb.nan()


def _at_scale_one(use: Use) -> tuple[Density | Pmf, Fraction]:
    noise = use.mechanism.noise_added
    if noise is None:
        raise NoErrors("does not say of what distribution its noise is")
    values = {p: v for p, v in use.args.items() if p in noise.free_symbols}
    for p in scales(use.mechanism):
        if values[p].is_Rational:
            return noise.subs({**values, p: sp.S.One}), Fraction(values[p])
    return noise.subs(values), Fraction(1)


@cache
def scales(mechanism: Mechanism) -> tuple[sp.Symbol, ...]:
    """The parameter that its noise is a multiple of, where one is seen to be that."""
    noise = mechanism.noise_added
    return tuple(p for p in mechanism.params if noise is not None and is_scale(noise, p, mechanism.domain))[:1]


@cache
def errors(noise: Density | Pmf, beta: Fraction) -> Errors:
    """The errors of noise with numbers for all parameters, certified.

    Args:
        noise: its distribution.
        beta: how likely the error may be above the tail quantile, between 0 and 1.

    Raises:
        NoErrors: where a moment or a tail was neither enclosed nor shown to be infinite.
    """
    absolute, variance, tail = (measure(noise, name, beta) for name in MEASURES)
    with ctx.workprec(_BITS):
        return Errors(absolute, variance, tail, _halves(noise).centre)


@cache
def measure(noise: Density | Pmf, name: str, beta: Fraction) -> Enclosure:
    """One of them, as `errors`."""
    if not 0 < beta < 1:
        raise NoErrors(f"a tail probability lies between 0 and 1, not at {beta}")
    with ctx.workprec(_BITS):
        halves = _halves(noise)
        if name == "tail":
            return halves.quantile(beta)
        power = MEASURES.index(name) + 1
        return _enclosure(_positive(halves.moment(power), f"E|Z|^{power}"))


@dataclass(frozen=True, slots=True)
class _Masses:
    """Noise on the integers, less its centre."""

    noise: Pmf
    centre: Fraction
    even: bool

    def moment(self, power: int) -> arb:
        size = sp.Abs(self.noise.variable - sp.Rational(self.centre)) ** power
        if self.even and self.noise.lower == -sp.oo:
            n, plain_n = sp.Symbol("n", positive=True, integer=True), sp.Symbol("n")
            body = self.noise.expression.subs(self.noise.variable, n) * n**power
            return 2 * _value(sp.Sum(body.subs(n, plain_n), (plain_n, 1, sp.oo)))
        return _value(sp.Sum(self.noise.expression * size, (self.noise.variable, self.noise.lower, self.noise.upper)))

    def quantile(self, beta: Fraction) -> Enclosure:
        """A distance of an integer from the centre, exact: masses are added from the centre outwards."""
        mass = compiled((self.noise.expression,), (self.noise.variable,))
        wanted, inside = 1 - rational_ball(beta), arb(0)
        for distance, places in self._outwards():
            inside += sum((mass.balls([arb(n)])[0] for n in places), arb(0))
            if inside >= wanted:
                return _enclosure(rational_ball(distance))
            if not inside < wanted:
                raise NoErrors("whether a tail probability is at most that asked for could not be told")
        raise NoErrors("the masses reach too far")

    def _outwards(self) -> Iterator[tuple[Fraction, list[int]]]:
        lower, upper = (None if e.is_infinite else Fraction(int(e)) for e in (self.noise.lower, self.noise.upper))
        first = self.centre - (self.centre.numerator // self.centre.denominator)
        steps = sorted({abs(first), 1 - abs(first)}) if first else [Fraction(0)]
        for i in range(_MOST_MASSES):
            for step in steps:
                distance = step + i
                ends = sorted({self.centre - distance, self.centre + distance})
                inside = (e for e in ends if (lower is None or e >= lower) and (upper is None or e <= upper))
                yield distance, [int(e) for e in inside if e.denominator == 1]


@dataclass(frozen=True, slots=True)
class _Halves:
    """A density on both sides of its centre, in the distance z from there, piece by piece; once where it is even."""

    z: sp.Symbol
    sides: tuple[tuple[tuple[sp.Expr, sp.Expr, sp.Expr], ...], ...]  # of each side (formula, from, to)
    times: int
    centre: Fraction

    def moment(self, power: int) -> arb:
        return self._of(lambda f: f * self.z**power, sp.S.Zero)

    def quantile(self, beta: Fraction) -> Enclosure:
        """Between two rationals of which at one the tail is certainly above beta, and at the other certainly not."""
        wanted = rational_ball(beta)

        def rare(place: Fraction) -> tuple[bool | None, float]:
            above = self.tail(place)
            return True if above <= wanted else False if above > wanted else None, float((above / wanted).log().mid())

        low, high = (Fraction(0), -float(wanted.log().mid())), Fraction(1)
        enough, gap = rare(high)
        while enough is False and high < _FARTHEST:
            low, high = (high, gap), 2 * high
            enough, gap = rare(high)
        if not enough:
            raise NoErrors("the tail could not be integrated")
        found, short, _ = closed_in(
            rare, (high, gap), low,
            lambda bad, good, share: (bad + (good - bad) * Fraction(share)).limit_denominator(10**15),
            lambda bad, good: good - bad <= _ENOUGH * good,
            _ROUNDS,
        )  # fmt: skip
        return Enclosure(_enclosure(rational_ball(short)).lower, _enclosure(rational_ball(found)).upper)

    def tail(self, place: Fraction) -> arb:
        """How likely the error is above it."""
        found = self._of(lambda f: f, sp.Rational(place))
        return found if found.is_finite() else arb.nan()

    def _of(self, weighted: Callable[[sp.Expr], sp.Expr], start: sp.Rational) -> arb:
        found = arb(0)
        for side in self.sides:
            for f, low, high in side:
                if high > start:
                    found += _pieced(weighted(f), self.z, max(low, start), high)
        return found * self.times


def _pieced(f: sp.Expr, z: sp.Symbol, low: sp.Expr, high: sp.Expr) -> arb:
    """The integral of one piece; where steps of a floor make infinitely many more of it, a sum of integrals."""
    steps = [e for e in f.atoms(sp.floor) if z in e.free_symbols]
    if not steps:
        return tail_integrals.integral(f, z, low, high)
    (step,) = steps if len(steps) == 1 else (None,)
    if step is None:
        return arb.nan()
    slope, offset = sp.diff(step.args[0], z), step.args[0].subs(z, 0)
    if not (slope.is_Rational and slope > 0 and offset.is_Rational):
        return arb.nan()
    k = sp.Symbol("k", integer=True)

    def cell(n: sp.Expr, start: sp.Expr, end: sp.Expr) -> sp.Expr:
        return sp.integrate(f.subs(step, n), (z, start, end))

    if not f.subs(step, k).is_polynomial(z):
        return arb.nan()
    first = sp.floor(slope * low + offset)
    jump = (first + 1 - offset) / slope
    if jump >= high:
        return _value(cell(first, low, high))
    found = _value(cell(first, low, jump))
    if high == sp.oo:
        return found + sum((_value(sp.Sum(t, (k, first + 1, sp.oo))) for t in _of_cells(f, step, z, k)), arb(0))
    while jump < high:
        first, start = first + 1, jump
        jump = min((first + 1 - offset) / slope, high)
        found += _value(cell(first, start, jump))
    return found


def _of_cells(f: sp.Expr, step: sp.Expr, z: sp.Symbol, k: sp.Symbol) -> Iterator[sp.Expr]:
    """The integral over the cell where the floor is k, as monomials in k times what does not depend on z."""
    slope, offset = sp.diff(step.args[0], z), step.args[0].subs(z, 0)
    start, end = (k - offset) / slope, (k + 1 - offset) / slope
    weight, rest = f.subs(step, k).as_independent(z, as_Add=False)
    for (power,), factor in sp.Poly(rest, z).terms():
        polynomial = sp.Poly((end ** (power + 1) - start ** (power + 1)) / (power + 1), k)
        yield from (c * k**j * factor * weight for (j,), c in polynomial.terms())


@cache
def _halves(noise: Density | Pmf) -> _Masses | _Halves:
    symmetric = even(noise)
    if isinstance(noise, Pmf):
        return _Masses(noise, Fraction(0) if symmetric else _middle(noise), symmetric)
    centre = sp.S.Zero
    if not symmetric:
        about_zero = _split(noise, sp.S.Zero, 1)
        right, left = (_Halves(about_zero.z, (side,), 1, Fraction(0)).moment(1) for side in about_zero.sides)
        centre = sp.Rational(_rounded(right - left, _CENTRE))
    return _split(noise, centre, 2 if symmetric else 1)


def _split(noise: Density, centre: sp.Rational, times: int) -> _Halves:
    z = sp.Symbol("z", positive=True)
    plain_z = sp.Symbol("z")
    sides: list[tuple[tuple[sp.Expr, sp.Expr, sp.Expr], ...]] = []
    for sign in (1,) if times == 2 else (1, -1):
        f = noise.expression.subs(noise.variable, centre + sign * z)
        ends = [sign * (e - centre) for e in (noise.support.start, noise.support.end)]
        low, high = max(min(ends), sp.S.Zero), max(ends)
        if not high > low:
            sides.append(())
            continue
        try:
            pieces = smooth_pieces(f.subs(z, plain_z), plain_z, low, high)
        except NoPieces:
            pieces = (Piece(f.subs(z, plain_z), low, high),)
        sides.append(tuple((p.formula, p.low, p.high) for p in pieces))
    return _Halves(plain_z, tuple(sides), times, Fraction(centre))


def even(noise: Density | Pmf) -> bool:
    """Whether it is seen to be symmetric about 0."""
    v = noise.variable
    lower, upper = (noise.lower, noise.upper) if isinstance(noise, Pmf) else (noise.support.start, noise.support.end)
    if sp.simplify(lower + upper) != 0 and not (lower == -sp.oo and upper == sp.oo):
        return False
    real = sp.Symbol(v.name, real=True)
    here, there = (noise.expression.subs(v, s * real) for s in (1, -1))
    if here == there or sp.simplify(here - there) == 0:
        return True
    if not isinstance(noise, Pmf):
        return False
    here, there = (e.replace(besseli, lambda n, z: besseli(sp.Abs(n), z)) for e in (here, there))  # I_n = I_(-n)
    return bool(here == there)


def _middle(noise: Pmf) -> Fraction:
    """The mean, which is half an integer where the masses are symmetric about one; as a rational."""
    v = noise.variable
    if noise.lower.is_infinite and noise.upper.is_infinite:
        parts = [sp.Sum(v * noise.expression, (v, 1, sp.oo)), -sp.Sum(v * noise.expression.subs(v, -v), (v, 1, sp.oo))]
    else:
        parts = [sp.Sum(v * noise.expression, (v, noise.lower, noise.upper))]
    # to half an integer: what is released then still is one, or half of one
    return _rounded(sum(map(_value, parts), arb(0)), 2)


def _rounded(mean: arb, parts: int) -> Fraction:
    """To a multiple of so many parts of 1."""
    if not mean.is_finite():
        raise NoErrors("the noise is not even, and its mean was not found")
    return Fraction(round(Fraction(float(mean.mid())) * parts), parts)


def _value(e: sp.Expr) -> arb:
    if isinstance(e, sp.Sum):  # what does not depend on the index comes out, so that the ratio of terms is simple
        factor, rest = e.function.as_independent(e.limits[0][0], as_Add=False)
        if factor != 1:
            return _value(factor) * _value(sp.Sum(rest, *e.limits))
    try:
        return ball(substitute(e, {}), {}, ctx.prec)
    except NotNumeric:
        return arb.nan()


def _positive(value: arb, what: str) -> arb:
    if value.is_nan() or not (value.is_finite() or value.is_exact()):
        raise NoErrors(f"{what} was neither enclosed nor shown to be infinite")
    return value


def _ball(e: Enclosure) -> arb:
    if e.lower.is_infinite():
        return arb.pos_inf()
    ends = [arb(fmpq(*d.as_integer_ratio())) for d in (e.lower, e.upper)]
    return ends[0].union(ends[1])


def _enclosure(value: arb) -> Enclosure:
    if value == arb.pos_inf():
        return Enclosure(Decimal("Infinity"), Decimal("Infinity"))
    found = decimals(value, _DIGITS)
    return Enclosure(max(Decimal(0), found.lower), found.upper)
