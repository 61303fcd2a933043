"""`browse` and `show`: the catalogue, by kind, notion and worth, and one entry in full."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dpsym.api.answers import DONE, Answer
from dpsym.core.clocks import Work, keeping_time

if TYPE_CHECKING:
    from dpsym.rendering.glossary import Term
    from dpsym.rendering.listing import Entry
    from dpsym.rendering.rows import Row
    from dpsym.rendering.words import Answered


@dataclass(frozen=True, eq=False, repr=False)
class Shown(Answer):
    """An entry of the catalogue, what a query may speak of, or a word of the glossary.

    Attributes:
        entry: the definition, mechanism, theorem, result or claim; None for a word.
        word: that word, with its sensitivities or with what it means.
    """

    entry: Entry | None
    word: Answered | Term | None = None

    @property
    def status(self) -> int:
        """0."""
        return DONE

    @property
    def brief(self) -> str:
        """Its id and title."""
        if self.word is not None:
            return self.word.brief
        return f"{self.entry.id}: {self.entry.title}" if self.entry is not None else ""

    def to_dict(self) -> dict[str, Any]:
        """The document of the command."""
        import json

        from dpsym.rendering import entries

        if self.word is not None:
            return self.word.data()
        assert self.entry is not None  # noqa: S101 - one of both is there
        found: dict[str, Any] = json.loads(entries.WRITERS["json"](self.entry))
        return found

    def written(self, form: str) -> str:
        """As `text`, `latex`, `align`, `bibtex`, `markdown`, `python`, `c`, `javascript` or `json`."""
        from dpsym.entries.works import works
        from dpsym.rendering import bibtex, data, entries

        if self.word is None:
            assert self.entry is not None  # noqa: S101 - one of both is there
            return entries.WRITERS[form](self.entry)
        if form == "json":
            return data.document(self.word.data())
        if form == "bibtex" and (work := works().get(self.word.brief)) is not None:
            return bibtex.entry(self.word.brief, work)
        return self.word.latex() if form == "latex" else self.word.text()

    def __str__(self) -> str:
        return self.written("text")

    def html(self) -> str | None:
        """Its lines, with formulas as a browser sets them."""
        if self.entry is None:
            return None
        from dpsym.rendering import entries, notebook

        return notebook.html(entries.page(self.entry))


@dataclass(frozen=True, eq=False, repr=False)
class Listing(Answer):
    """Entries of the catalogue by kind.

    Attributes:
        kinds: the entries that were asked for, as rows.
    """

    kinds: Mapping[str, Sequence[Row]]

    @property
    def names(self) -> list[str]:
        """The ids of all of them."""
        return [row.id for rows in self.kinds.values() for row in rows]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One for each entry, for a data frame: kind, id, title, source, status, …"""
        return [{"kind": kind, **row} for kind, rows in self.to_dict().items() for row in rows]

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    @property
    def status(self) -> int:
        """0."""
        return DONE

    @property
    def brief(self) -> str:
        """How many of each kind."""
        return ", ".join(f"{len(entries)} {kind}" for kind, entries in self.kinds.items()) or "nothing"

    def to_dict(self) -> dict[str, Any]:
        """The document of the command."""
        from dpsym.rendering import rows

        return rows.as_data(self.kinds)

    def __str__(self) -> str:
        from dpsym.rendering import rows

        return rows.as_table(self.kinds)


@keeping_time
def show(entry: object, *, time_limit: float = Work(30)) -> Shown:
    """An entry of the catalogue: statement, conditions, neighbours, source, proof, and what it is tighter than.

    >>> import dpsym
    >>> dpsym.show("zcdp_to_approx")
    <zcdp_to_approx: zCDP implies approximate DP>

    Args:
        entry: its id, or the entry itself, as `dpsym.gaussian`; or what a query may speak of, such as `"median"`, or
            a word or a symbol of the glossary, such as `"trade-off function"` or `"delta"`; or the key of a work, such
            as `"DRS22"`.
        time_limit: in seconds, for the sensitivities of a query.

    Raises:
        UnknownEntry: naming the nearest.
    """
    from dpsym.catalogue import UnknownEntry
    from dpsym.rendering import listing

    if not isinstance(entry, str):
        of = getattr(entry, "mechanism", getattr(entry, "definition", entry))  # at parameters of its own
        return Shown(listing.find(getattr(of, "id", str(entry))))
    try:
        return Shown(listing.find(entry))
    except UnknownEntry:
        from dpsym.queries.vocabulary import WORDS

        if entry in WORDS:
            from dpsym.rendering import words

            return Shown(None, words.found(WORDS[entry], time_limit))
        from dpsym.rendering import glossary

        if (term := glossary.find(entry) or listing.cited(entry)) is None:
            raise
        return Shown(None, term)


def browse(
    kind: str | None = None,
    *,
    from_: str | None = None,
    to: str | None = None,
    notion: str | None = None,
    status: str | None = None,
) -> Listing:
    """The catalogue, as `dpsym list` names it: definitions, mechanisms, theorems, results, claims; all, or one kind.

    >>> import dpsym
    >>> "zcdp_to_approx" in dpsym.browse("theorems", from_="zcdp", to="approx").names
    True

    Args:
        kind: one kind of entries.
        from_: a notion that a premise is of.
        to: a notion that is concluded, or claimed.
        notion: a notion that the entry speaks of, in whatever role.
        status: what its proof is worth: `proved`, `certified` or `cited`.

    Raises:
        UnknownEntry: for a kind, a notion or a worth that there is not.
    """
    return listed(kind, from_=from_, to=to, notion=notion, status=status)


def listed(
    kind: str | None = None,
    *,
    from_: str | None = None,
    to: str | None = None,
    notion: str | None = None,
    status: str | None = None,
    remember: bool = False,
) -> Listing:
    """What `browse` answers; with `remember` from the user's folder, where it is there."""
    from dpsym.rendering import rows

    return Listing(rows.chosen(rows.Filter(kind, from_, to, notion, status), remember=remember))
