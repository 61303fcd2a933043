"""The functions and constants that have numbers, by their SymPy class."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp
from flint import acb, arb, fmpq, fmpz

from dpsym.enclosing import ranges
from dpsym.enclosing.operations import NAN, Operation, Violation, no_zero, short
from dpsym.enclosing.ranges import Range
from dpsym.enclosing.special import BESSEL, GAMMA_TAIL
from dpsym.notation import Phi, Phi_inv, besseli, gammaq, phi

_ZERO, _ONE, _TWO = arb(0), arb(1), arb(2)


# --- exponential, logarithm
def _at_zero(value: int) -> Callable[[fmpq], fmpq | None]:
    return lambda x: None if x else fmpq(value)


EXP = Operation(lambda x: x.exp(), ranges.exponential, exact=_at_zero(1), complex=lambda z: z.exp())
LOG = Operation(
    lambda x: x.log() if x > 0 else NAN,
    ranges.logarithm,
    lambda x: (0, "> 0") if x <= 0 else None,
    lambda x: fmpq(0) if x == 1 else None,
    lambda z: z.log(analytic=True),
)


# every value is real, which SymPy does not know of a symbol
REAL_PART = Operation(lambda x: x, lambda x: x, exact=lambda x: x, complex=lambda z: z)


# --- the normal distribution and the error function
def _erfc(x: arb) -> arb:
    if x.is_finite() or not x.is_exact() or x.is_nan():
        return x.erfc()
    return _ZERO if x > 0 else _TWO


def _erf(x: arb) -> arb:
    return x.erf() if x.is_finite() or not x.is_exact() else 1 - _erfc(x)


def _normal_cdf(x: arb) -> arb:
    return _erfc(-x / _TWO.sqrt()) / 2


def _normal_density(x: arb) -> arb:
    return (-(x * x) / 2).exp() / (2 * arb.pi()).sqrt()


def _normal_quantile(p: arb) -> arb:
    if not (p > 0 and p < 1):
        return NAN
    if p < 0.5:
        return -_TWO.sqrt() * (2 * p).erfcinv()
    return _TWO.sqrt() * (2 * (1 - p)).erfcinv()


def _quantile_range(p: Range) -> Range | None:
    if not (ranges.positive(p) and ranges.negative(ranges.add(p, Range(-_ONE, -_ONE)))):
        return None
    return ranges.increasing(_normal_quantile)(p)  # an end at 0 or 1 has no quantile, hence no bound


def _density_range(x: Range) -> Range | None:
    scale = ranges.of_ball(1 / (2 * arb.pi()).sqrt())
    square = ranges.integer_power(2)(x)
    if scale is None or square is None:
        return None
    return ranges.multiply(ranges.exponential(ranges.multiply(square, Range(arb(-0.5), arb(-0.5)))), scale)


def _inside_unit(p: arb) -> Violation | None:
    return (0, "in (0, 1)") if p <= 0 or p >= 1 else None


ERFC_RANGE = ranges.decreasing(arb.erfc, _TWO, _ZERO)


# --- gamma and its relatives
_LEAST_GAMMA_AT = "1.46163214496836234126265954232572132846819 +/- 1e-40"


def _pole(x: arb) -> bool:
    return bool(x.is_integer()) and bool(x <= 0)


def _gamma_range(function: Callable[[arb], arb], elsewhere: bool) -> Callable[[Range], Range | None]:
    def turn() -> arb:
        return arb(_LEAST_GAMMA_AT)

    valley = ranges.unimodal(function, turn, lambda: function(turn()), (ranges.REALS.above, ranges.REALS.above))
    other = ranges.through_balls(function)

    def on_range(x: Range) -> Range | None:
        if ranges.positive(x):
            return valley(x)
        return other(x) if elsewhere else None

    return on_range


_gamma_on_range = _gamma_range(arb.gamma, elsewhere=True)


def _after_shift(on_range: Callable[[Range], Range | None]) -> Callable[[Range], Range | None]:
    return lambda x: on_range(ranges.add(x, Range(_ONE, _ONE)))


def _factorial_exact(x: fmpq) -> fmpq | None:
    return fmpq(fmpz.fac_ui(int(x.p))) if x.q == 1 and 0 <= x.p <= 2000 else None


def _harmonic_exact(x: fmpq) -> fmpq | None:
    return fmpq.harmonic(int(x.p)) if x.q == 1 and 0 <= x.p <= 2000 else None


def _harmonic(x: arb) -> arb:
    return (x + 1).digamma() + arb.const_euler()


def _harmonic_range(x: Range) -> Range | None:
    if ranges.positive(ranges.add(x, Range(_ONE, _ONE))):
        return ranges.increasing(_harmonic)(x)
    return ranges.through_balls(_harmonic)(x)


def _binomial(n: arb, k: arb) -> arb:
    """SymPy's: zero for integers k < 0, a polynomial in n for integers k >= 0, else by gamma functions."""
    if not n.is_finite():
        return NAN
    if k.is_integer():
        if k < 0:
            return _ZERO
        if n.is_integer() and n >= 0 and n < k:
            return _ZERO
        if k < 1000:
            return n.bin(int(k.unique_fmpz()))
    if not (n > -1):
        return NAN
    return (n + 1).gamma() * (k + 1).rgamma() * (n - k + 1).rgamma()


