"""Propositions as inert data: a relation between two expressions, integrality, a quantified relation.

SymPy's own relations evaluate when built (``Eq(x, x)`` is ``True``) and have a truth value when they
should not; these have neither.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, NoReturn, Self, TypeAlias, get_args

import sympy as sp
from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.core.function import AppliedUndef, UndefinedFunction

from dpsym.core.display import short

Operator = Literal["=", "!=", "<", "<=", ">", ">="]
_NEGATED: dict[Operator, Operator] = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_SWAPPED: dict[Operator, Operator] = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_FROM_SYMPY: dict[type, Operator] = {
    sp.Eq: "=", sp.Ne: "!=", sp.StrictLessThan: "<", sp.LessThan: "<=",
    sp.StrictGreaterThan: ">", sp.GreaterThan: ">=",
}  # fmt: skip


_MOST_BITS = 1 << 24  # of a power of numbers that a substitution gives


class NotAProposition(TypeError):
    """Something that can be neither true nor false was given where a condition is needed."""


def _plain(expression: sp.Basic) -> str:
    from dpsym.core.plain_printer import plain  # which names functions, whose records speak of relations

    return plain(expression)


class _NoTruthValue:
    """Truth is decided, never coerced."""

    __slots__ = ()

    def __bool__(self) -> NoReturn:
        raise TypeError(f"{self} has no truth value in Python; use dpsym.decide")


@dataclass(frozen=True, slots=True)
class Relation(_NoTruthValue):
    """`lhs op rhs`, kept as its author wrote it.

    Two relations are equal when they are spelled alike; whether they say the same is for `decide`.
    """

    lhs: sp.Expr
    op: Operator
    rhs: sp.Expr

    __repr__ = short

    def __post_init__(self) -> None:
        if self.op not in get_args(Operator):
            raise NotAProposition(f"{self.op!r} is not one of {', '.join(get_args(Operator))}")
        for name in ("lhs", "rhs"):
            side = exact(getattr(self, name))
            if not isinstance(side, sp.Expr | sp.Lambda):
                raise NotAProposition(f"{side!r} is not an expression")
            object.__setattr__(self, name, side)

    def __str__(self) -> str:
        return f"{_plain(self.lhs)} {self.op} {_plain(self.rhs)}"

    @property
    def free_symbols(self) -> set[sp.Symbol]:
        """The symbols it speaks of."""
        return self.lhs.free_symbols | self.rhs.free_symbols

    @property
    def negated(self) -> Relation:
        """The relation that holds exactly where this one does not."""
        return Relation(self.lhs, _NEGATED[self.op], self.rhs)

    @property
    def swapped(self) -> Relation:
        """The same relation read from right to left."""
        return Relation(self.rhs, _SWAPPED[self.op], self.lhs)

    def subs(self, table: Mapping[sp.Basic, sp.Basic]) -> Relation:
        """Substitute simultaneously; the result is a relation again, never a truth value."""
        return Relation(substitute(self.lhs, table), self.op, substitute(self.rhs, table))


@dataclass(frozen=True, slots=True)
class _OfOne(_NoTruthValue):
    """Says something of one expression."""

    expression: sp.Expr

    __repr__ = short

    @property
    def free_symbols(self) -> set[sp.Symbol]:
        """The symbols it speaks of."""
        return self.expression.free_symbols

    def subs(self, table: Mapping[sp.Basic, sp.Basic]) -> Self:
        """Substitute simultaneously."""
        return type(self)(substitute(self.expression, table))


@dataclass(frozen=True, slots=True, repr=False)
class IsInteger(_OfOne):
    """The expression (usually a symbol) takes integer values only."""

    def __str__(self) -> str:
        return f"{_plain(self.expression)} is an integer"


@dataclass(frozen=True, slots=True, repr=False)
class NotInteger(_OfOne):
    """The expression takes no integer value; an obligation, never a hypothesis."""

    def __str__(self) -> str:
        return f"{_plain(self.expression)} is not an integer"


@dataclass(frozen=True, slots=True)
class ForAll(_NoTruthValue):
    """`relation` for all values of `variables` that satisfy `conditions`."""

    relation: Relation
    variables: tuple[sp.Symbol, ...]
    conditions: tuple[Relation | IsInteger, ...] = ()

    __repr__ = short

    def __post_init__(self) -> None:
        object.__setattr__(self, "relation", relation(self.relation))
        given = tuple(c if isinstance(c, IsInteger) else relation(c) for c in self.conditions)
        object.__setattr__(self, "conditions", given)

    def __str__(self) -> str:
        return f"{self.relation} for all {', '.join(map(str, self.conditions or self.variables))}"

    @property
    def free_symbols(self) -> set[sp.Symbol]:
        """The symbols it speaks of, the quantified ones left out."""
        inner = self.relation.free_symbols.union(*(c.free_symbols for c in self.conditions))
        return inner - set(self.variables)

    def subs(self, table: Mapping[sp.Basic, sp.Basic]) -> ForAll:
        """Substitute simultaneously for free symbols; the new terms may not mention a quantified variable."""
        table = {old: new for old, new in table.items() if old not in self.variables}
        incoming = {s for new in table.values() if not is_function(new) for s in exact(new).free_symbols}
        if captured := incoming.intersection(self.variables):
            raise ValueError(f"substituting {table} would capture {captured.pop()} in: {self}")
        return ForAll(self.relation.subs(table), self.variables, tuple(c.subs(table) for c in self.conditions))


Proposition: TypeAlias = Relation | IsInteger | ForAll


def exact(value: object) -> sp.Basic:
    """A SymPy object for an expression, an int or a Fraction.

    Raises:
        TypeError: for a float (write ``Rational(1, 10)``), text, or anything else.
    """
    if isinstance(value, sp.Basic):
        if value.has(sp.Float):
            raise TypeError(f"{value} contains a binary float; write it as an exact rational")
        return value
    if isinstance(value, bool | float | str | complex):
        raise TypeError(f"{value!r} is not exact; write an int, a Fraction or a SymPy Rational")
    numerator, denominator = getattr(value, "numerator", None), getattr(value, "denominator", None)
    if isinstance(numerator, int) and isinstance(denominator, int):
        return sp.Rational(numerator, denominator)
    raise TypeError(f"{value!r} is not a mathematical expression")


BINDERS = (ExprWithLimits, sp.Limit, sp.Lambda, sp.Derivative, sp.Subs)  # a symbol inside may be another one


def substitute(expression: sp.Basic, table: Mapping[sp.Basic, object]) -> sp.Basic:
    """Simultaneous substitution of exact values or expressions for symbols, and of Lambdas for functions.

    Only free occurrences are replaced, and none of the new symbols is captured: a Lambda, sum, integral or
    limit whose variable would capture one gets a fresh variable first (SymPy's own ``subs`` captures).

    Raises:
        OverflowError: where a number arises that has millions of digits, or is too large for mpmath, by which SymPy
            looks at its size.
    """
    try:
        return _Substitution(table)(expression) if table else expression
    except MemoryError:
        raise OverflowError(f"a number too large to be written out arises in {type(expression).__name__}") from None


class _Substitution:
    """One table at work; each distinct subexpression is rewritten once."""

    def __init__(self, table: Mapping[sp.Basic, object]) -> None:
        self.table = {old: new if is_function(new) else exact(new) for old, new in table.items()}
        self.incoming = set[sp.Symbol]().union(
            *(new.free_symbols for new in self.table.values() if isinstance(new, sp.Basic))
        )
        self.done: dict[sp.Basic, sp.Basic] = {}

    def __call__(self, e: sp.Basic) -> sp.Basic:
        if e in self.table:
            return self.table[e]
        if not e.args:
            return e
        if e not in self.done:
            self.done[e] = self._rewrite(e)
        return self.done[e]

    def _rewrite(self, e: sp.Basic) -> sp.Basic:
        if isinstance(e, AppliedUndef) and e.func in self.table:
            return apply(self.table[e.func], tuple(map(self, e.args)))
        if isinstance(e, sp.Lambda):
            variables, body = self._under(e.variables, e.expr)
            return e if body == e.expr else sp.Lambda(variables, body)
        if isinstance(e, ExprWithLimits) and all(len(limit) == 3 for limit in e.limits):
            *inner, (variable, start, end) = e.limits  # the last limit is the outermost binder
            (variable,), body = self._under((variable,), e.func(e.function, *inner) if inner else e.function)
            return e.func(body, (variable, self(start), self(end)))
        if isinstance(e, sp.Limit):
            body, variable, point, direction = e.args
            (variable,), body = self._under((variable,), body)
            return sp.Limit(body, variable, self(point), str(direction))
        if isinstance(e, ExprWithLimits | sp.Derivative | sp.Subs):
            return e.subs(self.table, simultaneous=True)
        if isinstance(e, sp.Piecewise):
            return self._cases(e)
        args = tuple(map(self, e.args))
        if args == e.args:
            return e
        if isinstance(e, sp.Max | sp.Min):
            return _extremum(e.func, args)
        if isinstance(e, sp.Pow):
            _refuse_long(*args)
            return _power(*args)
        return e.func(*args)

    def _cases(self, e: sp.Piecewise) -> sp.Basic:
        """Case by case: what stands behind a condition that holds, or under one that does not, is not looked at."""
        pairs = []
        for value, condition in e.args:
            holds = self(condition)
            if holds != sp.false:
                pairs.append((self(value), holds))
            if holds == sp.true:
                break
        return piecewise(*pairs) if pairs else sp.nan

    def _under(self, variables: tuple[sp.Symbol, ...], body: sp.Basic) -> tuple[tuple[sp.Symbol, ...], sp.Basic]:
        """Substitute in the scope of these variables; they come back renamed where they would capture."""
        taken = self.incoming.union(variables, body.free_symbols)
        table = {old: new for old, new in self.table.items() if not _speaks_of(old, variables)}
        renamed: dict[sp.Symbol, sp.Symbol] = {}
        for variable in variables:
            if variable in self.incoming:
                renamed[variable] = unlike(variable, taken)
                taken.add(renamed[variable])
        return tuple(renamed.get(v, v) for v in variables), _Substitution(table | renamed)(body)


def piecewise(*branches: tuple[sp.Basic, sp.Basic]) -> sp.Basic:
    """The value behind the first condition that holds; the conditions in relations, `And` and `Or`.

    SymPy makes an `ITE` of a relation between cases, which is none of these.
    """
    made = sp.Piecewise(*branches)
    if not isinstance(made, sp.Piecewise) or not any(condition.has(sp.ITE) for _, condition in made.args):
        return made
    return sp.Piecewise(*((value, connected(condition)) for value, condition in made.args))


def connected(condition: sp.Basic, *, holds: bool = True) -> sp.Basic:
    """The condition, or its contrary, in relations, `And` and `Or` alone."""
    if isinstance(condition, sp.Not):
        return connected(condition.args[0], holds=not holds)
    if isinstance(condition, sp.ITE):
        first, then, otherwise = condition.args
        cases = (connected(first, holds=one) for one in (True, False))
        return sp.Or(*(sp.And(c, connected(v, holds=holds)) for c, v in zip(cases, (then, otherwise), strict=True)))
    if isinstance(condition, sp.And | sp.Or):
        function = sp.And if isinstance(condition, sp.And) == holds else sp.Or
        return function(*(connected(part, holds=holds) for part in condition.args))
    return condition if holds else sp.Not(condition)


def _speaks_of(old: sp.Basic, variables: tuple[sp.Symbol, ...]) -> bool:
    return not is_function(old) and not old.free_symbols.isdisjoint(variables)


def _refuse_long(base: sp.Basic, exponent: sp.Basic) -> None:
    if isinstance(base, sp.Rational) and isinstance(exponent, sp.Rational) and abs(base) != 1:
        bits = max(int(base.p).bit_length(), int(base.q).bit_length()) * abs(exponent)
        if bits > _MOST_BITS:
            raise OverflowError("a power is too large a number to be written out")  # as may be its exponent


def _power(base: sp.Expr, exponent: sp.Expr) -> sp.Expr:
    """The power; left as it is where SymPy, asked for the sign of a sum or integral in it, cannot compare its terms."""
    try:
        return base**exponent
    except (AttributeError, TypeError):
        return sp.Pow(base, exponent, evaluate=False)


def _extremum(function: type[sp.Max] | type[sp.Min], args: tuple[sp.Basic, ...]) -> sp.Basic:
    """Max or Min of numbers; otherwise kept as it is, since SymPy takes long to compare large expressions."""
    if all(isinstance(arg, sp.Rational) for arg in args):
        return function(*args)
    if any(arg.has(sp.nan, sp.zoo) for arg in args):
        return sp.nan  # which SymPy refuses to compare
    distinct = tuple(dict.fromkeys(args))
    return distinct[0] if len(distinct) == 1 else function(*distinct, evaluate=False)


def apply(function: object, arguments: tuple[sp.Basic, ...]) -> sp.Basic:
    """A Lambda or an undefined function at these arguments, nothing captured.

    Raises:
        TypeError: for something that is no function, or takes another number of arguments.
    """
    if is_function(function):
        return function(*arguments)  # type: ignore[operator]
    if not isinstance(function, sp.Lambda) or len(function.variables) != len(arguments):
        raise TypeError(f"{function} is not a function of {len(arguments)} arguments")
    return substitute(function.expr, dict(zip(function.variables, arguments, strict=True)))


TRUE = Relation(sp.Integer(0), "=", sp.Integer(0))  # what is claimed where only definedness is asked


def unlike(symbol: sp.Symbol | str, taken: Iterable[sp.Symbol | str]) -> sp.Symbol:
    """A symbol of that name, or nearly, that has the name of none of these: for a bound variable that is shown."""
    names = {s if isinstance(s, str) else s.name for s in taken}
    name = symbol if isinstance(symbol, str) else symbol.name
    return sp.Symbol(next(n for n in (name, *(f"{name}_{i}" for i in range(1, len(names) + 2))) if n not in names))


def fresh(symbol: sp.Symbol | str, taken: Iterable[sp.Symbol]) -> sp.Dummy:
    """A symbol of dpsym's own, equal to none that can be written; its name, too, is none of those taken.

    The same question gives the same symbol, so that equal expressions stay equal.
    """
    return _own(unlike(symbol, taken).name)


@cache
def _own(name: str) -> sp.Dummy:
    return sp.Dummy(name)


def functions(*expressions: sp.Basic) -> set[object]:
    """The undefined functions that are applied in the expressions."""
    return {applied.func for e in expressions for applied in e.atoms(AppliedUndef)}


def is_function(value: object, *, defined: bool = False) -> bool:
    """Whether the value is an undefined function symbol such as `notation.f`, or (`defined`) a Lambda."""
    return isinstance(value, UndefinedFunction) or (defined and isinstance(value, sp.Lambda))


def relation(proposition: object) -> Relation:
    """A `Relation` from one, or from an unevaluated SymPy relation.

    Raises:
        NotAProposition: for a bare expression, a Python or SymPy truth value, or anything else.
    """
    if isinstance(proposition, Relation):
        return proposition
    op = _FROM_SYMPY.get(type(proposition))
    if op is not None:
        return Relation(proposition.lhs, op, proposition.rhs)  # type: ignore[attr-defined]
    if isinstance(proposition, bool) or proposition in (sp.true, sp.false):
        raise NotAProposition(
            f"{proposition!r}: SymPy or Python evaluated this relation before dpsym saw it; "
            "write Relation(lhs, '<=', rhs)"
        )
    raise NotAProposition(f"{proposition!r} is not a relation")


def propositions(items: Iterable[object]) -> tuple[Proposition, ...]:
    """Each item as a proposition.

    Raises:
        NotAProposition: for an item that is not one.
    """
    return tuple(i if isinstance(i, IsInteger | ForAll) else relation(i) for i in items)
