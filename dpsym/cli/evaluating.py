"""The command that evaluates: a formula between two decimals."""

from __future__ import annotations

from collections.abc import Sequence

import click

from dpsym.cli.arguments import (
    AT,
    DIGITS,
    IN_ALL,
    JSON,
    Undecided,
    in_time,
    one_line,
    refusing,
    show,
    telling,
    values_of,
)


@click.command()
@click.argument("expression")
@AT
@DIGITS
@IN_ALL
@JSON
def evaluate(expression: str, at: Sequence[str], digits: int | None, time_limit: float, as_json: bool) -> int:
    """Enclose EXPRESSION between two decimals, rounded outward.

    \b
    dpsym evaluate "sqrt(2)" --digits 50
    dpsym evaluate "rho + 2*sqrt(rho*log(1/delta))" --at rho=1/2 --at delta=1e-5
    """
    from dpsym.api import evaluating
    from dpsym.numbers import NotEnclosed

    values = values_of(at)
    with refusing("EXPRESSION", expression):
        try:
            with telling("enclosing the value"):
                found = in_time(
                    time_limit,
                    lambda: evaluating.answer(expression, values, digits, write_value="--at {0}=VALUE"),
                )
        except NotEnclosed as error:
            raise Undecided(f"undecided: {one_line(str(error))}") from None
    return show(found, as_json)
