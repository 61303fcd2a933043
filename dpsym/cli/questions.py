"""A function of the flat API as a command: its signature has the options, its docstring their help and the examples.

A parameter is an option of the same name.  Its annotation says what is read: `bool` a flag, `Literal` one of its words,
`Iterable` what may be given again.  `Args:` of the docstring has the help, with the metavar in brackets after the name;
what `SHARED` says stands where the docstring speaks of several parameters at once.  `Command:` has the examples.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass
from functools import partial
from importlib import import_module
from inspect import Parameter, cleandoc, signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

import click

from dpsym.api.reading import parameters
from dpsym.cli.arguments import (
    Limit,
    Undecided,
    Unreadable,
    Word,
    answer,
    aside,
    one_line,
    refusals,
    shortened,
    unfinished,
)
from dpsym.cli.defaults import ADJACENCIES, Defaults, defaults
from dpsym.core.clocks import asked
from dpsym.core.doing import waiting_for
from dpsym.core.spelling import option
from dpsym.rendering.answers import Answer

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Given = dict[str, Any]
GRACE = 1.3  # times the limit, for what does not look at the clock

SHARED: Mapping[str, tuple[str, str]] = {  # metavar and help by parameter, unless the docstring has its own
    "adjacent": ("", "Which data sets are neighbours: one record replaced, added, removed, or either of these two."),
    "assume": ("COND", 'A condition on the symbols: "rho <= 1".'),
    "at": ("NAME=VALUE", "A value, exact: 200, 1/3, 1e-5."),
    "density": ("FORMULA", 'Noise of one\'s own, called noise: "exp(-abs(x)/b)/(2*b)".'),
    "digits": ("N", "Guaranteed digits (15)."),
    "for_": ("NAME", "Solve for this parameter of the mechanism instead."),
    "formula": ("", "Long formulas, too, beside numbers."),
    "let": ("COND", 'A parameter with its domain: "b > 0".'),
    "pmf": ("FORMULA", 'Masses on the integers: "(1-p)/(1+p)*p^abs(n)".'),
    "sampling": ("", "Whether samples are Poisson (poisson), or of fixed size (fixed-size)."),
    "shift": ("FORMULA", "By how much neighbouring answers differ (Delta)."),
    "support": ("COND", 'Where the noise is not zero: "x >= 0", "-c <= x <= c".'),
    "to": ("NOTION", "approx, zcdp(rho), approx(delta=1e-5) …; without it, all."),
    "variable": ("NAME", "The outcome in the formula (x; n in masses)."),
    "where": ("NAME=EXPR", "An abbreviation."),
}  # fmt: skip
_COMPLETED = {  # by what of `completing`
    "at": "values", "claim": "claims", "entry": "names", "for_": "unknowns", "from_": "notions",
    "guarantee": "notions", "kind": "kinds", "mechanism": "mechanisms", "mechanisms": "mechanisms",
    "notion": "notions", "to": "notions",
}  # fmt: skip
_OTHERWISE = {"log": "--linear"}  # what says no, where yes and no may both be said
_NEGATIVE = re.compile(r"-(?:[\d.(]|\w\W|\w\w)")  # a formula with a minus in front; one letter by itself is an option
_ARG = re.compile(r"(?P<names>\w+(?:, \w+)*)(?: \((?P<metavar>[^()]*)\))?: (?P<text>.*)")


@dataclass(eq=False)
class Question:
    """A function as a command.

    Attributes:
        home: the function: its module in `dpsym.api` and its name.
        doing: what it does, in words, while somebody waits.
        without: parameters that are no options.
        arguments: parameters that are no options but written without one, with their metavars; the first, unless said.
        required: options that have to be there, though the function has a default.
        more: further options, for `prepare` and `conclude`.
        grace: whether all of it is stopped, where the function runs on beyond its limit.
        formats: of the answer, besides those of every answer.
        seconds: the limit on the wall's clock, unless one is given, in the place of the function's, which is work.
    """

    home: str
    doing: str
    _: KW_ONLY
    without: tuple[str, ...] = ()
    arguments: Mapping[str, str] | None = None
    required: tuple[str, ...] = ()
    more: tuple[click.Option, ...] = ()
    grace: bool = False
    formats: tuple[str, ...] = ()
    seconds: float | None = None

    @property
    def function(self) -> Callable[..., Any]:
        """The function."""
        home, _, name = self.home.partition(".")
        found: Callable[..., Any] = getattr(import_module(f"dpsym.api.{home}"), name)
        return found

    @property
    def about(self) -> Callable[..., Any]:
        """The function whose docstring is the help."""
        return self.function

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters that are options or arguments."""
        return tuple(name for name in parameters(self.function) if name not in self.without)

    # --- what a command may do in its own way
    def prepare(self, given: Given, known: Defaults) -> Given:
        """The function's arguments, with the defaults of the project."""
        return self.with_usual(self.with_neighbours(given, known), known)

    def with_neighbours(self, given: Given, known: Defaults) -> Given:
        """The same, with the project's neighbours and sampling."""
        for name, key in (("adjacent", "adjacency"), ("sampling", "sampling")):
            if name in self.names and (word := known.word(key, given.get(name))) is not None:
                given[name] = word
        return given

    def with_usual(self, given: Given, known: Defaults) -> Given:
        """The same, with the project's delta for whoever needs one."""
        if "at" in self.names:
            from dpsym.api.given_values import Assignments

            given["at"] = Assignments(given.get("at", ()))
            given["at"].usual = partial(known.word, "delta", None)
        return given

    def ask(self, given: Given, form: str, known: Defaults) -> Answer:
        """The answer of the function."""
        prepared = self.prepare(given, known)
        extra = {str(one.name) for one in self.more}
        function = getattr(self.function, "or_nothing", self.function)  # that there is nothing answers it, too
        several = [p.name for p in signature(function).parameters.values() if p.kind is p.VAR_POSITIONAL]
        positional = [one for name in ("", *several) for one in prepared.pop(name, ())]
        call = partial(function, *positional, **{n: v for n, v in prepared.items() if n not in extra})
        if not self.grace:
            return call()
        from dpsym.api.reading import in_time

        limit = self.limit(given)
        return asked(GRACE * limit, lambda: in_time(limit, call, grace=GRACE))

    def run(self, given: Given, form: str, known: Defaults) -> int:
        """Ask, print the answer, say what was taken from a file of defaults, and conclude."""
        found = self.ask({**given}, form, known)
        self.show(found, form, known)
        known.say()
        status = self.conclude(found, given, known)
        if not getattr(found, "finished", True):
            from dpsym.api.reading import reached

            aside(f"dpsym: {reached(self.limit(given))}; this is what was found by then")
        return status

    def show(self, found: Answer, form: str, known: Defaults) -> None:
        """Print the answer."""
        if form == "json":
            from dpsym.rendering import data

            answer(data.document(known.beside(found.to_dict())))
        else:
            answer(found.written(form))

    def conclude(self, found: Answer, given: Given, known: Defaults) -> int:
        """What remains to be done when the answer has been printed, and the exit status."""
        return found.status

    # --- the command
    def limit(self, given: Given) -> float:
        """How long it may take."""
        limit: float = given.get("time_limit", signature(self.function).parameters["time_limit"].default)
        return limit

    def command(self, name: str) -> click.Command:
        """The command."""
        function, said = self.function, Said(self.about)
        there = signature(function).parameters
        self.arguments = {next(iter(there)): ""} if self.arguments is None else self.arguments
        said.options = Said(function).options | said.options
        chosen = [there[name] for name in self.names]
        params = [*(self._parameter(p, said) for p in chosen), *self.more]
        formats = Word((*Answer.FORMATS, *self.formats))
        params.append(click.Option(["--format", "format_"], type=formats, help="How to write the answer (text)."))
        params.append(click.Option(["--json", "as_json"], is_flag=True, help="One JSON document on standard output."))
        return _Command(name, callback=partial(_run, self), params=params, help=said.help)

    def _parameter(self, parameter: Parameter, said: Said) -> click.Parameter:
        name, read = parameter.name, str(parameter.annotation)
        metavar, text = said.options.get(name) or SHARED.get(name, ("", ""))
        metavar = metavar or SHARED.get(name, ("", ""))[0]
        needed = parameter.default is Parameter.empty or name in self.required
        by = "sources" if "|" in (self.arguments or {}).get(name, "") else _COMPLETED.get(name)
        more: dict[str, Any] = {"shell_complete": by and partial(_completed, by), "required": needed}
        if name in (self.arguments or ()):
            shown = (self.arguments or {})[name] or metavar or name.upper()
            several = shown.endswith("...")  # of which some may be folders; each is named as it was written
            path = click.Path(path_type=str if several else Path, allow_dash=True, readable=False)
            kind = path if shown.strip("[].") in ("FILE", "CERTIFICATE") else None
            more["shell_complete"] = more["shell_complete"] if kind is None else None
            more |= {"required": needed and not shown.startswith("["), "nargs": -1 if "..." in shown else 1}
            shown = shown if more["required"] else f"[{shown.strip('[]')}]"
            return click.Argument([name], metavar=shown, type=kind, **more)
        words = self._words(name, read)
        names = [option(name)]
        if read == "bool":
            more["is_flag"] = True
        elif read == "bool | None":
            names, more["default"] = [f"{option(name)}/{_OTHERWISE[name]}"], None
        elif "Path" in read:
            kind = click.Path(path_type=Path, file_okay=metavar != "DIR", readable=False)
            more |= {"type": kind, "metavar": metavar or "FILE"}
        elif name.endswith("time_limit"):
            more |= {"type": Limit(), "metavar": "SECONDS"}
            text = text.replace("in seconds", "in seconds of the wall's clock")
            if parameter.default is not None:
                by_default = f"{parameter.default:g} s of work" if self.seconds is None else f"{self.seconds:g} s"
                text = f"{text.rstrip('.')}; {by_default} by default."
        else:
            more |= {"type": words, "metavar": metavar or None, "multiple": "Iterable[" in read or "Values" in read}
        if isinstance(parameter.default, str | int) and parameter.default and f"({parameter.default})" not in text:
            text = f"{text.rstrip('.')} ({parameter.default})." if read != "bool" else text
        if more.get("multiple"):
            text = f"{text} Repeatable."
        short = ["-o"] if name == "output" else []
        aliases = ["--adjacency"] if name == "adjacent" else []
        return _Option([*short, *names, *aliases, name], help=text, **more)

    def _words(self, name: str, read: str) -> click.ParamType | None:  # type: ignore[type-arg]  # from click 8.2 on
        if name == "adjacent":
            return Word(ADJACENCIES)
        module = sys.modules[self.function.__module__]
        for part in re.findall(r"\w+", read):
            if get_origin(there := getattr(module, part, None)) is Literal:
                return Word(get_args(there), of=name)
        return None


