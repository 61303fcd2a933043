"""The routes of a derivation as programs and as LaTeX with its sources."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from dpsym.core.plain_printer import plain
from dpsym.core.relations import Proposition
from dpsym.deriving.fact import Status
from dpsym.rendering import align, scalar
from dpsym.rendering.bibtex import as_bibtex
from dpsym.rendering.page import Item, Named
from dpsym.rendering.python_code import Formula, NoPythonCode, formulas_of, module
from dpsym.rendering.routes import Asked, Route, conditions, with_names
from dpsym.statements import Adjacency, Source


def as_python(found: Sequence[Route], asked: Asked) -> str:
    """A module with a function for each budget of each route.

    Raises:
        NoPythonCode: where a formula has no counterpart in mpmath.
    """
    return module(formulas_of_routes(found, asked))


def as_scalar(found: Sequence[Route], asked: Asked, language: str) -> str:
    """A file of C or JavaScript with a function for each budget of each route.

    Raises:
        NoPythonCode: where a formula has no interval operation.
    """
    return scalar.source(formulas_of_routes(found, asked), language)


def as_sources(found: Sequence[Route], _asked: Asked) -> str:
    """The sources of all steps, as BibTeX."""
    return as_bibtex(_sources(found))


def as_align(found: Sequence[Route], asked: Asked) -> str:
    """Each route as an `align*` environment over its conditions, with citations and their BibTeX."""
    blocks = []
    for each in found:
        said: dict[str, tuple[Item, ...]] = {**conditions(each.fact, asked.given)}
        if each.fact.adjacency is not Adjacency.ANY:
            said["neighbours"] = (each.fact.adjacency.value,)
        blocks.append(
            "\n".join(filter(None, (align.fragment(align.rows(each.fact, each.names)), align.conditions(said))))
        )
    return align.with_sources("\n\n".join(blocks), _sources(found))


def _sources(found: Sequence[Route]) -> list[Source]:
    return [fact.source for each in found for fact in each.fact.lineage() if fact.source is not None]


def formulas_of_routes(found: Sequence[Route], asked: Asked) -> list[Formula]:
    """A formula for each budget of each route, or for what was solved for."""
    formulas: list[Formula] = []
    for number, each in enumerate(found, start=1):
        prefix = "" if len(found) == 1 else f"route_{number}_"
        source = "; ".join(each.fact.sources)
        where = {s: v for v, s in each.names.items()}
        chosen = {sp.Symbol(n) for f in each.fact.lineage() for n, _ in f.choices}  # settled by being chosen
        derived = [c for c in each.fact.every_condition if c.proposition not in asked.given]
        inside = [c for c in derived if c.status == Status.SETTLED or c.proposition.free_symbols & chosen]
        needed = [*asked.given, *(c.proposition for c in derived if c not in inside)]
        title = asked.text
        if each.fact.adjacency is not Adjacency.ANY:
            title += f"; neighbours: {each.fact.adjacency.value}"
        if inside:
            title += f"; of what it chooses itself: {', '.join(f'{c.proposition} ({c.status})' for c in inside)}"
        if each.solution:
            formulas += [_solved_formula(each, s, prefix, title, source, needed) for s in each.solution]
        else:
            names = {v: s for v, s in each.names.items() if v not in each.fact.guarantee.args}
            short = with_names(each.fact.guarantee, names)
            formulas += formulas_of(short, title, source, needed, prefix, where)
    return formulas


def _solved_formula(
    each: Route, named: Named, prefix: str, title: str, source: str, conditions: Sequence[Proposition]
) -> Formula:
    """What was solved for, rounded to its safe side.

    Raises:
        NoPythonCode: where all that is known is one value, which a float need not hold.
    """
    solved, solution = each.solved, each.fact.solution
    if solved is None or solution is None or (solved.shape == "only" and not named.value.is_Integer):
        raise NoPythonCode(f"only {named.name} = {plain(named.value)} is known to be enough, and no float beside it")
    values = solution.asked.values
    if values and not named.value.free_symbols:
        title += f" at {', '.join(f'{symbol} = {plain(value)}' for symbol, value in values.items())}"
    upward = solved.safe == "upper" if solved.shape in ("at least", "at most") else solved.safe == "lower"
    return Formula(f"{prefix}{named.name}", named.value, title, source, conditions, upward, whole=solved.integer)
