"""The works behind statements, as BibTeX."""

from __future__ import annotations

import re
from collections.abc import Iterable

from dpsym.entries.works import WORKS, Work
from dpsym.rendering.page import accented
from dpsym.statements import Source

_LETTERS = {
    "–": "--", "—": "---", "’": "'", "ø": r"{\o}", "ł": r"{\l}", "ß": r"{\ss}", "&": r"\&", "%": r"\%", "_": r"\_",
    "#": r"\#", "$": r"\$", "^": r"\^{}", "~": r"\~{}", "δ": r"$\delta$", "ε": r"$\varepsilon$",
}  # fmt: skip
_VENUES = {"article": "journal", "inproceedings": "booktitle", "incollection": "booktitle"}


def as_bibtex(sources: Iterable[Source]) -> str:
    """One entry for each work that the sources name, in the order of first use; other keys are left out."""
    keys = dict.fromkeys(s.key for s in sources if s.key in WORKS)
    return "\n\n".join(entry(key, WORKS[key]) for key in keys)


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
    r"""`\cite[locator]{key}` for a work of the bibliography, the words themselves otherwise."""
    locator = re.sub(r"\s*\(?unverified locators?\)?", "", source.locator).strip(" ,;")
    if source.key not in WORKS:
        return in_tex(str(source))
    return rf"\cite[{{{in_tex(locator)}}}]{{{source.key}}}" if locator else rf"\cite{{{source.key}}}"


def in_tex(words: str) -> str:
    """Words with accents and special signs as TeX has always read them."""
    return "".join(_LETTERS.get(sign) or accented(sign) for sign in words)
