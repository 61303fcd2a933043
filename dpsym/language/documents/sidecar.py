"""Declarations beside a paper, in `paper.dpsym.yaml`: proposed by `dpsym check --init`, corrected by its reader.

Lines as in a derivation's front matter.  A line that still ends in `# guessed` or `# read at line 12` says where it
comes from.
"""

from __future__ import annotations

import re
from pathlib import Path

from dpsym.language.documents.derivation import Document
from dpsym.language.documents.front_matter import FrontMatter, read_front_matter
from dpsym.language.documents.guesses import Guess
from dpsym.language.errors import ReadingError

SUFFIX = ".dpsym.yaml"
LONGEST = 200_000  # characters
_MARK = re.compile(r"^\s*-\s*(?P<said>[^#]*?)\s*#\s*(?:guessed|read at line (?P<line>\d+))\s*$")


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
    lines = path.read_text(encoding="utf-8").splitlines()
    front, _ = read_front_matter(["---", *lines, "---"])
    for declared in (front.let, front.where, front.assume):
        declared[:] = [type(line)(line.text, 0) for line in declared]
    marks = (match for line in lines if (match := _MARK.match(line)) is not None)
    return front, {m["said"]: Guess(m["said"], int(m["line"] or 0)) for m in marks}


def proposed(name: str, document: Document) -> str:
    """The text of a file of declarations for the document of that name."""
    guesses = document.guessed.values()
    lines = [
        f"# What {name} leaves unsaid, as dpsym would read it.",
        "# Correct it; a line without a word after its # counts as yours.",
        "let:" if guesses else "let: []",
        *(f"  - {guess.declaration}  # {guess.source}" for guess in guesses),
    ]
    if document.proposed:
        lines += ["# Which of these are definitions? Without the first # they count.", "# where:"]
        lines += [f"#  - {name} = {text}  # line {line}" for name, (text, line) in document.proposed.items()]
    return "\n".join(lines) + "\n"
