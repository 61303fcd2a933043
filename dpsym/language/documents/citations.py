r"""What words beside a step cite: a work of the catalogue, or one of the document's own bibliography.

``[Mir17, Proposition 3]`` and ``\cite[Lemma 2]{mironov}`` cite; what else stands in brackets, an interval or the
argument of an expectation, does not.
"""

from __future__ import annotations

import re
from collections.abc import Container
from typing import TYPE_CHECKING

from dpsym import catalogue
from dpsym.entries.works import OWN, works

if TYPE_CHECKING:
    from dpsym.language.documents.texts import Beside

_ENTRY = re.compile(r"\\bibitem\s*(?:\[[^\]\n]*\]\s*)?\{([^{},\s]+)\}|(?<![\w.])@[A-Za-z]+\s*\{\s*([^{},\s]+)\s*,")
_BIBLIOGRAPHY = re.compile(r"\\(?:bibliography|addbibresource)\s*\{([^{}]*)\}")
_CITING = re.compile(
    r"\\[a-zA-Z]*cite[a-z]*\*?\s*((?:\[[^\[\]]*\]\s*)*)\{(?P<keys>[^{}]*)\}|\[(?P<bracket>[^\[\]]+)\]", re.IGNORECASE
)
_LEMMAS = "docs/lemmas.md"  # what is proved beside the catalogue's own proofs
_SHORTEST = 3  # characters of a key in brackets: shorter ones are names


def keys(source: str, beside: Beside | None = None) -> frozenset[str]:
    r"""The keys of the document's bibliography: of ``\bibitem``, of BibTeX entries in it and in the files it names."""
    texts = [source]
    for match in _BIBLIOGRAPHY.finditer(source) if beside is not None else ():
        texts += [text for name in match[1].split(",") if (text := beside.bibliography(name.strip()))]  # type: ignore[union-attr]
    return frozenset(match[1] or match[2] for text in texts for match in _ENTRY.finditer(text))


def cited(text: str, own: Container[str] = ()) -> tuple[str | None, str | None]:
    """The theorem of the catalogue that the words name, and the work that they cite, with the place in it."""
    theorem = citation = None
    for match in _CITING.finditer(text):
        place = " ".join((match[1] or "").replace("[", " ").replace("]", " ").split())
        said = (match["bracket"] or "").strip().replace(r"\_", "_")
        first = said.partition(",")[0].strip().removeprefix("@")
        for key in (key.strip() for key in match["keys"].split(",")) if match["keys"] is not None else ():
            if _is_known(key, own):
                citation = citation or (f"{key}, {place}" if place else key)
        if first in catalogue.theorems():
            theorem = theorem or first
        elif first and len(first) >= _SHORTEST and _is_known(first, own):
            citation = citation or said.removeprefix("@")
    return theorem, citation


def _is_known(key: str, own: Container[str]) -> bool:
    return key in own or key == _LEMMAS or (key in OWN - {"given"}) or key in works()
