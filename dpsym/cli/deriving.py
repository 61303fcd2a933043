"""The command that derives: every route from what there is to what is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from dpsym.cli.arguments import (
    ASSUME,
    AT,
    DIGITS,
    DONE,
    FORMAT,
    IN_ALL,
    JSON,
    REFUTED,
    SAMPLING,
    UNDECIDED,
    answer,
    conditions_of,
    in_time,
    one_of,
    refusing,
    say_not_finished,
    symbols_of,
    telling,
    values_of,
)
from dpsym.cli.own_noise import NAME, Described, about, answer_number, lacking, own_noise_options

if TYPE_CHECKING:
    from dpsym.accounting import Accounted
    from dpsym.deciding.timeout import Limit
    from dpsym.deriving import Fact, NoValue
    from dpsym.rendering.routes import Route
    from dpsym.statements.adjacency import Sampling

_ANSWERING, _ONE_OF_MANY, _EVALUATING = 0.8, 0.25, 0.5  # of the time left
_GRACE = 1.3  # times the limit, for what does not look at the clock


@click.command()
@click.argument("source", metavar="MECHANISM|GUARANTEE", required=False)
@own_noise_options
@click.option("--to", "target", metavar="DEFINITION", help="approx, zcdp(rho), approx(delta=1e-5) …; without it, all.")
@click.option("--for", "wanted", metavar="NAME", help="Solve for this parameter of the mechanism instead.")
@click.option("--group", metavar="K", help="For inputs K steps of the neighbouring relation apart.")
@click.option(
    "--adjacent",
    "--adjacency",
    "adjacency",
    type=click.Choice(["replace", "add", "remove", "add-remove"]),
    help="Which inputs are neighbours; what is measured for any neighbours is taken to be measured for these.",
)
@SAMPLING
@ASSUME
@AT
@DIGITS
@click.option("--all", "every", is_flag=True, help="Every route, tightest first (--json has them all anyway).")
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
    sampling: Sampling,
    assume: Sequence[str],
    at: Sequence[str],
    digits: int | None,
    every: bool,
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
    from dpsym.deciding.timeout import Limit

    own = Described(density, pmf, shift, support, variable, let)
    asked = (source, target, wanted, group, adjacency, sampling, assume, at, digits, every)
    form = "json" if as_json else format_
    return in_time(_GRACE * time_limit, lambda: _derived(own, *asked, form, time_limit, Limit(time_limit)))


def _derived(
    described: Described,
    source: str | None,
    target: str | None,
    wanted: str | None,
    group: str | None,
    adjacency: str | None,
    sampling: Sampling,
    assume: Sequence[str],
    at: Sequence[str],
    digits: int | None,
    every: bool,
    form: str,
    time_limit: float,
    limit: Limit,
) -> int:
    """What `derive` answers."""
    from functools import partial

    from dpsym import answering, catalogue, deriving, language
    from dpsym.core.notation import k
    from dpsym.core.relations import Relation
    from dpsym.deciding import Domain
    from dpsym.rendering import routes
    from dpsym.satisfying import domain_of
    from dpsym.statements import Adjacency

    values = values_of(at)
    conditions = [c for text in assume for c in conditions_of(text)]
    own = described.mechanism(limit.left)
    if source is None and own is None:
        raise click.UsageError("expected MECHANISM|GUARANTEE, or a noise of one's own by --density or --pmf")
    source = source if source is not None else NAME
    with refusing("--group", group or ""):
        size = None if group is None else language.read_formula(group)[0]
    relations = {
        "add-remove": Adjacency.ADD_REMOVE, "replace": Adjacency.REPLACE, "add": Adjacency.ADD,
        "remove": Adjacency.REMOVE,
    }  # fmt: skip
    neighbours = relations[adjacency] if adjacency is not None else None
    with refusing("MECHANISM|GUARANTEE", source):
        start = language.read_source(source, {} if own is None else {NAME: own})
    with refusing("--to", target or ""):
        goals = [language.read_goal(target)] if target is not None else list(catalogue.definitions().values())
    as_data = form == "json"
    unknown = None
    if wanted is not None:
        with refusing("--for", wanted):
            unknown = one_of(wanted, start.free_symbols, "parameter")

    with refusing("MECHANISM|GUARANTEE", source), telling("deriving"):
        found: list[Fact] = []
        finished, exact = True, None
        asked: dict[str, Any] = {"assume": conditions, "at": values, "solve_for": unknown, "group": size}
        asked |= {"adjacency": neighbours, "sampling": sampling}
        for goal in goals:
            try:
                if target is None:
                    here = deriving.routes(start, goal, **asked, time_limit=max(0.0, _ONE_OF_MANY * limit.left))
                else:
                    left = max(0.0, _ANSWERING * limit.left)
                    here = answering.answers(start, goal, **asked, time_limit=left, digits=digits)
            except deriving.DerivationError as error:
                finished = finished and not isinstance(error, deriving.NotInTime)
                if isinstance(error, deriving.NoValue) and target is not None:
                    return _no_value(error, target, as_data)
                if target is not None:
                    raise type(error)(f"{error}{lacking(own, goal)}") from None
                continue
            finished = finished and here.finished
            if isinstance(here, answering.Answers):
                if own is not None and here.enclosed is not None:
                    return answer_number(own, here.enclosed, as_json=as_data)
                if here.accounted is not None and not here.closed_forms:
                    from dpsym.cli.accounting import answer_accounted

                    given_at = {str(symbol): value for symbol, value in values.items()}
                    return answer_accounted(source, here.accounted[0], given_at, sampling, here.accounted[1], as_data)
                exact = here.accounted
                here = here if as_data else here.closed_forms
            found += here if every or target is not None else here[:1]
        names = start.free_symbols.union(*(symbols_of(fact) for fact in found))
        names |= size.free_symbols if size is not None else set()
        for symbol, value in values.items():
            with refusing("--at", f"{symbol}={value}"):
                one_of(str(symbol), names, "symbol")
        shown = found if every or as_data or target is None else found[:1]

        def stopped(fact: Fact) -> routes.Route:  # where all has a value a number was asked for
            lacking = fact.guarantee.free_symbols - set(values)
            return routes.Route(fact, {}, unsettled="" if lacking else "the time was over")

        answers = [
            limit.run(partial(routes.route, fact, values, digits or 15), stopped(fact), _EVALUATING) for fact in shown
        ]
        question = f"{source} to {target or 'every definition'}"
        write = routes.WRITERS[form]
        given = (*domain_of(start), *conditions)
        stated = tuple(c for c in given if c.free_symbols)
        met: tuple[routes.Meeting, ...] = ()
        if target is not None and (every or as_data) and k in start.free_symbols - set(values):
            domain = Domain((*given, *(Relation(s, "=", v) for s, v in values.items())))
            met = limit.run(partial(routes.meetings, found, k, domain, values), (), _EVALUATING)
        said = about(own, at_length=target is None and not limit.passed)
        finished = finished and limit.kept
        whole = routes.Asked(question, target, len(found), bool(values), stated, met, exact, said, finished)
        answer(write(answers, whole))
    if not finished:
        say_not_finished(time_limit)
    return _status_of(answers[0] if target is not None and found else None, exact, bool(found))


def _status_of(best: Route | None, counted: tuple[str, Accounted] | None, found: bool) -> int:
    """1 where it was shown that no epsilon is enough, 3 where the best route has none or it is not known."""
    if counted is not None and counted[1].none is not None:
        return REFUTED
    lacking = best is not None and (best.none is not None or best.unsettled)
    if counted is not None and counted[1].upper.is_finite():
        return DONE
    if best is None or not lacking:
        return DONE if found else UNDECIDED
    return REFUTED if best.none is not None and best.fact.exact else UNDECIDED


def _no_value(error: NoValue, target: str, as_json: bool) -> int:
    """That no value of an unknown is enough, or that none was found."""
    from dpsym.rendering import data

    if as_json:
        none = {"unknown": str(error.unknown), "shown": error.shown, "why": str(error)}
        empty: dict[str, object] = {"target": target, "given": [], "about": {}, "routes": [], "accounted": None}
        answer(data.document({**empty, "crossings": [], "solved": {"shape": "none", **none}}))
    else:
        answer(str(error))
    return REFUTED if error.shown else UNDECIDED
