"""The command that derives: every route from what there is to what is wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

import click

from dpsym.api import NAME
from dpsym.cli.arguments import (
    ASSUME,
    AT,
    DIGITS,
    FORMAT,
    FORMULA,
    IN_ALL,
    JSON,
    REFUTED,
    SAMPLING,
    UNDECIDED,
    adjacency_option,
    answer,
    conditions_of,
    in_time,
    one_of,
    refusing,
    say_not_finished,
    show,
    telling,
    values_of,
)
from dpsym.cli.completing import notions, sources, unknowns
from dpsym.cli.defaults import Defaults, defaults
from dpsym.cli.own_noise import Described, own_noise_options

if TYPE_CHECKING:
    import sympy as sp

    from dpsym.api.reading import Source
    from dpsym.deriving import NoValue, Target
    from dpsym.statements import Adjacency
    from dpsym.statements.adjacency import Sampling

_GRACE = 1.3  # times the limit, for what does not look at the clock


@click.command()
@click.argument("source", metavar="MECHANISM|GUARANTEE", required=False, shell_complete=sources)
@own_noise_options
@click.option(
    "--to",
    "target",
    metavar="DEFINITION",
    shell_complete=notions,
    help="approx, zcdp(rho), approx(delta=1e-5) …; without it, all.",
)
@click.option(
    "--for",
    "wanted",
    metavar="NAME",
    shell_complete=unknowns,
    help="Solve for this parameter of the mechanism instead.",
)
@click.option("--group", metavar="K", help="For inputs K steps of the neighbouring relation apart.")
@adjacency_option("Which inputs are neighbours; what is measured for any neighbours is taken to be measured for these.")
@SAMPLING
@ASSUME
@AT
@DIGITS
@click.option("--all", "every", is_flag=True, help="Every route, tightest first (--json has them all anyway).")
@FORMULA
@IN_ALL
@FORMAT
@JSON
def derive(
    source: str | None,
    density: str | None,
    pmf: str | None,
    shift: str | None,
    support: str | None,
    variable: str | None,
    let: Sequence[str],
    target: str | None,
    wanted: str | None,
    group: str | None,
    adjacency: str | None,
    sampling: Sampling | None,
    assume: Sequence[str],
    at: Sequence[str],
    digits: int | None,
    every: bool,
    formula: bool,
    time_limit: float,
    format_: str,
    as_json: bool,
) -> int:
    """Derive the best guarantee of a mechanism, or what a given guarantee implies, with every reason.

    \b
    dpsym derive "gaussian(sigma=200) ** 500" --to approx --at delta=1e-5
    dpsym derive "zcdp(rho)" --to approx --all
    dpsym derive gaussian --to "zcdp(rho)" --for sigma
    dpsym derive --density "exp(-abs(x)/b)/(2*b)" --shift Delta --to rdp
    dpsym derive "noise(b=10) ** 100" --density "exp(-abs(x)/b)/(2*b)" --shift 1 --to approx --at delta=1e-5
    dpsym derive "laplace(b=2)" --to pure --group 3
    """
    own = Described(density, pmf, shift, support, variable, let)
    asked = (source, target, wanted, group, adjacency, sampling, assume, at, digits, every, formula)
    form = "json" if as_json else format_
    return in_time(_GRACE * time_limit, lambda: _derived(own, *asked, form, time_limit))


def _derived(
    described: Described,
    source: str | None,
    target: str | None,
    wanted: str | None,
    group: str | None,
    adjacency: str | None,
    sampling: Sampling | None,
    assume: Sequence[str],
    at: Sequence[str],
    digits: int | None,
    every: bool,
    formula: bool,
    form: str,
    time_limit: float,
) -> int:
    """What `derive` answers."""
    from dpsym import deriving, language
    from dpsym.api import deriving as api
    from dpsym.api.reading import neighbours_of
    from dpsym.deciding.timeout import Limit

    limit = Limit(time_limit)
    known, values = defaults(), values_of(at)
    adjacency = known.word("adjacency", adjacency)
    sampling = cast("Sampling", known.word("sampling", sampling) or "poisson")
    conditions = [c for text in assume for c in conditions_of(text)]
    own = described.mechanism(limit.left)
    if source is None and own is None:
        raise click.UsageError("expected MECHANISM|GUARANTEE, or a noise of one's own by --density or --pmf")
    source = source if source is not None else NAME
    with refusing("--group", group or ""):
        size = None if group is None else language.read_formula(group)[0]
    with refusing("MECHANISM|GUARANTEE", source):
        start = language.read_source(source, {} if own is None else {NAME: own})
    with refusing("--to", target or ""):
        goal = None if target is None else (language.read_goal(target), target)
    if goal is not None and lacks_delta(goal[0], start, values):
        values = known.delta(values)
    unknown = None
    if wanted is not None:
        with refusing("--for", wanted):
            unknown = one_of(wanted, start.free_symbols, "parameter")
    with refusing("MECHANISM|GUARANTEE", source), telling("deriving"):
        try:
            found = api.answer(
                start,
                source,
                goal,
                values=values,
                conditions=conditions,
                unknown=unknown,
                group=size,
                adjacency=neighbours_of(adjacency),
                sampling=sampling,
                digits=digits,
                every=every,
                formula=formula,
                own=own,
                shown_all=form == "json",
                limit=limit,
            )
        except deriving.NoValue as error:
            if target is None:
                raise
            return _no_value(error, target, form == "json", known, neighbours_of(adjacency))
        if form == "json":
            show(found, True, known)
        else:
            answer(found.written(form))
            known.say()
    if not found.finished:
        say_not_finished(time_limit)
    return found.status


def lacks_delta(goal: Target, start: Source, values: Mapping[sp.Symbol, sp.Rational]) -> bool:
    """Whether approximate DP is wanted at a delta that has no value, and that is no name in what is given."""
    from dpsym.core.notation import delta, epsilon
    from dpsym.statements import Goal, Guarantee

    definition = goal.definition if isinstance(goal, Goal | Guarantee) else goal
    fixed = goal.fixed.get(delta, delta) if isinstance(goal, Goal) else delta
    if isinstance(goal, Guarantee):
        fixed = goal.bound.get(delta)
    asked = definition.id == "approx" and fixed == delta and delta not in start.free_symbols
    by_epsilon = epsilon in values or (isinstance(goal, Goal) and epsilon in goal.fixed)
    return asked and (isinstance(goal, Guarantee) or not by_epsilon)


def _no_value(error: NoValue, target: str, as_json: bool, known: Defaults, between: Adjacency | None) -> int:
    """That no value of an unknown is enough, or that none was found."""
    from dpsym.rendering import data
    from dpsym.rendering.text import neighbours

    if as_json:
        none = {"unknown": str(error.unknown), "shown": error.shown, "why": str(error)}
        empty: dict[str, object] = {"target": target, "given": [], "about": {}, "routes": [], "accounted": None}
        empty |= {"crossings": [], "solved": {"shape": "none", **none}}
        empty |= {"adjacency": None if between is None else between.value}
        answer(data.document(known.beside(empty)))
    else:
        answer(str(error))
        for line in neighbours("" if between is None else between.value):
            answer(line)
    known.say()
    return REFUTED if error.shown else UNDECIDED
