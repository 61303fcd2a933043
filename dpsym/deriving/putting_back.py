"""The numbers of an inversion, put back into the profile that was inverted, as the decimals that are shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, localcontext

import sympy as sp

from dpsym.core.notation import delta, epsilon
from dpsym.core.relations import Relation, substitute
from dpsym.core.verdicts import Enclosure
from dpsym.deriving.fact import Fact, Step
from dpsym.numbers import NotNumeric, cleared, compare, profile_floor

_PLACES = 10_000  # so many that nothing is rounded
_WIDER = (0, 1, 10**3, 10**6)  # units of the last place by which an end is moved outward, one after the other


@dataclass(frozen=True, slots=True)
class Inverted:
    """What was solved: profile(epsilon) <= wanted, both without other symbols; `exact` where nothing was lost."""

    profile: sp.Lambda
    wanted: sp.Expr
    exact: bool

    def put_back(self, found: Enclosure, digits: int) -> Enclosure | None:
        """Ends, no further in, of which the upper is shown to be enough and, if exact, the lower (or 0) not to be.

        None where that could not be shown.
        """
        upper = next((end for end in _outward(found.upper, 1, digits) if self._enough(end) is True), None)
        if upper is None:
            return None
        if not self.exact or found.lower <= 0:
            return Enclosure(max(found.lower, Decimal(0)), upper)
        lower = next((e for e in _outward(found.lower, -1, digits) if e <= 0 or self._enough(e) is False), None)
        if lower is not None and found.lower == upper and lower == _moved(upper, -1, digits):
            lower = upper  # a number that is known exactly, and a unit below it is not enough
        return None if lower is None else Enclosure(max(lower, Decimal(0)), upper)

    def _enough(self, at: Decimal) -> bool | None:
        value = sp.Rational(*at.as_integer_ratio())
        excess = substitute(self.profile.expr, {self.profile.variables[0]: value}) - self.wanted
        try:
            holds = compare(Relation(excess, "<=", sp.S.Zero)).holds
            return holds if holds is not None else compare(Relation(cleared(excess), "<=", sp.S.Zero)).holds
        except NotNumeric:
            return None

    def none(self, digits: int) -> Enclosure | None:
        """What the profile never falls below, where that was shown to be above what is wanted."""
        for more in (1, 2, 4, 8):  # digits, until they show that they are above
            try:
                found = profile_floor(self.profile, more * digits)
                if found is None:
                    return None
                least = sp.Rational(*found.lower.as_integer_ratio())
                if compare(Relation(least, ">", self.wanted)).holds:
                    return found
            except NotNumeric:
                return None
        return None


def inverted(fact: Fact, at: Mapping[sp.Symbol, object]) -> Inverted | None:
    """What a fact was solved for, at a point; None for a fact that is no inversion of a profile."""
    bound = fact.guarantee.bound
    if fact.rule != Step.INVERSION or fact.guarantee.definition.id != "approx":
        return None
    before = fact.parents[0].guarantee.bound
    variable = before[epsilon]
    if not isinstance(variable, sp.Symbol):
        return None
    inside = {s: v for s, v in at.items() if s != variable}
    profile, wanted = substitute(before[delta], inside), substitute(bound[delta], at)
    if profile.free_symbols - {variable} or wanted.free_symbols:
        return None
    return Inverted(sp.Lambda(variable, profile), wanted, fact.exact)


def _outward(end: Decimal, direction: int, digits: int) -> Iterator[Decimal]:
    """The decimal and others further out."""
    return (_moved(end, direction * times, digits) for times in _WIDER)


def _moved(end: Decimal, units: int, digits: int) -> Decimal:
    """The decimal so many units of its last digit further up."""
    if units == 0:
        return end
    with localcontext(prec=_PLACES):
        return end + units * Decimal(1).scaleb(end.adjusted() - digits - 1)
