"""`dpsym plot`: each kind of plot as a command."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from inspect import getfullargspec
from typing import Any

import click

from dpsym.cli.arguments import shortened
from dpsym.cli.commands import fitted
from dpsym.cli.defaults import Defaults
from dpsym.cli.questions import Given, Question
from dpsym.core.nearest import nearest

_EACH = ("size", "dark", "vertical", "title", "output", "time_limit")  # parameters of every kind
_REQUIRED: Mapping[str, tuple[str, ...]] = {"account": ("over",), "winners": ("x", "y")}
_DRAWN = {  # what stands without an option, in brackets where it need not be there
    "epsilon": "[MECHANISM]", "noise": "[MECHANISM]", "trade-off": "[MECHANISM...]", "profile": "MECHANISM...",
    "renyi": "MECHANISM...", "winners": "[MECHANISM]", "account": "MECHANISM", "sweep": "FILE",
}  # fmt: skip


class _Plot(Question):
    def __init__(self, kind: str) -> None:
        needed = ("output", *_REQUIRED.get(kind, ()))
        super().__init__("plotting.plot", "computing the curves", arguments={"mechanisms": _DRAWN[kind]},
                         required=needed, grace=True)  # fmt: skip
        self.kind = kind
        if kind == "trade-off":  # as it was once written
            self.more = (click.Option(["--mechanism"], multiple=True, hidden=True),)

    @cached_property
    def about(self) -> Any:
        """The function that draws it."""
        from dpsym.api import plotting

        return getattr(plotting, self.kind.replace("-", "_"))

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters that are options of this kind."""
        return ("mechanisms", *getfullargspec(self.about).kwonlyargs, *_EACH)

    def prepare(self, given: Given, known: Defaults) -> Given:
        """A file of rows has neighbours of its own."""
        drawn = given.pop("mechanisms", ())
        drawn = (*(drawn if isinstance(drawn, tuple) else (drawn,)), *given.pop("mechanism", ()))
        prepared = given if self.kind == "sweep" else self.with_neighbours(given, known)
        return {"": (self.kind, *drawn), **prepared}


class _Kinds(click.Group):
    """The kinds of plots, with what to write where a mechanism stands in the place of one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names."""
        return list(_DRAWN)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name."""
        return fitted(_Plot(cmd_name).command(cmd_name)) if cmd_name in _DRAWN else None

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """The command, or a usage error that says what there is."""
        if args and args[0] not in _DRAWN and not args[0].startswith("-"):
            near = nearest(args[0], _DRAWN)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(_DRAWN)}"
            if "(" in args[0]:
                hint = (
                    "write the kind of plot before it: plot account or plot epsilon for privacy, plot profile for delta"
                )
            raise click.UsageError(f"{shortened(args[0])!r} is no kind of plot; {hint}", ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=_Kinds)
def plot() -> None:
    """Plot certified values (needs matplotlib: pip install "dpsym[plot]")."""
