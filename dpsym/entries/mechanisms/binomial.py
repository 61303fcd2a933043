"""Centred binomial noise of N fair coins on an integer of sensitivity Delta."""

import sympy as sp

from dpsym.core.distributions import Pmf, shifted
from dpsym.core.notation import Delta, N, epsilon, largest, n
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.infinite import InfiniteFrom
from dpsym.statements import Claim, Mechanism, Norm, Source, Trend

noise = Pmf(n, sp.binomial(N, n) / 2**N, sp.S.Zero, N)  # centring moves both outputs alike, and is left out
j = sp.Symbol("j")
excess = largest(0, sp.binomial(N, j - Delta) - sp.exp(epsilon) * sp.binomial(N, j))

binomial = Mechanism(
    id="binomial",
    title="binomial mechanism with fair coins",
    params={N: None, Delta: sp.Integer(1)},
    domain=(Delta <= N, Delta >= 1, IsInteger(N), IsInteger(Delta)),
    outputs=shifted(noise, Delta),
    norm=Norm.ONE_INTEGER,
    why_dominating="The masses are log-concave, so every divergence grows with the shift (docs/lemmas.md, Lemma 5).",
    claims=(
        Claim(
            approx(epsilon, sp.Sum(excess, (j, Delta, N + Delta)) / 2**N),
            Source("dpsym", "the definition"),
            tight=True,
            complete=True,
        ),
    ),
    source=Source("ASYKM18"),
    infinite=InfiniteFrom(sp.S.One, "with positive probability the output is one that the neighbour cannot give"),
    trends={
        N: Trend("more", "more coins are fewer coins and independent ones besides"),
    },
)
