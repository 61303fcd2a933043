"""Assertions about divergences and conversions that speak of no particular mechanism."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from dpsym.distributions import Finite
from dpsym.testing.domains import as_fraction
from dpsym.testing.numbers import above
from dpsym.testing.oracles import ROUNDING, LawBroken
from dpsym.testing.pairs import Pair, finite_pairs
from dpsym.testing.truths import number

Divergence = Callable[[Sequence[float], Sequence[float]], Any]


def assert_postprocessing(
    divergence: Divergence,
    *,
    pairs: st.SearchStrategy[Pair] | None = None,
    rounding: Decimal = ROUNDING,
    examples: int | None = None,
) -> None:
    """A function of the output never tells the two distributions further apart.

    Args:
        divergence: of two lists of probabilities of the same outcomes.
        rounding: by how much it may grow all the same, relatively (and absolutely, below 1).

    Raises:
        LawBroken: with the smallest pair that was found, and which outcomes were merged.
    """

    def check(pair: Pair, merged: list[int]) -> None:
        first, second = (_masses(one) for one in pair)
        groups = [merged[i % len(merged)] for i in range(len(first))]
        before = number(divergence([float(x) for x in first], [float(x) for x in second]))
        less = [_merge(one, groups) for one in (first, second)]
        after = number(divergence(*less))
        if not after <= before + rounding * max(Decimal(1), abs(before)):
            raise LawBroken(
                f"{[str(x) for x in first]} and {[str(x) for x in second]}: {before:.12g}\n"
                f"  the outcomes merged into {groups}: {after:.12g}, which is larger by {after - before:.6g}"
            )

    labels = st.lists(st.integers(0, 2), min_size=1, max_size=6)
    _run(check, examples, finite_pairs() if pairs is None else pairs, labels)


def assert_roundtrip(
    forth: Callable[[float], Any],
    back: Callable[[Any], Any],
    *,
    values: st.SearchStrategy[Any] | None = None,
    exact: bool = False,
    rounding: Decimal = ROUNDING,
    examples: int | None = None,
) -> None:
    """There and back again a guarantee is no better than before; with `exact` it is the same.

    Args:
        forth: converts the parameter of one guarantee (smaller is better) into another one's.
        back: converts it back.

    Raises:
        LawBroken: with the value, what it became, and what came back.
    """

    def check(value: float) -> None:
        there = forth(value)
        returned, start = number(back(there)), number(value)
        slack = rounding * abs(start)
        if not returned >= start - slack:
            raise LawBroken(
                f"{value!r} became {there!r} and came back as {returned:.12g}: better by {start - returned:.6g}"
            )
        if exact and not returned <= start + slack:
            raise LawBroken(
                f"{value!r} became {there!r} and came back as {returned:.12g}: worse by {returned - start:.6g}"
            )

    _run(check, examples, above(0, nearest=-6, furthest=2).map(float) if values is None else values)


def _masses(one: Any) -> list[Fraction]:
    if not isinstance(one, Finite):
        raise TypeError(f"{one} is not a list of probabilities")
    return [as_fraction(p) for p in one.probabilities]


def _merge(masses: list[Fraction], groups: list[int]) -> list[float]:
    names = sorted(set(groups))
    return [float(sum((m for m, g in zip(masses, groups, strict=True) if g == name), Fraction(0))) for name in names]


def _run(check: Callable[..., None], examples: int | None, *strategies: st.SearchStrategy[Any]) -> None:
    chosen: dict[str, Any] = {} if examples is None else {"max_examples": examples}

    @settings(
        deadline=None, database=None, print_blob=False, report_multiple_bugs=False,
        phases=(Phase.generate, Phase.target, Phase.shrink), suppress_health_check=list(HealthCheck), **chosen,
    )  # fmt: skip
    @given(st.tuples(*strategies))
    def examine(arguments: tuple[Any, ...]) -> None:
        check(*arguments)

    examine()
