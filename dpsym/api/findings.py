"""What was found of each of several files or entries, as one answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dpsym.rendering.answers import DONE, REFUTED, Answer, plain_page

if TYPE_CHECKING:
    from dpsym.rendering.page import Page


@dataclass(frozen=True, eq=False, repr=False)
class Findings(Answer):
    """Findings, each with its document.

    Attributes:
        found: the documents.
        said: the same in words, line by line.
        status: the exit status of the command.
        alone: whether the document of a single one is the answer's, and no list of it.
    """

    found: tuple[dict[str, Any], ...]
    said: tuple[str, ...]
    status: int = DONE
    alone: bool = False

    @property
    def files(self) -> tuple[dict[str, Any], ...]:
        """The documents, where they are of files that were written."""
        return self.found

    @property
    def failed(self) -> bool:
        """Whether some file is no proof, or is worth something else than recorded."""
        return self.status == REFUTED

    def to_dict(self) -> Any:
        """The document of the command."""
        return self.found[0] if self.alone and len(self.found) == 1 else list(self.found)

    def page(self) -> Page:
        """The lines."""
        return plain_page(*self.said)
