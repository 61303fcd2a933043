"""Relations that depend on two symbols through one: where s > 0 only sets the scale of x, it may be taken as 1.

If both sides change by the factor c^d when s and x are multiplied by c and c^w, the relation at (s, x) is the one at
(1, x/s^w), and the sign conditions on x are those on x/s^w.  The exponents are guessed from derivatives at points and
then proved.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import sympy as sp

from dpsym.core.relations import Proposition, Relation, substitute
from dpsym.core.verdicts import Method
from dpsym.deciding.domain import Domain, Point
from dpsym.deciding.strategies.strategy import Question, Yes, weakest
from dpsym.numbers import NotEnclosed, NotNumeric, enclose

_ONE = sp.Integer(1)
_LARGEST = 200  # operations
_DIGITS = 12  # enough to recognise a degree; the scaling is proved afterwards
_POINTS, _REGULAR = 12, 6  # the first few have alike coordinates
_MILD = 40  # places before or after the point
_NEAR = Fraction(1, 10**6)  # relatively: of degrees found from _DIGITS digits; they are proved afterwards
_EXPONENTS = (-2, 2)  # degrees that occur: a variance is of degree 2, a rate of degree -1
_SIGNS = (">", ">=", "<", "<=")


def prove(question: Question) -> Yes | None:
    """The relation with a scale taken as 1, and the proof that it is one."""
    relation, domain = question.relation, question.domain
    sides = (relation.lhs, relation.rhs)
    if relation.op == "!=" or question.depth > question.limits.changes or sum(map(sp.count_ops, sides)) > _LARGEST:
        return None
    if any(side.has(sp.Lambda, sp.Sum, sp.Product, sp.Integral, sp.Limit, sp.Piecewise) for side in sides):
        return None
    for s, x in _pairs(relation, domain):
        found = _exponents(relation, s, x, domain)
        if found is None:
            continue
        w, d = found
        scaled = [substitute(side, {s: _ONE}) for side in sides]
        back = [s**d * substitute(side, {x: x / s**w}) for side in scaled]
        proofs = [question.check(Relation(a, "=", b)) for a, b in zip(sides, back, strict=True)]
        if None in proofs:
            continue
        others = tuple(c for c in domain.assume if s not in c.free_symbols)
        answer = question.ask(Relation(scaled[0], relation.op, scaled[1]), others)
        if answer is None:
            continue
        rest = weakest([answer, *(p for p in proofs if p is not None)])
        why = f"with {s} = 1, the scale of {x}: {answer.why}"
        return replace(rest, method=Method.LEMMA, why=why, certificate=None).by(
            "scale", question, (s, x, w, d), answer, *proofs
        )
    return None


def _pairs(relation: Relation, domain: Domain) -> Iterator[tuple[sp.Symbol, sp.Symbol]]:
    """A scale that ranges over all positive numbers, and a symbol of which at most the sign is known."""
    symbols = sorted(relation.free_symbols, key=lambda s: s.name)
    free = [s for s in symbols if s not in domain.integers and _only_signs(s, domain.assume)]
    for s in free:
        if domain.of(s).lower == 0 and domain.of(s).lower_open and domain.of(s).upper is None:
            yield from ((s, x) for x in free if x != s)


def _only_signs(symbol: sp.Symbol, assume: tuple[Proposition, ...]) -> bool:
    for condition in assume:
        if symbol in condition.free_symbols and not any(
            r.lhs == symbol and r.rhs == 0 and r.op in _SIGNS
            for r in ((condition, condition.swapped) if isinstance(condition, Relation) else ())
        ):
            return False
    return True


def _exponents(
    relation: Relation, s: sp.Symbol, x: sp.Symbol, domain: Domain
) -> tuple[sp.Rational, sp.Rational] | None:
    """w and d with s dF/ds + w x dF/dx = d F for both sides F, at a few points."""
    rows: list[tuple[Fraction, Fraction, Fraction]] = []
    for side in (relation.lhs, relation.rhs):
        slopes = s * sp.diff(side, s), x * sp.diff(side, x)
        for point in list(domain.points(relation.free_symbols, most=_POINTS))[_REGULAR:]:
            values = [_value(e, point) for e in (*slopes, side)]
            if None not in values and any(values):
                rows.append((values[0], values[1], values[2]))  # type: ignore[arg-type]
    for first, second in combinations(rows, 2):
        determinant = -first[1] * second[2] + first[2] * second[1]
        if determinant == 0:
            continue
        w = (first[0] * second[2] - second[0] * first[2]) / determinant
        d = (first[1] * second[0] - second[1] * first[0]) / -determinant
        if (found := _rounded(w, d)) is not None and all(_solves(found, row) for row in rows):
            return found
    return None


def _solves(found: tuple[sp.Rational, sp.Rational], row: tuple[Fraction, Fraction, Fraction]) -> bool:
    w, d = (Fraction(int(v.p), int(v.q)) for v in found)
    return abs(row[0] + w * row[1] - d * row[2]) <= _NEAR * sum(map(abs, row))


def _rounded(*values: Fraction) -> tuple[sp.Rational, sp.Rational] | None:
    found = []
    for value in values:
        near = value.limit_denominator(2)
        if abs(near - value) > _NEAR or not _EXPONENTS[0] <= near <= _EXPONENTS[1]:
            return None
        found.append(sp.Rational(near.numerator, near.denominator))
    return found[0], found[1]


def _value(e: sp.Expr, point: Point) -> Fraction | None:
    try:
        value = enclose(e, point, digits=_DIGITS).upper
        return Fraction(value) if abs(value.adjusted()) <= _MILD else None
    except (NotEnclosed, NotNumeric, OverflowError, ValueError):
        return None
