"""The privacy loss of log-concave, symmetric noise of which only a formula for the density is known.

The likelihood ratio grows with the outcome, so that the masses below a loss are masses below an outcome.  The masses
of rays come from Taylor polynomials on panels, whose remainders Cauchy's estimate bounds (docs/accounting-bounds.md).
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import sympy as sp
from flint import acb, acb_mat, arb, arb_poly, ctx, fmpq

from dpsym.accounting.loss_distributions.lattice import Edge, Law, joined
from dpsym.accounting.loss_distributions.log_concave import place_of, share
from dpsym.core.deadline import TooCostly
from dpsym.numbers import ball, compiled

U = sp.Symbol("u", positive=True)  # how far from its centre the noise is
_MOST_PANELS = 6000  # some seconds of a density
_DEEPEST = 300.0  # the logarithm of how much less dense the noise is where the panels end
_LARGER = 4  # than a panel is the disc on which the density is bounded
_MOST_BITS = 1024  # of a matrix that grows with their cube


@dataclass(frozen=True, slots=True)
class SymmetricLaw(Law):
    """Noise of the density `half` at the distance U from its centre, on answers `by` apart.

    The density is log-concave, here up to a factor, and 0 further than `end` from the centre (None: nowhere).
    `bound` is the supremum of the losses, None where it is not known.
    """

    half: sp.Expr
    by: sp.Expr
    end: sp.Expr | None
    bound: sp.Expr | None
    _known: dict[int, Outcomes] = field(default_factory=dict, compare=False)

    def __str__(self) -> str:
        return f"noise of density {self.half} at the distance {U}"

    def edge(self, loss: arb | fmpq) -> Edge:
        """See `Law`."""
        loss = arb(loss)
        if not loss.is_finite():
            return _ANYTHING
        with ctx.workprec(_bits()):
            return _turned(self._edge(-loss)) if loss < 0 else self._edge(loss)

    def _edge(self, loss: arb) -> Edge:
        """At a loss that is not negative, or not known to be."""
        outcomes = self._outcomes
        if loss >= self.largest():
            return outcomes.edge(arb.pos_inf())
        place = place_of(outcomes.loss, loss, outcomes.far)
        return joined(outcomes.edge(place.lower()), outcomes.edge(place.upper()))

    def infinite(self) -> arb:
        """See `Law`."""
        with ctx.workprec(_bits()):
            return self._outcomes.only_first

    def largest(self) -> arb:
        """See `Law`; not a number where it is not known."""
        if self.bound is None:
            return arb.nan()
        return arb.pos_inf() if self.bound == sp.oo else ball(self.bound, {}, ctx.prec)

    @property
    def falls(self) -> bool:
        """Whether no interval of outcomes is without loss: the density is analytic where it is no blind panel."""
        with ctx.workprec(_bits()):
            outcomes = self._outcomes
            return bool(outcomes.loss(outcomes.shift / 4) > 0) and outcomes.rays.analytic

    @property
    def _outcomes(self) -> Outcomes:
        if ctx.prec not in self._known:
            self._known[ctx.prec] = Outcomes(self)
        return self._known[ctx.prec]


@dataclass(frozen=True, slots=True)
class _Panel:
    """The density between two distances from the centre: a polynomial about the middle, or nothing but bounds."""

    low: arb
    high: arb
    middle: arb
    primitive: arb_poly | None
    error: arb  # of the polynomial
    mass: arb

    def right_of(self, z: arb) -> arb:
        """The mass between z, which is in the panel, and its right end."""
        if self.primitive is None:
            return arb(0).union(self.mass.upper())
        gap = self.primitive(self.high - self.middle) - self.primitive(z - self.middle)
        return gap + arb(0, 1) * self.error * (self.high - z)


class Rays:
    """The masses of rays of the noise, at the working precision, which is `bits`."""

    def __init__(self, half: sp.Expr, end: sp.Expr | None, bits: int) -> None:
        self._bits = bits
        self.end = None if end is None else ball(end, {}, bits)
        self.density, self.log = compiled((half,), (U,)), compiled((sp.log(half),), (U,))
        self.panels = list(self._cut())
        self._places = [float(panel.high) for panel in self.panels]
        sums = [self._beyond_all(self.panels[-1].high)]
        for panel in reversed(self.panels):
            sums.append(sums[-1] + panel.mass)
        self._sums = sums[::-1]  # the mass right of the left end of each
        self._whole = 2 * self._sums[0]
        if not self._whole > 0:
            raise TooCostly("the total of the density could not be enclosed")

    @property
    def analytic(self) -> bool:
        """Whether inside its support the density is."""
        return all(panel.primitive is not None for panel in self.panels[1:-1])

    def above(self, z: arb) -> arb:
        """The probability that the noise exceeds z."""
        if z < 0:
            return 1 - self.above(-z)
        if not z >= 0:
            near = self.above(z.abs_upper())
            return near.union(1 - near)
        if self.end is not None and z >= self.end:
            return arb(0)
        if not z.is_finite():
            return arb(0)
        at = bisect_right(self._places, float(z))
        for i in (at, at - 1, at + 1):  # a float may be on the wrong side of an end
            if 0 <= i < len(self.panels):
                panel = self.panels[i]
                if panel.low <= z <= panel.high:
                    return share((self._sums[i + 1] + panel.right_of(z)) / self._whole)
        if not z.is_exact():  # across an end
            return self.above(z.lower()).union(self.above(z.upper()))
        return share(self._beyond_all(z) / self._whole)

    def _beyond_all(self, z: arb) -> arb:
        """What lies beyond z: the logarithm is concave, so it falls at least as fast as it did before."""
        density = self.density.thin([z])[0]
        if self.end is not None:  # and the density does not grow
            return arb(0).union((density * (self.end - z)).upper()) if z < self.end else arb(0)
        before = z * fmpq(1, 2)
        rate = (self.log.thin([before])[0] - self.log.thin([z])[0]) / (z - before)
        if not rate > 0:
            raise TooCostly("the density does not fall where it was cut")
        return arb(0).union((density / rate).upper())

    def _cut(self) -> Iterator[_Panel]:
        """Panels from the centre to where hardly anything is left."""
        start, width = arb(0), arb(1)
        top = -math.inf
        least = arb(2) ** -self._bits
        for _ in range(_MOST_PANELS):
            width = width * 2
            while True:
                end = (start + width).mid()
                last = self.end is not None and not end < self.end
                if last and self.end is not None:
                    end = self.end.lower()
                panel = self._panel(start, end) if start < end else None
                if panel is not None or not start < end:
                    break
                width = width / 2
                if width < least:  # a corner; beside it panels as wide as this one is long are possible
                    panel = self._blind(start, (start + 32 * least).mid())
                    break
            if panel is None:
                return
            yield panel
            start = panel.high
            if last and not panel.high < end:
                return
            log = float(self.log.thin([start])[0])
            top = max(top, log) if math.isfinite(log) else top
            if self.end is None and log < top - _DEEPEST:
                return
        raise TooCostly("the density changes too fast for panels")

    def _panel(self, low: arb, high: arb) -> _Panel | None:
        """None where the density is not known to be analytic around, or grows too fast there."""
        middle = ((low + high) / 2).mid()
        width = (high - middle).upper()
        radius = arb((_LARGER * width).upper())
        disc = acb(arb(middle, radius), arb(0, radius))
        most = abs(self.density.holomorphic([disc])[0]).upper()
        here = self.density.thin([high])[0].lower() if self.end is None else self.density.thin([middle])[0].lower()
        terms, powers = _transform(ctx.prec)
        share_of_most = arb(_LARGER) ** -terms
        error = 2 * most * share_of_most / ((1 - arb(1) / _LARGER) * (1 - share_of_most))
        if not error.is_finite() or not error <= here * arb(2) ** (4 - ctx.prec):
            return None
        circle = [acb(middle) + width * unit for unit in _circle(terms)]
        values = [self.density.holomorphic([place])[0] for place in circle]
        values += [value.conjugate() for value in values[-2:0:-1]]  # the density is real on the line
        coefficients = (powers * acb_mat([[value] for value in values])).entries()
        scaled = [c.real / width**k for k, c in enumerate(coefficients)]
        primitive = arb_poly([arb(0), *(c / (k + 1) for k, c in enumerate(scaled))])
        panel = _Panel(low, high, middle, primitive, error.upper(), arb(0))
        return _Panel(low, high, middle, primitive, error.upper(), panel.right_of(low))

    def _blind(self, low: arb, high: arb) -> _Panel:
        """The density does not grow with the distance from the centre, so its mass is at most what it has at `low`."""
        density = self.density.balls([low])[0]
        if not density.is_finite():
            raise TooCostly("the density could not be bounded")
        mass = arb(0).union((density * (high - low)).upper())
        return _Panel(low, high, low, None, arb(0), mass)


class Outcomes:
    """The outcomes with their losses, w being where an outcome is from the middle of both answers."""

    def __init__(self, law: SymmetricLaw) -> None:
        self.rays = _rays(law.half, law.end, ctx.prec)
        self.shift = ball(law.by, {}, ctx.prec)
        self._half, self._end = self.shift / 2, self.rays.end
        self.only_first = arb(0) if self._end is None else self.rays.above(self._end - self.shift)

    def edge(self, w: arb) -> Edge:
        """The masses on both sides of an outcome."""
        above = self.rays.above
        near, far = w - self._half, w + self._half
        under_p, under_q = above(near), above(far)
        if self._end is None:
            return Edge(above(-near), under_p, above(-far), under_q)
        lost = self.only_first
        return Edge(share(above(-near)), share(under_p - lost), share(above(-far) - lost), share(under_q))

    def loss(self, w: arb) -> arb:
        """The loss at w >= 0 from the middle."""
        if self._end is not None and w >= self._end - self._half:
            return arb.pos_inf()
        near = abs(w - self._half)
        return self.rays.log.thin([near])[0] - self.rays.log.thin([w + self._half])[0]

    @cached_property
    def far(self) -> arb:
        """Further from the middle than it is worth while to look."""
        return self.rays.panels[-1].high * 2**10 if self._end is None else (self._end - self._half).upper()


def _bits() -> int:
    """The precision at which rays are computed: few different ones, since each takes its time."""
    return max(128, 1 << (ctx.prec - 1).bit_length())


@lru_cache(maxsize=64)
def _rays(half: sp.Expr, end: sp.Expr | None, bits: int) -> Rays:
    return Rays(half, end, bits)


@lru_cache(maxsize=16)
def _transform(bits: int) -> tuple[int, acb_mat]:
    """How many terms a polynomial has, and the matrix that gives its coefficients from values on a circle.

    Raises:
        TooCostly: at more precision than the matrix can be kept at.
    """
    if bits > _MOST_BITS:
        raise TooCostly(f"more than {_MOST_BITS} bits of a density that is integrated")
    terms = 2 * math.ceil((bits / 2 + 20) / 2)
    turns = [(acb(0, -2 * arb.pi() * j / terms)).exp() / terms for j in range(terms)]
    return terms, acb_mat([[turns[(j * k) % terms] for j in range(terms)] for k in range(terms)])


def _circle(terms: int) -> list[acb]:
    """The upper half of the roots of unity, both real ones included."""
    return [acb(0, 2 * arb.pi() * j / terms).exp() for j in range(terms // 2 + 1)]


def _turned(edge: Edge) -> Edge:
    """That of the opposite loss."""
    return Edge(edge.second_above, edge.second_below, edge.first_above, edge.first_below)


_ANYTHING = Edge(*[arb(0).union(arb(1))] * 4)
