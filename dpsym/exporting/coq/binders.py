"""Lines about integrals, sums, suprema and derivatives: how they get a value, and how they compare."""

from __future__ import annotations

import math
from collections.abc import Iterator

from flint import fmpq

from dpsym.exporting.coq.calculus import Calculus
from dpsym.exporting.coq.known import ZERO, NotExported, one_tactic
from dpsym.exporting.coq.terms import HEADS, end, function, has_value, name, points, said, text
from dpsym.verifying.proofs.binders import Bound, bound
from dpsym.verifying.proofs.expressions import (
    Expression,
    Statement,
    canonical,
    derivative,
    names,
    parts,
    read,
    replaced,
    substituted,
)  # fmt: skip

_FAR = {True: "p_infty", False: "m_infty"}


class Binders(Calculus):
    """Each line that gives a binder its value has a lemma `line_…_both`: that it has one, and which."""

    def _by_integral(self, context: int, s: Statement, antiderivative: str, inside: int) -> list[str]:
        b, whole = bound(s.left, "Integral"), read(antiderivative)
        f, antider = function(b.name, b.body), function(b.name, self.terms.canonical(whole))
        slope = self._lemma("_slope", inside, *self._of_antiderivative(inside, whole, derivative(whole, b.name), b))
        claim = f"is_derive {antider} t_0 ({f} t_0) /\\ continuous {f} t_0"
        steps = self._for_all(context, inside, b, claim, slope)
        low, high = (self._at_end(context, inside, whole, b, i) for i in (0, 1))
        steps += [*low[0], *high[0]]
        if isinstance(b.low, float) or isinstance(b.high, float):
            rule = f"(integral_by {f} {antider} {end(s.left[3])} {end(s.left[4])})"
            shown = "[ exact I | exact A_0 | exact B_0 | exact B_1 ]"
        else:
            steps.append(self._shown("L_0", context, Statement(b.low, "<=", b.high)))
            rule = f"(integral_by_closed {f} {antider} {text(s.left[3])} {text(s.left[4])})"
            steps += self._bridge(b.low, b.high)
            shown = "[ lra | exact A_0 | exact K_0 | exact K_1 ]"
        puts = [self._put(whole, b.name, e) for e in (b.low, b.high) if not isinstance(e, float)]
        return self._valued(context, s, "integral", steps, f"eapply {rule}; {shown}", ("-", high[1], low[1]), puts)

    def _by_telescoping(self, context: int, s: Statement, antidifference: str, inside: int) -> list[str]:
        b, whole = bound(s.left, "Sum"), read(antidifference)
        after = ("+", b.name, fmpq(1))
        step = Statement(("-", self._put(whole, b.name, after), self.terms.canonical(whole)), "=", b.body)
        equal = Statement(("-", substituted(whole, {b.name: after}), whole), "=", b.body)
        f, antider = function(b.name, b.body), function(b.name, self.terms.canonical(whole))
        shown = self._lemma_inside("_step", inside, step, equal)
        steps = self._for_all(context, inside, b, f"{antider} (t_0 + 1) - {antider} t_0 = {f} t_0", shown)
        steps += [*self._needed(context, b.low), *self._whole(context, b.low, 0)]
        low = substituted(whole, {b.name: b.low})
        puts = [self._put(whole, b.name, b.low)]
        if isinstance(b.high, float):
            limit, high = self._at_end(context, inside, whole, b, 1)
            steps += limit
            done = f"apply (series_far {f} {antider} {text(b.low)} _ N_0 B_1 A_0)"
        else:
            last = ("+", b.high, fmpq(1))
            steps += [*self._whole(context, b.high, 1), self._shown("L_0", context, Statement(b.low, "<=", last))]
            spelling = one_tactic(self._bridge(b.low, last))
            steps.append(f"assert (L_1 : {text(b.low)} <= {text(last)}) by ({spelling}lra).")
            high = substituted(whole, {b.name: last})
            puts.append(self._put(whole, b.name, last))
            done = f"exact (series_by {f} {antider} {text(b.low)} {text(b.high)} N_0 N_1 L_1 A_0)"
        return self._valued(context, s, "series", steps, done, ("-", high, low), puts)

    def _lemma_inside(self, what: str, inside: int, s: Statement, known: Statement | None = None) -> str:
        """The lemma of what is known of functions at every point of the inner context, where it is spelled as `s`."""
        known = known or s
        steps = [*self._needed(inside, *known.sides), *self._bridge(*s.sides), f"{self.by(inside, known)}."]
        return self._lemma(what, inside, said(s), steps)

    def _whole(self, context: int, e: Expression, i: int) -> list[str]:
        """N_i, that an end of a sum is an integer."""
        by = self.by(context, Statement(e, "in", "Z"))
        return [f"assert (N_{i} : integer {text(e)}) by ({one_tactic(self._bridge(e))}{by})."]

    def _valued(
        self, context: int, s: Statement, kind: str, steps: list[str], done: str, value: Expression,
        puts: list[Expression]
    ) -> list[str]:  # fmt: skip
        """A binder has the value that a rule gives it, which is the one on the right."""
        return self._both(context, s, [
            *steps,
            f"eassert (C_0 : is_{kind} {function(s.left[2], s.left[1])} {end(s.left[3])} {end(s.left[4])} _).",
            f"{{ {done}. }}",
            *self._needed(context, value, s.right),
            f"apply ({kind}_value _ _ _ _ _ C_0). cbv beta. transitivity {text(self.terms.canonical(value))}.",
            "{", "rewrite ?power_0, ?power_1, ?power_2.", *self._bridge(*puts), "identity. }",
            f"{self.by(context, Statement(value, '=', s.right))}.",
        ])  # fmt: skip

    def _of_antiderivative(self, inside: int, whole: Expression, slope: Expression, b: Bound) -> tuple[str, list[str]]:
        """The claim that a function is the antiderivative of one that is continuous, with its proof."""
        x, e, body = name(b.name), text(self.terms.canonical(whole)), text(b.body)
        equal = Statement(slope, "=", b.body)
        claim = f"is_derive (fun {x} => {e}) {x} {body} /\\ continuous (fun {x} => {body}) {x}"
        slope_ = text(self.terms.canonical(slope))
        return claim, [
            *self._needed(inside, whole, slope, b.body),
            self._shown("S_0", inside, equal),
            f"eassert (Q_0 : is_derive (fun {x} => {e}) {x} _) by (derive; cbv beta; sides).",
            "split.",
            "{", *self._bridge(b.body), "try rewrite <- S_0.",
            f"match type of Q_0 with is_derive _ _ ?d => replace {slope_} with d; [ exact Q_0 | ] end.",
            "simpl; identity. }",
            *self._bases(inside, b.name, b.body),
            "continuity_by_parts; cbv beta; sides.",
        ]  # fmt: skip

    def _for_all(self, context: int, inside: int, b: Bound, claim: str, title: str) -> list[str]:
        """A_0, what the lemma says about the bound name at every point t_0 of the range."""
        ends = (b.low, b.high)  # an infinite one bounds nothing
        if b.head in ("Maximum", "Minimum"):
            given, begin = f"{self._points(b)} t_0", "intros t_0 T_0; cbv beta in T_0."
        else:
            low, high = map(self._limit, ends)
            given, begin = f"Rbar_lt {low} t_0 /\\ Rbar_lt t_0 {high}", "intros t_0 [T_0 T_1]; simpl in T_0, T_1."
            if b.head == "Sum":
                given = f"integer t_0 -> Rbar_le {low} t_0 /\\ Rbar_le t_0 {high}"
                begin = "intros t_0 T_2 [T_0 T_1]; simpl in T_0, T_1."
        shown = self._inner(context, inside, b.name, ends, title, b.closed)
        return [f"assert (A_0 : forall t_0 : R, {given} -> {claim}).", f"{{ {begin} {shown} }}"]

    def _points(self, b: Bound) -> str:
        """The points of an interval, as a predicate."""
        kinds = ("closed" if closed else "open" for closed in b.closed)
        ends = ({math.inf: "oo", -math.inf: ("*", fmpq(-1), "oo")}.get(e, e) for e in (b.low, b.high))
        return points(b.name, [*zip(kinds, ends, strict=True)])

    def _at_end(self, context: int, inside: int, whole: Expression, b: Bound, i: int) -> tuple[list[str], Expression]:
        """B_i, what the antiderivative tends to at the i-th end (K_i, that it is continuous there), and the value."""
        e, f = (b.low, b.high)[i], self.terms.canonical(whole)
        value = self.replay.towards(context, inside, whole, b.name, e)
        if isinstance(value, float):
            raise NotExported("a limit that is infinite")
        if not isinstance(e, float):
            put = self._put(whole, b.name, e)
            if self.replay.undefined(context, put) is not None:
                raise NotExported("a limit at an end where the function is not defined")
            side = ("above_here", "below_here")[i]
            return [
                *self._needed(context, put),
                f"assert (K_{i} : continuous {function(b.name, f)} {text(e)}).",
                f"{{ {' '.join(self._bases(context, b.name, whole))} continuity_by_parts; cbv beta; "
                f"{one_tactic(self._bridge(put))}sides. }}",
                f"pose proof ({side} _ _ K_{i}) as B_{i}.",
            ], value
        at = f if i else substituted(f, {b.name: ("*", fmpq(-1), b.name)})
        steps = [*self._needed(context, value)]
        for n, claim in enumerate(dict.fromkeys(self._tending(context, f, b.name, i))):
            steps.append(claim.replace("L_n", f"L_{i}_{n}"))
        return [
            *steps,
            f"eassert (B_{i} : is_lim {function(b.name, at)} p_infty (Finite _)) by lims.",
            f"apply {('above_far', 'below_far')[i]} in B_{i}." if i else
            f"apply (above_far {function(b.name, f)}) in B_{i}.",
        ], value  # fmt: skip

    def _put(self, e: Expression, x: str, at: Expression) -> Expression:
        """An expression, spelled canonically, at a point."""
        return substituted(self.terms.canonical(e), {x: at})

    def _tending(self, context: int, e: Expression, x: str, i: int) -> Iterator[str]:
        """What arguments of exponentials, normal distributions, and products with exponentials tend to."""
        for part in parts(e):
            match part:
                case ("exp" | "Phi", a) | ("**", _, a) if x in names(a):
                    yield from self._line(context, a, x, i)
                case ("*", a, ("exp", g)) if x in names(a) and x in names(g):
                    yield from self._fading(context, a, g, x, i)

    def _line(self, context: int, a: Expression, x: str, i: int) -> Iterator[str]:
        """A linear function of the name: L_n says to which infinity it tends."""
        turned = a if i else substituted(a, {x: ("*", fmpq(-1), x)})
        slope = derivative(a, x)
        slope = slope if i else ("*", fmpq(-1), slope)
        if x in names(slope):
            return
        at_zero, line = text(substituted(a, {x: ZERO})), function(x, turned)
        for rule, where, sign in (("T_near", "p_infty", 1), ("T_far", "m_infty", -1)):
            wanted = text(self.terms.reduced(slope if sign > 0 else ("*", fmpq(-1), slope)))
            yield (
                f"try assert (L_n : is_lim {line} p_infty {where}) by (apply ({rule} {wanted} {at_zero}); "
                f"[ intro; identity | {self._signs(context, a)} ])."
            )

    def _fading(self, context: int, f: Expression, g: Expression, x: str, i: int) -> Iterator[str]:
        """A polynomial times an exponential that falls: L_n says that it tends to 0."""
        f, g = (e if i else substituted(e, {x: ("*", fmpq(-1), x)}) for e in (f, g))
        at_zero = [
            [substituted(e, {x: ZERO}) for e in (h, derivative(h, x), derivative(derivative(h, x), x))] for h in (f, g)
        ]
        (p, q, r), (c, d, dd) = at_zero
        line = (p, q, ("/", r, fmpq(2)), ("*", fmpq(-1), d), c)
        square = (p, q, ("/", dd, fmpq(-2)), c)
        tail = f"[ intro; identity | intro; identity | {self._signs(context, g)} ]"
        tried = " | ".join(
            f"apply ({rule} {' '.join(text(self.terms.reduced(e)) for e in values)} {function(x, f)}); {tail}"
            for rule, values in (("T_fades", line), ("T_fades_square", square))
        )
        whole = f"(fun {name(x)} => {text(f)} * exp {text(g)})"
        yield f"try assert (L_n : is_lim {whole} p_infty (Finite 0)) by (first [ {tried} ])."

    def _signs(self, context: int, e: Expression) -> str:
        """A tactic for a sign that is made of known ones."""
        found = dict[str, None]()
        for part in parts(e):
            for op, shown in ((">", "{} > 0"), ("<", "{} < 0")):
                if not isinstance(part, fmpq) and self.replay.known(context, Statement(part, op, ZERO)):
                    by = self.by(context, Statement(part, op, ZERO))
                    found[f"assert ({shown.format(text(self.terms.canonical(part)))}) by ({by}); "] = None
        return f"{''.join(found)}first [ lra | positive | apply Rdiv_lt_0_compat; lra | nra ]"

    def _by_same(self, context: int, s: Statement, inside: int) -> list[str]:
        rule, steps = self._in_comparison(context, s, inside)
        return self._both(context, s, [*steps, f"exact ({rule} A_0 {self._existence(s.right)})."])

    def _by_compared(self, context: int, s: Statement, inside: int) -> list[str]:
        rule, steps = self._in_comparison(context, s, inside)
        return [*steps, f"exact ({rule} A_0 {self._existence(s.left)} {self._existence(s.right)})."]

    def _in_comparison(self, context: int, s: Statement, inside: int) -> tuple[str, list[str]]:
        """A_0, that two functions compare in a range, and the rule for what binds them."""
        b, other = bound(s.left, s.left[0]), bound(s.right, s.left[0])
        kind = HEADS[b.head]
        second = other.body if other.name == b.name else substituted(other.body, {other.name: b.name})
        known = self._lemma_inside("_under", inside, Statement(b.body, s.op, second))
        f, g = function(b.name, b.body), function(b.name, second)
        claim = said(Statement("f_0", s.op, "g_0")).replace("f_0", f"{f} t_0").replace("g_0", f"{g} t_0")
        range_ = self._points(b) if kind in ("supremum", "infimum") else "_ _"
        rule = f"{kind}_{'equal' if s.op == '=' else 'compared'} {f} {g} {range_}"
        return rule, self._for_all(context, inside, b, claim, known)

    def _by_bounded(self, context: int, s: Statement, inside: int, point: str) -> list[str]:
        b, place, most = bound(s.left, s.left[0]), read(point), self.terms.canonical(s.right)
        known, f = self._lemma_inside("_under", inside, Statement(b.body, s.op, most)), function(b.name, b.body)
        steps = self._for_all(context, inside, b, f"{f} t_0 {s.op} {text(most)}", known)
        steps += self._in_range(context, b, place)
        rule = f"{HEADS[b.head]}_bounded {f} {self._points(b)} {text(most)} {text(place)}"
        return self._both(context, s, [*steps, f"exact ({rule} A_0 I_0)."])

    def _by_reached(self, context: int, s: Statement, at: str, inside: int | None = None) -> list[str]:
        b, most = bound(s.left, s.left[0]), self.terms.canonical(s.right)
        f, kind, there = function(b.name, b.body), HEADS[b.head], self._existence(s.left)
        if inside is not None:
            return self._approached(context, s, b, at, inside)
        place = read(at)
        put = substituted(b.body, {b.name: place})
        by = self.by(context, Statement(put, s.op, s.right))
        shown = one_tactic([*self._needed(context, put), *self._bridge(put)]) + by
        return [
            *self._in_range(context, b, place),
            f"assert (A_0 : {text(put)} {s.op} {text(most)}) by ({shown}).",
            f"exact ({kind}_reached {f} {self._points(b)} {text(most)} {text(place)} {there} I_0 A_0).",
        ]

    def _approached(self, context: int, s: Statement, b: Bound, at: str, inside: int) -> list[str]:
        """Its limit at an end."""
        i, f, most = ("low", "high").index(at), function(b.name, b.body), text(self.terms.canonical(s.right))
        shown, limit = self._at_end(context, inside, b.body, b, i)
        value, (low, high) = Statement(limit, s.op, s.right), map(self._limit, (b.low, b.high))
        near, side = ("above", "below")[i], (low, high)[i]
        order = "exact I" if "infty" in low + high else one_tactic(
            [self._shown("L_0", context, Statement(b.low, "<=", b.high)), *self._bridge(b.low, b.high)]
        ) + "simpl; lra"  # fmt: skip
        same = f"eapply filterlim_ext; [ intro; cbv beta; {one_tactic(self._bridge(b.body))}reflexivity | exact B_{i} ]"
        limit_, end_ = text(self.terms.canonical(limit)), (b.low, b.high)[i]
        put = "" if isinstance(end_, float) else one_tactic(self._bridge(substituted(b.body, {b.name: end_})))
        return [
            *shown,
            *self._needed(context, limit),
            self._shown("A_0", context, value),
            f"eapply ({HEADS[b.head]}_approached {f} {self._points(b)} ({near} {side}) {most} _);",
            f"  [ apply {near}_proper | exact {self._existence(s.left)} | | {same} | ].",
            f"{{ apply (filter_imp _ _) with (2 := {near}_inside {low} {high} ltac:({order})).",
            "intros t_0 [T_0 T_1]; simpl in T_0, T_1; cbv beta; repeat split; lra. }",
            f"cbv beta; {put}match goal with |- ?l {s.op} _ => replace l with {limit_} by (symmetry; identity) end.",
            "exact A_0.",
        ]

    def _in_range(self, context: int, b: Bound, place: Expression) -> list[str]:
        """I_0, that a point is in the range."""
        steps = self._needed(context, place)
        for i, (e, closed, op) in enumerate(((b.low, b.closed[0], ">"), (b.high, b.closed[1], "<"))):
            if not isinstance(e, float):
                one = Statement(place, op + "=" * closed, e)
                steps.append(self._shown(f"R_{i}", context, one))
        ends = [e for e in (b.low, b.high) if not isinstance(e, float)]
        spelled = one_tactic(self._bridge(place, *ends))
        return [*steps, f"assert (I_0 : {self._points(b)} {text(place)}) by (cbv beta; {spelled}repeat split; lra)."]

    def _by_pieces(self, context: int, s: Statement) -> list[str]:
        b, (one, other) = bound(s.left, "Integral", "Sum"), s.right[1:]
        m, f = one[4], function(b.name, b.body)
        steps, both = self._needed(context, m), f"{self._existence(one)} {self._existence(other)}"
        if b.head == "Sum":
            next_ = Statement(other[3], "=", ("+", m, fmpq(1)))
            shown = f"{one_tactic(self._bridge(next_.left, next_.right))}{self.by(context, next_)}"
            steps.append(f"assert (L_0 : {said(next_)}) by ({shown}).")
            return self._both(context, s, [*steps, f"exact (series_in_two {f} _ _ _ _ L_0 {both})."])
        for i, (low, high) in enumerate(((b.low, m), (m, b.high))):
            claim = f"Rbar_le {self._limit(low)} {self._limit(high)}"
            order = Statement(low, "<=", high)
            by = "exact I" if isinstance(low, float) or isinstance(high, float) else (
                f"simpl; {one_tactic(self._bridge(low, high))}{self.by(context, order)}"
            )  # fmt: skip
            steps.append(f"assert (L_{i} : {claim}) by ({by}).")
        steps += [
            f"assert (A_0 : forall t_0 : R, Rbar_lt {self._limit(b.low)} t_0 /\\ Rbar_lt t_0 {self._limit(b.high)} ->"
            f" continuous {f} t_0).",
            "{ intros t_0 _. continuity_by_parts; cbv beta; sides. }",
            f"exact (integral_in_two {f} _ _ _ L_0 L_1 A_0 {both}).",
        ]
        return self._both(context, s, steps)

    def _limit(self, e: Expression | float) -> str:
        return _FAR[e > 0] if isinstance(e, float) else f"(Finite {text(e)})"

    def _by_derivative(self, context: int, s: Statement, inside: int) -> list[str]:
        _, body, x, at = s.left
        slope = derivative(body, x)
        f, slope_ = function(x, body), text(self.terms.canonical(slope))
        derived = self._lemma("_slope", inside, f"is_derive {f} {name(x)} {slope_}", [
            *self._needed(inside, body, slope),
            f"eassert (Q_0 : is_derive {f} {name(x)} _) by (derive; cbv beta; sides).",
            f"match type of Q_0 with is_derive _ _ ?d => replace {slope_} with d; [ exact Q_0 | ] end.",
            *self._bridge(slope),
            "simpl. identity.",
        ])  # fmt: skip
        steps, point = self._needed(context, at, s.right), self.terms.canonical(at)
        for i, h in enumerate(self._hypotheses[inside]):
            there = replaced(self.terms.statement(h), {x: point})
            known = replaced(h, {x: at}) if x in h.names else h
            steps.append(f"assert (P_{i} : {said(there)}) by ({self.by(context, known)}).")
        shown = (f"P_{i}" for i in range(len(self._hypotheses[inside])))
        proof = self.applied(derived, inside, {x: text(point)}, shown)
        return self._both(context, s, [
            *steps,
            f"pose proof {proof} as C_0.",
            "destruct (derivative_is _ _ _ C_0) as [C_1 C_2]. split; [ exact C_1 | refine (eq_trans C_2 _) ].",
            *self._bridge(substituted(slope, {x: at})),
            f"{self.by(context, Statement(substituted(slope, {x: at}), '=', s.right))}.",
        ])  # fmt: skip

    def _both(self, context: int, s: Statement, steps: list[str]) -> list[str]:
        """The lemma that the left side has a value, and which; what is left of the line follows from it."""
        claim = f"{has_value(s.left)} /\\ {said(self.terms.statement(s))}"
        both = self._lemma("_both", context, claim, [*self._needed(context, s.right), *steps])
        self.valued[canonical(s.left)] = context, both
        return [f"exact (proj2 {self.applied(both, context, {}, self._given_here(context))})."]

    def _existence(self, e: Expression) -> str:
        """The proof that a binder has a value."""
        if canonical(e) not in self.valued:
            raise NotExported("it is not seen that something has a value")
        there, title = self.valued[canonical(e)]
        return f"(proj1 {self.applied(title, there, {}, self._given_here(there))})"
