"""Gaussian noise with epsilon = 0: the smallest delta is the total variation."""

from dpsym.core.distributions import shifted
from dpsym.core.notation import Delta, P, Phi, Q, hockey_stick, sigma
from dpsym.core.relations import Relation
from dpsym.entries.mechanisms.gaussian import noise as gaussian_noise
from dpsym.statements import Result, Source

gaussian_total_variation = Result(
    id="gaussian_total_variation",
    title="total variation of the Gaussian mechanism",
    states=Relation(hockey_stick(1, P, Q), "=", 2 * Phi(Delta / (2 * sigma)) - 1),
    assume=(
        Delta > 0,
        sigma > 0,
    ),
    outputs=dict(zip((P, Q), shifted(gaussian_noise, Delta), strict=True)),
    tight=True,
    source=Source("BW18", "unverified locator"),
)
