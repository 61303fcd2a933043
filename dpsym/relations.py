"""Propositions as inert data: a relation between two expressions, integrality, a quantified relation.

SymPy's own relations evaluate when built (``Eq(x, x)`` is ``True``) and have a truth value when they
should not; these have neither.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NoReturn, TypeAlias, get_args

import sympy as sp

from dpsym.spelling import plain

Operator = Literal["=", "!=", "<", "<=", ">", ">="]
_NEGATED: dict[Operator, Operator] = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_SWAPPED: dict[Operator, Operator] = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_FROM_SYMPY: dict[type, Operator] = {
    sp.Eq: "=", sp.Ne: "!=", sp.StrictLessThan: "<", sp.LessThan: "<=",
    sp.StrictGreaterThan: ">", sp.GreaterThan: ">=",
}  # fmt: skip


class NotAProposition(TypeError):
    """Something that can be neither true nor false was given where a condition is needed."""


class _NoTruthValue:
    """Truth is decided, never coerced."""

    __slots__ = ()

    def __bool__(self) -> NoReturn:
        raise TypeError(f"{self} has no truth value in Python; use dpsym.decide")


@dataclass(frozen=True, slots=True)
class Relation(_NoTruthValue):
    """`lhs op rhs`, kept as its author wrote it.

    Two relations are equal when they are spelled alike; whether they say the same is for `decide`.
    """

    lhs: sp.Expr
    op: Operator
    rhs: sp.Expr

    def __post_init__(self) -> None:
        if self.op not in get_args(Operator):
            raise NotAProposition(f"{self.op!r} is not one of {', '.join(get_args(Operator))}")
        for name in ("lhs", "rhs"):
            side = exact(getattr(self, name))
            if not isinstance(side, sp.Expr | sp.Lambda):
                raise NotAProposition(f"{side!r} is not an expression")
            object.__setattr__(self, name, side)

    def __str__(self) -> str:
        return f"{plain(self.lhs)} {self.op} {plain(self.rhs)}"

    @property
    def free_symbols(self) -> set[sp.Symbol]:
        """The symbols it speaks of."""
        return self.lhs.free_symbols | self.rhs.free_symbols

    @property
    def negated(self) -> Relation:
        """The relation that holds exactly where this one does not."""
        return Relation(self.lhs, _NEGATED[self.op], self.rhs)

    @property
    def swapped(self) -> Relation:
        """The same relation read from right to left."""
        return Relation(self.rhs, _SWAPPED[self.op], self.lhs)

    def subs(self, table: Mapping[sp.Basic, sp.Basic]) -> Relation:
        """Substitute simultaneously; the result is a relation again, never a truth value."""
        return Relation(substitute(self.lhs, table), self.op, substitute(self.rhs, table))


@dataclass(frozen=True, slots=True)
class IsInteger(_NoTruthValue):
    """The expression (usually a symbol) takes integer values only."""

    expression: sp.Expr

    def __str__(self) -> str:
        return f"{plain(self.expression)} is an integer"

    @property
    def free_symbols(self) -> set[sp.Symbol]:
        """The symbols it speaks of."""
        return self.expression.free_symbols

    def subs(self, table: Mapping[sp.Basic, sp.Basic]) -> IsInteger:
        """Substitute simultaneously."""
        return IsInteger(substitute(self.expression, table))


@dataclass(frozen=True, slots=True)
class ForAll(_NoTruthValue):
    """`relation` for all values of `variables` that satisfy `conditions`."""

    relation: Relation
    variables: tuple[sp.Symbol, ...]
    conditions: tuple[Relation, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "relation", relation(self.relation))
        object.__setattr__(self, "conditions", tuple(relation(c) for c in self.conditions))

    def __str__(self) -> str:
        return f"{self.relation} for all {', '.join(map(str, self.conditions or self.variables))}"

    @property
    def free_symbols(self) -> set[sp.Symbol]:
        """The symbols it speaks of, the quantified ones left out."""
        inner = self.relation.free_symbols.union(*(c.free_symbols for c in self.conditions))
        return inner - set(self.variables)

    def subs(self, table: Mapping[sp.Basic, sp.Basic]) -> ForAll:
        """Substitute simultaneously for free symbols; the new terms may not mention a quantified variable."""
        table = {old: new for old, new in table.items() if old not in self.variables}
        captured = [
            v for v in self.variables if any(v in sp.sympify(new).free_symbols for new in table.values())
        ]
        if captured:
            raise ValueError(f"substituting {table} would capture {captured[0]} in: {self}")
        return ForAll(
            self.relation.subs(table), self.variables, tuple(c.subs(table) for c in self.conditions)
        )


Proposition: TypeAlias = Relation | IsInteger | ForAll


def exact(value: object) -> sp.Basic:
    """A SymPy object for an expression, an int or a Fraction.

    Raises:
        TypeError: for a float (write ``Rational(1, 10)``), text, or anything else.
    """
    if isinstance(value, sp.Basic):
        if value.has(sp.Float):
            raise TypeError(f"{value} contains a binary float; write it as an exact rational")
        return value
    if isinstance(value, bool | float | str | complex):
        raise TypeError(f"{value!r} is not exact; write an int, a Fraction or a SymPy Rational")
    numerator, denominator = getattr(value, "numerator", None), getattr(value, "denominator", None)
    if isinstance(numerator, int) and isinstance(denominator, int):
        return sp.Rational(numerator, denominator)
    raise TypeError(f"{value!r} is not a mathematical expression")


def substitute(expression: sp.Basic, table: Mapping[sp.Basic, sp.Basic]) -> sp.Basic:
    """Simultaneous substitution of exact values or expressions for symbols (and function symbols)."""
    return expression.subs({old: exact(new) for old, new in table.items()}, simultaneous=True)


def relation(proposition: object) -> Relation:
    """A `Relation` from one, or from an unevaluated SymPy relation.

    Raises:
        NotAProposition: for a bare expression, a Python or SymPy truth value, or anything else.
    """
    if isinstance(proposition, Relation):
        return proposition
    op = _FROM_SYMPY.get(type(proposition))
    if op is not None:
        return Relation(proposition.lhs, op, proposition.rhs)  # type: ignore[attr-defined]
    if isinstance(proposition, bool) or proposition in (sp.true, sp.false):
        raise NotAProposition(
            f"{proposition!r}: SymPy or Python evaluated this relation before dpsym saw it; "
            "write Relation(lhs, '<=', rhs)"
        )
    raise NotAProposition(f"{proposition!r} is not a relation")


def propositions(items: Iterable[object]) -> tuple[Proposition, ...]:
    """Each item as a proposition.

    Raises:
        NotAProposition: for an item that is not one.
    """
    return tuple(i if isinstance(i, IsInteger | ForAll) else relation(i) for i in items)
