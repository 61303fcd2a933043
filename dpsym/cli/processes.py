"""Processes that work for a command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import Executor


@contextmanager
def workers(jobs: int) -> Iterator[Executor | None]:
    """That many processes; for one, none besides this.

    An interruption from the terminal reaches all of them: the others do not hear it, and are ended.
    """
    if jobs == 1:
        yield None
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import active_children

    from dpsym.cli.spawning import Deaf

    executor = ProcessPoolExecutor(jobs, mp_context=Deaf())
    try:
        yield executor
    except KeyboardInterrupt:
        for process in active_children():
            process.terminate()
        raise
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
