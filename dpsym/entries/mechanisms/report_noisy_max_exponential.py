"""Report-noisy-max with exponential noise of scale b: the index of the largest noisy score, and nothing else."""

import sympy as sp

from dpsym.core.distributions import Finite
from dpsym.core.notation import Delta, b, x
from dpsym.entries.choices import flipped
from dpsym.entries.notions.pure import pure
from dpsym.statements import Claim, Instance, Mechanism, Norm, Source, Trend

first, second = x / 2, x * sp.exp(-2 * Delta / b) / 2  # how likely the answer with the smaller score is

report_noisy_max_exponential = Mechanism(
    id="report_noisy_max_exponential",
    title="report-noisy-max with exponential noise",
    params={b: None, Delta: sp.Integer(1)},
    domain=(b > 0, Delta > 0),
    outputs=None,
    description=(
        "Each score u(r) has sensitivity Delta and gets exponential noise of mean b. The mechanism says which "
        "score is then the largest. The answer is distributed like that of permute-and-flip at epsilon = 2 Delta/b."
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
    claims=(Claim(pure(2 * Delta / b), Source("DKSTWXZ21"), tight=True),),
    source=Source("DKSTWXZ21"),
    trends={
        b: Trend("more", "noise of a larger scale is that for a smaller sensitivity"),
    },
)
