"""The command line: reads its arguments, asks the library, prints the answer, exits with what it found."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NoReturn

import click

from dpsym import __version__

if TYPE_CHECKING:
    import sympy as sp

    from dpsym.deriving import Fact
    from dpsym.relations import Proposition

DONE, REFUTED, UNREADABLE, UNDECIDED, INTERRUPTED = 0, 1, 2, 3, 130
_LONGEST_SHOWN = 60  # characters of an argument in an error line
_LONGEST_ARGUMENT = 20_000


class Unreadable(click.ClickException):
    """Input that could not be read: what, where, and what was expected."""

    exit_code = UNREADABLE


class Commands(click.Group):
    """The commands, with the nearest name where one is misspelled."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """The command, or a usage error that offers the nearest."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            near = get_close_matches(args[0], self.commands, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(self.commands)}"
            raise click.UsageError(f"no command {_shortened(args[0])!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="dpsym", message="%(prog)s %(version)s")
def dpsym() -> None:
    """Derive and decide differential-privacy bounds, with every step justified and every digit guaranteed.

    Exit status: 0 yes or done, 1 refuted, 3 undecided, 2 the input could not be read.
    """


_AT = click.option(
    "--at", "at", multiple=True, metavar="NAME=VALUE", help="A value, exact: 200, 1/3, 1e-5. Repeatable."
)
_ASSUME = click.option(
    "--assume", multiple=True, metavar="COND", help='A condition on the symbols: "rho <= 1". Repeatable.'
)
_DIGITS = click.option(
    "--digits", type=click.IntRange(1, 100_000), default=None, metavar="N", help="Guaranteed digits (15)."
)
_JSON = click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")

_FORMAT = click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "latex", "markdown", "python", "json"]),
    default="text",
    help="How to write the answer.",
)


@dpsym.command()
@click.argument("source", metavar="MECHANISM|GUARANTEE")
@click.option(
    "--to", "target", metavar="DEFINITION", help="approx, zcdp(rho), approx(delta=1e-5) …; without it, all."
)
@click.option("--for", "wanted", metavar="NAME", help="Solve for this parameter of the mechanism instead.")
@_ASSUME
@_AT
@_DIGITS
@click.option(
    "--all", "every", is_flag=True, help="Every route, tightest first (--json has them all anyway)."
)
@_FORMAT
@_JSON
def derive(
    source: str,
    target: str | None,
    wanted: str | None,
    assume: Sequence[str],
    at: Sequence[str],
    digits: int | None,
    every: bool,
    format_: str,
    as_json: bool,
) -> int:
    """Derive the best guarantee of a mechanism, or what a given guarantee implies, with every reason.

    \b
    dpsym derive "gaussian(sigma=200) ** 500" --to approx --at delta=1e-5
    dpsym derive "zcdp(rho)" --to approx --all
    dpsym derive gaussian --to "zcdp(rho)" --for sigma
    """
    from dpsym import catalogue, deriving, reading
    from dpsym.rendering import routes

    point = _point(at)
    conditions = [c for text in assume for c in _conditions(text)]
    with _reading("MECHANISM|GUARANTEE", source):
        start = reading.read_source(source)
    with _reading("--to", target or ""):
        goals = [reading.read_goal(target)] if target is not None else list(catalogue.definitions().values())
    unknown = None
    if wanted is not None:
        with _reading("--for", wanted):
            unknown = _one_of(wanted, start.free_symbols, "parameter")
    with _reading("MECHANISM|GUARANTEE", source), _progress("deriving"):
        found: list[Fact] = []
        for goal in goals:
            try:
                here = deriving.routes(start, goal, assume=conditions, at=point, solve_for=unknown)
            except deriving.DerivationError:
                if target is not None:
                    raise
                continue
            found += here if every or target is not None else here[:1]
        names = start.free_symbols.union(*(_symbols(fact) for fact in found))
        for symbol in point:
            with _reading("--at", f"{symbol}={point[symbol]}"):
                _one_of(str(symbol), names, "symbol")
        as_data = as_json or format_ == "json"
        shown = found if every or as_data or target is None else found[:1]
        answers = [routes.route(fact, point, digits or 15) for fact in shown]
        question = f"{source} to {target or 'every definition'}"
        write = routes.WRITERS["json" if as_data else format_]
        _print(write(answers, routes.Question(question, target, len(found), bool(point))))
    return DONE


