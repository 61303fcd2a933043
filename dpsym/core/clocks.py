"""On which clock a time limit is kept: work where it is a default, the wall's where a user has set it.

*Work* is counted in calls and returns of Python and C functions, so that neither load nor a faster machine changes an
answer.  Counting doubles the time, so it is only done where it matters: a question is asked a first time uncounted, on
a clock that runs ahead of the count on any machine.  What comes through that without reaching any limit would come
through the count as well.  As soon as a limit is reached the first run is given up, and the question is asked again
from the start, counted; what is over its limit then is stopped at a call, and always at the same one.
"""

from __future__ import annotations

import gc
import math
import sys
import threading
import time
from collections.abc import Callable, Iterator
from enum import Enum, auto
from functools import partial, wraps
from importlib import import_module
from inspect import signature
from numbers import Real
from pkgutil import walk_packages
from typing import Any, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_SECOND = 4_000_000  # events of a profile: about what a usual machine counts in a second, a third of what it makes
_CALLS, _RUNS = 4_000, 5  # to see how fast the machine is
_DENSEST = 0.25  # of the events of an empty loop of calls: what real code has at most in a second
_EVER = 1e9  # seconds
_ROUNDED = 1e-3  # of an event, by which two deadlines may differ that say the same
_SLOWEST = 1 / 8  # of the wall's clock, for what waits
GUARD = 30.0  # times its limit, of the processor, is the longest that work may take which calls nothing
PATIENCE = 120.0  # the same on the wall's clock, where a machine does other things as well
# in WebAssembly the processor's time is the wall's, and after 36 minutes the 32 bits of its microseconds are full
_processor = time.monotonic if sys.platform == "emscripten" else time.process_time


class Work(float):
    """A time limit in seconds of work, on any machine the same: what a function's `time_limit` is by default."""

    def __mul__(self, share: float) -> Work:
        return Work(float(self) * share)

    __rmul__ = __mul__


class Kind(Enum):
    """What a clock shows."""

    PROCESSOR = auto()  # the processor's time, where nobody has asked for anything else
    FIRST = auto()  # the same, but ahead of what would be counted: whoever reaches a limit gives up the run
    COUNTED = auto()  # calls
    WALL = auto()
    PARTS = auto()  # the processor's time between questions, each of which is asked for itself


class Stopped(BaseException):
    """The time for some work is up; not an `Exception`, so that nothing on the way takes it for its own."""


def comes_from(error: BaseException | None, stop: type[BaseException] = Stopped) -> bool:
    """Whether a stop is behind an error: a C library whose callback is stopped raises a SystemError."""
    seen = set[int]()
    while error is not None and id(error) not in seen and not isinstance(error, stop):
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return isinstance(error, stop)


class GivenUp(Stopped):
    """A first run has reached a limit."""

    raised = False  # set for good, since what is raised in a callback of C may be lost

    def __init__(self, until: float = math.inf) -> None:
        self.until = until  # when the whole question ends


_CHOSEN = (Kind.COUNTED, Kind.WALL)  # for everything inside


class Watch(Protocol):
    """A deadline, and what is raised in the thread that works when it is over."""

    deadline: float
    signal: type[BaseException]
    worker: int
    clock: Clock


