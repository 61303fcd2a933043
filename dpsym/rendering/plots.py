"""Plots of certified values: every point is a bound, rounded to the safe side (needs matplotlib)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import sympy as sp

from dpsym import catalogue
from dpsym.deriving import Fact, routes
from dpsym.enclosing import NotEnclosed, NotNumeric, Undefined, Unresolved, compare, enclose
from dpsym.notation import alpha, k, sigma
from dpsym.relations import IsInteger, Relation, substitute
from dpsym.spelling import plain
from dpsym.statements import Composed, Goal, Guarantee, Subsampled, Use

# each line differs from the others in dashes and in marker; the colours are those of Okabe and Ito
_STYLES = (
    ("-", "o", "#000000"),
    ("--", "s", "#D55E00"),
    ("-.", "^", "#0072B2"),
    (":", "D", "#009E73"),
    ((0, (6, 1, 1, 1, 1, 1)), "v", "#CC79A7"),
    ((0, (1, 1)), "x", "#E69F00"),
    ((0, (8, 2)), "+", "#56B4E9"),
    ((0, (3, 1, 1, 1)), "*", "#7F7F7F"),
)
FORMATS = {".png", ".svg", ".pdf"}
_POINTS = 80
NOISE_RULES = ("advanced_composition_simplified", "advanced_composition", "classical_gaussian")


class NoPlot(ValueError):
    """The plot cannot be made; the message says what is missing."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Points of one line, in the order of x; None where the bound does not hold or has no value."""

    label: str
    points: tuple[tuple[Fraction, float | None], ...]


@dataclass(frozen=True, slots=True)
class Plot:
    """Curves on one pair of axes."""

    title: str
    x: str
    y: str
    curves: tuple[Curve, ...]
    logarithmic: bool = False

    def __post_init__(self) -> None:
        for curve in self.curves:
            if all(y is None for _, y in curve.points):
                raise NoPlot(f"the curve {curve.label!r} has no value anywhere in the range")


