"""Where what is written has a value.  Nothing else in dpsym decides that.

Every operation that can be undefined leaves a `Need` where it is written, before SymPy can cancel it:

1. A division needs a divisor that is not 0; a power needs a positive base, or base 0 and a positive exponent, or an
   integer exponent that is not negative where the base is 0.  So 0^0 = 1 for an exponent that is an integer by its
   form, and is left open for others; roots of negative numbers, odd ones too, are undefined.  A function needs what
   its record says.
2. A need stands in its place.  In the body of a sum or product it is for every index of the range; in an integral for
   every inner point of the range; in an expectation for every outcome in the support; in a limit for every value close
   to the point, but not at it; in a derivative at the point and around it; in an optimum or a root for every point of
   the region.  Each of these is a frame, and frames nest.
3. What stands behind the conditions of a case distinction is needed where none of the conditions before holds and its
   own does; a condition is needed where none of those before holds.
4. An abbreviation and a distribution bring their needs to each place where they are used.
5. A condition that is assumed holds only where it is defined, so its needs are assumed with it.
6. A relation is shown where its sides are compared *and* all of its needs are shown.  It is refuted as undefined only
   at a point where a need certainly fails: all its alternatives are false there, by exact numbers or by enclosures.
   In an integral, a limit or an expectation a single point proves nothing, so that needs there are shown or left open.

An expression that SymPy has made has needs as well (`of_expression`): those of its operations, outside of binders,
which are left to the rules for sums, integrals and limits, except for sums that are written out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

import sympy as sp

from dpsym.core import functions
from dpsym.core.plain_printer import plain
from dpsym.core.relations import (
    IsInteger,
    NotInteger,
    Operator,
    Proposition,
    Relation,
    connected,
    fresh,
    substitute,
)
from dpsym.deciding.domain import Domain, possible
from dpsym.deciding.finite import is_integral, written_out
from dpsym.numbers import compare

_ZERO = sp.Integer(0)
_MOST_GROUPS = 8  # alternatives to the contrary of the conditions before a case
_REACH = sp.Rational(1, 1000)
_FAR = sp.Integer(1000)
_OPERATORS: dict[type, Operator] = {sp.Eq: "=", sp.Ne: "!=", sp.Lt: "<", sp.Le: "<=", sp.Gt: ">", sp.Ge: ">="}

Group: TypeAlias = tuple[Relation | IsInteger | NotInteger, ...]  # all of these
T = TypeVar("T")
Prover: TypeAlias = Callable[[Relation, Domain], T | None]


@dataclass(frozen=True, slots=True)
class Under:
    """For all values of the variables that satisfy the conditions; `pointwise`: one value will do to undo the whole."""

    conditions: tuple[Proposition, ...]
    variables: tuple[sp.Symbol, ...] = ()
    pointwise: bool = True

    def subs(self, table: Mapping[sp.Basic, sp.Basic]) -> Under:
        """Substitute simultaneously."""
        return replace(self, conditions=tuple(c.subs(table) for c in self.conditions))


@dataclass(frozen=True, slots=True)
class Near:
    """Close to a point, on these sides of it (1: above, -1: below), not at the point itself."""

    variable: sp.Symbol
    point: sp.Expr
    sides: tuple[int, ...]

    @property
    def pointwise(self) -> bool:
        """One point close by proves nothing."""
        return False

    def subs(self, table: Mapping[sp.Basic, sp.Basic]) -> Near:
        """Substitute simultaneously."""
        return replace(self, point=substitute(self.point, table))


@dataclass(frozen=True, slots=True)
class Need:
    """One of the groups of propositions, whole, in the scope of the frames, the outermost first."""

    groups: tuple[Group, ...]
    frames: tuple[Under | Near, ...] = ()

    def __str__(self) -> str:
        said = ", or ".join(" and ".join(map(str, group)) for group in self.groups) or "a real value"
        for frame in reversed(self.frames):
            if isinstance(frame, Near):
                said += f" near {frame.variable.name} = {plain(frame.point)}"
            elif frame.conditions:
                said += f" where {', '.join(map(str, frame.conditions))}"
        return said

    @property
    def free_symbols(self) -> set[sp.Symbol]:
        """The symbols that it speaks of, without those that its frames bind."""
        bound = (frame.variables if isinstance(frame, Under) else (frame.variable,) for frame in self.frames)
        return self.all_symbols.difference(*bound)

    @property
    def all_symbols(self) -> set[sp.Symbol]:
        """The symbols that it speaks of, bound or not."""
        found = set[sp.Symbol]().union(*(p.free_symbols for group in self.groups for p in group))
        for frame in self.frames:
            parts = (frame.variable, frame.point) if isinstance(frame, Near) else frame.conditions
            found = found.union(*(p.free_symbols for p in parts))
        return found

    @property
    def pointwise(self) -> bool:
        """Whether one point at which it fails makes the whole undefined."""
        return all(frame.pointwise for frame in self.frames)

    @property
    def simple(self) -> tuple[Proposition, ...] | None:
        """The propositions that say the same; None where it takes more than a conjunction."""
        if self.frames or len(self.groups) != 1 or any(isinstance(p, NotInteger) for p in self.groups[0]):
            return None
        return self.groups[0]  # type: ignore[return-value]

    def subs(self, table: Mapping[sp.Basic, sp.Basic]) -> Need:
        """Substitute simultaneously."""
        groups = tuple(tuple(p.subs(table) for p in group) for group in self.groups)
        return Need(groups, tuple(frame.subs(table) for frame in self.frames))


# --- what operations need


def of_quotient(divisor: sp.Expr) -> tuple[Need, ...]:
    """What a division needs."""
    return needing((Relation(divisor, "!=", _ZERO),))


def of_power(base: sp.Expr, exponent: sp.Expr) -> tuple[Need, ...]:
    """What a power needs."""
    if base is sp.E or (isinstance(base, sp.Rational) and base > 0):
        return ()
    if isinstance(exponent, sp.Integer):
        return of_quotient(base) if exponent < 0 else ()
    if isinstance(exponent, sp.Rational):
        return needing((Relation(base, ">" if exponent < 0 else ">=", _ZERO),))
    whole = IsInteger(exponent)
    return needing(
        (Relation(base, ">", _ZERO),),
        (whole, Relation(base, "!=", _ZERO)),
        (whole, Relation(exponent, ">=", _ZERO)),
        (Relation(base, ">=", _ZERO), Relation(exponent, ">", _ZERO)),
    )


def of_call(function: functions.Function | None, arguments: tuple[sp.Expr, ...]) -> tuple[Need, ...]:
    """What a function of mathematics needs of its arguments; nothing is known of others."""
    return () if function is None else needing(*function.defined(*arguments))


def needing(*groups: Group) -> tuple[Need, ...]:
    """That one of the groups holds, without what numbers alone decide; nothing where that is enough."""
    kept: list[Group] = []
    for group in groups:
        left = tuple(p for p in group if of_numbers(p) is not True)
        if not left:
            return ()
        if not any(of_numbers(p) is False for p in left):
            kept.append(left)
    least = [g for g in kept if not any(set(h) < set(g) for h in kept)]
    return (Need(tuple(least) or groups[:1]),)


def of_numbers(p: Relation | IsInteger | NotInteger) -> bool | None:
    """Whether a statement about rational numbers holds; also that pi and e exceed 2, and exponentials 0."""
    if isinstance(p, IsInteger | NotInteger):
        return (p.expression.is_Integer == isinstance(p, IsInteger)) if p.expression.is_Rational else None
    left, right = p.lhs, p.rhs
    if left in (sp.pi, sp.E) and isinstance(right, sp.Rational) and right <= 2:
        return p.op in (">", ">=", "!=")
    if isinstance(left, sp.exp) and isinstance(right, sp.Rational) and right <= 0:
        return True if p.op in (">", ">=", "!=") else None
    if not (isinstance(left, sp.Rational) and isinstance(right, sp.Rational)):
        return None
    less, equal = bool(left < right), bool(left == right)
    return {"=": equal, "!=": not equal, ">": not (less or equal), ">=": not less, "<": less, "<=": less or equal}[p.op]


# --- where they stand


def under(
    needs: Iterable[Need],
    conditions: Iterable[Proposition],
    variables: tuple[sp.Symbol, ...] = (),
    *,
    pointwise: bool = True,
) -> tuple[Need, ...]:
    """The needs in the scope of a binder of these variables, or behind a guard; the variables become dummies.

    What is one of the conditions is met.
    """
    conditions = tuple(conditions)
    needs = tuple(n for n in needs if n.frames or not any(set(group) <= set(conditions) for group in n.groups))
    taken = set[sp.Symbol]().union(*(n.all_symbols for n in needs))
    bound = {v: fresh(v, taken - {v}) for v in variables}
    frame = Under(tuple(c.subs(bound) for c in conditions), tuple(bound.values()), pointwise)
    moved = (n.subs(bound) for n in needs)
    return tuple(replace(n, frames=(frame, *n.frames)) for n in moved)


def near(needs: Iterable[Need], variable: sp.Symbol, point: sp.Expr, sides: tuple[int, ...]) -> tuple[Need, ...]:
    """The needs of what stands in a limit, or under a derivative."""
    needs = tuple(needs)
    bound = fresh(variable, set[sp.Symbol]().union(*(n.all_symbols for n in needs)) - {variable})
    frame = Near(bound, point, sides)
    moved = (n.subs({variable: bound}) for n in needs)
    return tuple(replace(n, frames=(frame, *n.frames)) for n in moved)


def behind(needs: Iterable[Need], before: Iterable[sp.Basic], holding: sp.Basic = sp.true) -> tuple[Need, ...]:
    """The needs of what stands where none of the conditions before holds and this one does.

    Raises:
        ValueError: for conditions that are too many to be taken apart.
    """
    needs = tuple(needs)
    if not needs:
        return ()
    return tuple(n for given in alternatives(before, holding) for n in (under(needs, given) if given else needs))


def alternatives(before: Iterable[sp.Basic], holding: sp.Basic) -> list[tuple[Proposition, ...]]:
    """Conjunctions, one of which holds exactly where none of the conditions before holds and this one does.

    Raises:
        ValueError: for conditions that are too many to be taken apart.
    """
    found: list[tuple[Proposition, ...]] = [()]
    for condition in (*(connected(c, holds=False) for c in before), connected(holding)):
        found = [(*a, *b) for a in found for b in _taken_apart(condition)]
        if len(found) > _MOST_GROUPS:
            raise ValueError("the conditions of the cases are too many to be taken apart")
    return found


def _taken_apart(condition: sp.Basic) -> list[tuple[Proposition, ...]]:
    """The condition as alternatives, each of which is a conjunction."""
    if condition in (sp.true, sp.false):
        return [()] if condition == sp.true else []
    if isinstance(condition, sp.Or):
        return [part for c in condition.args for part in _taken_apart(c)]
    if isinstance(condition, sp.And):
        found: list[tuple[Proposition, ...]] = [()]
        for c in condition.args:
            found = [(*a, *b) for a in found for b in _taken_apart(c)]
        return found
    if type(condition) not in _OPERATORS:
        raise ValueError(f"{condition} is no relation")
    return [(Relation(condition.lhs, _OPERATORS[type(condition)], condition.rhs),)]


# --- expressions that SymPy has made


def of_expression(expression: sp.Basic) -> tuple[Need, ...]:
    """The needs of every operation in the expression; those under a bound variable are left to the head."""
    found: dict[Need, None] = {}
    done: set[sp.Basic] = set()
    waiting = [expression]
    while waiting:
        e = waiting.pop()
        if e in done or isinstance(e, sp.Lambda):
            continue
        done.add(e)
        if isinstance(e, sp.Piecewise):
            found |= dict.fromkeys(_of_cases(e))
            continue
        if e is sp.I:
            found[Need(())] = None  # it is no real number
        elif isinstance(e, sp.Pow):
            found |= dict.fromkeys(of_power(*e.args))
        elif isinstance(e, sp.Function):
            found |= dict.fromkeys(of_call(functions.of(e), e.args))
        inner = written_out(e)
        if inner is None:
            inner = () if isinstance(e, sp.Sum | sp.Product | sp.Integral | sp.Limit) else e.args
        waiting += reversed(inner)
    return tuple(found)


def _of_cases(e: sp.Piecewise) -> Iterator[Need]:
    before: list[sp.Basic] = []
    for value, condition in e.args:
        yield from behind(_of_condition(condition), before)
        yield from behind(of_expression(value), before, condition)
        before.append(condition)


def _of_condition(condition: sp.Basic) -> tuple[Need, ...]:
    sides = (side for r in condition.atoms(sp.core.relational.Relational) for side in r.args)
    return tuple(n for side in sides for n in of_expression(side))


# --- whether they are met


def shown(need: Need, domain: Domain, prove: Prover[T]) -> list[T] | None:
    """What proves that the need is met on the whole domain; None where that was not found.

    `prove` answers whether a relation holds on a domain.  What stands where nothing is, is met.
    """
    if not need.frames:
        return _one_of(need.groups, domain, prove)
    frame, rest = need.frames[0], replace(need, frames=need.frames[1:])
    if isinstance(frame, Under):
        there = possible((*domain.assume, *frame.conditions))
        if there is None:
            return []
        found = shown(rest, there, prove)
        return found if found is not None else _void(frame, domain, prove)
    if not rest.frames and (found := _by_continuity(rest.groups, frame, domain, prove)) is not None:
        return found
    answers: list[T] = []
    for side in frame.sides:
        here = _close_by(rest, frame, side, domain, prove)
        if here is None:
            return None
        answers += here
    return answers


def _void(frame: Under, domain: Domain, prove: Prover[T]) -> list[T] | None:
    """What proves that no value satisfies the frame's conditions: the contrary of one follows from the others."""
    for number, condition in enumerate(frame.conditions):
        if isinstance(condition, Relation) and condition.op != "=":
            others = (*frame.conditions[:number], *frame.conditions[number + 1 :])
            there = possible((*domain.assume, *others))
            if there is None:
                return []
            found = prove(condition.negated, there)
            if found is not None:
                return [found]
    return None


