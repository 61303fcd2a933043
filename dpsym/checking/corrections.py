"""What a right side may have been meant to be: a factor, a term, a shift, a square or a logarithm's base away."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import sympy as sp

from dpsym.core.deadline import over
from dpsym.core.plain_printer import plain
from dpsym.core.relations import Relation, substitute
from dpsym.numbers import NotEnclosed, NotNumeric, enclose

_CONSTANTS = (sp.Integer(1), sp.pi, 1 / sp.pi, sp.sqrt(2), sp.sqrt(sp.pi), sp.sqrt(2 * sp.pi), sp.log(2), 1 / sp.log(2),
              sp.log(10), 1 / sp.log(10))  # fmt: skip
_LOOSER = tuple(map(sp.Rational, (2, 3, 4, 8)))
_LARGEST = 64  # denominator of a factor that somebody may have meant
_PLACES = 12  # enough to recognise such a factor
_NEAR = Fraction(1, 10**8)  # relatively: above the rounding of doubles, far below the distance of two guesses

Point = dict[sp.Symbol, sp.Rational]


def slips(claim: Relation, values: Values) -> Iterator[tuple[str, Relation]]:
    """Candidates with what is said of them, the commonest slip first; which of them are true is not known here."""
    for words, candidate in _right_sides(claim, values):
        yield words, Relation(claim.lhs, claim.op, candidate)


class Values:
    """Values of expressions at a few points, each computed once; a guide for guesses that are decided afterwards."""

    def __init__(self, points: list[Point], given: dict[sp.Basic, sp.Basic]) -> None:
        self._points, self._given = points[:3], given
        self._known: dict[sp.Expr, list[Fraction | None]] = {}

    def at_points(self, e: sp.Expr) -> list[Fraction | None]:
        """None where there is no value, or no time."""
        if e not in self._known:
            self._known[e] = [self._value(e, point) for point in self._points]
        return self._known[e]

    def _value(self, e: sp.Expr, point: Point) -> Fraction | None:
        if over():
            return None
        try:
            return Fraction(enclose(substitute(e, self._given), point, digits=_PLACES).upper)
        except (NotEnclosed, NotNumeric, OverflowError, ValueError):
            return None

    def constant(self, above: list[Fraction | None], below: list[Fraction | None]) -> sp.Expr | None:
        """The simple constant that the quotient is at every point."""
        ratios = [x / y for x, y in zip(above, below, strict=True) if x and y]
        if len(ratios) < min(2, len(self._points)) or not ratios:
            return None
        first = ratios[0]
        if any(abs(r / first - 1) > _NEAR for r in ratios):
            return None
        for factor in _CONSTANTS:
            known = self._value(factor, {})
            if known is None:
                continue
            guess = (first / known).limit_denominator(_LARGEST)
            if guess and abs(guess) <= _LARGEST and abs(guess * known / first - 1) < _NEAR:
                return sp.Rational(guess.numerator, guess.denominator) * factor
        return None


def _right_sides(claim: Relation, values: Values) -> Iterator[tuple[str, sp.Expr]]:
    op, rhs = claim.op, claim.rhs
    yield from _factors(claim, values)
    for term, candidate in _terms(claim, values):
        yield f"the term {plain(term)} is missing", candidate
    for symbol in _symbols(rhs):
        for shift in (-1, 1):
            if op != "=" and not any(e.has(symbol + shift) for e in (claim.lhs, rhs)):
                continue  # any loosening of a bound makes it true
            for old, new in _shifted(rhs, symbol, shift):
                yield f"{plain(old + shift)} in place of {plain(old)}", new
    for words, candidate in (*_powers(rhs), *_bases(rhs)):
        if op == "=" or candidate != claim.lhs:  # a bound by itself is no bound
            yield words, candidate


def _symbols(e: sp.Expr) -> list[sp.Symbol]:
    return sorted(e.free_symbols, key=lambda s: s.name)


def _factors(claim: Relation, values: Values) -> Iterator[tuple[str, sp.Expr]]:
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
        yield from _inner_factors(rhs)
        return
    larger = op in ("<", "<=")
    for factor in _LOOSER if larger else tuple(1 / f for f in _LOOSER):
        for term in terms if len(terms) > 1 else ():
            yield f"{plain(term)} lacks the factor {factor}", rhs - term + factor * term
        yield f"the right side lacks the factor {factor}", factor * rhs


def _inner_factors(rhs: sp.Expr) -> Iterator[tuple[str, sp.Expr]]:
    """A factor under a function: log(2 x) for log(x), exp(x/2) for exp(x)."""
    arguments = {
        (e, e.exp if isinstance(e, sp.Pow) else e.args[0])
        for e in rhs.atoms(sp.Function, sp.Pow)
        if len(e.args) == 1 or (isinstance(e, sp.Pow) and e.base is sp.E)
    }
    for e, inside in sorted(arguments, key=str):
        if not inside.free_symbols:
            continue
        for factor in (2, sp.Rational(1, 2), -1):
            replaced = sp.exp(factor * inside) if isinstance(e, sp.Pow) else e.func(factor * inside)
            yield f"{plain(replaced)} in place of {plain(e)}", rhs.xreplace({e: replaced})


def _terms(claim: Relation, values: Values) -> Iterator[tuple[sp.Expr, sp.Expr]]:
    lhs, rhs = claim.lhs, claim.rhs
    have = set(sp.Add.make_args(rhs))
    whole = set(sp.Add.make_args(lhs))
    wanted = [t for t in (*sp.Add.make_args(lhs), *sp.Add.make_args(sp.expand(lhs))) if t not in have]
    if claim.op == "=":
        wanted += [*_symbols(lhs), sp.Integer(1), *_by_value(claim, values)]
    else:  # anything large added to a bound makes it true, so everything else must be there, and nothing more
        wanted = [t for t in wanted if whole - {t} == have]
    for term in dict.fromkeys(wanted):
        if claim.op == "=" or claim.op in ("<", "<="):
            yield term, rhs + term
        if claim.op == "=" or claim.op in (">", ">="):
            yield -term, rhs - term


def _by_value(claim: Relation, values: Values) -> Iterator[sp.Expr]:
    """A constant multiple of a symbol, its square, or of a factor or a power on the right, that the sides differ by."""
    left, right = values.at_points(claim.lhs), values.at_points(claim.rhs)
    gap = [None if None in (x, y) else x - y for x, y in zip(left, right, strict=True)]  # type: ignore[operator]
    parts = [p for t in sp.Add.make_args(claim.rhs) for p in (t, *sp.Mul.make_args(t))]
    parts += sorted(claim.lhs.atoms(sp.Pow, sp.Function) | claim.rhs.atoms(sp.Pow, sp.Function), key=str)
    parts += [p for s in _symbols(claim.lhs) for p in (s, s**2)] + [sp.Integer(1)]
    for part in dict.fromkeys(p for p in parts if isinstance(p, sp.Expr)):
        if not part.free_symbols <= claim.free_symbols:
            continue
        constant = values.constant(gap, values.at_points(part))
        if constant is not None:
            yield constant * part


def _shifted(rhs: sp.Expr, symbol: sp.Symbol, shift: int) -> Iterator[tuple[sp.Expr, sp.Expr]]:
    """The symbol shifted everywhere, or in one factor, sum or argument alone."""
    yield symbol, substitute(rhs, {symbol: symbol + shift})
    holders = [e for e in sp.preorder_traversal(rhs) if e.args and symbol in e.args]
    for holder in dict.fromkeys(holders):
        if isinstance(holder, sp.Pow | sp.Mul | sp.Add | sp.log | sp.exp):
            moved = holder.func(*(a + shift if a == symbol else a for a in holder.args))
            yield symbol, rhs.xreplace({holder: moved})


def _powers(rhs: sp.Expr) -> Iterator[tuple[str, sp.Expr]]:
    for e in sorted((p for p in rhs.atoms(sp.Pow) if p.base is not sp.E), key=str):
        if abs(e.exp) in (sp.Rational(1, 2), 2):
            without = e.base ** sp.sign(e.exp)
            yield f"{plain(without)} in place of {plain(e)}", rhs.xreplace({e: without})
    for symbol in _symbols(rhs):
        yield f"{symbol}^2 in place of {symbol}", substitute(rhs, {symbol: symbol**2})
        yield f"sqrt({symbol}) in place of {symbol}", substitute(rhs, {symbol: sp.sqrt(symbol)})
    for e in sorted(rhs.atoms(sp.log, sp.exp), key=str):
        if e.free_symbols:
            yield f"{plain(sp.sqrt(e))} in place of {plain(e)}", rhs.xreplace({e: sp.sqrt(e)})
            yield f"{plain(e**2)} in place of {plain(e)}", rhs.xreplace({e: e**2})
    terms = sp.Add.make_args(rhs)
    for term in terms if len(terms) > 1 else ():
        if term.free_symbols:
            yield f"{plain(sp.sqrt(term))} in place of {plain(term)}", rhs - term + sp.sqrt(term)
            yield f"{plain(term**2)} in place of {plain(term)}", rhs - term + term**2
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
