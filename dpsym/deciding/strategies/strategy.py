"""What the strategies share: the question they are asked, the yes they may answer, and asking on.

A strategy is a function from a `Question` to a `Yes`, or to None where it cannot tell; it never answers no.  It may
reduce the question to others and `ask` them: each is put to every strategy in turn, its own well-definedness included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from dpsym.core.clocks import comes_from
from dpsym.core.deadline import TooCostly, over, portion, timed
from dpsym.core.display import short
from dpsym.core.expanding import FAR_TOO_MANY, has_more_terms
from dpsym.core.relations import Proposition, Relation
from dpsym.core.verdicts import Method, Verdict
from dpsym.deciding.algebra import Unsupported
from dpsym.deciding.definedness import Need, of_expression, shown
from dpsym.deciding.domain import Domain, possible
from dpsym.deciding.effort import LIMITS, Limits
from dpsym.deciding.timeout import within
from dpsym.numbers import NotNumeric

if TYPE_CHECKING:
    from concurrent.futures import Executor


@dataclass(frozen=True, slots=True)
class Term:
    """Why a relation holds on a domain: the rule, what it was applied to, and the terms that it rests on.

    `dpsym.deciding.terms` makes lines of it that a checker of its own accepts.
    """

    rule: str
    relation: Relation
    domain: Domain
    data: tuple[Any, ...] = ()
    parts: tuple[Term, ...] = ()

    __repr__ = short


@dataclass(frozen=True, slots=True)
class Yes:
    """A proof: PROVED where it is exact, CERTIFIED where ball arithmetic took part."""

    verdict: Verdict
    method: Method
    why: str
    certificate: object | None = None  # of a branch and bound that settled the question by itself
    rests_on: tuple[str, ...] = ()  # lemmas used
    term: Term | None = None  # None: the strategy gives none yet

    def by(self, rule: str, question: Question, data: tuple[Any, ...], *parts: Yes | None) -> Yes:
        """With a term, where each of the parts has one."""
        terms = tuple(part.term for part in parts if part is not None and part.term is not None)
        whole = len(terms) == len(parts)
        return replace(self, term=Term(rule, question.relation, question.domain, data, terms) if whole else None)


@dataclass(frozen=True, slots=True)
class Question:
    """A relation on a domain, to be proved."""

    relation: Relation
    domain: Domain
    depth: int = 0
    seed: int = 0
    executor: Executor | None = None
    limits: Limits = LIMITS
    notes: list[str] = field(
        default_factory=list, compare=False, repr=False
    )  # which strategies were stopped, or failed

    def ask(self, relation: Relation, assume: Iterable[Proposition] | None = None, share: float = 1.0) -> Yes | None:
        """A proof that the relation is defined and true wherever `assume` holds (None: on the same domain).

        `share` of the time left is given to it.  No point satisfying `assume` counts as no proof.
        """
        domain = self.domain if assume is None else possible(assume)
        if domain is None:
            return None
        with timed(portion(share)):
            return prove(replace(self, relation=relation, domain=domain, depth=self.depth + 1))

    def in_cases(
        self, cases: Iterable[tuple[Relation, Iterable[Proposition]]], ask: Asking | None = None
    ) -> list[Yes] | None:
        """Proofs in all cases that have a point; None where one is not found, and where none has a point.

        Each is asked as a part, or as `ask` does.
        """
        found: list[Yes] = []
        for relation, assume in cases:
            there = possible(assume)
            if there is None:
                continue
            one = (ask or self.ask_part)(relation, there.assume)
            if one is None:
                return None
            found.append(one)
        return found or None

    def check(self, relation: Relation, assume: Iterable[Proposition] | None = None) -> Yes | None:
        """The same of a side condition."""
        return self.ask(relation, assume, self.limits.side_condition)

    def ask_part(self, relation: Relation, assume: Iterable[Proposition] | None = None) -> Yes | None:
        """The same of one claim of several."""
        return self.ask(relation, assume, self.limits.part)

    def ask_main(self, relation: Relation, assume: Iterable[Proposition] | None = None) -> Yes | None:
        """The same of what an argument rests on."""
        return self.ask(relation, assume, self.limits.main_claim)


Asking: TypeAlias = Callable[[Relation, Iterable[Proposition]], Yes | None]
Strategy: TypeAlias = Callable[[Question], Yes | None]


def prove(question: Question, strategies: Iterable[Strategy] | None = None) -> Yes | None:
    """That both sides are defined and the relation holds, on the whole domain, by these strategies (None: by all)."""
    if question.depth > question.limits.deepest:
        return None
    relation = question.relation
    defined = met(dict.fromkeys((*of_expression(relation.lhs), *of_expression(relation.rhs))), question)
    found = None if defined is None else first_yes(question, strategies)
    if found is None or defined is None:
        return None
    return weakest([found, *defined]).by("defined", question, (), found, *defined)


def met(needs: Iterable[Need], question: Question) -> list[Yes] | None:
    """Proofs that the needs are met on the question's domain; None where one is missing."""
    found: list[Yes] = []
    for need in needs:
        answers = shown(need, question.domain, lambda r, d: first_yes(replace(question, relation=r, domain=d)))
        if answers is None:
            return None
        found += answers
    return found


