"""The routes of a derivation: a tree for the terminal, a page, a program, a JSON document."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp
from rich.text import Text
from rich.tree import Tree

from dpsym.deriving import Fact
from dpsym.enclosing import NotEnclosed, NotNumeric, Undefined, Unresolved, enclose
from dpsym.rendering import data, text
from dpsym.rendering.page import Line, Named, Page, as_latex, as_markdown, in_latex, in_plain, line
from dpsym.rendering.python_code import Formula, formulas_of, module
from dpsym.spelling import plain
from dpsym.verdicts import Enclosure


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked, in words; the target as it was written (None: all); how many routes there are."""

    text: str
    target: str | None
    among: int


@dataclass(frozen=True, slots=True)
class Route:
    """A fact with the numbers that were asked for; `values` is empty where a symbol has no value."""

    fact: Fact
    values: Mapping[str, Enclosure]

    @property
    def solution(self) -> tuple[Named, ...]:
        """What was solved for, where something was."""
        if self.fact.rule != "calibration":
            return ()
        return tuple(Named(name, value) for name, value in self.fact.choices)

    @property
    def budgets(self) -> tuple[Named, ...]:
        """The guarantee, parameter by parameter."""
        return tuple(Named(str(p), value) for p, value in self.fact.guarantee.bound.items())


def route(fact: Fact, at: Mapping[sp.Symbol, object], digits: int) -> Route:
    """The fact with its values at the point, where every symbol has one."""
    values: dict[str, Enclosure] = {}
    free = fact.guarantee.free_symbols - set(at)
    try:
        if not free:
            values = dict(fact.evaluate(at, digits))
        if fact.rule == "calibration":
            for name, value in fact.choices:
                if not value.free_symbols - set(at):
                    values[name] = enclose(value.subs(at), digits=digits)
    except (Undefined, Unresolved, NotEnclosed, NotNumeric):
        return Route(fact, {})
    return Route(fact, values)


def as_text(found: Sequence[Route], asked: Question) -> str:
    """The answer, its numbers, and the tree of reasons; one block a route."""
    blocks = []
    for number, each in enumerate(found, start=1):
        head = [f"route {number} of {asked.among}"] if len(found) > 1 else []
        head += [in_plain(item) for item in (*each.solution, *each.budgets)]
        head += _numbers(each)
        blocks.append("\n".join([*head, text.on_terminal(_tree(each.fact))]))
    if len(found) == 1 and asked.among > 1:
        blocks.append(f"{asked.among - 1} looser routes: --all shows them")
    return "\n\n".join(blocks)


def _numbers(each: Route) -> list[str]:
    lines = []
    for name, value in each.values.items():
        if value.lower == value.upper:
            lines.append(f"{name} is {text.decimal(value.lower)}")
        else:
            lines.append(
                f"{name} is between {text.decimal(value.lower)}\n"
                f"{'and':>{len(name) + 11}} {text.decimal(value.upper)}"
            )
    return lines


def _tree(fact: Fact) -> Tree:
    root = Tree(Text(_step(fact)), guide_style="dim")
    _grow(root, fact)
    return root


def _grow(tree: Tree, fact: Fact) -> None:
    for name, value in fact.choices:
        tree.add(Text(f"with {name} = {plain(value)}", style="italic"))
    for condition in fact.conditions:
        tree.add(Text(f"if {condition}", style="" if condition.status == "discharged" else "bold"))
    for parent in fact.parents:
        _grow(tree.add(Text(_step(parent))), parent)


def _step(fact: Fact) -> str:
    source = f" [{fact.source}]" if fact.source is not None else ""
    exact = ", nothing lost" if fact.exact else ""
    return f"{in_plain(fact.guarantee)}  by {fact.rule}{source}{exact}"


def page(each: Route, title: str) -> Page:
    """The route as a page: the answer, the steps from the first to the last, the conditions, the sources."""
    steps = []
    for fact in each.fact.lineage():
        source = f" [{fact.source}]" if fact.source is not None else ""
        steps.append(Line(f"{fact.rule}{source}", (fact.guarantee, *(Named(n, v) for n, v in fact.choices))))
    conditions = tuple(Line(f"condition ({c.status})", (c.proposition,)) for c in each.fact.all_conditions)
    numbers = tuple(
        line(f"{name} is between", text.decimal(value.lower), text.decimal(value.upper))
        for name, value in each.values.items()
    )
    return Page(
        title,
        (
            Line("answer", (*each.solution, *each.budgets)),
            *numbers,
            *steps,
            *conditions,
            line("loses nothing", "yes" if each.fact.exact else "not claimed"),
        ),
    )


def as_pages(found: Sequence[Route], asked: Question) -> list[Page]:
    """One page a route."""
    title = "{}" if len(found) == 1 else "{}, route {} of {}"
    return [page(each, title.format(asked.text, n, len(found))) for n, each in enumerate(found, start=1)]


def as_python(found: Sequence[Route], asked: Question) -> str:
    """A module with a function for each budget of each route.

    Raises:
        NoPythonCode: where a formula has no counterpart in mpmath.
    """
    formulas: list[Formula] = []
    for number, each in enumerate(found, start=1):
        prefix = "" if len(found) == 1 else f"route_{number}_"
        conditions = [c.proposition for c in each.fact.all_conditions]
        source = "; ".join(each.fact.sources)
        if each.solution:
            formulas += [
                Formula(f"{prefix}{s.name}", s.value, asked.text, source, conditions) for s in each.solution
            ]
        else:
            formulas += formulas_of(each.fact.guarantee, asked.text, source, conditions, prefix)
    return module(formulas)


def as_json(found: Sequence[Route], asked: Question) -> str:
    """The JSON document, tightest route first."""
    target = None if asked.target is None or not found else found[0].fact.guarantee.definition.id
    return data.document({"target": target, "routes": [_data(each) for each in found]})


def _data(each: Route) -> dict[str, Any]:
    fact = each.fact
    return {
        "notion": fact.guarantee.definition.id,
        "rules": list(fact.rules),
        "guarantee": {item.name: plain(item.value) for item in each.budgets},
        "solution": {item.name: plain(item.value) for item in each.solution} or None,
        "choices": {n: plain(v) for f in fact.lineage() for n, v in f.choices},
        "latex": r",\quad ".join(in_latex(item) for item in (*each.solution, *each.budgets)),
        "conditions": [{"relation": str(c.proposition), "status": c.status} for c in fact.all_conditions],
        "sources": list(fact.sources),
        "exact": fact.exact,
        "adjacency": fact.adjacency.value,
        "value": {n: data.bounds(v) for n, v in each.values.items()} or None,
    }


WRITERS: Mapping[str, Callable[[Sequence[Route], Question], str]] = {
    "text": as_text,
    "markdown": lambda found, asked: as_markdown(as_pages(found, asked)),
    "latex": lambda found, asked: as_latex(as_pages(found, asked)),
    "python": as_python,
    "json": as_json,
}
