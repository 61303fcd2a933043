"""Processes that work for a command."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from dpsym.api.given_values import whole

if TYPE_CHECKING:
    from concurrent.futures import Executor

_MOST = 256  # processes: more than a machine has of use


def processors(jobs: object = None) -> int:
    """How many processes are wanted; without a number, one for each processor that this one may use."""
    there = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return whole("jobs", jobs, 1, _MOST) or max(1, there)


def _unless_cancelled(told: Callable[[Any], object], what: Any) -> None:
    """A hook for the executor's own thread, which gives up tasks that have been cancelled when its processes end."""
    from concurrent.futures import InvalidStateError

    if what.exc_type is not InvalidStateError:
        told(what)


@contextmanager
def workers(jobs: int, executor: Executor | None = None) -> Iterator[Executor | None]:
    """That many processes, or this executor; for one, none besides this.

    An interruption from the terminal reaches all of them: the others do not hear it, and are ended.
    """
    if executor is not None or whole("jobs", jobs, 1, _MOST) == 1:
        yield executor
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import active_children

    from dpsym.api.spawning import Deaf

    executor = ProcessPoolExecutor(int(jobs), mp_context=Deaf())
    try:
        yield executor
    except KeyboardInterrupt:
        threading.excepthook = partial(_unless_cancelled, threading.excepthook)
        for process in active_children():
            process.terminate()
        raise
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
