"""Chains written in Python: expressions, relation signs, reasons."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import sympy as sp

from dpsym.checking.documents import check_document
from dpsym.checking.results import Report
from dpsym.displaying import Displayed
from dpsym.reading.written import Document, Reason, WrittenChain, WrittenStep
from dpsym.relations import Operator, Proposition, Relation, exact, propositions, relation


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

    def document(self) -> Document:
        """The chain as a document of one display."""
        left, written = self.start, []
        for number, step in enumerate(self.steps):
            hint = step.reason or step.theorem or step.citation or step.at
            reason = Reason(step.reason, step.theorem, step.citation, step.at) if hint else None
            link = Relation(left, step.op, step.expression)
            written.append(WrittenStep((link,), number + 1, 0, "", continues=number > 0, reason=reason))
            left = step.expression
        names = {s.name: s for s in set().union(*(c.free_symbols for c in self.assume), *(
            r.free_symbols for w in written for r in w.claim))}  # fmt: skip
        return Document("plain", (WrittenChain(tuple(written), 1),), names, self.assume)

    def check(self, *, time_limit: float = 10.0, jobs: int | None = None) -> Report:
        """Every step decided.

        Raises:
            EmptyDomain: when no point satisfies the assumptions.
        """
        return check_document(self.document(), time_limit=time_limit, jobs=jobs)
