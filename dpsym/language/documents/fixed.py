r"""Names that a step keeps fixed while a variable goes over its range, and what makes them change with it.

A name has one value wherever it stands: ``\sum_{k=1}^3 c = 3c`` speaks of a c that does not change with k.  A line
``c = k^2`` beside it is a claim of its own, which holds for all values of both names or is not accepted; in prose it
is said, and not used.  What is granted without a proof may say the opposite: what stands for a name or defines it, a
condition, a case, a premise, a value or an equation in a reason, a citation.  Where these lead from the name to the
variable, the step is open.  An equation leads from each of its names to all others; what stands for a name, from this
name alone.
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
from dpsym.language.documents.derivation import Document, Tie, WrittenChain, WrittenStep, defined
from dpsym.language.latex.opaque import Opaque
from dpsym.language.names import GREEK, WRITTEN_ACCENTS, canonical, subscripts
from dpsym.language.scope import Taken

_OPERATORS = {r"\sum", r"\prod", r"\max", r"\min", r"\sup", r"\inf", r"\lim", r"\bigcup", r"\bigcap", r"\forall"}
_CHANCES = {"E", "P", "Pr", r"\Pr", r"\E"}
_DRAWING = {r"\sim", r"\gets", r"\leftarrow"}
_AFTER_BOUND = {"=", r"\in", r"\to", ":", r"\subseteq", r"\subset", r"\ne", r"\mid", "<", ">", r"\le", r"\ge"}
_TIES = re.compile(r"=|\\(?:equiv|sim|simeq|cong|propto|approx|in|to)(?![A-Za-z])|[\u2208\u223c\u2248\u2254\u2261]")
_BOUNDS = re.compile(r"[<>\u2264\u2265]|\\(?:[lg]eq?|[lg]t)(?![A-Za-z])")
_ACCENT = re.compile(rf"(?:(?:{'|'.join(WRITTEN_ACCENTS)})_)+")
_RANDOM = re.compile(r"[A-Z]")  # by the habit of the field

_LAW = "~"  # after a name: what is random of it is gone, and its law is left

Ways = dict[str, list[tuple[str, str]]]  # from a name, by what is said, to another one


def with_ambiguities(document: Document) -> Document:
    """The document with every step marked that keeps a name fixed which what is granted makes change."""
    always = _ways(_of_document(document))

    def read(chain: WrittenChain) -> WrittenChain:
        taken = {step: sorted({*kept_fixed(step, chain, document)}) for step in chain.steps}
        if not any(taken.values()):
            return chain
        ways = (always, _ways(_of_chain(chain, document)))

        def leads(step: WrittenStep, variable: str, name: str) -> str:
            applied = f"{name}()" in document.guessed and (variable, name) in step.taken  # a function elsewhere
            return _said(variable, name, ()) if applied else _leads(variable, name, ways)

        why = {step: next(filter(None, (leads(step, *pair) for pair in pairs)), "") for step, pairs in taken.items()}
        return replace(chain, steps=tuple(replace(s, ambiguous=why[s]) if why[s] else s for s in chain.steps))

    return replace(document, chains=tuple(map(read, document.chains)))


def kept_fixed(step: WrittenStep, chain: WrittenChain, document: Document) -> Iterator[Taken]:
    """Variables, each with a name kept fixed: in the step, its case, what its names stand for, what is only named."""
    yield from step.taken
    yield from () if chain.case is None else chain.case.taken
    for name in document.taken.keys() & {"", *step.names(chain.abbreviations)} if step.claim else ():
        yield from document.taken[name]
    for name in {s.name for r in (*step.claim, *step.premises) for s in r.free_symbols} & document.opaque.keys():
        bound, free = _letters(document.opaque[name])
        yield from ((variable, other) for variable in bound for other in free - {variable})


def _letters(one: Opaque) -> tuple[set[str], set[str]]:
    """The names that are bound in what is only named, below an operator, in a differential, and those that are not.

    A capital in an expectation or a probability is both: it is random, and may be defined by others.
    """
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
    free = {canonical(name.lstrip("\\")) for name in words if _is_letter(name)} - bound - {one.index}
    if one.kind in ("mean", "prob"):
        bound |= {name for name in free if _RANDOM.fullmatch(name)}
    return bound, free


def _is_letter(word: str) -> bool:
    return bool(re.fullmatch("[A-Za-z]", word)) or (word[:1] == "\\" and word[1:] in GREEK)


# --- what is granted without a proof


def _of_document(document: Document) -> Iterator[Tie]:
    for name, value in document.names.items():
        if isinstance(value, sp.Expr) and value != sp.Symbol(name):
            yield _names(value) | {name}, f"{name} = {plain(value)}", name
    for name, one in document.opaque.items():
        bound, free = _letters(one)
        yield frozenset({name, *(letter + _LAW * (letter in bound) for letter in free)}), one.text, name
    cited = (s for c in document.chains for s in c.steps if s.reason is not None and s.reason.citation)
    for step in (s for c in document.chains for s in c.steps if s.defines):
        names = frozenset(s.name for r in step.claim for s in r.rhs.free_symbols)
        yield names | {step.defines}, str(step), step.defines
    yield from _of_propositions([*(p.relation for p in document.premises), *(r for s in cited for r in s.claim)])


def _of_chain(chain: WrittenChain, document: Document) -> Iterator[Tie]:
    reasons = [step.reason for step in chain.steps if step.reason is not None]
    case = () if chain.case is None else chain.case.relations
    beside = [*(r for step in chain.steps for r in step.premises), *(r for reason in reasons for r in reason.at)]
    yield from _of_propositions([*document.conditions, *case, *beside])
    for head, text in chain.abbreviations.items():
        name, names = defined((head, text))
        yield frozenset({name, *names}), f"{head} = {text}", name
    yield from () if chain.around is None else chain.around.ties
    for text in (reason.text for reason in reasons):
        if _TIES.search(text) or len(_BOUNDS.findall(text)) != 1:  # one bound says little: "since k <= n"
            yield frozenset(map(canonical, re.findall("[A-Za-z]+", text))), text, ""


def _of_propositions(granted: Iterable[Proposition]) -> Iterator[Tie]:
    """Equations, and bounds that may amount to one: of the same names twice, or of a distance."""
    bounded = set[frozenset[str]]()
    for said in granted:
        relation = said.relation if isinstance(said, ForAll) else said
        if not isinstance(relation, Relation):
            continue
        sides = (relation.lhs, relation.rhs)
        names = _names(relation.lhs) | _names(relation.rhs)
        if isinstance(said, ForAll):
            names |= {s.name for condition in said.conditions for s in condition.free_symbols}
            constant = relation.op == "=" and any(
                isinstance(side, sp.Symbol) and side not in said.variables for side in sides
            )
            names -= set() if constant else {s.name for s in said.variables}
        distance = 0 in sides and any(part.has(sp.Abs, sp.Pow) for part in sides)
        if relation.op == "=" or isinstance(said, ForAll) or distance or names in bounded:
            yield names, str(said), ""
        bounded.add(names)


def _names(e: sp.Expr) -> frozenset[str]:
    """The names in an expression, functions among them."""
    return frozenset({s.name for s in e.free_symbols} | {str(part.func) for part in e.atoms(AppliedUndef)})


# --- what it leads to


def _ways(granted: Iterable[Tie]) -> Ways:
    found = Ways()
    for names, text, start in granted:
        for name in {start} if start else names:
            found.setdefault(name, []).extend((on, text) for on in names)
    return found


def _leads(variable: str, name: str, ways: Sequence[Ways]) -> str:
    """Why the name may change with the variable; empty where nothing that is granted leads there."""
    seen, waiting = {name}, deque[tuple[str, tuple[str, ...]]]([(name, ())])
    while waiting:
        here, path = waiting.popleft()
        own = here.removesuffix(_LAW)  # the law of X changes with what X is defined by, and not with its value
        here_on = [(on, path) for on in _beside(own)]
        here_on += [(on, (*path, text)) for way in ways for on, text in way.get(own, ()) if on != own]
        for on, said in here_on:
            if on == variable:
                return _said(variable, name, said)
            if on not in seen:
                seen.add(on)
                waiting.append((on, said))
    return ""


def _beside(name: str) -> set[str]:
    """The indices of a name, and the family that it is a member of."""
    base, _, index = _ACCENT.sub("", name).partition("_")
    short = (part for part in index.split("_") if len(part) == 2 and part.isalpha() and part not in GREEK)  # x_{in}
    return {*subscripts(_ACCENT.sub("", name)), *"".join(short), *([base + MARK] if index else [])}


def _said(variable: str, name: str, path: tuple[str, ...]) -> str:
    name = name.removesuffix(MARK)
    stands = f" what is granted says {'; '.join(dict.fromkeys(path))}:" if path else ""
    return (
        f"does {name} change with {variable}, which is bound here?{stands} give the bound {variable} another name, "
        f"or write {name}({variable})"
    )
