"""What a step rests on that nobody declared: names as they were guessed, and quantities that are only named."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dpsym.checking.ledger import Judgement
from dpsym.checking.results import StepResult
from dpsym.core.relations import ForAll, Proposition
from dpsym.language.documents.derivation import Document, WrittenChain


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
    linked = [({s.name for s in c.free_symbols}, isinstance(c, ForAll)) for c in conditions]
    laws = ((name, law) for name, law in document.distributions.items() if law is not None)
    linked += [({name, *(s.name for s in law.free_symbols)}, False) for name, law in laws]
    reached = _reached(set(result.step.names(chain.abbreviations)), linked)
    guesses = [guess for name, guess in document.guessed.items() if name in reached]
    opaque = tuple(name for name in document.opaque if name in reached)
    return replace(result, guesses=tuple(dict.fromkeys(guesses)), opaque=opaque)


def _reached(names: set[str], linked: Iterable[tuple[set[str], bool]]) -> set[str]:
    """The names, and those that conditions on them speak of: what shares no name with them cannot bear on them.

    `linked` are the names of each condition, and whether it bears on everything.
    """
    found, waiting = set(names), list(linked)
    while True:
        joining = [(spoken, always) for spoken, always in waiting if always or spoken & found]
        if not joining:
            return found
        waiting = [(spoken, always) for spoken, always in waiting if not (always or spoken & found)]
        found.update(*(spoken for spoken, _ in joining))
