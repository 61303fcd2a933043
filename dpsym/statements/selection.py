"""Many runs of one mechanism of which not all is told: the best answer, or all answers in random order.

*The best of a random number of runs*: a score is any function of a run's own answer, one with coins of its own too; a
run gives both, so that what is known of the mechanism is known of them together.  How often it runs is drawn from a
distribution that is public; nobody learns the number.

*Shuffled reports*: each of n users runs the mechanism on the own record, and the answers are given out in random order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate, pairwise

import sympy as sp

from dpsym.core.display import short
from dpsym.core.distributions import Finite
from dpsym.core.given import given
from dpsym.core.notation import eta, k, m, p
from dpsym.core.plain_printer import plain
from dpsym.core.relations import IsInteger, Proposition, Relation, substitute
from dpsym.statements.adjacency import of
from dpsym.statements.binding import is_whole, sane
from dpsym.statements.mechanisms import Instance, Mechanism, Norm
from dpsym.statements.sources import Source, StatementError
from dpsym.statements.theorems import Setting
from dpsym.statements.uses import Composed, Subsampled, Use

BEST, SHUFFLED = "best_of", "shuffled"  # how they are written
_HIGHEST = 64  # power of exp(1) in a polynomial that is factored
_SLIVER = sp.Rational(1, 10**6)  # of the worst answer, which a score with coins of its own puts above the rest of it


TRIALS: Mapping[str, tuple[str, ...]] = {  # what is written, with its parameters
    "geometric": ("p",),
    "logarithmic": ("p",),
    "negative_binomial": ("eta", "p"),
    "poisson": ("m",),
}
_SHAPES = {"geometric": sp.S.One, "logarithmic": sp.S.Zero}  # of the negative binomial numbers that have names


@dataclass(frozen=True, slots=True)
class Trials:
    """How often a mechanism runs, as in `geometric(1/10)`: a number above 0, or for `poisson` from 0 on."""

    name: str
    args: tuple[sp.Expr, ...]

    __repr__ = short

    @property
    def shape(self) -> sp.Expr | None:
        """The eta of a negative binomial number; None for a Poisson one."""
        return None if self.name == "poisson" else _SHAPES.get(self.name, self.args[0])

    @property
    def setting(self) -> Setting:
        """What the theorems about it speak of."""
        return Setting.POISSON_SELECTED if self.shape is None else Setting.SELECTED

    @property
    def values(self) -> Mapping[sp.Symbol, sp.Expr]:
        """What the symbols of these theorems are here: the shape, p and the mean, or the mean alone."""
        shape, stop = self.shape, self.args[-1]
        if shape is None:
            return {m: stop}
        mean = shape * (1 - stop) / (1 - stop**shape) if shape != 0 else (1 - stop) / sp.log(1 / stop)
        return {eta: shape, p: stop, m: mean / stop}

    @property
    def domain(self) -> tuple[Proposition, ...]:
        """Where there is such a number."""
        stop = self.args[-1]
        positive = Relation(stop, ">", sp.S.Zero)
        if self.shape is None:
            return (positive,)
        shaped = [(Relation(own, ">", sp.Integer(-1)), Relation(own, "!=", sp.S.Zero)) for own in self.args[:-1]]
        return (*(condition for both in shaped for condition in both), positive, Relation(stop, "<", sp.S.One))

    def generating(self, u: sp.Expr) -> sp.Expr:
        """The mean of u^K: how likely it is that all runs stay below what one does with probability u."""
        shape, stop = self.shape, self.args[-1]
        if shape is None:
            return sp.exp(stop * (u - 1))
        none = 1 - (1 - stop) * u
        return sp.log(none) / sp.log(stop) if shape == 0 else (none**-shape - 1) / (stop**-shape - 1)

    def subs(self, table: Mapping[sp.Symbol, sp.Expr]) -> Trials:
        """The same at other parameters."""
        return Trials(self.name, tuple(substitute(arg, table) for arg in self.args))

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(plain, self.args))})"


def trials(name: str, *args: object) -> Trials:
    """The distribution of that name.

    Raises:
        StatementError: for another name, or another number of parameters.
    """
    if name not in TRIALS or len(args) != len(TRIALS[name]):
        known = ", ".join(f"{one}({', '.join(params)})" for one, params in TRIALS.items())
        raise StatementError(f"how often it runs is one of {known}")
    return Trials(name, tuple(map(given, args)))


@dataclass(frozen=True, slots=True)
class Reports:
    """How many users run a mechanism, each on the own record."""

    count: sp.Expr

    __repr__ = short

    setting = Setting.SHUFFLED

    @property
    def values(self) -> Mapping[sp.Symbol, sp.Expr]:
        """What the symbols of the theorems about it are here."""
        return {k: self.count}

    @property
    def domain(self) -> tuple[Proposition, ...]:
        """A number of users is whole, and at least 1."""
        return IsInteger(self.count), Relation(self.count, ">=", sp.S.One)

    def subs(self, table: Mapping[sp.Symbol, sp.Expr]) -> Reports:
        """The same for another number of users."""
        return Reports(substitute(self.count, table))

    def __str__(self) -> str:
        return f"n={plain(self.count)}"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Selection(Mechanism):
    """So many runs, as a mechanism; its parameters are the symbols of what runs and of how often."""

    inner: Use | Subsampled | Composed
    trials: Trials | Reports

    def repeated(self, args: Mapping[sp.Symbol, sp.Expr]) -> Use | Subsampled | Composed:
        """What runs, at these parameters."""
        return self.inner.subs(args)

    def written(self, args: Mapping[sp.Symbol, sp.Expr]) -> str:
        """As it is asked for."""
        return f"{self.id}({self.repeated(args)}, {self.trials.subs(args)})"

    def __hash__(self) -> int:
        return hash((self.id, self.trials))


def best_of(inner: Use | Subsampled | Composed, often: Trials) -> Use:
    """The best of so many independent runs of it."""
    return runs_of(inner, often)


def shuffled(inner: Use | Subsampled | Composed, n: object) -> Use:
    """The reports of n users in random order, each made by it from the user's own record.

    Raises:
        StatementError: where n is a number, but none of users, and where a report is itself one of many users.
    """
    if f"{SHUFFLED}(" in str(inner):
        raise StatementError(f"{inner} is about the records of many users: what is shuffled is made from one record")
    count = sane("n", given(n))
    if count.is_number and not (is_whole(count) and count >= 1):
        raise StatementError(f"shuffled with n = {plain(count)}: the number of users is a positive integer")
    return runs_of(inner, Reports(count))


def runs_of(inner: Use | Subsampled | Composed, often: Trials | Reports) -> Use:
    """So many runs of it, of which the best answer is given out, or all in random order."""
    best = isinstance(often, Trials)
    symbols = inner.free_symbols.union(*(value.free_symbols for value in often.values.values()))
    mechanism = Selection(
        id=BEST if best else SHUFFLED,
        title=f"the best of a random number of runs of {inner}" if best else f"shuffled reports of {inner}",
        params=dict.fromkeys(sorted(symbols, key=str)),
        domain=(*inner.domain, *often.domain),
        outputs=None,
        description="it runs a random number of times, and the answer with the best score is given out"
        if best
        else "each user runs it on the own record, and the reports are given out in random order",
        instances=tuple(_instances(inner, often)) if isinstance(often, Trials) else (),
        norm=Norm.NONE,
        adjacency=of(inner),
        claims=(),
        source=Source("PS22" if best else "FMT21"),
        inner=inner,
        trials=often,
    )
    return Use(mechanism, {symbol: symbol for symbol in symbols})


def inside(source: Use) -> tuple[Use | Subsampled | Composed, Trials | Reports] | None:
    """What runs, and how often, where it is many runs of one mechanism."""
    if not isinstance(source.mechanism, Selection):
        return None
    return source.mechanism.repeated(source.args), source.mechanism.trials.subs(source.args)


def _instances(inner: Use | Subsampled | Composed, often: Trials) -> Iterator[Instance]:
    """Of finitely many answers, alike ones taken together; the later in the list are better."""
    pair = inner.mechanism.outputs if isinstance(inner, Use) else None
    if not isinstance(inner, Use) or pair is None or not all(isinstance(d, Finite) for d in pair):
        return
    first, second = (_selected(d.subs(inner.args), often) for d in pair if isinstance(d, Finite))
    yield Instance(outputs=(first, second), what=f"the best of the answers of {inner.mechanism.id}, in their order")


def _selected(answers: Finite, often: Trials) -> Finite:
    """How likely each answer is the best; a sliver of the worst is above the rest of it."""
    together = (p * n for p, n in zip(answers.probabilities, answers.multiplicities, strict=True) if n != 0)
    worst, *others = together
    below = list(accumulate((worst * (1 - _SLIVER), worst * _SLIVER, *others), initial=sp.S.Zero))
    chances = [often.generating(u) for u in (*below[:-1], sp.S.One)]
    nothing = () if chances[0] == 0 else (chances[0],)
    differences: Iterable[sp.Expr] = (after - before for before, after in pairwise(chances))
    if often.shape is not None and often.shape.is_Integer and often.shape != 0:
        differences = map(_one_fraction, differences)  # it is compared many times faster than two
    return Finite((*nothing, *differences))


def _one_fraction(value: sp.Expr) -> sp.Expr:
    """The value as one fraction, unless exp(1) stands in it to a power so high that nobody waits for it."""
    powers = (e.args[0] for e in value.atoms(sp.exp))
    return value if any(p.is_Rational and max(abs(p.p), p.q) > _HIGHEST for p in powers) else sp.factor(value)
