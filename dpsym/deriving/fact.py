"""A guarantee that was derived, with everything that it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

import sympy as sp

from dpsym.core.display import Displayed, short
from dpsym.core.notation import Minimum
from dpsym.core.plain_printer import plain
from dpsym.core.relations import Proposition, exact, substitute
from dpsym.core.verdicts import Enclosure
from dpsym.deriving.optimising import numeric_choice
from dpsym.numbers import enclose
from dpsym.statements import Adjacency, Guarantee, Source

if TYPE_CHECKING:
    from dpsym.deriving.solving import Solution


class Status(StrEnum):
    """What is known of a side condition."""

    DISCHARGED = "discharged"  # it holds
    OPEN = "open"
    FALSE = "false"
    SETTLED = "decided at the choice"  # a later step gives its symbols values, and decides it there


class Step(StrEnum):
    """The rules that are neither a theorem nor a mechanism's claim."""

    GIVEN = "given"
    EMPTY_SAMPLE = "empty_sample"
    NO_RUN = "no run"
    CHOICE = "choice"
    OPTIMISE = "optimise"
    EQUAL_SPLIT = "equal split"
    SUBSTITUTION = "substitution"
    INVERSION = "inversion"
    CALIBRATION = "calibration"
    MONOTONICITY = "monotonicity"


@dataclass(frozen=True, slots=True)
class Condition:
    """A side condition and whether it is known to hold."""

    proposition: Proposition
    status: Status

    __repr__ = short

    def __str__(self) -> str:
        return f"{self.proposition}  [{self.status}]"


@dataclass(frozen=True, slots=True, repr=False)
class Fact(Displayed):
    """`guarantee` follows from `parents` by `rule`.

    Attributes:
        guarantee: what holds.
        rule: the id of the theorem, of the mechanism whose claim it is, or a `Step`.
        source: where the rule is from.
        parents: the facts it was derived from.
        conditions: the side conditions of this step; those of the parents are theirs.
        free: symbols that may still be chosen by whoever uses the fact (an order, a delta).
        choices: what was chosen in this step, as `name = value`.
        exact: nothing was lost on the way: no better guarantee of this kind is true.
        complete: moreover, it says all there is to say about the privacy of the mechanism.
        solution: what stands behind a choice that was solved for.
    """

    guarantee: Guarantee
    rule: str
    source: Source | None
    parents: tuple[Fact, ...] = ()
    conditions: tuple[Condition, ...] = ()
    free: frozenset[sp.Symbol] = frozenset()
    choices: tuple[tuple[str, sp.Basic], ...] = ()
    exact: bool = False
    complete: bool = False
    adjacency: Adjacency = Adjacency.ANY
    subject: str = "M"
    note: str = field(default="", compare=False)
    solution: Solution | None = field(default=None, compare=False, repr=False)

    def __getattr__(self, name: str) -> sp.Expr:
        for parameter, value in self.guarantee.bound.items():
            if str(parameter) == name:
                return value
        raise AttributeError(f"{self.guarantee.definition} has no parameter {name!r}")

    def lineage(self) -> Iterator[Fact]:
        """This fact and all that it rests on, the foundations first."""
        for parent in self.parents:
            yield from parent.lineage()
        yield self

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules in the order of their application."""
        return tuple(str(fact.rule) for fact in self.lineage())

    @property
    def sources(self) -> tuple[str, ...]:
        """Each source once, in the order of first use."""
        return tuple(dict.fromkeys(str(fact.source) for fact in self.lineage() if fact.source is not None))

    @property
    def all_conditions(self) -> tuple[Condition, ...]:
        """The conditions of every step, each once; open where any step left it open."""
        return tuple(c for c in self.every_condition if c.status != Status.SETTLED)

    @property
    def every_condition(self) -> tuple[Condition, ...]:
        """The same, and behind them those that were decided where a later step made its choice."""
        merged: dict[Proposition, Status] = {}
        settled: dict[Proposition, Status] = {}
        inherited = (c for parent in self.parents for c in parent.every_condition)
        for condition in (*inherited, *self.conditions):
            known, status = merged.get(condition.proposition), condition.status
            if status == Status.SETTLED:
                settled[condition.proposition] = status
            else:
                merged[condition.proposition] = Status.OPEN if Status.OPEN in (known, status) else status
        return tuple(
            Condition(p, s) for p, s in (merged | {p: s for p, s in settled.items() if p not in merged}).items()
        )

    def settled(self, symbols: frozenset[sp.Symbol]) -> Fact:
        """The same, for a step that gives these symbols values and decides there what was required of them."""
        conditions = tuple(
            replace(c, status=Status.SETTLED) if c.proposition.free_symbols & symbols else c for c in self.conditions
        )
        return replace(self, conditions=conditions, parents=tuple(p.settled(symbols) for p in self.parents))

    def evaluate(self, at: Mapping[sp.Symbol, object] | None = None, digits: int = 15) -> dict[str, Enclosure]:
        """Each parameter at exact values of all symbols, with guaranteed digits.

        A minimum over a free order is taken at an order found numerically; every order gives a true guarantee,
        and the one taken is `chosen_at`.

        Raises:
            Undefined, NotEnclosed, NotNumeric: see `dpsym.numbers.enclose`.
        """
        table = {symbol: exact(value) for symbol, value in (at or {}).items()}
        enclosures = {}
        for parameter, value in self.guarantee.bound.items():
            if not isinstance(value, sp.Lambda):
                expression, orders = at_good_orders(value, table)
                enclosures[str(parameter)] = enclose(expression, orders, digits=digits)
        return enclosures

    def chosen_at(self, at: Mapping[sp.Symbol, object]) -> dict[str, sp.Rational]:
        """The exact orders that `evaluate` takes where the formula is a minimum over an order."""
        table = {symbol: exact(value) for symbol, value in at.items()}
        chosen: dict[str, sp.Rational] = {}
        for value in self.guarantee.args:
            if not isinstance(value, sp.Lambda):
                chosen.update({order.name: at for order, at in at_good_orders(value, table)[1].items()})
        return chosen

    def __str__(self) -> str:
        return "\n".join(self._lines(0))

    def _lines(self, depth: int) -> list[str]:
        indent = "  " * depth
        source = f"  ({self.source})" if self.source is not None else ""
        lines = [f"{indent}{self.guarantee}  by {self.rule}{source}"]
        lines += [f"{indent}  with {name} = {plain(value)}" for name, value in self.choices]
        lines += [f"{indent}  if {condition}" for condition in self.conditions]
        for parent in self.parents:
            lines += parent._lines(depth + 1)
        return lines


def at_good_orders(
    expression: sp.Expr, table: Mapping[sp.Symbol, sp.Basic]
) -> tuple[sp.Expr, dict[sp.Symbol, sp.Rational]]:
    """The expression at the values, each minimum replaced by its body, with a rational order near the minimiser."""
    value = substitute(expression, table)
    chosen: dict[sp.Symbol, sp.Rational] = {}
    for minimum in value.atoms(Minimum):
        function, region = minimum.args
        (variable,) = function.variables
        order = sp.Dummy(variable.name)  # not put in: SymPy would compute huge powers
        chosen[order] = numeric_choice(function, region)
        value = value.xreplace({minimum: substitute(function.expr, {variable: order})})
    return value, chosen
