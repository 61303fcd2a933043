"""A certificate as a development for Coq: one lemma for each line, proved as its rule says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from dpsym.exporting.coq.calculus import Calculus
from dpsym.exporting.coq.expectations import Expectations
from dpsym.exporting.coq.known import NotExported
from dpsym.exporting.coq.rules import Rules
from dpsym.exporting.coq.terms import said
from dpsym.verifying.proofs import verify
from dpsym.verifying.proofs.expressions import statement


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

    def theorem(self, title: str) -> str:
        """The claim as it is written, from the last line."""
        (last, (context, s)), hypotheses = list(enumerate(self.replay.lines))[-1], self._hypotheses[0]
        assert context == 0  # noqa: S101 - the checker has seen to it
        of_laws = self.given(0)
        spoken = {*self._spoken([*hypotheses, s]), *(self.of_laws if of_laws else ())}
        variables, laws = [v for v in self.variables if v in spoken], self.laws if of_laws else []
        known = [*(f"M_{i}" for i in range(len(of_laws))), *(f"H_{i}" for i in range(len(hypotheses)))]
        steps = [f"intros {' '.join([*variables, *laws, *known])}."] if known else ["intros."]
        steps += [f"pose ({v} := 0)." for v in self.variables if v not in spoken]
        for i, h in enumerate(hypotheses):
            sides = (h.left,) if h.op == "in" else (h.left, h.right)
            steps += self._bridge(*sides, inside=f"H_{i}")
        shown = self.applied(f"line_{last}", 0, {}, (f"H_{i}" for i in range(len(hypotheses))))
        sides = (s.left,) if s.op == "in" else (s.left, s.right)
        steps += self._needed(0, *sides)
        steps += [*self._bridge(*sides), f"exact {shown}."]
        given = "".join(f"({m}) ->\n  " for m in of_laws) + "".join(f"{said(h)} ->\n  " for h in hypotheses)
        head = f"forall {' '.join(variables)} : R,\n  " if variables else ""
        head += f"forall {' '.join(laws)} : law,\n  " if laws else ""
        proof = "\n  ".join(steps)
        return f"Theorem {title} : {head}{given}{said(s)}.\nProof.\n  {proof}\nQed."


def document(data: dict[str, Any], title: str) -> str:
    """A file for `coqc`: the library, a lemma for each line, the claim; raises NotExported, Malformed or Rejected."""
    verify(data)
    library = (Path(__file__).parent / "library.v").read_text(encoding="utf-8")
    made = Development(data)
    lines = "\n\n".join(made.lemmas)
    return (
        f"{library}\n(* --- the proof, line by line *)\n\n{lines}\n\n(* --- the claim *)\n\n{made.theorem(title)}\n"
        f"Print Assumptions {title}.\nEnd exported.\n"
    )
