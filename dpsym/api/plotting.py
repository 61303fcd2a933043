"""`plot`: curves of certified values, as pictures."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from inspect import getfullargspec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from dpsym.api.given_values import fractions, rationals, value_of, values_by_name, values_of, values_over, varies, whole
from dpsym.api.reading import Sampling, one_of, texts
from dpsym.api.subjects import neighbours_of, source_of, target_of
from dpsym.api.sweeping import Sweep, records_in
from dpsym.core.clocks import Work, keeping_time
from dpsym.core.spelling import by_any_spelling
from dpsym.language.errors import ReadingError, given_for
from dpsym.rendering.answers import Answer, plain_page

if TYPE_CHECKING:
    import sympy as sp

    from dpsym.api.given_values import Values
    from dpsym.rendering.drawing import Look, Picture
    from dpsym.rendering.page import Page
    from dpsym.statements import Adjacency, Composed, Goal, Guarantee, Subsampled, Use

_NOISE_RULES = ("advanced_composition_simplified", "advanced_composition", "classical_gaussian")
_OVER = "1:500"  # compositions, or queries
_CELLS, _MOST_CELLS = 12, 40  # along an axis
_ACCOUNTS = 13  # points of a curve that is accounted for
Point: TypeAlias = "Mapping[sp.Symbol, sp.Rational]"
Pair = tuple[object, object]
Axis: TypeAlias = "tuple[str | sp.Symbol, Sequence[object]]"
Draw: TypeAlias = "Callable[[], Picture]"


@dataclass(frozen=True, eq=False, repr=False)
class Plotted(Answer):
    """A picture; a notebook shows it.

    Attributes:
        picture: the curves, with a `figure()` of matplotlib.
        finished: whether the time limit left nothing out.
        look: its size, its ground, what is shown of its axes.
        wrote: the file it was written to.
        relation: the neighbours that were asked for, where some were.
    """

    picture: Picture
    finished: bool
    look: Look
    wrote: Path | None = None
    relation: Adjacency | None = None

    def save(self, path: str | Path) -> None:
        """Write a PNG, SVG or PDF file.

        Raises:
            NoPlot: without matplotlib, or for another kind of file.
        """
        self.picture.save(Path(path), self.look)

    def figure(self) -> Any:
        """A matplotlib figure."""
        return self.picture.figure(self.look)

    @property
    def brief(self) -> str:
        """The title."""
        return f"plot: {self.picture.title}"

    def to_dict(self) -> dict[str, Any]:
        """The document of the command; of curves with their points, and what is certified between them."""
        wrote = None if self.wrote is None else str(self.wrote)
        found = {"wrote": wrote, "title": self.picture.title, "finished": self.finished}
        found |= {"adjacency": None if self.relation is None else self.relation.value}
        return found | self.picture.to_dict()

    def page(self) -> Page:
        """The title, or the file, what is not drawn, and between which data sets; in a notebook the picture."""
        from dpsym.rendering.page import Page
        from dpsym.rendering.page import Picture as Drawn

        said = self.picture.title if self.wrote is None else f"wrote {self.wrote}"
        words = plain_page(said, *self.picture.notes, relation=self.relation).parts
        return Page("", (*words, Drawn(lambda: self.picture.html(self.look))))


Kind = Literal["epsilon", "account", "sweep", "noise", "trade-off", "profile", "renyi", "winners"]


@by_any_spelling
@keeping_time
def plot(
    kind: Kind,
    *mechanisms: object,
    to: object | None = None,
    at: Values | None = None,
    over: str | tuple[int, int] | Mapping[str, object] | Iterable[str] | None = None,
    for_: str | sp.Symbol | None = None,
    sampling: Sampling = "poisson",
    by: str | Iterable[str] = (),
    order: object | Iterable[object] = (),
    log: bool | None = None,
    mu: object | Iterable[object] = (),
    guarantee: object | Iterable[object] = (),
    x: Axis | str | None = None,
    y: Axis | str | None = None,
    without: str | Iterable[str] = (),
    cells: int = _CELLS,
    range_: str | Pair | None = None,
    size: str | Pair | None = None,
    dark: bool = False,
    vertical: str | Pair | None = None,
    title: str | None = None,
    adjacent: str | Adjacency | None = None,
    output: str | Path | None = None,
    time_limit: float = Work(60),
    **values: object,
) -> Plotted:
    """Plot certified values (needs matplotlib: pip install "dpsym[plot]").

    >>> import dpsym
    >>> dpsym.plot("profile", "gaussian(sigma=1)", "laplace(b=1)")
    <plot: privacy profiles>

    Args:
        kind: `epsilon` against the number k of compositions; `account`, certified accounting; `sweep`, the answer of
            `dpsym.sweep` or its file; `noise` for k queries; `trade-off` functions; privacy `profile` (delta against
            epsilon); `renyi` (epsilon against the order); `winners`, the best route by place.
        mechanisms: those that are drawn, as for `derive`; of `sweep` its answer, or the file.
        to (NOTION): for `epsilon`, `noise` and `winners`: what is wanted: `approx(delta=1e-5)`.
        at, values: the values of symbols.
        over (FIRST:LAST): for `epsilon` and `noise`: the first and the last k (1:500); for `account`, as for
            `dpsym.sweep`: the values of the horizontal axis, and of what has a curve for each; ``T=range(100, 1100,
            100)`` says the same.
        for_: for `account`: draw the best value of this unknown instead.
        sampling: for `account`: how samples are drawn: `poisson`, or of `fixed-size`.
        by (RULE): for `epsilon` and `noise`: show the best route that uses this rule.
        order (ALPHA): for `epsilon`: also Rényi DP at this order alone.
        log: for `epsilon`, `account` and `sweep`: a logarithmic vertical axis, or not; left out, `account` and
            `sweep` take the one that shows more.
        mu (MU): for `trade-off`: a curve for mu-GDP.
        guarantee (GUARANTEE): for `trade-off`: a curve for it.
        x (NAME=FIRST:LAST): for `winners`: the horizontal axis: `k=1:1000`; for `sweep`, the name on it.
        y (NAME=FIRST:LAST): for `winners`: the vertical axis: `sigma=1/2:50`.
        without (RULE): for `winners`: leave out the routes that use this rule.
        cells (N): for `winners`: along an axis.
        range_ (FIRST:LAST): for `profile` and `renyi`: the range of the horizontal axis.
        size (WxH): in inches, 10x4.
        dark: light lines on a dark ground.
        vertical (FIRST:LAST): what is shown of the vertical axis.
        title (TEXT): words over the picture, in the place of its own.
        adjacent: which data sets are neighbours; what is measured for any is taken to be measured for these.
        output: where to: a `.png`, `.svg` or `.pdf` file.
        time_limit: for everything, in seconds; what is not known by then is left out.

    Raises:
        NoPlot: without matplotlib, or where there is nothing to draw.
        NotAccountable: for a question that accounting cannot answer.
        ReadingError: for what cannot be read.
    """
    from dpsym.core.deadline import cut
    from dpsym.rendering.drawing import NoPlot, NoPlotInTime
    from dpsym.rendering.text import neighbours

    if kind == "account" and over is None:
        over = {name: values.pop(name) for name in [*values] if varies(values[name])}
    draw = _KINDS[one_of("kind", kind, get_args(Kind))]
    if kind not in _SEVERAL and len(mechanisms) != 1 and (mechanisms or kind in _NEEDED):
        raise ReadingError("expected one mechanism, or of a sweep its answer or its file")
    takes = getfullargspec(draw).kwonlyargs
    asked: dict[str, Any] = {name: value for name, value in locals().items() if name in takes}
    asked |= {"at": rationals(values_of(at, values))} if "at" in asked else {}
    look, between = _look(size, dark, vertical, title), neighbours_of(adjacent)
    asked |= {"adjacent": between}
    try:
        picture = draw(*mechanisms, **asked)()
    except NoPlot as error:
        raise NoPlotInTime(f"within {time_limit:g} s: {error}") if cut() else error from None
    if related := neighbours(between):
        picture = replace(picture, title="; ".join([picture.title, *related]))  # type: ignore[type-var]
    found = Plotted(picture, not cut(), look, None if output is None else Path(output), between)
    if output is not None:
        with given_for("output", str(output)):
            found.save(output)
    return found


def _several(given: object) -> list[object]:
    return list(given) if isinstance(given, list | tuple) else [given]


# --- what is drawn: each takes those parameters of `plot` that it needs
def epsilon(
    mechanism: object = "gaussian(sigma=200) ** k", /, *, to: object, at: Point, over: object, by: str | Iterable[str],
    order: object, log: bool | None, adjacent: Adjacency | None,
) -> Draw:  # fmt: skip
    """Epsilon against the number of compositions k, by several routes.

    Args:
        over (FIRST:LAST): the range of k (1:500).
        log: a logarithmic vertical axis.

    Command:
        dpsym plot epsilon "gaussian(sigma=200) ** k" --at delta=1e-5 --order 20 --order 60 -o epsilon.png
    """
    from dpsym.rendering import plots

    source, goal, ends, rules = _about(mechanism, None), _goal(to), _ends(over), texts(by)
    orders = [_order(one) for one in _several(order)]
    if not rules and not orders and _samples(source):  # of what is sampled no route is exact
        return _accounted_against_k(source, goal, at, ends, log, adjacent)
    source = _about(source, adjacent)
    options: dict[str, Any] = {"at": at, "over": ends, "by": rules, "orders": orders, "logarithmic": bool(log)}
    return partial(plots.epsilon_against_k, source, goal, **options)


def _samples(source: Use | Subsampled | Composed) -> bool:
    """Whether something in it runs on a sample."""
    from dpsym.statements import Composed, Subsampled

    return isinstance(source, Subsampled) or (
        isinstance(source, Composed) and any(isinstance(part, Subsampled) for part, _ in source.parts)
    )


def _accounted_against_k(
    source: Use | Subsampled | Composed, goal: Goal, at: Point, ends: tuple[int, int], log: bool | None,
    adjacent: Adjacency | None,
) -> Draw:  # fmt: skip
    """At a few numbers of compositions."""
    from dpsym.core.notation import delta

    first, last = ends
    where = sorted({first + round((last - first) * (i / (_ACCOUNTS - 1)) ** 2) for i in range(_ACCOUNTS)})
    fixed = goal.fixed[delta]
    values = {**at, **({delta: fixed} if fixed.is_Rational else {})}
    return account(source, over={"k": where}, at=values, for_=None, sampling="poisson", log=log or None,
                   adjacent=adjacent)  # fmt: skip


def account(
    mechanism: object = None, /, *, over: object, at: Point, for_: str | sp.Symbol | None, sampling: Sampling,
    log: bool | None, adjacent: Adjacency | None,
) -> Draw:  # fmt: skip
    """Epsilon, delta or an unknown by certified accounting, between both bounds; also of what is sampled.

    The first of what varies is the horizontal axis; of another there is a curve for each value.

    Args:
        over (NAME=VALUES): the horizontal axis: `T=100:1e5:*2`; again: a curve for each, `sigma=1,2`.

    Command:
        dpsym plot account "subsampled(gaussian(sigma), q=1/100) ** T" --at delta=1e-5 \\
            --over "T=100:1e4:*2" --over sigma=1,2 -o steps.svg
        dpsym plot account "subsampled(gaussian(sigma=1), q) ** 1000" --at delta=1e-5 \\
            --over "q=0.001:0.1:*1.5" -o rate.png
    """
    from dpsym.rendering import accounts

    if isinstance(over, str) or not isinstance(over, Iterable) or not over:
        raise ReadingError("nothing varies (expected over={'T': \"100:1e5:*2\", …})")
    options: dict[str, Any] = {
        "given": fractions(at),
        "unknown": None if for_ is None else str(for_),
        "sampling": one_of("sampling", sampling, get_args(Sampling)),
        "adjacency": adjacent,
        "logarithmic": log,
    }
    of = _about(mechanism, None)
    return partial(accounts.accounted, of, values_by_name("over", over), **options)


def sweep(rows: object = "", /, *, x: object, log: bool | None, adjacent: Adjacency | None) -> Draw:
    """The rows that `dpsym account --sweep -o FILE` has written, as CSV or JSON.

    Args:
        x (NAME): the horizontal axis; else the first that varies.

    Command:
        dpsym plot sweep sweep.csv --x T -o sweep.svg
    """
    from dpsym.rendering import accounts
    from dpsym.rendering.text import neighbours

    if adjacent is not None:
        raise ReadingError("a sweep has been asked for its own neighbours (leave them out)")
    if x is not None and not isinstance(x, str):
        raise ReadingError(f"x={x!r}: expected the name on the horizontal axis")
    table = list(rows.records) if isinstance(rows, Sweep) else records_in(Path(str(rows)))
    title, *related = (table[0].get("mechanism", "a sweep"), table[0].get("adjacency", "")) if table else ("a sweep",)
    words = "; ".join([title, *neighbours("".join(related))])
    return lambda: accounts.from_records(table, x, words, log)


def noise(
    mechanism: object = "gaussian", /, *, to: object, at: Point, over: object, by: str | Iterable[str],
    adjacent: Adjacency | None,
) -> Draw:  # fmt: skip
    """Noise variance for k queries, by advanced composition and as one query with a vector answer.

    The noise is Gaussian, or that of another mechanism with noise of standard deviation sigma for an L2 sensitivity.

    Args:
        to (GUARANTEE): what all k answers satisfy (approx(epsilon, delta)).
        over (FIRST:LAST): the range of k (1:500).

    Command:
        dpsym plot noise --at epsilon=1 --at delta=1e-5 -o noise.svg
    """
    from dpsym import catalogue
    from dpsym.rendering import plots
    from dpsym.statements import Guarantee

    entry = catalogue.look_up(str(getattr(mechanism, "id", mechanism)), catalogue.mechanisms(), "mechanism")
    wanted, _ = target_of("approx(epsilon, delta)" if to is None else to)
    if not isinstance(wanted, Guarantee):
        with given_for("to", to):
            raise ReadingError("expected a complete guarantee, e.g. approx(epsilon, delta)")
    _about(entry(*entry.params), adjacent)
    options: dict[str, Any] = {"at": at, "over": _ends(over), "by": texts(by) or _NOISE_RULES}
    return partial(plots.noise_against_k, entry, wanted, **options)


def trade_off(*mechanisms: object, mu: object, guarantee: object, adjacent: Adjacency | None) -> Draw:
    """Trade-off functions: type II error against type I error.

    Command:
        dpsym plot trade-off --mu 1/2 --mu 1 --mu 2 --guarantee "approx(1, 1/20)" -o trade-off.png
        dpsym plot trade-off "laplace(b=1)" "gaussian(sigma=1)" -o noise.svg
    """
    from dpsym.rendering import plots

    found: list[Guarantee | Use] = [*_uses(mechanisms, adjacent), *map(_budget, _several(mu))]
    found += [_numbers("guarantee", one) for one in _several(guarantee)]
    if not found:
        raise ReadingError("nothing to plot (expected mechanisms, budgets mu of Gaussian DP, or guarantees)")
    return partial(plots.trade_off_curves, found)


def profile(*mechanisms: object, range_: str | Pair | None, adjacent: Adjacency | None) -> Draw:
    """Privacy profiles: delta against epsilon, for mechanisms with numbers for all parameters.

    Each is drawn to where delta reaches 0, or to epsilon = 4 where it never does.

    Command:
        dpsym plot profile "gaussian(sigma=1)" "laplace(b=1)" -o profile.svg
    """
    from dpsym.rendering import plots

    return _curves(plots.privacy_profiles, mechanisms, range_, adjacent)


def renyi(*mechanisms: object, range_: str | Pair | None, adjacent: Adjacency | None) -> Draw:
    """Rényi curves: epsilon against the order, for mechanisms with numbers for all parameters.

    Command:
        dpsym plot renyi "gaussian(sigma=1)" "laplace(b=1)" -o renyi.pdf
    """
    from dpsym.rendering import plots

    return _curves(plots.renyi_curves, mechanisms, range_, adjacent)


def _curves(
    drawn: Callable[..., Picture], mechanisms: Iterable[object], range_: str | Pair | None, adjacent: Adjacency | None
) -> Draw:
    uses = _uses(mechanisms, adjacent)
    if not uses:
        raise ReadingError("nothing to plot (expected mechanisms with numbers)")
    return partial(drawn, uses, shown=None if range_ is None else _rising("range_", range_))


def winners(
    mechanism: object = "gaussian(sigma) ** k", /, *, to: object, x: Axis | str | None, y: Axis | str | None, at: Point,
    without: str | Iterable[str], cells: object, adjacent: Adjacency | None,
) -> Draw:  # fmt: skip
    """Which route gives the least epsilon where, over two parameters.

    Args:
        x (NAME=FIRST:LAST): the horizontal axis: `k=1:1000`.

    Command:
        dpsym plot winners "laplace(b) ** k" --x k=1:1000 --y b=1:50 --at delta=1e-5 -o map.svg
    """
    from dpsym.rendering import plots

    if x is None or y is None:
        raise ReadingError("winners has two axes (expected x='k=1:1000' and y='sigma=1/2:50')")
    along = whole("cells", cells, 2, _MOST_CELLS) or _CELLS
    axes: dict[str, Any] = {name: _axis(name, axis, along) for name, axis in (("x", x), ("y", y))}
    source = _about(mechanism, adjacent)
    options: dict[str, Any] = {"at": at, "leave_out": texts(without), **axes}
    return partial(plots.winners, source, _goal(to), **options)


_KINDS: dict[Kind, Callable[..., Draw]] = {
    "epsilon": epsilon, "account": account, "sweep": sweep, "noise": noise, "trade-off": trade_off,
    "profile": profile, "renyi": renyi, "winners": winners,
}  # fmt: skip
_SEVERAL, _NEEDED = ("trade-off", "profile", "renyi"), ("account", "sweep")  # mechanisms


# --- readers
def _about(given: object, between: Adjacency | None) -> Any:
    """A mechanism or a composition, with symbols or without; where these are the neighbours.

    Raises:
        StatementError: where it is about others.
    """
    from dpsym.statements import Guarantee
    from dpsym.statements.anything import about

    source, text = source_of(given)
    if isinstance(source, Guarantee):
        raise ReadingError(f"{text} is a guarantee (expected a mechanism)")
    return source if between is None else about(source, between)


def _numbers(name: str, given: object) -> Any:
    """One mechanism, or a guarantee, with numbers for all parameters."""
    from dpsym.statements import Guarantee, Use

    kind, expected = (Use, "one mechanism with numbers, e.g. gaussian(sigma=1)") if name == "mechanisms" else (
        Guarantee, "a guarantee with numbers, e.g. approx(1, 1e-5)")  # fmt: skip
    with given_for(name, given):
        source, _ = source_of(given)
        if not isinstance(source, kind) or source.free_symbols:
            raise ReadingError(f"expected {expected}")
    return source


def _uses(mechanisms: Iterable[object], between: Adjacency | None) -> list[Use]:
    return [_about(_numbers("mechanisms", one), between) for one in mechanisms]


def _budget(mu: object) -> Guarantee:
    """That of mu-GDP."""
    from dpsym.statements import Guarantee

    with given_for("mu", mu):
        return _numbers("mu", mu if isinstance(mu, Guarantee) else f"gdp({value_of('mu', mu)})")


def _goal(to: object | None) -> Goal:
    """Epsilon at a delta."""
    from dpsym.core.notation import delta
    from dpsym.entries.notions.approx import approx
    from dpsym.statements import Definition, Goal

    with given_for("to", to):
        goal, _ = target_of("approx" if to is None else to)
        if isinstance(goal, Definition):
            goal = goal.goal(delta=delta) if goal is approx else goal.goal()
        if not isinstance(goal, Goal) or goal.definition is not approx or delta not in goal.fixed:
            raise ReadingError("epsilon can be plotted for approx at a delta (expected e.g. approx(delta=1e-5))")
    return goal


def _order(given: object) -> sp.Rational:
    """A Rényi order."""
    with given_for("order", given):
        value = value_of("alpha", given)
        if value <= 1:
            raise ReadingError("a Rényi order is above 1 here (expected e.g. 20)")
    return value


def _two(name: str, given: object, separator: str, example: str, what: str = "numbers") -> tuple[Fraction, Fraction]:
    """Two numbers, such as "0:4"."""
    ends = given.split(separator) if isinstance(given, str) else given
    if not isinstance(ends, list | tuple) or len(ends) != 2 or not all(str(end).strip() for end in ends):
        raise ReadingError(f"{str(given)[:60]!r} is not two {what} (expected e.g. {example})")
    first, last = (Fraction(str(value_of(name, end))) for end in ends)
    return first, last


def _ends(over: object) -> tuple[int, int]:
    """The first and the last number of compositions: two integers, "1:500", or "k=1:500" as other plots have it."""
    over = _OVER if over is None else over[0] if isinstance(over, tuple) and len(over) == 1 else over
    with given_for("over", over):
        text = re.sub(r"^\s*k\s*=", "", over) if isinstance(over, str) else over
        first, last = _two("over", text, ":", _OVER, "integers")
        if not (first.denominator == last.denominator == 1 and 0 <= first <= last):
            raise ReadingError(f"{str(over)[:60]!r} is not FIRST:LAST, two integers (expected e.g. {_OVER})")
    return int(first), int(last)


def _rising(name: str, given: str | Pair) -> tuple[Fraction, Fraction]:
    """Two numbers, as "0:4", the second above the first."""
    with given_for(name, given):
        first, last = _two(name.rstrip("_"), given, ":", "0:4")
        if first >= last:
            raise ReadingError(f"{str(given)[:60]!r} does not go up (expected e.g. 0:4)")
    return first, last


def _look(size: str | Pair | None, dark: bool, vertical: str | Pair | None, title: str | None) -> Look:
    """How a picture is drawn."""
    from dpsym.rendering.drawing import Look

    look = Look(dark=dark, title=title)
    if size is not None:
        with given_for("size", size):
            wide, high = _two("size", size, "x", "10x4")
            look = replace(look, size=(float(wide), float(high)))
    if vertical is not None:
        low, top = _rising("vertical", vertical)
        look = replace(look, y=(float(low), float(top)))
    return look


def _axis(of: str, axis: Axis | str, cells: int) -> tuple[sp.Symbol, list[Fraction]]:
    """A symbol with values from the first to the last, each the same multiple of the one before; of k, integers."""
    import sympy as sp

    if not isinstance(axis, str):
        name, values = axis
        return sp.Symbol(str(name)), sorted(set(values_over(str(name), values)))
    name, equals, ends = axis.partition("=")
    with given_for(of, axis):
        if not equals or ":" not in ends:
            raise ReadingError(f"{axis!r} is not NAME=FIRST:LAST (expected e.g. k=1:1000)")
        low, high = _two(name.strip(), ends, ":", "k=1:1000")
        if not 0 < low < high:
            raise ReadingError(f"{axis!r}: an axis goes from a positive number to a larger one")
    steps = (float(low) * (float(high) / float(low)) ** (i / (cells - 1)) for i in range(cells))
    integral = name.strip() in {"k", "n", "m"}
    found = sorted({Fraction(round(v)) if integral else Fraction(v).limit_denominator(1000) for v in steps})
    return sp.Symbol(name.strip()), found
