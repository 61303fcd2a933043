"""Lines that follow by what functions do between the ends of an interval."""

from __future__ import annotations

import math

from flint import fmpq

from dpsym.exporting.coq.known import ZERO, Known, NotExported, one_tactic
from dpsym.exporting.coq.terms import function, name, said, text
from dpsym.verifying.proofs.expressions import (
    Expression,
    Statement,
    derivative,
    names,
    parts,
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
        e, _ = self.replay.gap(s)
        if at.strip() == "oo":
            return self._to_infinity(context, s, x, inside)
        end, there = self._end(context, e, x, at)
        slope, v = derivative(e, x), name(x)
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
        f, slope_of, there_ = function(x, e_), function(x, slope_), text(self.terms.canonical(end))
        spelling = one_tactic(self._bridge(put))
        slopes = self._slopes(inside, x, [(e, slope)], [sign])
        return [
            *self._needed(context, e, there, end),
            self._shown("A_0", context, value),
            self._shown("A_1", context, order),
            f"assert (A_2 : forall t_0, {begin} < t_0 < {finish} ->",
            f"  is_derive {f} t_0 ({slope_of} t_0)",
            f"  /\\ (fun {v} => {said(self.terms.statement(sign))}) t_0).",
            f"{{ intros t_0 T_0. {self._inner(context, inside, x, (end, x) if up else (x, end), slopes)} }}",
            f"assert (A_3 : {text(put)} {'<' if steep else '<='} {text(e_)}).",
            f"{{ enough (A_4 : {f} {there_} {'<' if steep else '<='} {f} {v}) by moved A_4.",
            f"apply ({title}{'_strictly' if steep else ''} {f} {slope_of} "
            f"{begin} {finish}); [ lra | intros; now apply A_2 | intros t_0 T_0; destruct (A_2 t_0 T_0); lra "
            f"| continuity_by_parts; cbv beta; {spelling}sides | continuity_by_parts; cbv beta; {spelling}sides ]. }}",
            *self._bridge(put, inside="A_3"),
            "lra.",
        ]

    def _end(self, context: int, e: Expression, x: str, at: str) -> tuple[Expression, Expression]:
        """An end, and the expression there."""
        if at.strip() in ("oo", "-oo"):
            raise NotExported("a limit at infinity")
        end = read(at)
        there = substituted(e, {x: end})
        if self.replay.undefined(context, there) is not None:
            raise NotExported("a limit at an end where the function is not defined")
        return end, there

    def _to_infinity(self, context: int, s: Statement, x: str, inside: int) -> list[str]:
        (e, _), v = self.replay.gap(s), name(x)
        slope = derivative(e, x)
        e_, slope_ = self.terms.canonical(e), self.terms.canonical(slope)
        limit = self.replay.limit(context, inside, e_, x, math.inf)
        value = Statement(limit, ">=" if len(s.op) == 2 else ">", ZERO)
        if isinstance(limit, float) or not self.replay.known(context, value):
            raise NotExported("a limit at infinity of this kind")
        sign = Statement(slope, "<=", ZERO)
        slopes = self._slopes(inside, x, [(e, slope)], [sign])
        f, slope_of = function(x, e_), function(x, slope_)
        return [
            *self._needed(context, e, limit),
            self._shown("A_0", context, value),
            f"eassert (A_1 : is_lim {f} p_infty (Finite _)) by limits.",
            "match type of A_1 with is_lim _ _ (Finite ?l) => "
            f"replace l with {text(limit)} in A_1 by (symmetry; identity) end.",
            f"assert (A_2 : forall t_0, {v} < t_0 -> is_derive {f} t_0 ({slope_of} t_0)",
            f"  /\\ (fun {v} => {said(self.terms.statement(sign))}) t_0).",
            f"{{ intros t_0 T_0. {self._inner(context, inside, x, (x, x), slopes)} }}",
            f"assert (A_3 : {text(limit)} <= {text(e_)}).",
            f"{{ apply (falls_to {f} {slope_of} {v}); [ intros; now apply A_2 "
            "| intros t_0 T_0; now apply A_2 | continuity_by_parts; cbv beta; sides | exact A_1 ]. }",
            *self._bridge(limit, inside="A_3"),
            "lra.",
        ]

    def _by_turning(
        self, context: int, s: Statement, x: str, low: str, high: str, inside: int, factor: str, falling: str
    ) -> list[str]:
        (e, _), p, g, v = self.replay.gap(s), read(factor), read(falling), name(x)
        slope, turn = derivative(e, x), derivative(g, x)
        (begin, first), (finish, last) = (self._end(context, e, x, at) for at in (low, high))
        signs = [Statement(slope, "=", ("*", p, g)), Statement(p, ">=", ZERO), Statement(turn, "<=", ZERO)]
        slopes = self._slopes(inside, x, [(e, slope), (g, turn)], signs)
        steps = self._needed(context, e, first, last, begin, finish)
        ends = [text(self.terms.canonical(end)) for end in (begin, finish)]
        puts = [substituted(self.terms.canonical(e), {x: self.terms.canonical(end)}) for end in (begin, finish)]
        for i, there in enumerate((first, last)):
            value = Statement(there, ">=" if len(s.op) == 2 else ">", ZERO)
            if not self.replay.known(context, value):
                raise NotExported("a strict relation by turning")
            steps.append(self._shown(f"A_{i}", context, value))
        for i, order in enumerate((Statement(x, ">=", begin), Statement(x, "<=", finish)), 2):
            steps.append(self._shown(f"A_{i}", context, order))
        functions = [function(x, self.terms.canonical(a)) for a in (e, g, p, slope, turn)]
        reached = " \\/ ".join(f"{functions[0]} {end} <= {functions[0]} {v}" for end in ends)
        sides = [one_tactic(self._bridge(put)) for put in puts]
        return [
            *steps,
            f"assert (A_4 : {text(puts[0])} <= {text(self.terms.canonical(e))} \\/ "
            f"{text(puts[1])} <= {text(self.terms.canonical(e))}).",
            f"{{ enough (A_5 : {reached}) by moved A_5.",
            f"apply (turning {' '.join(functions)} {' '.join(ends)} {v}); [ lra | intros t_0 T_0 "
            f"| continuity_by_parts; cbv beta; {sides[0]}sides | continuity_by_parts; cbv beta; {sides[1]}sides ].",
            f"{self._inner(context, inside, x, (begin, finish), slopes)} }}",
            *(step for put in puts for step in self._bridge(put, inside="A_4")),
            "destruct A_4; lra.",
        ]

    def _by_closure(self, context: int, s: Statement, number: int) -> list[str]:
        there, continuous = self.replay.lines[number].context, list[str]()
        large, small = (s.right, s.left) if s.op == "<=" else (s.left, s.right)
        e = text(self.terms.canonical(("-", large, small)))
        moved = self._moved(context, there)
        relation, title = ("0 =", "closure_equal") if s.op == "=" else ("0 <=", "closure")
        steps = [step for i, x in enumerate(moved) for step in self._range(context, there, x, i)]
        for i, x in enumerate(moved):
            claim = f"continuous (fun {name(x)} => {e}) {name(x)}"
            shown = [*self._needed(context, s.left, s.right), *self._bases(context, x, s.left, s.right)]
            proof = [*shown, "continuity_by_parts; cbv beta; sides."]
            continuous.append(self._lemma(f"_in_{i}", context, claim, proof))
        for n in range(len(moved), -1, -1):
            points = {x: f"X_{i}" for i, x in enumerate(moved[:n])}
            given = "".join(f"forall {name(x)}, V_{i} < {name(x)} < W_{i} -> " for i, x in enumerate(points))
            steps += [f"assert (A_{n} : {given}{relation} {e}).", "{", *(f"intros X_{i} Y_{i}." for i in range(n))]
            if n == len(moved):
                steps.append(f"pose proof {self._at(f'line_{number}', context, there, points)}. lra.")
            else:
                x = name(moved[n])
                between = " ".join([f"A_{n + 1}", *(f"X_{i} Y_{i}" for i in range(n))])
                limit = self._at(continuous[n], context, context, points)
                inside = f"V_{n} W_{n} {x} ltac:(lra) ltac:(lra)"
                steps.append(f"pose proof ({title} _ {inside} ({between}) {limit}) as C_0. exact C_0.")
            steps.append("}")
        return [*steps, "lra."]

    def _moved(self, context: int, there: int) -> list[str]:
        """The names that are further inside in one context than in the other."""
        outside = self.replay.hypotheses(context)
        return sorted({x for h in self.replay.hypotheses(there) if h not in outside for x in h.names})

    def _range(self, context: int, there: int, x: str, i: int) -> list[str]:
        """Bounds for the i-th name, between which both contexts hold, called V_i and W_i."""
        found: dict[bool, list[str]] = {True: [], False: []}
        for h in (*self.replay.hypotheses(context), *self.replay.hypotheses(there)):
            if x in h.names:
                bound = h.right if h.left == x else h.left
                if not isinstance(bound, fmpq):
                    raise NotExported(f"{said(h)} is no bound by a number")
                found[(h.op[0] == ">") == (h.left == x)].append(bound)
        v = name(x)
        low = f"exists ({text(max(found[True]))}); lra" if found[True] else f"exists ({v} - 1); lra"
        high = f"exists ({text(min(found[False]))}); lra" if found[False] else f"exists ({v} + 1); lra"
        floor = f" /\\ V_{i} = {text(max(found[True]))}" if found[True] else f" /\\ V_{i} < {v}"
        roof = f" /\\ W_{i} = {text(min(found[False]))}" if found[False] else f" /\\ {v} < W_{i}"
        return [
            f"assert (B_0 : exists V_{i}, V_{i} <= {v}{floor}) by ({low}). destruct B_0 as [V_{i} [? ?]].",
            f"assert (B_0 : exists W_{i}, {v} <= W_{i}{roof}) by ({high}). destruct B_0 as [W_{i} [? ?]].",
        ]

    def _bases(self, context: int, x: str, *sides: Expression) -> list[str]:
        """That the bases of moving exponents are positive."""
        return [
            step
            for side in sides
            for part in parts(side)
            if isinstance(part, tuple) and part[0] == "**" and x in names(part[2])
            for step in self._signed(context, part[1])[:1]
        ]

    def _at(self, title: str, context: int, there: int, points: dict[str, str]) -> str:
        """A lemma of a context `there` at other points, which are known to lie between the bounds."""
        shown = [
            "ltac:(lra)" if h.names & points.keys() else f"ltac:({self.by(context, h)})"
            for h in self._hypotheses[there]
        ]
        return self.applied(title, there, points, shown)

    def _slopes(self, inside: int, x: str, slopes: list[tuple[Expression, Expression]], signs: list[Statement]) -> str:
        """A lemma: derivatives, and what is known of them."""
        steps, shown, claims = list[str](), list[str](), list[str]()
        exactly = "[ exact Q_0 | simpl; identity ]"
        for i, (e, slope) in enumerate(slopes):
            f, value = function(x, self.terms.canonical(e)), text(self.terms.canonical(slope))
            claims.append(f"is_derive {f} {name(x)} {value}")
            shown.append(f"D_{i}")
            steps += [
                *self._needed(inside, e, slope),
                f"assert (D_{i} : {claims[-1]}).",
                f"{{ eassert (Q_0 : is_derive {f} {name(x)} _) by (derive; cbv beta; sides).",
                f"match type of Q_0 with is_derive _ _ ?d => replace {value} with d; {exactly} end. }}",
            ]  # fmt: skip
        for i, sign in enumerate(signs):
            claims.append(said(self.terms.statement(sign)))
            shown.append(f"S_{i}")
            steps += [*self._needed(inside, *sign.sides), self._shown(f"S_{i}", inside, sign)]
        *firsts, whole = shown
        for one in reversed(firsts):
            whole = f"(conj {one} {whole})"
        return self._lemma("_slope", inside, " /\\ ".join(claims), [*steps, f"exact {whole}."])

    def _inner(
        self, context: int, inside: int, x: str, ends: tuple[Expression, Expression], slopes: str,
        closed: tuple[bool, bool] = (False, False)
    ) -> str:  # fmt: skip
        """A lemma about every point of the inner context at one between the ends, called t_0; T_2: it is an integer."""
        steps, at = list[str](), self._hypotheses[inside]
        for i, h in enumerate(at):
            there = replaced(self.terms.statement(h), {x: "t_0"})
            if h == Statement(x, "in", "Z"):
                steps.append(f"pose proof T_2 as P_{i}.")
                continue
            if h.op == "in" or x not in h.names:
                steps.append(f"assert (P_{i} : {said(there)}) by ({self.by(context, h)}).")
                continue
            low = (h.op[0] == ">") == (h.left == x)
            edge = ends[0] if low else ends[1]
            bound = h.right if h.left == x else h.left
            weak = "=" if "=" in h.op or not closed[not low] else ""
            known = Statement(edge, (">" if low else "<") + weak, bound)
            steps.append(self._shown(f"B_{i}", context, known))
            steps.append(f"assert (P_{i} : {said(there)}) by lra.")
        return " ".join(
            [*steps, f"exact {self.applied(slopes, inside, {x: 't_0'}, (f'P_{i}' for i in range(len(at))))}."]
        )
