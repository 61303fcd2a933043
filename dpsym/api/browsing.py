"""`browse` and `show`: the catalogue, by kind, notion and worth, and one entry in full."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dpsym.core.clocks import Work, keeping_time
from dpsym.rendering.answers import Answer, Shown

if TYPE_CHECKING:
    from dpsym.rendering.page import Page
    from dpsym.rendering.rows import Row


@dataclass(frozen=True, eq=False, repr=False)
class Listing(Answer):
    """Entries of the catalogue by kind.

    Attributes:
        kinds: the entries that were asked for, as rows.
        queries: whether they are what a query may speak of.
    """

    kinds: Mapping[str, Sequence[Row]]
    queries: bool = False

    @property
    def names(self) -> list[str]:
        """The ids of all of them."""
        return [row["id"] for row in self.rows]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One for each entry, for a data frame: kind, id, title, source, status, …"""
        return [{"kind": kind, **row} for kind, rows in self.to_dict().items() for row in rows]

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    @property
    def brief(self) -> str:
        """How many of each kind."""
        return ", ".join(f"{len(entries)} {kind}" for kind, entries in self.to_dict().items()) or "nothing"

    def to_dict(self) -> dict[str, Any]:
        """The document of the command."""
        if self.queries:
            from dpsym.rendering import words

            return {"queries": words.as_data()}
        from dpsym.rendering import rows

        return rows.as_data(self.kinds)

    def page(self) -> Page:
        """Tables, one for each kind."""
        if self.queries:
            from dpsym.rendering import words

            return words.page()
        from dpsym.rendering import rows

        return rows.page(self.kinds)

    def as_rows(self) -> list[Mapping[str, Any]]:
        """One for each entry."""
        return list(self.rows)


@keeping_time
def show(entry: object, *, time_limit: float = Work(30)) -> Shown:
    """Show an entry: statement, conditions, neighbours, source, proof, and what it is tighter than, and where.

    A statistic of queries, such as median, is shown with its sensitivity; a word or a symbol of the glossary, such as
    discharged or delta, with its meaning; the key of a work, such as DRS22, with what is taken from it.

    >>> import dpsym
    >>> dpsym.show("zcdp_to_approx")
    <zcdp_to_approx: zCDP implies approximate DP>

    Args:
        entry: its id, or the entry itself, as `dpsym.gaussian`; or a word, as a text.
        time_limit: for the sensitivities of a query, in seconds.

    Raises:
        UnknownEntry: naming the nearest.

    Command:
        dpsym show zcdp_to_approx
        dpsym show DRS22 --format bibtex
    """
    from dpsym.catalogue import UnknownEntry
    from dpsym.rendering import glossary, listing
    from dpsym.rendering.entries import OfEntry

    of = getattr(entry, "mechanism", getattr(entry, "definition", entry))  # at parameters of its own
    name = entry if isinstance(entry, str) else getattr(of, "id", str(entry))
    try:
        return OfEntry(listing.find(name))
    except UnknownEntry:
        from dpsym.queries.vocabulary import WORDS

        if name in WORDS:
            from dpsym.rendering import words

            return words.found(WORDS[name], time_limit)
        found = (find(name) for find in (glossary.find, listing.cited) if isinstance(entry, str))
        if (term := next((one for one in found if one is not None), None)) is None:
            raise
        return term


def browse(
    kind: str | None = None,
    *,
    from_: str | None = None,
    to: str | None = None,
    notion: str | None = None,
    status: str | None = None,
    remember: bool = False,
) -> Listing:
    """List the catalogue: definitions, mechanisms, theorems, results, claims; all, or one kind; or queries.

    >>> import dpsym
    >>> "zcdp_to_approx" in dpsym.browse("theorems", from_="zcdp", to="approx").names
    True

    Args:
        kind: one kind of entries, or `queries`.
        from_ (NOTION): theorems and results with a premise of this notion.
        to (NOTION): theorems that conclude this notion, and claims of it.
        notion (NOTION): whatever speaks of this notion.
        status (WORTH): what its proof is worth: `proved`, `certified`, or `cited`.
        remember: keep what was found in the user's folder, and take it from there.

    Raises:
        UnknownEntry: for a kind, a notion or a worth that there is not.

    Command:
        dpsym list --from zcdp --to approx
        dpsym list claims --notion gdp --status proved
        dpsym list queries
    """
    from dpsym.rendering import rows

    if kind in ("query", "queries") and not (from_ or to or notion or status):
        return Listing({}, queries=True)
    return Listing(rows.chosen(rows.Filter(kind, from_, to, notion, status), remember=remember))
