"""What is said of a noise of one's own beside its guarantees, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from decimal import Decimal

    from dpsym.core.verdicts import Enclosure
    from dpsym.own_noise import OwnNoise
    from dpsym.statements import Definition, Goal, Guarantee

_BY = {
    "pure": "by enclosing the supremum of the likelihood ratio over all outputs and all smaller shifts",
    "zcdp": "by enclosing Rényi divergences, and the supremum over their orders",
}
_INFINITE = {
    "pure": "the likelihood ratio is not bounded", "rdp": "one of two answers is impossible, or the integral diverges",
}  # fmt: skip


def number(own: OwnNoise, name: str, notion: str, value: Enclosure | None, least: Decimal | None) -> str:
    """What was enclosed, and how; without both bounds the lower one alone."""
    from dpsym.rendering.text import between

    if value is None:
        of = "a part of the integral" if own.dominating else "it at the largest shift; a smaller one may be worse"
        return f"{name} >= {least}  by enclosing {of}"
    if value.lower.is_infinite():
        return f"{name} is infinite  {_INFINITE.get(notion, '')}"
    return f"{between(name, value)}  {_BY.get(notion, 'by enclosing the integral')}"


def about(own: OwnNoise | None, *, at_length: bool) -> tuple[tuple[str, str], ...]:
    """What was seen of it, and what there is no closed form for, in words; at length, its privacy loss, too."""
    from dpsym.core.plain_printer import plain

    if own is None:
        return ()
    found = [
        ("noise", own.title),
        ("total 1", str(own.seen.total)),
        ("not negative", str(own.seen.sign)),
        ("answers", own.why_dominating or own.description),
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
    bounded = "enclosed" if own.dominating else "bounded from below"
    offers = {
        "approx": f"; with values for everything, epsilon or delta too, the other one is {bounded}",
        "pure": "; with values for everything it is enclosed",
        "zcdp": f"; with values for everything it is {bounded} where the likelihood ratio is bounded",
        "rdp": "; with values for everything, alpha too, it is enclosed, or bounded from below",
    }
    if why == INFINITE:
        return f"; of {own.id} itself {definition.id} is infinite"
    return f"; of {own.id} itself {definition.id} is not known: {why}{offers.get(definition.id, '')}"
