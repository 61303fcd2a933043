"""What is accounted for: mechanisms at exact parameters, some of them run on a Poisson sample, and how often."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, TypeAlias

import sympy as sp
from flint import fmpq

from dpsym.accounting.discrete_gaussian import DiscreteGaussianLaw
from dpsym.accounting.laws import GaussianLaw, LaplaceLaw, LatticeLaw, Law, ResponseLaw, SubsampledLaw
from dpsym.accounting.moments import SubsampledMoment
from dpsym.accounting.samples import fixed_size
from dpsym.relations import exact
from dpsym.statements import Adjacency, Composed, Subsampled, Use

Exact: TypeAlias = int | Fraction | sp.Rational


Composable: TypeAlias = Use | Subsampled | Composed
Parts: TypeAlias = tuple[tuple[Use, Fraction, int], ...]
Sampling: TypeAlias = Literal["poisson", "fixed-size"]
Laws: TypeAlias = tuple[tuple[Law, int], ...]


class NotAccountable(ValueError):
    """What was asked for cannot be accounted: a symbol without a value, a parameter outside its domain."""


def subsampled(use: Use, q: Exact) -> Subsampled:
    """The mechanism on a sample that each record enters with probability q, independently (Poisson).

    Neighbours differ by one record added or removed.  `subsampled(use, q) ** T` is a composition.

    Raises:
        NotAccountable: for q outside [0, 1] or not exact.
    """
    return Subsampled(use, exact(_number("q", q, 0, 1)))


def composition(of: Composable, sampling: Sampling = "poisson") -> Parts:
    """What a composition consists of: each mechanism, its sampling rate, and how often it runs.

    Raises:
        NotAccountable: for a rate or a count that is not exact or out of range, for several mechanisms on one
            sample, and for Poisson samples beside (or of) a mechanism whose neighbours replace a record.
    """
    if not isinstance(of, Use | Subsampled | Composed):
        raise NotAccountable(f"{of!r} is not a mechanism or a composition of mechanisms")
    parts = []
    for part, times in of.parts if isinstance(of, Composed) else ((of, sp.Integer(1)),):
        use, rate = (part.inner, _number("q", part.rate, 0, 1)) if isinstance(part, Subsampled) else (part, Fraction(1))
        if isinstance(use, Composed):
            raise NotAccountable(f"{use} on one sample: only a single mechanism can be accounted for there")
        parts.append((use, rate, _count(times)))
    sampled = any(0 < rate < 1 and count for _, rate, count in parts)
    if (
        sampled
        and sampling == "poisson"
        and any(use.mechanism.adjacency is Adjacency.REPLACE and count for use, _, count in parts)
    ):
        raise NotAccountable("samples are for a record added or removed, randomized response for one replaced")
    return tuple(parts)


def laws(of: Parts, *, adding: bool, sampling: Sampling = "poisson") -> Laws:
    """The privacy losses of the steps that lose something, for a record added or removed; all Gaussians are one.

    For samples of fixed size those of pairs that dominate when a record is replaced.

    Raises:
        NotAccountable: for parameters that have no exact value, or none in their domain.
    """
    gaussian = fmpq(0)
    found: dict[Law, int] = {}
    for use, rate, count in of:
        law: Law = _law(use)
        if rate == 0 or count == 0:
            continue
        if rate == 1 and isinstance(law, GaussianLaw):
            gaussian += count * law.mu_squared
            continue
        if rate < 1:
            q = fmpq(rate.numerator, rate.denominator)
            moment = None
            if isinstance(law, GaussianLaw) and law.sigma is not None:
                moment = SubsampledMoment(q, law.sigma, adding)
            law = SubsampledLaw(law, q, adding, moment)
            if sampling == "fixed-size":
                try:
                    law = fixed_size(law)
                except ValueError as error:
                    raise NotAccountable(str(error)) from None
        found[law] = found.get(law, 0) + count
    if gaussian:
        found[GaussianLaw(gaussian)] = 1
    return tuple(found.items())


def directed(of: Parts) -> bool:
    """Whether adding and removing a record differ: whether something is sampled."""
    return any(0 < rate < 1 and count for _, rate, count in of)


def _law(use: Use) -> Law:
    values = {str(name): value for name, value in use.args.items()}
    kind = use.mechanism.id
    if kind == "gaussian":
        ratio = _positive(use, values, "Delta") / _positive(use, values, "sigma")
        return GaussianLaw(ratio * ratio, 1 / ratio)
    if kind == "laplace":
        return LaplaceLaw(_positive(use, values, "Delta") / _positive(use, values, "b"))
    if kind == "geometric":
        return LatticeLaw(1 / _positive(use, values, "b"), _whole(use, values, "Delta", 1))
    if kind == "randomized_response":
        return ResponseLaw(_positive(use, values, "epsilon"), _whole(use, values, "m", 2))
    if kind == "discrete_gaussian":
        sigma = _positive(use, values, "sigma")
        return DiscreteGaussianLaw(sigma * sigma, _whole(use, values, "Delta", 1))
    raise NotAccountable(f"{kind} has no privacy-loss law here (there are: {', '.join(_KNOWN)})")


_KNOWN = ("gaussian", "discrete_gaussian", "laplace", "geometric", "randomized_response")


def _positive(use: Use, values: dict[str, sp.Expr], name: str) -> fmpq:
    value = _number(f"{name} in {use}", values[name])
    if value <= 0:
        raise NotAccountable(f"{name} = {value} in {use} is not positive")
    return fmpq(value.numerator, value.denominator)


def _whole(use: Use, values: dict[str, sp.Expr], name: str, least: int) -> int:
    value = _number(f"{name} in {use}", values[name])
    if value.denominator != 1 or value < least:
        raise NotAccountable(f"{name} = {value} in {use} is not an integer of at least {least}")
    return value.numerator


def _number(name: str, value: object, low: int | None = None, high: int | None = None) -> Fraction:
    number = exact_number(name, value)
    if (low is not None and number < low) or (high is not None and number > high):
        raise NotAccountable(f"{name} = {number} is not between {low} and {high}")
    return number


def exact_number(name: str, value: object) -> Fraction:
    """An exact rational value.

    Raises:
        NotAccountable: for floats, symbols and irrational numbers.
    """
    if isinstance(value, float):
        raise NotAccountable(f"{name} = {value} is a float; write an exact number, e.g. Fraction('{value}')")
    try:
        number = exact(value)
    except (TypeError, ValueError) as error:
        raise NotAccountable(f"{name} = {value!r}: {error}") from None
    if number.free_symbols:
        unknown = ", ".join(sorted(map(str, number.free_symbols)))
        raise NotAccountable(f"{name}: {unknown} has no value; an exact number is needed")
    if not isinstance(number, sp.Rational):
        raise NotAccountable(f"{name} = {value} is not a rational number; give one on the safe side of it")
    return Fraction(int(number.p), int(number.q))


def _count(count: object) -> int:
    number = exact_number("the number of compositions", count)
    if number.denominator != 1 or number < 0:
        raise NotAccountable(f"the number of compositions, {number}, is not a non-negative integer")
    return number.numerator
