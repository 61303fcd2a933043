"""The knowledge of a relation, and its reasons: verdict, method, evidence; and numbers with both bounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from types import MappingProxyType
from typing import Literal, NoReturn, TypeAlias

from dpsym.core.display import Displayed, short


class _NotABoolean:
    def __bool__(self) -> NoReturn:
        raise TypeError(f"{self} is not a boolean: compare it with a Verdict, e.g. `d.verdict is Verdict.PROVED`")


class Verdict(_NotABoolean, Enum):
    """The answer to a question, from strongest to weakest; FAILS and REFUTED need a witness."""

    PROVED = "proved"
    CERTIFIED = "certified"
    CITED = "cited"
    SUPPORTED = "supported"
    OPEN = "open"
    UNREAD = "unread"  # a part of a document: nothing is said of it
    FAILS = "fails"  # a line of a document, as it was read: nobody has said what all of it means
    REFUTED = "refuted"

    def __str__(self) -> str:
        return self.value


class Method(_NotABoolean, Enum):
    """How it was found out."""

    CANONICAL_FORM = "canonical form"
    EXACT_SIGN = "exact sign"
    LEMMA = "lemma"
    BRANCH_AND_BOUND = "branch and bound"
    ENCLOSURE = "enclosure"
    SAMPLING = "sampling"
    CITATION = "citation"
    NONE = "none"

    def __str__(self) -> str:
        return self.value


Side: TypeAlias = Literal["lower", "upper"]  # of an enclosure


@dataclass(frozen=True, slots=True, repr=False)
class Enclosure(Displayed):
    """Two decimals with `lower <= value <= upper`, both rounded outward.

    As a privacy parameter read `upper`; as a lower bound read `lower`.  `float(…)` and a format such as ``.3f`` are of
    the upper end and round up.
    """

    lower: Decimal
    upper: Decimal

    def __post_init__(self) -> None:
        if self.lower.is_nan() or self.upper.is_nan() or not self.lower <= self.upper:
            raise ValueError(f"[{self.lower}, {self.upper}] is not an interval")

    def __str__(self) -> str:
        return f"[{self.lower}, {self.upper}]"

    def __bool__(self) -> NoReturn:
        raise TypeError("an enclosure is not a boolean")

    def __contains__(self, value: Decimal | int) -> bool:
        return self.lower <= value <= self.upper

    def __float__(self) -> float:
        from dpsym.core.rounding import to_float

        return to_float(self.upper, up=True)

    def __format__(self, spec: str) -> str:
        from dpsym.core.rounding import formatted

        return formatted(self.upper, spec, up=True) if spec else str(self)

    def to_dict(self) -> dict[str, str]:
        """Both bounds as decimal strings."""
        return {"lower": str(self.lower), "upper": str(self.upper)}

    @property
    def width(self) -> Decimal:
        """`upper - lower`, not rounded down."""
        return Decimal(0) if self.lower == self.upper else _subtract_up(self.upper, self.lower)


def _subtract_up(upper: Decimal, lower: Decimal) -> Decimal:
    from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, Context

    return Context(prec=28, rounding=ROUND_CEILING, Emin=MIN_EMIN, Emax=MAX_EMAX).subtract(upper, lower)


@dataclass(frozen=True, slots=True)
class Witness:
    """An exact point at which both sides were enclosed and the relation fails."""

    point: Mapping[str, Fraction | int]
    lhs: Enclosure | None
    rhs: Enclosure | None
    obligation: str | None = None  # set where a side is undefined there, saying what was required

    __repr__ = short

    def __post_init__(self) -> None:
        object.__setattr__(self, "point", MappingProxyType(dict(self.point)))

    def __reduce__(self) -> tuple[object, ...]:
        return Witness, (dict(self.point), self.lhs, self.rhs, self.obligation)  # a proxy cannot be pickled


@dataclass(frozen=True, slots=True)
class Event:
    """An event that is likelier on one of two data sets than is claimed: with which probabilities on each."""

    what: str
    before: Enclosure
    after: Enclosure

    __repr__ = short


@dataclass(frozen=True, slots=True)
class Order:
    """An order of Rényi's divergence at which two data sets are further apart than is claimed."""

    alpha: Fraction
    divergence: Enclosure
    claimed: Enclosure

    __repr__ = short


@dataclass(frozen=True, slots=True, repr=False)
class Decision(_NotABoolean, Displayed):
    """The answer of `decide`: a verdict with its method, its reason and its evidence."""

    verdict: Verdict
    method: Method
    why: str
    witness: Witness | None = None
    points: int = 0  # how many points were examined numerically
    certificate: object | None = None  # the leaves of a branch and bound, for replay
    term: object | None = field(default=None, compare=False, repr=False)  # of a proof, for replay
    # names in the term, each with the divergence or expectation that it stands for, as certificates spell it
    quantities: tuple[tuple[str, str], ...] = field(default=(), compare=False, repr=False)
    rests_on: tuple[str, ...] = ()
    given: tuple[str, ...] = ()  # what else a yes takes for granted, such as that an expectation is finite
    seconds: float = field(default=0.0, compare=False)
    inputs: tuple[tuple[str, str], ...] = ()  # neighbouring data sets, on one of which a refuted claim fails
    event: Event | None = None  # of these inputs, where what is claimed bounds probabilities
    order: Order | None = None  # of these inputs, where what is claimed bounds Rényi's divergence
    adjacency: str = ""  # of what a mechanism satisfies: which inputs are neighbours

    def __post_init__(self) -> None:
        if (self.verdict in (Verdict.FAILS, Verdict.REFUTED)) != (self.witness is not None):
            raise ValueError("what fails has a witness, and nothing else has one")
        if self.verdict is Verdict.SUPPORTED and self.points < 1:
            raise ValueError("nothing was sampled, so nothing is supported")

    def __str__(self) -> str:
        return f"{self.verdict} ({self.method}): {self.why}"


def weakest(decisions: Iterable[Decision]) -> Decision:
    """The worth of a claim that needs all of these."""
    found = tuple(decisions)
    worst = max(found, key=lambda d: list(Verdict).index(d.verdict))
    if worst.verdict not in (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED):
        return worst
    rests_on = dict.fromkeys(name for d in found for name in d.rests_on)
    return replace(worst, rests_on=tuple(rests_on), given=tuple(dict.fromkeys(g for d in found for g in d.given)))
