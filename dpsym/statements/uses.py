"""Mechanisms at work: at given parameters, on a sample, composed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, NoReturn

import sympy as sp

from dpsym.core.display import short
from dpsym.core.given import given
from dpsym.core.grammar import grammar
from dpsym.core.plain_printer import plain
from dpsym.core.relations import IsInteger, Proposition, Relation, substitute
from dpsym.statements.binding import Table, is_whole, power, sane
from dpsym.statements.sources import StatementError

if TYPE_CHECKING:
    from dpsym.statements.mechanisms import Mechanism


class Runs:
    """What can run: `one * other` after the other, `one ** k` k times, each chosen as earlier answers suggest."""

    __slots__ = ()
    __repr__ = short

    @property
    def alone(self) -> Use | Subsampled | Composed:
        """What runs, once."""
        return self  # type: ignore[return-value]  # a mechanism alone has its own parameters first

    def __mul__(self, other: object) -> Composed:
        return Composed(composed(self).parts + composed(other).parts)

    def __rmul__(self, other: object) -> Composed:
        return composed(other) * self

    def __add__(self, other: object) -> NoReturn:
        raise TypeError("mechanisms that run one after the other are written A * B: there is no sum of them")

    __radd__ = __add__  # sum([A, B]) begins with 0

    def __pow__(self, count: object) -> Composed:
        times = sane("count", given(count))
        if isinstance(times, sp.Rational) and not (times.is_Integer and times >= 0):
            raise StatementError(f"the number of runs, {times}, is not a positive integer")
        return Composed(tuple((use, n * times) for use, n in composed(self).parts))


def composed(one: object) -> Composed:
    """A mechanism, or the text of one, as a composition.

    Raises:
        TypeError: for what cannot run.
    """
    if isinstance(one, str):
        return composed(grammar().read_source(one))
    if isinstance(one, Runs):
        running = one.alone
        return running if isinstance(running, Composed) else Composed(((running, sp.Integer(1)),))
    raise TypeError(f"{one!r} cannot run: A * B runs one mechanism after the other, and A ** 10 runs one ten times")


@dataclass(frozen=True, slots=True, repr=False)
class Use(Runs):
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

    def subs(self, table: Table) -> Use:
        """Substitute simultaneously in the parameters' values."""
        return Use(self.mechanism, {name: substitute(value, table) for name, value in self.args.items()})

    def __hash__(self) -> int:
        return hash((self.mechanism, *self.args.items()))

    def __str__(self) -> str:
        return reduce(lambda inner, name: f"{name}({inner})", self.mechanism.around, self.mechanism.written(self.args))


@dataclass(frozen=True, slots=True, repr=False)
class Subsampled(Runs):
    """A mechanism that runs on a Poisson sample: each record is kept with probability `rate`, independently.

    Neighbours differ by one record added or removed.  A sample that is not used up is not a composition: `inner`
    may be composed of several mechanisms, which then all see the same sample.
    """

    inner: Use | Composed
    rate: sp.Expr

    def __post_init__(self) -> None:
        object.__setattr__(self, "rate", sane("q", given(self.rate)))

    @property
    def domain(self) -> tuple[Proposition, ...]:
        """The inner mechanism's domain, and that the rate is a probability."""
        return (*self.inner.domain, Relation(self.rate, ">=", sp.Integer(0)), Relation(self.rate, "<=", sp.Integer(1)))

    @property
    def free_symbols(self) -> set[sp.Symbol]:
        """The symbols in the mechanism and in the rate."""
        return self.inner.free_symbols | self.rate.free_symbols

    def subs(self, table: Table) -> Subsampled:
        """Substitute simultaneously in the mechanism and in the rate."""
        return Subsampled(self.inner.subs(table), substitute(self.rate, table))

    def __str__(self) -> str:
        return f"subsampled({self.inner}, q={plain(self.rate)})"


@dataclass(frozen=True, slots=True, repr=False)
class Composed(Runs):
    """An adaptive composition: each part with how often it runs; every subsampled part draws its own samples."""

    parts: tuple[tuple[Use | Subsampled, sp.Expr], ...]

    def __post_init__(self) -> None:
        for _, times in self.parts:  # a fraction at a given value is for whoever knows where it was given
            if isinstance(times, sp.Expr) and times.is_number and not times.is_Rational and not is_whole(times):
                raise StatementError(f"the number of runs, {plain(times)}, is not a positive integer")

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

    def subs(self, table: Table) -> Composed:
        """Substitute simultaneously in the parts and in how often they run."""
        return Composed(tuple((part.subs(table), substitute(n, table)) for part, n in self.parts))

    def __str__(self) -> str:
        return " * ".join(str(use) if n == 1 else f"{use} ** {power(n)}" for use, n in self.parts)
