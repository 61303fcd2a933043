"""Lines that follow by what functions do between the ends of an interval."""

from __future__ import annotations

from dpsym.exporting.coq.known import ZERO, Known, NotExported
from dpsym.exporting.coq.terms import name, said, text
from dpsym.verifying.proofs.expressions import (
    Expression,
    Statement,
    derivative,
    names,
    read,
    replaced,
    substituted,
)  # fmt: skip


class Calculus(Known):
    """Functions that rise or fall."""

    def _by_rising(self, context: int, s: Statement, x: str, at: str, inside: int) -> list[str]:
        return self._climbing(context, s, x, at, inside, "rises")

    def _by_falling(self, context: int, s: Statement, x: str, at: str, inside: int) -> list[str]:
        return self._climbing(context, s, x, at, inside, "falls")

    def _climbing(self, context: int, s: Statement, x: str, at: str, inside: int, title: str) -> list[str]:
        if at.strip() in ("oo", "-oo"):
            raise NotExported("a limit at infinity")
        large, small = (s.left, s.right) if s.op[0] == ">" else (s.right, s.left)
        e: Expression = large if small == ZERO else ("-", large, small)
        end, slope, v = read(at), derivative(e, x), name(x)
        there = substituted(e, {x: end})
        if self.replay.undefined(context, there) is not None:
            raise NotExported("a limit at an end where the function is not defined")
        e_, slope_ = self.terms.canonical(e), self.terms.canonical(slope)
        up, strict = title == "rises", s.op in ("<", ">")
        value = Statement(
            there, ">" if strict and self.replay.known(context, Statement(there, ">", ZERO)) else ">=", ZERO
        )
        steep = strict and value.op == ">="
        begin, finish = (text(self.terms.canonical(end)), v) if up else (v, text(self.terms.canonical(end)))
        order = Statement(x, (">" if up else "<") + ("" if steep else "="), end)
        sign = Statement(slope, (">" if up else "<") + ("" if steep else "="), ZERO)
        put = substituted(e_, {x: self.terms.canonical(end)})
        slopes = f"line_{len(self.replay.lines)}_slope"
        self.lemmas.append(self._slopes(slopes, inside, x, e, slope, sign))
        return [
            *self._needed(context, e, there, end),
            f"assert (A_0 : {said(self.terms.statement(value))}) by ({self.by(context, value)}).",
            f"assert (A_1 : {said(self.terms.statement(order))}) by ({self.by(context, order)}).",
            f"assert (A_2 : forall t_0, {begin} < t_0 < {finish} ->",
            f"  is_derive (fun {v} => {text(e_)}) t_0 ((fun {v} => {text(slope_)}) t_0)",
            f"  /\\ (fun {v} => {said(self.terms.statement(sign))}) t_0).",
            f"{{ intros t_0 T_0. {self._inner(context, inside, x, end, up, slopes)} }}",
            f"assert (A_3 : {text(put)} {'<' if steep else '<='} {text(e_)}).",
            f"{{ apply ({title}{'_strictly' if steep else ''} (fun {v} => {text(e_)}) (fun {v} => {text(slope_)}) "
            f"{begin} {finish}); [ lra | intros; now apply A_2 | intros t_0 T_0; destruct (A_2 t_0 T_0); lra "
            "| continuity_by_parts; cbv beta; sides | continuity_by_parts; cbv beta; sides ]. }",
            *self._bridge(put, inside="A_3"),
            "lra.",
        ]

    def _slopes(self, title: str, inside: int, x: str, e: Expression, slope: Expression, sign: Statement) -> str:
        """A lemma: the derivative, and its sign."""
        function, value = text(self.terms.canonical(e)), text(self.terms.canonical(slope))
        claim = f"is_derive (fun {name(x)} => {function}) {name(x)} {value} /\\ {said(self.terms.statement(sign))}"
        return self._lemma(title, inside, claim, [
            *self._needed(inside, e, slope),
            f"split; [ | {self.by(inside, sign)} ].",
            f"eassert (Q_0 : is_derive (fun {name(x)} => {function}) {name(x)} _) by (derive; cbv beta; sides).",
            f"match type of Q_0 with is_derive _ _ ?d => replace {value} with d; [ exact Q_0 | simpl; identity ] end.",
        ])  # fmt: skip

    def _inner(self, context: int, inside: int, x: str, end: Expression, up: bool, slopes: str) -> str:
        """The lemma about the derivative at a point between, called t_0."""
        steps, at = list[str](), self._hypotheses[inside]
        for i, h in enumerate(at):
            there = replaced(self.terms.statement(h), {x: "t_0"})
            if h.op == "in" or x not in names(h.left) | names(h.right):
                steps.append(f"assert (P_{i} : {said(there)}) by ({self.by(context, h)}).")
                continue
            low = (h.op[0] == ">") == (h.left == x)
            edge = end if low == up else x
            bound = h.right if h.left == x else h.left
            known = Statement(edge, ">=" if low else "<=", bound)
            steps.append(f"assert (B_{i} : {said(self.terms.statement(known))}) by ({self.by(context, known)}).")
            steps.append(f"assert (P_{i} : {said(there)}) by lra.")
        arguments = ["t_0" if v == name(x) else v for v in self.variables]
        return " ".join([*steps, f"exact ({slopes} {' '.join([*arguments, *(f'P_{i}' for i in range(len(at)))])})."])
