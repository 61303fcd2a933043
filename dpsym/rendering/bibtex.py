"""The works behind statements, as BibTeX."""

from __future__ import annotations

from collections.abc import Iterable

from dpsym.entries.works import Work, works
from dpsym.rendering.page import accented
from dpsym.statements import Source

_LETTERS = {
    "–": "--", "—": "---", "’": "'", "ø": r"{\o}", "ł": r"{\l}", "ß": r"{\ss}", "&": r"\&", "%": r"\%", "_": r"\_",
    "#": r"\#", "$": r"\$", "^": r"\^{}", "~": r"\~{}", "δ": r"$\delta$", "ε": r"$\varepsilon$",
}  # fmt: skip
_VENUES = {"article": "journal", "inproceedings": "booktitle", "incollection": "booktitle"}


def as_bibtex(sources: Iterable[Source]) -> str:
    """One entry for each work that the sources name, in the order of first use; other keys are left out."""
    keys = dict.fromkeys(place.key for s in sources for place in s.all if place.key in works())
    return "\n\n".join(entry(key, works()[key]) for key in keys)


def entry(key: str, work: Work) -> str:
    """The work as one BibTeX entry."""
    fields = {
        "author": " and ".join(map(in_tex, work.authors)),
        "title": f"{{{in_tex(work.title)}}}",
        _VENUES.get(work.kind, "howpublished"): in_tex(work.venue),
        "year": str(work.year),
        "url": work.url,
    }
    if work.venue == work.url:
        fields.pop("howpublished", None)
    rows = [f"  {name} = {{{value}}}" for name, value in fields.items() if value]
    return f"@{work.kind}{{{key},\n" + ",\n".join(rows) + "\n}"


def cite(source: Source) -> str:
    r"""`\cite[locator]{key}` for each work of the bibliography, the words themselves otherwise."""
    return "; also ".join(map(_cite, source.all))


def _cite(place: Source) -> str:
    if place.key not in works():
        return in_tex(f"{place.key}, {place.locator}" if place.locator else place.key)
    return rf"\cite{f'[{{{in_tex(place.locator)}}}]' if place.locator else ''}{{{place.key}}}"


def locator_verified(source: Source) -> bool | None:
    """Whether somebody has read the statement at that place; None for what is said here and not in a work."""
    return source.verified if source.key in works() else None


def locator_status(source: Source) -> str:
    """The same in words, none for what is said here."""
    if source.key not in works():
        return ""
    if not source.locator:
        return "no locator"
    return "locator verified" if source.verified else "locator not verified"


def in_tex(words: str) -> str:
    """Words with accents and special signs as TeX has always read them."""
    return "".join(_LETTERS.get(sign) or accented(sign) for sign in words)
