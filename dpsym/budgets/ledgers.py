"""One budget and what of it is spent, in exact rationals in which the notion's budgets add up."""

from __future__ import annotations

from dataclasses import replace
from decimal import ROUND_FLOOR

import sympy as sp

from dpsym.budgets.prices import Price, Spendable, above, below, in_numbers, price, written
from dpsym.core.notation import delta
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.composition import add, least, root_sum_of_squares
from dpsym.entries.notions.pure import pure
from dpsym.statements import Definition, Guarantee


class Ledger:
    """A budget of one notion: its parameters that add up (or whose squares do), those that bound, those that index.

    Raises:
        NoPrice: for a budget that is not a number.
    """

    __slots__ = ("_spent", "_total", "budget", "fixed", "notion")

    def __init__(self, budget: Guarantee) -> None:
        self.notion: Definition = budget.definition
        self.budget = in_numbers(budget)
        self.fixed = {p: budget.bound[p] for p in self.notion.index if p in budget.bound}
        self._total = {p: below(_added(budget, p)) for p in self._adding}
        self._spent = dict.fromkeys(self._adding, sp.S.Zero)

    @property
    def _adding(self) -> tuple[sp.Symbol, ...]:
        return tuple(p for p, rule in self.notion.compose.items() if rule in (add, root_sum_of_squares))

    @property
    def _least(self) -> dict[sp.Symbol, sp.Basic]:
        """Parameters of which the least counts, as the budget has them: no step may have less."""
        return {p: self.budget.bound[p] for p, rule in self.notion.compose.items() if rule is least}

    @property
    def spent(self) -> Guarantee:
        """The cost of the steps so far together, rounded up."""
        return self._as_guarantee(self._spent)

    @property
    def left(self) -> Guarantee:
        """The cost that later steps may have together, rounded down."""
        return self._as_guarantee({p: self._total[p] - self._spent[p] for p in self._adding})

    def price(self, step: Spendable, at_delta: sp.Basic) -> Price:
        """The cost of a step by this notion."""
        if self.notion is not approx or (isinstance(step, Guarantee) and step.definition is approx):
            return price(step, self.notion, self.fixed, self._least)
        if at_delta == 0:
            found = price(step, pure, {})
            return replace(found, costs=approx(found.costs.args[0], 0))
        return price(step, approx, {delta: at_delta})

    def refuses(self, costs: Guarantee) -> str:
        """Why these costs are more than is left, in words; empty where they are not."""
        for p in self._adding:
            if self._spent[p] + above(_added(costs, p)) > self._total[p]:
                return f"is more than is left, {written(self.left, ROUND_FLOOR)}"
        for p, value in self._least.items():
            if below(costs.bound[p]) < above(value):
                return f"says too little: its {p} is below that of {self.budget}"
        return ""

    def spend(self, costs: Guarantee) -> None:
        """Take costs that it does not refuse."""
        for p in self._adding:
            self._spent[p] += above(_added(costs, p))

    def _as_guarantee(self, amounts: dict[sp.Symbol, sp.Rational]) -> Guarantee:
        roots = {p: sp.sqrt(v) if self.notion.compose[p] is root_sum_of_squares else v for p, v in amounts.items()}
        return Guarantee(self.notion, tuple(roots.get(p, v) for p, v in self.budget.bound.items()))


def _added(guarantee: Guarantee, parameter: sp.Symbol) -> sp.Basic:
    """The part of this parameter that adds up: its value, or its square."""
    value = guarantee.bound[parameter]
    return sp.expand(value**2) if guarantee.definition.compose[parameter] is root_sum_of_squares else value
