"""Laplace noise of scale b on a statistic of L1 sensitivity Delta."""

from collections.abc import Iterator

import sympy as sp

from dpsym.core.distributions import Density, shifted
from dpsym.core.notation import Delta, Phi_inv, a, alpha, b, epsilon, largest, y
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.fdp import fdp
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Claim, Guarantee, Mechanism, Norm, Source, Tail, Trend
from dpsym.statements.on_data import Arguments

t = Delta / b


def above(args: Arguments, least: sp.Expr) -> sp.Expr:
    """How likely the noise is at least that."""
    return (sp.exp(-sp.Max(least, 0) / args[b]) + 1 - sp.exp(-sp.Max(-least, 0) / args[b])) / 2


def edges(args: Arguments, guarantee: Guarantee) -> Iterator[sp.Expr]:
    """Beyond these the ratio of densities is as large as it gets, or larger than what is claimed."""
    yield args[Delta]
    loss = sp.Integer(0) if guarantee.definition is gdp else guarantee.args[0]
    yield (args[Delta] + args[b] * loss) / 2


noise = Density(y, sp.exp(-sp.Abs(y) / b) / (2 * b))

laplace = Mechanism(
    id="laplace",
    title="Laplace mechanism",
    params={b: None, Delta: sp.Integer(1)},
    domain=(b > 0, Delta > 0),
    outputs=shifted(noise, Delta),
    norm=Norm.L1,
    tail=Tail(b, 1, above, edges),
    why_dominating=(
        "For one number every divergence grows with the shift. For a vector, two independent coordinates "
        "shifted by s and t have at every epsilon a hockey-stick divergence no larger than one coordinate "
        "shifted by s + t (docs/lemmas.md, Lemma 3), so merging coordinates one after the other leaves one "
        "number shifted by the L1 distance; by Blackwell's theorem that bounds every other divergence too."
    ),
    claims=(
        Claim(pure(t), Source("DMNS06", "Proposition 1"), tight=True),
        Claim(
            rdp(
                alpha,
                sp.log(
                    alpha / (2 * alpha - 1) * sp.exp((alpha - 1) * t)
                    + (alpha - 1) / (2 * alpha - 1) * sp.exp(-alpha * t)
                )
                / (alpha - 1),
            ),
            Source("Mir17", "Proposition 6", verified=True),
            tight=True,
        ),
        Claim(zcdp(t + sp.exp(-t) - 1), Source("dpsym", "docs/lemmas.md, Lemma 1"), tight=True),
        Claim(gdp(-2 * Phi_inv(sp.exp(-t / 2) / 2)), Source("dpsym", "docs/lemmas.md, Lemma 2"), tight=True),
        Claim(
            approx(epsilon, largest(0, 1 - sp.exp((epsilon - t) / 2))),
            Source("BBG20"),
            tight=True,
            complete=True,
        ),
        Claim(
            fdp(
                sp.Piecewise(
                    (1 - sp.exp(t) * a, a <= sp.exp(-t) / 2),
                    (sp.exp(-t) / (4 * a), a <= sp.Rational(1, 2)),
                    (sp.exp(-t) * (1 - a), True),
                )
            ),
            Source("DRS22"),
            tight=True,
            complete=True,
        ),
    ),
    source=Source("DMNS06", "Proposition 1"),
    trends={
        b: Trend("more", "noise of a larger scale is that for a smaller sensitivity"),
    },
)