def _binomial_range(n: Range, k: Range) -> Range | None:
    if ranges.is_point(k) and k.below.is_integer() and k.below >= 0 and n.below >= k.below - 1:
        return ranges.increasing(lambda t: _binomial(t, k.below))(n)
    balls = ranges.as_ball(n), ranges.as_ball(k)
    value = _binomial(*balls) if all(b.is_finite() for b in balls) else NAN
    return ranges.of_ball(value) if value.is_finite() else None


def _binomial_exact(n: fmpq, k: fmpq) -> fmpq | None:
    if k.q != 1 or k.p > 2000 or n.height_bits() > 200:
        return None
    value = fmpq(1) if k >= 0 else fmpq(0)
    for i in range(int(k.p)):
        value = value * (n - i) / (i + 1)
    return short(value)


def _binomial_needs(n: arb, k: arb) -> Violation | None:
    outside = n.is_integer() and n < 0 and k.is_exact() and not k.is_integer()
    return (0, "not to be a negative integer") if outside else None


def _hurwitz_zeta(s: arb, x: arb) -> arb:
    return s.zeta(x) if s.is_integer() and s > 1 and x > 0 else NAN


def _hurwitz_range(s: Range, x: Range) -> Range | None:
    if not (ranges.is_point(s) and s.below.is_integer() and s.below > 1 and ranges.positive(x)):
        return None
    falling = ranges.decreasing(lambda t: _hurwitz_zeta(s.below, t), ranges.REALS.above, _ZERO)
    return falling(x)


def _polygamma(n: arb, x: arb) -> arb:
    if n.is_zero():
        return x.digamma()
    if not (n.is_integer() and n > 0 and n < 1000):
        return NAN
    sign = 1 if int(n.unique_fmpz()) % 2 else -1
    return sign * (n + 1).gamma() * _hurwitz_zeta(n + 1, x)


def _polygamma_range(n: Range, x: Range) -> Range | None:
    if not (ranges.is_point(n) and n.below.is_integer() and n.below >= 0 and ranges.positive(x)):
        return None
    order = n.below
    if order.is_zero() or (ranges.integer(order) or 0) % 2 == 0:
        top = ranges.REALS.above if order.is_zero() else _ZERO
        return ranges.increasing(lambda t: _polygamma(order, t), ranges.REALS.below, top)(x)
    return ranges.decreasing(lambda t: _polygamma(order, t), ranges.REALS.above, _ZERO)(x)


def _beta(x: arb, y: arb) -> arb:
    return x.gamma() * y.gamma() * (x + y).rgamma() if x > 0 and y > 0 else NAN


def _beta_range(x: Range, y: Range) -> Range | None:
    bx, by = ranges.as_ball(x), ranges.as_ball(y)
    value = _beta(bx, by)
    return ranges.of_ball(value) if value.is_finite() else None


# --- order
def _both(function: Callable[[arb, arb], arb]) -> Callable[[arb, arb], arb]:
    return lambda x, y: NAN if x.is_nan() or y.is_nan() else function(x, y)


def _sign(x: arb) -> arb:
    if x.is_nan():
        return NAN
    return _ONE if x > 0 else (-_ONE if x < 0 else (_ZERO if x.is_zero() else arb(0, 1)))


def _sign_range(x: Range) -> Range:
    below = _ONE if ranges.positive(x) else (_ZERO if ranges.nonnegative(x) else -_ONE)
    above = -_ONE if ranges.negative(x) else (_ZERO if x.above <= 0 else _ONE)
    return Range(below, above)


def _heaviside(x: arb, at_zero: arb) -> arb:
    if x.is_nan() or at_zero.is_nan():
        return NAN
    if no_zero(x):
        return _ONE if x > 0 else _ZERO
    return at_zero if x.is_zero() else _ZERO.union(_ONE).union(at_zero)


def _heaviside_range(x: Range, at_zero: Range) -> Range:
    if ranges.positive(x) or ranges.negative(x):
        value = _ONE if ranges.positive(x) else _ZERO
        return Range(value, value)
    return ranges.hull(Range(_ZERO, _ONE), at_zero)


