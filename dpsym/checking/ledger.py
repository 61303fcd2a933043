"""What has been shown in a document: a context, and a relation that holds wherever the context does.

Only this module makes such a `Judgement`, and it refuses what does not follow.  It searches for nothing: what is to be
decided it poses as an `Inference` and takes the prover's `Decision` of exactly that.  The rules (docs/trust.md):

- assume, choose: `pose` puts a step under the document's conditions, its case, its premises and its chosen values;
- induct: in the case k = 1, and in the case k >= 2, of a theorem about k steps it gives what the induction does there;
- accept: a step whose inference was decided by proof, certificate or citation is a judgement in that context;
- cite: nothing is accepted that rests on the theorem which the document is to prove, by any path;
- chain: `a R b` and `b S c` give `a T c` in both contexts together;
- generalise: a chosen value is put in and leaves the context, its admissibility having been part of what was asked;
- split: what was shown in each of some cases holds without them, where these are defined and are all there are;
- use: a judgement serves as a fact where the context has all that its own has;
- conclude: what is printed is a judgement, with its whole context.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from dataclasses import InitVar, dataclass, field, replace
from functools import reduce
from typing import TypeVar

import sympy as sp

from dpsym.core.notation import adaptive, average, hockey_stick, privacy_loss, renyi, trade_off
from dpsym.core.plain_printer import plain
from dpsym.core.relations import TRUE, ForAll, Operator, Proposition, Relation, substitute
from dpsym.core.verdicts import Decision, Verdict, weakest
from dpsym.deciding.definedness import Need
from dpsym.language.documents.declarations import declarations
from dpsym.language.documents.derivation import Case, Document, WrittenChain, WrittenStep, names_in

_ACCEPTED = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED)
_MADE_HERE = object()
_Named = TypeVar("_Named")


class DoesNotFollow(ValueError):
    """The ledger refuses to write this down, with the reason."""


def is_certain(decision: Decision) -> bool:
    """Whether later steps may rest on it: proved or certified, nothing less."""
    return decision.verdict in (Verdict.PROVED, Verdict.CERTIFIED)


# --- contexts and judgements


@dataclass(frozen=True, slots=True)
class Choice:
    """A value chosen for a symbol, `text` as it was written, and every symbol that it mentions there."""

    symbol: sp.Symbol
    value: sp.Expr
    text: str
    mentions: frozenset[sp.Symbol] = frozenset()


@dataclass(frozen=True, slots=True)
class Context:
    """Under what something holds.

    Attributes:
        document: whose names, conditions and distributions are in force.
        case: what is assumed besides in the case it stands in.
        chosen: values chosen for symbols; together they determine each of them.
        abbreviations: what abbreviations stand for, in plain notation, in the order of their definition.
        provided: what else is taken for granted, in words, such as that an expectation is finite.
        rests_on: the theorems and lemmas that were used.
    """

    document: Document
    case: Case | None = None
    chosen: tuple[Choice, ...] = ()
    abbreviations: Mapping[str, str] = field(default_factory=dict)
    provided: tuple[str, ...] = ()
    rests_on: tuple[str, ...] = ()

    def together(self, other: Context) -> Context:
        """Both contexts at once.

        Raises:
            DoesNotFollow: for other documents or cases, and for two values of one symbol.
        """
        if self.document is not other.document or self.case != other.case:
            raise DoesNotFollow("the parts stand in different cases")
        chosen = _distinct((*self.chosen, *other.chosen))
        resolved(chosen)
        return replace(
            self,
            chosen=chosen,
            abbreviations={**self.abbreviations, **other.abbreviations},
            provided=tuple(dict.fromkeys((*self.provided, *other.provided))),
            rests_on=tuple(dict.fromkeys((*self.rests_on, *other.rests_on))),
        )

    def includes(self, other: Context) -> bool:
        """Whether everything that the other assumes is assumed here, too."""
        cases = other.case is None or other.case.within(self.case)
        return self.document is other.document and cases and set(other.chosen) <= set(self.chosen)

    @property
    def lines(self) -> dict[str, tuple[str, ...]]:
        """All of it in plain notation, as declarations of a file: what `let`, `where`, `assume` take; and the rest."""
        of = self.document
        return {
            **declarations(of.names, of.kinds, of.conditions, of.assumed, self.abbreviations),
            "case": (str(self.case),) if self.case is not None else (),
            "chosen": tuple(choice.text for choice in self.chosen),
            "provided": self.provided,
        }


@dataclass(frozen=True, slots=True)
class Judgement:
    """`relation` holds, and is defined, at every point of the context; `text` is how its sides were written."""

    context: Context
    relation: Relation
    text: tuple[str, str]
    verdict: Verdict
    made: InitVar[object] = None

    def __post_init__(self, made: object) -> None:
        if made is not _MADE_HERE:
            raise DoesNotFollow("only the ledger's rules make judgements")

    @property
    def said(self) -> str:
        """The relation alone, as it was written."""
        return f"{self.text[0]} {self.relation.op} {self.text[1]}"

    @property
    def under(self) -> str:
        """Under what else than the document's conditions it holds, in words."""
        case, chosen = self.context.case, ", ".join(c.text for c in self.context.chosen)
        said = f", where {case}" if case is not None else ""
        said += f", at {chosen}" if chosen else ""
        return said + "".join(f", {condition}" for condition in self.context.provided)

    @property
    def given(self) -> str:
        """The document's conditions, and what the abbreviations in it stand for; what is real and free goes unsaid."""
        lines = self.context.lines
        used = set(names_in(" ".join(self.text), self.context.abbreviations))
        kinds = [line for line in lines["let"] if not line.endswith(": real")]
        where = [line for line in lines["where"] if line.partition(" = ")[0].partition("(")[0] in used]
        return "; ".join(filter(None, (", ".join((*kinds, *lines["assume"])), ", ".join(where))))

    def __str__(self) -> str:
        return self.said + self.under


