"""A check's report as one web page: formulas as MathML, nothing fetched from anywhere."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from dpsym.checking.results import ChainResult, Report, StepResult
from dpsym.core.relations import Relation
from dpsym.language.documents.derivation import WrittenStep
from dpsym.rendering.mathml import mathml
from dpsym.rendering.report import concluding, evidence, notes, summary, under

_STYLE = """
:root { color-scheme: light dark; --line: #8884; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
ol { list-style: none; padding: 0; }
li { border-left: 4px solid var(--mark); padding: .3rem 1rem; margin: .6rem 0; overflow-x: auto; }
.proved, .certified { --mark: #2a8a3e; } .cited { --mark: #2277aa; }
.supported, .open { --mark: #b8860b; } .refuted { --mark: #c22; }
.verdict { font-weight: 600; color: var(--mark); }
.why, .line { opacity: .75; font-size: .9rem; } .evidence { margin: .2rem 0; }
math { font-size: 1.15rem; }
"""
_FRAGMENT_STYLE = (
    "li { border-left: 4px solid var(--mark); padding: .2rem .8rem; list-style: none; }",
    ".proved, .dpsym-report .certified { --mark: #2a8a3e; }", ".cited { --mark: #2277aa; }",
    ".supported, .dpsym-report .open { --mark: #b8860b; }", ".refuted { --mark: #c22; }",
    ".verdict { font-weight: 600; color: var(--mark); }",
)  # fmt: skip


def as_page(reports: Iterable[Report]) -> str:
    """A complete HTML document."""
    body = "\n".join(_file(report) for report in reports)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>dpsym check</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}</style></head>\n<body>\n{body}\n</body></html>"
    )


def as_fragment(report: Report) -> str:
    """One report inside another page, its style with it."""
    rules = (f".dpsym-report {rule}" for rule in _FRAGMENT_STYLE)
    return f'<style>{"".join(rules)}</style><div class="dpsym-report">{_file(report)}</div>'


def _file(report: Report) -> str:
    rows = [
        f"<h1>{escape(report.title or report.file or 'derivation')}</h1>",
        f'<p class="{report.verdict}"><span class="verdict">{report.verdict}</span> ({escape(summary(report))})</p>',
        "<ol>",
        *(_step(chain, result) for chain in report.chains for result in chain.steps),
        "</ol>",
    ]
    if (shown := report.conclusion) is not None:
        rows.append(f"<p>It concludes {_mathematics([shown.relation])}{escape(shown.under)}</p>")
    elif said := concluding(report):
        rows.append(f"<p>It {escape(said)}</p>")
    rows += [f"<p>Note: {escape(note)}</p>" for note in notes(report)]
    return "\n".join(rows)


def _step(chain: ChainResult, result: StepResult) -> str:
    step, found, standing = result.step, result.decision, escape(under(chain, result))
    reason = f" — {escape(step.reason.text)}" if step.reason is not None and step.reason.text else ""
    kept = " (kept from an earlier check)" if result.cached else ""
    below = "".join(f'<p class="evidence">{escape(line)}</p>' for line in evidence(result))
    return (
        f'<li class="{found.verdict}" id="line-{step.line}" title="{escape(str(step))}{standing}">'
        f'<span class="line">{escape(step.where)}</span> {_formula(step)}{standing}<br>'
        f'<span class="verdict">{found.verdict}</span> '
        f'<span class="why">{escape(f"{found.method}: {found.why}")}{reason}{kept}</span>{below}</li>'
    )


def _formula(step: WrittenStep) -> str:
    if step.unread:
        return f"<code>{escape(step.latex)}</code>"
    if not step.premises:
        return _mathematics(step.claim)
    return f"{_mathematics(step.premises)} {'⟺' if step.both_ways else '⟹'} {_mathematics(step.claim)}"


def _mathematics(relations: Iterable[Relation]) -> str:
    return ", ".join(map(mathml, relations))
