"""How much work something is, counted in calls: a clock also shows what else the machine and its memory are doing."""

import contextlib
import math
import os
import sys
import threading
from typing import Any

from dpsym.core import deadline
from dpsym.deciding import timeout


class TooMuchWork(BaseException):
    """Not an `Exception`: what is tested may answer those."""


@contextlib.contextmanager
def work_at_most(calls):
    """Fails as soon as what runs inside has made more than `calls` calls, of Python or of C; a second has some 10^6."""
    made, before = 0, sys.getprofile()

    def count(_frame, event, _argument):
        nonlocal made
        made += event in ("call", "c_call")
        if made > calls:
            sys.setprofile(before)
            raise TooMuchWork(f"more than {calls} calls")

    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(before)
    if made > calls:  # where what ran inside has caught it
        raise TooMuchWork(f"more than {calls} calls")


# --- a clock of work, so that what is found within a limit is the same on any machine -------------------------------
_A_SECOND = 2_000_000  # events of a profile, of calls and returns; about what a second of a usual machine has


class WorkClock:
    """Time limits count calls of Python and of C instead of seconds, in this process, from when it is started.

    What exceeds its limit is stopped at a call, and always at the same one.  What calls nothing is not stopped.
    """

    def __init__(self) -> None:
        self.events = 0
        self._due = math.inf  # the number of events at which the first deadline is over
        self.watches: dict[int, Any] = {}  # those who are stopped when it is over, outer ones first
        self._each = self._counting()

    def start(self) -> None:
        """Take the place of the clock, and of the thread that watches over it."""
        deadline._processor, deadline._SLOWEST = self.seconds, 0.0
        timeout._watchers[os.getpid()] = self
        told = sys.unraisablehook

        def again(what: Any) -> None:  # what was stopped where nothing can be raised is stopped again at its next call
            if not issubclass(what.exc_type, timeout._Stopped):
                told(what)
            sys.setprofile(self._each)

        sys.unraisablehook = again
        self._thread = threading.get_ident()
        sys.setprofile(self._each)

    def seconds(self) -> float:
        """Of work; whoever asks makes sure that it is counted."""
        if (
            sys.getprofile() is None and threading.get_ident() == self._thread
        ):  # whoever was stopped was not counted any more
            sys.setprofile(self._each)
        return self.events / _A_SECOND

    def enter(self, watch: Any) -> None:
        """From now on something is raised when its time is up."""
        self.watches[id(watch)] = watch
        self._set()

    def leave(self, watch: Any) -> None:
        """Afterwards nothing is raised any more for this deadline, and for those inside it."""
        own = list(self.watches)
        for inner in own[own.index(id(watch)) :] if id(watch) in self.watches else ():
            del self.watches[inner]
        self._set()

    def _set(self) -> None:
        left = min((w.deadline for w in self.watches.values()), default=math.inf) - deadline.now()
        self._due = self.events + left * _A_SECOND

    def _counting(self):
        def each(_frame, event, _argument):
            self.events += 1
            if self.events >= self._due and event in ("call", "c_call"):
                self._ring()

        return each

    def _ring(self) -> None:
        time_now = deadline.now()
        for watch in list(self.watches.values()):
            if watch.deadline <= time_now:
                raise watch.signal
        self._set()
