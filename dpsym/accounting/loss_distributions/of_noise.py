"""The privacy loss of additive noise, read from its density or its masses at exact parameters.

A distribution is known from anything that its density is proportional to, so constant factors are left out, and a
family is recognised by what the outcome occurs in.  Where the noise is centred does not matter to the pair.  What no
family is, but is shown to be log-concave and symmetric, has the law of a monotone likelihood ratio.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache

import sympy as sp
from flint import fmpq

from dpsym.accounting.loss_distributions.discrete_gaussian import DiscreteGaussianLaw
from dpsym.accounting.loss_distributions.finite import FiniteLaw, finite_law
from dpsym.accounting.loss_distributions.integer_noise import BinomialNoise, FormulaNoise, IntegerNoiseLaw, SkellamNoise
from dpsym.accounting.loss_distributions.lattice import GaussianLaw, LaplaceLaw, LatticeLaw, Law
from dpsym.accounting.loss_distributions.log_concave import (
    CauchyLaw,
    GeneralisedGaussianLaw,
    GumbelLaw,
    LogisticLaw,
    TruncatedLaplaceLaw,
)
from dpsym.accounting.loss_distributions.symmetric_density import SymmetricLaw, U
from dpsym.accounting.parameters import NotAccountable
from dpsym.core import functions
from dpsym.core.clocks import Work
from dpsym.core.distributions import Density, Finite, Pmf
from dpsym.core.notation import besseli
from dpsym.core.plain_printer import plain
from dpsym.core.relations import substitute

_HYPERBOLIC = functions.heads("quotient")
_MOST_OUTCOMES = 400  # that are enumerated, each with its own formula
_LONGEST_NUMBER = 100_000  # bits of a geometric sum
_LONGEST_SUM = 2000  # of fractions that are added up exactly
_SECONDS = Work(10)  # to show that it is log-concave


@lru_cache(maxsize=256)
def law_of_noise(noise: Density | Pmf, by: sp.Expr, *, log_concave: bool = False) -> Law:
    """The law of noise on an answer that moves by `by`, without symbols; of two orders that differ the worse one.

    It is that of the distribution to which the density, or the masses, are proportional.  Whether they are log-concave
    is decided here, unless it is known.

    Raises:
        NotAccountable: where it is none of the families, and not shown to be log-concave and symmetric.
    """
    if isinstance(noise, Pmf):
        if not (by.is_Integer and by > 0):
            raise NotAccountable(f"noise on the integers, and a shift of {by}")
        return _of_masses(noise, int(by), known=log_concave)
    if by.is_positive is False:  # where SymPy does not see it, the domain of the mechanism says so
        raise NotAccountable(f"a shift of {by}, which is not positive")
    noise = Density(noise.variable, _moving(noise), noise.support)
    ways: tuple[Callable[[Density, sp.Expr], Law | None], ...] = (_of_power, _of_nested, _of_quotient)
    return next((law for way in ways if (law := way(noise, by)) is not None), None) or _of_log_concave(
        noise, by, log_concave
    )


# --- families of densities
def law_of_scaled_power(noise: Density | Pmf, by: sp.Expr, at: Mapping[sp.Symbol, sp.Expr]) -> Law | None:
    """Of density proportional to exp(-(c |y - d|)^beta): c^beta, which may have millions of digits, is not computed."""
    exponentials = [f for f in sp.Mul.make_args(noise.expression) if f.has(noise.variable)]
    power = -exponentials[0].args[0] if len(exponentials) == 1 and isinstance(exponentials[0], sp.exp) else sp.S.Zero
    if not (isinstance(noise, Density) and noise.support == sp.Reals and power.is_Pow) or power.exp.has(noise.variable):
        return None
    factor, distance = power.base.as_independent(noise.variable, as_Add=False)
    if not isinstance(distance, sp.Abs) or abs(sp.diff(distance.args[0], noise.variable)) != 1:
        return None
    c, beta = substitute(factor, at), substitute(power.exp, at)
    t = _rational(c * by) if c.is_positive else None
    if t is None or t <= 0 or not beta.is_Rational or beta < 1:
        return None
    if beta == 2:
        return GaussianLaw(2 * t**2)
    return LaplaceLaw(t) if beta == 1 else GeneralisedGaussianLaw(t, fmpq(int(beta.p), int(beta.q)))


def _of_power(noise: Density, by: sp.Expr) -> Law | None:
    """exp(-k |y - c|^beta): Gaussian, Laplace, truncated Laplace, generalised Gaussian noise."""
    found = _power_of_distance(_logarithm(noise), noise.variable)
    if found is None:
        return None
    centre, k, beta = found
    if noise.support != sp.Reals:
        ends = [_rational(k * abs(end - centre)) for end in (noise.support.start, noise.support.end)]
        t = _rational(k * by)
        whole = beta == 1 and t is not None and None not in ends and ends[0] == ends[1] and t <= ends[0]
        return TruncatedLaplaceLaw(t, ends[0]) if whole and t is not None and ends[0] is not None else None
    if beta == 2:
        mu_squared = _rational(2 * k * by**2)
        return None if mu_squared is None else GaussianLaw(mu_squared)
    t = _root(sp.expand((k * by**beta) ** beta.q), fmpq(int(beta.p)))
    if t is None or beta < 1:
        return None
    return LaplaceLaw(t) if beta == 1 else GeneralisedGaussianLaw(t, fmpq(int(beta.p), int(beta.q)))


def _of_nested(noise: Density, by: sp.Expr) -> Law | None:
    """exp(-s y - c exp(-s y)), c > 0: Gumbel noise, of which the order with unbounded losses is the worse one."""
    log, y = _logarithm(noise), noise.variable
    inner = [e for e in log.atoms(sp.exp) if e.has(y)] if log is not None else []
    if log is None or len(inner) != 1 or noise.support != sp.Reals:
        return None
    slope = sp.diff(inner[0].args[0], y)
    factor = log.coeff(inner[0])
    rest = sp.expand(log - factor * inner[0])
    s = _rational(slope * by)
    if s is None or factor.has(y) or not factor.is_negative or sp.expand(sp.diff(rest, y) - slope) != 0:
        return None
    return GumbelLaw(abs(s), backwards=True)


def _of_quotient(noise: Density, by: sp.Expr) -> Law | None:
    """c/(quadratic), or c w^k/(a + b w^k)^2 in w = exp(r y): Cauchy and logistic noise."""
    if noise.support != sp.Reals:
        return None
    y, f = noise.variable, noise.expression
    if f.is_rational_function(y):
        numerator, denominator = sp.fraction(sp.cancel(sp.together(f)))
        if numerator.has(y) or not denominator.is_polynomial(y) or sp.degree(denominator, y) != 2:
            return None
        c2, c1, c0 = sp.Poly(denominator, y).all_coeffs()
        square = _rational(sp.cancel((4 * c2 * c0 - c1**2) * by**-2 / c2**2))  # of twice the scale over the shift
        inverse = None if square is None or square <= 0 else _root(sp.Rational(int(square.p), int(square.q)), fmpq(2))
        return None if inverse is None else CauchyLaw(1 / inverse)
    found = _in_exponential(f, y)
    if found is None:
        return None
    numerator, denominator, rate = found
    terms = {power: factor for (power,), factor in denominator.terms()}
    if len(terms) != 3 or len(numerator.terms()) != 1:
        return None
    k = numerator.degree()
    c0, c1, c2 = (terms.get(power, sp.S.Zero) for power in (0, k, 2 * k))
    t = _rational(abs(rate) * k * by)
    if not t or not all((c / c2).is_positive for c in (c0, c1) if c2 != 0) or 0 in (c0, c1, c2):
        return None
    return LogisticLaw(t) if sp.simplify(c1**2 - 4 * c0 * c2) == 0 else None


def _in_exponential(f: sp.Expr, y: sp.Symbol) -> tuple[sp.Poly, sp.Poly, sp.Rational] | None:
    """Numerator and denominator as polynomials in w = exp(rate y), rate > 0."""
    f = f.replace(lambda e: isinstance(e, _HYPERBOLIC) and e.has(y), lambda e: e.rewrite(sp.exp))
    parts = [e for e in f.atoms(sp.exp) if e.has(y)]
    slopes = [sp.diff(e.args[0], y) for e in parts]
    if not slopes or not all(slope.is_Rational for slope in slopes):
        return None
    rate, w = sp.gcd_list(slopes), sp.Dummy("w")
    table = {e: w ** (slope / rate) * sp.exp(e.args[0].subs(y, 0)) for e, slope in zip(parts, slopes, strict=True)}
    in_w = f.xreplace(table)
    if in_w.has(y) or not in_w.is_rational_function(w):
        return None
    numerator, denominator = sp.fraction(sp.cancel(sp.together(in_w)))
    return sp.Poly(numerator, w), sp.Poly(denominator, w), abs(rate)


def _moving(noise: Density | Pmf) -> sp.Expr:
    """The factors in which the outcome occurs."""
    return noise.expression.as_independent(noise.variable, as_Add=False)[1]


def _logarithm(noise: Density | Pmf) -> sp.Expr | None:
    """That of the factors in which the outcome occurs, where they are exponentials."""
    v, total = noise.variable, sp.S.Zero
    for factor in sp.Mul.make_args(noise.expression):
        if not factor.has(v):
            continue
        base, exponent = (sp.E, factor.args[0]) if isinstance(factor, sp.exp) else factor.as_base_exp()
        if isinstance(base, sp.exp):
            base, exponent = sp.E, base.args[0] * exponent
        if base.has(v):
            return None
        total += exponent * sp.log(base)
    return sp.expand(total)


def _power_of_distance(log: sp.Expr | None, v: sp.Symbol) -> tuple[sp.Expr, sp.Expr, sp.Rational] | None:
    """(c, k, beta) of -k |v - c|^beta + constant, k > 0."""
    if log is None:
        return None
    sizes = [e for e in log.atoms(sp.Abs) if e.has(v)]
    if not sizes:
        if not log.is_polynomial(v) or (degree := sp.degree(log, v)) < 2 or degree % 2:
            return None
        coefficients = sp.Poly(log, v).all_coeffs()
        centre = -coefficients[1] / (degree * coefficients[0])
        k, beta = -coefficients[0], sp.Integer(degree)
        rest = sp.expand(log + k * (v - centre) ** degree)
    else:
        inner = sizes[0].args[0]
        if len(sizes) > 1 or not inner.is_polynomial(v) or sp.degree(inner, v) != 1:
            return None
        slope, offset = sp.Poly(inner, v).all_coeffs()
        centre, size = -offset / slope, sp.Dummy("size", positive=True)
        terms = [t for t in sp.Add.make_args(sp.expand(log.xreplace({sizes[0]: size}))) if t.has(size)]
        if len(terms) != 1:
            return None
        factor, power = terms[0].as_independent(size)
        base, beta = power.as_base_exp()
        if base != size:
            return None
        k = -factor * abs(slope) ** beta
        rest = sp.expand(log.xreplace({sizes[0]: size}) - terms[0])
    if rest.has(v) or not beta.is_Rational or k.is_positive is not True or not centre.is_real:
        return None
    return centre, k, beta


# --- families of masses
def _of_masses(noise: Pmf, by: int, *, known: bool) -> Law:
    v = noise.variable
    finite = noise.lower.is_Integer and noise.upper.is_Integer
    moving = _moving(noise)
    if finite and noise.lower == 0 and moving == sp.binomial(noise.upper, v):
        return IntegerNoiseLaw(BinomialNoise(int(noise.upper)), by)
    if finite and noise.upper - noise.lower <= _MOST_OUTCOMES:
        return _of_finitely_many(noise, by)
    if (noise.lower, noise.upper) == (-sp.oo, sp.oo):
        if isinstance(moving, besseli) and moving.args[0] in (v, sp.Abs(v)) and (mu := _rational(moving.args[1])):
            return IntegerNoiseLaw(SkellamNoise(mu), by)
        found = _power_of_distance(_logarithm(noise), v)
        if found is not None and found[0].is_Integer:
            _, k, beta = found
            if beta == 2 and (inverse := _rational(1 / (2 * k))) is not None:
                return DiscreteGaussianLaw(inverse, by)
            if beta == 1:
                unit = _rational(k)
                return LatticeLaw(unit, by) if unit is not None else _of_geometric(sp.exp(-k), by)
    return _of_log_concave_masses(noise, by, known)


def _of_finitely_many(noise: Pmf, by: int) -> Law:
    """The outcomes one by one."""
    first, last = int(noise.lower), int(noise.upper)
    masses = {i: _moving(noise).subs(noise.variable, i) for i in range(first, last + 1)}
    total = sp.Add(*masses.values())
    masses = {i: mass / total for i, mass in masses.items()}
    outcomes = range(first, last + by + 1)
    P = Finite(tuple(masses.get(i - by, sp.S.Zero) for i in outcomes))
    return symmetric(finite_law(P, Finite(tuple(masses.get(i, sp.S.Zero) for i in outcomes))))


def _of_geometric(ratio: sp.Expr, by: int) -> FiniteLaw:
    """Outcomes beyond both answers have the loss of the nearer answer."""
    ends, whole = [1 / (1 - ratio), *[sp.S.One] * (by - 1), 1 / (1 - ratio)], (1 - ratio) / (1 + ratio)
    masses = tuple(whole * ends[i] * ratio ** (by - i) for i in range(by + 1))
    return finite_law(Finite(masses), Finite(masses[::-1]))


def symmetric(law: FiniteLaw) -> FiniteLaw:
    """The law itself, if its two orders are alike.

    Raises:
        NotAccountable: otherwise.
    """
    if law.symmetric:
        return law
    raise NotAccountable("the two orders of two answers differ, and neither is known to be the worse one")


# --- a monotone likelihood ratio
def _of_log_concave(noise: Density, by: sp.Expr, known: bool) -> Law:
    """See `SymmetricLaw`."""
    from dpsym.divergences.log_concave import log_concave

    y, ends = noise.variable, (noise.support.start, noise.support.end)
    centre = _centre(noise)
    half = noise.expression.subs(y, centre + U) if centre is not None else None
    if half is not None:
        half = half.replace(sp.Abs, lambda e: U if e in (U, -U) else sp.Abs(e))
    if centre is None or half is None:
        raise NotAccountable(f"{plain(noise.expression)} is not shown to be symmetric about its middle")
    if not known and log_concave(noise, (), _SECONDS) is None:
        raise NotAccountable(f"{plain(noise.expression)} is not shown to be log-concave, so its losses are not ordered")
    end = None if ends[1] == sp.oo else ends[1] - centre
    if end is not None and (end - by / 2).is_positive is not True:
        raise NotAccountable("the two outputs have no outcome in common, or that is not settled")
    scale = _scale(half)  # all scales of a noise share what is computed of it
    half, by, end = half.subs(U, scale * U), by / scale, None if end is None else end / scale
    return SymmetricLaw(half, by, end, _largest_loss(half, by) if end is None else sp.oo)


def _scale(half: sp.Expr) -> sp.Expr:
    """A length in units of which the formula has simpler numbers."""
    for part in sp.preorder_traversal(half):
        factor, power = part.as_independent(U, as_Add=False) if isinstance(part, sp.Mul) else (sp.S.One, part)
        base, exponent = power.as_base_exp()
        if base == U and exponent.is_Rational and exponent > 0:
            return abs(factor) ** (-1 / exponent)
    return sp.S.One


def _centre(noise: Density) -> sp.Expr | None:
    """About which it is symmetric, as its canonical form shows."""
    y, (start, end) = noise.variable, (noise.support.start, noise.support.end)
    tries = [(start + end) / 2] if start != -sp.oo and end != sp.oo else [sp.S.Zero] if start == -end else []
    log = _logarithm(noise)
    if tries == [0] and log is not None and log.is_polynomial(y) and (degree := sp.degree(log, y)) > 1:
        highest, second = sp.Poly(log, y).all_coeffs()[:2]
        tries.append(-second / (degree * highest))
    for centre in tries:
        right, left = (noise.expression.subs(y, centre + sign * U) for sign in (1, -1))
        if right == left or sp.simplify(sp.expand(right - left)) == 0:
            return centre
    return None


def _largest_loss(half: sp.Expr, by: sp.Expr) -> sp.Expr | None:
    """The limit of the loss far out, where it is easily told: from the slope of the logarithm."""
    log = _logarithm(Density(U, half))
    if log is not None and log.is_polynomial(U):
        degree = sp.degree(log, U)
        return sp.oo if degree > 1 else None
    powers = [t.as_independent(U) for t in sp.Add.make_args(log)] if log is not None else []
    if powers and all(p.as_base_exp()[0] == U and p.as_base_exp()[1].is_Rational for c, p in powers if p != 1):
        return sp.oo if max(p.as_base_exp()[1] for _, p in powers if p != 1) > 1 else None
    found = _in_exponential(half, U)
    if found is None:
        return None
    numerator, denominator, rate = found
    return by * rate * (denominator.degree() - numerator.degree())


def _of_log_concave_masses(noise: Pmf, by: int, known: bool) -> Law:
    """From a table of its masses."""
    from dpsym.divergences.log_concave import log_concave

    v = noise.variable
    if (noise.lower, noise.upper) != (-sp.oo, sp.oo):
        raise NotAccountable(f"masses between {noise.lower} and {noise.upper} that are no known family")
    noise = Pmf(v, _moving(noise))
    mirrored = noise.expression.subs(v, -v)
    if mirrored != noise.expression and sp.simplify(sp.expand(mirrored - noise.expression)) != 0:
        raise NotAccountable(f"{plain(noise.expression)} is not shown to be symmetric about 0")
    if not known and log_concave(noise, (), _SECONDS) is None:
        raise NotAccountable(f"{plain(noise.expression)} is not shown to be log-concave, so its losses are not ordered")
    return IntegerNoiseLaw(FormulaNoise(_moving(noise), v), by)


def _rational(value: sp.Expr) -> fmpq | None:
    value = value if value.is_Rational else _simplified(added_up(value))
    return fmpq(int(value.p), int(value.q)) if value.is_Rational else None


def _simplified(value: sp.Expr) -> sp.Expr:
    return value if value.is_Rational else sp.simplify(value)


def added_up(expression: sp.Expr) -> sp.Expr:
    """With its sums of rational terms as numbers: each term from the one before, where their ratio is rational."""
    return expression.xreplace({total: _sum(total) for total in expression.atoms(sp.Sum)})


def _sum(total: sp.Sum) -> sp.Expr:
    ((index, first, last),) = total.limits
    if first.is_Integer and last.is_Integer and (found := _powers(total.function, index, first, last)) is not None:
        return found
    ratio = sp.hypersimp(total.function, index)
    start = total.function.subs(index, first)
    if not (first.is_Integer and last.is_Integer and start.is_Rational and ratio is not None):
        return total
    if last - first >= _LONGEST_SUM:
        raise NotAccountable(
            f"more than {_LONGEST_SUM} fractions to be summed exactly ({last - first + 1}); account for the same noise "
            f"with a rational shift above that"
        )
    above, below = (sp.Poly(part, index) for part in sp.fraction(sp.together(ratio)))
    if not (above.domain.is_ZZ and below.domain.is_ZZ):  # the first term is rational, and others need not be
        return total
    term, value = Fraction(int(start.p), int(start.q)), Fraction(0)
    for k in range(int(first), int(last)):
        value += term
        under = int(below.eval(k))
        if term == 0 or under == 0:  # what comes next is not told by a ratio
            following = total.function.subs(index, k + 1)
            if not following.is_Rational:
                return total
            term = Fraction(int(following.p), int(following.q))
        else:
            term *= Fraction(int(above.eval(k)), under)
    value += term if last >= first else 0
    return sp.Rational(value.numerator, value.denominator)


def _powers(term: sp.Expr, index: sp.Symbol, first: sp.Integer, last: sp.Integer) -> sp.Expr | None:
    """The sum of powers of one rational number whose exponents are as far apart as their indices; None of others."""
    base, exponent = term.as_base_exp()
    if not (base.is_Rational and base > 0 and exponent.is_polynomial(index)):
        return None
    slope, start = (sp.Poly(exponent, index).nth(i) for i in (1, 0))
    start += slope * first
    if slope == 0 or exponent.diff(index) != slope or not (slope.is_Integer and start.is_Integer):
        return None
    count = max(0, int(last - first) + 1)
    bits = max(int(base.p).bit_length(), int(base.q).bit_length()) * (abs(start) + abs(slope) * count)
    if bits > _LONGEST_NUMBER:
        raise NotAccountable(
            f"a geometric sum of some {bits} bits, more than {_LONGEST_NUMBER}; account for the same noise with a "
            f"rational shift above it"
        )
    ratio = base**slope
    return base**start * (count if ratio == 1 else (1 - ratio**count) / (1 - ratio))


def _root(value: sp.Expr, degree: fmpq) -> fmpq | None:
    """The positive root where it is rational, degree > 0 being whole."""
    number = _rational(value)
    if number is None or number <= 0:
        return None
    ends = [sp.integer_nthroot(int(part), int(degree)) for part in (number.p, number.q)]
    return fmpq(int(ends[0][0]), int(ends[1][0])) if all(exact for _, exact in ends) else None
