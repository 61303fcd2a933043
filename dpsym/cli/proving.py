"""The command that decides a claim."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from dpsym.cli.arguments import (
    ASSUME,
    DONE,
    JSON,
    REFUTED,
    TIME_LIMIT,
    UNDECIDED,
    Unreadable,
    answer,
    refusing,
    telling,
)
from dpsym.cli.certifying import cover, proof, workers, write_certificate


@click.command()
@click.argument("claim")
@click.option("--let", multiple=True, metavar="COND", help='A name with its domain: "rho > 0", "x: real". Repeatable.')
@click.option("--where", multiple=True, metavar="NAME=EXPR", help="An abbreviation. Repeatable.")
@ASSUME
@click.option(
    "--adjacent",
    "--adjacency",
    type=click.Choice(["replace", "add", "remove", "add-remove"]),
    help="Which data sets are neighbours, of which a mechanism is claimed to satisfy something.",
)
@TIME_LIMIT
@click.option(
    "--certificate",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write a certificate for `dpsym verify`; CLAIM is then one relation.",
)
@click.option("--jobs", type=click.IntRange(1, 256), default=1, help="Processes for a branch and bound (1).")
@JSON
def prove(
    claim: str,
    let: Sequence[str],
    where: Sequence[str],
    assume: Sequence[str],
    adjacent: str | None,
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
    from dpsym.checking.cross_examination import opinion_on
    from dpsym.claims import read_claim
    from dpsym.rendering import data, text

    with refusing("CLAIM", claim), workers(jobs) as executor:
        question = read_claim(claim, let=let, where=where, assume=assume, adjacent=adjacent, time_limit=time_limit)
        if certificate is not None and len(question.relations) != 1:
            raise Unreadable("a certificate is of one relation")
        with telling("deciding"):
            decision = question.decide(time_limit, executor)
            status = exit_status(decision.verdict)
            written = proof(question, decision, time_limit) if status == DONE and question.relations else None
            replayed = written is not None if status == DONE and len(question.relations) == 1 else None
            if certificate is not None and status == DONE and written is None:
                written = cover(question, time_limit, executor)
            opinion = None
            if status == DONE and question.statement is not None:
                opinion = opinion_on(question.statement)
    if as_json:
        answer(data.document(data.decision(claim, decision, opinion, replayed)))
    else:
        answer(text.decision(decision, opinion, replayed))
    if certificate is None or status != DONE:
        return status
    return write_certificate(certificate, written)


def exit_status(verdict: object) -> int:
    """0 for a yes, 1 for a no, 3 for neither."""
    from dpsym.core.verdicts import Verdict

    if verdict in (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED):
        return DONE
    return REFUTED if verdict is Verdict.REFUTED else UNDECIDED
