r"""A derivation as an `align*` environment to paste into a paper, with reasons and citations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import sympy as sp

from dpsym.deriving import Fact
from dpsym.deriving.fact import Step
from dpsym.rendering.bibtex import as_bibtex, cite
from dpsym.rendering.latex import latex
from dpsym.rendering.page import escaped, in_latex
from dpsym.statements import Guarantee, Source

_SILENT: dict[str, str] = {
    Step.GIVEN: "given",
    Step.OPTIMISE: "at the best order",
    Step.INVERSION: "solved",
    Step.CHOICE: "chosen",
}


def rows(fact: Fact) -> Iterator[tuple[Guarantee, str]]:
    """Each step's guarantee with its reason, the first step first."""
    for step in fact.lineage():
        reason = _SILENT.get(step.rule, step.rule.replace("_", " "))
        yield step.guarantee, f"{escaped(reason)} {cite(step.source)}" if step.source is not None else escaped(reason)


def fragment(steps: Iterable[tuple[Guarantee, str]]) -> str:
    """The environment: a notion and a parameter with its value on each line; needs amsmath."""
    lines = []
    for guarantee, reason in steps:
        notion = rf"\text{{{escaped(guarantee.definition.id)}:}}"
        values = list(_values(guarantee)) or [f"& {in_latex(guarantee)}"]
        for number, value in enumerate(values):
            said = rf" && \text{{{reason}}}" if number == 0 else ""
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


def with_sources(text: str, sources: Iterable[Source]) -> str:
    """The text with the BibTeX of its sources below, commented out so that both can be pasted together."""
    bibliography = as_bibtex(sources)
    below = "\n".join(f"% {line}".rstrip() for line in bibliography.splitlines())
    return f"{text}\n\n{below}" if below else text
