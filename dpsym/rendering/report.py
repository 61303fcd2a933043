"""A check's report for a terminal and as data: every step as it was read, its verdict, and the evidence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.text import Text

from dpsym.checking.results import ChainResult, Report, StepResult
from dpsym.reading.written import WrittenStep
from dpsym.rendering.text import COLOURS, decimal, on_terminal
from dpsym.spelling import plain
from dpsym.verdicts import Enclosure, Verdict, Witness

_WORTH_SAYING = 10  # seconds


def step_in_words(step: WrittenStep) -> str:
    """The step in the plain notation, as it was read."""
    claim = ", ".join(map(str, step.claim))
    if not step.premises:
        return claim
    return f"{', '.join(map(str, step.premises))} {'iff' if step.both_ways else 'implies'} {claim}"


def value(enclosed: Enclosure | None) -> str | None:
    """The digits on which both bounds agree, with an ellipsis; both bounds where they agree on none."""
    if enclosed is None:
        return None
    lower, upper = decimal(enclosed.lower), decimal(enclosed.upper)
    if lower == upper:
        return lower
    if "e" in lower or "e" in upper:
        return f"[{lower}, {upper}]"
    common = 0
    while common < min(len(lower), len(upper)) and lower[common] == upper[common]:
        common += 1
    shared = lower[:common]
    if "." not in shared or not any(c in "123456789" for c in shared):
        return f"[{lower}, {upper}]"
    return f"{shared[:24]}…"


def point(witness: Witness) -> str:
    """The witness's point on one line."""
    return ", ".join(f"{name} = {v}" for name, v in witness.point.items()) or "every point"


def evidence(result: StepResult) -> list[str]:
    """The lines below a refuted step: where it fails, both values there, how it would become true."""
    lines = []
    if (witness := result.decision.witness) is not None:
        lines.append(f"at {point(witness)}")
        if witness.obligation is not None:
            lines.append(f"needed there: {witness.obligation}")
        sides = [("left side", value(witness.lhs)), ("right side", value(witness.rhs))]
        lines += [f"{label} = {text}" for label, text in sides if text is not None]
    if result.suggestion is not None:
        lines.append(f"suggestion: {result.suggestion}")
    return lines


def summary(report: Report) -> str:
    """How many steps have which verdict."""
    counts: dict[str, int] = {}
    for result in report.steps:
        counts[str(result.decision.verdict)] = counts.get(str(result.decision.verdict), 0) + 1
    ordered = [str(v) for v in Verdict if str(v) in counts]
    total = sum(counts.values())
    return f"{total} step{'' if total == 1 else 's'}: {', '.join(f'{counts[v]} {v}' for v in ordered)}"


def notes(report: Report) -> list[str]:
    """What is to be said of the file besides its steps."""
    found = list(report.problems)
    found += [f"line {c.chain.line}: {c.note}" for c in report.chains if c.note]
    if report.interrupted:
        found.append("the check was interrupted; the steps that it did not reach are open")
    return found


def concluding(report: Report) -> str:
    """A refuted file claims what another concludes."""
    return "claims" if report.verdict is Verdict.REFUTED else "concludes"


def as_text(reports: Iterable[Report]) -> str:
    """For the terminal."""
    blocks = [_file(report) for report in reports]
    return "\n\n".join(blocks)


def _file(report: Report) -> str:
    text = Text()
    text.append(report.file or "derivation", style="bold")
    text.append(f"  {report.title}\n" if report.title else "\n")
    for chain in report.chains:
        _chain(text, chain)
    if report.conclusion is not None:
        text.append(f"  {concluding(report)} {report.conclusion}\n")
    for note in notes(report):
        text.append(f"  note: {note}\n", style="yellow")
    text.append("  ")
    text.append(str(report.verdict), style=COLOURS[report.verdict])
    took = f"; {report.seconds:.0f} s" if report.seconds >= _WORTH_SAYING else ""
    text.append(f" ({summary(report)}{took})" if report.chains else "")
    return on_terminal(text)


def _chain(text: Text, chain: ChainResult) -> None:
    for result in chain.steps:
        step, found = result.step, result.decision
        text.append(f"  line {step.line}: ")
        text.append(str(found.verdict), style=COLOURS[found.verdict])
        text.append(f"  {step_in_words(step)}\n")
        reason = f" [{step.reason.text}]" if step.reason is not None and step.reason.text else ""
        kept = " (kept from an earlier check)" if result.cached else ""
        text.append(f"    {found.method}: {found.why}{reason}{kept}\n", style="dim")
        if found.rests_on:
            text.append(f"    rests on {', '.join(found.rests_on)}\n", style="dim")
        for line in evidence(result):
            text.append(f"    {line}\n")


def as_data(report: Report) -> dict[str, Any]:
    """The JSON object of a file."""
    return {
        "file": report.file,
        "title": report.title,
        "verdict": str(report.verdict),
        "conclusion": None if report.conclusion is None else str(report.conclusion),
        "proves": report.proves,
        "notes": notes(report),
        "interrupted": report.interrupted,
        "steps": [_step(result) for result in report.steps],
        "seconds": round(report.seconds, 3),
    }


def _step(result: StepResult) -> dict[str, Any]:
    step, found, witness = result.step, result.decision, result.decision.witness
    single = step.claim[0] if len(step.claim) == 1 and not step.premises else None
    return {
        "line": step.line,
        "column": step.column,
        "relation": single.op if single is not None else ("iff" if step.both_ways else "implies"),
        "lhs": plain(single.lhs) if single is not None else ", ".join(map(str, step.premises)),
        "rhs": plain(single.rhs) if single is not None else ", ".join(map(str, step.claim)),
        "latex": step.latex,
        "reason": None if step.reason is None else step.reason.text,
        "verdict": str(found.verdict),
        "method": str(found.method),
        "why": found.why,
        "rests_on": list(found.rests_on),
        "witness": None if witness is None else {n: str(v) for n, v in witness.point.items()},
        "obligation": None if witness is None else witness.obligation,
        "lhs_value": None if witness is None else value(witness.lhs),
        "rhs_value": None if witness is None else value(witness.rhs),
        "suggestion": result.suggestion,
        "cached": result.cached,
        "seconds": round(found.seconds, 3),
    }


def as_markdown(reports: Iterable[Report]) -> str:
    """One table a file, formulas between dollar signs."""
    from dpsym.rendering.latex import latex

    blocks = []
    for report in reports:
        rows = [f"## {report.title or report.file}", "", f"**{report.verdict}** ({summary(report)})", ""]
        rows += ["| line | step | verdict | why |", "|---|---|---|---|"]
        for result in report.steps:
            formula = _latex_of(result.step, latex).replace("|", r"\vert ")
            why = "; ".join([f"{result.decision.method}: {result.decision.why}", *evidence(result)])
            rows.append(f"| {result.step.line} | ${formula}$ | {result.decision.verdict} | {_cell(why)} |")
        if report.conclusion is not None:
            rows += ["", f"It {concluding(report)} ${latex(report.conclusion)}$"]
        rows += [f"\nNote: {note}" for note in notes(report)]
        blocks.append("\n".join(rows))
    return "\n\n".join(blocks)


def _latex_of(step: WrittenStep, latex: Any) -> str:
    claim, premises = (r",\; ".join(map(latex, relations)) for relations in (step.claim, step.premises))
    if not step.premises:
        return claim
    sign = r"\iff" if step.both_ways else r"\implies"
    return f"{premises} {sign} {claim}"


def _cell(text: str) -> str:
    for sign in "\\|*_`$<":
        text = text.replace(sign, f"\\{sign}")
    return text
