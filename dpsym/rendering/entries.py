"""One entry of the catalogue in full, as a reader sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dpsym import catalogue
from dpsym.comparison import comparisons
from dpsym.core.deadline import cut, portion, timed
from dpsym.core.distributions import Density, Distribution, Finite
from dpsym.core.plain_printer import plain
from dpsym.core.relations import Proposition
from dpsym.core.verdicts import Verdict
from dpsym.rendering import align, data, scalar
from dpsym.rendering.answers import Shown
from dpsym.rendering.bibtex import as_bibtex, cite, locator_status, locator_verified
from dpsym.rendering.listing import Entry
from dpsym.rendering.page import Item, Line, Named, Page, in_latex, line
from dpsym.rendering.python_code import Formula, NoPythonCode, formulas_of, module
from dpsym.rendering.text import in_plain
from dpsym.statements import Definition, Mechanism, MechanismClaim, Result, Setting, Source, Theorem

_COMPARING = 0.8  # of the time that is left where the whole is to be stopped


def page(entry: Entry) -> Page:
    """Everything about one entry."""
    name = str(entry) if isinstance(entry, Definition | Mechanism) else entry.id
    return Page(f"{name}: {entry.title}", tuple(_lines(entry)))


_NO_RULE = "by what follows from it: its own budgets do not bound adaptive compositions"


def _lines(entry: Entry) -> Iterator[Line]:
    match entry:
        case Definition():
            yield from _of_definition(entry)
        case Mechanism():
            yield from _of_mechanism(entry)
        case MechanismClaim():
            yield from _of_claim(entry)
        case Theorem():
            yield from _of_theorem(entry)
        case Result():
            yield from _of_result(entry)
    yield line("source", str(entry.source), *_locator(entry.source))
    if isinstance(entry, Theorem | Result | MechanismClaim):
        yield line("proof", proof_status(entry))
    if isinstance(entry, Theorem | Result):
        yield Line("beside others", _beside_others(entry))


def _of_definition(entry: Definition) -> Iterator[Line]:
    yield Line("means", (entry.means,))
    yield line("where", "P, Q are the output distributions on two neighbouring inputs, in both orders")
    yield Line("domain", entry.domain)
    yield Line("composition", tuple(f"{budget}: {how.name}" for budget, how in entry.compose.items()) or (_NO_RULE,))


def _of_mechanism(entry: Mechanism) -> Iterator[Line]:
    yield Line("domain", entry.domain)
    yield Line("default", tuple(Named(str(p), value) for p, value in entry.params.items() if value is not None))
    if entry.description:
        yield line("what it does", entry.description)
    yield from _pair_lines(entry)
    yield line("sensitivity", entry.norm.value)
    yield line("neighbours", entry.adjacency.value)
    if entry.outputs is not None:
        yield line("one pair stands for all neighbours", entry.why_dominating)
    for claim in entry.claims:
        known = f"[{claim.source}] {catalogue.status(MechanismClaim(entry, claim))}"
        cited = ", ".join((known, *_locator(claim.source)))
        yield Line("tight claim" if claim.tight else "claim", (claim.guarantee, *_only_where(claim.assume), cited))
    yield Line("no finite budget", tuple(_infinite(entry)))


def _locator(source: Source) -> tuple[str, ...]:
    return (known,) if (known := locator_status(source)) else ()


def _infinite(entry: Mechanism) -> Iterator[str]:
    """The notions of which no finite budget is true, by the reason."""
    for why in dict.fromkeys(entry.infinite.values()):
        yield f"{', '.join(d.id for d, reason in entry.infinite.items() if reason == why)}: {why}"


def _pair_lines(entry: Mechanism) -> Iterator[Line]:
    """The dominating pair, or else the outputs on particular neighbours."""
    if entry.outputs is not None:
        yield from (Line(f"output {name}", _outputs(d)) for name, d in zip("PQ", entry.outputs, strict=True))
        return
    yield line("outputs", "no one pair stands for all neighbours")
    for instance in entry.instances:
        yield Line("on some neighbours", (f"{instance.what}:", *_only_where(instance.over)))
        yield from (Line(f"output {name}", _outputs(d)) for name, d in zip("PQ", instance.outputs, strict=True))


def _outputs(distribution: Distribution) -> tuple[Item, ...]:
    if isinstance(distribution, Finite):
        return tuple(
            f"probability {plain(p)}" + ("" if m == 1 else f", for each of {plain(m)} outcomes")
            for p, m in zip(distribution.probabilities, distribution.multiplicities, strict=True)
        )
    kind = "density" if isinstance(distribution, Density) else "mass"
    return (f"{kind} in {distribution.variable}:", distribution.expression)


def _of_theorem(entry: Theorem) -> Iterator[Line]:
    yield Line(_supposed(entry), entry.premises)
    yield Line("of each", tuple(map(str, entry.counts)))
    yield Line(f"then {entry.setting.value} satisfies", (entry.conclusion,))
    yield Line("where", entry.conditions)
    yield Line("free to choose", tuple(map(str, entry.chooses)))
    yield line("neighbours", entry.adjacency.value)
    yield line("loses nothing", "yes" if entry.exact else "not claimed")


def _supposed(entry: Theorem) -> str:
    """What its premises are about."""
    if entry.setting is Setting.FILTERED:
        return "if budgets compose to at most"
    return "if mechanisms satisfy" if entry.counts else "if M satisfies"


def _beside_others(entry: Theorem | Result) -> tuple[str, ...]:
    """How it stands to comparable ones, as far as the time goes."""
    with timed(portion(_COMPARING)):
        found = tuple(map(str, comparisons(entry.id)))
        return (*found, "not all of them: the time limit was reached") if cut() else found


def _of_claim(entry: MechanismClaim) -> Iterator[Line]:
    yield line(f"{entry.mechanism} satisfies", entry.claim.guarantee)
    yield Line("where", entry.conditions)
    yield line("sensitivity", entry.mechanism.norm.value)
    yield line("neighbours", entry.mechanism.adjacency.value)
    yield line("tight", "yes" if entry.claim.tight else "not claimed")


def _of_result(entry: Result) -> Iterator[Line]:
    yield Line("if M satisfies", entry.premises)
    yield Line("states", (entry.states,))
    yield Line("where", (*entry.conditions, *described(entry)))
    yield line("which means", *((entry.remark,) if entry.remark else ()))
    yield line("neighbours", *((entry.adjacency.value,) if entry.premises else ()))
    yield line("tight", *_tight(entry))


def described(entry: Result) -> Iterator[Item]:
    """What its names stand for, where no condition says so."""
    if entry.premises:
        yield "P, Q are the output distributions of M on two neighbouring inputs, in both orders"
    for name, output in entry.outputs.items():
        if output is None and not (entry.premises and name.name in "PQ"):
            yield f"{name} is any distribution"
        elif output is not None:
            yield f"{name} has the {' '.join(map(in_plain, _outputs(output)))}"
    yield from (f"{name} is any random map that does not depend on the data" for name in entry.channels)
    yield from (f"{name} is real" for name in map(str, entry.reals))


def _tight(entry: Result) -> tuple[str, ...]:
    if entry.relation.op == "=":
        return ()
    return ((entry.tightness or "yes") if entry.tight else "not claimed",)


def _only_where(conditions: tuple[Proposition, ...]) -> tuple[Item, ...]:
    return ("where", *conditions) if conditions else ()


def proof_status(entry: Theorem | Result | MechanismClaim) -> str:
    """What the statement is worth, and where its proof is to be found."""
    known = catalogue.status(entry)
    proof = catalogue.proof_of(entry)
    return f"cited from {entry.source}" if known is Verdict.CITED or proof is None else f"{known}: proofs/{proof.name}"


def sources_of(entry: Entry) -> tuple[Source, ...]:
    """Where the entry and its claims are from."""
    claimed = (c.source for c in entry.claims) if isinstance(entry, Mechanism) else ()
    return tuple(dict.fromkeys((entry.source, *claimed)))


def as_align(entry: Entry) -> str:
    """The formulas as an `align*` environment, with citations and their BibTeX."""
    match entry:
        case Mechanism():
            text = align.fragment((c.guarantee, align.because(cite(c.source), c.assume)) for c in entry.claims)
        case Theorem():
            given = ((premise, align.because("given")) for premise in entry.premises)
            text = align.fragment((*given, (entry.conclusion, align.because(cite(entry.source)))))
        case MechanismClaim():
            text = align.fragment([(entry.claim.guarantee, align.because(cite(entry.source)))])
        case Definition() | Result():
            stated = entry.means if isinstance(entry, Definition) else entry.states
            body = f"{in_latex(stated)} && {align.because(cite(entry.source))}"
            text = f"\\begin{{align*}}\n  & {body}\n\\end{{align*}}"
    needed = entry.domain if isinstance(entry, Mechanism | Definition) else entry.conditions
    said: dict[str, tuple[Item, ...]] = {"domain" if isinstance(entry, Mechanism | Definition) else "where": needed}
    if isinstance(entry, Result):
        said["where"] = (*needed, *described(entry))
    below = align.conditions(said)
    return align.with_sources(f"{text}\n{below}" if below else text, sources_of(entry))


def formulas_of_entry(entry: Entry) -> Iterator[Formula]:
    """One formula for each parameter that the entry gives a closed form for.

    Raises:
        NoPythonCode: for an entry that has none.
    """
    match entry:
        case Definition() | Result():
            kind = "definition" if isinstance(entry, Definition) else "relation"
            raise NoPythonCode(f"{entry.id} is a {kind}: it has no formula to evaluate; show a theorem or a mechanism")
        case Theorem() | MechanismClaim():
            found = entry.conclusion if isinstance(entry, Theorem) else entry.claim.guarantee
            yield from formulas_of(found, entry.title, str(entry.source), entry.conditions)
        case Mechanism():
            for claim in entry.claims:
                notion = claim.guarantee.definition
                domain = (*entry.domain, *claim.assume)
                title = f"{entry.title}, {notion.title}"
                yield from formulas_of(claim.guarantee, title, str(claim.source), domain, f"{notion.id}_")


WRITERS: Mapping[str, Callable[[Entry], str]] = {
    "align": as_align,
    "bibtex": lambda entry: as_bibtex(sources_of(entry)),
    "python": lambda entry: module(formulas_of_entry(entry)),
    "c": lambda entry: scalar.source(formulas_of_entry(entry), "c"),
    "javascript": lambda entry: scalar.source(formulas_of_entry(entry), "javascript"),
}


@dataclass(frozen=True, eq=False, repr=False)
class OfEntry(Shown):
    """An entry as it is shown."""

    word = None

    entry: Entry

    @property
    def brief(self) -> str:
        """Its id and title."""
        return f"{self.entry.id}: {self.entry.title}"

    def page(self) -> Page:
        """Everything about it."""
        return page(self.entry)

    def to_dict(self) -> dict[str, Any]:
        """For programs."""
        verified = locator_verified(self.entry.source)
        return {"id": self.entry.id, "title": self.entry.title, "locator_verified": verified, **data.page(self.page())}

    def written(self, form: str) -> str:
        """Also as programs."""
        return WRITERS[form](self.entry) if form in WRITERS else super().written(form)
