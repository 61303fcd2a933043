"""f-differential privacy: the trade-off function of the outputs at least f."""

import sympy as sp

from dpsym.notation import P, Q, a, f, tensor_product, trade_off
from dpsym.relations import ForAll, Relation
from dpsym.statements import Composition, Definition, Source

tensor = Composition(
    "tensor product of trade-off functions",
    lambda g, h: sp.Lambda(a, tensor_product(g, h, a)),
    lambda g, times: sp.Lambda(a, tensor_product(g, times, a)),
)

fdp = Definition(
    id="fdp",
    title="f-differential privacy (f-DP)",
    params=(f,),
    index=(a,),
    domain=(),
    means=ForAll(Relation(trade_off(a, P, Q), ">=", f(a)), (a,), (a >= 0, a <= 1)),
    compose={f: tensor},
    source=Source("DRS22", "Definition 3 (unverified locator)"),
)
