"""Small pieces of MyST Markdown: mathematics, badges, links between the pages of the catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import sympy as sp

from dpsym.core.relations import Proposition
from dpsym.core.verdicts import Verdict
from dpsym.entries.works import works
from dpsym.language.latex.writer import latex
from dpsym.rendering.bibtex import locator_status
from dpsym.rendering.page import in_latex
from dpsym.statements import Definition, Guarantee, Mechanism, Result, Source, Theorem

_SPECIAL = re.compile(r"([\\*_`$<>\[\]{}|#])")
_FOLDERS = ((Definition, "definitions"), (Mechanism, "mechanisms"), (Theorem, "theorems"), (Result, "results"))


def folder_of(entry: object) -> str:
    """Where the page of an entry lies, below catalogue/."""
    return next(folder for kind, folder in _FOLDERS if isinstance(entry, kind))


def text(words: str) -> str:
    """Words without markup."""
    return _SPECIAL.sub(r"\\\1", words)


def inline(item: object) -> str:
    """A formula in a sentence or in a cell of a table."""
    written = item if isinstance(item, str) else in_latex(item)  # type: ignore[arg-type]
    safe = written.replace("\\|", "\\Vert ").replace("|", "\\vert ")
    return f"${safe}$"


def display(rows: Sequence[str]) -> str:
    """Formulas on lines of their own, aligned where they have an `&`."""
    if len(rows) == 1 and "&" not in rows[0]:
        return f"$$\n{rows[0]}\n$$"
    body = " \\\\\n".join(rows)
    return f"$$\n\\begin{{aligned}}\n{body}\n\\end{{aligned}}\n$$"


def badge(verdict: Verdict | str) -> str:
    """A verdict in its colour."""
    return f"[{verdict}]{{.verdict .{verdict}}}"


def link(entry: Definition | Mechanism | Theorem | Result, label: str | None = None, home: str = "..") -> str:
    """A link from a page one folder below the catalogue (or from `home`)."""
    return f"[{label or f'`{entry.id}`'}]({home}/{folder_of(entry)}/{entry.id}.md)"


def cite(source: Source, home: str = "..") -> str:
    """The key, linked to the bibliography, the place in the work, and whether it has been verified."""
    return "; also ".join(_cited(place, home) for place in source.all)


def _cited(place: Source, home: str) -> str:
    linked = f"[{place.key}]({home}/bibliography.md#{place.key.lower()})" if place.key in works() else place.key
    known = locator_status(place)
    return f"{linked}{f', {text(place.locator)}' if place.locator else ''}{f' ({known})' if known else ''}"


def conditions(all_of: Iterable[Proposition]) -> str:
    """Conditions in a row."""
    return ", ".join(inline(c) for c in all_of)


def guarantee(of: Guarantee, lead: str = "", home: str = "..") -> Iterator[str]:
    """A sentence that starts with `lead` and names the notion; parameters that are mere names in it, formulas below."""
    plain, rows = budgets(of)
    at = f" at {', '.join(plain)}" if plain and rows else f" with {', '.join(plain)}" if plain else ""
    yield f"{lead}{link(of.definition, of.definition.title, home)}{at}{', where' if rows else ''}"
    if rows:
        yield display(rows)


def budgets(of: Guarantee) -> tuple[list[str], list[str]]:
    """The parameters that are names or numbers, as formulas in a sentence, and the others, as rows of a display."""
    plain, rows = [], []
    for parameter, value in of.bound.items():
        body = value.expr if isinstance(value, sp.Lambda) else value
        name = latex(parameter) if isinstance(parameter, sp.Symbol) else rf"{parameter}({latex(value.variables[0])})"
        if isinstance(parameter, sp.Symbol) and body != parameter and parameter in body.free_symbols:
            name += "'"  # not the one of the same name on the right
        if str(body) == str(parameter) or str(getattr(body, "func", "")) == str(parameter):
            plain.append(f"${name}$")
        elif body.is_Number or isinstance(body, sp.Symbol):
            plain.append(f"${name} = {latex(body)}$")
        else:
            rows.append(f"{name} &= {latex(body)}")
    return plain, [rows[0].replace("&=", "=")] if len(rows) == 1 else rows


def title(words: str) -> str:
    """As a heading: a capital first, unless a name such as zCDP or f-DP starts it."""
    return text(words[0].upper() + words[1:] if words[:2].islower() and words[:2].isalpha() else words)


def unsearched(body: str) -> str:
    """A part that the search passes over."""
    return f"::::{{container}} no-search\n{body}\n::::"


def folded(title: str, body: str, *, opened: bool = False) -> str:
    """A part that opens when asked."""
    return f"<details{' open' if opened else ''}>\n<summary>{title}</summary>\n\n{body}\n\n</details>"


def code(body: str, language: str) -> str:
    """A block to copy."""
    return f"```{language}\n{body.rstrip()}\n```"
