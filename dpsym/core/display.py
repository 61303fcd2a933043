"""How a notebook shows a value: the methods that Jupyter and marimo call, answered by the registered display."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

_LONGEST = 99  # characters of a value that a prompt shows


def short(value: object) -> str:
    """A value on one line of fewer than a hundred characters: how it is written, or else its kind and what it holds."""
    cls = type(value)
    if cls.__str__ is not object.__str__:
        return cut(str(value))
    names = [name for name, field in getattr(cls, "__dataclass_fields__", {}).items() if field.repr]
    return cut(f"{cls.__name__}({', '.join(f'{name}={getattr(value, name)!r}' for name in names)})")


def cut(text: str, room: int = _LONGEST) -> str:
    """The text on one line, as far as there is room."""
    line = " ".join(text.split())
    return line if len(line) <= room else f"{line[: room - 1]}…"


class Display(Protocol):
    """Writes values in the formats of a notebook."""

    def text(self, value: object, /) -> str:
        """The value for a terminal."""

    def html(self, value: object, /) -> str | None:
        """The value as a piece of HTML."""

    def formula(self, value: object, /) -> str | None:
        """The value as LaTeX between dollar signs, where it is a formula."""


class _Plain:
    """Text only, while no other display is registered."""

    @staticmethod
    def text(value: object, /) -> str:
        return str(value)

    @staticmethod
    def html(value: object, /) -> None:
        return None

    formula = html


_registered: list[Callable[[], Display]] = [_Plain]


def register(load: Callable[[], Display]) -> None:
    """Show every value with this display from now on; it is loaded when something is shown."""
    _registered.append(load)


def _display() -> Display:
    return _registered[-1]()


class Displayed:
    """A value with a formula or a table in a notebook and plain text in a terminal."""

    __slots__ = ()
    __repr__ = short

    def _repr_text_(self) -> str:
        return _display().text(self)

    def _repr_html_(self) -> str | None:
        return _display().html(self)

    def _repr_latex_(self) -> str | None:
        return _display().formula(self)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        forms = {"text/plain": self._repr_text_(), "text/html": self._repr_html_(), "text/latex": self._repr_latex_()}
        kept = {kind: text for kind, text in forms.items() if text is not None}
        if include:
            kept = {kind: text for kind, text in kept.items() if kind in include}
        return {kind: text for kind, text in kept.items() if not exclude or kind not in exclude}
