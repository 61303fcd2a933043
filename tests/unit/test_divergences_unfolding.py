"""Expectations over arbitrary privacy losses: what follows pointwise, and what does not."""

from fractions import Fraction

import pytest
import sympy as sp
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st

from dpsym.core.notation import (
    P,
    Q,
    alpha,
    epsilon,
    essential_supremum,
    expectation,
    hockey_stick,
    privacy_loss,
    renyi,
    x,
)
from dpsym.core.relations import Relation
from dpsym.core.verdicts import Verdict
from dpsym.deciding import decide
from dpsym.divergences.unfolding import unfold, unfolded, unfolded_conditions
from oracle.pairs import Finite

z = sp.Symbol("z")
LOSS = privacy_loss(P, Q)
ONE_WAY = (Relation(epsilon, ">=", 0), Relation(renyi(sp.oo, P, Q), "<=", epsilon))
PURE = (*ONE_WAY, Relation(renyi(sp.oo, Q, P), "<=", epsilon))
BELOW = (Relation(x, ">=", 0), Relation(x, "<=", epsilon))


def mean(f):
    return expectation(sp.Lambda(z, f), LOSS)


def verdict(relation, *conditions, seconds=5):
    return decide(unfolded(relation), unfolded_conditions(conditions), time_limit=seconds).verdict


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("lhs", "op", "rhs", "conditions"),
    [
        (hockey_stick(sp.exp(epsilon), P, Q), "<=", 0, ONE_WAY),
        (hockey_stick(sp.exp(epsilon), P, Q), "=", 0, ONE_WAY),
        (hockey_stick(sp.exp(x), P, Q), "<=", 1 - sp.exp(x - epsilon), (*PURE, *BELOW)),
        (renyi(alpha, P, Q), "<=", epsilon, (*ONE_WAY, Relation(alpha, ">", 1))),
        (renyi(alpha, P, Q), ">=", -epsilon, (*PURE, Relation(alpha, ">", 1))),
        (mean(2 + 3 * sp.exp(-z)), "=", 5, PURE),
        (mean(sp.exp(2 * z + 3)), "=", sp.exp(3) * mean(sp.exp(2 * z)), ONE_WAY),
        (mean(sp.exp(z)), ">", 0, ()),
        (mean(sp.exp(-z)), ">", 0, ONE_WAY),
    ],
)
def test_what_holds_pointwise_is_proved(lhs, op, rhs, conditions):
    assert verdict(Relation(lhs, op, sp.sympify(rhs)), *conditions, seconds=60) is Verdict.PROVED


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("lhs", "op", "rhs", "conditions"),
    [
        (hockey_stick(sp.exp(epsilon), P, Q), "<=", 0, ()),  # nothing bounds the loss
        (hockey_stick(sp.exp(epsilon), P, Q), "<=", 0, (Relation(renyi(sp.oo, Q, P), "<=", epsilon),)),  # other order
        (hockey_stick(sp.exp(x), P, Q), "<=", sp.Rational(9, 10) - sp.exp(x - epsilon), (*PURE, *BELOW)),
        (renyi(alpha, P, Q), "<=", epsilon * sp.Rational(999, 1000), (*ONE_WAY, Relation(alpha, ">", 1))),
        (renyi(alpha, P, Q), "<=", epsilon, (*ONE_WAY, Relation(alpha, ">", 0))),  # not of this form below order 1
        (mean(2 + 3 * sp.exp(-z)), "=", 6, PURE),
        (mean(2 + 3 * sp.exp(-z)), "=", 5, ONE_WAY),  # Q may have mass outside P
        (mean(sp.exp(-z)), ">", 0, ()),  # the loss may be infinite with probability 1
        (mean(sp.exp(z)), "<=", mean(sp.exp(2 * z)), ONE_WAY),  # false for negative losses
        (mean(z**2), "=", mean(z) ** 2, PURE),
    ],
)
def test_what_does_not_follow_is_not_proved(lhs, op, rhs, conditions):
    assert verdict(Relation(lhs, op, sp.sympify(rhs)), *conditions) not in (Verdict.PROVED, Verdict.CERTIFIED)


weights = st.lists(st.tuples(st.integers(1, 50), st.integers(1, 50)), min_size=2, max_size=6)


@given(weights, st.sampled_from([Fraction(3, 2), Fraction(2), Fraction(5)]), st.sampled_from(["0", "1/3", "2"]))
def test_unfolding_says_what_the_divergences_are(cells, order, budget):
    p_sum, q_sum = sum(p for p, _ in cells), sum(q for _, q in cells)
    with ctx.workprec(120):
        pairs = [(arb(p) / p_sum, arb(q) / q_sum) for p, q in cells]

        def number(e):
            table = {head: average(head) for head in e.atoms(expectation)}
            names = {head: sp.Dummy() for head in table}
            return tape(e.xreplace(names), {names[h]: v for h, v in table.items()})

        def average(head):
            variable, body = head.args[0].variables[0], head.args[0].expr
            return sum((p * tape(body, {variable: (p / q).log()}) for p, q in pairs), arb(0))

        def tape(e, values):
            from dpsym.numbers import ball

            return ball(e, values, 120)

        exact = Finite(tuple(pairs))
        moment = sum((q * (p / q) ** (arb(order.numerator) / order.denominator) for p, q in pairs), arb(0))
        by_hand = moment.log() / (arb(order.numerator) / order.denominator - 1)
        found = number(unfold(renyi(sp.Rational(order.numerator, order.denominator), P, Q)))
        assert found.overlaps(by_hand)
        level = sp.Rational(budget)
        one_way = sum((max(p - (arb(level.p) / level.q).exp() * q, arb(0), key=float) for p, q in pairs), arb(0))
        assert number(unfold(hockey_stick(sp.exp(level), P, Q))).overlaps(one_way)
        assert not one_way > exact.hockey_stick(arb(level.p) / level.q)


def test_the_max_divergence_is_the_largest_loss():
    assert unfold(renyi(sp.oo, P, Q)) == essential_supremum(LOSS)


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("relation", "conditions", "said"),
    [
        (Relation(mean(sp.exp(z)) - mean(sp.exp(z)), "=", 0), (), False),  # SymPy leaves nothing of it
        (Relation(mean(2 * sp.exp(z)) - mean(sp.exp(z)), "=", mean(sp.exp(z))), (), True),
        (Relation(mean(2 * sp.exp(z)) - mean(sp.exp(z)), "=", mean(sp.exp(z))), PURE, True),
        (Relation(mean(sp.exp(z)), "<=", mean(2 * sp.exp(z))), (), False),
        (Relation(mean(sp.exp(z)), "<", mean(sp.exp(z)) + 1), (), True),
        (Relation(mean(sp.exp(z)), "<", mean(sp.exp(z)) + 1), (Relation(mean(sp.exp(z)), ">", 0),), True),
        (Relation(mean(sp.exp(z)), "<", mean(sp.exp(z)) + 1), (Relation(mean(sp.exp(z)), "<=", x),), False),
    ],
)
def test_what_may_be_infinite_is_named_where_it_is_subtracted_equated_or_compared_strictly(relation, conditions, said):
    decision = decide(unfolded(relation), unfolded_conditions(conditions), time_limit=5)

    assert decision.verdict is Verdict.PROVED
    assert ("for finite" in decision.why) is said
