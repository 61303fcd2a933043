"""Notions of privacy, and guarantees: notions with their parameters filled in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import sympy as sp

from dpsym.core.display import Displayed, short
from dpsym.core.distributions import Distribution
from dpsym.core.notation import P, Q, renyi
from dpsym.core.plain_printer import plain
from dpsym.core.relations import ForAll, Proposition, Relation, apply, exact, is_function, propositions, substitute
from dpsym.statements.binding import Parameter, Table, bind, refuse_unbound, sane, written
from dpsym.statements.sources import Source, StatementError


@dataclass(frozen=True, slots=True)
class Composition:
    """How a budget adds up: `pair(x, y)` for two mechanisms, `fold(x, k)` for k alike ones."""

    name: str
    pair: Callable[[sp.Expr, sp.Expr], sp.Expr]
    fold: Callable[[sp.Expr, sp.Expr], sp.Expr]

    __repr__ = short


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A notion of privacy.

    Attributes:
        params: the parameters, in the order in which a guarantee lists them.
        index: symbols in which the guarantee is a curve (an order, a type-I error); they never compose.
        means: what it says of the output distributions P, Q on two neighbours, both orders.
        compose: for each parameter that is a budget, how it composes adaptively; empty where the budgets of two
            mechanisms do not bound that of their adaptive composition by themselves.
        domain: for which parameters the definition is stated.
        outputs: a pair (P, Q) of which the definition, at these parameters, says all there is to say: whatever has a
            complete claim of it has the divergences of this pair. None where there is no such pair in closed form.
    """

    id: str
    title: str
    params: tuple[Parameter, ...]
    domain: tuple[Proposition, ...]
    means: Relation | ForAll
    compose: Mapping[Parameter, Composition]
    source: Source
    index: tuple[sp.Symbol, ...] = ()
    outputs: tuple[Distribution, Distribution] | None = None

    __repr__ = short

    def __post_init__(self) -> None:
        object.__setattr__(self, "domain", propositions(self.domain))
        object.__setattr__(self, "means", propositions([self.means])[0])
        known = {p for p in self.params if isinstance(p, sp.Symbol)} | set(self.index) | {P, Q}
        refuse_unbound(self.id, self.means.free_symbols - known)
        for condition in self.domain:
            refuse_unbound(self.id, condition.free_symbols - known)
        budgets = set(self.params) - set(self.index)
        if self.compose and set(self.compose) != budgets:
            raise StatementError(f"{self.id}: a composition rule is needed for exactly {sorted(map(str, budgets))}")

    def __call__(self, *args: object, **named: object) -> Guarantee:
        """The guarantee at these parameters; every parameter is needed."""
        return Guarantee(self, tuple(bind(self.id, self.params, args, named, {}).values()))

    def goal(self, *args: object, **named: object) -> Goal:
        """The goal of a derivation: some of the parameters fixed, the others to be found."""
        return Goal(self, bind(self.id, self.params, args, named, {}, partial=True))

    @property
    def short(self) -> str:
        """Its name as people say it: RDP, pure DP."""
        _, opened, inside = self.title.partition("(")
        return inside.rstrip(")") if opened else self.title.replace("differential privacy", "DP")

    @property
    def additive(self) -> bool:
        """Whether it bounds Rényi divergences alone, which add up over outputs that do not depend on each other."""
        relation = self.means.relation if isinstance(self.means, ForAll) else self.means
        heads = [f for f in relation.lhs.atoms(sp.Function) if f.has(P, Q)]
        return all(isinstance(f, renyi) for f in heads)

    def __hash__(self) -> int:
        return hash(self.id)

    def __str__(self) -> str:
        return f"{self.id}({', '.join(map(str, self.params))})"


@dataclass(frozen=True, slots=True)
class Goal:
    """A definition with some parameters fixed (`approx` at a given delta); the others are to be found."""

    definition: Definition
    fixed: Mapping[Parameter, sp.Basic]

    __repr__ = short

    def __hash__(self) -> int:
        return hash((self.definition, *self.fixed.items()))

    def __str__(self) -> str:
        fixed = ", ".join(f"{p}={written(v)}" for p, v in self.fixed.items())
        return f"{self.definition.id}({fixed})" if fixed else self.definition.id


@dataclass(frozen=True, slots=True, repr=False)
class Guarantee(Displayed):
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
            args.append(sane(str(param), value))
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


def _in_index(function: sp.Lambda, index: tuple[sp.Symbol, ...]) -> sp.Lambda:
    """The same function, its variables named as the definition names them, unless that would capture."""
    if function.variables == index or function.free_symbols & set(index):
        return function
    return sp.Lambda(index, apply(function, index))


def asked_for(to: Definition | Goal | Guarantee) -> tuple[Definition, Mapping[Parameter, sp.Basic]]:
    """The notion that is asked for, and what of its parameters is given."""
    match to:
        case Definition():
            return to, {}
        case Goal():
            return to.definition, to.fixed
    return to.definition, to.bound
