"""Lines that follow from lemmas, from lines of other contexts, and by cases."""

from __future__ import annotations

from flint import fmpq

from dpsym.exporting.coq.known import ZERO, NotExported
from dpsym.exporting.coq.sums import Sums
from dpsym.exporting.coq.terms import said, text
from dpsym.verifying.proofs.expressions import Statement, is_opaque, parts, read, replaced
from dpsym.verifying.proofs.lemmas import lemma


class Rules(Sums):
    """Lemmas, instances, cases."""

    def _by_lemma(self, context: int, s: Statement, title: str, parameters: dict[str, str]) -> list[str]:
        fact = lemma(title)
        if any(is_opaque(part) for one in (*fact.premises, fact.conclusion) for part in parts(one.left)):
            raise NotExported(f"the fact {title}, about quantities that are variables for Coq")
        table = {x: self.terms.canonical(read(e)) for x, e in parameters.items()}
        conclusion = replaced(fact.conclusion, table)
        arguments = "".join(f" ({x} := {text(table[x])})" for x in sorted(table))
        steps = self._needed(context, *(read(e) for e in parameters.values()))
        if title == "power_exp" and isinstance(table["y"], fmpq):
            return [*steps, *self._by_logarithms(context, s, [])]
        steps.append(f"assert (C_0 : {said(conclusion)}).")
        premises = [self.by(context, replaced(p, table)) for p in fact.premises]
        inner = "".join(f" | {p}" for p in premises).removeprefix(" | ")
        close = f"; [ {inner} ]" if premises else ""
        if title in ("power_positive", "power_nonnegative") and isinstance(table["y"], fmpq):
            base = Statement(table["x"], fact.premises[0].op, ZERO)
            close = "apply Rlt_gt; positive" if title == "power_positive" else "apply Rle_ge; nonnegative"
            steps.append(f"{{ assert ({said(base)}) by ({premises[0]}). {close}. }}")
        else:
            steps.append(f"{{ apply {title}{f' with{arguments}' if table else ''}{close}. }}")
        return [*steps, *self._bridge(*conclusion.sides, inside="C_0"), *self._from(s, conclusion)]

    def _by_congruent(self, context: int, s: Statement) -> list[str]:
        steps, shown = list[str](), list[str]()
        for a, b in zip(s.left[1:], s.right[1:], strict=True):
            if self.replay.forms.of(a) != self.replay.forms.of(b):
                equal = Statement(self.terms.reduced(a), "=", self.terms.reduced(b))
                shown.append(f"({self.by(context, equal)})")
                steps.append(f"replace {text(equal.left)} with {text(equal.right)} by (symmetry; {shown[-1]})")
        whole = "; ".join([*steps, "reflexivity"])
        return [f"first [ {whole} | f_equal; first [ {' | '.join(shown)} ] ]." if shown else "reflexivity."]

    def _by_integer(self, context: int, s: Statement) -> list[str]:
        found = []
        for part in parts(s.left):
            leaf = Statement(part, "in", "Z")
            if not isinstance(part, fmpq) and self.replay.known(context, leaf):
                found.append(self._shown("", context, leaf))
        return [*found, "integrally."]

    def _by_instance(self, context: int, s: Statement, number: int, values: dict[str, str]) -> list[str]:
        there, shown = self.replay.lines[number]
        table = {x: self.terms.canonical(read(e)) for x, e in values.items()}
        spelling = {x: text(e) for x, e in table.items()}
        put = replaced(self.terms.statement(shown), table)
        steps = self._needed(context, *table.values())
        terms = []
        for i, h in enumerate(self._hypotheses[there]):
            wanted = replaced(self.terms.statement(h), table)
            steps += self._needed(context, *wanted.sides)
            steps += [
                f"assert (P_{i} : {said(wanted)}).",
                "{",
                *self._bridge(*wanted.sides),
                f"{self.by(context, wanted)}.",
                "}",
            ]
            terms.append(f"P_{i}")
        steps.append(f"pose proof {self.applied(f'line_{number}', there, spelling, terms)} as C_0.")
        return [*steps, *self._bridge(*put.sides, inside="C_0"), *self._from(s, put)]

    def _by_cases(self, context: int, s: Statement, one: int, other: int) -> list[str]:
        (h,) = self.replay.contexts[one].hypotheses
        a, b = text(self.terms.canonical(h.left)), text(self.terms.canonical(h.right))
        split = {"<": f"Rlt_or_le {a} {b}", ">": f"Rlt_or_le {b} {a}", "<=": f"Rle_or_lt {a} {b}",
                 ">=": f"Rle_or_lt {b} {a}", "=": f"Req_dec {a} {b}", "!=": f"Req_dec {a} {b}"}[h.op]  # fmt: skip
        steps, start = [f"destruct ({split}) as [D_0|D_0]."], len(self._hypotheses[context])
        for child in (other, one) if h.op == "!=" else (one, other):
            more = self._hypotheses[child][start:]
            own, shown = self.replay.contexts[child].hypotheses, list[str]()
            for i, m in enumerate(more, start):
                other_way = "" if m in own else f" | {self.by(context, m)}"
                shown.append(
                    f"assert (H_{i} : {said(self.terms.statement(m))}) by first [ lra | assumption{other_way} ]."
                )
            steps.append("{ " + " ".join([*shown, f"{self.by(child, s)}. }}"]))
        return steps

    def _by_absurd(self, context: int, s: Statement, number: int) -> list[str]:
        return ["exfalso.", f"pose proof {self._term(number)} as F_0. first [ lra | apply F_0; lra ]."]
