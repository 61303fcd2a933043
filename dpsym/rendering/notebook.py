"""Pages, facts, verdicts, chains and reports as a notebook shows them: MathML and tables, nothing fetched."""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch
from html import escape
from itertools import groupby

from dpsym.checking import Chain, Report
from dpsym.core.plain_printer import plain
from dpsym.core.relations import Relation
from dpsym.core.verdicts import Decision, Verdict
from dpsym.deriving import Fact
from dpsym.language.latex.writer import latex
from dpsym.programs import Account
from dpsym.queries import Sensitivity
from dpsym.rendering import fonts, programs, report, report_page, routes, sensitivities
from dpsym.rendering.page import (
    SIGNS,
    As,
    Between,
    Branch,
    Item,
    Line,
    Page,
    Part,
    Picture,
    Says,
    Table,
    in_latex,
    lines,
    says,
)  # fmt: skip
from dpsym.rendering.text import COLOURS, neighbours
from dpsym.rendering.verdicts import Proved
from dpsym.rendering.written_mathml import written
from dpsym.statements import Guarantee

_COLOURS = {"green": "#1a7f37", "cyan": "#0b5f8a", "yellow": "#8a6100", "bold red": "#b3261e"}


# --- a page
def as_html(page: Page) -> str:
    """The page as a piece of HTML, with the font that its formulas need."""
    parts = [f"<p><b>{escape(page.title)}</b></p>"] if page.title else []
    for _, some in groupby(page.typeset, type):
        here = list(some)
        entries = [(escape(one.label), "<br>".join(map(in_html, one.items))) for one in here if isinstance(one, Line)]
        parts += [_table(("", ""), entries)] if entries else map(_part, here)
    return fonts.carried("".join(parts))


def _part(part: Part) -> str:
    match part:
        case Says():
            below = f' style="margin-left:{2 * part.depth}em"' if part.depth else ""
            return f"<p{below}>{''.join(map(in_html, part.items))}</p>"
        case Table():
            return _table(part.heads, (map(in_html, row) for row in part.rows))
        case Branch():
            return f"<ul>{_branch(part)}</ul>"
        case Picture():
            return part.draw() or ""
    return ""


def _branch(branch: Branch) -> str:
    below = f"<ul>{''.join(map(_branch, branch.below))}</ul>" if branch.below else ""
    return f"<li>{''.join(map(in_html, branch.items))}{below}</li>"


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    left = "style='text-align:left'"
    head = "".join(f"<th {left}>{escape(one)}</th>" for one in heads)
    body = "".join(f"<tr>{''.join(f'<td {left}>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def in_html(item: Item) -> str:
    """Words as words, a verdict in its colour, everything else as a formula."""
    match item:
        case str():
            return escape(item)
        case Verdict():
            # the word in the colour of the text, since the ground may be dark
            border = f"border:2px solid {_COLOURS[COLOURS[item]]};border-radius:.6em;padding:0 .5em"
            return f'<b style="{border}">{item}</b>'
        case As():
            return in_html(item.item)
    return written(in_latex(item))


# --- what is shown of a value
def html(value: object) -> str:
    """The value as a piece of HTML."""
    if isinstance(value, Report):
        return fonts.carried(report_page.as_fragment(value))
    page = page_of(value)
    return f"<pre>{escape(str(value))}</pre>" if page is None else as_html(page)


def text(value: object) -> str:
    """The value for a terminal."""
    if isinstance(value, Chain):
        return " ".join([plain(value.start), *(f"{s.op} {plain(s.expression)}" for s in value.steps)])
    return report.as_text([value]) if isinstance(value, Report) else str(value)


def formula(value: object) -> str | None:
    """The value as LaTeX between dollar signs, where it is a formula."""
    match value:
        case Guarantee():
            found = in_latex(value)
        case Fact():
            return routes.formula_with(value)
        case Sensitivity():
            found = sensitivities.formula(value)
        case Account():
            found = programs.formula(value)
        case Chain():
            rows = [rf"& {latex(value.start)}"]
            rows += [rf"{SIGNS[s.op]}{{}} & {latex(s.expression)}" for s in value.steps]
            found = r"\begin{aligned} " + r" \\ ".join(rows) + r" \end{aligned}"
        case _:
            found = ""
    return f"$\\displaystyle {found}$" if found else None


@singledispatch
def page_of(value: object) -> Page | None:
    """The value as a page; None where there is no other than its text."""
    return None


@page_of.register(Guarantee)
@page_of.register(Between)
def _of_item(item: Guarantee | Between) -> Page:
    return Page("", (says(item),))


@page_of.register
def _of_fact(fact: Fact) -> Page:
    steps: list[tuple[Item, ...]] = []
    for number, step in enumerate(fact.lineage(), start=1):
        source = f" [{step.source}]" if step.source is not None else ""
        needed = "; ".join(f"{c.proposition} ({c.status})" for c in step.conditions)
        steps.append((str(number), step.guarantee, f"{step.rule}{source}", needed))
    lost = "nothing lost" if fact.exact else "an upper bound"
    head = says(f"{fact.guarantee.definition.title} ({lost}): ", fact.guarantee)
    table = Table(("", "guarantee", "by", "if"), tuple(steps))
    return Page("", (head, *lines(neighbours(fact.adjacency)), table))


@page_of.register
def _of_decision(found: Decision) -> Page:
    return Proved("", found).page()


@page_of.register
def _of_sensitivity(found: Sensitivity) -> Page:
    return sensitivities.page_of_one(found)


@page_of.register
def _of_account(account: Account) -> Page:
    return programs.without_numbers(account).page()


@page_of.register
def _of_chain(chain: Chain) -> Page:
    lefts = (chain.start, *(step.expression for step in chain.steps))
    rows = ((Relation(left, step.op, step.expression), step.reason or step.theorem or "")
            for left, step in zip(lefts, chain.steps, strict=False))  # fmt: skip
    return Page("", (Table(("step", "reason"), tuple(rows)),))
