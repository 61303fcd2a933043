"""One direction of a composition, what is asked of it, and what has been found so far."""

from __future__ import annotations

from dataclasses import dataclass

from flint import fmpq

from dpsym.accounting.bounds import Bounds
from dpsym.accounting.compositions import Laws
from dpsym.accounting.deadline import Deadline

NOTHING, CLOSED, INTEGRAL = "nothing is lost", "closed form", "inversion integral"
EXACT_LATTICE, LATTICE, SIMPLE = "exact sum", "two-sided lattice", "bounds by single steps"


@dataclass(frozen=True, slots=True)
class Question:
    """One direction of a composition, asked for epsilon where delta is given, for delta where epsilon is."""

    laws: Laws
    delta: fmpq | None
    epsilon: fmpq | None
    relative: float
    deadline: Deadline

    @property
    def steps(self) -> int:
        """How many steps lose something."""
        return sum(count for _, count in self.laws)


@dataclass(slots=True)
class Found:
    """The best bounds so far, by which method, and whether they are as narrow as was asked."""

    bounds: Bounds
    method: str
    finished: bool = False

    def improve(self, bounds: Bounds, method: str, relative: float) -> None:
        """Take what is better."""
        met = self.bounds.meet(bounds)
        if met.lower != self.bounds.lower or met.upper != self.bounds.upper:
            self.bounds, self.method = met, method
        self.finished = self.bounds.narrow(relative)
