"""Theorems from f-DP and Gaussian DP, with the textbook's Gaussian mechanism as a corollary."""

import sympy as sp

from dpsym.core.notation import Maximum, Phi, Phi_inv, a, delta, epsilon, f, mu
from dpsym.core.relations import Relation
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.fdp import fdp
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Source, Theorem

# The privacy profile of f-DP: delta(epsilon) = 1 + f*(-e^epsilon), with f* the convex conjugate.
#
# True for every f; best possible where f is symmetric, as the trade-off function of a mechanism is when it is
# taken over both orders of each pair of neighbours.
fdp_to_approx = Theorem(
    id="fdp_to_approx",
    title="f-DP implies approximate DP (the dual)",
    premises=(fdp(f),),
    conclusion=approx(epsilon, Maximum(sp.Lambda(a, 1 - sp.exp(epsilon) * a - f(a)), sp.Interval.open(0, 1))),
    chooses=(epsilon,),
    exact=True,
    lossless=True,
    source=Source("DRS22", "Proposition 2.12"),
)


# A trade-off function of at least 1 - a: no test does better than guessing, so the outputs are equally distributed.
fdp_to_pure_zero = Theorem(
    id="fdp_to_pure_zero",
    title="f-DP at 1 - a is perfect privacy",
    premises=(fdp(1 - a),),
    conclusion=pure(0),
    exact=True,
    lossless=True,
    source=Source("DRS22", "Section 2.1"),
)


# The trade-off function of GDP, from the likelihood-ratio test of two unit-variance Gaussians.
gdp_to_fdp = Theorem(
    id="gdp_to_fdp",
    title="GDP is f-DP",
    premises=(gdp(mu),),
    conclusion=fdp(Phi(Phi_inv(1 - a) - mu)),
    exact=True,
    lossless=True,
    source=Source("DRS22", "Definition 2.6"),
)


# The privacy profile of GDP; with mu the sensitivity over sigma, that of the Gaussian mechanism.
gdp_to_approx = Theorem(
    id="gdp_to_approx",
    title="GDP implies approximate DP",
    premises=(gdp(mu),),
    conclusion=approx(epsilon, Phi(mu / 2 - epsilon / mu) - sp.exp(epsilon) * Phi(-mu / 2 - epsilon / mu)),
    assume=(mu > 0,),
    chooses=(epsilon,),
    exact=True,
    lossless=True,
    source=Source("DRS22", "Corollary 2.13"),
)


# GDP as zCDP: the Gaussian pair has Rényi divergence alpha mu^2/2.
gdp_to_zcdp = Theorem(
    id="gdp_to_zcdp",
    title="GDP implies zCDP",
    premises=(gdp(mu),),
    conclusion=zcdp(mu**2 / 2),
    exact=True,
    source=Source("DRS22"),
)


# The textbook Gaussian, sigma = Delta sqrt(2 log(1.25/delta))/epsilon, mu = Delta/sigma, for epsilon <= 1.
#
# The source has epsilon in (0, 1); the end is a limit.  docs/decisions/0009 has a proof, and says how far
# beyond 1 the bound stays true.
classical_gaussian = Theorem(
    id="classical_gaussian",
    title="the classical Gaussian mechanism, constant 1.25",
    premises=(gdp(mu),),
    conclusion=approx(mu * sp.sqrt(2 * sp.log(sp.Rational(5, 4) / delta)), delta),
    assume=(
        delta > 0,
        delta < 1,
        Relation(mu * sp.sqrt(2 * sp.log(sp.Rational(5, 4) / delta)), "<=", 1),
    ),
    chooses=(delta,),
    source=Source("DR14", "Theorem A.1", verified=True),
)


# The Gaussian with the larger constant, sigma = Delta sqrt(2 log(2/delta))/epsilon, for epsilon <= 1.
#
# docs/decisions/0009 has a proof, up to epsilon = 4 log 2.
classical_gaussian_two = Theorem(
    id="classical_gaussian_two",
    title="the classical Gaussian mechanism, constant 2",
    premises=(gdp(mu),),
    conclusion=approx(mu * sp.sqrt(2 * sp.log(2 / delta)), delta),
    assume=(
        delta > 0,
        delta < 1,
        Relation(mu * sp.sqrt(2 * sp.log(2 / delta)), "<=", 1),
    ),
    chooses=(delta,),
    source=Source("DKMMN06"),
)
