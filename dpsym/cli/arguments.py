"""What is written on the command line: options, and readers that succeed or say why in one line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dpsym.core.clocks import Work, asked, each_keeping_time
from dpsym.core.nearest import expected_one_of

if TYPE_CHECKING:
    import sympy as sp
    from click.shell_completion import CompletionItem

    from dpsym.api.answers import Answer
    from dpsym.cli.defaults import Defaults

T = TypeVar("T")

_UNFINISHED = {
    "dpsym.deriving": "NotInTime", "dpsym.numbers": "NotEnclosed", "dpsym.rendering.drawing": "NoPlotInTime",
}  # fmt: skip
_REFUSALS = {
    "dpsym.language.errors": "ReadingError", "dpsym.statements": "StatementError", "dpsym.catalogue": "UnknownEntry",
    "dpsym.core.relations": "NotAProposition", "dpsym.accounting": "NotAccountable", "dpsym.auditing": "NotAnAudit",
    "dpsym.deciding": "EmptyDomain", "dpsym.deriving": "DerivationError", "dpsym.rendering.drawing": "NoPlot",
    "dpsym.rendering.python_code": "NoPythonCode",
}  # fmt: skip
DONE, REFUTED, UNREADABLE, UNDECIDED, INTERRUPTED = 0, 1, 2, 3, 130  # exit statuses; 130 as shells have it
_LONGEST_SHOWN = 60  # characters of an argument in an error line


class Unreadable(click.ClickException):
    """Input that could not be read: what, where, and what was expected."""

    exit_code = UNREADABLE


class Located(Unreadable):
    """The same with the argument that it is in."""


class Undecided(click.ClickException):
    """The time limit was reached and there is no answer."""

    exit_code = UNDECIDED


class _Said(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.2 on
    """Says of a value that it refuses what was expected instead."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """See `click.ParamType`."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"{shortened(str(value))!r}: {self.expected(str(value))}", param, ctx)

    def expected(self, value: str) -> str:
        """What could be there."""
        raise NotImplementedError


class Word(_Said, click.Choice):  # type: ignore[type-arg]  # generic from click 8.2 on
    """One of some words; `of` names the parameter, where there is more to say of other words."""

    def __init__(self, words: Iterable[str], of: str = "") -> None:
        super().__init__(list(words))
        self.of = of

    def expected(self, value: str) -> str:
        """The words, and the nearest, or why there is none for it."""
        from dpsym.language.sources import why_not_there

        why = why_not_there(value) if self.of == "sampling" else ""
        return why or expected_one_of(value, map(str, self.choices))


class Whole(_Said, click.IntRange):
    """A whole number within limits."""

    def expected(self, value: str) -> str:
        """The limits."""
        return f"expected a whole number{_from_to(self.min, self.max)}"


class Amount(_Said, click.FloatRange):
    """A number within limits."""

    def expected(self, value: str) -> str:
        """The limits."""
        return f"expected a number{f' above {self.min:g}' if self.min_open else _from_to(self.min, self.max)}"


def _from_to(least: float | None, most: float | None) -> str:
    return "" if least is None else f" from {least}" + ("" if most is None else f" to {most}")


