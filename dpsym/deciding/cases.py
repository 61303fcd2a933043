"""Maxima, minima and absolute values taken apart: one question for each case."""

from __future__ import annotations

import sympy as sp

from dpsym.deciding.domain import Domain, EmptyDomain
from dpsym.deciding.rungs import Question, Yes, weakest
from dpsym.relations import Proposition, Relation
from dpsym.verdicts import Method, Verdict

_ZERO = sp.Integer(0)
_MOST_CASES = 4


def prove(question: Question) -> Yes | None:
    """The relation in each of the cases into which its first maximum, minimum or absolute value falls."""
    relation = question.relation
    heads = sorted(relation.lhs.atoms(sp.Max, sp.Min, sp.Abs) | relation.rhs.atoms(sp.Max, sp.Min, sp.Abs), key=_size)
    bound = {s for e in (relation.lhs, relation.rhs) for f in e.atoms(sp.Lambda) for s in f.variables}
    for head in heads:
        if head.free_symbols & bound or (len(head.args) > _MOST_CASES):
            continue
        answers = []
        for value, conditions in _cases(head):
            table = {head: value}
            case = Relation(relation.lhs.xreplace(table), relation.op, relation.rhs.xreplace(table))
            assume = (*question.domain.assume, *conditions)
            if _is_empty(assume):
                continue
            answers.append(question.ask(case, assume))
            if answers[-1] is None:
                return None
        yes = [a for a in answers if a is not None]
        if yes:
            return weakest([_split(head, yes), *yes])
    return None


def _split(head: sp.Expr, answers: list[Yes]) -> Yes:
    return Yes(Verdict.PROVED, Method.EXACT_SIGN, f"in each case of {head}: {answers[0].why}")


def _size(e: sp.Expr) -> tuple[int, str]:
    return sp.count_ops(e), str(e)


def _cases(head: sp.Expr) -> list[tuple[sp.Expr, tuple[Proposition, ...]]]:
    """Each value that the head may have, and where; every point lies in one of the cases."""
    if isinstance(head, sp.Abs):
        (inner,) = head.args
        return [(inner, (Relation(inner, ">=", _ZERO),)), (-inner, (Relation(inner, "<=", _ZERO),))]
    op = ">=" if isinstance(head, sp.Max) else "<="
    return [
        (best, tuple(_undone(Relation(best, op, other)) for other in head.args if other != best))  # type: ignore[arg-type]
        for best in head.args
    ]


def _undone(condition: Relation) -> Relation:
    """a + b exp(u) >= 0 for numbers a, b as a bound on u; anything else as it is."""
    constant, term = (condition.lhs - condition.rhs).as_independent(*condition.free_symbols, as_Add=True)
    factor, kernel = term.as_independent(*condition.free_symbols, as_Add=False)
    if not (isinstance(kernel, sp.exp) and constant.is_Rational and factor.is_Rational):
        kernels = sp.Mul.make_args(kernel)
        if not (constant.is_Rational and factor.is_Rational and all(isinstance(f, sp.exp) for f in kernels)):
            return condition
        kernel = sp.exp(sp.Add(*(f.args[0] for f in kernels)))
    level = -constant / factor
    if level <= 0:
        return condition
    turned = condition if factor > 0 else condition.swapped
    return Relation(kernel.args[0], turned.op, sp.log(level))


def _is_empty(conditions: tuple[Proposition, ...]) -> bool:
    try:
        Domain(conditions)
    except EmptyDomain:
        return True
    return False
