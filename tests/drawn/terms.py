"""Random terms in plain notation, over variables each of which has a value at one place.

A term is known by construction to vanish at the place, or to be positive everywhere.  All terms are
defined for all reals, so that what is made of them fails, or has no value, only where that was intended.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

Draw = Callable[[st.SearchStrategy[Any]], Any]

_VALUES = tuple(map(Fraction, ("0", "1", "2", "1/2", "-1", "-3", "1/3", "3/2", "10", "7/1000")))
_SLOPES = (*map(Fraction, ("1", "1", "1", "-1", "-1", "2", "1/3", "-1/7", "1000000007")), Fraction(0.005))
_CONSTANTS = ("2", "3", "1/2", "1/3", "5/7", "1/10", "100", "pi", "sqrt(2)", "exp(1)", "log(2)")

_VANISHING = (  # 0 where d is
    "{d}", "{d}", "{d}^2", "{d}^3", "abs({d})", "exp({d}) - 1", "1 - exp(-({d}))", "log(1 + {d}^2)", "sinh({d})",
    "tanh({d})", "atan({d})", "sin({d})", "1 - cos({d})", "sqrt(abs({d}))", "max({d}, 0)", "min({d}, 0)", "erf({d})",
    "Phi({d}) - 1/2", "asinh({d})", "2^({d}) - 1", "1 - 1/(1 + {d}^2)", "{d}/(1 + abs({d}))", "1 - exp(-({d})^2)",
    "{d}*{p}", "{d}*({a})", "sqrt(1 + {d}^2) - 1", "abs({d})^(3/2)", "{d} - {d}^2", "{d}*exp({d})", "sqrt({d}^2)",
)  # fmt: skip
_SIGNLESS = (  # at least 0, and 0 where d is
    "{d}^2", "abs({d})", "cosh({d}) - 1", "log(1 + {d}^2)", "1 - exp(-({d})^2)", "sqrt(abs({d}))", "max({d}, 0)",
    "max(-({d}), 0)", "{p}*({d})^2", "({d})^2/(1 + ({d})^2)", "exp({d}) - 1 - ({d})", "{d}*tanh({d})", "{d}*atan({d})",
    "1 - 1/(1 + abs({d}))", "sqrt(1 + {d}^2) - 1", "{d}^4 + {d}^2", "sin({d})^2", "exp(abs({d})) - 1", "{d}^6",
    "log(cosh({d}))", "abs({d})*{p}",
)  # fmt: skip
_POSITIVE = (
    "exp({a})", "1 + ({a})^2", "2 + sin({a})", "cosh({a})", "1/(1 + ({a})^2)", "sqrt(1 + ({a})^2)", "Phi({a})",
    "exp(-abs({a}))", "log(2 + ({a})^2)", "2^({a})", "max(1, {a})", "1 + abs({a})", "{c}", "{c}", "1/{c}",
    "1/(1 + exp({a}))", "erfc({a})", "1 + tanh({a})^2", "{p} + {p}", "{p}*{p}", "gamma(1 + ({a})^2)",
)  # fmt: skip
_ANY = (
    "{x}", "{x}", "{x}^2", "{x}^3", "sin({x})", "exp({x}/2)", "abs({x})", "{x} + {x}", "{x}*{x}", "{c}", "-({x})",
    "{c}*{x}", "tanh({x})", "max({x}, {c})", "min({x}, {x})", "{x} - {c}", "atan({x})", "floor({x})", "{x}/(1 + {x}^2)",
)  # fmt: skip


@dataclass(frozen=True)
class Place:
    """Variables, and the value of each at the place where something happens; those in `whole` are integers."""

    at: Mapping[str, Fraction]
    whole: frozenset[str] = field(default_factory=frozenset)

    @property
    def reals(self) -> tuple[str, ...]:
        """The names of the real ones."""
        return tuple(name for name in self.at if name not in self.whole)


def places(*, most: int = 2) -> st.SearchStrategy[Place]:
    """One to `most` real variables."""
    values = st.lists(st.sampled_from(_VALUES), min_size=1, max_size=most)
    return values.map(lambda found: Place(dict(zip(("x", "y", "z"), found, strict=False))))


def number(value: Fraction) -> str:
    """An exact number, bracketed where that is needed."""
    return str(value) if value >= 0 and value.denominator == 1 else f"({value})"


def distance(draw: Draw, place: Place) -> str:
    """A term that is 0 at the place: one variable's distance from its value, or of two of them."""
    name = draw(st.sampled_from(place.reals))
    value = place.at[name]
    one = f"({name} - {number(value)})" if value else name
    if len(place.reals) > 1 and not draw(st.integers(0, 3)):
        other = draw(st.sampled_from(place.reals))
        both = value * place.at[other]
        forms = (
            f"({name}*{other} - {number(both)})",
            f"({name} + {other} - {number(value + place.at[other])})",
            f"({name} - {other} - {number(value - place.at[other])})",
        )
        one = draw(st.sampled_from(forms))
    return one


def linear(draw: Draw, place: Place, value: Fraction) -> str:
    """A term of one variable and of degree 1, with this value at the place."""
    name = draw(st.sampled_from(place.reals))
    slope = draw(st.sampled_from(_SLOPES))
    constant = value - slope * place.at[name]
    moving = {1: name, -1: f"-{name}"}.get(slope, f"{number(slope)}*{name}")
    if not constant:
        return moving
    return f"{moving} + {number(constant)}" if slope != -1 else f"{number(constant)} - {name}"


def vanishing(draw: Draw, place: Place) -> str:
    """A term that is 0 at the place."""
    return _filled(draw, place, draw(st.sampled_from(_VANISHING)))


def signless(draw: Draw, place: Place) -> str:
    """A term that is nowhere negative, and 0 at the place."""
    return _filled(draw, place, draw(st.sampled_from(_SIGNLESS)))


def positive(draw: Draw, place: Place, depth: int = 1) -> str:
    """A term that is positive everywhere."""
    forms = _POSITIVE if depth else ("1 + ({a})^2", "exp({a})", "{c}", "2 + sin({a})")
    return _filled(draw, place, draw(st.sampled_from(forms)), depth - 1)


def term(draw: Draw, place: Place) -> str:
    """Any term."""
    return _filled(draw, place, draw(st.sampled_from(_ANY)))


def _filled(draw: Draw, place: Place, form: str, depth: int = 0) -> str:
    """The holes of a form filled: a distance d (the same each time), positive terms p, terms a, names x, numbers c."""
    d = distance(draw, place) if "{d}" in form else ""

    def fill(hole: re.Match[str]) -> str:
        if hole[1] == "d":
            return d
        if hole[1] == "p":
            return f"({positive(draw, place, max(depth, 0))})"
        if hole[1] == "a":
            return _filled(draw, place, draw(st.sampled_from(_ANY)))
        if hole[1] == "c":
            return draw(st.sampled_from(_CONSTANTS))
        return draw(st.sampled_from(tuple(place.at)))

    return re.sub(r"\{(\w)\}", fill, form)


def replaced(text: str, table: Mapping[str, str]) -> str:
    """The text with names replaced by bracketed texts, all at once; what is bound in it has other names."""
    if not table:
        return text
    names = "|".join(map(re.escape, table))
    return re.sub(rf"(?<![\w'.])({names})(?![\w'(])", lambda found: f"({table[found[1]]})", text)
