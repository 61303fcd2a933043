"""The exact rung: identities and signs by canonical form, each with its reason."""

from __future__ import annotations

from enum import Enum

import sympy as sp

from dpsym.deciding.canonical import CanonicalForm, Unsupported
from dpsym.deciding.domain import Domain
from dpsym.enclosing import NotNumeric, compare
from dpsym.relations import Relation


class Sign(Enum):
    """A sign that holds on all of a domain."""

    NEGATIVE = "negative"
    NONPOSITIVE = "at most 0"
    ZERO = "0"
    NONNEGATIVE = "at least 0"
    POSITIVE = "positive"


_SETTLES = {
    "=": {Sign.ZERO},
    "!=": {Sign.POSITIVE, Sign.NEGATIVE},
    ">": {Sign.POSITIVE},
    ">=": {Sign.POSITIVE, Sign.NONNEGATIVE, Sign.ZERO},
    "<": {Sign.NEGATIVE},
    "<=": {Sign.NEGATIVE, Sign.NONPOSITIVE, Sign.ZERO},
}


def vanishes(expression: sp.Expr, domain: Domain) -> bool:
    """Whether the expression is proved to be zero wherever it is defined on the domain (False: not proved)."""
    return sign(expression, domain) is Sign.ZERO


def sign(expression: sp.Expr, domain: Domain) -> Sign | None:
    """The sign of the expression wherever it is defined on the domain, where it is proved."""
    if not expression.free_symbols:
        found = _of_number(expression)
        if found is not None:
            return found
    try:
        form = CanonicalForm((expression,), domain)
    except Unsupported:
        return None
    known = form.sign(form.quotients[0])
    if known is None:
        return None
    return {
        (0, True): Sign.ZERO,
        (1, True): Sign.POSITIVE,
        (1, False): Sign.NONNEGATIVE,
        (-1, True): Sign.NEGATIVE,
        (-1, False): Sign.NONPOSITIVE,
    }[known]


def _of_number(expression: sp.Expr) -> Sign | None:
    """The sign of a number, by enclosure; zero is not for an enclosure to tell."""
    for op, found in ((">", Sign.POSITIVE), ("<", Sign.NEGATIVE)):
        try:
            if compare(Relation(expression, op, sp.Integer(0)), most_bits=256).holds is True:  # type: ignore[arg-type]
                return found
        except NotNumeric:
            return None
    return None


def settle(relation: Relation, domain: Domain) -> str | None:
    """Why the relation holds wherever both sides are defined on the domain, or None."""
    if relation in domain.assume or relation.swapped in domain.assume:
        return "it is one of the assumptions"
    through = _through_extremum(relation, domain)
    if through is not None:
        return through
    difference = sign(relation.lhs - relation.rhs, domain)
    if difference is None or difference not in _SETTLES[relation.op]:
        return None
    if difference is Sign.ZERO:
        return "both sides have the same canonical form"
    return f"lhs - rhs is {difference.value} in canonical form"


def _through_extremum(relation: Relation, domain: Domain) -> str | None:
    """max(x, y) >= z as soon as one of them is, and so on."""
    if relation.op in ("=", "!="):
        return None
    for r in (relation, relation.swapped):
        if isinstance(r.lhs, sp.Max | sp.Min):
            parts = [settle(Relation(arg, r.op, r.rhs), domain) for arg in r.lhs.args]
            one_suffices = isinstance(r.lhs, sp.Max) == r.op.startswith(">")
            if all(parts) or (one_suffices and any(parts)):
                return next(p for p in parts if p)
    return None
