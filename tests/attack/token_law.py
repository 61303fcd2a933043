r"""Every token counts: one that is deleted, doubled or replaced changes what is read, or the display is unread.

Nothing is said of what a display means: what is compared is two readings by dpsym.  The exceptions are tokens that a
reader does not see, or that mean the same, and stand in `NO_MEANING` and `ALIKE`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from attack.page import RELATIONS, SIZES, SPACES, UNSEEN, WIDE, tokens_of, written
from attack.surface_answers import KINDS, document
from attack.surfaces import Name, delimited, display, names
from dpsym.deciding import EmptyDomain
from dpsym.language import ReadingError, read_document

NO_MEANING = {  # spacing, style, size, alignment, end punctuation
    *UNSEEN, *SPACES, *WIDE, *SIZES, r"\left", r"\right", "&", "\\\\", ".", ",", ";", "%\n",
}  # fmt: skip
WORDS = (r"\text{", r"\tag{", r"\label{")  # what is no mathematics
TIMES = {r"\cdot", r"\times", r"\ast", "*"}  # what stands side by side is multiplied as well
AGAIN = {r"\mathbf", r"\mathcal", r"\mathrm", "*"}  # a font in itself; a star above a name, and one that multiplies
NOT_SEEN = {*TIMES, r"\mathbb", r"\mathrm"}  # E of what is drawn is an expectation, and OPT a word, in any font
ALIKE = (  # one for the other
    TIMES, {"|", r"\lvert", r"\rvert"}, {r"\frac", r"\dfrac", r"\tfrac"}, {r"\log", r"\ln"},
    {r"\epsilon", r"\varepsilon"},
    *({t for t, op in RELATIONS.items() if op == sign} for sign in sorted({*RELATIONS.values()})),
)  # fmt: skip
Tokens = tuple[str, ...]


@dataclass(frozen=True)
class Change:
    """A display, one token of it, what was done to that, and what then stands there."""

    what: str
    sign: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.what} {self.sign!r}: {self.before!r} and {self.after!r} are read alike"


def changes(rng: random.Random, tokens: Tokens) -> Iterator[tuple[str, str, Tokens]]:
    """Every token deleted, doubled, and replaced by another one of the display."""
    for at, token in enumerate(tokens):
        if token in NO_MEANING or token.startswith(WORDS):
            continue
        if token not in NOT_SEEN:
            yield "deleted", token, (*tokens[:at], *tokens[at + 1 :])
        if token not in AGAIN:
            yield "doubled", token, (*tokens[: at + 1], *tokens[at:])
        others = sorted({t for t in tokens if t != token and not t.startswith(WORDS) and t not in NO_MEANING})
        others = [t for t in others if not any({t, token} <= alike for alike in (*ALIKE, AGAIN | NOT_SEEN))]
        if others:
            yield "replaced", token, (*tokens[:at], rng.choice(others), *tokens[at + 1 :])


Said = tuple[str, ...]  # relations and reasons


def _said(text: str, kind: str) -> list[tuple[int, str | None]]:
    """The lines of all steps, with what each says; None for what is unread."""
    chains = read_document(text, kind=kind).chains  # type: ignore[arg-type]
    return [
        (step.line, None if step.unread else f"{step} {step.reason and (step.reason.text, step.reason.values)}")
        for chain in chains
        for step in chain.steps
    ]


def read(declared: Sequence[Name], texts: Sequence[str], kind: str) -> list[Said | None]:
    """What each display says; None where a part of it is unread."""
    text, places = document(declared, texts, kind)
    try:
        steps = _said(text, kind)
    except (ReadingError, EmptyDomain):
        return [found for one in texts for found in read(declared, [one], kind)] if len(texts) > 1 else [None]
    found = list[Said | None]()
    for first, last in places:
        mine = [said for line, said in steps if first <= line <= last]
        found.append(None if not mine or None in mine else tuple(map(str, mine)))
    return found


def run(seed: int, displays: int, most: int) -> tuple[list[Change], int]:
    """What is read alike of so many displays, with at most so many changes of each; and how many were tried."""
    rng, faults, tried = random.Random(f"tokens {seed}"), list[Change](), 0  # noqa: S311
    for _ in range(displays):
        declared = names(rng)
        d = display(rng, declared)
        made = list(changes(rng, d.tokens))
        made = rng.sample(made, min(most, len(made)))
        kind = rng.choice(KINDS)
        texts = [delimited(d.environment, tokens) for _, _, tokens in made]
        before, *after = read(declared, [d.text, *texts], kind)
        tried += len(made) if before is not None else 0
        for (what, token, _), text, found in zip(made, texts, after, strict=True):
            if before is not None and found == before:
                faults.append(Change(what, token, d.text, text))
    return faults, tried


def run_in(rng: random.Random, text: str, kind: str, most: int) -> tuple[list[Change], int]:
    """The same of the displays of a document that is read as a whole each time."""
    displays = [(m.start(1), m.end(1)) for m in re.finditer(r"\$\$([^$]*)\$\$", text)]
    before, faults, tried = _everything(text, kind), list[Change](), 0
    for _ in range(most if displays else 0):
        start, stop = rng.choice(displays)
        made = list(changes(rng, tuple(tokens_of(text[start:stop]))))
        what, token, tokens = rng.choice(made)
        after = _everything(f"{text[:start]} {written(tokens)} {text[stop:]}", kind)
        tried += 1
        if after == before and None not in before:
            faults.append(Change(what, token, text[start:stop], written(tokens)))
    return faults, tried


def _everything(text: str, kind: str) -> list[str | None]:
    """All that a document says; nothing of what is refused."""
    with suppress(ReadingError, EmptyDomain):
        return [said for _, said in _said(text, kind)]
    return [None]
