"""How a refuted relation would become true: tried in order of how common the slip is, shown only when decided."""

from __future__ import annotations

import time
from collections.abc import Iterator
from fractions import Fraction

import sympy as sp

from dpsym.checking.results import is_certain
from dpsym.deciding import Domain, EmptyDomain, decide
from dpsym.enclosing import NotEnclosed, NotNumeric, compare, enclose
from dpsym.relations import Operator, Proposition, Relation, substitute
from dpsym.spelling import plain
from dpsym.verdicts import Decision

_REVERSED: dict[Operator, Operator] = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_WEAKER: dict[Operator, Operator] = {"<": "<=", ">": ">="}
_EACH = 0.4  # seconds for one candidate
_FOR_THE_REVERSED = 1.5
_FACTORS = (sp.Integer(1), sp.pi, 1 / sp.pi, sp.sqrt(2), sp.sqrt(sp.pi), sp.sqrt(2 * sp.pi), sp.log(2), 1 / sp.log(2))
_PLACES = 12
_NEAR = Fraction(1, 10**8)

Point = dict[sp.Symbol, sp.Rational]


def suggestion(
    claim: Relation,
    assume: tuple[Proposition, ...],
    obligations: tuple[Relation, ...],
    refutation: Decision,
    deadline: float,
) -> str | None:
    """What would make the claim true, decided proved or certified; None where nothing was found in the time."""
    domain = Domain(assume)
    points = list(domain.points(claim.free_symbols, most=8))
    if refutation.witness is not None and refutation.witness.obligation is not None:
        return _made_defined(claim, assume, obligations, deadline)
    if claim.op in _REVERSED:
        opposite = Relation(claim.lhs, _REVERSED[claim.op], claim.rhs)
        if _plausible(opposite, points, most=len(points)):  # then nothing else is the reason
            found = _holds(opposite, assume, obligations, deadline, each=_FOR_THE_REVERSED)
            return f"the reversed relation holds: {opposite}" if found else None
    for words, candidate in _candidates(claim, _Values(points, deadline)):
        if time.monotonic() > deadline:
            return None
        if candidate == claim or not _plausible(candidate, points):
            continue
        if _holds(candidate, assume, obligations, deadline):
            return f"{words}: {candidate}"
    for weaker in (Relation(claim.lhs, "<=", claim.rhs), Relation(claim.lhs, ">=", claim.rhs)):
        if claim.op == "=" and _plausible(weaker, points, most=len(points)):
            found = _holds(weaker, assume, obligations, deadline, each=_FOR_THE_REVERSED)
            return f"only an inequality holds: {weaker}" if found else None
    return _condition(claim, assume, obligations, domain, deadline)


def _holds(
    claim: Relation,
    assume: tuple[Proposition, ...],
    obligations: tuple[Relation, ...],
    deadline: float,
    *,
    each: float = _EACH,
) -> bool:
    left = deadline - time.monotonic()
    if left <= 0:
        return False
    try:
        return is_certain(decide(claim, assume, obligations=obligations, time_limit=min(each, left)))
    except EmptyDomain:
        return False


def _plausible(claim: Relation, points: list[Point], *, most: int = 4) -> bool:
    """Not refuted at a handful of points: most candidates are, in no time."""
    try:
        return all(compare(claim, point).holds is not False for point in points[:most])
    except NotNumeric:
        return False


def _candidates(claim: Relation, values: _Values) -> Iterator[tuple[str, Relation]]:
    lhs, op, rhs = claim.lhs, claim.op, claim.rhs
    if op in _WEAKER:
        yield "it holds with equality allowed", Relation(lhs, _WEAKER[op], rhs)
    for words, candidate in _factors(claim, values):
        yield words, Relation(lhs, op, candidate)
    for candidate in _terms(claim):
        yield "a term is missing", Relation(lhs, op, candidate)
    for symbol in _symbols(rhs):
        for shift in (-1, 1):
            if op != "=" and not any(e.has(symbol + shift) for e in (lhs, rhs)):
                continue  # any loosening of a bound makes it true
            moved = substitute(rhs, {symbol: symbol + shift})
            yield f"{symbol + shift} in place of {symbol}", Relation(lhs, op, moved)
    for words, candidate in _powers(rhs):
        yield words, Relation(lhs, op, candidate)
    for words, candidate in _bases(rhs):
        yield words, Relation(lhs, op, candidate)


