"""PATE's vote (GNMax): the answer with the most votes of teachers, after Gaussian noise on every count."""

import sympy as sp

from dpsym.core.distributions import Finite
from dpsym.core.notation import Phi, sigma, x
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Claim, Instance, Mechanism, Norm, Source, Trend

first, second = Phi((x + 2) / (sp.sqrt(2) * sigma)), Phi(x / (sp.sqrt(2) * sigma))

pate_gaussian_vote = Mechanism(
    id="pate_gaussian_vote",
    title="PATE's vote with Gaussian noise (GNMax)",
    params={sigma: None},
    domain=(sigma > 0,),
    outputs=None,
    description=(
        "Each teacher, trained on a part of the records of its own, votes for one answer. To each count it adds "
        "Gaussian noise of standard deviation sigma, and it says which is the largest. Two neighbours have to differ "
        "in the records of one teacher only (where a record is replaced, its successor goes to the same one): one "
        "count falls by 1 and another grows by 1, so that the counts move by sqrt(2). Where most votes agree, the "
        "same data give much less away: pate_data_dependent, which is a statement about these data alone."
    ),
    instances=(
        Instance(
            outputs=(Finite((first, 1 - first)), Finite((second, 1 - second))),
            what="two answers, the first of which is x votes ahead, and one more vote for it instead of the other",
            over=(x >= -2,),
        ),
    ),
    norm=Norm.NONE,
    claims=(
        Claim(zcdp(1 / sigma**2), Source("PSMRTE18")),
        Claim(gdp(sp.sqrt(2) / sigma), Source("PSMRTE18", "as a function of Gaussian answers"), tight=True),
    ),
    source=Source("PSMRTE18"),
    trends={sigma: Trend("more", "noise of a larger scale is that for a smaller sensitivity")},
)
