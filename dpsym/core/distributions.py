"""Output distributions as data: densities on the line, masses on the integers, finite lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import sympy as sp

from dpsym.core.display import short
from dpsym.core.relations import IsInteger, Proposition, Relation, exact, is_function, substitute, unlike


@dataclass(frozen=True, slots=True)
class Density:
    """A density with respect to Lebesgue measure: `expression` in `variable` on `support`, 0 elsewhere."""

    variable: sp.Symbol
    expression: sp.Expr
    support: sp.Interval = sp.Reals

    __repr__ = short

    def __post_init__(self) -> None:
        object.__setattr__(self, "expression", exact(self.expression))

    def subs(self, table: Mapping[sp.Basic, sp.Basic]) -> Density:
        """The same family at other parameters; the variable itself cannot be substituted, nor captures it any."""
        variable, expression = _apart(self, table)
        return Density(variable, substitute(expression, table), substitute(self.support, table))

    @property
    def free_symbols(self) -> set[sp.Symbol]:
        """Its parameters."""
        return (self.expression.free_symbols | self.support.free_symbols) - {self.variable}


@dataclass(frozen=True, slots=True)
class Pmf:
    """Masses `expression` at the integers `variable` in [lower, upper]; the ends may be infinite."""

    variable: sp.Symbol
    expression: sp.Expr
    lower: sp.Expr = -sp.oo
    upper: sp.Expr = sp.oo

    __repr__ = short

    def __post_init__(self) -> None:
        for name in ("expression", "lower", "upper"):
            object.__setattr__(self, name, exact(getattr(self, name)))

    def subs(self, table: Mapping[sp.Basic, sp.Basic]) -> Pmf:
        """The same family at other parameters; the variable itself cannot be substituted, nor captures it any."""
        variable, expression = _apart(self, table)
        return Pmf(
            variable,
            substitute(expression, table),
            substitute(self.lower, table),
            substitute(self.upper, table),
        )

    @property
    def free_symbols(self) -> set[sp.Symbol]:
        """Its parameters."""
        return (self.expression.free_symbols - {self.variable}) | self.lower.free_symbols | self.upper.free_symbols


@dataclass(frozen=True, slots=True)
class Finite:
    """Finitely many outcomes with exact probabilities, the i-th standing for `multiplicities[i]` alike ones.

    Two finite distributions are compared outcome by outcome, so they must list the same outcomes.
    """

    probabilities: tuple[sp.Expr, ...]
    multiplicities: tuple[sp.Expr, ...] = ()

    __repr__ = short

    def __post_init__(self) -> None:
        probabilities = tuple(exact(p) for p in self.probabilities)
        multiplicities = tuple(exact(m) for m in self.multiplicities) or (sp.Integer(1),) * len(probabilities)
        if not probabilities or len(multiplicities) != len(probabilities):
            raise ValueError(f"{len(probabilities)} probabilities need as many multiplicities, and at least one")
        object.__setattr__(self, "probabilities", probabilities)
        object.__setattr__(self, "multiplicities", multiplicities)

    def subs(self, table: Mapping[sp.Basic, sp.Basic]) -> Finite:
        """The same family at other parameters."""
        return Finite(
            tuple(substitute(p, table) for p in self.probabilities),
            tuple(substitute(m, table) for m in self.multiplicities),
        )

    @property
    def free_symbols(self) -> set[sp.Symbol]:
        """Its parameters."""
        return set().union(*(p.free_symbols for p in (*self.probabilities, *self.multiplicities)))


Distribution: TypeAlias = Density | Pmf | Finite


class Shifted(tuple[Distribution, Distribution]):
    """The pair of output distributions of additive noise; it knows the noise and the shift that it was made from."""

    noise: Density | Pmf
    by: sp.Expr

    __repr__ = short

    def __new__(cls, noise: Density | Pmf, by: sp.Expr) -> Shifted:
        """The noise moved by the shift, and the noise."""
        moved = substitute(noise.expression, {noise.variable: noise.variable - by})
        first: Distribution
        if isinstance(noise, Pmf):
            first = Pmf(noise.variable, moved, _moved(noise.lower, by), _moved(noise.upper, by))
        else:
            ends = sp.Interval(_moved(noise.support.start, by), _moved(noise.support.end, by))
            first = Density(noise.variable, moved, ends)
        found = super().__new__(cls, (first, noise))
        found.noise, found.by = noise, by
        return found

    def __getnewargs__(self) -> tuple[Density | Pmf, sp.Expr]:
        return self.noise, self.by


def shifted(noise: Density | Pmf, by: sp.Expr) -> Shifted:
    """The output distributions of additive noise on two neighbours whose answers differ by `by`."""
    return Shifted(noise, by)


def is_scale(noise: Density | Pmf, parameter: sp.Symbol, domain: Iterable[Proposition]) -> bool:
    """Whether a density with positive parameters is that of this parameter times noise that does not depend on it.

    Times the parameter, at an outcome times the parameter, such a density is free of it: on the positive numbers
    |p x| is p |x|.
    """
    if not isinstance(noise, Density) or parameter not in noise.free_symbols:
        return False
    bounds = [c for c in domain if isinstance(c, Relation) and c.op in (">", ">=")]
    if not all(any(c.lhs == q and (c.rhs.is_positive or (c.rhs == 0 and c.op == ">")) for c in bounds)
               for q in noise.free_symbols):  # fmt: skip
        return False
    p, w = sp.Dummy("p", positive=True), sp.Dummy("w", real=True)
    others = {q: sp.Dummy(q.name, positive=True) for q in noise.free_symbols - {parameter}}
    at = {**others, parameter: p}
    scaled = p * noise.expression.subs({**at, noise.variable: p * w}, simultaneous=True)
    ends = [end.subs(at, simultaneous=True) / p for end in (noise.support.start, noise.support.end)]
    return all(p not in sp.simplify(e).free_symbols for e in (scaled, *ends))


def inside(noise: Density | Pmf) -> tuple[Proposition, ...]:
    """What holds of an outcome of the support; the ends of an interval do not matter to a density."""
    v = noise.variable
    if isinstance(noise, Pmf):
        lower, upper, strict, found = noise.lower, noise.upper, "=", [IsInteger(v)]
    else:
        lower, upper, strict, found = noise.support.start, noise.support.end, "", []
    bounds: list[Proposition] = [*found]
    if lower != -sp.oo:
        bounds.append(Relation(v, f">{strict}", lower))  # type: ignore[arg-type]
    if upper != sp.oo:
        bounds.append(Relation(v, f"<{strict}", upper))  # type: ignore[arg-type]
    return tuple(bounds)


def _moved(end: sp.Expr, by: sp.Expr) -> sp.Expr:
    return end if end.is_infinite else end + by  # SymPy keeps oo + Delta as it is: Delta might be -oo


def _apart(noise: Density | Pmf, table: Mapping[sp.Basic, sp.Basic]) -> tuple[sp.Symbol, sp.Expr]:
    """The variable and the expression, renamed where the new terms speak of a symbol that the variable is."""
    if noise.variable in table:
        raise ValueError(f"{noise.variable} is the outcome, not a parameter")
    incoming = set[sp.Symbol]().union(*(exact(new).free_symbols for new in table.values() if not is_function(new)))
    if noise.variable not in incoming:
        return noise.variable, noise.expression
    variable = unlike(noise.variable, incoming | noise.expression.free_symbols)
    return variable, substitute(noise.expression, {noise.variable: variable})
