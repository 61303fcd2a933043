"""Permute-and-flip: in random order, each answer r is taken with probability exp(epsilon (u(r) - max u)/(2 Delta))."""

import sympy as sp

from dpsym.core.distributions import Finite
from dpsym.core.notation import epsilon, x
from dpsym.entries.choices import flipped
from dpsym.entries.notions.pure import pure
from dpsym.statements import Claim, Instance, Mechanism, Norm, Source, Trend

first, second = x / 2, x * sp.exp(-epsilon) / 2  # how likely the answer with the smaller score is

permute_and_flip = Mechanism(
    id="permute_and_flip",
    title="permute-and-flip",
    params={epsilon: None},
    domain=(epsilon > 0,),
    outputs=None,
    description=(
        "It goes through the answers in random order and stops at r with probability exp(epsilon (u(r) - u*)/(2 "
        "Delta)), u* the largest score; scores of sensitivity Delta. Its answers are distributed like those of "
        "report-noisy-max with exponential noise of scale 2 Delta/epsilon. Its expected score is never below "
        "that of the exponential mechanism, whose bounded range it does not share."
    ),
    instances=(
        Instance(
            outputs=(Finite((first, 1 - first)), Finite((second, 1 - second))),
            what="two answers, the gap between whose scores grows by 2 Delta",
            over=(x > 0, x <= 1),
        ),
    ),
    norm=Norm.SCORES,
    choice=flipped,
    claims=(Claim(pure(epsilon), Source("MS20"), tight=True),),
    source=Source("MS20"),
    trends={
        epsilon: Trend("less", "less of epsilon is the same mechanism on scores that change by less"),
    },
)
