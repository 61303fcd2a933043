"""The command that evaluates: a formula between two decimals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from dpsym.cli.arguments import (
    AT,
    DIGITS,
    DONE,
    IN_ALL,
    JSON,
    UNDECIDED,
    Unreadable,
    answer,
    in_time,
    one_line,
    one_of,
    refusing,
    symbols_in,
    telling,
    value_of,
    values_of,
)

if TYPE_CHECKING:
    import sympy as sp

    from dpsym.core.verdicts import Enclosure


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
    from dpsym import language
    from dpsym.core import plain_printer
    from dpsym.numbers import NotEnclosed
    from dpsym.rendering import data, text

    wanted = digits or 15
    values = values_of(at)

    def found() -> tuple[sp.Expr, Enclosure]:
        formula, needs = language.read_formula(expression)
        missing = sorted(str(s) for s in formula.free_symbols - set(values))
        if missing:
            raise Unreadable(f"no value for {', '.join(missing)} (expected --at {missing[0]}=VALUE)")
        for symbol in values:
            one_of(str(symbol), {*formula.free_symbols, *symbols_in(needs)}, "symbol")
        return formula, value_of(formula, needs, values, wanted)

    with refusing("EXPRESSION", expression):
        try:
            with telling("enclosing the value"):
                formula, value = in_time(time_limit, found)
        except NotEnclosed as error:
            click.echo(f"dpsym: undecided: {one_line(str(error))}", err=True)
            return UNDECIDED
    if as_json:
        answer(data.document(data.evaluation(plain_printer.plain(formula), value, wanted)))
    else:
        answer(text.enclosure(value))
    return DONE
