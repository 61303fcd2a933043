"""Names of parameters as the symbols that papers print, ε for epsilon, and their values as people write them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sympy as sp

SYMBOLS = {
    "epsilon": "ε", "delta": "δ", "sigma": "σ", "alpha": "α", "beta": "β", "rho": "ρ", "mu": "μ", "Delta": "Δ",
    "eta": "η", "omega": "ω", "gamma": "γ", "lamda": "λ",
}  # fmt: skip
_SAME = re.compile(r"\b(\w+)=\1(?=[,)])")
_NAMES = re.compile(r"\b(" + "|".join(SYMBOLS) + r")\b")


def with_symbols(text: str) -> str:
    """The text with every such name replaced, and a parameter that is its own value said once: σ for sigma=sigma."""
    return _SAME.sub(r"\1", _NAMES.sub(lambda found: SYMBOLS[found[0]], text))


def values(of: Mapping[object, Fraction | sp.Basic]) -> str:
    """Each name with its value: `q = 0.01, T = 1000`; 1/100000 is 1e-05, and 1/3 stays what it is."""
    return ", ".join(f"{name} = {_short(value)}" for name, value in of.items())


def _short(value: Fraction | sp.Basic) -> str:
    if not isinstance(value, Fraction):
        from dpsym.core.plain_printer import plain

        if not value.is_Rational:
            return plain(value)
        value = Fraction(int(value.p), int(value.q))
    text = f"{float(value):g}"
    return text if value.denominator != 1 and Fraction(text) == value else str(value)
