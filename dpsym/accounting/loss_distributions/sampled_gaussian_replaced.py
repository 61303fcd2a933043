"""The privacy loss of Gaussian noise on a Poisson sample, one record being replaced.

Each record has a contribution of norm at most Delta, which is the sensitivity to adding or removing one.  Of all
records of the two neighbours that differ, contributions of norm Delta in opposite directions are the worst, at every
epsilon and in any dimension: (1 - q) N(0, s^2) + q N(Delta, s^2) against (1 - q) N(0, s^2) + q N(-Delta, s^2)
(docs/accounting-bounds.md, 5).  A reflection exchanges the two.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, fmpq

from dpsym.accounting.loss_distributions.lattice import Edge, GaussianLaw, Law, normal


def replaced(base: GaussianLaw, q: fmpq) -> ReplacedLaw | GaussianLaw:
    """The law of a Poisson step, with that of a record added or removed without sampling, and the rate, 0 < q <= 1."""
    found = ReplacedLaw(base.mu_squared, q)
    return found.base if q == 1 else found


@dataclass(frozen=True, slots=True)
class ReplacedLaw(Law):
    """The loss of (1-q) N(0, 1) + q N(mu, 1) against (1-q) N(0, 1) + q N(-mu, 1), 0 < q < 1, mu^2 rational.

    It is odd and increasing in the outcome x: L(x) = l where mu x = l/2 + asinh(k sinh(l/2)), k = (1-q) e^(mu^2/2)/q.
    """

    mu_squared: fmpq
    q: fmpq

    @property
    def base(self) -> GaussianLaw:
        """That of the step without sampling, which is not smaller."""
        return GaussianLaw(4 * self.mu_squared)

    def edge(self, loss: arb | fmpq) -> Edge:
        """See `Law`."""
        mu, half = arb(self.mu_squared).sqrt(), arb(loss) / 2
        k = (1 - self.q) / self.q * (arb(self.mu_squared) / 2).exp()
        x = (half + (k * half.sinh()).asinh()) / mu
        (below, above), (first_below, first_above), (second_below, second_above) = map(normal, (x, x - mu, x + mu))
        rest = 1 - self.q
        return Edge(
            rest * below + self.q * first_below,
            rest * above + self.q * first_above,
            rest * below + self.q * second_below,
            rest * above + self.q * second_above,
        )
