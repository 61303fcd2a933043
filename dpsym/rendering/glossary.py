"""What a word of the glossary means: the paragraph of docs/glossary.md that explains it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from dpsym.entries.works import works
from dpsym.rendering import bibtex
from dpsym.rendering.answers import Shown
from dpsym.rendering.page import Page, escaped, says

_TERM = re.compile(r"\*\*(?P<names>[^*]+?)\.?\*\*")
_ALSO = re.compile(r"\s*<!-- (?:also|only): (?P<names>[^>]*) -->")
_ASIDE = re.compile(r"\s*\(\[guide\]\([^)]*\)\)")  # on which page
_MARKS = re.compile(r"\*\*?([^*]+)\*\*?|`([^`]+)`|\[([^]]+)\]\([^)]*\)")


@dataclass(frozen=True, eq=False, repr=False)
class Term(Shown):
    """A word of the field as dpsym uses it, and what it means, in plain words."""

    entry = None

    name: str
    means: str

    @property
    def word(self) -> Term:
        """Itself."""
        return self

    def page(self) -> Page:
        """One line."""
        return Page("", (says(f"{self.name}: {self.means}"),))

    @property
    def brief(self) -> str:
        """The word."""
        return self.name

    def written(self, form: str) -> str:
        """For a document; a work as BibTeX."""
        if form == "bibtex" and self.name in works():
            return bibtex.entry(self.name, works()[self.name])
        if form == "latex":
            return rf"\textbf{{{escaped(self.name)}.}} {escaped(self.means)}"
        return super().written(form)

    def to_dict(self) -> dict[str, Any]:
        """For programs."""
        return {"term": self.name, "means": self.means}


def find(word: str) -> Term | None:
    """The term that is called so, in any case; None where there is none."""
    return _terms().get(_key(word))


def names() -> list[str]:
    """The words that are explained."""
    return sorted({term.name for term in _terms().values()})


@cache
def _terms() -> dict[str, Term]:
    package = Path(__file__).parent.parent
    pages = [package / "_glossary.md", package.parent / "docs" / "glossary.md"]  # installed, or a checkout
    text = next((page.read_text(encoding="utf-8") for page in pages if page.is_file()), "")
    found: dict[str, Term] = {}
    for paragraph in text.split("\n\n"):
        also = _ALSO.search(paragraph)
        plain = _ASIDE.sub("", _ALSO.sub("", paragraph))
        names = [name.strip() for term in _TERM.finditer(plain) for name in _apart(term["names"])]
        if not names or not plain.startswith("**"):
            continue
        means = " ".join(_MARKS.sub(lambda m: m[1] or m[2] or m[3], plain[plain.index("**", 2) + 2 :]).split())
        for name in [*names, *([] if also is None else map(str.strip, also["names"].split(",")))]:
            found.setdefault(_key(name), Term(names[0], means))
    return found


def _apart(names: str) -> list[str]:
    """Names between commas that no bracket holds."""
    return re.split(r",\s*(?![^()]*\))", names)


def _key(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.casefold())
