"""Truncated concentrated differential privacy: Rényi divergences at most rho times the order, below the order omega."""

from dpsym.core.notation import P, Q, alpha, k, omega, renyi, rho
from dpsym.core.relations import ForAll, Relation
from dpsym.entries.notions.closure import composition, parallel, post_processing, privacy_filter
from dpsym.entries.notions.composition import add, least
from dpsym.statements import Definition, Setting, Source, Theorem

tcdp = Definition(
    id="tcdp",
    title="truncated concentrated differential privacy (tCDP)",
    params=(rho, omega),
    domain=(rho >= 0, omega > 1),
    means=ForAll(Relation(renyi(alpha, P, Q), "<=", rho * alpha), (alpha,), (alpha > 1, alpha < omega)),
    compose={rho: add, omega: least},
    source=Source("BDRS18", "Definition 1"),
)


# --- laws ------------------------------------------------------------

composition_tcdp = composition(tcdp, Source("BDRS18", "Lemma 2"))


# Inputs k steps of the neighbouring relation apart: the orders on the way go up to k times the last.
group_tcdp = Theorem(
    id="group_tcdp",
    title="group privacy of tCDP",
    premises=(tcdp(rho, omega),),
    conclusion=tcdp(k**2 * rho, omega / k),
    assume=(omega > k,),
    setting=Setting.GROUP,
    count=k,
    source=Source("BDRS18"),
)


filter_tcdp = privacy_filter(tcdp, Source("dpsym", "docs/lemmas.md, Lemma 15"))
post_processing_tcdp = post_processing(tcdp, Source("BDRS18", "Lemma 3"))
parallel_tcdp = parallel(tcdp, Source("McS09", "Theorem 4, for pure DP"))
