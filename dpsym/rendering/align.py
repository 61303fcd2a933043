r"""A derivation as an `align*` environment to paste into a paper, with reasons and citations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import sympy as sp

from dpsym.deriving import Fact
from dpsym.deriving.fact import Step
from dpsym.language.latex.writer import latex
from dpsym.rendering.bibtex import as_bibtex, cite
from dpsym.rendering.page import Item, Named, escaped, in_latex
from dpsym.statements import Guarantee, Source

_SILENT: dict[str, str] = {
    Step.GIVEN: "given",
    Step.OPTIMISE: "at the best order",
    Step.INVERSION: "solved",
    Step.CHOICE: "chosen",
}


def rows(fact: Fact, names: Mapping[sp.Basic, sp.Symbol] | None = None) -> Iterator[tuple[Guarantee | Named, str]]:
    """Each step's guarantee with its reason, the first step first; what has a name is said once."""
    said: Guarantee | None = None
    for step in fact.lineage():
        reason = escaped(_SILENT.get(step.rule, step.rule.replace("_", " ")))
        reason = because(f"{reason} {cite(step.source)}" if step.source is not None else reason)
        called = {v: s for v, s in (names or {}).items() if v not in step.guarantee.args}
        args = tuple(arg.xreplace(called) for arg in step.guarantee.args)
        now = Guarantee(step.guarantee.definition, args)
        chosen = [Named(str(called[v]), v) for _, v in step.choices if v in called]
        if now != said or not chosen:
            yield now, reason
        yield from ((item, reason) for item in chosen)
        said = now


def because(reason: str, case: Iterable[Item] = ()) -> str:
    """The words beside a formula, and in which case it holds: as mathematics, since no `$` stands within a display."""
    holds = ", ".join(in_latex(c) for c in case)
    return rf"\text{{{reason}}}" + (rf"\text{{, where }}{holds}" if holds else "")


def fragment(steps: Iterable[tuple[Guarantee | Named, str]]) -> str:
    """The environment: a notion and a parameter with its value on each line, then `because`; needs amsmath."""
    lines = []
    for guarantee, reason in steps:
        if isinstance(guarantee, Named):
            lines.append(rf"\text{{where}} && {latex(sp.Symbol(guarantee.name))} &= {latex(guarantee.value)}"
                         rf" && {reason}")  # fmt: skip
            continue
        notion = rf"\text{{{escaped(guarantee.definition.id)}:}}"
        values = list(_values(guarantee)) or [f"& {in_latex(guarantee)}"]
        for number, value in enumerate(values):
            said = f" && {reason}" if number == 0 else ""
            lines.append(rf"{notion if number == 0 else ''} && {value}{said}")
    body = " \\\\\n  ".join(lines)
    return f"\\begin{{align*}}\n  {body}\n\\end{{align*}}"


def _values(guarantee: Guarantee) -> Iterator[str]:
    for parameter, value in guarantee.bound.items():
        body = value.expr if isinstance(value, sp.Lambda) else value
        if str(body) != str(parameter):
            name = latex(parameter) if isinstance(parameter, sp.Symbol) else str(parameter)
            name += "'" if parameter in body.free_symbols else ""  # not the one of the same name on the right
            argument = rf"\left({latex(value.variables[0])}\right)" if isinstance(value, sp.Lambda) else ""
            yield rf"{name}{argument} &= {latex(body)}"


def conditions(by_label: Mapping[str, Iterable[Item]]) -> str:
    """The sentences below the environment without which its formulas say too much."""
    sentences = []
    for label, items in by_label.items():
        said = ", ".join(escaped(i) if isinstance(i, str) else f"${in_latex(i)}$" for i in items)
        if said:
            sentences.append(f"{escaped(label[:1].upper() + label[1:])}: {said}.")
    return rf"\noindent {' '.join(sentences)}" if sentences else ""


def with_sources(text: str, sources: Iterable[Source]) -> str:
    """The text with the BibTeX of its sources below, commented out so that both can be pasted together."""
    bibliography = as_bibtex(sources)
    below = "\n".join(f"% {line}".rstrip() for line in bibliography.splitlines())
    return f"{text}\n\n{below}" if below else text
