"""Parameters of mechanisms and of guarantees, drawn from the domains that the catalogue's entries declare."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import sympy as sp
from hypothesis import assume as keep
from hypothesis import reject
from hypothesis import strategies as st

from dpsym import catalogue
from dpsym.core.relations import IsInteger, Proposition, Relation, propositions
from dpsym.deciding import Domain, EmptyDomain
from dpsym.deciding.domain import Bounds
from dpsym.numbers import NotNumeric, compare
from dpsym.statements import Mechanism
from dpsym.testing.numbers import TEN, above, between, powers

Point = Mapping[sp.Symbol, sp.Rational]
_LARGEST_INTEGER = 1000  # beyond the least one, where nothing bounds it
_SIMPLE = tuple(map(Fraction, ("1", "1/4", "2", "3", "1/1000000", "10")))


def mechanism_of(named: str | Mechanism) -> Mechanism:
    """The catalogue's entry of that name, or the entry itself.

    Raises:
        UnknownEntry: for a name that is none.
        TypeError: for what is neither.
    """
    known = catalogue.mechanisms()
    if not isinstance(named, str | Mechanism):
        raise TypeError(f"{named!r} is no mechanism; name one of the catalogue's: {', '.join(known)}")
    return named if isinstance(named, Mechanism) else catalogue.look_up(named, known, "mechanism")


def names(chosen: str | Iterable[str] | None, known: Iterable[str]) -> tuple[str, ...]:
    """Those chosen, which may be a single one; all that are known where nothing is said."""
    if chosen is None:
        return tuple(known)
    return (chosen,) if isinstance(chosen, str) else tuple(chosen)


def parameters(mechanism: str | Mechanism, **fixed: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Fraction]]:
    """Exact values of a mechanism's parameters inside its domain, by name.

    Spread over magnitudes, with values close to the domain's ends and far out; a strategy in `fixed` replaces that
    of the parameter of this name.

    Raises:
        UnknownEntry: for a mechanism that the catalogue does not have.
        ValueError: for a name in `fixed` that is no parameter of it.
        TypeError: for a value where a strategy is expected.
    """
    entry = mechanism_of(mechanism)
    names = {str(p): p for p in entry.params}
    for name, strategy in fixed.items():
        if name not in names:
            raise ValueError(f"{entry} has no parameter {name!r}")
        if not isinstance(strategy, st.SearchStrategy):
            raise TypeError(f"{name} = {strategy!r} is no strategy; write st.just({strategy!r})")
    given = {names[name]: strategy for name, strategy in fixed.items()}
    return points(entry.params, entry.domain, given).map(lambda at: {s.name: as_fraction(v) for s, v in at.items()})


def simple(entry: Mechanism, **wanted: Fraction) -> dict[str, float]:
    """Short values of the parameters, inside the domain; those that are `wanted` where the others can follow them.

    Raises:
        ValueError: where no short values are inside.
    """

    def inside(at: dict[sp.Symbol, sp.Rational], left: list[sp.Symbol]) -> dict[sp.Symbol, sp.Rational] | None:
        if not left:
            return at
        symbol, *rest = left
        default = entry.params[symbol]
        first = (wanted.get(str(symbol)), None if default is None else Fraction(str(default)))
        tries = ({**at, symbol: rational(choice)} for choice in (*first, *_SIMPLE) if choice is not None)
        found = (inside(one, rest) for one in tries if satisfied(entry.domain, one))
        return next((one for one in found if one is not None), None)

    if (found := inside({}, list(entry.params))) is None:
        raise ValueError(f"{entry.id}: no short values of its parameters are inside its domain")
    return {str(symbol): float(value) for symbol, value in found.items()}


def points(
    symbols: Iterable[sp.Symbol], conditions: Iterable[object], given: Mapping[sp.Symbol, st.SearchStrategy[Any]] = {}
) -> st.SearchStrategy[dict[sp.Symbol, sp.Rational]]:
    """Exact points that satisfy the conditions.

    Raises:
        EmptyDomain: where it is certain that there are none.
    """
    conditions = propositions(conditions)
    domain = Domain(conditions)
    ordered = tuple(symbols)
    # what has bounds of its own first: they bound the others, where conditions relate several symbols
    bounded = sorted(ordered, key=lambda s: domain.bounds.get(s, Bounds()) == Bounds())
    related = set().union(*(c.free_symbols for c in domain.coupled))
    strategies = {s: given.get(s, _values(s, domain)) for s in ordered}

    @st.composite
    def drawn(draw: Any) -> dict[sp.Symbol, sp.Rational]:
        at: dict[sp.Symbol, sp.Rational] = {}
        for symbol in bounded:
            strategy = strategies[symbol]
            if at and symbol in related and symbol not in given:
                strategy = _values(symbol, _rest(conditions, at))
            at[symbol] = rational(draw(strategy))
        keep(satisfied(conditions, at))
        return {s: at[s] for s in ordered}

    return drawn()


def _rest(conditions: tuple[Proposition, ...], at: Point) -> Domain:
    """The conditions left for the other symbols; nothing is left out that can be a bound."""
    left = [c.subs(at) for c in conditions if not c.free_symbols <= set(at)]
    try:
        return Domain(tuple(left))
    except EmptyDomain:
        reject()


def satisfied(conditions: Iterable[Proposition], at: Point) -> bool:
    """Whether every condition certainly holds at the point; symbols outside of it are left out."""
    for condition in conditions:
        if not condition.free_symbols <= set(at):
            continue
        if isinstance(condition, Relation):
            try:
                if compare(condition, at).holds is not True:
                    return False
            except NotNumeric:
                return False
        elif not condition.subs(at).expression.is_Integer:  # type: ignore[union-attr]
            return False
    return True


def _values(symbol: sp.Symbol, domain: Domain) -> st.SearchStrategy[Any]:
    bounds = domain.bounds.get(symbol, Bounds())
    if symbol in domain.integers:
        return _integers(bounds)
    if (step := _step(symbol, domain)) is not None:
        low, high = (None if end is None else end / step for end in (bounds.lower, bounds.upper))
        return _integers(Bounds(low, high, bounds.lower_open, bounds.upper_open)).map(lambda n: n * as_fraction(step))
    low = None if bounds.lower is None else as_fraction(bounds.lower)
    high = None if bounds.upper is None else as_fraction(bounds.upper)
    if low is not None and high is not None:
        smallest = -300 if symbol.name.startswith("delta") else -12
        return between(
            low, high, nearest=smallest, closed_below=not bounds.lower_open, closed_above=not bounds.upper_open
        )
    if low is not None:
        nearest = -12 if symbol.name.startswith("epsilon") else -3
        return above(low, nearest=nearest, closed=not bounds.lower_open)
    if high is not None:
        return above(-high, closed=not bounds.upper_open).map(lambda x: -x)
    signed = st.builds(lambda x, s: x * s, powers(-3, 6), st.sampled_from((1, -1)))
    return st.one_of(st.just(Fraction(0)), signed)


def _step(symbol: sp.Symbol, domain: Domain) -> sp.Rational | None:
    """The number of which it is a whole multiple, where one condition says so."""
    whole = (c.expression / symbol for c in domain.coupled if isinstance(c, IsInteger))
    return next((1 / factor for factor in whole if isinstance(factor, sp.Rational) and factor > 0), None)


def _integers(bounds: Bounds) -> st.SearchStrategy[int]:
    low = None if bounds.lower is None else int(sp.floor(bounds.lower)) + (bounds.lower_open or 0)
    if low is not None and bounds.lower is not None and not bounds.lower_open:
        low = int(sp.ceiling(bounds.lower))
    high = (
        None
        if bounds.upper is None
        else int(sp.floor(bounds.upper)) - (1 if bounds.upper_open and bounds.upper.is_Integer else 0)
    )
    least = low if low is not None else (high - _LARGEST_INTEGER if high is not None else -_LARGEST_INTEGER)
    most = high if high is not None else least + _LARGEST_INTEGER
    few = st.integers(least, min(most, least + 5))
    return st.one_of(few, st.integers(least, most))


def rational(value: Any) -> sp.Rational:
    """An exact number as SymPy's.

    Raises:
        TypeError: for a float, which is no exact number.
    """
    if isinstance(value, float):
        raise TypeError(f"{value} is a float; write an exact number, e.g. Fraction('{value}')")
    number = Fraction(value) if not isinstance(value, sp.Rational) else as_fraction(value)
    return sp.Rational(number.numerator, number.denominator)


def as_fraction(value: Any) -> Fraction:
    """An exact number as Python's."""
    return Fraction(int(value.p), int(value.q)) if isinstance(value, sp.Rational) else Fraction(value)


def short(value: Fraction) -> str:
    """A readable spelling: 3/10**300 and its like are written as powers of ten."""
    if value == 0 or (abs(value.numerator) < 10**6 and value.denominator < 10**6):
        return str(value)
    for exponent in range(1, 330):
        scaled = value * TEN**exponent
        if scaled.denominator == 1 and abs(scaled.numerator) < 10**17:
            return f"{scaled.numerator}e-{exponent}"
    return f"{value.numerator}/{value.denominator}"
