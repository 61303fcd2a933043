"""The end of what is enough, closed in between a value that is enough and one that is not."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import TypeVar

_V = TypeVar("_V", float, Fraction)


def closed_in(
    ask: Callable[[_V], tuple[bool | None, float]],
    good: tuple[_V, float],
    bad: tuple[_V, float],
    place: Callable[[_V, _V, float], _V],
    near: Callable[[_V, _V], bool],
    most: int,
    halved: Callable[[int, _V, _V], bool] = lambda *_: False,
) -> tuple[_V, _V, _V | None]:
    """A value that is enough and one that is not, near to each other, by regula falsi (Illinois).

    Args:
        ask: whether a value is enough (None: it could not be told, which ends the search), and about how much it falls
            short: negative where it is more than enough, infinite where that is not known.
        good, bad: a value that is enough and one that is not, each with what it falls short by.
        place: a value between a bad and a good one, by a share of the way from the bad one.
        near: whether a bad and a good one are near enough to each other.
        most: values that are tried.
        halved: whether to try the middle all the same: after so many values, between a bad and a good one.

    Returns:
        The good value, the bad one, and the one of which it could not be told.
    """
    (good_at, low), (bad_at, high), last = good, bad, 0
    for count in range(most):
        if near(bad_at, good_at):
            break
        usable = math.isfinite(low) and math.isfinite(high) and high > low
        share = high / (high - low) if usable and not halved(count, bad_at, good_at) else 0.5
        x = place(bad_at, good_at, min(max(share, 0.0), 1.0))
        enough, gap = ask(x)
        if enough is None:
            return good_at, bad_at, x
        if enough:
            good_at, low = x, gap
            high, last = (high / 2 if last > 0 else high), 1
        else:
            bad_at, high = x, gap
            low, last = (low / 2 if last < 0 else low), -1
    return good_at, bad_at, None


def halved(
    enough: Callable[[Fraction], bool | None],
    good: Fraction,
    bad: Fraction,
    most: int,
    near: Callable[[Fraction, Fraction], bool] = lambda *_: False,
    middle: Callable[[Fraction], Fraction] = lambda x: x,
) -> tuple[Fraction, Fraction]:
    """As `closed_in`, where it is not known how much a value falls short; the good value and the bad one.

    Args:
        enough: whether a value is; None, where it could not be told, ends the search.
        good, bad: a value that is enough and one that is not.
        most: values that are tried.
        near: whether a bad and a good one are near enough to each other.
        middle: of the middle between the two, what is tried.
    """
    unknown = math.inf
    return closed_in(
        lambda x: (enough(x), unknown),
        (good, unknown),
        (bad, unknown),
        lambda bad, good, _: middle((bad + good) / 2),
        near,
        most,
    )[:2]
