"""Mechanisms and what is claimed of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

import sympy as sp

from dpsym.core.display import short
from dpsym.core.distributions import Density, Distribution, Pmf, Shifted
from dpsym.core.notation import Delta
from dpsym.core.plain_printer import plain
from dpsym.core.relations import Proposition, propositions
from dpsym.statements.adjacency import Adjacency
from dpsym.statements.binding import bind, refuse_outside, refuse_unbound
from dpsym.statements.guarantees import Definition, Guarantee
from dpsym.statements.on_data import Chances, LooksAt, Tail
from dpsym.statements.sources import Source, StatementError
from dpsym.statements.trends import SENSITIVITY, Trend
from dpsym.statements.uses import Composed, Runs, Subsampled, Use


class Norm(Enum):
    """In what a sensitivity is measured; a norm of vectors stands only where the proof covers vectors.

    A change of one number that is split over the coordinates of a vector, each with noise of its own, may be told
    more easily: with Cauchy noise of scale 1, a shift by 10 has a KL divergence of log(26) = 3.26, and two by 5 have
    2 log(29/4) = 3.96.
    """

    L1 = "L1"
    L2 = "L2"
    INTEGER = "L1, integer-valued answers"
    NUMBER = "the absolute difference of one number"
    ONE_INTEGER = "the absolute difference of one integer"
    K = "the norm whose unit ball is K"
    SCORES = "the largest change of any one score"
    NONE = "none to be given: what one record changes is part of the mechanism"

    @property
    def vectors(self) -> bool:
        """Whether the answers may be vectors, with independent noise in each coordinate (or that of a K-norm)."""
        return self in (Norm.L1, Norm.L2, Norm.INTEGER, Norm.K)


@dataclass(frozen=True, slots=True)
class Claim:
    """A guarantee that a mechanism satisfies, with its source.

    `tight` claims that it is exact: no smaller curve or budget is true.  `complete` claims that it says all
    there is to say about the mechanism's privacy (its trade-off function, or something equivalent).
    Symbols beyond the mechanism's parameters (an order, the epsilon of a privacy profile) range over the
    definition's domain; `over` names those that are neither an index nor a parameter of the definition, as
    where a mechanism has itself a parameter `epsilon`.
    """

    guarantee: Guarantee
    source: Source
    tight: bool = False
    assume: tuple[Proposition, ...] = ()
    complete: bool = False
    over: tuple[sp.Symbol, ...] = ()

    __repr__ = short

    def __post_init__(self) -> None:
        object.__setattr__(self, "assume", propositions(self.assume))


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """The outputs of a mechanism on two neighbours of one particular input: its privacy is no better than theirs.

    An instance can refute a claim and never proves one.

    Attributes:
        outputs: (P, Q), in the mechanism's parameters and symbols of its own.
        what: which inputs these are.
        over: where its own symbols range.
    """

    outputs: tuple[Distribution, Distribution]
    what: str
    over: tuple[Proposition, ...] = ()

    __repr__ = short

    def __post_init__(self) -> None:
        object.__setattr__(self, "over", propositions(self.over))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Mechanism(Runs):
    """A randomised algorithm, known by its output distributions on two neighbours, or by what is claimed of it.

    Attributes:
        params: name and, where there is one, default of each parameter, in order.
        outputs: (P, Q), a pair that dominates every pair of neighbours; privacy is that of (P, Q) and (Q, P).
            None where no single pair is shown to stand for all neighbours; its claims then do not come from one.
        description: what it does, in words; needed where there are no outputs.
        instances: outputs on particular neighbours, for refutations where there is no dominating pair.
        norm, adjacency: what the sensitivity is measured in, and between which inputs.
        why_dominating: why one pair stands for all neighbours (and for vectors, where the norm is one of vectors).
        log_concave: whether `outputs` are those of additive noise that is known to be log-concave, at all parameters.
        unsettled: what was not decided of the outputs, and all that is said of them rests on.
        infinite: the notions of which no finite budget is true (no order has one, for RDP), each with the reason; as
            an `InfiniteFrom` of `dpsym.entries.notions.infinite` it also says at which orders and where else none is.
        trends: the parameters of which more, or less, is never less private, all else the same; see `trend`.
        tail: of additive noise, for refutations that name an event.
        choice: of a selection that looks at differences of scores alone, how likely each candidate is.
        looks_at: what it looks at where no sensitivity is given to it.
        additive: whether what is released is an answer plus the noise of `outputs`: of several neighbours, the outputs
            on all of them are then that noise around their answers, of which each pair is no further apart than `by`.
        around: what it stands in, innermost first: `parallel` (one on each of disjoint parts of the data), or
            `post_processed` (a function of its answer). Neither costs anything, by a theorem that is cited.
        added: the noise that it adds to an answer, where `outputs` are a statistic of that; see `noise_added`.
    """

    id: str
    title: str
    params: Mapping[sp.Symbol, sp.Expr | None]
    domain: tuple[Proposition, ...]
    outputs: tuple[Distribution, Distribution] | None
    norm: Norm
    claims: tuple[Claim, ...]
    source: Source
    why_dominating: str = ""
    description: str = ""
    instances: tuple[Instance, ...] = ()
    adjacency: Adjacency = Adjacency.ANY
    log_concave: bool = False
    additive: bool = False
    unsettled: tuple[Proposition, ...] = ()
    infinite: Mapping[Definition, str] = field(default_factory=dict)
    trends: Mapping[sp.Symbol, Trend] = field(default_factory=dict)
    tail: Tail | None = None
    choice: Chances | None = None
    looks_at: LooksAt | None = None
    added: Density | Pmf | None = None
    around: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "domain", propositions(self.domain))
        object.__setattr__(self, "unsettled", propositions(self.unsettled))
        known = set(self.params)
        refuse_unbound(self.id, set(self.trends) - known)
        for claim in self.claims:
            if claim.guarantee.definition in self.infinite:
                raise StatementError(f"{self.id}: a claim about {claim.guarantee.definition.id}, which is infinite")
        if (self.outputs is None) == bool(self.why_dominating) or (self.outputs is None and not self.description):
            raise StatementError(f"{self.id}: give outputs with why they dominate, or else a description in words")
        if self.additive and not isinstance(self.outputs, Shifted):
            raise StatementError(f"{self.id}: additive, and the outputs are not noise that is shifted")
        for condition in self.domain:
            refuse_unbound(self.id, condition.free_symbols - known)
        for claim in self.claims:
            definition = claim.guarantee.definition
            free = known | set(definition.index) | set(definition.params) | set(claim.over)
            refuse_unbound(self.id, claim.guarantee.free_symbols - free)
            for condition in claim.assume:
                refuse_unbound(self.id, condition.free_symbols - free)

    def __call__(self, *args: object, **named: object) -> Use:
        """The mechanism at these parameters; what has a default may be left out.

        Raises:
            StatementError: for other parameters than it has, and numbers outside its domain.
        """
        values = bind(self.id, tuple(self.params), args, named, self.params)
        refuse_outside(self.id, self.domain, values)
        return Use(self, values)

    @property
    def alone(self) -> Use:
        """The mechanism with its own parameters as symbols."""
        return self(*self.params)

    def trend(self, parameter: sp.Symbol) -> Trend | None:
        """How privacy goes with the parameter, where that is known.

        A sensitivity is a bound by definition, where the noise does not depend on it.
        """
        laws = self.outputs or ((self.added,) if self.added is not None else ())
        noise_alone = not laws or any(Delta not in law.free_symbols for law in laws)
        own = SENSITIVITY if parameter == Delta and self.norm is not Norm.NONE and noise_alone else None
        return self.trends.get(parameter, own)

    @property
    def dominating(self) -> bool:
        """Whether one pair of outputs stands for all neighbours."""
        return self.outputs is not None

    @property
    def noise_added(self) -> Density | Pmf | None:
        """The distribution of the noise that it adds to an answer; None where it adds none, or that is not known."""
        return self.outputs.noise if isinstance(self.outputs, Shifted) else self.added

    def repeated(self, args: Mapping[sp.Symbol, sp.Expr]) -> Use | Subsampled | Composed | None:
        """The mechanism that it runs a random number of times to give out the best answer, where it does so."""
        return None

    def written(self, args: Mapping[sp.Symbol, sp.Expr]) -> str:
        """How it is written at these parameters."""
        return f"{self.id}({', '.join(f'{p}={plain(v)}' for p, v in args.items())})"

    def __hash__(self) -> int:
        return hash(self.id)

    def __str__(self) -> str:
        return f"{self.id}({', '.join(map(str, self.params))})"


@dataclass(frozen=True, slots=True)
class MechanismClaim:
    """One claim of a mechanism, as something to be proved; its id is the mechanism's and the definition's."""

    mechanism: Mechanism
    claim: Claim

    __repr__ = short

    @property
    def id(self) -> str:
        """As in `gaussian_zcdp`."""
        return f"{self.mechanism.id}_{self.claim.guarantee.definition.id}"

    @property
    def title(self) -> str:
        """In words."""
        return f"{self.mechanism.title}: {self.claim.guarantee.definition.title}"

    @property
    def source(self) -> Source:
        """Where the claim is from."""
        return self.claim.source

    @property
    def conditions(self) -> tuple[Proposition, ...]:
        """Where it is claimed: the mechanism's domain, the claim's own conditions, the domains of the names in it."""
        guarantee = self.claim.guarantee
        names = {arg for arg in guarantee.args if isinstance(arg, sp.Symbol)} - set(self.mechanism.params)
        own = (c for c in guarantee.domain if c.free_symbols and c.free_symbols <= names)
        return tuple(dict.fromkeys((*self.mechanism.domain, *self.claim.assume, *own)))
