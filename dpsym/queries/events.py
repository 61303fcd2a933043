"""What tells two neighbouring data sets apart more than is claimed: an event, or an order of Rényi's divergence.

A noise scale that depends on how many records there are is two scales on neighbours of different sizes.  Far out the
wider noise is likelier than the narrower one by any factor, whatever the answers are, so that no budget is enough where
the guarantee bounds that: pure DP, Gaussian DP, and zCDP from some order on.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import TypeAlias

import sympy as sp

from dpsym.core.distributions import Finite
from dpsym.core.notation import Delta, Phi, Phi_inv, alpha
from dpsym.core.relations import Relation
from dpsym.core.verdicts import Decision, Enclosure, Event, Method, Order, Verdict, Witness
from dpsym.deciding import Domain
from dpsym.entries.notions.rdp import rdp
from dpsym.language import ReadingError
from dpsym.language.tree import Call
from dpsym.numbers import NotEnclosed, NotNumeric, Undefined, compare, enclose
from dpsym.queries.answers import Neighbours
from dpsym.queries.data import Interval, Records, written
from dpsym.queries.evaluating import answers
from dpsym.queries.noise import length
from dpsym.queries.reading import Query
from dpsym.statements import Guarantee, Mechanism, Tail, Use

_POINTS, _DOUBLINGS, _DIGITS = 3, 40, 6  # tried; of how far out an event lies; of a probability that is printed
_FAILED = (NotEnclosed, NotNumeric, Undefined, OverflowError)
_ORDERS = [sp.Rational(*a) for a in ((2, 1), (3, 2), (4, 1), (9, 8), (8, 1), (33, 32), (32, 1), (129, 128), (128, 1))]


def of_noise(use: Use, guarantee: Guarantee, moved: int | None) -> Event | None:
    """That the answer is far from the one, towards the other; everything is a number here.  None where none is seen.

    Args:
        use: noise on answers that differ by Delta.
        guarantee: what it does not satisfy.
        moved: in how many coordinates the answers differ, where noise has its own in each and its scale is that of
            their sum; None where the distance alone matters.
    """
    most, tail = allowed(guarantee), use.mechanism.tail
    if most is None or tail is None:
        return None
    if moved is not None and moved != 1:
        near = tail.above(use.args, sp.Integer(0)) ** moved
        what = "each answer that differs is at least as far from that on x as that on x' is, on its side"
        far = near * sp.exp(-use.args[Delta] / use.args[tail.scale])
        return _event(what, far, near) if _broken(near, far, most) else None
    for place in tail.edges(use.args, guarantee):
        far, near = tail.above(use.args, place), tail.above(use.args, place - use.args[Delta])
        if _broken(near, far, most):
            what = f"the answer is at least {_number(place)} away from that on x, on the side of x'"
            return _event(what, far, near)
    return None


def of_choice(outputs: tuple[Finite, Finite], guarantee: Guarantee) -> Event | None:
    """That a candidate is chosen."""
    most = allowed(guarantee)
    if most is None:
        return None
    for number, (p, q) in enumerate(zip(*(o.probabilities for o in outputs), strict=True), start=1):
        if any(_broken(one, other, most) for one, other in ((p, q), (q, p))):
            return _event(f"candidate {number} is chosen", p, q)
    return None


def order_of_noise(use: Use, guarantee: Guarantee) -> Order | None:
    """An order at which Rényi's divergence is larger than is claimed, of a mechanism of which that is known exactly."""
    known = (
        c.guarantee.args for c in use.mechanism.claims if c.tight and not c.assume and c.guarantee.definition is rdp
    )
    exact = next((divergence for order, divergence in known if order == alpha), None)
    return None if exact is None else _order(lambda a: exact.subs({alpha: a}).subs(use.args), guarantee)


def order_of_choice(outputs: tuple[Finite, Finite], guarantee: Guarantee) -> Order | None:
    """The same of two finite distributions, in whichever direction."""
    one, other = (o.probabilities for o in outputs)
    for first, second in ((one, other), (other, one)):
        found = _order(partial(_of_finite, tuple(zip(first, second, strict=True))), guarantee)
        if found is not None:
            return found
    return None


def _of_finite(pairs: tuple[tuple[sp.Expr, sp.Expr], ...], a: sp.Expr) -> sp.Expr:
    """Rényi's divergence of order a."""
    return sp.log(sp.Add(*(p**a * q ** (1 - a) for p, q in pairs))) / (a - 1)


def _order(divergence: Callable[[sp.Expr], sp.Expr], guarantee: Guarantee) -> Order | None:
    bound = claimed(guarantee)
    named = [a for a in guarantee.args[:1] if guarantee.definition is rdp and a.is_Rational]
    for a in (named or _ORDERS) if bound is not None else ():
        here, most = divergence(a), bound(a) if bound is not None else None
        if most is not None and certain(Relation(here, ">", most)):
            try:
                return Order(Fraction(a.p, a.q), *(enclose(e, {}, digits=_DIGITS) for e in (here, most)))
            except _FAILED:
                return None
    return None


def claimed(guarantee: Guarantee) -> Callable[[sp.Expr], sp.Expr | None] | None:
    """What is claimed of Rényi's divergence, by its order; None at an order of which nothing is claimed."""
    match guarantee.definition.id:
        case "zcdp":
            return lambda a: guarantee.args[0] * a
        case "offset_zcdp":
            offset, slope = guarantee.args
            return lambda a: offset + slope * a
        case "tcdp":
            return lambda a: guarantee.args[0] * a if certain(Relation(a, "<", guarantee.args[1])) else None
        case "rdp":
            order, most = guarantee.args
            return lambda a: most.subs(order, a) if order.is_Symbol else most if order == a else None
    return None


