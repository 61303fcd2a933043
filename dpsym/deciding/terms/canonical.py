"""A canonical form as lines of a certificate: what its kernels are, what expressions are in them, and signs."""

from __future__ import annotations

from typing import Any

import sympy as sp
from flint import fmpq, fmpq_mpoly

from dpsym.core.notation import Phi, phi
from dpsym.deciding.algebra import CanonicalForm, Positivity, Quotient, Unsupported, roots
from dpsym.deciding.algebra.field import Field, Restart
from dpsym.deciding.algebra.reasons import Sign
from dpsym.deciding.terms.builder import Builder, Lacking
from dpsym.deciding.terms.translating import MINUS_ONE, ONE, ZERO, ordered, power, product, quotient, total
from dpsym.verifying.proofs.expressions import Expression, Statement, is_opaque, parts, substituted, written
from dpsym.verifying.proofs.lemmas import lemma
from dpsym.verifying.proofs.normal_form import Forms

_BITS = (64, 256, 1024)
_OPS = {(0, True): "=", (1, True): ">", (1, False): ">=", (-1, True): "<", (-1, False): "<="}
_UNFOLDED = {"sinh": "sinh_exp", "cosh": "cosh_exp", "tanh": "tanh_exp", "phi": "phi_exp", "erf": "erf_Phi",
             "erfc": "erfc_Phi", "coth": "coth_exp", "asinh": "asinh_log", "acosh": "acosh_log",
             "atanh": "atanh_log"}  # fmt: skip

Term = list[Any]


def unfolded(e: sp.Expr) -> sp.Expr | None:
    """What a head is by definition; for a maximum or minimum the absolute value in it."""
    if not isinstance(e, sp.Function | sp.Max | sp.Min) or not e.args:
        return None
    x = e.args[0]
    match e:
        case sp.sinh():
            return (sp.exp(x) - sp.exp(-x)) / 2
        case sp.cosh():
            return (sp.exp(x) + sp.exp(-x)) / 2
        case sp.tanh():
            return 1 - 2 / (sp.exp(2 * x) + 1)
        case sp.coth():
            return 1 + 2 / (sp.exp(2 * x) - 1)
        case sp.asinh():
            return sp.log(x + sp.sqrt(x**2 + 1))
        case sp.acosh():
            return sp.log(x + sp.sqrt(x**2 - 1))
        case sp.atanh():
            return sp.log((1 + x) / (1 - x)) / 2
        case phi():
            return sp.exp(-(x**2) / 2) / sp.sqrt(2 * sp.pi)
        case sp.erf():
            return 2 * Phi(x * sp.sqrt(2)) - 1
        case sp.erfc():
            return 2 * Phi(-x * sp.sqrt(2))
        case sp.Max() | sp.Min() if len(e.args) == 2:
            a, b = ordered(e)
            return sp.Abs(a - b)
    return None


def hidden(*expressions: sp.Expr) -> tuple[sp.Expr, ...]:
    """What the heads in the expressions are by definition, for a form to know."""
    found: dict[sp.Expr, None] = {}
    waiting = list(expressions)
    while waiting:
        for e in sp.preorder_traversal(waiting.pop()):
            inner = unfolded(e)
            if inner is not None and inner not in found:
                found[inner] = None
                waiting.append(inner)
    return tuple(found)