def _symbols(e: sp.Expr) -> list[sp.Symbol]:
    return sorted(e.free_symbols, key=lambda s: s.name)


class _Values:
    """Values of expressions at a few points, each computed once; a guide for guesses that are decided afterwards."""

    def __init__(self, points: list[Point], deadline: float) -> None:
        self._points, self._deadline = points[:3], deadline
        self._known: dict[sp.Expr, list[Fraction | None]] = {}

    def at_points(self, e: sp.Expr) -> list[Fraction | None]:
        """None where there is no value, or no time."""
        if e not in self._known:
            self._known[e] = [self._value(e, point) for point in self._points]
        return self._known[e]

    def _value(self, e: sp.Expr, point: Point) -> Fraction | None:
        if time.monotonic() > self._deadline:
            return None
        try:
            return Fraction(enclose(e, point, digits=_PLACES).upper)
        except (NotEnclosed, NotNumeric):
            return None

    def constant(self, above: list[Fraction | None], below: list[Fraction | None]) -> sp.Expr | None:
        """The simple constant that the quotient is at every point."""
        ratios = [x / y for x, y in zip(above, below, strict=True) if x and y]
        if len(ratios) < min(2, len(self._points)) or not ratios:
            return None
        first = ratios[0]
        if any(abs(r / first - 1) > _NEAR for r in ratios):
            return None
        for factor in _FACTORS:
            known = self._value(factor, {})
            if known is None:
                continue
            guess = (first / known).limit_denominator(64)
            if guess and abs(guess) <= 64 and abs(guess * known / first - 1) < _NEAR:
                return sp.Rational(guess.numerator, guess.denominator) * factor
        return None


def _factors(claim: Relation, values: _Values) -> Iterator[tuple[str, sp.Expr]]:
    lhs, op, rhs = claim.lhs, claim.op, claim.rhs
    left, right = values.at_points(lhs), values.at_points(rhs)
    terms = sp.Add.make_args(rhs)
    if (whole := values.constant(left, right)) is not None:
        yield f"the right side lacks the factor {plain(whole)}", whole * rhs
    if op == "=":
        for term in terms if len(terms) > 1 else ():
            part = values.at_points(term)
            others = [
                None if None in (x, y, z) else x - (y - z)  # type: ignore[operator]
                for x, y, z in zip(left, right, part, strict=True)
            ]
            if (constant := values.constant(others, part)) is not None:
                yield f"{plain(term)} lacks the factor {plain(constant)}", rhs - term + constant * term
        return
    larger = op in ("<", "<=")
    for factor in (2, 4) if larger else (sp.Rational(1, 2), sp.Rational(1, 4)):
        for term in terms if len(terms) > 1 else ():
            yield f"{plain(term)} lacks the factor {factor}", rhs - term + factor * term
        yield f"the right side lacks the factor {factor}", factor * rhs


def _terms(claim: Relation) -> Iterator[sp.Expr]:
    lhs, rhs = claim.lhs, claim.rhs
    have = set(sp.Add.make_args(rhs))
    wanted = [t for t in (*sp.Add.make_args(lhs), *sp.Add.make_args(sp.expand(lhs))) if t not in have]
    if claim.op == "=":
        wanted += [*_symbols(lhs), sp.Integer(1)]
    else:  # anything large added to a bound makes it true, so everything else must be there
        wanted = [t for t in wanted if set(sp.Add.make_args(lhs)) - {t} <= have]
    for term in dict.fromkeys(wanted):
        if claim.op == "=" or claim.op in ("<", "<="):
            yield rhs + term
        if claim.op == "=" or claim.op in (">", ">="):
            yield rhs - term


