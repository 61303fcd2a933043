"""A word on standard error when something takes longer than two seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

FIRST_AFTER = 2.0  # seconds: who waits longer wonders
THEN_EVERY = 10.0  # seconds


@contextmanager
def progress(what: str, first_after: float = FIRST_AFTER) -> Iterator[None]:
    """Say on standard error that `what` goes on, after two seconds and every ten from then on."""
    done, start = Event(), time.monotonic()

    def tell() -> None:
        wait = first_after
        while not done.wait(wait):
            print(f"dpsym: {what} … ({time.monotonic() - start:.0f} s)", file=sys.stderr, flush=True)
            wait = THEN_EVERY

    teller = Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()
