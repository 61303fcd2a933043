"""When to give up: time limits, and work that costs too much.

The clock shows the processor's time of this process, so that a busy machine changes no answer.  Where others use the
processor, or where something waits, it still advances at an eighth of the pace of the wall's clock: nothing takes
longer than eight times its limit.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

_T = TypeVar("_T")

_SLOWEST = 1 / 8  # of the wall's clock
# in WebAssembly the processor's time is the wall's, and after 36 minutes the 32 bits of its microseconds are full
_processor = time.monotonic if sys.platform == "emscripten" else time.process_time
_LOOK = 16  # things between looks at the clock: a look takes a microsecond


class _Clock:
    """What it showed last, and when that was on both others; one value, so that no thread tears it."""

    def __init__(self) -> None:
        self._last = (time.monotonic(), _processor(), time.monotonic())

    def now(self) -> float:
        shown, processor, wall = self._last
        at = (_processor(), time.monotonic())
        passed = max(at[0] - processor, _SLOWEST * (at[1] - wall), 0.0)
        self._last = (shown + passed, *at)
        return shown + passed


now = _Clock().now  # in seconds, from an arbitrary start; only differences within one process mean anything


class OutOfTime(TimeoutError):
    """The deadline has passed."""


class TooCostly(ArithmeticError):
    """This method would need more work than is reasonable here; another one may not."""


class Deadline:
    """So many seconds from now; None never ends.

    It knows whether anything was left out for its sake: only then does what was found depend on the machine.
    """

    def __init__(self, seconds: float | None) -> None:
        self.end = math.inf if seconds is None else now() + seconds  # on this module's clock
        self._cuts: list[None] = []

    @property
    def passed(self) -> bool:
        """Whether it is over; whoever is told so gives up, and that is remembered."""
        over = self.end < math.inf and now() >= self.end
        if over:
            self.cut_short()
        return over

    @property
    def cut(self) -> bool:
        """Whether it, or a part of it, was over before the work was, or work was left out that would not fit."""
        return bool(self._cuts)

    def cut_short(self) -> None:
        """Remember that something was left out."""
        self._cuts[:] = [None]

    def share(self, of_what_is_left: float, least: float = 0.0) -> Deadline:
        """A part of what is left, but no fewer seconds than `least`; what is left out there is left out here."""
        found = Deadline(None if self.end == math.inf else max(of_what_is_left * self.left, least))
        found._cuts = self._cuts
        return found

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
