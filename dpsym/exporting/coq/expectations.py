"""Lines about expectations: what holds of every value of a random variable holds of them."""

from __future__ import annotations

from dpsym.exporting.coq.known import Known
from dpsym.exporting.coq.terms import function, name, opaque, said, text
from dpsym.verifying.proofs.expectations import integrand, is_bound, law_of
from dpsym.verifying.proofs.expressions import Expression, Statement, is_opaque, substituted

_RELATIONS = {"=": "expects_eq", "<=": "expects_le", ">=": "expects_ge", "<": "expects_lt", ">": "expects_gt"}


class Expectations(Known):
    """Expectations compared, and those of linear combinations."""

    def _by_expected(self, context: int, s: Statement, z: str, inside: int) -> list[str]:
        law = law_of(s.left, s.right)
        functions = Statement(self._under(s.left, z), s.op, self._under(s.right, z))
        needed = [integrand(side, z, law)[0] for side in (s.left, s.right)]
        steps = self._everywhere(context, inside, z, law, functions, needed)
        one, other = (self._value(side) for side in (s.left, s.right))
        return [
            *steps,
            f"exact ({_RELATIONS[s.op]} {opaque(law)} {self._functions(functions, z)} _ _ A_0 {one} {other}).",
        ]

    def _by_linear(self, context: int, s: Statement, z: str, inside: int) -> list[str]:
        law, whole = law_of(s.left), self.terms.canonical(s.right)
        functions = Statement(self._under(s.left, z), "=", self._under(whole, z))
        needed = [integrand(s.left, z, law)[0], self._under(s.right, z)]
        steps = self._everywhere(context, inside, z, law, functions, needed)
        return [
            *steps,
            f"assert (A_1 : expects {opaque(law)} {function(z, functions.right)} {text(whole)}) by expecting.",
            f"exact (expects_eq {opaque(law)} {self._functions(functions, z)} _ _ A_0 {self._value(s.left)} A_1).",
        ]

    def _under(self, e: Expression, z: str) -> Expression:
        """With the functions of z in the place of their expectations."""
        if not isinstance(e, tuple):
            return e
        if is_opaque(e) and e[0] == "E":
            bound, body = self.moving[opaque(e)]
            return body if bound == z else substituted(body, {bound: z})
        if e[0] in ("+", "-", "*", "/"):
            return (e[0], *(self._under(a, z) for a in e[1:]))
        return self.terms.canonical(e)

    def _value(self, e: Expression) -> str:
        """The proof of what the expectation is."""
        return self.origin(opaque(e)) if is_opaque(e) and e[0] == "E" else "(expects_constant _ _)"

    def _functions(self, s: Statement, z: str) -> str:
        return " ".join(function(z, side) for side in s.sides)

    def _everywhere(
        self, context: int, inside: int, z: str, law: Expression, s: Statement, needed: list[Expression]
    ) -> list[str]:
        """A lemma about every value z, and A_0, which says so of the values of the law."""
        start = len(self._hypotheses[context])
        inner = [*self._needed(inside, *needed), *self._bridge(s.left, s.right), f"{self.by(inside, s)}."]
        title = self._lemma("_under", inside, said(s), inner)
        steps, bounds, shown = list[str](), dict[str, None](), [f"H_{i}" for i in range(start)]
        for i, h in enumerate(self._hypotheses[inside][start:]):
            if z not in h.names:
                shown.append(f"ltac:({self.by(context, h)})")
                continue
            end = is_bound(h, z, law)
            steps.append(self._shown(f"B_{i}", context, end))
            bounds[self.origin(opaque(end.left))] = None
            shown.append("ltac:(lra)")
        ends = "".join(f"pose proof ({m} X_0 Y_0). " for m in bounds)
        proof = self.applied(title, inside, {z: "X_0"}, shown)
        claim = f"forall {name(z)}, support {opaque(law)} {name(z)} -> {said(s)}"
        return [*steps, f"assert (A_0 : {claim}).", f"{{ intros X_0 Y_0. {ends}exact {proof}. }}"]