def epsilon_against_k(
    source: Use | Subsampled | Composed,
    goal: Goal,
    *,
    at: Mapping[sp.Symbol, sp.Rational],
    over: tuple[int, int],
    by: Sequence[str] = (),
    orders: Sequence[sp.Rational] = (),
    most: int = 6,
    logarithmic: bool = False,
) -> Plot:
    """The epsilon that each route gives, against the number of compositions k.

    Args:
        source: a composition with k in it.
        goal: what to derive, delta being given in it or in `at`.
        at: values of everything but k.
        over: the first and the last k.
        by: rules of which each is to be shown by the best route that uses it; empty for the tightest routes.
        orders: Rényi orders to be shown each by a line of its own.
        most: how many lines are drawn when `by` is empty.

    Raises:
        DerivationError, NoPlot: saying what is missing.
    """
    if k not in source.free_symbols:
        raise NoPlot(f"{source} has no k in it; write MECHANISM ** k")
    where = _integers(*over)
    middle = where[len(where) // 2]
    facts = [
        (_label(fact), fact, at) for fact in _chosen(_at_middle(routes(source, goal, at=at), at, middle), by, most)
    ]
    for order in orders:
        known = {**at, alpha: order}
        fixed = [f for f in _at_middle(routes(source, goal, at=known), known, middle) if "rdp_to_approx" in f.rules]
        if not fixed:
            raise NoPlot(f"no route at the order {order}")
        facts.append((f"{_label(fixed[0])} at alpha = {order}", fixed[0], known))
    curves = tuple(
        Curve(label, tuple((Fraction(n), _upper(fact, "epsilon", {**known, k: sp.Integer(n)})) for n in where))
        for label, fact, known in facts
    )
    values = ", ".join(f"{symbol} = {_short(value)}" for symbol, value in at.items())
    return Plot(f"{source}, {values}", "number of compositions k", "epsilon, upper bound (nats)", curves, logarithmic)


def noise_against_k(
    guarantee: Guarantee, *, at: Mapping[sp.Symbol, sp.Rational], over: tuple[int, int], by: Sequence[str]
) -> Plot:
    """The Gaussian noise variance that k queries need by each rule, and one query with a vector answer.

    Each query has L2 sensitivity 1, so the vector of all k answers has L2 sensitivity sqrt(k).

    Args:
        guarantee: what all of it together has to satisfy.
        at: values of everything but k and sigma.
        over: the first and the last k.
        by: the rules to be shown, each by the best route that uses it.

    Raises:
        DerivationError, NoPlot: saying what is missing.
    """
    gaussian = catalogue.mechanisms()["gaussian"]
    source, vector = gaussian(sigma, 1) ** k, gaussian(sigma, sp.sqrt(k))
    where = _integers(*over)
    middle = where[len(where) // 2]
    curves = []
    for what, start in (("k queries", source), ("one vector query", vector)):
        using = [f for f in routes(start, guarantee, at=at, solve_for=sigma) if set(f.rules) & set(by)]
        found = _at_middle(using, at, middle)
        for rule in by:
            fact = next((f for f in found if rule in f.rules), None)
            if fact is not None:
                points = ((n, _upper(fact, "sigma", {**at, k: sp.Integer(n)})) for n in where)
                squared = tuple((Fraction(n), None if y is None else _up(y * y)) for n, y in points)
                curves.append(Curve(f"{what}: {_label(fact)}", squared))
    values = ", ".join(f"{symbol} = {_short(value)}" for symbol, value in at.items())
    return Plot(
        f"noise for {guarantee}, {values}",
        "number of queries k, each of L2 sensitivity 1",
        "noise variance sigma² (squared units of the answer)",
        tuple(curves),
        logarithmic=True,
    )


def trade_off_curves(guarantees: Sequence[Guarantee]) -> Plot:
    """The trade-off functions that guarantees imply: mu-GDP for several mu, say, and (epsilon, delta)-DP.

    Raises:
        DerivationError, NoPlot: saying what is missing.
    """
    fdp = catalogue.definitions()["fdp"]
    curves = []
    for guarantee in guarantees:
        fact = routes(guarantee, fdp)[0]
        (function,) = fact.guarantee.args
        points = tuple((level, _lower(function.expr, {function.variables[0]: level})) for level in _levels())
        curves.append(Curve(_name_of(guarantee), points))
    return Plot(
        "trade-off functions: the higher, the more private",
        "type I error (probability of a false alarm)",
        "type II error, lower bound (probability)",
        tuple(curves),
    )


def save(plot: Plot, path: Path) -> None:
    """Draw the plot into a PNG, SVG or PDF file.

    Raises:
        NoPlot: without matplotlib, or for another kind of file.
        OSError: where the file cannot be written.
    """
    if path.suffix.lower() not in FORMATS:
        raise NoPlot(f"cannot draw {path.suffix or 'a file without ending'} (expected {', '.join(sorted(FORMATS))})")
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise NoPlot("plots need matplotlib: pip install 'dpsym[plot]'") from None
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "dpsym", "font.size": 10}):
        figure = Figure(figsize=(8, 5.5), layout="constrained")
        axes = figure.add_subplot()
        for number, (curve, (dashes, marker, colour)) in enumerate(zip(plot.curves, _cycled(), strict=False)):
            every = max(1, len(curve.points) // 10)
            axes.plot(
                [float(x) for x, _ in curve.points],
                [math.nan if y is None else y for _, y in curve.points],
                linestyle=dashes, marker=marker, color=colour, label=curve.label, linewidth=1.6, markersize=5,
                markevery=(number * every // max(1, len(plot.curves)), every),
            )  # fmt: skip
        axes.set_title(plot.title)
        axes.set_xlabel(plot.x)
        axes.set_ylabel(plot.y)
        if plot.logarithmic:
            axes.set_yscale("log")
        else:
            axes.set_ylim(bottom=0)
        axes.grid(visible=True, linewidth=0.4, alpha=0.6)
        figure.legend(loc="outside lower center", ncols=1, frameon=False)
        figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix.lower() == ".svg" else None)


def _cycled() -> Iterator[tuple[object, str, str]]:
    while True:
        yield from _STYLES


def _chosen(facts: Sequence[Fact], by: Sequence[str], most: int) -> list[Fact]:
    """The tightest facts, or for each rule the tightest fact that uses it."""
    if not by:
        return list(facts[:most])
    chosen: list[Fact] = []
    for rule in by:
        fact = next((f for f in facts if rule in f.rules), None)
        if fact is None:
            used = sorted({r for f in facts for r in f.rules})
            raise NoPlot(f"no route uses {rule!r} (the routes use {', '.join(used)})")
        if fact not in chosen:
            chosen.append(fact)
    return chosen


def _at_middle(facts: Iterable[Fact], at: Mapping[sp.Symbol, sp.Rational], middle: int) -> list[Fact]:
    """Tightest first at the middle of the range; what has no value there comes last."""
    point = {**at, k: sp.Integer(middle)}

    def size(fact: Fact) -> float:
        name = "sigma" if fact.rule == "calibration" else "epsilon"
        value = _upper(fact, name, point)
        return math.inf if value is None else value

    return sorted(facts, key=size)


def _upper(fact: Fact, name: str, point: Mapping[sp.Symbol, sp.Rational]) -> float | None:
    """A float not below the bound at a point where every open condition certainly holds; None elsewhere.

    What is discharged was decided without the value of k, so it holds at each.
    """
    chosen = {sp.Symbol(n): substitute(v, point) for f in fact.lineage() for n, v in f.choices}
    for condition in fact.all_conditions:
        if condition.status == "open" and not _holds(condition.proposition, {**chosen, **point}):
            return None
    try:
        if fact.rule == "calibration":
            value = enclose(substitute(dict(fact.choices)[name], point), digits=15)
        else:
            value = fact.evaluate(point, 15)[name]
    except (Undefined, Unresolved, NotEnclosed, NotNumeric):
        return None
    return _up(value.upper)


def _lower(expression: sp.Expr, point: Mapping[sp.Symbol, Fraction]) -> float | None:
    """A float not above the value at the point, and not below zero."""
    try:
        value = enclose(expression, point, digits=12).lower
    except (Undefined, Unresolved, NotEnclosed, NotNumeric):
        return None
    return max(0.0, math.nextafter(float(value), -math.inf))


def _up(value: Decimal | float) -> float:
    return math.nextafter(float(value), math.inf)


def _holds(proposition: object, point: Mapping[sp.Symbol, sp.Basic]) -> bool:
    if isinstance(proposition, IsInteger):
        return bool(substitute(proposition.expression, point).is_Integer)
    if not isinstance(proposition, Relation):
        return False
    try:
        return compare(proposition.subs(point)).holds is True
    except NotNumeric:
        return False


def _integers(first: int, last: int) -> list[int]:
    """At most eighty integers from the first to the last: half evenly spread, half denser at the start."""
    if not 1 <= first < last:
        raise NoPlot(f"{first}:{last} is not a range of positive integers")
    half = _POINTS // 2 - 1
    even = (first + i * (last - first) // half for i in range(half + 1))
    dense = (first + round((last - first) * (i / half) ** 3) for i in range(half + 1))
    return sorted({*even, *dense})


def _levels() -> list[Fraction]:
    """Levels in (0, 1), denser near the ends, where trade-off functions are steep."""
    inner = [Fraction(i, 100) for i in range(1, 100)]
    ends = [Fraction(i, 2000) for i in range(1, 20)]
    return sorted({*inner, *ends, *(1 - e for e in ends)})


def _label(fact: Fact) -> str:
    silent = {"optimise", "inversion", "equal split", "calibration", "choice", "monotonicity"}
    return " → ".join(rule for rule in fact.rules[1:] if rule not in silent) or fact.rules[0]


def _name_of(guarantee: Guarantee) -> str:
    names = (f"{p} = {_short(v)}" for p, v in guarantee.bound.items())
    return f"{guarantee.definition.id}: {', '.join(names)}"


def _short(value: sp.Basic) -> str:
    """A number as people write it: 1e-05 for 1/100000."""
    if isinstance(value, sp.Rational) and value.q != 1:
        short = f"{float(value):g}"
        return short if Fraction(short) == Fraction(int(value.p), int(value.q)) else plain(value)
    return plain(value)
