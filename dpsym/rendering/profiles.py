"""Curves of mechanisms: privacy profiles, Rényi divergences, and which route wins where (needs matplotlib)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial

import sympy as sp

from dpsym import catalogue
from dpsym.core.notation import alpha, epsilon
from dpsym.core.relations import substitute
from dpsym.deciding.timeout import Limit
from dpsym.deriving import Fact
from dpsym.numbers import NotEnclosed, NotNumeric, Undefined, Unresolved, enclose
from dpsym.rendering.drawing import Curve, NoPlot, Plot, Toward, Winners
from dpsym.rendering.plots import found_routes, label_of, upper
from dpsym.rendering.symbols import with_symbols
from dpsym.statements import Claim, Composed, Definition, Goal, Subsampled, Use

_POINTS = 60  # the curve looks smooth
_CLOSER = 24  # halvings of the distance to where delta is 0
_FAR = Fraction(4)
_FAIR = 0.2  # of the time left, for one point


def privacy_profiles(
    uses: Sequence[Use], *, shown: tuple[Fraction, Fraction] | None = None, limit: Limit | None = None
) -> Plot:
    """The delta of each mechanism against epsilon, from its closed form; to where it is 0, if that is in the range.

    Args:
        uses: mechanisms with numbers for all parameters.
        shown: the range of epsilon; without it to the largest at which a delta reaches 0, or 4 where one never does.
        limit: what is not known by then is left out, and the limit not `kept`.

    Raises:
        NoPlot: where a mechanism has no privacy profile in closed form, or the range is empty.
    """
    ends = [_pure(use) for use in uses]
    known = [e for e in ends if e is not None]
    least, most = shown or (Fraction(0), max(known if len(known) == len(ends) else [*known, _FAR]))
    if not least < most:
        raise NoPlot(f"a range of epsilon goes up, and {least} is not below {most}")
    notion = catalogue.definitions()["approx"]
    curves = tuple(
        _curve(use, notion, epsilon, _places(least, most, end), limit, "left")
        for use, end in zip(uses, ends, strict=True)
    )
    return Plot("privacy profiles", "ε", "δ, upper bound (probability)", curves, logarithmic=True)


def _places(least: Fraction, most: Fraction, end: Fraction | None) -> list[Fraction]:
    """Evenly, and where delta falls to 0 ever closer to that."""
    last = most if end is None or end > most else end
    last = max(last, least)
    even = [least + (last - least) * i / _POINTS for i in range(_POINTS + 1)]
    close = [last - (last - least) / (_POINTS * 2**j) for j in range(1, _CLOSER)] if last == end else []
    return sorted({*even, *close})


def _pure(use: Use) -> Fraction | None:
    """From where on delta is 0, as a rational not below it by more than a rounding; None where it never is."""
    for claim in use.mechanism.claims:
        if claim.guarantee.definition.id == "pure" and claim.tight:
            try:
                found = enclose(substitute(claim.guarantee.args[0], use.args), digits=15)
            except (Undefined, Unresolved, NotEnclosed, NotNumeric):
                return None
            return Fraction(found.lower)
    return None


def renyi_curves(
    uses: Sequence[Use], *, shown: tuple[Fraction, Fraction] | None = None, limit: Limit | None = None
) -> Plot:
    """The Rényi divergence of each mechanism against the order, from its closed form.

    Args:
        uses: mechanisms with numbers for all parameters.
        shown: the range of orders, of which 1 itself is none; without it to 20.
        limit: as for `privacy_profiles`.

    Raises:
        NoPlot: where a mechanism has no Rényi curve in closed form.
    """
    least, most = shown or (Fraction(1), Fraction(20))
    if not 1 <= least < most:
        raise NoPlot(f"orders are above 1 and go up, not from {least} to {most}")
    where = [least + (most - least) * i / _POINTS for i in range(_POINTS + 1) if i or least > 1]
    curves = tuple(_curve(use, catalogue.definitions()["rdp"], alpha, where, limit, "right") for use in uses)
    return Plot("Rényi curves", "order α", "ε, upper bound", curves)


def _curve(
    use: Use, notion: Definition, symbol: sp.Symbol, where: Sequence[Fraction], limit: Limit | None, toward: Toward
) -> Curve:
    """Of a claim that is a curve in the symbol, every value rounded up; the mechanism's own name for it is another."""
    claim = _claim(use, notion)
    formula = claim.guarantee.args[-1]
    index = claim.guarantee.args[0]
    if not isinstance(index, sp.Symbol):
        raise NoPlot(f"{use.mechanism.id} has no curve in {symbol}")
    place = sp.Dummy(symbol.name)
    at_place = substitute(substitute(formula, {index: place}), use.args)
    limit = limit or Limit(None)
    points = tuple((x, limit.run(partial(_up, at_place, {place: sp.Rational(x)}), None, _FAIR)) for x in where)
    return Curve(with_symbols(str(use)), points, toward=toward)


def _claim(use: Use, notion: Definition) -> Claim:
    for claim in use.mechanism.claims:
        if claim.guarantee.definition is notion:
            return claim
    raise NoPlot(f"{use.mechanism.id} has no closed form in {notion.id}")


def _up(expression: sp.Expr, point: Mapping[sp.Symbol, sp.Rational]) -> float | None:
    try:
        value = float(enclose(expression, point, digits=12).upper)
    except (Undefined, Unresolved, NotEnclosed, NotNumeric):
        return None
    return math.nextafter(value, math.inf) if 0 < value < math.inf else None


def winners(
    source: Use | Subsampled | Composed,
    goal: Goal,
    *,
    x: tuple[sp.Symbol, Sequence[Fraction]],
    y: tuple[sp.Symbol, Sequence[Fraction]],
    at: Mapping[sp.Symbol, sp.Rational],
    leave_out: Sequence[str] = (),
    budget: str = "epsilon",
    limit: Limit | None = None,
) -> Winners:
    """Which route gives the least bound, over two parameters.

    Args:
        source, goal: what to derive, as for `dpsym.deriving.routes`.
        x, y: a symbol and its values, for the two axes.
        at: values of all other symbols.
        leave_out: rules whose routes do not take part (the exact one always wins).
        budget: the parameter that is compared.
        limit: as for `privacy_profiles`; of the time half is for deriving.

    Raises:
        NoPlot: where no route has a value anywhere.
    """
    limit = limit or Limit(None)
    facts = [f for f in found_routes(source, goal, limit) if not set(f.rules) & set(leave_out)]
    cells: list[tuple[int | None, ...]] = []
    for v in y[1]:
        row = []
        for u in x[1]:
            point = {**at, x[0]: sp.Rational(u), y[0]: sp.Rational(v)}
            row.append(_least(facts, budget, point, limit))
        cells.append(tuple(row))
    if all(cell is None for cell_row in cells for cell in cell_row):
        raise NoPlot("no route has a value anywhere in the range")
    labels = tuple(map(label_of, facts))
    across, upwards = ((with_symbols(str(symbol)), tuple(values)) for symbol, values in (x, y))
    return Winners(with_symbols(f"the least {budget}: {source}"), across, upwards, labels, tuple(cells))


def _least(facts: Sequence[Fact], budget: str, point: Mapping[sp.Symbol, sp.Rational], limit: Limit) -> int | None:
    values = [(value, n) for n, f in enumerate(facts) if (value := upper(f, budget, point, limit)) is not None]
    return min(values)[1] if values else None
