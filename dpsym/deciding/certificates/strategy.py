"""The strategy: search, write the certificate down, have it replayed, and repair what the checker does not believe."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import sympy as sp

from dpsym.core.deadline import over, portion, remaining, timed
from dpsym.core.relations import Proposition, Relation
from dpsym.core.verdicts import Method, Verdict
from dpsym.deciding.certificates import parallel
from dpsym.deciding.certificates.certificate import used, written_down
from dpsym.deciding.certificates.forms import Form, forms
from dpsym.deciding.certificates.problem import Problem, inverted, posed
from dpsym.deciding.certificates.search import GaveUp, Search
from dpsym.deciding.certificates.zeros import Contact
from dpsym.deciding.domain import Domain
from dpsym.deciding.strategies.strategy import Question, Yes, is_apt
from dpsym.deciding.timeout import within
from dpsym.verifying import Malformed, Rejected, verify

if TYPE_CHECKING:
    from concurrent.futures import Executor


def certificate(
    relation: Relation, assume: Iterable[Proposition], time_limit: float, executor: Executor | None = None
) -> dict[str, Any] | None:
    """A certificate that the relation holds wherever `assume` does and both sides are defined; None: none was found."""
    with timed(time_limit):
        found = prove(Question(relation, Domain(tuple(assume)), executor=executor))
    return found.certificate if found is not None and isinstance(found.certificate, dict) else None


def prove_apt(question: Question) -> Yes | None:
    """As `prove`, for questions that are better put to it early."""
    return prove(question) if is_apt(question) else None


def prove(question: Question) -> Yes | None:
    """An inequality on a box under conditions, with a certificate."""
    return within(remaining(), lambda: _proved(question), None)


def _proved(question: Question) -> Yes | None:
    problem = posed(question)
    other = None if problem is None else inverted(problem)
    if problem is None:
        return None
    if other is None:
        return _settled(problem, question)
    with timed(portion(question.limits.as_stated)):
        first = _settled(problem, question)
    return first or _settled(other, question)


def _settled(problem: Problem, question: Question) -> Yes | None:
    with timed(portion(question.limits.boxes)):
        return _certified(problem, question)


def _certified(problem: Problem, question: Question) -> Yes | None:
    bits = 128 if any(side.has(sp.erfc) for side in problem.sides) else 64
    suggested = forms(problem, portion(question.limits.forms))
    banned: frozenset[Contact] = frozenset()
    for _ in range(question.limits.repairs):
        try:
            search = Search(problem, suggested, bits, question.limits.boxes_at_most, banned)
            tree = parallel.tree(search, question.executor)
            found = _replayed(search, tree, question)
        except GaveUp:
            return None
        match found:
            case Form():
                suggested = tuple(f for f in suggested if f is not found)
                banned = frozenset()
            case Contact():
                banned |= {found}
            case dict():
                entries = len(found["tree"])
                why = f"it holds on each of {(entries + 1) // 2} boxes"
                return Yes(Verdict.CERTIFIED, Method.BRANCH_AND_BOUND, why, certificate=found)
    return None


def _replayed(search: Search, tree: parallel.Tree, question: Question) -> dict[str, Any] | Form | Contact:
    """The certificate that the checker accepts, or the form or contact that it does not believe."""
    for _ in range(question.limits.repairs):
        entries = [entry for entry, _ in tree]
        data = written_down(search.problem, search.bits, search.forms, entries)
        if over():
            break
        try:
            verify(data)
        except Rejected as rejected:
            section, n, _ = rejected.args
            forms, contacts = used(search.problem, search.forms, entries)
            if section == "scaled":
                return search.forms[forms[n]]
            if section == "contacts":
                return contacts[n]
            if section != "tree":
                break
            box = tree[n][1]
            tree = tree[:n] + search.tree(box, frozenset({box})) + tree[n + 1 :]
        except Malformed:
            break
        else:
            return data
    raise GaveUp("the certificate was not replayed")
