"""A word on standard error when something takes longer than two seconds: in place on a terminal, else line by line."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread

from dpsym.core.doing import being_done, doing

FIRST_AFTER = 2.0  # seconds: who waits longer wonders
THEN_EVERY, IN_PLACE = 10.0, 0.5  # seconds
_CLEAR = "\r\x1b[K"  # to the start of the line, and nothing behind it


@contextmanager
def progress(what: str, first_after: float = FIRST_AFTER) -> Iterator[None]:
    """Say on standard error that `what` goes on, with what is being done: after two seconds, and from then on."""
    done, start, terminal = Event(), time.monotonic(), sys.stderr.isatty()
    doing("")

    def tell() -> None:
        wait, shown = first_after, False
        while not done.wait(wait):
            detail = being_done()
            line = f"dpsym: {what}{f': {detail}' if detail else ''} … ({time.monotonic() - start:.0f} s)"
            if terminal:
                line = _CLEAR + line[: shutil.get_terminal_size().columns - 1]
            print(line, end="" if terminal else "\n", file=sys.stderr, flush=True)
            wait, shown = IN_PLACE if terminal else THEN_EVERY, True
        if shown and terminal:
            print(_CLEAR, end="", file=sys.stderr, flush=True)

    teller = Thread(target=tell, daemon=True)
    with suppress(RuntimeError):  # no thread can be started: nothing is said
        teller.start()
    try:
        yield
    finally:
        done.set()
        if teller.ident is not None:
            teller.join()