class Elaborated:
    """One form in one context: texts of its quotients, lines for equations and signs."""

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

    def _symbol(self, key: tuple[str, ...]) -> Expression:
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
            return _less(_rational(far), e) if near is None else _less(e, _rational(near))
        start, end = _rational(near), _rational(far)
        above, below = (_less(e, start), _less(end, e)) if start < end else (_less(start, e), _less(e, end))
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
        self._sign_of_value(i, value)
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

    # --- equations

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
            case (head, inner) if head in _UNFOLDED:
                self._unfold(e, inner)
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
        whole = (total if head == "Max" else _difference)([("+", a, b), ("abs", ("-", a, b))])
        s = Statement((head, a, b), "=", ("/", whole, fmpq(2)))
        number = self.builder.lemma(self.context, s, "max_abs" if head == "Max" else "min_abs", x=a, y=b)
        s = Statement(s.left, "=", self.of(self.convert(s.left)))
        self.add_rule(s, "sum", [number, *self.rules()], [])

    def _unfold(self, e: Expression, inner: Expression) -> None:
        translator = self.builder.translator
        found = unfolded(translator.sympy(e))
        if found is None:
            raise Lacking(f"what {e[0]} is")
        self.equate(translator.expression(found))
        self._through_lemma(e, _UNFOLDED[e[0]], inner)

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

    # --- signs

    def show(self, p: fmpq_mpoly, known: Sign | tuple[int, bool]) -> Expression:
        """Lines for a polynomial's sign; what they say is not negative: the polynomial, or its contrary."""
        e = self.text(p)
        s = Statement(e, _OPS[known[0], known[1]], ZERO)
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
        self.show_quotient(Statement(self.of(q), _OPS[known[0], known[1]], ZERO), q, known)

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
            self._sum(s, terms)
            return
        above, below = known.reason.parts
        factors = [[written(self.show(q.above, above)), 1], [written(self.show(q.below, below)), -1]]
        if q.below.is_one():
            factors.pop()
        self._sum(s, [["1", *factors]])

    def _sum(self, s: Statement, terms: list[Term]) -> None:
        self.builder.line(self.context, s, "sum", self.rules(), terms)

    def _monomials(self, p: fmpq_mpoly, extra: dict[int, list[Term]] | None = None) -> list[Term]:
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

    def _by_terms(self, s: Statement, p: fmpq_mpoly, side: int) -> None:
        self._sum(s, self._monomials(p))

    def _by_zero(self, s: Statement, p: fmpq_mpoly, side: int) -> None:
        self._sum(s, [])

    def _by_factors(self, s: Statement, p: fmpq_mpoly, side: int, constant: fmpq, each: tuple[Any, ...]) -> None:
        if side == 0:
            factor, times, known = next(f for f in each if f[2] is not None and f[2][0] == 0)
            self.show(factor, known)
            zero = self.builder.line(self.context, Statement(self.text(factor), "=", ZERO), "known")
            self._sum(s, [["zero", written(self.text(p // factor)), zero]])
            return
        term: Term = [str(abs(fmpq(constant)))]
        for factor, times, known in each:
            e = self.show(factor, known) if known is not None else self.text(factor)
            term.append([written(e), times])
        if len(term) == 2 and term[1][1] == 1:  # nothing but a number times the polynomial
            self.builder.prove(self.context, s)
            return
        self._sum(s, [term])

    def _by_modulo(
        self, s: Statement, p: fmpq_mpoly, side: int, taken: tuple[Any, ...], rest: fmpq_mpoly, known: Sign | None
    ) -> None:
        terms = self._equations(taken, side or 1)
        if known is not None:
            terms.append(["1", [written(self.show(rest, known)), 1]])
        self._sum(s, terms)

    def _equations(self, taken: tuple[Any, ...], side: int) -> list[Term]:
        found = []
        for multiple, equation in taken:
            if not multiple.is_zero():
                found.append(["zero", written(self.text(multiple * side)), self._vanishing(equation)])
        return found

    def _by_combination(
        self, s: Statement, p: fmpq_mpoly, side: int, started: fmpq_mpoly, multiple: fmpq_mpoly, fact: fmpq_mpoly,
        rest: fmpq_mpoly, known: Sign | None,
    ) -> None:  # fmt: skip
        self.fact(fact)
        (term,) = self._monomials(multiple)
        terms = [[*term, [written(self.text(fact)), 1]]]
        if known is not None:
            terms.append(["1", [written(self.show(rest, known)), 1]])
        elif not rest.is_zero():
            terms += self._equations(tuple(self.signs.less_equations(rest)[1]), 1)
        self._sum(s, terms)

    def _by_numbers(self, s: Statement, p: fmpq_mpoly, side: int, parts: dict[tuple[int, ...], fmpq_mpoly]) -> None:
        terms = []
        for outer, number in parts.items():
            e = self.text(number * side)
            self.number(Statement(e, ">", ZERO))
            term = self._monomials(self.field.terms({outer: fmpq(1)}))[0]
            terms.append(["1", [written(e), 1], *term[1:]])
        self._sum(s, terms)

    def number(self, s: Statement) -> None:
        """A relation between numbers, by enclosure."""
        if self.builder.known(self.context, s):
            return
        for bits in _BITS:
            try:
                self.builder.line(self.context, s, "number", bits)
                return
            except Lacking as lacking:
                if "enclosures" not in str(lacking):
                    raise
        raise Lacking("a number")

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
        self._sum(s, [[*term, *below] for term in self._monomials(raised, above)])

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
        self.show_quotient(Statement(argument, _OPS[found[0], found[1]], ZERO), inner, found)
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
        self._sum(s, terms)

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
            self._sum(squares, terms)
        name = "square_bound_strict" if squares.op == ">" else "square_bound"
        self.builder.lemma(self.context, Statement(big, squares.op, small), name, x=small, y=big)
        self._sum(s, [["1", [written(("-", big, small)), 1]]])

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
        self._sum(Statement(power(x, 3), op, power(y, 3)), [["1", [gap, 1]]])
        name = "cube_order_strict" if op == ">" else "cube_order"
        self.builder.lemma(self.context, Statement(x, op, y), name, x=x, y=y)
        self._sum(s, [["1", [written(("-", x, y)), 1]]])

    def _by_collected(self, s: Statement, p: fmpq_mpoly, side: int, i: int, each: tuple[Any, ...]) -> None:
        self.kernel_sign(i)
        terms = []
        for exponent, rest, known in each:
            if known[0]:
                factor = [[written(self.kernel(i)), exponent]] if exponent else []
                terms.append(["1", [written(self.show(rest, known)), 1], *factor])
        self._sum(s, terms)

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
        self._sum(s, terms)

    def _by_squares(self, s: Statement, p: fmpq_mpoly, side: int, squares: Any) -> None:
        rest, terms = p * side, []
        for number, coefficients in squares:
            root = self.field.terms(dict(coefficients))
            rest -= number * root * root
            terms.append([str(number), [written(self.text(root)), 2]])
        self._sum(s, [*terms, *self._monomials(rest)])

    def _by_two_terms(
        self, s: Statement, p: fmpq_mpoly, side: int, ratio: Quotient, logarithm_: Quotient, known: Sign
    ) -> None:
        """a M - b N by exp of the logarithm of a M/(b N)."""
        log = self.of(logarithm_)
        self.show_quotient(Statement(log, _OPS[known[0], known[1]], ZERO), logarithm_, known)
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
        compared = Statement(value, _OPS[known[0], known[1]], ONE)
        if not self.builder.known(self.context, compared):
            self._sum(compared, [["1", [gap, 1], [written(size), -1]]])
        self._logarithm_of(s, value, known)

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
        self._sum(s, [term])

    def _by_half(self, s: Statement, p: fmpq_mpoly, side: int, inner: Quotient, known: Sign) -> None:
        """Phi(u) - 1/2 by the sign of u."""
        (i,) = self.field.used(p)
        self._bounded(i, fmpq(1, 2), fmpq(1))
        ends = (self.kernel(i), fmpq(1, 2)) if known[0] >= 0 else (fmpq(1, 2), self.kernel(i))
        coefficient = str(abs(fmpq(p.leading_coefficient())))
        self._sum(s, [[coefficient, [written(("-", *ends)), 1]]])

    def _by_monotone(
        self, s: Statement, p: fmpq_mpoly, side: int, name: str, pair: Any, mirrored: bool, gap: Quotient, known: Sign
    ) -> None:
        """f(u) - f(v), or Phi(u) + Phi(v) - 1, by the sign of u - v, or of u + v."""
        u, v = (self.of(q) for q in pair)
        other = product([MINUS_ONE, v]) if mirrored else v
        self.show_quotient(Statement(u, _OPS[known[0], known[1]], other), gap, known)
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
        self._sum(s, terms)

    # --- signs of kernels, and what is assumed

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
            self._sign_of_value(i, e[1])
            name = "power_positive" if op == ">" else "power_nonnegative"
            self.builder.lemma(self.context, Statement(e, op, ZERO), name, x=e[1], y=e[2])
        else:
            self._sign_of_value(i, e)

    def _sign_of_value(self, i: int, e: Expression) -> None:
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

    def _sign_of_symbol(self, s: Statement, key: tuple[str, ...]) -> None:
        match s.left:
            case ("/", above, below):
                op = s.op
                self.builder.bound(self.context, Statement(above, op, ZERO))
                self.builder.bound(self.context, Statement(below, ">", ZERO))
                self._sum(s, [["1", [written(above), 1], [written(below), -1]]])
            case _:
                self.builder.bound(self.context, s)

    def _sign_of_logarithm(self, s: Statement, inner: Quotient) -> None:
        """log(f) by the sign of f - 1."""
        e = self.of(inner)
        gap = self.field.subtract(inner, self.field.constant(1))
        known = self.signs.of(gap)
        if known is None:
            raise Lacking("the sign of a logarithm")
        self.show_quotient(Statement(e, _OPS[known[0], known[1]], ONE), gap, known)
        self._logarithm_of(s, e, known)

    def _logarithm_of(self, s: Statement, e: Expression, known: tuple[int, bool]) -> None:
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
        self._sum(s, terms)

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
            self._sum(s, terms)
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

    def _vanishing(self, p: fmpq_mpoly) -> int:
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


# --- expressions


def _is_root(e: Expression) -> bool:
    return isinstance(e, tuple) and e[0] == "**" and isinstance(e[2], fmpq)


def transcendental(e: Expression) -> list[Expression]:
    """What in the expression is not arithmetic."""
    calls = (part for part in parts(e) if isinstance(part, tuple))
    return [part for part in calls if part[0] not in ("+", "-", "*", "/", "**") or _is_root(part)]


def leaves(e: Expression) -> list[Expression]:
    """What the checker takes a product apart to, where it asks for logarithms."""
    match e:
        case ("*" | "/", a, b):
            return [*leaves(a), *leaves(b)]
        case ("**", a, _):
            return leaves(a)
        case ("exp", _):
            return []
    if isinstance(e, fmpq):
        return [fmpq(n) for n in (e.p, e.q) if n > 1]
    return [e]


def factored(forms: Forms, e: Expression) -> tuple[fmpq, list[tuple[Expression, int]]]:
    """A number and irreducible factors with their powers, of the normal form of an expression."""
    atoms: dict[int, Expression] = {}
    for part in parts(e):
        if _is_root(part):
            part = ("**", part[1], fmpq(1, part[2].q)) if part[2].q != 1 else part[1]
        if isinstance(part, fmpq) or (isinstance(part, tuple) and part[0] in ("+", "-", "*", "/")):
            continue
        form = forms.of(part)
        used = [i for i, n in enumerate(form.above.degrees()) if n]
        if len(used) == 1 and len(form.above) == 1 and form.above.total_degree() == 1 and form.below.is_one():
            atoms[used[0]] = part
    constant, found = ONE, []
    for p, side in zip(forms.of(e), (1, -1), strict=True):
        number, factors = p.factor()
        constant *= fmpq(number) ** side
        found += [(_polynomial(factor, atoms), int(times) * side) for factor, times in factors]
    return constant, found


def _polynomial(p: fmpq_mpoly, atoms: dict[int, Expression]) -> Expression:
    terms = []
    for exponents, c in p.to_dict().items():
        terms.append(product([fmpq(c), *(power(atoms[i], int(e)) for i, e in enumerate(exponents) if e)]))
    return total(
        sorted(terms, key=lambda t: isinstance(t, tuple) and t[0] == "*" and isinstance(t[1], fmpq) and t[1] < 0)
    )


def chained(factors: list[Expression]) -> Expression:
    """The product as it is written, numbers as they are."""
    found = factors[0] if factors else ONE
    for factor in factors[1:]:
        found = ("*", found, factor)
    return found


def power_of_number(n: int, times: int) -> Expression:
    """A power of a whole number, not worked out."""
    return fmpq(n) if times == 1 else ("**", fmpq(n), fmpq(times))


def _difference(pair: list[Expression]) -> Expression:
    return ("-", *pair)


def _rational(x: sp.Rational | None) -> fmpq:
    return ZERO if x is None else fmpq(int(x.p), int(x.q))


def _less(a: Expression, b: Expression) -> Expression:
    """a - b."""
    if isinstance(a, fmpq) and isinstance(b, fmpq):
        return a - b
    return a if b == ZERO else ("-", a, b)
