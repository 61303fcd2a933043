"""A relation on a domain, with its truth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import sympy as sp

from dpsym.core.relations import Proposition, Relation
from dpsym.testing.domains import as_fraction, short


@dataclass(frozen=True)
class Statement:
    """A relation on a domain, with its truth.

    Attributes:
        fails_at: for a false one, a point of the domain at which it fails or is not defined.
        text, let, assume: in the plain notation that `dpsym prove` reads.
        elementary: what the text says at that point, without limits, derivatives, optima and integrals that have a
            closed form there; None where that has no value.
    """

    kind: str
    true: bool
    relation: Relation
    conditions: tuple[Proposition, ...]
    fails_at: Mapping[sp.Symbol, sp.Rational] | None
    text: str
    let: tuple[str, ...]
    assume: tuple[str, ...]
    elementary: str | None = ""

    def __post_init__(self) -> None:
        if self.elementary == "":
            object.__setattr__(self, "elementary", self.text)

    def __str__(self) -> str:
        said = f"{self.text}  for {'; '.join((*self.let, *self.assume))}"
        if self.fails_at is None:
            return said
        where = ", ".join(f"{s} = {short(as_fraction(x))}" for s, x in self.fails_at.items())
        return f"{said}  (false: {self.kind}, at {where or 'any point'})"
