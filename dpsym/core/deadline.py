"""When to give up: time limits, and work that costs too much.

Which clock a limit is kept on is not for whoever sets it: see `dpsym.core.clocks`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeVar

from dpsym.core.clocks import asked, by_itself, clock

_T = TypeVar("_T")

_LOOK = 16  # things between looks at the clock: a look takes a microsecond
LEAST = 0.05  # seconds, for an easy question that is asked even where the time is over


def now() -> float:
    """In seconds, from an arbitrary start; only differences within one thread mean anything.

    For what took so long; whether time is up is for `over` to say.
    """
    return clock().now()


class timed:
    """So many seconds (None: no end) for all that runs inside, in place of those left; afterwards those again.

    What is left out inside for want of time is left out of what this is a part of.
    """

    __slots__ = ("_before", "_end")

    def __init__(self, seconds: float | None) -> None:
        self._end = math.inf if seconds is None else now() + seconds

    def __enter__(self) -> None:
        own = clock()
        self._before = own.end, own.cut
        own.end, own.cut = self._end, False

    def __exit__(self, *_: object) -> None:
        own = clock()
        own.end, own.cut = self._before[0], self._before[1] or own.cut


def remaining() -> float:
    """Seconds left of what this is a part of, 0 where it is over; infinity where nobody set a limit."""
    end = clock().end
    return end if end == math.inf else max(end - now(), 0.0)


def portion(part: float, least: float = 0.0) -> float:
    """This part of the seconds left, but no fewer than `least`."""
    return max(part * remaining(), least)


def over(least: float = 0.0) -> bool:
    """Whether no more than so many seconds are left; whoever is told so leaves something out, which is remembered."""
    end = clock().end
    found = end != math.inf and now() + least >= end
    if found:
        leave_out()
    return found


def leave_out() -> None:
    """Remember that something is left out for want of time."""
    own = clock()
    own.cut = True
    own.reached()


def note(*, finished: bool) -> None:
    """Remember whether a part that kept time by itself left something out."""
    clock().cut |= not finished


def cut() -> bool:
    """Whether something was left out: only then does what was found depend on the machine."""
    return clock().cut


def check() -> None:
    """Give up if the time is over.

    Raises:
        OutOfTime: if it is.
    """
    if over():
        raise OutOfTime("the time limit was reached")


def watched(things: Iterable[_T]) -> Iterator[_T]:
    """The same things, while there is time.

    Raises:
        OutOfTime: between two of them, soon after it is over.
    """
    for i, thing in enumerate(things):
        if i % _LOOK == 0:
            check()
        yield thing


def apart(limit: float, work: Callable[[], _T]) -> _T:
    """What the work finds in the time left, or within the limit if that is less: a limit that only it knows of."""
    seconds = min(limit, remaining())
    return asked(seconds, partial(by_itself, seconds, work))


class OutOfTime(TimeoutError):
    """The deadline has passed."""


class TooCostly(ArithmeticError):
    """This method would need more work than is reasonable here; another one may not."""
