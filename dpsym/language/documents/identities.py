"""Equations that hold at every one of some points: quick evidence that they say nothing of their names."""

from __future__ import annotations

import random

import sympy as sp
from sympy.core.function import AppliedUndef

from dpsym.core import notation
from dpsym.core.relations import IsInteger, Proposition, Relation
from dpsym.deciding import Domain
from dpsym.deciding.domain import Bounds
from dpsym.numbers import NotNumeric, compare

_MOST_NAMES = 12  # of an equation that is tried
_LONGEST_DIFFERENTIATED = 200  # operations
_SMALL = sp.Rational(1, 10**30)  # of the terms
_TAKE_LONG = (sp.Integral, sp.Limit, sp.Lambda, AppliedUndef)
_FAR = 60  # times the usual range, for every second point
_POINTS = 8  # at which an equation that holds for all numbers is tried


def is_identity(relation: Relation, conditions: tuple[Proposition, ...]) -> bool:
    """Whether an equation holds at every one of some points: of numbers alone, without anything that takes long."""
    left, right = (side.replace(notation.derivative, _differentiated) for side in (relation.lhs, relation.rhs))
    difference = left - right
    if difference == 0:
        return True
    symbols = sorted({*left.free_symbols, *right.free_symbols}, key=str)
    sums = [end for s in difference.atoms(sp.Sum, sp.Product) for _, *ends in s.limits for end in ends]
    if difference.has(*_TAKE_LONG) or any(end.has(sp.oo) for end in sums) or len(symbols) > _MOST_NAMES:
        return False
    about = [c for c in conditions if len(c.free_symbols) == 1 and c.free_symbols <= set(symbols)]
    whole = {c.expression for c in about if isinstance(c, IsInteger)}
    terms = (sp.Abs(term) for side in (left, right) for term in sp.Add.make_args(side))
    nearly = Relation(sp.Abs(difference), "<=", _SMALL * sp.Add(*terms))
    rng = random.Random(0)  # noqa: S311 - choosing points is no cryptography
    tried = 0
    try:
        domain = Domain(tuple(about))
        for number in range(20 * _POINTS):
            point = {s: _value(domain.of(s), s in whole, rng, 1 + number % 2 * _FAR) for s in symbols}
            if domain.contains(point):
                found = compare(nearly, point, most_bits=256)
                if found.obligation is not None:
                    continue
                if found.holds is not True:
                    return False
                tried += 1
                if tried == _POINTS:
                    return True
    except (NotNumeric, ArithmeticError, ValueError, TypeError):
        return False
    return False


def _differentiated(function: sp.Lambda, order: sp.Integer, point: sp.Expr) -> sp.Expr:
    if sp.count_ops(function.expr) > _LONGEST_DIFFERENTIATED or order > 3:
        return notation.derivative(function, order, point)
    return function.expr.diff(*function.variables, order).subs(function.variables[0], point)


def _value(bounds: Bounds, whole: bool, rng: random.Random, far: int) -> sp.Rational:
    """A number within bounds, not a round one, and no small one alone."""
    far = 1 if whole else far
    low = (
        bounds.lower
        if bounds.lower is not None
        else (0 if bounds.upper is None else bounds.upper) - sp.Integer(far) * 3
    )
    high = bounds.upper if bounds.upper is not None else low + 3 * far + abs(low)
    if whole:
        return sp.Integer(rng.randint(int(sp.ceiling(low)), max(int(sp.ceiling(low)), int(sp.floor(high)))))
    return low + (high - low) * sp.Rational(rng.randint(1, 9972), 9973)
