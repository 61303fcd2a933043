"""The field's habits: what a name stands for in a paper that does not say so."""

from __future__ import annotations

from dataclasses import dataclass

from dpsym.core.families import UPTO
from dpsym.language.names import GREEK, SENSITIVITY

_HABITS = {
    "epsilon": "> 0", "rho": "> 0", "sigma": "> 0", "Delta": "> 0", "lambda": "> 0", "eta": "> 0", "tau": "> 0",
    "b": "> 0", "C": "> 0", "alpha": "> 1", "mu": ">= 0", "omega": "> 1", "nu": "> 0", "kappa": "> 0",
}  # fmt: skip
_CHANCES = ("delta", "gamma", "beta", "p", "q")
COUNTS = ("k", "n", "m", "d", "T", "N", "K", "B")
DRAWN = set("AKMNRSTUWXYZB")  # capitals that, applied, are mechanisms, algorithms or draws
_LAWS = {
    "Lap", "Laplace", "DLap", "Gauss", "Gaussian", "Normal", "Unif", "Uniform", "Ber", "Bern", "Bernoulli", "Bin",
    "Binom", "Binomial", "Geo", "Geom", "Geometric", "Poi", "Pois", "Poisson", "Gumbel", "Cauchy", "Exponential",
    "Expo", "Dirichlet", "Multinomial", "Rademacher", "Rad", "Lognormal",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Guess:
    """A declaration that the document does not make: by habit, or by its prose in a line (0: nowhere)."""

    declaration: str
    line: int = 0

    @property
    def source(self) -> str:
        """Where it comes from, in words."""
        return f"read at line {self.line}" if self.line else "guessed"

    def __str__(self) -> str:
        return f"{self.declaration} ({self.source})"


def names_a_law(name: str) -> bool:
    r"""Whether the field has the name for a law, ``\mathrm{Lap}_b`` or ``\mathcal{N}``: what is drawn is no number."""
    parts = name.rstrip("'").split("_")
    return parts[0] in _LAWS or parts[:2] == ["cal", "N"]


def draws_nothing(name: str) -> bool:
    """Whether the field's habit is that the name, applied to something, is a function: a letter of numbers."""
    letter = name.rstrip("'").split("_")[0]
    return letter in GREEK or (len(letter) == 1 and letter not in DRAWN)


def habit(name: str) -> str:
    """A declaration of the name, by its letter: counts are positive integers, chances lie strictly between 0 and 1."""
    if name.endswith("[]"):  # a family
        one = name[:-2].rstrip("'")
        said = habit(f"{one}_j{name[len(one) : -2]}").rpartition("integer, ")[2]
        return f"{said} for every integer j"
    letter = name.rstrip("'").split("_")[0]
    name = name.replace("__", " ") if SENSITIVITY.fullmatch(name) else name  # as people write it
    letter = {"varepsilon": "epsilon", "eps": "epsilon"}.get(letter, letter)
    if letter in _CHANCES:
        return f"0 < {name} < 1"
    if letter in COUNTS or name.rstrip("'").endswith(UPTO):
        return f"{name}: integer, {name} >= 1"
    return f"{name} {_HABITS[letter]}" if letter in _HABITS else f"{name}: real"
