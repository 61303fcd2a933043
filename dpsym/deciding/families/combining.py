"""Bounds put into one another: what is claimed less a multiple of what is known, so that a number drops out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import sympy as sp

from dpsym.core.deadline import over
from dpsym.core.expanding import expand
from dpsym.core.relations import Proposition, Relation
from dpsym.deciding.domain import Domain
from dpsym.deciding.strategies.strategy import Question, Yes

_DEEPEST, _MOST = 4, 24  # bounds one after the other, and claims that are looked at
_ZERO = sp.Integer(0)
Look = Callable[[Question], Yes | None]


def by_bounds(
    question: Question, conditions: tuple[Proposition, ...], numbers: set[sp.Symbol], look: Look
) -> Yes | None:
    """A relation from the conditions, each of which takes one of the numbers out; `look` proves what is left.

    A claim c <= 0 follows from b <= 0 and c - m*b <= 0, where m >= 0.  What is left is proved from bounds by numbers.
    """
    relation = question.relation
    if relation.op not in ("<", "<=", ">", ">="):
        return None
    sign = 1 if relation.op[0] == "<" else -1
    known = [b for c in conditions if isinstance(c, Relation) and c.op != "!=" for b in _below(c)]
    apart = tuple(c for c in conditions if c not in Domain(conditions).coupled)
    return _Search(question, Domain(apart), known, numbers, look, relation.op[0] + relation.op[1:]).from_(
        _expanded(sign * (relation.lhs - relation.rhs)), _DEEPEST
    )


def _below(c: Relation) -> Iterator[sp.Expr]:
    """What is not positive by the condition."""
    difference = _expanded(c.lhs - c.rhs)
    if c.op in ("<", "<=", "="):
        yield difference
    if c.op in (">", ">=", "="):
        yield -difference


def _expanded(e: sp.Expr) -> sp.Expr:
    return expand(e, power_base=False, log=False, trig=False)


class _Search:
    def __init__(
        self, question: Question, domain: Domain, known: list[sp.Expr], numbers: set[sp.Symbol], look: Look, op: str
    ) -> None:
        self._question, self._known, self._numbers, self._look = question, known, numbers, look
        self._domain, self._op = domain, "<" if op in ("<", ">") else "<="
        self._seen: set[sp.Expr] = set()

    def from_(self, claim: sp.Expr, depth: int) -> Yes | None:
        """A proof that the claim is not positive (or negative, where that was asked)."""
        if claim in self._seen or len(self._seen) >= _MOST or over():
            return None
        self._seen.add(claim)
        found = self._asked(Relation(claim, self._op, _ZERO))  # type: ignore[arg-type]
        if found is not None or depth == 0:
            return found
        for number in sorted(claim.free_symbols & self._numbers, key=lambda s: (-len(s.name), s.name)):
            for head in _linear(claim, number):
                for bound in self._known:
                    weight = bound.coeff(head)
                    if weight == 0 or (bound - weight * head).has(head):
                        continue
                    multiple = sp.cancel(claim.coeff(head) / weight)
                    if multiple.has(sp.zoo, sp.nan) or not self._is_positive(multiple):
                        continue
                    rest = self.from_(_expanded(claim - multiple * bound), depth - 1)
                    if rest is not None:
                        return rest
        return None

    def _is_positive(self, multiple: sp.Expr) -> bool:
        if multiple.is_Rational:
            return bool(multiple > 0)
        return self._asked(Relation(multiple, ">=", _ZERO)) is not None

    def _asked(self, relation: Relation) -> Yes | None:
        return self._look(
            replace(self._question, relation=relation, domain=self._domain, depth=self._question.depth + 1)
        )


def _linear(claim: sp.Expr, number: sp.Symbol) -> Iterator[sp.Expr]:
    """The number, or an exponential of it, where the claim is linear in that."""
    for head in (number, *sorted((e for e in claim.atoms(sp.exp) if e.has(number)), key=sp.default_sort_key)):
        weight = claim.coeff(head)
        if weight != 0 and not (claim - weight * head).expand().has(head) and not weight.has(number):
            yield head
