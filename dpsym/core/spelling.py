"""One keyword for one thing: neighbours are `adjacent` in every function, and the other words for it are read too."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
SPELLINGS = ("adjacency", "neighbours")  # of `adjacent`


def by_any_spelling(function: Callable[P, T]) -> Callable[P, T]:
    """The function, whose keyword `adjacent` may be written in these ways as well.

    Raises:
        ValueError: where two of them say different neighbours.
    """

    @wraps(function)
    def called(*args: P.args, **options: P.kwargs) -> T:
        for spelling in SPELLINGS:
            other, one = options.pop(spelling, None), options.get("adjacent")
            if None not in (one, other) and _word(one) != _word(other):
                raise ValueError(f"adjacent={one!r} and {spelling}={other!r} are the same option: give it once")
            if other is not None:
                options["adjacent"] = other
        return function(*args, **options)

    return called


def _word(neighbours: object) -> str:
    return str(getattr(neighbours, "name", neighbours)).lower().replace("_", "-")
