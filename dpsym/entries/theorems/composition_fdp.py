"""Adaptive composition of k mechanisms under f-DP: the k-th tensor power of the trade-off function."""

from dpsym.core.notation import a, f, k, x
from dpsym.core.relations import ForAll, IsInteger, Relation
from dpsym.entries.notions.fdp import fdp, tensor
from dpsym.statements import Setting, Source, Theorem

inside = (a >= 0, a <= 1)

composition_fdp = Theorem(
    id="composition_fdp",
    title="composition of f-DP",
    premises=(fdp(f),),
    conclusion=fdp(tensor.fold(fdp(f).args[0], k)),
    assume=(
        IsInteger(k),
        k >= 1,
        # f is a trade-off function, or there is no pair of distributions to take products of
        ForAll(Relation(f(a), ">=", 0), (a,), inside),
        ForAll(Relation(f(a), "<=", 1 - a), (a,), inside),
        ForAll(Relation(f((a + x) / 2), "<=", (f(a) + f(x)) / 2), (a, x), (*inside, x >= 0, x <= 1)),
        ForAll(Relation(f(x), "<=", f(a)), (a, x), (*inside, x >= a, x <= 1)),
    ),
    setting=Setting.COMPOSITION,
    count=k,
    exact=True,
    lossless=True,
    source=Source("DRS22", "Theorem 3.2 (unverified locator)"),
)
