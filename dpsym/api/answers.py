"""What every answer can do: show itself, be a number on the safe side, and be the command's JSON document."""

from __future__ import annotations

from abc import ABC, abstractmethod
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from html import escape
from typing import TYPE_CHECKING, Any, NoReturn

from dpsym.core.display import Displayed
from dpsym.core.rounding import formatted, to_float

if TYPE_CHECKING:
    from dpsym.core.verdicts import Enclosure, Side

_LONGEST = 160  # characters of what a prompt shows of an answer
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
        line = self.brief
        return f"<{line if len(line) <= _LONGEST else f'{line[: _LONGEST - 1]}…'}>"

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
    def lower(self) -> Decimal:
        """The lower bound."""
        return self.value.lower

    @property
    def upper(self) -> Decimal:
        """The upper bound."""
        return self.value.upper

    def __float__(self) -> float:
        """The safe end, rounded to the safe side."""
        return to_float(getattr(self.value, self.safe), up=self.safe == "upper")

    def __int__(self) -> int:
        """The safe end as an integer, rounded to the safe side; of a number of steps itself."""
        end: Decimal = getattr(self.value, self.safe)
        return int(end.to_integral_value(ROUND_CEILING if self.safe == "upper" else ROUND_FLOOR))

    def __format__(self, spec: str) -> str:
        """The safe end, rounded to the safe side: ``f"{answer:.3f}"``; without a format the whole answer."""
        return formatted(getattr(self.value, self.safe), spec, up=self.safe == "upper") if spec else str(self)

    @property
    def brief(self) -> str:
        """The number between its bounds."""
        from dpsym.rendering.text import between

        return between(self.name, self.value)
