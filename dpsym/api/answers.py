"""What every answer can do: show itself, be a number on the safe side, and be the command's JSON document."""

from __future__ import annotations

from abc import ABC, abstractmethod
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from html import escape
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from dpsym.core.display import Displayed, cut
from dpsym.core.rounding import formatted, to_float

if TYPE_CHECKING:
    from dpsym.core.verdicts import Enclosure, Side

_Rounded = TypeVar("_Rounded", int, float, str)
_ROOM = 97  # characters of an answer at a prompt, between its brackets
DONE, REFUTED, UNDECIDED = 0, 1, 3  # what an answer is as an exit status of the command


class Answer(Displayed, ABC):
    """An answer: `print` shows what the command shows, `to_dict` is its --json document, `repr` is short."""

    __slots__ = ()

    @abstractmethod
    def __str__(self) -> str: ...

    @abstractmethod
    def to_dict(self) -> Any:
        """The document that the command writes with --json: formulas and numbers are strings."""

    @property
    @abstractmethod
    def status(self) -> int:
        """The exit status of the command: 0 yes or done, 1 refuted, 3 undecided."""

    @property
    @abstractmethod
    def brief(self) -> str:
        """On one line."""

    def __repr__(self) -> str:
        return f"<{cut(self.brief, _ROOM)}>"

    def __bool__(self) -> NoReturn:
        raise TypeError("an answer is not a boolean: compare its number, its verdict or its status")

    def _repr_text_(self) -> str:
        return str(self)

    def _repr_html_(self) -> str | None:
        return self.html() or f"<pre>{escape(str(self))}</pre>"

    def _repr_latex_(self) -> str | None:
        return self.formula()

    def html(self) -> str | None:
        """For a notebook; None leaves it to the text."""
        return None

    def formula(self) -> str | None:
        """As LaTeX between dollar signs, where it is a formula."""
        return None


class NumberAnswer(Answer):
    """An answer that is a number between two bounds, of which one is safe to use."""

    __slots__ = ()

    @property
    @abstractmethod
    def name(self) -> str:
        """What it is the number of: `epsilon`, `sigma`, …"""

    @property
    @abstractmethod
    def value(self) -> Enclosure:
        """The number between two decimals."""

    @property
    def safe(self) -> Side:
        """Which end may be used: the upper one of a budget or of noise, the lower one of a number of steps."""
        return "upper"

    @property
    def alone(self) -> bool:
        """Whether nothing is known of values beside the safe end, so that it must not be rounded."""
        return False

    @property
    def lower(self) -> Decimal:
        """The lower bound."""
        return self.value.lower

    @property
    def upper(self) -> Decimal:
        """The upper bound."""
        return self.value.upper

    def __float__(self) -> float:
        """The safe end, rounded to the safe side; where it stands alone, the float that prints it."""
        end: Decimal = getattr(self.value, self.safe)
        if self.alone:
            return self._same(float(end), Decimal(repr(float(end))) == end)
        return to_float(end, up=self.safe == "upper")

    def _same(self, rounded: _Rounded, unchanged: bool) -> _Rounded:
        """What is rounded, unless it is another number than the safe end, and that stands alone."""
        if self.alone and not unchanged:
            end = getattr(self.value, self.safe)
            raise ValueError(f"{self.name} = {end} is enough, and nothing is known of other values, as {rounded}")
        return rounded

    @property
    def _shown(self) -> Enclosure:
        end: Decimal = getattr(self.value, self.safe)
        return type(self.value)(end, end) if self.alone else self.value

    def html(self) -> str | None:
        """The number between its bounds as a formula, over what else is said of it."""
        first, *rest = str(self).splitlines()
        if first != self.brief:
            return None
        from dpsym.rendering import notebook
        from dpsym.rendering.page import Between

        return notebook.html(Between(self.name, self._shown)) + "".join(f"<div>{escape(line)}</div>" for line in rest)

    def formula(self) -> str | None:
        """The number between its bounds."""
        from dpsym.rendering.page import Between, in_latex

        return f"${in_latex(Between(self.name, self._shown))}$"

    def __int__(self) -> int:
        """The safe end as an integer, rounded to the safe side; of a number of steps itself."""
        end: Decimal = getattr(self.value, self.safe)
        rounded = end.to_integral_value(ROUND_CEILING if self.safe == "upper" else ROUND_FLOOR)
        return self._same(int(rounded), rounded == end)

    def __format__(self, spec: str) -> str:
        """The safe end, rounded to the safe side: ``f"{answer:.3f}"``; without a format the whole answer."""
        if not spec:
            return str(self)
        up, down = (formatted(getattr(self.value, self.safe), spec, up=up) for up in (True, False))
        return self._same(up if self.safe == "upper" else down, up == down)

    @property
    def brief(self) -> str:
        """The number between its bounds."""
        from dpsym.rendering.text import between

        return between(self.name, self._shown)
