"""The command that accounts for a composition: certified numbers where no closed form is tight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dpsym.api import NAME
from dpsym.cli.arguments import (
    AT,
    DIGITS,
    JSON,
    REFUTED,
    SAMPLING,
    TIME_LIMIT,
    UNDECIDED,
    Unreadable,
    Whole,
    Word,
    adjacency_option,
    answer,
    refusing,
    show,
    telling,
    values_of,
)
from dpsym.cli.completing import mechanisms, unknowns
from dpsym.cli.defaults import Defaults, defaults
from dpsym.cli.own_noise import Described, own_noise_options

if TYPE_CHECKING:
    from dpsym.accounting.calibration.boundary import NothingEnough
    from dpsym.accounting.compositions import Composable
    from dpsym.statements import Adjacency


@click.command()
@click.argument("source", metavar="MECHANISM", required=False, shell_complete=mechanisms)
@own_noise_options
@AT
@click.option(
    "--for",
    "unknown",
    metavar="NAME",
    shell_complete=unknowns,
    help="Find the best value of this unknown: noise, steps, or rate.",
)
@click.option(
    "--route",
    type=Word(["exact", "rdp", "zcdp"]),
    default="exact",
    help="The exact epsilon, or the best upper bound over the orders of Rényi DP or of zCDP.",
)
@click.option(
    "--direction",
    type=Word(["both", "add", "remove"]),
    default="both",
    help="Whether a record is added, removed, or either (both).",
)
@SAMPLING
@adjacency_option(
    "Which data sets are neighbours; without it those that go with the sampling and with what each part is about."
)
@click.option(
    "--sweep",
    "sweeps",
    multiple=True,
    metavar="NAME=VALUES",
    help='Answer at each of these: "T=10,100", "sigma=1:5:0.5", "T=100:1e6:*10". Repeatable: every combination.',
)
@click.option("--jobs", type=Whole(1, 256), default=1, help="Processes for a sweep (1).")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A .csv or .json file for a sweep; where it is there already, what it lacks is added.",
)
@DIGITS
@TIME_LIMIT
@JSON
def account(
    source: str | None,
    density: str | None,
    pmf: str | None,
    shift: str | None,
    support: str | None,
    variable: str | None,
    let: Sequence[str],
    at: Sequence[str],
    unknown: str | None,
    route: str,
    direction: str,
    sampling: str | None,
    adjacency: str | None,
    sweeps: Sequence[str],
    jobs: int,
    output: Path | None,
    digits: int | None,
    time_limit: float,
    as_json: bool,
) -> int:
    """Enclose the smallest epsilon of MECHANISM at a delta, or the smallest delta at an epsilon.

    With --for, and both of them given, the smallest noise, or the largest number of steps or sampling rate.
    Mechanisms that run one after the other are written A * B, and A ** 10.

    Exit status: 0 as narrow as asked, 3 the time limit left a wider enclosure, which is as certain.

    \b
    dpsym account "subsampled(gaussian(sigma=1), q=1/100) ** 1000" --at delta=1e-5
    dpsym account "laplace(b=10) ** 100 * gaussian(sigma=2)" --at epsilon=1
    dpsym account "subsampled(gaussian(sigma=1), q=1/100) ** T" --at epsilon=2 --at delta=1e-5 --for T
    dpsym account "subsampled(gaussian(sigma), q=1/100) ** T" --at delta=1e-5 \\
        --sweep "sigma=1:5:0.5" --sweep "T=100:1e6:*10" --jobs 4 -o sweep.csv
    dpsym account "noise(b=3) ** 10" --density "1/(pi*b*cosh(x/b))" --shift 1 --at delta=1e-5
    """
    from dpsym import accounting
    from dpsym.accounting.calibration.boundary import NothingEnough
    from dpsym.api import accounting as api
    from dpsym.api.reading import neighbours_of

    known, values = defaults(), values_of(at)
    sampling = known.word("sampling", sampling) or "poisson"
    adjacency = known.word("adjacency", adjacency)
    swept_names = {text.partition("=")[0].strip() for text in sweeps}
    if not swept_names & {"delta"} and (unknown is not None or not {"epsilon"} & {*map(str, values), *swept_names}):
        values = known.delta(values)
    described = Described(density, pmf, shift, support, variable, let)
    own = described.mechanism(min(api.READING, time_limit))
    if source is None and own is None:
        raise click.UsageError("expected MECHANISM, or a noise of one's own by --density or --pmf")
    source = source if source is not None else NAME
    with refusing("MECHANISM", source):
        of, _ = api.read_composition(source, own)
        between = neighbours_of(adjacency)
        options: dict[str, Any] = {"direction": direction, "sampling": sampling, "adjacency": between}
        options |= {"digits": digits, "time_limit": time_limit}
        if sweeps:
            if route != "exact":
                raise Unreadable("--sweep does not go with --route")
            given = {str(symbol): Fraction(int(value.p), int(value.q)) for symbol, value in values.items()}
            named = {"mechanism": source, **described.given}
            known.say()
            return _sweep(named, of, given, unknown, sweeps, jobs, output, as_json, options)
        if output is not None or jobs != 1:
            raise Unreadable("-o and --jobs are for --sweep")
        with telling("accounting"):
            try:
                found = api.answer(
                    of,
                    source,
                    values,
                    unknown=unknown,
                    route=route,
                    described=described.given,
                    own=own,
                    write_value="--at {0}=VALUE",
                    **options,
                )
            except NothingEnough as error:
                return _nothing(source, str(unknown), error, as_json, known, between)
            except accounting.NotAccountable as error:
                raise Unreadable(str(error)) from None
    return show(found, as_json, known)


def _nothing(
    source: str, name: str, error: NothingEnough, as_json: bool, known: Defaults, between: Adjacency | None
) -> int:
    """That no value is enough, whatever the unknown is."""
    from dpsym.rendering import data
    from dpsym.rendering.text import neighbours

    if as_json:
        none = {"unknown": name, "shape": "none", "shown": error.shown, "why": str(error)}
        related = None if between is None else between.value
        answer(data.document(known.beside({"mechanism": source, "solved": none, "adjacency": related})))
    else:
        answer(f"no {name} is enough\n({error})" if error.shown else str(error))
        for line in neighbours("" if between is None else between.value):
            answer(line)
    known.say()
    return REFUTED if error.shown else UNDECIDED


def _sweep(
    named: Mapping[str, str],
    of: Composable,
    given: Mapping[str, Fraction],
    unknown: str | None,
    sweeps: Sequence[str],
    jobs: int,
    output: Path | None,
    as_json: bool,
    options: Mapping[str, object],
) -> int:
    """The answers over a grid."""
    from dpsym.accounting import NotAccountable, sweeping
    from dpsym.api.sweeping import same_for_all
    from dpsym.cli.sweeping import run_sweep, swept

    over = swept(sweeps)
    try:
        grid = sweeping.tasks(of, over, given=given, unknown=unknown, **options)  # type: ignore[arg-type]
    except NotAccountable as error:
        raise Unreadable(str(error)) from None
    return run_sweep(grid, same_for_all(named, given, grid), jobs, output, as_json)
