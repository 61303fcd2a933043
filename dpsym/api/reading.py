"""Words of users: one of several, texts, limits of time, and which parameters a function has.

Nothing is loaded with the modules that read what users give that a help or a completion does not need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, TypeVar

from dpsym.core.clocks import Work
from dpsym.core.nearest import expected_one_of
from dpsym.core.spelling import spelled
from dpsym.language.errors import ReadingError, WrongValue

Sampling = Literal["poisson", "fixed-size"]
Direction = Literal["both", "add", "remove"]
_Found = TypeVar("_Found")


def one_of(parameter: str, word: _Found, words: Iterable[_Found]) -> _Found:
    """The word, which is one of these.

    Raises:
        WrongValue: where it is not; with the nearest.
    """
    there = list(words)
    if word in there:
        return word
    from dpsym.language.sources import why_not_there

    why = why_not_there(str(word)) if parameter == "sampling" else ""
    raise WrongValue(parameter, word, why or expected_one_of(str(word), map(str, there)))


def texts(given: str | Iterable[str]) -> tuple[str, ...]:
    """One text or several.

    Raises:
        ReadingError: for anything else.
    """
    if not isinstance(given, str | Iterable):
        raise ReadingError(f"{given!r}: expected text, or several texts in a list")
    return (given,) if isinstance(given, str) else tuple(given)


def parameters(function: Callable[..., object]) -> list[str]:
    """The names of a function's parameters, which are its options."""
    from inspect import signature

    return [name for name, one in signature(function).parameters.items() if one.kind is not one.VAR_KEYWORD]


def in_time(
    limit: float | None, work: Callable[[], _Found], late: type[Exception] | None = None, grace: float = 1.0
) -> _Found:
    """The result of the work.

    Raises:
        NotInTime: where it takes longer than so many times the limit (or another error, `late`).
    """
    from dpsym.deciding.timeout import within

    found = within(float("inf") if limit is None else grace * limit, lambda: (work(),), None)
    if found is not None:
        return found[0]
    from dpsym.deriving import NotInTime

    raise (late or NotInTime)(reached(limit))


def reached(limit: float | None) -> str:
    """That a limit was reached, and what to do."""
    of_work = " of work" if isinstance(limit, Work) else ""
    return f"the time limit of {limit or 0:g} s{of_work} was reached ({spelled('time_limit')} allows more)"
