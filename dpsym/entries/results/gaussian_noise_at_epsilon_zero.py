"""The standard deviation that Gaussian noise needs for (0, delta)-DP; no smaller one is enough."""

from dpsym.core.distributions import shifted
from dpsym.core.notation import Delta, P, Phi_inv, Q, delta, hockey_stick, sigma
from dpsym.core.relations import Relation
from dpsym.entries.mechanisms.gaussian import noise as gaussian_noise
from dpsym.statements import Result, Source

needed = {sigma: Delta / (2 * Phi_inv((1 + delta) / 2))}

gaussian_noise_at_epsilon_zero = Result(
    id="gaussian_noise_at_epsilon_zero",
    title="Gaussian noise for epsilon = 0",
    states=Relation(hockey_stick(1, P, Q), "=", delta),
    assume=(
        Delta > 0,
        delta > 0,
        delta < 1,
    ),
    outputs={name: output.subs(needed) for name, output in zip((P, Q), shifted(gaussian_noise, Delta), strict=True)},
    tight=True,
    source=Source("BW18", "unverified locator"),
)
