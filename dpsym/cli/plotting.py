"""`dpsym plot`: curves of certified values as PNG, SVG or PDF."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dpsym.cli.arguments import AT, DONE, Unreadable, answer, refusing, telling, values_of

if TYPE_CHECKING:
    import sympy as sp

    from dpsym.rendering.plots import Plot
    from dpsym.statements import Goal, Guarantee

_OUTPUT = click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path), help="FILE.png, FILE.svg or FILE.pdf."
)
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
    output: Path,
) -> int:
    """Epsilon against the number of compositions k, by several routes.

    \b
    dpsym plot epsilon "gaussian(sigma=200) ** k" --at delta=1e-5 --order 20 --order 60 -o epsilon.png
    """
    from dpsym import reading
    from dpsym.rendering import plots
    from dpsym.statements import Guarantee

    values = values_of(at)
    orders = [_order(text) for text in order]
    with refusing("MECHANISM", mechanism):
        source = reading.read_source(mechanism)
        if isinstance(source, Guarantee):
            raise Unreadable("a guarantee has no k (expected a mechanism)")
    with refusing("--to", target):
        goal = _epsilon_at_delta(target)
    with refusing("MECHANISM", mechanism), telling("computing the curves"):
        drawn = plots.epsilon_against_k(
            source, goal, at=values, over=_range(over), by=by, orders=orders, logarithmic=logarithmic
        )
        return _save(drawn, output)


@plot.command("noise")
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
def noise(target: str, at: Sequence[str], over: str, by: Sequence[str], output: Path) -> int:
    """Gaussian noise variance for k queries, by advanced composition and as one query with a vector answer.

    \b
    dpsym plot noise --at epsilon=1 --at delta=1e-5 -o noise.svg
    """
    from dpsym import reading
    from dpsym.rendering import plots
    from dpsym.statements import Guarantee

    values = values_of(at)
    with refusing("--to", target):
        guarantee = reading.read_goal(target)
        if not isinstance(guarantee, Guarantee):
            raise Unreadable("expected a complete guarantee, e.g. approx(epsilon, delta)")
    with refusing("--to", target), telling("computing the curves"):
        drawn = plots.noise_against_k(guarantee, at=values, over=_range(over), by=by or plots.NOISE_RULES)
        return _save(drawn, output)


@plot.command("trade-off")
@click.option("--mu", "budgets", multiple=True, metavar="MU", help="A curve for mu-GDP. Repeatable.")
@click.option("--guarantee", "others", multiple=True, metavar="GUARANTEE", help="A curve for it. Repeatable.")
@_OUTPUT
def trade_off(budgets: Sequence[str], others: Sequence[str], output: Path) -> int:
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
        return _save(plots.trade_off_curves(guarantees), output)


def _save(drawn: Plot, output: Path) -> int:
    from dpsym.rendering.plots import save

    try:
        save(drawn, output)
    except OSError as error:
        raise Unreadable(f"cannot write {output}: {error.strerror or error}") from None
    answer(f"wrote {output}")
    return DONE


def _guarantee(text: str) -> Guarantee:
    from dpsym.reading import read_source
    from dpsym.statements import Guarantee

    found = read_source(text)
    if not isinstance(found, Guarantee) or found.free_symbols:
        raise Unreadable("expected a guarantee with numbers, e.g. approx(1, 1e-5)")
    return found


def _order(text: str) -> sp.Rational:
    from dpsym.reading import read_assignment

    with refusing("--order", text):
        _, value = read_assignment(f"alpha={text}")
        if value <= 1:
            raise Unreadable("a Rényi order is above 1 here (expected e.g. 20)")
        return value


def _epsilon_at_delta(target: str) -> Goal:
    from dpsym import reading
    from dpsym.definitions.approx import approx
    from dpsym.notation import delta
    from dpsym.statements import Definition, Guarantee

    goal = reading.read_goal(target)
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
