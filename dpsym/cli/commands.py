"""The commands by name; each is in a file of its own, which is loaded when it is asked for."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click

from dpsym import __version__
from dpsym.cli.arguments import shortened

_HOMES = {
    "account": "accounting.account",
    "check": "checking.check",
    "completion": "completing.completion",
    "derive": "deriving.derive",
    "evaluate": "evaluating.evaluate",
    "export": "exporting.export",
    "list": "browsing.list_",
    "lsp": "editing.lsp",
    "plot": "plotting.plot",
    "program": "programs.program",
    "proofs": "proofs.proofs",
    "prove": "proving.prove",
    "sensitivity": "sensitivity.sensitivity",
    "show": "browsing.show",
    "verify": "verifying.verify",
}


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
        command: click.Command = getattr(import_module(f"dpsym.cli.{home}"), name)
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """The command, or a usage error that offers the nearest."""
        if args and args[0] not in _HOMES and not args[0].startswith("-"):
            near = get_close_matches(args[0], _HOMES, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(_HOMES)}"
            raise click.UsageError(f"no command {shortened(args[0])!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="dpsym", message="%(prog)s %(version)s")
def dpsym() -> None:
    """Derive and decide differential-privacy bounds, with every step justified and every digit guaranteed.

    Exit status: 0 yes or done, 1 refuted, 3 undecided, 2 the input could not be read.
    """
