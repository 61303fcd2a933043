"""What can be said: definitions, guarantees, mechanisms, claims, theorems.  Inert data, checked when made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

import sympy as sp

from dpsym.distributions import Distribution
from dpsym.relations import (
    ForAll,
    IsInteger,
    Proposition,
    Relation,
    apply,
    exact,
    functions,
    is_function,
    propositions,
    substitute,
)
from dpsym.spelling import plain

Parameter: TypeAlias = sp.Symbol | sp.core.function.UndefinedFunction
Table: TypeAlias = Mapping[sp.Basic, sp.Basic]


class StatementError(ValueError):
    """A statement that is not well formed: a wrong number of parameters, an unbound symbol, not a value."""


class Adjacency(Enum):
    """Which inputs are neighbours."""

    ANY = "any neighbouring relation, the one that the sensitivity was computed for"
    ADD_REMOVE = "one record added or removed"
    REPLACE = "one record replaced"


class Norm(Enum):
    """The norm in which a sensitivity is measured."""

    L1 = "L1"
    L2 = "L2"
    INTEGER = "L1, integer-valued answers"
    NONE = "no sensitivity: the input itself is randomised"


class Setting(Enum):
    """What a theorem's conclusion speaks of, when its premises speak of a mechanism M."""

    SAME = "M itself"
    COMPOSITION = "an adaptive composition of k mechanisms, each as in the premise"
    GROUP = "M on inputs that are k steps of the neighbouring relation apart"
    POST_PROCESSING = "any data-independent (possibly randomised) function of M's output"
    DISJOINT = "one such mechanism on each block of a fixed partition of the records"
    SUBSAMPLED = "M on a Poisson sample: each record is kept with probability q, independently of the others"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a statement is from: a key of the bibliography and a locator in it."""

    key: str
    locator: str

    def __str__(self) -> str:
        return f"{self.key}, {self.locator}"


@dataclass(frozen=True, slots=True)
class Composition:
    """How a budget adds up: `pair(x, y)` for two mechanisms, `fold(x, k)` for k alike ones."""

    name: str
    pair: Callable[[sp.Expr, sp.Expr], sp.Expr]
    fold: Callable[[sp.Expr, sp.Expr], sp.Expr]


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A notion of privacy.

    Attributes:
        params: the parameters, in the order in which a guarantee lists them.
        index: symbols in which the guarantee is a curve (an order, a type-I error); they never compose.
        means: what it says of the output distributions P, Q on two neighbours, both orders.
        compose: for each parameter that is a budget, how it composes adaptively.
        domain: for which parameters the definition is stated.
    """

    id: str
    title: str
    params: tuple[Parameter, ...]
    domain: tuple[Proposition, ...]
    means: Relation | ForAll
    compose: Mapping[Parameter, Composition]
    source: Source
    index: tuple[sp.Symbol, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "domain", propositions(self.domain))
        object.__setattr__(self, "means", propositions([self.means])[0])
        from dpsym.notation import P, Q

        known = {p for p in self.params if isinstance(p, sp.Symbol)} | set(self.index) | {P, Q}
        _refuse_unbound(self.id, self.means.free_symbols - known)
        for condition in self.domain:
            _refuse_unbound(self.id, condition.free_symbols - known)
        budgets = set(self.params) - set(self.index)
        if set(self.compose) != budgets:
            raise StatementError(f"{self.id}: a composition rule is needed for exactly {sorted(map(str, budgets))}")

    def __call__(self, *args: object, **named: object) -> Guarantee:
        """The guarantee at these parameters; every parameter is needed."""
        return Guarantee(self, tuple(bind(self.id, self.params, args, named, {}).values()))

    def goal(self, *args: object, **named: object) -> Goal:
        """What one wants to derive: some of the parameters fixed, the others to be found."""
        return Goal(self, bind(self.id, self.params, args, named, {}, partial=True))

    def __hash__(self) -> int:
        return hash(self.id)

    def __str__(self) -> str:
        return f"{self.id}({', '.join(map(str, self.params))})"


