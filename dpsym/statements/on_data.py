"""What a mechanism does on data, for what is said of a query: how noise is told apart, what a selection chooses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

import sympy as sp

from dpsym.core.display import short
from dpsym.statements.guarantees import Guarantee

Arguments: TypeAlias = Mapping[sp.Symbol, sp.Expr]
Chances: TypeAlias = Callable[[sp.Expr, tuple[sp.Expr, ...]], tuple[sp.Expr, ...]]
"""How likely a selection chooses each candidate, by what it multiplies scores with, and the scores."""


class LooksAt(Enum):
    """What a mechanism looks at that is given no sensitivity."""

    RECORDS = "each record by itself"
    KINDS = "which categories the records are from"
    ANSWER = "an answer, of which it finds out how much it may change"


@dataclass(frozen=True, slots=True)
class Tail:
    """How likely additive noise is to be large.

    Attributes:
        scale: the parameter in proportion to which the noise spreads.
        power: the logarithm of the density, or of the masses, falls like -|y/scale|**power.
        above: how likely noise is to be at least t, by the parameters and t (an integer, of noise on integers).
        edges: from where on an answer tells neighbours apart that differ by Delta, the most telling first.
    """

    scale: sp.Symbol
    power: int
    above: Callable[[Arguments, sp.Expr], sp.Expr]
    edges: Callable[[Arguments, Guarantee], Iterable[sp.Expr]]

    __repr__ = short
