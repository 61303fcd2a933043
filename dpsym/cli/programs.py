"""`dpsym program`: what several answers from one data set cost together."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dpsym.cli.arguments import (
    AT,
    FORMULA,
    JSON,
    SAMPLING,
    Unreadable,
    Word,
    adjacency_option,
    answer,
    one_of,
    refusing,
    say_not_finished,
    show,
    telling,
    time_limit,
    values_of,
)
from dpsym.cli.defaults import defaults
from dpsym.cli.deriving import lacks_delta

if TYPE_CHECKING:
    from dpsym.statements.adjacency import Sampling


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True))
@click.option("--to", "target", metavar="NOTION", help="approx, zcdp(rho), approx(delta=1e-5) …; without it, all.")
@click.option("--for", "wanted", metavar="NAME", help="Solve for this parameter, so that --to holds of the whole.")
@AT
@adjacency_option("Which data sets are neighbours; a program that says others is refused.")
@SAMPLING
@FORMULA
@click.option(
    "--format", "format_", type=Word(["text", "latex", "json"]), default="text", help="How to write the answer."
)
@time_limit(60.0, "For everything")
@JSON
def program(
    file: Path,
    target: str | None,
    wanted: str | None,
    at: Sequence[str],
    adjacency: str | None,
    sampling: Sampling | None,
    formula: bool,
    format_: str,
    time_limit: float,
    as_json: bool,
) -> int:
    """Say what the program in FILE costs together, which line spends what, and what leaks, with the line.

    \b
    x in [0,1]^n, add or remove
    s = laplace(b=2/epsilon) on sum(x)
    c = geometric(b=2/epsilon) on count(x)
    release s/c

    \b
    dpsym program mean.txt
    dpsym program mean.txt --to "pure(1)" --for epsilon

    Exit status: 0 where a guarantee is known, 1 where it leaks, 3 where something is open, 2 where it cannot be read.
    """
    from dpsym import language, programs
    from dpsym.api import programs as api
    from dpsym.deciding import Domain
    from dpsym.rendering import programs as shown
    from dpsym.statements import Guarantee

    text, known = _text(file), defaults()
    values = values_of(at)
    if wanted is not None and target is None:
        raise click.UsageError("--for needs a guarantee that is wanted: --to 'pure(1)'")
    with refusing("FILE", str(file)), telling("reading the program"):
        run = programs.run(text, time_limit=api.READING * time_limit, sampling=sampling or "poisson")
        programs.refuse_others(run, adjacency)
        goal = None if target is None else language.read_goal(target)
        if isinstance(goal, Guarantee):
            Domain(tuple(c for c in goal.domain if not c.free_symbols))
        unknown = None if wanted is None else one_of(wanted, run.source.free_symbols, "parameter")
    if goal is not None and lacks_delta(goal, run.source, values):
        values = known.delta(values)
    with refusing("--at" if at else "FILE", ", ".join(at) or str(file)), telling("adding up"):
        found = api.answer(run, text, goal, values, unknown=unknown, formula=formula, time_limit=time_limit)
    if format_ == "latex" and not as_json and found.known:
        answer(shown.formula(found.account))
        known.say()
    else:
        show(found, as_json or format_ == "json", known)
    if adjacency is None:
        known.pass_over("adjacency", run.data.neighbours, f"line {run.data.line} of the program says another")
    if not all(one.finished for one in found.totals):
        say_not_finished(time_limit)
    return found.status


def _text(file: Path) -> str:
    try:
        return sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable(f"FILE {str(file)!r}: {error}") from None