@dataclass(frozen=True, slots=True)
class Goal:
    """A definition with some parameters fixed (`approx` at a given delta); the others are to be found."""

    definition: Definition
    fixed: Mapping[Parameter, sp.Basic]

    def __hash__(self) -> int:
        return hash((self.definition, *self.fixed.items()))

    def __str__(self) -> str:
        return f"{self.definition.id}({', '.join(f'{p}={_written(v)}' for p, v in self.fixed.items())})"


@dataclass(frozen=True, slots=True)
class Guarantee:
    """A definition with its parameters filled in; for a curve, an expression in the index."""

    definition: Definition
    args: tuple[sp.Basic, ...]

    def __post_init__(self) -> None:
        d = self.definition
        if len(self.args) != len(d.params):
            raise StatementError(f"{d} takes {len(d.params)} parameters, not {len(self.args)}")
        args = []
        for param, arg in zip(d.params, self.args, strict=True):
            value = arg(*d.index) if is_function(arg) else exact(arg)
            if not isinstance(param, sp.Symbol):  # a function, given as one or as an expression in the index
                value = _in_index(value, d.index) if isinstance(value, sp.Lambda) else sp.Lambda(d.index, value)
            args.append(_sane(str(param), value))
        object.__setattr__(self, "args", tuple(args))

    @property
    def bound(self) -> dict[Parameter, sp.Basic]:
        """Parameter -> value."""
        return dict(zip(self.definition.params, self.args, strict=True))

    @property
    def free_symbols(self) -> set[sp.Symbol]:
        """The symbols in its parameters' values."""
        return set().union(*(arg.free_symbols for arg in self.args))

    @property
    def domain(self) -> tuple[Proposition, ...]:
        """The definition's domain at these parameters."""
        return tuple(c.subs(self.bound) for c in self.definition.domain)

    def subs(self, table: Table) -> Guarantee:
        """Substitute simultaneously in the parameters."""
        return Guarantee(self.definition, tuple(substitute(arg, table) for arg in self.args))

    def __str__(self) -> str:
        return f"{self.definition.id}({', '.join(map(plain, self.args))})"


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

    def __post_init__(self) -> None:
        object.__setattr__(self, "assume", propositions(self.assume))


@dataclass(frozen=True, slots=True, kw_only=True)
class Mechanism:
    """A randomised algorithm, known by its output distributions on two neighbours.

    Attributes:
        params: name and, where there is one, default of each parameter, in order.
        outputs: (P, Q), a pair that dominates every pair of neighbours; privacy is that of (P, Q) and (Q, P).
        norm, adjacency: what the sensitivity is measured in, and between which inputs.
        why_dominating: why one pair stands for all neighbours (and for vectors).
        vectors: the same holds for vector answers with independent noise in each coordinate; where it is
            False the claims are about a single number (or answer) only.
    """

    id: str
    title: str
    params: Mapping[sp.Symbol, sp.Expr | None]
    domain: tuple[Proposition, ...]
    outputs: tuple[Distribution, Distribution]
    norm: Norm
    why_dominating: str
    claims: tuple[Claim, ...]
    source: Source
    adjacency: Adjacency = Adjacency.ANY
    vectors: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "domain", propositions(self.domain))
        known = set(self.params)
        for condition in self.domain:
            _refuse_unbound(self.id, condition.free_symbols - known)
        for claim in self.claims:
            definition = claim.guarantee.definition
            free = known | set(definition.index) | set(definition.params) | set(claim.over)
            _refuse_unbound(self.id, claim.guarantee.free_symbols - free)
            for condition in claim.assume:
                _refuse_unbound(self.id, condition.free_symbols - free)

    def __call__(self, *args: object, **named: object) -> Use:
        """The mechanism at these parameters; what has a default may be left out."""
        return Use(self, bind(self.id, tuple(self.params), args, named, self.params))

    def __hash__(self) -> int:
        return hash(self.id)

    def __str__(self) -> str:
        return f"{self.id}({', '.join(map(str, self.params))})"


@dataclass(frozen=True, slots=True)
class MechanismClaim:
    """One claim of a mechanism, as something to be proved; its id is the mechanism's and the definition's."""

    mechanism: Mechanism
    claim: Claim

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


