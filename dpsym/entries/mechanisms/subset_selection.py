"""Subset selection: k of m values, the true one among them with probability k e^epsilon/(k e^epsilon + m - k)."""

import sympy as sp

from dpsym.core.distributions import Finite
from dpsym.core.notation import Phi_inv, a, alpha, epsilon, k, largest, m, x
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.fdp import fdp
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Adjacency, Claim, LooksAt, Mechanism, Norm, Source, Trend

total = (m - 1) * (k * sp.exp(epsilon) + m - k)
apart = k * (m - k)  # in proportion to the sets with one of two values, and not with the other
# and to those with both or with neither, which tell nothing
alike = k * (k - 1) * sp.exp(epsilon) + (m - k) * (m - k - 1)
right, wrong = apart * sp.exp(epsilon) / total, apart / total
both, neither = k * sp.exp(epsilon) / total, (m - k) / total
kinds = (1, 1, k - 1, m - k - 1)

subset_selection = Mechanism(
    id="subset_selection",
    title="subset selection",
    params={epsilon: None, m: None, k: None},
    domain=(epsilon > 0, k >= 1, m >= k + 1, IsInteger(m), IsInteger(k)),
    outputs=(Finite((right, wrong, both, neither), kinds), Finite((wrong, right, both, neither), kinds)),
    norm=Norm.NONE,
    looks_at=LooksAt.RECORDS,
    adjacency=Adjacency.REPLACE,
    why_dominating=(
        "A set of k values with the true value is exp(epsilon) times as likely as one without it. "
        "Permuting the values leaves the mechanism as it is, so two different inputs may be taken for the first and "
        "the second. There are C(m-2, k-1) sets with the first only and as many with the second only, C(m-2, k-2) "
        "with both and C(m-2, k) with neither. Sets of one kind are alike and may be told apart or not: those with "
        "both are listed as k - 1 outcomes, and those with neither as m - k - 1."
    ),
    claims=(
        Claim(pure(epsilon), Source("YB18"), tight=True),
        Claim(
            rdp(
                alpha,
                sp.log((apart * (sp.exp(alpha * epsilon) + sp.exp((1 - alpha) * epsilon)) + alike) / total)
                / (alpha - 1),
            ),
            Source("dpsym", "sum over the outcomes"),
            tight=True,
        ),
        Claim(
            zcdp(epsilon * apart * (sp.exp(epsilon) - 1) / total),
            Source("dpsym", "docs/lemmas.md, Lemma 1"),
            tight=True,
            assume=(alike <= 2 * apart * sp.exp(epsilon / 2),),
        ),
        Claim(gdp(Phi_inv(right) - Phi_inv(wrong)), Source("dpsym", "docs/lemmas.md, Lemma 2"), tight=True),
        Claim(
            approx(x, largest(0, apart * (sp.exp(epsilon) - sp.exp(x)) / total)),
            Source("dpsym", "sum over the outcomes"),
            tight=True,
            complete=True,
            over=(x,),
        ),
        Claim(
            fdp(largest(1 - sp.exp(epsilon) * a, 1 - right + wrong - a, sp.exp(-epsilon) * (1 - a))),
            Source("dpsym", "likelihood-ratio test"),
            tight=True,
            complete=True,
        ),
    ),
    source=Source("YB18", also=Source("WHWNXYLQ16")),
    trends={
        epsilon: Trend("less", "a response at less epsilon is one at more epsilon, randomised once more"),
    },
)
