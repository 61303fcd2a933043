"""When to give up: out of time, or too much to do."""

from __future__ import annotations

from dpsym.clock import now


class OutOfTime(TimeoutError):
    """The deadline has passed."""


class TooCostly(ArithmeticError):
    """This method would need more work than is reasonable here; another one may not."""


class Deadline:
    """So many seconds from now; None never ends."""

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else now() + seconds

    @property
    def passed(self) -> bool:
        """Whether it is over."""
        return self._end is not None and now() >= self._end

    @property
    def left(self) -> float:
        """Seconds that are left; infinity without an end."""
        return float("inf") if self._end is None else self._end - now()

    def check(self) -> None:
        """Give up if it is over.

        Raises:
            OutOfTime: if it is.
        """
        if self.passed:
            raise OutOfTime("the time limit was reached")
