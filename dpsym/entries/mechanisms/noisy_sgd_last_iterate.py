"""One pass of noisy gradient descent, a record a step, of which the last iterate alone is released."""

import dataclasses

import sympy as sp

from dpsym.core.distributions import shifted
from dpsym.core.notation import Delta, L, beta, eta, sigma, t
from dpsym.core.relations import IsInteger
from dpsym.entries.mechanisms.gaussian import gaussian, noise
from dpsym.statements import Adjacency, Mechanism, Norm, Source, Trend

distance = 2 * L / sp.sqrt(t)  # in units of the step, as the noise is

noisy_sgd_last_iterate = Mechanism(
    id="noisy_sgd_last_iterate",
    title="last iterate of one pass of noisy gradient descent (privacy amplification by iteration)",
    params={sigma: None, t: None, eta: None, beta: None, L: sp.Integer(1)},
    domain=(sigma > 0, t >= 1, IsInteger(t), eta > 0, beta > 0, eta * beta <= 2, L > 0),
    outputs=shifted(noise, distance),
    norm=Norm.NONE,
    adjacency=Adjacency.REPLACE,
    why_dominating=(
        "Each step uses one record, each record is used once: x becomes the projection of x - eta (g + z) onto a "
        "convex set (or nothing is projected), g the gradient at x of the record's loss, z Gaussian noise of standard "
        "deviation sigma in each coordinate; only the last x is released. Every loss is convex, beta-smooth and "
        "L-Lipschitz, so that with eta beta <= 2 a step moves no two points apart, and replacing a record moves its "
        "step by at most 2 eta L in L2 norm. From its step to the last one, both included, t are made: n - j + 1 for "
        "record j of n, and 1 for the last one, for which nothing is gained. This is noisy_iteration with noise "
        "eta sigma and Delta = 2 eta L (docs/lemmas.md, Lemma 17), where eta cancels. The first record of t, with "
        "linear losses of slope L, then -L, and all others constant, has exactly this pair. A record whose gradient is "
        "left out, with its step and noise staying, moves it by eta L: noisy_iteration."
    ),
    claims=tuple(
        dataclasses.replace(claim, guarantee=claim.guarantee.subs({Delta: distance})) for claim in gaussian.claims
    ),
    infinite=gaussian.infinite,
    source=Source("FMTT18", also=Source("BSA24")),
    trends={
        sigma: Trend("more", "noise of a larger scale is that for a smaller sensitivity"),
        t: Trend("more", "further steps are post-processing of what was there before them"),
        L: Trend("less", "a smaller slope is a special case"),
        beta: Trend("less", "a smoother loss is a special case"),
    },
)
