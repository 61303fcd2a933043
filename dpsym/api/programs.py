"""`program`: several answers from one data set, line by line, and what they cost together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, get_args

from dpsym.api.answers import DONE, REFUTED, UNDECIDED, Answer, NumberAnswer
from dpsym.api.reading import (
    Sampling,
    UnknownName,
    adjacent_word,
    lacks_delta,
    one_of,
    rationals,
    refuse_options,
    symbol_of,
    target_of,
    values_of,
    wanted_of,
    with_usual_delta,
)
from dpsym.core.clocks import Work, keeping_time
from dpsym.core.doing import doing
from dpsym.core.spelling import by_any_spelling, spelled
from dpsym.core.verdicts import Enclosure, Side
from dpsym.language.errors import ReadingError

if TYPE_CHECKING:
    import sympy as sp

    from dpsym.api.reading import Values
    from dpsym.programs import Account, Run, Spent, Total
    from dpsym.rendering.page import Page
    from dpsym.rendering.programs import Costs
    from dpsym.rendering.routes import Route
    from dpsym.statements import Adjacency

READING = 0.4  # of the time, for each sensitivity at most
_NUMBERS = 0.2  # of the time, for enclosures
_DIGITS = 15  # of a number, unless others are asked for


@dataclass(frozen=True, eq=False, repr=False)
class Programmed(NumberAnswer):
    """What a program costs: what each step spends, the total by each notion, and what leaks.

    Attributes:
        text: the program.
        costs: what it costs, with the numbers.
    """

    text: str
    costs: Costs
    brief = Answer.brief

    @property
    def finished(self) -> bool:
        """Whether the time was enough for every total."""
        return all(one.finished for one in self.totals)

    @property
    def account(self) -> Account:
        """What it costs, without the numbers."""
        return self.costs.account

    @property
    def run(self) -> Run:
        """What was seen of the program."""
        return self.account.run

    @property
    def spent(self) -> tuple[Spent, ...]:
        """What each step spends."""
        return self.account.spent

    @property
    def totals(self) -> tuple[Total, ...]:
        """The whole by each notion."""
        return self.account.totals

    @property
    def known(self) -> bool:
        """Whether there is a guarantee, which needs nothing that is not known to hold."""
        return self.account.known

    @property
    def _route(self) -> Route:
        found = next((route for route in self.costs.totals if route is not None and route.values), None)
        if found is None:
            raise ValueError(f"there is no number in this answer: {self.brief}")
        return found

    @property
    def name(self) -> str:
        """Of what there is a number.

        Raises:
            ValueError: where there is none.
        """
        known = self._route.values
        return next((name for name in self.costs.wanted if name in known), next(iter(known)))

    @property
    def value(self) -> Enclosure:
        """The number that was asked for, between two decimals."""
        return self._route.values[self.name]

    @property
    def safe(self) -> Side:
        """Which end may be used."""
        solved = self._route.solved
        return "upper" if solved is None else solved.safe

    @property
    def alone(self) -> bool:
        """Whether nothing is known of other values of the unknown."""
        return self._route.solved is not None and self._route.solved.shape == "only"

    @property
    def status(self) -> int:
        """0 where a guarantee is known, 1 where the program leaks or no value is enough, 3 where something is open."""
        from dpsym.rendering.programs import verdict

        if self.known:
            return DONE
        return REFUTED if verdict(self.account) == "leaks" or any(one.none for one in self.totals) else UNDECIDED

    def to_dict(self) -> dict[str, Any]:
        """The document of the command."""
        from dpsym.rendering import programs

        return programs.data(self.text, self.costs)

    def written(self, form: str) -> str:
        """In a format; as LaTeX the totals, where they are known."""
        from dpsym.rendering import programs

        return programs.formula(self.account) if form == "latex" and self.known else super().written(form)

    def page(self) -> Page:
        """The total by each notion, what decides it, what each step costs; or what stands in the way."""
        from dpsym.rendering import programs

        return programs.page(self.costs)

    def formula(self) -> str | None:
        """The totals."""
        from dpsym.rendering import notebook

        return notebook.formula(self.account)


@keeping_time
@by_any_spelling
def program(
    text: str,
    to: object | None = None,
    time_limit: float = Work(60),
    *,
    for_: str | sp.Symbol | None = None,
    at: Values | None = None,
    adjacent: str | Adjacency | None = None,
    sampling: Sampling = "poisson",
    formula: bool = False,
    solve_for: str | sp.Symbol | None = None,
    **values: object,
) -> Programmed:
    """Say what a program costs together, which line spends what, and what leaks, with the line.

    >>> import dpsym
    >>> cost = dpsym.program("x in [0,1]^n, replace; s = laplace(b=c) on sum(x)".replace("; ", "\\n"), to="pure", c=4)
    >>> print(f"{cost:.2f}", cost.known)
    0.25 True

    Args:
        text: the program, line by line.
        to: a notion or a guarantee, such as `zcdp` or `approx(delta=1e-5)`; without it, all.
        time_limit: for everything, in seconds.
        for_: solve for this parameter, so that what is wanted holds of the whole.
        at, values: values of parameters: text, exact numbers, Decimal, or a float, which is the decimal that it prints.
        adjacent: which data sets are neighbours; a program that says others is refused.
        sampling: how samples are drawn of which a rate is given: `poisson`, or of `fixed-size`.
        formula: long formulas, too, beside numbers.
        solve_for: the same as `for_`.

    Raises:
        ReadingError: what, at which line, what was expected.
        EmptyDomain: when no point satisfies what is declared, or the values.

    Command:
        \b
        x in [0,1]^n, add or remove
        s = laplace(b=2/epsilon) on sum(x)
        c = geometric(b=2/epsilon) on count(x)
        release s/c

        dpsym program mean.txt
        dpsym program mean.txt --to "pure(1)" --for epsilon

        Exit status: 0 where a guarantee is known, 1 where it leaks, 3 where something is open.
    """
    from dpsym import programs
    from dpsym.deciding import Domain
    from dpsym.deciding.timeout import Limit
    from dpsym.rendering import routes
    from dpsym.rendering.programs import Costs
    from dpsym.statements import Guarantee

    point: Mapping[sp.Symbol, sp.Expr] = values_of(at, values)
    goal = None if to is None else target_of(to)[0]
    wanted = for_ if for_ is not None else solve_for
    if wanted is not None and goal is None:
        raise ReadingError(f"{spelled('for_')} needs a guarantee that is wanted: {spelled('to', 'pure(1)')}")
    doing("reading the program")
    one_of("sampling", sampling, get_args(Sampling))
    run = programs.run(text, READING * time_limit, sampling=sampling)
    programs.refuse_others(run, adjacent_word(adjacent))
    if isinstance(goal, Guarantee):
        Domain(tuple(c for c in goal.domain if not c.free_symbols))
    unknown = None if wanted is None else symbol_of(wanted, run.source.free_symbols)
    if goal is not None and lacks_delta(goal, run.source, point):
        point = with_usual_delta(at, point)
    numbers = rationals(point)
    names = run.source.free_symbols.union(*(c.free_symbols for c in programs.conditions(run)), programs.asked(goal))
    for symbol, value in numbers.items():
        if symbol not in names:
            refuse_options({str(symbol): None}, program, ())
            raise UnknownName(str(symbol), value, map(str, names), "parameter")
    doing("adding up")
    programs.refuse_values(run, numbers)
    limit = Limit(time_limit)
    account = programs.account(run, goal, numbers, unknown, (1 - _NUMBERS) * limit.left)

    def numbered(fact: Any) -> Route:
        over = routes.Route(fact, {}, unsettled="the time was over")
        return limit.run(partial(routes.route, fact, numbers, _DIGITS), over, _NUMBERS)

    totals = tuple(None if one.fact is None else numbered(one.fact) for one in account.totals)
    spent = tuple(tuple(map(numbered, one.facts)) for one in account.spent)
    return Programmed(text, Costs(account, totals, spent, wanted_of(goal, numbers, unknown), formula))
