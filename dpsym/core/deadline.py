"""When to give up: time limits, and work that costs too much.

Which clock a limit is kept on is not for whoever sets it: see `dpsym.core.clocks`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from dpsym.core.clocks import asked, clock

_T = TypeVar("_T")

_LOOK = 16  # things between looks at the clock: a look takes a microsecond


def now() -> float:
    """In seconds, from an arbitrary start; only differences within one thread mean anything.

    For setting deadlines: whether one is over is for `over` to say.
    """
    return clock().now()


def over(deadline: float, least: float = 0.0) -> bool:
    """Whether fewer than so many seconds are left until then; whoever is told so leaves something out."""
    found = now() + least > deadline
    if found:
        clock().reached()
    return found


def apart(limit: float, deadline: float, work: Callable[[float], _T]) -> _T:
    """What the work finds until then, or within the limit if that is sooner: a limit that only it knows of."""
    seconds = min(limit, deadline - now())
    return asked(seconds, lambda: work(now() + seconds))


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
        found = over(self.end)
        if found:
            self.cut_short()
        return found

    @property
    def cut(self) -> bool:
        """Whether it, or a part of it, was over before the work was, or work was left out that would not fit."""
        return bool(self._cuts)

    def cut_short(self) -> None:
        """Remember that something was left out."""
        clock().reached()
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
