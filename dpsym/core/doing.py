"""The present work in words, for whoever shows that work goes on."""

from __future__ import annotations

_now = [""]  # the words; one process works on one question


def doing(what: str) -> None:
    """Say what is begun."""
    _now[0] = what


def being_done() -> str:
    """What was begun last; empty where nothing was said."""
    return _now[0]
