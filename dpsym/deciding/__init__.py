"""Is this relation true on this domain, and how do you know?

Strategies, strongest first: canonical forms and exact signs; a look at points, where a certified failure refutes;
reductions, monotonicity, lemmas and branch and bound; a long search for a witness.  What holds at all points that
were looked at is supported, and the rest is open.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import sympy as sp

from dpsym.core.clocks import Work, keeping_time
from dpsym.core.deadline import over, portion, remaining, timed
from dpsym.core.given import assumptions
from dpsym.core.grammar import grammar
from dpsym.core.plain_printer import plain
from dpsym.core.relations import ForAll, NotAProposition, Proposition, Relation
from dpsym.core.relations import relation as as_relation
from dpsym.core.verdicts import Decision, Method, Verdict, Witness
from dpsym.deciding.bearing import by_the_nearest
from dpsym.deciding.counterexamples.finding import Refuting
from dpsym.deciding.definedness import Need, of_expression, shown
from dpsym.deciding.domain import Domain, EmptyDomain
from dpsym.deciding.effort import LIMITS, Limits
from dpsym.deciding.families.concrete import Concretely, bears, without_idle
from dpsym.deciding.prover import EXACT, REST
from dpsym.deciding.strategies.exact import Sign, settle, sign, vanishes
from dpsym.deciding.strategies.strategy import Question, Yes, first_yes, met, weakest
from dpsym.deciding.timeout import within

if TYPE_CHECKING:
    from concurrent.futures import Executor

__all__ = ["Domain", "EmptyDomain", "InternalContradiction", "Limits", "Sign", "decide", "settle", "sign", "vanishes"]


class InternalContradiction(AssertionError):
    """Two strategies disagree: a defect of dpsym, reported with everything that reproduces it."""


@keeping_time
def decide(
    relation: object,
    assume: str | Iterable[object] = (),
    *,
    needs: Iterable[Need] = (),
    time_limit: float = Work(10),
    seed: int = 0,
    executor: Executor | None = None,
    limits: Limits = LIMITS,
) -> Decision:
    """Whether the relation holds at every point that satisfies `assume`, and how that is known.

    Args:
        relation: text in the notation, a `Relation`, or an unevaluated SymPy relation.
        assume: propositions, or their text; a symbol of which nothing is assumed ranges over all reals.
        needs: what must hold besides for the relation to make sense, such as those of what was written before
            SymPy cancelled it; those of the relation itself are added.
        time_limit: in seconds; what is not settled by then is open.
        seed: of the choice of points; the answer depends on nothing else.
        executor: runs the parts of a branch and bound; by default they run one after the other.
        limits: what is tried before the question is left open.

    Raises:
        NotAProposition: for something that is not a relation.
        EmptyDomain: when it is seen that no point satisfies the assumptions.
        InternalContradiction: when a proof and a point disagree.
    """
    started = time.monotonic()
    if isinstance(relation, str):
        read = grammar().read_relations(relation)
        needs = (*needs, *read.needs)
        if len(read.relations) != 1:
            raise NotAProposition(f"{relation!r} is a chain of relations: give one (dpsym.prove reads chains)")
        (relation,) = read.relations
    domain = Domain(assumptions(assume))
    question = Question(as_relation(relation), domain, 0, seed, executor, limits)
    try:
        decision = _decide(question, tuple(needs))
    except RecursionError:
        decision = Decision(Verdict.OPEN, Method.NONE, "the expressions are nested too deeply")
    except (OverflowError, MemoryError):
        decision = Decision(Verdict.OPEN, Method.NONE, "a number arises that is too large to be written out")
    return replace(decision, seconds=time.monotonic() - started)


def _decide(question: Question, written: tuple[Need, ...]) -> Decision:
    relation, domain, limits = question.relation, question.domain, question.limits
    needed = dict.fromkeys((*written, *of_expression(relation.lhs), *of_expression(relation.rhs)))
    symbols = relation.free_symbols.union(*(n.free_symbols for n in needed))
    if any(isinstance(c, ForAll) for c in domain.assume):
        domain = without_idle(domain, (relation, *needed))
        question = replace(question, domain=domain)
    about_families = bears(question, needed)
    kind = Concretely if about_families else Refuting
    numbers: Refuting = within(remaining(), lambda: kind(question, symbols), None)  # type: ignore[assignment]
    if numbers is None:
        return Decision(Verdict.OPEN, Method.NONE, "the time was over before points of the domain were found")

    doubtful: list[Need] = []
    for need in needed:
        if within(portion(limits.need), partial(shown, need, domain, settle), None) is None:
            lacking = within(portion(limits.need), partial(numbers.undefined, need), None)
            if lacking is not None:
                return _refuted(lacking, numbers, f"undefined there: {need} fails")
            doubtful.append(need)

    found = first_yes(question, EXACT)
    witness = within(portion(limits.look), partial(numbers.quickly, proved=found is not None), None)
    if found is None and witness is None:
        found = _at_length(question)
        witness = within(remaining(), numbers.deeply, None) if found is None else None
    _cross_examine(question, found, witness, numbers)
    if witness is not None:
        return _refuted(witness, numbers)
    if found is not None:
        proofs = {need: met((need,), question) for need in doubtful}
        doubtful = [need for need, proof in proofs.items() if proof is None]
        if not doubtful:
            if not numbers.points:
                _refuse_vacuous(question)
            answers = [found, *(y for p in proofs.values() for y in p or ())]
            return _accepted(question, weakest(answers).by("defined", question, (), *answers), numbers)
    return _undecided(question, found, doubtful, numbers)


def _refuse_vacuous(question: Question) -> None:
    """Raise where the contrary of a condition, or of what was proved, is proved: then no point satisfies them all."""
    assume = question.domain.assume
    for condition in question.domain.coupled:
        if isinstance(condition, Relation):
            others = Domain(tuple(c for c in assume if c != condition))
            contrary = replace(question, relation=condition.negated, domain=others, depth=question.limits.deepest)
            if (by_the_nearest(contrary) or first_yes(contrary, EXACT)) is not None:
                raise EmptyDomain(f"the conditions contradict each other: {condition.negated} follows from the others")
    relation = question.relation
    with timed(portion(question.limits.contrary)):
        denied = first_yes(replace(question, relation=relation.negated))
    if denied is not None:
        raise EmptyDomain(f"the conditions contradict each other: both {relation} and its contrary follow from them")


def _at_length(question: Question) -> Yes | None:
    """The slower strategies; they put numbers in place of symbols, which must not become too long to be written out."""
    sides = (question.relation.lhs, question.relation.rhs)
    exponents = {p.exp for side in sides for p in side.atoms(sp.Pow, sp.exp)}
    most = question.limits.exponent
    if any(isinstance(e, sp.Rational) and abs(e.p) > most for e in exponents):
        question.notes.append(f"an exponent is beyond {most}")
        return None
    raised = set[sp.Symbol]().union(*(e.free_symbols for e in exponents))
    assume = tuple(c for p in question.domain.assume if (c := _moderate(p, raised, most)) is not None)
    domain = question.domain if assume == question.domain.assume else Domain(assume)
    question = replace(question, domain=domain)
    with timed(portion(question.limits.slow)):
        return by_the_nearest(question) or first_yes(question, REST)


def _moderate(condition: Proposition, raised: set[sp.Symbol], most: int) -> Proposition | None:
    """What is left of a bound on one of these symbols that is too large a number, so that less is assumed."""
    for side in (condition, condition.swapped) if isinstance(condition, Relation) else ():
        if side.lhs in raised and isinstance(side.rhs, sp.Rational) and abs(side.rhs) > most:
            useless = ("<", "<=", "!=") if side.rhs > 0 else (">", ">=", "!=")
            if side.op in useless:
                return None
            return Relation(side.lhs, ">=" if side.rhs > 0 else "<=", sp.sign(side.rhs) * most)
    return condition


def _cross_examine(question: Question, found: Yes | None, witness: Witness | None, numbers: Refuting) -> None:
    """Raise where a proof and a point, or a witness and mpmath, disagree."""
    said = None
    if found is not None and witness is not None and witness.obligation is None:
        said = f"{found.verdict} ({found.method}: {found.why}), but it fails at {witness}"
    elif found is not None:
        point = within(portion(question.limits.look), numbers.contradiction, None)
        if point is not None:
            said = f"{found.verdict} ({found.method}: {found.why}), but mpmath has it fail at {point}"
    elif witness is not None and numbers.doubted(witness):
        said = f"refuted at {witness}, but mpmath has it hold there"
    elif witness is None and numbers.seen.held:
        point = within(remaining(), partial(numbers.contradiction, where_told=True), None)
        if point is not None:
            said = f"true by enclosures at {point}, but mpmath has it fail there"
    if said is not None:
        raise InternalContradiction(
            f"{question.relation} is {said}.  To reproduce: decide({str(question.relation)!r}, "
            f"assume={[*map(str, question.domain.assume)]!r}, seed={question.seed})  [dpsym {_versions()}]"
        )


def _versions() -> str:
    from importlib.metadata import version

    from dpsym import __version__

    return ", ".join(
        [f"dpsym {__version__}", *(f"{name} {version(name)}" for name in ("sympy", "python-flint", "mpmath"))]
    )


def _accepted(question: Question, answer: Yes, numbers: Refuting) -> Decision:
    from dpsym.deciding.strategies.expectations import where_finite

    doubtful = where_finite(question.relation, question.domain)
    given = f"for finite {' and '.join(map(plain, doubtful))}" if doubtful else ""
    return Decision(
        answer.verdict,
        answer.method,
        f"{answer.why}; {given}" if given else answer.why,
        points=numbers.seen.held,
        certificate=answer.certificate,
        term=answer.term,
        rests_on=answer.rests_on,
        given=(given,) if given else (),
    )


def _refuted(witness: Witness, numbers: Refuting, why: str = "") -> Decision:
    method, what = Method.ENCLOSURE, "it fails there" if witness.point else "it is false"
    if why or witness.obligation:
        what = why or f"undefined there: {witness.obligation}"
    elif numbers.equal_at(witness):
        method, what = Method.CANONICAL_FORM, "both sides are equal there"
    where = f", where {numbers.given}" if numbers.given else ""
    return Decision(Verdict.REFUTED, method, what + where, witness)


def _undecided(question: Question, found: Yes | None, doubtful: list[Need], numbers: Refuting) -> Decision:
    seen = numbers.seen
    reached = ["it holds where it is defined"] if found is not None else []
    reached += [f"not shown: {_listed(doubtful, question.limits.listed)}"] if doubtful else []
    reached += ["the time was over"] if over() else []
    more = "".join(f"; {what}" for what in (*reached, *dict.fromkeys(question.notes)))
    if seen.unseen:
        return Decision(Verdict.OPEN, Method.NONE, seen.unseen + more)
    if not numbers.points:
        return Decision(Verdict.OPEN, Method.NONE, "no point was found that satisfies the conditions" + more)
    if seen.held and not seen.untold and all(need.pointwise for need in doubtful):
        why = f"holds at {seen.held} points; not a proof{more}"
        return Decision(Verdict.SUPPORTED, Method.SAMPLING, why, points=seen.held)
    seen_at = [f"holds at {seen.held} points"] if seen.held else []
    seen_at += [f"could not be told at {seen.untold} points"] if seen.untold else []
    why = f"{', '.join(seen_at) or 'no point could be looked at'}; not a proof{more}"
    return Decision(Verdict.OPEN, Method.NONE, why, points=seen.held)


def _listed(needs: list[Need], most: int) -> str:
    text = ", ".join(map(str, needs[:most]))
    more = len(needs) - most
    return text + (f" and {more} more" if more > 0 else "")
