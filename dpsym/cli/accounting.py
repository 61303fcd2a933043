"""The command that accounts for a composition: certified numbers where no closed form is tight."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

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
