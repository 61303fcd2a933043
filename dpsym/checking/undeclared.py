"""What a step rests on that nobody declared: names as they were guessed, and quantities that are only named."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import sympy as sp

from dpsym.checking.ledger import Judgement
from dpsym.checking.results import StepResult
from dpsym.core.relations import ForAll, Proposition, Relation
from dpsym.language.documents.derivation import Document, WrittenChain, WrittenStep, names_in
from dpsym.language.plain.grammar import parse
from dpsym.language.tree import Binary, Name, Node, Number, mentions


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


def may_be_infinite(step: WrittenStep, document: Document, chain: WrittenChain, facts: Iterable[Judgement] = ()) -> str:
    """A divergence in the step that is only named, where the step needs that it is finite and nobody says so.

    What is shown of all finite values holds of infinite ones where no side falls with them, and none is strict.
    """
    case = () if chain.case is None else chain.case.relations
    known = (*document.conditions, *case, *step.premises, *(f.relation for f in facts))
    bounds = [side for c in known if isinstance(c, Relation) for side in (c, c.swapped)]
    divergences = {name for name, one in document.opaque.items() if one.kind in ("div", "dist")}
    for name, one in document.opaque.items():
        symbol, written = sp.Symbol(name), [pair for pair in step.said if name in names_in(" ".join(pair), {})]
        if one.kind not in ("div", "dist") or not written:
            continue
        if any(b.lhs == symbol and b.op in ("<", "<=", "=") and symbol not in b.rhs.free_symbols for b in bounds):
            continue
        strict = any(r.op not in ("<=", ">=", "=") for r in step.claim)
        both = strict and any(all(divergences.intersection(names_in(side, {})) for side in pair) for pair in written)
        if both or not all(_rises(parse(side), name) for pair in written for side in pair):
            return f"{name} is a divergence that may be infinite: say that it is finite"
    return ""


def _rises(node: Node, name: str) -> bool:
    """Whether the sum rises with the name, a number of times, wherever that is written."""
    match node:
        case Binary("+"):
            return _rises(node.left, name) and _rises(node.right, name)
        case Binary("-" | "/"):
            alone = node.op == "-" or isinstance(node.right, Number)
            return _rises(node.left, name) and alone and not mentions(node.right, name)
        case Binary("*") if isinstance(node.left, Number):
            return _rises(node.right, name)
        case _:
            return isinstance(node, Name) or not mentions(node, name)


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
