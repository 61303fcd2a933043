"""What every answer can do: show itself as a page in any format, be a number on the safe side, be a JSON document."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, ParamSpec, TypeVar

from dpsym.core.display import Displayed, cut
from dpsym.core.rounding import formatted, to_float

if TYPE_CHECKING:
    from dpsym.core.verdicts import Enclosure, Side
    from dpsym.rendering.page import Page
    from dpsym.statements import Adjacency

P = ParamSpec("P")
T = TypeVar("T")
_Rounded = TypeVar("_Rounded", int, float, str)
_ROOM = 97  # characters of an answer at a prompt, between its brackets
PROGRAMS = ("align", "bibtex", "python", "c", "javascript")  # formats of closed forms, to paste and to run
DONE, REFUTED, UNREADABLE, UNDECIDED, INTERRUPTED = 0, 1, 2, 3, 130  # exit statuses; 130 as shells have it


def _as_data(answer: Answer, form: str) -> str:
    from dpsym.rendering import data

    return data.table(answer.as_rows()) if form == "csv" else data.document(answer.to_dict())


def _on_paper(answer: Answer, form: str) -> str:
    from dpsym.rendering import page

    return (page.as_latex if form == "latex" else page.as_markdown)([answer.page()])


_WRITERS: Mapping[str, Callable[[Answer], str]] = {  # of every answer, by the format
    "text": str,
    "markdown": partial(_on_paper, form="markdown"),
    "latex": partial(_on_paper, form="latex"),
    "html": lambda answer: answer.html(),
    "csv": partial(_as_data, form="csv"),
    "json": partial(_as_data, form="json"),
}


class Answer(Displayed, ABC):
    """An answer: a page and a document, which `written` has in every format; `repr` is short."""

    __slots__ = ()

    FORMATS: ClassVar[tuple[str, ...]] = tuple(_WRITERS)

    @abstractmethod
    def page(self) -> Page:
        """The answer: its numbers, what decides them, formulas, tables, reasons, notes."""

    @abstractmethod
    def to_dict(self) -> Any:
        """The document that the command writes with --json: formulas and numbers are strings."""

    def as_rows(self) -> list[Mapping[str, Any]]:
        """The rows of its table; the document alone, where it has no others."""
        document = self.to_dict()
        return [row_of(one) for one in (document if isinstance(document, list) else [document])]

    @property
    def status(self) -> int:
        """The exit status of the command: 0 yes or done, 1 refuted, 3 undecided."""
        return DONE

    @property
    def brief(self) -> str:
        """On one line."""
        return str(self).partition("\n")[0]

    def written(self, form: str) -> str:
        """In one of its `FORMATS`; what has none of its own is text."""
        return _WRITERS.get(form, str)(self)

    def __str__(self) -> str:
        from dpsym.rendering.text import as_text

        return as_text(self.page())

    def __repr__(self) -> str:
        return f"<{cut(self.brief, _ROOM)}>"

    def __bool__(self) -> NoReturn:
        raise TypeError("an answer is not a boolean: compare its number, its verdict or its status")

    def _repr_html_(self) -> str | None:
        return self.html()

    def _repr_latex_(self) -> str | None:
        return self.formula()

    def html(self) -> str:
        """As a piece of HTML, with formulas as MathML."""
        from dpsym.rendering.notebook import as_html

        return as_html(self.page())

    def formula(self) -> str | None:
        """As LaTeX between dollar signs, where it is a formula."""
        return None


class Shown(Answer):
    """An entry of the catalogue, what a query may speak of, or a word of the glossary: also to paste and to run.

    Attributes:
        entry: the definition, mechanism, theorem, result or claim; None for a word.
        word: that word; None for an entry.
    """

    FORMATS = (*Answer.FORMATS, *PROGRAMS)

    entry: Any
    word: Any


def row_of(document: object) -> dict[str, Any]:
    """A document as a row: each of its values by the path to it."""
    return dict(_flat(document))


def _flat(document: object, name: str = "") -> Iterator[tuple[str, Any]]:
    inside = document.items() if isinstance(document, Mapping) else ()
    if isinstance(document, list):
        inside = {str(number): one for number, one in enumerate(document, start=1)}.items()
    if not isinstance(document, Mapping | list):
        yield name, document
    for key, value in inside:
        yield from _flat(value, f"{name}.{key}" if name else key)


@dataclass(frozen=True, eq=False, repr=False)
class NoneEnough(Answer):
    """No value of an unknown is enough, or that none was found.

    Attributes:
        error: what Python raises, with the reason.
        said: in words.
        shown: whether it was shown that there is none.
        relation: the neighbours that were asked for, where some were.
        document: of the command, but for these.
    """

    error: Exception
    said: str
    shown: bool
    relation: Adjacency | None
    document: Mapping[str, Any]

    @property
    def status(self) -> int:
        """1 where it was shown, 3 where none was found."""
        return REFUTED if self.shown else UNDECIDED

    def to_dict(self) -> dict[str, Any]:
        """The document of the command."""
        return {**self.document, "adjacency": None if self.relation is None else self.relation.value}

    def page(self) -> Page:
        """The words, and the neighbours."""
        return plain_page(*self.said.splitlines(), relation=self.relation)


def plain_page(*said: str, relation: Adjacency | None = None) -> Page:
    """Lines of words, and the neighbours where they were asked for."""
    from dpsym.rendering.page import Page, lines
    from dpsym.rendering.text import neighbours

    return Page("", lines([*said, *neighbours(relation)]))


def raising(function: Callable[P, T | NoneEnough]) -> Callable[P, T]:
    """The function, which raises where there is no answer but an `error`; `or_nothing` is what answers that, too."""

    @wraps(function)
    def called(*args: P.args, **options: P.kwargs) -> T:
        found = function(*args, **options)
        if (error := getattr(found, "error", None)) is not None:
            raise error
        return found  # type: ignore[return-value]

    called.or_nothing = function  # type: ignore[attr-defined]
    return called


class NumberAnswer(Answer):
    """An answer that is a number between two bounds, of which one is safe to use; `.epsilon` is `.value` of one."""

    __slots__ = ()

    @property
    @abstractmethod
    def name(self) -> str:
        """The name of the number: `epsilon`, `sigma`, …"""

    @property
    @abstractmethod
    def value(self) -> Enclosure:
        """The number between two decimals."""

    @property
    def solved(self) -> Any:
        """The solution for an unknown, with its `safe` end and its `shape`; None for other numbers."""
        return None

    @property
    def safe(self) -> Side:
        """Which end may be used: the upper one of a budget or of noise, the lower one of a number of steps."""
        solved = self.solved
        return "upper" if solved is None else solved.safe

    @property
    def alone(self) -> bool:
        """Whether nothing is known of values beside the safe end, so that it must not be rounded."""
        return self.solved is not None and self.solved.shape == "only"

    @property
    def lower(self) -> Decimal:
        """The lower bound."""
        return self.value.lower

    @property
    def upper(self) -> Decimal:
        """The upper bound."""
        return self.value.upper

    if not TYPE_CHECKING:  # a checker of types tells what there is from what there is not

        def __getattr__(self, name: str) -> Enclosure:
            with suppress(ValueError):  # there may be no number
                if not name.startswith("_") and name not in self.__dataclass_fields__ and name == self.name:
                    return self.value
            raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}", name=name, obj=self)

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
