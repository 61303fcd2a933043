"""What is said of text that cannot be read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class ReadingError(ValueError):
    """Text that cannot be read: what, where, and what was expected.

    `line` and `column` count from 1, in a document; they are None for a text of one line.
    `parameter` and `given` are the parameter of a function that the text was given for, and its value, where known.
    """

    line: int | None = None
    column: int | None = None
    parameter: str = ""
    given: object = None

    def __init__(self, message: str, text: str = "", position: int | None = None) -> None:
        self.message, self.text, self.position = message, text, position
        place = "" if position is None else f" at column {position + 1} of {_excerpt(text, position)}"
        super().__init__(f"{message}{place}")


class WrongValue(ReadingError):
    """A parameter's value that cannot be: Python says it as `name = value`, the command line as the option."""

    def __init__(self, parameter: str, given: object, why: str) -> None:
        super().__init__(why)
        self.parameter, self.given = parameter, given
        self.args = (f"{parameter} = {given!r}: {why}",)


@contextmanager
def given_for(parameter: str, given: object) -> Iterator[None]:
    """Whatever is raised inside is said to be of this parameter, unless something inside has said it already."""
    try:
        yield
    except Exception as error:
        if not getattr(error, "parameter", ""):
            error.parameter, error.given = parameter, given  # type: ignore[attr-defined]
        raise


class NotKnown(ReadingError):
    """A name or a function that has no meaning here."""


class Undeclared(NotKnown):
    """A name that is not declared: `name`."""

    name: str = ""


class Varies(ReadingError):
    """Of a sum over `index`: a quantity of which only the kind is known, `name`, speaks of it, so that there is one for
    each; or, without a name, its range is not written.
    """

    def __init__(self, name: str, index: str, text: str, position: int) -> None:
        what = f"what stands for {name} changes with it" if name else "no range is written"
        super().__init__(f"in a sum over {index}, {what}", text, position)
        self.name, self.index = name, index


class Applied(NotKnown):
    """A name that is not declared, before a sum in brackets: `name`, which multiplies it if it is a number."""

    name: str = ""


def already_declared(name: str, text: str, position: int) -> ReadingError:
    """The error of a definition of a name that has a meaning, with the way out."""
    return ReadingError(
        f"{name} is already declared (define another name, or delete the earlier declaration)", text, position
    )


def in_document(error: ReadingError, line: int, column: int | None, name: str = "") -> ReadingError:
    """The same error with its place in a document."""
    place = f"line {line}" if column is None else f"line {line}, column {column}"
    located = ReadingError(f"{name + ', ' if name else ''}{place}: {error.message}")
    located.line, located.column = line, column
    return located


def _excerpt(text: str, position: int, width: int = 60) -> str:
    start = max(0, position - width // 2)
    shown = text[start : start + width]
    return repr(("…" if start else "") + shown + ("…" if start + width < len(text) else ""))
