"""Pairs of documents that say the same, or where one says no more than the other.

The laws: what was refuted, or was not accepted because it is false, is not accepted after a change that changes
nothing; what was accepted is not refuted after it.  A verdict that becomes open, or a text that is then refused, is
counted only.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from attack.documents import (
    ADVERSARIAL,
    SPELLINGS,
    Define,
    Draft,
    Heading,
    Item,
    Made,
    NoSpelling,
    Raw,
    Show,
    adversarial,
    generate,
    made,
    used,
)
from attack.families import EXHAUSTIVE, replaced
from attack.formulas import Tree, bound_in, names_of, parse, plain
from attack.judging import ACCEPTED, Answer, ask, judge


class NotHere(Exception):
    """The change says nothing of this document."""


@dataclass(frozen=True)
class Pair:
    """A document, what was done to it, and the document afterwards."""

    seed: int
    change: str
    before: Made
    after: Made


def _fresh(rng: random.Random, draft: Draft) -> str:
    taken = used(draft)
    return rng.choice([n for n in ("q", "r", "v_1", "zeta", "t_far", "y", "z", "t", "u") if n not in taken])


def rename(rng: random.Random, draft: Draft) -> Draft:
    """Names that mean something to somebody."""
    if any(isinstance(i, Raw) and "x" in i.text for i in draft.items):
        raise NotHere
    return adversarial(rng, draft, 3)


def reorder(rng: random.Random, draft: Draft) -> Draft:
    """Displays that stand next to each other the other way round."""
    items = list(draft.items)
    places = [i for i in range(len(items) - 1) if isinstance(items[i], Show) and isinstance(items[i + 1], Show)]
    if not places or any(isinstance(i, Raw) for i in items):
        raise NotHere
    at = rng.choice(places)
    items[at : at + 2] = items[at + 1], items[at]
    return replace(draft, items=tuple(items))


def inline(rng: random.Random, draft: Draft) -> Draft:
    """An abbreviation written out."""
    if not draft.where or any(isinstance(i, Define) for i in draft.items):
        raise NotHere
    (name, value), rest = draft.where[-1], draft.where[:-1]
    table = {name: parse(value)}
    text = lambda s: plain(safely(parse(s), table))  # noqa: E731
    items = tuple(
        Show(
            text(i.lhs),
            tuple(replace(s, rhs=text(s.rhs), premises=tuple(map(text, s.premises)),
                          chosen=tuple((n, text(v)) for n, v in s.chosen)) for s in i.steps),
            i.local,
            i.shown,
        )
        if isinstance(i, Show)
        else i
        for i in draft.items
    )  # fmt: skip
    return replace(draft, items=items, where=rest)


def safely(tree: Tree, table: dict[str, Tree]) -> Tree:
    """Formulas for names; not where a name in them would be bound."""
    if tree[0] == "call" and bound_in(tree) & set().union(*(names_of(v) for v in table.values()), table):
        raise NotHere
    if tree[0] == "call":
        return ("call", tree[1], tuple(safely(a, table) for a in tree[2]))
    if tree[0] in ("name", "num"):
        return replaced(tree, table)
    return tuple(safely(a, table) if isinstance(a, tuple) else a for a in tree)


def introduce(rng: random.Random, draft: Draft) -> Draft:
    """A side of a step gets a name, in the declarations or by a definition before it."""
    shows = [i for i in draft.items if isinstance(i, Show) and not i.local and i.steps[0].how != "iff"]
    if not shows or draft.family in ("functions", "macros") or draft.proves:
        raise NotHere
    one = rng.choice(shows)
    name = _fresh(rng, draft)
    later = {i.name for i in draft.items if isinstance(i, Define)}
    if names_of(parse(one.lhs)) & later or any(s.chosen for s in one.steps):
        raise NotHere
    items: list[Item] = []
    define = rng.random() < 0.5
    for item in draft.items:
        if item is one:
            items += [Define(name, one.lhs)] if define else []
            items.append(replace(one, lhs=name))
        else:
            items.append(item)
    return replace(draft, items=tuple(items), where=draft.where if define else (*draft.where, (name, one.lhs)))


def everything(rng: random.Random, draft: Draft) -> Draft:
    """In a case that is always so, or in each of two that are all."""
    if any(isinstance(i, Heading | Raw | Define) for i in draft.items) or "markdown" not in draft.spellings:
        raise NotHere
    names = [n for n, parts in draft.let if "function" not in parts and "(" not in parts[0]]
    if not names:
        raise NotHere
    name = rng.choice(names)
    put = lambda case: case.replace("x", name)  # noqa: E731
    if rng.random() < 0.5:
        case = rng.choice(("x = x", "x^2 >= 0", "x <= x", "x < x+1"))
        items: tuple[Item, ...] = (Heading("", put(case)), *draft.items)
    else:
        first, second = rng.choice(EXHAUSTIVE)
        items = (Heading("", put(first)), *draft.items, Heading("", put(second)), *draft.items)
    return replace(draft, items=items, spellings=("markdown",))


def split(rng: random.Random, draft: Draft) -> Draft:
    """A chain as two displays."""
    long = [i for i in draft.items if isinstance(i, Show) and len(i.steps) > 1]
    if not long:
        raise NotHere
    one = rng.choice(long)
    at = rng.randint(1, len(one.steps) - 1)
    items: list[Item] = []
    for item in draft.items:
        if item is one:
            first, second = one.steps[:at], one.steps[at:]
            items += [replace(one, steps=first), replace(one, lhs=first[-1].rhs, steps=second)]
        else:
            items.append(item)
    return replace(draft, items=tuple(items))


def irrelevant(rng: random.Random, draft: Draft) -> Draft:
    """An assumption about a new name, or one that what is declared implies."""
    if draft.proves:
        raise NotHere
    name = _fresh(rng, draft)
    names = [n for n, parts in draft.let if "function" not in parts and "(" not in parts[0]]
    how = rng.randrange(4)
    if how == 0 or not names:
        return replace(draft, let=((name, ("real",)), *draft.let), assume=(*draft.assume, f"{name} >= 1"))
    old = rng.choice(names)
    if how == 1:
        return replace(draft, assume=(*draft.assume, f"{old}^2 >= 0"))
    if how == 2:
        return replace(draft, let=(*draft.let, (name, (f"{name} > {old}",))))
    return replace(draft, assume=(f"{old} <= {old}+1", *draft.assume))


def unused(rng: random.Random, draft: Draft) -> Draft:
    """A definition, a heading or a comment that nothing needs."""
    items = list(draft.items)
    cased = any(isinstance(i, Heading) and i.case for i in items)
    at = rng.randint(0, len(items))
    name = _fresh(rng, draft)
    how = rng.randrange(5)
    if how == 0:
        items.insert(at, Define(name, rng.choice(("2", "1+1", "3/2"))))
    elif how == 1:
        return replace(draft, where=(*draft.where, (name, "7")))
    elif how == 2:
        items.insert(0 if cased else at, Heading("A remark", None, rng.choice((1, 2, 3))))
    elif how == 3:
        items.insert(at, Raw("# said by the way"))
        return replace(draft, items=tuple(items), spellings=("plain",))
    else:
        macro = rng.choice((r"\newcommand{\unused}{7}", r"\def\unused{x}", r"\renewcommand{\unused}{\alpha}"))
        items.insert(at, Raw(macro))
        return replace(draft, items=tuple(items), spellings=("latex",))
    return replace(draft, items=tuple(items))


def spelling(rng: random.Random, draft: Draft) -> Draft:
    """The same in another spelling."""
    if len(draft.spellings) < 2:
        raise NotHere
    return draft


def binder(rng: random.Random, draft: Draft) -> Draft:
    """Bound names renamed, everywhere where they are not free."""
    from attack.documents import renamed, texts

    free = {n for n, _ in draft.let} | {n for n, _ in draft.where}
    free |= {n for t in texts(draft) for n in names_of(parse(t))}
    bound = {n for t in texts(draft) for n in ("i", "t") if n in used(draft)} - free
    if not bound or draft.family == "macros":
        raise NotHere
    taken = used(draft)
    old = rng.choice(sorted(bound))
    return renamed(draft, {old: rng.choice([n for n in ADVERSARIAL if n not in taken])})


CHANGES: dict[str, Callable[[random.Random, Draft], Draft]] = {
    "rename": rename, "reorder": reorder, "inline": inline, "introduce": introduce, "everything": everything,
    "split": split, "irrelevant": irrelevant, "unused": unused, "spelling": spelling, "binder": binder,
}  # fmt: skip


def pair(seed: int) -> Pair:
    """The pair of this seed."""
    rng = random.Random(f"pair {seed}")  # noqa: S311
    for attempt in range(200):
        before = generate(seed * 1000 + attempt)
        change = rng.choice(list(CHANGES))
        try:
            draft = CHANGES[change](rng, before.draft)
        except NotHere:
            continue
        kinds = [k for k in SPELLINGS if k in draft.spellings]
        kinds.sort(key=lambda k: (k == before.kind) == (change == "spelling"))
        for kind in kinds:
            if change == "spelling" and kind == before.kind:
                continue
            try:
                return Pair(seed, change, before, made(seed, draft, kind))
            except NoSpelling:
                continue
    raise RuntimeError(f"no pair for {seed}")


@dataclass
class Compared:
    """Both answers, and what is wrong between them."""

    before: Answer
    after: Answer
    faults: list[str]
    change: str = ""


def compare(found: Pair, time_limit: float = 0.3) -> Compared:
    """Both documents asked, and held against each other."""
    before = judge(found.before, ask(found.before.text, found.before.kind, time_limit))
    after = judge(found.after, ask(found.after.text, found.after.kind, time_limit))
    faults = []
    first, second = before.verdict, after.verdict
    if second in ACCEPTED and first == "refuted" and (found.after.false or not before.excused):
        faults.append(f"a no becomes a yes: refuted, then {second}, by {found.change}")
    elif second in ACCEPTED and first not in ACCEPTED and found.before.false:
        faults.append(f"false, {first}, then {second}, by {found.change}")
    elif first in ACCEPTED and second == "refuted" and not found.after.false and not after.excused:
        faults.append(f"a yes becomes a no: {first}, then refuted, by {found.change}")
    return Compared(before, after, faults, f"{first} to {second}" if first != second else "")
