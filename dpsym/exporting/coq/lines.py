"""A certificate as a development for Coq: one lemma for each line, proved as its rule says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from flint import fmpq

from dpsym.exporting.coq.terms import Terms, name, opaque, said, text
from dpsym.verifying.proofs import Replay, verify
from dpsym.verifying.proofs.expressions import (
    SWAPPED,
    Expression,
    Statement,
    derivative,
    is_opaque,
    names,
    needs,
    needs_of,
    parts,
    read,
    replaced,
    statement,
    substituted,
)  # fmt: skip
from dpsym.verifying.proofs.lemmas import lemma
from dpsym.verifying.proofs.normal_form import Quotient, spelled

_ZERO = fmpq(0)
_IMPLIED = {
    "=": ("=",), "!=": ("!=", "<", ">"), "<": ("<",), ">": (">",), "<=": ("<=", "<", "="), ">=": (">=", ">", "="),
    "in": ("in",),
}  # fmt: skip
_TOGETHER = {
    "=": (("<=", ">=", "lra"),),
    "!=": (),
    ">": ((">=", "!=", "destruct G_0 as [G_0|G_0]; [ exact G_0 | now elim G_1 ]"),),
    "<": (("<=", "!=", "destruct G_0 as [G_0|G_0]; [ exact G_0 | now elim G_1 ]"),),
}


class NotExported(Exception):
    """There is no translation of this rule, or of this use of it."""


class Development:
    """The lemmas of one certificate."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.replay = Replay()
        self.terms = Terms(self.replay.forms)
        self.lemmas: list[str] = []
        self._facts: dict[str, list[tuple[int, Statement, str | int]]] = {}
        self._hypotheses: list[list[Statement]] = []
        for parent, hypotheses in data["contexts"]:
            self.replay.context(parent, hypotheses)
            self._add_context(parent, [statement(h) for h in hypotheses])
        read_lines = [statement(text) for _, text, *_ in data["lines"]]
        self._declare([s for h in self._hypotheses for s in h] + read_lines)
        for number, line in enumerate(data["lines"]):
            self._add(number, *line)

    # --- what is known

    def _add_context(self, parent: int | None, hypotheses: list[Statement]) -> None:
        known = [] if parent is None else list(self._hypotheses[parent])
        for h in hypotheses:
            for alternatives in needs_of(h):
                known.extend(alternatives[0] if len(alternatives) == 1 else ())
            known.append(h)
        start = 0 if parent is None else len(self._hypotheses[parent])
        self._hypotheses.append(known)
        for i, h in enumerate(known[start:], start):
            self._file(len(self._hypotheses) - 1, h, f"H_{i}")

    def _declare(self, statements: list[Statement]) -> None:
        self.variables = sorted(self._spoken(statements))

    def _spoken(self, statements: Iterable[Statement]) -> dict[str, None]:
        found: dict[str, None] = {}
        for s in statements:
            for side in (s.left,) if s.op == "in" else (s.left, s.right):
                for part in parts(side):
                    if is_opaque(part):
                        found[opaque(part)] = None
                    elif isinstance(part, str) and part != "pi":
                        found[name(part)] = None
        return found

    def _key(self, s: Statement) -> tuple[str, bool]:
        forms = self.replay.forms
        if s.op == "in":
            return "in " + spelled(forms.of(s.left)), False
        d = self._difference(s.left, s.right)
        if d.above.is_constant() and d.below.is_one():
            return "", False
        c = d.above.leading_coefficient()
        return spelled(forms.times(d, 1 / c)), bool(c < 0)

    def _difference(self, a: Expression, b: Expression) -> Quotient:
        forms = self.replay.forms
        return forms.add(forms.of(a), forms.times(forms.of(b), fmpq(-1)))

    def _file(self, context: int, s: Statement, where: str | int) -> None:
        self._facts.setdefault(self._key(s)[0], []).append((context, s, where))

    def _chain(self, context: int | None) -> Iterator[int]:
        while context is not None:
            yield context
            context = self.replay.contexts[context].parent

    def _search(self, context: int, s: Statement) -> tuple[Statement, str | int] | None:
        (key, turned), chain = self._key(s), set(self._chain(context))
        for where, fact, origin in self._facts.get(key, ()):
            op = SWAPPED.get(fact.op, fact.op) if self._key(fact)[1] != turned else fact.op
            if where in chain and op in _IMPLIED[s.op]:
                return fact, origin
        return None

    def _find(self, context: int, s: Statement) -> tuple[Statement, str | int]:
        found = self._search(context, s)
        if found is None:
            raise NotExported(f"{said(s)} is not found")
        return found

    def _term(self, origin: str | int) -> str:
        """The proof of a fact of this context or of a parent."""
        if isinstance(origin, str):
            return origin
        hypotheses = self._hypotheses[self.replay.lines[origin].context]
        return f"(line_{origin} {' '.join([*self.variables, *(f'H_{i}' for i in range(len(hypotheses)))])})"

    def by(self, context: int, s: Statement) -> str:
        """A tactic that shows what is known: `s`, spelled canonically."""
        if s.op == "in" and isinstance(s.left, fmpq):
            return "apply integer_number"
        if s.op != "in" and not self._key(s)[0]:
            d, both = self._difference(s.left, s.right).above, self.terms.statement(s)
            c = _ZERO if d.is_zero() else d.leading_coefficient()
            equation = f"{text(both.left)} - {text(both.right)} = {text(c)}"
            return f"first [ lra | (intro; lra) | assert (E_0 : {equation}) by identity; first [ lra | intro; lra ] ]"
        for one, other, close in _TOGETHER.get(s.op, ()):
            ends = [Statement(s.left, op, s.right) for op in (one, other)]
            if self._search(context, s) is None and all(self._search(context, end) for end in ends):
                shown = [f"assert (G_{i} : {said(self.terms.statement(b))}) by ({self.by(context, b)})"
                         for i, b in enumerate(ends)]  # fmt: skip
                return f"{shown[0]}; {shown[1]}; {close}"
        fact, origin = self._find(context, s)
        found = f"pose proof {self._term(origin)} as F_0; first [ by_fact F_0"
        if s.op != "in":
            ours, theirs = self._difference(s.left, s.right), self._difference(fact.left, fact.right)
            c = ours.above.leading_coefficient() / theirs.above.leading_coefficient()
            a, b = self.terms.statement(s), self.terms.statement(fact)
            equation = f"{text(('-', a.left, a.right))} = {text(c)} * {text(('-', b.left, b.right))}"
            found += f" | assert (E_0 : {equation}) by identity; by_fact F_0"
        return found + " ]"

    # --- lines

    def _add(self, number: int, context: int, line: str, rule: str, *arguments: Any) -> None:
        s = statement(line)
        self.terms.statement(s)
        method: Callable[..., list[str]] | None = getattr(self, f"_by_{rule}", None)
        if method is None:
            raise NotExported(f"the rule {rule}")
        steps = method(context, s, *arguments)
        sides = () if rule == "absurd" else (s.left,) if s.op == "in" else (s.left, s.right)
        needed = self._needed(context, *sides)
        self.replay.line(context, line, rule, *arguments)
        self.lemmas.append(self._lemma(f"line_{number}", context, said(self.terms.statement(s)), [*needed, *steps]))
        self._file(context, s, number)

    def _lemma(self, title: str, context: int, claim: str, steps: list[str]) -> str:
        hypotheses = [said(self.terms.statement(h)) for h in self._hypotheses[context]]
        given = "".join(f"{h} ->\n  " for h in hypotheses)
        intros = " ".join([*self.variables, *(f"H_{i}" for i in range(len(hypotheses)))])
        head = f"forall {' '.join(self.variables)} : R,\n  " if self.variables else ""
        proof = "\n  ".join([f"intros {intros}.", *steps] if intros else steps)
        return f"Lemma {title} : {head}{given}{claim}.\nProof.\n  {proof}\nQed."

    def _needed(self, context: int, *expressions: Expression) -> list[str]:
        """Assertions of what the expressions need to be defined."""
        found: dict[str, str] = {}
        for e in expressions:
            for alternatives in reversed(list(needs(e))):
                group = next((g for g in alternatives if all(self.replay.known(context, s) for s in g)), ())
                for s in group:
                    shown = said(self.terms.statement(s))
                    found.setdefault(shown, f"assert ({shown}) by ({self.by(context, s)}).")
                    if s.op == "!=" and s.right == _ZERO and not (form := self.replay.forms.of(s.left)).below.is_one():
                        above, below = (text(self.terms.quotient(Quotient(p, p**0))) for p in form)
                        divided = text(self.terms.canonical(s.left))
                        why = f"apply (numerator {divided} {above} {below}); [ assumption | identity ]"
                        found.setdefault(f"{above} <> 0", f"assert ({above} <> 0) by ({why}).")
        return list(found.values())

    def _bridge(self, *expressions: Expression, inside: str = "") -> list[str]:
        pairs = dict.fromkeys(p for e in expressions for p in self.terms.respelled(e))
        place = f" in {inside}" if inside else ""
        return [f"try replace {old} with {new}{place} by (f_equal; identity)." for old, new in pairs]

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
                    if s.op in ("!=", ">") and s.right == _ZERO:
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

    # --- rules

    def _by_known(self, context: int, s: Statement) -> list[str]:
        return [f"{self.by(context, s)}."]

    def _by_sum(self, context: int, s: Statement, rewrites: list[int], terms: list[list[Any]]) -> list[str]:
        forms = self.replay.forms
        large, small = (s.right, s.left) if s.op in ("<", "<=") else (s.left, s.right)
        rest, total, steps, zeros = self._difference(large, small), None, list[str](), list[tuple[str, int]]()
        for term in terms:
            if term[0] == "zero":
                m, equation = read(term[1]), self.replay.lines[term[2]].statement
                value = forms.multiply(self._difference(equation.left, equation.right), forms.of(m))
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

    def _signed(self, context: int, factor: Expression) -> list[str]:
        found = []
        for op, shown in ((">", "0 < {}"), (">=", "0 <= {}"), ("!=", "{} <> 0")):
            s = Statement(factor, op, _ZERO)
            if self.replay.known(context, s):
                claim = shown.format(text(self.terms.canonical(factor)))
                found.append(f"assert ({claim}) by ({self.by(context, s)}).")
        return found

    def _by_number(self, context: int, s: Statement, bits: int) -> list[str]:
        return ["number." if bits <= 64 else f"first [ number | interval with (i_prec {bits}) ]."]

    def _by_lemma(self, context: int, s: Statement, title: str, parameters: dict[str, str]) -> list[str]:
        fact = lemma(title)
        table = {x: self.terms.canonical(read(e)) for x, e in parameters.items()}
        conclusion = replaced(fact.conclusion, table)
        arguments = "".join(f" ({x} := {text(table[x])})" for x in sorted(table))
        steps = self._needed(context, *(read(e) for e in parameters.values()))
        if title == "power_exp" and isinstance(table["y"], fmpq):
            return [*steps, *self._by_logarithms(context, s, [])]
        steps.append(f"assert (C_0 : {said(conclusion)}).")
        premises = [self.by(context, replaced(p, table)) for p in fact.premises]
        inner = "".join(f" | {p}" for p in premises).removeprefix(" | ")
        close = f"; [ {inner} ]" if premises else ""
        if title in ("power_positive", "power_nonnegative") and isinstance(table["y"], fmpq):
            base = Statement(table["x"], fact.premises[0].op, _ZERO)
            close = "apply Rlt_gt; positive" if title == "power_positive" else "apply Rle_ge; nonnegative"
            steps.append(f"{{ assert ({said(base)}) by ({premises[0]}). {close}. }}")
        else:
            steps.append(f"{{ apply {title}{f' with{arguments}' if table else ''}{close}. }}")
        sides = (conclusion.left,) if s.op == "in" else (conclusion.left, conclusion.right)
        return [*steps, *self._bridge(*sides, inside="C_0"), *self._from(s, conclusion)]

    def _from(self, s: Statement, shown: Statement) -> list[str]:
        """From C_0, which says the same up to normal forms."""
        if s.op == "in":
            wanted, given = text(self.terms.canonical(s.left)), text(self.terms.canonical(shown.left))
            return [f"replace {wanted} with {given} by identity; exact C_0."]
        if s.op != shown.op or self.replay.forms.of(s.left) != self.replay.forms.of(shown.left):
            shown = Statement(shown.right, SWAPPED[shown.op], shown.left)
        a, b = self.terms.statement(s), self.terms.statement(shown)
        pairs = [(text(x), text(y)) for x, y in ((a.left, b.left), (a.right, b.right)) if text(x) != text(y)]
        spelling = " ".join(f"assert (E_{i} : {x} = {y}) by identity;" for i, (x, y) in enumerate(pairs, 1))
        return [f"first [ by_fact C_0 | {spelling} by_fact C_0 ]."]

    def _by_logarithms(self, context: int, s: Statement, rewrites: list[int]) -> list[str]:
        sides = [self._logarithm(side) for side in (s.left, s.right)]
        rest = self._difference(*sides)
        a, b = (text(self.terms.canonical(side)) for side in (s.left, s.right))
        return [*self._logs(context, s.left, s.right), f"eassert (L_1 : Log {a} _) by (logs; positive).",
                f"eassert (L_2 : Log {b} _) by (logs; positive).", "apply (Log_equal _ _ _ _ L_1 L_2). simpl INR.",
                *self._bridge(*sides), *self._equal(self._zeros(rest, rewrites, s.left, s.right))]  # fmt: skip

    def _by_log(self, context: int, s: Statement, rewrites: list[int]) -> list[str]:
        inner = s.left[1]
        whole = self._logarithm(inner)
        rest = self._difference(whole, s.right)
        a = self.terms.canonical(inner)
        respell = f"replace {text(self.terms.canonical(s.left))} with (ln {text(a)}) by (f_equal; identity)."
        return [*self._logs(context, inner), f"eassert (L_1 : Log {text(a)} _) by (logs; positive).", respell,
                "rewrite (proj2 L_1). simpl INR.", *self._bridge(whole, s.right),
                *self._equal(self._zeros(rest, rewrites, s.left, s.right))]  # fmt: skip

    def _logarithm(self, e: Expression) -> Expression:
        if e == fmpq(1):
            return _ZERO
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
                    and self.replay.known(context, Statement(part[1], ">", _ZERO))
                ):
                    found += self._signed(context, part[1])[:1]
        return found

    def _by_root(self, context: int, s: Statement, rewrites: list[int]) -> list[str]:
        if s.left[0] == "abs":
            wanted, q, title = ("**", s.left[1], fmpq(2)), 2, "abs_is"
        else:
            wanted, q = s.left[1], int(s.left[2].q)
            title = "sqrt_is" if q == 2 else f"(root_is {q})"
        rest = self._difference(("**", s.right, fmpq(q)), wanted)
        first = "lia | " if q != 2 else ""
        return [*self._signed(context, s.right), f"apply {title}; [ {first}assumption | ].",
                *self._equal(self._zeros(rest, rewrites, s.left, s.right))]  # fmt: skip

    def _by_radical(self, context: int, s: Statement) -> list[str]:
        a, q = s.left[1][1], int(s.left[2].p)
        shown = Statement(s.left, "=", self.terms.reduced(a))
        title = "root_squared" if q == 2 else f"(root_pow {q})"
        first = "lia | " if q != 2 else ""
        base = text(self.terms.reduced(a))
        known = self.by(context, Statement(self.terms.reduced(a), ">=", _ZERO))
        return [
            f"assert (C_0 : {said(self.terms.statement(shown))}).",
            f"{{ assert ({base} >= 0) by ({known}). apply {title}; [ {first}lra ]. }}",
            *self._from(s, shown),
        ]

    def _by_congruent(self, context: int, s: Statement) -> list[str]:
        steps = []
        for a, b in zip(s.left[1:], s.right[1:], strict=True):
            if self.replay.forms.of(a) != self.replay.forms.of(b):
                shown = Statement(self.terms.reduced(a), "=", self.terms.reduced(b))
                steps.append(
                    f"replace {text(shown.left)} with {text(shown.right)} by (symmetry; {self.by(context, shown)})."
                )
        return [*steps, "reflexivity."]

    def _by_integer(self, context: int, s: Statement) -> list[str]:
        found = []
        for part in parts(s.left):
            leaf = Statement(part, "in", "Z")
            if not isinstance(part, fmpq) and self.replay.known(context, leaf):
                found.append(f"assert ({said(self.terms.statement(leaf))}) by ({self.by(context, leaf)}).")
        return [*found, "integrally."]

    def _by_instance(self, context: int, s: Statement, number: int, values: dict[str, str]) -> list[str]:
        there, shown = self.replay.lines[number]
        table = {x: self.terms.canonical(read(e)) for x, e in values.items()}
        spelling = {name(x): text(e) for x, e in table.items()}
        put = replaced(self.terms.statement(shown), table)
        steps = self._needed(context, *table.values())
        terms = []
        for i, h in enumerate(self._hypotheses[there]):
            wanted = replaced(self.terms.statement(h), table)
            sides = (wanted.left,) if wanted.op == "in" else (wanted.left, wanted.right)
            steps += self._needed(context, *sides)
            steps += [
                f"assert (P_{i} : {said(wanted)}).",
                "{",
                *self._bridge(*sides),
                f"{self.by(context, wanted)}.",
                "}",
            ]
            terms.append(f"P_{i}")
        steps.append(
            f"pose proof (line_{number} {' '.join([*(spelling.get(v, v) for v in self.variables), *terms])}) as C_0."
        )
        sides = (put.left,) if put.op == "in" else (put.left, put.right)
        return [*steps, *self._bridge(*sides, inside="C_0"), *self._from(s, put)]

    def _by_cases(self, context: int, s: Statement, one: int, other: int) -> list[str]:
        (h,) = self.replay.contexts[one].hypotheses
        a, b = text(self.terms.canonical(h.left)), text(self.terms.canonical(h.right))
        split = {"<": f"Rlt_or_le {a} {b}", ">": f"Rlt_or_le {b} {a}", "<=": f"Rle_or_lt {a} {b}",
                 ">=": f"Rle_or_lt {b} {a}", "=": f"Req_dec {a} {b}", "!=": f"Req_dec {a} {b}"}[h.op]  # fmt: skip
        steps, start = [f"destruct ({split}) as [D_0|D_0]."], len(self._hypotheses[context])
        for child in (other, one) if h.op == "!=" else (one, other):
            more = self._hypotheses[child][start:]
            own, shown = self.replay.contexts[child].hypotheses, list[str]()
            for i, m in enumerate(more, start):
                other_way = "" if m in own else f" | {self.by(context, m)}"
                shown.append(
                    f"assert (H_{i} : {said(self.terms.statement(m))}) by first [ lra | assumption{other_way} ]."
                )
            steps.append("{ " + " ".join([*shown, f"{self.by(child, s)}. }}"]))
        return steps

    def _by_absurd(self, context: int, s: Statement, number: int) -> list[str]:
        return ["exfalso.", f"pose proof {self._term(number)} as F_0. first [ lra | apply F_0; lra ]."]

    def _by_rising(self, context: int, s: Statement, x: str, at: str, inside: int) -> list[str]:
        return self._climbing(context, s, x, at, inside, "rises")

    def _by_falling(self, context: int, s: Statement, x: str, at: str, inside: int) -> list[str]:
        return self._climbing(context, s, x, at, inside, "falls")

    def _climbing(self, context: int, s: Statement, x: str, at: str, inside: int, title: str) -> list[str]:
        if at.strip() in ("oo", "-oo"):
            raise NotExported("a limit at infinity")
        large, small = (s.left, s.right) if s.op[0] == ">" else (s.right, s.left)
        e: Expression = large if small == _ZERO else ("-", large, small)
        end, slope, v = read(at), derivative(e, x), name(x)
        there = substituted(e, {x: end})
        if self.replay.undefined(context, there) is not None:
            raise NotExported("a limit at an end where the function is not defined")
        e_, slope_ = self.terms.canonical(e), self.terms.canonical(slope)
        up, strict = title == "rises", s.op in ("<", ">")
        value = Statement(
            there, ">" if strict and self.replay.known(context, Statement(there, ">", _ZERO)) else ">=", _ZERO
        )
        steep = strict and value.op == ">="
        begin, finish = (text(self.terms.canonical(end)), v) if up else (v, text(self.terms.canonical(end)))
        order = Statement(x, (">" if up else "<") + ("" if steep else "="), end)
        sign = Statement(slope, (">" if up else "<") + ("" if steep else "="), _ZERO)
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

    def theorem(self, title: str) -> str:
        """The claim as it is written, from the last line."""
        (last, (context, s)), hypotheses = list(enumerate(self.replay.lines))[-1], self._hypotheses[0]
        assert context == 0  # noqa: S101 - the checker has seen to it
        spoken = set(self._spoken([*hypotheses, s]))
        variables = [v for v in self.variables if v in spoken]
        steps = (
            [f"intros {' '.join([*variables, *(f'H_{i}' for i in range(len(hypotheses)))])}."]
            if hypotheses
            else ["intros."]
        )
        steps += [f"pose ({v} := 0)." for v in self.variables if v not in spoken]
        for i, h in enumerate(hypotheses):
            sides = (h.left,) if h.op == "in" else (h.left, h.right)
            steps += self._bridge(*sides, inside=f"H_{i}")
        arguments = [*self.variables, *(f"H_{i}" for i in range(len(hypotheses)))]
        sides = (s.left,) if s.op == "in" else (s.left, s.right)
        steps += self._needed(0, *sides)
        steps += [*self._bridge(*sides), f"exact ({' '.join([f'line_{last}', *arguments])})."]
        given = "".join(f"{said(h)} ->\n  " for h in hypotheses)
        head = f"forall {' '.join(variables)} : R,\n  " if variables else ""
        proof = "\n  ".join(steps)
        return f"Theorem {title} : {head}{given}{said(s)}.\nProof.\n  {proof}\nQed."


def document(data: dict[str, Any], title: str) -> str:
    """A file for `coqc`: the library, a lemma for each line, the claim; raises NotExported, Malformed or Rejected."""
    verify(data)
    library = (Path(__file__).parent / "library.v").read_text(encoding="utf-8")
    made = Development(data)
    lines = "\n\n".join(made.lemmas)
    return (
        f"{library}\n(* --- the proof, line by line *)\n\n{lines}\n\n(* --- the claim *)\n\n{made.theorem(title)}\n"
        f"Print Assumptions {title}.\nEnd exported.\n"
    )
