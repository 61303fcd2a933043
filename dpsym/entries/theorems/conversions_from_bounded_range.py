"""Theorems from a bounded range of the privacy loss."""

import sympy as sp

from dpsym.core.notation import a, alpha, epsilon, eta
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.bounded_range import bounded_range
from dpsym.entries.notions.fdp import fdp
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Source, Theorem

# The largest and minus the smallest privacy loss are not negative, so each is at most their sum.
bounded_range_to_pure = Theorem(
    id="bounded_range_to_pure",
    title="bounded range implies pure DP",
    premises=(bounded_range(eta),),
    conclusion=pure(eta),
    source=Source("DR19"),
)


# Hoeffding's lemma, twice: a quarter of what pure DP gives.
bounded_range_to_zcdp = Theorem(
    id="bounded_range_to_zcdp",
    title="bounded range implies zCDP",
    premises=(bounded_range(eta),),
    conclusion=zcdp(eta**2 / 8),
    source=Source("CR21", "also docs/lemmas.md, Lemma 4"),
)


# The largest Rényi divergence of a loss of range eta: two outcomes, at the worst of their probabilities.
_grown, _step = sp.exp(alpha * eta) - 1, sp.exp(eta) - 1


bounded_range_to_rdp = Theorem(
    id="bounded_range_to_rdp",
    title="bounded range implies RDP",
    premises=(bounded_range(eta),),
    conclusion=rdp(
        alpha,
        (
            sp.log((_grown - _step) / ((alpha - 1) * _step))
            - alpha * sp.log(alpha * (_grown - _step) / ((alpha - 1) * _grown))
        )
        / (alpha - 1),
    ),
    assume=(eta > 0,),
    chooses=(alpha,),
    exact=True,
    source=Source("dpsym", "docs/lemmas.md, Lemma 4"),
)


# The privacy profile of a loss of range eta: two outcomes, at the worst of their probabilities.
bounded_range_to_approx = Theorem(
    id="bounded_range_to_approx",
    title="bounded range implies approximate DP",
    premises=(bounded_range(eta),),
    conclusion=approx(epsilon, (sp.exp(eta / 2) - sp.exp(epsilon / 2)) ** 2 / (sp.exp(eta) - 1)),
    assume=(eta > 0, epsilon >= 0, epsilon < eta),
    chooses=(epsilon,),
    exact=True,
    source=Source("dpsym", "docs/lemmas.md, Lemma 4"),
)


# The trade-off function of a loss of range eta: that of two logistic distributions eta scales apart.
bounded_range_to_fdp = Theorem(
    id="bounded_range_to_fdp",
    title="bounded range is f-DP",
    premises=(bounded_range(eta),),
    conclusion=fdp((1 - a) / (1 + a * (sp.exp(eta) - 1))),
    exact=True,
    source=Source("dpsym", "docs/lemmas.md, Lemma 4"),
)
