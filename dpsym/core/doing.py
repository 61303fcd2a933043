"""The present work in words, for whoever shows that work goes on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

_now = ["", ""]  # what is waited for, and what of it is being done; one process works on one question


def doing(what: str) -> None:
    """Say what is begun."""
    _now[1] = what


def awaiting(what: str) -> None:
    """Say what is waited for from now on."""
    _now[:] = what, ""


@contextmanager
def waiting_for(what: str) -> Iterator[None]:
    """Say what is waited for meanwhile; nothing is, where nothing is said."""
    before = _now[:]
    awaiting(what)
    try:
        yield
    finally:
        _now[:] = before


def being_done() -> str:
    """What is waited for, and what was begun last; empty where nothing is waited for."""
    return ": ".join(filter(None, _now)) if _now[0] else ""
