"""Exact numbers spread over magnitudes, with the ends that break programs; they shrink to short ones."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

Numbers = st.SearchStrategy[Fraction]

TEN = Fraction(10)  # exact, so that its powers are


def powers(smallest: int, largest: int) -> Numbers:
    """m * 10**e with one or two digits m and smallest <= e <= largest; shrinks towards 1.

    Raises:
        ValueError: for smallest > largest.
    """
    if smallest > largest:
        raise ValueError(f"no exponent lies between {smallest} and {largest}")
    digits = st.one_of(st.integers(1, 9), st.integers(1, 99))
    ends = st.sampled_from((smallest, largest))
    return st.builds(lambda m, e: m * TEN**e, digits, st.one_of(st.integers(smallest, largest), ends))


def above(low: Fraction | int = 0, *, nearest: int = -3, furthest: int = 6, closed: bool = False) -> Numbers:
    """Numbers above `low`, from 10**nearest to 10**furthest away; `closed` takes `low` itself, too."""
    away = powers(nearest, furthest).map(lambda x: Fraction(low) + x)
    return st.one_of(st.just(Fraction(low)), away) if closed else away


def between(
    low: Fraction | int,
    high: Fraction | int,
    *,
    nearest: int = -12,
    closed_below: bool = False,
    closed_above: bool = False,
) -> Numbers:
    """Numbers between two ends: round ones, and ones down to 10**nearest times the width away from either end.

    Raises:
        ValueError: for an empty interval, or `nearest` above -1.
    """
    low, high = Fraction(low), Fraction(high)
    width = high - low
    if width < 0 or (width == 0 and not (closed_below and closed_above)):
        raise ValueError(f"nothing lies between {low} and {high}")
    if nearest > -1:
        raise ValueError(f"nearest = {nearest} is not below 0: a share of the width is 10**nearest")
    if width == 0:
        return st.just(low)
    corner = st.sampled_from((-1, nearest))  # not `just`: what is drawn without a choice would be the simplest
    exponents = st.one_of(st.integers(max(nearest, -12), -1), st.integers(nearest, -1), corner)
    small = st.builds(lambda m, e: m * TEN**e, st.integers(1, 9), exponents)
    shares = [
        st.builds(lambda n, d: Fraction(n, n + d), st.integers(1, 9), st.integers(1, 9)),
        small,
        small.map(lambda x: 1 - x),
    ]
    ends = [st.just(Fraction(0))] if closed_below else []
    ends += [st.just(Fraction(1))] if closed_above else []
    return st.one_of(*shares, *ends).map(lambda share: low + width * share)


def deltas(*, smallest: int = -300) -> Numbers:
    """delta in (0, 1): 10**-5 and its like, close to 1, and down to 10**smallest."""
    usual = st.builds(lambda m, e: m * TEN**e, st.integers(1, 9), st.integers(max(smallest, -15), -1))
    return st.one_of(usual, between(0, 1, nearest=smallest))


def rates(*, nearest: int = -12, all_records: bool = True) -> Numbers:
    """Sampling rates in (0, 1), near both ends; 1 as well, where `all_records`."""
    return between(0, 1, nearest=nearest, closed_above=all_records)


def orders(*, nearest: int = -9, largest: int = 4) -> Numbers:
    """Orders alpha > 1: small integers, close to 1, large."""
    return st.one_of(st.integers(2, 64).map(Fraction), above(1, nearest=nearest, furthest=largest))


def counts(*, most: int = 100_000) -> st.SearchStrategy[int]:
    """How often something is repeated: small numbers, powers of ten and their neighbours.

    Raises:
        ValueError: for most < 1.
    """
    if most < 1:
        raise ValueError(f"at most {most} repetitions is none")
    tens = [10**e + d for e in range(1, len(str(most))) for d in (-1, 0, 1) if 10**e + d <= most]
    return st.one_of(st.integers(1, min(most, 8)), st.integers(1, most), *([st.sampled_from(tens)] if tens else []))
