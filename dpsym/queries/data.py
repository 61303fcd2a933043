"""Data sets: a list of records, each from a set that is known, and pairs of neighbouring lists."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import Field, dataclass, fields
from itertools import product
from typing import Any, ClassVar, TypeAlias

import sympy as sp

from dpsym.core.expanding import expand
from dpsym.core.plain_printer import plain
from dpsym.core.relations import IsInteger, Proposition, Relation
from dpsym.language.errors import ReadingError


def _rising(low: sp.Expr, high: sp.Expr) -> tuple[Proposition, ...]:
    """That two ends have something between them, where names are in them; nothing else could move."""
    return (Relation(low, "<", high),) if low.free_symbols | high.free_symbols else ()


def _at_least(number: sp.Expr, least: int) -> tuple[Proposition, ...]:
    """That a name is an integer, and no less."""
    return () if number.is_number else (IsInteger(number), Relation(number, ">=", sp.Integer(least)))


def _positive(e: sp.Expr) -> tuple[Proposition, ...]:
    return () if e.is_number else (Relation(e, ">", sp.Integer(0)),)


class _Set:
    """Where a record lies."""

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def free_symbols(self) -> set[sp.Symbol]:
        """The symbols in what it is declared by."""
        said = (getattr(self, field.name) for field in fields(self))
        parts = (part for one in said for part in (one if isinstance(one, tuple) else (one,)))
        return set().union(*(part.free_symbols for part in parts))


@dataclass(frozen=True, slots=True)
class Interval(_Set):
    """Numbers between two ends, which belong to it where they are finite; with `values`, these alone."""

    called: ClassVar[str] = "numbers"
    low: sp.Expr
    high: sp.Expr
    values: tuple[sp.Expr, ...] = ()

    @property
    def bounded(self) -> bool:
        """Whether both ends are finite."""
        return not (self.low.is_infinite or self.high.is_infinite)

    @property
    def conditions(self) -> tuple[Proposition, ...]:
        """That it has an inside."""
        return _rising(self.low, self.high) if self.bounded else ()

    def holds(self, u: sp.Symbol) -> tuple[Proposition, ...]:
        """What is known of a record of it."""
        ends = ((self.low, Relation(self.low, "<=", u)), (self.high, Relation(u, "<=", self.high)))
        return tuple(relation for end, relation in ends if not end.is_infinite)

    @property
    def sides(self) -> tuple[Interval, ...]:
        """As those of a box: itself."""
        return (self,)

    @property
    def corners(self) -> tuple[sp.Expr, ...]:
        """Its ends, where they are finite."""
        return tuple(end for end in (self.low, self.high) if not end.is_infinite)

    def __str__(self) -> str:
        if self.values:
            return f"{{{', '.join(map(plain, self.values))}}}"
        if not self.bounded and self.low.is_infinite and self.high.is_infinite:
            return "real"
        return f"[{plain(self.low)}, {plain(self.high)}]"


@dataclass(frozen=True, slots=True)
class Box(_Set):
    """Pairs, triples, … of numbers, each in an interval of its own."""

    called: ClassVar[str] = "tuples of numbers"
    sides: tuple[Interval, ...]

    @property
    def bounded(self) -> bool:
        """Whether all sides are."""
        return all(side.bounded for side in self.sides)

    @property
    def conditions(self) -> tuple[Proposition, ...]:
        """That each side has an inside."""
        return tuple(c for side in self.sides for c in side.conditions)

    def holds(self, *us: sp.Symbol) -> tuple[Proposition, ...]:
        """What is known of the numbers of a record of it."""
        return tuple(c for side, u in zip(self.sides, us, strict=True) for c in side.holds(u))

    @property
    def corners(self) -> tuple[sp.Tuple, ...]:
        """Records with every coordinate at an end."""
        return tuple(sp.Tuple(*ends) for ends in product(*(side.corners for side in self.sides)))

    def __str__(self) -> str:
        return f"({' * '.join(map(str, self.sides))})"


class Vectors(_Set):
    """Of so many numbers, of which it is known together where they lie."""

    __slots__ = ()
    called: ClassVar[str] = "vectors"
    dimension: sp.Expr


@dataclass(frozen=True, slots=True)
class Ball(Vectors):
    """Vectors of `dimension` numbers whose p-norm is at most `radius` (p: 1, 2 or oo)."""

    p: sp.Expr
    radius: sp.Expr
    dimension: sp.Expr

    @property
    def conditions(self) -> tuple[Proposition, ...]:
        """That it is more than a point."""
        return (*(() if self.radius.is_infinite else _positive(self.radius)), *_at_least(self.dimension, 1))

    def __str__(self) -> str:
        if self.radius.is_infinite:
            return f"real({plain(self.dimension)})"
        return f"ball({plain(self.p)}, {plain(self.radius)}, {plain(self.dimension)})"


@dataclass(frozen=True, slots=True)
class Simplex(Vectors):
    """Vectors of `dimension` numbers that are not negative, and whose sum is at most `radius`."""

    radius: sp.Expr
    dimension: sp.Expr

    @property
    def conditions(self) -> tuple[Proposition, ...]:
        """That it is more than a point, and has two axes."""
        return (*_positive(self.radius), *_at_least(self.dimension, 2))

    def __str__(self) -> str:
        return f"simplex({plain(self.radius)}, {plain(self.dimension)})"


@dataclass(frozen=True, slots=True)
class Cube(Vectors):
    """Vectors of `dimension` numbers, each of them from one interval."""

    low: sp.Expr
    high: sp.Expr
    dimension: sp.Expr

    @property
    def conditions(self) -> tuple[Proposition, ...]:
        """That it has an inside."""
        return (*_rising(self.low, self.high), *_at_least(self.dimension, 1))

    def __str__(self) -> str:
        return f"box({plain(self.low)}, {plain(self.high)}, {plain(self.dimension)})"


@dataclass(frozen=True, slots=True)
class Categories(_Set):
    """One of `number` kinds."""

    called: ClassVar[str] = "categories"
    number: sp.Expr

    @property
    def conditions(self) -> tuple[Proposition, ...]:
        """That there is more than one."""
        return _at_least(self.number, 2)

    def __str__(self) -> str:
        return f"categories({plain(self.number)})"


E_1, E_2, ONES = sp.symbols("e_1 e_2 ones")
FAR = sp.Symbol("step_far")  # along which a pair goes to infinity
DIRECTIONS = frozenset({E_1, E_2, ONES})  # two unit vectors and (1, ..., 1), in what is shown of records
_FEW = 4  # equal records that are written out

Record: TypeAlias = Interval | Box | Ball | Simplex | Cube | Categories


@dataclass(frozen=True, slots=True)
class DataSet:
    """A list of `size` records, called `name`."""

    name: str
    record: Record
    size: sp.Expr

    @property
    def coordinates(self) -> tuple[sp.Symbol, ...]:
        """What the numbers of a record are called in a function of it."""
        if isinstance(self.record, Box):
            return tuple(sp.Symbol(f"{self.name}_{j}") for j in range(1, len(self.record.sides) + 1))
        return (sp.Symbol(self.name),)

    @property
    def conditions(self) -> tuple[Proposition, ...]:
        """What is known of the symbols in its declaration."""
        return (*_at_least(self.size, 1), *self.record.conditions)

    @property
    def given(self) -> tuple[str, ...]:
        """Of which data sets alone it speaks: where a numeral says how many records there are, of no others."""
        n = self.size
        records = f"{n} record{'' if n == 1 else 's'}"
        return () if n.is_Symbol else (f"data sets of exactly {records} and their neighbours",)

    def refuse_ties(self, conditions: Iterable[Proposition] = ()) -> None:
        """Where a neighbour has another number of records, neither its records nor other names may tell how many.

        Raises:
            ReadingError: where they do.
        """
        n = self.size
        if not n.is_Symbol:
            return
        if n in self.record.free_symbols:
            raise ReadingError(f"records depend on {n}, their number, which is not the same for a neighbour")
        for c in conditions:
            if n in c.free_symbols and c.free_symbols - {n}:
                said = f"{n} is how many records there are, which is not the same for a neighbour"
                raise ReadingError(f"{said}: no other name is tied to it, as by {c}")

    def __str__(self) -> str:
        return f"{self.name} in {self.record}^{plain(self.size)}"


@dataclass(frozen=True, slots=True)
class Records:
    """A list of records in blocks of equal ones: value and how many, in the order in which they stand."""

    blocks: tuple[tuple[sp.Basic, sp.Expr], ...]

    @property
    def size(self) -> sp.Expr:
        """How many there are."""
        return sp.Add(*(count for _, count in self.blocks))

    @property
    def free_symbols(self) -> set[sp.Symbol]:
        """The symbols in records and in how many there are of each."""
        return set().union(*(value.free_symbols | count.free_symbols for value, count in self.blocks))

    def subs(self, table: dict[sp.Symbol, sp.Expr]) -> Records:
        """With values for symbols."""
        return Records(tuple((value.subs(table), count.subs(table)) for value, count in self.blocks))

    def __str__(self) -> str:
        return self.said(counted=False)

    def said(self, *, counted: bool) -> str:
        """The list, with how many equal ones there are where that is not clear, or always."""
        joined: list[tuple[sp.Basic, sp.Expr]] = []
        for value, count in self.blocks:
            if joined and joined[-1][0] == value:
                joined[-1] = value, expand(joined[-1][1] + count)
            elif count != 0:
                joined.append((value, count))
        several = counted or sum(not count.is_Integer for _, count in joined) > 1
        return f"({', '.join(_block(value, count, several) for value, count in joined)})"


def written(pair: tuple[Records, Records]) -> tuple[str, str]:
    """Both lists, so that they are not written alike where one has more records."""
    before, after = map(str, pair)
    return (before, after) if before != after else (pair[0].said(counted=True), pair[1].said(counted=True))


def in_words(name: str, pair: tuple[Records, Records]) -> str:
    """Both lists, of a data set of this name."""
    before, after = written(pair)
    return f"{name} = {before}, {name}' = {after}"


def _block(value: sp.Basic, count: sp.Expr, counted: bool) -> str:
    text = f"({', '.join(map(plain, value.args))})" if isinstance(value, sp.Tuple) else plain(value)
    if count.is_Integer and count <= _FEW:
        return ", ".join([text] * int(count))
    return f"{text}, ..., {text}" + (f" ({plain(count)} times)" if counted or count.is_Integer else "")
