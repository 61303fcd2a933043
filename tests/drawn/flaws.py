"""False relations made of compound true ones and of pitfalls, and true ones that differ from them by a little.

A compound (`drawn.compounds`) is true, and an equation at one place.  There it is moved by 10**-3 to 10**-30,
everywhere or on an interval of that width only; made strict; turned round; or given a term that has no value there.
A pitfall (`drawn.pitfalls`) is false as it stands; other terms are put in place of its variables.  All are
disguised by what keeps the truth at every point.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy as sp
from hypothesis import assume as keep
from hypothesis import reject
from hypothesis import strategies as st

from dpsym.deciding import EmptyDomain
from dpsym.language import ReadingError, read_claimed, read_declarations
from dpsym.testing.domains import rational
from dpsym.testing.numbers import powers

from . import pitfalls
from .compounds import Compound, compound, disguised, identity
from .pitfalls import Pitfall
from .statement import Statement
from .terms import (
    Draw,
    Place,
    distance,
    number,
    places,
    positive,
    replaced,
    signless,
    vanishing,
)

FAMILIES = {
    "branch": pitfalls.BRANCHES,
    "implication": pitfalls.IMPLICATIONS,
    "integers": pitfalls.INTEGERS,
    "calculus": pitfalls.CALCULUS,
    "cases": pitfalls.CASES,
}
KINDS = (
    "compound near miss",
    "sliver",
    "endpoint",
    "compound reversed",
    "undefined within",
    "vanishing far out",
    *FAMILIES,
)
TRUE_KINDS = ("compound", "open end", "just above")

_DEPTHS = (0, 0, 0, 1, 1, 2, 3)  # drawn from; mostly simple ones, which are understood when they fail
_BUMPS = (  # the width of the sliver at the place, and nothing or less outside of it
    "max({w} - abs({d}), 0)", "{w} - ({d})^2/{w}", "{w} - abs({d})", "max({w}^2 - ({d})^2, 0)",
    "piecewise({w}, all({d} > -{w}, {d} < {w}), 0)", "{w}*(1 - abs({d})/{w})", "{w}*exp(-({d})^2/{w}^2)",
    "min({w}, 2*{w} - abs({d}))", "{w} - ({d})^2", "{w}^2 - ({d})^4", "{w}/(1 + ({d})^2/{w})", "{w} - 1000*abs({d})",
)  # fmt: skip
_NOTHINGS = (  # 0, and without a value where d is 0
    "(({d})/({d}) - 1)", "(log(({d})^2) - log(({d})^2))", "(1/({d}) - 1/({d}))", "0/({d})", "0*log(abs({d}))",
    "(({d})*(1/({d})) - 1)", "(sin({d})/sin({d}) - 1)", "(exp(log(abs({d}))) - abs({d}))",
    "(abs({d})/sqrt(({d})^2) - 1)", "(({d})^2/abs({d}) - abs({d}))", "(1/(1/({d})) - ({d}))",
    "(log(exp(1/({d}))) - 1/({d}))", "(tanh({d})/tanh({d}) - 1)", "(({d})^(-2)*({d})^2 - 1)",
    "(coth({d})*tanh({d}) - 1)", "(log(2*({d})^2) - log(({d})^2) - log(2))", "((({d})^2)^(-1/2)*abs({d}) - 1)",
    "(({d})^3/({d})^2 - ({d}))", "(log(abs({d})^3) - 3*log(abs({d})))", "(sign({d})*({d})/({d}) - sign({d}))",
    "((exp({d}) - 1)/(exp({d}) - 1) - 1)", "(sqrt(({d})^2)/({d}) - ({d})/sqrt(({d})^2))",
)  # fmt: skip
_FAST = (  # positive and below 10**-80 beyond 200
    "exp(-{x})", "Phi(-{x})", "erfc({x})", "1 - tanh({x})", "{x}*exp(-{x})", "exp(-{x}^2)", "2^(-{x})*exp(-{x}/2)",
    "1 - exp({x})/(1 + exp({x}))", "log(1 + exp(-{x}))", "coth({x}) - 1", "1/cosh({x})", "phi({x})", "1 - erf({x})",
)  # fmt: skip
_SLOW = (  # positive and below eta beyond 4/eta**2
    "1/(1 + {x})", "log(1 + 1/{x})", "sqrt({x} + 1) - sqrt({x})", "1/(1 + {x}^2)", "pi/2 - atan({x})",
    "1 - {x}/(1 + {x})", "1/sqrt(1 + {x})", "{x} - {x}^2/(1 + {x}) - 1 + 2/(1 + {x})", "exp(1/{x}) - 1",
    "1 - {x}*log(1 + 1/{x})", "sinh(1/{x})", "1/{x} + 1/{x}^2", "2^(1/{x}) - 1",
)  # fmt: skip


def false(kind: str, nearest: int = -30, furthest: int = -3) -> st.SearchStrategy[Statement]:
    """False relations of one of the `KINDS`, off by 10**nearest to 10**furthest where that has a meaning."""
    if kind in FAMILIES:
        return _pitfall(kind)
    makers: dict[str, Callable[[Draw, str], Statement]] = {
        "compound near miss": _near_miss,
        "sliver": _sliver,
        "endpoint": _endpoint,
        "compound reversed": _reversed,
        "undefined within": _undefined,
        "vanishing far out": _far_out,
    }
    return _drawn(makers[kind], powers(nearest, furthest).filter(lambda x: x < 1))


def true(kind: str) -> st.SearchStrategy[Statement]:
    """True relations of one of the `TRUE_KINDS`: their like, on the safe side."""
    makers = {"compound": _true, "open end": _open_end, "just above": _just_above}
    return _drawn(makers[kind], powers(-30, -3).filter(lambda x: x < 1))


def _drawn(maker: Callable[[Draw, str], Statement], offs: st.SearchStrategy[Fraction]) -> st.SearchStrategy[Statement]:
    @st.composite
    def drawn(draw: Any) -> Statement:
        return maker(draw, _small(draw, draw(offs)))

    return drawn()


def _small(draw: Draw, value: Fraction) -> str:
    """A small number, in one of the ways to write it."""
    mantissa, exponent = value, 0
    while mantissa.denominator != 1:
        mantissa, exponent = mantissa * 10, exponent + 1
    ways = (f"({mantissa}/10^{exponent})", f"{mantissa}e-{exponent}", f"({value})")
    return draw(st.sampled_from(ways))


def _compound(draw: Draw) -> Compound:
    place = draw(places())
    if not draw(st.integers(0, 4)):
        return identity(draw, place)
    return compound(draw, place, draw(st.sampled_from(_DEPTHS)))


# --- false ones
def _near_miss(draw: Draw, off: str) -> Statement:
    c = _compound(draw)
    weight = draw(st.sampled_from(("1", "1", positive(draw, c.place))))
    more = off if weight == "1" else f"{off}*({weight})"
    if c.identity:
        lhs, op, rhs = f"{c.lhs} {draw(st.sampled_from('+-'))} {more}", "=", c.rhs
    else:
        lhs, op, rhs = draw(st.sampled_from(((f"{c.lhs} + {more}", "<=", c.rhs), (c.lhs, "<=", f"{c.rhs} - {more}"))))
    return _finished(draw, "compound near miss", lhs, op, rhs, c)


def _sliver(draw: Draw, width: str) -> Statement:
    c = _compound(draw)
    if not draw(st.integers(0, 2)):
        place = draw(places())
        more = signless(draw, place)
        c = Compound("0", f"{signless(draw, place)} + {more}" if draw(st.booleans()) else more, place)
    bump = draw(st.sampled_from(_BUMPS)).replace("{w}", width).replace("{d}", distance(draw, c.place))
    op = "=" if c.identity else draw(st.sampled_from(("<=", "<=", "<")))
    return _finished(draw, "sliver", f"{c.lhs} + {bump}" if c.lhs != "0" else bump, op, c.rhs, c)


def _endpoint(draw: Draw, width: str) -> Statement:
    c = _compound(draw)
    keep(not c.identity)
    gap, condition = _one_sided(draw, c.place, width, closed=True)
    op = draw(st.sampled_from(("<", "<", "!=")))
    return _finished(draw, "endpoint", c.lhs, op, f"{c.rhs} + {gap}", c, condition)


def _reversed(draw: Draw, _: str) -> Statement:
    c = compound(draw, draw(places()), draw(st.sampled_from(_DEPTHS)))
    keep(not c.conditions)
    name = draw(st.sampled_from(c.place.reals))
    value = c.place.at[name]
    gap = f"({name} - {number(value)})^2*({positive(draw, c.place)})" if value else f"{name}^2"
    moved = Place({**c.place.at, name: value + draw(st.sampled_from((Fraction(1), Fraction(-1, 2))))}, c.place.whole)
    relation = disguised(draw, f"{c.rhs} + {gap}", "<=", c.lhs, moved)
    return _statement("compound reversed", relation, moved, ())


def _undefined(draw: Draw, _: str) -> Statement:
    c = _compound(draw)
    nothing = draw(st.sampled_from(_NOTHINGS)).replace(
        "{d}", draw(st.sampled_from((distance, vanishing)))(draw, c.place)
    )
    lhs, rhs = (f"{c.lhs} + {nothing}", c.rhs) if draw(st.booleans()) else (c.lhs, f"{c.rhs} - {nothing}")
    return _finished(draw, "undefined within", lhs, "=" if c.identity else "<=", rhs, c)


def _far_out(draw: Draw, off: str) -> Statement:
    """The infimum of what is positive is 0 all the same: at infinity, or at 0 where its inverse is put in."""
    eta = Fraction(str(sp.Rational(off.strip("()").replace("10^", "1e").replace("/1e", "e-"))))
    fast = draw(st.booleans())
    far = Fraction(200) if fast else 4 / eta**2
    form = draw(st.sampled_from(_FAST if fast else _SLOW))
    inverse = draw(st.booleans())
    rhs = form.replace("{x}", "(1/x)" if inverse else "x")
    place = Place({"x": 1 / far if inverse else far})
    lhs, op = off, draw(st.sampled_from(("<=", "<")))
    how = draw(st.sampled_from(("plain", "scale", "swap", "one side", "log")))
    if how == "scale":
        lhs, rhs = f"3*{lhs}", f"3*({rhs})"
    elif how == "one side":
        lhs, rhs = f"{lhs} - ({rhs})", "0"
    elif how == "log":
        lhs, rhs = f"log({lhs})", f"log({rhs})"
    relation = (rhs, op.replace("<", ">"), lhs) if how == "swap" else (lhs, op, rhs)
    return _statement("vanishing far out", relation, place, ("x > 0",))


def _pitfall(kind: str) -> st.SearchStrategy[Statement]:
    @st.composite
    def drawn(draw: Any) -> Statement:
        return _disguised_pitfall(draw, kind, draw(st.sampled_from(FAMILIES[kind])))

    return drawn()


def _disguised_pitfall(draw: Draw, kind: str, said: Pitfall) -> Statement:
    """Other terms in place of its real variables, which have their values at another place."""
    at: dict[str, Fraction] = {}
    table: dict[str, str] = {}
    declared = tuple(c for c in said.conditions if ":" in c)
    whole = frozenset(c.partition(":")[0].strip() for c in declared)
    moved = draw(places(most=2))
    for name, value in said.at:
        if name in whole:
            at[name] = value
            continue
        how = draw(st.sampled_from(("plain", "plain", "affine", "term")))
        fresh = next(x for x in ("x", "y", "z", "r", "q") if x not in at and x not in moved.at)
        if how == "plain":
            at[fresh], table[name] = value, fresh
        elif how == "affine":
            shift = draw(st.sampled_from((Fraction(0), Fraction(1), Fraction(-2), Fraction(1, 3))))
            slope = draw(st.sampled_from(("2*", "", "(1/3)*", "-")))
            at[fresh], table[name] = shift, f"{number(value)} + {slope}({fresh} - {number(shift)})"
            if slope == "-":
                table[name] = f"{number(value)} - ({fresh} - {number(shift)})"
        else:
            at |= moved.at
            table[name] = f"{number(value)} + {vanishing(draw, moved)}"
    text, conditions = replaced(said.text, table), tuple(replaced(c, table) for c in said.conditions if ":" not in c)
    place = Place(at, whole)
    lhs, op, rhs = split(text)
    if place.reals and said.elementary == "" and draw(st.booleans()):
        lhs, op, rhs = disguised(draw, lhs, op, rhs, place, most=1)
    elementary = None if said.elementary is None else replaced(said.elementary, table)
    return _statement(kind, (lhs, op, rhs), place, conditions, declared, elementary)


def split(text: str) -> tuple[str, str, str]:
    """A relation whose sides have no relations in them outside of brackets."""
    depth = 0
    for i, sign in enumerate(text):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if not depth and sign in "<>=!":
            op = text[i : i + 2] if text[i + 1] == "=" else sign
            return text[:i].strip(), op, text[i + len(op) :].strip()
    raise ValueError(f"{text!r} is no relation")


# --- true ones
def _true(draw: Draw, _: str) -> Statement:
    c = _compound(draw)
    return _finished(draw, "compound", c.lhs, "=" if c.identity else "<=", c.rhs, c, truth=True)


def _open_end(draw: Draw, width: str) -> Statement:
    """Strict where the end does not belong to the domain."""
    c = _compound(draw)
    keep(not c.identity)
    gap, condition = _one_sided(draw, c.place, width, closed=False)
    return _finished(draw, "open end", c.lhs, "<", f"{c.rhs} + {gap}", c, condition, truth=True)


def _just_above(draw: Draw, off: str) -> Statement:
    c = _compound(draw)
    keep(not c.identity)
    more = f"{off}*({positive(draw, c.place)})"
    return _finished(
        draw, "just above", c.lhs, draw(st.sampled_from(("<", "<=", "!="))), f"{c.rhs} + {more}", c, truth=True
    )


def _one_sided(draw: Draw, place: Place, width: str, *, closed: bool) -> tuple[str, tuple[str, ...]]:
    """A term that is 0 at one end of a variable's domain and positive inside, and that domain."""
    name = draw(st.sampled_from(place.reals))
    end = number(place.at[name])
    above = draw(st.booleans())
    inside = f"({name} - {end})" if above else f"({end} - {name})"
    sign = (">" if above else "<") + ("=" if closed else "")
    far = f"{name} <= {end} + {draw(st.sampled_from(('1', width)))}" if above else f"{name} >= {end} - {width}"
    conditions = [f"{name} {sign} {end}", *([far] if draw(st.booleans()) else [])]
    factor = draw(st.sampled_from(("1", width, positive(draw, place))))
    return (inside if factor == "1" else f"({factor})*{inside}"), tuple(conditions)


