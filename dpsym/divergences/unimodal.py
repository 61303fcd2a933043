"""Does a noise rise to one place and fall from there?  Then of all shifts the largest is the worst.

Let f rise up to m and fall from there, gamma >= 1 and s >= 0.  The hockey-stick divergence of the noise moved by s from
the noise is the integral of (f(z) - gamma f(z + s))_+ over z.  As s grows, f(z + s) is at least f(z) up to z + s = m,
where the integrand is 0, and falls from there, where the integrand rises.  So the integral never falls.  Of the other
order it is that of (f(z) - gamma f(z - s))_+, and the same holds.  Below 1 the divergence at gamma is that of the other
order at 1/gamma, times gamma, and 1 - gamma.  On the integers a sum stands for the integral.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import sympy as sp

from dpsym.core.clocks import Work, keeping_time
from dpsym.core.deadline import over, remaining
from dpsym.core.distributions import Density, Pmf
from dpsym.core.relations import Operator, Proposition, Relation
from dpsym.core.verdicts import Verdict
from dpsym.deciding import EmptyDomain, decide
from dpsym.divergences.log_concave import is_smooth, with_bare_sizes
from dpsym.divergences.smooth_pieces import NoPieces, Piece, smooth_pieces

_SHOWN = (Verdict.PROVED, Verdict.CERTIFIED)
_MOST_PARTS = 24  # of more it is given up


@keeping_time
def unimodal(noise: Density | Pmf, domain: tuple[Proposition, ...], time_limit: float = Work(10)) -> str | None:
    """Why it is; None where that is not shown."""
    if isinstance(noise, Pmf):  # masses are values of a function between the integers; at a jump that says too little
        if noise.expression.has(sp.Piecewise, sp.sign):
            return None
        ends = noise.lower, noise.upper
    else:
        ends = noise.support.start, noise.support.end
    v = noise.variable
    cases = (condition for e in noise.expression.atoms(sp.Piecewise) for _, condition in e.args)
    if any(condition.free_symbols - {v} for condition in cases):
        return None
    try:
        pieces = smooth_pieces(with_bare_sizes(noise.expression, v, domain), v, *ends)
    except (NoPieces, TypeError):  # SymPy raises the second for ends that it cannot compare
        return None
    shown = _Shown(v, domain)
    parts = [part for piece in pieces for part in shown.parts(piece)]
    if len(parts) > _MOST_PARTS:
        return None
    rising = next((i for i, part in enumerate(parts) if not shown.rises(part, parts[:i])), len(parts))
    while rising < len(parts):
        if not shown.falls(parts[rising], parts[rising + 1 :]):
            return None
        rising += 1
    return "it rises to one place and falls from there"


@dataclass(frozen=True, slots=True)
class _Part:
    """A smooth piece between two places; where these do not lie in it, there is nothing of it."""

    piece: Piece
    low: sp.Expr
    high: sp.Expr


@dataclass(frozen=True, slots=True)
class _Shown:
    """What is shown of the parts of a noise."""

    v: sp.Symbol
    domain: tuple[Proposition, ...]

    def parts(self, piece: Piece) -> list[_Part]:
        """The piece, cut where it may be largest."""
        factors = sp.Mul.make_args(piece.formula)
        rate = sp.numer(sp.together(sp.Add(*(sp.diff(f, self.v) / f for f in factors))))
        mode = sp.S.Zero
        if rate.is_polynomial(self.v) and sp.degree(rate, self.v) == 1:
            slope, rest = (sp.Poly(rate, self.v).nth(i) for i in (1, 0))
            mode = -rest / slope if self.holds(Relation(slope, "!=", sp.S.Zero), self.domain) else mode
        outside = (piece.low >= mode) == True or (mode >= piece.high) == True  # noqa: E712
        return [_Part(piece, *ends) for ends in pairwise([piece.low, *([] if outside else [mode]), piece.high])]

    def rises(self, part: _Part, before: Sequence[_Part]) -> bool:
        """Whether it never falls from the part before it on."""
        return all(self.at_most(left, part, part.low) for left in before[-1:]) and self.slope(part, ">=")

    def falls(self, part: _Part, after: Sequence[_Part]) -> bool:
        """Whether it never rises up to the part after it."""
        return all(self.at_most(right, part, part.high) for right in after[:1]) and self.slope(part, "<=")

    def slope(self, part: _Part, op: Operator) -> bool:
        """Whether the slope is on this side of 0 all over a part."""
        f = part.piece.formula
        lower = [Relation(self.v, ">", e) for e in (part.low, part.piece.low) if e != -sp.oo]
        upper = [Relation(self.v, "<", e) for e in (part.high, part.piece.high) if e != sp.oo]
        given = tuple(dict.fromkeys((*self.domain, *lower, *upper)))
        if not self.smooth(f, given):
            return False
        return self.holds(Relation(sp.factor_terms(sp.together(sp.diff(f, self.v))), op, sp.S.Zero), given)

    def at_most(self, lower: _Part, higher: _Part, place: sp.Expr) -> bool:
        """Whether one of two neighbours is at most the other where they meet."""
        if lower.piece == higher.piece:
            return True
        given = (*self.domain, Relation(self.v, "=", place))
        low, high = lower.piece.formula, higher.piece.formula
        return self.smooth(low, given) and self.smooth(high, given) and self.holds(Relation(low, "<=", high), given)

    def smooth(self, f: sp.Expr, given: tuple[Proposition, ...]) -> bool:
        """Whether it is differentiable there, so that its slope says all; so it is where there is nothing."""
        try:
            return not over() and is_smooth(f, self.v, given, remaining())
        except EmptyDomain:
            return True

    def holds(self, relation: Relation, given: tuple[Proposition, ...]) -> bool:
        """Whether it is proved; of what cannot occur there is nothing to be shown."""
        try:
            return not over() and decide(relation, given, time_limit=remaining()).verdict in _SHOWN
        except EmptyDomain:
            return True
