"""One page for each entry of the catalogue: nothing on it is written by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import sympy as sp

from dpsym import catalogue
from dpsym.core.distributions import Density, Distribution, Finite
from dpsym.core.verdicts import Verdict
from dpsym.rendering import entries, scalar
from dpsym.rendering.entries import Entry
from dpsym.rendering.latex import latex
from dpsym.rendering.page import in_latex
from dpsym.rendering.python_code import NoPythonCode
from dpsym.statements import Definition, Mechanism, MechanismClaim, Result, Theorem
from proof_pages import proof
from writing import badge, budgets, cite, code, conditions, display, folded, guarantee, inline, link, text, title

_ALONE = "---\norphan: true\n---\n\n"  # hundreds of pages are not for the sidebar; the indexes name them


@dataclass(frozen=True, slots=True)
class Beside:
    """What is computed once for all pages: pictures of an entry with their captions, and comparisons of theorems."""

    pictures: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)  # id -> (file, caption)
    tighter: Mapping[str, Sequence[str]] = field(default_factory=dict)  # id -> sentences


def definition(entry: Definition, beside: Beside) -> str:
    """A notion: its meaning, how it composes, which mechanisms have it, which theorems lead to and from it."""
    budgets = [f"- {inline(str_of(p))}: {how.name}" for p, how in entry.compose.items()]
    having = [
        f"- {link(m, m.title)}: {inline(c.guarantee)} {badge(catalogue.status(MechanismClaim(m, c)))}"
        for m in catalogue.mechanisms().values()
        for c in m.claims
        if c.guarantee.definition is entry
    ]
    start = [t for t in catalogue.theorems().values() if any(p.definition is entry for p in t.premises)]
    end = [t for t in catalogue.theorems().values() if t.conclusion.definition is entry and t not in start]
    parts = [
        f"# {title(entry.title)}",
        f"`{entry}` · definition · {cite(entry.source)}",
        "## Meaning",
        display([in_latex(entry.means)]),
        "$P$ and $Q$ are the output distributions on two neighbouring inputs, in both orders."
        + (f" It is stated for {conditions(entry.domain)}." if entry.domain else ""),
    ]
    if budgets:
        parts += ["## Composition", "Under adaptive composition:", "\n".join(budgets)]
    if having:
        parts += ["## Mechanisms that have it", "\n".join(having)]
    if end:
        parts += ["## Theorems that lead to it", "\n".join(map(_listed, end))]
    if start:
        parts += ["## Theorems that start from it", "\n".join(map(_listed, start))]
    return _page(parts, entry, beside)


def str_of(parameter: object) -> str:
    """A parameter as LaTeX."""
    return latex(parameter) if isinstance(parameter, sp.Symbol) else str(parameter)


def _listed(theorem: Theorem) -> str:
    return f"- {link(theorem, theorem.title)} {badge(catalogue.status(theorem))}"


def mechanism(entry: Mechanism, beside: Beside) -> str:
    """A mechanism: its output distributions, and every claim in closed form with its proof."""
    defaults = [f"{inline(p)} is {inline(v)} unless given" for p, v in entry.params.items() if v is not None]
    facts = [f"sensitivity: {text(entry.norm.value)}", f"neighbours: {text(entry.adjacency.value)}"]
    if entry.outputs is not None:
        facts.append(f"one pair stands for all neighbours: {text(entry.why_dominating)}")
    parts = [
        f"# {title(entry.title)}",
        f"`{entry}` · mechanism · {cite(entry.source)}",
        f"For {conditions(entry.domain)}" + (f" ({'; '.join(defaults)})" if defaults else "") + ":",
        *_outputs(entry),
        "\n".join(f"- {f}" for f in facts),
        "## Closed forms",
        "Each is an upper bound (a trade-off function: a lower bound). *Tight*: no smaller one is true.",
    ]
    for claim in entry.claims:
        stated = MechanismClaim(entry, claim)
        tight = " · tight" if claim.tight else ""
        parts += [
            f"({stated.id})=",
            f"### {title(claim.guarantee.definition.title)}",
            f"{badge(catalogue.status(stated))}{tight} · {link(claim.guarantee.definition)} · {cite(claim.source)}",
        ]
        at, rows = budgets(claim.guarantee)
        parts += [*([f"At {', '.join(at)}:"] if at and rows else at), *([display(rows)] if rows else [])]
        if claim.assume:
            parts.append(f"where {conditions(claim.assume)}.")
        parts += _proof(stated)
    return _page(parts, entry, beside)


def _outputs(entry: Mechanism) -> Iterator[str]:
    if entry.description:
        yield text(entry.description)
    if entry.outputs is not None:
        yield "## Output distributions"
        yield from _pair(entry.outputs)
    for instance in entry.instances:
        where = f", for {conditions(instance.over)}" if instance.over else ""
        yield f"On {text(instance.what)}{where}:"
        yield from _pair(instance.outputs)


def _pair(outputs: tuple[Distribution, Distribution]) -> Iterator[str]:
    for name, output in zip("PQ", outputs, strict=True):
        if isinstance(output, Finite):
            rows = [
                f"{inline(p)}" + ("" if m == 1 else f" for each of {inline(m)} outcomes")
                for p, m in zip(output.probabilities, output.multiplicities, strict=True)
            ]
            yield f"${name}$ has the probabilities {', '.join(rows)}."
        else:
            kind = "density" if isinstance(output, Density) else "mass"
            yield f"${name}$ has the {kind}, in {inline(output.variable)},"
            yield display([latex(output.expression)])


def theorem(entry: Theorem, beside: Beside) -> str:
    """A theorem: statement, conditions, source, proof, what it improves on, code."""
    worth = catalogue.status(entry)
    parts = [f"# {title(entry.title)}", f"{badge(worth)} `{entry.id}` · theorem · {cite(entry.source)}", "## Statement"]
    for number, premise in enumerate(entry.premises):
        parts += guarantee(premise, "and " if number else "If $M$ satisfies ")
    where = f", for {conditions(entry.conditions)}," if entry.conditions else ""
    parts += guarantee(entry.conclusion, f"then{where} {text(entry.setting.value)} satisfies ")
    facts = []
    if entry.chooses:
        facts.append(f"free to choose: {', '.join(map(inline, entry.chooses))}")
    facts.append(f"neighbours: {text(entry.adjacency.value)}")
    if entry.exact:
        facts.append("loses nothing: where the premise says all there is to say, nothing better of this kind is true")
    parts.append("\n".join(f"- {f}" for f in facts))
    parts += _beside_others(entry, beside)
    parts += ["## Proof", *_proof(entry, opened=True)]
    return _page(parts, entry, beside)


def result(entry: Result, beside: Beside) -> str:
    """A relation of the field: what it says, of which distributions, where it is tight, its proof."""
    worth = catalogue.status(entry)
    parts = [f"# {title(entry.title)}", f"{badge(worth)} `{entry.id}` · result · {cite(entry.source)}", "## Statement"]
    for number, premise in enumerate(entry.premises):
        parts += guarantee(premise, "and " if number else "If $M$ satisfies ")
    parts.append(display([in_latex(entry.states)]))
    if entry.conditions:
        parts.append(f"for {conditions(entry.conditions)}.")
    facts = [text(said) for said in entries.described(entry)]
    facts += [text(entry.remark)] if entry.remark else []
    if entry.tight:
        facts.append(f"tight{f': {text(entry.tightness)}' if entry.tightness else ''}")
    parts.append("\n".join(f"- {f}" for f in facts))
    parts += _beside_others(entry, beside)
    parts += ["## Proof", *_proof(entry, opened=True)]
    return _page(parts, entry, beside)


def _beside_others(entry: Entry, beside: Beside) -> list[str]:
    said = beside.tighter.get(entry.id, ())
    return ["## Beside others", "\n".join(f"- {s}" for s in said)] if said else []


def _proof(of: Theorem | MechanismClaim | Result, *, opened: bool = False) -> Iterator[str]:
    record, file = catalogue.record_of(of), catalogue.proof_of(of)
    worth = catalogue.status(of)
    if file is None:
        yield f"There is no derivation file: taken from {cite(of.source)}."
        return
    if record is None:
        yield "Its derivation file has not been checked as it stands; until then it is taken from its source."
    else:
        said = {
            Verdict.PROVED: "Every step is proved.",
            Verdict.CERTIFIED: "Every step is proved or certified by ball arithmetic.",
        }.get(worth, "Some steps rest on the literature, or on theorems that do.")
        uses = [link(catalogue.theorems()[u]) for u in record.uses if u in catalogue.theorems()]
        rests = f" It uses {', '.join(uses)}." if uses else ""
        yield f"{said}{rests} Check it again: `dpsym proofs --check {of.id}`."
    body = proof(file, record, level=3 if opened else 4)
    yield body if opened else folded(f"Proof ({worth})", body)


def _page(parts: list[str], entry: Entry, beside: Beside) -> str:
    pictures = [
        f"![{caption}](../_pictures/{file})\n\n*{caption}*" for file, caption in beside.pictures.get(entry.id, ())
    ]
    if pictures:
        parts += ["## Pictures", *pictures]
    parts += ["## To copy", *_to_copy(entry)]
    return _ALONE + "\n\n".join(parts) + "\n"


def _to_copy(entry: Entry) -> Iterator[str]:
    yield code(f"$ dpsym show {entry.id}", "console")
    if isinstance(entry, Mechanism):
        arguments = ", ".join(map(str, entry.params))
        yield code(f'$ dpsym derive "{entry.id}({arguments})"', "console")
    for language, name, ending in (("python", "Python", "py"), ("c", "C", "c"), ("javascript", "JavaScript", "js")):
        try:
            if language == "python":
                written, operations = entries.as_python(entry), ""
            else:
                written = scalar.source(entries.formulas_of_entry(entry), language, alone=False)
                place = f"{{download}}`intervals.{ending} <../_code/intervals.{ending}>`"
                both = f"`dpsym show {entry.id} --format {language}` writes both"
                operations = f"\n\nThe operations `iv_…` are in {place}; {both}."
        except NoPythonCode:
            continue
        yield folded(f"{name}, rounded to the safe side", code(written, language) + operations)
    yield folded("LaTeX, with citations and BibTeX", code(entries.WRITERS["align"](entry), "latex"))
