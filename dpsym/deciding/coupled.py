"""Conditions that tie several symbols together, as substitutions where they can be solved."""

from __future__ import annotations

from dataclasses import dataclass, field

import sympy as sp

from dpsym.deciding.domain import Bounds, Domain
from dpsym.relations import Relation


@dataclass(frozen=True, slots=True)
class Setting:
    """What symbols are in terms of others, bounds on new symbols, and the conditions that hold besides."""

    values: dict[sp.Symbol, sp.Expr] = field(default_factory=dict)
    bounds: dict[sp.Symbol, Bounds] = field(default_factory=dict)
    conditions: tuple[Relation, ...] = ()


def setting(domain: Domain) -> Setting:
    """The coupled conditions of a domain, made ready for a canonical form."""
    return Setting(conditions=tuple(c for c in domain.coupled if isinstance(c, Relation)))
