"""Privacy amplification by a sample of fixed size, drawn without replacement."""

import sympy as sp

from dpsym.core.notation import delta, epsilon, q
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.pure import pure
from dpsym.statements import Adjacency, Setting, Source, Theorem

# Pure DP of a sample of fixed size, drawn without replacement, between inputs with a record replaced.
sampling_pure = Theorem(
    id="sampling_pure",
    title="amplification of pure DP by sampling without replacement",
    premises=(pure(epsilon),),
    conclusion=pure(sp.log(1 + q * (sp.exp(epsilon) - 1))),
    assume=(epsilon >= 0, q >= 0, q <= 1),
    setting=Setting.SAMPLED,
    rate=q,
    adjacency=Adjacency.REPLACE,
    source=Source("BBG20", "Theorem 9 at delta = 0"),
)


# Approximate DP of a sample of fixed size, drawn without replacement, between inputs with a record replaced.
sampling_approx = Theorem(
    id="sampling_approx",
    title="amplification of approximate DP by sampling without replacement",
    premises=(approx(epsilon, delta),),
    conclusion=approx(sp.log(1 + q * (sp.exp(epsilon) - 1)), q * delta),
    assume=(epsilon >= 0, q >= 0, q <= 1),
    setting=Setting.SAMPLED,
    rate=q,
    adjacency=Adjacency.REPLACE,
    source=Source("BBG20", "Theorem 9"),
)
