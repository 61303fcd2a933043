"""Worker processes that can be stopped: no step takes the rest with it, whatever it does.

Where there are no processes the tasks are done in turn in this one, each within the same limits.
"""

from __future__ import annotations

import ctypes
import math
import multiprocessing
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from dpsym.core import clocks
from dpsym.core.deadline import now
from dpsym.deciding.timeout import within

_PROCESSES = sys.platform not in {"emscripten", "wasi"}  # whether this platform has any
_GRACE = 1.25  # of the time limit, for what does not keep it by itself
_AND = 1.0  # seconds
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG
_MEMORY = 4 << 30  # bytes beside those that the process began with; a step that needs more is stopped


def run(
    work: Callable[[Any], Any],
    tasks: Sequence[Any],
    limits: Sequence[float],
    *,
    jobs: int,
    then: Callable[[Any, Any], Any] | None = None,
    until: float | None = None,
    waiting: Callable[[int], None] = lambda done: None,
) -> Iterator[tuple[int, Any]]:
    """`(number, work(task))` as they finish; None in place of a result that took longer than its limit, or died.

    With `then` the result is `then(task, work(task))`, and `work(task)` where that was found but `then` took too long
    or died: what was found already is kept.
    It ends at `until` (on `time.monotonic`'s clock) whatever is not finished.  `waiting` is called about twice a
    second with the number of tasks that are done.
    """
    if not _PROCESSES:
        yield from _in_turn(work, tasks, limits, then, until, waiting)
        return
    context: Any = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    pool = [_Worker(context, work, then) for _ in range(min(jobs, len(tasks)))]
    pending = list(range(len(tasks)))[::-1]
    done = 0
    try:
        while pending or any(w.number is not None for w in pool):
            for worker in pool:
                if worker.number is None and pending:
                    number = pending.pop()
                    worker.give(number, tasks[number], _longest(limits[number]))
            ready = wait([w.pipe for w in pool if w.number is not None], timeout=0.5)
            for worker in pool:
                if worker.number is None:
                    continue
                number = worker.number
                if worker.pipe in ready:
                    if not worker.take():
                        continue
                elif time.monotonic() > worker.until:
                    worker.restart()
                else:
                    continue
                result = worker.result
                done += 1
                yield number, result
            if until is not None and time.monotonic() > until:
                for worker in pool:
                    if worker.number is not None and worker.result is not None:
                        yield worker.number, worker.result
                return
            waiting(done)
    finally:
        for worker in pool:
            worker.stop()


def _in_turn(
    work: Callable[[Any], Any],
    tasks: Sequence[Any],
    limits: Sequence[float],
    then: Callable[[Any, Any], Any] | None,
    until: float | None,
    waiting: Callable[[int], None],
) -> Iterator[tuple[int, Any]]:
    for number, (task, limit) in enumerate(zip(tasks, limits, strict=True)):
        if until is not None and time.monotonic() > until:
            return
        waiting(number)
        seconds = math.inf if clocks.is_work(limit) else _longest(limit)
        if until is not None:
            seconds = min(seconds, until - time.monotonic())
        end = now() + seconds
        found = within(seconds, partial(work, task), None)
        if then is not None and found is not None:
            found = within(end - now(), partial(then, task, found), found)
        yield number, found


def _longest(limit: float) -> float:
    """Seconds of the wall's clock until a task is stopped; work is kept by the task itself, and only guarded here."""
    return (clocks.PATIENCE if clocks.is_work(limit) else _GRACE) * limit + _AND


class _Worker:
    """One process, and which task it is at until when."""

    def __init__(self, context: Any, work: Callable[[Any], Any], then: Callable[[Any, Any], Any] | None) -> None:
        self._context, self._work, self._then = context, work, then
        self.number: int | None = None
        self.result: Any = None  # what it found so far
        self.until = 0.0
        self._start()

    def _start(self) -> None:
        self.pipe, theirs = self._context.Pipe()
        self._process: BaseProcess = self._context.Process(
            target=_serve, args=(theirs, self._work, self._then), daemon=True
        )
        self._process.start()
        theirs.close()

    def give(self, number: int, task: Any, seconds: float) -> None:
        self.number, self.until, self.result = number, time.monotonic() + seconds, None
        try:
            self.pipe.send(task)
        except (BrokenPipeError, OSError):
            self.until = 0.0

    def take(self) -> bool:
        """Receive a result; whether it is the last one of the task."""
        try:
            last, self.result = self.pipe.recv()
        except (EOFError, OSError):  # it died
            self.restart()
            return True
        if last:
            self.number = None
        return bool(last)

    def restart(self) -> None:
        self.stop()
        self.number = None
        self._start()

    def stop(self) -> None:
        self._process.kill()
        self._process.join()
        self.pipe.close()


def _held() -> int:
    """The address space that this process has, in bytes: a fork begins with that of its parent, whatever it is."""
    import resource

    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError):
        return 0
    return pages * resource.getpagesize()


def _serve(pipe: Connection, work: Callable[[Any], Any], then: Callable[[Any, Any], Any] | None) -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent stops us
    if sys.platform == "linux":  # also where it is killed while we work
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    try:
        import resource

        most = _MEMORY + _held()
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    except (ImportError, ValueError, OSError):
        pass
    while True:
        try:
            task = pipe.recv()
        except (EOFError, OSError):
            return
        result = work(task)
        pipe.send((then is None, result))
        if then is not None:
            pipe.send((True, then(task, result)))