@dpsym.command()
@click.argument("expression")
@_AT
@_DIGITS
@_JSON
def evaluate(expression: str, at: Sequence[str], digits: int | None, as_json: bool) -> int:
    """Enclose EXPRESSION between two decimals, rounded outward.

    \b
    dpsym evaluate "sqrt(2)" --digits 50
    dpsym evaluate "rho + 2*sqrt(rho*log(1/delta))" --at rho=1/2 --at delta=1e-5
    """
    from dpsym import reading, spelling
    from dpsym.enclosing import NotEnclosed, NotNumeric, Undefined, enclose
    from dpsym.rendering import data, text

    point = _point(at)
    with _reading("EXPRESSION", expression):
        formula = reading.read_expression(expression)
        missing = sorted(str(s) for s in formula.free_symbols - set(point))
        if missing:
            raise Unreadable(f"no value for {', '.join(missing)} (expected --at {missing[0]}=VALUE)")
        try:
            with _progress("enclosing the value"):
                value = enclose(formula, {s: v for s, v in point.items() if s in formula.free_symbols},
                                digits=digits or 15)  # fmt: skip
        except Undefined as error:
            raise Unreadable(f"not defined there: {error}") from None
        except NotNumeric as error:
            raise Unreadable(str(error)) from None
        except NotEnclosed as error:
            click.echo(f"dpsym: undecided: {_one_line(str(error))}", err=True)
            return UNDECIDED
    _print(
        data.document(data.evaluation(spelling.plain(formula), value, digits or 15))
        if as_json
        else text.enclosure(value)
    )
    return DONE


_TIME_LIMIT = click.option(
    "--time-limit",
    type=click.FloatRange(0, min_open=True),
    default=10.0,
    metavar="SECONDS",
    help="Per step (10).",
)


@dpsym.command()
@click.argument("claim")
@click.option(
    "--let", multiple=True, metavar="COND", help='A name with its domain: "rho > 0", "x: real". Repeatable.'
)
@click.option("--where", multiple=True, metavar="NAME=EXPR", help="An abbreviation. Repeatable.")
@_ASSUME
@_TIME_LIMIT
@_JSON
def prove(
    claim: str,
    let: Sequence[str],
    where: Sequence[str],
    assume: Sequence[str],
    time_limit: float,
    as_json: bool,
) -> int:
    """Decide CLAIM: a relation (or a chain of them), or MECHANISM satisfies GUARANTEE.

    \b
    dpsym prove "a*b <= (a^2 + b^2)/2" --let "a: real" --let "b: real"
    dpsym prove "gaussian(sigma, Delta) satisfies zcdp(Delta^2/(2*sigma^2))"
    """
    from dpsym.proving import read_claim
    from dpsym.rendering import data, text

    with _reading("CLAIM", claim):
        question = read_claim(claim, let=let, where=where, assume=assume)
        with _progress("deciding"):
            decision = question.decide(time_limit)
    _print(data.document(data.decision(claim, decision)) if as_json else text.decision(decision))
    return exit_status(decision.verdict)


@dpsym.command("list")
@click.argument("kind", required=False)
@_JSON
def list_(kind: str | None, as_json: bool) -> int:
    """List the definitions, mechanisms and theorems, or those of one KIND."""
    from dpsym.rendering import data, entries

    with _reading("KIND", kind or ""):
        kinds = entries.of_kind(kind)
    _print(data.document(data.entries(kinds)) if as_json else entries.as_table(kinds))
    return DONE


@dpsym.command()
@click.argument("entry", metavar="ID")
@_FORMAT
@_JSON
def show(entry: str, format_: str, as_json: bool) -> int:
    """Show a definition, mechanism or theorem: statement, conditions, source, and what its proof is worth."""
    from dpsym.rendering import entries

    with _reading("ID", entry):
        found = entries.find(entry)
        _print(entries.WRITERS["json" if as_json else format_](found))
    return DONE