def resolved(chosen: Sequence[Choice]) -> dict[sp.Symbol, sp.Expr]:
    """Each chosen value in terms of symbols for which none is chosen.

    Raises:
        DoesNotFollow: where they go round in a circle.
    """
    waiting = {choice.symbol: choice for choice in chosen}
    values: dict[sp.Symbol, sp.Expr] = {}
    while waiting:
        ready = [c for c in waiting.values() if not c.mentions & waiting.keys()]
        if not ready:
            raise DoesNotFollow("the chosen values mention each other in a circle")
        values |= {c.symbol: substitute(c.value, values) for c in ready}
        waiting = {s: c for s, c in waiting.items() if s not in values}
    return values


def _distinct(chosen: tuple[Choice, ...]) -> tuple[Choice, ...]:
    found: dict[sp.Symbol, Choice] = {}
    for choice in chosen:
        if found.setdefault(choice.symbol, choice).value != choice.value:
            raise DoesNotFollow(f"{choice.symbol} is given two values")
    return tuple(found.values())


# --- assume, choose, accept, cite


@dataclass(frozen=True, slots=True)
class Inference:
    """What a step asks: under the hypotheses, are the needs met, the values admissible, and do the claims hold?

    With premises, wherever those hold as well; `both_ways`: the premises wherever the claims hold, too.  `facts` were
    shown before and may be used.  Where `refusal` says why, there is nothing to ask.
    """

    hypotheses: tuple[Proposition, ...]
    claims: tuple[Relation, ...]
    premises: tuple[Relation, ...] = ()
    both_ways: bool = False
    needs: tuple[Need, ...] = ()
    admissible: tuple[Proposition, ...] = ()
    values: tuple[sp.Expr, ...] = ()
    facts: tuple[Relation, ...] = ()
    refusal: str = ""


