"""Report-noisy-max with Laplace noise of scale b: the index of the largest of the noisy scores, and nothing else."""

import sympy as sp

from dpsym.core.distributions import Finite
from dpsym.core.notation import Delta, b, x
from dpsym.entries.choices import largest_with_laplace
from dpsym.entries.notions.pure import pure
from dpsym.statements import Claim, Instance, Mechanism, Norm, Source, Trend

first = (1 + x / 2) * sp.exp(-x) / 2  # how likely the answer with the smaller score is, the gap being x b
second = (1 + x / 2 + Delta / b) * sp.exp(-x - 2 * Delta / b) / 2

report_noisy_max_laplace = Mechanism(
    id="report_noisy_max_laplace",
    title="report-noisy-max with Laplace noise",
    params={b: None, Delta: sp.Integer(1)},
    domain=(b > 0, Delta > 0),
    outputs=None,
    description=(
        "Each score u(r) has sensitivity Delta and gets Laplace noise of scale b. The mechanism says which score "
        "is then the largest. Where all scores move the same way between neighbours the budget is half of the "
        "one claimed here."
    ),
    instances=(
        Instance(
            outputs=(Finite((first, 1 - first)), Finite((second, 1 - second))),
            what="two answers, the gap between whose scores grows by 2 Delta",
            over=(x >= 0,),
        ),
    ),
    norm=Norm.SCORES,
    choice=largest_with_laplace,
    claims=(
        Claim(
            pure(2 * Delta / b),
            Source("DR14", "Claim 3.9, at twice the budget for scores of any kind"),
            tight=True,
        ),
    ),
    source=Source("DR14", "Section 3.3"),
    trends={
        b: Trend("more", "noise of a larger scale is that for a smaller sensitivity"),
    },
)
