"""Processes that no interruption from the terminal reaches; a module of its own, which they import."""

from __future__ import annotations

import signal
from multiprocessing.context import SpawnContext, SpawnProcess


class DeafProcess(SpawnProcess):
    """It hears no interruption, from its first instruction on."""

    def start(self) -> None:
        """See `multiprocessing.Process.start`: what is blocked here stays blocked there, and is heard here later."""
        if not hasattr(signal, "pthread_sigmask"):
            return super().start()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Deaf(SpawnContext):
    """A context of `multiprocessing` with such processes."""

    Process = DeafProcess
