"""What is written on the command line: options, and readers that succeed or say why in one line."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

import click

from dpsym.core.clocks import Work
from dpsym.core.nearest import expected_one_of
from dpsym.rendering.answers import UNDECIDED, UNREADABLE

_UNFINISHED = {
    "dpsym.deriving": "NotInTime", "dpsym.numbers": "NotEnclosed", "dpsym.rendering.drawing": "NoPlotInTime",
}  # fmt: skip
_REFUSALS = {
    "dpsym.language.errors": "ReadingError", "dpsym.statements": "StatementError", "dpsym.catalogue": "UnknownEntry",
    "dpsym.core.relations": "NotAProposition", "dpsym.accounting": "NotAccountable", "dpsym.auditing": "NotAnAudit",
    "dpsym.deciding": "EmptyDomain", "dpsym.deriving": "DerivationError", "dpsym.rendering.drawing": "NoPlot",
    "dpsym.rendering.python_code": "NoPythonCode",
}  # fmt: skip
_LONGEST_SHOWN = 60  # characters of an argument in an error line


class Unreadable(click.ClickException):
    """Input that could not be read: what, where, and what was expected."""

    exit_code = UNREADABLE


class Undecided(click.ClickException):
    """The time limit was reached and there is no answer."""

    exit_code = UNDECIDED


class Word(click.Choice):  # type: ignore[type-arg]  # generic from click 8.2 on
    """One of some words; `of` names the parameter, where there is more to say of other words."""

    def __init__(self, words: Iterable[str], of: str = "") -> None:
        super().__init__(list(words))
        self.of = of

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """See `click.ParamType`; of another word it says the nearest, or why there is none for it."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            from dpsym.language.sources import why_not_there

            why = why_not_there(str(value)) if self.of == "sampling" else ""
            expected = why or expected_one_of(str(value), map(str, self.choices))
            self.fail(f"{shortened(str(value))!r}: {expected}", param, ctx)


class Limit(click.FloatRange):
    """A time limit, in seconds."""

    def __init__(self) -> None:
        super().__init__(0, min_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """See `click.ParamType`."""
        found: float = 0
        with suppress(ValueError):
            found = value if isinstance(value, Work) else float(value)
        if not found > 0:
            self.fail(f"{shortened(str(value))!r}: expected a number above 0", param, ctx)
        return found


def refusals() -> tuple[type[Exception], ...]:
    """What the library raises for input that it cannot accept, as far as it is loaded."""
    return _loaded(_REFUSALS)


def unfinished() -> tuple[type[Exception], ...]:
    """What the library raises where it does not know, as far as it is loaded."""
    return _loaded(_UNFINISHED)


def _loaded(named: Mapping[str, str]) -> tuple[type[Exception], ...]:
    return tuple(getattr(sys.modules[home], name) for home, name in named.items() if home in sys.modules)


def answer(document: str) -> None:
    """Print what was found."""
    _echo(document.rstrip("\n"), err=False)


def aside(text: str) -> None:
    """Say on standard error what is no answer."""
    _echo(text, err=True)


def _echo(text: str, *, err: bool) -> None:
    from dpsym.rendering.progress import out_of_the_way

    with out_of_the_way():
        click.echo(text, err=err)


def shortened(text: str) -> str:
    """As much of a text as an error line can show."""
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"


def one_line(text: str, longest: int = 500) -> str:
    """A message on one line."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
