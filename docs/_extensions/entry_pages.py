"""One page for each entry of the catalogue: nothing on it is written by hand."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

import sympy as sp

from dpsym import catalogue
from dpsym.core.distributions import Density, Distribution, Finite, Pmf
from dpsym.core.notation import Delta
from dpsym.core.verdicts import Verdict
from dpsym.language.latex.writer import latex
from dpsym.rendering import entries, scalar
from dpsym.rendering.entries import Entry
from dpsym.rendering.page import in_latex
from dpsym.rendering.python_code import NoPythonCode
from dpsym.statements import Definition, Guarantee, Mechanism, MechanismClaim, Result, Theorem
from kernel_pages import checked_by_coq
from proof_pages import proof
from writing import (
    badge,
    budgets,
    cite,
    code,
    conditions,
    display,
    folded,
    guarantee,
    inline,
    link,
    text,
    title,
    unsearched,
)

_NAMES = re.compile(r"\bq = m/n\b|\b[Mkmnq]\b")  # in the words that say what a theorem's conclusion speaks of


@dataclass(frozen=True, slots=True)
class Beside:
    """What is computed once for all pages: pictures of an entry with their captions, and comparisons of theorems."""

    pictures: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)  # id -> (file, caption)
    tighter: Mapping[str, Sequence[str]] = field(default_factory=dict)  # id -> sentences: never looser than others
    others: Mapping[str, Sequence[str]] = field(default_factory=dict)  # id -> sentences: how it stands to others else


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
        f"A mechanism satisfies `{entry}` if",
        display([in_latex(entry.means)]),
        "where $P$ and $Q$ are its output distributions on two neighbouring inputs, in both orders."
        + (f" It is stated for {conditions(entry.domain)}." if entry.domain else ""),
        _origin(entry, "notion of privacy"),
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
    facts = [
        f"for {conditions(entry.domain)}" + (f" ({'; '.join(defaults)})" if defaults else ""),
        f"sensitivity: {text(entry.norm.value)}",
        f"neighbours: {text(entry.adjacency.value)}",
    ]
    parts = [
        f"# {title(entry.title)}",
        _in_a_sentence(entry),
        *_release(entry),
        "\n".join(f"- {f}" for f in facts),
        _origin(entry, "mechanism"),
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
    if said := list(_outputs(entry)):
        parts += ["## Output distributions", *said]
    return _page([*parts, *_see_also(_like(entry))], entry, beside)


def _origin(entry: Entry, kind: str, worth: Verdict | None = None) -> str:
    """What it is called in commands, and where it is from."""
    return f"{f'{badge(worth)} ' if worth is not None else ''}`{entry.id}` · {kind} · {cite(entry.source)}"


def _in_a_sentence(entry: Mechanism) -> str:
    """As its module says it, its parameters as formulas where they stand alone."""
    said = " ".join(str(sys.modules[f"dpsym.entries.mechanisms.{entry.id}"].__doc__).split("\n\n")[0].split())
    names = {p.name: inline(p) for p in entry.params if p.name not in {"a", "A"}}  # these are words, too
    alone = re.compile(rf"(?<![\w(/^*-])(?:{'|'.join(map(re.escape, names))})(?![\w^/)*(])") if names else None
    escaped = text(said)
    return escaped if alone is None else alone.sub(lambda name: names[name[0]], escaped)


def _release(entry: Mechanism) -> Iterator[str]:
    """What is given out, as a formula, where it is the answer with noise added."""
    if entry.outputs is None:
        return
    moved, noise = entry.outputs
    if not isinstance(noise, Density | Pmf) or not isinstance(moved, Density | Pmf):
        return
    variable = noise.variable
    if sp.simplify(moved.expression - noise.expression.subs(variable, variable - Delta)) != 0:
        return
    z = sp.Symbol("z")
    probability = "p_Z(z)" if isinstance(noise, Density) else r"\Pr[Z = z]"
    yield display(["M(x) &= f(x) + Z", f"{probability} &= {latex(noise.expression.subs(variable, z))}"])
    kind = "has the density $p_Z$" if isinstance(noise, Density) else "is an integer"
    yield f"$f(x)$ is the answer without noise; $Z$ {kind}."


def _like(entry: Mechanism) -> Iterator[str]:
    """Mechanisms of the same kind, then what its guarantees lead to."""
    others = [m for m in catalogue.mechanisms().values() if m.norm is entry.norm and m is not entry]
    if others:
        yield f"for {text(entry.norm.value)}: {', '.join(link(m, m.title) for m in others)}"
    notions = {claim.guarantee.definition.id: claim.guarantee.definition for claim in entry.claims}
    yield f"what its guarantees mean and lead to: {', '.join(link(n, n.title) for n in notions.values())}"
    yield "how much of it: [calibrating](../../calibrating.md); many uses of it: [accounting](../../accounting.md)"


def _see_also(lines: Iterable[str]) -> Iterator[str]:
    if found := "\n".join(f"- {line}" for line in lines):
        yield from ("## See also", found)


def _outputs(entry: Mechanism) -> Iterator[str]:
    if entry.description:
        yield text(entry.description)
    if entry.outputs is not None:
        yield from _pair(entry.outputs)
        yield f"One pair stands for all neighbours: {text(entry.why_dominating)}"
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
    parts = [f"# {title(entry.title)}"]
    where = f", for {conditions(entry.conditions)}," if entry.conditions else ""
    of = _NAMES.sub(r"$\g<0>$", text(entry.setting.value))
    parts += _if_then(entry.premises, entry.conclusion, f"then{where} {of} satisfies ")
    facts = []
    if entry.chooses:
        facts.append(f"free to choose: {', '.join(map(inline, entry.chooses))}")
    facts.append(f"neighbours: {text(entry.adjacency.value)}")
    if entry.exact:
        facts.append("loses nothing: where the premise says all there is to say, nothing better of this kind is true")
    parts += ["\n".join(f"- {f}" for f in facts), _origin(entry, "theorem", catalogue.status(entry))]
    parts += _beside_others(entry, beside)
    parts += ["## Proof", *_proof(entry, opened=True), *_see_also(_related(entry))]
    return _page(parts, entry, beside)


def excerpt(entry: Theorem, home: str) -> str:
    """What it says, and the first case of its proof."""
    then = f"then, for {conditions(entry.conditions)}, it satisfies "
    parts = list(_if_then(entry.premises, entry.conclusion, then, home))
    file = catalogue.proof_of(entry)
    if file is not None:
        first = re.split(r"^#+ ", proof(file, catalogue.record_of(entry), lines_only=True), flags=re.MULTILINE)[1]
        case, _, body = first.partition("\n")
        body = body.replace("](../", f"]({home}/")
        parts += [f"*Proof*, {case[0].lower()}{case[1:]}.", body]
    page = f"{home}/theorems/{entry.id}.md"
    parts.append(
        f"The rest of the proof and how each line was decided: [{entry.title}]({page}), by {cite(entry.source, home)}."
    )
    return "\n\n".join(parts)


def _related(entry: Theorem | Result) -> Iterator[str]:
    """Its notions, other theorems between the same ones, and the proofs that use it."""
    notions = [p.definition for p in entry.premises]
    if isinstance(entry, Theorem):
        notions.append(entry.conclusion.definition)
        others = [
            link(t, t.title) for t in catalogue.theorems().values() if t is not entry and _between(t) == _between(entry)
        ]
        if others:
            yield f"from the same to the same: {', '.join(others)}"
    if notions:
        yield f"notions: {', '.join(link(n, n.title) for n in dict.fromkeys(notions))}"
    if users := _users().get(entry.id):
        yield f"used in the proofs of: {', '.join(users)}"


def _between(theorem: Theorem) -> tuple[object, ...]:
    return theorem.setting, tuple(p.definition.id for p in theorem.premises), theorem.conclusion.definition.id


@cache
def _users() -> Mapping[str, Sequence[str]]:
    """The statements whose proofs use a theorem, by its id."""
    found: dict[str, list[str]] = {}
    for user in catalogue.provable().values():
        record = catalogue.record_of(user)
        shown = user.mechanism if isinstance(user, MechanismClaim) else user
        for used in () if record is None else record.uses:
            found.setdefault(used, []).append(link(shown, user.title))
    return {used: list(dict.fromkeys(users)) for used, users in found.items()}


def _if_then(premises: Sequence[Guarantee], conclusion: Guarantee, then: str, home: str = "..") -> Iterator[str]:
    """One sentence, broken by the displays only."""
    said = ""
    pieces = [list(guarantee(p, "and " if n else "If $M$ satisfies ", home)) for n, p in enumerate(premises)]
    for words, *shown in [*pieces, list(guarantee(conclusion, then, home))]:
        said = f"{said}, {words}" if said else words
        if shown:
            yield said
            yield from shown
            said = ""
    if said:
        yield f"{said}."


def result(entry: Result, beside: Beside) -> str:
    """A relation of the field: what it says, of which distributions, where it is tight, its proof."""
    parts = [f"# {title(entry.title)}"]
    for number, premise in enumerate(entry.premises):
        parts += guarantee(premise, "and " if number else "If $M$ satisfies ")
    parts.append(display([in_latex(entry.states)]))
    if entry.conditions:
        parts.append(f"for {conditions(entry.conditions)}.")
    facts = [text(said) for said in entries.described(entry)]
    facts += [text(entry.remark)] if entry.remark else []
    if entry.tight:
        facts.append(f"tight{f': {text(entry.tightness)}' if entry.tightness else ''}")
    parts += ["\n".join(f"- {f}" for f in facts), _origin(entry, "result", catalogue.status(entry))]
    parts += _beside_others(entry, beside)
    parts += ["## Proof", *_proof(entry, opened=True), *_see_also(_related(entry))]
    return _page(parts, entry, beside)


def _beside_others(entry: Entry, beside: Beside) -> list[str]:
    parts = []
    for heading, sentences in (("Tighter than", beside.tighter), ("Beside others", beside.others)):
        if said := sentences.get(entry.id):
            parts += [f"## {heading}", "\n".join(f"- {s}" for s in said)]
    return parts


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
    if in_coq := checked_by_coq(file):
        yield in_coq
    body = proof(file, record, level=3 if opened else 4)
    yield body if opened else folded(f"Proof ({worth})", body)


def _page(parts: list[str], entry: Entry, beside: Beside) -> str:
    pictures = [
        f"![{caption}](../_pictures/{file})\n\n*{caption}*" for file, caption in beside.pictures.get(entry.id, ())
    ]
    if pictures:
        parts += ["## Pictures", *pictures]
    parts += ["## To copy", unsearched("\n\n".join(_to_copy(entry)))]
    return "\n\n".join(parts) + "\n"


def _to_copy(entry: Entry) -> Iterator[str]:
    yield code(f"$ dpsym show {entry.id}", "console")
    if isinstance(entry, Mechanism):
        arguments = ", ".join(map(str, entry.params))
        yield code(f'$ dpsym derive "{entry.id}({arguments})"', "console")
    for language, name, ending in (("python", "Python", "py"), ("c", "C", "c"), ("javascript", "JavaScript", "js")):
        try:
            if language == "python":
                written, operations = entries.WRITERS["python"](entry), ""
            else:
                written = scalar.source(entries.formulas_of_entry(entry), language, alone=False)
                place = f"{{download}}`intervals.{ending} <../_code/intervals.{ending}>`"
                both = f"`dpsym show {entry.id} --format {language}` writes both"
                operations = f"\n\nThe operations `iv_…` are in {place}; {both}."
        except NoPythonCode:
            continue
        yield folded(f"{name}, rounded to the safe side", code(written, language) + operations)
    yield folded("LaTeX, with citations and BibTeX", code(entries.WRITERS["align"](entry), "latex"))