def _within(function: Callable[[arb], arb], inside: Callable[[arb], bool]) -> Callable[[arb], arb]:
    return lambda x: function(x) if inside(x) else NAN


def _monotone_within(
    function: Callable[[arb], arb], inside: Callable[[Range], bool], falling: bool = False
) -> Callable[[Range], Range | None]:
    def on_range(x: Range) -> Range | None:
        if not inside(x):
            return None
        if falling:
            return ranges.negate(ranges.increasing(lambda t: -function(t))(x))
        return ranges.increasing(function)(x)

    return on_range


def _quotient_of(function: Callable[[arb], arb], divisor: Callable[[arb], arb]) -> Callable[[arb], arb]:
    return lambda x: function(x) if no_zero(divisor(x)) else NAN


def _circular(function: Callable[[arb], arb]) -> Callable[[Range], Range | None]:
    return ranges.through_balls(function)


def _smooth(function: Callable[[arb], arb], on_range: Callable[[Range], Range | None], name: str) -> Operation:
    """An entire function that is zero at zero."""
    return Operation(function, on_range, exact=_at_zero(0), complex=lambda z: getattr(z, name)())


_TAN, _COT = _quotient_of(arb.tan, arb.cos), _quotient_of(arb.cot, arb.sin)
_COTH, _CSCH = _quotient_of(arb.coth, lambda x: x), _quotient_of(arb.csch, lambda x: x)
_COSH_RANGE = ranges.unimodal(arb.cosh, lambda: _ZERO, lambda: _ONE, (ranges.REALS.above, ranges.REALS.above))
_PI_HALF = "1.5707963267948966192313216916397514420986 +/- 1e-39"


def _not_zero(x: arb) -> Violation | None:
    return (0, "!= 0") if x.is_zero() else None


def _atan_range(x: Range) -> Range:
    limit = arb(_PI_HALF).upper()
    return ranges.increasing(arb.atan, -limit, limit)(x)


def _odd_reciprocal(x: Range, of: Callable[[Range], Range | None]) -> Range | None:
    value = of(x)
    return None if value is None else ranges.reciprocal(value)


def _inside_one(x: Range) -> bool:
    one = Range(_ONE, _ONE)
    return ranges.positive(ranges.add(x, one)) and ranges.positive(ranges.add(ranges.negate(x), one))


_SINH_RANGE, _TANH_RANGE = ranges.increasing(arb.sinh), ranges.increasing(arb.tanh, -_ONE, _ONE)

