"""PrivUnit: a unit vector near the true one with probability p, in a cap whose share of the sphere is c."""

import sympy as sp

from dpsym.core.distributions import Finite
from dpsym.core.notation import Phi_inv, a, alpha, c, epsilon, largest, p
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.fdp import fdp
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.statements import Adjacency, Claim, LooksAt, Mechanism, Norm, Source, Trend

outside = (1 - p) / (1 - c)  # the density outside of the cap, beside that of a uniform vector
wrong, neither = c * outside, (1 - 2 * c) * outside
ratio = p * (1 - c) / (c * (1 - p))

privunit = Mechanism(
    id="privunit",
    title="PrivUnit, a direction in a cap of the sphere",
    params={p: None, c: None},
    domain=(c > 0, c < sp.Rational(1, 2), p > c, p < 1),
    outputs=(Finite((p, wrong, neither)), Finite((wrong, p, neither))),
    norm=Norm.NONE,
    looks_at=LooksAt.RECORDS,
    adjacency=Adjacency.REPLACE,
    why_dominating=(
        "The input is a unit vector u in two dimensions or more. With probability p the output is uniform among the "
        "unit vectors v with <u, v> >= t, 0 < t < 1, and else uniform among the others; c is the probability "
        "that a uniform v is in the cap (result privunit_cap). Vectors in both caps of two inputs, or in neither, are "
        "equally likely for both. The others are told apart by one ratio, and there are the most of them if the caps "
        "have no more than their rim in common, as those of opposite inputs have: every divergence at a level "
        "u >= 1 is proportional to how many there are. So two opposite inputs stand for all. Scaling the output to "
        "have the input for its mean is post-processing. (At t = 0, c = 1/2, it is randomized response.)"
    ),
    claims=(
        Claim(pure(sp.log(ratio)), Source("BDFKR18"), tight=True),
        Claim(
            rdp(
                alpha,
                sp.log(p**alpha * wrong ** (1 - alpha) + wrong**alpha * p ** (1 - alpha) + neither) / (alpha - 1),
            ),
            Source("dpsym", "sum over the outcomes"),
            tight=True,
        ),
        Claim(gdp(Phi_inv(p) - Phi_inv(wrong)), Source("dpsym", "docs/lemmas.md, Lemma 2"), tight=True),
        Claim(
            approx(epsilon, largest(0, p - sp.exp(epsilon) * wrong)),
            Source("dpsym", "sum over the outcomes"),
            tight=True,
            complete=True,
        ),
        Claim(
            fdp(largest(1 - ratio * a, 1 - p + wrong - a, (1 - a) / ratio)),
            Source("dpsym", "likelihood-ratio test"),
            tight=True,
            complete=True,
        ),
    ),
    source=Source("BDFKR18", also=Source("AFT22")),
    trends={p: Trend("less", "replacing some of the outputs by uniform vectors makes p less")},
)
