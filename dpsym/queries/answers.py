"""What is known of a sensitivity: its value with a pair of data sets that attains it, or less than that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from itertools import product
from typing import Literal, TypeAlias

import sympy as sp

from dpsym.core.display import Displayed
from dpsym.core.plain_printer import plain
from dpsym.core.relations import Proposition, Relation
from dpsym.core.verdicts import Decision, Method, Verdict
from dpsym.language import ReadingError
from dpsym.numbers import holds_at
from dpsym.queries.data import FAR, Records

Neighbours: TypeAlias = Literal["replace", "add", "remove", "add-remove"]
_LONGEST = 300  # characters of a reason why nothing was found out
NEIGHBOURS: tuple[Neighbours, ...] = ("replace", "add", "remove", "add-remove")
_MOST_SIGNS = 4  # parts of an answer of which the 1-norm is taken by all their signs


class Norm(Enum):
    """In which the difference of two answers is measured."""

    L1 = "L1"
    L2 = "L2"
    LINF = "Linf"

    def of(self, differences: tuple[sp.Expr, ...]) -> sp.Expr:
        """The norm of a vector."""
        sizes = tuple(map(size_of, differences))
        if any(size.has(sp.nan) for size in sizes):  # of which SymPy takes no maximum
            return sp.nan
        if len(sizes) == 1:
            return sizes[0]
        if self is Norm.L1:
            return sp.Add(*sizes)
        return sp.Max(*sizes) if self is Norm.LINF else sp.sqrt(sp.Add(*(d**2 for d in differences)))


def size_of(e: sp.Expr) -> sp.Expr:
    """The absolute value, unevaluated where SymPy would take real and imaginary parts."""
    return sp.Abs(e) if e.is_number or e.is_rational_function() else sp.Abs(e, evaluate=False)


def never_more(
    norm: Norm, differences: tuple[sp.Expr, ...], bound: sp.Expr, *, either: bool
) -> Iterator[tuple[sp.Expr, sp.Expr]]:
    """Inequalities, left at most right, that say together that the norm of the differences is at most the bound.

    Args:
        norm: of the differences.
        differences: of the coordinates of two answers.
        bound: not negative.
        either: whether the differences with the other sign are looked at besides, as each of two may be the first.
    """
    if len(differences) > 1 and norm is Norm.L2:
        yield sp.Add(*(d**2 for d in differences)), bound**2
    elif norm is Norm.LINF or len(differences) == 1:
        for d in differences:
            yield from ((d, bound),) if either else ((d, bound), (-d, bound))
    elif len(differences) <= _MOST_SIGNS:
        for signs in product((1, -1), repeat=len(differences)):
            if not (either and signs[0] < 0):
                yield sp.Add(*(s * d for s, d in zip(signs, differences, strict=True))), bound
    else:
        yield sp.Add(*map(sp.Abs, differences)), bound


class Kind(Enum):
    """How much is known."""

    EXACT = "exact"
    ENCLOSED = "enclosed"
    INFINITE = "infinite"
    OPEN = "open"


@dataclass(frozen=True, slots=True, repr=False)
class Sensitivity(Displayed):
    """The largest change of an answer between neighbours, as far as it is known.

    Attributes:
        kind: exact: `lower` is `upper`, and a pair attains it; infinite: along a pair, as `t` grows.
        lower: what a pair attains; None where none was found.
        upper: what is proved never to be exceeded; None where nothing is.
        pairs: neighbouring data sets, of which one attains it at each value of the parameters.
        conditions: under which this is said, those of the declarations included.
        decision: how the upper bound is known.
        case: what this is said of besides, such as an even number of records.
        inequalities: which say together that the upper bound is never exceeded, each with what is known; where a lemma
            says it, none.
    """

    kind: Kind
    lower: sp.Expr | None
    upper: sp.Expr | None
    pairs: tuple[tuple[Records, Records], ...]
    conditions: tuple[Proposition, ...]
    decision: Decision
    case: tuple[Proposition, ...] = ()
    inequalities: tuple[tuple[Relation, tuple[Proposition, ...]], ...] = ()

    @property
    def value(self) -> sp.Expr | None:
        """Where it is known exactly."""
        return self.upper if self.kind in (Kind.EXACT, Kind.INFINITE) else None

    def named(self, taken: set[sp.Symbol]) -> Sensitivity:
        """With a name, t where that is no other one's, for what grows along the pairs."""
        name = "t"
        while sp.Symbol(name) in taken:
            name += "'"
        table = {FAR: sp.Symbol(name, positive=True)}
        return replace(self, pairs=tuple((before.subs(table), after.subs(table)) for before, after in self.pairs))

    @property
    def grows(self) -> sp.Symbol:
        """Along which the pairs go to infinity, where they do."""
        return next((s for pair in self.pairs for r in pair for s in r.free_symbols if s.is_positive), sp.Symbol("t"))

    def __str__(self) -> str:
        if self.kind is Kind.EXACT:
            return f"exact: {plain(self.upper)}"
        if self.kind is Kind.INFINITE:
            return f"infinite, as {self.grows} grows"
        known = [f"at least {plain(self.lower)}"] if self.lower is not None else []
        known += [f"at most {plain(self.upper)}"] if self.upper is not None else []
        return f"{self.kind.value}: {', '.join(known)}" if known else self.kind.value


