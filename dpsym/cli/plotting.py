"""`dpsym plot`: curves of certified values as PNG, SVG or PDF."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dpsym.cli.arguments import (
    AT,
    SAMPLING,
    Undecided,
    Unreadable,
    Whole,
    adjacency_option,
    in_time,
    refusing,
    say_not_finished,
    shortened,
    show,
    telling,
    time_limit,
    values_of,
)
from dpsym.cli.defaults import defaults
from dpsym.core.nearest import nearest

if TYPE_CHECKING:
    from dpsym.api.plotting import Draw
    from dpsym.rendering.drawing import Look, Picture

T = TypeVar("T")

_AS_JSON, _BETWEEN, _LOOK = "dpsym.plot.json", "dpsym.plot.between", "dpsym.plot.look"
_GRACE = 1.3  # times the limit, for what does not look at the clock
_FILE = click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path), help="FILE.png, FILE.svg or FILE.pdf."
)


def _keep(context: click.Context, parameter: click.Parameter, value: object) -> None:
    if value:
        context.meta.setdefault(_LOOK, {})[parameter.name] = value


_SHARED = (
    click.option("--size", metavar="WxH", expose_value=False, callback=_keep, help="In inches (8x5.5)."),
    click.option("--dark", is_flag=True, expose_value=False, callback=_keep, help="On a dark ground."),
    click.option("--vertical", metavar="FIRST:LAST", expose_value=False, callback=_keep,
                 help="The range that is shown of the vertical axis."),
    click.option("--title", metavar="TEXT", expose_value=False, callback=_keep, help="Words over the picture."),
    adjacency_option("Which data sets are neighbours; what is measured for any is taken to be measured for these.",
                     expose_value=False, callback=lambda context, _, word: context.meta.update({_BETWEEN: word})),
    _FILE,
    time_limit(60.0, "For everything"),
    click.option("--json", is_flag=True, expose_value=False, help="One JSON document on standard output.",
                 callback=lambda context, _, value: context.meta.update({_AS_JSON: value})),
)  # fmt: skip


def _OUTPUT(command: Callable[..., int]) -> Callable[..., int]:
    for option in reversed(_SHARED):
        command = option(command)
    return command


_RANGE = click.option("--range", "shown", metavar="FIRST:LAST", help="The range of the horizontal axis.")
_OVER = click.option("--over", default="1:500", metavar="FIRST:LAST", help="The range of k (1:500).")
_BY = click.option("--by", multiple=True, metavar="RULE", help="The tightest route found that uses RULE. Repeatable.")
_LOG = click.option("--log", "logarithmic", is_flag=True, help="A logarithmic vertical axis.")
_LOG_OR_NOT = click.option(
    "--log/--linear", "logarithmic", default=None, help="The vertical axis; else whichever shows more."
)


class _Kinds(click.Group):
    """The kinds of plots, with what to write where a mechanism stands in the place of one."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """The command, or a usage error that says what there is."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            near = nearest(args[0], self.commands)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(self.commands)}"
            if "(" in args[0]:
                hint = (
                    "write the kind of plot before it: plot account or plot epsilon for privacy, plot profile for delta"
                )
            raise click.UsageError(f"{shortened(args[0])!r} is no kind of plot; {hint}", ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=_Kinds)
def plot() -> None:
    """Plot certified values (needs matplotlib: pip install "dpsym[plot]")."""


@plot.command("epsilon")
@click.argument("mechanism", required=False)
@click.option("--to", "target", default="approx", metavar="DEFINITION", help="approx, or approx(delta=1e-5).")
@AT
@_OVER
@_BY
@click.option("--order", multiple=True, metavar="ALPHA", help="Also RDP at this order alone. Repeatable.")
@_LOG
@_OUTPUT
def epsilon_(
    mechanism: str | None,
    target: str,
    at: Sequence[str],
    over: str,
    by: Sequence[str],
    order: Sequence[str],
    logarithmic: bool,
    time_limit: float,
    output: Path,
) -> int:
    """Epsilon against the number of compositions k, by several routes.

    \b
    dpsym plot epsilon "gaussian(sigma=200) ** k" --at delta=1e-5 --order 20 --order 60 -o epsilon.png
    """
    from dpsym.api import plotting

    mechanism = mechanism or plotting.USUAL["epsilon"]
    source, goal = _read("MECHANISM", mechanism, plotting.mechanism_of), _read("--to", target, plotting.goal_of)
    orders = [_read("--order", one, plotting.order_of) for one in order]
    ends, values = _read("--over", over, plotting.ends_of), values_of(at)
    return _plot(mechanism, partial(plotting.epsilon, source, goal, values, ends, by, orders, logarithmic),
                 time_limit, output)  # fmt: skip


