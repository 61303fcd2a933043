"""From SymPy to the expressions of proof certificates, and back."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable
from typing import Any

import sympy as sp
from flint import fmpq

from dpsym.core import functions
from dpsym.core.notation import (
    Maximum,
    Minimum,
    derivative,
    essential_infimum,
    essential_supremum,
    expectation,
    hockey_stick,
    privacy_loss,
    renyi,
    trade_off,
)
from dpsym.core.relations import ForAll, IsInteger, NotInteger, Proposition, Relation, substitute
from dpsym.verifying import Rejected
from dpsym.verifying.proofs.expressions import (
    BINDERS,
    DIVERGENCES,
    FUNCTIONS,
    SWAPPED,
    Expression,
    Statement,
    is_opaque,
    operation_of,
    said,
)

_WRITTEN = {"ceiling": "ceil", "Max": "max", "Min": "min"}  # what certificates spell otherwise than the plain notation
_HEADS: dict[type, str] = {
    known.head: name
    for name in FUNCTIONS
    if (known := functions.by_name(_WRITTEN.get(name, name))) is not None and known.head is not None
}
_BACK = {name: head for head, name in _HEADS.items()}
_BOUNDS = {essential_supremum: "esssup", essential_infimum: "essinf"}
_PLAIN = re.compile(r"[A-Za-z]\w*", re.ASCII)
_OF_LAWS: dict[type, str] = {expectation: "E", essential_supremum: "esssup", essential_infimum: "essinf"}
_OF_OUTPUTS = {"renyi": renyi, "hockey_stick": hockey_stick, "trade_off": trade_off}
_SERIES = {"Integral": sp.Integral, "Sum": sp.Sum}
_RESERVED = {
    "pi",
    "Z",
    "oo",
    "Lambda",
    "open",
    "closed",
    "privacy_loss",
    *_OF_LAWS.values(),
    *FUNCTIONS,
    *BINDERS,
    *DIVERGENCES,
}
ONE, ZERO, MINUS_ONE = fmpq(1), fmpq(0), fmpq(-1)


def plain_name(wish: str) -> str:
    """A name as certificates spell it: of letters, digits and lines, and no word of theirs."""
    plain = re.sub(r"\W", "_", wish.replace("'", "_prime"), flags=re.ASCII).strip("_") or "x"
    is_free = _PLAIN.fullmatch(plain) and not keyword.iskeyword(plain) and plain not in _RESERVED
    return plain if is_free else f"x_{plain}"


class Translator:
    """One name for each symbol and each opaque function."""

    def __init__(self) -> None:
        self._names: dict[object, str] = {}
        self._symbols: dict[str, sp.Symbol] = {}
        self._opaque: dict[Expression, sp.Basic] = {}
        self._done: dict[sp.Basic, Expression] = {}
        self._value = sp.Dummy("z")  # of a random variable, in every expectation

    def name(self, symbol: sp.Symbol) -> str:
        """The symbol's name in the certificate."""
        found = self._names.get(symbol)
        if found is None:
            found = self._named(symbol, symbol.name)
            self._symbols[found] = symbol
        return found

    def _named(self, what: object, wish: str) -> str:
        if what not in self._names:
            plain = plain_name(wish)
            taken, number, name = set(self._names.values()), 1, plain
            while name in taken:
                number += 1
                name = f"{plain}_{number}"
            self._names[what] = name
        return self._names[what]

    # --- to certificates

    @staticmethod
    def head(e: sp.Basic) -> str | None:
        """What certificates call a function of SymPy's."""
        return _HEADS.get(type(e))

    def expression(self, e: sp.Basic) -> Expression:
        """An expression of SymPy's."""
        if e not in self._done:
            self._done[e] = self._expression(e)
        return self._done[e]

    def _expression(self, e: sp.Basic) -> Expression:
        if isinstance(e, sp.Rational):
            return fmpq(int(e.p), int(e.q))
        if isinstance(e, sp.Symbol):
            return self.name(e)
        if e is sp.pi:
            return "pi"
        if e is sp.E:
            return ("exp", ONE)
        if isinstance(e, sp.Add):
            return total(map(self.expression, e.args))
        if isinstance(e, sp.Mul):
            return self._product(e)
        if isinstance(e, sp.Pow):
            return self._power(*e.args)
        if type(e) in (sp.Max, sp.Min):
            *rest, found = (self.expression(a) for a in ordered(e))
            for a in reversed(rest):
                found = (_HEADS[type(e)], a, found)
            return found
        if type(e) in _HEADS and len(e.args) == 1:
            return (_HEADS[type(e)], self.expression(e.args[0]))
        return self._unknown(e)

    def _product(self, e: sp.Mul) -> Expression:
        above, below = [], []
        for a in e.args:
            if isinstance(a, sp.Pow) and isinstance(a.exp, sp.Rational) and a.exp < 0 and a.base is not sp.E:
                below.append(self._root_power(a.base, -a.exp))
            else:
                above.append(self.expression(a))
        found = product(above)
        return found if not below else operation_of("/", found, product(below))

    def _root_power(self, base: sp.Expr, exponent: sp.Rational) -> Expression:
        return power(self.expression(base), int(exponent)) if exponent.q == 1 else self._power(base, exponent)

    def _power(self, base: sp.Expr, exponent: sp.Expr) -> Expression:
        if isinstance(exponent, sp.Integer) and exponent < 0:
            return operation_of("/", ONE, power(self.expression(base), -int(exponent)))
        return ("**", self.expression(base), self.expression(exponent))

    def _unknown(self, e: sp.Basic) -> Expression:
        """A call of which nothing is known, spelled by its structure, or of a function that binds a name."""
        if (found := self._binder(e)) is not None:
            self._opaque.setdefault(found, e)
            return found
        if isinstance(e, expectation) and isinstance(e.args[0], sp.Lambda):
            (z,), body = e.args[0].signature, e.args[0].expr  # always the same bound name, so that equals are alike
            inner = self.expression(body.xreplace({z: self._value}))
            self._opaque[found := ("E", inner, self.name(self._value), self._part(e.args[1]))] = e
            return found
        if isinstance(e, expectation):
            function, law = e.args
            (bound,), body = _bound(function)
            found = ("E", self.expression(body), self.name(bound), self._part(law))
        elif type(e) in _OF_LAWS:
            found = (_OF_LAWS[type(e)], *map(self._part, e.args))
        else:
            found = self._part(e)
        self._opaque.setdefault(found, e)
        return found

    def _binder(self, e: sp.Basic) -> Expression:
        """An integral, sum, supremum, infimum or derivative, where it is of the kind that certificates know."""
        if isinstance(e, sp.Integral | sp.Sum) and len(e.limits) == 1 and len(e.limits[0]) == 3:
            x, *ends = e.limits[0]
            return (type(e).__name__, self.expression(e.function), self.name(x), *map(self.end, ends))
        if isinstance(e, derivative) and e.args[1] == 1:
            (x,), body = e.args[0].variables, e.args[0].expr
            return ("Derivative", self.expression(body), self.name(x), self.expression(e.args[2]))
        if isinstance(e, Maximum | Minimum) and isinstance(e.args[1], sp.Interval) and isinstance(e.args[0], sp.Lambda):
            function, interval = e.args
            ends = (
                ("open" if o else "closed", self.end(end))
                for o, end in zip(interval.args[2:], interval.args[:2], strict=True)
            )
            return (type(e).__name__, self.expression(function.expr), self.name(function.variables[0]), *ends)
        return None

    def end(self, e: sp.Expr) -> Expression:
        """An end of a range, which may be infinite."""
        return end_of_a_range(e) if e in (sp.oo, -sp.oo) else self.expression(e)

    def _part(self, e: sp.Basic) -> Expression:
        if isinstance(e, sp.Lambda):
            variables, body = _bound(e)
            return ("Lambda", *map(self.name, variables), self._part(body))
        if isinstance(e, sp.Symbol | sp.Rational | sp.Add | sp.Mul | sp.Pow) or type(e) in _HEADS:
            return self.expression(e)
        if e in (sp.oo, -sp.oo):
            return end_of_a_range(e)
        kind = e.func.__name__
        known = type(e) in (*_OF_OUTPUTS.values(), privacy_loss)
        found: Expression = (kind if known else self._named(e.func, kind)) if e.args else self._named(e, f"{e}")
        if e.args:
            found = (found, *map(self._part, e.args))
        self._opaque.setdefault(found, e)
        return found

    def statement(self, p: Proposition | NotInteger) -> Statement | None:
        """A proposition; None for one that quantifies."""
        if isinstance(p, Relation) and isinstance(p.lhs, sp.Expr) and isinstance(p.rhs, sp.Expr):
            return Statement(self.expression(p.lhs), p.op, self.expression(p.rhs))
        if isinstance(p, IsInteger):
            return Statement(self.expression(p.expression), "in", "Z")
        return None

    def general(self, p: ForAll) -> list[Any] | None:
        """What quantifies, as certificates have it: its names, its conditions, its statement."""
        conditions = [self.statement(c) for c in p.conditions]
        statement = self.statement(p.relation)
        if statement is None or None in conditions:
            return None
        return [[self.name(v) for v in p.variables], [said(c) for c in conditions if c is not None], said(statement)]

    # --- and back

    def sympy(self, e: Expression) -> sp.Expr:
        """The expression for SymPy."""
        if isinstance(e, fmpq):
            return sp.Rational(int(e.p), int(e.q))
        if isinstance(e, str):
            return sp.pi if e == "pi" else self._symbols[e] if e in self._symbols else self._whole(e)
        if is_opaque(e):
            return self._whole(e)
        args = [self.sympy(a) for a in e[1:]]
        match e[0]:
            case "+":
                return args[0] + args[1]
            case "-":
                return args[0] - args[1]
            case "*":
                return args[0] * args[1]
            case "/":
                return args[0] / args[1]
            case "**":
                return args[0] ** args[1]
            case "Max" | "Min":
                return _BACK[e[0]](*args, evaluate=False)
        return _BACK[e[0]](*args)

    def _whole(self, e: Expression) -> sp.Expr:
        """What is opaque, as it was before."""
        if e in self._opaque:
            return self._opaque[e]
        if e == "oo":
            return sp.oo
        if e[0] in DIVERGENCES and len(e) == 4:
            return _OF_OUTPUTS[e[0]](*map(self.sympy, e[1:]))
        if e[0] in ("Integral", "Sum"):
            x = self._symbols[e[2]]
            return _SERIES[e[0]](self.sympy(e[1]), (x, *(self._back_end(end) for end in e[3:])))
        if e[0] == "E" and e[3] in self._opaque:
            return expectation(sp.Lambda(self._symbols[e[2]], self.sympy(e[1])), self._opaque[e[3]])
        raise Rejected(f"{e!s:.80} was never met")

    def _back_end(self, e: Expression) -> sp.Expr:
        return -sp.oo if e == end_of_a_range(-sp.oo) else self.sympy(e)

    def relation(self, s: Statement) -> Relation:
        """The statement as a relation."""
        return Relation(self.sympy(s.left), s.op, self.sympy(s.right))  # type: ignore[arg-type]


