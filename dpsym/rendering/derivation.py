"""What was read of a document: the derivation that is checked, as a file in plain notation, and as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dpsym import catalogue
from dpsym.core.families import MARK
from dpsym.language.documents.declarations import declarations
from dpsym.language.documents.derivation import Document, Stated, WrittenChain, WrittenStep
from dpsym.language.documents.hypotheses import declared_by
from dpsym.language.plain.lines import MAY_RESTRICT

LEFT_OUT = "??"  # begins a line that no file can say: it stays unread, so that no file is settled without it


def as_plain(document: Document, unused: Sequence[Stated]) -> str:
    """A file that `dpsym check` takes: declarations, then a relation a line, each with the line where it stands."""
    lines = [f"{key} {value}" for key, value in _heads(document).items()]
    lines += [f"{key} {said}{f'  # {source}' if source else ''}" for key, said, source in _declared(document)]
    known, case, waiting = _first(document), "", list(unused)
    for chain in document.chains:
        until = None if chain.around is None else chain.around.until
        while waiting and (until is None or waiting[0].place < until):
            one = waiting.pop(0)
            lines.append(f"# line {one.line} says, which is not used: {' '.join(one.text.split())}")
            lines.append(f"{LEFT_OUT} what line {one.line} says is not used")
        lines += [f"{name} := {text}" for name, text in chain.abbreviations.items() if known.get(name) != text]
        known = {**known, **chain.abbreviations}
        if (here := "" if chain.case is None else str(chain.case)) != case:
            read = [said.guess.source for said in (() if chain.case is None else chain.case.said)]
            lines.append(f"case {here}{f'  # {read[0]}' if read else ''}".strip())
            case = here
        lines += _chain(chain)
    return "\n".join(lines)


def as_data(document: Document, unused: Sequence[Stated]) -> dict[str, Any]:
    """The same as a JSON object."""
    declared = [
        {"key": key, "declaration": said, "source": source or None} for key, said, source in _declared(document)
    ]
    steps = [
        {
            "line": step.line, "file": step.file or None, "step": None if step.unread else str(step),
            "latex": step.latex, "continues": step.continues, "unread": step.unread or None,
            "case": None if chain.case is None else str(chain.case), "definitions": dict(chain.abbreviations),
            "at": [] if step.reason is None else list(step.reason.values), "lost": step.lost or None,
            "defines": step.defines or None,
        }
        for chain in document.chains
        for step in chain.steps
    ]  # fmt: skip
    return {
        "title": document.title,
        "proves": document.proves,
        "declarations": declared,
        "opaque": {name: one.text for name, one in document.opaque.items()},
        "steps": steps,
        "not_used": [{"line": one.line, "text": one.text} for one in unused],
    }


def _heads(document: Document) -> dict[str, str]:
    said = {"title": document.title, "proves": document.proves}
    return {key: value for key, value in said.items() if value}


def _first(document: Document) -> Mapping[str, str]:
    """What abbreviates something from the beginning on."""
    return document.chains[0].abbreviations if document.chains else {}


def _declared(document: Document) -> Iterator[tuple[str, str, str]]:
    """Each declaration with its key, and where it comes from unless somebody made it."""
    every = {name: text for chain in document.chains for name, text in chain.abbreviations.items()}
    said = declarations(document.names, document.kinds, document.conditions, document.assumed, every)
    theorem = catalogue.provable().get(document.proves or "")  # what it declares need not be declared again
    of_theorem = None if theorem is None else declared_by(theorem)
    names, assumed = (set(), set()) if of_theorem is None else (set(of_theorem.names), set(of_theorem.assumed))
    guesses = {guess.declaration: guess.source for guess in document.guessed.values()}
    for line in said["let"]:
        name = line.partition(":")[0]
        if name in document.guessed or name in names:
            continue
        one = document.opaque.get(name) or document.opaque.get(name.removesuffix("_j") + MARK)
        yield "let", line, f"stands for {one.text}" if one is not None else ""
    yield from (("let", text, source) for text, source in guesses.items())
    yield from (("where", f"{name} = {text}", "") for name, text in _first(document).items())
    unconfirmed = {guess.declaration: guess.source for guess in document.unconfirmed}
    for text in said["assume"]:
        if text not in assumed and not any(text in declaration for declaration in guesses):
            yield "assume", text, unconfirmed.get(text, "")


def _chain(chain: WrittenChain) -> Iterator[str]:
    for number, step in enumerate(chain.steps):
        if step.unread:
            yield f"{LEFT_OUT} unread in {step.where}: {' '.join(step.latex.split())}: {step.unread}"
            continue
        if step.readings > 1:
            yield f"{LEFT_OUT} {step.where} is read in several ways: {step}"
            continue
        yield f"{_said(step, chain.steps[number - 1] if number else None)}  # {_beside(step, chain)}"


def _said(step: WrittenStep, before: WrittenStep | None) -> str:
    """The step; where it goes on from the one before, from its sign on."""
    goes_on = step.continues and before is not None and not (before.unread or before.premises or step.premises)
    if not goes_on or len(step.claim) > 1:
        return str(step)
    return f"  {step.claim[0].op} {step.said[0][1]}"


def _beside(step: WrittenStep, chain: WrittenChain) -> str:
    """Where it stands, what it names as its reason, the values that are chosen for it, and what may restrict it."""
    reason = step.reason
    said = [step.where]
    if reason is not None:
        said += [f"[{name}]" for name in (reason.theorem, reason.citation) if name]
        said += [f"at {', '.join(reason.values)}"] if reason.values else []
    restricts = [step.lost] if step.lost else []
    restricts += (f"{other.where}, in the same display, was not read" for other in chain.steps if other.unread)
    if (role := None if chain.around is None else chain.around.role) is not None and not step.continues:
        restricts += [f"it is {role.name}"] if role.supposes(equation=[r.op for r in step.claim] == ["="]) else []
    said += [f"{MAY_RESTRICT}{' '.join(why.split())}" for why in restricts[:1]]
    return "; ".join(said)
