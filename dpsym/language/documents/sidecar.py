"""Declarations beside a paper, in `paper.dpsym.yaml`: proposed by `dpsym check --init`, corrected by its reader.

Lines as in a derivation's front matter.  A line that still ends in `# guessed` or `# read at line 12` says where it
comes from.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from dpsym.language.documents.derivation import Document
from dpsym.language.documents.front_matter import FrontMatter, read_front_matter
from dpsym.language.documents.guesses import Guess
from dpsym.language.documents.ranges import family_of, with_free_index
from dpsym.language.documents.texts import plain_text
from dpsym.language.errors import ReadingError

SUFFIX = ".dpsym.yaml"
LONGEST = 200_000  # characters
_MARK = re.compile(r"(?:^|\s)#.*?\b(?:guess\w*|read at line (?P<line>\d+))", re.IGNORECASE)


def beside(path: Path) -> Path:
    """The file of declarations that belongs to a document."""
    return path.with_name(path.stem + SUFFIX)


def read_sidecar(path: Path) -> tuple[FrontMatter, dict[str, Guess]]:
    """What is declared beside the document, and which declarations nobody has confirmed, by their text.

    Raises:
        ReadingError: with the line.
        OSError: where the file cannot be read.
    """
    if path.stat().st_size > LONGEST:
        raise ReadingError(f"{path} is too large")
    lines = plain_text(path.read_text(encoding="utf-8")).split("\n")
    front, _ = read_front_matter(["---", *lines, "---"])
    marks = {n: match for n, line in enumerate(lines, start=2) if (match := _MARK.search(line)) is not None}
    guesses = dict[str, Guess]()
    for declared in (front.let, front.where, front.assume):
        guesses |= {
            one.text: Guess(one.text, int(marks[one.line]["line"] or 0)) for one in declared if one.line in marks
        }
        declared[:] = [replace(one, line=0) for one in declared]
    return front, guesses


def proposed(name: str, document: Document) -> str:
    """The text of a file of declarations for the document of that name."""
    guesses = [guess for one, guess in document.guessed.items() if family_of(one) not in document.guessed]
    said = {guess: with_free_index(guess.declaration, document.names) for guess in guesses}
    lines = [
        f"# What {name} leaves unsaid, as dpsym would read it.",
        "# Correct it; a line without a word after its # counts as yours.",
        "let:" if guesses else "let: []",
        *(f"  - {declaration}  # {guess.source}" for guess, declaration in said.items()),
    ]
    if document.proposed:
        lines += ["# Which of these are definitions? Without the first # they count.", "# where:"]
        lines += [f"#  - {name} = {text}  # line {line}" for name, (text, line) in document.proposed.items()]
    return "\n".join(lines) + "\n"
