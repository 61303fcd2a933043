"""Lines that follow by polynomial identities, and by numbers."""

from __future__ import annotations

from typing import Any

from flint import fmpq

from dpsym.exporting.coq.known import ZERO, Known
from dpsym.exporting.coq.terms import said, text
from dpsym.verifying.proofs.expressions import Expression, Statement, needs, parts, read
from dpsym.verifying.proofs.normal_form import Quotient


class Sums(Known):
    """Sums of products, logarithms, roots."""

    def _by_known(self, context: int, s: Statement) -> list[str]:
        return [f"{self.by(context, s)}."]

    def _by_sum(self, context: int, s: Statement, rewrites: list[int], terms: list[list[Any]]) -> list[str]:
        forms = self.replay.forms
        large, small = (s.right, s.left) if s.op in ("<", "<=") else (s.left, s.right)
        rest, total, steps, zeros = self.replay.difference(large, small), None, list[str](), list[tuple[str, int]]()
        for term in terms:
            if term[0] == "zero":
                m, equation = read(term[1]), self.replay.lines[term[2]].statement
                value = forms.multiply(self.replay.difference(equation.left, equation.right), forms.of(m))
                steps += self._needed(context, m)
                zeros.append((text(self.terms.canonical(m)), term[2]))
            else:
                product: Expression = fmpq(*map(int, str(term[0]).split("/")))
                for spelling, n in term[1:]:
                    factor = read(spelling)
                    steps += self._needed(context, factor) + self._signed(context, factor)
                    power = factor if n == 1 else ("**", factor, fmpq(n))
                    product = power if product == fmpq(1) else ("*", product, power)
                value = forms.of(product)
                total = product if total is None else ("+", total, product)
            rest = forms.add(rest, forms.times(value, fmpq(-1)))
        factors = [read(spelling) for term in terms if term[0] != "zero" for spelling, _ in term[1:]]
        inverted = [("/", fmpq(1), read(f)) for term in terms if term[0] != "zero" for f, n in term[1:] if n < 0]
        zeros += self._zeros(rest, rewrites, s.left, s.right, *factors, *inverted)
        for n in rewrites:
            equation = self.replay.lines[n].statement
            steps += self._needed(context, equation.left, equation.right)
        shown = "0" if total is None else text(self.terms.canonical(total))
        a, b = text(self.terms.canonical(large)), text(self.terms.canonical(small))
        steps.append(f"assert (I_0 : {a} - {b} = {self._total(shown, zeros)}) by identity.")
        steps += self._without(zeros)
        kind = {"<": "gt", ">": "gt", "<=": "ge", ">=": "ge", "!=": "ne", "=": "eq"}[s.op]
        close = {"gt": "positive", "ge": "nonnegative", "ne": "nonzero", "eq": "reflexivity"}[kind]
        turn = "apply Rge_le, " if s.op == "<=" else "apply "
        return [*steps, f"{turn}(sum_{kind} _ _ _ I_{len(zeros)}); {close}."]

    def _by_number(self, context: int, s: Statement, bits: int) -> list[str]:
        return ["number." if bits <= 64 else f"first [ number | interval with (i_prec {bits}) ]."]

    def _by_logarithms(self, context: int, s: Statement, rewrites: list[int]) -> list[str]:
        sides = [self._logarithm(side) for side in (s.left, s.right)]
        rest = self.replay.difference(*sides)
        return [*self._logs(context, s.left, s.right), *self._taken("L_1", s.left), *self._taken("L_2", s.right),
                "apply (Log_equal _ _ _ _ L_1 L_2). simpl INR.",
                *self._bridge(*sides), *self._equal(self._zeros(rest, rewrites, s.left, s.right))]  # fmt: skip

    def _by_log(self, context: int, s: Statement, rewrites: list[int]) -> list[str]:
        inner = s.left[1]
        whole = self._logarithm(inner)
        rest = self.replay.difference(whole, s.right)
        a = self.terms.canonical(inner)
        respell = f"replace {text(self.terms.canonical(s.left))} with (ln {text(a)}) by (f_equal; identity)."
        return [*self._logs(context, inner), *self._taken("L_1", inner), respell,
                "rewrite (proj2 L_1). simpl INR.", *self._bridge(whole, s.right),
                *self._equal(self._zeros(rest, rewrites, s.left, s.right))]  # fmt: skip

    def _taken(self, title: str, e: Expression) -> list[str]:
        """What the logarithm of an expression is, the bases of its powers taken as they stand first."""
        found: dict[str, str] = {}
        whole = text(self._spread(e, found))
        changed = [f"replace {old} with {new} in {title} by (f_equal; identity)." for old, new in found.items()]
        return [f"eassert ({title} : Log {whole} _) by (logs; positive).", *changed]

    def _spread(self, e: Expression, found: dict[str, str]) -> Expression:
        match e:
            case ("*" | "/", a, b):
                return (e[0], self._spread(a, found), self._spread(b, found))
            case ("**", a, b) if isinstance(b, fmpq) and b.q == 1:
                return ("**", self._spread(a, found), b)
            case ("**", a, b):
                exponent = fmpq(1, b.q) if isinstance(b, fmpq) else self.terms.reduced(b)
                spread, plain = ("**", self._spread(a, found), exponent), self.terms.canonical(("**", a, exponent))
                now = text(spread)
                for old, new in found.items():  # what is inside is changed first
                    now = now.replace(old, new)
                if now != text(plain):
                    found[now] = text(plain)
                return ("**", spread, fmpq(b.p)) if isinstance(b, fmpq) and b.p != 1 else spread
        return self.terms.canonical(e)

    def _logarithm(self, e: Expression) -> Expression:
        if e == fmpq(1):
            return ZERO
        if isinstance(e, fmpq) and e.q != 1:
            e = ("/", fmpq(e.p), fmpq(e.q))
        match e:
            case ("*", a, b):
                return ("+", self._logarithm(a), self._logarithm(b))
            case ("/", a, b):
                return ("-", self._logarithm(a), self._logarithm(b))
            case ("**", a, b):
                return ("*", self._logarithm(a), b)
            case ("exp", a):
                return a
        self.terms.canonical(("log", e))
        return ("log", e)

    def _logs(self, context: int, *expressions: Expression) -> list[str]:
        """What the leaves of products need."""
        found = []
        for e in expressions:
            for part in parts(self._logarithm(e)):
                if (
                    isinstance(part, tuple)
                    and part[0] == "log"
                    and self.replay.known(context, Statement(part[1], ">", ZERO))
                ):
                    found += self._signed(context, part[1])[:1]
        return found

    def _by_root(self, context: int, s: Statement, rewrites: list[int]) -> list[str]:
        if s.left[0] == "abs":
            wanted, q, title = ("**", s.left[1], fmpq(2)), 2, "abs_is"
        else:
            wanted, q = s.left[1], int(s.left[2].q)
            title = "sqrt_is" if q == 2 else f"(root_is {q})"
        rest = self.replay.difference(("**", s.right, fmpq(q)), wanted)
        first = "lia | " if q != 2 else ""
        return [*self._signed(context, s.right), f"apply {title}; [ {first}assumption | ].",
                *self._equal(self._zeros(rest, rewrites, s.left, s.right))]  # fmt: skip

    def _by_radical(self, context: int, s: Statement) -> list[str]:
        a, q = s.left[1][1], int(s.left[2].p)
        shown = Statement(s.left, "=", self.terms.reduced(a))
        title = "root_squared" if q == 2 else f"(root_pow {q})"
        first = "lia | " if q != 2 else ""
        base = text(self.terms.reduced(a))
        known = self.by(context, Statement(self.terms.reduced(a), ">=", ZERO))
        return [
            f"assert (C_0 : {said(self.terms.statement(shown))}).",
            f"{{ assert ({base} >= 0) by ({known}). apply {title}; [ {first}lra ]. }}",
            *self._from(s, shown),
        ]

    # --- equations

    def _zeros(self, rest: Quotient, rewrites: list[int], *expressions: Expression) -> list[tuple[str, int]]:
        """Multipliers of equations, so that the sum of m (X - E) is what is said to vanish after rewriting."""
        forms, p, below, found = self.replay.forms, rest.above, rest.below, list[tuple[str, int]]()
        equations = [(n, self.replay.lines[n].statement) for n in rewrites]
        rules = [(n, forms.rewriting(e.left, e.right)) for n, e in equations]
        divisors = self._divisors(*expressions, *(side for _, e in equations for side in (e.left, e.right)))
        for number, rule in (*rules, *rules):
            after = forms._rewritten(p, rule)
            most = int(p.degrees()[rule.atom]) // rule.power
            if most == 0 or p.is_zero():
                continue
            equation = forms._generators[rule.atom] ** rule.power * rule.value.below - rule.value.above
            if equation.is_zero():  # X = X
                continue
            cofactor = (p * rule.value.below**most - after) // equation
            below *= rule.value.below**most
            m = forms.multiply(Quotient(cofactor * rule.value.below, p**0), Quotient(p**0, below))
            found.append((text(self._over(m, divisors)), number))
            p = after
        return found

    def _divisors(self, *expressions: Expression) -> list[Expression]:
        """What the expressions need not to vanish."""
        found = dict[Expression, None]()
        for e in expressions:
            for alternatives in needs(e):
                for s in alternatives[0]:
                    if s.op in ("!=", ">") and s.right == ZERO:
                        found[self.terms.canonical(s.left)] = None
        return list(found)

    def _over(self, m: Quotient, divisors: list[Expression]) -> Expression:
        """The quotient, its denominator as a product of these, as far as they reach."""
        forms = self.replay.forms
        above, rest, parts_ = m.above, m.below, list[Expression]()
        for e in divisors:
            form = forms.of(e)
            while not (common := rest.gcd(form.above)).is_constant():
                rest, above = rest // common, above * (form.above // common)
                whole = e if form.below.is_one() else ("*", e, self.terms.quotient(Quotient(form.below, form.below**0)))
                parts_.append(whole)
        found = self.terms.quotient(Quotient(above, above**0) if rest.is_one() else Quotient(above, rest))
        for e in parts_:
            found = ("/", found, e)
        return found

    def _equal(self, zeros: list[tuple[str, int]]) -> list[str]:
        """Steps that close `a = b`, where a - b is a sum of multiples of equations."""
        if not zeros:
            return ["identity."]
        total = self._total("0", zeros)
        return [
            f"assert (I_0 : {total} = {total}) by reflexivity.",
            *self._without(zeros),
            f"apply Rminus_diag_uniq; transitivity ({total}); [ identity | exact I_{len(zeros)} ].",
        ]

    def _total(self, first: str, zeros: list[tuple[str, int]]) -> str:
        equations = [(m, self.terms.statement(self.replay.lines[n].statement)) for m, n in zeros]
        return " + ".join([first, *(f"{m} * ({text(e.left)} - {text(e.right)})" for m, e in equations)])

    def _without(self, zeros: list[tuple[str, int]]) -> list[str]:
        """From I_0, an equation with the multiples at the end, the same without them."""
        return [
            f"pose proof (without _ _ _ _ _ I_{i} {self._term(n)}) as I_{i + 1}."
            for i, (_, n) in enumerate(reversed(zeros))
        ]
