"""One direction of a composition, what is asked of it, and what has been found so far."""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, fmpq

from dpsym.accounting.bounds import Bounds
from dpsym.accounting.compositions import Laws

NOTHING, CLOSED, INTEGRAL = "nothing is lost", "closed form", "inversion integral"
ORDER = "bound by one Rényi order"
FLOOR = "how likely a loss is infinite"
EXACT_SUM, LATTICE, SIMPLE = "exact sum", "two-sided lattice", "bounds by single steps"
GRACE = 0.5  # seconds at least, to evaluate what has been integrated: that is cheap, and worth it


@dataclass(frozen=True, slots=True)
class Question:
    """One direction of a composition, asked for epsilon where delta is given, for delta where epsilon is."""

    laws: Laws
    delta: fmpq | None
    epsilon: fmpq | None
    relative: float
    idle_below: arb | None = None  # an answer at or below this need not be known any better,
    idle_above: arb | None = None  # nor one above this

    @property
    def steps(self) -> int:
        """How many steps lose something."""
        return sum(count for _, count in self.laws)

    def settled(self, bounds: Bounds) -> bool:
        """Whether the bounds are all that is wanted."""
        if self.idle_below is not None and bounds.upper <= self.idle_below:
            return True
        if self.idle_above is not None and bounds.lower > self.idle_above:
            return True
        return bounds.narrow(self.relative)


@dataclass(slots=True)
class Found:
    """The best bounds so far, by which method, and whether they are as narrow as was asked.

    `floor` is there only where no epsilon is enough: what delta never falls below, or never falls to.
    """

    bounds: Bounds
    method: str
    finished: bool = False
    floor: arb | fmpq | None = None

    def improve(self, bounds: Bounds, method: str, question: Question) -> None:
        """Take what is better."""
        met = self.bounds.meet(bounds)
        if met.lower != self.bounds.lower or met.upper != self.bounds.upper:
            self.bounds, self.method = met, method
        self.finished = question.settled(self.bounds)
