"""Samples of fixed size, drawn without replacement, one record being replaced.

For a step with the symmetric pair (P, Q) under replacement and the rate g, the sampled step has at u >= 1 a
hockey-stick divergence of at most H_u((1 - g) Q + g P, Q), and of at most u H_{1/u} + 1 - u of the same below 1
[ZDW22, Theorem 11 (unverified locator)].  The pair whose profile this is has the positive losses of "removing" from
a Poisson sample, their mirror image, and an atom at 0 (docs/accounting-bounds.md).  One step attains it; whether
compositions do is not known, so it gives upper bounds only.
"""

from __future__ import annotations

from dpsym.accounting.loss_distributions.discrete_gaussian import DiscreteGaussianLaw
from dpsym.accounting.loss_distributions.integer_noise import IntegerNoiseLaw
from dpsym.accounting.loss_distributions.lattice import SubsampledLaw
from dpsym.accounting.loss_distributions.symmetric_density import SymmetricLaw
from dpsym.accounting.loss_distributions.symmetrised import MirroredLaw
from dpsym.accounting.loss_distributions.together import JointLaw


def fixed_size(base: SubsampledLaw) -> MirroredLaw:
    """The law for a sample of fixed size with the base and rate of a Poisson step.

    Raises:
        ValueError: for noise on the integers of which one outcome has no loss (as for discrete Gaussian noise with an
            even shift).
    """
    inner = base.base.rest if isinstance(base.base, JointLaw) else base.base
    if (isinstance(inner, DiscreteGaussianLaw) and inner.n % 2 == 0) or (
        isinstance(inner, IntegerNoiseLaw) and inner.has_outcome_without_loss
    ):
        raise ValueError(f"one outcome of {inner} has no loss: on samples of fixed size only without (for odd Delta)")
    if isinstance(inner, SymmetricLaw) and not inner.falls:
        raise ValueError(f"it is not shown of {inner} that almost every outcome loses something")
    return MirroredLaw(SubsampledLaw(base.base, base.q, adding=False))