def _one_of(groups: tuple[Group, ...], domain: Domain, prove: Prover[T]) -> list[T] | None:
    for group in sorted(groups, key=lambda g: not all(isinstance(p, IsInteger) for p in g)):
        answers: list[T] = []
        for p in sorted(group, key=lambda p: isinstance(p, Relation)):  # the quick ones first
            if isinstance(p, Relation):
                answer = prove(p, domain)
                if answer is None:
                    break
                answers.append(answer)
            elif not _integrality(p, domain):
                break
        else:
            return answers
    return None


def _integrality(p: IsInteger | NotInteger, domain: Domain) -> bool:
    if isinstance(p, IsInteger):
        return p in domain.assume or is_integral(p.expression, domain.integers)
    return of_numbers(p) is True


def _by_continuity(groups: tuple[Group, ...], frame: Near, domain: Domain, prove: Prover[T]) -> list[T] | None:
    """What holds at the point with some room holds around it, where its sides are continuous."""
    if frame.point in (sp.oo, -sp.oo):
        return None
    strict: list[Group] = []
    for group in groups:
        if all(isinstance(p, Relation) and p.op != "=" and _continuous(p) for p in group):
            relations = [p for p in group if isinstance(p, Relation)]
            strict.append(tuple(replace(r, op=r.op if r.op == "!=" else r.op[0]) for r in relations))  # type: ignore[arg-type]
    at = {frame.variable: frame.point}
    there: list[Group] = []
    answers: list[T] = []
    for group in strict:
        relations = [p.subs(at) for p in group if isinstance(p, Relation)]
        own = [shown(n, domain, prove) for r in relations for side in (r.lhs, r.rhs) for n in of_expression(side)]
        if None not in own:
            there.append(tuple(relations))
            answers += [a for found in own for a in found or ()]
    found = _one_of(tuple(there), domain, prove)
    return None if found is None else [*answers, *found]