class Clock:
    """The clock of one thread: it goes on from what it showed where its kind changes, so that deadlines keep."""

    def __init__(self) -> None:
        self.kind = Kind.PROCESSOR
        self.end = math.inf  # of the time for what runs now (`dpsym.core.deadline`)
        self.cut = False  # whether something of it was left out
        self.given_up = GivenUp()  # by whoever reaches a limit in a first run
        self.watches: dict[int, Watch] = {}  # of counted work, outer ones first
        self._count, self._left, self._allow = _counter(self._ring)
        self._allowed = 0  # events since it was set, when the first of them is over
        self._pace = 1.0
        self._thread = threading.get_ident()
        self._last = (0.0, _processor(), time.monotonic())

    def now(self) -> float:
        """Seconds since an arbitrary start; only differences within one thread mean anything."""
        shown, processor, wall = self._last
        if self.kind is Kind.COUNTED:
            if sys.getprofile() is None and threading.get_ident() == self._thread:
                self.resume()
            return shown + (self._allowed - self._left()) / _SECOND
        at = (_processor(), time.monotonic())
        if self.kind is Kind.WALL:
            passed = at[1] - wall
        else:
            passed = max(self._pace * (at[0] - processor), _SLOWEST * (at[1] - wall), 0.0)
        self._last = (shown + passed, *at)  # one value, so that no thread tears it
        return shown + passed

    def set(self, shown: float, kind: Kind) -> None:
        """Show this from now on, and go on as this kind of clock; it may be stopped in here and set again."""
        if self.kind is not Kind.COUNTED:
            self._begin(shown)  # so that what is shown makes sense at every moment
        if kind is not self.kind:
            self._pace = _densest() / _SECOND if kind is Kind.FIRST else 1.0
            before, self.kind = self.kind, kind
            if Kind.COUNTED in (kind, before):
                self.resume()
        self._begin(shown)
        self._set()

    def _begin(self, shown: float) -> None:
        self._last = (shown, _processor(), time.monotonic())
        self._allow(0)
        self._allowed = 0

    def charge(self, seconds: float) -> None:
        """Add what one call of a C library is worth, on every clock that does not see it by itself."""
        if self.kind is Kind.COUNTED:
            self._allow(self._left() - int(seconds * _SECOND))
        elif self.kind is Kind.FIRST:
            self._last = (self._last[0] + seconds, *self._last[1:])

    def resume(self) -> None:
        """Count, where this is what it does; whoever is stopped at a call is not counted any more."""
        sys.setprofile(self._count if self.kind is Kind.COUNTED else None)

    def exhaust(self) -> None:
        """Let every limit of counted work be over at its next call."""
        self._allow(-int(_EVER) * _SECOND)

    def reached(self) -> None:
        """To be called by whoever is about to leave something out for the sake of time."""
        if self.kind is Kind.FIRST:
            self.given_up.raised = True
            raise self.given_up

    # --- counted work is stopped here, other work by a thread that watches

    def enter(self, watch: Watch) -> None:
        """From now on something is raised when its time is up."""
        self.watches[id(watch)] = watch
        self._set()

    def leave(self, watch: Watch) -> None:
        """Afterwards nothing is raised any more for this deadline, and for those inside it."""
        own = list(self.watches)
        for inner in own[own.index(id(watch)) :] if id(watch) in self.watches else ():
            del self.watches[inner]
        self._set()

    def _set(self) -> None:
        left = min((w.deadline for w in self.watches.values()), default=math.inf) - self.now()
        events = math.ceil(min(left, _EVER) * _SECOND - _ROUNDED)
        self._allowed += events - self._left()
        self._allow(events)

    def _ring(self, event: str) -> None:
        if event in ("call", "c_call"):
            shown = self.now()
            for watch in list(self.watches.values()):
                if watch.deadline <= shown:
                    raise watch.signal
            self._set()


def _counter(ring: Callable[[str], None]) -> tuple[Callable[..., None], Callable[[], int], Callable[[int], None]]:
    """A profiler that rings after so many events, how many are left, and how to set that; attributes are slower."""
    left = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal left
        left -= 1
        if left <= 0:
            ring(event)

    def allow(events: int) -> None:
        nonlocal left
        left = events

    return count, lambda: left, allow


class _Clocks(threading.local):
    def __init__(self) -> None:
        self.own = Clock()


_clocks = _Clocks()


def clock() -> Clock:
    """That of this thread."""
    return _clocks.own


def charge(seconds: float) -> None:
    """Count a call of a C library for as much work as it is, on a usual machine."""
    clock().charge(seconds)


