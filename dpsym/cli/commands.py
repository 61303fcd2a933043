"""The commands by name; each is in a file of its own, which is loaded when it is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

import click

from dpsym import __version__
from dpsym.cli.arguments import shortened
from dpsym.core.nearest import nearest

if TYPE_CHECKING:
    from dpsym.cli.questions import Question

_HOMES = {
    "account": "particulars.account",
    "audit": "particulars.audit",
    "check": "checking.check",
    "compare": "particulars.compare",
    "completion": "completing.completion",
    "derive": "particulars.derive",
    "evaluate": "particulars.evaluate",
    "export": "exporting.export",
    "list": "browsing.list_",
    "lsp": "editing.lsp",
    "plot": "plotting.plot",
    "program": "particulars.program",
    "proofs": "proofs.proofs",
    "prove": "particulars.prove",
    "sensitivity": "particulars.sensitivity",
    "show": "browsing.show",
    "verify": "verifying.verify",
}

_OTHERWISE = {  # commands of other programs, and functions of the flat API that are options here
    "help": "dpsym --help",
    "version": "dpsym --version",
    "explain": "dpsym show ID, or dpsym derive MECHANISM for the reasons of a bound",
    "calibrate": "dpsym account MECHANISM --for NAME",
    "enclose": "dpsym evaluate EXPRESSION",
    "sweep": "dpsym account MECHANISM --sweep NAME=VALUES -o FILE",
}


_WIDTH = 76  # columns of a line of help, which is indented by two


class Commands(click.Group):
    """The commands, with the nearest name where one is misspelled."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names, in the order of the help."""
        return list(_HOMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name."""
        if cmd_name not in _HOMES:
            return None
        home, _, name = _HOMES[cmd_name].rpartition(".")
        found: click.Command | Question = getattr(import_module(f"dpsym.cli.{home}"), name)
        command = found if isinstance(found, click.Command) else found.command(cmd_name)
        return fitted(command)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """The command, or a usage error that offers the nearest."""
        if args and args[0] not in _HOMES and not args[0].startswith("-"):
            near = nearest(args[0], _HOMES)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(_HOMES)}"
            if args[0] in _OTHERWISE:
                hint = f"write {_OTHERWISE[args[0]]}"
            raise click.UsageError(f"no command {shortened(args[0])!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)


def fitted(command: click.Command) -> click.Command:
    """The command with the examples in its help broken where a terminal of 80 columns ends; its own commands, too."""
    lines = cleandoc(command.help or "").split("\n")
    command.help = "\n".join(part for line in lines for part in _broken(line)) or None
    for inner in command.commands.values() if isinstance(command, click.Group) else ():
        fitted(inner)
    return command


def _broken(line: str) -> Iterator[str]:
    """A command in lines that each end in a backslash, broken before its options."""
    if len(line) <= _WIDTH or not line.startswith("dpsym "):
        yield line
        return
    words = re.split(r" (?=-)", line)
    row = words[0]
    for word in words[1:]:
        if len(row) + len(word) + 3 > _WIDTH:
            yield f"{row} \\"
            row = f"    {word}"
        else:
            row = f"{row} {word}"
    yield row


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="dpsym", message="%(prog)s %(version)s")
def dpsym() -> None:
    """Derive and decide differential-privacy bounds, with every step justified and every digit guaranteed.

    Exit status: 0 yes or done, 1 refuted, 3 undecided, 2 the input could not be read.
    """
