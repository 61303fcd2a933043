"""The exact strategy: identities and signs by canonical form, each with its reason."""

from __future__ import annotations

from contextlib import suppress
from enum import Enum
from functools import partial

import sympy as sp

from dpsym.core.deadline import apart
from dpsym.core.relations import Operator, Relation
from dpsym.core.verdicts import Method, Verdict
from dpsym.deciding.algebra import TIME_LIMIT, CanonicalForm, Unsupported
from dpsym.deciding.domain import Domain, EmptyDomain
from dpsym.deciding.strategies.constraints import rewritten
from dpsym.deciding.strategies.strategy import Question, Yes
from dpsym.numbers import NotNumeric, compare


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
_MOST_ENDS = 3  # left out at a time: each doubles the faces that are looked at by themselves


def settles(known: tuple[int, bool], op: Operator) -> bool:
    """Whether the relation to 0 holds where the sign is this, strictly or not."""
    return _NAMES.get(known) in _SETTLES[op]


def vanishes(expression: sp.Expr, domain: Domain) -> bool:
    """Whether the expression is proved to be zero wherever it is defined on the domain (False: not proved).

    It gives up after two seconds, or when there is no time left.
    """
    return apart(TIME_LIMIT, partial(_vanishes, expression, domain, _MOST_ENDS))


def _vanishes(expression: sp.Expr, domain: Domain, ends: int) -> bool:
    for coupled in (False, True) if domain.coupled else (False,):
        try:
            form = CanonicalForm((expression,), domain, coupled=coupled)
            above = form.quotients[0].above
            if not (above.is_zero() or form.signs.vanishes(above)):
                continue
        except Unsupported:
            continue
        if not (form.conditioned and form.left_out):
            return True
        faces = _faces(form, domain, ends)
        if faces is not None and all(_vanishes(expression, there, ends - 1) for there in faces):
            return True
    return False


def _faces(form: CanonicalForm, domain: Domain, most: int) -> list[Domain] | None:
    """The parts of the domain at the ends that the form leaves out; None where they are too many."""
    if len(form.left_out) > most:
        return None
    found = []
    for end in form.left_out.values():
        with suppress(EmptyDomain):  # no point of the domain lies there
            found.append(Domain((*domain.assume, end)))
    return found


def sign(expression: sp.Expr, domain: Domain) -> Sign | None:
    """The sign of the expression wherever it is defined on the domain, where it is proved.

    It gives up after two seconds, or when there is no time left.
    """
    if not expression.free_symbols:
        found = _of_number(expression)
        if found is not None:
            return found
    known = apart(TIME_LIMIT, partial(_best, expression, domain, _MOST_ENDS))
    return None if known is None else _NAMES[known]


def _best(expression: sp.Expr, domain: Domain, ends: int) -> tuple[int, bool] | None:
    """The sign by the bounds alone, or with the conditions."""
    known = _signed(expression, domain, coupled=False, ends=ends)
    if domain.coupled and (known is None or not known[1]):
        known = _signed(expression, domain, coupled=True, ends=ends) or known
    return known


def _signed(expression: sp.Expr, domain: Domain, *, coupled: bool, ends: int) -> tuple[int, bool] | None:
    """The sign; where ends of closed intervals were left out, it is strict only if it is so there, too.

    Of a box every end is a limit of points inside, and the sign that is not strict holds there by continuity.  Under
    conditions an end need be no such limit (x y >= 0 says nothing of x where y = 0), so it is looked at by itself.
    """
    try:
        form = CanonicalForm((expression,), domain, coupled=coupled)
        known = form.signs.of(form.quotients[0])
    except Unsupported:
        return None
    if known is None or not form.left_out or not (form.conditioned or (known[0] and known[1])):
        return known
    faces = _faces(form, domain, ends)
    if faces is None:
        return None if form.conditioned else (known[0], False)
    everywhere: list[tuple[int, bool]] = [known]
    for there in faces:
        found = _best(expression, there, ends - 1)
        if found is None and form.conditioned:
            return None
        everywhere.append(found or (known[0], False))  # by continuity
    sides = {side for side, _ in everywhere if side}
    if len(sides) > 1:
        return None
    side = sides.pop() if sides else 0
    return side, side == 0 or all(s == (side, True) for s in everywhere)


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
    found = apart(TIME_LIMIT, partial(_settled, question.relation, question.domain))
    return None if found is None else Yes(Verdict.PROVED, *found).by("exact", question, ())


def settle(relation: Relation, domain: Domain) -> str | None:
    """Why the relation holds wherever both sides are defined on the domain, or None.

    It gives up after two seconds, or when there is no time left.
    """
    found = apart(TIME_LIMIT, partial(_settled, relation, domain))
    return None if found is None else found[1]


_IDENTICAL = (Method.CANONICAL_FORM, "both sides have the same canonical form")


def _settled(relation: Relation, domain: Domain) -> tuple[Method, str] | None:
    """How the relation is settled, and the reason."""
    if relation in domain.assume or relation.swapped in domain.assume:
        return Method.EXACT_SIGN, "it is one of the assumptions"
    through = _through_extremum(relation, domain)
    if through is not None:
        return through
    if relation.op == "=":
        return _IDENTICAL if _same(relation, domain) else None
    difference = sign(relation.lhs - relation.rhs, domain)
    if difference is None or difference not in _SETTLES[relation.op]:
        return None
    if difference is Sign.ZERO:
        return _IDENTICAL
    return Method.EXACT_SIGN, f"lhs - rhs is {difference.value} in canonical form"


def _same(relation: Relation, domain: Domain) -> bool:
    """Whether the difference vanishes, also with one side of an assumed equation in place of the other."""
    difference = relation.lhs - relation.rhs
    if vanishes(difference, domain):
        return True
    equations = [c for c in domain.coupled if isinstance(c, Relation) and c.op == "="]
    return any(vanishes(other, domain) for c in equations for other in rewritten(difference, c))


def _through_extremum(relation: Relation, domain: Domain) -> tuple[Method, str] | None:
    """max(x, y) >= z as soon as one of them is, and so on."""
    if relation.op in ("=", "!="):
        return None
    for r in (relation, relation.swapped):
        if isinstance(r.lhs, sp.Max | sp.Min):
            parts = [_settled(Relation(arg, r.op, r.rhs), domain) for arg in r.lhs.args]
            one_suffices = isinstance(r.lhs, sp.Max) == r.op.startswith(">")
            if all(parts) or (one_suffices and any(parts)):
                return next(p for p in parts if p)
    return None