_measured: list[float] = []


def _densest() -> float:
    """Events in a second of this processor that no work exceeds: a share of what an empty loop of calls has."""
    if not _measured:

        def nothing() -> None:
            pass

        def run() -> float:
            begun = _processor()
            for _ in range(_CALLS):
                nothing()
            return _processor() - begun

        _measured.append(max(min(run() for _ in range(_RUNS)), 1e-9))
    return _DENSEST * 2 * _CALLS / _measured[0]


def keeping_time(function: Callable[P, T]) -> Callable[P, T]:
    """The function, for all of which there are the seconds of its `time_limit`, on the clock that this asks for.

    It may run twice, so it only answers; an iterator that it is given is read before.
    """
    return _keeping(function, by_itself, asked)


def by_itself(limit: float | None, work: Callable[[], T]) -> T:
    """What a question by itself finds in so many seconds; None: without an end."""
    own = clock()
    before = own.end, own.cut
    own.end, own.cut = math.inf if limit is None else own.now() + limit, False
    try:
        return work()
    finally:
        own.end, own.cut = before


def each_keeping_time(function: Callable[P, T]) -> Callable[P, T]:
    """The same for many questions in a row, each of which has this `time_limit` and runs again by itself."""
    return _keeping(function, lambda _, work: work(), _in_parts)


_Asking = Callable[[float | None, Callable[[], T]], T]


def _keeping(function: Callable[P, T], within: _Asking[T], ask: _Asking[T]) -> Callable[P, T]:
    there = list(signature(function).parameters.values())
    places = [
        (one.name, len(there) if one.kind is one.KEYWORD_ONLY else at, one.default)
        for at, one in enumerate(there)
        if one.name.endswith("time_limit")
    ]

    @wraps(function)
    def on_its_clock(*args: P.args, **kwargs: P.kwargs) -> T:
        given = args[: len(there)]  # of several files there may be more
        limits: list[Any] = [kwargs.get(n, given[at] if len(given) > at else default) for n, at, default in places]
        if clock().kind in _CHOSEN:
            return within(limits[0], partial(function, *args, **kwargs))
        for (name, *_), one in zip(places, limits, strict=True):
            if one is not None and not (isinstance(one, Real) and float(one) >= 0):
                raise ValueError(f"{name} = {one!r}: expected a number of seconds, such as 60")
        limit = next((one for one in limits if not is_work(one)), limits[0])
        read = [tuple(a) if isinstance(a, Iterator) else a for a in (*args, *kwargs.values())]
        named = dict(zip(kwargs, read[len(args) :], strict=True))
        again = partial(function, *read[: len(args)], **named)  # type: ignore[arg-type]
        return ask(limit, partial(within, limits[0], again))

    return on_its_clock


def asked(limit: float | None, work: Callable[[], T]) -> T:
    """The result of the work, whose limits are the user's where this one is, and of work else.

    A number is the user's, and kept on the wall's clock; `Work`, or None, is ours.  Inside something that was asked
    already a number is a share of what is left there, and work that ends no sooner than all of that is a part of it.
    """
    own = clock()
    start, end = own.now(), own.now() + (math.inf if limit is None else limit)
    inside = own.kind is Kind.FIRST and (not isinstance(limit, Work) or end >= own.given_up.until)
    if own.kind in _CHOSEN or inside:
        return work()
    if not is_work(limit) and own.kind is Kind.PROCESSOR:
        return _on(own, Kind.WALL, work)
    if sys.getprofile() is not None:
        return work()
    import mpmath
    from flint import ctx

    outer, ending, precisions = own.given_up, (own.end, own.cut), (ctx.prec, mpmath.mp.prec)
    own.given_up = given_up = GivenUp(end)
    try:
        found = _on(own, Kind.FIRST, work)
        if not given_up.raised:
            return found
    except BaseException as error:
        if not given_up.raised or not isinstance(error, (Exception, GivenUp)):
            raise
    finally:
        own.given_up, (own.end, own.cut) = outer, ending
    ctx.prec, mpmath.mp.prec = precisions
    if own.kind is not Kind.FIRST:
        _start_afresh()
    return _on(own, Kind.COUNTED, partial(_guarded, limit, own, work), start)


