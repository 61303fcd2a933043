"""Total variation, the largest advantage of an attack, from the fixed point x of a symmetric trade-off function."""

from dpsym.core.notation import P, Q, a, hockey_stick, trade_off, x
from dpsym.core.relations import ForAll, Relation
from dpsym.statements import Result, Source

total_variation_at_fixed_point = Result(
    id="total_variation_at_fixed_point",
    title="total variation from the fixed point of a trade-off function",
    states=Relation(hockey_stick(1, P, Q), "=", 1 - 2 * x),
    assume=(
        x > 0,
        x < 1,
        Relation(trade_off(x, P, Q), "=", x),
        ForAll(Relation(trade_off(a, P, Q), "=", trade_off(a, Q, P)), (a,), (a > 0, a < 1)),
    ),
    outputs={P: None, Q: None},
    tight=True,
    source=Source("DRS22", "unverified locator"),
)
