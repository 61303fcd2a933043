"""`dpsym plot`: each kind of plot as a command."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, partial
from inspect import getfullargspec
from typing import Any

import click

from dpsym.cli.commands import Named
from dpsym.cli.defaults import Defaults
from dpsym.cli.questions import Given, Question

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


_BEFORE = "write the kind of plot before it: plot account or plot epsilon for privacy, plot profile for delta"
plot = Named(
    "plot",
    makers={kind: partial(_Plot(kind).command, kind) for kind in _DRAWN},
    unknown="{} is no kind of plot",
    instead=lambda word: _BEFORE if "(" in word else "",
    help='Plot certified values (needs matplotlib: pip install "dpsym[plot]").',
)
