"""Approximate zCDP: every Rényi divergence at most rho times its order, but for events of probability delta."""

from dpsym.core.notation import P, Q, alpha, delta, renyi, rho, trimmed
from dpsym.core.relations import ForAll, Relation
from dpsym.entries.notions.closure import composition, parallel, post_processing
from dpsym.entries.notions.composition import add, either
from dpsym.statements import Definition, Source

# Given events of probability at least 1 - delta: the best two are the same at all orders (docs/lemmas.md, Lemma 18).
approx_zcdp = Definition(
    id="approx_zcdp",
    title="approximate zero-concentrated differential privacy (approximate zCDP)",
    params=(rho, delta),
    domain=(rho >= 0, delta >= 0, delta < 1),
    means=ForAll(
        Relation(renyi(alpha, trimmed(delta, P, Q), trimmed(delta, Q, P)), "<=", rho * alpha), (alpha,), (alpha > 1,)
    ),
    compose={rho: add, delta: either},
    source=Source("BS16", "Definition 8.1"),
)


# --- laws ------------------------------------------------------------

composition_approx_zcdp = composition(approx_zcdp, Source("BS16", "Lemma 8.2"))
post_processing_approx_zcdp = post_processing(approx_zcdp, Source("BS16", "Lemma 8.2"))
parallel_approx_zcdp = parallel(approx_zcdp, Source("McS09", "Theorem 4, for pure DP"))
