"""A canonical form as lines of a certificate: for each reason of a sign, how the sign is shown."""

from __future__ import annotations

from typing import Any

from flint import fmpq, fmpq_mpoly

from dpsym.deciding.algebra import Quotient
from dpsym.deciding.algebra.reasons import Sign
from dpsym.deciding.terms.builder import Lacking
from dpsym.deciding.terms.kernel_signs import OPS, KernelSigns, Term
from dpsym.deciding.terms.translating import MINUS_ONE, ONE, ZERO, power, product, quotient
from dpsym.verifying.proofs.expressions import Expression, Statement, written


class Elaborated(KernelSigns):
    """One form in one context: texts of its quotients, lines for equations and signs."""

    def _by_terms(self, s: Statement, p: fmpq_mpoly, side: int) -> None:
        self.sum(s, self.monomials(p))

    def _by_zero(self, s: Statement, p: fmpq_mpoly, side: int) -> None:
        self.sum(s, [])

    def _by_factors(self, s: Statement, p: fmpq_mpoly, side: int, constant: fmpq, each: tuple[Any, ...]) -> None:
        if side == 0:
            factor, times, known = next(f for f in each if f[2] is not None and f[2][0] == 0)
            self.show(factor, known)
            zero = self.builder.line(self.context, Statement(self.text(factor), "=", ZERO), "known")
            self.sum(s, [["zero", written(self.text(p // factor)), zero]])
            return
        term: Term = [str(abs(fmpq(constant)))]
        for factor, times, known in each:
            e = self.show(factor, known) if known is not None else self.text(factor)
            term.append([written(e), times])
        if len(term) == 2 and term[1][1] == 1:  # nothing but a number times the polynomial
            self.builder.prove(self.context, s)
            return
        self.sum(s, [term])

    def _by_modulo(
        self, s: Statement, p: fmpq_mpoly, side: int, taken: tuple[Any, ...], rest: fmpq_mpoly, known: Sign | None
    ) -> None:
        terms = self._equations(taken, side or 1)
        if known is not None:
            terms.append(["1", [written(self.show(rest, known)), 1]])
        self.sum(s, terms)

    def _equations(self, taken: tuple[Any, ...], side: int) -> list[Term]:
        found = []
        for multiple, equation in taken:
            if not multiple.is_zero():
                found.append(["zero", written(self.text(multiple * side)), self.vanishing(equation)])
        return found

    def _by_combination(
        self, s: Statement, p: fmpq_mpoly, side: int, started: fmpq_mpoly, multiple: fmpq_mpoly, fact: fmpq_mpoly,
        rest: fmpq_mpoly, known: Sign | None,
    ) -> None:  # fmt: skip
        self.fact(fact)
        (term,) = self.monomials(multiple)
        terms = [[*term, [written(self.text(fact)), 1]]]
        if known is not None:
            terms.append(["1", [written(self.show(rest, known)), 1]])
        elif not rest.is_zero():
            terms += self._equations(tuple(self.signs.less_equations(rest)[1]), 1)
        self.sum(s, terms)

    def _by_numbers(self, s: Statement, p: fmpq_mpoly, side: int, parts: dict[tuple[int, ...], fmpq_mpoly]) -> None:
        terms = []
        for outer, number in parts.items():
            e = self.text(number * side)
            self.number(Statement(e, ">", ZERO))
            term = self.monomials(self.field.terms({outer: fmpq(1)}))[0]
            terms.append(["1", [written(e), 1], *term[1:]])
        self.sum(s, terms)

    def _by_bounds(self, s: Statement, p: fmpq_mpoly, side: int, raised: fmpq_mpoly, bounds: tuple[Any, ...]) -> None:
        above: dict[int, list[Any]] = {}
        below: list[list[Any]] = []
        for i, near, far, degree in bounds:
            g = self.kernel(i)
            if far is None:
                start = ("-", g, near)
                self._bounded(i, near, far)
                above[i] = [written(start)]
            else:
                start, end = (("-", g, near), ("-", far, g)) if near < far else (("-", near, g), ("-", g, far))
                self._bounded(i, near, far)
                above[i] = [written(quotient(start, end))]
                self.builder.prove(self.context, Statement(quotient(start, end), ">=", ZERO))
                below.append([written(("/", fmpq(abs(far - near)), end)), -degree])
        self.sum(s, [[*term, *below] for term in self.monomials(raised, above)])

    def _bounded(self, i: int, near: fmpq, far: fmpq | None) -> None:
        """Lines for the bounds of a kernel, from the sign of what is inside."""
        kernel = self.field.kernels[i]
        if kernel.inner is None:
            raise Lacking("bounds")
        known = self.signs.of(kernel.inner)
        value, argument = self.kernel(i), self.kernel(i)[1]
        if kernel.key[0] == "Phi":
            self.builder.lemma(self.context, Statement(value, "<", ONE), "Phi_below", x=argument)
            self.builder.lemma(self.context, Statement(value, ">", ZERO), "Phi_positive", x=argument)
            if near == 0:
                return
        if known is None:
            raise Lacking("bounds")
        inner = self.field.scaled(kernel.inner, fmpq(1, kernel.degree)) if kernel.key[0] == "exp" else kernel.inner
        found = self.signs.of(inner)
        if found is None:
            raise Lacking("bounds")
        self.show_quotient(Statement(argument, OPS[found[0], found[1]], ZERO), inner, found)
        head = kernel.key[0]
        strict = found[1] and found[0] != 0
        name = f"{head}_strict" if strict else f"{head}_mono"
        op = (">" if strict else ">=") if found[0] >= 0 else ("<" if strict else "<=")
        x, y = (ZERO, argument) if found[0] >= 0 else (argument, ZERO)
        self.builder.lemma(self.context, Statement(value, op, (head, ZERO)), name, x=x, y=y)
        at_zero = Statement((head, ZERO), "=", ONE if head == "exp" else fmpq(1, 2))
        zero = self.builder.line(self.context, at_zero, "lemma", f"{head}_zero", {})
        ends = (value, (head, ZERO)) if found[0] >= 0 else ((head, ZERO), value)
        s = Statement(value, op, at_zero.right)
        if not self.builder.known(self.context, s):
            side = "1" if found[0] >= 0 else "-1"
            self.builder.line(self.context, s, "sum", [], [["1", [written(("-", *ends)), 1]], ["zero", side, zero]])

    def _by_agreeing(self, s: Statement, p: fmpq_mpoly, side: int, root: Any, one: Any, other: Any) -> None:
        i, power_ = root
        self.kernel_sign(i)
        factors = [[written(self.kernel(i)), power_]]
        terms = [["1", [written(self.show(*one)), 1]]] if one[1][0] else []
        if other[1][0]:
            terms.append(["1", [written(self.show(*other)), 1], *factors])
        self.sum(s, terms)

    def _by_opposed(
        self, s: Statement, p: fmpq_mpoly, side: int, root: Any, m: int, one: Any, other: Any, excess: Any
    ) -> None:
        """|A| >= |B| r, as the squares compare so."""
        i, power_ = root
        first, second = one[0] * side, other[0] * (-side) * self.field.generators[i] ** power_
        larger, smaller = (first, second) if one[1] is not None and one[1][0] == side else (second * -1, first * -1)
        if m != 2:
            raise Lacking(f"a power {m} of two parts")
        big, small = self.text(larger), self.text(smaller)
        known = self.signs.polynomial(larger)
        if known is None or known[0] < 0:
            raise Lacking("a part between roots")
        self.show(larger, known)
        gap, found = excess
        squares = Statement(power(big, 2), ">" if found[1] and found[0] else ">=", power(small, 2))
        if not self.builder.known(self.context, squares):
            terms = [["1", [written(self.show(gap, found)), 1]]] if found[0] else []
            self.sum(squares, terms)
        name = "square_bound_strict" if squares.op == ">" else "square_bound"
        self.builder.lemma(self.context, Statement(big, squares.op, small), name, x=small, y=big)
        self.sum(s, [["1", [written(("-", big, small)), 1]]])

    def _by_odd_power(
        self, s: Statement, p: fmpq_mpoly, side: int, m: int, first: fmpq_mpoly, second: fmpq_mpoly, root: Any,
        whole: fmpq_mpoly, known: Sign,
    ) -> None:  # fmt: skip
        """A + B r by A**3 + (B r)**3."""
        i, exponent = root
        x, y = self.text(first * side), self.text(second * (-side) * self.field.generators[i] ** exponent)
        if m != 3:
            raise Lacking(f"a power {m} of two parts")
        op = ">" if known[1] else ">="
        gap = written(self.show(whole, known))
        self.sum(Statement(power(x, 3), op, power(y, 3)), [["1", [gap, 1]]])
        name = "cube_order_strict" if op == ">" else "cube_order"
        self.builder.lemma(self.context, Statement(x, op, y), name, x=x, y=y)
        self.sum(s, [["1", [written(("-", x, y)), 1]]])

    def _by_collected(self, s: Statement, p: fmpq_mpoly, side: int, i: int, each: tuple[Any, ...]) -> None:
        self.kernel_sign(i)
        terms = []
        for exponent, rest, known in each:
            if known[0]:
                factor = [[written(self.kernel(i)), exponent]] if exponent else []
                terms.append(["1", [written(self.show(rest, known)), 1], *factor])
        self.sum(s, terms)

    def _by_quadratic(
        self, s: Statement, p: fmpq_mpoly, side: int, what: Any, leading: Any, b: fmpq_mpoly, least: Any
    ) -> None:
        i, exponent = what
        a = self.show(*leading)
        g = self.field.generators[i] ** exponent
        square = self.text(2 * leading[0] * g + b)
        terms = [["1/4", [written(a), -1], [written(square), 2]]]
        if least[1][0]:
            terms.append(["1/4", [written(a), -1], [written(self.show(*least)), 1]])
        self.sum(s, terms)

    def _by_squares(self, s: Statement, p: fmpq_mpoly, side: int, squares: Any) -> None:
        rest, terms = p * side, []
        for number, coefficients in squares:
            root = self.field.terms(dict(coefficients))
            rest -= number * root * root
            terms.append([str(number), [written(self.text(root)), 2]])
        self.sum(s, [*terms, *self.monomials(rest)])

    def _by_two_terms(
        self, s: Statement, p: fmpq_mpoly, side: int, ratio: Quotient, logarithm_: Quotient, known: Sign
    ) -> None:
        """a M - b N by exp of the logarithm of a M/(b N)."""
        log = self.of(logarithm_)
        self.show_quotient(Statement(log, OPS[known[0], known[1]], ZERO), logarithm_, known)
        self._exponential_sign(s, ratio, log, known)

    def _exponential_sign(self, s: Statement, ratio: Quotient, log: Expression, known: tuple[int, bool]) -> None:
        """above - below of a ratio, of which the logarithm has a known sign."""
        for i in (*self.field.used(ratio.above), *self.field.used(ratio.below)):
            self.kernel_sign(i)
        value = self.of(ratio)
        apart = self.logs(value)[0]
        below = self.text(ratio.below)
        self.builder.prove(self.context, Statement(below, ">", ZERO))
        same = self.builder.line(self.context, Statement(("exp", log), "=", apart), "logarithms", self.rules())
        strict = known[1] and known[0] != 0
        x, y = (ZERO, log) if known[0] >= 0 else (log, ZERO)
        op = "<" if strict else "<="
        ordered_ = Statement(("exp", x), op, ("exp", y))
        self.builder.lemma(self.context, ordered_, "exp_strict" if strict else "exp_mono", x=x, y=y)
        one = self.builder.line(self.context, Statement(("exp", ZERO), "=", ONE), "lemma", "exp_zero", {})
        gap = written(("-", ("exp", y), ("exp", x)))
        sides = (MINUS_ONE, ONE) if known[0] >= 0 else (ONE, MINUS_ONE)
        zeros = [["zero", written(product([c, below])), n] for c, n in zip(sides, (same, one), strict=True)]
        self.builder.line(self.context, s, "sum", [], [["1", [gap, 1], [written(below), 1]], *zeros])

    def _by_logarithms(
        self, s: Statement, p: fmpq_mpoly, side: int, together: Any, left: fmpq_mpoly, ends: Any, known: Sign
    ) -> None:
        """A sum T + m log f + ... by the sign of exp(T) f**m ... - 1."""
        above, below = ends
        gap = written(self.show(self.field.lowered(above - below), known))
        value, size = quotient(self.text(above), self.text(below)), self.text(below)
        self.builder.prove(self.context, Statement(size, ">", ZERO))
        compared = Statement(value, OPS[known[0], known[1]], ONE)
        if not self.builder.known(self.context, compared):
            self.sum(compared, [["1", [gap, 1], [written(size), -1]]])
        self.logarithm_of(s, value, known)

    def _by_condition(self, s: Statement, p: fmpq_mpoly, side: int, fact: fmpq_mpoly, factor: fmpq_mpoly) -> None:
        """The only factor of a condition that has no sign by itself."""
        self.fact(fact)
        constant, factors = self.field.factor(fact)
        term: Term = [str(abs(1 / fmpq(constant))), [written(self.text(fact)), 1]]
        for other, times in factors:
            if other == factor:
                if times > 1:
                    term.append([written(self.text(other)), 1 - times])
                continue
            known = self.signs.polynomial(other)
            if known is None:
                raise Lacking("a factor of a condition")
            term.append([written(self.show(other, known)), -times])
        self.sum(s, [term])

    def _by_half(self, s: Statement, p: fmpq_mpoly, side: int, inner: Quotient, known: Sign) -> None:
        """Phi(u) - 1/2 by the sign of u."""
        (i,) = self.field.used(p)
        self._bounded(i, fmpq(1, 2), fmpq(1))
        ends = (self.kernel(i), fmpq(1, 2)) if known[0] >= 0 else (fmpq(1, 2), self.kernel(i))
        coefficient = str(abs(fmpq(p.leading_coefficient())))
        self.sum(s, [[coefficient, [written(("-", *ends)), 1]]])

    def _by_monotone(
        self, s: Statement, p: fmpq_mpoly, side: int, name: str, pair: Any, mirrored: bool, gap: Quotient, known: Sign
    ) -> None:
        """f(u) - f(v), or Phi(u) + Phi(v) - 1, by the sign of u - v, or of u + v."""
        u, v = (self.of(q) for q in pair)
        other = product([MINUS_ONE, v]) if mirrored else v
        self.show_quotient(Statement(u, OPS[known[0], known[1]], other), gap, known)
        strict = known[1] and known[0] != 0
        x, y = (other, u) if known[0] >= 0 else (u, other)
        values = Statement((name, x), "<" if strict else "<=", (name, y))
        self.builder.lemma(self.context, values, f"{name}_strict" if strict else f"{name}_mono", x=x, y=y)
        terms: list[Term] = [[str(abs(fmpq(p.leading_coefficient()))), [written(("-", values.right, values.left)), 1]]]
        if mirrored:
            same = Statement((name, other), "=", ("-", ONE, (name, v)))
            number = self.builder.line(self.context, same, "lemma", f"{name}_mirror", {"x": written(v)})
            c = abs(fmpq(p.leading_coefficient())) * (1 if known[0] >= 0 else -1)
            terms.append(["zero", written(c), number])
        self.sum(s, terms)