def end_of_a_range(e: sp.Expr) -> Expression:
    """An infinite end."""
    return "oo" if e is sp.oo else ("*", MINUS_ONE, "oo")


def _bound(function: sp.Lambda) -> tuple[list[sp.Symbol], sp.Basic]:
    """The variables and the body of a function, by names that only say how deep it is nested."""
    depth = _depth(function.expr)
    names = [sp.Symbol(f"_z{depth}_{i}" if i else f"_z{depth}") for i in range(len(function.variables))]
    return names, substitute(function.expr, dict(zip(function.variables, names, strict=True)))


def _depth(e: sp.Basic) -> int:
    """How many functions are nested in it."""
    return max((1 + _depth(inner.expr) for inner in e.atoms(sp.Lambda)), default=0)


def ordered(e: sp.Expr) -> list[sp.Expr]:
    """The arguments of max or min in the order in which they are written."""
    return sorted(e.args, key=lambda a: (not a.is_Number, sp.default_sort_key(a)))


def turned(s: Statement) -> Statement:
    """Read from right to left."""
    return Statement(s.right, SWAPPED[s.op], s.left)


# --- arithmetic with expressions


def total(terms: Iterable[Expression]) -> Expression:
    """The sum."""
    found: Expression = None
    for term in terms:
        if found is None:
            found = term
        elif isinstance(term, fmpq) and term < 0:
            found = ("-", found, -term)
        elif isinstance(term, tuple) and term[0] == "*" and isinstance(term[1], fmpq) and term[1] < 0:
            found = ("-", found, product([-term[1], term[2]]))
        else:
            found = ("+", found, term)
    return ZERO if found is None else found


def product(factors: Iterable[Expression]) -> Expression:
    """The product; a number comes first."""
    number, rest = ONE, []
    for factor in factors:
        if isinstance(factor, fmpq):
            number *= factor
        else:
            rest.append(factor)
    if not rest or number == 0:
        return number
    found = rest[0]
    for factor in rest[1:]:
        found = ("*", found, factor)
    return found if number == 1 else ("*", number, found)


def power(base: Expression, exponent: int) -> Expression:
    """The power with an exponent that is not negative."""
    if exponent == 0:
        return ONE
    if isinstance(base, fmpq):
        return base**exponent
    return base if exponent == 1 else ("**", base, fmpq(exponent))


def quotient(above: Expression, below: Expression) -> Expression:
    """The quotient."""
    return above if below == ONE else operation_of("/", above, below)
