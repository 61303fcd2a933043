"""The sampled rung: both sides at exact points of the domain, in ball arithmetic at two precisions."""

from __future__ import annotations

import time
from collections.abc import Iterable
from fractions import Fraction

import sympy as sp
from flint import arb, ctx, fmpq

from dpsym.deciding.domain import Domain, Point
from dpsym.enclosing import Comparison, NotNumeric, Undefined, Unresolved, compare, compiled
from dpsym.relations import Relation
from dpsym.verdicts import Witness

_PRECISIONS = (160, 480)


def survey(
    relation: Relation, domain: Domain, points: Iterable[Point], deadline: float
) -> tuple[Witness | None, int, int]:
    """A witness against the relation, if one of the points is one; at how many points it was seen to hold, and
    at how many it could be computed but not be told.  Points with numbers beyond reach count for nothing.

    Raises:
        NotNumeric: when the relation has no number at a point.
    """
    seen = untold = 0
    for point in points:
        outcome = compare(relation, point, most_bits=512)
        if _refutes(outcome):
            best = simplified(relation, domain, point)
            return witness(best, compare(relation, best)), seen, untold
        close = True if outcome.holds is True else agrees(relation, point)
        seen += close is True
        untold += close is False
        if time.monotonic() > deadline:
            break
    return None, seen, untold


def _refutes(outcome: Comparison) -> bool:
    """Whether it failed there for a reason that can be shown: both values, or an obligation."""
    return outcome.holds is False and (outcome.obligation is not None or None not in (outcome.lhs, outcome.rhs))


def agrees(relation: Relation, point: Point) -> bool | None:
    """Whether the sides cannot be told apart at either precision, where equality would do; None: no numbers."""
    tape = compiled((relation.lhs, relation.rhs), tuple(point))
    for bits in _PRECISIONS:
        with ctx.workprec(bits):
            try:
                lhs, rhs = tape([arb(fmpq(int(v.p), int(v.q))) for v in point.values()])
            except (Undefined, Unresolved):
                return None
            if relation.op in ("<", ">", "!="):
                return False
            gap, size = abs(lhs - rhs).upper(), max(abs(lhs).upper(), arb(2) ** (-bits))
            if gap > size * arb(2) ** (-bits // 2):
                return False
    return True


def simplified(relation: Relation, domain: Domain, point: Point) -> Point:
    """The most readable point near a witness at which the relation is still refuted."""
    best = dict(point)
    for symbol in sorted(point, key=lambda s: s.name):
        for candidate in _simpler(best[symbol]):
            trial = {**best, symbol: candidate}
            try:
                if domain.contains(trial) and _refutes(compare(relation, trial, most_bits=512)):
                    best = trial
                    break
            except NotNumeric:
                continue
    return best


def _simpler(value: sp.Rational) -> list[sp.Rational]:
    """Numbers that are easier to read, simplest first."""
    easy = [sp.Integer(i) for i in (1, 2, 0, 3, -1, 10)] + [
        sp.Rational(1, 2),
        sp.Rational(1, 10),
        sp.Rational(3, 2),
    ]
    near = [sp.Rational(Fraction(int(value.p), int(value.q)).limit_denominator(d)) for d in (1, 2, 10, 100)]
    return [c for c in easy + near if len(str(c)) < len(str(value))]


def witness(point: Point, outcome: Comparison) -> Witness:
    """A comparison that failed, as evidence."""
    exact = {s.name: Fraction(int(v.p), int(v.q)) for s, v in point.items()}
    return Witness(exact, outcome.lhs, outcome.rhs, outcome.obligation)
