"""Contractions by a factor with Gaussian noise after each, of which the last iterate alone is released."""

import dataclasses

import sympy as sp

from dpsym.core.distributions import shifted
from dpsym.core.notation import Delta, b, c, i, k, sigma
from dpsym.core.relations import IsInteger
from dpsym.entries.mechanisms.gaussian import gaussian, noise
from dpsym.statements import Mechanism, Norm, Source, Trend

apart = sp.Sum(c ** (b * i + b - 1), (i, 0, k - 1))  # what the k differences have become at the end
spread = sp.Sum(c ** (2 * i), (i, 0, b * k - 1))  # what the variances of the noises have become there
distance = Delta * apart / sp.sqrt(spread)

noisy_contraction = Mechanism(
    id="noisy_contraction",
    title="last iterate of noisy contractions by a factor (privacy amplification by iteration)",
    params={sigma: None, c: None, k: None, b: sp.Integer(1), Delta: sp.Integer(1)},
    domain=(
        sigma > 0,
        c > 0,
        c < 1,
        k >= 1,
        IsInteger(k),
        b >= 1,
        IsInteger(b),
        Delta > 0,
    ),
    outputs=shifted(noise, distance),
    norm=Norm.L2,
    why_dominating=(
        "Each step applies a map that brings any two points nearer, to at most c times their distance (a step eta "
        "against the gradient of an m-strongly convex, beta-smooth loss does, with c = max(|1 - eta m|, |1 - eta "
        "beta|)), and adds Gaussian noise of standard deviation sigma; only the last iterate is released. In at most k "
        "steps the maps of neighbours differ, by at most Delta in L2 norm at any point, and from each of them on, its "
        "own noise included, at least b noises are added before the next of them, or the output: b = 1 where all "
        "records are used in all k steps. A second run with the noise of the first and the neighbour's maps is moved "
        "towards the first one in each step, by shares that grow by 1/c from step to step, and meets it at the last; "
        "what is added to it are the answers of Gaussian mechanisms, and the output is a function of them "
        "(docs/lemmas.md, Lemma 17). Multiplication by c has exactly this pair. Where a record is removed, its steps "
        "and the noise in them stay."
    ),
    claims=tuple(
        dataclasses.replace(claim, guarantee=claim.guarantee.subs({Delta: distance})) for claim in gaussian.claims
    ),
    infinite=gaussian.infinite,
    source=Source("BSA24", also=Source("FMTT18", "Theorem 22")),
    trends={
        sigma: Trend("more", "noise of a larger scale is that for a smaller sensitivity"),
        c: Trend("less", "a map that brings points nearer is one that brings them less near"),
        k: Trend("less", "taking part less often is a special case"),
        b: Trend("more", "more noises than are needed is a special case"),
    },
)
