"""Two-sided geometric noise (discrete Laplace), mass proportional to exp(-|n|/b), on integer answers."""

from collections.abc import Iterator

import sympy as sp

from dpsym.core.distributions import Pmf, shifted
from dpsym.core.notation import Delta, Phi_inv, a, alpha, b, epsilon, n
from dpsym.core.relations import IsInteger
from dpsym.entries.mechanisms import laplace
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.fdp import fdp
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Claim, Guarantee, Mechanism, Norm, Source, Tail, Trend
from dpsym.statements.on_data import Arguments

r = sp.exp(-1 / b)  # the ratio of two successive masses
noise = Pmf(n, (1 - r) / (1 + r) * sp.exp(-sp.Abs(n) / b))

middle = sp.floor((Delta + 1) / 2)  # of the kinks of the trade-off function, the one nearest its fixed point
first = sp.floor((Delta + b * epsilon) / 2) + 1  # the first n with p(n) > exp(epsilon) q(n), up to Delta
step = sp.ceiling(b * sp.log((1 + r) * a))  # the outcome Delta + step is where the test at level a is randomised


def above(args: Arguments, least: sp.Expr) -> sp.Expr:
    """How likely the noise is at least that integer."""
    q = r.subs(b, args[b])
    return (q ** sp.Max(least, 0) + q * (1 - q ** sp.Max(-least, 0))) / (1 + q)


def edges(args: Arguments, guarantee: Guarantee) -> Iterator[sp.Expr]:
    """The integers from those of Laplace noise on."""
    yield from map(sp.ceiling, laplace.edges(args, guarantee))


geometric = Mechanism(
    id="geometric",
    title="geometric mechanism (discrete Laplace)",
    params={b: None, Delta: sp.Integer(1)},
    domain=(b > 0, Delta >= 1, IsInteger(Delta)),
    outputs=shifted(noise, Delta),
    norm=Norm.INTEGER,
    tail=Tail(b, 1, above, edges),
    why_dominating=(
        "For one integer every divergence grows with the shift. For a vector, two independent coordinates "
        "shifted by s and t have at every epsilon a hockey-stick divergence no larger than one coordinate "
        "shifted by s + t (docs/lemmas.md, Lemma 3), so merging coordinates one after the other leaves one "
        "integer shifted by the L1 distance; by Blackwell's theorem that bounds every other divergence too."
    ),
    claims=(
        Claim(pure(Delta / b), Source("GRS09"), tight=True),
        Claim(
            rdp(
                alpha,
                sp.log(
                    sp.exp(-Delta / (2 * b))
                    * (
                        sp.sinh((2 * alpha - 1) * (Delta + 1) / (2 * b))
                        - r * sp.sinh((2 * alpha - 1) * (Delta - 1) / (2 * b))
                    )
                    / ((1 + r) * sp.sinh((2 * alpha - 1) / (2 * b)))
                )
                / (alpha - 1),
            ),
            Source("dpsym", "geometric sums"),
            tight=True,
        ),
        Claim(
            zcdp((Delta - (1 - sp.exp(-Delta / b)) / sp.sinh(1 / b)) / b),
            Source("dpsym", "docs/lemmas.md, Lemma 1"),
            tight=True,
        ),
        Claim(
            gdp(-Phi_inv(sp.exp(-middle / b) / (1 + r)) - Phi_inv(sp.exp((middle - Delta - 1) / b) / (1 + r))),
            Source("dpsym", "docs/lemmas.md, Lemma 2"),
            tight=True,
        ),
        Claim(
            approx(
                epsilon,
                sp.Piecewise(
                    (
                        1 - (sp.exp((first - Delta - 1) / b) + sp.exp(epsilon - first / b)) / (1 + r),
                        epsilon < Delta / b,
                    ),
                    (0, True),
                ),
            ),
            Source("GDPL"),
            tight=True,
            complete=True,
        ),
        Claim(
            fdp(
                sp.Piecewise(
                    (1 - sp.exp(Delta / b) * a, a <= sp.exp(-Delta / b) / (1 + r)),
                    (sp.exp(-(Delta + step) / b) - sp.exp(-(Delta + 2 * step) / b) * a, a <= 1 / (1 + r)),
                    (sp.exp(-Delta / b) * (1 - a), True),
                )
            ),
            Source("dpsym", "likelihood-ratio test"),
            tight=True,
            complete=True,
            assume=(a > 0,),
        ),
    ),
    source=Source("GRS09"),
    trends={
        b: Trend("more", "noise of a larger scale is that of a smaller one and independent noise besides"),
    },
)