def _powers(rhs: sp.Expr) -> Iterator[tuple[str, sp.Expr]]:
    for e in sorted((p for p in rhs.atoms(sp.Pow) if p.base is not sp.E), key=str):
        if e.exp == sp.Rational(1, 2) or e.exp == 2:
            yield f"{plain(e.base)} in place of {plain(e)}", rhs.xreplace({e: e.base})
    for symbol in _symbols(rhs):
        yield f"{symbol}^2 in place of {symbol}", substitute(rhs, {symbol: symbol**2})
        yield f"sqrt({symbol}) in place of {symbol}", substitute(rhs, {symbol: sp.sqrt(symbol)})
    yield "the square is missing", rhs**2
    yield "the square root is missing", sp.sqrt(rhs)


def _bases(rhs: sp.Expr) -> Iterator[tuple[str, sp.Expr]]:
    if not rhs.has(sp.log):
        return
    for base in (2, 10):
        factor = sp.log(base)
        for words, change in ((f"with logarithms to base {base}", 1 / factor), ("with natural logarithms", factor)):
            table = {e: e * change for e in rhs.atoms(sp.log) if e.free_symbols}
            if table:
                yield words, rhs.xreplace(table)


def _made_defined(
    claim: Relation, assume: tuple[Proposition, ...], obligations: tuple[Relation, ...], deadline: float
) -> str | None:
    """One more condition under which both sides exist and the claim holds."""
    zero = sp.Integer(0)
    for symbol in _symbols(claim.lhs + claim.rhs):
        for condition in (Relation(symbol, "!=", zero), Relation(symbol, ">", zero), Relation(symbol, ">=", zero),
                          Relation(symbol, ">", sp.Integer(1)), Relation(symbol, "<", sp.Integer(1))):  # fmt: skip
            if _holds(claim, (*assume, condition), obligations, deadline):
                return f"it holds when {condition}"
    return None


def _condition(
    claim: Relation,
    assume: tuple[Proposition, ...],
    obligations: tuple[Relation, ...],
    domain: Domain,
    deadline: float,
) -> str | None:
    """A bound on one symbol under which it holds: readable bounds first, then the boundary by bisection."""
    points = list(domain.points(claim.free_symbols, most=40))
    for symbol in _symbols(claim.lhs + claim.rhs):
        if symbol in domain.integers:
            continue
        good, bad = _sorted_by_truth(claim, points, symbol)
        if not good or not bad:
            continue
        for op, inside in (("<=", [g for g in good if g < min(bad)]), (">=", [g for g in good if g > max(bad)])):
            if not inside:
                continue
            outer = min(bad) if op == "<=" else max(bad)
            reach = max(inside) if op == "<=" else min(inside)
            for bound in _bounds(claim, symbol, points, reach, outer):
                condition = Relation(symbol, op, bound)  # type: ignore[arg-type]
                if _holds(claim, (*assume, condition), obligations, deadline):
                    return f"it holds when {condition}"
                if time.monotonic() > deadline:
                    return None
    return None


def _sorted_by_truth(
    claim: Relation, points: list[Point], symbol: sp.Symbol
) -> tuple[list[sp.Rational], list[sp.Rational]]:
    good: list[sp.Rational] = []
    bad: list[sp.Rational] = []
    for point in points:
        try:
            holds = compare(claim, point).holds
        except NotNumeric:
            return [], []
        if holds is not None:
            (good if holds else bad).append(point[symbol])
    return good, bad


def _bounds(
    claim: Relation,
    symbol: sp.Symbol,
    points: list[Point],
    reach: sp.Rational,
    outer: sp.Rational,
) -> Iterator[sp.Rational]:
    """From where it fails towards where it holds."""
    low, high = reach, outer
    for _ in range(24):
        middle = (low + high) / 2
        try:
            fails = any(compare(claim, {**p, symbol: middle}).holds is not True for p in points)
        except NotNumeric:
            break
        low, high = (low, middle) if fails else (middle, high)
    lower, upper = min(low, high), max(low, high)
    near = Fraction(int(high.p), int(high.q)).limit_denominator(12)
    exact = sp.Rational(near.numerator, near.denominator)
    if abs(exact - high) < sp.Rational(1, 10**4):
        yield exact
    scale = 10**4
    rounded = sp.floor(lower * scale) / scale if low < high else sp.ceiling(upper * scale) / scale
    yield sp.Rational(rounded)
    easy = sp.floor(lower) if low < high else sp.ceiling(upper)
    if easy != 0:
        yield sp.Rational(easy)
    yield reach
