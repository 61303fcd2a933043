"""What the plain notation calls the characters that papers have, and what to write for those that it cannot read."""

from __future__ import annotations

import re
import unicodedata

_LETTERS = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho final_sigma sigma tau"
    " upsilon phi chi psi omega"
)
GREEK = {chr(0x3B1 + i): name for i, name in enumerate(_LETTERS.split()) if name not in ("omicron", "final_sigma")}
GREEK |= dict(
    zip("ΓΔΘΛΞΠΣΦΨΩ", ["Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Phi", "Psi", "Omega"], strict=True)
)
GREEK |= {"ϵ": "epsilon", "ϕ": "phi", "ϑ": "theta", "ϱ": "rho", "µ": "mu", "∆": "Delta", "Ψ": "Psi", "Ω": "Omega"}
_TWINS = (("ε", "ϵ"), ("φ", "ϕ"), ("θ", "ϑ"), ("ρ", "ϱ"))  # two letters, where both of them are used

OPERATORS = {
    "≤": "<=", "⩽": "<=", "≥": ">=", "⩾": ">=", "≠": "!=", "·": "*", "⋅": "*", "×": "*", "∗": "*", "−": "-", "–": "-",
    "÷": "/", "⁄": "/", "∕": "/",
}  # fmt: skip
INFINITY, ROOT = "∞", "√"

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
POWER = re.compile("⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
INDEX = re.compile("[₀₁₂₃₄₅₆₇₈₉]+")


def power(text: str) -> str:
    """The number that stands raised."""
    return text.translate(_SUPERSCRIPTS)


def index(text: str) -> str:
    """The number that stands lowered."""
    return text.translate(_SUBSCRIPTS)


def twins(text: str) -> str | None:
    """Two forms of one letter of which both are used, so that it is not clear whether they are one."""
    return next((f"{one} and {other}" for one, other in _TWINS if one in text and other in text), None)


_INSTEAD = {  # words between formulas
    "and": "conditions are written one by one, or of one name as a chain: 1/4 < x < 3/4",
    "or": "conditions are not joined by 'or': ask about each of them by itself",
    "not": "write the opposite: x <= 1/2 for not x > 1/2",
    "in": "a domain is a condition, 0 <= x <= 1, or a kind, x: real; records are declared as x in [0,1]^n",
    "real": "a kind stands behind a colon: x: real",
    "integer": "a kind stands behind a colon: k: integer",
    "for": "a claim is about all values of its names, each declared with its domain: x: real",
    "on": "a mechanism on a query is part of a program: s = laplace(b=1) on sum(x)",
}


def instead_of_word(word: str) -> str:
    """What to write in the place of a word that stands between formulas; empty for a name."""
    return _INSTEAD.get(word.lower(), "")


def advice(character: str) -> str:
    """What to write instead of a character that is not read; empty where there is nothing to say."""
    known = {
        "%": "a percentage is written as a number: 5 % is 0.05 or 5/100",
        "⇒": "write >= for at least, or several claims one by one",
        "∈": "write a condition such as 0 < x, x < 1, or for a data set: x in [0,1]^n",
        "½": "write 1/2", "¼": "write 1/4", "¾": "write 3/4", "′": "write '", "’": "write '",
        "≈": "write both bounds: 0.1 <= x, x <= 0.2", "&": _INSTEAD["and"], "|": "an absolute value is abs(x)",
        "!": "write factorial(n); for not equal, !=", "\\": "LaTeX is read in documents: here write sqrt(x), x/y",
        "{": "write round brackets", "}": "write round brackets", "$": "write the formula alone, without dollar signs",
    }  # fmt: skip
    if character in known:
        return known[character]
    name = unicodedata.name(character, "") if not character.isascii() else ""
    return f"the {name.lower()}" if name else ""
