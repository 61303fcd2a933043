"""What a program costs, as a page, as LaTeX and as data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from dpsym.core.display import short
from dpsym.core.plain_printer import for_readers, plain
from dpsym.deriving import Fact
from dpsym.deriving.fact import Status
from dpsym.programs import Account, Found, Step, Total, conditions
from dpsym.queries.noise import RELATIONS
from dpsym.rendering.data import bounds
from dpsym.rendering.decisive import Deciding
from dpsym.rendering.page import As, Between, Item, Named, Page, Says, in_latex, lines, says
from dpsym.rendering.routes import Route, budget, shortened, with_names
from dpsym.rendering.text import SHORT, UNFINISHED, left_out, rounded_up, told


@dataclass(frozen=True, slots=True)
class Costs:
    """What a program costs, with the numbers.

    Attributes:
        account: what it costs.
        totals: with their numbers; None where there is no guarantee.
        spent: what each step costs by itself, with its numbers.
        wanted: the names of the numbers that were asked for.
        formula: whether long formulas are shown beside numbers.
    """

    account: Account
    totals: tuple[Route | None, ...]
    spent: tuple[tuple[Route, ...], ...]
    wanted: tuple[str, ...] = ()
    formula: bool = False

    __repr__ = short


def without_numbers(account: Account) -> Costs:
    """The costs as formulas."""
    totals = tuple(None if one.fact is None else Route(one.fact, {}) for one in account.totals)
    return Costs(account, totals, tuple(tuple(Route(fact, {}) for fact in one.facts) for one in account.spent))


@for_readers()
def page(costs: Costs) -> Page:
    """The total by each notion, what decides it, what each step costs; or what stands in the way."""
    parts = _parts(costs)
    further = [] if parts == _parts(replace(costs, formula=True)) else [left_out()]
    further += [] if all(one.finished for one in costs.account.totals) else [UNFINISHED]
    return Page("", (*parts, *lines(further)))


def _parts(costs: Costs) -> list[Says]:
    account, run = costs.account, costs.account.run
    numbers = [said for route in costs.totals if route is not None for said in _numbers(route, costs)]
    longest = None if costs.formula or not numbers else SHORT
    formulas = [*lines(f"line {f.line}: {'leaks' if f.kind is Found.LEAK else 'open'}: {f.why}" for f in run.findings)]
    if run.findings:
        formulas.append(says("no guarantee" if verdict(account) == "leaks" else "no guarantee is known"))
    elif not run.steps:
        formulas.append(says("nothing that is released depends on a record"))
    else:
        for one, route in zip(account.totals, costs.totals, strict=True):
            formulas += _formulas(one, route, longest) if route is not None else []
        formulas += lines([f"no total: {account.totals[0].why}"]) if costs.totals == (None,) else ()
    parts = [*told(numbers, decided(account), formulas)]
    for each, routes in zip(account.spent, costs.spent, strict=True):
        said = [item for route in routes for item in (", ", _cost(route, longest, costs.formula))][1:]
        parts.append(says(f"{place(each.step)}: {written(each.step)}: ", *(said or ["no finite budget is known"])))
    given = [*map(str, (*conditions(run), *run.given))] if not run.findings and run.steps else []
    return [*parts, says(f"given {', '.join(given)}")] if given else parts


def decided(account: Account) -> list[str]:
    """Lines on which data sets are neighbours and how samples are drawn; sensitivities are those of the queries."""
    decisive = Deciding(account.run.source, "", account.run.sampling).about(RELATIONS[account.run.data.neighbours])
    return replace(decisive, measured="", assumed="").lines


def _numbers(route: Route, costs: Costs) -> Iterator[Says]:
    """What a total is in numbers, what was asked for first; of several with the notion."""
    notion = f"  ({route.fact.guarantee.definition.id})" if len(costs.totals) > 1 else ""
    for name in sorted(route.values, key=lambda name: bool(costs.wanted) and name not in costs.wanted):
        yield says(Between(name, route.values[name]), notion)
    if route.solved is not None and route.values:
        yield from (says(route.solved.said(name)) for name, _ in route.fact.choices)


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
    if route.solved is not None and not route.values:
        yield from (says(route.solved.said(name), depth=1) for name, _ in fact.choices)


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


def verdict(account: Account) -> str:
    """`accounted`, `leaks` or `open`."""
    leaks = any(finding.kind is Found.LEAK for finding in account.run.findings)
    return "leaks" if leaks else "accounted" if account.known else "open"


def data(program: str, costs: Costs) -> dict[str, Any]:
    """One document for all of it."""
    account, run = costs.account, costs.account.run
    return {
        "program": program,
        "data": run.data.declaration,
        "adjacent": run.data.neighbours,
        "adjacency": RELATIONS[run.data.neighbours].value,
        "verdict": verdict(account),
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
            for one in account.spent
        ],
        "totals": [_total(one, route) for one, route in zip(account.totals, costs.totals, strict=True)],
        "released": list(run.released),
        "given": [*map(str, (*conditions(run), *run.given))],
    }


def _total(one: Total, route: Route | None) -> dict[str, Any]:
    none: dict[str, Any] = {"guarantee": None, "chosen": {}, "rules": [], "conditions": []}
    found = none if one.fact is None else {**_fact(one.fact), "guarantee": str(one.guarantee)}
    numbers = None if route is None else {name: bounds(value) for name, value in route.values.items()} or None
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
