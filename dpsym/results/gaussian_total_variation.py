"""Gaussian noise with epsilon = 0: the smallest delta is the total variation."""

from dpsym.mechanisms.gaussian import gaussian
from dpsym.notation import Delta, P, Phi, Q, hockey_stick, sigma
from dpsym.relations import Relation
from dpsym.statements import Result, Source

gaussian_total_variation = Result(
    id="gaussian_total_variation",
    title="total variation of the Gaussian mechanism",
    states=Relation(hockey_stick(1, P, Q), "=", 2 * Phi(Delta / (2 * sigma)) - 1),
    assume=(
        Delta > 0,
        sigma > 0,
    ),
    outputs=dict(zip((P, Q), gaussian.outputs, strict=True)),
    tight=True,
    source=Source("BW18", "unverified locator"),
)
