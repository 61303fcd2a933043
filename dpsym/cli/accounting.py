"""The command that accounts for a composition: certified numbers where no closed form is tight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import click

from dpsym.cli.arguments import (
    AT,
    DIGITS,
    DONE,
    JSON,
    TIME_LIMIT,
    UNDECIDED,
    Unreadable,
    answer,
    refusing,
    telling,
    values_of,
)

if TYPE_CHECKING:
    import sympy as sp

    from dpsym.accounting import Accounted
    from dpsym.accounting.compositions import Composable
    from dpsym.statements import Definition, Goal, Guarantee

_BESIDE = 10.0  # seconds for what nobody asked for by name


def beside_closed_forms(
    source: Composable | Guarantee,
    goals: Sequence[Definition | Goal | Guarantee],
    values: Mapping[sp.Symbol, sp.Rational],
    digits: int | None,
) -> Accounted | None:
    """The exact epsilon of a composition that draws samples, where its delta and all parameters have values.

    None where something else was asked, or the composition cannot be accounted for: closed forms are the answer then.
    """
    from dpsym import accounting
    from dpsym.notation import delta
    from dpsym.statements import Composed, Definition, Subsampled

    parts = [part for part, _ in source.parts] if isinstance(source, Composed) else [source]
    if len(goals) != 1 or not any(isinstance(part, Subsampled) for part in parts):
        return None
    goal = goals[0]
    definition = goal if isinstance(goal, Definition) else goal.definition
    fixed = {} if isinstance(goal, Definition) else dict(getattr(goal, "fixed", {}))
    at = values.get(fixed.get(delta, delta), fixed.get(delta))
    if definition.id != "approx" or at is None or any(str(name) != "delta" for name in values):
        return None
    try:
        return accounting.epsilon(source, delta=at, digits=min(digits or 10, 40), time_limit=_BESIDE)  # type: ignore[arg-type]
    except accounting.NotAccountable:
        return None


@click.command()
@click.argument("source", metavar="MECHANISM")
@AT
@click.option(
    "--direction",
    type=click.Choice(["both", "add", "remove"]),
    default="both",
    help="Whether a record is added, removed, or either (both).",
)
@DIGITS
@TIME_LIMIT
@JSON
def account(
    source: str, at: Sequence[str], direction: str, digits: int | None, time_limit: float, as_json: bool
) -> int:
    """Enclose the smallest epsilon of MECHANISM at a delta, or the smallest delta at an epsilon.

    Exit status: 0 as narrow as asked, 3 the time limit left a wider enclosure, which is as certain.

    \b
    dpsym account "subsampled(gaussian(sigma=1), q=1/100) ** 1000" --at delta=1e-5
    dpsym account "laplace(b=10) ** 100" --at epsilon=1
    """
    from dpsym import accounting, reading
    from dpsym.rendering import data
    from dpsym.statements import Guarantee

    values = values_of(at)
    given = {str(symbol): Fraction(int(value.p), int(value.q)) for symbol, value in values.items()}
    with refusing("MECHANISM", source):
        of = reading.read_source(source)
        if isinstance(of, Guarantee):
            raise Unreadable("a guarantee does not say what mechanism gives it (expected a mechanism)")
        if len(asked := [name for name in ("delta", "epsilon") if name in given]) != 1 or len(given) != 1:
            raise Unreadable("expected --at delta=VALUE or --at epsilon=VALUE, and nothing else")
        options = {"direction": direction, "digits": digits or 10, "time_limit": time_limit}
        with telling("accounting"):
            try:
                if asked == ["delta"]:
                    found = accounting.epsilon(of, delta=given["delta"], **options)  # type: ignore[arg-type]
                else:
                    found = accounting.delta(of, epsilon=given["epsilon"], **options)  # type: ignore[arg-type]
            except accounting.NotAccountable as error:
                raise Unreadable(str(error)) from None
    name = "epsilon" if asked == ["delta"] else "delta"
    if as_json:
        document = {"mechanism": source, asked[0]: str(given[asked[0]]), name: data.bounds(found.value)}
        answer(data.document({**document, "direction": direction, "method": found.method, "finished": found.finished}))
    else:
        wider = "" if found.finished else "; wider than asked, the time limit was met"
        answer(f"{found.lower} <= {name} <= {found.upper}\n({found.method}{wider})")
    return DONE if found.finished else UNDECIDED
