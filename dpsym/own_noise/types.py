"""A mechanism that a user brought, with what was seen of its noise and what the engine had no closed form for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import sympy as sp

from dpsym.core.distributions import Density, Pmf
from dpsym.own_noise.normalised import Seen
from dpsym.statements import Mechanism


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class OwnNoise(Mechanism):
    """Additive noise of a distribution that was written down.

    It has `outputs` only where no smaller shift is shown to be worse than the largest, and then claims about these;
    otherwise what it claims is about all shifts up to the largest, and its pairs of outputs are `instances`.

    Attributes:
        noise: the distribution of the noise.
        shift: by how much the answer differs between neighbours.
        seen: how it is known to be a distribution.
        lacking: of each definition without a claim, why: "infinite", or what the engine has no rule for.
        finite_below: the order above which the Rényi divergence is infinite, where there is one.
    """

    noise: Density | Pmf
    shift: sp.Expr
    seen: Seen
    lacking: Mapping[str, str]
    finite_below: sp.Expr | None = None

    def __hash__(self) -> int:
        return hash(self.id)
