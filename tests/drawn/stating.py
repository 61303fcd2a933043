"""Relations whose truth is known beforehand: true ones, and false ones with a point at which they fail.

A true relation is a textbook fact in disguise; a false one is such a fact moved at its point of contact by a relative
10**-3 to 10**-30, made strict there, turned round, or claimed beyond its domain.  Disguises keep the truth at every
point: terms added, positive factors, monotone functions, sides exchanged, other names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import sympy as sp
from hypothesis import assume as keep
from hypothesis import strategies as st

from dpsym.core.plain_printer import plain
from dpsym.core.relations import IsInteger, Proposition, Relation, propositions
from dpsym.numbers import compare
from dpsym.testing.domains import points, rational, satisfied
from dpsym.testing.numbers import powers

from . import flaws
from .facts import IDENTITIES, INEQUALITIES, Fact
from .statement import Statement

KINDS = (
    "near miss",
    "strict at contact",
    "reversed",
    "beyond the domain",
    "far out",
    "undefined",
    "exceptional integer",
    *flaws.KINDS,
)
_NAMES = ("x", "y", "z", "t")


@dataclass(frozen=True)
class _Placed:
    """A fact in names of its own, with its point of contact; `back(x)` is the point at which u = x."""

    relation: Relation
    where: tuple[Proposition, ...]
    contact: dict[sp.Symbol, sp.Rational]
    back: Callable[[sp.Rational], dict[sp.Symbol, sp.Rational]] | None


def true_relations() -> st.SearchStrategy[Statement]:
    """True relations: inequalities with a point of contact, and identities, in disguise."""

    @st.composite
    def drawn(draw: Any) -> Statement:
        placed = _place(draw, draw(st.sampled_from(INEQUALITIES + IDENTITIES)))
        relation = draw(_disguised(placed.relation))
        return _statement("true", relation, placed.where, None)

    return st.one_of(drawn(), *(flaws.true(kind) for kind in flaws.TRUE_KINDS))


def false_relations(
    *, kinds: Iterable[str] = KINDS, nearest: int = -30, furthest: int = -3
) -> st.SearchStrategy[Statement]:
    """False relations, each with a point of its domain at which it fails; of the kinds in `KINDS`.

    Args:
        nearest, furthest: near misses are off by a relative 10**nearest to 10**furthest.

    Raises:
        ValueError: for an unknown kind, none at all, or an impossible size.
    """
    makers = {
        "near miss": lambda: _near_misses(nearest, furthest),
        "strict at contact": _strict,
        "reversed": _reversed,
        "beyond the domain": lambda: _beyond(nearest),
        "far out": lambda: _far_out(nearest),
        "undefined": _undefined,
        "exceptional integer": _exceptional,
    }
    makers |= {kind: partial(flaws.false, kind, nearest, furthest) for kind in flaws.KINDS}
    chosen = tuple(kinds)
    if unknown := [kind for kind in chosen if kind not in makers]:
        raise ValueError(f"{unknown[0]!r} is none of {', '.join(KINDS)}")
    if not chosen:
        raise ValueError("no kind is left to choose from")
    if not nearest <= furthest < 0:
        raise ValueError(f"10**{nearest} to 10**{furthest} is no range of small numbers")
    return st.one_of([makers[kind]() for kind in chosen])


def relations() -> st.SearchStrategy[Statement]:
    """True and false ones."""
    return st.one_of(true_relations(), false_relations())


# --- false ones
def _near_misses(nearest: int, furthest: int) -> st.SearchStrategy[Statement]:
    @st.composite
    def drawn(draw: Any) -> Statement:
        fact = draw(st.sampled_from(INEQUALITIES + IDENTITIES))
        placed = _place(draw, fact)
        relation, at = placed.relation, placed.contact
        off = rational(draw(powers(nearest, furthest).filter(lambda x: x < 1)))
        if relation.op == "=":
            off = draw(st.sampled_from((off, -off)))
        elif relation.op == "<=":
            off = -off
        weights = [sp.Integer(1), 1 + min(at, key=str) ** 2]
        if compare(Relation(relation.rhs, ">", sp.Integer(0)), at).holds is True:
            weights.append(relation.rhs)
        moved = Relation(relation.lhs, relation.op, relation.rhs + off * draw(st.sampled_from(weights)))
        return _false("near miss", draw(_disguised(moved)), placed.where, at)

    return drawn()


def _strict() -> st.SearchStrategy[Statement]:
    @st.composite
    def drawn(draw: Any) -> Statement:
        placed = _place(draw, draw(st.sampled_from(INEQUALITIES + IDENTITIES)))
        relation = placed.relation
        op = {"<=": "<", ">=": ">"}.get(relation.op) or draw(st.sampled_from(("<", ">", "!=")))
        strict = Relation(relation.lhs, op, relation.rhs)  # type: ignore[arg-type]
        return _false("strict at contact", draw(_disguised(strict)), placed.where, placed.contact)

    return drawn()


def _reversed() -> st.SearchStrategy[Statement]:
    @st.composite
    def drawn(draw: Any) -> Statement:
        placed = _place(draw, draw(st.sampled_from(INEQUALITIES)))
        relation = placed.relation
        other = Relation(relation.lhs, ">=" if relation.op == "<=" else "<=", relation.rhs)
        at = draw(points(sorted(placed.contact, key=str), placed.where))
        keep(all(abs(x) < 100 for x in at.values()) and compare(other, at).holds is False)
        return _false("reversed", draw(_disguised(other)), placed.where, at)

    return drawn()


def _beyond(nearest: int) -> st.SearchStrategy[Statement]:
    """The condition u >= 0 widened to u >= -eta, or forgotten."""
    facts = [f for f in INEQUALITIES if f.edge]

    @st.composite
    def drawn(draw: Any) -> Statement:
        placed = _place(draw, draw(st.sampled_from(facts)), affine=True)
        eta = rational(draw(powers(nearest, 0)))
        (bound,) = [c for c in placed.where if isinstance(c, Relation)]
        wider: tuple[Proposition, ...] = (Relation(bound.lhs, ">=", -eta),) if draw(st.booleans()) else ()
        assert placed.back is not None
        return _false("beyond the domain", draw(_disguised(placed.relation)), wider, placed.back(-eta / 2))

    return drawn()


def _far_out(nearest: int) -> st.SearchStrategy[Statement]:
    """Relations that hold on a long way, and fail beyond it."""
    x = sp.Symbol("x")

    @st.composite
    def drawn(draw: Any) -> Statement:
        eta = rational(draw(powers(nearest, -1)))
        n = draw(st.integers(2, 12))
        far = 4 * n * n / eta**2
        relation = draw(
            st.sampled_from(
                [
                    Relation(sp.sqrt(x), ">=", eta * x),
                    Relation(sp.log(1 + x), ">=", eta * x),
                    Relation(1 + x**n, ">=", eta * x ** (n + 1)),
                    Relation(x, "<=", 1 / eta),
                    Relation(1 / (1 + x), ">=", eta),
                    Relation(sp.tanh(x), "<=", 1 - eta),
                    Relation(sp.atan(x), "<=", sp.pi / 2 - eta),
                ]
            )
        )
        if relation.lhs.has(sp.tanh):
            far = sp.Integer(100)
        return _false("far out", draw(_disguised(relation, mild=True)), propositions((x > 0,)), {x: far})

    return drawn()


def _exceptional() -> st.SearchStrategy[Statement]:
    """True of all integers but one."""
    k = sp.Symbol("k")

    @st.composite
    def drawn(draw: Any) -> Statement:
        n = draw(st.one_of(st.integers(0, 30), st.integers(0, 10**6)))
        relation = draw(
            st.sampled_from(
                [
                    Relation((k - n) ** 2, ">=", sp.Integer(1)),
                    Relation(k * (k - n), "!=", sp.Integer(0)),
                    Relation(sp.Abs(k - n) + 1, ">", sp.Integer(1)),
                    Relation(sp.exp((k - n) ** 2), ">", sp.Integer(1)),
                ]
            )
        )
        where = (IsInteger(k), k >= 0)
        return _false("exceptional integer", draw(_disguised(relation)), propositions(where), {k: sp.Integer(n)})

    return drawn()


def _undefined() -> st.SearchStrategy[Statement]:
    """Sides that cancel, and do not exist at a point of the domain."""

    @st.composite
    def drawn(draw: Any) -> Statement:
        c = rational(draw(powers(-1, 1)))
        f = draw(st.sampled_from(("1", "x^2 + 1", "exp(x)", "cosh(x)")))
        s = sp.Symbol("x")
        number = plain(c)
        text = draw(
            st.sampled_from(
                [
                    f"({f})*(x - {number})/(x - {number}) = {f}",
                    f"log((x - {number})^2) - log((x - {number})^2) = 0",
                    f"({f}) + 1/(x - {number}) - 1/(x - {number}) = {f}",
                    f"exp(log(abs(x - {number}))) + {f} >= {f}",
                    f"sqrt(x - {number})^2 + ({f}) = x - {number} + ({f})",
                ]
            )
        )
        at = {s: c - 1} if text.startswith("sqrt") else {s: c}
        nothing = Relation(sp.Integer(0), "=", sp.Integer(0))  # only the text has the operations that have no value
        return Statement("undefined", False, nothing, (), at, text, ("x: real",), ())

    return drawn()


# --- how a fact becomes a relation
def _place(draw: Any, fact: Fact, *, affine: bool = False) -> _Placed:
    """The fact in other names; its u is something that equals the contact's u at a readable point."""
    integral = {c.expression for c in fact.where if isinstance(c, IsInteger)}
    names = list(_NAMES)
    table: dict[sp.Symbol, sp.Expr] = {}
    contact: dict[sp.Symbol, sp.Rational] = {}
    extra: list[Proposition] = []
    back = None
    for number, (symbol, value) in enumerate(fact.contact):
        if symbol in integral:
            contact[symbol] = value
            continue
        name = sp.Symbol(names[number])
        x0 = rational(draw(st.sampled_from((Fraction(0), Fraction(1), Fraction(2), Fraction(1, 2), Fraction(-3)))))
        slope = rational(draw(st.sampled_from((Fraction(1), Fraction(2), Fraction(1, 3)))))
        shapes = ("affine",) if affine or number else ("plain", "affine", "affine", "exp", "log", "cubic")
        shape = draw(st.sampled_from(shapes))
        if shape == "plain":
            table[symbol], contact[name] = name, value
        elif shape == "affine":
            table[symbol], contact[name] = value + slope * (name - x0), x0
            if number == 0:
                back = _Back(name, x0, slope, value)
        elif shape == "exp":
            table[symbol], contact[name] = value + sp.exp(name - x0) - 1, x0
        elif shape == "cubic":
            table[symbol], contact[name] = value + (name - x0) ** 3, x0
        else:
            table[symbol], contact[name] = value + sp.log(name), sp.Integer(1)
            extra.append(name > 0)
    relation = Relation(fact.lhs, fact.op, fact.rhs).subs(table)
    where = tuple(c.subs(table) for c in fact.where)
    return _Placed(relation, propositions((*where, *extra)), contact, back)


