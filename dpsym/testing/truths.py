"""The right answer of an accountant, between two certified bounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Complex, Real
from typing import Any, Literal

import sympy as sp
from flint import arb, ctx, fmpq
from hypothesis import strategies as st

from dpsym.accounting import NotAccountable
from dpsym.accounting import delta as certified_delta
from dpsym.accounting import epsilon as certified_epsilon
from dpsym.accounting.bounds import endpoints
from dpsym.accounting.compositions import neighbours
from dpsym.accounting.from_mechanism import known
from dpsym.accounting.loss_distributions.lattice import GaussianLaw
from dpsym.accounting.moments.sampled_gaussian import SubsampledMoment
from dpsym.core.clocks import Work
from dpsym.core.deadline import TooCostly
from dpsym.core.notation import alpha
from dpsym.core.verdicts import Enclosure
from dpsym.numbers import ball, decimals
from dpsym.statements import Subsampled, Use
from dpsym.statements.adjacency import Direction
from dpsym.testing.composing import Release, Releases, composed
from dpsym.testing.numbers import between, deltas, orders

Quantity = Literal["epsilon", "delta", "rdp"]

GIVEN = {"epsilon": "delta", "delta": "epsilon", "rdp": "order"}
_DIGITS = 8  # of what is certified; answers are doubles, compared to fewer
_BITS, _ACCURACY = 400, 120.0  # some 120 digits, and minus the logarithm of the error: beyond any answer


def truth(
    quantity: Quantity,
    releases: Releases,
    given: float,
    *,
    direction: Direction = "both",
    time_limit: float = Work(0.5),
) -> Enclosure:
    """Bounds of the smallest epsilon at a delta, delta at an epsilon, or Renyi epsilon at an order.

    Raises:
        NotAccountable: for what the certified accountant does not know, and for releases about different neighbours.
    """
    at = Fraction(given)
    if quantity == "epsilon":
        asked = composed(releases)
        return certified_epsilon(asked, delta=at, direction=direction, digits=_DIGITS, time_limit=time_limit).value
    if quantity == "delta":
        asked = composed(releases)
        return certified_delta(asked, epsilon=at, direction=direction, digits=_DIGITS, time_limit=time_limit).value
    neighbours(composed(releases), direction=direction)
    return _rdp(releases, at, direction)


@dataclass(frozen=True)
class Level:
    """The epsilon at which a composition's delta is about this large: it depends on the composition."""

    delta: float

    def of(self, releases: Releases, time_limit: float = Work(0.2)) -> float:
        """The epsilon; 0 where the certified accountant knows none."""
        found = certified_epsilon(composed(releases), delta=Fraction(self.delta), digits=4, time_limit=time_limit)
        return float(found.lower)


def usual(quantity: Quantity, *, hostile: bool = False) -> st.SearchStrategy[Any]:
    """Values of what is given: delta, epsilon (by itself, or by what delta is there), or the order."""
    if quantity == "epsilon":
        common = st.builds(lambda m, e: Fraction(m) * Fraction(10) ** e, st.integers(1, 9), st.integers(-15, -2))
        numbers: st.SearchStrategy[Any] = st.one_of(common, deltas()) if hostile else common
        return numbers.map(float).filter(lambda x: 0 < x < 1)
    if quantity == "delta":
        by_itself = between(0, 30 if hostile else 12, nearest=-3, closed_below=True).map(float)
        return st.one_of(by_itself, usual("epsilon", hostile=hostile).map(Level))
    return orders(nearest=-6 if hostile else -2, largest=3 if hostile else 2).map(float).filter(lambda x: x > 1)


def _rdp(releases: Releases, order: Fraction, direction: Direction) -> Enclosure:
    with ctx.workprec(_BITS):
        total = sum((release.count * _renyi(release, order, direction) for release in releases), arb(0))
        if not total.is_finite():
            raise NotAccountable(f"the Renyi divergence of order {order} could not be computed")
        found = endpoints(total)
        return Enclosure(decimals(found.lower, _DIGITS).lower, decimals(found.upper, _DIGITS).upper)


def _renyi(release: Release, order: Fraction, direction: Direction) -> arb:
    """One step: the tight claim of the catalogue, or the moment function of a sampled Gaussian."""
    use = release.use
    if isinstance(use, Subsampled):
        return _sampled(use, order, direction)
    for claim in use.mechanism.claims:
        if claim.guarantee.definition.id == "rdp" and claim.tight:
            formula = claim.guarantee.args[1].subs({**use.args, alpha: sp.Rational(order.numerator, order.denominator)})
            return ball(formula, {}, _BITS)
    raise NotAccountable(f"no Renyi divergence of {release} is known")


def _sampled(use: Subsampled, order: Fraction, direction: Direction) -> arb:
    law = known(use.inner).above if isinstance(use.inner, Use) else None
    if not isinstance(law, GaussianLaw):
        raise NotAccountable(f"the Renyi divergence of {use} is not known here")
    q = fmpq(int(use.rate.p), int(use.rate.q))
    above_one = arb(fmpq(order.numerator, order.denominator)) - 1
    ways = {"both": (False, True), "remove": (False,), "add": (True,)}[direction]
    each = []
    for adding in ways:
        moment = SubsampledMoment(q, 1 / law.mu_squared, adding)
        try:
            total, _ = moment.along(above_one, arb(1), 1, _ACCURACY)
        except TooCostly as error:
            raise NotAccountable(f"the Renyi divergence of {use} of order {order}: {error}") from error
        each.append(total.log() / above_one)
    return each[0] if len(each) == 1 else each[0].max(each[1])


def number(answered: Any) -> Decimal:
    """An answer as a decimal; exact for integers, fractions, floats and decimals.

    Raises:
        TypeError: for what is no real number.
    """
    if isinstance(answered, Decimal):
        return answered
    if isinstance(answered, bool) or not hasattr(answered, "__float__") or _complex(answered):
        raise TypeError(f"{answered!r} is not a real number")
    if isinstance(answered, int):
        return Decimal(answered)
    if isinstance(answered, Fraction | sp.Rational):
        from decimal import Context

        return Context(prec=60).divide(Decimal(int(answered.numerator)), Decimal(int(answered.denominator)))
    return Decimal(float(answered))


def _complex(answered: Any) -> bool:
    return isinstance(answered, Complex) and not isinstance(answered, Real)  # NumPy's have a __float__ all the same


Answering = Callable[[Releases, float], Any]
