"""Pages for a terminal: readable without colour, and plain text where nobody looks at a terminal."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING

from dpsym.core.rounding import decimal
from dpsym.core.spelling import spelled
from dpsym.core.verdicts import Enclosure, Verdict
from dpsym.rendering.page import As, Between, Branch, Item, Line, Named, Page, Part, Says, Table, lines, says

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.tree import Tree

    from dpsym.statements import Adjacency

COLOURS = {
    Verdict.PROVED: "green", Verdict.CERTIFIED: "green", Verdict.CITED: "cyan", Verdict.SUPPORTED: "yellow",
    Verdict.OPEN: "yellow", Verdict.UNREAD: "yellow", Verdict.FAILS: "bold red",
    Verdict.REFUTED: "bold red",
}  # fmt: skip


_SHOWN = Context(prec=6, rounding=ROUND_CEILING)
SHORT = 80  # characters of a formula that is shown beside a number without being asked for
UNFINISHED = "the time limit was reached: more time may give a better answer"


# --- a page
def in_plain(item: Item) -> str:
    """The item in the plain notation."""
    match item:
        case str() | Verdict():
            return str(item)
        case As():
            return item.text
        case Between():
            return between(item.name, item.value)
    import sympy as sp

    from dpsym.core.plain_printer import plain
    from dpsym.statements import Guarantee

    if isinstance(item, Named):
        return f"{item.name} = {plain(item.value)}"
    if isinstance(item, Guarantee):
        return f"{item.definition.id}({', '.join(map(plain, item.args))})"
    return plain(item) if isinstance(item, sp.Basic) else str(item)


def as_text(page: Page) -> str:
    """The title, and each part below it."""
    rows = [page.title] if page.title and not page.quiet else []
    for _, some in groupby((p for p in page.parts if not isinstance(p, Says) or p.of != "others"), type):
        parts = list(some)
        labelled = [part for part in parts if isinstance(part, Line)]
        rows += _columns(labelled) if labelled else [row for part in parts for row in _rows(part)]
    return "\n".join(rows)


def _rows(part: Part) -> Iterable[str]:
    match part:
        case Says():
            return [("  " * part.depth + _joined(part.items)).rstrip()]
        case Table():
            return [table(part.heads, [[in_plain(cell) for cell in row] for row in part.rows])]
        case Branch():
            return [tree(part)]
    return []


def _joined(items: Sequence[Item]) -> str:
    """One after the other; fractions of many digits as readers want them, a verdict in its colour."""
    if all(isinstance(item, str) for item in items):
        return "".join(map(str, items))
    from dpsym.core.plain_printer import for_readers

    with for_readers():
        return "".join(_coloured(item) if isinstance(item, Verdict) else in_plain(item) for item in items)


def _columns(entries: Sequence[Line]) -> Iterator[str]:
    """Aligned labels."""
    width = max(len(entry.label) for entry in entries)
    for entry in entries:
        for number, item in enumerate(entry.items):
            yield f"  {entry.label if number == 0 else '':<{width}}  {in_plain(item)}"


def _coloured(verdict: Verdict) -> str:
    if not sys.stdout.isatty():
        return str(verdict)
    from rich.text import Text

    return on_terminal(Text(str(verdict), style=COLOURS[verdict]))


def tree(root: Branch) -> str:
    """The tree with its guides; elsewhere than on a terminal, without loading what styles it."""
    return on_terminal(_styled(root)) if sys.stdout.isatty() else "\n".join(_branches(root))


def _branches(branch: Branch) -> Iterator[str]:
    yield _joined(branch.items)
    for each in branch.below:
        first, further = ("└── ", "    ") if each is branch.below[-1] else ("├── ", "│   ")
        for number, row in enumerate(_branches(each)):
            yield f"{further if number else first}{row}"


def _styled(branch: Branch) -> Tree:
    from rich.text import Text
    from rich.tree import Tree

    grown = Tree(Text(_joined(branch.items), style=branch.style), guide_style="dim")
    grown.children.extend(map(_styled, branch.below))
    return grown


def on_terminal(renderable: RenderableType) -> str:
    """The renderable as text: in colour and wrapped on a terminal, plain and unwrapped elsewhere."""
    from rich.console import Console

    terminal = sys.stdout.isatty()
    console = Console(
        width=shutil.get_terminal_size().columns if terminal else 4000,
        color_system="auto" if terminal else None,
        force_terminal=terminal,
        highlight=False,
        markup=False,
        emoji=False,
    )
    with console.capture() as capture:
        console.print(renderable)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Columns under their heads; elsewhere than on a terminal, without loading what styles them."""
    rows = [list(row) for row in rows]
    if not sys.stdout.isatty():
        widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
        padded = ((cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (heads, *rows))
        return "\n".join("  ".join(row).rstrip() for row in padded)
    from rich.table import Table as Grid

    grid = Grid(box=None, pad_edge=False, header_style="bold", show_edge=False)
    for head in heads:
        grid.add_column(head, overflow="fold")
    for row in rows:
        grid.add_row(*row)
    return on_terminal(grid)


# --- words that answers share
def left_out() -> Says:
    """That text does not show long formulas."""
    return Says((f"long formulas are left out ({spelled('formula', 'True')} shows them)",), of="text")


def told(
    numbers: Iterable[Item | Says],
    decided: Iterable[Item | Says],
    formulas: Iterable[Item | Says] = (),
    *,
    formula: bool = True,
) -> tuple[Says, ...]:
    """The first lines of an answer, whichever command gives it: its numbers, what decides them, its formulas.

    Beside numbers long formulas are left out, unless they are asked for; without any the formulas come first.
    """
    first, said, below = ([*map(_line, found)] for found in (numbers, decided, formulas))
    if not first:
        return (*below, *said)
    shown = formula or all(len(_joined(one.items)) <= SHORT for one in below)
    return (*first, *said, *(below if shown else (replace(one, of="others") for one in below)))


def _line(said: Item | Says) -> Says:
    return said if isinstance(said, Says) else lines([said])[0] if isinstance(said, str) else says(said)


def enclosure(value: Enclosure) -> str:
    """Both bounds, one below the other, so that the eye sees where they part."""
    if value.lower == value.upper:
        return f"= {decimal(value.lower)}"
    return f"lower {decimal(value.lower)}\nupper {decimal(value.upper)}"


def rounded_up(value: Decimal) -> str:
    """The number to six digits, and never less than it is."""
    if value.is_infinite():
        return "infinite"
    shown = _SHOWN.plus(value)
    return format(shown, "f") if -5 < shown.adjusted() < 12 else format(shown, "e")


def between(name: str, value: Enclosure) -> str:
    """The name between its bounds, on one line."""
    if value.lower == value.upper:
        return f"{name} = {decimal(value.lower)}"
    return f"{decimal(value.lower)} <= {name} <= {decimal(value.upper)}"


def none(floor: Enclosure, wanted: Fraction | None) -> str:
    """That no epsilon is enough for delta = wanted, and why."""
    attained = wanted is None or Fraction(floor.lower) > wanted
    return f"no epsilon is enough: delta never falls {'below' if attained else 'to'} {decimal(floor.lower)}"


def neighbours(relation: Adjacency | str | None) -> list[str]:
    """A line that says which inputs are neighbours; none where the relation is the one that is meant anyway."""
    from dpsym.statements.adjacency import Adjacency

    said = relation.value if isinstance(relation, Adjacency) else relation
    return [f"neighbours: {said}"] if said and said != Adjacency.ANY.value else []
