"""The kernels of a canonical form in a certificate: what they stand for, and lines for rewriting with them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import sympy as sp
from flint import fmpq, fmpq_mpoly

from dpsym.deciding.algebra import CanonicalForm, Quotient, roots
from dpsym.deciding.algebra.field import Field, Key
from dpsym.deciding.algebra.reasons import Sign
from dpsym.deciding.terms.builder import Builder, Lacking
from dpsym.deciding.terms.factoring import (
    chained,
    factored,
    less,
    power_of_number,
    rational,
    transcendental,
)
from dpsym.deciding.terms.translating import MINUS_ONE, ZERO, power, product, quotient, total
from dpsym.verifying.proofs.expressions import Expression, Statement, written


class Kernels(ABC):
    """One form in one context: texts of its quotients, and lines for rewriting."""

    def __init__(self, builder: Builder, context: int, form: CanonicalForm) -> None:
        self.builder, self.context, self.form = builder, context, form
        self.field: Field = form.field
        self.signs = form.signs
        self._kernels: dict[int, Expression] = {}
        self._rewrites: list[int] = []
        self._relations: dict[int, int] = {}
        self._equated: set[sp.Expr] = set()
        self._signed: set[int] = set()
        self._logs: dict[Expression, tuple[Expression, Expression]] = {}
        self._facts: set[str] = set()

    # --- texts

    def of(self, q: Quotient) -> Expression:
        """A quotient in the original variables, of which the denominator is shown not to vanish."""
        below = self.signs.polynomial(q.below) if not q.below.is_constant() else None
        if below is not None and below[0] and below[1]:
            self.show(q.below, below)
        return quotient(self.text(q.above), self.text(q.below))

    def text(self, p: fmpq_mpoly) -> Expression:
        """A polynomial in the original variables."""
        terms = []
        for exponents, c in p.to_dict().items():
            factors = [power(self.kernel(i), int(e)) for i, e in enumerate(exponents) if e]
            terms.append(product([fmpq(c), *factors]))
        return total(terms)

    def kernel(self, i: int) -> Expression:
        """What a generator stands for."""
        if i not in self._kernels:
            kernel = self.field.kernels[i]
            value = self._value(i)
            root = kernel.degree > 1 and kernel.key[0] != "exp"
            self._kernels[i] = ("**", value, fmpq(1, kernel.degree)) if root else value
            if root:
                self._radical(i, value, kernel.degree)
            elif kernel.relation is not None:
                self._relation(i)
        return self._kernels[i]

    def _value(self, i: int) -> Expression:
        kernel = self.field.kernels[i]
        match kernel.key[0]:
            case "symbol":
                return self._symbol(kernel.key)
            case "pi":
                return "pi"
            case "exp" if kernel.inner is not None:
                return ("exp", self.of(self.field.scaled(kernel.inner, fmpq(1, kernel.degree))))
            case "log" if kernel.inner is not None:
                return self.logs(self.of(kernel.inner))[1]
            case "Phi" | "Phi_inv" | "atan" if kernel.inner is not None:
                return (kernel.key[0], self.of(kernel.inner))
            case "gamma" if kernel.inner is not None:
                return ("gamma", self.of(kernel.inner))
            case "fraction" if kernel.inner is not None:
                whole = self.of(kernel.inner)
                return ("-", whole, ("floor", whole))
            case "root" if kernel.relation is not None:
                n, radicand = kernel.relation
                return ("**", self.text(radicand), fmpq(1, n))
            case "abs" if kernel.relation is not None:
                return ("abs", self.text(self._inside(i)))
        return self._spelled(i)

    def _inside(self, i: int) -> fmpq_mpoly:
        """The polynomial of which a kernel is the absolute value."""
        relation = self.field.kernels[i].relation
        found = None if relation is None else roots._exact_root(self.form, relation[1])
        if found is None:
            raise Lacking("an absolute value")
        return found

    def _symbol(self, key: Key) -> Expression:
        x, near, far = self.form.built_in[key]
        e = self.builder.translator.expression(self.form.setting.meanings.get(x, x))
        for part in transcendental(e):
            self.equate(part)
        match e:
            case ("/", _, below):  # a symbol between two limits that are no numbers
                self.builder.bound(self.context, Statement(below, ">", ZERO))
        if near is None and far is None:
            return e
        if near is None or far is None:
            return less(rational(far), e) if near is None else less(e, rational(near))
        start, end = rational(near), rational(far)
        above, below = (less(e, start), less(end, e)) if start < end else (less(start, e), less(e, end))
        self.builder.bound(self.context, Statement(below, ">", ZERO))
        return quotient(above, below)

    def _spelled(self, i: int) -> Expression:
        """As it was written."""
        generator = self.field.generators[i] ** self.field.kernels[i].degree
        for e, q in self.form.done.items():
            if q.above == generator and q.below.is_one() and not isinstance(e, sp.Add | sp.Mul | sp.Pow):
                return self.builder.translator.expression(e)
        raise Lacking(f"kernel {self.field.kernels[i].key[0]}")

    # --- rewriting

    def rules(self) -> list[int]:
        """Lines for rewriting: what expressions are in kernels, and what powers of kernels are, later kernels first."""
        return [*self._rewrites, *(self._relations[i] for i in sorted(self._relations, reverse=True))]

    def _radical(self, i: int, value: Expression, degree: int) -> None:
        self.sign_of_value(i, value)
        left = ("**", self._kernels[i], fmpq(degree))
        self._relations[i] = self.builder.line(self.context, Statement(left, "=", value), "radical")

    def _relation(self, i: int) -> None:
        kernel = self.field.kernels[i]
        n, radicand = kernel.relation or (1, self.field.zero)
        left = ("**", self._kernels[i], fmpq(n))
        s = Statement(left, "=", self.text(radicand))
        if kernel.key[0] == "root":
            known = self.signs.polynomial(radicand)
            if known is not None:
                self.show(radicand, known)
            self._relations[i] = self.builder.line(self.context, s, "radical")
        elif kernel.key[0] == "abs":
            x = self.text(self._inside(i))
            self._relations[i] = self.builder.lemma(self.context, s, "abs_squared", x=x)
        else:
            raise Lacking(f"the relation of {kernel.key[0]}")

    def add_rule(self, s: Statement, rule: str, *arguments: Any) -> None:
        """A line that is used for rewriting from now on."""
        if self.same(s.left, s.right):
            return
        self._rewrites.append(self.builder.line(self.context, s, rule, *arguments))

    def same(self, a: Expression, b: Expression) -> bool:
        """Whether both have one normal form."""
        forms = self.builder.replay.forms
        return bool(forms.of(a) == forms.of(b))

    def equal(self, a: Expression, b: Expression) -> None:
        """That both are the same by what is known for rewriting."""
        s = Statement(a, "=", b)
        if not self.same(a, b) and not self.builder.known(self.context, s):
            self.builder.line(self.context, s, "sum", self.rules(), [])

    # --- logarithms

    def logs(self, e: Expression) -> tuple[Expression, Expression]:
        """A positive expression as a product of what cannot be taken apart, and the sum of the logarithms."""
        if e not in self._logs:
            self._logs[e] = self._taken_apart(e)
        return self._logs[e]

    def _taken_apart(self, e: Expression) -> tuple[Expression, Expression]:
        constant, factors = factored(self.builder.replay.forms, e)
        sides: tuple[list[Expression], list[Expression]] = ([], [])
        terms = []
        for factor, times in factors:
            value, log = self._prime(factor)
            if value is None:
                constant, value, log = (
                    constant * MINUS_ONE**times,
                    *self._prime(total([ZERO, product([MINUS_ONE, factor])])),
                )
            sides[times < 0].append(power(value, abs(times)))
            terms.append(product([fmpq(times), log]))
        if constant < 0:
            raise Lacking(f"a logarithm of {written(e)}")
        for prime, times in Field.primes(constant):
            sides[times < 0].append(power_of_number(prime, abs(times)))
            terms.append(product([fmpq(times), ("log", fmpq(prime))]))
        return quotient(chained(sides[0]), chained(sides[1])), total(terms)

    def _prime(self, e: Expression) -> tuple[Expression, Expression]:
        """An irreducible factor, and its logarithm; None where it is not known to be positive."""
        match e:
            case ("exp", inner):
                return e, inner
            case ("**", base, exponent):
                value, log = self.logs(base)
                return ("**", value, exponent), product([log, exponent])
        if self.builder.known(self.context, Statement(e, ">", ZERO)):
            return e, ("log", e)
        if self.builder.known(self.context, Statement(e, "<", ZERO)):
            return None, None
        try:
            self.builder.prove(self.context, Statement(e, ">", ZERO))
        except Lacking:
            self.builder.prove(self.context, Statement(e, "<", ZERO))
            return None, None
        return e, ("log", e)

    def log_rule(self, e: Expression) -> None:
        """What the logarithm of e is by those of its factors."""
        self.equate(e)
        value = self.of(self.convert(e))
        if not self.same(e, value):
            self.equal(e, value)
            self.add_rule(Statement(("log", e), "=", ("log", value)), "congruent")
        apart, log = self.logs(value)
        self.add_rule(Statement(("log", apart), "=", log), "log", self.rules())

    # --- what is shown of signs

    @abstractmethod
    def show(self, p: fmpq_mpoly, known: Sign | tuple[int, bool]) -> Expression:
        """Lines for a polynomial's sign; what they say is not negative: the polynomial, or its contrary."""

    @abstractmethod
    def nonnegative(self, q: Quotient) -> None:
        """Lines for a quotient that is not negative."""

    @abstractmethod
    def sign_of_value(self, i: int, e: Expression) -> None:
        """Lines for the sign of what a kernel, or a power of it, stands for."""

    @abstractmethod
    def convert(self, e: Expression) -> Quotient:
        """The quotient of an expression."""

    @abstractmethod
    def equate(self, e: Expression) -> None:
        """Rules for everything in the expression that is not arithmetic, the innermost first."""
