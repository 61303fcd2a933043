"""Relations with sums, products, integrals, optima and limits, reduced to relations without them."""

from dpsym.deciding.calculus import derivatives, induction, integrals, limits, optima, powers, sums
from dpsym.deciding.strategies.strategy import Strategy

STRATEGIES: tuple[Strategy, ...] = (
    sums.prove, induction.prove, derivatives.prove, integrals.prove, optima.prove, limits.prove, powers.prove,
)  # fmt: skip
