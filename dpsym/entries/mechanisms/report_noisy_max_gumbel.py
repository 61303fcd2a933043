"""Report-noisy-max with Gumbel noise of scale b: the index of the largest of the noisy scores, and nothing else."""

import sympy as sp

from dpsym.core.distributions import Finite
from dpsym.core.notation import Delta, b, x
from dpsym.entries.choices import softmax
from dpsym.entries.notions.bounded_range import bounded_range
from dpsym.entries.notions.pure import pure
from dpsym.statements import Claim, Instance, Mechanism, Norm, Source, Trend

budget = 2 * Delta / b
# two answers, of which the first has probability x where it is the less likely one
scale = 1 + x * (sp.exp(budget) - 1)

report_noisy_max_gumbel = Mechanism(
    id="report_noisy_max_gumbel",
    title="report-noisy-max with Gumbel noise",
    params={b: None, Delta: sp.Integer(1)},
    domain=(b > 0, Delta > 0),
    outputs=None,
    description=(
        "Each score u(r) has sensitivity Delta and gets Gumbel noise of scale b. The mechanism says which score is "
        "then the largest. The answer is distributed like that of the exponential mechanism at epsilon = 2 Delta/b."
    ),
    instances=(
        Instance(
            outputs=(Finite((x * sp.exp(budget) / scale, (1 - x) / scale)), Finite((x, 1 - x))),
            what="two answers whose scores move by Delta, one up and one down",
            over=(x > 0, x < 1),
        ),
    ),
    norm=Norm.SCORES,
    choice=softmax,
    claims=(
        Claim(pure(budget), Source("MT07", "Theorem 6"), tight=True),
        Claim(bounded_range(budget), Source("DR19", "Lemma 4.2"), tight=True, complete=True),
    ),
    source=Source("DR19"),
    trends={
        b: Trend("more", "noise of a larger scale is that for a smaller sensitivity"),
    },
)
