"""Case splits: absolute values, maxima and minima replaced by what they are in each case."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import sympy as sp

from dpsym.checking.deducing import Sequent
from dpsym.checking.ledger import is_certain
from dpsym.core.deadline import over, portion
from dpsym.core.relations import Operator, Relation, substitute
from dpsym.core.verdicts import Decision, weakest
from dpsym.deciding import EmptyDomain, decide
from dpsym.deciding.definedness import of_expression

_MOST_SPLITS = 4  # the number of cases is a power of it

Case = tuple[tuple[Relation, ...], dict[sp.Basic, sp.Basic]]


def by_cases(asked: Sequent) -> Decision | None:
    """A proof of the claim in every case of its absolute values, maxima and minima; None: no proof."""
    claim = asked.claim
    heads = claim.lhs.atoms(sp.Abs, sp.Max, sp.Min) | claim.rhs.atoms(sp.Abs, sp.Max, sp.Min)
    bound = _bound(claim)
    split = sorted((h for h in heads if not h.free_symbols & bound), key=lambda h: (sp.count_ops(h), str(h)))
    if not split or len(split) > _MOST_SPLITS:
        return None
    needs = (*asked.needs, *of_expression(claim.lhs), *of_expression(claim.rhs))
    decisions: list[Decision] = []
    for given, table in _cases(split):
        if over():
            return None
        try:
            found = decide(_put(claim, table), (*asked.assume, *given), needs=needs, time_limit=portion(0.5))
        except EmptyDomain:
            continue
        if not is_certain(found):
            return None
        decisions.append(found)
    if not decisions:
        return None
    worst = weakest(decisions)
    return replace(worst, why=f"by cases ({len(decisions)}) of {', '.join(map(str, split))}: {worst.why}")


def _cases(heads: list[sp.Expr]) -> Iterator[Case]:
    """Every combination; in a case an inner head is already replaced when an outer one is looked at."""
    if not heads:
        yield (), {}
        return
    *inner, outer = heads
    for given, table in _cases(inner):
        for condition, value in _values(_rewritten(outer, table)):
            yield (*given, *condition), {**table, outer: value}


def _values(head: sp.Basic) -> Iterator[tuple[tuple[Relation, ...], sp.Basic]]:
    if isinstance(head, sp.Abs):
        (inside,) = head.args
        yield (Relation(inside, ">=", sp.Integer(0)),), inside
        yield (Relation(inside, "<=", sp.Integer(0)),), -inside
    elif isinstance(head, sp.Max | sp.Min):
        op: Operator = ">=" if isinstance(head, sp.Max) else "<="
        for chosen in head.args:
            yield tuple(Relation(chosen, op, other) for other in head.args if other != chosen), chosen
    else:
        yield (), head


def _rewritten(head: sp.Basic, table: dict[sp.Basic, sp.Basic]) -> sp.Basic:
    if head in table or not table:
        return table.get(head, head)
    return head.func(*(substitute(a, table) for a in head.args), evaluate=False)


def _put(claim: Relation, table: dict[sp.Basic, sp.Basic]) -> Relation:
    return claim.subs(dict(reversed(table.items())))


def _bound(claim: Relation) -> set[sp.Symbol]:
    return {
        symbol
        for side in (claim.lhs, claim.rhs)
        for e in sp.preorder_traversal(side)
        if not isinstance(e, sp.Symbol)
        for symbol in e.atoms(sp.Symbol) - e.free_symbols
    }
