"""Plots of certified values: every point is a bound, rounded to the safe side (needs matplotlib).

What is not known in the time left is left out, and that is remembered (`dpsym.core.deadline.cut`).  Each raises
`NoPlot`, or the `DerivationError` of its question, saying what is missing.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial

import sympy as sp

from dpsym import catalogue
from dpsym.core.deadline import cut, note, portion, timed
from dpsym.core.notation import Delta, alpha, epsilon, k, sigma
from dpsym.core.relations import Relation, substitute
from dpsym.core.spelling import spelled
from dpsym.core.verdicts import Enclosure
from dpsym.deciding import Domain, EmptyDomain
from dpsym.deciding.timeout import attempted
from dpsym.deriving import DerivationError, Fact, NotInTime, Routes, Target, routes
from dpsym.deriving.fact import Status, Step
from dpsym.deriving.searching import Source
from dpsym.deriving.trends import declared, places
from dpsym.numbers import NO_NUMBER, enclose, holds_at
from dpsym.rendering.drawing import Curve, NoPlot, Plot, Toward, Winners
from dpsym.rendering.symbols import values, with_symbols
from dpsym.statements import Composed, Goal, Guarantee, Mechanism, Norm, Subsampled, Use
from dpsym.statements.adjacency import Sampling

__all__ = ["Curve", "NoPlot", "Plot", "epsilon_against_k", "noise_against_k", "privacy_profiles", "renyi_curves",
           "trade_off_curves", "winners"]  # fmt: skip

_POINTS, _OF_A_CURVE = 80, 60  # the curve looks smooth
_CLOSER = 24  # halvings of the distance to where delta is 0
_FAR = Fraction(4)  # epsilon, where delta never reaches 0
_FAIR = 0.2  # of the time left, for one point
_RANKING = 0.3  # of the time left, for which routes are the tightest ones
Point = Mapping[sp.Symbol, sp.Rational]


def epsilon_against_k(
    source: Use | Subsampled | Composed, goal: Goal, *, at: Point, over: tuple[int, int], by: Sequence[str] = (),
    orders: Sequence[sp.Rational] = (), most: int = 6, logarithmic: bool = False,
) -> Plot:  # fmt: skip
    """The epsilon that each route gives, against the number of compositions k.

    Args:
        source: a composition with k in it.
        goal: what to derive, delta being given in it or in `at`.
        at: values of everything but k.
        over: the first and the last k.
        by: rules of which each is to be shown by the best route that uses it; empty for the tightest routes.
        orders: Rényi orders to be shown each by a line of its own.
        most: how many lines are drawn when `by` is empty.
        logarithmic: the vertical axis.
    """
    if k not in source.free_symbols:
        raise NoPlot(f"{source} has no k in it; write MECHANISM ** k")
    _all_given(source.free_symbols.union(*(value.free_symbols for value in goal.fixed.values())), {*at, k})
    where = _integers(*over)
    middle = where[len(where) // 2]
    facts: list[tuple[str, Fact, Mapping[sp.Symbol, sp.Rational]]] = [
        (label_of(fact), fact, at)
        for fact in _chosen(_at_middle(found_routes(source, goal, at=at), at, middle), by, most)
    ]
    for order in orders:
        known = {**at, alpha: order}
        found = _at_middle(found_routes(source, goal, at=known), known, middle)
        fixed = [f for f in found if "rdp_to_approx" in f.rules]
        if not fixed:
            raise NoPlot(f"no route at the order {order}")
        facts.append((f"{label_of(fixed[0])} at α = {order}", fixed[0], known))
    toward = less_private(source, k, goal.fixed.values())
    curves, left_out = list[Curve](), list[tuple[str, str]]()
    for number, (label, fact, given) in enumerate(facts):
        with timed(portion(1 / (len(facts) - number))):  # a slow one takes nothing from the others
            points = tuple((Fraction(n), upper(fact, "epsilon", {**given, k: sp.Integer(n)})) for n in where)
        if any(y is not None for _, y in points):
            curves.append(Curve(label, points, toward=toward, rules=fact.rules))
        else:
            left_out.append((label, "no value was found in time" if cut() else "it has no value in the range"))
    if not curves:
        more = f"choose routes with {spelled('by')}, or give more time with {spelled('time_limit')}"
        raise NoPlot(f"nothing to draw ({_reasons(left_out)}); {more}")
    title = with_symbols(f"{source}, {values(at)}")
    return Plot(
        title, "number of compositions k", "ε, upper bound", tuple(curves), logarithmic, left_out=tuple(left_out)
    )


def noise_against_k(
    mechanism: Mechanism, guarantee: Guarantee, *, at: Point, over: tuple[int, int], by: Sequence[str],
) -> Plot:  # fmt: skip
    """The noise variance that k queries need by each rule, and one query with a vector answer.

    Each query has L2 sensitivity 1, so the vector of all k answers has L2 sensitivity sqrt(k).

    Args:
        mechanism: noise of standard deviation sigma for an L2 sensitivity Delta.
        guarantee: what all of it together has to satisfy.
        at: values of everything but k and sigma.
        over: the first and the last k.
        by: the rules to be shown, each by the best route that uses it.
    """
    if mechanism.norm is not Norm.L2 or set(mechanism.params) != {sigma, Delta}:
        raise NoPlot(f"{mechanism} is no noise of standard deviation sigma for an L2 sensitivity Delta")
    _all_given(guarantee.free_symbols, at)
    source, vector = mechanism(sigma=sigma, Delta=1) ** k, mechanism(sigma=sigma, Delta=sp.sqrt(k))
    where = _integers(*over)
    middle = where[len(where) // 2]
    curves, left_out = list[Curve](), list[tuple[str, str]]()
    for what, start in (("k queries", source), ("one vector query", vector)):
        try:
            derived = found_routes(start, guarantee, at=at, solve_for=sigma, by=by)
        except DerivationError as error:
            note(finished=not isinstance(error, NotInTime))
            left_out.append((what, str(error)))
            continue
        found = _at_middle(derived, at, middle)
        for rule in by:
            fact = next((f for f in found if rule in f.rules), None)
            if fact is not None:
                points = ((n, upper(fact, "sigma", {**at, k: sp.Integer(n)})) for n in where)
                squared = tuple((Fraction(n), None if y is None else _up(y * y)) for n, y in points)
                curves.append(Curve(f"{what}: {label_of(fact)}", squared, toward="right", rules=fact.rules))
    if not curves:
        raise NoPlot(f"nothing to draw ({_reasons(left_out)})")
    return Plot(
        with_symbols(f"noise for {guarantee}, {values(at)}"),
        "number of queries k, each of L2 sensitivity 1",
        "noise variance σ² (squared units of the answer)",
        tuple(curves),
        logarithmic=True,
        left_out=tuple(left_out),
    )


def trade_off_curves(sources: Sequence[Guarantee | Use]) -> Plot:
    """The trade-off functions of mechanisms, and those that guarantees imply: mu-GDP, say, and (epsilon, delta)-DP."""
    fdp = catalogue.definitions()["fdp"]
    curves = []
    for source in sources:
        (function,) = found_routes(source, fdp)[0].guarantee.args
        (variable,) = function.variables
        where = [(x, {variable: x}) for x in _levels()]  # it falls, and this is a lower bound
        curves.append(Curve(_name_of(source), _points(function.expr, where, up=False), toward="right"))
    return Plot(
        "trade-off functions: the higher, the more private",
        "type I error (probability of a false alarm)",
        "type II error, lower bound (probability)",
        tuple(curves),
        filled=True,
    )


def privacy_profiles(uses: Sequence[Use], *, shown: tuple[Fraction, Fraction] | None = None) -> Plot:
    """The delta of each mechanism against epsilon, from its closed form; to where it is 0, if that is in the range.

    Args:
        uses: mechanisms with numbers for all parameters.
        shown: the range of epsilon; without it to the largest at which a delta reaches 0, or 4 where one never does.
    """
    ends = [_pure(use) for use in uses]
    known = [e for e in ends if e is not None]
    least, most = shown or (Fraction(0), max(known if len(known) == len(ends) else [*known, _FAR]))
    if not least < most:
        raise NoPlot(f"a range of epsilon goes up, and {least} is not below {most}")
    curves = tuple(
        _curve(use, "approx", epsilon, _places(least, most, end), "left") for use, end in zip(uses, ends, strict=True)
    )
    return Plot("privacy profiles", "ε", "δ, upper bound (probability)", curves, logarithmic=True)


def _places(least: Fraction, most: Fraction, end: Fraction | None) -> list[Fraction]:
    """Evenly, and where delta falls to 0 ever closer to that."""
    last = most if end is None or end > most else end
    last = max(last, least)
    even = [least + (last - least) * i / _OF_A_CURVE for i in range(_OF_A_CURVE + 1)]
    close = [last - (last - least) / (_OF_A_CURVE * 2**j) for j in range(1, _CLOSER)] if last == end else []
    return sorted({*even, *close})


def _pure(use: Use) -> Fraction | None:
    """From where on delta is 0, as a rational not below it by more than a rounding; None where it never is."""
    for claim in use.mechanism.claims:
        if claim.guarantee.definition.id == "pure" and claim.tight:
            found = _enclosed(substitute(claim.guarantee.args[0], use.args), {})
            return None if found is None else Fraction(found.lower)
    return None


def renyi_curves(uses: Sequence[Use], *, shown: tuple[Fraction, Fraction] | None = None) -> Plot:
    """The Rényi divergence of each mechanism against the order, from its closed form.

    Args:
        uses: mechanisms with numbers for all parameters.
        shown: the range of orders, of which 1 itself is none; without it to 20.
    """
    least, most = shown or (Fraction(1), Fraction(20))
    if not 1 <= least < most:
        raise NoPlot(f"orders are above 1 and go up, not from {least} to {most}")
    where = [least + (most - least) * i / _OF_A_CURVE for i in range(_OF_A_CURVE + 1) if i or least > 1]
    curves = tuple(_curve(use, "rdp", alpha, where, "right") for use in uses)
    return Plot("Rényi curves", "order α", "ε, upper bound", curves)


def _curve(use: Use, notion: str, symbol: sp.Symbol, where: Sequence[Fraction], toward: Toward) -> Curve:
    """Of a claim that is a curve in the symbol, every value rounded up; the mechanism's own name for it is another."""
    claim = next((one for one in use.mechanism.claims if one.guarantee.definition.id == notion), None)
    if claim is None:
        raise NoPlot(f"{use.mechanism.id} has no closed form in {notion}")
    index, formula = claim.guarantee.args[0], claim.guarantee.args[-1]
    if not isinstance(index, sp.Symbol):
        raise NoPlot(f"{use.mechanism.id} has no curve in {symbol}")
    place = sp.Dummy(symbol.name)
    at_place = substitute(substitute(formula, {index: place}), use.args)
    points = [(x, {place: sp.Rational(x)}) for x in where]
    return Curve(with_symbols(str(use)), _points(at_place, points, up=True), toward=toward)


