"""Declarations beside a paper, in `paper.dpsym.yaml`: proposed by `dpsym check --init`, corrected by its reader.

Lines as in a derivation's front matter.  A line that still ends in `# guessed` or `# read at line 12` says where it
comes from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import sympy as sp

from dpsym.core.families import MARK, members
from dpsym.core.relations import Relation
from dpsym.language.documents.derivation import Document
from dpsym.language.documents.front_matter import FrontMatter, read_declarations
from dpsym.language.documents.guesses import Guess
from dpsym.language.documents.ranges import family_of, with_free_index
from dpsym.language.documents.texts import plain_text
from dpsym.language.errors import ReadingError, in_document

SUFFIX = ".dpsym.yaml"
LONGEST = 200_000  # characters
_MARK = re.compile(r"(?:^|\s)#.*?\b(?:guess\w*|read at line (?P<line>\d+))", re.IGNORECASE)


def beside(path: Path) -> Path:
    """The file of declarations that belongs to a document."""
    return path.parent / (path.stem + SUFFIX)


def unconfirmed(line: str, said: str) -> Guess | None:
    """The guess that a line with a declaration is, by the words behind its ``#``; None where somebody made it."""
    mark = _MARK.search(line)
    return None if mark is None else Guess(said, int(mark["line"] or 0))


def read_sidecar(path: Path) -> tuple[FrontMatter, dict[str, Guess]]:
    """What is declared beside the document, and which declarations nobody has confirmed, by their text.

    Raises:
        ReadingError: with the line.
        OSError: where the file cannot be read.
    """
    if path.stat().st_size > LONGEST:
        raise ReadingError(f"{path} is too large")
    lines = plain_text(path.read_text(encoding="utf-8")).split("\n")
    front = read_declarations(lines, first=1, alone=True)
    for line, why in front.unread:
        raise in_document(ReadingError(why), line.line, None)
    guesses = dict[str, Guess]()
    for declared in (front.let, front.where, front.assume):
        found = (unconfirmed(lines[one.line - 1], one.text) for one in declared)
        guesses |= {guess.declaration: guess for guess in found if guess is not None}
        declared[:] = [replace(one, line=0) for one in declared]
    return front, guesses


def proposed(name: str, document: Document) -> str:
    """The text of a file of declarations for the document of that name."""
    every = {one: guess for one, guess in document.guessed.items() if family_of(one) not in document.guessed}
    guesses = [guess for one, guess in every.items() if not one.endswith("()")]
    said = {guess: with_free_index(guess.declaration, document.names) for guess in guesses}
    lines = [
        f"# What {name} leaves unsaid, as dpsym would read it.",
        "# Correct it; a line without a word after its # counts as yours.",
        "let:" if every else "let: []",
        *(f"  - {declaration}  # {guess.source}" for guess, declaration in said.items()),
        *(f"#  - {guess.declaration}  # {guess.source}" for guess in every.values() if guess not in guesses),
    ]
    if equations := _equations(document):
        lines += [
            "# Which of these are definitions? Without the first # they count; delete their names above.",
            "# where:",
        ]
        lines += [f"#  - {equation}  # {source}" for equation, source in equations.items()]
    return "\n".join(lines) + "\n"


def _equations(document: Document) -> dict[str, str]:
    """What may define a name that nothing declares, with where that stands; that a bar is a mean is a habit."""
    found = {f"{name} = {text}": f"line {line}" for name, (text, line) in document.proposed.items()}
    for said in document.stated:
        for one in said.conditions or () if len(said.conditions or ()) == 1 else ():
            if isinstance(one, Relation) and one.op == "=" and isinstance(one.lhs, sp.Symbol):
                symbols = one.rhs.free_symbols
                unknown = one.lhs.name in document.guessed and symbols and one.lhs not in symbols
                if unknown and not members(one.rhs) and not {s.name for s in symbols} & document.opaque.keys():
                    found.setdefault(str(one), f"line {said.line}")
    return found | dict.fromkeys(_means(document), "guessed")


def _means(document: Document) -> Iterator[str]:
    """That a name with a bar is the mean of the members that sums of the text go over, all of one number."""
    claims = (r for chain in document.chains for step in chain.steps for r in step.claim)
    sums = {total for r in claims for side in (r.lhs, r.rhs) for total in side.atoms(sp.Sum)}
    over = [({(str(x.func), x.args[0]) for x in members(e.function)}, *e.limits[0]) for e in sums]
    for name in document.guessed:
        base = name.removeprefix("bar_")
        counts = {last for of, i, first, last in over if (base + MARK, i) in of and first == 1 and last.is_Symbol}
        if name != base and len(counts) == 1:
            yield f"{name} = 1/{(count := counts.pop())}*sum({base}_i, i, 1, {count})"
