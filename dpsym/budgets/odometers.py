"""Privacy odometers: a bound of the privacy loss that holds at all times, without a budget that is fixed beforehand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import ROUND_CEILING
from fractions import Fraction
from threading import Lock

import sympy as sp

from dpsym.budgets.prices import NoPrice, Price, Spendable, a_step, about, above, below, between, price, written
from dpsym.core.display import Displayed, short
from dpsym.core.given import given
from dpsym.core.notation import delta, gamma, rho
from dpsym.core.spelling import by_any_spelling
from dpsym.core.verdicts import Enclosure
from dpsym.entries.notions.zcdp import zcdp
from dpsym.numbers import enclose
from dpsym.statements import Adjacency, Guarantee
from dpsym.statements.adjacency import named

_DIGITS = 15  # of the loss

# The loss at which the mixture of docs/lemmas.md, Lemma 16, is 1/delta: V = 2 rho is the variance of the worst loss.
_VARIANCE = 2 * rho
_LOSS = rho + sp.sqrt((_VARIANCE + gamma) * (2 * sp.log(1 / delta) + sp.log((_VARIANCE + gamma) / gamma)))


class Odometer(Displayed):
    """How large the privacy loss can have become, read at any time, of steps that are zCDP.

    With probability 1 - delta under either of two neighbours, the loss of all answers so far is at most `loss` after
    every step (docs/lemmas.md, Lemma 16).  This is a statement about the loss, at all times at once.  It is not one
    that what was done so far is (loss, delta)-DP: for that the budget has to be fixed beforehand (`Filter`).

    Args:
        delta: the probability with which the bound may ever fail.
        tightest: the zCDP budget at which the bound is to be about as small as it can be; any is valid.
        adjacent: which data sets are neighbours, fixed beforehand, as for a `Filter`.

    Raises:
        NoPrice: for numbers outside their domain.
        TypeError: for what is no number, or no neighbouring relation.
    """

    __slots__ = ("_delta", "_lock", "_neighbours", "_spent", "_steps", "_width")

    @by_any_spelling
    def __init__(
        self, delta: object, tightest: object = sp.Rational(1, 2), *, adjacent: str | Adjacency | None = None
    ) -> None:
        self._delta, around = below(given(delta)), below(given(tightest))
        if not 0 < self._delta < 1 or around <= 0:
            raise NoPrice(f"an odometer needs 0 < delta < 1 and tightest > 0, not {delta} and {tightest}")
        logarithm = 2 * (math.log(self._delta.q) - math.log(self._delta.p))
        share = Fraction(logarithm + math.log1p(logarithm)).limit_denominator(10**6)  # the bound is valid for any
        self._width = 2 * around / max(sp.Rational(1, 10**6), sp.Rational(share.numerator, share.denominator))
        self._spent = sp.S.Zero
        self._steps: list[Price] = []
        self._neighbours = named(adjacent)
        self._lock = Lock()

    @property
    def spent(self) -> Guarantee:
        """The cost of the steps so far together, rounded up."""
        return zcdp(self._spent)

    @property
    def loss(self) -> Enclosure:
        """The bound of the privacy loss after the steps so far; its upper end holds."""
        return enclose(_LOSS, {delta: self._delta, gamma: self._width, rho: self._spent}, digits=_DIGITS)

    @property
    def steps(self) -> Sequence[Price]:
        """The steps that were spent, in order."""
        return tuple(self._steps)

    def spend(self, step: Spendable | str) -> Price:
        """Count a step that has not run yet.

        Args:
            step: a mechanism at given parameters, a composition or a sample of some, or a guarantee that it has.

        Raises:
            NoPrice: where its zCDP budget is not known.
            OtherNeighbours: where that is not known for the neighbours that were fixed.
        """
        found = price(a_step(step), zcdp, {})
        about(self._neighbours, (found,))
        with self._lock:
            self._spent += above(found.costs.args[0])
            self._steps.append(found)
        return found

    def __str__(self) -> str:
        said = f"after {written(self.spent, ROUND_CEILING)} the loss is at most {self.loss.upper}"
        return said + between(self._neighbours)

    __repr__ = short
