"""A page: what an answer says in words, formulas, tables and trees, written once and rendered in every format.

Mathematics is loaded by what holds some: a page of words needs none.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Literal, TypeAlias

from dpsym.core.rounding import decimal
from dpsym.core.verdicts import Enclosure, Verdict

if TYPE_CHECKING:
    import sympy as sp

    from dpsym.core.relations import Proposition
    from dpsym.statements import Guarantee

SIGNS = {"=": "=", "!=": r"\ne", "<": "<", "<=": r"\le", ">": ">", ">=": r"\ge"}
_ACCENTS = {"\u0301": "'", "\u0300": "`", "\u0308": '"', "\u0302": "^", "\u0303": "~", "\u030c": "v", "\u0327": "c"}
_LATEX_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{",
    "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "…": r"\dots{}", "→": r"$\to$", "∞": r"$\infty$",
    "ε": r"$\varepsilon$", "δ": r"$\delta$", "α": r"$\alpha$", "ρ": r"$\rho$", "μ": r"$\mu$",
    "σ": r"$\sigma$", "≤": r"$\le$", "≥": r"$\ge$", "<": r"$<$", ">": r"$>$", "|": r"$|$",
}  # fmt: skip
_MARKDOWN_SPECIAL = re.compile(r"([\\|*_`$<])")


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


@dataclass(frozen=True, slots=True)
class As:
    """What text says in words of its own, and every other format as the item."""

    text: str
    item: Item


Item: TypeAlias = "str | Verdict | sp.Basic | Proposition | Guarantee | Named | Between | As"


@dataclass(frozen=True, slots=True)
class Line:
    """A label and what it labels: words or formulas; in text one below the other, in columns."""

    label: str
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Says:
    """One line of words and formulas; `depth` is how far below the line before it belongs, `of` who alone shows it."""

    items: tuple[Item, ...]
    depth: int = 0
    of: Literal["all", "text", "others"] = "all"


@dataclass(frozen=True, slots=True)
class Table:
    """Columns under their heads."""

    heads: tuple[str, ...]
    rows: tuple[tuple[Item, ...], ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """A line, in a style of its own on a terminal, and what hangs below it."""

    items: tuple[Item, ...]
    style: str = ""
    below: tuple[Branch, ...] = ()


@dataclass(frozen=True, slots=True)
class Picture:
    """What only a browser shows: HTML, made when it is wanted; None where there is none."""

    draw: Callable[[], str | None]


Part: TypeAlias = "Line | Says | Table | Branch | Picture"


@dataclass(frozen=True, slots=True)
class Page:
    """A title, or none, and its parts; labels of nothing are left out.  Text leaves a `quiet` title out, too."""

    title: str
    parts: tuple[Part, ...]
    quiet: bool = False

    def __post_init__(self) -> None:
        kept = (one for one in self.parts if not isinstance(one, Line) or one.items)
        object.__setattr__(self, "parts", tuple(kept))

    @property
    def typeset(self) -> list[Part]:
        """The parts elsewhere than in text."""
        return [one for one in self.parts if not isinstance(one, Says) or (one.items and one.of != "text")]


def line(label: str, *items: Item) -> Line:
    """A labelled line."""
    return Line(label, items)


def says(*items: Item, depth: int = 0) -> Says:
    """One line of these."""
    return Says(items, depth)


def in_a_row(items: Iterable[Item]) -> tuple[Item, ...]:
    """The items with commas between them."""
    return tuple(one for item in items for one in (", ", item))[1:]


def lines(texts: Iterable[str]) -> tuple[Says, ...]:
    """A line of words for each; spaces before the words say how far below they belong."""
    return tuple(Says((t.lstrip(),), (len(t) - len(t.lstrip())) // 2) for t in texts)


def in_latex(item: Item) -> str:
    """The item as LaTeX for mathematics mode."""
    if isinstance(item, str | Verdict):
        return rf"\text{{{escaped(str(item))}}}"
    import sympy as sp

    from dpsym.core.relations import ForAll, IsInteger, Relation
    from dpsym.language.latex.writer import latex
    from dpsym.statements import Guarantee

    match item:
        case As():
            return in_latex(item.item)
        case Relation():
            return f"{latex(item.lhs)} {SIGNS[item.op]} {latex(item.rhs)}"
        case IsInteger():
            return rf"{latex(item.expression)} \in \mathbb{{Z}}"
        case ForAll():
            over = ", ".join(in_latex(c) for c in item.conditions or item.variables)
            return rf"{in_latex(item.relation)} \quad \text{{for all }} {over}"
        case Guarantee():
            return rf"\mathrm{{{escaped(item.definition.id)}}}\left({', '.join(map(latex, item.args))}\right)"
        case Between():
            low, high = (decimal(end).replace("Infinity", r"\infty") for end in (item.value.lower, item.value.upper))
            name = latex(sp.Symbol(item.name)) if item.name.isidentifier() else _named(item.name)
            return f"{name} = {low}" if low == high else rf"{low} \le {name} \le {high}"
        case Named():
            return f"{latex(sp.Symbol(item.name))} = {latex(item.value)}"
        case sp.Basic():
            return latex(item)
    return in_latex(str(item))


def _named(words: str) -> str:
    """A name of several words for mathematics mode, without dollar signs in it, which end a formula of Markdown."""
    parts = escaped(words).split("$")
    return "".join(part if number % 2 else rf"\text{{{part}}}" for number, part in enumerate(parts) if part)


def typeset(items: Sequence[Item], words: str) -> str:
    """Items one after the other, formulas between dollar signs; words as LaTeX or as Markdown has them."""
    write = escaped if words == "latex" else marked
    return "".join(write(str(one)) if isinstance(one, str | Verdict) else f"${in_latex(one)}$" for one in items)


def marked(text: str) -> str:
    """Words as Markdown has them."""
    return _MARKDOWN_SPECIAL.sub(r"\\\1", text)


def _in_a_row(items: Iterable[str]) -> str:
    """One after the other; a word that introduces what follows is not cut off from it."""
    return re.sub(r"(:|\bwhere); ", r"\1 ", "; ".join(items))


def as_markdown(pages: Iterable[Page]) -> str:
    """Headings, list items, tables, and formulas between dollar signs."""
    return "\n\n".join("\n".join(_markdown(page)) for page in pages)


def _markdown(page: Page) -> Iterable[str]:
    if page.title:
        yield from (f"## {page.title}", "")
    before: Part | None = None
    for part in page.typeset:
        if before is not None and (type(before) is not type(part) or isinstance(part, Table | Branch)):
            yield ""
        before = part
        match part:
            case Line():
                items = [item if isinstance(item, str) else typeset((item,), "markdown") for item in part.items]
                yield f"- **{part.label}** {_in_a_row(items)}"
            case Says():
                yield f"{'  ' * part.depth}- {typeset(part.items, 'markdown')}"
            case Table():
                yield f"| {' | '.join(map(_cell, part.heads))} |"
                yield f"|{'|'.join(' --- ' for _ in part.heads)}|"
                yield from (f"| {' | '.join(map(_cell, row))} |" for row in part.rows)
            case Branch():
                yield from (f"{'  ' * depth}- {typeset(one.items, 'markdown')}" for depth, one in flat(part))


def _cell(item: Item) -> str:
    return item.replace("|", r"\|") if isinstance(item, str) else typeset((item,), "markdown")


def flat(branch: Branch, depth: int = 0) -> Iterable[tuple[int, Branch]]:
    """The branches, each with how far below the root it is."""
    yield depth, branch
    for one in branch.below:
        yield from flat(one, depth + 1)


def as_latex(pages: Sequence[Page]) -> str:
    """A complete document that compiles with amsmath and amssymb alone."""
    body = [row for page in pages for row in _latex(page)]
    return "\n".join(
        [
            r"\documentclass{article}",
            r"\usepackage{amsmath, amssymb}",
            r"\begin{document}",
            *body,
            r"\end{document}",
        ]
    )


def _latex(page: Page) -> Iterable[str]:
    if page.title:
        yield rf"\subsection*{{{escaped(page.title)}}}"
    for kind, parts in groupby(page.typeset, type):
        labelled = kind is Line
        yield from [r"\begin{description}"] * labelled
        for part in parts:
            match part:
                case Line():
                    items = [typeset((item,), "latex") for item in part.items]
                    yield rf"\item[{{{escaped(part.label)}}}] {_in_a_row(items)}"
                case Says():
                    yield _latex_line(part.items, part.depth)
                case Table():
                    rows = (" & ".join(typeset((cell,), "latex") for cell in row) for row in (part.heads, *part.rows))
                    yield rf"\par\noindent\begin{{tabular}}{{{'l' * len(part.heads)}}}"
                    yield from (rf"{row} \\" for row in rows)
                    yield r"\end{tabular}"
                case Branch():
                    yield from (_latex_line(one.items, depth) for depth, one in flat(part))
        yield from [r"\end{description}"] * labelled


def _latex_line(items: Sequence[Item], depth: int) -> str:
    return rf"\par\noindent\hspace*{{{depth}em}}{typeset(items, 'latex')}"


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
