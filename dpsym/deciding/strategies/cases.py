"""Maxima, minima, absolute values and cases taken apart: one question for each."""

from __future__ import annotations

import sympy as sp

from dpsym.core.relations import Relation
from dpsym.core.verdicts import Method, Verdict
from dpsym.deciding.calculus.heads import free
from dpsym.deciding.calculus.slices import isolated
from dpsym.deciding.definedness import alternatives
from dpsym.deciding.domain import possible
from dpsym.deciding.strategies.exact import settle
from dpsym.deciding.strategies.strategy import Question, Yes, weakest

_ZERO = sp.Integer(0)


def prove(question: Question) -> Yes | None:
    """The relation in each of the cases into which its first maximum, minimum, absolute value or the like falls."""
    relation = question.relation
    for head in sorted(free(relation, sp.Max, sp.Min, sp.Abs, sp.Piecewise), key=_size):
        cases = _cases(head) if len(head.args) <= question.limits.cases else None
        if cases is None:
            continue
        assume = question.domain.assume
        taken = [
            (value, conditions)
            for value, conditions in cases
            if possible((*assume, *conditions)) is not None and not _excluded(conditions, question)
        ]
        if not taken:
            continue
        asked = ((_put(relation, head, value), (*assume, *conditions)) for value, conditions in taken)
        yes = question.in_cases(asked, question.ask)
        if yes is None:
            return None
        why = f"in each case of {head}: {yes[0].why}"
        found = weakest([Yes(Verdict.PROVED, Method.EXACT_SIGN, why), *yes])
        return found.by("cases", question, (head, cases, [conditions for _, conditions in taken]), *yes)
    return None


def _put(relation: Relation, head: sp.Expr, value: sp.Expr) -> Relation:
    return Relation(relation.lhs.xreplace({head: value}), relation.op, relation.rhs.xreplace({head: value}))


def _size(e: sp.Expr) -> tuple[int, str]:
    return sp.count_ops(e), str(e)


def _excluded(conditions: tuple[Relation, ...], question: Question) -> bool:
    """Whether one of the conditions holds at no point, as conditions on several symbols may."""
    several = (c for c in conditions if len(c.free_symbols) > 1)
    return any(settle(c.negated, question.domain) for c in several)


def _cases(head: sp.Expr) -> list[tuple[sp.Expr, tuple[Relation, ...]]] | None:
    """Each value that the head may have, and where; every point lies in one of the cases.  None: they are not known."""
    if isinstance(head, sp.Piecewise):
        return _of_piecewise(head)
    if isinstance(head, sp.Abs):
        (inner,) = head.args
        return [(inner, (_undone(Relation(inner, ">=", _ZERO)),)), (-inner, (_undone(Relation(inner, "<=", _ZERO)),))]
    op = ">=" if isinstance(head, sp.Max) else "<="
    return [
        (best, tuple(_undone(Relation(best, op, other)) for other in head.args if other != best))  # type: ignore[arg-type]
        for best in head.args
    ]


def _of_piecewise(head: sp.Piecewise) -> list[tuple[sp.Expr, tuple[Relation, ...]]] | None:
    """One after the other, where its condition holds and no earlier one; None where there may be no value."""
    if head.args[-1].cond != sp.true:
        return None
    before = [condition for _, condition in head.args]
    try:
        return [
            (value, tuple(_undone(c) for c in given if isinstance(c, Relation)))
            for number, (value, condition) in enumerate(head.args)
            for given in alternatives(before[:number], condition)
        ]
    except ValueError:  # the conditions are too many
        return None


def _undone(condition: Relation) -> Relation:
    """a + b exp(u) >= 0 for numbers a, b as a bound on u, and a bound on c x + d as one on x; others as they are."""
    constant, term = (condition.lhs - condition.rhs).as_independent(*condition.free_symbols, as_Add=True)
    factor, kernel = term.as_independent(*condition.free_symbols, as_Add=False)
    kernels = sp.Mul.make_args(kernel)
    if not (constant.is_Rational and factor.is_Rational and all(isinstance(f, sp.exp) for f in kernels)):
        return bound_on_symbol(condition)
    level = -constant / factor
    if level <= 0:
        return condition
    bound = Relation(sp.Add(*(f.args[0] for f in kernels)), condition.op, sp.log(level))
    return bound_on_symbol(bound if factor > 0 else Relation(bound.lhs, bound.swapped.op, bound.rhs))


def bound_on_symbol(condition: Relation) -> Relation:
    """c x + d >= e, with the one symbol x and rational c, as x >= (e - d)/c; others as they are."""
    symbols = tuple(condition.free_symbols)
    found = isolated(symbols[0], condition) if len(symbols) == 1 else None
    return condition if found is None else found
