"""What is accounted for: mechanisms at exact parameters, some of them run on a Poisson sample, and how often."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import sympy as sp
from flint import fmpq

from dpsym.accounting.laws import GaussianLaw, LaplaceLaw, LatticeLaw, Law, ResponseLaw, SubsampledLaw
from dpsym.accounting.moments import SubsampledMoment
from dpsym.relations import exact
from dpsym.statements import Composed, Use

Exact: TypeAlias = int | Fraction | sp.Rational


class NotAccountable(ValueError):
    """What was asked for cannot be accounted: a symbol without a value, a parameter outside its domain."""


@dataclass(frozen=True, slots=True)
class Subsampled:
    """A mechanism run on a sample that each record enters with probability q, independently (Poisson).

    Neighbours differ by one record added or removed.  `subsampled(use, q) ** T` is a composition.
    """

    use: Use
    q: Fraction

    def __pow__(self, count: object) -> Composition:
        return Composition(((self, _count(count)),))

    def __mul__(self, other: Composable) -> Composition:
        return self**1 * other

    def __rmul__(self, other: Composable) -> Composition:
        return composition(other) * self

    def __str__(self) -> str:
        return f"subsampled({self.use}, q={self.q})"


@dataclass(frozen=True, slots=True)
class Composition:
    """An adaptive composition of mechanisms, each with how often it runs."""

    parts: tuple[tuple[Use | Subsampled, int], ...]

    def __mul__(self, other: Composable) -> Composition:
        return Composition(self.parts + composition(other).parts)

    def __rmul__(self, other: Composable) -> Composition:
        return composition(other) * self

    def __pow__(self, count: object) -> Composition:
        return Composition(tuple((part, n * _count(count)) for part, n in self.parts))

    def __str__(self) -> str:
        return " * ".join(str(part) if n == 1 else f"{part} ** {n}" for part, n in self.parts) or "nothing"


Composable: TypeAlias = Use | Composed | Subsampled | Composition


def subsampled(use: Use, q: Exact) -> Subsampled:
    """The mechanism on a Poisson sample with inclusion probability q, for one record added or removed.

    Raises:
        NotAccountable: for q outside [0, 1] or not exact, and for randomized response, which is stated for
            neighbours that replace a record.
    """
    if use.mechanism.id == "randomized_response":
        raise NotAccountable("randomized response compares replaced records; Poisson sampling here, added or removed")
    return Subsampled(use, _number("q", q, 0, 1))


def composition(of: Composable) -> Composition:
    """A mechanism or a composition, however written, as one composition.

    Raises:
        NotAccountable: for a count that is not a non-negative integer.
    """
    if isinstance(of, Composition):
        return of
    if isinstance(of, Composed):
        return Composition(tuple((use, _count(n)) for use, n in of.parts))
    if isinstance(of, Use | Subsampled):
        return Composition(((of, 1),))
    raise NotAccountable(f"{of!r} is not a mechanism or a composition of mechanisms")


Laws: TypeAlias = tuple[tuple[Law, int], ...]


def laws(of: Composition, *, adding: bool) -> Laws:
    """The privacy losses of the steps that lose something, for a record added or removed; all Gaussians are one.

    Raises:
        NotAccountable: for parameters that have no exact value, or none in their domain.
    """
    gaussian = fmpq(0)
    found: dict[Law, int] = {}
    for part, count in of.parts:
        use, q = (part.use, part.q) if isinstance(part, Subsampled) else (part, Fraction(1))
        law = _law(use)
        if q == 0 or count == 0:
            continue
        if q == 1 and isinstance(law, GaussianLaw):
            gaussian += count * law.mu_squared
            continue
        if q < 1:
            rate = fmpq(q.numerator, q.denominator)
            moment = SubsampledMoment(rate, law.sigma, adding) if isinstance(law, GaussianLaw) else None
            law = SubsampledLaw(law, rate, adding, moment)
        found[law] = found.get(law, 0) + count
    if gaussian:
        found[GaussianLaw(gaussian)] = 1
    return tuple(found.items())


def directed(of: Composition) -> bool:
    """Whether adding and removing a record differ: whether something is sampled."""
    return any(isinstance(part, Subsampled) and 0 < part.q < 1 and count for part, count in of.parts)


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
    raise NotAccountable(f"{kind} has no privacy-loss law here (there are: {', '.join(_KNOWN)})")


_KNOWN = ("gaussian", "laplace", "geometric", "randomized_response")


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
    if not isinstance(number, sp.Rational):
        raise NotAccountable(f"{name} = {value} is not an exact rational number")
    return Fraction(int(number.p), int(number.q))


def _count(count: object) -> int:
    number = exact_number("the number of compositions", count)
    if number.denominator != 1 or number < 0:
        raise NotAccountable(f"the number of compositions, {number}, is not a non-negative integer")
    return number.numerator