def context_of(document: Document, chain: WrittenChain, step: WrittenStep) -> Context:
    """Where a step stands.

    Raises:
        DoesNotFollow: for a value that is chosen in any other way than symbol = value, and for two of one symbol.
    """
    given = () if step.reason is None else step.reason.at
    texts = () if step.reason is None else step.reason.at_texts
    chosen: list[Choice] = []
    for number, r in enumerate(given):
        if r.op != "=" or not isinstance(r.lhs, sp.Symbol) or r.rhs.is_infinite:
            raise DoesNotFollow("a value is chosen by symbol = value only, and is a real number")
        lhs, rhs = texts[number] if number < len(texts) else (plain(r.lhs), plain(r.rhs))
        mentions = frozenset(map(sp.Symbol, names_in(rhs, chain.abbreviations))) | r.rhs.free_symbols
        chosen.append(Choice(r.lhs, r.rhs, f"{lhs} = {rhs}", mentions))
    return Context(document, chain.case, _distinct(tuple(chosen)), chain.abbreviations)


def pose(document: Document, chain: WrittenChain, step: WrittenStep, facts: Sequence[Judgement] = ()) -> Inference:
    """The step in its context; a fact must have been shown in a context that this one includes."""
    if step.ambiguous:
        return Inference((), step.claim, refusal=step.ambiguous)
    try:
        return _posed(document, chain, step, facts)
    except ValueError as error:  # where a value means something else at its place, too
        return Inference((), step.claim, refusal=str(error))


def _posed(document: Document, chain: WrittenChain, step: WrittenStep, facts: Sequence[Judgement]) -> Inference:
    context = context_of(document, chain, step)
    table = resolved(context.chosen)
    spoken_of = step.names(chain.abbreviations)
    for name, law in document.distributions.items():
        if name in spoken_of and law is not None and law.free_symbols & table.keys():
            raise DoesNotFollow(f"the value that is chosen changes the distribution {name}")
    case = chain.case or Case(())
    if any(map(_is_of_families, document.names.values())) and any(map(_speaks_of_distributions, case.relations)):
        raise DoesNotFollow("the distributions stand for all that may come after an output, not for those of one case")
    # of k = 1, or k >= 2, alone: what a case assumes besides would be assumed for k - 1, too
    induced = document.by_induction.get(case.relations[0], ()) if len(case.relations) == 1 else ()
    conditions = (*document.conditions, *case.relations, *(p for n in case.needs for p in n.simple or ()), *induced)
    spoken = [c for c in conditions if c.free_symbols & table.keys()]
    for name in spoken_of & document.opaque.keys():
        if changed := document.opaque[name].letters.intersection(part for s in table for part in s.name.split("_")):
            raise DoesNotFollow(f"the value that is chosen for {min(changed)} changes {name}")
    usable = tuple(f.relation for f in facts if context.includes(f.context))
    asked = Inference(
        tuple(c for c in conditions if c not in spoken),
        tuple(r.subs(table) for r in step.claim),
        tuple(r.subs(table) for r in step.premises),
        step.both_ways,
        tuple(n.subs(table) for n in step.needs),
        tuple(c.subs(table) for c in spoken),
        tuple(table.values()),
        usable,
    )
    laws = (law.free_symbols for law in document.distributions.values() if law is not None)
    asked = _put_in(asked, case, frozenset().union(*laws))
    return replace(asked, hypotheses=_bearing_on(asked, document))


_LARGEST = 500  # operations of a value that is put in for a name


def _put_in(asked: Inference, case: Case, kept: frozenset[sp.Basic]) -> Inference:
    """The same with the values that lines of prose give to names in their place; but for names that are `kept`."""
    table, given = dict[sp.Symbol, sp.Expr](), list[Proposition]()
    for relation in (r for one in case.said for r in one.relations):
        name, value = relation.lhs, substitute(relation.rhs, table)
        if relation.op != "=" or not isinstance(name, sp.Symbol) or name in {*table, *kept, *value.free_symbols}:
            continue
        if value.count_ops() > _LARGEST:
            continue
        table = {one: substitute(old, {name: value}) for one, old in table.items()} | {name: value}
        given.append(relation)
    if not table:
        return asked
    return replace(
        asked,
        hypotheses=tuple(c.subs(table) for c in asked.hypotheses if c not in given),
        claims=tuple(r.subs(table) for r in asked.claims),
        premises=tuple(r.subs(table) for r in asked.premises),
        needs=tuple(n.subs(table) for n in asked.needs),
        admissible=tuple(c.subs(table) for c in asked.admissible),
        values=tuple(substitute(v, table) for v in asked.values),
        facts=tuple(r.subs(table) for r in asked.facts),
    )


