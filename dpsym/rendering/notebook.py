"""Facts, guarantees, verdicts, numbers and reports as a notebook shows them: MathML and tables, nothing fetched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import singledispatch
from html import escape

import sympy as sp

from dpsym.checking import Chain, Report
from dpsym.core.display import Displayed
from dpsym.core.plain_printer import plain
from dpsym.core.relations import Proposition, Relation
from dpsym.core.rounding import decimal
from dpsym.core.verdicts import Decision, Enclosure, Verdict
from dpsym.deriving import Fact
from dpsym.numbers import NotEnclosed, NotNumeric, Undefined, Unresolved
from dpsym.programs import Account, conditions
from dpsym.queries import Sensitivity
from dpsym.queries.data import written
from dpsym.rendering import fonts, programs, report, report_page, routes, sensitivities
from dpsym.rendering.latex import latex
from dpsym.rendering.mathml import between, mathml, mathml_of
from dpsym.rendering.page import SIGNS, Between, Item, Named, Page, in_latex
from dpsym.rendering.pairs import svg
from dpsym.rendering.text import COLOURS, neighbours
from dpsym.statements import Guarantee

_COLOURS = {"green": "#1a7f37", "cyan": "#0b5f8a", "yellow": "#8a6100", "bold red": "#b3261e"}


def html(value: object) -> str:
    """The value as a piece of HTML, with the font that its formulas need."""
    return fonts.carried(_piece(value))


@singledispatch
def _piece(value: object) -> str:
    return f"<pre>{escape(str(value))}</pre>"


@singledispatch
def text(value: object) -> str:
    """The value for a terminal."""
    return str(value)


@singledispatch
def formula(value: object) -> str | None:
    """The value as LaTeX between dollar signs, where it is a formula."""
    return None


class Table(Displayed):
    """Facts side by side: what each gives, by which rules, and its value where all symbols have one."""

    __slots__ = ("at", "digits", "facts")

    def __init__(self, facts: Sequence[Fact], at: Mapping[sp.Symbol, object] | None = None, digits: int = 8) -> None:
        self.facts, self.at, self.digits = tuple(facts), dict(at or {}), digits

    def __str__(self) -> str:
        return "\n".join(f"{' → '.join(f.rules)}: {f.guarantee}" for f in self.facts)


def compare(facts: Sequence[Fact], at: Mapping[sp.Symbol, object] | None = None, digits: int = 8) -> Table:
    """A table of facts, as `dpsym.deriving.routes` gives them, with their values at a point."""
    return Table(facts, at, digits)


@_piece.register
def _of_table(shown: Table) -> str:
    rows = [
        (escape(" → ".join(f.rules)), "<br>".join(_values(f, shown.at, shown.digits)), _budgets(f.guarantee))
        for f in shown.facts
    ]
    return table(("by", "value", "guarantee"), rows)


@_piece.register
def _of_guarantee(guarantee: Guarantee) -> str:
    return f"{escape(guarantee.definition.id)}: {_budgets(guarantee)}"


@formula.register
def _latex_of_guarantee(guarantee: Guarantee) -> str:
    return f"$\\displaystyle {in_latex(guarantee)}$"


@_piece.register
def _of_fact(fact: Fact) -> str:
    steps = []
    for number, step in enumerate(fact.lineage(), start=1):
        source = f" [{escape(str(step.source))}]" if step.source is not None else ""
        conditions = "<br>".join(f"{escape(str(c.proposition))} <i>({escape(c.status)})</i>" for c in step.conditions)
        reached = f"{escape(step.guarantee.definition.id)}: {_budgets(step.guarantee)}"
        steps.append((str(number), reached, f"{escape(step.rule)}{source}", conditions))
    lost = "nothing lost" if fact.exact else "an upper bound"
    head = f"<p>{escape(fact.guarantee.definition.title)} ({lost}): {_budgets(fact.guarantee)}</p>"
    head += "".join(f"<p>{escape(line)}</p>" for line in neighbours(fact.adjacency.value))
    return head + table(("", "guarantee", "by", "if"), steps)


@formula.register
def _latex_of_fact(fact: Fact) -> str:
    return formula_with(fact)


def formula_with(fact: Fact, given: Iterable[Proposition] = ()) -> str:
    """The guarantee as LaTeX over the conditions under which it holds."""
    lines = [in_latex(fact.guarantee)]
    for label, found in routes.conditions(fact, given).items():
        lines.append(rf"\text{{{label}: }} {', '.join(map(in_latex, found))}")
    lines += [in_latex(line) for line in neighbours(fact.adjacency.value)]
    if len(lines) == 1:
        return f"$\\displaystyle {lines[0]}$"
    return r"$\displaystyle \begin{aligned} & " + r" \\ & ".join(lines) + r" \end{aligned}$"


@_piece.register
def _of_enclosure(value: Enclosure) -> str:
    return escape(f"[{decimal(value.lower)}, {decimal(value.upper)}]")


@_piece.register
def _of_bounds(value: Between) -> str:
    low, high = (decimal(end).replace("Infinity", "∞") for end in (value.value.lower, value.value.upper))
    return between(low, sp.Symbol(value.name), high)


@_piece.register
def _of_page(page: Page) -> str:
    rows = [(escape(line.label), "<br>".join(map(_item, line.items))) for line in page.lines]
    return f"<p><b>{escape(page.title)}</b></p>{table(('', ''), rows)}"


def _item(item: Item) -> str:
    """Words as words, everything else as a formula."""
    match item:
        case str():
            return escape(item)
        case Between():
            return _of_bounds(item)
        case Relation():
            return mathml(item)
        case Named():
            value = item.value.expr if isinstance(item.value, sp.Lambda) else item.value
            return mathml(Relation(sp.Symbol(item.name), "=", value))
        case Guarantee():
            inside = ", ".join(mathml_of(arg.expr if isinstance(arg, sp.Lambda) else arg) for arg in item.args)
            return f"{escape(item.definition.id)}({inside})"
        case sp.Basic():
            return mathml_of(item)
    return escape(str(item))


@_piece.register
def _of_decision(decision: Decision) -> str:
    said = f"<p>{_badge(decision.verdict)} {escape(f'({decision.method}): {decision.why}')}</p>"
    if decision.rests_on:
        said += f"<p>rests on {escape(', '.join(decision.rests_on))}</p>"
    said += "".join(f"<p>{escape(line)}</p>" for line in neighbours(decision.adjacency))
    witness = decision.witness
    if witness is None:
        return said
    rows = [(escape(name), escape(str(value))) for name, value in witness.point.items()]
    sides = (("left side", witness.lhs), ("right side", witness.rhs))
    rows += [(name, _of_enclosure(side)) for name, side in sides if side is not None]
    if witness.obligation is not None:
        rows.append(("needed there", escape(witness.obligation)))
    return said + table(("at", ""), rows)


@_piece.register
def _of_sensitivity(found: Sensitivity) -> str:
    pairs = [(escape(before), escape(after)) for before, after in map(written, found.pairs)]
    said = f"<p>{_badge(found.decision.verdict)} {escape(str(found))}</p><p>{escape(found.decision.why)}</p>"
    said += f"<p>given {escape(', '.join(map(str, (*found.case, *found.conditions))))}</p>"
    return said + (table(("data set", "neighbour"), pairs) if pairs else "") + (svg(found) or "")


@formula.register
def _latex_of_sensitivity(found: Sensitivity) -> str:
    return f"$\\displaystyle {sensitivities.formula(found)}$"


@_piece.register
def _of_account(account: Account) -> str:
    run = account.run
    steps = [
        (escape(programs.place(each.step)), escape(programs.written(each.step)), _budgets_of(each.facts))
        for each in account.spent
    ]
    said = f"<p><b>{escape(programs.verdict(account))}</b></p>" + (
        table(("", "step", "spends"), steps) if steps else ""
    )
    found = [(f"line {one.line}", escape(one.kind.value), escape(one.why)) for one in run.findings]
    said += table(("", "", "why"), found) if found else ""
    totals = [(escape(one.definition.title), _budgets_of([one.fact])) for one in account.totals if one.fact is not None]
    said += table(("total", ""), totals) if totals else ""
    given = [*map(str, (*conditions(run), *run.given))]
    return said + (f"<p>given {escape(', '.join(given))}</p>" if given else "")


def _budgets_of(facts: Iterable[Fact]) -> str:
    return "<br>".join(f"{escape(fact.guarantee.definition.id)}: {_budgets(fact.guarantee)}" for fact in facts)


@formula.register
def _latex_of_account(account: Account) -> str | None:
    shown = programs.formula(account)
    return f"$\\displaystyle {shown}$" if shown else None


@_piece.register
def _of_report(checked: Report) -> str:
    return report_page.as_fragment(checked)


@text.register
def _text_of_report(checked: Report) -> str:
    return report.as_text([checked])


@_piece.register
def _of_chain(chain: Chain) -> str:
    rows, left = [], chain.start
    for step in chain.steps:
        rows.append((mathml(Relation(left, step.op, step.expression)), escape(step.reason or step.theorem or "")))
        left = step.expression
    return table(("step", "reason"), rows)


@formula.register
def _latex_of_chain(chain: Chain) -> str:
    rows = [rf"& {latex(chain.start)}"]
    rows += [rf"{SIGNS[s.op]}{{}} & {latex(s.expression)}" for s in chain.steps]
    return "$\\displaystyle \\begin{aligned} " + r" \\ ".join(rows) + r" \end{aligned}$"


@text.register
def _text_of_chain(chain: Chain) -> str:
    return " ".join([plain(chain.start), *(f"{s.op} {plain(s.expression)}" for s in chain.steps)])


def _badge(verdict: Verdict) -> str:
    colour = _COLOURS[COLOURS[verdict]]
    # the word in the colour of the text, since the ground may be dark
    return f'<b style="border:2px solid {colour};border-radius:.6em;padding:0 .5em">{verdict}</b>'


def _budgets(guarantee: Guarantee) -> str:
    """Each parameter with its value, as MathML."""
    found = []
    for parameter, value in guarantee.bound.items():
        body = value.expr if isinstance(value, sp.Lambda) else value
        if str(body) != str(parameter):
            found.append(mathml(Relation(sp.Symbol(str(parameter)), "=", body)))
    return ", ".join(found) or escape(str(guarantee))


def _values(fact: Fact, at: Mapping[sp.Symbol, object], digits: int) -> Iterable[str]:
    try:
        values = fact.evaluate(at, digits)
    except (Undefined, Unresolved, NotEnclosed, NotNumeric):
        return
    for name, value in values.items():
        yield f"{escape(name)}: {_of_enclosure(value)}"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of HTML."""
    head = "".join(f"<th style='text-align:left'>{escape(h)}</th>" for h in heads)
    body = "".join(
        "<tr>" + "".join(f"<td style='text-align:left'>{cell}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
