"""Products and powers of sums written out, unless that would fill the memory."""

from __future__ import annotations

from functools import reduce

import sympy as sp

from dpsym.core.deadline import TooCostly

_MOST = 20_000  # terms; so many take seconds, and no strategy can use them
FAR_TOO_MANY = 200_000  # terms: SymPy writes them out in many places, and millions of them take gigabytes


def expand(e: sp.Expr, **hints: bool) -> sp.Expr:
    """The expression as SymPy expands it.

    Args:
        e: any expression.
        hints: as for `sympy.expand`.

    Raises:
        TooCostly: where there would be too many terms.
    """
    if not isinstance(e, sp.Basic):
        return sp.expand(e, **hints)
    if has_more_terms(e, _MOST):
        raise TooCostly(f"written out it has more than {_MOST} terms")
    return sp.expand(e, **hints)


def has_more_terms(e: sp.Basic, most: int) -> bool:
    """Whether it may have more terms than that once it is expanded, or the argument of a function in it."""
    return _terms(e, most, {}) > most


def _terms(e: sp.Basic, most: int, known: dict[sp.Basic, int]) -> int:
    if not e.args:
        return 1
    if e not in known:
        parts = [_terms(a, most, known) for a in e.args]
        if isinstance(e, sp.Add):
            found = sum(parts)
        elif isinstance(e, sp.Mul):
            found = reduce(lambda a, b: min(a * b, most + 1), parts)
        elif isinstance(e, sp.Pow) and isinstance(e.exp, sp.Integer) and parts[0] > 1:
            found = _multisets(parts[0], abs(int(e.exp)), most)
        else:
            found = max(*parts, 1) if max(parts) > most else 1
        known[e] = min(found, most + 1)
    return known[e]


def _multisets(kinds: int, size: int, most: int) -> int:
    """How many multisets there are of so many kinds: the terms of a power of a sum; or more than the most."""
    found = 1
    for n in range(1, min(kinds - 1, size) + 1):
        found = found * (kinds + size - n) // n
        if found > most:
            return most + 1
    return found