def winners(
    source: Use | Subsampled | Composed, goal: Goal, *, x: tuple[sp.Symbol, Sequence[Fraction]],
    y: tuple[sp.Symbol, Sequence[Fraction]], at: Point, leave_out: Sequence[str] = (), budget: str = "epsilon",
) -> Winners:  # fmt: skip
    """Which route gives the least bound, over two parameters.

    Args:
        source, goal: what to derive, as for `dpsym.deriving.routes`.
        x, y: a symbol and its values, for the two axes.
        at: values of all other symbols.
        leave_out: rules whose routes do not take part (the exact one always wins).
        budget: the parameter that is compared.
    """
    facts = [f for f in found_routes(source, goal) if not set(f.rules) & set(leave_out)]

    def least(point: Point) -> int | None:
        values = [(value, n) for n, f in enumerate(facts) if (value := upper(f, budget, point)) is not None]
        return min(values)[1] if values else None

    cells = tuple(tuple(least({**at, x[0]: sp.Rational(u), y[0]: sp.Rational(v)}) for u in x[1]) for v in y[1])
    if all(cell is None for row in cells for cell in row):
        raise NoPlot("no route has a value anywhere in the range")
    across, upwards = ((with_symbols(str(symbol)), tuple(values)) for symbol, values in (x, y))
    title = with_symbols(f"the least {budget}: {source}")
    return Winners(title, across, upwards, tuple(map(label_of, facts)), cells)


