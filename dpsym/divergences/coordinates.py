"""Other coordinates of the outcome, in which the two densities are exp(polynomial): divergences do not change.

A density that depends on y through w = exp(r y) only is one of w, on the half-line.  Two densities of w of the form
c/(a + b w)^2 (logistic noise) are, in the coordinate v = log((a_q + b_q w)/(a_p + b_p w)), which is monotone,

    p = c_p/|D| exp(v),    q = c_q/|D| exp(-v),    D = b_q a_p - a_q b_p,

between log(a_q/a_p) and log(b_q/b_p): dv = D dw/((a_p + b_p w)(a_q + b_q w)).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import sympy as sp

from dpsym.core import functions
from dpsym.core.distributions import Density
from dpsym.core.relations import Proposition
from dpsym.divergences.closed_form import NoClosedForm
from dpsym.divergences.exponential_sums import Ring
from dpsym.divergences.signs import Signs

_W, _V = sp.Dummy("w"), sp.Dummy("v")
_HYPERBOLIC = functions.heads("quotient")


def straightened(P: Density, Q: Density, assume: Iterable[Proposition]) -> tuple[Density, Density]:
    """The pair in coordinates in which the engine may read it; the pair itself where there are none to try."""
    if not (P.support == Q.support == sp.Reals) or not _nested(P) or not _nested(Q):
        return P, Q
    known = tuple(assume)
    try:
        p, q = _in_exponential(P, known), _in_exponential(Q, known)
    except _Other:
        return P, Q
    if sp.cancel(p.rate - q.rate) != 0:
        return P, Q
    if not _exponentials_of(p.density) and not _exponentials_of(q.density):
        found = _squares(p.density, q.density, known)
        return (P, Q) if found is None else found
    half_line = sp.Interval(0, sp.oo)
    return Density(_W, p.density, half_line), Density(_W, q.density, half_line)


class _Other(Exception):
    """It depends on the outcome in another way than through exp(r y)."""


@dataclass(frozen=True, slots=True)
class _Exponential:
    """A density of w = exp(rate * y), the exponentials of constants being still in it."""

    density: sp.Expr
    rate: sp.Expr


def _nested(density: Density) -> bool:
    """Whether it is more than exp(polynomial): a sum, or an exponential, of exponentials of the outcome."""
    f, y = density.expression, density.variable
    if any(part.has(y) for part in f.atoms(*_HYPERBOLIC)):
        return True
    sums = (e for e in f.atoms(sp.Add) if e.has(y))
    return any(e.has(sp.exp) and any(x.has(y) for x in e.atoms(sp.exp)) for e in sums)


def _exponentials_of(expression: sp.Expr) -> bool:
    return any(e.has(_W) for e in expression.atoms(sp.exp))


def _in_exponential(density: Density, assume: tuple[Proposition, ...]) -> _Exponential:
    y = density.variable
    f = density.expression
    f = f.replace(lambda e: isinstance(e, _HYPERBOLIC), lambda e: e.rewrite(sp.exp) if e.has(y) else e)
    slopes = {_slope(e.args[0], y) for e in f.atoms(sp.exp) if e.has(y)} - {sp.S.Zero}
    if not slopes:
        raise _Other
    first = min(slopes, key=sp.default_sort_key)
    ratios = [sp.cancel(slope / first) for slope in slopes]
    if not all(ratio.is_Rational for ratio in ratios):
        raise _Other
    # of both signs of the rate the one with which what is nested is an exponential of a polynomial
    unit = first * sp.gcd_list(ratios) * (1 if all(ratio > 0 for ratio in ratios) else _sign(first, assume))
    in_w = _replaced(f, y, unit)
    if in_w.has(y):
        raise _Other
    if not _exponentials_of(in_w):
        step = _step(in_w)
        in_w, unit = in_w.subs(_W, _W ** sp.Rational(1, step)) if step > 1 else in_w, unit * step
        in_w = sp.powdenest(sp.cancel(sp.together(in_w)), force=False)
    return _Exponential(in_w / (_W * unit * _sign(unit, assume)), unit)


def _sign(unit: sp.Expr, assume: tuple[Proposition, ...]) -> int:
    ring = Ring(unit)
    found = Signs(ring, assume).of(ring.rational(unit))
    if found not in (1, -1):
        raise _Other
    return found


def _step(rational: sp.Expr) -> int:
    """The k for which it is a rational function of w^k."""
    parts = sp.fraction(sp.cancel(sp.together(rational)))
    if not all(part.is_polynomial(_W) for part in parts):
        raise _Other
    return max(1, int(sp.igcd(0, *(power for part in parts for (power,) in sp.Poly(part, _W).monoms()))))


def _slope(exponent: sp.Expr, y: sp.Symbol) -> sp.Expr:
    """The coefficient of the outcome, outside further exponentials."""
    linear = sp.Add(*(t for t in sp.Add.make_args(sp.expand(exponent)) if t.has(y) and not t.has(sp.exp)))
    slope = sp.cancel(sp.diff(linear, y))
    if slope.has(y):
        raise _Other
    return slope


def _replaced(e: sp.Expr, y: sp.Symbol, unit: sp.Expr) -> sp.Expr:
    """The expression with exp(c + k*unit*y) as exp(c) w^k, at every depth."""
    if not e.has(y) or not e.args:
        return e
    if not isinstance(e, sp.exp):
        return e.func(*(_replaced(arg, y, unit) for arg in e.args))
    terms = sp.Add.make_args(sp.expand(e.args[0]))
    moving = [t for t in terms if t.has(y) and not t.has(sp.exp)]
    count = sp.cancel(_slope(e.args[0], y) / unit)
    if not count.is_Integer:
        raise _Other
    inner = sp.Add(*(_replaced(t, y, unit) for t in terms if t not in moving and t.has(sp.exp)))
    constant = sp.Add(*(t for t in terms if t not in moving and not t.has(sp.exp)))
    rest = sp.Add(*moving) - count * unit * y
    if sp.cancel(rest) != 0:
        raise _Other
    return sp.exp(constant) * _W**count * (sp.exp(inner) if inner != 0 else 1)


# --- two squares of linear functions
def _squares(p: sp.Expr, q: sp.Expr, assume: tuple[Proposition, ...]) -> tuple[Density, Density] | None:
    """Both as exp(±v) on an interval, where both are c/(a + b w)^2."""
    names, values = _constants(p, q)
    first, second = (_square(f.xreplace(names)) for f in (p, q))
    if first is None or second is None:
        return None
    (ap, bp, cp), (aq, bq, cq) = first, second
    determinant = (bq * ap - aq * bp).xreplace(values)
    parts = [x.xreplace(values) for x in (ap, bp, cp, aq, bq, cq)]
    logs = [_logarithm(sp.cancel(x), values) for x in (aq / ap, bq / bp)]
    if any(x is None for x in logs):
        return None
    low, high = logs
    try:
        ring = Ring(determinant, *parts, low, high)
        signs = Signs(ring, assume)
        if not all(signs.of(ring.sum(x).collected()) == 1 for x in parts):
            return None
        direction = signs.of(ring.sum(determinant).collected())
    except NoClosedForm:
        return None
    if direction == 0:  # the likelihood ratio is constant; in the coordinate b w/(a + b w) both are uniform
        return tuple(Density(_V, c / (a * b), sp.Interval(0, 1)) for a, b, c in (parts[:3], parts[3:]))  # type: ignore[return-value]
    if direction not in (1, -1):
        raise NoClosedForm("the sign of {} is not settled by the assumptions", determinant)
    support = sp.Interval(low, high) if direction == 1 else sp.Interval(high, low)
    size = determinant * direction
    return (
        Density(_V, parts[2] / size * sp.exp(_V), support),
        Density(_V, parts[5] / size * sp.exp(-_V), support),
    )


def _constants(*expressions: sp.Expr) -> tuple[dict[sp.Expr, sp.Expr], dict[sp.Expr, sp.Expr]]:
    """Names for the exponentials of constants: powers of as few as there are independent exponents."""
    groups: list[dict[sp.Expr, sp.Rational]] = []  # exponentials whose exponents are multiples of the first one's
    for e in sorted(set().union(*(x.atoms(sp.exp) for x in expressions)), key=sp.default_sort_key):
        for group in groups:
            ratio = sp.cancel(e.args[0] / next(iter(group)).args[0])
            if ratio.is_Rational:
                group[e] = ratio
                break
        else:
            groups.append({e: sp.S.One})
    names: dict[sp.Expr, sp.Expr] = {}
    values: dict[sp.Expr, sp.Expr] = {}
    for group in groups:
        symbol, step = sp.Dummy("t"), sp.gcd_list(list(group.values()))
        values[symbol] = sp.exp(next(iter(group)).args[0] * step)
        names |= {e: symbol ** (ratio / step) for e, ratio in group.items()}
    return names, values


def _square(f: sp.Expr) -> tuple[sp.Expr, sp.Expr, sp.Expr] | None:
    """(a, b, c) with f = c/(a + b w)^2."""
    above, below = sp.fraction(sp.cancel(sp.together(f)))
    if above.has(_W) or not below.is_polynomial(_W):
        return None
    content, factors = sp.factor_list(below, _W)
    moving = [(factor, power) for factor, power in factors if factor.has(_W)]
    if len(moving) != 1 or moving[0][1] != 2 or sp.degree(moving[0][0], _W) != 1:
        return None
    a, b = moving[0][0].subs(_W, 0), sp.diff(moving[0][0], _W)
    rest = content * sp.Mul(*(factor**power for factor, power in factors if not factor.has(_W)))
    return a, b, above / rest


def _logarithm(monomial: sp.Expr, values: dict[sp.Expr, sp.Expr]) -> sp.Expr | None:
    """log of a product of powers of named exponentials."""
    total = sp.S.Zero
    for factor in sp.Mul.make_args(monomial):
        base, power = factor.as_base_exp()
        if base in values:
            total += power * values[base].args[0]
        elif factor != 1:
            return None
    return total
