"""Skellam noise, the difference of two Poisson counts, of variance mu, on an integer of sensitivity Delta."""

import sympy as sp

from dpsym.core.distributions import Pmf, shifted
from dpsym.core.notation import Delta, alpha, besseli, epsilon, largest, mu, n, smallest
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.infinite import InfiniteFrom
from dpsym.entries.notions.rdp import rdp
from dpsym.statements import Claim, Mechanism, Norm, Source, Trend

noise = Pmf(n, sp.exp(-mu) * besseli(n, mu))
i = sp.Symbol("i")
excess = largest(0, besseli(i - Delta, mu) - sp.exp(epsilon) * besseli(i, mu))


def between_integers(slope: sp.Expr) -> sp.Expr:
    """What the order costs that is no integer: (alpha - 1) D_alpha is convex, here of this slope at integers."""
    part = alpha - sp.floor(alpha)
    return slope * part * (1 - part) / (alpha - 1)


coarse = Delta**2 / (2 * mu)  # the slope in alpha of the coarser of the two bounds, and of the finer one
fine = Delta**2 / (2 * mu) + Delta**2 / (2 * mu**2)

skellam = Mechanism(
    id="skellam",
    title="Skellam mechanism",
    params={mu: None, Delta: sp.Integer(1)},
    domain=(mu > 0, Delta >= 1, IsInteger(Delta)),
    outputs=shifted(noise, Delta),
    norm=Norm.ONE_INTEGER,
    why_dominating="The masses are log-concave, so every divergence grows with the shift (docs/lemmas.md, Lemma 5).",
    claims=(
        Claim(
            rdp(
                alpha,
                smallest(
                    coarse * alpha + 3 * Delta / (2 * mu) + between_integers(coarse),
                    fine * alpha + (6 * Delta - Delta**2) / (4 * mu**2) + between_integers(fine),
                ),
            ),
            Source("AKL21", "Theorem 3.5 at integer orders; docs/lemmas.md, Lemma 13, between"),
        ),
        Claim(
            approx(epsilon, sp.exp(-mu) * sp.Sum(excess, (i, sp.ceiling(Delta / 2), sp.oo))),
            Source("dpsym", "the definition"),
            tight=True,
            complete=True,
        ),
    ),
    source=Source("AKL21"),
    infinite=InfiniteFrom(sp.oo, "the privacy loss grows without bound, as the logarithm of the output"),
    trends={
        mu: Trend("more", "noise of a larger variance is that of a smaller one and independent noise besides"),
    },
)
