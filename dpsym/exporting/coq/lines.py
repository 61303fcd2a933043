"""A certificate as a development for Coq: one lemma for each line, proved as its rule says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from dpsym.exporting.coq.calculus import Calculus
from dpsym.exporting.coq.expectations import Expectations
from dpsym.exporting.coq.known import NotExported, OfLaw
from dpsym.exporting.coq.rules import Rules
from dpsym.exporting.coq.terms import said
from dpsym.verifying.proofs.expressions import Statement, statement


class Head(NamedTuple):
    """What a theorem says, for all variables and laws: what is given, and the claim (as `shown`, if that is set)."""

    variables: tuple[str, ...]
    laws: tuple[str, ...]
    given: tuple[Statement | OfLaw, ...]
    claim: Statement
    shown: str = ""

    def __str__(self) -> str:
        return (
            self.over("forall", ",")
            + "".join(f"{premise(one)} ->\n  " for one in self.given)
            + (self.shown or said(self.claim))
        )

    def over(self, quantifier: str, between: str) -> str:
        """The variables and the laws, quantified."""
        found = f"{quantifier} {' '.join(self.variables)} : R{between}\n  " if self.variables else ""
        return found + (f"{quantifier} {' '.join(self.laws)} : law{between}\n  " if self.laws else "")


def premise(one: Statement | OfLaw) -> str:
    """What is given, as text for Coq."""
    return f"({one})" if isinstance(one, OfLaw) else said(one)


class Development(Rules, Calculus, Expectations):
    """The lemmas of one certificate."""

    def __init__(self, data: dict[str, Any]) -> None:
        super().__init__(data)
        for number, line in enumerate(data["lines"]):
            self._add(number, *line)

    def _add(self, number: int, context: int, line: str, rule: str, *arguments: Any) -> None:
        s, self.here = statement(line), context
        self.terms.statement(s)
        method: Callable[..., list[str]] | None = getattr(self, f"_by_{rule}", None)
        if method is None:
            raise NotExported(f"the rule {rule}")
        steps = method(context, s, *arguments)
        sides = () if rule == "absurd" else (s.left,) if s.op == "in" else (s.left, s.right)
        needed = self._needed(context, *sides)
        self.replay.line(context, line, rule, *arguments)
        self.lemmas.append(self._lemma(f"line_{number}", context, said(self.terms.statement(s)), [*needed, *steps]))
        self._file(context, s, number)

    def head(self) -> Head:
        """The claim as it is written, and what is assumed."""
        s, hypotheses, of_laws = self.replay.lines[-1].statement, self._hypotheses[0], self.given(0)
        spoken = {*self._spoken([*hypotheses, s]), *(self.of_laws if of_laws else ())}
        variables = tuple(v for v in self.variables if v in spoken)
        return Head(variables, tuple(self.laws if of_laws else ()), (*of_laws, *hypotheses), s)

    def theorem(self, title: str) -> str:
        """The claim from the last line."""
        (last, (context, s)), hypotheses = list(enumerate(self.replay.lines))[-1], self._hypotheses[0]
        assert context == 0  # noqa: S101 - the checker has seen to it
        head, of_laws = self.head(), self.given(0)
        variables, laws = head.variables, head.laws
        known = [*(f"M_{i}" for i in range(len(of_laws))), *(f"H_{i}" for i in range(len(hypotheses)))]
        steps = [f"intros {' '.join([*variables, *laws, *known])}."] if known else ["intros."]
        steps += [f"pose ({v} := 0)." for v in self.variables if v not in variables]
        for i, h in enumerate(hypotheses):
            sides = (h.left,) if h.op == "in" else (h.left, h.right)
            steps += self._bridge(*sides, inside=f"H_{i}")
        shown = self.applied(f"line_{last}", 0, {}, (f"H_{i}" for i in range(len(hypotheses))))
        sides = (s.left,) if s.op == "in" else (s.left, s.right)
        steps += self._needed(0, *sides)
        steps += [*self._bridge(*sides), f"exact {shown}."]
        proof = "\n  ".join(steps)
        return f"Theorem {title} : {head}.\nProof.\n  {proof}\nQed."
