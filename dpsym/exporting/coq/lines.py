"""A certificate as a development for Coq: one lemma for each line, proved as its rule says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from dpsym.exporting.coq.binders import Binders
from dpsym.exporting.coq.expectations import Expectations
from dpsym.exporting.coq.known import NotExported, OfLaw, for_all, premise
from dpsym.exporting.coq.rules import Rules
from dpsym.exporting.coq.terms import has_value, is_bound, said
from dpsym.verifying.proofs.expressions import Expression, Statement, canonical, parts, statement


class Head(NamedTuple):
    """What a theorem says, for all variables and laws: what is given, and the claim; or all of it as `shown`.

    `besides` is claimed with it: that integrals in it have a value, and what the step asks for beside its relation.
    """

    variables: tuple[str, ...]
    laws: tuple[str, ...]
    given: tuple[Statement | OfLaw, ...]
    claim: Statement
    shown: str = ""
    besides: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.shown or (
            for_all(self.variables, self.laws)
            + "".join(f"{premise(one)} ->\n  " for one in self.given)
            + " /\\ ".join([*self.besides, said(self.claim)])
        )


class Development(Rules, Binders, Expectations):
    """The lemmas of one certificate."""

    def __init__(self, data: dict[str, Any]) -> None:
        super().__init__(data)
        self.claimed: list[int] = data.get("claims", [])
        for number, line in enumerate(data["lines"]):
            self._add(number, *line)

    def _add(self, number: int, context: int, line: str, rule: str, *arguments: Any) -> None:
        s, self.number, self.here = statement(line), number, context
        self.terms.statement(s)
        method: Callable[..., list[str]] | None = getattr(self, f"_by_{rule}", None)
        if method is None:
            raise NotExported(f"the rule {rule}")
        steps = method(context, s, *arguments)
        needed = self._needed(context, *(() if rule == "absurd" else s.sides))
        self.replay.line(context, line, rule, *arguments)
        self._lemma("", context, said(self.terms.statement(s)), [*needed, *steps])
        self._file(context, s, number)

    def _claims(self) -> list[tuple[int, Statement]]:
        """The lines that are claimed, with their numbers, the relation last."""
        numbers = self.claimed or [len(self.replay.lines) - 1]
        lines = [(n, self.replay.lines[n]) for n in numbers]
        if any(self._hypotheses[line.context] != self._hypotheses[0] for _, line in lines):
            raise NotExported("its certificate claims something in a case")
        *others, last = {line.statement: (n, line.statement) for n, line in lines}.values()
        return [*(one for one in others if one[1] not in self._hypotheses[0]), last]

    def _binders(self) -> list[Expression]:
        """The integrals and derivatives in what is claimed."""
        sides = (side for _, s in self._claims() for side in s.sides)
        return list({canonical(p): p for side in sides for p in parts(side) if is_bound(p)}.values())

    def head(self) -> Head:
        """The claim as it is written, and what is assumed."""
        (*others, (_, s)), hypotheses, of_laws = self._claims(), self._hypotheses[0], self.given(0)
        spoken = {*self._spoken([*hypotheses, *(o for _, o in others), s]), *(self.of_laws if of_laws else ())}
        variables = tuple(v for v in self.variables if v in spoken)
        besides = (*map(has_value, self._binders()), *(said(o) for _, o in others))
        return Head(
            variables, tuple(self.laws if of_laws else ()), (*of_laws, *hypotheses), s, besides=besides
        )  # fmt: skip

    def theorem(self, title: str) -> str:
        """The claims from their lines."""
        hypotheses, head, known = self._hypotheses[0], self.head(), self._all_given(0)
        variables = head.variables
        steps = [f"intros {' '.join([*variables, *head.laws, *known])}."] if known else ["intros."]
        steps += [f"pose ({v} := 0)." for v in self.variables if v not in variables]
        for i, h in enumerate(hypotheses):
            steps += self._bridge(*h.sides, inside=f"H_{i}")
        proofs = [[f"exact {self._existence(e)}."] for e in self._binders()]
        for n, s in self._claims():
            there = self.replay.lines[n].context
            proofs.append([*self._needed(there, *s.sides), *self._bridge(*s.sides), f"exact {self._term(n)}."])
        *firsts, last = proofs
        for each in firsts:
            steps += ["split.", "{", *each, "}"]
        proof = "\n  ".join([*steps, *last])
        return f"Theorem {title} : {head}.\nProof.\n  {proof}\nQed."
