"""Discrete Gaussian noise, mass proportional to exp(-n^2/(2 sigma^2)), on an integer of sensitivity Delta."""

import sympy as sp

from dpsym.core.distributions import Pmf, shifted
from dpsym.core.notation import Delta, alpha, epsilon, n, sigma
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.infinite import InfiniteFrom
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Claim, Mechanism, Norm, Source

i = sp.Symbol("i")


def theta(centre: sp.Expr, first: sp.Expr = -sp.oo) -> sp.Expr:
    """The sum of exp(-(n - centre)^2/(2 sigma^2)) over the integers from `first` on."""
    return sp.Sum(sp.exp(-((i - centre) ** 2) / (2 * sigma**2)), (i, first, sp.oo))


total = theta(sp.S.Zero)
noise = Pmf(n, sp.exp(-(n**2) / (2 * sigma**2)) / total)
first = sp.floor((Delta**2 + 2 * epsilon * sigma**2) / (2 * Delta)) + 1  # the first n with p(n) > exp(epsilon) q(n)

discrete_gaussian = Mechanism(
    id="discrete_gaussian",
    title="discrete Gaussian mechanism",
    params={sigma: None, Delta: sp.Integer(1)},
    domain=(sigma > 0, Delta >= 1, IsInteger(Delta)),
    outputs=shifted(noise, Delta),
    norm=Norm.ONE_INTEGER,
    why_dominating=(
        "The masses are log-concave, so every divergence grows with the shift (docs/lemmas.md, Lemma 5). The zCDP "
        "claim also holds for vectors of integers with independent noise, Delta their L2 distance, for Rényi "
        "divergences add up; the other claims are about one integer."
    ),
    claims=(
        Claim(zcdp(Delta**2 / (2 * sigma**2)), Source("CKS20", "Theorem 4", verified=True), tight=True),
        Claim(
            rdp(
                alpha,
                alpha * Delta**2 / (2 * sigma**2) + sp.log(theta(alpha * Delta) / total) / (alpha - 1),
            ),
            Source("dpsym", "docs/lemmas.md, Lemma 9"),
            tight=True,
        ),
        Claim(
            approx(epsilon, (theta(sp.S.Zero, first - Delta) - sp.exp(epsilon) * theta(sp.S.Zero, first)) / total),
            Source("CKS20", "Theorem 7", verified=True),
            tight=True,
            complete=True,
        ),
    ),
    source=Source("CKS20", "Definition 1", verified=True),
    infinite=InfiniteFrom(sp.oo, "the privacy loss is linear in the output"),
)
