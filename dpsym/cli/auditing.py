"""The command that audits: from what an attack counted to an epsilon below which nothing holds."""

from __future__ import annotations

import click

from dpsym.cli.arguments import (
    AT,
    IN_ALL,
    JSON,
    Unreadable,
    Whole,
    adjacency_option,
    in_time,
    refusing,
    show,
    telling,
    values_of,
)
from dpsym.cli.defaults import defaults


@click.command()
@click.option("--with", "with_record", metavar="K/N", help='Of N runs with the record the attack said "in" K times.')
@click.option("--without", "without_record", metavar="K/N", help='Of N runs without it, it said "in" K times.')
@click.option("--guesses", metavar="K/N", help="One run: K of N guesses about records were correct.")
@click.option(
    "--records", type=Whole(1), help="One run: of how many records a fair coin decided (N; needed at a delta)."
)
@click.option("--confidence", default="0.95", metavar="P", help="How likely the audit is not to say too much (0.95).")
@AT
@adjacency_option("How the data sets differ that were run; the bound is of guarantees for these neighbours.")
@IN_ALL
@JSON
def audit(
    with_record: str | None,
    without_record: str | None,
    guesses: str | None,
    records: int | None,
    confidence: str,
    at: tuple[str, ...],
    adjacency: str | None,
    time_limit: float,
    as_json: bool,
) -> int:
    """Bound epsilon from below by the counts of an attack, at --at delta=VALUE (0).

    \b
    dpsym audit --with 950/1000 --without 20/1000 --at delta=1e-5
    dpsym audit --guesses 600/640 --records 1000 --at delta=1e-5
    """
    from dpsym import api
    from dpsym.api.reading import value_of
    from dpsym.auditing import NotAnAudit

    known, values = defaults(), values_of(at)
    between = known.word("adjacency", adjacency)
    with refusing("--confidence", confidence):
        sure = value_of("confidence", confidence)
    counts = {"with_": with_record, "without": without_record, "guesses": guesses, "records": records}
    given = " ".join(f"--{name.rstrip('_')} {value}" for name, value in counts.items() if value is not None)
    try:
        with refusing("audit", given), telling("bounding epsilon"):
            found = in_time(time_limit, lambda: api.audit(**counts, confidence=sure, at=values, adjacent=between))  # type: ignore[arg-type]
    except NotAnAudit as error:
        raise Unreadable(str(error)) from None
    return show(found, as_json, known)
