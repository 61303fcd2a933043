"""Samples of fixed size, drawn without replacement, one record being replaced.

For a step with the symmetric pair (P, Q) under replacement and the rate g, the sampled step has at u >= 1 a
hockey-stick divergence of at most H_u((1 - g) Q + g P, Q), and of at most u H_{1/u} + 1 - u of the same below 1
[ZDW22, Theorem 11 (unverified locator)].  The pair whose profile this is has the positive losses of "removing" from
a Poisson sample, their mirror image, and an atom at 0 (docs/accounting-bounds.md).  One step attains it; whether
compositions do is not known, so it gives upper bounds only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from flint import arb, fmpq

from dpsym.accounting.discrete_gaussian import DiscreteGaussianLaw
from dpsym.accounting.laws import Atom, Edge, GaussianLaw, SubsampledLaw, cumulants_of, points_of
from dpsym.accounting.moments import SubsampledMoment

_CELLS = 400


@dataclass(frozen=True, slots=True)
class FixedSizeLaw:
    """The losses of the dominating pair; `removing` is the Poisson step with the same rate and base."""

    removing: SubsampledLaw

    def atoms(self) -> Sequence[Atom]:
        """See `Law`."""
        bases = self.removing.base.atoms()
        pairs = zip(bases, self.removing.atoms(), strict=True)
        positive = [atom for base, atom in pairs if base.exact is not None and base.exact > 0]
        start = self.removing.edge(arb(0))
        used = sum((atom.first + atom.second for atom in positive), arb(0))
        if start is not None:
            used += start.first_above + start.second_above
        rest = (1 - used).nonnegative_part()
        mirrored = [Atom(-atom.loss, atom.second, atom.first) for atom in positive]
        return [*positive, *mirrored, Atom(arb(0), rest, rest, fmpq(0))]

    def edge(self, loss: arb | fmpq) -> Edge | None:
        """See `Law`."""
        start = self.removing.edge(arb(0))
        if start is None:
            return None
        total = start.first_above + start.second_above
        if loss >= 0:
            found = self.removing.edge(loss) or start
            first, second = found.first_above, found.second_above
            return Edge(total - first, first, total - second, second)
        if loss <= 0:
            found = self.removing.edge(-loss) or start
            first, second = found.second_above, found.first_above
            return Edge(first, total - first, second, total - second)
        left, right = self.edge(arb(loss).lower()) or start, self.edge(arb(loss).upper()) or start
        return Edge(
            left.first_below.union(right.first_below),
            left.first_above.union(right.first_above),
            left.second_below.union(right.second_below),
            left.second_above.union(right.second_above),
        )

    def largest(self) -> arb:
        """See `Law`."""
        return self.removing.largest()

    def cumulants(self, c: float) -> tuple[float, float, float]:
        """See `Law`."""
        return cumulants_of(self._points(c), c)

    def reach(self, c: float, deviations: float) -> tuple[float, float]:
        """See `Law`."""
        high = self.removing.reach(c, deviations)[1]
        return -high, high

    def _points(self, c: float) -> list[tuple[float, float]]:
        moment = self.removing.moment
        if moment is None:
            high = self.removing.reach(0.0, 0.0)[1]
            return points_of(self, -high, high)
        rough = moment.estimate
        sigma, q = rough.sigma, math.exp(rough.log_q)
        high = 1 + c + 10 * sigma
        width = (high - 0.5) / _CELLS
        points, used = [], 0.0
        for i in range(_CELLS):
            x = 0.5 + (i + 0.5) * width
            loss = rough.log_ratio(x)
            second = math.exp(-x * x / (2 * sigma**2)) / (sigma * math.sqrt(2 * math.pi)) * width
            first = second * (1 - q + q * math.exp((2 * x - 1) / (2 * sigma**2)))
            points += [(loss, first), (-loss, second)]
            used += first + second
        return [*points, (0.0, max(1 - used, 1e-12))]


def fixed_size(base: SubsampledLaw) -> FixedSizeLaw:
    """The law for a sample of fixed size with the base and rate of a Poisson step.

    Raises:
        ValueError: for discrete Gaussian noise with an even shift, an atom of which has no loss.
    """
    if isinstance(base.base, DiscreteGaussianLaw) and base.base.n % 2 == 0:
        raise ValueError("discrete Gaussian noise on samples of fixed size: only for an odd Delta")
    moment = base.moment
    if moment is None and isinstance(base.base, GaussianLaw) and base.base.sigma is not None:
        moment = SubsampledMoment(base.q, base.base.sigma, adding=False)
    return FixedSizeLaw(SubsampledLaw(base.base, base.q, adding=False, moment=moment))
