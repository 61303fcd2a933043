"""Where no finite budget is true, of any notion: one law, from the order at which the Rényi divergence is infinite.

A budget of pure DP, of bounded range, of zCDP (with or without an offset), tCDP or GDP bounds the Rényi divergence at
every order that the notion speaks of: by epsilon, by eta, by (xi +) rho times the order, by mu^2/2 times the order.
Where that divergence is infinite no such budget is true.  Neighbours for which one part's divergence is infinite are
neighbours for the whole: a composition tells no less than any of its parts, and a sample that a record enters with
probability q > 0 has density (1 - q) Q + q P >= q P against Q, of which the moments are infinite where those of P
against Q are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import sympy as sp

from dpsym.core.notation import alpha, delta, omega
from dpsym.core.plain_printer import plain
from dpsym.core.relations import Operator, Relation, substitute
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.bounded_range import bounded_range
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.offset_zcdp import offset_zcdp
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.tcdp import tcdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Adjacency, Composed, Definition, Parameter, Subsampled, Use
from dpsym.statements.adjacency import covers

_LOSSES, _ALL_ORDERS, _AT_ORDERS = (pure, bounded_range), (zcdp, offset_zcdp, gdp), (rdp, tcdp)


@dataclass(frozen=True, slots=True)
class InfiniteFrom(Mapping[Definition, str]):
    """The notions of which no finite budget is true of some neighbours, each with the reason.

    Attributes:
        order: at larger orders their Rényi divergence is infinite: 1 where with positive probability the output is one
            that the neighbour cannot give, oo where it is finite at every order but the privacy loss unbounded.  It
            may contain the mechanism's parameters, and is above 1 everywhere in its domain or 1.
        why: of what kind the privacy loss is.
        attained: whether the divergence is infinite at `order` itself, too.
        steep: where also no multiple of the order bounds the divergence (nowhere: None).
    """

    order: sp.Expr
    why: str
    attained: bool = False
    steep: Relation | None = None

    def __getitem__(self, definition: Definition) -> str:
        if self.needed(definition, {}) != ():
            raise KeyError(definition)
        return self.reason(definition)

    def __iter__(self) -> Iterator[Definition]:
        return (d for d in (*_LOSSES, *_AT_ORDERS, *_ALL_ORDERS) if self.needed(d, {}) == ())

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def subs(self, args: Mapping[sp.Symbol, sp.Expr]) -> InfiniteFrom:
        """At these values of the mechanism's parameters."""
        steep = None if self.steep is None else self.steep.subs(args)
        return InfiniteFrom(substitute(self.order, args), self.why, self.attained, steep)

    def needed(self, definition: Definition, bound: Mapping[Parameter, sp.Basic]) -> tuple[Relation, ...] | None:
        """Where no finite budget of this kind is true, given some of its parameters; None: nothing is known."""
        if definition in _LOSSES or (definition is approx and bound.get(delta) == 0):  # [approx_to_pure]
            return ()
        if definition in _ALL_ORDERS:
            return () if self.order != sp.oo else None if self.steep is None else (self.steep,)
        if definition not in _AT_ORDERS or self.order == sp.oo:
            return None
        if self.order == 1:  # an order is above 1
            return ()
        # tCDP speaks of the orders below omega; where these come near one that is infinite, so do their divergences
        at = bound.get(omega, omega) if definition is tcdp else bound.get(alpha, alpha)
        return (Relation(at, self._beyond, self.order),)

    @property
    def _beyond(self) -> Operator:
        return ">=" if self.attained else ">"

    def reason(self, definition: Definition) -> str:
        """Why, in words."""
        if definition in (*_ALL_ORDERS, *_AT_ORDERS) and self.order == sp.oo:
            return "the Rényi divergence grows faster than its order"
        if definition in (*_ALL_ORDERS, *_AT_ORDERS) and self.order != 1:
            return f"the Rényi divergence is infinite at orders alpha {self._beyond} {plain(self.order)}"
        return self.why


def without_budget(
    source: Use | Subsampled | Composed,
    definition: Definition,
    bound: Mapping[Parameter, sp.Basic],
    meant: Adjacency,
) -> Iterator[tuple[str, tuple[Relation, ...]]]:
    """Why no finite budget of this kind is true of the mechanism, and where: one reason for each part that has one.

    A part that is about other neighbours than are meant is no reason.
    """
    match source:
        case Use() if covers(source.mechanism.adjacency, meant):
            known = source.mechanism.infinite
            if isinstance(known, InfiniteFrom):
                here = known.subs(source.args)
                if (needed := here.needed(definition, bound)) is not None:
                    yield f"{source}: {here.reason(definition)}", needed
            elif definition in known:
                yield f"{source}: {known[definition]}", ()
        case Subsampled():
            for why, needed in without_budget(source.inner, definition, bound, meant):
                yield why, (*needed, Relation(source.rate, ">", sp.S.Zero))
        case Composed():
            for part, count in source.parts:
                for why, needed in without_budget(part, definition, bound, meant):
                    yield why, (*needed, Relation(count, ">=", sp.S.One))