def _values(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from dpsym.cli.completing import values

    return values(context, parameter, incomplete)


AT = click.option(
    "--at",
    "at",
    multiple=True,
    metavar="NAME=VALUE",
    shell_complete=_values,
    help="A value, exact: 200, 1/3, 1e-5. Repeatable.",
)
ASSUME = click.option(
    "--assume", multiple=True, metavar="COND", help='A condition on the symbols: "rho <= 1". Repeatable.'
)
DIGITS = click.option("--digits", type=Whole(1, 100_000), default=None, metavar="N", help="Guaranteed digits (15).")
FORMULA = click.option("--formula", is_flag=True, help="Long formulas, too, beside numbers.")
JSON = click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")

FORMAT = click.option(
    "--format",
    "format_",
    type=Word(["text", "latex", "align", "bibtex", "markdown", "python", "c", "javascript", "json"]),
    default="text",
    help="How to write the answer.",
)


SAMPLING = click.option(
    "--sampling",
    type=Word(["poisson", "fixed-size"], of="sampling"),
    help="Whether samples are Poisson (poisson), or of fixed size (fixed-size).",
)


def adjacency_option(what: str, **more: Any) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """The option that says which data sets are neighbours; `what`: the help."""
    words = Word(["replace", "add", "remove", "add-remove"])
    return click.option("--adjacent", "--adjacency", "adjacency", type=words, help=what, **more)


class Limit(Amount):
    """A time limit, in seconds."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """See `click.ParamType`."""
        return value if isinstance(value, Work) else super().convert(value, param, ctx)


def time_limit(seconds: float, what: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """The option --time-limit with this default, said to be for `what`."""
    option = click.option(
        "--time-limit", type=Limit(0, min_open=True), default=Work(seconds), metavar="SECONDS",
        help=f"{what}, on the wall's clock; {seconds:g} s of work by default."
    )  # fmt: skip
    return lambda command: option(each_keeping_time(command))


TIME_LIMIT = time_limit(10.0, "Per step")
IN_ALL = time_limit(30.0, "For everything")


def in_time(seconds: float, work: Callable[[], T]) -> T:
    """The result of the work.

    Raises:
        Undecided: where it takes longer than so many seconds.
    """
    from dpsym.deciding.timeout import Limit

    found = asked(seconds, lambda: Limit(seconds).run(lambda: (work(),), None))
    if found is None:
        raise Undecided(f"undecided: the time limit of {seconds:g} s was reached (--time-limit allows more)")
    return found[0]


def say_not_finished(seconds: float) -> None:
    """Say on standard error that the answer is what was found within the time limit."""
    click.echo(
        f"dpsym: the time limit of {seconds:g} s was reached; this is what was found by then"
        " (--time-limit allows more)",
        err=True,
    )


@contextmanager
def refusing(where: str, text: str) -> Iterator[None]:
    """Whatever the library refuses inside is an error in this argument; what it did not find in time is undecided."""
    try:
        yield
    except Located:
        raise
    except Unreadable as error:
        raise Located(f"{where} {shortened(text)!r}: {one_line(error.message)}") from None
    except refusals() as error:
        from dpsym.api.reading import UnknownName
        from dpsym.catalogue import UnknownEntry
        from dpsym.deriving import NotInTime
        from dpsym.language import ReadingError

        if isinstance(error, NotInTime):
            raise Undecided(f"undecided: {one_line(str(error))}") from None
        said = str(error)
        if isinstance(error, UnknownName):  # a value of nothing, wherever that is found out
            where, text = "--at", f"{error.name}={error.value}"
        elif isinstance(error, ReadingError | UnknownEntry) and error.text:
            where, text = (where, text) if error.text.strip() in text else _standing(error.text) or (where, text)
            if isinstance(error, ReadingError) and error.text == text and error.position is not None:
                said = f"{error.message} (column {error.position + 1})" if error.position else error.message
        raise Located(f"{where} {shortened(text)!r}: {one_line(said)}") from None


def _standing(text: str) -> tuple[str, str] | None:
    """The repeatable option that has this text, where one has, and its whole value."""
    context = click.get_current_context(silent=True)
    if context is None:
        return None
    for parameter in context.command.params:
        for value in context.params.get(str(parameter.name)) or () if parameter.multiple else ():
            if isinstance(value, str) and text.strip() in value:
                return parameter.opts[0], value
    return None


def refusals() -> tuple[type[Exception], ...]:
    """What the library raises for input that it cannot accept, as far as it is loaded."""
    return _loaded(_REFUSALS)


def unfinished() -> tuple[type[Exception], ...]:
    """What the library raises where it does not know, as far as it is loaded."""
    return _loaded(_UNFINISHED)


def _loaded(named: Mapping[str, str]) -> tuple[type[Exception], ...]:
    return tuple(getattr(sys.modules[home], name) for home, name in named.items() if home in sys.modules)


def telling(what: str) -> AbstractContextManager[None]:
    """Say on standard error that this goes on, once it takes long."""
    from dpsym.rendering.progress import progress

    return progress(what)


def values_of(assignments: Sequence[str]) -> dict[sp.Symbol, sp.Rational]:
    """The values that all --at together give."""
    from dpsym.language import read_assignment

    point: dict[sp.Symbol, sp.Rational] = {}
    for assignment in assignments:
        with refusing("--at", assignment):
            symbol, value = read_assignment(assignment)
            if symbol in point:
                raise Unreadable(f"{symbol} has a value already")
            point[symbol] = value
    return point


def answer(document: str) -> None:
    """Print what was found."""
    click.echo(document.rstrip("\n"))


def show(found: Answer, as_json: bool, known: Defaults | None = None) -> int:
    """Print an answer, say what was taken from a file of defaults, and return the exit status."""
    from dpsym.rendering import data

    document = found.to_dict() if as_json else None
    answer(data.document(document if known is None else known.beside(document)) if as_json else str(found))
    if known is not None:
        known.say()
    return found.status


def shortened(text: str) -> str:
    """As much of a text as an error line can show."""
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"


def one_line(text: str, longest: int = 500) -> str:
    """A message on one line."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
