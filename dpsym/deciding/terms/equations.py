"""Lines that say what expressions are in the kernels of a canonical form."""

from __future__ import annotations

from flint import fmpq

from dpsym.deciding.algebra import Quotient, roots
from dpsym.deciding.algebra.field import Restart
from dpsym.deciding.terms.builder import Lacking
from dpsym.deciding.terms.definitions import HEADS, unfolded
from dpsym.deciding.terms.factoring import (
    difference,
    leaves,
)
from dpsym.deciding.terms.kernels import Kernels
from dpsym.deciding.terms.translating import MINUS_ONE, ONE, ZERO, product, total
from dpsym.verifying.proofs.expressions import Expression, Statement, is_opaque, substituted, written
from dpsym.verifying.proofs.lemmas import lemma


class Equations(Kernels):
    """One form in one context: what expressions are in its kernels."""

    def convert(self, e: Expression) -> Quotient:
        """The quotient of an expression."""
        try:
            return self.form.convert(self.builder.translator.sympy(e))
        except Restart:
            raise Lacking(f"a further root for {written(e)[:60]}") from None

    def equate(self, e: Expression) -> None:
        """Rules for everything in the expression that is not arithmetic, the innermost first."""
        if e in self._equated or isinstance(e, fmpq):
            return
        self._equated.add(e)
        if isinstance(e, tuple) and not is_opaque(e):
            for inner in e[1:]:
                self.equate(inner)
        if isinstance(e, str) and e == "pi":
            return
        match e:
            case ("+" | "-" | "*" | "/", *_):
                return
            case ("**", base, fmpq() as exponent):
                if exponent.q != 1:
                    self._root(base, int(exponent.q))
                return
            case ("**", base, _):
                for leaf in leaves(base):
                    self.log_rule(leaf)
                self._positive(e)
            case ("exp", _):
                self._positive(e)
            case ("log", inner):
                self.log_rule(inner)
            case ("abs", inner):
                self._absolute(inner)
            case ("Max" | "Min" as head, a, b):
                self._extremum(head, a, b)
            case ("Phi", inner):
                self._normal(inner)
            case ("Phi_inv", inner):
                self._quantile(inner)
            case ("floor", inner):
                self._floor(inner)
            case ("ceiling", inner):
                self._through_lemma(e, "ceiling_floor", inner)
            case ("factorial", inner):
                self._through_lemma(e, "factorial_gamma", inner)
            case ("loggamma", inner):
                self._through_lemma(e, "loggamma_log", inner)
            case ("gamma", inner):
                self._gamma(inner)
            case (head, inner) if head in HEADS:
                self.equate(self.builder.translator.expression(self.builder.translator.sympy(unfolded(e))))
                self._through_lemma(e, HEADS[head], inner)
            case _:
                self._other(e)

    def _positive(self, e: Expression) -> None:
        """An exponential or a power, by its logarithm."""
        value = self.of(self.convert(e))
        if not self.same(e, value):
            self.add_rule(Statement(e, "=", self.logs(value)[0]), "logarithms", self.rules())

    def _root(self, base: Expression, degree: int) -> None:
        try:
            value = roots.root(self.form, self.convert(base), degree)
        except Restart:
            raise Lacking("a further root") from None
        left = ("**", base, fmpq(1, degree))
        if not self.same(left, self.of(value)):
            self.nonnegative(value)
            self.add_rule(Statement(left, "=", self.of(value)), "root", self.rules())

    def _absolute(self, inner: Expression, value: Quotient | None = None) -> None:
        found = roots.absolute(self.form, value or self.convert(inner))
        left = ("abs", inner)
        if not self.same(left, self.of(found)):
            self.nonnegative(found)
            self.add_rule(Statement(left, "=", self.of(found)), "root", self.rules())

    def _extremum(self, head: str, a: Expression, b: Expression) -> None:
        one, other = self.convert(a), self.convert(b)
        self._absolute(("-", a, b), self.field.subtract(one, other))
        whole = (total if head == "Max" else difference)([("+", a, b), ("abs", ("-", a, b))])
        s = Statement((head, a, b), "=", ("/", whole, fmpq(2)))
        number = self.builder.lemma(self.context, s, "max_abs" if head == "Max" else "min_abs", x=a, y=b)
        s = Statement(s.left, "=", self.of(self.convert(s.left)))
        self.add_rule(s, "sum", [number, *self.rules()], [])

    def _through_lemma(self, e: Expression, name: str, inner: Expression) -> None:
        """By a lemma, and what is known of its other side."""
        value = substituted(lemma(name).conclusion.right, {"x": inner})  # as the lemma spells it
        self.equate(value)
        number = self.builder.lemma(self.context, Statement(e, "=", value), name, x=inner)
        self.add_rule(Statement(e, "=", self.of(self.convert(e))), "sum", [number, *self.rules()], [])

    def _floor(self, inner: Expression) -> None:
        """floor(x + k) = floor(x) + k."""
        q = self.convert(("floor", inner))
        if self.same(("floor", inner), self.of(q)):
            return
        for i in self.field.used(q.above):
            kernel = self.field.kernels[i]
            if kernel.key[0] == "fraction" and kernel.inner is not None:
                start = self.of(kernel.inner)
                whole = self.of(self.field.subtract(self.convert(inner), kernel.inner))
                self.builder.prove(self.context, Statement(whole, "in", "Z"))
                self._moved("floor", inner, ("+", start, whole))
                s = Statement(("floor", ("+", start, whole)), "=", ("+", ("floor", start), whole))
                self.add_rule(s, "lemma", "floor_shift", {"x": written(start), "k": written(whole)})
                return
        raise Lacking("a floor")

    def _gamma(self, inner: Expression) -> None:
        """gamma(x + n) by the gamma function where it is least."""
        x, value = self.convert(inner), self.convert(("gamma", inner))
        for i in (*self.field.used(value.above), *self.field.used(value.below)):
            start = self.field.kernels[i].inner
            if self.field.kernels[i].key[0] != "gamma" or start is None:
                continue
            steps = self.field.subtract(x, start).above
            if steps.is_zero():
                self._moved("gamma", inner, self.of(start))
                return
            last = int(steps.leading_coefficient()) if steps.is_constant() else 0
            each = [self.of(self.field.add(start, self.field.constant(n))) for n in range(last)]
            for n, here in enumerate(each):
                there = ("gamma", ("+", here, ONE))
                self.builder.prove(self.context, Statement(here, ">", ZERO))
                number = self.builder.lemma(
                    self.context, Statement(there, "=", ("*", here, ("gamma", here))), "gamma_step", x=here
                )
                whole = Statement(there, "=", product([*each[: n + 1], self._kernel_value(i)]))
                self.add_rule(whole, "sum", [number, *self.rules()], [])
            if last:
                self._moved("gamma", inner, ("+", each[-1], ONE))
                return
        raise Lacking("a gamma function")

    def _normal(self, inner: Expression) -> None:
        value, e = self.convert(("Phi", inner)), ("Phi", inner)
        x = self.convert(inner)
        if x.above.is_zero():
            self._moved("Phi", inner, ZERO)
            self.add_rule(Statement(("Phi", ZERO), "=", fmpq(1, 2)), "lemma", "Phi_zero", {})
            return
        for side in (1, -1):
            single = self.field.single(x.above * side) if x.below.is_one() else None
            if single is not None and single[1] == 1 and self.field.kernels[single[0]].key[0] == "Phi_inv":
                quantile = self.kernel(single[0])
                self._mirrored("Phi", inner, quantile, side)
                s = Statement(("Phi", quantile), "=", quantile[1])
                self.add_rule(s, "lemma", "Phi_of_inv", {"x": written(quantile[1])})
                return
        kernel, side = self._kernel_of(value, self.field.subtract(self.field.constant(1), value), e)
        argument = self._argument(kernel)
        self._mirrored("Phi", inner, argument, side)

    def _quantile(self, inner: Expression) -> None:
        e = ("Phi_inv", inner)
        value = self.convert(e)
        for i in self.field.used(self.convert(inner).above):
            if self.field.kernels[i].key[0] == "Phi":
                probability = self._kernel_value(i)
                for side in (1, -1):
                    u = self.field.scaled(value, side)
                    if self.same(self.of(u), probability[1]):
                        self._mirrored("Phi_inv", inner, probability, side)
                        s = Statement(("Phi_inv", probability), "=", probability[1])
                        self.add_rule(s, "lemma", "Phi_inv_of", {"x": written(probability[1])})
                        return
        kernel, side = self._kernel_of(value, self.field.scaled(value, -1), e)
        self._mirrored("Phi_inv", inner, self._argument(kernel), side)

    def _kernel_of(self, value: Quotient, mirror: Quotient, e: Expression) -> tuple[int, int]:
        for q, side in ((value, 1), (mirror, -1)):
            used = self.field.used(q.above)
            if (
                len(used) == 1
                and q.below.is_one()
                and q.above == self.field.generators[used[0]] ** (self.field.kernels[used[0]].degree)
            ):
                return used[0], side
        raise Lacking(f"what {written(e)[:60]} is")

    def _kernel_value(self, i: int) -> Expression:
        kernel = self.kernel(i)
        return kernel[1] if kernel[0] == "**" else kernel

    def _argument(self, i: int) -> Expression:
        return self._kernel_value(i)[1]

    def _mirrored(self, head: str, inner: Expression, argument: Expression, side: int) -> None:
        """f(inner) by f(argument), or by that of what mirrors it."""
        if side > 0:
            self._moved(head, inner, argument)
            return
        other = product([MINUS_ONE, argument]) if head == "Phi" else ("-", ONE, argument)
        value = ("-", ONE, (head, argument)) if head == "Phi" else product([MINUS_ONE, (head, argument)])
        self._moved(head, inner, other)
        self.add_rule(Statement((head, other), "=", value), "lemma", f"{head}_mirror", {"x": written(argument)})

    def _moved(self, head: str, inner: Expression, argument: Expression) -> None:
        """f(inner) = f(argument), as the arguments are equal."""
        if not self.same(inner, argument):
            self.equal(inner, argument)
            self.add_rule(Statement((head, inner), "=", (head, argument)), "congruent")

    def _other(self, e: Expression) -> None:
        """A name, or a function of which little is known."""
        value = self.of(self.convert(e))
        if self.same(e, value):
            return
        s = Statement(e, "=", value)
        if self.builder.known(self.context, s):
            self.add_rule(s, "known")
        elif isinstance(e, str):
            try:
                self.equal(e, value)
            except Lacking:
                self.builder.equation(self.context, s)
                self.add_rule(s, "known")
        elif isinstance(value, tuple) and value[0] == e[0] and not is_opaque(e):
            self.equal(e[1], value[1])
            self.add_rule(s, "congruent")
        else:
            raise Lacking(f"what {e[0]} is")
