"""Writes the pages of the catalogue, the bibliography and the pages made of files outside docs/ before Sphinx reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from sphinx.application import Sphinx

import api_pages
import comparisons
import entry_pages
import notebooks
import pictures
import route_map
from dpsym import catalogue
from dpsym.entries.works import works
from dpsym.rendering import entries
from dpsym.rendering.bibtex import entry as bibtex_of
from dpsym.rendering.listing import Kinds, kinds
from dpsym.rendering.runtime import runtime
from dpsym.statements import Mechanism, MechanismClaim, Theorem
from kernel_pages import developments
from writing import badge, code, folded, inline, link, text

_ROOT = Path(__file__).parents[2]
_NUMBERS, _THEOREM, _OTHERS = "<!-- numbers -->", "<!-- theorem -->", "<!-- other pages -->"
_SHOWN = "zcdp_to_approx"  # on the home page: short, used everywhere, and no line of it is obvious


def write_all(docs: Path) -> None:
    """Every generated page, below docs/catalogue."""
    folder = docs / "catalogue"
    beside = entry_pages.Beside(pictures.draw_all(docs / "catalogue" / "_pictures"), *comparisons.of_all())
    pages: dict[str, str] = {"index.md": _index(), "bibliography.md": _bibliography()}
    definitions, mechanisms, theorems = catalogue.definitions(), catalogue.mechanisms(), catalogue.theorems()
    pages["definitions/index.md"] = _section(
        "Notions of privacy", "What a guarantee can say of a mechanism.",
        (f"- {link(d, text(d.title))}: {inline(d.means)}" for d in definitions.values()), definitions,
    )  # fmt: skip
    pages["mechanisms/index.md"] = _section(
        "Mechanisms",
        "With the notions in which there is a closed form.",
        map(_mechanism_row, mechanisms.values()),
        mechanisms,
    )
    pages["theorems/index.md"] = _section(
        "Theorems", "What follows from a guarantee.", _theorems(theorems.values()), theorems
    )
    results = catalogue.results()
    pages["results/index.md"] = _section(
        "Results", "Relations between divergences, tails and errors that are no implication between guarantees.",
        (f"- {link(r, text(r.title))} {badge(catalogue.status(r))}: {inline(r.states)}" for r in results.values()),
        results,
    )  # fmt: skip
    for result in results.values():
        pages[f"results/{result.id}.md"] = entry_pages.result(result, beside)
    for entry in definitions.values():
        pages[f"definitions/{entry.id}.md"] = entry_pages.definition(entry, beside)
    for mechanism in mechanisms.values():
        pages[f"mechanisms/{mechanism.id}.md"] = entry_pages.mechanism(mechanism, beside)
    for theorem in theorems.values():
        pages[f"theorems/{theorem.id}.md"] = entry_pages.theorem(theorem, beside)
    pages["changes.md"] = _of_the_root("CHANGELOG.md")
    pages["contributing.md"] = _of_the_root("CONTRIBUTING.md")
    for language, ending in (("c", "c"), ("javascript", "js")):
        pages[f"_code/intervals.{ending}"] = runtime(language) + "\n"
    pages |= {f"_coq/{name}": content for name, content in developments().items()}
    write_pages(folder, pages)


def write_pages(folder: Path, pages: Mapping[str, str]) -> None:
    """Exactly these pages in the folder; what has not changed keeps its time."""
    apart = {"notebooks"}  # a folder with pages of its own
    for old in folder.rglob("*.md"):
        name = old.relative_to(folder).as_posix()
        if name not in pages and name.split("/")[0] not in apart:
            old.unlink()
    for name, content in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != content:
            path.write_text(content, encoding="utf-8")


def _index() -> str:
    parts = [
        "# The catalogue",
        f"{numbers()} Every page is written from the entry itself and from the recorded check of its proof.",
        "Badges say what an entry is worth: "
        f"{badge('proved')} every step of its derivation file is proved; {badge('certified')} ball arithmetic took"
        f" part; {badge('cited')} some step rests on the literature. More in [Trust](../trust.md).",
        "## Which notion reaches which",
        "Every arrow is a theorem, every circle a notion: click on either. Solid arrows are proved, dashed ones cited.",
        route_map.svg(),
        folded("The same as a table", "\n".join(route_map.table())),
        "## By notion",
        "\n".join(_by_notion()),
        _toctree("Catalogue", [*(f"{kind}/index" for kind in _shown()), "bibliography"]),
    ]
    return "\n\n".join(parts) + "\n"


def _section(title: str, intro: str, lines: Iterable[str], pages: Iterable[str]) -> str:
    return "\n\n".join([f"# {title}", intro, "\n".join(lines), _toctree(title, pages)]) + "\n"


def numbers() -> str:
    """How much there is, and how much of it is proved."""
    provable = catalogue.provable().values()
    worth = [str(catalogue.status(p)) for p in provable]
    kinds = {"notions of privacy": "definitions", "mechanisms": "mechanisms", "theorems": "theorems"}
    there = _shown()
    sizes = [f"{len(there[kind])} {words}" for words, kind in {**kinds, "other results": "results"}.items()]
    counts = f"{worth.count('proved')} are proved, {worth.count('certified')} certified, {worth.count('cited')} cited"
    return f"{', '.join(sizes)}; of {len(worth)} statements {counts}."


def _by_notion() -> Iterator[str]:
    for notion in catalogue.definitions().values():
        having = [
            link(m, text(m.id), ".")
            for m in catalogue.mechanisms().values()
            if any(c.guarantee.definition is notion for c in m.claims)
        ]
        start = [link(t, text(t.id), ".") for t in route_map.conversions() if t.premises[0].definition is notion]
        end = [link(t, text(t.id), ".") for t in route_map.conversions() if t.conclusion.definition is notion]
        yield f"- **{link(notion, text(notion.title), '.')}**"
        for label, found in (("closed forms for", having), ("follows by", end), ("leads on by", start)):
            if found:
                yield f"  - {label} {', '.join(found)}"


def _mechanism_row(mechanism: Mechanism) -> str:
    claims = [MechanismClaim(mechanism, c) for c in mechanism.claims]
    each = " · ".join(f"{text(c.claim.guarantee.definition.id)} {badge(catalogue.status(c))}" for c in claims)
    return f"- {link(mechanism, text(mechanism.title))}: {each}"


def _theorems(theorems: Iterable[Theorem]) -> Iterator[str]:
    by_setting: dict[str, list[Theorem]] = {}
    for theorem in theorems:
        by_setting.setdefault(theorem.setting.name.lower().replace("_", " "), []).append(theorem)
    titles = {"same": "conversion"}
    for setting, found in by_setting.items():
        yield f"\n## {titles.get(setting, setting).capitalize()}\n"
        for theorem in found:
            yield f"- {link(theorem, text(theorem.title))} {badge(catalogue.status(theorem))}"


def _write_notebooks(docs: Path) -> None:
    write_pages(docs / "catalogue" / "notebooks", notebooks.all_pages(docs / "notebooks"))


def _toctree(caption: str, pages: Iterable[str]) -> str:
    body = "\n".join(pages)
    return f"```{{toctree}}\n:hidden:\n:maxdepth: 1\n:caption: {caption}\n\n{body}\n```"


def _bibliography() -> str:
    parts = ["# Bibliography", "The works that statements are taken from, by their keys."]
    used = _uses()
    for key, work in sorted(works().items()):
        numbering = f" Numbers of theorems are those of the {text(work.numbering)} version." if work.numbering else ""
        address = f" <{work.url}>" if work.url else ""
        parts += [f"({key.lower()})=\n## {key}", f"{text(str(work))}{address}{numbering}"]
        if key in used:
            parts.append(f"Here: {', '.join(used[key])}")
        parts.append(folded("BibTeX", code(bibtex_of(key, work), "bibtex")))
    return "\n\n".join(parts) + "\n"


def _shown() -> Kinds:
    """Every kind of entry; claims are on the pages of their mechanisms."""
    return {kind: there for kind, there in kinds().items() if kind != "claims"}


def _uses() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for entry in (entry for kind in _shown().values() for entry in kind.values()):
        for key in dict.fromkeys(place.key for source in entries.sources_of(entry) for place in source.all):
            found.setdefault(key, []).append(link(entry, home="."))
    return found


def _of_the_root(name: str) -> str:
    """A file beside docs/, its links leading from where it now is."""
    content = (_ROOT / name).read_text(encoding="utf-8")
    content = re.sub(r"\]\(docs/", "](../", content)
    others = {"README.md": "../index.md", "CHANGELOG.md": "changes.md", "CONTRIBUTING.md": "contributing.md"}
    for file, page in others.items():
        content = content.replace(f"]({file})", f"]({page})")
    return re.sub(r"\[([^\]]*)\]\((?!https?:|\.\./|changes|contributing|#)[^)]*\)", r"\1", content)


def _fill(app: Sphinx, page: str, source: list[str]) -> None:
    """The numbers of the catalogue; on the home page also the pages that it does not name."""
    source[0] = source[0].replace(_NUMBERS, numbers())
    if page == "decisions/README":
        each = sorted(p.stem for p in (Path(app.srcdir) / "decisions").glob("[0-9]*.md"))
        source[0] += f"\n{_toctree('Decisions', each)}\n"
    if page == "index":
        source[0] = source[0].replace(_THEOREM, entry_pages.excerpt(catalogue.theorems()[_SHOWN], "catalogue"))
        named = set(re.findall(r"^(?:.*<)?([\w/-]+)>?$", source[0], re.MULTILINE))
        pages = sorted(p.stem for p in Path(app.srcdir).glob("*.md") if p.stem not in named | {"index"})
        source[0] = source[0].replace(_OTHERS, _toctree("More", pages) if pages else "")


def setup(app: Sphinx) -> Mapping[str, bool]:
    """Write the pages when the build starts."""
    app.connect("builder-inited", lambda built: write_all(Path(built.srcdir)))
    app.connect("builder-inited", lambda built: write_pages(Path(built.srcdir) / "api", api_pages.all_pages()))
    app.connect("builder-inited", lambda built: _write_notebooks(Path(built.srcdir)))
    app.connect("source-read", _fill)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
