"""The command that accounts for a composition: certified numbers where no closed form is tight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import click

from dpsym.cli.arguments import (
    AT,
    DIGITS,
    DONE,
    JSON,
    REFUTED,
    SAMPLING,
    TIME_LIMIT,
    UNDECIDED,
    Unreadable,
    answer,
    in_time,
    refusing,
    telling,
    values_of,
)
from dpsym.cli.own_noise import NAME, Described, about, own_noise_options, proportional

if TYPE_CHECKING:
    from dpsym.accounting import Accounted, Calibrated
    from dpsym.accounting.calibration.boundary import NothingEnough
    from dpsym.accounting.compositions import Composable
    from dpsym.own_noise import OwnNoise

_READING = 2.0  # seconds for each question whether a noise is a distribution: accounting needs no proof of its total


@click.command()
@click.argument("source", metavar="MECHANISM", required=False)
@own_noise_options
@AT
@click.option("--for", "unknown", metavar="NAME", help="Find the best value of this unknown: noise, steps, or rate.")
@click.option(
    "--route",
    type=click.Choice(["exact", "rdp", "zcdp"]),
    default="exact",
    help="The exact epsilon, or the best upper bound over the orders of Rényi DP or of zCDP.",
)
@click.option(
    "--direction",
    type=click.Choice(["both", "add", "remove"]),
    default="both",
    help="Whether a record is added, removed, or either (both).",
)
@SAMPLING
@click.option(
    "--sweep",
    "sweeps",
    multiple=True,
    metavar="NAME=VALUES",
    help='Answer at each of these: "T=10,100", "sigma=1:5:0.5", "T=100:1e6:*10". Repeatable: every combination.',
)
@click.option("--jobs", type=click.IntRange(1, 256), default=1, help="Processes for a sweep (1).")
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
    sampling: str,
    sweeps: Sequence[str],
    jobs: int,
    output: Path | None,
    digits: int | None,
    time_limit: float,
    as_json: bool,
) -> int:
    """Enclose the smallest epsilon of MECHANISM at a delta, or the smallest delta at an epsilon.

    With --for, and both of them given, the smallest noise, or the largest number of steps or sampling rate.

    Exit status: 0 as narrow as asked, 3 the time limit left a wider enclosure, which is as certain.

    \b
    dpsym account "subsampled(gaussian(sigma=1), q=1/100) ** 1000" --at delta=1e-5
    dpsym account "laplace(b=10) ** 100" --at epsilon=1
    dpsym account "subsampled(gaussian(sigma=1), q=1/100) ** T" --at epsilon=2 --at delta=1e-5 --for T
    dpsym account "subsampled(gaussian(sigma), q=1/100) ** T" --at delta=1e-5 \\
        --sweep "sigma=1:5:0.5" --sweep "T=100:1e6:*10" --jobs 4 -o sweep.csv
    dpsym account "noise(b=3) ** 10" --density "1/(pi*b*cosh(x/b))" --shift 1 --at delta=1e-5
    """
    from dpsym import accounting, language
    from dpsym.accounting.calibration.unknown import at_values
    from dpsym.statements import Guarantee

    values = values_of(at)
    given = {str(symbol): Fraction(int(value.p), int(value.q)) for symbol, value in values.items()}
    wanted = ("delta", "epsilon") if unknown is None else (unknown,)
    described = Described(density, pmf, shift, support, variable, let)
    own = described.mechanism(min(_READING, time_limit))
    if source is None and own is None:
        raise click.UsageError("expected MECHANISM, or a noise of one's own by --density or --pmf")
    source = source if source is not None else NAME
    with refusing("MECHANISM", source):
        of = language.read_source(source, {} if own is None else {NAME: own})
        if isinstance(of, Guarantee):
            raise Unreadable("a guarantee does not say what mechanism gives it (expected a mechanism)")
        if sampling != "poisson" and route != "exact":
            raise Unreadable(
                "--sampling fixed-size does not go with --route: the moments of its pair are not known here"
            )
        options = {"direction": direction, "sampling": sampling, "digits": digits, "time_limit": time_limit}
        if sweeps:
            if route != "exact" or as_json:
                raise Unreadable("--sweep goes with neither --route nor --json (-o FILE.json writes JSON)")
            return _sweep({"mechanism": source, **described.given}, of, given, unknown, sweeps, jobs, output, options)
        if output is not None or jobs != 1:
            raise Unreadable("-o and --jobs are for --sweep")
        inside = {symbol: value for symbol, value in values.items() if symbol in of.free_symbols}
        of = at_values(of, inside)
        missing = sorted({str(symbol) for symbol in of.free_symbols} - {unknown})
        if missing:
            raise Unreadable(f"no value for {', '.join(missing)} (expected --at {missing[0]}=VALUE)")
        given = {name: value for name, value in given.items() if name not in map(str, inside)}
        expected = {"delta", "epsilon"} if unknown is not None else {*given} & {"delta", "epsilon"}
        if set(given) != expected or (unknown is None and len(given) != 1):
            needed = (
                "--at delta=VALUE or --at epsilon=VALUE"
                if unknown is None
                else "--at epsilon=VALUE and --at delta=VALUE"
            )
            raise Unreadable(f"expected {needed}, and of other names values only for those in the mechanism")
        if route != "exact" and (unknown is not None or "delta" not in given):
            raise Unreadable(f"--route {route} needs --at delta=VALUE and gives epsilon")
        name = next(name for name in wanted if name not in given)
        with telling("accounting"):
            try:
                if route != "exact":
                    return _by_route(source, of, route, given["delta"], direction, as_json, time_limit)
                found = _accounted(of, name, given, unknown, options)
            except accounting.NotAccountable as error:
                from dpsym.accounting.calibration.boundary import NothingEnough

                if isinstance(error, NothingEnough):
                    return _nothing(source, name, error, as_json)
                raise Unreadable(str(error)) from None
    _print(source, name, given, {"direction": direction, "sampling": sampling}, found, as_json, described.given, own)
    return _status(found)


def _nothing(source: str, name: str, error: NothingEnough, as_json: bool) -> int:
    """That no value is enough, whatever the unknown is."""
    from dpsym.rendering import data

    if as_json:
        none = {"unknown": name, "shape": "none", "shown": error.shown, "why": str(error)}
        answer(data.document({"mechanism": source, "solved": none}))
    else:
        answer(f"no {name} is enough\n({error})" if error.shown else str(error))
    return REFUTED if error.shown else UNDECIDED


def _status(found: Accounted) -> int:
    """Whether there is an answer, as narrow as asked; 1 where it was shown that no value, or no epsilon, is enough."""
    from dpsym.accounting import Calibrated

    solved = found if isinstance(found, Calibrated) else None
    if found.none is not None or (solved is not None and solved.shape == "none"):
        return REFUTED
    number = solved is not None or found.upper.is_finite()  # an unknown may well be unlimited
    return DONE if found.finished and number else UNDECIDED


def _sweep(
    named: Mapping[str, str],
    of: Composable,
    given: Mapping[str, Fraction],
    unknown: str | None,
    sweeps: Sequence[str],
    jobs: int,
    output: Path | None,
    options: Mapping[str, object],
) -> int:
    """The answers over a grid."""
    from dpsym.accounting import NotAccountable, sweeping
    from dpsym.cli.sweeping import run_sweep, swept

    over = swept(sweeps)
    try:
        grid = sweeping.tasks(of, over, given=given, unknown=unknown, **options)  # type: ignore[arg-type]
    except NotAccountable as error:
        raise Unreadable(str(error)) from None
    same = {**named, **{name: str(value) for name, value in given.items()}}
    same |= {"direction": grid[0].direction, "sampling": grid[0].sampling, "digits": str(grid[0].digits)}
    return run_sweep(grid, same, jobs, output)


def _accounted(
    of: Composable, name: str, given: Mapping[str, Fraction], unknown: str | None, options: Mapping[str, object]
) -> Accounted:
    """The answer to what is asked for by name."""
    import sympy as sp

    from dpsym import accounting

    options = {**options, "digits": options["digits"] or (10 if unknown is None else 6)}
    if unknown is not None:
        return accounting.calibrate(of, sp.Symbol(name), **given, **options)  # type: ignore[arg-type]
    if name == "epsilon":
        return accounting.epsilon(of, **given, **options)  # type: ignore[arg-type]
    return accounting.delta(of, **given, **options)  # type: ignore[arg-type]


def _by_route(
    source: str, of: Composable, route: str, delta: Fraction, direction: str, as_json: bool, seconds: float
) -> int:
    """The best bound over all orders, if it is found in time."""
    from dpsym import accounting
    from dpsym.rendering import data, text

    ask = partial(accounting.route_bound, of, delta=delta, route=route, direction=direction)  # type: ignore[arg-type]
    found = in_time(seconds, ask)
    if as_json:
        document = {"mechanism": source, "delta": str(delta), "route": route, "bound": data.bounds(found.value)}
        how = {"order": str(found.order), "direction": direction, "adjacency": found.adjacency.value}
        answer(data.document({**document, **how}))
    else:
        said = f"epsilon <= {found.value.upper}\n({route}, alpha = {float(found.order):.6g}; "
        said += f"no order gives less than {found.value.lower})"
        answer("\n".join([said, *text.neighbours(found.adjacency.value)]))
    return DONE


def answer_accounted(
    source: str, name: str, given: Mapping[str, object], sampling: str, found: Accounted, as_json: bool
) -> int:
    """Print what accounting found where no closed form was."""
    _print(source, name, given, {"direction": "both", "sampling": sampling}, found, as_json)
    return _status(found)


def _fraction(value: object) -> Fraction | None:
    return None if value is None else Fraction(str(value))


def _print(
    source: str,
    name: str,
    given: Mapping[str, object],
    asked: Mapping[str, str],
    found: Accounted,
    as_json: bool,
    described: Mapping[str, str] = MappingProxyType({}),
    own: OwnNoise | None = None,
) -> None:
    from dpsym import accounting
    from dpsym.rendering import data, text

    none = found.none
    solved = found if isinstance(found, accounting.Calibrated) else None
    if as_json:
        document: dict[str, object] = {"mechanism": source, **described, **{k: str(v) for k, v in given.items()}}
        if own is not None:
            document["about"] = dict(about(own, at_length=False))
        document[name] = data.bounds(found.value)
        if solved is not None:
            document |= {"safe": solved.safe, "shape": solved.shape, "monotone": solved.monotone}
            document["integer"] = solved.integer
            document["routes"] = [_as_route(name, solved)]
        how = {"method": found.method, "finished": found.finished, "upper_only": found.upper_only}
        how["adjacency"] = found.adjacency.value
        answer(data.document({**document, **asked, **how, "none": data.none(none)}))
        return
    if none is not None:
        said = f"{text.none(none, _fraction(given.get('delta')))}\n({found.method})"
        answer("\n".join([said, *text.neighbours(found.adjacency.value)]))
        return
    poisson = asked["sampling"] == "poisson"
    reason = "a limit of time or of size was met" if poisson else "for samples of fixed size the ends need not meet"
    wider = "" if found.finished else f"; wider than asked: {reason}"
    if found.upper_only:
        wider = f"; an upper bound: {found.upper_only}"
    enough = f"{_enough(name, solved)}; " if solved is not None else ""
    between = f"{found.lower} <= {name} <= {found.upper}"
    if name == "epsilon" and solved is None and found.upper.is_infinite():
        between = f"{name} >= {found.lower}, and no epsilon is known to be enough"
    said = f"{between}\n({enough}{found.method}{wider})"
    answer("\n".join([said, *proportional(own), *text.neighbours(found.adjacency.value)]))


def _as_route(name: str, found: Calibrated) -> dict[str, object]:
    """The answer where `derive --for` has it."""
    from dpsym.rendering import data

    sharp = found.finished and not found.upper_only
    known = {"shape": found.shape, "safe": found.safe, "integer": found.integer, "monotone": found.monotone or None}
    return {
        "notion": "approx",
        "rules": ["accounting"],
        "exact": sharp,
        "adjacency": found.adjacency.value,
        "value": None if found.shape == "none" else {name: data.bounds(found.value)},
        "solved": {**known, "sharp": sharp},
    }


def _enough(name: str, solved: Calibrated) -> str:
    """Which value to use."""
    if solved.shape in ("none", "every"):
        return f"no {name} is enough" if solved.shape == "none" else f"every {name} in its domain is enough"
    found = solved.enough.is_finite() and (solved.enough != 0 or solved.last is not None)  # 0 is but a rate
    return f"{name} = {solved.enough} is enough" if found else f"no {name} was found to be enough"