def _continuous(relation: Relation) -> bool:
    """Whether both sides are made of functions that are continuous wherever they are defined."""
    return all(functions.made_of(side, "continuous") for side in (relation.lhs, relation.rhs))


def _close_by(rest: Need, frame: Near, side: int, domain: Domain, prove: Prover[T]) -> list[T] | None:
    """On one side of the point: everywhere, or at least close to it."""
    for given in surroundings(frame.variable, frame.point, side, rest.free_symbols):
        there = possible((*domain.assume, *given))
        found = None if there is None else shown(rest, there, prove)
        if found is not None:
            return found
    return None


def surroundings(
    x: sp.Symbol, point: sp.Expr, side: int, symbols: Iterable[sp.Symbol]
) -> Iterator[tuple[Relation, ...]]:
    """Conditions for x on that side of the point, ever closer to it; how close may hang on the other symbols."""
    parameters = sorted((s for s in symbols if s != x), key=lambda s: s.name)
    large = [1 + sp.Add(*(s**2 for s in parameters))] if parameters else []
    if point in (sp.oo, -sp.oo):
        for bound in (_ZERO, _FAR, *large):
            yield (Relation(x, ">", bound) if point is sp.oo else Relation(x, "<", -bound),)
        return
    beyond = Relation(x, ">" if side > 0 else "<", point)
    yield (beyond,)
    for reach in (_REACH, *(1 / size for size in large)):
        yield (beyond, Relation(x, "<" if side > 0 else ">", point + side * reach))


