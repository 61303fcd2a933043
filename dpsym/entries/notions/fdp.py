"""f-differential privacy: the trade-off function of the outputs at least f.

The ends of [0, 1] are left out: a trade-off function is continuous, so there the inequality follows, and a
formula such as Phi(Phi_inv(1 - a) - mu) need not be defined there.
"""

from __future__ import annotations

import sympy as sp

from dpsym.core.notation import P, Q, a, f, tensor_product, trade_off, x
from dpsym.core.relations import ForAll, Relation
from dpsym.entries.notions.closure import composition, parallel, post_processing
from dpsym.statements import Adjacency, Composition, Definition, Setting, Source, Theorem

_IDENTITY = sp.Lambda(a, 1 - a)  # the trade-off function of two equal distributions


def _factors(function: sp.Lambda) -> dict[sp.Lambda, sp.Expr]:
    """Factor -> how often; a function that is no tensor product is its own only factor."""
    if isinstance(function.expr, tensor_product) and function.expr.args[0] == function.variables[0]:
        functions, counts = function.expr.args[1::2], function.expr.args[2::2]
        return dict(zip(functions, counts, strict=True))
    return {} if function == _IDENTITY else {function: sp.Integer(1)}


def _tensored(factors: dict[sp.Lambda, sp.Expr]) -> sp.Lambda:
    """The product in canonical order, so that it commutes and associates by construction."""
    if not factors:
        return _IDENTITY
    if list(factors.values()) == [1]:
        return next(iter(factors))
    ordered = sorted(factors.items(), key=lambda item: sp.default_sort_key(item[0]))
    return sp.Lambda(a, tensor_product(a, *(part for item in ordered for part in item)))


def _pair(g: sp.Lambda, h: sp.Lambda) -> sp.Lambda:
    factors = _factors(g)
    for function, count in _factors(h).items():
        factors[function] = factors.get(function, sp.Integer(0)) + count
    return _tensored(factors)


def _fold(g: sp.Lambda, times: sp.Expr) -> sp.Lambda:
    return _tensored({function: sp.expand(count * times) for function, count in _factors(g).items()})


tensor = Composition("tensor product of trade-off functions", _pair, _fold)

fdp = Definition(
    id="fdp",
    title="f-differential privacy (f-DP)",
    params=(f,),
    index=(a,),
    domain=(),
    means=ForAll(Relation(trade_off(a, P, Q), ">=", f(a)), (a,), (a > 0, a < 1)),
    compose={f: tensor},
    source=Source("DRS22", "Definition 2.3"),
)


# --- laws ------------------------------------------------------------

# The k-th tensor power of the trade-off function.
_inside = (a >= 0, a <= 1)

composition_fdp = composition(
    fdp,
    Source("DRS22", "Theorem 3.2"),
    assume=(
        # f is a trade-off function, or there is no pair of distributions to take products of
        ForAll(Relation(f(a), ">=", 0), (a,), _inside),
        ForAll(Relation(f(a), "<=", 1 - a), (a,), _inside),
        ForAll(Relation(f((a + x) / 2), "<=", (f(a) + f(x)) / 2), (a, x), (*_inside, x >= 0, x <= 1)),
        ForAll(Relation(f(x), "<=", f(a)), (a, x), (*_inside, x >= a, x <= 1)),
    ),
    exact=True,
    lossless=True,
)


# A record replaced: one removed and another added, two steps of the add/remove relation.
replacement_fdp = Theorem(
    id="replacement_fdp",
    title="f-DP of a record replaced",
    premises=(fdp(f),),
    conclusion=fdp(f(1 - f(a))),
    assume=(
        # the inner value is a level at which f says something: between 0 and 1, and no error is left at level 1
        ForAll(Relation(f(a), ">=", 0), (a,), (a >= 0, a <= 1)),
        ForAll(Relation(f(a), "<=", 1 - a), (a,), (a >= 0, a <= 1)),
    ),
    setting=Setting.REPLACEMENT,
    adjacency=Adjacency.ADD_REMOVE,
    source=Source("DRS22", "Theorem 2.14, for a group of two"),
)


post_processing_fdp = post_processing(fdp, Source("DRS22", "Proposition 2.8"))
parallel_fdp = parallel(fdp, Source("McS09", "Theorem 4, for pure DP"))
