"""Answers for a terminal: readable without colour, and plain text where nobody looks at a terminal."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from dpsym.core.rounding import decimal
from dpsym.core.spelling import spelled
from dpsym.core.verdicts import Decision, Enclosure, Verdict, Witness

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.tree import Tree

    from dpsym.second_opinion import Opinion

COLOURS = {
    Verdict.PROVED: "green", Verdict.CERTIFIED: "green", Verdict.CITED: "cyan", Verdict.SUPPORTED: "yellow",
    Verdict.OPEN: "yellow", Verdict.UNREAD: "yellow", Verdict.FAILS: "bold red",
    Verdict.REFUTED: "bold red",
}  # fmt: skip


_SHOWN = Context(prec=6, rounding=ROUND_CEILING)
SHORT = 80  # characters of a formula that is shown beside a number without being asked for
UNFINISHED = "the time limit was reached: more time may give a better answer"


def left_out() -> str:
    """That long formulas are not shown."""
    return f"long formulas are left out ({spelled('formula', 'True')} shows them)"


def told(numbers: Iterable[str], decided: Iterable[str], formulas: Iterable[str], *, formula: bool) -> list[str]:
    """The first lines of an answer, whichever command gives it: its numbers, what decides them, its formulas.

    Beside numbers long formulas are left out, unless they are asked for; without any the formulas come first.
    """
    numbers, formulas = list(numbers), list(formulas)
    if not numbers:
        return [*formulas, *decided]
    return [*numbers, *decided, *(formulas if formula or all(len(f) <= SHORT for f in formulas) else ())]


@dataclass(frozen=True, slots=True)
class Branch:
    """Words, in a style of their own on a terminal, and what hangs below them."""

    words: str
    style: str = ""
    below: tuple[Branch, ...] = ()


def tree(root: Branch) -> str:
    """The tree with its guides; elsewhere than on a terminal, without loading what styles it."""
    return on_terminal(_styled(root)) if sys.stdout.isatty() else "\n".join(_branches(root))


def _branches(branch: Branch) -> Iterator[str]:
    yield branch.words
    for each in branch.below:
        first, further = ("└── ", "    ") if each is branch.below[-1] else ("├── ", "│   ")
        for number, row in enumerate(_branches(each)):
            yield f"{further if number else first}{row}"


def _styled(branch: Branch) -> Tree:
    from rich.text import Text
    from rich.tree import Tree

    grown = Tree(Text(branch.words, style=branch.style), guide_style="dim")
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
    """Columns under their heads."""
    from rich.table import Table

    grid = Table(box=None, pad_edge=False, header_style="bold", show_edge=False)
    for head in heads:
        grid.add_column(head, overflow="fold")
    for row in rows:
        grid.add_row(*row)
    return on_terminal(grid)


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


def neighbours(adjacency: str) -> list[str]:
    """A line that says which inputs are neighbours; none where the relation is the one that is meant anyway."""
    if not adjacency:
        return []
    from dpsym.statements.adjacency import Adjacency

    return [f"neighbours: {adjacency}"] if adjacency != Adjacency.ANY.value else []


def decision(found: Decision, second: Opinion | None = None, replayed: bool | None = None) -> str:
    """The verdict with its method and reason; for a refutation the point and both values there."""
    lines = [f"{found.verdict} ({found.method}): {found.why}{' (not replayed)' if replayed is False else ''}"]
    if sys.stdout.isatty():
        from rich.text import Text

        said = Text(lines[0])
        said.stylize(COLOURS[found.verdict], 0, len(str(found.verdict)))
        lines = [on_terminal(said)]
    if found.witness is not None:
        lines += _witness(found.witness)
    lines += [f"  pair: x = {before}, x' = {after}" for before, after in found.inputs]
    if found.event is not None:
        told = (between("Pr[x]", found.event.before), between("Pr[x']", found.event.after))
        lines.append(f"  event: {found.event.what}, {' and '.join(told)}")
    if found.order is not None:
        told = (between("divergence", found.order.divergence), between("claimed", found.order.claimed))
        lines.append(f"  order: alpha = {found.order.alpha}, {', '.join(told)}")
    if found.rests_on:
        lines.append(f"rests on {', '.join(found.rests_on)}")
    if found.given:
        lines.append(f"given: {', '.join(found.given)}")
    lines += neighbours(found.adjacency)
    if second is not None and not second.obtained:
        lines.append(f"a second opinion was not obtained: {second.why}")
    return "\n".join(lines)


def _witness(witness: Witness) -> list[str]:
    lines = [f"  at {', '.join(f'{name} = {value}' for name, value in witness.point.items()) or 'every point'}"]
    if witness.obligation is not None:
        lines.append(f"  needed there: {witness.obligation}")
    for label, side in (("left side", witness.lhs), ("right side", witness.rhs)):
        if side is not None:
            lines.append(f"  {between(label, side)}")
    return lines