def exit_status(verdict: object) -> int:
    """0 for a yes, 1 for a no, 3 for neither."""
    from dpsym.verdicts import Verdict

    if verdict in (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED):
        return DONE
    return REFUTED if verdict is Verdict.REFUTED else UNDECIDED


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit; no input ends in a traceback."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    try:
        _refuse_monsters(sys.argv[1:] if arguments is None else arguments)
        status = dpsym.main(
            args=None if arguments is None else list(arguments), prog_name="dpsym", standalone_mode=False
        )
        sys.stdout.flush()
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.ClickException as error:
        where = getattr(error, "ctx", None)
        return _say(f"{where.command_path}: " if where is not None else "dpsym: ", error.format_message())
    except (click.Abort, KeyboardInterrupt):
        click.echo("dpsym: interrupted", err=True)
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody reads any more
        return DONE
    except Exception as error:  # the last resort: whatever went wrong, the answer is "undecided"
        if os.environ.get("DPSYM_TRACEBACK"):
            raise
        kind = type(error).__name__
        click.echo(
            f"dpsym: internal error, nothing was decided: {kind}: {_one_line(str(error))}"
            " (a defect of dpsym; DPSYM_TRACEBACK=1 shows where)",
            err=True,
        )
        return UNDECIDED
    return status if isinstance(status, int) else DONE


def _refuse_monsters(arguments: Sequence[str]) -> None:
    for argument in arguments:
        if len(argument) > _LONGEST_ARGUMENT:
            raise Unreadable(
                f"{_shortened(argument)!r} has {len(argument)} characters; at most {_LONGEST_ARGUMENT} are read"
            )


@contextmanager
def _reading(where: str, text: str) -> Iterator[None]:
    """Whatever the library refuses inside is an error in this argument."""
    try:
        yield
    except Unreadable as error:
        raise Unreadable(f"{where} {_shortened(text)!r}: {_one_line(error.message)}") from None
    except _refusals() as error:
        raise Unreadable(f"{where} {_shortened(text)!r}: {_one_line(str(error))}") from None


def _refusals() -> tuple[type[Exception], ...]:
    """What the library raises for input that it cannot accept."""
    from dpsym.catalogue import UnknownEntry
    from dpsym.deciding import EmptyDomain
    from dpsym.deriving import DerivationError
    from dpsym.reading import ReadingError
    from dpsym.relations import NotAProposition
    from dpsym.rendering.python_code import NoPythonCode
    from dpsym.statements import StatementError

    wrong_input = (ReadingError, StatementError, UnknownEntry, NotAProposition)
    return (*wrong_input, EmptyDomain, DerivationError, NoPythonCode)


def _conditions(text: str) -> tuple[Proposition, ...]:
    from dpsym.reading import read_relations

    with _reading("--assume", text):
        return read_relations(text).relations


def _one_of(name: str, symbols: Iterable[sp.Symbol], kind: str) -> sp.Symbol:
    """The symbol of that name."""
    named = {s.name: s for s in symbols}
    if name not in named:
        raise Unreadable(
            f"no {kind} is called {name!r} here (there are: {', '.join(sorted(named)) or 'none'})"
        )
    return named[name]


def _symbols(fact: Fact) -> set[sp.Symbol]:
    """Every symbol that a value could be given for."""
    symbols = set().union(*(f.guarantee.free_symbols | f.free for f in fact.lineage()))
    return symbols.union(*(v.free_symbols for f in fact.lineage() for _, v in f.choices))


def _progress(what: str) -> AbstractContextManager[None]:
    from dpsym.rendering.progress import progress

    return progress(what)


def _point(assignments: Sequence[str]) -> dict[sp.Symbol, sp.Rational]:
    from dpsym.reading import read_assignment

    point: dict[sp.Symbol, sp.Rational] = {}
    for assignment in assignments:
        with _reading("--at", assignment):
            symbol, value = read_assignment(assignment)
            if symbol in point:
                raise Unreadable(f"{symbol} has a value already")
            point[symbol] = value
    return point


def _print(document: str) -> None:
    click.echo(document.rstrip("\n"))


def _say(where: str, message: str) -> int:
    click.echo(f"{where}{_one_line(message)}", err=True)
    return UNREADABLE


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"


def _one_line(text: str, longest: int = 500) -> str:
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
