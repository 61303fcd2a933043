"""Work that stops at a deadline, whatever it is doing.

Strategies look at the clock themselves; what they call (SymPy above all) does not.  A watching thread raises an
exception in the thread that works, again and again until it is heard, which is between two steps of Python: one
operation of a C library is not interrupted, so those are bounded in size where they are called.

Counted work (`dpsym.core.clocks`) is stopped by its clock, at a call.

One thread watches over all deadlines.  It is started before the first one is set: a thread that is only just being
started counts as the one that starts it, and would be hit in its place.  Where no thread can be started, an alarm takes
its place (`dpsym.deciding.alarm`).
"""

from __future__ import annotations

import ctypes
import math
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import mpmath
from flint import ctx

from dpsym.core.clocks import Kind, Stopped, Work, asked, clock, comes_from, guard
from dpsym.core.deadline import note, now, portion
from dpsym.deciding.alarm import Alarm

T = TypeVar("T")

_AGAIN = 0.05  # seconds between two calls to stop
_TICK = 0.005  # seconds between two looks at the deadlines
_IDLE = 0.02  # the same where there are none
_SHORTEST = 0.01  # seconds; with less left nothing is begun


def within(seconds: float, work: Callable[[], T], otherwise: T) -> T:
    """The result of the work in so many seconds, or those left where they are fewer; `otherwise` where it takes longer.

    What the work changes in place is left as it was when it was stopped; the working precisions of flint and mpmath are
    restored.
    """
    own, start = clock(), now()
    before, end = own.end, min(own.end, start + seconds)
    if end == math.inf:
        return work()
    if end - start < _SHORTEST:
        own.reached()
        return otherwise
    bits, mpmath_bits = ctx.prec, mpmath.mp.prec
    watcher = own if own.kind is Kind.COUNTED else _watcher()
    watch = _Watch(end)
    try:
        try:
            watcher.enter(watch)
            own.end = end
            return work()
        finally:
            watcher.leave(watch)
    except (watch.signal, SystemError) as error:  # the latter from a C library whose callback was stopped
        if not comes_from(error, watch.signal):
            raise
        left = False
        while not left:
            with suppress(watch.signal):  # it may have been raised once more
                watcher.leave(watch)
                left = True
        ctx.prec, mpmath.mp.prec = bits, mpmath_bits
        own.end = before
        own.reached()
        return otherwise
    finally:
        own.end = before


def briefly(limit: Work, work: Callable[[], T], otherwise: T) -> T:
    """The same within so much work, asked for itself: a limit that is reached in it is none of what it is a part of."""
    return asked(limit, lambda: within(limit, work, otherwise))


def attempted(work: Callable[[], T], otherwise: T, share: float = 1.0) -> T:
    """The result of the work in this share of the time left; where it takes longer it is left out: `otherwise`."""
    found = within(portion(share), lambda: (work(),), None)
    note(finished=found is not None)
    return otherwise if found is None else found[0]


class _Watch:
    """One deadline of one thread, with an exception of its own, so that deadlines can be nested."""

    def __init__(self, deadline: float) -> None:
        self.signal: type[BaseException] = type("_Stopped", (Stopped,), {})
        self.deadline = deadline
        self.clock = clock()
        self.called = -_AGAIN  # when, for the last time
        self.worker = threading.get_ident()


class _Watcher:
    """The thread that calls; without locks, since the exceptions may be raised while one is held.

    Of nested deadlines that are over it calls for the outermost, so that one which was left in the midst of leaving is
    not heard of any more: the outer one takes it along.
    """

    def __init__(self) -> None:
        self.watches: dict[int, _Watch] = {}
        self._calling = False
        threading.Thread(target=self._run, daemon=True).start()

    def enter(self, watch: _Watch) -> None:
        """From now on something is raised when its time is up."""
        self.watches[id(watch)] = watch

    def leave(self, watch: _Watch) -> None:
        """Afterwards nothing is raised any more for this deadline, and for those inside it."""
        own = [w for w in list(self.watches.values()) if w.worker == watch.worker]
        left = own[own.index(watch) if watch in own else len(own) :]
        first = min(w.deadline for w in (watch, *left))
        for inner in left:
            self.watches.pop(id(inner), None)
        while self._calling:
            time.sleep(0)
        if now() >= first - _AGAIN:  # else nobody has called
            _take_back(watch.worker)

    def _run(self) -> None:
        while True:
            time.sleep(_TICK if self.watches else _IDLE)
            for late in guard():
                _raise(late.worker, late.signal)
            if not self.watches:
                continue
            self._calling = True
            try:
                outermost = dict[int, _Watch]()
                for watch in list(self.watches.values()):  # outer ones come first
                    if watch.deadline <= watch.clock.now():
                        outermost.setdefault(watch.worker, watch)
                for watch in outermost.values():
                    if watch.called + _AGAIN <= time.monotonic():
                        watch.called = time.monotonic()
                        _raise(watch.worker, watch.signal)
            finally:
                self._calling = False


class _Alarmed:
    """The same without a thread: an alarm, set to the earliest deadline, interrupts the only thread there is."""

    def __init__(self) -> None:
        self.watches: dict[int, _Watch] = {}
        self._alarm = Alarm(self._called)

    def enter(self, watch: _Watch) -> None:
        """From now on something is raised when its time is up."""
        self.watches[id(watch)] = watch
        self._arm()

    def leave(self, watch: _Watch) -> None:
        """Afterwards nothing is raised any more for this deadline, and for those inside it."""
        own = list(self.watches.values())
        for inner in own[own.index(watch) :] if watch in own else ():
            self.watches.pop(id(inner), None)
        self._arm()

    def _called(self) -> None:
        time_now = now()
        for watch in list(self.watches.values()):  # outer ones come first
            if watch.deadline <= time_now:
                self._alarm.set(_AGAIN)
                raise watch.signal
        self._arm()

    def _arm(self) -> None:
        first = min((w.deadline for w in list(self.watches.values())), default=math.inf)
        self._alarm.set(None if first == math.inf else max(_TICK, first - now()))


_watchers: dict[int, _Watcher | _Alarmed] = {}  # by process: a fork has none yet


def _watcher() -> _Watcher | _Alarmed:
    process = os.getpid()
    if process not in _watchers:
        try:
            _watchers[process] = _Watcher()
        except RuntimeError:  # no thread can be started
            _watchers[process] = _Alarmed()
    return _watchers[process]


class _Nothing(BaseException):
    """Raised in place of a call that is no longer meant."""


def _take_back(thread: int) -> None:
    """Nothing is raised any more in this thread, which calls this.

    A call is taken back by another exception that is caught here.  The interpreter offers to take it back without
    one, but then keeps looking for it for ever, which hangs under a tracer.
    """
    try:
        _raise(thread, _Nothing)
        while True:
            time.sleep(0)
    except _Nothing:
        pass


def _raise(thread: int, signal: type[BaseException]) -> None:
    """Set the exception that is raised next in a thread, in place of any that was set before."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(signal))