def _is_of_families(value: sp.Basic) -> bool:
    """Whether it is made of distributions that each stand for many."""
    return isinstance(value, adaptive | average)


def _speaks_of_distributions(relation: Relation) -> bool:
    return any(side.has(renyi, hockey_stick, trade_off, privacy_loss) for side in (relation.lhs, relation.rhs))


def _bearing_on(asked: Inference, document: Document) -> tuple[Proposition, ...]:
    """The hypotheses that speak of what is asked, or of what such hypotheses speak of: others can only delay."""
    parts = (*asked.claims, *asked.premises, *asked.needs, *asked.admissible, *asked.values, *asked.facts)
    symbols = set[sp.Symbol]().union(*(part.free_symbols for part in parts))
    symbols |= {s for law in document.distributions.values() if law is not None for s in law.free_symbols}
    always = [h for h in asked.hypotheses if isinstance(h, ForAll) or not h.free_symbols]
    found, _ = reached(symbols.union(*(h.free_symbols for h in always)), [h.free_symbols for h in asked.hypotheses])
    return tuple(h for n, h in enumerate(asked.hypotheses) if n in found or h in always)


def reached(names: Set[_Named], parts: Sequence[Set[_Named]]) -> tuple[set[int], set[_Named]]:
    """Which parts share a name with these, or with a part that does, and all names there: no others bear on them."""
    found, known = set[int](), set(names)
    while new := {n for n, part in enumerate(parts) if n not in found and part & known}:
        found |= new
        known = known.union(*(parts[n] for n in new))
    return found, known


def accept(
    document: Document,
    chain: WrittenChain,
    step: WrittenStep,
    decision: Decision,
    facts: Sequence[Judgement] = (),
    lineage: Callable[[Collection[str]], Collection[str]] = lambda names: names,
) -> tuple[Judgement, ...]:
    """A judgement for each relation that the step claims, now that its inference was shown.

    There is none of a step with premises: an implication concludes nothing unconditionally.  `facts` are the judgements
    with which the step was posed; `lineage` gives theorems with those that their proofs use.

    Raises:
        DoesNotFollow: where the answer is no yes, and where it rests on the theorem that is to be proved.
    """
    if decision.verdict not in _ACCEPTED:
        raise DoesNotFollow(f"the step is {decision.verdict}")
    if document.proves is not None and document.proves in lineage(decision.rests_on):
        raise DoesNotFollow(f"it rests on {document.proves}, which is to be proved")
    if step.premises:
        return ()
    context = context_of(document, chain, step)
    for fact in facts:
        if not context.includes(fact.context):
            raise DoesNotFollow("a fact was used outside its context")
    rests_on = (*decision.rests_on, *(name for fact in facts for name in fact.context.rests_on))
    provided = (*decision.given, *(p for fact in facts for p in fact.context.provided))
    context = replace(
        context, rests_on=tuple(dict.fromkeys(rests_on)), provided=tuple(dict.fromkeys(provided))
    )  # fmt: skip
    return tuple(
        Judgement(context, relation, text, decision.verdict, _MADE_HERE)
        for relation, text in zip(step.claim, step.said, strict=True)
    )


# --- chain, generalise, split


def chained(judgements: Sequence[Judgement]) -> Judgement:
    """First and last expression of judgements that continue each other.

    Raises:
        DoesNotFollow: where they do not, or their relations point in different directions.
    """
    return reduce(_joined, judgements)


