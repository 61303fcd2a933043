"""Noise of one's own on the command line: its options, and what is said of it before its guarantees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dpsym.api import NAME
from dpsym.cli.arguments import Unreadable, refusing, telling
from dpsym.core.clocks import Work

if TYPE_CHECKING:
    from dpsym.own_noise import OwnNoise

_EACH = Work(10)  # seconds for each question whether it is a distribution
_Command = TypeVar("_Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--density", metavar="FORMULA", help='Noise of one\'s own, called noise: "exp(-abs(x)/b)/(2*b)".'),
    click.option("--pmf", metavar="FORMULA", help='Masses on the integers: "(1-p)/(1+p)*p^abs(n)".'),
    click.option("--shift", metavar="FORMULA", help="By how much neighbouring answers differ (Delta)."),
    click.option("--support", metavar="COND", help='Where the noise is not zero: "x >= 0", "-c <= x <= c".'),
    click.option("--variable", metavar="NAME", help="The outcome in the formula (x; n in masses)."),
    click.option("--let", multiple=True, metavar="COND", help='A parameter with its domain: "b > 0". Repeatable.'),
)


def own_noise_options(command: _Command) -> _Command:
    """The options that describe it."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class Described:
    """The options as they were given."""

    density: str | None
    pmf: str | None
    shift: str | None
    support: str | None
    variable: str | None
    let: Sequence[str]

    @property
    def given(self) -> dict[str, str]:
        """The options that were given, by name."""
        named = {"density": self.density, "pmf": self.pmf, "shift": self.shift, "support": self.support}
        named |= {"variable": self.variable, "let": ", ".join(self.let) or None}
        return {name: text for name, text in named.items() if text is not None}

    def mechanism(self, seconds: float = _EACH) -> OwnNoise | None:
        """The noise that they describe, read in so many seconds; None where there is neither a density nor masses."""
        formula = self.density if self.density is not None else self.pmf
        if formula is None:
            for option, given in (("--shift", self.shift), ("--support", self.support), ("--variable", self.variable)):
                if given is not None:
                    raise Unreadable(f"{option} describes a noise, and there is no --density and no --pmf")
            if self.let:
                raise Unreadable("--let declares a parameter of --density or --pmf; conditions are given by --assume")
            return None
        from dpsym.own_noise import noise

        with refusing("--density" if self.density is not None else "--pmf", formula), telling("reading the noise"):
            return noise(
                density=self.density,
                pmf=self.pmf,
                variable=self.variable,
                support=self.support,
                shift=self.shift if self.shift is not None else "Delta",
                let=self.let,
                name=NAME,
                time_limit=min(_EACH, seconds),
            )
