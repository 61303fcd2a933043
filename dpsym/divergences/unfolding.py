"""The divergences of arbitrary distributions P and Q, written out as expectations over their privacy loss.

With Z = log(dP/dQ)(y) for y drawn from P: the Rényi divergence of order alpha is log E exp((alpha - 1) Z) over
alpha - 1, the max divergence is the largest Z, and the hockey-stick divergence at gamma is E max(0, 1 - gamma/e^Z);
under P, e^-Z has expectation Q(p > 0) <= 1.  Source: DR16 (unverified locator), also SMM19, Section 3 (unverified
locator).
"""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from dpsym.core.notation import (
    Maximum,
    adaptive,
    average,
    essential_infimum,
    essential_supremum,
    expectation,
    hockey_stick,
    image,
    independent,
    mixture,
    privacy_loss,
    renyi,
)
from dpsym.core.relations import Proposition, Relation

_Z = sp.Dummy("z")
_MAY_BE_INFINITE = (renyi, expectation, essential_supremum, essential_infimum, Maximum)
_UNKNOWN = (sp.Symbol, adaptive, average, image, independent, mixture)  # of these the loss is all that is known


def unfold(expression: sp.Basic) -> sp.Basic:
    """The expression with every divergence of two named distributions, or ones made of such, as an expectation."""
    table = {}
    for head in expression.atoms(renyi, hockey_stick):
        order, first, second = head.args
        if isinstance(first, _UNKNOWN) and isinstance(second, _UNKNOWN):
            table[head] = _unfolded(type(head), order, privacy_loss(first, second))
    return expression.xreplace(table)


def _unfolded(head: type, order: sp.Expr, loss: sp.Expr) -> sp.Expr:
    if head is hockey_stick:
        return expectation(sp.Lambda(_Z, sp.Max(0, 1 - order * sp.exp(-_Z))), loss)
    if order == sp.oo:
        return essential_supremum(loss)
    if order == 1:
        return expectation(sp.Lambda(_Z, _Z), loss)
    return sp.log(expectation(sp.Lambda(_Z, sp.exp((order - 1) * _Z)), loss)) / (order - 1)


def unfolded(relation: Relation) -> Relation:
    """Both sides unfolded."""
    return Relation(unfold(relation.lhs), relation.op, unfold(relation.rhs))


def unfolded_conditions(conditions: Iterable[Proposition]) -> tuple[Proposition, ...]:
    """The conditions unfolded, with what they imply of the privacy loss seen from the other side.

    A finite bound on the max divergence of Q from P bounds the loss of P against Q from below, and then Q has no
    mass outside P: E e^-Z = 1.
    """
    found: list[Proposition] = []
    for condition in conditions:
        if not isinstance(condition, Relation):
            found.append(condition)
            continue
        relation = unfolded(condition)
        found.append(relation)
        for r in (relation, relation.swapped):
            if not isinstance(r.lhs, essential_supremum) or not r.lhs.args[0].args:
                continue
            if r.op in ("<=", "<", "=") and not r.rhs.is_infinite and not r.rhs.has(*_MAY_BE_INFINITE):
                second, first = r.lhs.args[0].args
                loss = privacy_loss(first, second)
                found.append(Relation(essential_infimum(loss), ">=", -r.rhs))
                whole = expectation(sp.Lambda(_Z, sp.exp(-_Z)), loss)
                found.append(Relation(whole, "=", sp.Integer(1)))
    return tuple(dict.fromkeys(found))
