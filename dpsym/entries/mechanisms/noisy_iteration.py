"""Contractions with Gaussian noise after each, of which the last iterate alone is released."""

import dataclasses

import sympy as sp

from dpsym.core.distributions import shifted
from dpsym.core.notation import Delta, k, sigma, t
from dpsym.core.relations import IsInteger
from dpsym.entries.mechanisms.gaussian import gaussian, noise
from dpsym.statements import Mechanism, Norm, Source, Trend

distance = Delta * sp.sqrt(k) / sp.sqrt(t)

noisy_iteration = Mechanism(
    id="noisy_iteration",
    title="last iterate of noisy contractions (privacy amplification by iteration)",
    params={sigma: None, t: None, k: sp.Integer(1), Delta: sp.Integer(1)},
    domain=(sigma > 0, t >= 1, IsInteger(t), k >= 1, IsInteger(k), Delta > 0),
    outputs=shifted(noise, distance),
    norm=Norm.L2,
    why_dominating=(
        "Each step applies a map that moves no two points apart (a projection onto a convex set, a step of at most "
        "2/beta against the gradient of a convex, beta-smooth loss) and adds Gaussian noise of standard deviation "
        "sigma; only the last iterate is released. In at most k steps the maps of neighbours differ, by at most Delta "
        "in L2 norm at any point, and from each of them on, its own noise included, at least t noises are added "
        "before the next of them, or the output. A second run with the noise of the first and the neighbour's maps "
        "is moved towards the first one by at most Delta/t in each step, and meets it after t; what is added to it "
        "are the answers of k t Gaussian mechanisms of sensitivity Delta/t, and the output is a function of them "
        "(docs/lemmas.md, Lemma 17). Maps that leave every point where it is have exactly this pair. Where a record is "
        "removed, its step and the noise in it stay."
    ),
    claims=tuple(
        dataclasses.replace(claim, guarantee=claim.guarantee.subs({Delta: distance})) for claim in gaussian.claims
    ),
    infinite=gaussian.infinite,
    source=Source("FMTT18", "Theorem 22", also=Source("BSA24")),
    trends={
        sigma: Trend("more", "noise of a larger scale is that for a smaller sensitivity"),
        t: Trend("more", "more noises than are needed is a special case"),
        k: Trend("less", "taking part less often is a special case"),
    },
)