@dataclass(frozen=True, slots=True)
class Use:
    """A mechanism at given parameters; `use ** k` and `use * other` are adaptive compositions."""

    mechanism: Mechanism
    args: Mapping[sp.Symbol, sp.Expr]

    @property
    def domain(self) -> tuple[Proposition, ...]:
        """The mechanism's domain at these parameters."""
        return tuple(c.subs(self.args) for c in self.mechanism.domain)

    @property
    def free_symbols(self) -> set[sp.Symbol]:
        """The symbols in its parameters' values."""
        return set().union(*(arg.free_symbols for arg in self.args.values()))

    def __hash__(self) -> int:
        return hash((self.mechanism, *self.args.items()))

    def __pow__(self, count: object) -> Composed:
        return Composed(((self, _sane("count", exact(count))),))

    def __mul__(self, other: Use | Subsampled | Composed) -> Composed:
        return self**1 * other

    def __str__(self) -> str:
        return f"{self.mechanism.id}({', '.join(f'{p}={plain(v)}' for p, v in self.args.items())})"


@dataclass(frozen=True, slots=True)
class Subsampled:
    """A mechanism that runs on a Poisson sample: each record is kept with probability `rate`, independently.

    Neighbours differ by one record added or removed.  A sample that is not used up is not a composition: `inner`
    may be composed of several mechanisms, which then all see the same sample.
    """

    inner: Use | Composed
    rate: sp.Expr

    def __post_init__(self) -> None:
        object.__setattr__(self, "rate", _sane("q", exact(self.rate)))

    @property
    def domain(self) -> tuple[Proposition, ...]:
        """The inner mechanism's domain, and that the rate is a probability."""
        return (*self.inner.domain, Relation(self.rate, ">=", sp.Integer(0)), Relation(self.rate, "<=", sp.Integer(1)))

    @property
    def free_symbols(self) -> set[sp.Symbol]:
        """The symbols in the mechanism and in the rate."""
        return self.inner.free_symbols | self.rate.free_symbols

    def __pow__(self, count: object) -> Composed:
        return Composed(((self, _sane("count", exact(count))),))

    def __mul__(self, other: Use | Subsampled | Composed) -> Composed:
        return self**1 * other

    def __str__(self) -> str:
        return f"subsampled({self.inner}, q={plain(self.rate)})"


