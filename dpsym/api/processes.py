"""Processes that work for a command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dpsym.api.reading import whole

if TYPE_CHECKING:
    from concurrent.futures import Executor

_MOST = 256  # processes: more than a machine has of use


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
        for process in active_children():
            process.terminate()
        raise
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
