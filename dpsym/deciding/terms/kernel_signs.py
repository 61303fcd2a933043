"""Lines for the signs of kernels, and for what is assumed of polynomials in them."""

from __future__ import annotations

from typing import Any

from flint import fmpq, fmpq_mpoly

from dpsym.deciding.algebra import Positivity, Quotient, Unsupported
from dpsym.deciding.algebra.field import Key, Restart
from dpsym.deciding.algebra.reasons import Sign
from dpsym.deciding.terms.builder import Lacking
from dpsym.deciding.terms.equations import Equations
from dpsym.deciding.terms.translating import MINUS_ONE, ONE, ZERO, product, quotient
from dpsym.verifying.proofs.expressions import Expression, Statement, written

BITS = (64, 256, 1024)  # tried in turn
OPS = {(0, True): "=", (1, True): ">", (1, False): ">=", (-1, True): "<", (-1, False): "<="}

Term = list[Any]


class KernelSigns(Equations):
    """One form in one context: signs of what is given, and of kernels."""

    def show(self, p: fmpq_mpoly, known: Sign | tuple[int, bool]) -> Expression:
        """Lines for a polynomial's sign; what they say is not negative: the polynomial, or its contrary."""
        e = self.text(p)
        s = Statement(e, OPS[known[0], known[1]], ZERO)
        if not self.builder.known(self.context, s):
            if not isinstance(known, Sign):
                raise Lacking("a sign without a reason")
            name = known.reason.name.replace(" ", "_")
            getattr(self, f"_by_{name}")(s, p, known[0], *known.reason.parts)
        return e if known[0] >= 0 else product([MINUS_ONE, e])

    def nonnegative(self, q: Quotient) -> None:
        """Lines for a quotient that is not negative."""
        known = self.signs.of(q)
        if known is None or known[0] < 0:
            raise Lacking("a sign that is not found again")
        self.show_quotient(Statement(self.of(q), OPS[known[0], known[1]], ZERO), q, known)

    def show_quotient(self, s: Statement, q: Quotient, known: Sign) -> None:
        """Lines for the sign of a quotient that is the difference of both sides of a statement."""
        if self.builder.known(self.context, s):
            return
        if known[0] == 0:
            if known.reason.name == "quotient":
                self.show(q.above, known.reason.parts[0])
                zero = self.builder.line(self.context, Statement(self.text(q.above), "=", ZERO), "known")
                terms = [["zero", written(quotient(ONE, self.text(q.below))), zero]]
            else:
                terms = []
            if q.above.is_zero():
                terms = []
            self.sum(s, terms)
            return
        above, below = known.reason.parts
        factors = [[written(self.show(q.above, above)), 1], [written(self.show(q.below, below)), -1]]
        if q.below.is_one():
            factors.pop()
        self.sum(s, [["1", *factors]])

    def sum(self, s: Statement, terms: list[Term]) -> None:
        """A line that the difference of both sides is the sum of these terms."""
        self.builder.line(self.context, s, "sum", self.rules(), terms)

    def monomials(self, p: fmpq_mpoly, extra: dict[int, list[Term]] | None = None) -> list[Term]:
        """The terms of a polynomial, all of one sign; `extra` stands in the place of some kernels."""
        found = []
        for exponents, c in p.to_dict().items():
            term: Term = [str(abs(fmpq(c)))]
            for i, e in enumerate(exponents):
                if e and extra and i in extra:
                    term.append([extra[i][0], int(e)])
                elif e:
                    self.kernel_sign(i)
                    term.append([written(self.kernel(i)), int(e)])
            found.append(term)
        return found

    def number(self, s: Statement) -> None:
        """A relation between numbers, by enclosure."""
        if self.builder.known(self.context, s):
            return
        for bits in BITS:
            try:
                self.builder.line(self.context, s, "number", bits)
                return
            except Lacking as lacking:
                if "enclosures" not in str(lacking):
                    raise
        raise Lacking("a number")

    # --- kernels, and what is assumed

    def kernel_sign(self, i: int) -> None:
        """Lines for what is known of a kernel's sign."""
        kernel = self.field.kernels[i]
        if i in self._signed or kernel.positivity is Positivity.UNKNOWN:
            return
        self._signed.add(i)
        e = self.kernel(i)
        op = ">" if kernel.positivity is Positivity.POSITIVE else ">="
        if self.builder.known(self.context, Statement(e, op, ZERO)):
            return
        root = isinstance(e, tuple) and e[0] == "**" and isinstance(e[2], fmpq) and e[2].q != 1
        if root:
            self.sign_of_value(i, e[1])
            name = "power_positive" if op == ">" else "power_nonnegative"
            self.builder.lemma(self.context, Statement(e, op, ZERO), name, x=e[1], y=e[2])
        else:
            self.sign_of_value(i, e)

    def sign_of_value(self, i: int, e: Expression) -> None:
        """Lines for the sign of what a kernel, or a power of it, stands for."""
        kernel = self.field.kernels[i]
        op = ">" if kernel.positivity is Positivity.POSITIVE else ">="
        s = Statement(e, op, ZERO)
        if self.builder.known(self.context, s):
            return
        match kernel.key[0]:
            case "symbol":
                self._sign_of_symbol(s, kernel.key)
            case "exp":
                self.builder.lemma(self.context, s, "exp_positive", x=e[1])
            case "Phi":
                self.builder.lemma(self.context, s, "Phi_positive", x=e[1])
            case "pi":
                self.number(s)
            case "fraction":
                self.builder.lemma(self.context, Statement(e[2], "<=", e[1]), "floor_below", x=e[1])
            case "gamma":
                self.builder.prove(self.context, Statement(e[1], ">", ZERO))
                self.builder.lemma(self.context, s, "gamma_positive", x=e[1])
            case "root" if kernel.relation is not None:
                known = self.signs.polynomial(kernel.relation[1])
                if known is not None:
                    self.show(kernel.relation[1], known)
            case "abs":
                self.builder.lemma(self.context, s, "abs_nonnegative", x=e[1])
            case "log" if kernel.inner is not None:
                self._sign_of_logarithm(s, kernel.inner)
            case _:
                raise Lacking(f"the sign of a kernel {kernel.key[0]}")

    def _sign_of_symbol(self, s: Statement, key: Key) -> None:
        match s.left:
            case ("/", above, below):
                op = s.op
                self.builder.bound(self.context, Statement(above, op, ZERO))
                self.builder.bound(self.context, Statement(below, ">", ZERO))
                self.sum(s, [["1", [written(above), 1], [written(below), -1]]])
            case _:
                self.builder.bound(self.context, s)

    def _sign_of_logarithm(self, s: Statement, inner: Quotient) -> None:
        """log(f) by the sign of f - 1."""
        e = self.of(inner)
        gap = self.field.subtract(inner, self.field.constant(1))
        known = self.signs.of(gap)
        if known is None:
            raise Lacking("the sign of a logarithm")
        self.show_quotient(Statement(e, OPS[known[0], known[1]], ONE), gap, known)
        self.logarithm_of(s, e, known)

    def logarithm_of(self, s: Statement, e: Expression, known: tuple[int, bool]) -> None:
        """The sign of the sum of logarithms of what e is a product of, as e - 1 has a known sign."""
        x, y = (ONE, e) if known[0] >= 0 else (e, ONE)
        strict = known[1] and known[0] != 0
        compared = Statement(("log", x), "<" if strict else "<=", ("log", y))
        self.builder.lemma(self.context, compared, "log_strict" if strict else "log_mono", x=x, y=y)
        one = self.builder.line(self.context, Statement(("log", ONE), "=", ZERO), "lemma", "log_one", {})
        apart, log = self.logs(e)
        side = "1" if known[0] >= 0 else "-1"
        terms: list[Term] = [["1", [written(("-", ("log", y), ("log", x))), 1]], ["zero", side, one]]
        same = Statement(("log", apart), "=", log)
        if not self.same(same.left, same.right):
            number = self.builder.line(self.context, same, "log", self.rules())
            terms.append(["zero", "-1" if known[0] >= 0 else "1", number])
        self.sum(s, terms)

    def fact(self, p: fmpq_mpoly) -> None:
        """A line for what a condition says of a polynomial."""
        for condition, difference in self._conditions():
            if condition.op == "=" or self.field.lowered(difference.above * difference.below) != p:
                continue
            s = Statement(self.text(p), ">" if len(condition.op) == 1 else ">=", ZERO)
            if self.builder.known(self.context, s):
                return
            self.equate(condition.left)
            self.equate(condition.right)
            self.builder.bound(self.context, condition)
            terms = [["1", [written(("-", condition.left, condition.right)), 1]]]
            if not difference.below.is_one():
                terms[0].append([written(self.text(difference.below)), 2])
            self.sum(s, terms)
            return
        if not self._of_floors(p):
            raise Lacking("a fact that is none of the conditions")

    def _of_floors(self, p: fmpq_mpoly) -> bool:
        """Whether lines were found for what a form notes of a floor."""
        s = Statement(self.text(p), ">=", ZERO)
        for i in self.field.used(p):
            if self.field.kernels[i].key[0] == "fraction":
                _, x, floor = self._kernel_value(i)
                self.builder.lemma(self.context, Statement(floor, ">", ("-", x, ONE)), "floor_above", x=x)
                if not self.builder.known(self.context, s):
                    self.builder.prove(self.context, Statement(x, ">=", ZERO))
                    self.builder.lemma(self.context, Statement(floor, ">=", ZERO), "floor_least", x=x, k=ZERO)
        return self.builder.known(self.context, s)

    def vanishing(self, p: fmpq_mpoly) -> int:
        """A line that a polynomial vanishes by a condition."""
        for condition, difference in self._conditions():
            if condition.op != "=" or difference.above != p:
                continue
            self.equate(condition.left)
            self.equate(condition.right)
            number = self.builder.line(self.context, condition, "known")
            terms = [["zero", written(self.text(difference.below)), number]]
            return self.builder.line(self.context, Statement(self.text(p), "=", ZERO), "sum", self.rules(), terms)
        raise Lacking("an equation that is none of the conditions")

    def _conditions(self) -> list[tuple[Statement, Quotient]]:
        """The conditions of the form, large side first, with the difference of both sides."""
        found = []
        for condition in self.form.setting.conditions:
            relation = condition.swapped if condition.op.startswith("<") else condition
            s = self.builder.translator.statement(relation)
            try:
                gap = self.field.subtract(self.form.convert(relation.lhs), self.form.convert(relation.rhs))
            except (Unsupported, Restart):
                continue
            if s is not None:
                found.append((s, gap))
        return found