@dataclass(frozen=True)
class _Back:
    name: sp.Symbol
    x0: sp.Rational
    slope: sp.Rational
    value: sp.Rational

    def __call__(self, u: sp.Rational) -> dict[sp.Symbol, sp.Rational]:
        return {self.name: self.x0 + (u - self.value) / self.slope}


_WAYS = ("add", "times", "exp", "one side", "swap", "cube", "expand", "thrice")


@st.composite
def _disguised(draw: Any, relation: Relation, *, mild: bool = False) -> Relation:
    """The same truth at every point, differently written; `mild` keeps numbers of an astronomical size away."""
    x = min(relation.free_symbols, key=str)
    ways = ("swap", "one side", "expand", "thrice") if mild else _WAYS
    for _ in range(draw(st.integers(0, 3))):
        lhs, op, rhs = relation.lhs, relation.op, relation.rhs
        how = draw(st.sampled_from(ways))
        if how == "add":
            term = draw(st.sampled_from((x, x**2, sp.sin(x), sp.exp(x / 2), sp.Rational(7, 3), sp.Abs(x))))
            relation = Relation(lhs + term, op, rhs + term)
        elif how == "times":
            factor = draw(st.sampled_from((sp.Rational(1, 3), 1 + x**2, sp.exp(x), 2 + sp.sin(x), sp.cosh(x))))
            relation = Relation(factor * lhs, op, factor * rhs)
        elif how == "thrice":
            relation = Relation(3 * lhs - 1, op, 3 * rhs - 1)
        elif how == "exp":
            relation = Relation(sp.exp(lhs), op, sp.exp(rhs))
        elif how == "one side":
            relation = Relation(lhs - rhs, op, sp.Integer(0))
        elif how == "swap":
            relation = relation.swapped
        elif how == "cube":
            relation = Relation(lhs**3, op, rhs**3)
        else:
            relation = Relation(sp.expand(lhs), op, sp.expand(rhs))
    return relation


def _false(
    kind: str, relation: Relation, where: tuple[Proposition, ...], at: dict[sp.Symbol, sp.Rational]
) -> Statement:
    """Only what certainly fails there is handed out; a disguise that cannot be told at the point is dropped."""
    keep(relation.free_symbols <= set(at))
    keep(satisfied(where, at) and compare(relation, at).holds is False)
    return _statement(kind, relation, where, at)


def _statement(
    kind: str, relation: Relation, where: tuple[Proposition, ...], at: dict[sp.Symbol, sp.Rational] | None
) -> Statement:
    symbols = sorted(relation.free_symbols.union(*(c.free_symbols for c in where)), key=str)
    integers = {c.expression for c in where if isinstance(c, IsInteger)}
    let = tuple(f"{s}: {'integer' if s in integers else 'real'}" for s in symbols)
    assume = tuple(str(c) for c in where if isinstance(c, Relation))
    return Statement(kind, at is None, relation, where, at, str(relation), let, assume)
