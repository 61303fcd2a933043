"""The commands by name; each is in a file of its own, which is loaded when it is asked for."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

import click

from dpsym import __version__
from dpsym.cli.arguments import shortened
from dpsym.core.nearest import nearest
from dpsym.core.spelling import as_options

if TYPE_CHECKING:
    from dpsym.cli.questions import Question

_COMMANDS = {  # where each is, and what it is for: the list of them loads none
    "account": ("particulars.account", "Certified epsilon or delta of a composition, or its noise."),
    "audit": ("particulars.audit", "Bound epsilon from below by the counts of an attack."),
    "check": ("checking.check", "Check every step of papers."),
    "compare": ("particulars.compare", "Which noise, for a query under a guarantee."),
    "completion": ("completing.completion", "Write the completion script of a shell."),
    "derive": ("particulars.derive", "Derive the best guarantee of a mechanism, with reasons."),
    "evaluate": ("particulars.evaluate", "Enclose a formula between two decimals."),
    "export": ("exporting.export", "Write derivations for another proof assistant."),
    "list": ("particulars.list_", "List the catalogue."),
    "lsp": ("editing.lsp", "Check documents while they are written, in an editor."),
    "plot": ("plotting.plot", "Plot certified values."),
    "program": ("particulars.program", "What several answers from one data set cost together."),
    "proofs": ("particulars.proofs", "What each theorem of the catalogue is worth."),
    "prove": ("particulars.prove", "Decide a relation, or MECHANISM satisfies GUARANTEE."),
    "read": ("particulars.read", "Print the derivation that is read from a paper."),
    "sensitivity": ("particulars.sensitivity", "Find the sensitivity of a query exactly."),
    "show": ("particulars.show", "Show an entry of the catalogue, or a word."),
    "verify": ("particulars.verify", "Replay certificates."),
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


class Named(click.Group):
    """Commands by name, each made when it is asked for, and the nearest name where one is misspelled.

    Args:
        makers: what makes each, by its name.
        unknown: what is said of another name.
        instead: what to write in its place; empty where that is the nearest.
    """

    def __init__(
        self,
        name: str | None = None,
        *,
        makers: Mapping[str, Callable[[], click.Command]],
        unknown: str = "no command {}",
        instead: Callable[[str], str] = lambda _: "",
        **more: Any,
    ) -> None:
        super().__init__(name, **more)
        self._makers, self._unknown, self._instead = makers, unknown, instead

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names, in the order of the help."""
        return list(self._makers)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name."""
        return fitted(self._makers[cmd_name]()) if cmd_name in self._makers else None

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """The command, or a usage error that says what there is."""
        if args and args[0] not in self._makers and not args[0].startswith("-"):
            near = nearest(args[0], self._makers)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(self._makers)}"
            unknown = self._unknown.format(repr(shortened(args[0])))
            raise click.UsageError(f"{unknown}; {self._instead(args[0]) or hint}", ctx)
        return super().resolve_command(ctx, args)


class Commands(Named):
    """All of them."""

    def main(self, *args: Any, **options: Any) -> Any:
        """See `click.Command`; what a message says to write is written as options."""
        if "_DPSYM_COMPLETE" in os.environ:
            import dpsym.cli.completing  # noqa: F401 - bash is completed in a way of its own
        with as_options():
            return super().main(*args, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """See `click.Command`; whatever takes long says so."""
        from dpsym.rendering.progress import progress

        with progress("working"):
            return super().invoke(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What each is for."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, words) for name, (_, words) in _COMMANDS.items()])


def _command(name: str) -> click.Command:
    home, _, there = _COMMANDS[name][0].rpartition(".")
    found: click.Command | Question = getattr(import_module(f"dpsym.cli.{home}"), there)
    return found if isinstance(found, click.Command) else found.command(name)


def fitted(command: click.Command) -> click.Command:
    """The command with the examples in its help broken where a terminal of 80 columns ends."""
    lines = cleandoc(command.help or "").split("\n")
    command.help = "\n".join(part for line in lines for part in _broken(line)) or None
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


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    makers={name: partial(_command, name) for name in _COMMANDS},
    instead=lambda word: f"write {_OTHERWISE[word]}" if word in _OTHERWISE else "",
)
@click.version_option(__version__, prog_name="dpsym", message="%(prog)s %(version)s")
def dpsym() -> None:
    """Derive and decide differential-privacy bounds, with every step justified and every digit guaranteed.

    Exit status: 0 yes or done, 1 refuted, 3 undecided, 2 the input could not be read.
    """
