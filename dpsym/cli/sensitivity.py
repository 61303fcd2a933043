"""`dpsym sensitivity`: how much the answer to a query changes at most between neighbouring data sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dpsym.cli.arguments import (
    ASSUME,
    DONE,
    JSON,
    UNDECIDED,
    Unreadable,
    Word,
    adjacency_option,
    answer,
    refusing,
    show,
    telling,
    time_limit,
)
from dpsym.cli.certifying import write_certificate
from dpsym.cli.defaults import defaults

if TYPE_CHECKING:
    from dpsym.core.relations import Proposition, Relation


@click.command()
@click.argument("query")
@click.option(
    "--let", multiple=True, metavar="COND", help='The data set, "x in [0,1]^n", and names: "C > 0". Repeatable.'
)
@ASSUME
@adjacency_option(
    "Which data sets are neighbours: one record replaced, added, removed, or either of these two; needed."
)
@click.option("--norm", type=Word(["L1", "L2", "Linf"]), default="L1", help="Of the difference of answers (L1).")
@click.option(
    "--records", default="1", metavar="M", help="How many records one user has at most: a number, a name (1)."
)
@click.option(
    "--within", metavar="R", help="How far a new record is from the old one at most: 1/4, or l1(r), l2(r), linf(r)."
)
@click.option("--scores", is_flag=True, help="Of scores also the spread, and whether all move the same way.")
@click.option(
    "--format", "format_", type=Word(["text", "latex", "json"]), default="text", help="How to write the answer."
)
@click.option(
    "--certificate",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write a certificate of the upper bound for `dpsym verify`: FILE, or FILE-1, FILE-2, … before its suffix.",
)
@time_limit(20.0, "For everything")
@JSON
def sensitivity(
    query: str,
    let: Sequence[str],
    assume: Sequence[str],
    adjacency: str | None,
    norm: str,
    records: str,
    within: str | None,
    scores: bool,
    format_: str,
    certificate: Path | None,
    time_limit: float,
    as_json: bool,
) -> int:
    """Find the sensitivity of QUERY exactly, with a pair of data sets that attains it.

    \b
    dpsym sensitivity "mean(x)" --let "x in [0,1]^n" --adjacent replace
    dpsym sensitivity "variance(x)" --let "x in [a,b]^n" --let "a < b" --adjacent add-remove
    dpsym sensitivity "sum(x)" --let "x in ball(2, C, d)^n" --let "C > 0" --adjacent replace --norm L2
    dpsym sensitivity "covariance(x)" --let "x in ([0,1] * [0,1])^n" --adjacent replace
    dpsym sensitivity "histogram(x)" --let "x in categories(k)^n" --adjacent add-remove --norm Linf --scores

    Exit status: 0 where it is known exactly, 3 otherwise.
    """
    from dpsym import queries
    from dpsym.api import sensitivities

    known = defaults()
    adjacency = known.word("adjacency", adjacency)
    if adjacency is None:
        raise click.UsageError("which data sets are neighbours? --adjacent replace, add, remove or add-remove")
    with refusing("QUERY", query), telling("looking for pairs"):
        asked = queries.read_query(query, let, assume)
        step = {"records": records, "within": within, "scores": scores, "time_limit": time_limit}
        found = sensitivities.answer(asked, adjacency, norm, **step)  # type: ignore[arg-type]
    if format_ == "latex" and not as_json:
        answer(found.latex())
        known.say()
    else:
        show(found, as_json or format_ == "json", known)
    if certificate is not None:
        shown = [inequality for one in found for inequality in one.inequalities]
        if not shown:
            raise Unreadable("the upper bound follows from a lemma, or there is none: there is no certificate")
        if not all(_written(shown, certificate, time_limit)):
            return UNDECIDED
    return found.status


def _written(
    inequalities: Sequence[tuple[Relation, tuple[Proposition, ...]]], path: Path, time_limit: float
) -> Iterator[bool]:
    """Whether each has a certificate, in a file of its own: of several they are numbered from 1."""
    from dpsym.deciding import certificates

    for number, (relation, known) in enumerate(inequalities, 1):
        where = path if len(inequalities) == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")
        yield write_certificate(where, certificates.certificate(relation, known, time_limit)) == DONE
