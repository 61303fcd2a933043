"""Steps about the divergences of arbitrary outputs: what follows from the premises, and what does not."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
import sympy as sp
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st

from dpsym.checking import check_document
from dpsym.checking.deducing import Sequent
from dpsym.checking.divergence_steps import by_outputs, of_equal_outputs
from dpsym.core.deadline import timed
from dpsym.core.notation import (
    Maximum,
    P,
    Q,
    a,
    alpha,
    delta,
    epsilon,
    expectation,
    f,
    hockey_stick,
    mu,
    privacy_loss,
    renyi,
    rho,
    trade_off,
    trimmed,
)
from dpsym.core.relations import ForAll, Relation, propositions
from dpsym.core.verdicts import Verdict
from dpsym.divergences.consequences import as_largest, consequences
from dpsym.language import read_document, read_path
from oracle.pairs import Finite, larger, positive_part

z, s = sp.symbols("z s")
H = hockey_stick(sp.exp(epsilon), P, Q)
T = trade_off(a, P, Q)
INSIDE = (a > 0, a < 1)
ZCDP = ForAll(Relation(renyi(alpha, P, Q), "<=", rho * alpha), (alpha,), (alpha > 1,))
LEFT = (trimmed(delta, P, Q), trimmed(delta, Q, P))
SHARE = (delta >= 0, delta < 1)
APPROX = (Relation(H, "<=", delta), Relation(hockey_stick(sp.exp(epsilon), Q, P), "<=", delta))


def mean(body):
    return expectation(sp.Lambda(z, body), privacy_loss(P, Q))


def proved(claim, *assume, earlier=(), seconds=4.0):
    with timed(seconds):
        return by_outputs(Sequent(claim, propositions(assume), earlier=earlier)) is not None


def largest(body, low=0, high=1):
    return Maximum(sp.Lambda(a, body), sp.Interval.open(low, high))


@pytest.mark.parametrize(
    ("claim", "assume"),
    [
        (Relation(renyi(2, P, Q), "<=", 2 * rho), (ZCDP,)),
        (Relation(renyi(2, P, Q), ">=", 0), (ZCDP,)),
        (Relation(H, "<=", 1), ()),
        (Relation(H, "<=", 2 * delta), (*APPROX, delta >= 0)),
        (Relation(T, ">=", 1 - sp.exp(epsilon) * a - hockey_stick(sp.exp(epsilon), Q, P)), INSIDE),
        (Relation(sp.exp(epsilon) * T, ">=", 1 - a - H), INSIDE),
        (Relation(T, "<=", 1 - a), INSIDE),
        (Relation(renyi(sp.oo, P, Q), "<=", epsilon), (Relation(H, "<=", 0),)),
        (Relation(renyi(2, *LEFT), "<=", 2 * rho), (ZCDP, Relation(renyi(2, P, Q), "<=", 2 * rho), *SHARE)),
        (Relation(renyi(sp.oo, *LEFT), "<=", epsilon), (*APPROX, epsilon >= 0, *SHARE)),
        (Relation(H, "<=", delta + (1 - delta) * hockey_stick(sp.exp(epsilon), *LEFT)), SHARE),
        (Relation(mean(sp.exp(-z)), "<=", 1), ()),
        (Relation(H, "=", largest(1 - sp.exp(epsilon) * a - trade_off(a, Q, P))), ()),
        (Relation(largest(1 - a - T), "<=", 0), (ForAll(Relation(T, ">=", 1 - a), (a,), INSIDE),)),
    ],
)
def test_what_follows_is_proved(claim, assume):
    assert proved(claim, *assume)


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("claim", "assume"),
    [
        (Relation(renyi(2, P, Q), "<=", rho), (ZCDP, rho >= 0)),
        (Relation(renyi(2, Q, P), "<=", 2 * rho), (ZCDP,)),  # the other order was not assumed
        (Relation(renyi(1, P, Q), "<=", rho), (ZCDP,)),  # an order that was not assumed
        (Relation(renyi(alpha, P, Q), "<=", rho * alpha), (ZCDP,)),  # for which alpha?
        (Relation(renyi(2, P, Q) - renyi(2, P, Q) * 2, "<=", 0), ()),  # it may be infinite
        (Relation(H, "<=", sp.Rational(1, 2)), ()),
        (Relation(hockey_stick(epsilon, P, Q), "<=", 1), ()),  # of a negative order it may be more
        (Relation(H, "<=", delta), (APPROX[1],)),
        (Relation(T, ">=", 1 - sp.exp(epsilon) * a - H), INSIDE),  # the events are those of the other order
        (Relation(T, ">=", 1 - a), INSIDE),
        (Relation(trade_off(a, P, Q), ">=", 0), ()),  # no type-I error
        (Relation(renyi(sp.oo, Q, P), "<=", epsilon), (Relation(H, "<=", 0),)),
        (Relation(renyi(sp.oo, P, Q), "<=", epsilon), (Relation(H, "<=", delta), delta > 0)),
        (Relation(renyi(2, P, Q), "<=", 2 * rho), (Relation(renyi(2, *LEFT), "<=", 2 * rho), *SHARE)),
        (Relation(renyi(2, LEFT[1], LEFT[0]), "<=", rho), (Relation(renyi(2, P, Q), "<=", rho), *SHARE)),
        (Relation(renyi(2, LEFT[0], Q), "<=", rho), (Relation(renyi(2, P, Q), "<=", rho), *SHARE)),
        (Relation(renyi(2, *LEFT), "<=", rho), (Relation(renyi(2, P, Q), "<=", rho),)),  # which share?
        (Relation(renyi(sp.oo, *LEFT), "<=", epsilon), (APPROX[1], epsilon >= 0, *SHARE)),  # the other order
        (Relation(renyi(sp.oo, *LEFT), "<=", epsilon), (*APPROX, *SHARE)),  # of a negative epsilon it says nothing
        (Relation(H, "<=", delta + (1 - 2 * delta) * hockey_stick(sp.exp(epsilon), *LEFT)), SHARE),
        (Relation(H, "<=", hockey_stick(sp.exp(epsilon), *LEFT)), SHARE),
        (Relation(mean(sp.exp(-z)), "=", 1), ()),
        (Relation(mean(sp.exp(z)), ">=", 2), ()),
        (Relation(H, "=", largest(1 - sp.exp(epsilon) * a - T)), ()),
        (Relation(H, "=", largest(1 - sp.exp(epsilon) * a - trade_off(a, Q, P), 0, sp.Rational(1, 2))), ()),
        (Relation(largest(1 - a - T), "<=", 0), (ForAll(Relation(T, ">=", 1 - 2 * a), (a,), INSIDE),)),
    ],
)
def test_what_does_not_follow_is_not_proved(claim, assume):
    assert not proved(claim, *assume, seconds=1.0)


@pytest.mark.slow
def test_a_supremum_is_over_all_of_its_range():
    """A fact about a declared name serves for all values that its declaration allows, and no others."""
    claim = Relation(largest(a - H), "<=", sp.Rational(1, 2))
    half = Relation(a - H, "<=", sp.Rational(1, 2))

    assert proved(claim, *INSIDE, earlier=(half,))
    assert not proved(claim, a > 0, a < sp.Rational(1, 2), earlier=(half,), seconds=1.0)
    assert not proved(claim, *INSIDE, a <= sp.Rational(1, 2), seconds=1.0)


def test_what_is_bound_is_no_number():
    """A divergence at a bound order is not the one at a free order of the same name."""
    inner = mean(hockey_stick(sp.exp(z), P, Q))

    assert not proved(Relation(inner, "=", hockey_stick(sp.exp(z), P, Q)), seconds=1.0)


def test_premises_can_be_met_where_equal_outputs_meet_them():
    assert of_equal_outputs((*APPROX, ZCDP), {"epsilon": 1, "delta": 0, "rho": 1})
    assert not of_equal_outputs(APPROX, {"epsilon": -1, "delta": 0})  # then H is positive
    assert not of_equal_outputs((ForAll(Relation(T, ">=", 1 - a / 2), (a,), INSIDE),), {})
    assert not of_equal_outputs((ForAll(Relation(T, ">=", f(a)), (a,), INSIDE),), {})


weights = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=5).filter(
    lambda cells: sum(p for p, _ in cells) > 0 and sum(q for _, q in cells) > 0
)


def exact(cells, gamma, level):
    """H(gamma) of P from Q and of Q from P, and the least type-II error of testing P against Q at the level."""
    ps = [sp.Rational(p, sum(p for p, _ in cells)) for p, _ in cells]
    qs = [sp.Rational(q, sum(q for _, q in cells)) for _, q in cells]
    forth = sum(max(p - gamma * q, 0) for p, q in zip(ps, qs, strict=True))
    back = sum(max(q - gamma * p, 0) for p, q in zip(ps, qs, strict=True))
    error, left = sp.Integer(1), level
    for p, q in sorted(zip(ps, qs, strict=True), key=lambda c: c[0] / c[1] if c[1] else sp.oo):
        taken = sp.Integer(1) if p <= left else left / p
        error -= taken * q
        left -= taken * p
    return forth, back, error


@given(weights, st.fractions(Fraction(1, 12), 4, max_denominator=12), st.fractions(0, 1, max_denominator=12))
def test_the_consequences_hold_of_finite_distributions(cells, gamma, level):
    gamma, level = sp.Rational(gamma), sp.Rational(level)
    first, second = hockey_stick(gamma, P, Q), hockey_stick(gamma, Q, P)
    curve = trade_off(level, P, Q)
    forth, back, error = exact(cells, gamma, level)
    table = {first: forth, second: back, curve: error}
    found = [r for r in consequences((), (first, second, curve), lambda r: True) if r.lhs.has(trade_off)]

    assert len(found) == 2
    for relation in found:
        assert relation.op == ">="
        assert relation.lhs.xreplace(table) >= relation.rhs.xreplace(table)


@given(
    weights,
    st.fractions(0, Fraction(11, 12), max_denominator=12),
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=5, max_size=5),
)
def test_of_what_may_be_left_none_is_harder_to_tell_apart(cells, share, others):
    """Lemma 18 on finite distributions: the hockey-stick divergences, and those of what others leave out."""
    with ctx.workprec(200):
        delta = arb(share.numerator) / share.denominator
        sums = [sum(side) for side in zip(*cells, strict=True)]
        whole = Finite(tuple((arb(p) / sums[0], arb(q) / sums[1]) for p, q in cells))
        left = whole.trimmed(delta)
        for level in (arb(0), arb(1) / 3, arb(1), arb(3)):
            wanted = positive_part((whole.hockey_stick(level) - delta) / (1 - delta))
            assert abs(left.hockey_stick(level) - wanted) < arb(10) ** -40

        sides = []
        for side in (0, 1):  # each outcome's share of delta, but no more than there is of it
            asked = [arb(weight[side]) + arb(1) / 7 for weight, _ in zip(others, cells, strict=False)]
            mass = [cell[side] for cell in whole.cells]
            taken = [-larger((-m, -delta * w / sum(asked, arb(0)))) for m, w in zip(mass, asked, strict=True)]
            kept = [m - t for m, t in zip(mass, taken, strict=True)]
            sides.append([m / sum(kept, arb(0)) for m in kept])
        other = Finite(tuple(zip(*sides, strict=True)))
        if all(p > 0 and q > 0 for p, q in cells):
            for order in (arb(3) / 2, arb(2), arb(9)):
                assert not left.renyi(order) > other.renyi(order) + arb(10) ** -40


@given(weights, st.fractions(Fraction(1, 12), 4, max_denominator=12))
def test_the_hockey_stick_divergence_is_the_largest_difference(cells, gamma):
    gamma = sp.Rational(gamma)
    wanted, _, _ = exact(cells, gamma, sp.Integer(0))
    swapped = [(q, p) for p, q in cells]
    function = as_largest(hockey_stick(gamma, P, Q)).args[0]
    level, body = function.variables[0], function.expr
    assert body == 1 - gamma * level - trade_off(level, Q, P)
    corners = [sp.Integer(0)]
    total = sum(p for p, _ in swapped)
    for p, _ in sorted(swapped, key=lambda c: sp.Rational(c[0], c[1]) if c[1] else sp.oo):
        corners.append(corners[-1] + sp.Rational(p, total))

    assert max(1 - gamma * c - exact(swapped, gamma, c)[2] for c in corners) == wanted


def test_the_normal_premise_serves_at_every_level():
    premise = ForAll(Relation(T, ">=", 1 - a - mu), (a,), INSIDE)

    assert proved(Relation(trade_off(s, P, Q), ">=", 1 - s - mu), premise, s > 0, s < 1)
    assert not proved(Relation(trade_off(s, P, Q), ">=", 1 - s - mu), premise, s > 0, seconds=1.0)


def test_a_certificate_names_the_divergences_that_became_numbers():
    file = Path(__file__).parents[2] / "proofs" / "bounded_range_to_pure.md"

    steps = list(check_document(read_path(str(file)), time_limit=10, suggest=False, certify=10).steps)

    assert len(steps) == 2
    for step in steps:
        said = [line[1] for line in step.certificate["lines"]]
        assert step.replayed
        assert "renyi(oo, P, Q)" in said[-1]
        assert not any(re.search(r"renyi(?!\()", one) for one in said)


INFINITE = {
    "compared": r"assume D(2, P, Q) <= D(2, P, R)|D(1, P, Q) < D(2, P, Q) + 1",
    "moved": r"assume D(oo, P, Q) + D(oo, R, S) <= D(oo, R, S) + 1|D(oo, P, Q) <= 1",
    "no density": r"let Z: privacy_loss(P, R)|D(oo, R, P) <= D(oo, R, Q) + D(oo, Q, P)|E(exp(-z), z, Z) = 1",
}


@pytest.mark.parametrize("lines", INFINITE.values(), ids=INFINITE)
def test_what_may_be_infinite_is_not_calculated_with(lines):
    text = "\n".join(["let P, Q, R, S: distributions", *lines.split("|")])

    *_, last = check_document(read_document(text, kind="plain"), time_limit=5, suggest=False).steps
    assert last.decision.verdict is Verdict.OPEN


@pytest.mark.slow
def test_a_parameter_of_a_distribution_is_no_variable_of_a_supremum():
    declared = ["b: 0 < b < 1", "P: Normal(b, 1)", "Q: Normal(0, 1)"]  # at b = 9/10 the left side is 0.347
    said = r"\sup_{0<s<1}(1 - s - T(P,Q)(s)) \le \sup_{0<s<1}(1 - s - \Phi(\Phi^{-1}(1-s) - s))"
    text = rf"$$T(P,Q)(b) = \Phi(\Phi^{{-1}}(1-b) - b)$$ $${said}$$"

    *_, last = check_document(read_document(text, kind="markdown", let=declared), time_limit=5, suggest=False).steps
    assert last.decision.verdict is not Verdict.PROVED
