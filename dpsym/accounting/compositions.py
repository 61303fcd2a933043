"""What is accounted for: mechanisms at exact parameters, some of them run on a Poisson sample, and how often."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

import sympy as sp
from flint import fmpq

from dpsym.accounting.fixed_size_sampling import fixed_size
from dpsym.accounting.from_mechanism import known
from dpsym.accounting.loss_distributions.lattice import GaussianLaw, Law, SubsampledLaw, mirrored
from dpsym.accounting.moments.sampled_gaussian import SubsampledMoment
from dpsym.accounting.parameters import NotAccountable, exact_number
from dpsym.core.relations import exact
from dpsym.statements import Adjacency, Composed, Subsampled, Use
from dpsym.statements.adjacency import Direction, OtherNeighbours, Sampling, common, exchangeable, towards

Exact: TypeAlias = int | Fraction | sp.Rational


Composable: TypeAlias = Use | Subsampled | Composed
Parts: TypeAlias = tuple[tuple[Use, Fraction, int], ...]
Laws: TypeAlias = tuple[tuple[Law, int], ...]


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
            sample, and where `neighbours` refuses.
    """
    if not isinstance(of, Use | Subsampled | Composed):
        raise NotAccountable(f"{of!r} is not a mechanism or a composition of mechanisms")
    parts = []
    for part, times in of.parts if isinstance(of, Composed) else ((of, sp.Integer(1)),):
        use, rate = (part.inner, _number("q", part.rate, 0, 1)) if isinstance(part, Subsampled) else (part, Fraction(1))
        if isinstance(use, Composed):
            raise NotAccountable(f"{use} on one sample: only a single mechanism can be accounted for there")
        if isinstance(use, Subsampled):
            raise NotAccountable(f"{part}: a sample of a sample; a Poisson sample has the product of both rates")
        parts.append((use, rate, _count(times)))
    neighbours(of, sampling)
    return tuple(parts)


def neighbours(of: Composable, sampling: Sampling = "poisson", direction: Direction = "both") -> Adjacency:
    """The neighbours that an account of a composition is about, the same for all steps.

    Raises:
        NotAccountable: for steps that are about different ones, and for a direction where a record is replaced.
    """
    try:
        return towards(common(of, sampling), direction)
    except OtherNeighbours as error:
        raise NotAccountable(str(error)) from None


def laws(of: Parts, *, adding: bool, sampling: Sampling = "poisson", occurring: int | None = None) -> Laws:
    """The privacy losses of the steps that lose something, for a record added or removed; all Gaussians are one.

    They are those of pairs that dominate; for samples of fixed size when a record is replaced.  With `occurring` they
    are those that some neighbours have, in so many ways; steps of which none is known are left out.

    Raises:
        NotAccountable: for parameters that have no exact value, or none in their domain.
    """
    gaussian = fmpq(0)
    found: dict[Law, int] = {}
    for use, rate, count in of:
        facts = known(use)
        if rate == 0 or count == 0 or (occurring is not None and not facts.below):
            continue
        law = facts.above if occurring is None else facts.below[min(occurring, len(facts.below) - 1)]
        if rate == 1 and isinstance(law, GaussianLaw):
            gaussian += count * law.mu_squared
            continue
        if rate == 1 and adding and not exchangeable(use.mechanism.adjacency):
            law = mirrored(law)
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
    """Whether adding and removing a record may differ: whether something is sampled."""
    return any(0 < rate < 1 and count for _, rate, count in of)


def one_sided(of: Parts) -> tuple[str, ...]:
    """Why the composition's privacy is not known from both sides; empty where it is."""
    found = [(use, known(use).why) for use, rate, count in of if rate and count]
    return tuple(dict.fromkeys(f"{use.mechanism.id}: {why}" for use, why in found if why))


def rests_on(of: Parts) -> tuple[str, ...]:
    """The claims that the upper bound of a composition rests on, for mechanisms that no pair of outputs stands for."""
    return tuple(dict.fromkeys(known(use).claim for use, rate, n in of if rate and n and known(use).claim))


def ways_to_occur(of: Parts) -> int:
    """In how many ways `laws` knows losses that occur."""
    return max((len(known(use).below) for use, rate, count in of if rate and count), default=0)


def _number(name: str, value: object, low: int | None = None, high: int | None = None) -> Fraction:
    number = exact_number(name, value)
    if (low is not None and number < low) or (high is not None and number > high):
        raise NotAccountable(f"{name} = {number} is not between {low} and {high}")
    return number


def _count(count: object) -> int:
    number = exact_number("the number of compositions", count)
    if number.denominator != 1 or number < 0:
        raise NotAccountable(f"the number of compositions, {number}, is not a non-negative integer")
    return number.numerator
