"""Gaussian noise of standard deviation sigma on a statistic of L2 sensitivity Delta."""

from collections.abc import Iterator

import sympy as sp

from dpsym.core.distributions import Density, shifted
from dpsym.core.notation import Delta, Phi, Phi_inv, a, alpha, epsilon, sigma, y
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.fdp import fdp
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.infinite import InfiniteFrom
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Claim, Guarantee, Mechanism, Norm, Source, Tail, Trend
from dpsym.statements.on_data import Arguments

noise = Density(y, sp.exp(-(y**2) / (2 * sigma**2)) / (sigma * sp.sqrt(2 * sp.pi)))


def above(args: Arguments, least: sp.Expr) -> sp.Expr:
    """How likely the noise is at least that."""
    return Phi(-least / args[sigma])


def edges(args: Arguments, guarantee: Guarantee) -> Iterator[sp.Expr]:
    """Where the ratio of densities is what is claimed; for Gaussian DP, halfway."""
    loss = sp.Integer(0) if guarantee.definition is gdp else guarantee.args[0]
    yield loss * args[sigma] ** 2 / args[Delta] + args[Delta] / 2


gaussian = Mechanism(
    id="gaussian",
    title="Gaussian mechanism",
    params={sigma: None, Delta: sp.Integer(1)},
    domain=(sigma > 0, Delta > 0),
    outputs=shifted(noise, Delta),
    additive=True,
    norm=Norm.L2,
    tail=Tail(sigma, 2, above, edges),
    why_dominating=(
        "A rotation, which isotropic noise does not feel, lays the difference of two answers along one axis; "
        "the other coordinates are then alike and independent, so the pair is that of one number shifted by "
        "the L2 distance. Every divergence grows with the shift, so the largest one stands for all."
    ),
    claims=(
        Claim(zcdp(Delta**2 / (2 * sigma**2)), Source("BS16", "Proposition 1.6", verified=True), tight=True),
        Claim(
            rdp(alpha, alpha * Delta**2 / (2 * sigma**2)), Source("Mir17", "Proposition 7", verified=True), tight=True
        ),
        Claim(gdp(Delta / sigma), Source("DRS22", "Theorem 1"), tight=True, complete=True),
        Claim(
            fdp(Phi(Phi_inv(1 - a) - Delta / sigma)),
            Source("DRS22", "Section 2"),
            tight=True,
            complete=True,
            assume=(a > 0, a < 1),
        ),
        Claim(
            approx(
                epsilon,
                Phi(Delta / (2 * sigma) - epsilon * sigma / Delta)
                - sp.exp(epsilon) * Phi(-Delta / (2 * sigma) - epsilon * sigma / Delta),
            ),
            Source("BW18", "Theorem 8", verified=True),
            tight=True,
            complete=True,
        ),
    ),
    source=Source("DKMMN06"),
    infinite=InfiniteFrom(sp.oo, "the privacy loss is linear in the output"),
    trends={
        sigma: Trend("more", "noise of a larger scale is that for a smaller sensitivity"),
    },
)