def fails_at(need: Need, point: Mapping[sp.Symbol, sp.Rational]) -> bool:
    """Whether the need certainly is not met at a point of all its symbols, those of its frames included.

    Raises:
        NotNumeric: for a symbol without a value, or something without a number.
    """
    return need.pointwise and all(any(_is_false(p, point) for p in group) for group in need.groups)


def _is_false(p: Relation | IsInteger | NotInteger, point: Mapping[sp.Symbol, sp.Rational]) -> bool:
    if isinstance(p, IsInteger | NotInteger):
        value = substitute(p.expression, point)
        known = of_numbers(replace(p, expression=value))
        if known is not None or isinstance(p, NotInteger):
            return known is False
        p, point = Relation(value, "=", sp.floor(value, evaluate=False)), {}
    found = compare(p, point)
    return found.holds is False and found.obligation is None


def is_met_at(need: Need, point: Mapping[sp.Symbol, sp.Rational]) -> bool:
    """Whether the need certainly is met at a point; one with frames is not looked at.

    Raises:
        NotNumeric: for a symbol without a value, or something without a number.
    """
    return not need.frames and any(all(_is_true(p, point) for p in group) for group in need.groups)


def _is_true(p: Relation | IsInteger | NotInteger, point: Mapping[sp.Symbol, sp.Rational]) -> bool:
    if isinstance(p, Relation):
        return compare(p, point).holds is True
    value = substitute(p.expression, point)
    if isinstance(p, NotInteger) and not value.is_Rational:
        return compare(Relation(value, ">", sp.floor(value, evaluate=False)), {}).holds is True
    return of_numbers(replace(p, expression=value)) is True
