"""Where a statement is from, and the error of one that is not well formed."""

from __future__ import annotations

from dataclasses import dataclass


class StatementError(ValueError):
    """A statement that is not well formed: a wrong number of parameters, an unbound symbol, not a value."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a statement is from: a key of the bibliography and a locator in that work ("": the work as a whole).

    Attributes:
        verified: somebody has read the statement at that place of the work.
    """

    key: str
    locator: str = ""
    verified: bool = False

    def __str__(self) -> str:
        return f"{self.key}, {self.locator}" if self.locator else self.key
