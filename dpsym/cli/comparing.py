"""`dpsym compare`: which noise, for a query under a guarantee."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from dpsym.cli.arguments import (
    ASSUME,
    AT,
    DONE,
    JSON,
    Unreadable,
    Word,
    adjacency_option,
    answer,
    refusing,
    say_not_finished,
    show,
    telling,
    time_limit,
    values_of,
)
from dpsym.cli.defaults import defaults
from dpsym.cli.plotting import write


@click.command()
@click.option(
    "--query", metavar="QUERY", help='What is answered: "mean(x)"; with --let "x in [0,1]^100" and --adjacent.'
)
@click.option(
    "--sensitivity", "sensitivities", multiple=True, metavar="VALUE",
    help="Instead of a query: of one number, 1; of several, L1=3, L2=sqrt(3). Repeatable.",
)  # fmt: skip
@click.option("--integers", is_flag=True, help="The answers of this sensitivity are integers.")
@click.option("--to", "target", required=True, metavar="GUARANTEE", help='What all answers satisfy: "approx(1, 1e-6)".')
@click.option("--times", default="1", metavar="K", help="How many such answers, each with noise of its own (1).")
@click.option("--let", multiple=True, metavar="COND", help='The data set, "x in [0,1]^100", and names. Repeatable.')
@ASSUME
@adjacency_option("Which data sets are neighbours: one record replaced, added, removed, or either of these two.")
@AT
@click.option(
    "--by", "measure", type=Word(["absolute", "variance", "tail"]), default="absolute",
    help="What is ranked by: the mean absolute error (absolute), the variance, or a tail quantile.",
)  # fmt: skip
@click.option(
    "--tail", "beta", default="1/20", metavar="BETA", help="The quantile is exceeded with at most this (1/20)."
)
@click.option("--only", multiple=True, metavar="NAME", help="Look at this mechanism alone. Repeatable.")
@click.option(
    "--map", "maps", multiple=True, metavar="NAME=VALUES",
    help='Where another one is first: "epsilon=0.1:10:*2", "times=1,10,100". Once or twice.',
)  # fmt: skip
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Also FILE.png, .svg or .pdf.")
@click.option(
    "--format", "format_", type=Word(["text", "markdown", "csv", "json"]), default="text",
    help="How to write the answer.",
)  # fmt: skip
@time_limit(60.0, "For everything but the sensitivity")
@JSON
def compare(
    query: str | None,
    sensitivities: Sequence[str],
    integers: bool,
    target: str,
    times: str,
    let: Sequence[str],
    assume: Sequence[str],
    adjacency: str | None,
    at: Sequence[str],
    measure: str,
    beta: str,
    only: Sequence[str],
    maps: Sequence[str],
    output: Path | None,
    format_: str,
    time_limit: float,
    as_json: bool,
) -> int:
    """Which noise: every mechanism that can answer under the guarantee, the least error that was found first.

    Parameters are calibrated to the safe side, and errors are enclosed, of each number that is released.

    Exit status: 0 done, 3 the time was over before all of them were looked at.

    \b
    dpsym compare --query "mean(x)" --let "x in [0,1]^100" --adjacent replace \\
        --to "approx(1, 1e-6)"
    dpsym compare --sensitivity 1 --integers --to "pure(1)" --by variance
    dpsym compare --sensitivity L1=d --sensitivity "L2=sqrt(d)" --to "approx(1, 1e-6)" \\
        --map "d=1:1000:*2" -o dimension.svg
    """
    from dpsym.api import comparing
    from dpsym.api.reading import value_of
    from dpsym.cli.sweeping import swept

    format_ = "json" if as_json else format_
    if maps and format_ == "markdown":
        raise Unreadable("a map is written as text, csv or json")
    known, values = defaults(), values_of(at)
    adjacency = known.word("adjacency", adjacency)
    with refusing("--map", " ".join(maps)):
        axes = comparing.axes_of(swept(maps, "--map"))
    said = {"let": let, "assume": assume, "adjacent": adjacency, "integers": integers, "times": times, "at": values}
    with refusing("--query" if query is not None else "--to", query if query is not None else target):
        question = comparing.question_of(query, target, axes, sensitivity=_by_norm(sensitivities), **said)
    with refusing("--tail", beta):
        share = value_of("beta", beta)
    with refusing(*(("--map", maps[0]) if maps else ("--to", target))), telling("comparing the mechanisms"):
        found = comparing.answer(question, axes, by=measure, tail=share, only=only, time_limit=time_limit)
        written = {"markdown": found.markdown, "csv": found.table}.get(format_)
        text = None if written is None else written()
    if text is None:
        show(found, format_ == "json", known)
    else:
        answer(text)
        known.say()
    if output is not None:
        with refusing("-o", str(output)):
            write(found.picture, output)
    if found.status != DONE:
        say_not_finished(time_limit)
    return found.status


def _by_norm(texts: Sequence[str]) -> object | None:
    """One number, or one for each norm."""
    if not texts:
        return None
    parts = [text.partition("=") for text in texts]
    if len(texts) == 1 and not parts[0][1]:
        return texts[0]
    if not all(equals for _, equals, _ in parts):
        raise Unreadable("--sensitivity is one VALUE, or for each norm NORM=VALUE (expected e.g. L1=3, L2=sqrt(3))")
    return {name.strip(): value for name, _, value in parts}
