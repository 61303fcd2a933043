"""The strategies that prove, strongest first."""

from __future__ import annotations

from functools import wraps

from dpsym.deciding import certificates, conditions
from dpsym.deciding.calculus import STRATEGIES as CALCULUS
from dpsym.deciding.calculus import convergence, integral_monotonicity
from dpsym.deciding.lemmas import bounding
from dpsym.deciding.strategies import cases, exact, expectations, homogeneity, integer_endpoints, monotone
from dpsym.deciding.strategies.strategy import Question, Strategy, Yes, weakest
from dpsym.deciding.timeout import within


def _where_heads_have_values(strategy: Strategy) -> Strategy:
    """The strategy, asked also whether what it may have cancelled converges."""

    @wraps(strategy)
    def both(question: Question) -> Yes | None:
        found = strategy(question)
        values = None if found is None else convergence.of_heads(question)
        return None if found is None or values is None else weakest([found, *values])

    return both


def _leaving_time(strategy: Strategy) -> Strategy:
    """The strategy, with less time where branch and bound may need it."""

    @wraps(strategy)
    def sooner(question: Question) -> Yes | None:
        if certificates.is_apt(question):
            question = question.hurried(question.limits.before_boxes)
        return within(question.deadline, lambda: strategy(question), None)

    return sooner


EXACT: tuple[Strategy, ...] = (_where_heads_have_values(exact.prove),)
REST: tuple[Strategy, ...] = (
    _where_heads_have_values(homogeneity.prove),
    integral_monotonicity.prove,
    *CALCULUS,
    conditions.prove,
    cases.prove,
    integer_endpoints.prove,
    *map(
        _where_heads_have_values,
        (
            expectations.prove,
            _leaving_time(monotone.prove),
            certificates.prove_apt,
            bounding.prove,
            certificates.prove,
        ),
    ),
)
