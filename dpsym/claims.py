"""A claim as a user writes it, with its declarations: relations, or `MECHANISM satisfies GUARANTEE`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, cast

from dpsym.core.clocks import Work
from dpsym.core.relations import TRUE, Proposition
from dpsym.core.spelling import spelled
from dpsym.core.verdicts import Decision, Verdict, weakest
from dpsym.deciding import decide
from dpsym.deciding.definedness import Need
from dpsym.deciding.timeout import within
from dpsym.language import (
    Declared,
    Reading,
    ReadingError,
    read_claimed,
    read_declarations,
    read_relations,
)
from dpsym.language.documents.declarations import declarations
from dpsym.language.errors import Undeclared
from dpsym.language.plain.grammar import parse
from dpsym.language.tree import Node, with_names
from dpsym.language.tree_text import tree_text
from dpsym.second_opinion import Statement

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import sympy as sp

    from dpsym.checking.evaluating import Distributions
    from dpsym.queries import Neighbours
    from dpsym.queries.claims import OnData


_SENSITIVITY = Work(20)  # seconds


@dataclass(frozen=True, slots=True)
class WrittenClaim:
    """Something to decide, and how it was read."""

    text: str
    decide: Callable[..., Decision]  # of the time limit, and an executor for the parts of a branch and bound
    relations: tuple[Proposition, ...] = ()  # what is claimed, where it is no mechanism's guarantee
    conditions: tuple[Proposition, ...] = ()
    needs: tuple[Need, ...] = ()  # where what is written has a value
    statement: Statement | None = None  # the claim and its declarations, for a second opinion
    laws: Distributions = field(default_factory=dict)  # of the names that are declared as distributions


def read_claim(
    claim: str,
    *,
    let: Iterable[str] = (),
    where: Iterable[str] = (),
    assume: Iterable[str] = (),
    adjacent: str | None = None,
    time_limit: float = _SENSITIVITY,
) -> WrittenClaim:
    """The claim under its declarations; `where` abbreviations are expanded in order.

    Args:
        claim: relations, or MECHANISM satisfies GUARANTEE.
        let: names with their domains, and data sets (``x in [0,1]^n``).
        where: abbreviations.
        assume: conditions.
        adjacent: which data sets are neighbours; without it, those that the mechanism is about.
        time_limit: in seconds, for the sensitivity of a query.

    Raises:
        ReadingError: what, where, what was expected.
        EmptyDomain: when no point satisfies the conditions.
    """
    try:
        subject, wanted = _split(claim)
        if wanted is not None and "query" in subject:
            return _of_query(claim, subject, wanted, list(let), list(where), list(assume), adjacent, time_limit)
        if wanted is not None:
            declared = read_declarations(let, where)
            subject, wanted = _expanded(subject, declared), _expanded(wanted, declared)
            return _satisfaction(claim, subject, wanted, declared, assume, adjacent)
        if adjacent is not None:
            raise ReadingError("neighbours are of a claim MECHANISM satisfies GUARANTEE")
        declared = read_declarations(let, where, assume)
        conditions = declared.conditions
        reading = read_claimed(claim, declared)
        return WrittenClaim(
            " and ".join(map(str, reading.relations)),
            lambda limit, executor=None: _chain(reading, conditions, declared.distributions, limit, executor),
            reading.relations,
            conditions,
            reading.needs,
            _statement(reading, declared) if reading.text else None,
            declared.distributions,
        )
    except Undeclared as error:
        how = " or ".join(spelled("let", repr(f"{error.name}{said}")) for said in (": real", " > 0"))
        raise ReadingError(f"{error.message}; write {how}", error.text, error.position) from None


def _statement(reading: Reading, declared: Declared) -> Statement:
    said = declarations(
        declared.names, declared.kinds, declared.conditions, declared.assumed, declared.abbreviations
    )  # fmt: skip
    return Statement(reading.text, said["let"], said["where"], said["assume"])


def _split(claim: str) -> tuple[str, str | None]:
    if re.search(r"(?<![\w'])is\s", claim):  # "is zcdp(1/2)" says the same, where a notion stands behind it
        from dpsym.entries.index import places

        notions = "|".join(places("Definition"))
        claim = re.sub(rf"(?<![\w'])is(?=\s+(?i:{notions})\s*(?:\(|$))", "satisfies", claim)
    inference = re.split(r"(?<=[\w)\]])\s+implies\s+(?=[\w(])", claim.strip(), maxsplit=1)
    if len(inference) == 2:
        raise ReadingError(f"'implies' is not read in a claim; {_instead_of_implies(*inference)}")
    parts = re.split(r"(?<![\w'])satisfies(?![\w'])", claim)
    if len(parts) == 1:
        return claim, None
    if len(parts) > 2:
        raise ReadingError("'satisfies' stands twice; write MECHANISM satisfies GUARANTEE")
    return parts[0], parts[1]


def _instead_of_implies(premise: str, conclusion: str) -> str:
    from dpsym.language import read_source
    from dpsym.statements import Guarantee

    try:
        source = read_source(premise)
    except ReadingError:
        return f"write MECHANISM satisfies GUARANTEE, or a relation, with what it needs under {spelled('assume')}"
    subject = f"any({premise})" if isinstance(source, Guarantee) else premise
    return f"write {subject} satisfies {conclusion}"


def _of_query(
    claim: str, subject: str, wanted: str, let: list[str], where: list[str], assume: list[str], adjacent: str | None,
    time_limit: float,
) -> WrittenClaim:  # fmt: skip
    """A mechanism on a query: it has the guarantee where noise for the exact sensitivity has it, whatever the size."""
    from dpsym.language import read_goal
    from dpsym.queries.claims import at_values, decided, of_two_scales, on_data
    from dpsym.queries.events import PrivateSize
    from dpsym.queries.noise import RELATIONS
    from dpsym.queries.reading import data_and_lines
    from dpsym.statements import Guarantee

    declared = read_declarations(data_and_lines(let)[1], where)
    subject, wanted = _expanded(subject, declared), _expanded(wanted, declared)
    assume = [_expanded(line, declared) for line in assume]
    guarantee = read_goal(wanted)
    if not isinstance(guarantee, Guarantee):
        raise ReadingError(f"{wanted.strip()!r} lacks parameters; write a complete guarantee, e.g. zcdp(1/2)")
    try:
        cases = list(on_data(subject, let, assume, adjacent, time_limit))
    except PrivateSize as private:
        shown = of_two_scales(private, guarantee)
        if shown is None:
            raise
        told = replace(shown, adjacency=RELATIONS[cast("Neighbours", adjacent)].value)
        return WrittenClaim(claim.strip(), lambda limit, executor=None: told)

    relation = RELATIONS[cast("Neighbours", adjacent)].value

    def written(one: OnData, point: dict[sp.Symbol, sp.Expr]) -> WrittenClaim:
        own = tuple(dict.fromkeys((*declared.conditions, *one.found.conditions)))
        names = declared.names | {s.name: s for c in own for s in c.free_symbols}
        known = replace(declared, names=names, conditions=own)
        texts = (at_values(text, one.size | point) for text in (one.subject, wanted, *assume))
        return _satisfaction(claim, next(texts), next(texts), known, texts)

    claims = [(one, written(one, {})) for one in cases]

    def decide_all(limit: float, executor: Executor | None = None) -> Decision:
        share = limit / len(claims)

        def ask(one: OnData, whole: WrittenClaim, point: dict[sp.Symbol, sp.Expr]) -> Decision:
            return (written(one, point) if point else whole).decide(share, executor)

        found = [decided(one, partial(ask, one, c), guarantee.subs(one.size)) for one, c in reversed(claims)]
        return replace(weakest(found), adjacency=relation)

    return WrittenClaim(claim.strip(), decide_all)


def _expanded(text: str, declared: Declared) -> str:
    """With what abbreviations stand for: of a mechanism, too, they are no names of its parameters."""
    table: dict[str, Node] = {}
    for name, value in declared.abbreviations.items():
        table[name] = with_names(parse(value), table)
    return tree_text(with_names(parse(text), table)) if table else text


def _satisfaction(
    claim: str,
    subject: str,
    wanted: str,
    declared: Declared,
    assume: Iterable[str],
    adjacent: str | None = None,
) -> WrittenClaim:
    from dpsym.language import read_goal, read_source
    from dpsym.satisfying import claimed_domain, satisfies
    from dpsym.statements import Guarantee
    from dpsym.statements.anything import about, each, index_of

    names, conditions = declared.names, declared.conditions
    needs: list[Need] = []
    source = read_source(subject, needs=needs)
    if isinstance(source, Guarantee):
        raise ReadingError(
            f"{subject.strip()!r} is a guarantee; 'satisfies' speaks of a mechanism: "
            f"write any({subject.strip()}) satisfies {wanted.strip()}"
        )
    if adjacent is not None:
        from dpsym.queries.noise import RELATIONS

        source = about(source, RELATIONS[cast("Neighbours", adjacent)])
    if bound := {s.name for use in each(source).values() for s in index_of(use)} & set(names):
        said = (
            f"any(…) has its guarantee for every {min(bound)}: leave {min(bound)} undeclared, or write a number for it"
        )
        raise ReadingError(said)
    guarantee = read_goal(wanted, needs)
    if not isinstance(guarantee, Guarantee):
        raise ReadingError(f"{wanted.strip()!r} lacks parameters; write a complete guarantee, e.g. zcdp(1/2)")
    own = claimed_domain(source, guarantee)
    known = {s.name: s for s in set().union(*(c.free_symbols for c in own))} | dict(names)
    stray = {s.name for s in guarantee.free_symbols} - set(known)
    if stray:
        raise ReadingError(f"{min(stray)} is neither a parameter nor declared; declare it with {spelled('let')}")
    for text in assume:
        conditions += read_relations(text, known).relations
    return WrittenClaim(
        claim.strip(),
        lambda limit, executor=None: _defined(
            satisfies(source, guarantee, assume=own + conditions, time_limit=limit),
            tuple(needs),
            own + conditions,
            limit,
        ),
    )


def _defined(
    found: Decision, needs: tuple[Need, ...], conditions: tuple[Proposition, ...], time_limit: float
) -> Decision:
    """A yes counts only where everything that was written has a value."""
    if not needs or found.verdict not in (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED):
        return found
    return weakest([found, decide(TRUE, conditions, needs=needs, time_limit=time_limit)])


def _chain(
    reading: Reading,
    conditions: tuple[Proposition, ...],
    laws: Distributions,
    time_limit: float,
    executor: Executor | None,
) -> Decision:
    """The weakest of the relations' decisions: a chain holds where each of its links does."""
    decisions = []
    for relation in reading.relations:
        if any(law is not None for law in laws.values()):
            from dpsym.checking.ledger import Inference
            from dpsym.checking.results import STOPPED
            from dpsym.checking.steps import under_laws

            asked = Inference(conditions, (relation,), needs=reading.needs)
            try:
                decision = within(time_limit, partial(under_laws, asked, laws), STOPPED)
            except (ArithmeticError, MemoryError, RecursionError) as error:  # nothing was decided
                decision = replace(STOPPED, why=f"beyond what can be computed: {type(error).__name__}")
        else:
            decision = decide(relation, conditions, needs=reading.needs, time_limit=time_limit, executor=executor)
        if len(reading.relations) > 1:
            decision = replace(decision, why=f"{relation}: {decision.why}")
        decisions.append(decision)
    return replace(weakest(decisions), seconds=sum(d.seconds for d in decisions))
