"""Assertions about divergences and conversions that speak of no particular mechanism."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from dpsym.core.distributions import Finite
from dpsym.testing.domains import as_fraction
from dpsym.testing.failures import LawBroken, short
from dpsym.testing.numbers import above
from dpsym.testing.oracles import ROUNDING, Refusals, share
from dpsym.testing.pairs import Pair, finite_pairs
from dpsym.testing.searching import INFINITE, Examined, PassedOver, search, unanswered
from dpsym.testing.truths import number

Divergence = Callable[[Sequence[float], Sequence[float]], Any]


def assert_postprocessing(
    divergence: Divergence,
    *,
    pairs: st.SearchStrategy[Pair] | None = None,
    rounding: Any = ROUNDING,
    unsupported: Refusals = (NotImplementedError,),
    examples: int | None = None,
) -> Examined:
    """A function of the output never tells the two distributions further apart.

    Args:
        divergence: of two lists of probabilities of the same outcomes.
        rounding: by how much it may grow all the same, relatively (and absolutely, below 1).
        unsupported: what it raises where it does not say anything.

    Raises:
        LawBroken: with the smallest pair that was found, and which outcomes were merged.
        NothingExamined: where it is never finite.
    """

    __tracebackhide__ = True
    lost = share("rounding", rounding)

    def check(pair: Pair, merged: list[int]) -> None:
        first, second = (_masses(one) for one in pair)
        groups = [merged[i % len(merged)] for i in range(len(first))]
        before = _answered(unsupported, divergence, [float(x) for x in first], [float(x) for x in second])
        after = _answered(unsupported, divergence, *(_merge(one, groups) for one in (first, second)))
        for value, what in ((before, ""), (after, f", the outcomes merged into {groups}")):
            if value.is_nan():
                raise LawBroken(f"{[str(x) for x in first]} and {[str(x) for x in second]}{what}: NaN")
        if not after <= before + (lost * max(Decimal(1), abs(before)) if before.is_finite() else 0):
            raise LawBroken(
                f"{[str(x) for x in first]} and {[str(x) for x in second]}: {short(before)}\n"
                f"  the outcomes merged into {groups}: {short(after)}, which is larger by {after - before:.6g}"
            )
        if before.is_infinite():
            raise PassedOver(INFINITE)

    labels = st.lists(st.integers(0, 2), min_size=1, max_size=6)
    return search(check, (finite_pairs() if pairs is None else pairs, labels), examples)


def assert_roundtrip(
    forth: Callable[[float], Any],
    back: Callable[[Any], Any],
    *,
    values: st.SearchStrategy[Any] | None = None,
    exact: bool = False,
    rounding: Any = ROUNDING,
    unsupported: Refusals = (NotImplementedError,),
    examples: int | None = None,
) -> Examined:
    """There and back again a guarantee is no better than before; with `exact` it is the same.

    Args:
        forth: converts the parameter of one guarantee (smaller is better) into another one's.
        back: converts it back.
        unsupported: what they raise where they do not say anything.

    Raises:
        LawBroken: with the value, what it became, and what came back.
        NothingExamined: where nothing finite came back.
    """

    __tracebackhide__ = True
    lost = share("rounding", rounding)

    def check(value: float) -> None:
        try:
            there = forth(value)
            returned, start = number(back(there)), number(value)
        except unsupported as error:
            raise unanswered(error) from None
        if returned.is_nan():
            raise LawBroken(f"{value!r} became {there!r} and came back as NaN")
        slack = lost * abs(start)
        if not returned >= start - slack:
            raise LawBroken(
                f"{value!r} became {there!r} and came back as {short(returned)}: better by {start - returned:.6g}"
            )
        if exact and not returned <= start + slack:
            raise LawBroken(
                f"{value!r} became {there!r} and came back as {short(returned)}: worse by {returned - start:.6g}"
            )
        if returned.is_infinite():
            raise PassedOver(INFINITE)

    return search(check, (above(0, nearest=-6, furthest=2).map(float) if values is None else values,), examples)


def _answered(unsupported: Refusals, divergence: Divergence, *masses: Sequence[float]) -> Decimal:
    try:
        return number(divergence(*masses))
    except unsupported as error:
        raise unanswered(error) from None


def _masses(one: Any) -> list[Fraction]:
    if not isinstance(one, Finite):
        raise TypeError(f"{one} is not a list of probabilities")
    return [as_fraction(p) for p in one.probabilities]


def _merge(masses: list[Fraction], groups: list[int]) -> list[float]:
    names = sorted(set(groups))
    return [float(sum((m for m, g in zip(masses, groups, strict=True) if g == name), Fraction(0))) for name in names]