def _in_parts(limit: float | None, work: Callable[[], T]) -> T:
    if clock().kind is not Kind.PROCESSOR:
        return work()
    return _on(clock(), Kind.PARTS if is_work(limit) else Kind.WALL, work)


def is_work(limit: object) -> bool:
    """Whether a limit is kept in work: a default, and not what a user has set."""
    return limit is None or isinstance(limit, Work)


def _on(own: Clock, kind: Kind, work: Callable[[], T], start: float | None = None) -> T:
    """The result of the work while the clock is of this kind."""
    before = own.kind
    try:
        own.set(own.now() if start is None else start, kind)
        return work()
    finally:
        shown, back = None, False
        while not back:  # whoever is stopped may be stopped here as well
            try:
                shown = own.now() if shown is None else shown
                own.set(shown, before)
                back = True
            except Stopped:
                pass


# those that compute
_ROOMS = ("accounting", "checking", "choosing", "deciding", "deriving", "divergences", "numbers", "own_noise",
          "queries", "satisfying", "second_opinion")  # fmt: skip
_whole: set[str] = set()  # those of them of which every module is loaded


def _start_afresh() -> None:
    """Forget what was remembered, and load whole what is loaded in part: both would make fewer calls next time."""
    from sympy.core.cache import clear_cache
    from sympy.core.random import seed

    for name in [f"dpsym.{room}" for room in _ROOMS if f"dpsym.{room}" in sys.modules and room not in _whole]:
        _whole.add(name.removeprefix("dpsym."))
        for found in walk_packages(sys.modules[name].__path__, f"{name}."):
            import_module(found.name)
    seed(0)  # in which order SymPy looks at assumptions
    clear_cache()
    for name, module in list(sys.modules.items()):
        if name.startswith("dpsym.") and not name.startswith(("dpsym.core.", "dpsym.entries.")):  # these have names
            for value in list(vars(module).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def _guarded(limit: float | None, own: Clock, work: Callable[[], T]) -> T:
    """The result of counted work, which ends some time even where it calls nothing."""
    told, callbacks = sys.unraisablehook, gc.callbacks[:]
    sys.unraisablehook = partial(_keep_counting, told)
    gc.callbacks.clear()  # when garbage is collected depends on what else is in memory
    start = own.now()
    if limit is not None:
        least = max(limit, 1.0)
        _guards[id(own)] = _processor() + GUARD * least, time.monotonic() + PATIENCE * least, own
    try:
        return work()
    finally:
        sys.unraisablehook = told
        gc.callbacks[:] = callbacks
        free = False
        while not free:
            try:
                _guards.pop(id(own), None)
                if limit is not None and own.now() > start + _EVER / 2:  # exhausted; what this is a part of is not
                    own.set(start + limit, Kind.COUNTED)
                free = True
            except Stopped:
                pass


_guards: dict[int, tuple[float, float, Clock]] = {}  # until when, of the processor and of the wall


def guard() -> list[Watch]:
    """Let counted work that has taken far too long be over, and say what is to be raised where it calls nothing."""
    at, wall = _processor(), time.monotonic()
    late = [own for until, ending, own in list(_guards.values()) if at > until or wall > ending]
    for own in late:
        own.exhaust()
    return [watch for own in late for watch in list(own.watches.values())[:1]]


def _keep_counting(told: Callable[[Any], object], what: Any) -> None:
    """A hook for what cannot be raised: what was stopped there is stopped again at its next call, and not told of."""
    sys.setprofile(None)
    if what.exc_type is None or not issubclass(what.exc_type, Stopped):
        told(what)
    clock().resume()