def failing(conditions: Iterable[Proposition], at: Mapping[sp.Symbol, sp.Rational]) -> list[Proposition]:
    """Those that do not hold at these values."""
    known = tuple(conditions)
    here = settled(known, at)
    return [c for c in known if holds_at(c, here) is False]


def settled(conditions: Iterable[Proposition], at: Mapping[sp.Symbol, sp.Rational]) -> dict[sp.Symbol, sp.Rational]:
    """The values, with those that follow by linear equations: of n_whole, from n = 2*n_whole + 1."""
    here = dict(at)
    for equation in conditions:
        left = equation.subs(here)
        if isinstance(left, Relation) and left.op == "=" and len(left.free_symbols) == 1:
            (name,) = left.free_symbols
            apart = sp.expand(left.lhs - left.rhs)
            slope, rest = apart.coeff(name, 1), apart.coeff(name, 0)
            if slope.is_Rational and slope != 0 and rest.is_Rational and apart == slope * name + rest:
                here[name] = -rest / slope
    return here


class Unclear(ValueError):
    """The answer depends on which of two sizes is larger, and that is not known."""


class TooFew(ReadingError):
    """One of two neighbours has too few records for an answer."""


def by_lemma(
    value: sp.Expr, pairs: Iterable[tuple[Records, Records]], conditions: tuple[Proposition, ...], why: str,
    kind: Kind = Kind.EXACT,
) -> Sensitivity:  # fmt: skip
    """What a lemma says is never exceeded, and pairs attain."""
    return Sensitivity(kind, value, value, tuple(pairs), conditions, Decision(Verdict.PROVED, Method.LEMMA, why))


def nothing(conditions: tuple[Proposition, ...], why: str, case: tuple[Proposition, ...] = ()) -> Sensitivity:
    """Neither a bound nor a pair, and why."""
    return Sensitivity(Kind.OPEN, None, None, (), conditions, undecided(why), case)


def unless_zero(factor: sp.Expr, conditions: tuple[Proposition, ...]) -> Sensitivity:
    """Of what grows without bounds where its factor is not 0, which is not seen."""
    return nothing(conditions, f"it is infinite unless {plain(factor)} = 0, and whether it is was not seen")


def undecided(why: str) -> Decision:
    """Nothing was found out."""
    return Decision(Verdict.OPEN, Method.NONE, brief(why))


def brief(why: str) -> str:
    """On one line that can be read."""
    line = " ".join(why.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
