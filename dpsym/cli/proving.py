"""The command that decides a claim."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import click

from dpsym.cli.arguments import (
    ASSUME,
    DONE,
    JSON,
    TIME_LIMIT,
    Unreadable,
    Whole,
    adjacency_option,
    refusing,
    show,
    telling,
)
from dpsym.cli.certifying import write_certificate
from dpsym.cli.defaults import defaults
from dpsym.cli.processes import workers


@click.command()
@click.argument("claim")
@click.option("--let", multiple=True, metavar="COND", help='A name with its domain: "rho > 0", "x: real". Repeatable.')
@click.option("--where", multiple=True, metavar="NAME=EXPR", help="An abbreviation. Repeatable.")
@ASSUME
@adjacency_option("Which data sets are neighbours, of which a mechanism is claimed to satisfy something.")
@TIME_LIMIT
@click.option(
    "--certificate",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write a certificate for `dpsym verify`; CLAIM is then one relation.",
)
@click.option("--jobs", type=Whole(1, 256), default=1, help="Processes for a branch and bound (1).")
@JSON
def prove(
    claim: str,
    let: Sequence[str],
    where: Sequence[str],
    assume: Sequence[str],
    adjacency: str | None,
    time_limit: float,
    certificate: Path | None,
    jobs: int,
    as_json: bool,
) -> int:
    """Decide CLAIM: a relation (or a chain of them), or MECHANISM satisfies GUARANTEE.

    \b
    dpsym prove "a*b <= (a^2 + b^2)/2" --let "a: real" --let "b: real"
    dpsym prove "gaussian(sigma, Delta) satisfies zcdp(Delta^2/(2*sigma^2))"
    dpsym prove "laplace(b=1/epsilon, query=sum(x)) satisfies pure(epsilon)" --let "x in [0,1]^n" --adjacent replace
    """
    from dpsym.api import proving
    from dpsym.claims import read_claim

    known = defaults()
    if re.search(r"\b(satisfies|is)\b", claim):
        adjacency = known.word("adjacency", adjacency)
    elif adjacency is None:
        known.pass_over("adjacency", None, "a relation is about no data sets")
    with refusing("CLAIM", claim), workers(jobs) as executor:
        question = read_claim(claim, let=let, where=where, assume=assume, adjacent=adjacency, time_limit=time_limit)
        if certificate is not None and len(question.relations) != 1:
            raise Unreadable("a certificate is of one relation")
        with telling("deciding"):
            wanted = certificate is not None
            found = proving.answer(claim, question, time_limit=time_limit, executor=executor, cover=wanted)
    status = show(found, as_json, known)
    if certificate is None or status != DONE:
        return status
    return write_certificate(certificate, found.certificate)
