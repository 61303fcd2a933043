"""A check's report for a terminal and as data: every step as it was read, its verdict, and the evidence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.text import Text

from dpsym.checking.ledger import Judgement
from dpsym.checking.results import ChainResult, Report, StepResult, is_definition
from dpsym.core.rounding import decimal
from dpsym.core.verdicts import Enclosure, Method, Verdict, Witness
from dpsym.language.documents.derivation import WrittenStep, joined
from dpsym.language.documents.guesses import Guess
from dpsym.language.documents.roles import Kind
from dpsym.rendering.data import opinion
from dpsym.rendering.text import COLOURS, on_terminal

_IMPLICATIONS = {False: "implies", True: "iff"}
_WORTH_SAYING = 10  # seconds


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
    """The lines below a step that fails: where that is, both values there, how it would become true."""
    lines = []
    if (witness := result.decision.witness) is not None:
        lines += [f"at {point(witness)}"] if result.decision.verdict is Verdict.REFUTED else []  # its words say it
        if witness.obligation is not None:
            lines.append(f"needed there: {witness.obligation}")
        sides = [("left side", value(witness.lhs)), ("right side", value(witness.rhs))]
        lines += [f"{label} = {text}" for label, text in sides if text is not None]
    if result.suggestion is not None:
        lines.append(f"suggestion: {result.suggestion}")
    return lines


def because(result: StepResult) -> str:
    """Why the verdict is what it is, with the method if there was one."""
    found = result.decision
    alone = found.method is Method.NONE or found.verdict is Verdict.FAILS
    return found.why if alone else f"{found.method}: {found.why}"


def called(result: StepResult) -> str:
    """The word for it: its verdict, and of what claims nothing that it is a definition."""
    return str(Kind.DEFINITION if is_definition(result) else result.decision.verdict)


def is_first(result: StepResult) -> bool:
    """Whether it is told before the others."""
    return result.decision.verdict in (Verdict.FAILS, Verdict.REFUTED)


def _what_fails_first(report: Report) -> list[tuple[ChainResult, StepResult]]:
    found = [(chain, result) for chain in report.chains for result in chain.steps]
    return sorted(found, key=lambda each: not is_first(each[1]))


def resting(result: StepResult) -> list[str]:
    """What a step that was settled rests on: theorems, guesses, and quantities of which only the kind is known."""
    found = list(result.decision.rests_on)
    if result.decision.verdict not in (Verdict.OPEN, Verdict.UNREAD, Verdict.FAILS):
        found += map(str, result.guesses)
        finite = where_finite(result)
        others = [name for name in result.opaque if name not in finite]
        found += [f"{', '.join(others)} (only named)"] if others else []
        found += [
            f"{', '.join(finite)} (only named, where {'it is' if len(finite) == 1 else 'they are'} finite)"
        ] * bool(finite)
    return found


def where_finite(result: StepResult) -> list[str]:
    """The divergences and expectations that are only named: the step holds where they are finite."""
    return [name for name in result.opaque if name.startswith(("div_", "mean_"))]


def circumstances(chain: ChainResult, result: StepResult) -> dict[str, tuple[str, ...]]:
    """Under what a step stands besides its premises and the declarations: its case, and the values chosen for it."""
    case, reason = chain.chain.case, result.step.reason
    return {
        "case": () if case is None else (str(case),),
        "given": result.given,
        "chosen": () if reason is None else reason.values,
    }


def under(chain: ChainResult, result: StepResult) -> str:
    """The same in words, to be said after the step; nothing where it stands under nothing."""
    found = circumstances(chain, result)
    where, at = ", ".join((*found["case"], *found["given"])), ", ".join(found["chosen"])
    return (f", where {where}" if where else "") + (f", at {at}" if at else "")


def summary(report: Report) -> str:
    """How many steps have which verdict, and how many were not checked anew."""
    counts = counted(report)
    total, lost = counts["steps"], counts[str(Verdict.UNREAD)]
    said = [f"{counts['read']} read", f"{lost} {Verdict.UNREAD}"] if lost else []
    defining = sum(map(is_definition, report.steps))
    counts[str(Verdict.OPEN)] -= defining
    said += [f"{counts[str(v)]} {v}" for v in Verdict if counts[str(v)] and v is not Verdict.UNREAD]
    said += [_several(defining, Kind.DEFINITION)] * bool(defining)
    of_words = roles(report)
    of_words[Kind.DEFINITION] = of_words.get(Kind.DEFINITION, 0) - defining
    other = [_several(count, kind) for kind, count in of_words.items() if count]
    said += [f"not settled and no claims: {' and '.join(other)}"] * bool(other)
    asked = [result.replayed for result in report.steps if result.replayed is not None]
    said += [f"{sum(asked)} replayed"] * bool(asked)
    kept = sum(result.cached for result in report.steps)
    said += [f"{kept} kept from an earlier check"] * bool(kept)
    return f"{total} step{'' if total == 1 else 's'}: {', '.join(said)}"


def _several(count: int, kind: Kind) -> str:
    return f"{count} {kind}{'' if count == 1 else 's'}"


def counted(report: Report) -> dict[str, int]:
    """How many steps there are, were read, and have which verdict."""
    found = [result.decision.verdict for result in report.steps]
    of_each = {str(v): sum(f is v for f in found) for v in Verdict}
    return {"steps": len(found), "read": len(found) - of_each[str(Verdict.UNREAD)], **of_each}


def roles(report: Report) -> dict[Kind, int]:
    """How many of the steps that are not settled are no claims of a derivation, by the words of the text."""
    found = [said.kind for c in report.chains for result in c.steps if (said := c.role(result)) is not None]
    return {kind: count for kind in Kind if (count := found.count(kind))}


def not_found(report: Report) -> list[str]:
    """Which files it reads, and were not found: what they say is not known."""
    return [f"not found: {one}" for one in report.missing]


def notes(report: Report) -> list[str]:
    """What is to be said of the file besides its steps."""
    found = [*not_found(report), *report.problems]
    found += [f"{c.chain.steps[0].where}: {c.note}" for c in report.chains if c.note]
    if report.opinion is not None and not report.opinion.obtained:
        found.append(f"a second opinion was not obtained: {report.opinion.why}")
    if report.interrupted:
        found.append("the check was interrupted; the steps that it did not reach are open")
    return found


def concluding(report: Report) -> str:
    """What the file concludes, with its context; what was not shown it claims, and what says nothing is nothing."""
    if report.conclusion is not None:
        return f"concludes {report.conclusion}"
    return f"claims {report.claim}" if report.claim else ""


def context(judgement: Judgement | None) -> dict[str, list[str]] | None:
    """Under what the conclusion holds, as declarations in plain notation."""
    if judgement is None:
        return None
    return {
        **{key: list(lines) for key, lines in judgement.context.lines.items()},
        "rests_on": list(judgement.context.rests_on),
    }


def as_text(reports: Iterable[Report]) -> str:
    """For the terminal."""
    blocks = [_file(report) for report in reports]
    return "\n\n".join(blocks)


def _file(report: Report) -> str:
    text = Text()
    text.append(report.file or "derivation", style="bold")
    text.append(f"  {report.title}\n" if report.title else "\n")
    for note in not_found(report):
        text.append(f"  {note}\n", style="yellow")
    for chain, result in _what_fails_first(report):
        _step_in_text(text, chain, result)
    for name, stands_for in report.opaque.items():
        text.append(f"  {name} is {stands_for}\n", style="dim")
    if said := concluding(report):
        text.append(f"  {said}\n")
    if report.conclusion is not None and report.conclusion.given:
        text.append(f"    given {report.conclusion.given}\n", style="dim")
    for note in notes(report)[len(report.missing) :]:
        text.append(f"  note: {note}\n", style="yellow")
    text.append("  ")
    text.append(str(report.verdict), style=COLOURS[report.verdict])
    took = f"; {report.seconds:.0f} s" if report.seconds >= _WORTH_SAYING else ""
    text.append(f" ({summary(report)}{took})" if report.chains else "")
    return on_terminal(text)


def _step_in_text(text: Text, chain: ChainResult, result: StepResult) -> None:
    step, found = result.step, result.decision
    text.append(f"  {step.where}: ")
    text.append(called(result), style=COLOURS[found.verdict])
    text.append(f"  {step}{under(chain, result)}\n")
    reason = f" [{step.reason.text}]" if step.reason is not None and step.reason.text else ""
    text.append(f"    {because(result)}{reason}\n", style="dim")
    if (role := chain.role(result)) is not None and role.words:
        text.append(f"    {role}\n", style="dim")
    if said := resting(result):
        text.append(f"    rests on {', '.join(said)}\n", style="dim")
    for line in evidence(result):
        text.append(f"    {line}\n")


def as_data(report: Report) -> dict[str, Any]:
    """The JSON object of a file."""
    return {
        "file": report.file,
        "title": report.title,
        "verdict": str(report.verdict),
        "conclusion": None if report.conclusion is None else report.conclusion.said,
        "context": context(report.conclusion),
        "claims": report.claim or None,
        "second_opinion": opinion(report.opinion),
        "proves": report.proves,
        "notes": notes(report),
        "interrupted": report.interrupted,
        "counts": counted(report),
        "roles": {str(kind): count for kind, count in roles(report).items()},
        "guessed": _guesses(report.guessed),
        "unconfirmed": _guesses(report.unconfirmed),
        "opaque": dict(report.opaque),
        "steps": [_step(chain, result) for chain in report.chains for result in chain.steps],
        "seconds": round(report.seconds, 3),
    }


def _guesses(guesses: Iterable[Guess]) -> list[dict[str, Any]]:
    return [{"declaration": g.declaration, "line": g.line or None} for g in guesses]


def _step(chain: ChainResult, result: StepResult) -> dict[str, Any]:
    step, found, witness = result.step, result.decision, result.decision.witness
    single = step.claim[0] if len(step.claim) == 1 and not step.premises else None
    return {
        "line": step.line,
        "column": step.column,
        "file": step.file or None,
        "cell": None if step.cell is None else {"number": step.cell[0], "line": step.cell[1]},
        "relation": "" if step.unread else single.op if single is not None else _IMPLICATIONS[step.both_ways],
        "lhs": step.said[0][0] if single is not None else joined(step.premises, step.given),
        "rhs": step.said[0][1] if single is not None else joined(step.claim, step.said),
        **{key: list(said) for key, said in circumstances(chain, result).items()},
        "latex": step.latex,
        "reason": None if step.reason is None else step.reason.text,
        "verdict": str(found.verdict),
        "method": str(found.method),
        "why": found.why,
        "not_refuted": list(result.not_refuted),
        "role": None if (role := chain.role(result)) is None else {"kind": str(role.kind), "words": role.words},
        "rests_on": list(found.rests_on),
        "guesses": _guesses(result.guesses),
        "opaque": list(result.opaque),
        "where_finite": where_finite(result),
        "witness": None if witness is None else {n: str(v) for n, v in witness.point.items()},
        "obligation": None if witness is None else witness.obligation,
        "lhs_value": None if witness is None else value(witness.lhs),
        "rhs_value": None if witness is None else value(witness.rhs),
        "suggestion": result.suggestion,
        "replayed": result.replayed,
        "cached": result.cached,
        "seconds": round(found.seconds, 3),
    }


def as_markdown(reports: Iterable[Report]) -> str:
    """One table a file, formulas between dollar signs."""
    from dpsym.language.latex.writer import latex
    from dpsym.rendering.page import marked

    blocks = []
    for report in reports:
        rows = [f"## {report.title or report.file}", "", f"**{report.verdict}** ({summary(report)})", ""]
        rows += ["| line | step | verdict | why |", "|---|---|---|---|"]
        for chain, result in _what_fails_first(report):
            formula = _latex_of(result.step, latex).replace("|", r"\vert ")
            why = "; ".join([because(result), *evidence(result)])
            step = f"${formula}${marked(under(chain, result))}"
            where = result.step.where.removeprefix("line ")
            rows.append(f"| {where} | {step} | {called(result)} | {marked(why)} |")
        if said := concluding(report):
            rows += ["", f"It {marked(said)}"]
        rows += [f"\nNote: {note}" for note in notes(report)]
        blocks.append("\n".join(rows))
    return "\n\n".join(blocks)


def _latex_of(step: WrittenStep, latex: Any) -> str:
    if step.unread:
        return step.latex
    claim, premises = (r",\; ".join(map(latex, relations)) for relations in (step.claim, step.premises))
    if not step.premises:
        return claim
    sign = r"\iff" if step.both_ways else r"\implies"
    return f"{premises} {sign} {claim}"
