"""What a theorem is: guarantees as premises, conditions, a setting, and the guarantee that follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

import sympy as sp

from dpsym.core.display import short
from dpsym.core.relations import IsInteger, Proposition, functions, propositions
from dpsym.statements.adjacency import Adjacency
from dpsym.statements.binding import refuse_unbound
from dpsym.statements.guarantees import Guarantee
from dpsym.statements.sources import Source, StatementError


class Setting(Enum):
    """The subject of a theorem's conclusion, when its premises speak of a mechanism M."""

    SAME = "M itself"
    COMPOSITION = "an adaptive composition of k mechanisms, each as in the premise"
    PRODUCT = "k mechanisms, each as in the premise, none of them chosen by another's answer"
    MIXED = "an adaptive composition of these, each as often as its count says,"
    GROUP = "M on inputs that are k steps of the neighbouring relation apart"
    REPLACEMENT = "M on inputs of which one has another record in the place of one of the other's"
    FILTERED = "an interaction that earlier answers choose, mechanisms and budgets, within this budget,"
    POST_PROCESSING = "any data-independent (possibly randomised) function of M's output"
    DISJOINT = "one such mechanism on each block of a fixed partition of the records"
    SUBSAMPLED = "M on a Poisson sample: each record is kept with probability q, independently of the others"
    SAMPLED = "M on a sample of m of the n records, drawn without replacement, where q = m/n,"
    SHUFFLED = "the reports of k users in random order, each made by such a mechanism from the user's own record,"
    SELECTED = "the best of K runs of M, where K >= 1 is negative binomial of shape eta with p, and mean m,"
    POISSON_SELECTED = "the best of K runs of M, or no answer where there are none, where K is Poisson of mean m,"


# Settings that a mechanism may stand in at no cost, as they are written.
FREE: Mapping[str, Setting] = {"post_processed": Setting.POST_PROCESSING, "parallel": Setting.DISJOINT}


@dataclass(frozen=True, slots=True, kw_only=True)
class Theorem:
    """If every premise, every domain and every condition in `assume` holds, so does the conclusion.

    Attributes:
        premises: guarantees with symbolic parameters; those symbols are the theorem's variables.
        chooses: variables that no premise fixes and that whoever applies the theorem may choose (a delta, an
            order; an order that a premise mentions is fixed by it, and free where the premise is a curve).
        setting: what the conclusion speaks of; `count` is its k, an integer from 1, `rate` its q, where there is one.
        counts: in a composition of different mechanisms, how many are as in each premise.
        trials: the parameters of a random number of runs, where it speaks of the best of them.
        adjacency: the neighbouring relation that the theorem needs.
        exact: where the premises say all there is to say of a mechanism, nothing better of this kind holds.
        lossless: exact, and then the conclusion (as a curve over what it chooses) says all there is to say.
    """

    id: str
    title: str
    premises: tuple[Guarantee, ...]
    conclusion: Guarantee
    source: Source
    assume: tuple[Proposition, ...] = ()
    chooses: tuple[sp.Symbol, ...] = ()
    setting: Setting = Setting.SAME
    count: sp.Symbol | None = None
    rate: sp.Symbol | None = None
    counts: tuple[sp.Symbol, ...] = ()
    trials: tuple[sp.Symbol, ...] = ()
    adjacency: Adjacency = Adjacency.ANY
    exact: bool = False
    lossless: bool = False

    __repr__ = short

    def __post_init__(self) -> None:
        counted = (
            ()
            if self.count is None or IsInteger(self.count) in self.assume
            else (IsInteger(self.count), self.count >= 1)
        )
        object.__setattr__(self, "assume", propositions((*counted, *self.assume)))
        if not self.premises:
            raise StatementError(f"{self.id}: a theorem about guarantees needs a premise")
        if self.lossless and not self.exact:
            raise StatementError(f"{self.id}: what loses nothing is exact")
        if len(self.counts) != (len(self.premises) if self.setting is Setting.MIXED else 0):
            raise StatementError(f"{self.id}: a composition of different mechanisms, and no other, counts each premise")
        premised = set[sp.Symbol]().union(*(g.free_symbols for g in self.premises))
        if settled := premised.intersection(self.chooses):
            raise StatementError(f"{self.id}: {settled.pop()} is given by the premise, not chosen")
        drawn = (*(s for s in (self.count, self.rate) if s is not None), *self.counts, *self.trials)
        known = premised.union(self.chooses, drawn)
        stated = self.conclusion.free_symbols.union(*(c.free_symbols for c in self.assume))
        refuse_unbound(self.id, stated - known)
        if idle := set(self.chooses) - stated:
            raise StatementError(f"{self.id}: nothing depends on the choice of {idle.pop()}")
        given = set().union(*(functions(*g.args) for g in self.premises))
        refuse_unbound(self.id, functions(*self.conclusion.args) - given)

    @property
    def conditions(self) -> tuple[Proposition, ...]:
        """The conditions besides the premises: the domains of the indices, and `assume`.

        The domains of budgets are no conditions: a premise with a budget outside holds of nothing, or
        `assume` excludes it (approximate DP with epsilon < 0 or delta > 1 can hold).
        """
        seen: dict[Proposition, None] = {}
        for guarantee in (*self.premises, self.conclusion):
            index = {guarantee.bound[i] for i in guarantee.definition.index if i in guarantee.bound}
            seen.update(dict.fromkeys(c for c in guarantee.domain if c.free_symbols and c.free_symbols <= index))
        seen.update(dict.fromkeys(self.assume))
        return tuple(seen)
