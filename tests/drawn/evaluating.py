"""Expressions at points where their digits cancel: next to removable singularities, far out, in differences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from dpsym.testing.numbers import powers

from .compounds import compound, identity
from .terms import Draw, number, places, positive, term

_CANCELLING = (  # of a small h
    "(exp({h}) - 1)/({h})", "(exp({h}) - 1 - ({h}))/({h})^2", "(exp({h}) - 1 - ({h}) - ({h})^2/2)/({h})^3",
    "(1 - cos({h}))/({h})^2", "(({h}) - sin({h}))/({h})^3", "(tan({h}) - ({h}))/({h})^3", "log(1 + ({h}))/({h})",
    "(log(1 + ({h})) - ({h}))/({h})^2", "(sqrt(1 + ({h})) - 1)/({h})", "(cosh({h}) - 1)/({h})^2",
    "(sinh({h}) - ({h}))/({h})^3", "(({h}) - tanh({h}))/({h})^3", "(Phi({h}) - 1/2)/({h})", "erf({h})/({h})",
    "(erf({h}) - 2*({h})/sqrt(pi))/({h})^3", "((1 + ({h}))^7 - 1 - 7*({h}))/({h})^2", "(2^({h}) - 1)/({h})",
    "(1/(1 - ({h})) - 1 - ({h}))/({h})^2", "(asinh({h}) - ({h}))/({h})^3", "(atan({h}) - ({h}))/({h})^3",
    "log((exp({h}) - 1)/({h}))/({h})", "(gamma(1 + ({h})) - 1)/({h})", "(1 + ({h}))^(1/({h})) - exp(1)",
    "exp(-({h})) - 1/(1 + ({h}))", "log(cosh({h}))/({h})^2 - 1/2", "(({h})^({h}) - 1)/(({h})*log({h}))",
    "({h})/(exp({h}) - 1) - 1", "1/({h}) - 1/sinh({h})", "1/tanh({h}) - 1/({h})",
    "log(1 + 1/2*(exp({h}) - 1)) - ({h})/2",
    "log((exp(3*({h})) + exp(-2*({h})))/(1 + exp({h})))/2 - 3*({h})^2/2", "max(({h}), ({h})^2) - ({h})",
)  # fmt: skip
_FAR = (  # of a large n
    "exp(-{n}/10)", "Phi(-{n}/10)*exp(({n}/10)^2/2)", "erfc({n}/10)", "1 - tanh({n}/10)", "log(1 + exp(-{n}/10))",
    "sqrt({n} + 1) - sqrt({n})", "({n} + 1)^(1/3) - {n}^(1/3)", "(1 + 1/{n})^{n} - exp(1)", "{n}*log(1 + 1/{n}) - 1",
    "pi/2 - atan({n})", "1 - Phi({n}/20)", "log({n} + 1) - log({n})", "coth({n}/5) - 1", "exp(1/{n}) - 1 - 1/{n}",
    "Phi_inv(1/(1 + {n}))", "log(exp({n}/7) + 1) - {n}/7", "cosh({n}/9) - sinh({n}/9)", "{n}^3*(1/{n} - sin(1/{n}))",
    "Phi(1/2 - {n}/50) - exp({n}/50)*Phi(-1/2 - {n}/50)", "sqrt({n}^2 + {n}) - {n}", "tan(1/{n}) - 1/{n}",
    "floor({n}/3 + 1/2) - ceil({n}/3 - 1/2)", "loggamma({n}) - ({n} - 1/2)*log({n}) + {n}", "exp(exp(-{n}/30)) - 1",
    "2^{n}/3^{n}", "(exp({n}/11) - 1)/(exp({n}/22) - 1) - exp({n}/22)", "erf(5) - erf(5 + 1/{n})",
)  # fmt: skip
_BOUND = (
    "integral({f}, s, 0, {x})", "integral({f}, s, {x}, 1)", "integral({f}, s, -1, {x}^2)",
    "integral({f}, s, {x}, 2*{x})",
    "minimum({f}, 0 <= s <= 1 + {x}^2)", "maximum({f}, -1 <= s <= abs({x}))", "integral({f}, s, 0, {x})^2 - {x}",
    "exp(-integral({f}, s, {x}, 1)^2)", "minimum({f} + {x}*s, 0 <= s <= 1)", "integral({f} + {x}*s, s, 0, 1)",
)  # fmt: skip
_INTEGRANDS = (
    "exp(3*abs(s - 1/2))", "max(exp(-4*s), s)", "exp(-4*s - s^2)", "s", "s^2 - s", "abs(s)", "1/(1 + s^2)", "cos(5*s)",
    "min(s, 1/3)", "sqrt(1 + s^2)", "Phi(3*s)", "exp(s)*s", "max(s, 0)", "piecewise(s, s < 1/2, 1)", "floor(2*s)",
    "tanh({x}*s)", "abs(s - {x})", "max(s, {x})",
)  # fmt: skip


@dataclass(frozen=True)
class Evaluation:
    """An expression in plain notation, and where it is evaluated."""

    text: str
    at: Mapping[str, Fraction]

    def __str__(self) -> str:
        return f"{self.text}  at {', '.join(f'{name} = {value}' for name, value in self.at.items())}"


def evaluations() -> st.SearchStrategy[Evaluation]:
    """Expressions whose digits cancel, and values of their names."""

    @st.composite
    def drawn(draw: Any) -> Evaluation:
        return draw(st.sampled_from((_small, _far, _contact, _any, _bound)))(draw)

    return drawn()


def _small(draw: Draw) -> Evaluation:
    """At 10**-1 to 10**-40, also as a difference."""
    value = draw(powers(-40, -1).filter(lambda x: x < 1)) * draw(st.sampled_from((1, 1, -1)))
    centre = draw(st.sampled_from((Fraction(0), Fraction(0), Fraction(1), Fraction(2, 3))))
    name = f"x - {number(centre)}" if centre else "x"
    form = draw(st.sampled_from(_CANCELLING))
    value = abs(value) if "^({h})" in form else value
    return Evaluation(form.replace("{h}", name), {"x": centre + value})


def _far(draw: Draw) -> Evaluation:
    large = draw(st.one_of(st.integers(1, 400), st.integers(1, 10**4), st.sampled_from((10**6, 123456789))))
    return Evaluation(draw(st.sampled_from(_FAR)).replace("{n}", "n"), {"n": Fraction(large)})


def _contact(draw: Draw) -> Evaluation:
    """The difference of two sides that are equal at a place, next to it."""
    place = draw(places())
    c = identity(draw, place) if draw(st.booleans()) else compound(draw, place, draw(st.sampled_from((0, 1, 1, 2))))
    aside = draw(powers(-25, -1))
    at = {
        n: v + (0 if n in c.place.whole else aside * draw(st.sampled_from((0, 1, -1)))) for n, v in c.place.at.items()
    }
    return Evaluation(draw(st.sampled_from((f"{c.rhs} - ({c.lhs})", c.lhs, c.rhs))), at)


def _bound(draw: Draw) -> Evaluation:
    """With an integral, an optimum or a sum whose range depends on a name."""
    place = draw(places(most=1))
    form = draw(st.sampled_from(_BOUND)).replace("{x}", "x")
    f = draw(st.sampled_from(_INTEGRANDS)).replace("{x}", "x")
    return Evaluation(form.replace("{f}", f), place.at)


def _any(draw: Draw) -> Evaluation:
    place = draw(places())
    return Evaluation(f"{positive(draw, place, 2)} - {term(draw, place)}*{positive(draw, place)}", place.at)
