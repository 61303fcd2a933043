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
_PLACES = 20


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
    for words, candidate in _candidates(claim, points):
        if time.monotonic() > deadline:
            return None
        if candidate == claim or not _plausible(candidate, points):
            continue
        if _holds(candidate, assume, obligations, deadline):
            return f"{words}: {candidate}"
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


def _plausible(claim: Relation, points: list[dict[sp.Symbol, sp.Rational]], *, most: int = 4) -> bool:
    """Not refuted at a handful of points: most candidates are, in no time."""
    try:
        return all(compare(claim, point).holds is not False for point in points[:most])
    except NotNumeric:
        return False


def _candidates(claim: Relation, points: list[dict[sp.Symbol, sp.Rational]]) -> Iterator[tuple[str, Relation]]:
    lhs, op, rhs = claim.lhs, claim.op, claim.rhs
    if op in _WEAKER:
        yield "it holds with equality allowed", Relation(lhs, _WEAKER[op], rhs)
    for candidate in _factors(claim, points):
        yield "a constant factor is missing", Relation(lhs, op, candidate)
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
    if op == "=":
        yield "only an inequality holds", Relation(lhs, "<=", rhs)
        yield "only an inequality holds", Relation(lhs, ">=", rhs)


def _symbols(e: sp.Expr) -> list[sp.Symbol]:
    return sorted(e.free_symbols, key=lambda s: s.name)


def _value(e: sp.Expr, point: dict[sp.Symbol, sp.Rational]) -> Fraction | None:
    try:
        return Fraction(enclose(e, point, digits=_PLACES).upper)
    except (NotEnclosed, NotNumeric):
        return None


def _constant(above: sp.Expr, below: sp.Expr, points: list[dict[sp.Symbol, sp.Rational]]) -> sp.Expr | None:
    """The simple constant that the quotient is, judged at a few points; a guess that is decided afterwards."""
    ratios = []
    for point in points[:4]:
        x, y = _value(above, point), _value(below, point)
        if x is None or y is None or x == 0 or y == 0:
            continue
        ratios.append(x / y)
    if len(ratios) < min(2, len(points)) or not ratios:
        return None
    first = ratios[0]
    if any(abs(r / first - 1) > Fraction(1, 10**12) for r in ratios):
        return None
    for factor in _FACTORS:
        known = _value(factor, {})
        if known is None:
            continue
        guess = (first / known).limit_denominator(64)
        if guess and abs(guess) <= 64 and abs(guess * known / first - 1) < Fraction(1, 10**12):
            return sp.Rational(guess.numerator, guess.denominator) * factor
    return None


def _factors(claim: Relation, points: list[dict[sp.Symbol, sp.Rational]]) -> Iterator[sp.Expr]:
    lhs, op, rhs = claim.lhs, claim.op, claim.rhs
    if (whole := _constant(lhs, rhs, points)) is not None:
        yield whole * rhs
    terms = sp.Add.make_args(rhs)
    if op == "=":
        if len(terms) > 1:
            for term in terms:
                if (part := _constant(lhs - (rhs - term), term, points)) is not None:
                    yield rhs - term + part * term
        return
    larger = op in ("<", "<=")
    for factor in (2, 4) if larger else (sp.Rational(1, 2), sp.Rational(1, 4)):
        for term in terms if len(terms) > 1 else ():
            yield rhs - term + factor * term
        yield factor * rhs


def _terms(claim: Relation) -> Iterator[sp.Expr]:
    lhs, rhs = claim.lhs, claim.rhs
    have = set(sp.Add.make_args(rhs))
    wanted = [t for t in (*sp.Add.make_args(lhs), *sp.Add.make_args(sp.expand(lhs))) if t not in have]
    if claim.op == "=":
        wanted += [*_symbols(lhs), sp.Integer(1)]
    elif len(sp.Add.make_args(lhs)) == 1:
        return  # anything large added to a bound makes it true
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
    claim: Relation, points: list[dict[sp.Symbol, sp.Rational]], symbol: sp.Symbol
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
    points: list[dict[sp.Symbol, sp.Rational]],
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
