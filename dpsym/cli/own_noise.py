"""Noise of one's own on the command line: its options, and what is said of it before its guarantees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dpsym.cli.arguments import DONE, UNDECIDED, Unreadable, answer, refusing, telling

if TYPE_CHECKING:
    from dpsym.core.verdicts import Enclosure
    from dpsym.own_noise import OwnNoise
    from dpsym.statements import Definition, Goal, Guarantee

NAME = "noise"
_EACH = 10.0  # seconds for each question whether it is a distribution
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


def about(own: OwnNoise | None, *, at_length: bool) -> tuple[tuple[str, str], ...]:
    """What was seen of it, and what there is no closed form for, in words; at length, its privacy loss, too."""
    from dpsym.core.plain_printer import plain

    if own is None:
        return ()
    found = [
        ("noise", own.title),
        ("total 1", str(own.seen.total)),
        ("not negative", str(own.seen.sign)),
        ("answers", own.why_dominating),
    ]
    if own.finite_below is not None:
        border = plain(own.finite_below)
        found.append(("rdp", f"finite at orders alpha < {border}, infinite at alpha > {border}"))
    if at_length:
        found += _privacy_loss(own)
    return (*found, *((f"no {name}", why) for name, why in own.lacking.items()))


def proportional(own: OwnNoise | None) -> tuple[str, ...]:
    """What the numbers of accounting are about, where it was not decided whether the total is 1."""
    if own is None or not own.unsettled:
        return ()
    return ("of the distribution that the formula is proportional to: that its total is 1 was not proved",)


def answer_number(own: OwnNoise | None, number: tuple[str, Enclosure | None, Decimal | None], *, as_json: bool) -> int:
    """Print a number with what is known of the noise; a lower bound alone leaves the question open."""
    from dpsym.rendering import data, text

    name, value, least = number
    said = about(own, at_length=False)
    if as_json:
        bounds = data.bounds(value) if value is not None else {"lower": str(least), "upper": None}
        answer(data.document({"routes": [], "about": dict(said), "enclosed": {name: bounds}}))
    else:
        shown = text.between(name, value) if value is not None else f"{name} >= {least}"
        how = "by enclosing the integral" if value is not None else "by enclosing a part of the integral"
        answer("\n".join([*(f"{key}: {words}" for key, words in said), "", f"{shown}  {how}"]))
    return DONE if value is not None else UNDECIDED


def _privacy_loss(own: OwnNoise) -> list[tuple[str, str]]:
    from dpsym.core.plain_printer import plain
    from dpsym.divergences import NoClosedForm, kullback_leibler, loss_variance, privacy_loss

    found: list[tuple[str, str]] = []
    if own.outputs is None:
        return found
    try:
        found.append(("privacy loss", str(privacy_loss(*own.outputs, own.domain))))
        for name, ask in (("its mean (KL divergence)", kullback_leibler), ("its variance", loss_variance)):
            value = ask(*own.outputs, own.domain)
            found.append((name, plain(value.expression)))
    except NoClosedForm:
        pass
    return found


def lacking(own: OwnNoise | None, goal: Definition | Goal | Guarantee) -> str:
    """Why a noise has no guarantee of this kind, to be added to an error."""
    from dpsym.own_noise.guarantees import INFINITE
    from dpsym.statements import Goal, Guarantee

    if own is None:
        return ""
    definition = goal.definition if isinstance(goal, Goal | Guarantee) else goal
    why = own.lacking.get(definition.id)
    if why is None:
        return ""
    offers = {
        "approx": "; with --at for everything, epsilon or delta too, the other one is enclosed",
        "rdp": "; with --at for everything, alpha too, it is bounded from below",
    }
    if why == INFINITE:
        return f"; of {own.id} itself {definition.id} is infinite"
    return f"; of {own.id} itself {definition.id} is not known: {why}{offers.get(definition.id, '')}"
