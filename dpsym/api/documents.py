"""`read`: what is read of a paper, before anything of it is checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpsym.api.reading import in_time, texts
from dpsym.core.clocks import Work, keeping_time
from dpsym.rendering.answers import Answer

if TYPE_CHECKING:
    from dpsym.language.documents.derivation import Document, Stated
    from dpsym.rendering.page import Page


@dataclass(frozen=True, eq=False, repr=False)
class ReadDocument(Answer):
    """The derivation in a document.

    Attributes:
        document: its declarations and its steps.
        unused: what its prose says of names, which is not used.
    """

    document: Document
    unused: Sequence[Stated]

    def to_dict(self) -> dict[str, Any]:
        """The document of the command."""
        from dpsym.rendering import derivation

        return derivation.as_data(self.document, self.unused)

    def page(self) -> Page:
        """A file that `dpsym check` takes, line by line."""
        from dpsym.rendering.derivation import as_plain
        from dpsym.rendering.page import Page, lines

        return Page("", lines(as_plain(self.document, self.unused).split("\n")))


@keeping_time
def read(
    file: str | Path,
    *,
    let: str | Iterable[str] = (),
    where: str | Iterable[str] = (),
    assume: str | Iterable[str] = (),
    inline: bool = False,
    fences: bool = False,
    time_limit: float = Work(60),
) -> ReadDocument:
    """Print the derivation that `dpsym check` checks, as a file in plain notation: names, conditions, a step a line.

    Guesses, and parts that were not read, are marked.

    Args:
        file (FILE): the paper, its kind by its suffix.
        let (COND): a further name with its domain: "rho > 0".
        where (NAME=EXPR): a further abbreviation.
        assume (COND): a further condition.
        inline: also chains such as $a = b <= c$ in lines of prose.
        fences: also formulas in plain notation in the code fences of Markdown.
        time_limit: for all of it, in seconds.

    Command:
        dpsym read paper.tex

    Raises:
        ReadingError: where the document cannot be read; NotInTime: not within the limit.
        OSError: where the file cannot be opened.
    """
    from dpsym.checking.said import granted_nowhere, said_and_not_used
    from dpsym.language import read_path

    def work() -> ReadDocument:
        document = read_path(
            file, let=texts(let), where=texts(where), assume=texts(assume), inline=inline, fences=fences
        )
        return ReadDocument(document, granted_nowhere(said_and_not_used(document), document))

    return in_time(time_limit, work)
