"""What a program costs: what each step spends, the total by each notion, and what leaks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from dpsym.core.plain_printer import for_readers, plain
from dpsym.core.verdicts import Enclosure
from dpsym.deriving import Fact
from dpsym.deriving.fact import Status
from dpsym.programs import Account, Found, Run, Spent, Step, Total, conditions
from dpsym.queries.noise import RELATIONS
from dpsym.rendering.answers import DONE, REFUTED, UNDECIDED, Answer, NumberAnswer
from dpsym.rendering.decisive import Deciding
from dpsym.rendering.page import As, Between, Item, Named, Page, Says, in_latex, lines, says
from dpsym.rendering.routes import Route, budget, shortened, with_names
from dpsym.rendering.text import SHORT, UNFINISHED, left_out, rounded_up, told
from dpsym.statements import Solved


@dataclass(frozen=True, eq=False, repr=False)
class Programmed(NumberAnswer):
    """What a program costs: what each step spends, the total by each notion, and what leaks.

    Attributes:
        text: the program.
        account: what it costs, without the numbers.
        numbers: of each total its route with the numbers; None where there is no guarantee.
        prices: what each step costs by itself, with its numbers.
        wanted: the names of the numbers that were asked for.
        long: whether long formulas are shown beside numbers.
    """

    text: str
    account: Account
    numbers: tuple[Route | None, ...]
    prices: tuple[tuple[Route, ...], ...]
    wanted: tuple[str, ...] = ()
    long: bool = False
    brief = Answer.brief

    @property
    def finished(self) -> bool:
        """Whether the time was enough for every total."""
        return all(one.finished for one in self.totals)

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
    def verdict(self) -> str:
        """`accounted`, `leaks` or `open`."""
        leaks = any(finding.kind is Found.LEAK for finding in self.run.findings)
        return "leaks" if leaks else "accounted" if self.known else "open"

    @property
    def _route(self) -> Route:
        found = next((route for route in self.numbers if route is not None and route.values), None)
        if found is None:
            raise ValueError(f"there is no number in this answer: {self.brief}")
        return found

    @property
    def name(self) -> str:
        """Of what there is a number.

        Raises:
            ValueError: where there is none.
        """
        return self._route.names_of_numbers(self.wanted)[0]

    @property
    def value(self) -> Enclosure:
        """The number that was asked for, between two decimals."""
        return self._route.values[self.name]

    @property
    def solved(self) -> Solved | None:
        """What was solved for, where it was an unknown."""
        return self._route.solved

    @property
    def status(self) -> int:
        """0 where a guarantee is known, 1 where the program leaks or no value is enough, 3 where something is open."""
        if self.known:
            return DONE
        return REFUTED if self.verdict == "leaks" or any(one.none for one in self.totals) else UNDECIDED

    def to_dict(self) -> dict[str, Any]:
        """The document of the command."""
        run = self.run
        return {
            "program": self.text,
            "data": run.data.declaration,
            "adjacent": run.data.neighbours,
            "adjacency": RELATIONS[run.data.neighbours].value,
            "verdict": self.verdict,
            "findings": [{"line": f.line, "kind": f.kind.value, "why": f.why} for f in run.findings],
            "steps": [
                {
                    "lines": list(one.step.lines),
                    "mechanism": str(one.step.part),
                    "query": one.step.what,
                    "times": plain(one.step.count),
                    "pairs": list(one.step.pairs),
                    "spends": [_fact(fact) for fact in one.facts],
                }
                for one in self.spent
            ],
            "totals": [_total(one, route) for one, route in zip(self.totals, self.numbers, strict=True)],
            "released": list(run.released),
            "given": [*map(str, (*conditions(run), *run.given))],
        }

    def written(self, form: str) -> str:
        """In a format; as LaTeX the totals, where they are known."""
        return formula(self.account) if form == "latex" and self.known else super().written(form)

    def formula(self) -> str | None:
        """The totals."""
        found = formula(self.account)
        return f"$\\displaystyle {found}$" if found else None

    @for_readers()
    def page(self) -> Page:
        """The total by each notion, what decides it, what each step costs; or what stands in the way."""
        parts = self._parts(self.long)
        further = [] if self.long or parts == self._parts(True) else [left_out()]
        return Page("", (*parts, *further, *lines([] if self.finished else [UNFINISHED])))

    def _parts(self, long: bool) -> list[Says]:
        run = self.run
        numbers = [said for route in self.numbers if route is not None for said in self._numbers(route)]
        longest = None if long or not numbers else SHORT
        formulas = [*lines(f"line {f.line}: {'leaks' if f.kind is Found.LEAK else 'open'}: {f.why}"
                           for f in run.findings)]  # fmt: skip
        if run.findings:
            formulas.append(says("no guarantee" if self.verdict == "leaks" else "no guarantee is known"))
        elif not run.steps:
            formulas.append(says("nothing that is released depends on a record"))
        else:
            for one, route in zip(self.totals, self.numbers, strict=True):
                formulas += _formulas(one, route, longest) if route is not None else []
            formulas += lines([f"no total: {self.totals[0].why}"]) if self.numbers == (None,) else ()
        decisive = Deciding(run.source, "", run.sampling).about(RELATIONS[run.data.neighbours])
        decided = replace(decisive, measured="", assumed="").lines  # sensitivities are those of the queries
        parts = [*told(numbers, decided, formulas)]
        for each, routes in zip(self.spent, self.prices, strict=True):
            said = [item for route in routes for item in (", ", _cost(route, longest, long))][1:]
            parts.append(says(f"{place(each.step)}: {written(each.step)}: ", *(said or ["no finite budget is known"])))
        given = [*map(str, (*conditions(run), *run.given))] if not run.findings and run.steps else []
        return [*parts, says(f"given {', '.join(given)}")] if given else parts

    def _numbers(self, route: Route) -> Iterator[Says]:
        """What a total is in numbers, what was asked for first; of several with the notion."""
        notion = f"  ({route.fact.guarantee.definition.id})" if len(self.numbers) > 1 else ""
        for name in route.names_of_numbers(self.wanted):
            yield says(Between(name, route.values[name]), notion)
        yield from lines(route.enough if route.values else [])


def without_numbers(account: Account) -> Programmed:
    """The costs as formulas."""
    totals = tuple(None if one.fact is None else Route(one.fact, {}) for one in account.totals)
    return Programmed("", account, totals, tuple(tuple(Route(fact, {}) for fact in one.facts) for one in account.spent))


def _formulas(one: Total, route: Route, longest: int | None) -> Iterator[Says]:
    """A total as a formula, where numbers do not say it or it needs something, with its choices and conditions."""
    fact, guarantee, needed = route.fact, one.guarantee, _open(route.fact)
    assert guarantee is not None  # noqa: S101 - as there is a fact
    shown = budget(guarantee, route.names, longest)  # what is implicit, such as the root of an equation, by name
    numeric = all(arg.is_Rational for arg in guarantee.args) and route.solved is None
    if not (route.values and (numeric or shown != budget(guarantee, route.names, None))) or needed:
        yield says("total: ", As(shown, with_names(guarantee, route.names)))
        chosen = ((n, v) for n, v in fact.choices if n not in route.values)
        yield from (says(As(f"{n} = {shortened(v, longest)}", Named(n, v)), depth=1) for n, v in chosen)
    yield from (says(f"if {condition}", depth=1) for condition in needed)
    yield from (says(said, depth=1) for said in ([] if route.values else route.enough))


def _cost(route: Route, longest: int | None, formula: bool) -> Item:
    """What a step costs by one notion: at most so much, where it is a number."""
    guarantee = route.fact.guarantee
    if formula or not route.values:
        return As(budget(guarantee, {}, longest), guarantee)
    said = (f"{name} {'=' if v.lower == v.upper else '<='} {rounded_up(v.upper)}" for name, v in route.values.items())
    return f"{' and '.join(said)} ({guarantee.definition.id})"


def formula(account: Account) -> str:
    """The totals as LaTeX, one below the other."""
    rows = [in_latex(one.guarantee) for one in account.totals if one.guarantee is not None]
    return r"\begin{gathered} " + r" \\ ".join(rows) + r" \end{gathered}" if len(rows) > 1 else "".join(rows)


def _total(one: Total, route: Route | None) -> dict[str, Any]:
    none: dict[str, Any] = {"guarantee": None, "chosen": {}, "rules": [], "conditions": []}
    found = none if one.fact is None else {**_fact(one.fact), "guarantee": str(one.guarantee)}
    numbers = None if route is None else {name: value.to_dict() for name, value in route.values.items()} or None
    return {"notion": one.definition.id, **found, "value": numbers, "why": one.why, "finished": one.finished}


def _fact(fact: Fact) -> dict[str, Any]:
    return {
        "guarantee": str(fact.guarantee),
        "chosen": {name: plain(value) for name, value in fact.choices},
        "rules": list(fact.rules),
        "conditions": _open(fact),
    }


def _open(fact: Fact) -> list[str]:
    """What a guarantee needs and is not known to hold."""
    return [str(c.proposition) for c in fact.all_conditions if c.status is Status.OPEN]


def place(step: Step) -> str:
    """The line, or lines, where it stands."""
    return f"line {step.lines[0]}" if len(step.lines) == 1 else f"lines {', '.join(map(str, step.lines))}"


def written(step: Step) -> str:
    """The mechanism on its query, and how often."""
    times = "" if step.count == 1 else f", {plain(step.count)} times"
    return f"{step.part} on {step.what}{times}"
