"""A proof certificate that is built line by line, each checked at once; what a line needs is shown before it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import Any

from dpsym.core.deadline import over
from dpsym.core.relations import ForAll, Proposition
from dpsym.deciding.domain import Domain
from dpsym.deciding.terms.bounds import from_hypotheses
from dpsym.deciding.terms.translating import Translator
from dpsym.verifying import Rejected
from dpsym.verifying.proofs.expressions import Expression, Statement, needs, read, said, substituted, written
from dpsym.verifying.proofs.limits import Limit, Limits
from dpsym.verifying.proofs.replaying import Replay

_DEEPEST = 12  # statements that are being shown


class Lacking(Exception):
    """No lines were found for something; the text says for what."""


class Builder:
    """Contexts with their domains, and lines.  `settle` is asked for what a line needs and is not known."""

    def __init__(self, settle: Callable[[Builder, int, Statement], None]) -> None:
        self.replay, self.translator = Replay(), Translator()
        self.contexts: list[tuple[Any, ...]] = []
        self.claims: list[int] = []
        self.at_length = self.prove  # finds lines by all strategies, where a caller has set it
        self.domains: list[Domain] = []
        self.lines: list[tuple[Any, ...]] = []
        self._settle = settle
        self._bounds: list[tuple[int, str]] = []
        self._asked: list[tuple[int, str]] = []  # each for the one before
        self._failed: dict[tuple[int, str], str] = {}

    def context(self, parent: int | None, assume: Iterable[Proposition]) -> int:
        """A context; what quantifies is among its hypotheses where it has no parent."""
        assume = tuple(assume)
        before = self.domains[parent].assume if parent is not None else ()
        stated = [s for p in assume if (s := self.translator.statement(p)) is not None]
        self.domains.append(Domain((*before, *assume)))
        hypotheses = list(dict.fromkeys(said(s) for s in stated))
        quantified = [p for p in assume if isinstance(p, ForAll)] if parent is None else []
        general = [g for p in quantified if (g := self.translator.general(p)) is not None]
        self.contexts.append((parent, hypotheses, *([general] if general else [])))
        return self.replay.context(parent, hypotheses, general)

    def known(self, context: int, s: Statement) -> bool:
        """Whether it needs no line."""
        return self.replay.known(context, s)

    def line(self, context: int, s: Statement, rule: str, *arguments: Any) -> int:
        """A line, after those for what it needs.

        Raises:
            Lacking: where the checker rejects it.
        """
        self.define(context, s.left, s.right)
        for term in arguments[1] if rule == "sum" else ():
            factors = [term[1]] if term[0] == "zero" else [text for text, _ in term[1:]]
            self.define(context, *map(read, factors))
        for text in (arguments[1] if rule == "lemma" else {}).values():
            self.define(context, read(text))
        return self._added(context, s, rule, *arguments)

    def _added(self, context: int, s: Statement, rule: str, *arguments: Any) -> int:
        try:
            number = self.replay.line(context, said(s), rule, *arguments)
        except Rejected as error:
            raise Lacking(f"{rule}: {str(error)[:200]} [{said(s)[:300]}]") from None
        self.lines.append((context, said(s), rule, *arguments))
        return number

    def give(self, context: int, s: Statement, rule: str, *arguments: Any) -> int:
        """A line by a rule that gives its left side a value."""
        self.define(context, s.right)
        return self._added(context, s, rule, *arguments)

    def general(self, context: int, s: Statement, number: int, values: dict[str, Expression]) -> int:
        """A line by a general hypothesis; it says itself where it has a value."""
        self.define(context, *values.values())
        return self._added(context, s, "general", number, {x: written(e) for x, e in values.items()})

    def fact(self, context: int, s: Statement, name: str, values: dict[str, Expression]) -> int:
        """A line by a lemma that says itself where its sides have values."""
        return self._added(context, s, "lemma", name, {x: written(e) for x, e in values.items()})

    def lemma(self, context: int, s: Statement, name: str, **parameters: Expression) -> int:
        """A line by a lemma, after its premises."""
        return self.line(context, s, "lemma", name, {x: written(e) for x, e in parameters.items()})

    def define(self, context: int, *expressions: Expression) -> None:
        """Lines for all that the expressions need, the innermost first."""
        for e in expressions:
            for alternatives in reversed(list(needs(e))):
                if any(all(self.known(context, s) for s in group) for group in alternatives):
                    continue
                why = []
                for group in alternatives:
                    try:
                        for s in group:
                            self.prove(context, s)
                        break
                    except Lacking as lacking:
                        why.append(str(lacking))
                else:
                    raise Lacking(f"need: {why[0]}")

    def tries(self, context: int, s: Statement) -> bool:
        """Whether it is known, or lines for it and for where it is defined are found."""
        try:
            self.define(context, s.left, s.right)
            self.prove(context, s)
        except (Lacking, Rejected):
            return False
        return True

    def limit(self, context: int, inside: int, e: Expression, x: str, end: Limit) -> Limit:
        """The value or limit at an end as the checker takes it, after lines for what it wants to know."""
        if not isinstance(end, float):
            there = substituted(e, {x: end})
            with suppress(Lacking, Rejected):
                self.define(context, there)
            if self.replay.undefined(context, there) is None:
                return there
        known, near = partial(self.tries, context), partial(self.tries, inside)
        return Limits(x, end, known, near, lambda a: self.replay.forms.of(a).above.is_zero()).of(e)

    def prove(self, context: int, s: Statement) -> None:
        """Lines that end with the statement, where it is not known."""
        if self.known(context, s):
            return
        if s.op == "in":
            self.line(context, s, "integer")
            return
        if s.op == "is":
            self._give_value(context, s)
            return
        key = (context, said(s))
        if not self._asked:
            self._failed.clear()  # more may be known by now
        if key in self._asked:
            raise Lacking(f"in a circle: {said(s)}")
        if key in self._failed:
            raise Lacking(self._failed[key])
        if len(self._asked) > _DEEPEST or over():
            raise Lacking("too deep, or the time was over")
        self._asked.append(key)
        try:
            self._settle(self, context, s)
        except Lacking as lacking:
            self._failed[key] = str(lacking)
            raise
        finally:
            self._asked.pop()

    def _give_value(self, context: int, s: Statement) -> None:
        """Lines by which an integral, a divergence or the like has a value."""
        from dpsym.deciding.terms.divergences import valued  # these build lines themselves
        from dpsym.deciding.terms.values import value_of

        key = (context, said(s))
        if key in self._asked:
            raise Lacking(f"in a circle: {said(s)}")
        self._asked.append(key)
        try:
            found = (
                valued(self, context, s.left) if s.left[0] == "renyi" else value_of(self, context, s.left) is not None
            )
        finally:
            self._asked.pop()
        if not found:
            raise Lacking(f"not known: {said(s)}")

    def bound(self, context: int, s: Statement) -> None:
        """Lines for a bound that a form has built in."""
        from dpsym.deciding.terms.condition_multiples import from_one_condition  # which builds lines itself

        if from_hypotheses(self, context, s):
            return
        key = (context, said(s))
        if key in self._bounds:
            raise Lacking(f"a bound in a circle: {said(s)}")
        self._bounds.append(key)
        try:
            if not from_one_condition(self, context, s):
                self.prove(context, s)
        finally:
            self._bounds.pop()

    def equation(self, context: int, s: Statement) -> None:
        """Lines for an equation, where both inequalities follow."""
        if self.known(context, s):
            return
        for op in ("<=", ">="):
            self.bound(context, Statement(s.left, op, s.right) if op == ">=" else Statement(s.right, ">=", s.left))
        self.lemma(context, s, "equal", x=s.left, y=s.right)

    def assume(self, context: int, p: Proposition) -> None:
        """Have what was shown in a context count among what its domain assumes."""
        self.domains[context] = Domain((*self.domains[context].assume, p))

    def number(self, context: int, s: Statement) -> int:
        """The number of a line of the context with this statement; one is added where it is known without."""
        for number in range(len(self.replay.lines) - 1, -1, -1):
            if self.replay.lines[number] == (context, s):
                return number
        return self.line(context, s, "known")

    def conclude(self, context: int, s: Statement) -> None:
        """Have the statement be among what is claimed."""
        self.claims.append(self.number(context, s))

    def certificate(self) -> dict[str, Any]:
        """The whole as JSON-able data."""
        if len(self.claims) == 1 and self.replay.lines[self.claims[0]].context == 0:
            if self.claims[0] != len(self.lines) - 1:  # the last line is the claim
                self.line(*self.replay.lines[self.claims[0]], "known")
            claims = {}
        else:
            claims = {"claims": self.claims}
        return {
            "format": "dpsym proof",
            "version": 1,
            "contexts": [list(c) for c in self.contexts],
            "lines": [list(line) for line in self.lines],
            **claims,
        }
