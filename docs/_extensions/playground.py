"""The playground in the site, and the links that lead to it, where `docs/_playground/build.py` has built it."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from pathlib import Path
from urllib.parse import urlencode

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

from dpsym import catalogue

sys.path.append(str(Path(__file__).parents[1] / "_playground"))
from build import ROOT, SITE, is_current

PAGE, FOLDER = "playground", "_playground"
_MARK = "<!-- playground -->"
_LIVE = f"""<div id="live-playground" data-home="{FOLDER}/"><p>This page needs a script. Without one:
<code>pip install .</code> in the repository, and <code>dpsym</code></p></div>
<link rel="stylesheet" href="{FOLDER}/page.css"><script type="module" src="{FOLDER}/page.js"></script>"""
_ABSENT = """:::{note}
It was not built into this site, which takes `python docs/_playground/build.py` before the site itself is built. On the
command line the same is asked by `dpsym check FILE`, `dpsym derive`, `dpsym account` and `dpsym prove`.
:::"""
_FILES = re.compile(r"[\w.]/|\.(?:md|tex|txt|json|csv|svg|pdf|png)$")
_ASKING = frozenset({"account", "derive", "evaluate", "list", "prove", "sensitivity", "show"})
_LOGGER = logging.getLogger(__name__)


@cache
def is_built() -> bool:
    """Whether it is there, made of what the repository holds now."""
    current = is_current()
    if not current and SITE.exists():
        _LOGGER.info("the playground was built from other sources, and is left out: python docs/_playground/build.py")
    return current


def address(state: Mapping[str, str], page: str) -> str:
    """The link from a page to the playground in this state."""
    return f"{'../' * page.count('/')}{PAGE}.html#{urlencode(state)}"


def state_of(command: str) -> dict[str, str] | None:
    """What shows a command in the playground; None for one that needs files, or is none of dpsym's."""
    try:
        program, verb, *rest = shlex.split(command)
    except ValueError:
        return None
    if program != "dpsym":
        return None
    if verb == "check" and len(rest) == 1 and rest[0] in _samples():
        return {"open": _samples()[rest[0]]}
    if verb not in _ASKING or any(_FILES.search(word) and " " not in word for word in rest):
        return None
    return {"run": command}


@cache
def _samples() -> dict[str, str]:
    """The samples and proofs that are files of the repository: what opens each."""
    stored = json.loads((SITE / "samples.json").read_text(encoding="utf-8"))["samples"]
    checked = {str(p.relative_to(ROOT)): p.stem for p in (ROOT / "tests" / "derivations").rglob("*") if p.is_file()}
    there = {one["id"] for one in stored}
    proofs = {f"proofs/{p.name}": p.stem for p in (ROOT / "proofs").iterdir() if p.suffix in {".md", ".tex", ".txt"}}
    return {name: stem for name, stem in checked.items() if stem in there} | proofs


def _link(states: list[dict[str, str]], page: str, words: str = "open in playground") -> nodes.raw:
    first, *others = (escape(address(state, page)) for state in states)
    links = [f'<a href="{first}">{words}</a>', *(f'<a href="{a}">{n}</a>' for n, a in enumerate(others, 2))]
    return nodes.raw("", f'<p class="in-playground no-search">{", ".join(links)}</p>', format="html")


def _linked(app: Sphinx, doctree: nodes.document, page: str) -> None:
    if app.builder.format != "html" or not is_built():
        return
    for block in list(doctree.findall(nodes.literal_block)):
        if block.get("language") == "console":
            commands = [line[2:] for line in block.astext().splitlines() if line.startswith("$ ")]
            if states := [state for state in map(state_of, commands) if state is not None]:
                block.parent.insert(block.parent.index(block) + 1, _link(states, page))
    for section, state, words in _of_entry(doctree, page):
        whole = section.parent is doctree  # a page opens with its sentence and its formula
        inner = section.first_child_matching_class(nodes.section)
        at = (
            (len(section) if inner is None else inner) if whole else section.first_child_matching_class(nodes.title) + 1
        )
        section.insert(at, _link([state], page, words))


def _of_entry(doctree: nodes.document, page: str) -> Iterator[tuple[nodes.section, dict[str, str], str]]:
    """The sections of an entry's page that get a link: the page itself, and what has a derivation file."""
    found = re.fullmatch(r"catalogue/(definitions|mechanisms|theorems|results)/(\w+)", page)
    if found is None or found[2] == "index":
        return
    kind, name = found.groups()
    sections = list(doctree.findall(nodes.section))
    verb = "derive" if kind == "mechanisms" else "show"
    yield sections[0], {"run": f"dpsym {verb} {name}"}, f"{verb} in playground"
    for section in sections[1:]:
        names = [*section.get("names", ()), *section.get("ids", ())]
        of = name if section.next_node(nodes.title).astext() == "Proof" else next(filter(_has_proof, names), None)
        if of is not None and _has_proof(of):
            yield section, {"open": of}, "check its proof in playground"


@cache
def _has_proof(name: str) -> bool:
    return name in catalogue.provable() and catalogue.proof_of(catalogue.provable()[name]) is not None


def _filled(_app: Sphinx, page: str, source: list[str]) -> None:
    if page == PAGE:
        live = f"```{{raw}} html\n{_LIVE}\n```"
        source[0] = source[0].replace(_MARK, live if is_built() else _ABSENT)


def _copied(app: Sphinx, error: Exception | None) -> None:
    """The files beside the page, none of them from before."""
    if error is None and app.builder.format == "html":
        shutil.rmtree(Path(app.outdir) / FOLDER, ignore_errors=True)
        if is_built():
            shutil.copytree(SITE, Path(app.outdir) / FOLDER)


def setup(app: Sphinx) -> Mapping[str, bool]:
    """Register it; pages are read anew once it is built, or is no longer what the repository holds."""
    app.add_config_value("playground_is_built", is_built(), "env", bool)
    app.connect("source-read", _filled)
    app.connect("doctree-resolved", _linked)
    app.connect("build-finished", _copied)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