_Allowed: TypeAlias = Callable[[sp.Expr], sp.Expr]


def allowed(guarantee: Guarantee) -> _Allowed | None:
    """How likely an event may be at most, by how likely it is on the neighbour; None where no event is bounded."""
    match guarantee.definition.id:
        case "pure":
            return lambda p: sp.exp(guarantee.args[0]) * p
        case "approx":
            return lambda p: sp.exp(guarantee.args[0]) * p + guarantee.args[1]
        case "gdp":
            return lambda p: Phi(guarantee.args[0] + Phi_inv(p))
    return None


def _broken(likelier: sp.Expr, other: sp.Expr, most: _Allowed) -> bool:
    return certain(Relation(likelier, ">", most(other)))


def certain(relation: Relation) -> bool:
    """Whether it holds, of numbers."""
    try:
        return compare(relation).holds is True
    except _FAILED:
        return False


def _event(what: str, before: sp.Expr, after: sp.Expr) -> Event | None:
    try:
        return Event(what, *(enclose(p, {}, digits=_DIGITS) for p in (before, after)))
    except _FAILED:
        return None


def _number(value: sp.Expr) -> str:
    if value.is_Rational:
        return str(value)
    found: Enclosure = enclose(value, {}, digits=_DIGITS)
    return f"{found.lower}…"


class PrivateSize(ReadingError):
    """The noise depends on a number of records that a neighbour does not share; what was asked, where that is all."""

    asked: tuple[Query, Call, Neighbours] | None = None


def refuted(
    query: Query, mechanism: Mechanism, scale: sp.Expr, neighbours: Neighbours, guarantee: Guarantee
) -> Decision | None:
    """By a data set and one with a record more or less, all records alike; None where nothing is infinite.

    Args:
        query: what is asked, one number.
        mechanism: noise whose tail is known.
        scale: of the noise, in terms of the number of records.
        neighbours: add, remove, or either.
        guarantee: what is claimed.
    """
    size, record = query.data.size, query.data.record
    if mechanism.tail is None or length(query) != 1 or not isinstance(record, Interval):
        return None
    place = next(iter(record.corners), sp.Integer(0))
    step = -1 if neighbours == "remove" else 1
    symbols = (
        {size} | scale.free_symbols | place.free_symbols | guarantee.free_symbols - set(guarantee.definition.index)
    )
    domain = Domain((*query.conditions, *(c for c in guarantee.domain if c.free_symbols and c.free_symbols <= symbols),
                     Relation(scale, ">", sp.Integer(0))))  # fmt: skip
    for point in domain.points(symbols, most=_POINTS):
        numbers = point[size], point[size] + step
        before, after = (Records(((place.subs(point), number),)) for number in numbers)
        both = answers(query, (before, after), point)
        scales = tuple(scale.subs({**point, size: number}) for number in numbers)
        positive = all(s.is_number and certain(Relation(s, ">", sp.Integer(0))) for s in scales)
        if both is None or not positive or numbers[1] < 1:
            continue
        told = _told(mechanism.tail, scales, (both[0][0], both[1][0]), guarantee.subs(point))
        if told is None:
            continue
        found, left, right = told
        x = query.data.name
        why = (
            f"the noise depends on {size}, so that its scale is {scales[0]} on {x} and {scales[1]} on {x}', and far out"
            f" these are told apart; at {x} = {written((before, after))[0]}, {x}' = {written((before, after))[1]}"
        )
        witness = Witness({str(s): Fraction(v) for s, v in point.items()}, left, right)
        return Decision(
            Verdict.REFUTED, Method.ENCLOSURE, why, witness, inputs=(written((before, after)),),
            event=found if isinstance(found, Event) else None, order=found if isinstance(found, Order) else None,
        )  # fmt: skip
    return None


def _told(
    tail: Tail, scales: tuple[sp.Expr, ...], both: tuple[sp.Expr, sp.Expr], guarantee: Guarantee
) -> tuple[Event | Order, Enclosure, Enclosure] | None:
    """What tells two scales apart, and both sides of what fails."""
    wide = 0 if certain(Relation(scales[0], ">", scales[1])) else 1
    narrow = 1 - wide
    if not certain(Relation(scales[wide], ">", scales[narrow])):
        return None
    most = claimed(guarantee)
    if most is not None:
        ratio = (scales[wide] / scales[narrow]) ** tail.power
        alpha = sp.floor(ratio / (ratio - 1)) + 1
        limit = most(alpha)
        # the integral of p^alpha q^(1 - alpha), p the wider: its exponent is not negative far out
        if limit is None or not certain(Relation(alpha, "<", (alpha - 1) * ratio)):
            return None
        here, infinite = enclose(limit, {}, digits=_DIGITS), Enclosure(Decimal("Infinity"), Decimal("Infinity"))
        return Order(Fraction(int(alpha)), infinite, here), infinite, here
    bound = allowed(guarantee)
    if bound is None or guarantee.definition.id == "approx":
        return None
    for k in range(_DOUBLINGS):
        far = sp.ceiling(sp.Max(*both) + 2**k * scales[wide])
        chances = [tail.above({tail.scale: s}, far - own) for s, own in zip(scales, both, strict=True)]
        if certain(Relation(chances[wide], ">", bound(chances[narrow]))):
            sides = [enclose(e, {}, digits=_DIGITS) for e in (*chances, bound(chances[narrow]))]
            return Event(f"the answer is at least {far}", sides[0], sides[1]), sides[wide], sides[2]
    return None