FUNCTIONS: dict[type, Operation] = {
    sp.exp: EXP,
    sp.log: LOG,
    sp.re: REAL_PART,
    Phi: Operation(
        _normal_cdf,
        ranges.increasing(_normal_cdf, _ZERO, _ONE),
        exact=lambda x: None if x else fmpq(1, 2),
        complex=lambda z: (-z / acb(2).sqrt()).erfc() / 2,
    ),
    phi: Operation(
        _normal_density, _density_range, complex=lambda z: (-z * z / 2).exp() / (2 * acb.pi()).sqrt()
    ),
    Phi_inv: Operation(_normal_quantile, _quantile_range, _inside_unit, lambda p: fmpq(0) if 2 * p == 1 else None),
    sp.erf: _smooth(_erf, ranges.increasing(arb.erf, -_ONE, _ONE), "erf"),
    sp.erfc: Operation(_erfc, ERFC_RANGE, exact=_at_zero(1), complex=lambda z: z.erfc()),
    sp.gamma: Operation(
        arb.gamma,
        _gamma_on_range,
        lambda x: (0, "not to be 0, -1, -2, …") if _pole(x) else None,
        lambda x: _factorial_exact(x - 1),
        lambda z: z.gamma(),
    ),
    sp.loggamma: Operation(
        lambda x: x.lgamma() if x > 0 else NAN,
        _gamma_range(arb.lgamma, elsewhere=False),
        lambda x: (0, "> 0") if x <= 0 else None,
        lambda x: fmpq(0) if x in (1, 2) else None,
        lambda z: z.lgamma() if z.real > 0 else acb(NAN),
    ),
    sp.factorial: Operation(
        lambda x: (x + 1).gamma(),
        _after_shift(_gamma_on_range),
        lambda x: (0, "not to be a negative integer") if _pole(x + 1) else None,
        _factorial_exact,
        lambda z: (z + 1).gamma(),
    ),
    sp.harmonic: Operation(
        _harmonic,
        _harmonic_range,
        lambda x: (0, "not to be a negative integer") if _pole(x + 1) else None,
        _harmonic_exact,
        lambda z: (z + 1).digamma() + arb.const_euler(),
    ),
    sp.binomial: Operation(_binomial, _binomial_range, _binomial_needs, _binomial_exact),
    sp.beta: Operation(
        _beta, _beta_range, lambda x, y: (0, "> 0") if x <= 0 else ((1, "> 0") if y <= 0 else None)
    ),
    sp.polygamma: Operation(_polygamma, _polygamma_range, lambda _, x: (1, "> 0") if _pole(x) else None),
    sp.zeta: Operation(_hurwitz_zeta, _hurwitz_range),
    besseli: BESSEL,
    gammaq: GAMMA_TAIL,
    sp.Abs: Operation(
        abs, ranges.absolute, exact=abs, complex=lambda z: z.real_abs(analytic=True)
    ),
    sp.Max: Operation(
        _both(arb.max), ranges.maximum, exact=max, complex=lambda x, y: x.real_max(y, analytic=True)
    ),
    sp.Min: Operation(
        _both(arb.min), ranges.minimum, exact=min, complex=lambda x, y: x.real_min(y, analytic=True)
    ),
    sp.floor: Operation(
        arb.floor, ranges.floor, exact=lambda x: fmpq(x.floor()), complex=lambda z: z.real_floor(analytic=True)
    ),
    sp.ceiling: Operation(
        arb.ceil, ranges.ceiling, exact=lambda x: fmpq(x.ceil()), complex=lambda z: z.real_ceil(analytic=True)
    ),
    sp.sign: Operation(_sign, _sign_range, exact=lambda x: fmpq((x > 0) - (x < 0))),
    sp.Heaviside: Operation(_heaviside, _heaviside_range, exact=lambda x, z: fmpq(int(x > 0)) if x else z),
    sp.sinh: _smooth(arb.sinh, _SINH_RANGE, "sinh"),
    sp.cosh: Operation(arb.cosh, _COSH_RANGE, exact=_at_zero(1), complex=lambda z: z.cosh()),
    sp.tanh: _smooth(arb.tanh, _TANH_RANGE, "tanh"),
    sp.coth: Operation(
        _COTH, lambda x: _odd_reciprocal(x, _TANH_RANGE), _not_zero, complex=lambda z: z.coth()
    ),
    sp.sech: Operation(
        arb.sech, lambda x: ranges.reciprocal(_COSH_RANGE(x)), exact=_at_zero(1), complex=lambda z: z.sech()
    ),
    sp.csch: Operation(
        _CSCH, lambda x: _odd_reciprocal(x, _SINH_RANGE), _not_zero, complex=lambda z: z.csch()
    ),
    sp.asinh: Operation(arb.asinh, ranges.increasing(arb.asinh), exact=_at_zero(0)),
    sp.acosh: Operation(
        _within(arb.acosh, lambda x: bool(x >= 1)),
        _monotone_within(arb.acosh, lambda x: bool(x.below >= 1)),
        lambda x: (0, ">= 1") if x < 1 else None,
    ),
    sp.atanh: Operation(
        _within(arb.atanh, lambda x: bool(abs(x) < 1)),
        _monotone_within(arb.atanh, _inside_one),
        lambda x: (0, "in (-1, 1)") if abs(x) >= 1 else None,
        _at_zero(0),
    ),
    sp.sin: _smooth(arb.sin, _circular(arb.sin), "sin"),
    sp.cos: Operation(arb.cos, _circular(arb.cos), exact=_at_zero(1), complex=lambda z: z.cos()),
    sp.tan: _smooth(_TAN, _circular(_TAN), "tan"),
    sp.cot: Operation(_COT, _circular(_COT), _not_zero, complex=lambda z: z.cot()),
    sp.asin: Operation(
        _within(arb.asin, lambda x: bool(abs(x) <= 1)),
        _monotone_within(arb.asin, lambda x: bool(x.below >= -1) and bool(x.above <= 1)),
        lambda x: (0, "in [-1, 1]") if abs(x) > 1 else None,
        _at_zero(0),
    ),
    sp.acos: Operation(
        _within(arb.acos, lambda x: bool(abs(x) <= 1)),
        _monotone_within(arb.acos, lambda x: bool(x.below >= -1) and bool(x.above <= 1), falling=True),
        lambda x: (0, "in [-1, 1]") if abs(x) > 1 else None,
    ),
    sp.atan: Operation(arb.atan, _atan_range, exact=_at_zero(0)),
}  # fmt: skip

CONSTANTS: dict[sp.Basic, Callable[[], arb]] = {
    sp.pi: arb.pi,
    sp.E: arb.const_e,
    sp.EulerGamma: arb.const_euler,
    sp.Catalan: arb.const_catalan,
    sp.GoldenRatio: lambda: (1 + arb(5).sqrt()) / 2,
}
