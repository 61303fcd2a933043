"""The rungs that prove, strongest first."""

from __future__ import annotations

from dpsym.deciding import cases, certified, conditions, expectations, monotone
from dpsym.deciding.calculus import RUNGS as CALCULUS
from dpsym.deciding.calculus import convergence
from dpsym.deciding.exact import settle
from dpsym.deciding.lemmas import bounding
from dpsym.deciding.rungs import Question, Rung, Yes, weakest
from dpsym.verdicts import Method, Verdict


def _exact(question: Question) -> Yes | None:
    reason = settle(question.relation, question.domain, question.deadline)
    if reason is None:
        return None
    method = Method.CANONICAL_FORM if "both sides" in reason else Method.EXACT_SIGN
    values = convergence.of_heads(question)
    return None if values is None else weakest([Yes(Verdict.PROVED, method, reason), *values])


EXACT: tuple[Rung, ...] = (_exact,)
REST: tuple[Rung, ...] = (
    *CALCULUS,
    expectations.prove,
    conditions.prove,
    cases.prove,
    monotone.prove,
    bounding.prove,
    certified.prove,
)