def less_private(
    source: Use | Subsampled | Composed,
    across: sp.Symbol,
    asked: Iterable[sp.Basic] = (),
    sampling: Sampling = "poisson",
) -> Toward | None:
    """On which side of a place along the axis privacy is certainly not better, where that is known."""
    if any(across in value.free_symbols for value in asked):
        return None
    try:
        trend = declared(places(source, across, sampling), across, Domain(source.domain))
    except EmptyDomain:
        return None
    return None if trend is None else "right" if trend.better == "less" else "left"


def found_routes(source: Source, goal: Target, **options: object) -> Routes:
    """The routes that are found in half of the time left."""
    return routes(source, goal, time_limit=portion(0.5), **options)  # type: ignore[arg-type]


def _all_given(symbols: Iterable[sp.Basic], values: Container[sp.Basic]) -> None:
    missing = sorted(str(symbol) for symbol in symbols if symbol not in values)
    if missing:
        raise NoPlot(f"{' and '.join(missing)} without a value (expected at {missing[0]}=VALUE)")


def _reasons(left_out: Iterable[tuple[str, str]]) -> str:
    return "; ".join(f"{label}: {why}" for label, why in left_out)


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


def _at_middle(facts: Iterable[Fact], at: Point, middle: int) -> list[Fact]:
    """Tightest first at the middle of the range; what has no value there comes last."""
    point = {**at, k: sp.Integer(middle)}

    def size(fact: Fact) -> float:
        name = "sigma" if fact.rule == Step.CALIBRATION else "epsilon"
        value = upper(fact, name, point)
        return math.inf if value is None else value

    with timed(portion(_RANKING)):
        return sorted(facts, key=size)