@plot.command("noise")
@click.argument("mechanism", required=False)
@click.option(
    "--to",
    "target",
    default="approx(epsilon, delta)",
    metavar="GUARANTEE",
    help="What all k answers satisfy.",
)
@AT
@_OVER
@_BY
@_OUTPUT
def noise(
    mechanism: str | None, target: str, at: Sequence[str], over: str, by: Sequence[str], time_limit: float, output: Path
) -> int:
    """Noise variance for k queries, by advanced composition and as one query with a vector answer.

    The noise is Gaussian, or that of another MECHANISM with noise of standard deviation sigma for an L2 sensitivity.

    \b
    dpsym plot noise --at epsilon=1 --at delta=1e-5 -o noise.svg
    """
    from dpsym.api import plotting

    mechanism = mechanism or plotting.USUAL["noise"]
    wanted, ends, values = (
        _read("--to", target, plotting.complete), _read("--over", over, plotting.ends_of), values_of(at)
    )  # fmt: skip
    return _plot(mechanism, partial(plotting.noise, mechanism, wanted, values, ends, by), time_limit, output)


@plot.command("trade-off")
@click.argument("named", nargs=-1, metavar="[MECHANISM]...")
@click.option("--mu", "budgets", multiple=True, metavar="MU", help="A curve for mu-GDP. Repeatable.")
@click.option("--guarantee", "others", multiple=True, metavar="GUARANTEE", help="A curve for it. Repeatable.")
@click.option("--mechanism", "mechanisms", multiple=True, metavar="MECHANISM", help="A curve for it. Repeatable.")
@_OUTPUT
def trade_off(
    named: Sequence[str], budgets: Sequence[str], others: Sequence[str], mechanisms: Sequence[str],
    time_limit: float, output: Path,
) -> int:  # fmt: skip
    """Trade-off functions: type II error against type I error.

    \b
    dpsym plot trade-off --mu 1/2 --mu 1 --mu 2 --guarantee "approx(1, 1/20)" -o trade-off.png
    dpsym plot trade-off "laplace(b=1)" "gaussian(sigma=1)" -o noise.svg
    """
    from dpsym.api import plotting

    if not budgets and not others and not mechanisms and not named:
        raise Unreadable("nothing to plot (expected a MECHANISM, --mu MU or --guarantee GUARANTEE)")
    uses = [_read("MECHANISM", one, plotting.use_of) for one in (*named, *mechanisms)]
    gaussian = [_read("--mu", one, plotting.budget_of) for one in budgets]
    found = [_read("--guarantee", one, plotting.guarantee_of) for one in others]
    return _plot("trade-off", partial(plotting.trade_off, uses, gaussian, found), time_limit, output, where="plot")


@plot.command("profile")
@click.argument("mechanisms", nargs=-1, required=True, metavar="MECHANISM...")
@_RANGE
@_OUTPUT
def profile(mechanisms: Sequence[str], shown: str | None, time_limit: float, output: Path) -> int:
    """Privacy profiles: delta against epsilon, for mechanisms with numbers for all parameters.

    Each is drawn to where delta reaches 0, or to epsilon = 4 where it never does.

    \b
    dpsym plot profile "gaussian(sigma=1)" "laplace(b=1)" -o profile.svg
    """
    return _curves("profile", mechanisms, shown, time_limit, output)


@plot.command("renyi")
@click.argument("mechanisms", nargs=-1, required=True, metavar="MECHANISM...")
@_RANGE
@_OUTPUT
def renyi(mechanisms: Sequence[str], shown: str | None, time_limit: float, output: Path) -> int:
    """Rényi curves: epsilon against the order, for mechanisms with numbers for all parameters.

    \b
    dpsym plot renyi "gaussian(sigma=1)" "laplace(b=1)" -o renyi.pdf
    """
    return _curves("renyi", mechanisms, shown, time_limit, output)


def _curves(kind: str, mechanisms: Sequence[str], shown: str | None, seconds: float, output: Path) -> int:
    from dpsym.api import plotting

    uses = [_read("MECHANISM", one, plotting.use_of) for one in mechanisms]
    ends = None if shown is None else _read("--range", shown, plotting.pair_of)
    return _plot(mechanisms[0], partial(plotting.curves, kind, uses, ends), seconds, output)


