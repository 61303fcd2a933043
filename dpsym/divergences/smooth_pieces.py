"""A formula with absolute values, maxima, minima and cases as smooth formulas between rational corners."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import sympy as sp

_MOST_PIECES = 64  # of more it is given up
_CORNERED = (sp.Abs, sp.Max, sp.Min, sp.Piecewise, sp.sign)


class NoPieces(ValueError):
    """A corner is not at a rational place, or lies where that is not seen; the message says which."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A formula without corners, from `low` to `high`; the ends may be infinite."""

    formula: sp.Expr
    low: sp.Expr
    high: sp.Expr


def smooth_pieces(f: sp.Expr, x: sp.Symbol, low: sp.Expr, high: sp.Expr) -> tuple[Piece, ...]:
    """The pieces in order.

    Args:
        f: in `x` alone.
        low, high: rationals, or infinite.

    Raises:
        NoPieces: where a corner is not rational, or there are too many.
    """
    waiting, found = [Piece(f, low, high)], list[Piece]()
    while waiting:
        if len(waiting) + len(found) > _MOST_PIECES:
            raise NoPieces("the formula has too many corners")
        piece = waiting.pop()
        inner = _innermost(piece.formula, x)
        if inner is None:
            found.append(piece)
            continue
        corners = sorted(c for c in _corners(inner, x) if piece.low < c < piece.high)
        for start, end in pairwise([piece.low, *corners, piece.high]):
            here = _between(start, end)
            waiting.append(Piece(piece.formula.xreplace({inner: _resolved(inner, x, here)}), start, end))
    return tuple(sorted(found, key=lambda p: (p.low != -sp.oo, p.low)))


def _innermost(f: sp.Expr, x: sp.Symbol) -> sp.Basic | None:
    cornered = [e for e in f.atoms(*_CORNERED) if x in e.free_symbols]
    return next((e for e in cornered if not any(o in e.args or _inside(o, e) for o in cornered if o != e)), None)


def _inside(small: sp.Basic, large: sp.Basic) -> bool:
    return any(arg.has(small) for arg in large.args)


def _gaps(e: sp.Basic) -> list[sp.Expr]:
    """Expressions that change their sign where it has a corner."""
    if isinstance(e, sp.Abs | sp.sign):
        return [e.args[0]]
    if isinstance(e, sp.Max | sp.Min):
        return [a - b for i, a in enumerate(e.args) for b in e.args[:i]]
    relations = [r for _, c in e.args for r in c.atoms(sp.core.relational.Relational)]
    return [r.lhs - r.rhs for r in relations]


def _corners(e: sp.Basic, x: sp.Symbol) -> set[sp.Rational]:
    found: set[sp.Rational] = set()
    for gap in _gaps(e):
        if x not in gap.free_symbols:
            continue
        if not gap.is_polynomial(x):
            raise NoPieces(f"{gap} changes its sign at a place that is not seen")
        polynomial = sp.Poly(gap, x)
        rational = polynomial.ground_roots() if polynomial.domain.is_Exact else {}
        if not all(r.is_Rational for r in rational) or _real_roots(polynomial) != len(rational):
            raise NoPieces(f"{gap} changes its sign at a place that is not rational")
        found |= set(rational)
    return found


def _real_roots(polynomial: sp.Poly) -> int:
    """How many different ones it has; at least one where that cannot be counted."""
    if polynomial.degree() == 1:
        return 1
    if not polynomial.domain.is_QQ and not polynomial.domain.is_ZZ:
        return -1
    return int(polynomial.sqf_part().count_roots())


def _between(start: sp.Expr, end: sp.Expr) -> sp.Rational:
    if start == -sp.oo:
        return sp.S.Zero if end == sp.oo else end - 1
    return start + 1 if end == sp.oo else (start + end) / 2


def _resolved(e: sp.Basic, x: sp.Symbol, here: sp.Rational) -> sp.Expr:
    """What it is on an interval in which nothing of it changes its sign, by its value at a place there."""
    if isinstance(e, sp.Abs):
        return e.args[0] if e.args[0].subs(x, here) >= 0 else -e.args[0]
    if isinstance(e, sp.sign):
        return sp.sign(e.args[0].subs(x, here))
    if isinstance(e, sp.Max | sp.Min):
        choose = max if isinstance(e, sp.Max) else min
        return choose(e.args, key=lambda a: a.subs(x, here))
    return next(value for value, condition in e.args if condition.subs(x, here) == True)  # noqa: E712
