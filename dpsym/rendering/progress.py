"""One line on a terminal's standard error while something takes longer than two seconds; nothing anywhere else."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread

from dpsym.core.doing import being_done, waiting_for

FIRST_AFTER = 2.0  # seconds: who waits longer wonders
IN_PLACE = 0.5  # seconds until the line is written again
_CLEAR = "\r\x1b[K"  # to the start of the line, and nothing behind it
_NARROWEST = 20  # columns: where a terminal says that it has none, or fewer than the words need
_writing, _shown = Lock(), [False]


@contextmanager
def progress(what: str, first_after: float = FIRST_AFTER) -> Iterator[None]:
    """Say that `what` goes on, or what else is waited for meanwhile: after two seconds, in place."""
    with waiting_for(what):
        if not sys.stderr.isatty():
            yield
            return
        done = Event()
        teller = Thread(target=_tell, args=(done, first_after), daemon=True)
        with suppress(RuntimeError):  # no thread can be started: nothing is said
            teller.start()
        try:
            yield
        finally:
            done.set()
            if teller.ident is not None:
                teller.join()
            with out_of_the_way():
                pass


@contextmanager
def out_of_the_way() -> Iterator[None]:
    """The line is gone while something else is written."""
    with _writing:
        if _shown[0]:
            _write(_CLEAR)
            _shown[0] = False
        yield


def _tell(done: Event, first_after: float) -> None:
    start = time.monotonic()
    while not done.wait(min(IN_PLACE, first_after)):
        words, now = being_done(), time.monotonic()
        if not words:  # nothing is waited for
            start = now
        elif now - start >= first_after:
            line = f"dpsym: {words} … ({now - start:.0f} s)"
            with _writing:
                _write(_CLEAR + line[: max(_NARROWEST, shutil.get_terminal_size().columns - 1)])
                _shown[0] = True


def _write(text: str) -> None:
    """Past the buffers: a process that is forked meanwhile has no lock on them that nobody opens."""
    with suppress(OSError):
        os.write(sys.stderr.fileno(), text.encode(sys.stderr.encoding or "utf-8", "replace"))
