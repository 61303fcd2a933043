"""Whether the values that an unknown may have are an interval, and whether something is defined all over it.

The sign of a derivative says how a function goes on an interval on which it is defined; over a gap it says nothing:
1/s falls on both sides of 0, and is larger on the right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import sympy as sp

from dpsym.core.relations import IsInteger, Proposition, Relation
from dpsym.deciding import Domain, Sign, settle, sign
from dpsym.deciding.definedness import of_expression, shown
from dpsym.numbers.curves import continuous

_STEADY = (Sign.POSITIVE, Sign.NONNEGATIVE, Sign.ZERO, Sign.NONPOSITIVE, Sign.NEGATIVE)
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}


def interval(unknown: sp.Symbol, domain: Domain) -> Domain | None:
    """The domain between the ends of the unknown, all real numbers there included.

    None where it is not shown that the unknown ranges over an interval, or over equally distant points of one, all
    else the same.
    """
    own = [c for c in domain.assume if unknown in c.free_symbols]
    around = Domain((*(c for c in domain.assume if c not in own), *ends(own, unknown, domain)))
    for condition in own:
        if isinstance(condition, IsInteger):
            if not _affine(condition.expression, unknown):
                return None
        elif _isolated(condition, unknown, domain) is None and not _is_convex(condition, unknown, around):
            return None
    return Domain((*around.assume, *(c for c in own if not isinstance(c, IsInteger))))


def ends(conditions: Iterable[Proposition], unknown: sp.Symbol, domain: Domain) -> Iterator[Relation]:
    """What the conditions say of the unknown itself, where they can be solved for it."""
    for condition in conditions:
        end = _isolated(condition, unknown, domain)
        if end is not None:
            yield end


def defined(expression: sp.Expr, unknown: sp.Symbol, domain: Domain) -> bool:
    """Whether it is shown to have a value for every value of the unknown."""
    needs = (need for need in of_expression(expression) if unknown in need.free_symbols)
    return all(shown(need, domain, settle) is not None for need in needs)


def _is_convex(condition: Proposition, unknown: sp.Symbol, around: Domain) -> bool:
    """Whether it holds everywhere around, or on one side of a value, as that of a monotone function does."""
    if not isinstance(condition, Relation) or condition.op == "!=":
        return False
    gap = condition.lhs - condition.rhs
    if not all(continuous(side) and defined(side, unknown, around) for side in (condition.lhs, condition.rhs)):
        return False
    return bool(settle(condition, around)) or sign(sp.diff(gap, unknown), around) in _STEADY


def _affine(expression: sp.Expr, unknown: sp.Symbol) -> bool:
    return expression.is_polynomial(unknown) and unknown not in sp.expand(sp.diff(expression, unknown)).free_symbols


def _isolated(condition: Proposition, unknown: sp.Symbol, domain: Domain) -> Relation | None:
    """`unknown op end`, which says the same as a condition that is affine in it, or on the sign of a power of that."""
    if not isinstance(condition, Relation) or condition.op == "!=":
        return None
    gap, op = condition.lhs - condition.rhs, condition.op
    factor, base = gap.as_independent(unknown, as_Add=False)
    if isinstance(base, sp.Pow) and base.exp.is_Integer and base.exp < 0 and base.exp % 2:
        if op == "=" or not _affine(base.base, unknown):  # 1/x = 0 nowhere
            return None
        strict = Relation(factor * base.base, op[0], sp.Integer(0))  # type: ignore[arg-type]
        return _isolated(strict, unknown, domain)
    if not _affine(gap, unknown):
        return None
    slope, rest = sp.expand(sp.diff(gap, unknown)), gap.subs(unknown, 0)
    others = Domain(tuple(c for c in domain.assume if unknown not in c.free_symbols))
    rising = sign(slope, others)
    if rising not in (Sign.POSITIVE, Sign.NEGATIVE):
        return None
    kept = op if rising is Sign.POSITIVE else _FLIPPED[op]
    return Relation(unknown, kept, sp.cancel(-rest / slope))  # type: ignore[arg-type]
