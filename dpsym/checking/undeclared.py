"""What a step rests on that nobody declared: names as they were guessed, and quantities that are only named."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dpsym.checking.ledger import Judgement, reached
from dpsym.checking.results import StepResult
from dpsym.checking.said import is_known
from dpsym.core.clocks import Work
from dpsym.core.relations import ForAll, Proposition
from dpsym.language.documents.derivation import Document, WrittenChain

_SECONDS = Work(0.5)  # to see that what a line grants is known


def with_what_it_rests_on(
    result: StepResult, document: Document, chain: WrittenChain, facts: Iterable[Judgement] = ()
) -> StepResult:
    """The result with the guesses and the named quantities that it may rest on: no others were within its reach.

    `facts` were shown before and could be used.
    """
    if result.step.unread:
        return result
    case = () if chain.case is None else chain.case.relations
    conditions: list[Proposition] = [*document.conditions, *case, *(f.relation for f in facts)]
    always = {s.name for c in conditions if isinstance(c, ForAll) for s in c.free_symbols}
    linked = [{s.name for s in c.free_symbols} for c in conditions]
    laws = ((name, law) for name, law in document.distributions.items() if law is not None)
    linked += [{name, *(s.name for s in law.free_symbols)} for name, law in laws]
    _, names = reached(result.step.names(chain.abbreviations) | always, linked)
    guesses = [guess for name, guess in document.guessed.items() if name in names]
    granted = () if chain.case is None else chain.case.said
    known = (all(is_known(r, document.conditions, _SECONDS) for r in said.relations) for said in granted)
    guesses += [said.guess for said, declared in zip(granted, known, strict=True) if not declared]
    opaque = tuple(name for name in document.opaque if name in names)
    guesses += [document.guessed[head] for name in opaque for head in sorted(document.opaque[name].functions)]
    return replace(result, guesses=tuple(dict.fromkeys(guesses)), opaque=opaque)
