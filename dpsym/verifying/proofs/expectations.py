"""Expectations `E(f, z, X)` of functions of a random variable with the law X.

All expectations that occur are taken to be finite: a point satisfies a context only if they are.  `esssup(X)` and
`essinf(X)` are the essential bounds of the law.
"""

from __future__ import annotations

from dpsym.verifying import Rejected
from dpsym.verifying.proofs.expressions import (
    SWAPPED,
    Expression,
    Statement,
    is_expectation,
    is_opaque,
    names,
    parts,
    substituted,
    written,
)


def integrand(e: Expression, z: str, law: Expression = None) -> tuple[Expression, Expression]:
    """The function under an expectation, of z, and the law; of what is free of z the constant function."""
    if not is_expectation(e):
        if z in names(e) or law is None:
            raise Rejected(f"{written(e)} is no expectation, and no constant")
        return e, law
    _, body, bound, own = e
    if not isinstance(bound, str) or bound == "pi" or (law is not None and own != law):
        raise Rejected("expectations under different laws")
    if bound != z and z in names(body):
        raise Rejected(f"{z} is taken in {written(body)}")
    return substituted(body, {bound: z}), own


def linear(e: Expression, z: str, law: Expression) -> tuple[Expression, dict[str, Expression]]:
    """With a name for each expectation under the law, and the functions of z that these are of."""
    found: dict[str, Expression] = {}
    table: dict[Expression, str] = {}
    for part in parts(e):
        if is_expectation(part) and part not in table:
            table[part] = f"E_{len(table)}_"
            found[table[part]] = integrand(part, z, law)[0]
    combined = _replaced(e, table)
    if names(e) & (found.keys() | {z}) or _degree(combined, frozenset(found)) > 1:
        raise Rejected("no linear combination of expectations")
    return combined, found


def _degree(e: Expression, variables: frozenset[str]) -> int:
    """The degree of a polynomial in some names, as it is written; 2 for what is none."""
    if not names(e) & variables:
        return 0
    if isinstance(e, str):
        return 1
    inner = [_degree(a, variables) for a in e[1:]]
    if e[0] in ("+", "-"):
        return max(inner)
    if e[0] == "*":
        return sum(inner)
    return inner[0] if e[0] == "/" and inner[1] == 0 else 2


def law_of(*sides: Expression) -> Expression:
    """The one law of the expectations that the sides are."""
    for side in sides:
        if is_expectation(side):
            return side[3]
    raise Rejected("there is no expectation")


def is_bound(h: Statement, z: str, law: Expression) -> Statement:
    """What has to be known for every value z of the law to satisfy `z <= b` or `z >= b`."""
    op, bound = (h.op, h.right) if h.left == z else (SWAPPED.get(h.op, ""), h.left)
    if z not in (h.left, h.right) or z in names(bound) or op not in ("<=", ">="):
        raise Rejected(f"{h} is no bound on {z}")
    return Statement(("esssup" if op == "<=" else "essinf", law), op, bound)


def _replaced(e: Expression, table: dict[Expression, str]) -> Expression:
    if e in table:
        return table[e]
    if not isinstance(e, tuple) or is_opaque(e):
        return e
    return (e[0], *(_replaced(a, table) for a in e[1:]))
