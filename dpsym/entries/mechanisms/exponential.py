"""The exponential mechanism: the answer r with probability proportional to exp(epsilon u(r)/(2 Delta))."""

import sympy as sp

from dpsym.core.distributions import Finite
from dpsym.core.notation import epsilon, x
from dpsym.entries.choices import softmax
from dpsym.entries.notions.bounded_range import bounded_range
from dpsym.entries.notions.pure import pure
from dpsym.statements import Claim, Instance, Mechanism, Norm, Source, Trend

# two answers, of which the first has probability x where it is the less likely one
scale = 1 + x * (sp.exp(epsilon) - 1)

exponential = Mechanism(
    id="exponential",
    title="exponential mechanism",
    params={epsilon: None},
    domain=(epsilon > 0,),
    outputs=None,
    description=(
        "Each answer r has a score u(r) of sensitivity Delta. The mechanism gives r with probability proportional "
        "to exp(epsilon u(r)/(2 Delta)); where all scores move the same way between neighbours, to "
        "exp(epsilon u(r)/Delta). The logarithm of a probability then moves by a common amount, and by at most "
        "epsilon/2 up or down (by 0 to epsilon): that is bounded range epsilon, and every pair of bounded range "
        "epsilon is one of these. The worst such pair depends on what is asked, so none stands for all."
    ),
    instances=(
        Instance(
            outputs=(
                Finite((x * sp.exp(epsilon) / scale, (1 - x) / scale)),
                Finite((x, 1 - x)),
            ),
            what="two answers whose scores move by Delta, one up and one down",
            over=(x > 0, x < 1),
        ),
    ),
    norm=Norm.SCORES,
    choice=softmax,
    claims=(
        Claim(pure(epsilon), Source("MT07", "Theorem 6"), tight=True),
        Claim(bounded_range(epsilon), Source("DR19"), tight=True, complete=True),
    ),
    source=Source("MT07"),
    trends={
        epsilon: Trend("less", "less of epsilon is the same mechanism on scores that change by less"),
    },
)
