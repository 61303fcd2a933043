"""Mechanisms at work: at given parameters, on a sample, composed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

import sympy as sp

from dpsym.core.plain_printer import plain
from dpsym.core.relations import IsInteger, Proposition, Relation, exact
from dpsym.statements.binding import power, sane

if TYPE_CHECKING:
    from dpsym.statements.mechanisms import Mechanism


@dataclass(frozen=True, slots=True)
class Use:
    """A mechanism at given parameters; `use ** k` and `use * other` are adaptive compositions."""

    mechanism: Mechanism
    args: Mapping[sp.Symbol, sp.Expr]

    @property
    def domain(self) -> tuple[Proposition, ...]:
        """The mechanism's domain at these parameters."""
        return tuple(c.subs(self.args) for c in self.mechanism.domain)

    @property
    def free_symbols(self) -> set[sp.Symbol]:
        """The symbols in its parameters' values."""
        return set().union(*(arg.free_symbols for arg in self.args.values()))

    def __hash__(self) -> int:
        return hash((self.mechanism, *self.args.items()))

    def __pow__(self, count: object) -> Composed:
        return Composed(((self, sane("count", exact(count))),))

    def __mul__(self, other: Use | Subsampled | Composed) -> Composed:
        return self**1 * other

    def __str__(self) -> str:
        return reduce(lambda inner, name: f"{name}({inner})", self.mechanism.around, self.mechanism.written(self.args))


@dataclass(frozen=True, slots=True)
class Subsampled:
    """A mechanism that runs on a Poisson sample: each record is kept with probability `rate`, independently.

    Neighbours differ by one record added or removed.  A sample that is not used up is not a composition: `inner`
    may be composed of several mechanisms, which then all see the same sample.
    """

    inner: Use | Composed
    rate: sp.Expr

    def __post_init__(self) -> None:
        object.__setattr__(self, "rate", sane("q", exact(self.rate)))

    @property
    def domain(self) -> tuple[Proposition, ...]:
        """The inner mechanism's domain, and that the rate is a probability."""
        return (*self.inner.domain, Relation(self.rate, ">=", sp.Integer(0)), Relation(self.rate, "<=", sp.Integer(1)))

    @property
    def free_symbols(self) -> set[sp.Symbol]:
        """The symbols in the mechanism and in the rate."""
        return self.inner.free_symbols | self.rate.free_symbols

    def __pow__(self, count: object) -> Composed:
        return Composed(((self, sane("count", exact(count))),))

    def __mul__(self, other: Use | Subsampled | Composed) -> Composed:
        return self**1 * other

    def __str__(self) -> str:
        return f"subsampled({self.inner}, q={plain(self.rate)})"


@dataclass(frozen=True, slots=True)
class Composed:
    """An adaptive composition: each part with how often it runs; every subsampled part draws its own samples."""

    parts: tuple[tuple[Use | Subsampled, sp.Expr], ...]

    def __mul__(self, other: Use | Subsampled | Composed) -> Composed:
        if isinstance(other, Use | Subsampled):
            other = other**1
        if not isinstance(other, Composed):
            return NotImplemented
        return Composed(self.parts + other.parts)

    def __pow__(self, count: object) -> Composed:
        times = sane("count", exact(count))
        return Composed(tuple((use, n * times) for use, n in self.parts))

    @property
    def domain(self) -> tuple[Proposition, ...]:
        """The domains of its parts; a symbolic count is a positive integer."""
        counts = [n for _, n in self.parts if n.free_symbols]
        counted = [c for n in counts for c in (IsInteger(n), Relation(n, ">=", sp.Integer(1)))]
        return (*(c for part, _ in self.parts for c in part.domain), *counted)

    @property
    def free_symbols(self) -> set[sp.Symbol]:
        """The symbols in its parameters' values and counts."""
        return set().union(*(use.free_symbols | n.free_symbols for use, n in self.parts))

    def __str__(self) -> str:
        return " * ".join(str(use) if n == 1 else f"{use} ** {power(n)}" for use, n in self.parts)
