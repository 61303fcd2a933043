"""A noise scale that depends on how many records there are: on neighbours of different sizes it is two scales.

Far out the wider noise is likelier than the narrower one by any factor, whatever the answers are, so that no budget is
enough where the guarantee bounds that: pure DP, Gaussian DP, and zCDP from some order on.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import sympy as sp

from dpsym.core.relations import Relation
from dpsym.core.verdicts import Decision, Enclosure, Event, Method, Order, Verdict, Witness
from dpsym.deciding import Domain
from dpsym.language import ReadingError
from dpsym.language.tree import Call
from dpsym.numbers import enclose
from dpsym.queries.answers import Neighbours
from dpsym.queries.data import Interval, Records, written
from dpsym.queries.evaluating import answers
from dpsym.queries.events import allowed, certain, claimed
from dpsym.queries.noise import length
from dpsym.queries.reading import Query
from dpsym.statements import Guarantee, Mechanism, Tail

_POINTS, _DOUBLINGS, _DIGITS = 3, 40, 6  # tried; of how far out an event lies; of a probability that is printed


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
        witness = Witness({str(s): Fraction(int(v.p), int(v.q)) for s, v in point.items()}, left, right)
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
