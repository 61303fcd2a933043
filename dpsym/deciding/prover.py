"""The rungs that prove, strongest first."""

from __future__ import annotations

from dataclasses import replace
from functools import wraps
from importlib import import_module

import sympy as sp
from sympy.concrete.expr_with_limits import ExprWithLimits

from dpsym.deciding.strategies import exact
from dpsym.deciding.strategies.strategy import Question, Rung, Yes, is_apt, weakest
from dpsym.deciding.timeout import within

_SHARE_BEFORE_BOXES = 0.5  # of what it would have


def _rung(module: str, function: str = "prove") -> Rung:
    """The rung of a module that is loaded when it is asked."""
    name = f"dpsym.deciding.{module}"

    def asked(question: Question) -> Yes | None:
        found: Yes | None = getattr(import_module(name), function)(question)
        return found

    asked.__module__ = name
    return asked


def _calculus(module: str) -> Rung:
    """A rung for relations with sums, integrals, limits, optima or derivatives; others are none of its business."""
    rung = _rung(f"calculus.{module}")

    @wraps(rung)
    def asked(question: Question) -> Yes | None:
        sides = (question.relation.lhs, question.relation.rhs)
        return rung(question) if any(side.has(ExprWithLimits, sp.Limit, sp.Lambda) for side in sides) else None

    return asked


def _where_heads_have_values(rung: Rung) -> Rung:
    """The rung, asked also whether what it may have cancelled converges."""

    @wraps(rung)
    def both(question: Question) -> Yes | None:
        found = rung(question)
        if found is None:
            return None
        from dpsym.deciding.calculus import convergence

        values = convergence.of_heads(question)
        return None if values is None else weakest([found, *values])

    return both


def _leaving_time(rung: Rung) -> Rung:
    """The rung, with less time where branch and bound may need it."""

    @wraps(rung)
    def sooner(question: Question) -> Yes | None:
        if is_apt(question):
            question = replace(question, deadline=question.after(_SHARE_BEFORE_BOXES))
        return within(question.deadline, lambda: rung(question), None)

    return sooner


EXACT: tuple[Rung, ...] = (_where_heads_have_values(exact.prove),)
REST: tuple[Rung, ...] = (
    _where_heads_have_values(_rung("strategies.homogeneity")),
    _calculus("integral_monotonicity"),
    _calculus("sums"),
    _rung("calculus.induction"),
    _calculus("derivatives"),
    _calculus("integrals"),
    _calculus("optima"),
    _calculus("limits"),
    _rung("calculus.powers"),
    _rung("conditions"),
    _rung("strategies.cases"),
    _rung("strategies.integer_endpoints"),
    _where_heads_have_values(_rung("strategies.expectations")),
    _where_heads_have_values(_leaving_time(_rung("strategies.monotone"))),
    _where_heads_have_values(_rung("certificates.strategy", "prove_apt")),
    _where_heads_have_values(_rung("lemmas.bounding")),
    _where_heads_have_values(_rung("certificates.strategy")),
)