# --- how they are said
def _finished(
    draw: Draw, kind: str, lhs: str, op: str, rhs: str, c: Compound, more: tuple[str, ...] = (), *, truth: bool = False
) -> Statement:
    relation = disguised(draw, lhs, op, rhs, c.place)
    return _statement(kind, relation, c.place, (*c.conditions, *more), truth=truth)


def _statement(
    kind: str,
    relation: tuple[str, str, str],
    place: Place,
    assume: tuple[str, ...],
    declared: tuple[str, ...] = (),
    elementary: str | None = "",
    *,
    truth: bool = False,
) -> Statement:
    said = {c.partition(":")[0].strip() for c in declared}
    rest = (f"{n}: {'integer' if n in place.whole else 'real'}" for n in place.at if n not in said)
    text, let = " ".join(relation), (*rest, *declared)
    try:
        names = read_declarations(let, (), assume)
        reading = read_claimed(text, names)
    except ReadingError:
        reject()  # a root or a power of an astronomical number, or what cancels
    except EmptyDomain:
        if not truth:
            raise  # the point is in it
        reject()
    (read,) = reading.relations
    at = None if truth else {sp.Symbol(n): rational(x) for n, x in place.at.items()}
    return Statement(kind, truth, read, names.conditions, at, text, let, assume, elementary)
