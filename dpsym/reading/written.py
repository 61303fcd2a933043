"""A derivation as it was read: declarations, and chains of steps with the author's reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import sympy as sp

from dpsym.distributions import Distribution
from dpsym.relations import Proposition, Relation

Operation: TypeAlias = tuple[str, tuple[sp.Expr, ...]]  # a partial operation as it was written: "/", "log", …


@dataclass(frozen=True, slots=True)
class Reason:
    """What the author wrote beside a step; `theorem`, `citation` and `at` where it is a hint."""

    text: str
    theorem: str | None = None  # \\text{by [rdp_to_approx]}
    citation: str | None = None  # \\text{[Mir17, Prop. 3]}
    at: tuple[Relation, ...] = ()  # \\text{at } \\alpha = 1 + \\sqrt{L/\\rho}


@dataclass(frozen=True, slots=True)
class WrittenStep:
    """One step: a relation, or an implication between relations (`both_ways`: an equivalence).

    `claim` must hold; with `premises`, wherever all of them do.  `continues`: the left side is the right side of
    the step before, in the same chain.  `operations` are the partial operations written on either side.
    """

    claim: tuple[Relation, ...]
    line: int
    column: int
    latex: str  # the step alone, as LaTeX, however it was written
    premises: tuple[Relation, ...] = ()
    both_ways: bool = False
    continues: bool = False
    reason: Reason | None = None
    operations: tuple[Operation, ...] = ()


@dataclass(frozen=True, slots=True)
class WrittenChain:
    """The steps of one display or line, in the order of the text; `case` is what its case assumes, if it is in one."""

    steps: tuple[WrittenStep, ...]
    line: int
    case: tuple[Relation, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """A whole derivation file.

    Attributes:
        kind: how it was spelled.
        names: every declared name and what it stands for (a symbol, or an abbreviation's expansion).
        conditions: the domains of the names, the assumptions, and what these need to be defined.
        distributions: the declared distributions by name; None where nothing is known but what is assumed.
        operations: the partial operations written in abbreviations and distributions.
        proves: the id of the catalogue theorem whose proof it is.
    """

    kind: Literal["markdown", "latex", "plain"]
    chains: tuple[WrittenChain, ...]
    names: Mapping[str, sp.Basic]
    conditions: tuple[Proposition, ...]
    operations: tuple[Operation, ...] = ()
    distributions: Mapping[str, Distribution | None] = field(default_factory=dict)
    title: str | None = None
    proves: str | None = None
