"""Maxima, minima, absolute values and cases taken apart: one question for each."""

from __future__ import annotations

import sympy as sp

from dpsym.core.expanding import expand
from dpsym.core.relations import Operator, Proposition, Relation
from dpsym.core.verdicts import Method, Verdict
from dpsym.deciding.calculus.heads import free
from dpsym.deciding.definedness import alternatives
from dpsym.deciding.domain import Domain, EmptyDomain
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
        answers: list[Yes | None] = []
        taken: list[tuple[Relation, ...]] = []
        for value, conditions in cases:
            table = {head: value}
            case = Relation(relation.lhs.xreplace(table), relation.op, relation.rhs.xreplace(table))
            assume = (*question.domain.assume, *conditions)
            if _is_empty(assume) or _excluded(conditions, question):
                continue
            answers.append(question.ask(case, assume))
            taken.append(conditions)
            if answers[-1] is None:
                return None
        yes = [a for a in answers if a is not None]
        if yes:
            return weakest([_split(head, yes), *yes]).by("cases", question, (head, cases, taken), *yes)
    return None


def _split(head: sp.Expr, answers: list[Yes]) -> Yes:
    return Yes(Verdict.PROVED, Method.EXACT_SIGN, f"in each case of {head}: {answers[0].why}")


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
    exponent = sp.Add(*(f.args[0] for f in kernels))
    return bound_on_symbol(Relation(exponent, _turned(condition.op, factor), sp.log(level)))


def _turned(op: Operator, factor: sp.Expr) -> Operator:
    """The operator after both sides were divided by the factor."""
    return op if factor > 0 else Relation(_ZERO, op, _ZERO).swapped.op


def bound_on_symbol(condition: Relation) -> Relation:
    """c x + d >= e, with the one symbol x and rational c, as x >= (e - d)/c."""
    if len(condition.free_symbols) != 1:
        return condition
    (x,) = condition.free_symbols
    difference = expand(condition.lhs - condition.rhs)
    factor = difference.coeff(x, 1)
    rest = difference - factor * x
    if rest.has(x) or not isinstance(factor, sp.Rational) or factor == 0:
        return condition
    return Relation(x, _turned(condition.op, factor), -rest / factor)


def _is_empty(conditions: tuple[Proposition, ...]) -> bool:
    try:
        Domain(conditions)
    except EmptyDomain:
        return True
    return False
