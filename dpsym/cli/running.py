"""Running the command line: every way in which it can end."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import NoReturn

import click

from dpsym.cli.arguments import Undecided, Unreadable, one_line, shortened
from dpsym.cli.commands import dpsym
from dpsym.core.nearest import why_not_opened
from dpsym.rendering.answers import DONE, INTERRUPTED, UNDECIDED, UNREADABLE

_LONGEST_ARGUMENT = 20_000  # characters; readers have limits of their own below it
_COLLECTING = 200_000, 3, 3  # new objects before they are searched for cycles: few are made that end in one


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit; no input ends in a traceback."""
    gc.set_threshold(*_COLLECTING)
    status = run(arguments)
    gc.freeze()  # what there is goes with the process: it need not be searched for cycles once more
    sys.exit(status)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status; with --json an error is a JSON document, too."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    failed = partial(_failed, as_json=_wants_json(given))
    try:
        _refuse_monsters(given)
        status = dpsym.main(args=given, prog_name="dpsym", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except Undecided as error:
        return failed("undecided", "dpsym: ", error.format_message(), UNDECIDED)
    except click.ClickException as error:
        from dpsym.cli.refusing import said

        where = getattr(error, "ctx", None)
        place = f"{where.command_path}: " if where is not None else "dpsym: "
        return failed("unreadable", place, said(error, given), UNREADABLE)
    except (click.Abort, KeyboardInterrupt):
        return failed("interrupted", "dpsym: ", "interrupted", INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody reads any more
        return DONE
    except Exception as error:  # the last resort: whatever went wrong, the answer is "undecided"
        if isinstance(error, OSError) and error.filename is not None:
            return failed("unreadable", "dpsym: ", why_not_opened(error.filename, error), UNREADABLE)
        if os.environ.get("DPSYM_TRACEBACK"):
            raise
        message = (
            f"internal error, nothing was decided: {type(error).__name__}: {one_line(str(error))}"
            " (a defect of dpsym; DPSYM_TRACEBACK=1 shows where)"
        )
        return failed("internal", "dpsym: ", message, UNDECIDED)
    return status if isinstance(status, int) else DONE


def _wants_json(arguments: Sequence[str]) -> bool:
    """Whether a program reads the answer."""
    if "--json" in arguments or "--format=json" in arguments:
        return True
    return any(before == "--format" and word == "json" for before, word in pairwise(arguments))


def _failed(kind: str, where: str, message: str, status: int, *, as_json: bool) -> int:
    """Say why there is no answer, on one line of standard error, and for programs as a document."""
    line = one_line(message, 2000 if kind == "internal" else 500)
    click.echo(f"{where}{line}", err=True)
    if as_json:
        from dpsym.rendering.data import document, error

        click.echo(document(error(kind, line, status)))
    return status


def _refuse_monsters(arguments: Sequence[str]) -> None:
    for argument in arguments:
        if len(argument) > _LONGEST_ARGUMENT:
            raise Unreadable(
                f"{shortened(argument)!r} has {len(argument)} characters; at most {_LONGEST_ARGUMENT} can be"
            )
