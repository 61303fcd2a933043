"""Links of the pages as they are read in the repository, leading to the pages of the site."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sphinx.application import Sphinx

from dpsym import catalogue

_LINK = re.compile(r"\[(?P<text>[^\]]*)\]\((?P<up>(?:\.\./)+)(?P<target>[^)#\s]+)(?:#[^)]*)?\)")
_VERDICT = re.compile(r"\*\*(proved|certified|cited|supported|open|refuted|unreadable)\*\*")
_PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "catalogue/changes.md",
    "CONTRIBUTING.md": "catalogue/contributing.md",
}


def on_the_site(text: str, page: str) -> str:
    """The text of a page with links out of docs/ turned to where their targets are on the site, or into their words."""
    depth = page.count("/")
    home = "../" * depth

    def turned(link: re.Match[str]) -> str:
        if len(link["up"]) // 3 <= depth:
            return link[0]
        words, target = link["text"], link["target"]
        if proof := re.fullmatch(r"proofs/(\w+)\.(?:md|tex|txt)", target):
            place = page_of_proof(proof[1])
            return f"[{words}]({home}catalogue/{place})" if place else words
        return f"[{words}]({home}{_PAGES[target]})" if target in _PAGES else words

    return _LINK.sub(turned, text)


def page_of_proof(name: str) -> str | None:
    """Where a derivation file is shown, below catalogue/; None where it is not."""
    if name in catalogue.theorems():
        return f"theorems/{name}.md"
    if name in catalogue.results():
        return f"results/{name}.md"
    if name in catalogue.claims():
        return f"mechanisms/{catalogue.claims()[name].mechanism.id}.md#{name}"
    return None


def _read(_app: Sphinx, page: str, source: list[str]) -> None:
    if not page.startswith("catalogue/"):
        source[0] = _VERDICT.sub(r"[\1]{.verdict .\1}", on_the_site(source[0], page))


def setup(app: Sphinx) -> Mapping[str, bool]:
    """Before a page is read."""
    app.connect("source-read", _read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
