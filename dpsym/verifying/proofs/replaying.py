"""A proof line by line: each says what holds in a context, and the rule by which it follows from what is known there.

`Γ |- A op B` says that at every point that satisfies Γ both sides are defined and the relation holds.
Each method `_by_…` below is a rule; docs/certificates.md says the same in words.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

from flint import ctx, fmpq

from dpsym.verifying import Malformed, Rejected, told
from dpsym.verifying.proofs.binders import COMPARING, GIVING
from dpsym.verifying.proofs.expectations import integrand, is_bound, law_of, linear
from dpsym.verifying.proofs.expressions import (
    BINDERS,
    CONTRARY,
    FUNCTIONS,
    SWAPPED,
    ZERO,
    Expression,
    Statement,
    ball,
    derivative,
    is_continuous,
    is_operation,
    names,
    needs,
    needs_of,
    read,
    replaced,
    said,
    statement,
    substituted,
)  # fmt: skip
from dpsym.verifying.proofs.finiteness import Finiteness
from dpsym.verifying.proofs.granted import contradict, granted
from dpsym.verifying.proofs.lemmas import lemma
from dpsym.verifying.proofs.limits import Limit, Limits
from dpsym.verifying.proofs.normal_form import Forms, Quotient, Rewriting

IMPLIED = {  # by which known operators each is given
    "=": ("=",), "!=": ("!=", "<", ">"), "<": ("<",), ">": (">",), "<=": ("<=", "<", "="), ">=": (">=", ">", "="),
}  # fmt: skip
_TOGETHER = {">": {">=", "!="}, "<": {"<=", "!="}, "=": {"<=", ">="}}
_OPEN = {1: "beyond", -1: "beyond"}
_MOST_BITS = 4096  # of an enclosure: what needs more takes too long


class General(NamedTuple):
    """A hypothesis for all values of some names that meet some conditions."""

    variables: frozenset[str]
    conditions: tuple[Statement, ...]
    statement: Statement

    @property
    def free(self) -> frozenset[str]:
        """The names that it does not quantify over."""
        return frozenset[str]().union(*(s.names for s in (*self.conditions, self.statement))) - self.variables

    def __str__(self) -> str:
        where = f" with {', '.join(map(said, self.conditions))}" if self.conditions else ""
        return f"({said(self.statement)} for all {', '.join(sorted(self.variables))}{where})"


class Context(NamedTuple):
    """Hypotheses beside those of the parent, and what is known: operators by normal form, and what is an integer."""

    parent: int | None
    hypotheses: tuple[Statement, ...]
    signs: dict[tuple[int, int], set[str]]
    integers: set[tuple[int, int]]
    valued: set[tuple[int, int]]  # calls of binders that have a value
    general: tuple[General, ...]


class Line(NamedTuple):
    """What was shown, and where."""

    context: int
    statement: Statement


class Replay:
    """The contexts and lines accepted so far.  Every method that adds raises Rejected where it does not follow."""

    def __init__(self) -> None:
        self.forms = Forms()
        self.contexts: list[Context] = []
        self.lines: list[Line] = []

    # --- what is known

    def context(self, parent: int | None, hypotheses: list[str], general: Iterable[list[Any]] = ()) -> int:
        """A new context: hypotheses beside those of its parent; `general` ones are [names, conditions, statement]."""
        if parent is not None and not 0 <= parent < len(self.contexts):
            raise Rejected("a context before its parent")
        quantified = tuple(
            General(frozenset(map(_variable, of)), tuple(map(statement, conditions)), statement(text))
            for of, conditions, text in general
        )
        self.contexts.append(Context(parent, tuple(map(statement, hypotheses)), {}, set(), set(), quantified))
        number = len(self.contexts) - 1
        for hypothesis in self.contexts[number].hypotheses:
            self._file(number, hypothesis)
            for alternatives in needs_of(hypothesis):  # it holds only where it is defined
                for need in alternatives[0] if len(alternatives) == 1 else ():
                    self._file(number, need)
        return number

    def chain(self, context: int) -> list[int]:
        """The context, its parent, and so on."""
        found, at = [], context
        while at is not None:
            found.append(at)
            at = self.contexts[at].parent  # type: ignore[assignment]
        return found

    def hypotheses(self, context: int) -> list[Statement]:
        """All hypotheses of a context that are about one point."""
        return [h for c in self.chain(context) for h in self.contexts[c].hypotheses]

    def general(self, context: int) -> list[General]:
        """All hypotheses of a context that quantify."""
        return [g for c in self.chain(context) for g in self.contexts[c].general]

    def _demand_general(self, context: int, there: int, changed: Iterable[str]) -> None:
        """That what another context assumes in general is assumed here, of none of the names that change."""
        names_of_all = frozenset[str]().union(*(g.free for g in self.general(there)))
        if not set(self.general(there)) <= set(self.general(context)) or names_of_all & set(changed):
            raise Rejected("what is assumed in general there is not assumed here")

    def _file(self, context: int, s: Statement) -> None:
        if s.op == "is":
            self.contexts[context].valued.add(self.forms.key(self.forms.of(s.left)))
            return
        if s.op == "in":
            self.contexts[context].integers.add(self.forms.key(self.forms.of(s.left)))
            return
        key, turned = self.key(s.left, s.right)
        if key is not None:
            self.contexts[context].signs.setdefault(key, set()).add(SWAPPED[s.op] if turned else s.op)

    def key(self, left: Expression, right: Expression) -> tuple[tuple[int, int] | None, bool]:
        """The difference up to a rational factor, and whether that is negative; no key for a number."""
        difference = self.difference(left, right)
        if difference.above.is_constant() and difference.below.is_one():
            return None, False
        leading = difference.above.leading_coefficient()
        return self.forms.key(self.forms.times(difference, 1 / leading)), bool(leading < 0)

    def difference(self, left: Expression, right: Expression) -> Quotient:
        """The normal form of what the sides differ by."""
        return self.forms.add(self.forms.of(left), self.forms.times(self.forms.of(right), fmpq(-1)))

    def known(self, context: int, s: Statement) -> bool:
        """Whether the statement was shown in the context, or one of its parents, or is about rational numbers."""
        if s.op == "is":
            return any(self.forms.key(self.forms.of(s.left)) in self.contexts[c].valued for c in self.chain(context))
        if s.op == "in":
            form = self.forms.of(s.left)
            if form.above.is_constant() and form.below.is_one():
                return bool(form.above.is_zero() or form.above.leading_coefficient().q == 1)
            return any(self.forms.key(form) in self.contexts[c].integers for c in self.chain(context))
        key, turned = self.key(s.left, s.right)
        if key is None:
            difference = self.difference(s.left, s.right).above
            return _holds(ZERO if difference.is_zero() else difference.leading_coefficient(), s.op)
        op = SWAPPED[s.op] if turned else s.op
        have = set().union(*(self.contexts[c].signs.get(key, set()) for c in self.chain(context)))
        have |= {op for op, both in _TOGETHER.items() if both <= have}
        return any(o in have for o in IMPLIED[op])

    def is_false(self, s: Statement) -> bool:
        """Whether it is about rational numbers, and false."""
        if s.op == "is":
            return False
        difference = self.difference(s.left, ZERO if s.op == "in" else s.right)
        is_number = difference.above.is_constant() and difference.below.is_one()
        return is_number and not self.known(0, s)

    def undefined(self, context: int, *expressions: Expression) -> str | None:
        """A need of one of the expressions that is not known in the context."""
        for e in expressions:
            for alternatives in needs(e):
                if not any(all(self.known(context, s) for s in group) for group in alternatives):
                    return " or ".join(" and ".join(map(said, group)) for group in alternatives)
        return None

    def demand(self, context: int, s: Statement, why: str) -> None:
        """Raise Rejected where the statement is not known."""
        if not self.known(context, s):
            raise Rejected(f"{why}: {said(s)} is not known")

    def _demand_hypothesis(self, context: int, s: Statement) -> None:
        """That it is defined, and known."""
        self.demand_defined(context, s.left, s.right)
        self.demand(context, s, "a hypothesis")

    def demand_defined(self, context: int, *expressions: Expression) -> None:
        """Raise Rejected where one of the expressions is not known to have a value."""
        lacking = self.undefined(context, *expressions)
        if lacking is not None:
            raise Rejected(f"undefined unless {lacking}")

    # --- lines

    def line(self, context: int, text: str, rule: str, *arguments: Any) -> int:
        """A further line."""
        s = statement(text)
        if not 0 <= context < len(self.contexts) or rule not in _RULES:
            raise Rejected(f"no rule {rule!r}, or no context {context}")
        if rule not in ("absurd", "general", "lemma"):
            self.demand_defined(context, *((s.right,) if rule in GIVING else (s.left, s.right)))
        of_binders = GIVING.get(rule) or COMPARING.get(rule)
        if of_binders is None:
            getattr(self, f"_by_{rule}")(context, s, *arguments)
        else:
            of_binders(self, context, s, *arguments)
        if rule in GIVING:
            self._file(context, Statement(s.left, "is", ZERO))
        self.lines.append(Line(context, s))
        self._file(context, s)
        return len(self.lines) - 1

    def _earlier(self, context: int, number: int) -> Statement:
        """The statement of a line of this context or of a parent."""
        if not 0 <= number < len(self.lines) or self.lines[number].context not in self.chain(context):
            raise Rejected(f"there is no line {number} before, or it is of another context")
        return self.lines[number].statement

    def _rewritings(self, context: int, numbers: list[int]) -> list[Rewriting]:
        found = []
        for number in numbers:
            s = self._earlier(context, number)
            if s.op != "=":
                raise Rejected(f"line {number} is no equation")
            found.append(self.forms.rewriting(s.left, s.right))
        return found

    def _vanishes(self, context: int, q: Quotient, rewrites: list[int]) -> None:
        if not self.forms.vanishes(q, self._rewritings(context, rewrites)):
            raise Rejected("both sides are not the same")

    # --- rules

    def _by_known(self, context: int, s: Statement) -> None:
        """It is a hypothesis, or was shown before."""
        self.demand(context, s, "not known")

    def _by_sum(self, context: int, s: Statement, rewrites: list[int], terms: list[list[Any]]) -> None:
        """The difference of both sides is a sum of products of what has a known sign."""
        if s.op == "in":
            raise Rejected("a sum is no integer")
        left, right = (s.right, s.left) if s.op in ("<", "<=") else (s.left, s.right)
        rest, signs = self.difference(left, right), list[str]()
        for term in terms:
            if term[0] == "zero":
                _, multiplier, number = term
                equation, factor = self._earlier(context, number), read(multiplier)
                self.demand_defined(context, factor)
                if equation.op != "=":
                    raise Rejected(f"line {number} is no equation")
                value = self.forms.multiply(self.difference(equation.left, equation.right), self.forms.of(factor))
            else:
                value, sign = self._product(context, term, s.op)
                signs.append(sign)
            rest = self.forms.add(rest, self.forms.times(value, fmpq(-1)))
        self._vanishes(context, rest, rewrites)
        strict = ">" in signs if s.op in ("<", ">") else signs == ["!="] if s.op == "!=" else True
        if not strict or (s.op == "=" and signs):
            raise Rejected("the sum has not the sign that is claimed")

    def _product(self, context: int, term: list[Any], op: str) -> tuple[Quotient, str]:
        """c times powers, and whether it is > 0, only >= 0, or (for !=) not 0."""
        c = _number(term[0])
        if c == 0 or (c < 0 and op != "!="):
            raise Rejected("a coefficient that is not positive")
        value, strict = self.forms.number(c), True
        for text, exponent in term[1:]:
            factor, n = read(text), _integer(exponent)
            self.demand_defined(context, factor)
            value = self.forms.multiply(value, self.forms.power(self.forms.of(factor), n))
            nonzero = self.known(context, Statement(factor, "!=", ZERO))
            if (n < 0 or op == "!=") and not nonzero:
                raise Rejected(f"{text} != 0 is not known")
            if n % 2 and op != "!=":
                self.demand(context, Statement(factor, ">=", ZERO), "a factor")
            strict = strict and nonzero
        return value, "!=" if op == "!=" else ">" if strict else ">="

    def _by_number(self, context: int, s: Statement, bits: int) -> None:
        """Both sides are numbers, and enclosures tell them apart."""
        if not 24 <= bits <= _MOST_BITS:
            raise Rejected(f"expected 24 to {_MOST_BITS} bits")
        with ctx.workprec(bits):
            difference = ball(s.left) - ball(s.right)
            holds = {">": difference > 0, ">=": difference >= 0, "<": difference < 0, "<=": difference <= 0}
            holds["!="] = holds[">"] or holds["<"]
        if not holds.get(s.op, False):
            raise Rejected("the enclosures do not tell")

    def _by_lemma(self, context: int, s: Statement, name: str, parameters: dict[str, str]) -> None:
        """An instance of a named fact, whose premises are known."""
        fact, table = lemma(name), _table(parameters)
        if frozenset(table) != fact.parameters:
            raise Rejected(f"{name} has the parameters {sorted(fact.parameters)}")
        self.demand_defined(context, *table.values())
        for premise in fact.premises:
            self.demand(context, replaced(premise, table), name)
        given = replaced(fact.conclusion, table)
        for e in (given.left, given.right):
            if isinstance(e, tuple) and e[0] in BINDERS:  # the fact says that it has a value
                self._file(context, Statement(e, "is", ZERO))
        self._same(s, given)
        self.demand_defined(context, s.left, s.right)

    def _same(self, s: Statement, given: Statement) -> None:
        """That what is given says the same as the statement, as it stands or turned round."""
        turned = given if given.op == "in" else Statement(given.right, SWAPPED[given.op], given.left)
        for one in (given, turned):
            same = s.op == one.op and self.forms.of(s.left) == self.forms.of(one.left)
            if same and (s.op == "in" or self.forms.of(s.right) == self.forms.of(one.right)):
                return
        raise Rejected(f"what follows is {said(given)}")

    def _by_logarithms(self, context: int, s: Statement, rewrites: list[int]) -> None:
        """Both sides are products of what is positive, and the logarithms of both are the same sum."""
        if s.op != "=":
            raise Rejected("expected an equation")
        sides = [self._logarithm(context, side) for side in (s.left, s.right)]
        self._vanishes(context, self.forms.add(sides[0], self.forms.times(sides[1], fmpq(-1))), rewrites)

    def _by_log(self, context: int, s: Statement, rewrites: list[int]) -> None:
        """log of a product of what is positive is the sum of the logarithms."""
        if s.op != "=" or not isinstance(s.left, tuple) or s.left[0] != "log":
            raise Rejected("expected log(...) = ...")
        whole = self._logarithm(context, s.left[1])
        rest = self.forms.add(whole, self.forms.times(self.forms.of(s.right), fmpq(-1)))
        self._vanishes(context, rest, rewrites)

    def _logarithm(self, context: int, e: Expression) -> Quotient:
        """The logarithm of a product of powers of what is known to be positive, as a sum."""
        forms = self.forms
        if e == fmpq(1):
            return forms.zero
        if isinstance(e, fmpq) and e > 0 and e.q != 1:
            e = ("/", fmpq(e.p), fmpq(e.q))
        match e:
            case ("*", a, b):
                return forms.add(self._logarithm(context, a), self._logarithm(context, b))
            case ("/", a, b):
                return forms.add(self._logarithm(context, a), forms.times(self._logarithm(context, b), fmpq(-1)))
            case ("**", a, b):
                return forms.multiply(self._logarithm(context, a), forms.of(b))
            case ("exp", a):
                return forms.of(a)
        self.demand(context, Statement(e, ">", ZERO), "a logarithm")
        return forms.of(("log", e))

    def _by_root(self, context: int, s: Statement, rewrites: list[int]) -> None:
        """What is not negative and whose q-th power is A is the q-th root of A; the same of |A| and A**2."""
        match s:
            case Statement(("**", a, fmpq() as exponent), "=", value) if exponent.p == 1:
                wanted, q = self.forms.of(a), int(exponent.q)
            case Statement(("abs", a), "=", value):
                wanted, q = self.forms.power(self.forms.of(a), 2), 2
            case _:
                raise Rejected("expected A**(1/q) = R, or abs(A) = R")
        self.demand(context, Statement(value, ">=", ZERO), "a root")
        power = self.forms.power(self.forms.of(value), q)
        self._vanishes(context, self.forms.add(power, self.forms.times(wanted, fmpq(-1))), rewrites)

    def _by_radical(self, context: int, s: Statement) -> None:
        """The q-th power of the q-th root of A is A."""
        match s:
            case Statement(("**", ("**", a, fmpq() as root), fmpq() as q), "=", _) if root.p == 1 and root * q == 1:
                self._same(s, Statement(s.left, "=", a))
            case _:
                raise Rejected("expected (A**(1/q))**q = A")

    def _by_congruent(self, context: int, s: Statement) -> None:
        """A function of equal arguments."""
        match s:
            case Statement((head, *one), "=", (same, *other)) if head == same and head in FUNCTIONS:
                pass
            case Statement(("**", *one), "=", ("**", *other)):
                pass
            case _:
                raise Rejected("expected f(A) = f(B)")
        for a, b in zip(one, other, strict=True):
            if self.forms.of(a) != self.forms.of(b):
                self.demand(context, Statement(a, "=", b), "an argument")

    def _by_integer(self, context: int, s: Statement) -> None:
        """A polynomial with whole coefficients in integers."""
        if s.op != "in" or not self._is_integral(context, s.left):
            raise Rejected("not made of integers")

    def _is_integral(self, context: int, e: Expression) -> bool:
        if self.known(context, Statement(e, "in", "Z")):
            return True
        if not is_operation(e):
            return False
        op, a, b = e
        if op == "**":
            return isinstance(b, fmpq) and b.q == 1 and b >= 0 and self._is_integral(context, a)
        return op in ("+", "-", "*") and self._is_integral(context, a) and self._is_integral(context, b)

    def _by_instance(self, context: int, s: Statement, number: int, values: dict[str, str]) -> None:
        """A line of any context with expressions put in; what that context assumes is known of them here."""
        if not 0 <= number < len(self.lines):
            raise Rejected(f"there is no line {number} before")
        there, shown = self.lines[number]
        table = _table(values)
        self.demand_defined(context, *table.values())
        self._demand_general(context, there, table)
        for hypothesis in self.hypotheses(there):
            self._demand_hypothesis(context, replaced(hypothesis, table))
        self._same(s, replaced(shown, table))

    def _by_general(self, context: int, s: Statement, number: int, values: dict[str, str]) -> None:
        """A hypothesis for all values of some names, at values that are known to meet its conditions."""
        assumed, table = self.general(context), _table(values)
        if type(number) is not int or not 0 <= number < len(assumed) or table.keys() != assumed[number].variables:
            raise Rejected("expected the number of a general hypothesis, and a value for each of its names")
        self.demand_defined(context, *table.values())
        for condition in assumed[number].conditions:
            self._demand_hypothesis(context, replaced(condition, table))
        given = replaced(assumed[number].statement, table)
        for alternatives in needs_of(given):  # it says that they have values
            for need in alternatives[0] if len(alternatives) == 1 else ():
                self._file(context, need)
        self._same(s, given)
        self.demand_defined(context, s.left, s.right)

    def _by_cases(self, context: int, s: Statement, one: int, other: int) -> None:
        """It holds whether or not a further relation does."""
        children = [self.contexts[c] for c in (one, other) if 0 <= c < len(self.contexts)]
        if len(children) < 2 or any(c.parent != context or len(c.hypotheses) != 1 or c.general for c in children):
            raise Rejected("expected two children of the context with one hypothesis each")
        h, contrary = (c.hypotheses[0] for c in children)
        if h.op == "in" or (h.left, CONTRARY[h.op], h.right) != tuple(contrary):
            raise Rejected("the hypotheses are not contrary to each other")
        self.demand_defined(context, h.left, h.right)
        for child in (one, other):
            self.demand(child, s, "a case")

    def _by_absurd(self, context: int, s: Statement, number: int) -> None:
        """What is known is false of numbers, so that no point satisfies the context."""
        if not self.is_false(self._earlier(context, number)):
            raise Rejected(f"line {number} is not false of numbers")

    def _by_closure(self, context: int, s: Statement, number: int) -> None:
        """A weak relation between continuous functions holds at the ends of an interval, too."""
        there, shown = self.lines[number] if 0 <= number < len(self.lines) else Line(-1, s)
        if there < 0 or s.op not in ("<=", ">=", "=") or shown != s:
            raise Rejected("expected a line with the same weak relation")
        closed, inside = self.hypotheses(context), self.hypotheses(there)
        moved = frozenset[str]().union(*(h.names for h in inside if h not in closed))
        self._demand_general(context, there, moved)
        for x in moved:
            bounds = [_bound(h, x) for h in inside if x in h.names]
            ends = {op: [c for o, c in bounds if o == op] for op in ("<", ">")}
            if ends["<"] and ends[">"] and max(ends[">"]) >= min(ends["<"]):
                raise Rejected(f"no interval of {x} is left")
            for h in (h for h in closed if x in h.names):
                _bound(h, x)
            if not all(is_continuous(e, x, lambda base: self._is_positive(context, base)) for e in (s.left, s.right)):
                raise Rejected(f"not continuous in {x}")
        weak = [Statement(h.left, h.op[0] + "=", h.right) if h.names & moved else h for h in inside]
        for h in weak:
            if h not in closed and not (h.op in ("<=", ">=") and Statement(h.left, h.op[0], h.right) in closed):
                raise Rejected(f"{said(h)} is no hypothesis")

    def _is_positive(self, context: int, e: Expression) -> bool:
        return self.known(context, Statement(e, ">", ZERO))

    def _by_rising(self, context: int, s: Statement, x: str, at: str, inside: int) -> None:
        """It does not decrease from a value that is not negative."""
        self._climbing(context, s, x, at, inside, 1)

    def _by_falling(self, context: int, s: Statement, x: str, at: str, inside: int) -> None:
        """It does not increase towards a value that is not negative."""
        self._climbing(context, s, x, at, inside, -1)

    def _climbing(self, context: int, s: Statement, x: str, at: str, inside: int, side: int) -> None:
        e, strict = self.gap(s)
        end = _end(at)
        slope = derivative(e, x)
        self.between(context, inside, x, {side: end})
        self.demand_defined(inside, e, slope)
        positive = self._at_end(context, inside, e, x, end, side)
        self.demand(inside, Statement(slope, ">=" if side > 0 else "<=", ZERO), "the derivative")
        steep = self.known(inside, Statement(slope, ">" if side > 0 else "<", ZERO))
        apart = self._apart(context, x, end, side)
        if strict and not positive and not (steep and apart):
            raise Rejected("it is not shown to be positive")

    def _by_turning(
        self, context: int, s: Statement, x: str, low: str, high: str, inside: int, factor: str, falling: str
    ) -> None:
        """Its derivative is p g with p >= 0 and a falling g: so it rises, then falls, between what is not negative."""
        e, strict = self.gap(s)
        p, g, slope = read(factor), read(falling), derivative(e, x)
        turn, ends = derivative(g, x), {1: _end(low), -1: _end(high)}
        self.between(context, inside, x, ends)
        self.demand_defined(inside, e, slope, p, g, turn)
        positive = [self._at_end(context, inside, e, x, end, side) for side, end in ends.items()]
        for needed in (Statement(slope, "=", ("*", p, g)), Statement(p, ">=", ZERO), Statement(turn, "<=", ZERO)):
            self.demand(inside, needed, "the derivative")
        bent = self.known(inside, Statement(turn, "<", ZERO)) and self.known(inside, Statement(p, ">", ZERO))
        apart = all(self._apart(context, x, end, side) for side, end in ends.items())
        if strict and not all(positive) and not (bent and apart):
            raise Rejected("it is not shown to be positive")

    def _apart(self, context: int, x: str, end: Limit, side: int) -> bool:
        return isinstance(end, float) or self.known(context, Statement(x, ">" if side > 0 else "<", end))

    def _by_expected(self, context: int, s: Statement, z: str, inside: int) -> None:
        """A relation between functions of every value of a random variable holds of their expectations."""
        if s.op not in ("<=", ">=", "<", ">", "="):
            raise Rejected("expected an equation or inequality")
        law = self._under(context, inside, s, z, law_of(s.left, s.right))
        one, other = (integrand(side, z, law)[0] for side in (s.left, s.right))
        self.demand_defined(inside, one, other)
        self.demand(inside, Statement(one, s.op, other), "under the expectation")

    def _by_linear(self, context: int, s: Statement, z: str, inside: int) -> None:
        """An expectation of a linear combination is that of the expectations; that of a constant is the constant."""
        law = self._under(context, inside, s, z, law_of(s.left))
        if s.op != "=":
            raise Rejected("expected an equation")
        body = integrand(s.left, z, law)[0]
        combined, functions = linear(s.right, z, law)
        put = substituted(combined, functions)
        self.demand_defined(inside, body, put)
        self.demand(inside, Statement(body, "=", put), "under the expectation")

    def _under(self, context: int, inside: int, s: Statement, z: str, law: Expression) -> Expression:
        """The law, where the inner context has nothing beside this one but bounds of its values z, a new name."""
        _variable(z)
        child = self.contexts[inside] if 0 <= inside < len(self.contexts) else None
        if child is None or child.parent != context or child.general:
            raise Rejected("expected a child of the context that assumes nothing in general")
        taken = names(law).union(*(h.names for h in self.hypotheses(context)), *(g.free for g in self.general(context)))
        if z in taken:
            raise Rejected(f"{z} is no new name")
        for h in child.hypotheses:
            self._demand_hypothesis(context, is_bound(h, z, law))
        return law

    def gap(self, s: Statement) -> tuple[Expression, bool]:
        """The expression that is claimed to be >= 0, or > 0."""
        if s.op not in ("<", "<=", ">", ">="):
            raise Rejected("expected an inequality")
        large, small = (s.left, s.right) if s.op[0] == ">" else (s.right, s.left)
        return (large if small == ZERO else ("-", large, small)), len(s.op) == 1

    def _at_end(self, context: int, inside: int, e: Expression, x: str, end: Limit, side: int) -> bool:
        """Whether the value, or limit, at an end is positive; it must not be negative, nor x beyond the end."""
        if not isinstance(end, float):
            self.demand_defined(context, end)
            self.demand(context, Statement(x, ">=" if side > 0 else "<=", end), "the end")
        there = self.towards(context, inside, e, x, end)
        if there != substituted(e, {x: end}) if not isinstance(end, float) else False:
            # the value at x lies behind the limit, not at it
            self.demand(context, Statement(x, ">" if side > 0 else "<", end), "an open end")
        if isinstance(there, float):
            if there < 0:
                raise Rejected("the limit is -oo")
            return True
        self.demand_defined(context, there)
        self.demand(context, Statement(there, ">=", ZERO), "the value at the end")
        return self.known(context, Statement(there, ">", ZERO))

    def towards(self, context: int, inside: int, e: Expression, x: str, end: Limit) -> Limit:
        """The value at an end, or the limit where there is none."""
        if not isinstance(end, float):
            there = substituted(e, {x: end})
            if self.undefined(context, there) is None:
                return there
        return self.limit(context, inside, e, x, end)

    def limit(self, context: int, inside: int, e: Expression, x: str, end: Limit) -> Limit:
        """The limit of an expression at an end, in terms of what is known in the context and on the way to it."""

        def known(s: Statement) -> bool:
            return self.undefined(context, s.left) is None and self.known(context, s)

        def near(s: Statement) -> bool:
            return self.undefined(inside, s.left) is None and self.known(inside, s)

        return Limits(x, end, known, near, lambda a: self.forms.of(a).above.is_zero()).of(e)

    def between(
        self, context: int, inside: int, x: str, ends: dict[int, Limit], taken: dict[int, str] = _OPEN,
        *, whole: bool = False
    ) -> None:  # fmt: skip
        """That every point between the ends (or an end and x) and beside them satisfies the inner context.

        `taken`: whether the points of a side are `beyond` its end, `at` it as well, or on both sides of it, `around`.
        `whole`: they are integers.
        """
        _variable(x)
        if not 0 <= inside < len(self.contexts):
            raise Rejected(f"there is no context {inside}")
        if any(isinstance(end, float) and (end > 0) == (side > 0) for side, end in ends.items()):
            raise Rejected("an infinite end on the wrong side")
        if any(not isinstance(end, float) and x in names(end) for end in ends.values()):
            raise Rejected(f"an end speaks of {x}")
        self._demand_general(context, inside, (x,))
        for h in self.hypotheses(inside):
            if x not in h.names:
                self._demand_hypothesis(context, h)
                continue
            if whole and h == Statement(x, "in", "Z"):
                continue
            low, op, bound = _one_sided(h, x)
            side = 1 if low else -1
            end = ends.get(side, x)  # the points lie beyond the end on that side, or beyond x itself
            if isinstance(end, float):
                raise Rejected(f"{said(h)} is not so far out")
            needed = {"beyond": op[0] + "=", "at": op, "around": op[0]}[taken[side]]
            self._demand_hypothesis(context, Statement(end, needed, bound))


def _holds(value: fmpq, op: str) -> bool:
    side = 0 if value == 0 else 1 if value > 0 else -1
    return {"=": side == 0, "!=": side != 0, "<": side < 0, "<=": side <= 0, ">": side > 0, ">=": side >= 0}[op]


def _number(text: Any) -> fmpq:
    found = read(str(text))
    if not isinstance(found, fmpq):
        raise Rejected(f"{text!r} is no number")
    return found


def _end(text: str) -> Limit:
    return {"oo": math.inf, "-oo": -math.inf}.get(text) or read(text)


def _integer(n: Any) -> int:
    if not isinstance(n, int) or isinstance(n, bool) or abs(n) > 400:
        raise Rejected(f"{n!r} is no exponent")
    return n


def _variable(x: str) -> str:
    if not x.isidentifier() or x == "pi" or read(x) != x:
        raise Rejected(f"{x!r} is no variable")
    return x


def _table(values: dict[str, str]) -> dict[str, Expression]:
    return {_variable(x): read(text) for x, text in values.items()}


def _one_sided(h: Statement, x: str) -> tuple[bool, str, Expression]:
    """A hypothesis as a bound on x: whether it is from below, its operator (`x op bound`), and the bound."""
    if h.op not in ("<", "<=", ">", ">="):
        raise Rejected(f"{said(h)} is no bound on {x}")
    if h.left == x and x not in names(h.right):
        return h.op[0] == ">", h.op, h.right
    if h.right == x and x not in names(h.left):
        return h.op[0] == "<", SWAPPED[h.op], h.left
    raise Rejected(f"{said(h)} is no bound on {x}")


def _bound(h: Statement, x: str) -> tuple[str, fmpq]:
    """The same where the bound is a rational number."""
    _, op, bound = _one_sided(h, x)
    if not isinstance(bound, fmpq):
        raise Rejected(f"{said(h)} is no bound by a number")
    return op[0], bound


_RULES = (
    {name.removeprefix("_by_") for name in vars(Replay) if name.startswith("_by_")} | GIVING.keys() | COMPARING.keys()
)


_KEYS = {"format", "version", "contexts", "lines", "claims"}


def verify(data: dict[str, Any]) -> str:
    """The claim that a proof shows; raises Malformed or Rejected where it shows none."""
    replay, at = Replay(), ("head", 0)
    try:
        first, *_ = data["contexts"]
        if data["version"] != 1 or not data["lines"] or first[0] is not None or not data.keys() <= _KEYS:
            raise Malformed("expected version 1, a first context without a parent, lines, and no other keys")
        for number, (parent, hypotheses, *general) in enumerate(data["contexts"]):
            at = ("contexts", number)
            replay.context(parent, hypotheses, *general)
        for number, (context, text, rule, *arguments) in enumerate(data["lines"]):
            at = ("lines", number)
            replay.line(context, text, rule, *arguments)
        claims = [replay.lines[_line(n, len(replay.lines))] for n in data.get("claims", [len(replay.lines) - 1])]
        if not claims or any(replay.contexts[c.context].parent is not None for c in claims):
            raise Rejected("a claim is not of a first context")
        if "claims" not in data and claims[0].context != 0:
            raise Rejected("the last line is not of the first context")
        finiteness = Finiteness(replay, claims)
        shown = [
            (line, rule, arguments) for line, (_, _, rule, *arguments) in zip(replay.lines, data["lines"], strict=True)
        ]
        while any(finiteness.learn(*one) for one in shown):
            pass
        for number, one in enumerate(shown):
            at = ("lines", number)
            finiteness.demand(*one)
        at = ("claims", 0)
        return "; ".join(_said_of(replay, *claim) for claim in claims)
    except Exception as error:  # noqa: BLE001 - whatever goes wrong, nothing is shown
        raise (Malformed(told(error)) if at[0] == "head" else Rejected(*at, told(error))) from None


def _said_of(replay: Replay, context: int, claim: Statement) -> str:
    """A claim with all that it supposes."""
    given = ", ".join([*map(said, replay.hypotheses(context)), *map(str, replay.general(context))])
    beside = ", ".join(granted(replay, context, claim))
    nothing = " (no point meets all of these, so that nothing is claimed)" if contradict(replay, context) else ""
    whole = f"{said(claim)} for {given}{nothing}" if given else said(claim)
    return f"{whole} (taken for granted: {beside})" if beside else whole


def _line(number: Any, count: int) -> int:
    if type(number) is not int or not 0 <= number < count:
        raise Rejected(f"{number!r} is no line")
    return number
