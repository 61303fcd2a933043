"""Worker processes that can be stopped: no step takes the rest with it, whatever it does."""

from __future__ import annotations

import multiprocessing
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

_GRACE = 1.25  # of the time limit
_AND = 1.0  # seconds
_MEMORY = 4 << 30  # bytes; a step that needs more is stopped


def run(
    work: Callable[[Any], Any],
    tasks: Sequence[Any],
    limits: Sequence[float],
    *,
    jobs: int,
    until: float | None = None,
    waiting: Callable[[int], None] = lambda done: None,
) -> Iterator[tuple[int, Any]]:
    """`(number, work(task))` as they finish; None in place of a result that took longer than its limit, or died.

    It ends at `until` (on `time.monotonic`'s clock) whatever is not finished.  `waiting` is called about twice a
    second with the number of tasks that are done.
    """
    context: Any = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    pool = [_Worker(context, work) for _ in range(min(jobs, len(tasks)))]
    pending = list(range(len(tasks)))[::-1]
    done = 0
    try:
        while pending or any(w.number is not None for w in pool):
            for worker in pool:
                if worker.number is None and pending:
                    number = pending.pop()
                    worker.give(number, tasks[number], limits[number] * _GRACE + _AND)
            ready = wait([w.pipe for w in pool if w.number is not None], timeout=0.5)
            for worker in pool:
                if worker.number is None:
                    continue
                number = worker.number
                if worker.pipe in ready:
                    result = worker.take()
                elif time.monotonic() > worker.until:
                    worker.restart()
                    result = None
                else:
                    continue
                done += 1
                yield number, result
            if until is not None and time.monotonic() > until:
                return
            waiting(done)
    finally:
        for worker in pool:
            worker.stop()


class _Worker:
    """One process, and which task it is at until when."""

    def __init__(self, context: Any, work: Callable[[Any], Any]) -> None:
        self._context, self._work = context, work
        self.number: int | None = None
        self.until = 0.0
        self._start()

    def _start(self) -> None:
        self.pipe, theirs = self._context.Pipe()
        self._process: BaseProcess = self._context.Process(target=_serve, args=(theirs, self._work), daemon=True)
        self._process.start()
        theirs.close()

    def give(self, number: int, task: Any, seconds: float) -> None:
        self.number, self.until = number, time.monotonic() + seconds
        try:
            self.pipe.send(task)
        except (BrokenPipeError, OSError):
            self.until = 0.0

    def take(self) -> Any:
        self.number = None
        try:
            return self.pipe.recv()
        except (EOFError, OSError):  # it died
            self.restart()
            return None

    def restart(self) -> None:
        self.stop()
        self.number = None
        self._start()

    def stop(self) -> None:
        self._process.kill()
        self._process.join()
        self.pipe.close()


def _serve(pipe: Connection, work: Callable[[Any], Any]) -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent stops us
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    except (ImportError, ValueError, OSError):
        pass
    while True:
        try:
            task = pipe.recv()
        except (EOFError, OSError):
            return
        pipe.send(work(task))
