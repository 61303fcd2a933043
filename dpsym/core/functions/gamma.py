"""The gamma function and its relatives: factorials, harmonic numbers, binomials, beta, polygamma, zeta, the tail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp
from flint import acb, arb, fmpq, fmpz

from dpsym.core.balls import ranges
from dpsym.core.balls.operations import NAN, Operation, Violation, short
from dpsym.core.balls.ranges import Range
from dpsym.core.functions.record import Function, Groups, Limit, above, off_the_poles
from dpsym.core.notation import gammaq
from dpsym.core.relations import IsInteger, NotInteger, Relation

_ZERO, _ONE = arb(0), arb(1)
_LEAST_GAMMA_AT = "1.46163214496836234126265954232572132846819 +/- 1e-40"
_MOST = 2000  # of exact values


def _pole(x: arb) -> bool:
    return bool(x.is_integer()) and bool(x <= 0)


def _gamma_range(function: Callable[[arb], arb], elsewhere: bool) -> Callable[[Range], Range | None]:
    def turn() -> arb:
        return arb(_LEAST_GAMMA_AT)

    minimum = ranges.unimodal(function, turn, lambda: function(turn()), (ranges.REALS.above, ranges.REALS.above))
    other = ranges.through_balls(function)

    def on_range(x: Range) -> Range | None:
        if ranges.positive(x):
            return minimum(x)
        return other(x) if elsewhere else None

    return on_range


_gamma_on_range = _gamma_range(arb.gamma, elsewhere=True)


def _after_shift(on_range: Callable[[Range], Range | None]) -> Callable[[Range], Range | None]:
    return lambda x: on_range(ranges.add(x, Range(_ONE, _ONE)))


def _factorial_exact(x: fmpq) -> fmpq | None:
    return fmpq(fmpz.fac_ui(int(x.p))) if x.q == 1 and 0 <= x.p <= _MOST else None


def _negative_integer(x: arb) -> Violation | None:
    return (0, "not to be a negative integer") if _pole(x + 1) else None


GAMMA = Function(
    head=sp.gamma, names=("gamma",), latex=r"\Gamma", latex_letters=("Gamma",), symbol="Γ",
    defined=off_the_poles(0), limits=(Limit(sp.S.Zero, sp.oo, 1), Limit(sp.oo, sp.oo, -1)), differential=False,
    huge=True, computed=True,
    operation=Operation(
        arb.gamma,
        _gamma_on_range,
        lambda x: (0, "not to be 0, -1, -2, …") if _pole(x) else None,
        lambda x: _factorial_exact(x - 1),
        lambda z: z.gamma(),
    ),
    mpmath=lambda mp, x: mp.gamma(x),
)  # fmt: skip
LOGGAMMA = Function(
    head=sp.loggamma, names=("loggamma",), latex=r"\operatorname{loggamma}", latex_names=("loggamma",),
    defined=above(0),  # elsewhere its continuation is complex
    limits=(Limit(sp.S.Zero, sp.oo, 1), Limit(sp.oo, sp.oo, -1)), differential=False, huge=True, computed=True,
    operation=Operation(
        lambda x: x.lgamma() if x > 0 else NAN,
        _gamma_range(arb.lgamma, elsewhere=False),
        lambda x: (0, "> 0") if x <= 0 else None,
        lambda x: fmpq(0) if x in (1, 2) else None,
        lambda z: z.lgamma() if z.real > 0 else acb(NAN),
    ),
    mpmath=lambda mp, x: mp.loggamma(x) if x > 0 else mp.nan,
)  # fmt: skip
FACTORIAL = Function(
    head=sp.factorial, names=("factorial",),
    defined=off_the_poles(-1), limits=(Limit(-sp.S.One, sp.oo, 1), Limit(sp.oo, sp.oo, -1)), differential=False,
    of_integers=True, keeps_integers=True, huge=True, computed=True,
    operation=Operation(
        lambda x: (x + 1).gamma(),
        _after_shift(_gamma_on_range),
        _negative_integer,
        _factorial_exact,
        lambda z: (z + 1).gamma(),
    ),
    mpmath=lambda mp, x: mp.factorial(x),
)  # fmt: skip


# --- harmonic numbers
def _harmonic_exact(x: fmpq) -> fmpq | None:
    return fmpq.harmonic(int(x.p)) if x.q == 1 and 0 <= x.p <= _MOST else None


def _harmonic(x: arb) -> arb:
    return (x + 1).digamma() + arb.const_euler()


def _harmonic_range(x: Range) -> Range | None:
    if ranges.positive(ranges.add(x, Range(_ONE, _ONE))):
        return ranges.increasing(_harmonic)(x)
    return ranges.through_balls(_harmonic)(x)


HARMONIC = Function(
    head=sp.harmonic, names=("harmonic",), latex=r"\operatorname{harmonic}", latex_names=("harmonic",),
    defined=off_the_poles(-1), rises=above(-1), limits=(Limit(-sp.S.One, -sp.oo, 1), Limit(sp.oo, sp.oo, -1)),
    differential=False, of_integers=True, huge=True, computed=True,
    operation=Operation(
        _harmonic,
        _harmonic_range,
        _negative_integer,
        _harmonic_exact,
        lambda z: (z + 1).digamma() + arb.const_euler(),
    ),
    mpmath=lambda mp, x: mp.harmonic(x),
)  # fmt: skip


# --- binomial coefficients
def _written_binomial(n: sp.Expr, k: sp.Expr) -> sp.Expr:
    """SymPy would write other than integer arguments with gamma functions, and expand n(n - 1)…(n - k + 1)/k!."""
    return sp.binomial(n, k, evaluate=n.is_Integer and k.is_Integer)


def _binomial_defined(n: sp.Expr, k: sp.Expr) -> Groups:
    """Where SymPy, balls and mpmath agree: of negative integers n and k conventions differ."""
    return (
        (Relation(n, ">", -1),),
        (IsInteger(k), Relation(k, ">", -1)),
        (NotInteger(n),),
    )


def _binomial(n: arb, k: arb) -> arb:
    """A polynomial in n for integers k >= 0, else by gamma functions."""
    if not n.is_finite():
        return NAN
    apart = n > -1 or not n.contains_integer()  # from the negative integers
    if k.is_integer():
        if k < 0:
            return _ZERO if apart else NAN
        if n.is_integer() and n >= 0 and n < k:
            return _ZERO
        if k < 1000:
            return n.bin(int(k.unique_fmpz()))
    if not apart:
        return NAN
    return (n + 1).gamma() * (k + 1).rgamma() * (n - k + 1).rgamma()


def _binomial_range(n: Range, k: Range) -> Range | None:
    if ranges.is_point(k) and k.below.is_integer() and k.below >= 0 and n.below >= k.below - 1:
        return ranges.increasing(lambda t: _binomial(t, k.below))(n)
    balls = ranges.as_ball(n), ranges.as_ball(k)
    value = _binomial(*balls) if all(b.is_finite() for b in balls) else NAN
    return ranges.of_ball(value) if value.is_finite() else None


def _binomial_exact(n: fmpq, k: fmpq) -> fmpq | None:
    if k.q != 1 or k.p > _MOST or n.height_bits() > 200 or (k < 0 and n < 0 and n.q == 1):
        return None
    value = fmpq(1) if k >= 0 else fmpq(0)
    for i in range(int(k.p)):
        value = value * (n - i) / (i + 1)
    return short(value)


def _binomial_needs(n: arb, k: arb) -> Violation | None:
    outside = n.is_integer() and n < 0 and k.is_exact() and not (k.is_integer() and k >= 0)
    return (0, "not to be a negative integer") if outside else None


def _binomial_by_mpmath(mp: Any, n: Any, k: Any) -> Any:
    negative = n < 0 and n == mp.nint(n)
    return mp.nan if negative and not (k >= 0 and k == mp.nint(k)) else mp.binomial(n, k)


BINOMIAL = Function(
    head=sp.binomial, names=("binomial",), arity=2, build=_written_binomial,
    defined=_binomial_defined, differential=False, of_integers=True, keeps_integers=True, huge=True,
    computed=True,
    operation=Operation(_binomial, _binomial_range, _binomial_needs, _binomial_exact),
    mpmath=_binomial_by_mpmath, mpmath_code="mpmath.binomial({0}, {1})",
)  # fmt: skip


# --- what SymPy writes derivatives with
def _hurwitz_zeta(s: arb, x: arb) -> arb:
    return s.zeta(x) if s.is_integer() and s > 1 and x > 0 else NAN


def _hurwitz_range(s: Range, x: Range) -> Range | None:
    if not (ranges.is_point(s) and s.below.is_integer() and s.below > 1 and ranges.positive(x)):
        return None
    falling = ranges.decreasing(lambda t: _hurwitz_zeta(s.below, t), ranges.REALS.above, _ZERO)
    return falling(x)


def _order(n: sp.Expr, least: int) -> tuple[IsInteger, Relation]:
    return IsInteger(n), Relation(n, ">=", least)


def _polygamma(n: arb, x: arb) -> arb:
    if n.is_zero():
        return x.digamma()
    if not (n.is_integer() and n > 0 and n < 1000):
        return NAN
    if x > 0:
        sign = 1 if int(n.unique_fmpz()) % 2 else -1
        return sign * (n + 1).gamma() * _hurwitz_zeta(n + 1, x)
    return acb(x).polygamma(acb(n)).real if not x.contains_integer() else NAN


def _polygamma_range(n: Range, x: Range) -> Range | None:
    if not (ranges.is_point(n) and n.below.is_integer() and n.below >= 0 and ranges.positive(x)):
        return None
    order = n.below
    if order.is_zero() or (ranges.integer(order) or 0) % 2 == 0:
        top = ranges.REALS.above if order.is_zero() else _ZERO
        return ranges.increasing(lambda t: _polygamma(order, t), ranges.REALS.below, top)(x)
    return ranges.decreasing(lambda t: _polygamma(order, t), ranges.REALS.above, _ZERO)(x)


def _beta(x: arb, y: arb) -> arb:
    return x.gamma() * y.gamma() * (x + y).rgamma()


def _beta_range(x: Range, y: Range) -> Range | None:
    value = _beta(ranges.as_ball(x), ranges.as_ball(y))
    return ranges.of_ball(value) if value.is_finite() else None


def _beta_needs(x: arb, y: arb) -> Violation | None:
    return (0, "not to be 0, -1, -2, …") if _pole(x) else ((1, "not to be 0, -1, -2, …") if _pole(y) else None)


def _beta_defined(x: sp.Expr, y: sp.Expr) -> Groups:
    """Off the poles of either gamma function, though their quotient may have a limit there."""
    return tuple((*a, *b) for a in off_the_poles(0)(x) for b in off_the_poles(0)(y))


def _beta_by_mpmath(mp: Any, x: Any, y: Any) -> Any:
    pole = any(t <= 0 and t == mp.nint(t) for t in (x, y))
    return mp.nan if pole else mp.beta(x, y)


BETA = Function(
    head=sp.beta, names=("beta",), arity=2, read=False,
    defined=_beta_defined, differential=False,
    operation=Operation(_beta, _beta_range, _beta_needs), mpmath=_beta_by_mpmath,
)  # fmt: skip
POLYGAMMA = Function(
    head=sp.polygamma, names=("polygamma",), arity=2, read=False,
    defined=lambda n, x: tuple((*_order(n, 0), *group) for group in off_the_poles(0)(x)), differential=False,
    operation=Operation(
        _polygamma, _polygamma_range, lambda _, x: (1, "not to be 0, -1, -2, …") if _pole(x) else None
    ),
    mpmath=lambda mp, n, x: mp.polygamma(int(n), x) if n == mp.nint(n) and n >= 0 else mp.nan,
)  # fmt: skip
ZETA = Function(
    head=sp.zeta, names=("zeta",), arity=2,  # Hurwitz's; with one argument SymPy means Riemann's
    read=False,
    defined=lambda s, x: ((*_order(s, 2), Relation(x, ">", 0)),), differential=False,
    operation=Operation(_hurwitz_zeta, _hurwitz_range),
    mpmath=lambda mp, s, x: mp.zeta(s, x) if s == mp.nint(s) and s > 1 and x > 0 else mp.nan,
)  # fmt: skip


# --- the incomplete gamma function
def _gamma_tail(s: arb, x: arb) -> arb:
    if not (s > 0 and s.is_finite()) or x.is_nan() or x < 0:
        return NAN
    if x.is_exact():
        return _at(s, x)
    if not x.lower() >= 0:
        return NAN
    return _at(s, x.lower()).union(_at(s, x.upper()))  # it falls with x


def _at(s: arb, x: arb) -> arb:
    if x.is_zero():
        return _ONE
    return x.gamma_upper(s, regularized=1) if x.is_finite() else _ZERO


def _gamma_tail_range(s: Range, x: Range) -> Range | None:
    if not (ranges.is_point(s) and ranges.positive(s) and ranges.nonnegative(x)):
        return None
    return ranges.decreasing(lambda t: _at(s.below, t), _ONE, _ZERO)(x)


def _gamma_tail_needs(s: arb, x: arb) -> Violation | None:
    return (0, "> 0") if s <= 0 else ((1, ">= 0") if x < 0 else None)


GAMMA_TAIL = Function(
    head=gammaq, names=("gammaq",), arity=2, latex=r"\operatorname{gammaq}", latex_names=("gammaq",),
    defined=lambda s, x: ((Relation(s, ">", 0), Relation(x, ">=", 0)),), differential=False,
    operation=Operation(_gamma_tail, _gamma_tail_range, _gamma_tail_needs),
    mpmath=lambda mp, s, x: mp.gammainc(s, x, regularized=True) if s > 0 and x >= 0 else mp.nan,
    mpmath_code="mpmath.gammainc({0}, {1}, regularized=True)",
)  # fmt: skip
