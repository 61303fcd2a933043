"""The grammar that reads text where a layer below it is given some; it is registered, so that nothing here needs it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_registered: list[Callable[[], Any]] = []


def register(load: Callable[[], Any]) -> None:
    """Read text with this grammar (`read_expression`, …) from now on; it is loaded for the first text."""
    _registered.append(load)


def grammar() -> Any:
    """The registered grammar, of which no layer below it knows more than that it reads text."""
    return _registered[-1]()
