"""Results: what the field knows of divergences, noise and errors that is no implication between guarantees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import sympy as sp

from dpsym.core.display import short
from dpsym.core.distributions import Density, Distribution, Finite, Pmf
from dpsym.core.notation import P, Q
from dpsym.core.relations import ForAll, Proposition, Relation, propositions
from dpsym.statements.adjacency import Adjacency
from dpsym.statements.binding import refuse_unbound
from dpsym.statements.guarantees import Guarantee
from dpsym.statements.sources import Source, StatementError


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """`states` holds wherever the conditions in `assume` do, for all distributions that are as described.

    Attributes:
        states: the relation, in expressions over numbers, divergences, expectations and probabilities.
        assume: the domains of its variables, and what else it needs.
        reals: the variables that range over all real numbers.
        outputs: the distributions that it speaks of: a given one, or any (None).
        channels: names of data-independent random maps, which `image` applies.
        premises: guarantees whose definition holds of the outputs P and Q, in both orders.
        tight: no better constant is true: equality holds somewhere, or is approached.
        tightness: where, in words.
        remark: what has to be known to apply it, in words.
        adjacency: the neighbouring relation that the premises are understood for.
    """

    id: str
    title: str
    states: Relation | ForAll
    source: Source
    assume: tuple[Proposition, ...] = ()
    reals: tuple[sp.Symbol, ...] = ()
    outputs: Mapping[sp.Symbol, Distribution | None] = field(default_factory=dict)
    channels: tuple[sp.Symbol, ...] = ()
    premises: tuple[Guarantee, ...] = ()
    tight: bool = False
    tightness: str = ""
    remark: str = ""
    adjacency: Adjacency = Adjacency.ANY

    __repr__ = short

    def __post_init__(self) -> None:
        object.__setattr__(self, "assume", propositions(self.assume))
        (stated,) = propositions([self.states])
        object.__setattr__(self, "states", stated)
        if not isinstance(stated, Relation | ForAll) or self.relation.lhs == self.relation.rhs:
            raise StatementError(f"{self.id}: {self.states} states nothing")
        if self.premises and not {P, Q} <= set(self.outputs):
            raise StatementError(f"{self.id}: a premise is about P and Q, which are not among the outputs")
        conditions = set[sp.Symbol]().union(*(c.free_symbols for c in self.assume))
        spoken = set[sp.Symbol](stated.free_symbols)
        for output in self.outputs.values():
            spoken |= set() if output is None else _parameters(output)
        spoken = spoken.union(*(g.free_symbols for g in self.premises))
        refuse_unbound(self.id, spoken - conditions - {*self.reals, *self.outputs, *self.channels})
        if idle := {*self.reals, *self.outputs, *self.channels} - spoken - conditions:
            raise StatementError(f"{self.id}: {', '.join(sorted(map(str, idle)))} is declared for nothing")
        if self.tightness and not self.tight:
            raise StatementError(f"{self.id}: it is said where it is tight, but not that it is")

    @property
    def relation(self) -> Relation:
        """The relation that it states, without a quantifier."""
        return self.states.relation if isinstance(self.states, ForAll) else self.states

    @property
    def conditions(self) -> tuple[Proposition, ...]:
        """The conditions besides the premises."""
        return self.assume

    @property
    def variables(self) -> frozenset[sp.Symbol]:
        """The numbers that it speaks of, a given distribution's parameters included."""
        spoken = set[sp.Symbol](self.states.free_symbols)
        spoken = spoken.union(*(c.free_symbols for c in self.assume), *(g.free_symbols for g in self.premises))
        for output in self.outputs.values():
            spoken |= set() if output is None else _parameters(output)
        return frozenset(spoken - {*self.outputs, *self.channels})

    def __hash__(self) -> int:
        return hash(self.id)


def _parameters(output: Distribution) -> set[sp.Symbol]:
    match output:
        case Density():
            return (output.expression.free_symbols | output.support.free_symbols) - {output.variable}
        case Pmf():
            ends = output.lower.free_symbols | output.upper.free_symbols
            return (output.expression.free_symbols | ends) - {output.variable}
        case Finite():
            return set().union(*(p.free_symbols for p in (*output.probabilities, *output.multiplicities)))
