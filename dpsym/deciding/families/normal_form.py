"""Relations about families as relations between numbers: one for each member, sum, product and extreme in them.

A finite sum from a to b is a difference F(b) - F(a - 1) of one antidifference F of its terms, so that ranges split and
shift by themselves; a product of positive factors is the exponential of a sum of logarithms; the greatest member is the
member at some index.  What is known of the numbers is added as conditions.  Whatever holds for all numbers that satisfy
those holds for these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations

import sympy as sp

from dpsym.core.expanding import expand
from dpsym.core.families import OVER_RANGES, is_member, member_name, members, members_in
from dpsym.core.notation import Greatest, Least
from dpsym.core.relations import ForAll, IsInteger, Proposition, Relation, substitute
from dpsym.deciding.calculus import sums
from dpsym.deciding.definedness import of_numbers
from dpsym.deciding.domain import possible
from dpsym.deciding.finite import is_integral
from dpsym.deciding.strategies.strategy import Question, Yes

_ZERO, _ONE = sp.Integer(0), sp.Integer(1)
_BOUND = sp.Dummy("i")  # the index of the terms of a sum in normal form, where the sum binds it
_FARTHEST = 8  # between two ends of ranges that differ by a number: so many terms are written out
_MOST_MEMBERS, _MOST_BODIES = 14, 8  # new symbols in all that is asked afterwards
_MOST_BOUNDS = 4  # each is one more question


class NoForm(ValueError):
    """Something here is not understood as a number of its own."""


@dataclass(frozen=True, slots=True)
class Range:
    """The integers from `first` to `last`: none where last = first - 1, and never fewer."""

    first: sp.Expr
    last: sp.Expr

    @property
    def length(self) -> sp.Expr:
        """How many they are."""
        return expand(self.last - self.first + 1)


@dataclass
class NormalForm:
    """One relation, and what is known, in terms of numbers; `proofs` are what the reading of it rests on."""

    question: Question
    proofs: list[Yes] = field(default_factory=list)
    facts: list[Relation | IsInteger] = field(default_factory=list)
    originals: dict[sp.Symbol, sp.Expr] = field(default_factory=dict)  # what each number stands for
    sums: dict[tuple[sp.Expr, Range], sp.Expr] = field(default_factory=dict)  # terms in self.index, and its value
    extremes: dict[sp.Expr, tuple[sp.Expr, Range, sp.Expr]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.index = sp.Dummy("i")  # of terms that stand by themselves; that of a sum around this question is another
        self._members: dict[sp.Expr, sp.Symbol] = {}
        self._antidifferences: dict[sp.Expr, sp.Symbol] = {}
        self._at: dict[sp.Expr, set[sp.Expr]] = {}
        self._instantiated: set[sp.Expr] = set()
        self._known: dict[tuple[Relation, tuple[Proposition, ...]], Yes | None] = {}
        self._table: dict[sp.Expr, sp.Expr] = {}  # of antidifferences at the ends of ranges
        self.assume = self.question.domain.assume

    # --- expressions
    def read(self, e: sp.Expr) -> sp.Expr:
        """The expression in normal form; ends of sums are collected, and `settled` gives it as numbers.

        Raises:
            NoForm: where something stands inside a limit, an integral or cases.
        """
        if is_member(e):
            return self._member(e)
        if isinstance(e, sp.Sum):
            return self._sum(e)
        if isinstance(e, sp.Product):
            return self._product(e)
        if isinstance(e, Greatest | Least):
            return self._extreme(e)
        if not e.args or not e.has(sp.core.function.AppliedUndef, *OVER_RANGES):
            return e
        if isinstance(e, sp.Lambda | sp.Limit | sp.Integral | sp.Derivative | sp.Subs | sp.Piecewise):
            raise NoForm(str(e))
        args = tuple(map(self.read, e.args))
        return e.func(*args, evaluate=False) if isinstance(e, sp.Max | sp.Min) else e.func(*args)

    def _member(self, e: sp.Expr) -> sp.Expr:
        """A number for the member, or what it is said to be equal to."""
        index = expand(e.args[0])
        e = e.func(index)
        if e in self._members:
            return self._members[e]
        for c in self.assume:
            if isinstance(c, ForAll) and c.relation.op == "=" and len(c.variables) == 1:
                for side in (c.relation, c.relation.swapped):
                    if side.lhs == e.func(c.variables[0]) and not members(side.rhs):
                        there = self._instance(replace(c, relation=side), index)
                        if there is not None:
                            return there.rhs
        if len(self._members) >= _MOST_MEMBERS:
            raise NoForm("too many members")
        self._members[e] = self._number(member_name(e), e)
        return self._members[e]

    def _number(self, name: str, original: sp.Expr) -> sp.Symbol:
        symbol = sp.Dummy(name)
        self.originals[symbol] = original
        return symbol

    def _range(self, i: sp.Symbol, first: sp.Expr, last: sp.Expr) -> tuple[Range, tuple[Proposition, ...]]:
        """The range, and its conditions on self.index.

        Raises:
            NoForm: where it is not shown to be one.
        """
        integers = self.question.domain.integers
        if last is sp.oo or first is -sp.oo or not (is_integral(first, integers) and is_integral(last, integers)):
            raise NoForm("no finite range of integers")
        self.needed(Relation(last, ">=", first - 1))
        return Range(expand(first), expand(last)), self.among(Range(first, last))

    def among(self, over: Range, index: sp.Symbol | None = None) -> tuple[Proposition, ...]:
        """What is known, with an index in the range."""
        index = self.index if index is None else index
        return (
            *self.assume, IsInteger(index), Relation(index, ">=", over.first), Relation(index, "<=", over.last)
        )  # fmt: skip

    def needed(self, relation: Relation, among: tuple[Proposition, ...] | None = None) -> Yes:
        """The proof of something on which the form rests.

        Raises:
            NoForm: where none is found.
        """
        found = self.known(relation, among)
        if found is None:
            raise NoForm(f"not shown: {relation}")
        self.proofs.append(found)
        return found

    def known(self, relation: Relation, among: tuple[Proposition, ...] | None = None) -> Yes | None:
        """A proof of the relation, if a short look finds one."""
        from dpsym.deciding.families.strategy import known

        among = self.assume if among is None else among
        if (relation, among) not in self._known:
            self._known[relation, among] = known(self.question, relation, among)
        return self._known[relation, among]

    def _sum(self, e: sp.Sum) -> sp.Expr:
        *inner, limit = e.limits
        if len(limit) != 3:
            raise NoForm(str(e))
        i, first, last = limit
        over, among = self._range(i, first, last)
        terms = substitute(e.func(e.function, *inner) if inner else e.function, {i: self.index})
        self._defined(terms, among)
        self._add(terms, over)
        return self._over(terms, over)

    def _defined(self, terms: sp.Expr, among: tuple[Proposition, ...]) -> None:
        self.needed(Relation(terms, "=", terms), among)

    def _add(self, terms: sp.Expr, over: Range) -> None:
        """Keep the sum for what is known of sums; each of its parts is one."""
        for term in sp.Add.make_args(self._spread(terms, over)):
            _, body = term.as_independent(self.index, as_Add=False)
            if body != 1 and len({b for b, _ in self.sums}) < _MOST_BODIES:
                self.sums.setdefault((body, over), _ZERO)

    def _over(self, terms: sp.Expr, over: Range) -> sp.Expr:
        """The sum of the terms over the range."""
        total = _ZERO
        for term in sp.Add.make_args(self._spread(terms, over)):
            weight, body = term.as_independent(self.index, as_Add=False)
            total += self.read(weight) * self._single(body, over)
        return total

    def _spread(self, terms: sp.Expr, over: Range) -> sp.Expr:
        """The terms as a sum of products, constant factors of exponentials taken out, equal families put in."""
        table = {}
        for e in members(terms):
            if (
                e.args[0] == self.index
                and any(isinstance(c, ForAll) and c.relation.op == "=" for c in self.assume)
                and (same := self._equal(e, over)) is not None
            ):
                table[e] = same
        terms = substitute(terms, table).replace(lambda e: isinstance(e, sp.Sum), _linear)
        terms = expand(terms, power_base=False, power_exp=False, log=False, trig=False)
        return terms.replace(lambda e: isinstance(e, sp.exp), lambda e: _taken_apart(e, self.index))

    def _equal(self, e: sp.Expr, over: Range) -> sp.Expr | None:
        """What all members in the range are said to be equal to."""
        inner = replace_question(self.question, self.among(over))
        form = NormalForm(inner)
        value = form._member(e)
        return None if value in form.originals else value

    def _single(self, body: sp.Expr, over: Range) -> sp.Expr:
        """The sum of terms that are one product."""
        if body == 1:
            return over.length
        if not body.has(sp.core.function.AppliedUndef, *OVER_RANGES):
            found = sums.closed_form(sp.Sum(body, (self.index, over.first, over.last)), self.question)
            if found is not None:
                self.proofs += found[1]
                return found[0]
        offset = _offset(body, self.index)
        if offset:
            moved = expand(substitute(body, {self.index: self.index - offset}), power_base=False, power_exp=False)
            return self._over(moved, Range(over.first + offset, over.last + offset))
        antidifference = self._antidifferences.setdefault(body, sp.Symbol(f"F{len(self._antidifferences)}()"))
        return self._value(antidifference, body, over.last) - self._value(antidifference, body, over.first - 1)

    def _value(self, antidifference: sp.Symbol, body: sp.Expr, at: sp.Expr) -> sp.Expr:
        self._at.setdefault(body, set()).add(expand(at))
        return sp.Function(antidifference.name)(expand(at))

    def _product(self, e: sp.Product) -> sp.Expr:
        if len(e.limits) != 1 or len(e.limits[0]) != 3:
            raise NoForm(str(e))
        i, first, last = e.limits[0]
        over, among = self._range(i, first, last)
        factors = substitute(e.function, {i: self.index})
        self._defined(factors, among)
        logs = _ZERO
        for factor in sp.Mul.make_args(sp.powsimp(factors, combine="exp") if factors.has(sp.exp) else factors):
            base, exponent = factor.as_base_exp()
            if isinstance(factor, sp.exp):
                logs += factor.args[0]
            elif not exponent.has(self.index) and self.known(Relation(base, ">", _ZERO), among):
                self.needed(Relation(base, ">", _ZERO), among)
                logs += exponent * sp.log(base)
            else:
                return self._product_of_any(factors, over, among)
        self._add(logs, over)
        return sp.exp(self._over(logs, over))

    def _product_of_any(self, factors: sp.Expr, over: Range, among: tuple[Proposition, ...]) -> sp.Expr:
        """A number for a product whose factors may vanish, with what bounds it."""
        whole = sp.Product(substitute(factors, {self.index: _BOUND}), (_BOUND, over.first, over.last))
        known = next((s for s, original in self.originals.items() if original == whole), None)
        if known is not None:
            return known
        value = self._number(f"P{len(self.originals)}[]", whole)
        if self._fact_if(Relation(factors, ">=", _ZERO), among, Relation(value, ">=", _ZERO)):
            losses = expand(factors - 1)
            self._add(losses, over)
            total = self._over(losses, over)
            self.facts.append(Relation(value, "<=", sp.exp(total)))  # 1 + x <= e^x
            if self._fact_if(Relation(factors, "<=", _ONE), among, Relation(value, "<=", _ONE)):
                self.facts.append(Relation(value, ">=", 1 + total))  # Weierstrass
        return value

    def _fact_if(self, condition: Relation, among: tuple[Proposition, ...], *facts: Relation) -> bool:
        found = self.known(condition, among)
        if found is None:
            return False
        self.proofs.append(found)
        self.facts += facts
        return True

    def _extreme(self, e: sp.Expr) -> sp.Expr:
        """The member at which it is attained: an index of which only is known that it is in the range."""
        if e in self.extremes:
            return self.extremes[e][2]
        function, first, last = e.args
        variable = function.variables[0]
        over, among = self._range(variable, first, last)
        self.needed(Relation(last, ">=", first))
        body = substitute(function.expr, {variable: self.index})
        self._defined(body, among)
        rest, moving = body.as_independent(self.index, as_Add=True)
        weight, moving = moving.as_independent(self.index, as_Add=False)
        if (rest, weight) != (_ZERO, _ONE):
            sign = next((op for op in (">=", "<=") if self.known(Relation(weight, op, _ZERO))), None)
            if sign is not None:
                self.needed(Relation(weight, sign, _ZERO))  # type: ignore[arg-type]
                other = {Greatest: Least, Least: Greatest}[type(e)] if sign == "<=" else type(e)
                inner = other(sp.Lambda(_BOUND, substitute(moving, {self.index: _BOUND})), first, last)
                return self.read(rest) + self.read(weight) * self.read(inner)
        at = sp.Dummy(f"i{len(self.extremes)}")
        self.assume = (*self.among(over, at),)
        self.question = replace_question(self.question, self.assume)
        self.extremes[e] = (body, over, _ZERO)
        value = self.read(substitute(body, {self.index: at}))
        self.extremes[e] = (body, over, value)
        return value

    # --- as numbers
    def _settle(self) -> None:
        """Numbers for the antidifferences: one for each end that is no number away from another; the first is 0."""
        self._table.clear()
        for body, antidifference in list(self._antidifferences.items()):
            function = sp.Function(antidifference.name)
            classes: dict[sp.Expr, list[sp.Expr]] = {}
            for at in sorted(self._at[body], key=sp.default_sort_key):
                classes.setdefault(at.as_coeff_Add()[1], []).append(at)
            first, value = None, _ZERO
            for base in sorted(classes, key=lambda b: (not b.is_Number, sp.default_sort_key(b))):
                away = [expand(at - base) for at in classes[base]]
                start = expand(base + min(away))
                if first is None:
                    first = start
                else:
                    terms = substitute(body, {self.index: _BOUND})
                    value = self._number(f"{antidifference.name}[{start}]", sp.Sum(terms, (_BOUND, first + 1, start)))
                for at, far in zip(classes[base], away, strict=True):
                    steps = int(far - min(away))
                    if steps > _FARTHEST:
                        raise NoForm("ends far from each other")
                    between = (self.read(substitute(body, {self.index: start + n})) for n in range(1, steps + 1))
                    self._table[function(at)] = value + sp.Add(*between)

    def _settled(self, e: sp.Expr) -> sp.Expr:
        e = e.xreplace(self._table)
        if e.has(sp.nan, sp.zoo, sp.oo) or any(
            str(f.func).endswith("()") for f in e.atoms(sp.core.function.AppliedUndef)
        ):
            raise NoForm("undefined beyond the range")
        return e

    def number(self, e: sp.Expr) -> sp.Expr:
        """The expression in terms of numbers alone."""
        found = self.read(e)
        self._settle()
        return self._settled(found)

    # --- what is known
    def learn(self, relation: Relation, *, more: bool) -> tuple[Relation, tuple[Proposition, ...]]:
        """The relation between numbers, and the conditions on them; `more`: also what bounds sums by each other."""
        sides = [self.read(relation.lhs), self.read(relation.rhs)]
        given = [
            c for c in self.assume if isinstance(c, Relation) and c.lhs.has(*OVER_RANGES) | c.rhs.has(*OVER_RANGES)
        ]
        given += [c for c in self.assume if isinstance(c, Relation) and c not in given and members_in(c)]
        for c in given:
            self.facts.append(Relation(self.read(c.lhs), c.op, self.read(c.rhs)))
        if more:
            self._of_sums()
        self._settle()  # which may bring in members
        for _ in range(2):
            self._of_members()
        self._settle()
        facts = list(dict.fromkeys(self.facts))
        told = [Relation(self._settled(f.lhs), f.op, self._settled(f.rhs)) for f in facts if isinstance(f, Relation)]
        found = Relation(self._settled(sides[0]), relation.op, self._settled(sides[1]))
        plain = [c for c in self.assume if not isinstance(c, ForAll) and c not in given]
        told = [t for t in told if not (t.lhs.is_Rational and t.rhs.is_Rational) and t.lhs != t.rhs]
        return found, tuple(dict.fromkeys((*plain, *told)))

    def _instance(self, c: ForAll, index: sp.Expr) -> Relation | None:
        """What is said of every index, at this one; None where it is not seen to be in the range."""
        (variable,) = c.variables
        at = {variable: index}
        integers = self.question.domain.integers
        for given in c.conditions:
            there = given.subs(at)
            if isinstance(there, IsInteger):
                if not is_integral(there.expression, integers):
                    return None
            elif there not in self.assume and not _is_true(there):
                found = self.known(there)
                if found is None:
                    return None
                self.proofs.append(found)
        return c.relation.subs(at)

    def _of_members(self) -> None:
        """What is said of every member, of those that occur; that none exceeds the greatest."""
        for e in [e for e in self._members if e not in self._instantiated]:
            self._instantiated.add(e)
            for c in self.assume:
                if not isinstance(c, ForAll) or len(c.variables) != 1:
                    continue
                for pattern in members_in(c):
                    shift = expand(pattern.args[0] - c.variables[0])
                    if pattern.func != e.func or shift.has(*c.variables):
                        continue
                    found = self._instance(c, expand(e.args[0] - shift))
                    if found is not None:
                        self.facts.append(Relation(self.read(found.lhs), found.op, self.read(found.rhs)))
            for extreme, (body, over, value) in list(self.extremes.items()):
                for there in self._terms_with(e, body, over):
                    self.facts.append(Relation(there, "<=" if isinstance(extreme, Greatest) else ">=", value))

    def _is_in(self, index: sp.Expr, over: Range) -> bool:
        if not is_integral(index, self.question.domain.integers):
            return False
        for r in (Relation(index, ">=", over.first), Relation(index, "<=", over.last)):
            if r in self.assume or _is_true(r):
                continue
            found = self.known(r)
            if found is None:
                return False
            self.proofs.append(found)
        return True

    def _of_sums(self) -> None:
        """How sums over one range bound each other: termwise, by Cauchy and Schwarz, by bounds on the terms."""
        for over in {over: None for _, over in self.sums}:
            bodies = [b for b, o in self.sums if o == over]
            among = self.among(over)
            signs = {b: self._sign(b, among) for b in bodies}
            totals = {b: self._over(b, over) for b in bodies}
            length = over.length
            totals[_ONE], signs[_ONE] = length, ">"
            for b in bodies:
                self._of_one(b, over, among, signs[b], totals[b])
            for one, other in combinations((*bodies, _ONE), 2):
                for low, high in ((one, other), (other, one)):
                    if self._fact_if(Relation(low, "<=", high), among, Relation(totals[low], "<=", totals[high])):
                        break
                product = expand(one * other, power_base=False)
                for b in bodies:  # (sum b)^2 <= sum u * sum v where b^2 = u v
                    if expand(b**2 - product) == 0 and (other is _ONE or {signs[one], signs[other]} <= {">", ">="}):
                        self.facts.append(Relation(totals[b] ** 2, "<=", totals[one] * totals[other]))

    def _sign(self, body: sp.Expr, among: tuple[Proposition, ...]) -> str:
        """ ">", ">=" or "<=" where the terms are known to be so, "" otherwise."""
        for op in (">", ">=", "<="):
            found = self.known(Relation(body, op, _ZERO), among)
            if found is not None:
                self.proofs.append(found)
                return op
        return ""

    def _of_one(self, body: sp.Expr, over: Range, among: tuple[Proposition, ...], sign: str, total: sp.Expr) -> None:
        length = over.length
        if sign:
            some = self.known(Relation(length, ">=", _ONE))
            self.facts.append(Relation(total, sign if some or sign == "<=" else ">=", _ZERO))  # type: ignore[arg-type]
            if some is not None:
                self.proofs.append(some)
            square = expand(body**2, power_base=False)
            if any(b == square and o == over for b, o in self.sums):
                self.facts.append(Relation(self._over(square, over), "<=", total**2))
            for there in self._terms_at_hand(body, over):
                self._compare(body, there, "<=" if sign != "<=" else ">=", total)
        for member, bound in self._bounds():
            roots = [f.base for f in sp.Mul.make_args(body) if isinstance(f, sp.Pow) and f.exp.is_Integer]
            for factor in dict.fromkeys((body, *sp.Mul.make_args(body), *roots)):
                at = {e: bound for e in members(factor) if e.func == member and e.args[0] == self.index}
                if at:
                    self._bound(factor, substitute(factor, at), body, over, among, total)
        if isinstance(body, sp.log):
            inside = body.args[0]
            total_inside = self._over(expand(inside), over)
            self.facts.append(Relation(total, "<=", total_inside - length))  # log x <= x - 1
            for op in ("<=", ">="):
                if self._fact_if(Relation(inside, op, _ONE), among):
                    self.facts.append(Relation(sp.exp(total), ">=", 1 + total_inside - length))  # Weierstrass
                    break
            if self.known(Relation(length, ">=", _ONE)):
                self.needed(Relation(length, ">=", _ONE))
                self.facts.append(Relation(sp.exp(total / length), "<=", total_inside / length))  # means

    def _terms_at_hand(self, body: sp.Expr, over: Range) -> Iterator[sp.Expr]:
        """The terms at those indices in the range at which a member occurs already."""
        for e in list(self._members):
            yield from self._terms_with(e, body, over)

    def _terms_with(self, e: sp.Expr, body: sp.Expr, over: Range) -> Iterator[sp.Expr]:
        """The terms in the range that speak of a member."""
        for pattern in members(body):
            shift = expand(pattern.args[0] - self.index)
            if pattern.func == e.func and not shift.has(self.index):
                index = expand(e.args[0] - shift)
                if self._is_in(index, over):
                    yield self.read(substitute(body, {self.index: index}))

    def _bound(
        self, factor: sp.Expr, bound: sp.Expr, body: sp.Expr, over: Range, among: tuple[Proposition, ...],
        total: sp.Expr,
    ) -> None:  # fmt: skip
        """A bound on the sum by one on a factor of its terms, the others not negative."""
        others = expand(body / factor, power_base=False)
        if others.has(sp.zoo, sp.nan) or (others != 1 and self._sign(others, among) not in (">", ">=")):
            return
        for op in ("<=", ">="):
            if self._fact_if(Relation(factor, op, bound), among):
                rest = over.length if others == 1 else self._over(others, over)
                self._compare(body, total, op, self.read(bound) * rest)

    def _compare(self, body: sp.Expr, left: sp.Expr, op: str, right: sp.Expr) -> None:
        """A fact about a sum of such terms; about the product where they are logarithms."""
        sides = (sp.exp(left), sp.exp(right)) if isinstance(body, sp.log) else (left, right)
        self.facts.append(Relation(sides[0], op, sides[1]))  # type: ignore[arg-type]

    def _bounds(self) -> list[tuple[object, sp.Expr]]:
        """Families with what may bound their members: extremes, and what is said to bound every member."""
        found: dict[tuple[object, sp.Expr], None] = {}
        for extreme, (body, _, _) in self.extremes.items():
            if is_member(body) and body.args[0] == self.index:
                found[body.func, extreme] = None
        for c in self.assume:
            if isinstance(c, ForAll) and len(c.variables) == 1:
                for side in (c.relation, c.relation.swapped):
                    if is_member(side.lhs) and not side.rhs.has(*c.variables) and side.rhs != 0 and side.op != "!=":
                        found[side.lhs.func, side.rhs] = None
        return list(found)[:_MOST_BOUNDS]


def replace_question(question: Question, assume: Iterable[Proposition]) -> Question:
    """The question under other assumptions.

    Raises:
        NoForm: where no point satisfies them.
    """
    domain = possible(assume)
    if domain is None:
        raise NoForm("an empty range")
    return replace(question, domain=domain)


def _linear(e: sp.Sum) -> sp.Expr:
    """A finite sum with constant factors and summands taken out."""
    if len(e.limits) != 1 or len(e.limits[0]) != 3 or any(end.is_infinite for end in e.limits[0][1:]):
        return e
    total = _ZERO
    for term in sp.Add.make_args(expand(e.function, power_base=False, power_exp=False, log=False, trig=False)):
        weight, body = term.as_independent(e.limits[0][0], as_Add=False)
        total += weight * sp.Sum(body, e.limits[0])
    return total


def _taken_apart(e: sp.Expr, index: sp.Symbol) -> sp.Expr:
    """An exponential as a product of what depends on the index and what does not."""
    constant, moving = expand(e.args[0]).as_independent(index, as_Add=True)
    return sp.exp(constant) * sp.exp(moving) if constant != 0 and moving != 0 else e


def _offset(body: sp.Expr, index: sp.Symbol) -> sp.Integer:
    """The least number that is added to the index of a member."""
    found = [expand(e.args[0] - index) for e in members(body) if e.has(index)]
    return min(found) if found and all(isinstance(o, sp.Integer) for o in found) else _ZERO


def _is_true(r: Relation) -> bool:
    return of_numbers(Relation(expand(r.lhs - r.rhs), r.op, _ZERO)) is True
