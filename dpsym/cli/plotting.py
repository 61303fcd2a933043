"""`dpsym plot`: curves of certified values as PNG, SVG or PDF."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dpsym.cli.arguments import (
    AT,
    DONE,
    Undecided,
    Unreadable,
    answer,
    in_time,
    refusing,
    say_not_finished,
    telling,
    time_limit,
    values_of,
)

if TYPE_CHECKING:
    import sympy as sp

    from dpsym.rendering.drawing import Picture
    from dpsym.statements import Goal, Guarantee, Use

_AS_JSON = "dpsym.plot.json"
_GRACE = 1.3  # times the limit, for what does not look at the clock
_FILE = click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path), help="FILE.png, FILE.svg or FILE.pdf."
)
_JSON = click.option(
    "--json", is_flag=True, expose_value=False, help="One JSON document on standard output.",
    callback=lambda context, _, value: context.meta.update({_AS_JSON: value}),
)  # fmt: skip


def _OUTPUT(command: Callable[..., int]) -> Callable[..., int]:
    return _FILE(_LIMIT(_JSON(command)))


_NOISE_RULES = ("advanced_composition_simplified", "advanced_composition", "classical_gaussian")
_LIMIT = time_limit(60.0, "Of the processor's time, for everything")
_OVER = click.option("--over", default="1:500", metavar="FIRST:LAST", help="The range of k (1:500).")
_BY = click.option("--by", multiple=True, metavar="RULE", help="Show the best route that uses RULE. Repeatable.")
_LOG = click.option("--log", "logarithmic", is_flag=True, help="A logarithmic vertical axis.")


@click.group()
def plot() -> None:
    """Plot certified values (needs matplotlib: pip install "dpsym[plot]")."""


@plot.command("epsilon")
@click.argument("mechanism", default="gaussian(sigma=200) ** k")
@click.option("--to", "target", default="approx", metavar="DEFINITION", help="approx, or approx(delta=1e-5).")
@AT
@_OVER
@_BY
@click.option("--order", multiple=True, metavar="ALPHA", help="Also RDP at this order alone. Repeatable.")
@_LOG
@_OUTPUT
def epsilon_(
    mechanism: str,
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
    from dpsym import language
    from dpsym.rendering import plots
    from dpsym.statements import Guarantee

    values = values_of(at)
    orders = [_order(text) for text in order]
    with refusing("MECHANISM", mechanism):
        source = language.read_source(mechanism)
        if isinstance(source, Guarantee):
            raise Unreadable("a guarantee has no k (expected a mechanism)")
    with refusing("--to", target):
        goal = _epsilon_at_delta(target)
    with refusing("MECHANISM", mechanism), telling("computing the curves"):
        options = {"at": values, "over": _range(over), "by": by, "orders": orders, "logarithmic": logarithmic}
        return _save(partial(plots.epsilon_against_k, source, goal, **options), time_limit, output)  # type: ignore[arg-type]


@plot.command("noise")
@click.argument("mechanism", default="gaussian")
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
    mechanism: str, target: str, at: Sequence[str], over: str, by: Sequence[str], time_limit: float, output: Path
) -> int:
    """Noise variance for k queries, by advanced composition and as one query with a vector answer.

    Of Gaussian noise, or another MECHANISM with noise of standard deviation sigma for an L2 sensitivity.

    \b
    dpsym plot noise --at epsilon=1 --at delta=1e-5 -o noise.svg
    """
    from dpsym import catalogue, language
    from dpsym.rendering import plots
    from dpsym.statements import Guarantee

    values = values_of(at)
    with refusing("MECHANISM", mechanism):
        entry = catalogue.look_up(mechanism, catalogue.mechanisms(), "mechanism")
    with refusing("--to", target):
        guarantee = language.read_goal(target)
        if not isinstance(guarantee, Guarantee):
            raise Unreadable("expected a complete guarantee, e.g. approx(epsilon, delta)")
    with refusing("--to", target), telling("computing the curves"):
        draw = partial(plots.noise_against_k, entry, guarantee, at=values, over=_range(over), by=by or _NOISE_RULES)
        return _save(draw, time_limit, output)


@plot.command("trade-off")
@click.option("--mu", "budgets", multiple=True, metavar="MU", help="A curve for mu-GDP. Repeatable.")
@click.option("--guarantee", "others", multiple=True, metavar="GUARANTEE", help="A curve for it. Repeatable.")
@_OUTPUT
def trade_off(budgets: Sequence[str], others: Sequence[str], time_limit: float, output: Path) -> int:
    """Trade-off functions: type II error against type I error.

    \b
    dpsym plot trade-off --mu 1/2 --mu 1 --mu 2 --guarantee "approx(1, 1/20)" -o trade-off.png
    """
    from dpsym.rendering import plots

    if not budgets and not others:
        raise Unreadable("nothing to plot (expected --mu MU or --guarantee GUARANTEE)")
    guarantees: list[Guarantee] = []
    for budget in budgets:
        with refusing("--mu", budget):
            guarantees.append(_guarantee(f"gdp({budget})"))
    for other in others:
        with refusing("--guarantee", other):
            guarantees.append(_guarantee(other))
    with refusing("plot", "trade-off"), telling("computing the curves"):
        return _save(partial(plots.trade_off_curves, guarantees), time_limit, output)


@plot.command("profile")
@click.argument("mechanisms", nargs=-1, required=True, metavar="MECHANISM...")
@_OUTPUT
def profile(mechanisms: Sequence[str], time_limit: float, output: Path) -> int:
    """Privacy profiles: delta against epsilon, for mechanisms with numbers for all parameters.

    \b
    dpsym plot profile "gaussian(sigma=1)" "laplace(b=1)" -o profile.svg
    """
    from dpsym.rendering import profiles

    uses = [_use(text) for text in mechanisms]
    with refusing("MECHANISM", mechanisms[0]), telling("computing the curves"):
        return _save(partial(profiles.privacy_profiles, uses), time_limit, output)


@plot.command("renyi")
@click.argument("mechanisms", nargs=-1, required=True, metavar="MECHANISM...")
@_OUTPUT
def renyi(mechanisms: Sequence[str], time_limit: float, output: Path) -> int:
    """Rényi curves: epsilon against the order, for mechanisms with numbers for all parameters.

    \b
    dpsym plot renyi "gaussian(sigma=1)" "laplace(b=1)" -o renyi.pdf
    """
    from dpsym.rendering import profiles

    uses = [_use(text) for text in mechanisms]
    with refusing("MECHANISM", mechanisms[0]), telling("computing the curves"):
        return _save(partial(profiles.renyi_curves, uses), time_limit, output)


@plot.command("winners")
@click.argument("mechanism", default="gaussian(sigma) ** k")
@click.option("--to", "target", default="approx", metavar="DEFINITION", help="approx, or approx(delta=1e-5).")
@click.option("--x", "x", required=True, metavar="NAME=FIRST:LAST", help="The horizontal axis: k=1:1000.")
@click.option("--y", "y", required=True, metavar="NAME=FIRST:LAST", help="The vertical axis: sigma=1/2:50.")
@click.option("--without", multiple=True, metavar="RULE", help="Leave out the routes that use RULE. Repeatable.")
@click.option("--cells", type=click.IntRange(2, 40), default=12, show_default=True, help="Cells along an axis.")
@AT
@_OUTPUT
def winners_(
    mechanism: str,
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
    from dpsym import language
    from dpsym.rendering import profiles
    from dpsym.statements import Guarantee

    values = values_of(at)
    with refusing("MECHANISM", mechanism):
        source = language.read_source(mechanism)
        if isinstance(source, Guarantee):
            raise Unreadable("expected a mechanism")
    with refusing("--to", target):
        goal = _epsilon_at_delta(target)
    axes = [_axis(text, cells) for text in (x, y)]
    with refusing("MECHANISM", mechanism), telling("comparing the routes"):
        draw = partial(profiles.winners, source, goal, x=axes[0], y=axes[1], at=values, leave_out=without)
        return _save(draw, time_limit, output)


def _use(text: str) -> Use:
    from dpsym.language import read_source
    from dpsym.statements import Use

    with refusing("MECHANISM", text):
        found = read_source(text)
        if not isinstance(found, Use) or found.free_symbols:
            raise Unreadable("expected one mechanism with numbers, e.g. gaussian(sigma=1)")
        return found


def _axis(text: str, cells: int) -> tuple[sp.Symbol, list[Fraction]]:
    """A symbol with values from the first to the last, each the same multiple of the one before; of k, integers."""
    from dpsym.language import read_assignment

    name, equals, ends = text.partition("=")
    first, colon, last = ends.partition(":")
    if not equals or not colon:
        raise Unreadable(f"{text!r} is not NAME=FIRST:LAST (expected e.g. k=1:1000)")
    with refusing("axis", text):
        symbol, low = read_assignment(f"{name}={first}")
        _, high = read_assignment(f"{name}={last}")
        if not 0 < low < high:
            raise Unreadable("an axis goes from a positive number to a larger one")
    steps = (float(low) * (float(high) / float(low)) ** (i / (cells - 1)) for i in range(cells))
    whole = symbol.name in {"k", "n", "m"}
    return symbol, sorted({Fraction(round(v)) if whole else Fraction(v).limit_denominator(1000) for v in steps})


def _save(draw: Callable[..., Picture], seconds: float, output: Path) -> int:
    """Draw as much as the time allows, write it, and say where that was not all."""
    from dpsym.deciding.timeout import Limit
    from dpsym.rendering.drawing import NoPlot

    limit = Limit(seconds)
    try:
        drawn = in_time(_GRACE * seconds, partial(draw, limit=limit))
    except NoPlot as error:
        if limit.kept:
            raise
        raise Undecided(f"undecided: within {seconds:g} s: {error}") from None
    try:
        drawn.save(output)
    except OSError as error:
        raise Unreadable(f"cannot write {output}: {error.strerror or error}") from None
    if click.get_current_context().meta.get(_AS_JSON):
        from dpsym.rendering import data

        answer(data.document({"wrote": str(output), "title": drawn.title, "finished": limit.kept}))
    else:
        answer(f"wrote {output}")
    if not limit.kept:
        say_not_finished(seconds)
    return DONE


def _guarantee(text: str) -> Guarantee:
    from dpsym.language import read_source
    from dpsym.statements import Guarantee

    found = read_source(text)
    if not isinstance(found, Guarantee) or found.free_symbols:
        raise Unreadable("expected a guarantee with numbers, e.g. approx(1, 1e-5)")
    return found


def _order(text: str) -> sp.Rational:
    from dpsym.language import read_assignment

    with refusing("--order", text):
        _, value = read_assignment(f"alpha={text}")
        if value <= 1:
            raise Unreadable("a Rényi order is above 1 here (expected e.g. 20)")
        return value


def _epsilon_at_delta(target: str) -> Goal:
    from dpsym import language
    from dpsym.core.notation import delta
    from dpsym.entries.notions.approx import approx
    from dpsym.statements import Definition, Guarantee

    goal = language.read_goal(target)
    if isinstance(goal, Definition):
        goal = goal.goal(delta=delta) if goal is approx else goal.goal()
    if isinstance(goal, Guarantee) or goal.definition is not approx or delta not in goal.fixed:
        raise Unreadable("epsilon can be plotted for approx at a delta (expected e.g. approx(delta=1e-5))")
    return goal


def _range(text: str) -> tuple[int, int]:
    first, colon, last = text.partition(":")
    if not colon or not all(part.isascii() and part.isdigit() and len(part) < 10 for part in (first, last)):
        raise Unreadable(f"--over {text[:60]!r} is not FIRST:LAST (expected e.g. 1:500)")
    return int(first), int(last)
