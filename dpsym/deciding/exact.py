"""The exact rung: identities and signs by canonical form, each with its reason."""

from __future__ import annotations

import time
from enum import Enum

import sympy as sp

from dpsym.deciding.canonical import TIME_LIMIT, CanonicalForm, Unsupported
from dpsym.deciding.coupled import rewritten
from dpsym.deciding.domain import Domain, EmptyDomain
from dpsym.deciding.rungs import Question, Yes
from dpsym.enclosing import NotNumeric, compare
from dpsym.relations import Relation
from dpsym.verdicts import Method, Verdict


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


_NAMES = {
    (0, True): Sign.ZERO,
    (1, True): Sign.POSITIVE,
    (1, False): Sign.NONNEGATIVE,
    (-1, True): Sign.NEGATIVE,
    (-1, False): Sign.NONPOSITIVE,
}
_MOST_ENDS = 3


def _until(deadline: float | None) -> float:
    latest = time.monotonic() + TIME_LIMIT
    return latest if deadline is None else min(deadline, latest)


def vanishes(expression: sp.Expr, domain: Domain, deadline: float | None = None) -> bool:
    """Whether the expression is proved to be zero wherever it is defined on the domain (False: not proved).

    It gives up at the deadline (of `time.monotonic`), and after two seconds at the latest.
    """
    until = _until(deadline)
    for coupled in (False, True) if domain.coupled else (False,):
        try:
            form = CanonicalForm((expression,), domain, coupled=coupled, deadline=until)
            above = form.quotients[0].above
            if above.is_zero() or form.signs.vanishes(above):
                return True
        except Unsupported:
            continue
    return False


def sign(expression: sp.Expr, domain: Domain, deadline: float | None = None) -> Sign | None:
    """The sign of the expression wherever it is defined on the domain, where it is proved.

    It gives up at the deadline (of `time.monotonic`), and after two seconds at the latest.
    """
    until = _until(deadline)
    if not expression.free_symbols:
        found = _of_number(expression)
        if found is not None:
            return found
    known = _signed(expression, domain, until, coupled=False)
    if domain.coupled and (known is None or not known[1]):
        known = _signed(expression, domain, until, coupled=True) or known
    return None if known is None else _NAMES[known]


def _signed(
    expression: sp.Expr, domain: Domain, deadline: float, *, coupled: bool, ends: int = _MOST_ENDS
) -> tuple[int, bool] | None:
    """The sign; where ends of closed intervals were left out, it is strict only if it is so there, too."""
    try:
        form = CanonicalForm((expression,), domain, coupled=coupled, deadline=deadline)
        known = form.signs.of(form.quotients[0])
    except Unsupported:
        return None
    if known is None or known[0] == 0 or not known[1] or not form.left_out:
        return known
    if len(form.left_out) > ends:
        return known[0], False
    for symbol, end in form.left_out.items():
        if symbol not in domain.bounds:
            return known[0], False
        try:
            there = Domain((*domain.assume, Relation(symbol, "=", end)))
        except EmptyDomain:
            continue  # no point of the domain lies there
        if _signed(expression, there, deadline, coupled=coupled, ends=ends - 1) != (known[0], True):
            return known[0], False
    return known


def _of_number(expression: sp.Expr) -> Sign | None:
    """The sign of a number, by enclosure; zero is not for an enclosure to tell."""
    for op, found in ((">", Sign.POSITIVE), ("<", Sign.NEGATIVE)):
        try:
            if compare(Relation(expression, op, sp.Integer(0)), most_bits=256).holds is True:  # type: ignore[arg-type]
                return found
        except NotNumeric:
            return None
    return None


def prove(question: Question) -> Yes | None:
    """An identity, or the sign of the difference of both sides."""
    reason = settle(question.relation, question.domain, question.deadline)
    if reason is None:
        return None
    method = Method.CANONICAL_FORM if "both sides" in reason else Method.EXACT_SIGN
    return Yes(Verdict.PROVED, method, reason)


def settle(relation: Relation, domain: Domain, deadline: float | None = None) -> str | None:
    """Why the relation holds wherever both sides are defined on the domain, or None.

    It gives up at the deadline (of `time.monotonic`), and after two seconds at the latest.
    """
    if relation in domain.assume or relation.swapped in domain.assume:
        return "it is one of the assumptions"
    until = _until(deadline)
    through = _through_extremum(relation, domain, until)
    if through is not None:
        return through
    if relation.op == "=":
        return "both sides have the same canonical form" if _same(relation, domain, until) else None
    difference = sign(relation.lhs - relation.rhs, domain, until)
    if difference is None or difference not in _SETTLES[relation.op]:
        return None
    if difference is Sign.ZERO:
        return "both sides have the same canonical form"
    return f"lhs - rhs is {difference.value} in canonical form"


def _same(relation: Relation, domain: Domain, deadline: float) -> bool:
    """Whether the difference vanishes, also with one side of an assumed equation in place of the other."""
    difference = relation.lhs - relation.rhs
    if vanishes(difference, domain, deadline):
        return True
    equations = [c for c in domain.coupled if isinstance(c, Relation) and c.op == "="]
    return any(vanishes(other, domain, deadline) for c in equations for other in rewritten(difference, c))


def _through_extremum(relation: Relation, domain: Domain, deadline: float) -> str | None:
    """max(x, y) >= z as soon as one of them is, and so on."""
    if relation.op in ("=", "!="):
        return None
    for r in (relation, relation.swapped):
        if isinstance(r.lhs, sp.Max | sp.Min):
            parts = [settle(Relation(arg, r.op, r.rhs), domain, deadline) for arg in r.lhs.args]
            one_suffices = isinstance(r.lhs, sp.Max) == r.op.startswith(">")
            if all(parts) or (one_suffices and any(parts)):
                return next(p for p in parts if p)
    return None
