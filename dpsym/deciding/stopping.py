"""Work that stops at a deadline, whatever it is doing.

Rungs look at the clock themselves; what they call (SymPy above all) does not.  A watching thread raises an exception
in the thread that works, again and again until it is heard, which is between two steps of Python: one operation of
a C library is not interrupted, so those are bounded in size where they are called.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from flint import ctx

T = TypeVar("T")

_AGAIN = 0.05  # seconds between two calls to stop
_SHORTEST = 0.01  # seconds; with less left nothing is begun


class OutOfTime(BaseException):
    """The time for some work is up; not an `Exception`, so that nothing on the way takes it for its own."""


def within(deadline: float, work: Callable[[], T], otherwise: T) -> T:
    """The result of the work; `otherwise` where it is not done by the deadline (on `time.monotonic`'s clock).

    What the work changes in place is left as it was when it was stopped; the working precision is restored.
    """
    if deadline - time.monotonic() < _SHORTEST:
        return otherwise
    bits = ctx.prec
    watch = _Watch(deadline)
    try:
        try:
            watch.start()
            return work()
        finally:
            watch.stop()
    except (watch.signal, SystemError) as error:  # the latter from a C library whose callback was stopped
        if not _comes_from(error, watch.signal):
            raise
        watch.stop()
        ctx.prec = bits
        return otherwise


class _Watch:
    """One deadline of one thread, with an exception of its own, so that deadlines can be nested."""

    def __init__(self, deadline: float) -> None:
        self.signal: type[OutOfTime] = type("OutOfTime", (OutOfTime,), {})
        self._deadline = deadline
        self._over = threading.Event()
        self._worker = threading.get_ident()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Afterwards nothing is raised any more."""
        self._over.set()
        self._thread.join()
        _raise(self._worker, None)

    def _watch(self) -> None:
        wait = max(0.0, self._deadline - time.monotonic())
        while not self._over.wait(wait):
            _raise(self._worker, self.signal)
            wait = _AGAIN


def _comes_from(error: BaseException | None, signal: type[BaseException]) -> bool:
    while error is not None and not isinstance(error, signal):
        error = error.__cause__ or error.__context__
    return error is not None


def _raise(thread: int, signal: type[BaseException] | None) -> None:
    """Set, or take back, the exception that is raised next in a thread."""
    value = None if signal is None else ctypes.py_object(signal)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), value)
