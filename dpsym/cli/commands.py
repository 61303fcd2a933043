"""The commands: each asks the library one thing and prints the answer."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from dpsym import __version__
from dpsym.cli.accounting import account, answer_accounted
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
    TIME_LIMIT,
    UNDECIDED,
    Unreadable,
    answer,
    conditions_of,
    in_time,
    one_line,
    one_of,
    refusing,
    say_not_finished,
    shortened,
    symbols_in,
    symbols_of,
    telling,
    value_of,
    values_of,
)
from dpsym.cli.browsing import list_, show
from dpsym.cli.certifying import certified, workers, write_certificate
from dpsym.cli.checking import check
from dpsym.cli.completing import completion
from dpsym.cli.editing import lsp
from dpsym.cli.own_noise import NAME, Described, about, answer_number, lacking, own_noise_options
from dpsym.cli.plotting import plot
from dpsym.cli.proofs import proofs
from dpsym.cli.verifying import verify

if TYPE_CHECKING:
    import sympy as sp

    from dpsym.accounting import Accounted
    from dpsym.core.verdicts import Enclosure
    from dpsym.deciding.timeout import Limit
    from dpsym.deriving import Fact, NoValue
    from dpsym.rendering.routes import Route

_ANSWERING, _ONE_OF_MANY, _EVALUATING = 0.8, 0.25, 0.5  # of the time left
_GRACE = 1.3  # times the limit, for what does not look at the clock


class Commands(click.Group):
    """The commands, with the nearest name where one is misspelled."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """The command, or a usage error that offers the nearest."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            near = get_close_matches(args[0], self.commands, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(self.commands)}"
            raise click.UsageError(f"no command {shortened(args[0])!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="dpsym", message="%(prog)s %(version)s")
def dpsym() -> None:
    """Derive and decide differential-privacy bounds, with every step justified and every digit guaranteed.

    Exit status: 0 yes or done, 1 refuted, 3 undecided, 2 the input could not be read.
    """


dpsym.add_command(verify)
dpsym.add_command(account)
dpsym.add_command(check)
dpsym.add_command(proofs)
dpsym.add_command(list_)
dpsym.add_command(show)
dpsym.add_command(plot)
dpsym.add_command(lsp)
dpsym.add_command(completion)


@dpsym.command()
@click.argument("source", metavar="MECHANISM|GUARANTEE", required=False)
@own_noise_options
@click.option("--to", "target", metavar="DEFINITION", help="approx, zcdp(rho), approx(delta=1e-5) …; without it, all.")
@click.option("--for", "wanted", metavar="NAME", help="Solve for this parameter of the mechanism instead.")
@click.option("--group", metavar="K", help="For inputs K steps of the neighbouring relation apart.")
@click.option(
    "--adjacency",
    type=click.Choice(["add-remove", "replace"]),
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
    sampling: Literal["poisson", "fixed-size"],
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
    sampling: Literal["poisson", "fixed-size"],
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
    neighbours = {None: None, "add-remove": Adjacency.ADD_REMOVE, "replace": Adjacency.REPLACE}[adjacency]
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


@dpsym.command()
@click.argument("expression")
@AT
@DIGITS
@IN_ALL
@JSON
def evaluate(expression: str, at: Sequence[str], digits: int | None, time_limit: float, as_json: bool) -> int:
    """Enclose EXPRESSION between two decimals, rounded outward.

    \b
    dpsym evaluate "sqrt(2)" --digits 50
    dpsym evaluate "rho + 2*sqrt(rho*log(1/delta))" --at rho=1/2 --at delta=1e-5
    """
    from dpsym import language
    from dpsym.core import plain_printer
    from dpsym.numbers import NotEnclosed
    from dpsym.rendering import data, text

    wanted = digits or 15
    values = values_of(at)

    def found() -> tuple[sp.Expr, Enclosure]:
        formula, needs = language.read_formula(expression)
        missing = sorted(str(s) for s in formula.free_symbols - set(values))
        if missing:
            raise Unreadable(f"no value for {', '.join(missing)} (expected --at {missing[0]}=VALUE)")
        for symbol in values:
            one_of(str(symbol), {*formula.free_symbols, *symbols_in(needs)}, "symbol")
        return formula, value_of(formula, needs, values, wanted)

    with refusing("EXPRESSION", expression):
        try:
            with telling("enclosing the value"):
                formula, value = in_time(time_limit, found)
        except NotEnclosed as error:
            click.echo(f"dpsym: undecided: {one_line(str(error))}", err=True)
            return UNDECIDED
    if as_json:
        answer(data.document(data.evaluation(plain_printer.plain(formula), value, wanted)))
    else:
        answer(text.enclosure(value))
    return DONE


@dpsym.command()
@click.argument("claim")
@click.option("--let", multiple=True, metavar="COND", help='A name with its domain: "rho > 0", "x: real". Repeatable.')
@click.option("--where", multiple=True, metavar="NAME=EXPR", help="An abbreviation. Repeatable.")
@ASSUME
@TIME_LIMIT
@click.option(
    "--certificate",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write a certificate for `dpsym verify`; CLAIM is then one inequality.",
)
@click.option("--jobs", type=click.IntRange(1, 256), default=1, help="Processes for a branch and bound (1).")
@JSON
def prove(
    claim: str,
    let: Sequence[str],
    where: Sequence[str],
    assume: Sequence[str],
    time_limit: float,
    certificate: Path | None,
    jobs: int,
    as_json: bool,
) -> int:
    """Decide CLAIM: a relation (or a chain of them), or MECHANISM satisfies GUARANTEE.

    \b
    dpsym prove "a*b <= (a^2 + b^2)/2" --let "a: real" --let "b: real"
    dpsym prove "gaussian(sigma, Delta) satisfies zcdp(Delta^2/(2*sigma^2))"
    """
    from dpsym.checking.cross_examination import opinion_on
    from dpsym.claims import read_claim
    from dpsym.rendering import data, text

    with refusing("CLAIM", claim), workers(jobs) as executor:
        question = read_claim(claim, let=let, where=where, assume=assume)
        if certificate is not None and len(question.relations) != 1:
            raise Unreadable("a certificate is of one relation")
        with telling("deciding"):
            decision = question.decide(time_limit, executor)
            status = exit_status(decision.verdict)
            if certificate is not None and status == DONE:
                written = certified(question, decision, time_limit, executor)
            opinion = None
            if status == DONE and question.statement is not None:
                opinion = opinion_on(question.statement)
    answer(data.document(data.decision(claim, decision, opinion)) if as_json else text.decision(decision, opinion))
    if certificate is None or status != DONE:
        return status
    return write_certificate(certificate, written)


def exit_status(verdict: object) -> int:
    """0 for a yes, 1 for a no, 3 for neither."""
    from dpsym.core.verdicts import Verdict

    if verdict in (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED):
        return DONE
    return REFUTED if verdict is Verdict.REFUTED else UNDECIDED
