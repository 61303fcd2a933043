"""The cost of one step by a notion: a number that is exact or rounded up, with the fact that says so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, localcontext
from fractions import Fraction
from typing import TypeAlias

import sympy as sp

from dpsym import answering
from dpsym.core.display import short
from dpsym.core.notation import alpha
from dpsym.core.plain_printer import plain
from dpsym.core.relations import Relation
from dpsym.deriving import DerivationError, Fact
from dpsym.deriving.fact import Status
from dpsym.entries.notions.rdp import rdp
from dpsym.language import read_goal, read_source
from dpsym.numbers import NotEnclosed, NotNumeric, Undefined, Unresolved, compare, enclose
from dpsym.statements import Adjacency, Composed, Definition, Guarantee, Subsampled, Use
from dpsym.statements.adjacency import OtherNeighbours, covers, word_of
from dpsym.statements.uses import Runs

Spendable: TypeAlias = Use | Subsampled | Composed | Guarantee

_DIGITS = 20  # of what is rounded
_SHOWN = 12  # digits of a number that is no short fraction


class NoPrice(ValueError):
    """Nothing is known of a step by the notion in which a budget is counted."""


@dataclass(frozen=True, slots=True)
class Price:
    """The cost of a step.

    Attributes:
        of: the mechanism, or the guarantee that one has.
        costs: its guarantee in numbers; what is spent is rounded up where they are not rational.
        fact: how that is known; None where it was given.
        neighbours: for which neighbours.
        leak: the probability with which it may tell everything, besides.
    """

    of: Spendable
    costs: Guarantee
    fact: Fact | None
    neighbours: Adjacency
    leak: sp.Rational = sp.S.Zero

    def __str__(self) -> str:
        costs = written(self.costs, ROUND_CEILING)
        return costs if self.of == self.costs else f"{costs} for {self.of}"

    __repr__ = short


def price(
    of: Spendable,
    notion: Definition,
    fixed: Mapping[sp.Symbol, sp.Basic],
    enough: Mapping[sp.Symbol, sp.Basic] | None = None,
) -> Price:
    """The best guarantee of the notion that is known of a step, at the values that are fixed (an order, a delta).

    Args:
        of: a mechanism at given parameters, a composition or a sample of some, or a guarantee.
        notion: in which it is counted.
        fixed: parameters of the notion that are fixed beforehand.
        enough: parameters that may be chosen, and what is enough of them (the order up to which tCDP holds).

    Raises:
        NoPrice: where none is known, or it is not a number.
    """
    if isinstance(of, Guarantee) and of.definition is notion:
        found = of.subs({alpha: fixed[alpha]}) if notion is rdp and of.args[0] == alpha else of
        if any(found.bound[p] != value for p, value in fixed.items()):
            wanted = ", ".join(f"{p} = {value}" for p, value in fixed.items())
            raise NoPrice(f"{of} is at another {', '.join(map(str, fixed))}; the budget is counted at {wanted}")
        return Price(of, in_numbers(found), None, Adjacency.ANY)
    if isinstance(of, Guarantee):
        in_numbers(of)
    try:
        fact = _derived(of, notion, fixed, enough or {})
    except DerivationError as error:
        raise NoPrice(f"what {of} costs by {notion.short} is not known: {error}") from None
    if unknown := [str(c.proposition) for c in fact.all_conditions if c.status in (Status.OPEN, Status.FALSE)]:
        raise NoPrice(f"what {of} costs by {notion.short} is known only where {', '.join(unknown)}")
    return Price(of, in_numbers(fact.guarantee), fact, fact.adjacency)


def _derived(
    of: Spendable,
    notion: Definition,
    fixed: Mapping[sp.Symbol, sp.Basic],
    enough: Mapping[sp.Symbol, sp.Basic],
) -> Fact:
    """The fact that is known with its own values of those, or else with what is enough."""
    try:
        return answering.derive(of, notion.goal(**{str(p): value for p, value in fixed.items()}))
    except DerivationError:
        if not enough:
            raise
        return answering.derive(of, notion.goal(**{str(p): value for p, value in {**fixed, **enough}.items()}))


def written(guarantee: Guarantee, rounding: str) -> str:
    """The guarantee with decimals, rounded in that direction, where its numbers are no short fractions."""
    return f"{guarantee.definition.id}({', '.join(_number(arg, rounding) for arg in guarantee.args)})"


def _number(value: sp.Basic, rounding: str) -> str:
    exact = plain(value)
    if len(exact) <= _SHOWN:
        return exact
    end = enclose(value, {}, digits=_DIGITS)
    with localcontext(prec=_SHOWN, rounding=rounding):
        return f"{+(end.upper if rounding == ROUND_CEILING else end.lower):f}"


def a_guarantee(said: Guarantee | str) -> Guarantee:
    """The guarantee, or that of the text.

    Raises:
        TypeError: for what is none.
        ReadingError: for text that cannot be read.
    """
    found = read_goal(said) if isinstance(said, str) else said
    if not isinstance(found, Guarantee):
        raise TypeError(f"{found!r} is no budget: expected a guarantee, such as zcdp(1)")
    return found


def a_step(of: Spendable | str) -> Spendable:
    """The step, or that of the text.

    Raises:
        TypeError: for what is none.
        ReadingError: for text that cannot be read.
    """
    if isinstance(of, str):
        return read_source(of)
    if not isinstance(of, Runs | Guarantee):
        raise TypeError(f"{of!r} is no step: expected a mechanism, a composition, a sample, or a guarantee of one")
    return of.alone if isinstance(of, Runs) else of


def between(neighbours: Adjacency) -> str:
    """For which neighbours something is, on a line of its own; nothing where it is for any."""
    return "" if neighbours is Adjacency.ANY else f"\nneighbours: {neighbours.value}"


def about(neighbours: Adjacency, prices: Iterable[Price]) -> None:
    """Let steps pass that are known for these neighbours.

    They are fixed beforehand: where answers decide whether one is replaced or removed, all answers together are
    private for neither.

    Raises:
        OtherNeighbours: for a step that is not.
    """
    for one in prices:
        if not covers(one.neighbours, neighbours):
            raise OtherNeighbours(
                f"{one.of} is about {one.neighbours.value}, this about {neighbours.value}, fixed beforehand"
                f" (adjacent={word_of(one.neighbours)!r}, from the start); nothing was spent"
            )


def above(value: sp.Basic) -> sp.Rational:
    """The number itself where it is rational, and otherwise a rational that is a little larger.

    Raises:
        NoPrice: where it is not a number.
    """
    return _rounded(value, "upper")


def below(value: sp.Basic) -> sp.Rational:
    """The number itself where it is rational, and otherwise a rational that is a little smaller.

    Raises:
        NoPrice: where it is not a number.
    """
    return _rounded(value, "lower")


def _rounded(value: sp.Basic, side: str) -> sp.Rational:
    if isinstance(value, sp.Rational):
        return value
    if value.free_symbols:
        raise NoPrice(f"{value} is not a number: give {', '.join(sorted(map(str, value.free_symbols)))} a value")
    try:
        end = getattr(enclose(value, {}, digits=_DIGITS), side)
    except (NotEnclosed, NotNumeric, Undefined, Unresolved) as error:
        raise NoPrice(f"{value} is not a number: {error}") from None
    if not end.is_finite():
        raise NoPrice(f"{value} is not finite")
    exact = Fraction(end)
    return sp.Rational(exact.numerator, exact.denominator)


def in_numbers(guarantee: Guarantee) -> Guarantee:
    """The guarantee, where it is in numbers and inside its domain.

    Raises:
        NoPrice: where it is not.
    """
    for symbol in sorted(guarantee.free_symbols, key=str):
        raise NoPrice(f"{guarantee} is not a number: give {symbol} a value")
    for condition in guarantee.domain:
        if isinstance(condition, Relation) and not compare(condition).holds:
            raise NoPrice(f"{guarantee}: {condition} does not hold")
    return guarantee
