"""When to give up: time limits, and work that costs too much.

The clock shows the processor's time of this process, so that a busy machine changes no answer.  Where others use the
processor, or where something waits, it still advances at an eighth of the pace of the wall's clock: nothing takes
longer than eight times its limit.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

_T = TypeVar("_T")

_SLOWEST = 1 / 8  # of the wall's clock
_LOOK = 16  # things between looks at the clock: a look takes a microsecond


class _Clock:
    """What it showed last, and when that was on both others; one value, so that no thread tears it."""

    def __init__(self) -> None:
        self._last = (time.monotonic(), time.process_time(), time.monotonic())

    def now(self) -> float:
        shown, processor, wall = self._last
        at = (time.process_time(), time.monotonic())
        passed = max(at[0] - processor, _SLOWEST * (at[1] - wall), 0.0)
        self._last = (shown + passed, *at)
        return shown + passed


now = _Clock().now  # in seconds, from an arbitrary start; only differences within one process mean anything


class OutOfTime(TimeoutError):
    """The deadline has passed."""


class TooCostly(ArithmeticError):
    """This method would need more work than is reasonable here; another one may not."""


class Deadline:
    """So many seconds from now; None never ends."""

    def __init__(self, seconds: float | None) -> None:
        self.end = math.inf if seconds is None else now() + seconds  # on this module's clock

    @property
    def passed(self) -> bool:
        """Whether it is over."""
        return self.end < math.inf and now() >= self.end

    @property
    def left(self) -> float:
        """Seconds that are left; infinity without an end."""
        return math.inf if self.end == math.inf else self.end - now()

    def check(self) -> None:
        """Give up if it is over.

        Raises:
            OutOfTime: if it is.
        """
        if self.passed:
            raise OutOfTime("the time limit was reached")

    def watched(self, things: Iterable[_T]) -> Iterator[_T]:
        """The same things, while there is time.

        Raises:
            OutOfTime: between two of them, soon after it is over.
        """
        for i, thing in enumerate(things):
            if i % _LOOK == 0:
                self.check()
            yield thing
