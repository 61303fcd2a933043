"""How a parameter is written: its other spellings, and its form where the question was asked.

Neighbours are `adjacent` in every function, and the other words for it are read too.  A message that says what to write
says it as an option to whoever asks on the command line, and as a keyword to whoever calls a function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from inspect import signature
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
SPELLINGS = ("adjacency", "neighbours")  # of `adjacent`
_OPTIONS = {"every": "all"}  # by parameter, where the option has another name
_as_options: ContextVar[bool] = ContextVar("as options", default=False)


@contextmanager
def as_options() -> Iterator[None]:
    """Inside, parameters are written as options of the command line."""
    before = _as_options.set(True)
    try:
        yield
    finally:
        _as_options.reset(before)


def option(parameter: str) -> str:
    """The option of a parameter: `--for` of `for_`."""
    name = parameter.rstrip("_").replace("_", "-")
    return f"--{_OPTIONS.get(name, name)}"


def spelled(parameter: str, value: str = "") -> str:
    """How a parameter is given where the question was asked: `--for NAME`, or `for_=NAME` in Python."""
    if _as_options.get():
        return option(parameter) if value in ("", "True") else f"{option(parameter)} {value}"
    return f"{parameter}={value}" if value else parameter


def spelled_value(name: str) -> str:
    """How a symbol is given a value there."""
    return f"--at {name}=VALUE" if _as_options.get() else f"{name}=…"


def by_any_spelling(function: Callable[P, T]) -> Callable[P, T]:
    """The function, whose keyword `adjacent` may be written in these ways as well.

    Raises:
        ValueError: where two of them say different neighbours.
        TypeError: for what has to be given by its name, saying how.
    """
    there = list(signature(function).parameters.values())
    places = sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in there)
    any_number = any(p.kind is p.VAR_POSITIONAL for p in there)

    @wraps(function)
    def called(*args: P.args, **options: P.kwargs) -> T:
        if len(args) > places and not any_number:
            names = [f"delta={args[places]!r}" if p.kind is p.VAR_KEYWORD else p.name for p in there[places:]]
            said = f"{args[places]!r} is given without its name; the names are {', '.join(names)}"
            raise TypeError(f"{function.__name__}: {said}")
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
