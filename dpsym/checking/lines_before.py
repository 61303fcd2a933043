"""What follows from what a paper leaves unsaid: such a step is proved, given that, and says so.

That is: it is defined where it stands, and lines before it hold that nobody has shown.  The equations of a name hold
for the rest of their section, or until the text gives the name other values, and the rows of a display for those below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import sympy as sp

from dpsym.checking.failing import has_a_point
from dpsym.checking.ledger import is_certain
from dpsym.checking.results import StepResult, is_definition
from dpsym.checking.said import is_known
from dpsym.checking.undeclared import with_what_it_rests_on
from dpsym.core.clocks import Work
from dpsym.core.relations import Relation
from dpsym.core.verdicts import Verdict
from dpsym.language.documents.derivation import Case, Document, Said, WrittenChain, WrittenStep, joined
from dpsym.language.documents.fixed import kept_fixed
from dpsym.language.documents.guesses import Guess
from dpsym.language.documents.stated import letters_of

_FOR_A_NEED = Work(0.5)  # to see that it is known
_MOST = 6  # lines that are granted at once


def with_lines_before(
    results: Sequence[StepResult],
    chains: Sequence[WrittenChain],
    document: Document,
    decided: Callable[[int, WrittenChain], StepResult | None],
) -> Iterator[StepResult]:
    """The results of all steps; `decided` has that of the step of this number in another chain."""
    spoken = [one.letters for one in document.stated]
    equations, section = dict[str, Said | None](), 0
    rows, last = list[Said](), None
    for number, (result, chain) in enumerate(zip(results, chains, strict=True)):
        if chain is not last:
            rows, last = [], chain
            here = 0 if chain.around is None else chain.around.section
            if here != section:
                equations, section = {}, here
            freed = frozenset[str]() if chain.around is None else chain.around.freed
            equations = {name: one for name, one in equations.items() if not (one and _letters(one) & freed)}
        step, found = result.step, result
        unshown = result.decision.verdict in (Verdict.FAILS, Verdict.OPEN, Verdict.SUPPORTED) and bool(step.claim)
        if unshown and not is_definition(result) and not step.ambiguous:
            asked = partial(_given, result, chain, document, spoken=spoken, decided=partial(decided, number))
            lines = [*_needed(step, equations), *(() if step.continues else rows)]
            lines = [one for one in lines if not {*one.relations} & {*step.claim}]
            alone = asked(()) if result.decision.verdict is Verdict.FAILS else None
            found = alone or (asked(lines) if lines else None) or result
        yield found
        granting = chain.around is None or not (chain.around.hedged or chain.around.given)
        if unshown and found is result and not step.premises and granting and not step.is_restricted:
            one = Said(Guess(joined(step.claim, step.said), step.line), step.claim)
            rows.append(one)
            if (name := _defines(step)) is not None and chain.case is None:
                other = equations.get(name, one)
                equations[name] = one if other is not None and other.relations == one.relations else None


def _defines(step: WrittenStep) -> str | None:
    """The name that an equation gives a value in terms of others; a number is of a special case."""
    if len(step.claim) != 1 or step.claim[0].op != "=":
        return None
    left, right = step.claim[0].lhs, step.claim[0].rhs
    others = right.free_symbols - {left}
    return left.name if isinstance(left, sp.Symbol) and others == right.free_symbols != set() else None


def _needed(step: WrittenStep, equations: Mapping[str, Said | None]) -> list[Said]:
    """The equations of its names, and of those in these, but for those that go round in a circle."""
    waiting, seen, found = [s for r in (*step.claim, *step.premises) for s in r.free_symbols], set[str](), list[Said]()
    waiting.sort(key=str)
    within = dict[sp.Symbol, set[sp.Symbol]]()  # what each value speaks of in the end
    while waiting and len(found) < _MOST:
        symbol = waiting.pop(0)
        if symbol.name not in seen and (one := equations.get(symbol.name)) is not None:
            own = one.relations[0].rhs.free_symbols
            others = own.union(*(within.get(s, ()) for s in own))
            if symbol not in others:
                within = {s: v | others if symbol in v else v for s, v in within.items()} | {symbol: others}
                found.append(one)
                waiting += sorted(own, key=str)
        seen.add(symbol.name)
    return found


def _given(
    result: StepResult,
    chain: WrittenChain,
    document: Document,
    lines: Iterable[Said],
    *,
    spoken: Sequence[frozenset[str]],
    decided: Callable[[WrittenChain], StepResult | None],
) -> StepResult | None:
    """The step proved under these lines and where it is defined; None where it is not, or no point satisfies them.

    `spoken` are the letters in what each line of prose says.
    """
    old = chain.case or Case(())
    bound = {variable for variable, _ in kept_fixed(result.step, chain, document)}
    lines = sorted({*lines}, key=lambda one: one.guess.line)[-_MOST:]
    if any({s.name for r in one.relations for s in r.free_symbols} & bound for one in lines):
        return None  # a name in the step changes with what goes over a range
    relations = (*old.relations, *(r for one in lines for r in one.relations))
    free = {name for name, guess in document.guessed.items() if not guess.line} | document.opaque.keys()
    free = {name for name in free if not _is_spoken_of(name, spoken)}
    needed = list[Relation]()
    for p in sorted((p for need in result.step.needs for p in need.simple or ()), key=lambda p: len(str(p))):
        if not isinstance(p, Relation) or not {s.name for s in p.free_symbols} <= free:
            continue
        if not is_known(p, (*document.conditions, *old.relations, *needed), _FOR_A_NEED):
            needed.append(p)
    relations = (*relations, *needed)
    if len(relations) == len(old.relations):
        return None
    there = replace(chain, case=replace(old, relations=relations, said=(*old.said, *lines)))
    found = decided(there)
    better = found is not None and (is_certain(found.decision) or _is_supported(found, result))
    if found is None or not better or not has_a_point((*document.conditions, *relations)):
        return None
    found = with_what_it_rests_on(replace(found, step=result.step), document, there)
    found = replace(found, guesses=tuple(g for g in found.guesses if g not in {one.guess for one in lines}))
    said = [f"{one.guess.declaration} (line {one.guess.line})" for one in lines]
    return replace(found, given=(*(f"{p} (to be defined)" for p in needed), *said))


def _letters(one: Said) -> frozenset[str]:
    return letters_of(s.name for r in one.relations for s in r.free_symbols)


def _is_spoken_of(name: str, spoken: Iterable[frozenset[str]]) -> bool:
    """Whether a line of prose may say something of the name, so that no habit holds of it."""
    return any(letters_of([name]) <= letters for letters in spoken)


def _is_supported(found: StepResult, result: StepResult) -> bool:
    return found.decision.verdict is Verdict.SUPPORTED and result.decision.verdict is Verdict.FAILS
