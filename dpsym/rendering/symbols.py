"""Names of parameters as the symbols that papers print: ε for epsilon."""

from __future__ import annotations

import re

SYMBOLS = {
    "epsilon": "ε", "delta": "δ", "sigma": "σ", "alpha": "α", "beta": "β", "rho": "ρ", "mu": "μ", "Delta": "Δ",
    "eta": "η", "omega": "ω", "gamma": "γ", "lamda": "λ",
}  # fmt: skip
_SAME = re.compile(r"\b(\w+)=\1(?=[,)])")
_NAMES = re.compile(r"\b(" + "|".join(SYMBOLS) + r")\b")


def with_symbols(text: str) -> str:
    """The text with every such name replaced, and a parameter that is its own value said once: σ for sigma=sigma."""
    return _SAME.sub(r"\1", _NAMES.sub(lambda found: SYMBOLS[found[0]], text))
