"""Running the command line: every way in which it can end."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from dpsym.cli.arguments import DONE, INTERRUPTED, UNDECIDED, UNREADABLE, Undecided, Unreadable, one_line, shortened
from dpsym.cli.commands import dpsym

_LONGEST_ARGUMENT = 20_000  # characters; readers have limits of their own below it


_COLLECTING = 200_000, 3, 3  # new objects before they are searched for cycles: few are made that end in one


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit; no input ends in a traceback."""
    gc.set_threshold(*_COLLECTING)
    status = run(arguments)
    gc.freeze()  # what there is goes with the process: it need not be searched for cycles once more
    sys.exit(status)


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
    except Undecided as error:
        _say("dpsym: ", error.format_message())
        return UNDECIDED
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
            f"dpsym: internal error, nothing was decided: {kind}: {one_line(str(error))}"
            " (a defect of dpsym; DPSYM_TRACEBACK=1 shows where)",
            err=True,
        )
        return UNDECIDED
    return status if isinstance(status, int) else DONE


def _refuse_monsters(arguments: Sequence[str]) -> None:
    for argument in arguments:
        if len(argument) > _LONGEST_ARGUMENT:
            raise Unreadable(
                f"{shortened(argument)!r} has {len(argument)} characters; at most {_LONGEST_ARGUMENT} can be"
            )


def _say(where: str, message: str) -> int:
    click.echo(f"{where}{one_line(message)}", err=True)
    return UNREADABLE
