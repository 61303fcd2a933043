"""Two members of one exponential family: the affinity through the log-partition function.

p = h exp(c0 + c1 x) and q with the same carrier h have p^alpha q^(1-alpha) = h exp(mixed), so that one integral, that
of h exp(c1 x) = exp F(c1), is all there is; its mean is F'(c1).

    carrier h                       exp F(c1)                    F'(c1)                     where
    1/n! on n >= 0                  exp(e^c1)                    e^c1
    binomial(N, n) on 0 .. N        (1 + e^c1)^N                 N e^c1/(1 + e^c1)
    y^(k - 1) on y > 0              Gamma(k) (-c1)^(-k)          -k/c1                      c1 < 0, k > 0
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

import sympy as sp

from dpsym.core.distributions import Density, Distribution, Pmf
from dpsym.core.relations import Proposition, Relation, propositions
from dpsym.divergences.closed_form import ClosedForm, NoClosedForm
from dpsym.divergences.exponential_sums import Ring, log_of
from dpsym.divergences.pieces import LogDensity, cells, ring_for
from dpsym.divergences.signs import Signs


class Carrier(Enum):
    """What members of a family have in common, x the outcome and n the parameter."""

    FACTORIAL = "1/x!"
    BINOMIAL = "binomial(n, x)"
    POWER = "x^(n - 1)"


@dataclass(frozen=True, slots=True)
class Family:
    """Two members: their logarithms without the carrier, which is of this kind with this parameter."""

    ring: Ring
    signs: Signs
    p: LogDensity
    q: LogDensity
    kind: Carrier
    size: sp.Expr

    def log_affinity(self, alpha: sp.Expr) -> ClosedForm:
        """c0 + F(c1) of the mixture, the logarithms of its constants included; `oo` where it is infinite."""
        ring, mixed = self.ring, self.p.mixed(self.q, self.ring.rational(alpha))
        conditions: tuple[Proposition, ...] = ()
        if self.kind == Carrier.POWER:
            falls = -mixed.polynomial[1]
            if self.signs.at_least_zero(-falls):
                return ClosedForm(sp.oo)
            if self.signs.of(falls) != 1:
                conditions = (Relation(ring.expression(falls), ">", sp.S.Zero),)
        c0, c1, _ = (ring.expression(c) for c in mixed.polynomial)
        constant = sp.Add(c0, *(ring.expression(x) * log_of(base) for base, x in mixed.powers))
        match self.kind:
            case Carrier.FACTORIAL:
                return ClosedForm(constant + sp.exp(c1))
            case Carrier.BINOMIAL:
                return ClosedForm(constant + self.size * sp.log(1 + sp.exp(c1)))
        rate = ring.expression(-mixed.polynomial[1])
        return ClosedForm(constant + sp.log(sp.gamma(self.size)) - self.size * sp.log(rate), conditions)

    def kullback_leibler(self) -> ClosedForm:
        """The log-likelihood ratio is linear, so its mean is that of the outcome put in."""
        constant, rate = self._ratio()
        slope = self.ring.expression(self.p.polynomial[1])
        odds = sp.exp(slope)
        mean = {
            Carrier.FACTORIAL: odds,
            Carrier.BINOMIAL: self.size * odds / (1 + odds),
            Carrier.POWER: -self.size / slope,
        }[self.kind]
        return ClosedForm(constant + rate * mean)

    def max_divergence(self) -> ClosedForm:
        """At the end at which the log-likelihood ratio is largest."""
        constant, slope = self._ratio()
        sign = self.signs.of(self.ring.rational(slope))
        if sign is None:
            raise NoClosedForm("the sign of {} is not settled by the assumptions", slope)
        if sign == 1:
            return ClosedForm(constant + slope * self.size if self.kind == Carrier.BINOMIAL else sp.oo)
        return ClosedForm(constant)

    def _ratio(self) -> tuple[sp.Expr, sp.Expr]:
        """The log-likelihood ratio at 0, and its slope."""
        ratio = self.p.minus(self.q)
        c0, c1, _ = ratio.polynomial
        powers = (self.ring.expression(x) * log_of(base) for base, x in ratio.powers)
        return sp.Add(self.ring.expression(c0), *powers), self.ring.expression(c1)


def family(P: Distribution, Q: Distribution, assume: Iterable[object], *expressions: sp.Expr) -> Family | None:
    """The two members; None for anything else.

    Raises:
        NoClosedForm: where the carrier is one of the table, and the rest is not exp(linear).
    """
    if type(P) is not type(Q) or not isinstance(P, Density | Pmf) or not isinstance(Q, Density | Pmf):
        return None
    first, second = _carrier(P), _carrier(Q)
    if first is None or second is None or first[1:] != second[1:]:
        return None
    known = propositions(assume)
    ring = ring_for(first[0], second[0], *expressions)
    signs = Signs(ring, known)
    (cell, *others) = cells(first[0], second[0], ring, signs)
    if others or cell.p is None or cell.q is None or cell.p.polynomial[2] != 0 or cell.q.polynomial[2] != 0:
        raise NoClosedForm("members of an exponential family that are not exp(linear) times the carrier")
    found = Family(ring, signs, cell.p, cell.q, *first[1:])
    for log in (cell.p, cell.q):
        if found.kind == Carrier.POWER and signs.of(-log.polynomial[1]) != 1:
            raise NoClosedForm("whether the density falls at infinity is not settled by the assumptions")
    return found


def _carrier(distribution: Density | Pmf) -> tuple[Density | Pmf, Carrier, sp.Expr] | None:
    """The distribution without its carrier, the kind of the carrier, and its parameter."""
    v = distribution.variable
    rest = []
    found: list[tuple[Carrier, sp.Expr]] = []
    for factor in sp.Mul.make_args(distribution.expression):
        base, power = factor.as_base_exp() if not isinstance(factor, sp.exp) else (factor, sp.S.One)
        if base == sp.factorial(v) and power == -1:
            found.append((Carrier.FACTORIAL, sp.S.Zero))
        elif isinstance(base, sp.binomial) and base.args[1] == v and power == 1 and not base.args[0].has(v):
            found.append((Carrier.BINOMIAL, base.args[0]))
        elif base == v and not power.has(v):
            found.append((Carrier.POWER, power + 1))
        else:
            rest.append(factor)
    if len(found) != 1:
        return None
    (kind, size) = found[0]
    bare = sp.Mul(*rest)
    if isinstance(distribution, Pmf):
        ends = (distribution.lower, distribution.upper)
        fits = ends == ((0, size) if kind == Carrier.BINOMIAL else (0, sp.oo)) and kind != Carrier.POWER
        return (Pmf(v, bare, *ends), kind, size) if fits else None
    support = distribution.support
    fits = kind == Carrier.POWER and (support.start, support.end) == (0, sp.oo)
    return (Density(v, bare, support), kind, size) if fits else None
