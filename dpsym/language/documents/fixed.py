r"""Names that a step keeps fixed while a variable goes over its range, and what makes them change with it.

A name has one value wherever it stands: ``\sum_{k=1}^3 c = 3c`` speaks of a c that does not change with k.  A line
``c = k^2`` beside it is a claim of its own, which holds for all values of both names or is not accepted; in prose it
is said, and not used.  What is granted without a proof may say the opposite: what stands for a name, a condition, a
case, a premise, a value or an equation in a reason, a citation.  Where these lead from the name to the variable, the
step is open.  An equation leads from each of its names to all others; what stands for a name, from this name alone.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import sympy as sp
from sympy.core.function import AppliedUndef

from dpsym.core.families import MARK
from dpsym.core.plain_printer import plain
from dpsym.core.relations import ForAll, Proposition, Relation
from dpsym.language.documents.derivation import Document, WrittenChain, WrittenStep, names_in
from dpsym.language.latex.opaque import Opaque
from dpsym.language.names import GREEK, canonical, subscripts
from dpsym.language.scope import Taken

_OPERATORS = {r"\sum", r"\prod", r"\max", r"\min", r"\sup", r"\inf", r"\lim", r"\bigcup", r"\bigcap", r"\forall"}
_CHANCES = {"E", "P", "Pr", r"\Pr", r"\E"}
_DRAWING = {r"\sim", r"\gets", r"\leftarrow"}
_AFTER_BOUND = {"=", r"\in", r"\to", ":", r"\subseteq", r"\subset", r"\ne", r"\mid", "<", ">", r"\le", r"\ge"}
_EQUATES = re.compile(r"=|\\equiv|[\u2254\u2261]")
_RANDOM = re.compile(r"[A-Z]")  # by the habit of the field

Granted = tuple[frozenset[str], str, str]  # the names of an equation, its text, and where it starts, if in one name
Ways = dict[str, list[tuple[str, str]]]  # from a name, by what is said, to another one


def with_ambiguities(document: Document) -> Document:
    """The document with every step marked that keeps a name fixed which what is granted makes change."""
    always = _ways(_of_document(document))

    def read(step: WrittenStep, chain: WrittenChain) -> WrittenStep:
        pairs = sorted({*kept_fixed(step, chain, document)})
        ways = (always, _ways(_of_step(step, chain))) if pairs else ()
        why = next(filter(None, (_leads(name, variable, ways) for variable, name in pairs)), "")
        return replace(step, ambiguous=why) if why else step

    chains = tuple(replace(c, steps=tuple(read(step, c) for step in c.steps)) for c in document.chains)
    return replace(document, chains=chains)


def kept_fixed(step: WrittenStep, chain: WrittenChain, document: Document) -> Iterator[Taken]:
    """Variables, each with a name kept fixed: in the step, its case, what its names stand for, what is only named."""
    yield from step.taken
    yield from () if chain.case is None else chain.case.taken
    for name in document.taken.keys() & {"", *step.names(chain.abbreviations)} if step.claim else ():
        yield from document.taken[name]
    for name in {s.name for r in (*step.claim, *step.premises) for s in r.free_symbols} & document.opaque.keys():
        bound, free = _letters(document.opaque[name])
        yield from ((variable, other) for variable in bound for other in free)


def _letters(one: Opaque) -> tuple[set[str], set[str]]:
    """The names that are bound in what is only named, below an operator, in a differential, drawn, and all others."""
    words = one.text.split()
    bound = {canonical(b) for a, b in pairwise(words) if a == "d" and len(b) == 1} if r"\int" in words else set[str]()
    for place, word in enumerate(words):
        if words[place + 1 : place + 2] == ["_"]:
            below = words[place + 2 :]
            below = below[1 : below.index("}")] if below[:1] == ["{"] and "}" in below else below[:1]
            chance = not _CHANCES.isdisjoint(words[max(0, place - 1) : place + 1]) and not _DRAWING.isdisjoint(below)
            if word in _OPERATORS or chance or (word == "}" and not _DRAWING.isdisjoint(below)):
                stop = next((at for at, sign in enumerate(below) if sign in _AFTER_BOUND | _DRAWING), len(below))
                bound |= {canonical(name.lstrip("\\")) for name in below[:stop] if _is_letter(name)}
    names = {canonical(name.lstrip("\\")) for name in words if _is_letter(name)}
    if one.kind in ("mean", "prob"):
        bound |= {name for name in names if _RANDOM.fullmatch(name)}
    return bound, names - bound


def _is_letter(word: str) -> bool:
    return bool(re.fullmatch("[A-Za-z]", word)) or (word[:1] == "\\" and word[1:] in GREEK)


# --- what is granted without a proof


def _of_document(document: Document) -> Iterator[Granted]:
    for condition in (*document.conditions, *(premise.relation for premise in document.premises)):
        yield from _equation(condition)
    for name, value in document.names.items():
        if isinstance(value, sp.Expr) and value != sp.Symbol(name):
            yield _names(value) | {name}, f"{name} = {plain(value)}", name
    for name, one in document.opaque.items():
        yield frozenset(_letters(one)[1] | {name}), one.text, name
    for chain in document.chains:
        for step in chain.steps:
            for relation in step.claim if step.reason is not None and step.reason.citation else ():
                yield from _equation(relation)


def _of_step(step: WrittenStep, chain: WrittenChain) -> Iterator[Granted]:
    reason = step.reason
    case = () if chain.case is None else chain.case.relations
    for relation in (*case, *step.premises, *(() if reason is None else reason.at)):
        yield from _equation(relation)
    for name, text in chain.abbreviations.items():
        yield frozenset({name, *names_in(text, {})}), f"{name} = {text}", name
    if reason is not None and _EQUATES.search(reason.text):
        yield frozenset(map(canonical, re.findall("[A-Za-z]+", reason.text))), reason.text, ""


def _equation(said: Proposition) -> Iterator[Granted]:
    bound = {s.name for s in said.variables} if isinstance(said, ForAll) else set[str]()
    relation = said.relation if isinstance(said, ForAll) else said
    if isinstance(relation, Relation) and relation.op == "=":
        yield (_names(relation.lhs) | _names(relation.rhs)) - bound, str(relation), ""


def _names(e: sp.Expr) -> frozenset[str]:
    """The names in an expression, functions among them."""
    return frozenset({s.name for s in e.free_symbols} | {str(part.func) for part in e.atoms(AppliedUndef)})


# --- what it leads to


def _ways(granted: Iterable[Granted]) -> Ways:
    found = Ways()
    for names, text, start in granted:
        for name in {start} if start else names:
            found.setdefault(name, []).extend((on, text) for on in names)
    return found


def _leads(name: str, variable: str, ways: Sequence[Ways]) -> str:
    """Why the name may change with the variable; empty where nothing that is granted leads there."""
    seen, waiting = {name}, deque[tuple[str, tuple[str, ...]]]([(name, ())])
    while waiting:
        here, path = waiting.popleft()
        here_on = [(on, path) for on in _beside(here)]
        here_on += [(on, (*path, text)) for way in ways for on, text in way.get(here, ())]
        for on, said in here_on:
            if on == variable:
                return _said(variable, name, said)
            if on not in seen:
                seen.add(on)
                waiting.append((on, said))
    return ""


def _beside(name: str) -> set[str]:
    """The indices of a name, and the family that it is a member of."""
    base, _, index = name.partition("_")
    return {*subscripts(name), *([base + MARK] if index else [])}


def _said(variable: str, name: str, path: tuple[str, ...]) -> str:
    name = name.removesuffix(MARK)
    stands = f" what is granted says {'; '.join(dict.fromkeys(path))}:" if path else ""
    return (
        f"does {name} change with {variable}, which is bound here?{stands} give the bound {variable} another name, "
        f"or write {name}({variable})"
    )
