"""From the terms that strategies leave behind to lines of a certificate: one function for each rule."""

from __future__ import annotations

from collections.abc import Callable

from flint import fmpq

from dpsym.deciding.strategies.strategy import Term
from dpsym.deciding.terms.builder import Builder, Lacking
from dpsym.deciding.terms.case_arguments import CaseArguments
from dpsym.deciding.terms.expectation_arguments import ExpectationArguments
from dpsym.deciding.terms.monotone_arguments import MonotoneArguments
from dpsym.verifying.proofs.expressions import (
    Statement,
)  # fmt: skip

_ZERO, _ONE = fmpq(0), fmpq(1)


class Arguments(MonotoneArguments, CaseArguments, ExpectationArguments):
    """Lines for terms, each in the context of its own domain."""

    def __init__(self, builder: Builder) -> None:
        super().__init__(builder)
        self._rules: dict[str, Callable[[Term, int, Statement], None]] = {
            "exact": self._exact, "defined": self._defined, "within": self._within, "over reals": self._first_part,
            "form": self._form, "climbing": self._climbing, "either side": self._either_side, "cases": self._cases,
            "least integer": self._least_integer, "integer endpoint": self._integer_endpoint, "scale": self._scale,
            "least at": self._least_at, "both sides of": self._both_sides, "contraposition": self._contraposition,
            "multiple": self._multiple, "both ways": self._both_ways, "expected": self._expected,
            "same expectations": self._same_expectations, "pointwise": self._pointwise, "upper": self._upper,
        }  # fmt: skip

    def show(self, term: Term, context: int | None = None) -> Statement:
        """Lines that end with what the term shows, in a context in which its domain is known; by default its own."""
        own, s = self.of(term.domain), self._statement(term.relation)
        if not self.builder.known(own, s):
            rule = self._rules.get(term.rule)
            if rule is None:
                raise Lacking(f"no lines for the rule {term.rule!r}")
            rule(term, own, s)
        if context is not None and context != own:
            self._moved(own, s, context)
        return s

    def _exact(self, term: Term, context: int, s: Statement) -> None:
        self.builder.prove(context, s)

    def _defined(self, term: Term, context: int, s: Statement) -> None:
        main, *needed = term.parts
        for one in needed:
            self.show(one, context)
        self.follows(context, s, self.show(main, context))

    def _first_part(self, term: Term, context: int, s: Statement) -> None:
        self.follows(context, s, self.show(term.parts[0], context))
