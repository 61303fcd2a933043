"""Whether a no is one: of what the text claims, at a point that satisfies all that its prose may assume."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

import sympy as sp

from dpsym.core.clocks import Work
from dpsym.core.relations import IsInteger, Proposition, Relation
from dpsym.core.verdicts import Verdict, Witness
from dpsym.deciding import decide
from dpsym.language.documents.derivation import Document, WrittenChain, WrittenStep
from dpsym.language.documents.stated import letters_of

_OF_THE_RELATION = re.compile(  # it is what the words speak of, and need not be claimed
    r"what ['\"]\W*(?:is|are|has|have|had|can|may|must|should|needs?|admits?|remains?|to|goal|aim|our|wanted|still)\b",
    re.IGNORECASE,
)
_SECONDS = Work(0.5)  # for one relation between numbers


def doubt_of(document: Document, chain: WrittenChain, step: WrittenStep, witness: Witness | None) -> str | None:
    """Why a step that fails at the point may not be what the text claims; None where it is.

    A document claims what stands there, wherever everything holds that the prose says of the names in it up to the
    sentence after, and where no words restrict or deny it; a paper as it is only what its words assert.
    """
    point = {} if witness is None else dict(witness.point)
    where = "false" + (f" at {', '.join(f'{n} = {v}' for n, v in point.items())}" if point else "")
    if any(_holds((r,), point) is False for r in step.since):
        return f"{where}, where what is said beside it fails, too: {', '.join(map(str, step.since))}"
    around = chain.around
    if around is None:
        return None
    may_be_meant = not document.is_declared or _OF_THE_RELATION.match(step.aside) is not None
    if why := around.doubt or (may_be_meant and step.aside) or ("" if document.is_declared else around.unasserted):
        return f"{where}, if that is claimed: {why}"
    letters = letters_of(step.names(chain.abbreviations))
    for said in document.stated:
        if said.place >= around.until or not (said.letters & letters or "" in said.letters):
            continue
        holds = None if said.conditions is None else _holds(said.conditions, point)
        near = said.place >= around.sentence or (said.place >= around.paragraph and said.letters <= letters)
        anywhere = said.place == 0  # what a name means
        if holds is False or (holds is None and (anywhere or (near and not document.is_declared))):
            return f"{where}, where the text may have said more: {said.text} (line {said.line})"
    return None


def _holds(conditions: Sequence[Proposition], point: Mapping[str, Fraction | int]) -> bool | None:
    """Whether all of it holds at the point; None where that is not known."""
    table = {sp.Symbol(name): sp.Rational(value) for name, value in point.items()}
    known = [c for c in conditions if isinstance(c, Relation | IsInteger) and c.free_symbols <= table.keys()]
    if not all(_true(c.subs(table)) for c in known):
        return False
    return True if len(known) == len(conditions) else None


def _true(condition: Proposition) -> bool:
    if isinstance(condition, IsInteger):
        return condition.expression.is_integer is True
    return decide(condition, time_limit=_SECONDS).verdict in (Verdict.PROVED, Verdict.CERTIFIED)
