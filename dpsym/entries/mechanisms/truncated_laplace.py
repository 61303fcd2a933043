"""Laplace noise of scale b, cut off at distance A from the answer, on a number of sensitivity Delta."""

import sympy as sp

from dpsym.core.distributions import Density, shifted
from dpsym.core.notation import A, Delta, a, b, epsilon, smallest, y
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.fdp import fdp
from dpsym.entries.notions.infinite import InfiniteFrom
from dpsym.statements import Claim, Mechanism, Norm, Source

t = Delta / b
cut = sp.exp(-A / b)
beyond = (sp.exp(t) - 1) / (2 * (sp.exp(A / b) - 1))  # how likely is an output that the neighbour cannot give
level = smallest(epsilon, t)
noise = Density(y, sp.exp(-sp.Abs(y) / b) / (2 * b * (1 - cut)), sp.Interval(-A, A))

truncated_laplace = Mechanism(
    id="truncated_laplace",
    title="truncated Laplace mechanism",
    params={b: None, A: None, Delta: sp.Integer(1)},
    domain=(b > 0, Delta > 0, A > 0, Delta <= A),
    outputs=shifted(noise, Delta),
    norm=Norm.NUMBER,
    why_dominating="The density is log-concave, so every divergence grows with the shift (docs/lemmas.md, Lemma 5).",
    claims=(
        Claim(
            approx(epsilon, (1 - sp.exp((level - t) / 2) + cut * (sp.exp(level) - 1) / 2) / (1 - cut)),
            Source("GDGK20", "for epsilon >= Delta/b"),
            tight=True,
            complete=True,
        ),
        Claim(
            fdp(
                sp.Piecewise(
                    (1 - beyond - sp.exp(t) * a, a <= (sp.exp(-t) - cut) / (2 * (1 - cut))),
                    (
                        (sp.exp(-t) / (2 * a * (1 - cut) + cut) - cut) / (2 * (1 - cut)),
                        a <= sp.Rational(1, 2),
                    ),
                    (sp.exp(-t) * (1 - beyond - a), a <= 1 - beyond),
                    (0, True),
                )
            ),
            Source("dpsym", "likelihood-ratio test"),
            tight=True,
            complete=True,
        ),
    ),
    source=Source("GDGK20"),
    infinite=InfiniteFrom(sp.S.One, "with positive probability the output is one that the neighbour cannot give"),
)