@dataclass(frozen=True, slots=True)
class Composed:
    """An adaptive composition: each part with how often it runs; every subsampled part draws its own samples."""

    parts: tuple[tuple[Use | Subsampled, sp.Expr], ...]

    def __mul__(self, other: Use | Subsampled | Composed) -> Composed:
        if isinstance(other, Use | Subsampled):
            other = other**1
        if not isinstance(other, Composed):
            return NotImplemented
        return Composed(self.parts + other.parts)

    def __pow__(self, count: object) -> Composed:
        times = _sane("count", exact(count))
        return Composed(tuple((use, n * times) for use, n in self.parts))

    @property
    def domain(self) -> tuple[Proposition, ...]:
        """The domains of its parts; a symbolic count is a positive integer."""
        counts = [n for _, n in self.parts if n.free_symbols]
        counted = [c for n in counts for c in (IsInteger(n), Relation(n, ">=", sp.Integer(1)))]
        return (*(c for part, _ in self.parts for c in part.domain), *counted)

    @property
    def free_symbols(self) -> set[sp.Symbol]:
        """The symbols in its parameters' values and counts."""
        return set().union(*(use.free_symbols | n.free_symbols for use, n in self.parts))

    def __str__(self) -> str:
        return " * ".join(str(use) if n == 1 else f"{use} ** {_power(n)}" for use, n in self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Theorem:
    """If every premise, every domain and every condition in `assume` holds, so does the conclusion.

    Attributes:
        premises: guarantees with symbolic parameters; those symbols are the theorem's variables.
        chooses: variables that no premise fixes and that whoever applies the theorem may choose (a delta, an
            order; an order that a premise mentions is fixed by it, and free where the premise is a curve).
        setting: what the conclusion speaks of; `count` is its k, `rate` its q, where there is one.
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
    adjacency: Adjacency = Adjacency.ANY
    exact: bool = False
    lossless: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "assume", propositions(self.assume))
        if not self.premises:
            raise StatementError(f"{self.id}: a theorem about guarantees needs a premise")
        if self.lossless and not self.exact:
            raise StatementError(f"{self.id}: what loses nothing is exact")
        premised = set[sp.Symbol]().union(*(g.free_symbols for g in self.premises))
        if settled := premised.intersection(self.chooses):
            raise StatementError(f"{self.id}: {settled.pop()} is given by the premise, not chosen")
        known = premised.union(self.chooses, (s for s in (self.count, self.rate) if s is not None))
        stated = self.conclusion.free_symbols.union(*(c.free_symbols for c in self.assume))
        _refuse_unbound(self.id, stated - known)
        if idle := set(self.chooses) - stated:
            raise StatementError(f"{self.id}: nothing depends on the choice of {idle.pop()}")
        given = set().union(*(functions(*g.args) for g in self.premises))
        _refuse_unbound(self.id, functions(*self.conclusion.args) - given)

    @property
    def conditions(self) -> tuple[Proposition, ...]:
        """What must hold besides the premises: the domains of the indices, and `assume`.

        The domains of budgets are no conditions: a premise with a budget outside holds of nothing, or
        `assume` excludes it (approximate DP with epsilon < 0 or delta > 1 can hold).
        """
        seen: dict[Proposition, None] = {}
        for guarantee in (*self.premises, self.conclusion):
            index = {guarantee.bound[i] for i in guarantee.definition.index if i in guarantee.bound}
            seen.update(dict.fromkeys(c for c in guarantee.domain if c.free_symbols and c.free_symbols <= index))
        seen.update(dict.fromkeys(self.assume))
        return tuple(seen)


def bind(
    owner: str,
    params: tuple[Parameter, ...],
    args: tuple[object, ...],
    named: Mapping[str, object],
    defaults: Mapping[Parameter, sp.Expr | None],
    *,
    partial: bool = False,
) -> dict[Parameter, sp.Expr]:
    """Parameters with their values, positional, named or by default.

    Raises:
        StatementError: for a missing, extra or doubled parameter, or a value that is not finite and real.
    """
    names = [str(p) for p in params]
    signature = f"{owner}({', '.join(names)})"
    if len(args) > len(params):
        raise StatementError(f"{signature} takes {len(params)} parameters, not {len(args)}")
    given = dict(zip(names, args, strict=False))
    repeated = [name for name, count in Counter([*given, *named]).items() if count > 1]
    if repeated:
        raise StatementError(f"{signature}: {repeated[0]} is given twice")
    unknown = [name for name in named if name not in names]
    if unknown:
        raise StatementError(f"{signature} has no parameter {unknown[0]!r}")
    given.update(named)
    values: dict[Parameter, sp.Expr] = {}
    for name, param in zip(names, params, strict=True):
        if name in given:
            value = given[name]
            values[param] = value if is_function(value) else _sane(name, exact(value))
        elif defaults.get(param) is not None:
            values[param] = defaults[param]
        elif not partial:
            raise StatementError(f"{signature}: {name} is missing")
    return values


def _written(value: object) -> str:
    return str(value) if is_function(value) else plain(value)


def _power(count: sp.Expr) -> str:
    return plain(count) if count.is_Symbol or count.is_Integer else f"({plain(count)})"


def _in_index(function: sp.Lambda, index: tuple[sp.Symbol, ...]) -> sp.Lambda:
    """The same function, its variables named as the definition names them, unless that would capture."""
    if function.variables == index or function.free_symbols & set(index):
        return function
    return sp.Lambda(index, apply(function, index))


def _sane(name: str, value: sp.Basic) -> sp.Basic:
    if value.has(sp.nan, sp.zoo) or value in (sp.oo, -sp.oo) or value.has(sp.I):
        raise StatementError(f"{name} = {value} is not a finite real number")
    return value


def _refuse_unbound(owner: str, stray: Set[object]) -> None:
    if stray:
        raise StatementError(f"{owner}: unbound {', '.join(sorted(map(str, stray)))}")
