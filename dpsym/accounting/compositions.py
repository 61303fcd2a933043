"""Compositions to account for: mechanisms at exact parameters, some of them run on a Poisson sample, and how often."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

import sympy as sp
from flint import fmpq

from dpsym.accounting.fixed_size_sampling import fixed_size
from dpsym.accounting.from_mechanism import Known, known
from dpsym.accounting.loss_distributions.lattice import GaussianLaw, Law, SubsampledLaw
from dpsym.accounting.loss_distributions.sampled_gaussian_replaced import replaced
from dpsym.accounting.loss_distributions.together import together
from dpsym.accounting.parameters import NotAccountable, exact_number
from dpsym.core.relations import exact
from dpsym.statements import Adjacency, Composed, Mechanism, Subsampled, Use
from dpsym.statements.adjacency import (
    Direction,
    OtherNeighbours,
    Sampling,
    common,
    covers,
    require,
    seen,
    towards,
)

Exact: TypeAlias = int | Fraction | sp.Rational


Composable: TypeAlias = Use | Subsampled | Composed
Laws: TypeAlias = tuple[tuple[Law, int], ...]


@dataclass(frozen=True, slots=True)
class Step:
    """A mechanism that runs, on which share of the records, and how often.

    Attributes:
        use: a mechanism, or several that run on one sample.
        rate, count: the share of the records in each sample, and how many samples are drawn.
        drawn: whether it runs on a sample, so that its sensitivity is measured between samples.
    """

    use: Use | Composed
    rate: Fraction
    count: int
    drawn: bool


@dataclass(frozen=True, slots=True)
class Steps:
    """A composition, between which neighbours, and how its samples are drawn."""

    each: tuple[Step, ...]
    relation: Adjacency
    sampling: Sampling

    @property
    def losing(self) -> tuple[Step, ...]:
        """Those that lose something."""
        return tuple(step for step in self.each if step.rate and step.count)

    @property
    def replaced(self) -> bool:
        """Whether something runs on samples, a record being replaced."""
        return self.relation is Adjacency.REPLACE and any(step.drawn for step in self.losing)

    @property
    def every(self) -> tuple[bool, ...]:
        """The orders of two neighbours: False where the record is in the first alone, True where in the second."""
        return {Adjacency.ADD: (True,), Adjacency.REMOVE: (False,)}.get(self.relation, (False, True))

    @property
    def ways(self) -> tuple[bool, ...]:
        """Those of `every` that may differ: where something is sampled and a record is not replaced."""
        directed = any(step.rate < 1 for step in self.losing) and self.relation is not Adjacency.REPLACE
        return self.every if directed else self.every[:1]


def subsampled(use: Use | Composed, q: Exact) -> Subsampled:
    """The mechanism on a sample that each record enters with probability q, independently (Poisson).

    Neighbours differ by one record added or removed.  `subsampled(use, q) ** T` is a composition; the mechanisms of
    `subsampled(one * other, q)` see the same sample.

    Raises:
        NotAccountable: for q outside [0, 1] or not exact, and for what is no mechanism with values of its parameters.
    """
    if isinstance(use, Mechanism):
        own = ", ".join(f"{p}=…" for p in use.params if use.params[p] is None)
        raise NotAccountable(f"{use.id} has no parameters yet: write {use.id}({own})")
    if not isinstance(use, Use | Composed | Subsampled):  # a sample of a sample is refused where it is accounted for
        raise NotAccountable(f"{use!r} is no mechanism (dpsym.subsampled reads text)")
    return Subsampled(use, exact(_number("q", q, 0, 1)))


def composition(
    of: Composable,
    sampling: Sampling = "poisson",
    direction: Direction = "both",
    adjacency: Adjacency | None = None,
) -> Steps:
    """The parts of a composition: each mechanism, its sampling rate, and how often it runs.

    Raises:
        NotAccountable: for a rate or a count that is not exact or out of range, for a sample of a sample, and where
            `neighbours` refuses.
    """
    if not isinstance(of, Use | Subsampled | Composed):
        raise NotAccountable(f"{of!r} is not a mechanism or a composition of mechanisms")
    relation = neighbours(of, sampling, direction, adjacency)
    # where samples differ in another way than the neighbours do, a sample of everything is still one
    apart = adjacency not in (None, Adjacency.ANY) and not covers(seen(sampling), relation)
    steps: list[Step] = []
    for part, times in of.parts if isinstance(of, Composed) else ((of, sp.Integer(1)),):
        use, rate = (part.inner, _number("q", part.rate, 0, 1)) if isinstance(part, Subsampled) else (part, Fraction(1))
        drawn = isinstance(part, Subsampled) and (rate != 1 or apart)
        inner = use.parts if isinstance(use, Composed) else ((use, sp.Integer(1)),)
        for one, each in inner:
            if isinstance(one, Subsampled):
                raise NotAccountable(f"{part}: a sample of a sample; a Poisson sample has the product of both rates")
            if not drawn:
                steps.append(Step(one, rate, _count(times) * _count(each), drawn))
        if drawn and not isinstance(use, Subsampled) and runs(use):
            steps.append(Step(use, rate, _count(times), drawn))
    return Steps(tuple(steps), relation, sampling)


def runs(use: Use | Composed) -> tuple[tuple[Use, int], ...]:
    """The mechanisms that run on one sample, and how often each of them does."""
    if isinstance(use, Use):
        return ((use, 1),)
    return tuple((one, _count(each)) for one, each in use.parts if isinstance(one, Use) and each != 0)


@lru_cache(maxsize=256)
def known_together(use: Use | Composed) -> Known:
    """The known laws of a mechanism, or of several that run on one sample.

    A pair that dominates the composition is the product of theirs, and sampling keeps what dominates; from below those
    of which nothing occurs are left out, which is post-processing.

    Raises:
        NotAccountable: as for `known`, and where the losses cannot be added.
    """
    each = [(known(one), count) for one, count in runs(use)]
    if len(each) == 1 and each[0][1] == 1:
        return each[0][0]
    try:
        above = together([(facts.above, count) for facts, count in each])
        ways = max((len(facts.below) for facts, _ in each), default=0)
        occurring = [[(f.below[min(way, len(f.below) - 1)], n) for f, n in each if f.below] for way in range(ways)]
        below = tuple(dict.fromkeys(map(together, occurring)))
    except NotAccountable as reason:
        raise type(reason)(f"{use} on one sample: {reason}") from None
    return Known(above, below, "; ".join(dict.fromkeys(facts.why for facts, _ in each if facts.why)))


def neighbours(
    of: Composable,
    sampling: Sampling = "poisson",
    direction: Direction = "both",
    adjacency: Adjacency | None = None,
) -> Adjacency:
    """The neighbours that an account of a composition is about, the same for all steps.

    Those that are asked for, where every step is known for them; otherwise those that all steps are about.

    Raises:
        NotAccountable: for steps that are about different ones, or about others than are asked for, and for a direction
            where a record is replaced.
    """
    if not isinstance(adjacency, Adjacency | None):  # a word would be taken for none of them
        raise NotAccountable(f"adjacency = {adjacency!r} is no Adjacency (expected one, such as Adjacency.REPLACE)")
    try:
        if adjacency is None or adjacency is Adjacency.ANY:
            return towards(common(of, sampling), direction)
        require(of, adjacency, sampling)
        return towards(adjacency, direction)
    except OtherNeighbours as error:
        raise NotAccountable(str(error)) from None


def laws(of: Steps, *, adding: bool, occurring: int | None = None) -> Laws:
    """The privacy losses of the steps that lose something, for a record added or removed; all Gaussians are one.

    They are those of pairs that dominate, and where a record is replaced `adding` is nothing to them.  With `occurring`
    they are those that some neighbours have, in so many ways; steps of which none is known are left out.

    Raises:
        NotAccountable: for parameters that have no exact value, or none in their domain, and where no pair is known
            that dominates a step for these neighbours.
    """
    gaussian = fmpq(0)
    found: dict[Law, int] = {}
    for step in of.losing:
        facts = known_together(step.use)
        if occurring is not None and not facts.below:
            continue
        law = facts.above if occurring is None else facts.below[min(occurring, len(facts.below) - 1)]
        if step.drawn:
            law = _on_sample(step, law, of, adding=adding)
        elif adding and isinstance(step.use, Use) and step.use.mechanism.adjacency is Adjacency.ADD_REMOVE:
            law = law.exchanged()
        if isinstance(law, GaussianLaw):
            gaussian += step.count * law.mu_squared
        else:
            found[law] = found.get(law, 0) + step.count
    if gaussian:
        found[GaussianLaw(gaussian)] = 1
    return tuple(found.items())


def _on_sample(step: Step, law: Law, of: Steps, *, adding: bool) -> Law:
    """The loss of a step with that of what runs on its samples.

    Where a record is added or removed, samples of fixed size have what Poisson samples have, with a pair that is about
    a record replaced in the sample (docs/accounting-bounds.md).

    Raises:
        NotAccountable: where it is not known.
    """
    rate = fmpq(step.rate.numerator, step.rate.denominator)
    if of.relation is Adjacency.REPLACE and of.sampling == "poisson":
        if not (isinstance(law, GaussianLaw) and all(one.mechanism.additive for one, _ in runs(step.use))):
            raise NotAccountable(
                f"{step.use} on a Poisson sample, {of.relation.value}: that is known for Gaussian noise added to an"
                f" answer; of others are known Poisson samples, {Adjacency.ADD_REMOVE.value}, and samples of fixed size"
            )
        return replaced(law, rate)
    if step.rate == 1:
        return law
    sampled = SubsampledLaw(law, rate, adding)
    if of.relation is not Adjacency.REPLACE:
        return sampled
    try:
        return fixed_size(sampled)
    except ValueError as error:
        raise NotAccountable(str(error)) from None


def one_sided(of: Steps) -> tuple[str, ...]:
    """Why the composition's privacy is not known from both sides; empty where it is."""
    found = [(one, known(one).why) for step in of.losing for one, _ in runs(step.use)]
    return tuple(dict.fromkeys(f"{use.mechanism.id}: {why}" for use, why in found if why))


def rests_on(of: Steps) -> tuple[str, ...]:
    """The claims that the upper bound of a composition rests on, for mechanisms that no pair of outputs stands for."""
    facts = [known(one) for step in of.losing for one, _ in runs(step.use)]
    found = (claim for one in facts for claim in (one.claim, *(order.claim for order in one.orders)))
    return tuple(dict.fromkeys(filter(None, found)))


def ways_to_occur(of: Steps) -> int:
    """In how many ways `laws` knows losses that occur.

    On samples of fixed size an instance need not occur, for its other records may be drawn too.
    """
    if of.sampling == "fixed-size" and any(step.drawn for step in of.losing) and one_sided(of):
        return 0
    return max((len(known_together(step.use).below) for step in of.losing), default=0)


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
