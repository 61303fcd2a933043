"""Where a statement is from, and the error of one that is not well formed."""

from __future__ import annotations

from dataclasses import dataclass

from dpsym.core.display import short


class StatementError(ValueError):
    """A statement that is not well formed: a wrong number of parameters, an unbound symbol, not a value."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a statement is from: a key of the bibliography and a locator in that work ("": the work as a whole).

    Attributes:
        verified: somebody has read the statement at that place of the work.
        also: another place at which it stands, of another work.
    """

    key: str
    locator: str = ""
    verified: bool = False
    also: Source | None = None

    __repr__ = short

    def __str__(self) -> str:
        place = f"{self.key}, {self.locator}" if self.locator else self.key
        return place if self.also is None else f"{place}; also {self.also}"

    @property
    def all(self) -> tuple[Source, ...]:
        """This place, then the others at which the statement stands."""
        return (self, *(() if self.also is None else self.also.all))
