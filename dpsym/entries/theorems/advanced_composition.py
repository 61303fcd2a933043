"""Advanced composition: epsilon grows with the root of the number of mechanisms, at the price of a slack in delta."""

import sympy as sp

from dpsym.core.notation import delta, delta_slack, epsilon, eta, k
from dpsym.core.relations import IsInteger, Relation
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.bounded_range import bounded_range
from dpsym.statements import Setting, Source, Theorem

# Advanced composition: epsilon grows with the root of k, at the price of a slack in delta.
advanced_composition = Theorem(
    id="advanced_composition",
    title="advanced composition of approximate DP",
    premises=(approx(epsilon, delta),),
    conclusion=approx(
        epsilon * sp.sqrt(2 * k * sp.log(1 / delta_slack)) + k * epsilon * (sp.exp(epsilon) - 1),
        k * delta + delta_slack,
    ),
    assume=(
        epsilon >= 0,
        IsInteger(k),
        k >= 1,
        delta_slack > 0,
        delta_slack < 1,
    ),
    chooses=(delta_slack,),
    setting=Setting.COMPOSITION,
    count=k,
    source=Source("DRV10", "Theorem III.3", verified=True),
)


# Advanced composition as it is often quoted, true where its second term is no larger than its first.
advanced_composition_simplified = Theorem(
    id="advanced_composition_simplified",
    title="advanced composition, simplified",
    premises=(approx(epsilon, delta),),
    conclusion=approx(2 * epsilon * sp.sqrt(2 * k * sp.log(1 / delta_slack)), k * delta + delta_slack),
    assume=(
        epsilon >= 0,
        IsInteger(k),
        k >= 1,
        delta_slack > 0,
        delta_slack < 1,
        Relation(sp.sqrt(k) * (sp.exp(epsilon) - 1), "<=", sp.sqrt(2 * sp.log(1 / delta_slack))),
    ),
    chooses=(delta_slack,),
    setting=Setting.COMPOSITION,
    count=k,
    source=Source("DRV10", "Theorem III.3, bounding its second term by its first", verified=True),
)


# Advanced composition with the mean of the worst privacy loss, epsilon tanh(epsilon/2), not a bound.
advanced_composition_kov = Theorem(
    id="advanced_composition_kov",
    title="advanced composition, with the mean loss of randomized response",
    premises=(approx(epsilon, delta),),
    conclusion=approx(
        epsilon * sp.sqrt(2 * k * sp.log(1 / delta_slack)) + k * epsilon * sp.tanh(epsilon / 2),
        1 - (1 - delta) ** k * (1 - delta_slack),
    ),
    assume=(
        epsilon >= 0,
        delta <= 1,
        IsInteger(k),
        k >= 1,
        delta_slack > 0,
        delta_slack < 1,
    ),
    chooses=(delta_slack,),
    setting=Setting.COMPOSITION,
    count=k,
    source=Source("KOV15", "Theorem 3.4", verified=True),
)


# Advanced composition whose logarithm stays small where k epsilon^2 is: log(e + sqrt(k) epsilon/delta').
advanced_composition_kov_root = Theorem(
    id="advanced_composition_kov_root",
    title="advanced composition, its slack measured by the root of k",
    premises=(approx(epsilon, delta),),
    conclusion=approx(
        epsilon * sp.sqrt(2 * k * sp.log(sp.E + sp.sqrt(k) * epsilon / delta_slack))
        + k * epsilon * sp.tanh(epsilon / 2),
        1 - (1 - delta) ** k * (1 - delta_slack),
    ),
    assume=(
        epsilon >= 0,
        delta <= 1,
        IsInteger(k),
        k >= 1,
        delta_slack > 0,
        delta_slack < 1,
    ),
    chooses=(delta_slack,),
    setting=Setting.COMPOSITION,
    count=k,
    source=Source("KOV15", "Theorem 3.4", verified=True),
)


# The mean loss of a mechanism is at most that of the worst two outcomes, and Azuma's inequality does the rest.
_share = eta / (sp.exp(eta) - 1)
_mean_loss = _share - 1 - sp.log(_share)


advanced_composition_bounded_range = Theorem(
    id="advanced_composition_bounded_range",
    title="advanced composition of bounded range",
    premises=(bounded_range(eta),),
    conclusion=approx(k * _mean_loss + eta * sp.sqrt(k * sp.log(1 / delta) / 2), delta),
    assume=(
        eta > 0,
        delta > 0,
        delta < 1,
        IsInteger(k),
        k >= 1,
    ),
    chooses=(delta,),
    setting=Setting.COMPOSITION,
    count=k,
    source=Source("DDR20"),
)
