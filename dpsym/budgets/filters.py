"""Privacy filters: a budget that is fixed beforehand, and enforced while mechanisms are chosen by earlier answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction
from threading import Lock

import sympy as sp

from dpsym import answering, catalogue
from dpsym.budgets.prices import (
    NoPrice,
    Price,
    Spendable,
    a_guarantee,
    a_step,
    about,
    above,
    below,
    between,
    in_numbers,
    price,
    written,
)
from dpsym.core.display import Displayed, short
from dpsym.core.given import given
from dpsym.core.notation import delta
from dpsym.core.relations import exact
from dpsym.core.spelling import by_any_spelling
from dpsym.deriving import DerivationError, Fact
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.composition import add, least, root_sum_of_squares
from dpsym.entries.notions.pure import pure
from dpsym.statements import Adjacency, Definition, Guarantee
from dpsym.statements.adjacency import named

_DIGITS = 30  # of what follows from a budget
_A_LITTLE_LESS = 1 - sp.Rational(1, 10**12)


class Overspent(ValueError):
    """A step costs more than is left; nothing was spent."""


class Filter(Displayed):
    """Budgets that an interaction keeps to, whatever its answers lead to.

    Ask `spend` before every step, and run the step only if that returns.  Then all answers together satisfy every
    budget, although which steps there are, what they cost and when it ends may depend on the answers (the theorems
    `filter_*`; docs/lemmas.md, Lemma 15).  The amount `spent` on the course that was taken is no guarantee by itself.

    Args:
        budgets: guarantees in numbers, of notions that have a filter: pure DP, approximate DP, RDP at one order, zCDP,
            tCDP, GDP.  Several are kept all at once: RDP at several orders, say.
        adjacent: which data sets are neighbours (`replace`, `add`, `remove`, `add-remove`), fixed beforehand as the
            budgets are. Without it only steps known for any relation are admitted, and it is the one that sensitivities
            are measured for; Poisson samples need `add-remove`, randomized response `replace`.

    Raises:
        NoPrice: for a budget that is not a number, or of a notion without a filter.
        TypeError: for what is no budget, or no neighbouring relation.
    """

    __slots__ = ("_known", "_leaked", "_leaks", "_ledgers", "_lock", "_neighbours", "_steps", "meets")

    @by_any_spelling
    def __init__(self, *budgets: Guarantee | str, adjacent: str | Adjacency | None = None) -> None:
        if not budgets:
            raise NoPrice("a filter needs a budget, such as zcdp(1)")
        kept = tuple(map(a_guarantee, budgets))
        for notion in (budget.definition for budget in kept):
            if f"filter_{notion.id}" not in catalogue.theorems():
                raise NoPrice(f"no filter is known for {notion.short}: convert the budget, to zCDP say")
        self._ledgers = tuple(map(Ledger, kept))
        self._neighbours = named(adjacent)
        self._steps: list[tuple[Price, ...]] = []
        self._known: dict[tuple[int, Spendable, sp.Basic], Price] = {}
        self._lock = Lock()
        self._leaks = self._leaked = sp.S.Zero
        self.meets: Fact | None = None

    @classmethod
    @by_any_spelling
    def meeting(
        cls,
        target: Guarantee | str,
        by: Guarantee | str,
        *,
        leaks: object = 0,
        adjacent: str | Adjacency | None = None,
    ) -> Filter:
        """The filter with the largest budget from which the target follows.

        Args:
            target: what all answers together are to satisfy, such as `approx(1, Fraction(1, 10**5))`.
            by: the notion in which steps are counted, with the budget as its one unknown: `zcdp(rho)`, `gdp(mu)`, or
                `rdp(16, x)` at an order that is fixed thereby.
            leaks: of a target of approximate DP, how much of its delta is for steps that are known to be (epsilon,
                delta)-DP themselves; the rest is for the conversion. Such a step costs what epsilon-DP does, and its
                delta of this (docs/lemmas.md, Lemma 15, 3).
            adjacent: as for the filter.

        Raises:
            NoPrice: where no budget is enough.
        """
        target, by, leaking = a_guarantee(target), a_guarantee(by), below(given(leaks))
        kept = _rounded_down(_without(target, leaking))
        unknowns = sorted(by.free_symbols, key=str)
        if len(unknowns) != 1:
            raise NoPrice(f"{by} needs exactly one unknown, the budget to be found")
        (unknown,) = unknowns
        try:
            found = answering.derive(by, kept, solve_for=unknown)
        except DerivationError as error:
            raise NoPrice(f"no budget {by} is enough for {target}: {error}") from None
        largest = below(dict(found.choices)[str(unknown)])
        try:
            budget = by.subs({unknown: largest})
            meets = _shown(budget, kept)
        except NoPrice:  # of a bound that is itself a choice, at its best order say, it may be too large by a digit
            budget = by.subs({unknown: largest * _A_LITTLE_LESS})
            meets = _shown(budget, kept)
        made = cls(budget, adjacent=adjacent)
        made.meets, made._leaks = meets, leaking
        return made

    @property
    def budgets(self) -> tuple[Guarantee, ...]:
        """The guarantee of all answers together, from the first step on."""
        return tuple(ledger.budget for ledger in self._ledgers)

    @property
    def spent(self) -> tuple[Guarantee, ...]:
        """The cost of the steps so far, by each budget, rounded up."""
        return tuple(ledger.spent for ledger in self._ledgers)

    @property
    def left(self) -> tuple[Guarantee, ...]:
        """The cost that later steps may have, by each budget, rounded down."""
        return tuple(ledger.left for ledger in self._ledgers)

    @property
    def leaked(self) -> sp.Rational:
        """How much of the delta that was set aside for leaks is spent."""
        return self._leaked

    @property
    def steps(self) -> Sequence[Price]:
        """The steps that were admitted, in order; by the first budget."""
        return tuple(prices[0] for prices in self._steps)

    @property
    def neighbours(self) -> Adjacency:
        """The neighbouring relation that the budgets are for."""
        return self._neighbours

    def price(self, step: Spendable | str, *, delta: object = 0) -> tuple[Price, ...]:
        """The cost that a step would have, by each budget; nothing is spent.

        Args:
            step: a mechanism at given parameters, a composition or a sample of some, or a guarantee that it has.
            delta: at which approximate DP is asked for, where a budget is of that notion.

        Raises:
            NoPrice: where that is not known.
        """
        one, at = a_step(step), given(delta)
        return tuple(self._price(i, ledger, one, at) for i, ledger in enumerate(self._ledgers))

    def spend(self, step: Spendable | str, *, delta: object = 0) -> tuple[Price, ...]:
        """Admit a step that has not run yet, and take what it costs from every budget.

        Args:
            step, delta: as for `price`.

        Raises:
            Overspent: where it costs more than is left of a budget; nothing is spent, and another step may be asked.
            NoPrice: where it is not known what it costs.
            OtherNeighbours: where that is not known for the neighbours that the budgets are for.
        """
        prices = self.price(step, delta=delta)
        about(self._neighbours, prices)
        with self._lock:
            for ledger, one in zip(self._ledgers, prices, strict=True):
                if excess := ledger.refuses(one.costs):
                    raise Overspent(f"{one} {excess}; nothing was spent")
            if self._leaked + prices[0].leak > self._leaks:
                left = self._leaks - self._leaked
                raise Overspent(f"{prices[0]} leaks more than is left for that, {left}; nothing was spent")
            for ledger, one in zip(self._ledgers, prices, strict=True):
                ledger.spend(one.costs)
            self._leaked += prices[0].leak
            self._steps.append(prices)
        return prices

    def _price(self, number: int, ledger: Ledger, step: Spendable, delta: sp.Basic) -> Price:
        key = (number, step, delta)
        if key not in self._known:
            if isinstance(step, Guarantee) and step.definition is approx and self._leaks > 0:
                self._known[key] = _leaking(in_numbers(step), ledger)
            else:
                self._known[key] = ledger.price(step, delta)
        return self._known[key]

    def __str__(self) -> str:
        return "\n".join(
            f"{written(one.spent, ROUND_CEILING)} of {written(one.budget, ROUND_FLOOR)} is spent,"
            f" {written(one.left, ROUND_FLOOR)} is left"
            for one in self._ledgers
        ) + between(self._neighbours)

    __repr__ = short


def _without(target: Guarantee, leaks: sp.Rational) -> Guarantee:
    """The rest of a target when this much of its delta is set aside.

    Raises:
        NoPrice: where it has none to be set aside.
    """
    if leaks == 0:
        return target
    if target.definition is not approx or not 0 < leaks < below(target.args[1]):
        raise NoPrice(f"{leaks} is not less than a delta of {target}, to be set aside for leaks")
    return approx(target.args[0], below(target.args[1]) - leaks)


def _rounded_down(target: Guarantee) -> Guarantee:
    """The target at rational numbers, which is no weaker; its order stays."""
    return Guarantee(
        target.definition, tuple(v if p in target.definition.index else below(v) for p, v in target.bound.items())
    )


def _leaking(step: Guarantee, ledger: Ledger) -> Price:
    """The cost of a step of approximate DP: that of pure DP, and its delta as a leak."""
    found = ledger.price(pure(step.args[0]), sp.S.Zero)
    return replace(found, of=step, leak=above(step.args[1]))


def _shown(budget: Guarantee, target: Guarantee) -> Fact:
    """The target from the budget as it was rounded.

    Raises:
        NoPrice: where that was not shown.
    """
    loss = next(p for p in target.bound if p not in target.definition.index)  # at the order, or delta, of the target
    others = {str(p): value for p, value in target.bound.items() if p != loss}
    fact = answering.derive(budget, target.definition.goal(**others))
    found = fact.guarantee.bound[loss]
    if not isinstance(found, sp.Rational):
        found = exact(Fraction(fact.evaluate(digits=_DIGITS)[str(loss)].upper))
    if found > target.bound[loss]:
        raise NoPrice(f"{target} was not shown of {budget}, from which {loss} = {found} follows")
    return fact


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
