"""A question as the search sees it: a gap that must not be negative, on a box, under conditions."""

from __future__ import annotations

from dataclasses import dataclass, replace

import sympy as sp
from flint import fmpq

from dpsym.deciding.rungs import Question
from dpsym.enclosing import Range
from dpsym.enclosing.factoring import expanded, factored
from dpsym.notation import Phi, phi
from dpsym.relations import Relation


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

    @property
    def is_empty(self) -> bool:
        """No value."""
        if self.lower is None or self.upper is None:
            return False
        return self.lower > self.upper or (self.lower == self.upper and (self.lower_open or self.upper_open))

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

    def whole(self) -> Side:
        """With the ends of an integer variable rounded inwards."""
        if not self.integer:
            return self
        lower, upper = self.lower, self.upper
        if lower is not None:
            lower = fmpq(lower.floor() + 1 if self.lower_open else lower.ceil())
        if upper is not None:
            upper = fmpq(upper.ceil() - 1 if self.upper_open else upper.floor())
        return Side(lower, upper, integer=True)


Box = tuple[Side, ...]


@dataclass(frozen=True, slots=True)
class Form:
    """An expression with the sign of the gap: where `factor` (if any) is positive."""

    name: str
    expression: sp.Expr
    factor: sp.Expr | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """`forms` are not negative (strictly: positive) on `box`, where the conditions hold."""

    relation: Relation
    symbols: tuple[sp.Symbol, ...]
    box: Box
    conditions: tuple[Relation, ...]
    forms: tuple[Form, ...]

    @property
    def strict(self) -> bool:
        """Whether the sides may not be equal."""
        return self.relation.op in ("<", ">")


def rational(value: sp.Rational | None) -> fmpq | None:
    """As the numbers of the boxes."""
    return None if value is None else fmpq(int(value.p), int(value.q))


def posed(question: Question) -> Problem | None:
    """The problem of a question; None where it has no such form."""
    relation = question.relation
    if relation.op not in ("<", "<=", ">", ">=") or not relation.free_symbols:
        return None
    lhs, rhs = written(relation.lhs), written(relation.rhs)
    relation = Relation(lhs, relation.op, rhs)
    domain = question.domain
    conditions = [c for c in domain.coupled if isinstance(c, Relation) and c.op != "=" and c.op != "!="]
    conditions = [c for c in conditions if c.free_symbols <= relation.free_symbols]
    symbols = tuple(sorted(relation.free_symbols, key=lambda s: s.name))
    if len({s.name for s in symbols}) < len(symbols) or len(symbols) > 6:
        return None
    box = []
    for s in symbols:
        b = domain.of(s)
        side = Side(rational(b.lower), rational(b.upper), b.lower_open, b.upper_open, s in domain.integers)
        box.append(side.whole())
    small, large = (lhs, rhs) if relation.op in ("<", "<=") else (rhs, lhs)
    return Problem(relation, symbols, tuple(box), tuple(conditions), forms(small, large))


def forms(small: sp.Expr, large: sp.Expr) -> tuple[Form, ...]:
    """The difference; the difference of logarithms; the difference without its denominator."""
    gap = large - small
    found = [Form("difference", gap)]
    if sp.count_ops(gap) < 150:
        above, below = sp.fraction(sp.together(gap))
        if below.free_symbols:
            found.append(Form("scaled", expanded(above), below))
            found.append(Form("scaled", above, below))
        else:
            product = factored(gap)
            if product != gap:
                found.append(Form("scaled", product, sp.Integer(1)))
    if not (small.is_number or large.is_number) and (small.has(sp.exp, Phi) or large.has(sp.exp, Phi)):
        found.append(Form("logarithm", sp.log(large) - sp.log(small)))
    return tuple(dict.fromkeys(found))


def written(e: sp.Expr) -> sp.Expr:
    """With the error function through the normal distribution, and the like."""
    if not e.args:
        return e
    args = [written(a) for a in e.args]
    root2 = sp.sqrt(2)
    match e:
        case sp.erf():
            return 2 * Phi(root2 * args[0]) - 1
        case sp.erfc():
            return 2 * Phi(-root2 * args[0])
        case phi():
            return sp.exp(-(args[0] ** 2) / 2) / sp.sqrt(2 * sp.pi)
        case sp.coth():
            return sp.cosh(args[0]) / sp.sinh(args[0])
        case sp.Pow() if not isinstance(args[1], sp.Rational) and args[0] is not sp.E:
            return sp.exp(args[1] * sp.log(args[0]))
        case sp.Add() | sp.Mul() | sp.Pow():
            return e if tuple(args) == e.args else e.func(*args)
    return e.func(*args)


def as_range(side: Side) -> Range:
    """For a tape."""
    from flint import arb

    low = -arb.pos_inf() if side.lower is None else arb(side.lower).lower()
    high = arb.pos_inf() if side.upper is None else arb(side.upper).upper()
    return Range(low, high, side.lower is None or side.lower_open, side.upper is None or side.upper_open)
