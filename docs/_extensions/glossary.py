"""The first of each of the glossary's words on a page leads to what it means.

In docs/glossary.md a paragraph that starts with `**Term.**` or `**Term, other name.**` explains these.  A comment
`<!-- also: word, word -->` at its end names other forms in which it occurs, and `<!-- only: word( -->` all of them,
where the word itself is an everyday one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.nodes import make_refnode

_PAGE = "glossary"
_TERM = re.compile(r"^\*\*(?P<names>[^*]+)\.\*\*(?P<body>(?:(?!\n\n).)*)", re.MULTILINE | re.DOTALL)
_FORMS = re.compile(r"<!-- (?P<which>also|only): (?P<forms>[^>]*?) -->")
_SHUT = (nodes.reference, nodes.literal, nodes.math, nodes.title, nodes.raw)  # no link in these
_OUTPUT = re.compile(r'(?P<start><span class="go[^"]*">)(?P<said>.*?)(?=</span>)', re.DOTALL)


def anchor(name: str) -> str:
    """The place of a term on the page of the glossary."""
    return "term-" + re.sub(r"[^a-z0-9]+", "-", name.lower().replace("é", "e")).strip("-")


def _names(term: re.Match[str]) -> list[str]:
    return re.split(r", (?![^()]*\))", term["names"])


@cache
def terms(path: Path) -> Mapping[str, str]:
    """The forms of each word with the anchor of what it means; longer ones first, so that the whole of one is found."""
    found = {}
    for term in _TERM.finditer(path.read_text(encoding="utf-8")):
        names = _names(term)
        said = _FORMS.search(term["body"])
        others = [] if said is None else [form.strip() for form in said["forms"].split(",")]
        forms = others if said is not None and said["which"] == "only" else [*names, *others]
        found |= {form.lower(): anchor(names[0]) for form in forms if len(form) > 1}  # a letter is no word of a page
    return dict(sorted(found.items(), key=lambda pair: -len(pair[0])))


@cache
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    each = (re.escape(word) + (r"(?![\w-])" if word[-1].isalnum() else "") for word in words)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(each)})", re.IGNORECASE)


def _source(app: Sphinx) -> Path:
    return Path(app.srcdir) / f"{_PAGE}.md"


def _anchored(_app: Sphinx, page: str, source: list[str]) -> None:
    if page == _PAGE:
        source[0] = _TERM.sub(_found_by_name, source[0])


def _found_by_name(term: re.Match[str]) -> str:
    """The paragraph with an anchor, and with its names in the index, by which the search finds it."""
    names = _names(term)
    index = ", ".join(f"! {name.lower()}" for name in names if "," not in name)  # the main place of these words
    return f"```{{index}} {index}\n```\n\n({anchor(names[0])})=\n{term[0]}"


class Links(SphinxPostTransform):
    """In the prose of a page."""

    default_priority = 800

    def run(self, **_: Any) -> None:
        """Once for each term."""
        page = self.env.current_document.docname
        if page == _PAGE or page.startswith("api/"):
            return
        known = terms(_source(self.app))
        left = dict(known)
        for text in list(self.document.findall(nodes.Text)):
            if left and not _shut(text):
                parts = list(self._linked(text, page, left))
                if len(parts) > 1:
                    text.parent.replace(text, parts)

    def _linked(self, text: nodes.Text, page: str, left: dict[str, str]) -> Iterator[nodes.Node]:
        said, at = str(text), 0
        while left and (found := _pattern(tuple(left)).search(said, at)):
            place = left[found[0].lower()]
            for form in [form for form, where in left.items() if where == place]:
                del left[form]
            yield nodes.Text(said[at : found.start()])
            label = nodes.inline(found[0], found[0], classes=["term"])
            yield make_refnode(self.app.builder, page, _PAGE, place, label)
            at = found.end()
        yield nodes.Text(said[at:])


def _shut(text: nodes.Text) -> bool:
    node = text.parent
    while node is not None and not isinstance(node, nodes.paragraph | nodes.list_item):
        if isinstance(node, _SHUT) or "no-search" in getattr(node, "attributes", {}).get("classes", ()):
            return True
        node = node.parent
    return node is None or not isinstance(node, nodes.paragraph)


def _outputs(app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: object) -> None:
    """In what commands print."""
    body = context.get("body")
    if not body or page == _PAGE or page.startswith("api/"):
        return
    left = {escape(form): place for form, place in terms(_source(app)).items()}
    base = app.builder.get_relative_uri(page, _PAGE)

    def linked(word: re.Match[str]) -> str:
        place = left.get(word[0].lower())
        if place is None:
            return word[0]
        for form in [form for form, where in left.items() if where == place]:
            del left[form]
        return f'<a class="term" href="{base}#{place}">{word[0]}</a>'

    pattern = _pattern(tuple(left))
    context["body"] = _OUTPUT.sub(lambda m: m["start"] + pattern.sub(linked, m["said"]), body)


def setup(app: Sphinx) -> Mapping[str, bool]:
    """Anchors before the glossary is read, links when a page is written."""
    app.connect("source-read", _anchored)
    app.connect("html-page-context", _outputs)
    app.add_post_transform(Links)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
