"""Compound inequalities that are true, with a place where both sides are equal: facts put together by what keeps both.

Sums, differences, positive factors, increasing and decreasing functions, maxima, cases, sums and integrals over a
parameter, optima over one: each keeps `lhs <= rhs` wherever the parts hold, and equality where the parts are equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from dpsym.core.plain_printer import plain
from dpsym.core.relations import IsInteger, Relation
from dpsym.testing.domains import as_fraction

from .facts import IDENTITIES, INEQUALITIES, Fact
from .terms import Draw, Place, linear, number, positive, replaced, signless, term, vanishing

_INCREASING = (
    "exp({})", "({})^3", "tanh({})", "atan({})", "sinh({})", "Phi({})", "asinh({})", "erf({})", "3*({}) - 1",
    "({})/3 + 2/7", "2^({})", "({}) + ({})^3", "exp(exp({}))", "exp({})/(1 + exp({}))", "log(1 + exp({}))",
    "sqrt(exp({}))", "max({}, {c})", "min({}, {c})",
)  # fmt: skip
_DECREASING = ("-({})", "exp(-({}))", "1/(1 + exp({}))", "erfc({})", "5 - 2*({})", "Phi(-({}))", "2^(-({}))")
_STRICT = tuple(f for f in _INCREASING if "{c}" not in f)


@dataclass(frozen=True)
class Compound:
    """`lhs <= rhs` wherever the conditions hold (`=` throughout, for an identity), and equality at the place."""

    lhs: str
    rhs: str
    place: Place
    conditions: tuple[str, ...] = ()
    identity: bool = False


def compound(draw: Draw, place: Place, depth: int) -> Compound:
    """A true one, of facts put together so many times."""
    if depth < 1:
        return _instance(draw, place, draw(st.sampled_from(INEQUALITIES)))
    how = draw(st.sampled_from(_WAYS))
    return how(draw, place, depth - 1)


def identity(draw: Draw, place: Place) -> Compound:
    """A true equation."""
    return _instance(draw, place, draw(st.sampled_from(IDENTITIES)))


def _instance(draw: Draw, place: Place, fact: Fact, extra: str = "") -> Compound:
    """The fact, with terms in place of its symbols that have its point of contact as their values at the place.

    `extra` multiplies what moves away from the contact: a parameter that does not matter there.
    """
    table: dict[str, str] = {}
    at, whole = dict(place.at), set(place.whole)
    integers = {c.expression for c in fact.where if isinstance(c, IsInteger)}
    sure: set[Any] = set()  # symbols whose conditions hold by construction
    for symbol, exact in fact.contact:
        value = as_fraction(exact)
        if symbol in integers:
            name = draw(st.sampled_from(("k", "n")))
            if name in whole:
                shift = value - at[name]
                table[symbol.name] = f"{name} + {number(shift)}" if shift else name
            else:
                at[name] = value
                whole.add(name)
                table[symbol.name] = name
            continue
        table[symbol.name], safe = _valued(draw, place, value, _floor(fact, symbol), extra)
        if safe:
            sure.add(symbol)
    lhs, rhs = (replaced(plain(side), table) for side in (fact.lhs, fact.rhs))
    if fact.op == ">=":
        lhs, rhs = rhs, lhs
    where = [c for c in fact.where if isinstance(c, Relation) and not c.free_symbols <= sure]
    conditions = tuple(replaced(str(c), table) for c in where)
    return Compound(lhs, rhs, Place(at, frozenset(whole)), conditions, fact.op == "=")


def _floor(fact: Fact, symbol: Any) -> Fraction | None:
    """The lower bound that the fact asks for, where that is the only condition on the symbol."""
    about = [c for c in fact.where if symbol in c.free_symbols]
    if len(about) == 1 and isinstance(c := about[0], Relation) and c.lhs == symbol and c.rhs.is_Rational:
        return as_fraction(c.rhs) if c.op in (">", ">=") else None
    return None


def _valued(draw: Draw, place: Place, value: Fraction, floor: Fraction | None, extra: str) -> tuple[str, bool]:
    """A term with this value at the place, and whether it is above the floor by construction."""
    if not extra and draw(st.booleans()):
        return linear(draw, place, value), False
    if floor is not None and not extra and draw(st.booleans()):
        if value > floor and draw(st.booleans()):
            times = "" if value - floor == 1 else f"{number(value - floor)}*"
            grown = f"{times}exp({vanishing(draw, place)})"
            return (f"{number(floor)} + {grown}" if floor else grown), True
        more = signless(draw, place)
        return (f"{number(value)} + {more}" if value else more), True
    away = f"{extra}*({vanishing(draw, place)})" if extra else vanishing(draw, place)
    return (f"{number(value)} + {away}" if value else away), False


def _merged(one: Compound, other: Compound, lhs: str, rhs: str) -> Compound:
    place = Place({**one.place.at, **other.place.at}, one.place.whole | other.place.whole)
    return Compound(lhs, rhs, place, tuple(dict.fromkeys((*one.conditions, *other.conditions))))


def _with(c: Compound, lhs: str, rhs: str) -> Compound:
    return Compound(lhs, rhs, c.place, c.conditions)


def _two(draw: Draw, place: Place, depth: int) -> tuple[Compound, Compound]:
    one = compound(draw, place, depth)
    return one, compound(draw, one.place, 0)


def _sum(draw: Draw, place: Place, depth: int) -> Compound:
    one, other = _two(draw, place, depth)
    return _merged(one, other, f"{one.lhs} + {other.lhs}", f"{one.rhs} + {other.rhs}")


def _difference(draw: Draw, place: Place, depth: int) -> Compound:
    one, other = _two(draw, place, depth)
    return _merged(one, other, f"{one.lhs} - ({other.rhs})", f"{one.rhs} - ({other.lhs})")


def _shifted(draw: Draw, place: Place, depth: int) -> Compound:
    c, same = compound(draw, place, depth), term(draw, place)
    return _with(c, f"{c.lhs} + {same}", f"{c.rhs} + {same}")


def _scaled(draw: Draw, place: Place, depth: int) -> Compound:
    c, factor = compound(draw, place, depth), positive(draw, place)
    return _with(c, f"({factor})*({c.lhs})", f"({factor})*({c.rhs})")


def _increased(draw: Draw, place: Place, depth: int) -> Compound:
    c = compound(draw, place, depth)
    form = draw(st.sampled_from(_INCREASING)).replace("{c}", term(draw, place))
    return _with(c, form.replace("{}", c.lhs), form.replace("{}", c.rhs))


def _decreased(draw: Draw, place: Place, depth: int) -> Compound:
    c, form = compound(draw, place, depth), draw(st.sampled_from(_DECREASING))
    return _with(c, form.replace("{}", c.rhs), form.replace("{}", c.lhs))


def _slack(draw: Draw, place: Place, depth: int) -> Compound:
    c, more = compound(draw, place, depth), signless(draw, place)
    if draw(st.booleans()):
        return _with(c, c.lhs, f"{c.rhs} + {more}")
    return _with(c, f"{c.lhs} - ({more})", c.rhs)


def _cases(draw: Draw, place: Place, depth: int) -> Compound:
    one, other = _two(draw, place, depth)
    name = draw(st.sampled_from(place.reals))
    condition = f"{name} {draw(st.sampled_from(('<', '<=', '>', '>=')))} {place.at[name]}"
    sides = [f"piecewise({a}, {condition}, {b})" for a, b in ((one.lhs, other.lhs), (one.rhs, other.rhs))]
    return _merged(one, other, *sides)


def _over_parameter(draw: Draw, place: Place, _: int) -> Compound:
    """Both sides depend on a parameter t, or i, except at the place."""
    head, name = draw(
        st.sampled_from(
            (
                ("integral({}, t, 0, 1)", "t"),
                ("integral({}, t, 1, 2)", "t"),
                ("sum({}, i, 1, 3)", "i"),
                ("sum({}, i, 0, 4)", "i"),
                ("minimum({}, 0 <= t <= 1)", "t"),
                ("maximum({}, 1 < t < 2)", "t"),
            )
        )
    )
    free = [f for f in INEQUALITIES if not f.where]
    c = _instance(draw, place, draw(st.sampled_from(free)), name)
    return _with(c, head.replace("{}", c.lhs), head.replace("{}", c.rhs))


_WAYS = (
    _sum, _difference, _shifted, _scaled, _increased, _increased, _decreased, _slack, _slack, _cases, _over_parameter,
)  # fmt: skip


def disguised(draw: Draw, lhs: str, op: str, rhs: str, place: Place, most: int = 2) -> tuple[str, str, str]:
    """The same truth at every point, differently written."""
    for _ in range(draw(st.integers(0, most))):
        how = draw(st.sampled_from(("shift", "scale", "increase", "one side", "swap", "negative")))
        if how == "shift":
            same = term(draw, place)
            lhs, rhs = f"{lhs} + {same}", f"{rhs} + {same}"
        elif how == "scale":
            factor = positive(draw, place)
            lhs, rhs = f"({factor})*({lhs})", f"({factor})*({rhs})"
        elif how == "increase":
            form = draw(st.sampled_from(_STRICT))
            lhs, rhs = form.replace("{}", lhs), form.replace("{}", rhs)
        elif how == "one side":
            lhs, rhs = f"{lhs} - ({rhs})", "0"
        elif how == "swap":
            lhs, rhs, op = rhs, lhs, op.translate(str.maketrans("<>", "><"))
        else:
            lhs, rhs, op = f"-({lhs})", f"-({rhs})", op.translate(str.maketrans("<>", "><"))
    return lhs, op, rhs
