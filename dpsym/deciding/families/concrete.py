"""A question about families at small numbers of members, where each member is a number of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product

import sympy as sp

from dpsym.core.deadline import over
from dpsym.core.families import OVER_RANGES, is_member, member_name, members, members_in
from dpsym.core.notation import Greatest, Least
from dpsym.core.relations import TRUE, ForAll, IsInteger, NotInteger, Proposition, Relation, substitute
from dpsym.core.verdicts import Witness
from dpsym.deciding.counterexamples.finding import Refuting
from dpsym.deciding.counterexamples.points import Seen, exactly
from dpsym.deciding.definedness import Need, Under, fails_at
from dpsym.deciding.domain import Domain, EmptyDomain, Point, possible
from dpsym.deciding.strategies.strategy import Question
from dpsym.numbers import NotNumeric

_MOST_TERMS = 12  # written out one by one, each is decided
_VALUES = 5  # of each number on which a range depends
_MOST = 9  # combinations of them
_PARAMETERS = 4  # values of each are combined with those of the others


class NotConcrete(ValueError):
    """Something that numbers in place of the ends do not make a finite expression."""


def speaks_of_families(*propositions: Proposition | Need) -> bool:
    """Whether a member of a family is written in one of them."""
    for p in propositions:
        inner = [q for group in p.groups for q in group] if isinstance(p, Need) else [p]
        if any(members_in(q) for q in inner if not isinstance(q, NotInteger)):
            return True
    return False


def bears(question: Question, needs: Iterable[Need]) -> bool:
    """Whether the question is about families; conditions on them alone that can hold do not make it so."""
    return speaks_of_families(question.relation, *needs, *question.domain.assume)


def without_idle(domain: Domain, spoken: Iterable[Proposition | Need]) -> Domain:
    """The domain without what is said of families of which nothing else speaks, where it can hold whatever else does.

    That is so for bounds by numbers on single members that some one number satisfies.
    """
    used = {e.func for p in spoken for e in _members_of(p)}
    by_family: dict[object, list[ForAll]] = {}
    for c in domain.assume:
        found = {e.func for e in members_in(c)}
        if len(found) == 1 and isinstance(c, ForAll) and _is_bound(c):
            by_family.setdefault(next(iter(found)), []).append(c)
        else:
            used |= found
    value = sp.Dummy("x")
    idle: set[Proposition] = set()
    for function, bounds in by_family.items():
        if function in used:
            continue
        together = possible(r.relation.subs(dict.fromkeys(members_in(r), value)) for r in bounds)
        if together is not None and next(together.points({value}, most=1), None) is not None:
            idle.update(bounds)
    return Domain(tuple(c for c in domain.assume if c not in idle)) if idle else domain


def _members_of(p: Proposition | Need) -> set[sp.Expr]:
    if isinstance(p, Need):
        return {e for group in p.groups for q in group if not isinstance(q, NotInteger) for e in members_in(q)}
    return members_in(p)


def _is_bound(c: ForAll) -> bool:
    (variable, *others), found = c.variables, members_in(c)
    alone = len(found) == 1 and next(iter(found)).args == (variable,) and not others
    sides = c.relation.subs({e: sp.Integer(0) for e in found}) if alone else c.relation
    return alone and not sides.free_symbols and isinstance(c.relation.lhs, sp.Expr) and _bounds_a_member(c.relation)


def _bounds_a_member(relation: Relation) -> bool:
    sides = (relation.lhs, relation.rhs)
    return any(is_member(s) for s in sides) and any(s.is_Rational for s in sides) and relation.op != "!="


def concrete(e: sp.Basic) -> sp.Basic:
    """The expression with its sums, products and extremes written out, and each member as a symbol.

    Raises:
        NotConcrete: where an end of a range, or an index, is no number, or there are too many terms.
    """
    if is_member(e):
        if not isinstance(e.args[0], sp.Integer):
            raise NotConcrete(str(e))
        return sp.Symbol(member_name(e))
    if isinstance(e, sp.Sum | sp.Product):
        *inner, limit = e.limits
        if len(limit) != 3:
            raise NotConcrete(str(e))
        variable, first, last = limit
        body = e.func(e.function, *inner) if inner else e.function
        if last is sp.oo or first is -sp.oo:
            if members(e):
                raise NotConcrete(str(e))
            return e
        return (sp.Add if isinstance(e, sp.Sum) else sp.Mul)(*_terms(body, variable, first, last))
    if isinstance(e, Greatest | Least):
        function, first, last = e.args
        terms = _terms(function.expr, function.variables[0], first, last)
        if not terms:
            raise NotConcrete(str(e))
        alike = tuple(dict.fromkeys(terms))
        return alike[0] if len(alike) == 1 else (sp.Max if isinstance(e, Greatest) else sp.Min)(*alike, evaluate=False)
    if not e.args or not e.has(sp.core.function.AppliedUndef, *OVER_RANGES):
        return e
    if isinstance(e, sp.Lambda | sp.Limit | sp.Integral | sp.Derivative | sp.Subs | sp.Piecewise):
        raise NotConcrete(str(e))
    args = tuple(map(concrete, e.args))
    if isinstance(e, sp.Max | sp.Min):
        return e.func(*args, evaluate=False)
    return e.func(*args)


def _terms(body: sp.Expr, variable: sp.Symbol, first: sp.Expr, last: sp.Expr) -> list[sp.Expr]:
    if not (isinstance(first, sp.Integer) and isinstance(last, sp.Integer)) or last < first - 1:
        raise NotConcrete(f"from {first} to {last}")
    if last - first >= _MOST_TERMS:
        raise NotConcrete("too many terms")
    indices = map(sp.Integer, range(int(first), int(last) + 1))
    return [concrete(substitute(body, {variable: i})) for i in indices]


def parameters(parts: Iterable[sp.Basic]) -> set[sp.Symbol]:
    """The symbols on which ranges and indices depend."""
    found: set[sp.Symbol] = set()
    for part in parts:
        for e in part.atoms(*OVER_RANGES):
            ends = e.args[1:] if isinstance(e, Greatest | Least) else [x for limit in e.limits for x in limit[1:]]
            found |= set[sp.Symbol]().union(*(x.free_symbols for x in ends))
        found |= set[sp.Symbol]().union(*(m.args[0].free_symbols for m in members(part)))
        found -= _bound(part)
    return found


def _bound(part: sp.Basic) -> set[sp.Symbol]:
    lambdas = {v for f in part.atoms(sp.Lambda) for v in f.variables}
    return lambdas.union(*(set(e.bound_symbols) for e in part.atoms(sp.Sum, sp.Product))) - part.free_symbols


class Concretely:
    """The numerical side of a question about families: that of several questions without them.

    It is used as a `Refuting` of the question itself.
    """

    def __init__(self, question: Question, symbols: set[sp.Symbol]) -> None:
        self.question, self.given = question, ""
        self.each: list[tuple[Mapping[sp.Symbol, sp.Integer], Refuting]] = []
        self._beyond: list[
            tuple[Mapping[sp.Symbol, sp.Integer], Refuting]
        ] = []  # where the sides cannot be written out
        for table in _tables(question):
            there = _at(question, table) or _at(replace(question, relation=TRUE), table)
            if there is not None:
                free = there.relation.free_symbols.union(*(c.free_symbols for c in there.domain.assume))
                numbers = Refuting(there, free | (symbols - table.keys()))
                if numbers.points:
                    (self.each if there.relation is not TRUE else self._beyond).append((table, numbers))
        self.points: list[Point] = [{**p, **t} for t, numbers in self.each for p in numbers.points[:1]]
        self._last: Refuting | None = None

    @property
    def seen(self) -> Seen:
        """What was seen at all of them."""
        if not self.each:
            return Seen(unseen="nothing was evaluated at particular families")
        parts = [numbers.seen for _, numbers in self.each]
        unseen = next((s.unseen for s in parts if s.unseen), "")
        return Seen(sum(s.held for s in parts), sum(s.untold for s in parts), unseen)

    def quickly(self, *, proved: bool) -> Witness | None:
        """A witness from the points and a short search."""
        return self._first(lambda numbers: numbers.quickly(proved=proved))

    def deeply(self) -> Witness | None:
        """A witness from a longer search."""
        return self._first(lambda numbers: numbers.deeply())

    def undefined(self, need: Need) -> Witness | None:
        """A point at which something that was written has no value."""
        for table, numbers in (*self.each, *self._beyond):
            for inner in _needs_at(need, table):
                try:
                    point = next((p for p in numbers.points[:1] if fails_at(inner, p)), None)
                    found = Witness(exactly(point), None, None, str(need)) if point is not None else None
                    found = found or (numbers.undefined(inner) if inner.free_symbols else None)
                except NotNumeric:
                    found = None
                if found is not None:
                    return _with(found, table)
        return None

    def contradiction(self, *, where_told: bool = False) -> Point | None:
        """A point at which mpmath has the relation fail."""
        for table, numbers in self.each:
            point = numbers.contradiction(where_told=where_told)
            if point is not None:
                return {**point, **table}
        return None

    def doubted(self, witness: Witness) -> bool:
        """Whether mpmath has the relation hold at the witness that was found last."""
        return self._last is not None and self._last.doubted(self._there(witness))

    def equal_at(self, witness: Witness) -> bool:
        """Whether a strict relation fails there because its sides are equal."""
        return self._last is not None and self._last.equal_at(self._there(witness))

    def _there(self, witness: Witness) -> Witness:
        """The witness that was found last, as one against the question without families."""
        table = next((t for t, numbers in self.each if numbers is self._last), {})
        return replace(witness, point={n: v for n, v in witness.point.items() if sp.Symbol(n) not in table})

    def _first(self, look: Callable[[Refuting], Witness | None]) -> Witness | None:
        for table, numbers in self.each:
            witness = look(numbers)
            if witness is not None:
                self._last = numbers
                return _with(witness, table)
            if over():
                return None
        return None


def _with(witness: Witness, table: Mapping[sp.Symbol, sp.Integer]) -> Witness:
    return replace(witness, point={**{s.name: int(v) for s, v in table.items()}, **witness.point})


def _tables(question: Question) -> Iterator[dict[sp.Symbol, sp.Integer]]:
    """Small numbers for all on which ranges and indices depend, the simplest first, two before one."""
    domain = question.domain
    sides = [question.relation.lhs, question.relation.rhs]
    for c in domain.assume:
        stated = c.relation if isinstance(c, ForAll) else c
        sides += [stated.lhs, stated.rhs] if isinstance(stated, Relation) and members_in(c) else []
    names = parameters(sides)
    for c in domain.assume:
        if isinstance(c, ForAll) and members_in(c):
            names -= set(c.variables)
            names |= {s for given in c.conditions for s in given.free_symbols} - set(c.variables)
    chosen = sorted(names, key=lambda s: s.name)
    if len(chosen) > _PARAMETERS or not set(chosen) <= domain.integers:
        return
    values = []
    for s in chosen:
        bounds = domain.sharpened(s)
        least = sp.Integer(-1) if bounds.lower is None else bounds.lower
        among = [least + n for n in range(_VALUES)]
        values.append([v for v in among if v in bounds])
    combined = sorted(product(*values), key=lambda vs: (abs(sum(vs) - 2 * len(vs)), vs))
    found = 0
    for choice in combined:
        table = dict(zip(chosen, choice, strict=True))
        if found < _MOST and _holds(domain, table):
            found += 1
            yield table


def _holds(domain: Domain, table: Mapping[sp.Symbol, sp.Integer]) -> bool:
    """Whether the conditions on these numbers alone are not seen to fail."""
    own = [c for c in domain.assume if not isinstance(c, ForAll) and c.free_symbols and c.free_symbols <= set(table)]
    return possible(c.subs(table) for c in own if not members_in(c)) is not None


def _at(question: Question, table: Mapping[sp.Symbol, sp.Integer]) -> Question | None:
    try:
        asked = question.relation
        relation = asked if asked is TRUE else _relation(asked.subs(table))
        conditions = list(_conditions(question.domain, table, relation))
        return replace(question, relation=relation, domain=Domain(tuple(conditions)))
    except (NotConcrete, EmptyDomain):
        return None


def _relation(r: Relation) -> Relation:
    return Relation(concrete(r.lhs), r.op, concrete(r.rhs))


def _conditions(domain: Domain, table: Mapping[sp.Symbol, sp.Integer], asked: Relation) -> Iterator[Proposition]:
    every: list[ForAll] = []
    written: set[sp.Symbol] = set(asked.free_symbols)
    for c in domain.assume:
        if isinstance(c, ForAll):
            if not members_in(c) or len(c.variables) != 1:
                raise NotConcrete(str(c))
            indices = _indices(c, table)
            if indices is None:
                every.append(c)
                continue
            for i in indices:
                found = _relation(c.relation.subs(table).subs({c.variables[0]: i}))
                written |= found.free_symbols
                yield found
            continue
        there = c.subs(table)
        if isinstance(there, Relation):
            there = _relation(there)
            written |= there.free_symbols
        if isinstance(there, IsInteger) and isinstance(there.expression, sp.Integer):
            continue
        yield there
    for c in every:
        if not _is_of_one_member(c):
            raise NotConcrete(str(c))
        (member,) = members_in(c)
        start = member_name(member).partition("[")[0] + "["
        alike = {symbol for symbol in written if symbol.name.startswith(start)}
        for symbol in sorted(alike or {sp.Symbol(f"{start}1]")}, key=lambda s: s.name):  # there is one at least
            yield c.relation.subs({member: symbol})


def _is_of_one_member(c: ForAll) -> bool:
    found = members_in(c)
    if len(found) != 1 or next(iter(found)).args != c.variables:
        return False
    return not c.relation.subs(dict.fromkeys(found, sp.Dummy())).free_symbols & set(c.variables)


def _indices(c: ForAll, table: Mapping[sp.Symbol, sp.Integer]) -> list[sp.Integer] | None:
    """The indices over which it goes; None for all integers."""
    (variable,) = c.variables
    ends: dict[str, sp.Basic] = {}
    for given in c.conditions:
        if isinstance(given, IsInteger) and given.expression == variable:
            continue
        if not isinstance(given, Relation) or given.lhs != variable or given.op not in (">=", "<=") or given.op in ends:
            raise NotConcrete(str(c))
        ends[given.op] = substitute(given.rhs, table)
    if IsInteger(variable) not in c.conditions:
        raise NotConcrete(str(c))
    if not ends:
        return None
    first, last = ends.get(">="), ends.get("<=")
    if not (isinstance(first, sp.Integer) and isinstance(last, sp.Integer)) or last - first >= _MOST_TERMS:
        raise NotConcrete(str(c))
    return [sp.Integer(i) for i in range(int(first), int(last) + 1)]


def _needs_at(need: Need, table: Mapping[sp.Symbol, sp.Integer]) -> list[Need]:
    """The need at every index of the ranges in which it stands; nothing where that is not finite."""
    needs = [need.subs(table)]
    try:
        while needs and needs[0].frames:
            needs = [inner for n in needs for inner in _inside(n)]
        return [Need(tuple(tuple(_proposition(p) for p in group) for group in n.groups)) for n in needs]
    except NotConcrete:
        return []


def _inside(need: Need) -> Iterator[Need]:
    frame, rest = need.frames[0], Need(need.groups, need.frames[1:])
    if not isinstance(frame, Under) or len(frame.variables) != 1:
        raise NotConcrete(str(need))
    whole = ForAll(Relation(sp.Integer(0), "=", sp.Integer(0)), frame.variables, frame.conditions)  # type: ignore[arg-type]
    indices = _indices(whole, {})
    if indices is None:
        raise NotConcrete(str(need))
    for i in indices:
        yield rest.subs({frame.variables[0]: i})


def _proposition(p: Relation | IsInteger | NotInteger) -> Relation | IsInteger | NotInteger:
    return _relation(p) if isinstance(p, Relation) else replace(p, expression=concrete(p.expression))
