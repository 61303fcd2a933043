"""The strategies that prove, strongest first."""

from __future__ import annotations

from functools import wraps
from importlib import import_module
from itertools import islice

import sympy as sp
from sympy.concrete.expr_with_limits import ExprWithLimits

from dpsym.core.deadline import portion
from dpsym.core.relations import Relation
from dpsym.deciding.strategies import exact
from dpsym.deciding.strategies.strategy import Question, Strategy, Yes, is_apt, weakest
from dpsym.deciding.timeout import within
from dpsym.numbers import compare

_FEW = 4  # points at which it is seen on which side something is


def _strategy(module: str, function: str = "prove") -> Strategy:
    """The strategy of a module that is loaded when it is asked."""
    name = f"dpsym.deciding.{module}"

    def asked(question: Question) -> Yes | None:
        found: Yes | None = getattr(import_module(name), function)(question)
        return found

    asked.__module__ = name
    return asked


def _calculus(module: str) -> Strategy:
    """A strategy for relations with sums, integrals, limits, optima or derivatives; others are none of its business."""
    strategy = _strategy(f"calculus.{module}")

    @wraps(strategy)
    def asked(question: Question) -> Yes | None:
        sides = (question.relation.lhs, question.relation.rhs)
        return strategy(question) if any(side.has(ExprWithLimits, sp.Limit, sp.Lambda) for side in sides) else None

    return asked


def _where_heads_have_values(strategy: Strategy) -> Strategy:
    """The strategy, asked also whether what it may have cancelled converges."""

    @wraps(strategy)
    def both(question: Question) -> Yes | None:
        found = strategy(question)
        if found is None:
            return None
        from dpsym.deciding.calculus import convergence

        values = convergence.of_heads(question)
        return None if values is None else weakest([found, *values])

    return both


def _leaving_time(strategy: Strategy) -> Strategy:
    """The strategy, with less time where branch and bound may need it."""

    @wraps(strategy)
    def sooner(question: Question) -> Yes | None:
        share = question.limits.before_boxes if is_apt(question) else 1.0
        return within(portion(share), lambda: strategy(question), None)

    return sooner


def _to_one_side(question: Question) -> Yes | None:
    """What is not equal because it is greater everywhere, or less: on the side that a few points show."""
    relation = question.relation
    if relation.op != "!=":
        return None
    from dpsym.deciding.counterexamples.finding import points_of

    above = Relation(relation.lhs, ">", relation.rhs)
    points = islice(points_of(question.domain, frozenset(relation.free_symbols), question.seed), _FEW)
    sides = {compare(above, point).holds for point in points}
    if len(sides) != 1 or None in sides:
        return None
    return question.ask_main(above if sides == {True} else Relation(relation.lhs, "<", relation.rhs))


EXACT: tuple[Strategy, ...] = (_where_heads_have_values(exact.prove),)
SIMPLE: tuple[Strategy, ...] = (
    *EXACT, _strategy("conditions"), _where_heads_have_values(_strategy("strategies.monotone")),
)  # fmt: skip
REST: tuple[Strategy, ...] = (
    _to_one_side,
    _where_heads_have_values(_strategy("strategies.homogeneity")),
    _where_heads_have_values(_strategy("strategies.products")),
    _strategy("families.strategy"),
    _calculus("sums"),
    _strategy("calculus.induction"),
    _calculus("derivatives"),
    _calculus("integrals"),
    _calculus("optima"),
    _calculus("limits"),
    _strategy("calculus.powers"),
    _where_heads_have_values(_strategy("strategies.integrality")),
    _where_heads_have_values(_strategy("lemmas.bounding", "at_a_glance")),
    _where_heads_have_values(_strategy("strategies.multiples")),
    _strategy("conditions"),
    _strategy("strategies.cases"),
    _strategy("strategies.integer_endpoints"),
    _where_heads_have_values(_strategy("strategies.expectations")),
    _where_heads_have_values(_leaving_time(_strategy("strategies.monotone"))),
    _where_heads_have_values(_strategy("certificates.strategy", "prove_apt")),
    _where_heads_have_values(_strategy("lemmas.bounding")),
    _where_heads_have_values(_strategy("certificates.strategy")),
    _where_heads_have_values(_strategy("strategies.tails")),
)
