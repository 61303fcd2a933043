"""`plot`: curves of certified values, as pictures."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import sympy as sp

from dpsym.api.accounting import Sampling, read_composition
from dpsym.api.answers import DONE, Answer
from dpsym.api.reading import (
    neighbours_of,
    one_of,
    rationals,
    source_of,
    target_of,
    texts,
    value_of,
    values_of,
    values_over,
    varies,
)
from dpsym.api.sweeping import Sweep, records_in
from dpsym.core.clocks import Work, keeping_time
from dpsym.core.spelling import by_any_spelling
from dpsym.language.errors import ReadingError
from dpsym.rendering.drawing import Look
from dpsym.rendering.text import neighbours

if TYPE_CHECKING:
    from dpsym.accounting.compositions import Composable
    from dpsym.deciding.timeout import Limit
    from dpsym.rendering.drawing import Picture
    from dpsym.statements import Adjacency, Composed, Goal, Guarantee, Subsampled, Use

KINDS = ("epsilon", "account", "sweep", "noise", "trade-off", "profile", "renyi", "winners")
USUAL = {"epsilon": "gaussian(sigma=200) ** k", "noise": "gaussian", "winners": "gaussian(sigma) ** k"}
_NOISE_RULES = ("advanced_composition_simplified", "advanced_composition", "classical_gaussian")
_OVER = "1:500"  # compositions, or queries
_CELLS = 12  # along an axis
_INCHES = 100  # a picture has fewer
_EXPECTED = {":": "0:4", "x": "10x4"}
_ACCOUNTS = 13  # points of a curve that is accounted for
Values = Mapping[sp.Symbol, sp.Rational]
Pair = tuple[object, object]
Axis = tuple[str | sp.Symbol, Sequence[object]]
Draw = Callable[..., "Picture"]  # within a `limit`


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
    def status(self) -> int:
        """0."""
        return DONE

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

    def __str__(self) -> str:
        said = self.picture.title if self.wrote is None else f"wrote {self.wrote}"
        return "\n".join([said, *self.picture.notes, *neighbours("" if self.relation is None else self.relation.value)])

    def html(self) -> str | None:
        """The picture."""
        return self.picture.html(self.look)


@by_any_spelling
@keeping_time
def plot(
    kind: str,
    *mechanisms: object,
    to: object | None = None,
    at: Mapping[str, object] | Mapping[sp.Symbol, object] | None = None,
    over: str | tuple[int, int] | Mapping[str, object] | None = None,
    for_: str | sp.Symbol | None = None,
    sampling: str = "poisson",
    adjacent: str | Adjacency | None = None,
    by: str | Iterable[str] = (),
    order: object = (),
    log: bool | None = None,
    mu: object = (),
    guarantee: object = (),
    x: Axis | str | None = None,
    y: Axis | str | None = None,
    without: str | Iterable[str] = (),
    cells: int = _CELLS,
    range_: str | Pair | None = None,
    size: str | Pair | None = None,
    dark: bool = False,
    vertical: str | Pair | None = None,
    title: str | None = None,
    output: str | Path | None = None,
    time_limit: float = Work(60),
    **values: object,
) -> Plotted:
    """Plot certified values (needs matplotlib: `pip install "dpsym[plot]"`).

    >>> import dpsym
    >>> dpsym.plot("profile", "gaussian(sigma=1)", "laplace(b=1)")
    <plot: privacy profiles>

    Args:
        kind: `epsilon` against the number k of compositions; `account`, certified accounting; `sweep`, the answer of
            `dpsym.sweep` or its file; `noise` for k queries; `trade-off` functions; privacy `profile` (delta against
            epsilon); `renyi` (epsilon against the order); `winners`, the best route by place.
        mechanisms: those that are drawn, as for `derive`; of `sweep` its answer, or the file.
        to: for `epsilon`, `noise` and `winners`, the notion that is wanted.
        at, values: the values of symbols.
        over: for `epsilon` and `noise`, the first and the last k; for `account`, as for `dpsym.sweep`: the values of
            the horizontal axis, and of what has a curve for each; ``T=range(100, 1100, 100)`` says the same.
        for_: for `account`, draw the best value of this unknown instead.
        sampling: for `account`, as for `dpsym.account`.
        adjacent: which data sets are neighbours, as for `derive`; a sweep has its own.
        by: for `epsilon` and `noise`, show the best route that uses each of these rules.
        order: for `epsilon`, also Rényi DP at these orders.
        log: a logarithmic vertical axis, for `epsilon`, `account` and `sweep`; None leaves it to the last two.
        mu, guarantee: for `trade-off`, the budgets of Gaussian DP, and other guarantees.
        x, y: for `winners`, the axes, as `"k=1:1000"`; for `sweep`, x is the name on the horizontal axis.
        without: for `winners`, rules whose routes are left out.
        cells: for `winners`, along an axis.
        range_: for `profile` and `renyi`, the range of the horizontal axis, `(0, 4)` or `"0:4"`.
        size: in inches, `(10, 4)` or `"10x4"`.
        dark: light lines on a dark ground.
        vertical: what is shown of the vertical axis, `(0, 5)` or `"0:5"`.
        title: words over the picture, in the place of its own.
        output: a file that it is written to, `.png`, `.svg` or `.pdf`.
        time_limit: in seconds; what is not known by then is left out.

    Raises:
        NoPlot: without matplotlib, or where there is nothing to draw.
        NotAccountable: for a question that accounting cannot answer.
        ReadingError: for what cannot be read.
    """
    from dpsym.deciding.timeout import Limit

    if kind == "account" and over is None:
        over = {name: values.pop(name) for name in [*values] if varies(values[name])}
    point, look = rationals(values_of(at, values)), look_of(size, dark, vertical, title)
    between = neighbours_of(adjacent)
    match one_of("kind", kind, KINDS):
        case "epsilon":
            draw = epsilon(_only(mechanisms, USUAL[kind]), to, point, over or _OVER, by, order, bool(log), between)
        case "account":
            draw = account(_only(mechanisms), over, point, for_, sampling, log, between)
        case "sweep":
            draw = sweep(_only(mechanisms), x, log, between)
        case "noise":
            draw = noise(_only(mechanisms, USUAL[kind]), to, point, over or _OVER, by, between)
        case "trade-off":
            draw = trade_off(mechanisms, _several(mu), _several(guarantee), between)
        case "winners":
            draw = winners(_only(mechanisms, USUAL[kind]), to, x, y, point, texts(without), cells, between)
        case _:
            draw = curves(kind, mechanisms, range_, between)
    limit = Limit(time_limit)
    drawn = draw(limit=limit)
    found = Plotted(drawn, limit.kept, look, None if output is None else Path(output), between)
    if output is not None:
        found.save(output)
    return found


def _only(mechanisms: Sequence[object], usual: str | None = None) -> object:
    if len(mechanisms) > 1 or not (mechanisms or usual):
        raise ReadingError("expected one mechanism, or of a sweep its answer or its file")
    return mechanisms[0] if mechanisms else usual


def _several(given: object) -> list[object]:
    return list(given) if isinstance(given, list | tuple) else [given]


# --- what is drawn: each reads what it is given, which may have been read already
def epsilon(
    mechanism: object,
    to: object | None,
    point: Values,
    over: object,
    by: str | Iterable[str] = (),
    order: object = (),
    log: bool = False,
    between: Adjacency | None = None,
) -> Draw:
    """Against k, by several routes; of what is sampled, of which no route is exact, by accounting."""
    from dpsym.rendering import plots

    source, goal, ends = mechanism_of(mechanism), goal_of(to), ends_of(over)
    rules, orders = texts(by), [order_of(one) for one in _several(order)]
    if not rules and not orders and _samples(source):
        return _accounted_against_k(source, goal, point, ends, log, between)
    source = _about(source, between)
    options = {"at": point, "over": ends, "by": rules, "orders": orders, "logarithmic": log}
    return _titled(partial(plots.epsilon_against_k, source, goal, **options), between)  # type: ignore[arg-type]


def _samples(source: Use | Subsampled | Composed) -> bool:
    """Whether something in it runs on a sample."""
    from dpsym.statements import Composed, Subsampled

    return isinstance(source, Subsampled) or (
        isinstance(source, Composed) and any(isinstance(part, Subsampled) for part, _ in source.parts)
    )


def _accounted_against_k(
    source: Use | Subsampled | Composed, goal: Goal, point: Values, ends: tuple[int, int], log: bool,
    between: Adjacency | None,
) -> Draw:  # fmt: skip
    """At a few numbers of compositions."""
    from dpsym.core.notation import delta

    first, last = ends
    where = sorted({first + round((last - first) * (i / (_ACCOUNTS - 1)) ** 2) for i in range(_ACCOUNTS)})
    fixed = goal.fixed[delta]
    values = {**point, **({delta: fixed} if fixed.is_Rational else {})}
    return account(source, {"k": where}, values, log=log or None, between=between)


def account(
    mechanism: object,
    over: object,
    point: Values,
    for_: str | sp.Symbol | None = None,
    sampling: str = "poisson",
    log: bool | None = None,
    between: Adjacency | None = None,
) -> Draw:
    """Epsilon, delta or an unknown, between both bounds, against the first name of `over`."""
    from dpsym.rendering import accounts

    if not isinstance(over, Mapping) or not over:
        raise ReadingError("nothing varies (expected over={'T': \"100:1e5:*2\", …})")
    options = {
        "given": {str(symbol): Fraction(int(v.p), int(v.q)) for symbol, v in point.items()},
        "unknown": None if for_ is None else str(for_),
        "sampling": one_of("sampling", sampling, get_args(Sampling)),
        "adjacency": between,
        "logarithmic": log,
    }
    of: Composable = read_composition(mechanism, None)[0]
    drawn = partial(accounts.accounted, of, {n: values_over(n, each) for n, each in over.items()}, **options)
    return _titled(drawn, between)


def sweep(of: object, across: object | None = None, log: bool | None = None, between: Adjacency | None = None) -> Draw:
    """What `dpsym.sweep` has answered, or the command has written, against one of its names."""
    from dpsym.rendering import accounts

    if between is not None:
        raise ReadingError("a sweep has been asked for its own neighbours (leave them out)")
    if across is not None and not isinstance(across, str):
        raise ReadingError(f"x={across!r}: expected the name on the horizontal axis")
    table = list(of.records) if isinstance(of, Sweep) else records_in(Path(str(of)))
    title, *related = (table[0].get("mechanism", "a sweep"), table[0].get("adjacency", "")) if table else ("a sweep",)

    def draw(limit: Limit) -> Picture:
        return accounts.from_records(table, across, "; ".join([title, *neighbours("".join(related))]), log)

    return draw


def noise(
    mechanism: object, to: object | None, point: Values, over: object, by: str | Iterable[str] = (),
    between: Adjacency | None = None,
) -> Draw:  # fmt: skip
    """For k queries, by each of the rules."""
    from dpsym import catalogue
    from dpsym.rendering import plots

    entry = catalogue.look_up(str(getattr(mechanism, "id", mechanism)), catalogue.mechanisms(), "mechanism")
    wanted = complete("approx(epsilon, delta)" if to is None else to)
    _about(entry(*entry.params), between)
    options = {"at": point, "over": ends_of(over), "by": texts(by) or _NOISE_RULES}
    return _titled(partial(plots.noise_against_k, entry, wanted, **options), between)  # type: ignore[arg-type]


def trade_off(
    mechanisms: Iterable[object], budgets: Iterable[object], others: Iterable[object], between: Adjacency | None = None
) -> Draw:
    """Of mechanisms, of Gaussian DP, of other guarantees."""
    from dpsym.rendering import plots

    found: list[Guarantee | Use] = [_about(use_of(one), between) for one in mechanisms]
    found += [budget_of(one) for one in budgets]
    found += [guarantee_of(one) for one in others]
    if not found:
        raise ReadingError("nothing to plot (expected mechanisms, budgets mu of Gaussian DP, or guarantees)")
    return _titled(partial(plots.trade_off_curves, found), between)


def curves(
    kind: str, mechanisms: Iterable[object], range_: str | Pair | None = None, between: Adjacency | None = None
) -> Draw:
    """Privacy profiles (`profile`), or Rényi curves (`renyi`)."""
    from dpsym.rendering import profiles

    uses = [_about(use_of(one), between) for one in mechanisms]
    if not uses:
        raise ReadingError("nothing to plot (expected mechanisms with numbers)")
    shown = None if range_ is None else pair_of(range_)
    drawn = profiles.privacy_profiles if kind == "profile" else profiles.renyi_curves
    return _titled(partial(drawn, uses, shown=shown), between)


def winners(
    mechanism: object,
    to: object | None,
    x: Axis | str | None,
    y: Axis | str | None,
    point: Values,
    without: Sequence[str] = (),
    cells: int = _CELLS,
    between: Adjacency | None = None,
) -> Draw:
    """The best route by place."""
    from dpsym.rendering import profiles

    if x is None or y is None:
        raise ReadingError("winners has two axes (expected x='k=1:1000' and y='sigma=1/2:50')")
    axes = {"x": axis_of(x, cells), "y": axis_of(y, cells)}
    source = _about(mechanism_of(mechanism), between)
    return _titled(partial(profiles.winners, source, goal_of(to), at=point, leave_out=without, **axes), between)  # type: ignore[arg-type]


def _about(source: Any, between: Adjacency | None) -> Any:
    """A mechanism, or several, where these are the neighbours.

    Raises:
        StatementError: where it is about others.
    """
    from dpsym.statements.anything import about

    return source if between is None else about(source, between)


def _titled(draw: Draw, between: Adjacency | None) -> Draw:
    """The same, with the neighbours in the title where they were asked for."""
    related = neighbours("" if between is None else between.value)

    def drawn(limit: Limit) -> Picture:
        picture = draw(limit=limit)
        return replace(picture, title="; ".join([picture.title, *related])) if related else picture  # type: ignore[type-var]

    return drawn


# --- readers
def mechanism_of(given: object) -> Use | Subsampled | Composed:
    """A mechanism or a composition, with symbols or without.

    Raises:
        ReadingError: for a guarantee, and what cannot be read.
    """
    from dpsym.statements import Guarantee

    source, text = source_of(given)
    if isinstance(source, Guarantee):
        raise ReadingError(f"{text} is a guarantee (expected a mechanism)")
    return source


def use_of(given: object) -> Use:
    """One mechanism with numbers.

    Raises:
        ReadingError: for anything else.
    """
    from dpsym.statements import Use

    source, _ = source_of(given)
    if not isinstance(source, Use) or source.free_symbols:
        raise ReadingError("expected one mechanism with numbers, e.g. gaussian(sigma=1)")
    return source


def guarantee_of(given: object) -> Guarantee:
    """A guarantee with numbers.

    Raises:
        ReadingError: for anything else.
    """
    from dpsym.statements import Guarantee

    source, _ = source_of(given)
    if not isinstance(source, Guarantee) or source.free_symbols:
        raise ReadingError("expected a guarantee with numbers, e.g. approx(1, 1e-5)")
    return source


def budget_of(mu: object) -> Guarantee:
    """That of mu-GDP.

    Raises:
        ReadingError: for what is no budget.
    """
    from dpsym.statements import Guarantee

    return guarantee_of(mu if isinstance(mu, Guarantee) else f"gdp({value_of('mu', mu)})")


def complete(to: object) -> Guarantee:
    """A guarantee, with symbols or without.

    Raises:
        ReadingError: where it leaves a parameter open.
    """
    from dpsym.statements import Guarantee

    wanted, _ = target_of(to)
    if not isinstance(wanted, Guarantee):
        raise ReadingError("expected a complete guarantee, e.g. approx(epsilon, delta)")
    return wanted


def goal_of(to: object | None) -> Goal:
    """Epsilon at a delta.

    Raises:
        ReadingError: for anything else that could be wanted.
    """
    from dpsym.core.notation import delta
    from dpsym.entries.notions.approx import approx
    from dpsym.statements import Definition, Goal

    goal, _ = target_of("approx" if to is None else to)
    if isinstance(goal, Definition):
        goal = goal.goal(delta=delta) if goal is approx else goal.goal()
    if not isinstance(goal, Goal) or goal.definition is not approx or delta not in goal.fixed:
        raise ReadingError("epsilon can be plotted for approx at a delta (expected e.g. approx(delta=1e-5))")
    return goal


def order_of(given: object) -> sp.Rational:
    """A Rényi order.

    Raises:
        ReadingError: where it is not above 1.
    """
    value = value_of("alpha", given)
    if value <= 1:
        raise ReadingError("a Rényi order is above 1 here (expected e.g. 20)")
    return value


def ends_of(over: object) -> tuple[int, int]:
    """The first and the last number of compositions: two integers, "1:500", or "k=1:500" as other plots have it.

    Raises:
        ReadingError: where they are none.
    """
    ends = re.sub(r"^\s*k\s*=", "", over).split(":") if isinstance(over, str) else over
    if isinstance(ends, list | tuple) and len(ends) == 2:
        first, last = (value_of("over", end) if str(end).strip() else sp.nan for end in ends)
        if first.is_Integer and last.is_Integer and 0 <= first <= last:
            return int(first), int(last)
    raise ReadingError(f"{str(over)[:60]!r} is not FIRST:LAST, two integers (expected e.g. {_OVER})")


def pair_of(given: str | Pair, separator: str = ":") -> tuple[Fraction, Fraction]:
    """Two numbers, as "0:4".

    Raises:
        ReadingError: where they are none, or the second is not above the first; sizes are above 0.
    """
    ends = given.split(separator) if isinstance(given, str) else given
    if len(ends) != 2 or not all(str(end).strip() for end in ends):
        raise ReadingError(f"{str(given)[:60]!r} is not two numbers (expected e.g. {_EXPECTED[separator]})")
    first, last = (Fraction(str(value_of("x", end))) for end in ends)
    if (separator == ":" and first >= last) or (
        separator == "x" and not (0 < first <= _INCHES and 0 < last <= _INCHES)
    ):
        wrong = "does not go up" if separator == ":" else f"is not between 0 and {_INCHES} inches"
        raise ReadingError(f"{str(given)[:60]!r} {wrong} (expected e.g. {_EXPECTED[separator]})")
    return first, last


def look_of(
    size: str | Pair | None = None, dark: bool = False, vertical: str | Pair | None = None, title: str | None = None
) -> Look:
    """How a picture is drawn.

    Raises:
        ReadingError: for what is no size, or no range.
    """
    look = Look(dark=dark, title=title)
    if size is not None:
        wide, high = pair_of(size, "x")
        look = replace(look, size=(float(wide), float(high)))
    if vertical is not None:
        low, top = pair_of(vertical)
        look = replace(look, y=(float(low), float(top)))
    return look


def axis_of(axis: Axis | str, cells: int) -> tuple[sp.Symbol, list[Fraction]]:
    """A symbol with values from the first to the last, each the same multiple of the one before; of k, integers.

    Raises:
        ReadingError: for what is no axis.
    """
    if not isinstance(axis, str):
        name, values = axis
        numbers = [value_of(str(name), value) for value in values]
        return sp.Symbol(str(name)), sorted({Fraction(int(v.p), int(v.q)) for v in numbers})
    name, equals, ends = axis.partition("=")
    first, colon, last = ends.partition(":")
    if not equals or not colon:
        raise ReadingError(f"{axis!r} is not NAME=FIRST:LAST (expected e.g. k=1:1000)")
    low, high = value_of(name, first), value_of(name, last)
    if not 0 < low < high:
        raise ReadingError(f"{axis!r}: an axis goes from a positive number to a larger one")
    steps = (float(low) * (float(high) / float(low)) ** (i / (cells - 1)) for i in range(cells))
    whole = name.strip() in {"k", "n", "m"}
    found = sorted({Fraction(round(v)) if whole else Fraction(v).limit_denominator(1000) for v in steps})
    return sp.Symbol(name.strip()), found
