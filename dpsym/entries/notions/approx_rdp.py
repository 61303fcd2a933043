"""Approximate Rényi DP: the Rényi divergence of order alpha at most epsilon, but for events of probability delta."""

from dpsym.core.notation import P, Q, alpha, delta, epsilon, renyi, trimmed
from dpsym.core.relations import Relation
from dpsym.entries.notions.closure import composition, parallel, post_processing
from dpsym.entries.notions.composition import add, either
from dpsym.statements import Definition, Source

# Given events of probability at least 1 - delta: the best two are the same at all orders (docs/lemmas.md, Lemma 18).
approx_rdp = Definition(
    id="approx_rdp",
    title="approximate Rényi differential privacy (approximate RDP)",
    params=(alpha, epsilon, delta),
    index=(alpha,),
    domain=(alpha > 1, epsilon >= 0, delta >= 0, delta < 1),
    means=Relation(renyi(alpha, trimmed(delta, P, Q), trimmed(delta, Q, P)), "<=", epsilon),
    compose={epsilon: add, delta: either},
    source=Source("ZW20"),
)


# --- laws ------------------------------------------------------------

composition_approx_rdp = composition(approx_rdp, Source("BS16", "Lemma 8.2, at one order"))
post_processing_approx_rdp = post_processing(approx_rdp, Source("BS16", "Lemma 8.2, at one order"))
parallel_approx_rdp = parallel(approx_rdp, Source("McS09", "Theorem 4, for pure DP"))