@plot.command("winners")
@click.argument("mechanism", required=False)
@click.option("--to", "target", default="approx", metavar="DEFINITION", help="approx, or approx(delta=1e-5).")
@click.option("--x", "x", required=True, metavar="NAME=FIRST:LAST", help="The horizontal axis: k=1:1000.")
@click.option("--y", "y", required=True, metavar="NAME=FIRST:LAST", help="The vertical axis: sigma=1/2:50.")
@click.option("--without", multiple=True, metavar="RULE", help="Leave out the routes that use RULE. Repeatable.")
@click.option("--cells", type=Whole(2, 40), default=12, show_default=True, help="Cells along an axis.")
@AT
@_OUTPUT
def winners_(
    mechanism: str | None,
    target: str,
    x: str,
    y: str,
    without: Sequence[str],
    cells: int,
    at: Sequence[str],
    time_limit: float,
    output: Path,
) -> int:
    """Which route gives the least epsilon where, over two parameters.

    \b
    dpsym plot winners "laplace(b) ** k" --x k=1:1000 --y b=1:50 --at delta=1e-5 -o map.svg
    """
    from dpsym.api import plotting

    mechanism = mechanism or plotting.USUAL["winners"]
    source, goal = _read("MECHANISM", mechanism, plotting.mechanism_of), _read("--to", target, plotting.goal_of)
    across, up = (
        _read(option, text, partial(plotting.axis_of, cells=cells)) for option, text in (("--x", x), ("--y", y))
    )
    values = values_of(at)
    return _plot(mechanism, partial(plotting.winners, source, goal, across, up, values, without), time_limit, output)


@plot.command("account")
@click.argument("mechanism")
@AT
@click.option(
    "--over", "sweeps", multiple=True, required=True, metavar="NAME=VALUES",
    help='The horizontal axis: "T=100:1e5:*2". Again: a curve for each, "sigma=1,2".',
)  # fmt: skip
@click.option("--for", "unknown", metavar="NAME", help="Draw the best value of this unknown instead.")
@SAMPLING
@_LOG_OR_NOT
@_OUTPUT
def account_(
    mechanism: str,
    at: Sequence[str],
    sweeps: Sequence[str],
    unknown: str | None,
    sampling: str | None,
    logarithmic: bool | None,
    time_limit: float,
    output: Path,
) -> int:
    """Epsilon, delta or an unknown by certified accounting, between both bounds; also of what is sampled.

    \b
    dpsym plot account "subsampled(gaussian(sigma), q=1/100) ** T" --at delta=1e-5 \\
        --over "T=100:1e4:*2" --over sigma=1,2 -o steps.svg
    dpsym plot account "subsampled(gaussian(sigma=1), q) ** 1000" --at delta=1e-5 \\
        --over "q=0.001:0.1:*1.5" -o rate.png
    """
    from dpsym.api import plotting
    from dpsym.api.reading import values_by_name

    values, over, sampling = values_of(at), values_by_name("over", sweeps), sampling or "poisson"
    return _plot(mechanism, partial(plotting.account, mechanism, over, values, unknown, sampling, logarithmic),
                 time_limit, output)  # fmt: skip


@plot.command("sweep")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--x", "across", metavar="NAME", help="The horizontal axis; else the first that varies.")
@_LOG_OR_NOT
@_OUTPUT
def sweep(file: Path, across: str | None, logarithmic: bool | None, time_limit: float, output: Path) -> int:
    """The rows that `dpsym account --sweep -o FILE` has written, as CSV or JSON.

    \b
    dpsym plot sweep sweep.csv --x T -o sweep.svg
    """
    from dpsym.api import plotting

    return _plot(str(file), partial(plotting.sweep, file, across, logarithmic), time_limit, output, where="FILE")


def _read(option: str, text: str, reader: Callable[[str], T]) -> T:
    with refusing(option, text):
        return reader(text)


def _plot(text: str, asked: Callable[..., Draw], seconds: float, output: Path, *, where: str = "MECHANISM") -> int:
    """Draw as much as the time allows, write it, and say where that was not all."""
    from dpsym.accounting import NotAccountable
    from dpsym.api.plotting import Plotted
    from dpsym.api.reading import neighbours_of
    from dpsym.deciding.timeout import Limit
    from dpsym.rendering.drawing import NoPlot

    limit, look, known, asked_for = Limit(seconds), _look_of(), defaults(), click.get_current_context().meta
    given = asked_for[_BETWEEN]
    between = neighbours_of(given if where == "FILE" else known.word("adjacency", given))  # a file has its own
    with refusing(where, text), telling("computing the curves"):
        try:
            drawn = in_time(_GRACE * seconds, partial(asked(between=between), limit=limit))
        except NotAccountable as error:
            raise Unreadable(str(error)) from None
        except NoPlot as error:
            if limit.kept:
                raise
            raise Undecided(f"undecided: within {seconds:g} s: {error}") from None
        write(drawn, output, look)
    status = show(Plotted(drawn, limit.kept, look, output, between), asked_for.get(_AS_JSON, False), known)
    if not limit.kept:
        say_not_finished(seconds)
    return status


def write(picture: Picture, output: Path, look: Look | None = None) -> None:
    """Write a picture."""
    picture.save(output, *([] if look is None else [look]))


def _look_of() -> Look:
    """How the options of this command say that it should look."""
    from dpsym.api.plotting import look_of, pair_of

    asked = {"dark": False, **click.get_current_context().meta.get(_LOOK, {})}
    for name, separator in (("size", "x"), ("vertical", ":")):
        if name in asked:
            asked[name] = _read(f"--{name}", asked[name], partial(pair_of, separator=separator))
    return look_of(**asked)
