"""A question as the search sees it: a gap that must not be negative, on a box, under conditions."""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass, replace

import sympy as sp
from flint import arb, fmpq

from dpsym.core import functions
from dpsym.core.notation import Phi, phi
from dpsym.core.relations import Relation
from dpsym.deciding.strategies.strategy import Question
from dpsym.numbers import Range

_MOST_VARIABLES = 6  # the number of boxes grows exponentially with it
_LARGEST = 1500  # operations in a side; beyond this nothing is to be hoped for
_WORDS = (
    sp.Symbol, sp.Rational, type(sp.pi), type(sp.E), sp.Add, sp.Mul, sp.Pow, *functions.heads("certified"),
)  # fmt: skip
_PLAIN_NAME = re.compile(r"[A-Za-z]\w*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Side:
    """The values of one variable; None is an infinite end."""

    lower: fmpq | None
    upper: fmpq | None
    lower_open: bool = False
    upper_open: bool = False
    integer: bool = False

    @property
    def is_point(self) -> bool:
        """A single value."""
        return self.lower is not None and self.lower == self.upper

    def holds(self, t: fmpq) -> bool:
        """Whether it contains the number."""
        above = self.lower is None or self.lower < t or (self.lower == t and not self.lower_open)
        return above and (self.upper is None or self.upper > t or (self.upper == t and not self.upper_open))

    def reaching(self, t: fmpq) -> Side:
        """With the number and what lies between."""
        side = self
        if side.lower is not None and t <= side.lower:
            side = replace(side, lower=t, lower_open=False)
        if side.upper is not None and t >= side.upper:
            side = replace(side, upper=t, upper_open=False)
        return side

    def middle(self) -> fmpq:
        """A number inside: the middle, or twice as far out on an unbounded side."""
        low, high = self.lower, self.upper
        if low is not None and high is not None:
            return (low + high) / 2
        if low is not None:
            return (2 * low if low > 0 else low) + 1
        if high is not None:
            return (2 * high if high < 0 else high) - 1
        return fmpq(0)

    def range(self) -> Range:
        """For a tape."""
        low = arb.neg_inf() if self.lower is None else arb(self.lower).lower()
        high = arb.pos_inf() if self.upper is None else arb(self.upper).upper()
        return Range(low, high, self.lower is None or self.lower_open, self.upper is None or self.upper_open)

    def inner_range(self) -> Range:
        """Without its ends, for a derivative."""
        low, high, *_ = self.range()
        return Range(low, high, True, True)


Box = tuple[Side, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """`large - small` is not negative (strictly: positive) on `box`, where the conditions hold."""

    relation: Relation
    symbols: tuple[sp.Symbol, ...]
    box: Box
    conditions: tuple[Relation, ...]
    inverted: tuple[tuple[sp.Symbol, fmpq], ...] = ()  # (x, c): x stands for 1/(x - c) of the problem as stated
    stated: Problem | None = None

    @property
    def strict(self) -> bool:
        """Whether the sides may not be equal."""
        return self.relation.op in ("<", ">")

    @property
    def sides(self) -> tuple[sp.Expr, sp.Expr]:
        """The smaller and the larger one."""
        r = self.relation
        return (r.lhs, r.rhs) if r.op in ("<", "<=") else (r.rhs, r.lhs)


def rational(value: sp.Rational | None) -> fmpq | None:
    """As the numbers of the boxes."""
    return None if value is None else fmpq(int(value.p), int(value.q))


def posed(question: Question) -> Problem | None:
    """The problem of a question, in names and functions that certificates have; None where it has no such form."""
    relation, domain = question.relation, question.domain
    symbols = tuple(sorted(relation.free_symbols, key=lambda s: s.name))
    if relation.op not in ("<", "<=", ">", ">=") or not symbols or len(symbols) > _MOST_VARIABLES:
        return None
    if max(relation.lhs.count_ops(), relation.rhs.count_ops()) > _LARGEST:
        return None
    names = {s: sp.Symbol(s.name if _plain(s.name) else f"v{n}_") for n, s in enumerate(symbols)}
    if len(set(names.values())) < len(symbols):
        return None
    box = []
    for s in symbols:
        b = domain.sharpened(s)
        box.append(Side(rational(b.lower), rational(b.upper), b.lower_open, b.upper_open, s in domain.integers))
    conditions = [c for c in domain.coupled if isinstance(c, Relation) and c.op not in ("=", "!=")]
    conditions = [written(c, names) for c in conditions if c.free_symbols <= relation.free_symbols]
    claim = written(relation, names)
    if not _has_words(claim):
        return None
    return Problem(claim, tuple(names.values()), tuple(box), tuple(filter(_has_words, conditions)))


def inverted(problem: Problem) -> Problem | None:
    """With unbounded variables through their inverses, so that infinity is a plane; None where there are none."""
    box, moved = list(problem.box), []
    for i, (symbol, side) in enumerate(zip(problem.symbols, problem.box, strict=True)):
        if side.lower is not None and side.upper is None and side.lower_open:
            moved.append((symbol, side.lower))
            box[i] = Side(fmpq(0), None, True)
        elif side.lower is not None and side.upper is None:
            moved.append((symbol, side.lower - 1))
            box[i] = Side(fmpq(0), fmpq(1), True)
        elif side.lower is None and side.upper is not None:
            moved.append((symbol, side.upper + 1))
            box[i] = Side(fmpq(-1), fmpq(0), side.upper_open, True)
    if not moved:
        return None
    places = {x: sp.Rational(int(c.p), int(c.q)) + 1 / x for x, c in moved}
    claim, *conditions = (
        Relation(r.lhs.subs(places), r.op, r.rhs.subs(places)) for r in (problem.relation, *problem.conditions)
    )
    return Problem(claim, problem.symbols, tuple(box), tuple(conditions), tuple(moved), problem)


def _has_words(relation: Relation) -> bool:
    """Whether certificates have every operation of it."""
    parts = (part for side in (relation.lhs, relation.rhs) for part in sp.preorder_traversal(side))
    return all(isinstance(part, _WORDS) for part in parts)


def _plain(name: str) -> bool:
    return bool(_PLAIN_NAME.fullmatch(name)) and not keyword.iskeyword(name) and name not in ("pi", "oo", "Z")


def written(relation: Relation, names: dict[sp.Symbol, sp.Symbol]) -> Relation:
    """In other names, with exponentials, logarithms, sinh, cosh and erfc only."""
    lhs, rhs = (_written(side).xreplace(names) for side in (relation.lhs, relation.rhs))
    return Relation(lhs, relation.op, rhs)


def _written(e: sp.Expr) -> sp.Expr:
    if not e.args:
        return e
    args = [_written(a) for a in e.args]
    x = args[0]
    match e:
        case Phi():
            return sp.erfc(-x / sp.sqrt(2)) / 2
        case sp.erf():
            return 1 - sp.erfc(x)
        case phi():
            return sp.exp(-(x**2) / 2) / sp.sqrt(2 * sp.pi)
        case sp.tanh():
            return 1 - 2 / (sp.exp(2 * x) + 1)
        case sp.coth():
            return sp.cosh(x) / sp.sinh(x)
        case sp.Pow() if not isinstance(args[1], sp.Rational) and x is not sp.E:
            return sp.exp(args[1] * sp.log(x))
    return e if tuple(args) == e.args else e.func(*args)
