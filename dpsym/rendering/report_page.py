"""A check's report as one web page: the paper's displays as MathML, their verdicts in the margin, nothing fetched."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from dpsym.checking.results import ChainResult, Report, StepResult, is_definition
from dpsym.core.verdicts import Verdict
from dpsym.language.documents.derivation import WrittenStep
from dpsym.rendering import fonts
from dpsym.rendering.page import in_latex
from dpsym.rendering.report import (
    because,
    called,
    circumstances,
    concluding,
    evidence,
    notes,
    resting,
    summary,
    under,
)
from dpsym.rendering.written_mathml import written

_PAGE_STYLE = """
:root { color-scheme: light dark; }
body { margin: 0; background: #fff; color: #1b1b1b; }
@media (prefers-color-scheme: dark) { body { background: #161719; color: #e6e6e6; } }
main { max-width: 68rem; margin: 0 auto; padding: 1rem; }
"""
_STYLE = """
.dpsym { --good: #1a6b2d; --cited: #1f5f8b; --open: #7a5200; --bad: #b3141d; --unread: #5c5c66; --edge: #8885;
  --shade: #8881; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) { .dpsym { --good: #6fcf87; --cited: #7cc0ee; --open: #e6b450; --bad: #ff8a8a;
  --unread: #b0b0ba; } }
.dpsym .proved, .dpsym .certified { --mark: var(--good); } .dpsym .cited { --mark: var(--cited); }
.dpsym .supported, .dpsym .open { --mark: var(--open); } .dpsym .refuted, .dpsym .fails { --mark: var(--bad); }
.dpsym .unread { --mark: var(--unread); }
.dpsym .verdict { font-weight: 600; color: var(--mark); }
.dpsym section { border-top: 1px solid var(--edge); padding: .5rem 0; }
.dpsym h2, .dpsym h3 { font-size: .85rem; font-weight: 400; margin: 0; }
.dpsym h2 { font-size: 1.1rem; margin-top: 1rem; }
.dpsym .step { border-left: .25rem solid var(--mark); padding: .2rem 0 .2rem .8rem; margin: .4rem 0; }
.dpsym .step.unread { border-left-style: dotted; }
.dpsym .formula { overflow-x: auto; overflow-y: hidden; padding: .3rem 0; overflow-wrap: normal; }
.dpsym .formula math { font-size: 1.2rem; }
.dpsym .formula math[display="block"] { display: block math; width: max-content; margin: 0; }
.dpsym .margin { font-size: .9rem; }
.dpsym .margin p { margin: .15rem 0; } .dpsym summary { cursor: pointer; }
.dpsym code { font-size: .9em; } .dpsym li { margin: .15rem 0; }
.dpsym nav a { color: var(--mark); }
@media (min-width: 48rem) {
  .dpsym .step { display: grid; grid-template-columns: minmax(0, 1fr) 19rem; gap: 1rem; align-items: start; }
  .dpsym .margin { background: var(--shade); padding: .2rem .6rem; border-radius: .3rem; }
}
"""
_SIGNS = {
    Verdict.PROVED: "✓", Verdict.CERTIFIED: "✓", Verdict.CITED: "✓", Verdict.SUPPORTED: "~", Verdict.OPEN: "?",
    Verdict.UNREAD: "…", Verdict.FAILS: "✗", Verdict.REFUTED: "✗",
}  # fmt: skip
_LED_TO = (Verdict.REFUTED, Verdict.FAILS, Verdict.OPEN, Verdict.SUPPORTED, Verdict.UNREAD)


def as_page(reports: Iterable[Report]) -> str:
    """A complete HTML document."""
    body = "\n".join(_file(report, f"{number}-") for number, report in enumerate(reports, start=1))
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>dpsym check</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_PAGE_STYLE}{fonts.style()}{_STYLE}</style></head>\n"
        f'<body><main class="dpsym">\n{body}\n</main></body></html>'
    )


def as_fragment(report: Report) -> str:
    """One report inside another page, its style with it."""
    return f'<style>{fonts.style()}{_STYLE}</style><div class="dpsym">{_file(report)}</div>'


def _file(report: Report, prefix: str = "") -> str:
    """`prefix` begins the names of places in it, to which it then leads."""
    places = {id(result): f"{prefix}step-{n}" if prefix else "" for n, result in enumerate(report.steps, start=1)}
    rows = [
        f"<h1>{escape(report.title or report.file or 'derivation')}</h1>",
        f'<p>{_verdict(report.verdict)} ({escape(summary(report))})</p>',
        _ways(report, places) if prefix else "",
        *(_display(chain, places) for chain in report.chains),
    ]  # fmt: skip
    if (shown := report.conclusion) is not None:
        rows.append(f"<p>It concludes {written(in_latex(shown.relation))}{escape(shown.under)}</p>")
    elif said := concluding(report):
        rows.append(f"<p>It {escape(said)}</p>")
    quantities = [f"<code>{escape(name)}</code>: {written(text)}" for name, text in report.opaque.items()]
    rows += _list("Quantities of which only the kind is known", quantities)
    rows += _list("Names that nobody declared", map(escape, map(str, (*report.guessed, *report.unconfirmed))))
    rows += _list("Notes", map(escape, notes(report)))
    return "\n".join(filter(None, rows))


def _list(title: str, items: Iterable[str]) -> list[str]:
    found = [f"<li>{item}</li>" for item in items]
    return [f"<h2>{title}</h2>", "<ul>", *found, "</ul>"] if found else []


def _verdict(verdict: Verdict, word: str = "") -> str:
    """The word, with a sign and a colour that say nothing more."""
    sign = f'<span aria-hidden="true">{_SIGNS[verdict]}</span>'
    return f'<span class="{verdict}"><span class="verdict">{sign} {word or verdict}</span></span>'


def _ways(report: Report, places: dict[int, str]) -> str:
    """Links to the steps that were not accepted."""
    lines = []
    for verdict in _LED_TO:
        found = [one for one in report.steps if one.decision.verdict is verdict and not is_definition(one)]
        links = ", ".join(f'<a href="#{places[id(result)]}">line {result.step.line}</a>' for result in found)
        lines += [f'<li class="{verdict}">{verdict}: {links}</li>'] if found else []
    return f'<nav aria-label="steps that were not accepted"><ul>{"".join(lines)}</ul></nav>' if lines else ""


def _display(chain: ChainResult, places: dict[int, str]) -> str:
    file = f"{chain.chain.file}, " if chain.chain.file else ""
    first, last = chain.chain.line, max(chain.chain.line, chain.chain.last)
    lines = f"line {first}" if first == last else f"lines {first} to {last}"
    steps, before = [], ""
    for result in chain.steps:
        steps.append(_step(chain, result, places[id(result)], before))
        before = "" if result.step.unread else result.step.latex
    return f'<section><h3>{escape(file + lines)}</h3>\n{chr(10).join(steps)}\n</section>'  # fmt: skip


def _step(chain: ChainResult, result: StepResult, place: str, before: str) -> str:
    step, found = result.step, result.decision
    name = f' id="{place}"' if place else ""
    shown = " open" if found.verdict in (Verdict.REFUTED, Verdict.FAILS, Verdict.UNREAD) else ""
    margin = "".join(f"<p>{line}</p>" for line in _margin(chain, result))
    standing = escape(under(chain, result)) if any(circumstances(chain, result).values()) else ""
    return (
        f'<div class="step {found.verdict}"{name}><div class="formula">{_formula(step, before)}{standing}'
        f'</div><details class="margin"{shown}>'
        f"<summary>{_verdict(found.verdict, called(result))}, {escape(step.where)}</summary>{margin}</details></div>"
    )


def _margin(chain: ChainResult, result: StepResult) -> Iterator[str]:
    """How it was read, and the evidence."""
    step = result.step
    if not step.unread:
        yield f"read as <code>{escape(str(step))}</code>{escape(under(chain, result))}"
    reason = f" — {escape(step.reason.text)}" if step.reason is not None and step.reason.text else ""
    yield f"{escape(because(result))}{reason}"
    if said := resting(result):
        yield f"rests on {escape(', '.join(said))}"
    yield from map(escape, evidence(result))


def _formula(step: WrittenStep, before: str) -> str:
    """As it was written; a step that continues the one before begins with its sign."""
    if step.unread and "\\" not in step.latex:
        return f"<code>{escape(step.latex)}</code>"
    return written(_continuing(step, before) if step.continues else step.latex, block=True)


def _continuing(step: WrittenStep, before: str) -> str:
    """Without its left side, where the step before ends in exactly that."""
    parts = step.latex.split(" ")
    for number in range(1, len(parts)):
        if parts[number] in _RELATIONS and before.endswith(f" {' '.join(parts[:number])}"):
            return " ".join(parts[number:])
    return step.latex


_RELATIONS = {"=", r"\ne", "<", r"\le", ">", r"\ge"}
