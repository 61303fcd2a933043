"""Chains written in Python: expressions, relation signs, reasons."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import sympy as sp

from dpsym.checking.documents import check_document
from dpsym.checking.results import Report
from dpsym.core.clocks import Work, each_keeping_time
from dpsym.core.display import Displayed
from dpsym.core.notation import (
    essential_infimum,
    essential_supremum,
    expectation,
    hockey_stick,
    probability,
    renyi,
    trade_off,
)
from dpsym.core.relations import ForAll, Operator, Proposition, Relation, exact, propositions, relation
from dpsym.language.documents.derivation import Document, Reason, WrittenChain, WrittenStep


@dataclass(frozen=True, slots=True)
class Step:
    """`sign expression`, with the author's reason: a citation, a theorem's id, or values `at`, where it is a hint.

    Raises:
        TypeError: for a float, or anything that is no exact expression.
        NotAProposition: for an unknown sign.
    """

    op: Operator
    expression: sp.Expr
    reason: str = ""
    theorem: str | None = None
    citation: str | None = None
    at: tuple[Relation, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "expression", exact(self.expression))
        object.__setattr__(self, "at", tuple(relation(r) for r in self.at))
        Relation(self.expression, self.op, self.expression)


_OF_DISTRIBUTIONS = (renyi, hockey_stick, trade_off, expectation, probability, essential_supremum, essential_infimum)


class Chain(Displayed):
    """`start op expression op expression …` under assumptions.

    ::

        Chain(rho * alpha + L / (alpha - 1),
              Step(">=", rho + 2 * sqrt(rho * L), "AM-GM"),
              assume=(rho > 0, L > 0, alpha > 1)).check()
    """

    def __init__(self, start: sp.Expr, *steps: Step, assume: Iterable[object] = ()) -> None:
        if not steps:
            raise ValueError("a chain without a step says nothing")
        self.start = exact(start)
        self.steps = steps
        self.assume: tuple[Proposition, ...] = propositions(assume)
        for symbol in _symbols(self):
            if symbol != sp.Symbol(symbol.name):
                raise TypeError(
                    f"{symbol} carries SymPy's assumptions: write Symbol('{symbol}'), and what holds in assume"
                )

    def document(self) -> Document:
        """The chain as a document of one display."""
        left, written = self.start, []
        for number, step in enumerate(self.steps):
            hint = step.reason or step.theorem or step.citation or step.at
            reason = Reason(step.reason, step.theorem, step.citation, step.at) if hint else None
            link = Relation(left, step.op, step.expression)
            written.append(WrittenStep((link,), number + 1, 0, "", continues=number > 0, reason=reason))
            left = step.expression
        sides = [s for r in (*self.assume, *(r for w in written for r in w.claim)) for s in _expressions(r)]
        names = {s.name: s for s in sorted(_symbols(self), key=str)}
        drawn = {d.name for side in sides for h in side.atoms(*_OF_DISTRIBUTIONS) for d in h.args[1:] if d.is_Symbol}
        kinds = dict.fromkeys(sorted(drawn), "distribution")
        return Document("plain", (WrittenChain(tuple(written), 1),), names, self.assume, kinds=kinds)

    @each_keeping_time
    def check(self, *, time_limit: float = Work(10), jobs: int | None = None) -> Report:
        """Every step decided.

        Raises:
            EmptyDomain: when no point satisfies the assumptions.
        """
        return check_document(self.document(), time_limit=time_limit, jobs=jobs)


def _symbols(chain: Chain) -> set[sp.Symbol]:
    values = (s for step in chain.steps for s in (step.expression, *step.at))
    return set().union(*(e.free_symbols for e in (chain.start, *values, *chain.assume)))


def _expressions(proposition: Proposition) -> tuple[sp.Basic, ...]:
    if isinstance(proposition, ForAll):
        return _expressions(proposition.relation)
    return (proposition.lhs, proposition.rhs) if isinstance(proposition, Relation) else (proposition.expression,)
