"""A page: a title and labelled lines of words and mathematics, written once and rendered in every format."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import sympy as sp

from dpsym.core.plain_printer import plain
from dpsym.core.relations import ForAll, IsInteger, Relation
from dpsym.core.rounding import decimal
from dpsym.core.verdicts import Enclosure
from dpsym.rendering.latex import latex
from dpsym.rendering.text import between
from dpsym.statements import Guarantee

SIGNS = {"=": "=", "!=": r"\ne", "<": "<", "<=": r"\le", ">": ">", ">=": r"\ge"}
_ACCENTS = {"\u0301": "'", "\u0300": "`", "\u0308": '"', "\u0302": "^", "\u0303": "~", "\u030c": "v", "\u0327": "c"}
_LATEX_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{",
    "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "…": r"\dots{}",
    "ε": r"$\varepsilon$", "δ": r"$\delta$", "α": r"$\alpha$", "ρ": r"$\rho$", "μ": r"$\mu$",
    "σ": r"$\sigma$", "≤": r"$\le$", "≥": r"$\ge$", "∞": r"$\infty$", "<": r"$<$", ">": r"$>$",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Named:
    """`name = value`."""

    name: str
    value: sp.Basic

    def with_names(self, names: Mapping[sp.Basic, sp.Symbol]) -> Named:
        """The same with some subexpressions called by name."""
        return Named(self.name, self.value.xreplace(dict(names)))


@dataclass(frozen=True, slots=True)
class Between:
    """A name with the decimals that enclose its value."""

    name: str
    value: Enclosure


Item: TypeAlias = str | sp.Basic | Relation | IsInteger | ForAll | Guarantee | Named | Between


@dataclass(frozen=True, slots=True)
class Line:
    """A label and what it labels: words or formulas."""

    label: str
    items: tuple[Item, ...]
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Page:
    """A title and its lines; lines without items are left out."""

    title: str
    lines: tuple[Line, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "lines", tuple(line for line in self.lines if line.items))


def line(label: str, *items: Item, depth: int = 0) -> Line:
    """A line of a page."""
    return Line(label, items, depth)


def in_plain(item: Item) -> str:
    """The item in the plain notation."""
    if isinstance(item, Between):
        return between(item.name, item.value)
    if isinstance(item, Named):
        return f"{item.name} = {plain(item.value)}"
    if isinstance(item, Guarantee):
        return f"{item.definition.id}({', '.join(map(plain, item.args))})"
    return plain(item) if isinstance(item, sp.Basic) else str(item)


def in_latex(item: Item) -> str:
    """The item as LaTeX for mathematics mode."""
    match item:
        case str():
            return rf"\text{{{escaped(item)}}}"
        case Relation():
            return f"{latex(item.lhs)} {SIGNS[item.op]} {latex(item.rhs)}"
        case IsInteger():
            return rf"{latex(item.expression)} \in \mathbb{{Z}}"
        case ForAll():
            over = ", ".join(in_latex(c) for c in item.conditions or item.variables)
            return rf"{in_latex(item.relation)} \quad \text{{for all }} {over}"
        case Guarantee():
            inside = ", ".join(latex(arg.expr if isinstance(arg, sp.Lambda) else arg) for arg in item.args)
            return rf"\mathrm{{{escaped(item.definition.id)}}}\left({inside}\right)"
        case Between():
            low, high = (decimal(end).replace("Infinity", r"\infty") for end in (item.value.lower, item.value.upper))
            name = latex(sp.Symbol(item.name))
            return f"{name} = {low}" if low == high else rf"{low} \le {name} \le {high}"
        case Named():
            value = item.value.expr if isinstance(item.value, sp.Lambda) else item.value
            return f"{latex(sp.Symbol(item.name))} = {latex(value)}"
    return latex(item.expr if isinstance(item, sp.Lambda) else item)


def as_text(page: Page) -> str:
    """Lines with aligned labels."""
    width = max((len(line.label) + 2 * line.depth for line in page.lines), default=0)
    rows = [page.title]
    for entry in page.lines:
        label = "  " * entry.depth + entry.label
        for number, item in enumerate(entry.items):
            rows.append(f"  {label if number == 0 else '':<{width}}  {in_plain(item)}")
    return "\n".join(rows)


def _in_a_row(items: Iterable[str]) -> str:
    """One after the other; a word that introduces what follows is not cut off from it."""
    return re.sub(r"(:|\bwhere); ", r"\1 ", "; ".join(items))


def as_markdown(pages: Iterable[Page]) -> str:
    """Headings, list items, and formulas between dollar signs."""
    blocks = []
    for page in pages:
        rows = [f"## {page.title}", ""]
        for entry in page.lines:
            indent = "  " * entry.depth
            items = [item if isinstance(item, str) else f"${in_latex(item)}$" for item in entry.items]
            rows.append(f"{indent}- **{entry.label}** {_in_a_row(items)}")
        blocks.append("\n".join(rows))
    return "\n\n".join(blocks)


def as_latex(pages: Sequence[Page]) -> str:
    """A complete document that compiles with amsmath and amssymb alone."""
    body = []
    for page in pages:
        body.append(rf"\subsection*{{{escaped(page.title)}}}")
        body.append(r"\begin{description}")
        for entry in page.lines:
            items = [escaped(item) if isinstance(item, str) else f"${in_latex(item)}$" for item in entry.items]
            body.append(rf"\item[{{{escaped(entry.label)}}}] {_in_a_row(items)}")
        body.append(r"\end{description}")
    return "\n".join(
        [
            r"\documentclass{article}",
            r"\usepackage{amsmath, amssymb}",
            r"\begin{document}",
            *body,
            r"\end{document}",
        ]
    )


def escaped(text: str) -> str:
    """Words as LaTeX text."""
    return "".join(_LATEX_SPECIAL.get(c) or accented(c) for c in text)


def accented(letter: str) -> str:
    """A letter with an accent as TeX has always read it; any other sign as it is."""
    parts = unicodedata.normalize("NFD", letter)
    if len(parts) != 2 or parts[1] not in _ACCENTS:
        return letter
    base, accent = parts[0], _ACCENTS[parts[1]]
    return rf"{{\{accent}{{{base}}}}}" if accent.isalpha() else rf"{{\{accent}{base}}}"