def upper(fact: Fact, name: str, point: Point) -> float | None:
    """A float not below the bound at a point where every open condition certainly holds; None elsewhere.

    What is discharged was decided without the value of k, so it holds at each.
    """
    return attempted(partial(_upper, fact, name, point), None, _FAIR)


def _upper(fact: Fact, name: str, point: Point) -> float | None:
    chosen = {sp.Symbol(n): substitute(v, point) for f in fact.lineage() for n, v in f.choices}
    asked = [c.proposition for c in fact.all_conditions if c.status == Status.OPEN]
    own = Relation(fact.guarantee.bound.get(sp.Symbol(name), sp.nan), ">=", sp.S.Zero)  # is found anyway
    if not all(holds_at(one, {**chosen, **point}) is True for one in asked if one != own):
        return None
    try:
        if fact.rule == Step.CALIBRATION:
            value = enclose(substitute(dict(fact.choices)[name], point), digits=15)
        else:
            value = fact.evaluate(point, 15)[name]
    except NO_NUMBER:
        return None
    return _up(value.upper) if value.upper.is_finite() and (own not in asked or value.lower >= 0) else None


def _points(
    expression: sp.Expr, where: Iterable[tuple[Fraction, Mapping[sp.Symbol, object]]], *, up: bool
) -> tuple[tuple[Fraction, float | None], ...]:
    """The values at places: floats not below them and above zero, or not above them and not below zero."""
    return tuple((x, attempted(partial(_bound, expression, point, up), None, _FAIR)) for x, point in where)


def _bound(expression: sp.Expr, point: Mapping[sp.Symbol, object], up: bool) -> float | None:
    value = _enclosed(expression, point, 12)
    if value is None:
        return None
    if not up:
        return max(0.0, math.nextafter(float(value.lower), -math.inf))
    return _up(value.upper) if 0 < float(value.upper) < math.inf else None


def _enclosed(expression: sp.Expr, point: Mapping[sp.Symbol, object], digits: int = 15) -> Enclosure | None:
    try:
        return enclose(expression, point, digits=digits)
    except NO_NUMBER:
        return None


def _up(value: Decimal | float) -> float:
    return math.nextafter(float(value), math.inf)


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
    inner = [Fraction(i, 200) for i in range(1, 200)]
    ends = [Fraction(i, 2000) for i in range(1, 20)]
    return sorted({*inner, *ends, *(1 - e for e in ends)})


def label_of(fact: Fact) -> str:
    """The theorems that tell a route from the others, by their titles; of a claim alone the rule."""
    theorems = catalogue.theorems()
    silent = {Step.OPTIMISE, Step.INVERSION, Step.EQUAL_SPLIT, Step.CALIBRATION, Step.CHOICE, Step.MONOTONICITY}
    said = (theorems[rule].title if rule in theorems else rule for rule in fact.rules[1:] if rule not in silent)
    return " → ".join(said) or fact.rules[0]


def _name_of(source: Guarantee | Use) -> str:
    if isinstance(source, Use):
        return with_symbols(str(source))
    return with_symbols(f"{source.definition.id}: {values(source.bound)}")