def _completed(by: str, context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from dpsym.cli import completing

    return completing.left_open(getattr(completing, by)(context, parameter, incomplete))


class _Command(click.Command):
    """A command that reads formulas with a minus in front, and completes an unfinished line by what stands there."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """See `click.Command`; an option without its value would hide all that stands before it."""
        unfinished = ctx.resilient_parsing and args and args[-1].startswith("-")
        short = {name for parameter in self.get_params(ctx) for name in parameter.opts}
        args = [f" {one}" if _NEGATIVE.match(one) and one[:2] not in short else one for one in args]
        rest = super().parse_args(ctx, args[:-1] if unfinished else args)
        for name, value in ctx.params.items():
            if isinstance(value, str):
                ctx.params[name] = value.strip()
        return rest


class _Option(click.Option):
    """An option whose old names are read and not shown."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """See `click.Option`."""
        names = self.opts
        self.opts = [one for one in names if one != "--adjacency"]
        try:
            return super().get_help_record(ctx)
        finally:
            self.opts = names


class Said:
    """What the docstring of a function says: `help` of the command, and `options`, each with its metavar."""

    def __init__(self, function: Callable[..., Any]) -> None:
        head, *sections = re.split(r"^(?=\w+:\n)", cleandoc(function.__doc__ or ""), flags=re.MULTILINE)
        of = {name: cleandoc(text) for name, _, text in (section.partition(":\n") for section in sections)}
        self.options: dict[str, tuple[str, str]] = {}
        for entry in re.split(r"\n(?! )", of.get("Args", "")):
            found = _ARG.match(re.sub(r"\s+", " ", entry).replace("`", ""))
            if found is not None and "," not in found["names"]:
                text = re.sub(r"^for [^:,]+(, [^:]+)?: ", "", found["text"])
                self.options[found["names"]] = (found["metavar"] or "", text[:1].upper() + text[1:])
        parts = [part for part in head.strip().split("\n\n") if not part.startswith(">>>")]
        examples = re.sub(r" \\\n\s+", " ", of.get("Command", "")).strip().split("\n\n")
        parts += [f"\b\n{part}" if part.startswith("dpsym ") else part for part in examples]
        self.help = "\n\n".join(parts).replace("`", "")


def _run(question: Question, **options: Any) -> int:
    """Ask, print, conclude."""
    context = click.get_current_context()
    as_json, form = options.pop("as_json"), options.pop("format_") or "text"
    form = "json" if as_json else form
    left = {p.name: False for p in context.command.params if isinstance(p, click.Option) and p.is_flag}
    given = {name: one for name, one in options.items() if one not in (None, ()) and left.get(name) is not one}
    with waiting_for(question.doing), refused_in(question, context):
        return question.run(given, form, defaults())


@contextmanager
def refused_in(question: Question, context: click.Context) -> Iterator[None]:
    """Whatever the library refuses inside is an error in one of the arguments; what was not found in time is open."""
    try:
        yield
    except unfinished() as error:
        raise Undecided(f"undecided: {one_line(str(error))}") from None
    except refusals() as error:
        where, text = _place(question, context, error)
        said = str(error)
        from dpsym.language.errors import ReadingError, WrongValue

        if isinstance(error, WrongValue):
            said = error.message
        elif isinstance(error, ReadingError) and error.text == text and error.position is not None:
            said = f"{error.message} (column {error.position + 1})" if error.position else error.message
        at = f"{where} {shortened(text)!r}: " if text else f"{where}: " if where else ""
        raise Unreadable(f"{at}{one_line(said)}") from None


def _place(question: Question, context: click.Context, error: Exception) -> tuple[str, str]:
    """The argument or the option that the error is of, and what is written there."""
    params = {str(p.name): p for p in context.command.params}

    def label(name: str) -> str:
        return params[name].human_readable_name.strip("[].") if name in (question.arguments or ()) else option(name)

    written: dict[str, tuple[str, ...]] = {}
    for name, value in context.params.items():
        values = value if isinstance(value, tuple) else (value,)
        written[name] = tuple(str(one) for one in values if isinstance(one, str | Path))
    parameter, given, text = (getattr(error, key, "") for key in ("parameter", "given", "text"))
    there = "" if parameter not in params else next(iter(written[parameter]), "")
    at = "" if parameter not in params else there if parameter in (question.arguments or ()) else str(given)
    if parameter in params and not (text and text.strip() not in at):
        return label(parameter), at
    mains = list(question.arguments or ())
    for name in (*mains, *(n for n in written if n not in mains)) if text else ():
        for one in written.get(name, ()):
            if text.strip() in one:
                return label(name), one
    name = parameter if parameter in params else next((n for n in mains if written.get(n)), "")
    return (label(name), at or written[name][0]) if name else ("", "")