def _joined(first: Judgement, second: Judgement) -> Judgement:
    if first.relation.rhs != second.relation.lhs or first.text[1] != second.text[0]:
        raise DoesNotFollow("the steps do not continue each other")
    op = together(first.relation.op, second.relation.op)
    if op is None:
        raise DoesNotFollow("the relations point in different directions, so the chain has no overall conclusion")
    relation = Relation(first.relation.lhs, op, second.relation.rhs)
    verdict = max(first.verdict, second.verdict, key=_ACCEPTED.index)
    context = first.context.together(second.context)
    return Judgement(context, relation, (first.text[0], second.text[1]), verdict, _MADE_HERE)


def together(first: Operator, second: Operator) -> Operator | None:
    """What `a first b second c` says of a and c."""
    if "=" in (first, second):
        return second if first == "=" else first
    if "!=" in (first, second) or first[0] != second[0]:
        return None
    return first if len(first) == 1 else second


def generalised(judgement: Judgement) -> Judgement:
    """With the chosen values put in, which are then no longer part of the context."""
    table = resolved(judgement.context.chosen)
    if not table:
        return judgement
    relation = judgement.relation.subs(table)
    context = replace(judgement.context, chosen=())
    text = (plain(relation.lhs), plain(relation.rhs))
    return Judgement(context, relation, text, judgement.verdict, _MADE_HERE)


def split(
    judgements: Sequence[Judgement], document: Document, holds: Callable[[Inference], Decision]
) -> Judgement | None:
    """What all of them say, without their cases; None where they have nothing in common, or it is not seen.

    Chosen values are put in; of `<` and `<=`, or of `=` and one of these, the weaker is what they have in common.  The
    cases have to be defined under the conditions, and the last of them hold where none of the others does; at
    most one of them, which is taken to be the last, may consist of several relations.
    """
    judgements = judgements if len({j.context.chosen for j in judgements}) == 1 else list(map(generalised, judgements))
    first = judgements[0]
    cases = list(dict.fromkeys(j.context.case for j in judgements if j.context.case is not None))
    alike = all((j.relation.lhs, j.relation.rhs) == (first.relation.lhs, first.relation.rhs) for j in judgements)
    op = _weakest({j.relation.op for j in judgements})
    if not alike or op is None or len(cases) != len(judgements) or len(cases) < 2:
        return None
    if not all(case.relations for case in cases):
        return None
    for asked in _all_there_are(cases, document):
        decisions = list(map(holds, asked))
        if all(map(is_certain, decisions)):
            contexts = [replace(j.context, case=None) for j in judgements]
            worth = weakest(decisions)
            verdict = max((worth.verdict, *(j.verdict for j in judgements)), key=_ACCEPTED.index)
            context = reduce(Context.together, contexts)
            provided = tuple(dict.fromkeys((*context.provided, *worth.given)))
            context = replace(context, provided=provided)
            relation = replace(first.relation, op=op)
            same = all(j.text == first.text for j in judgements)
            text = first.text if same else (plain(relation.lhs), plain(relation.rhs))
            return Judgement(context, relation, text, verdict, _MADE_HERE)
    return None


def _weakest(ops: set[Operator]) -> Operator | None:
    """What follows from each of `a op b`; None where nothing that is said here does."""
    if len(ops) == 1:
        return next(iter(ops))
    return "<=" if ops <= {"=", "<", "<="} else ">=" if ops <= {"=", ">", ">="} else None


def _all_there_are(cases: Sequence[Case], document: Document) -> Iterator[tuple[Inference, ...]]:
    """Ways to see it: that every case has a truth value, and that one of them holds where the others do not."""
    needs = tuple(n for case in cases for n in case.needs)
    defined = Inference(document.conditions, (TRUE,), needs=needs)
    for number, last in enumerate(cases):
        others = [*cases[:number], *cases[number + 1 :]]
        if all(len(case.relations) == 1 for case in others):
            known = (*document.conditions, *(case.relations[0].negated for case in others))
            yield defined, *(Inference(known, (relation,)) for relation in last.relations)