def is_apt(question: Question) -> bool:
    """Whether branch and bound is likely to do better than the strategies before it: several variables, all bounded."""
    symbols = question.relation.free_symbols
    bounds = [question.domain.of(s) for s in symbols]
    bounded = all(b.lower is not None and b.upper is not None for b in bounds)
    return question.depth == 0 and len(symbols) > 1 and bounded and question.relation.op in ("<", "<=", ">", ">=")


def weakest(answers: list[Yes]) -> Yes:
    """The first answer, worth no more than any of the others that it needs."""
    first = answers[0]
    certified = any(a.verdict is Verdict.CERTIFIED for a in answers)
    rests_on = tuple(dict.fromkeys(name for a in answers for name in a.rests_on))
    return replace(first, verdict=Verdict.CERTIFIED if certified else first.verdict, rests_on=rests_on)


def by_lemma(why: str, answer: Yes, *others: Yes) -> Yes:
    """In these words: by what the answer says, and the others that it needs."""
    found = weakest([answer, *others])
    return Yes(found.verdict, Method.LEMMA, why, rests_on=found.rests_on)


def first_yes(question: Question, strategies: Iterable[Strategy] | None = None) -> Yes | None:
    """The first strategy's yes (None: all strategies); whether both sides are defined is for the caller to ask.

    A strategy that is put to the whole question, not to a part of it, is stopped after its share of the time.
    """
    from dpsym.deciding.prover import EXACT, REST  # the strategies ask on, so they import this module

    asked = (*EXACT, *REST) if strategies is None else tuple(strategies)
    if any(has_more_terms(side, FAR_TOO_MANY) for side in (question.relation.lhs, question.relation.rhs)):
        asked = tuple(strategy for strategy in asked if strategy in EXACT)
        question.notes.append(f"written out it has more than {FAR_TOO_MANY} terms")
    for strategy in asked:
        if over():
            return None
        found = _put(strategy, question, 1.0 if strategy is asked[-1] else question.limits.strategy)
        if found is not None:
            return found
    return None


def _put(strategy: Strategy, question: Question, share: float) -> Yes | None:
    """The strategy's answer; none, and a note, where it was stopped or failed."""
    try:
        if question.depth:
            return strategy(question)
        found = within(portion(share), lambda: (strategy(question),), None)
        if found is not None:
            return found[0]
        question.notes.append("a way to prove it was stopped when its time was over")
    except (NotNumeric, Unsupported, RecursionError, TooCostly):
        pass
    except Exception as error:  # what raises has proved nothing, and the other strategies are still there
        if isinstance(error, SystemError) and comes_from(error):
            raise
        question.notes.append(f"a way to prove it failed with {type(error).__name__}: {error} (a defect of dpsym)")
    return None
