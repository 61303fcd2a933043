"""Laws about distributions that are made of others, and inductions: what follows, and what does not."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from dpsym import catalogue
from dpsym.checking import check_document
from dpsym.checking.deducing import Sequent
from dpsym.checking.divergence_steps import by_outputs
from dpsym.core.deadline import timed
from dpsym.core.notation import (
    K,
    P,
    Q,
    R,
    a,
    adaptive,
    average,
    delta,
    epsilon,
    expectation,
    hockey_stick,
    image,
    independent,
    mixture,
    privacy_loss,
    q,
    renyi,
    trade_off,
)
from dpsym.core.relations import Relation, propositions
from dpsym.language import ReadingError
from dpsym.language.documents.document import read_document
from dpsym.language.documents.hypotheses import by_induction, conclusion

S, x, z = sp.symbols("S x z")
PROOFS = Path(__file__).parents[2] / "proofs"
FIRST, SECOND = adaptive(R, P), adaptive(S, Q)
H = hockey_stick
HALF = sp.Rational(1, 2)


def mean(body, *pair):
    return expectation(sp.Lambda(z, body), privacy_loss(*pair))


def at_most(head, bound):
    return Relation(head, "<=", sp.sympify(bound))


def proved(claim, *assume, seconds=1.5):
    with timed(seconds):
        return by_outputs(Sequent(claim, propositions(assume))) is not None


SMALL = (at_most(renyi(2, P, Q), epsilon), at_most(renyi(2, R, S), x))
POSITIVE = (epsilon >= 0, x >= 0)
MAPPED = (image(K, P), image(K, Q))


@pytest.mark.parametrize(
    ("claim", "assume"),
    [
        (at_most(renyi(2, FIRST, SECOND), epsilon + x), SMALL),
        (at_most(H(6, FIRST, SECOND), H(2, R, S) + delta), (at_most(H(3, P, Q), delta),)),
        (at_most(H(6, P, Q), H(2, P, R) + 2 * H(3, R, Q)), ()),
        (at_most(renyi(sp.oo, P, Q), 2), (at_most(renyi(sp.oo, P, R), 1), at_most(renyi(sp.oo, R, Q), 1))),
        (at_most(renyi(2, P, Q), 5), (at_most(renyi(3, P, R), 3), at_most(renyi(4, R, Q), 1))),
        (at_most(mean(sp.exp(z), *MAPPED), mean(sp.exp(z), P, Q)), (at_most(renyi(2, P, Q), 1),)),
        (at_most(H(2, mixture(q, R, P), mixture(q, R, Q)), q * H(2, P, Q) + (1 - q) * H(2, R, R)), (q >= 0, q <= 1)),
        (Relation(trade_off(a, P, Q), ">=", trade_off(HALF, R, Q)),
         (Relation(trade_off(a, P, R), ">=", HALF), a > 0, a < 1)),
    ],
)  # fmt: skip
def test_what_follows_is_proved(claim, assume):
    assert proved(claim, *assume, seconds=5.0)


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("claim", "assume"),
    [
        # the bound of what comes second depends on the outputs, or is missing, or is that of the other order
        (at_most(renyi(2, FIRST, SECOND), 2 * x), (*SMALL[1:], at_most(renyi(2, P, Q), renyi(2, R, S)))),
        (at_most(renyi(2, FIRST, SECOND), x), SMALL[1:]),
        (at_most(renyi(2, FIRST, SECOND), epsilon + x), (at_most(renyi(2, Q, P), epsilon), SMALL[1])),
        # the sum is larger, or goes the wrong way, or is that of another order
        (at_most(renyi(2, FIRST, SECOND), epsilon + x / 2), (*SMALL, *POSITIVE)),
        (at_most(epsilon + x, renyi(2, FIRST, SECOND)), (*SMALL, *POSITIVE)),
        (at_most(renyi(3, FIRST, SECOND), epsilon + x), SMALL),
        # what comes after one another need not be independent, nor what is given beside P what is given beside Q
        (Relation(renyi(2, FIRST, SECOND), "=", renyi(2, R, S) + renyi(2, P, Q)), SMALL),
        (Relation(mean(sp.exp(z), independent(P, R), independent(Q, S)), "=", mean(sp.exp(z), P, Q)), SMALL),
        # two maps are not one, and a function of the loss has to be convex and to fall in the ratio
        (at_most(mean(sp.exp(z), image(K, P), image(x, Q)), mean(sp.exp(z), P, Q)), (at_most(renyi(2, P, Q), 1),)),
        (at_most(mean(sp.exp(z / 2 - z), *MAPPED), mean(sp.exp(z / 2 - z), P, Q)), (at_most(renyi(2, P, Q), 1),)),
        (at_most(mean(sp.exp(z), P, Q), mean(sp.exp(z), *MAPPED)), (at_most(renyi(2, P, Q), 1),)),
        # averages of what is not bounded alike
        (at_most(H(2, average(P), average(Q)), H(2, P, Q)), ()),
        (at_most(H(2, average(P), average(Q)), delta), (at_most(H(3, P, Q), delta),)),
        # triangle inequalities: at which levels, which orders, with which factor
        (at_most(H(6, P, Q), H(2, P, R) + H(3, R, Q)), ()),
        (at_most(H(5, P, Q), H(2, P, R) + 2 * H(3, R, Q)), ()),
        (at_most(renyi(2, P, Q), 2), (at_most(renyi(2, P, R), 1), at_most(renyi(2, R, Q), 1))),
        (at_most(renyi(2, P, Q), 4), (at_most(renyi(3, P, R), 3), at_most(renyi(4, R, Q), 1))),
        (at_most(renyi(3, P, Q), 1), (at_most(renyi(2, P, Q), 1),)),
        # mixtures: of which weight, and whether it is one
        (at_most(H(2, mixture(q, R, P), mixture(q, R, Q)), q * H(2, P, Q)), ()),
        (at_most(H(2, mixture(q, R, P), mixture(q, R, Q)), q * H(2, P, Q) / 2), (q >= 0, q <= 1)),
        # a test of what is between them
        (Relation(trade_off(a, P, Q), ">=", trade_off(sp.Rational(1, 4), R, Q)),
         (Relation(trade_off(a, P, R), ">=", HALF), a > 0, a < 1)),
        # nothing is less than itself and one more where both may be infinite
        (Relation(renyi(2, P, Q), "<", renyi(2, P, Q) + 1), ()),
        (Relation(H(2, P, Q), "<", HALF), (Relation(H(2, P, Q), "=", HALF),)),
        (Relation(H(2, P, Q), "!=", HALF), (Relation(H(2, P, Q), "=", HALF),)),
        (at_most(x * H(2, P, Q), x * delta), (at_most(H(2, P, Q), delta), Relation(delta, "<=", 1))),
        (Relation(renyi(2, FIRST, SECOND), "<", renyi(2, R, S) + epsilon + 1), SMALL[:1]),
    ],
)  # fmt: skip
def test_what_does_not_follow_is_not_proved(claim, assume):
    assert not proved(claim, *assume)


def checked(name, *changes, seconds=3.0):
    """The verdict on a proof in which some parts of the text stand for others, and its problems."""
    text = (PROOFS / f"{name}.md").read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return check_document(read_document(text, kind="markdown", strict=True), time_limit=seconds, suggest=False)


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("name", "changes"),
    [
        # a case of the outputs that come second is no case of what they are made to
        ("composition_pure", [("Case $k = 1$", r"Case $D_\infty(P\|Q) = 0$")]),
        # the claim for k - 1 where k is 1, what is assumed of one step where k is larger, and neither case left out
        ("composition_pure", [("Case $k = 1$", "Case $k \\ge 1$")]),
        ("composition_pure", [("Case $k \\ge 2$", "Case $k \\ge 3$")]),
        ("group_pure", [("## Case $k = 1$\n\n$$D_\\infty(P'\\|Q') \\le \\epsilon = k\\epsilon$$\n", "")]),
        # a step too many of the induction
        ("group_pure", [("(k-1)\\epsilon + \\epsilon", "(k-2)\\epsilon + \\epsilon")]),
        # the factor of the second step, and the order of the first
        ("replacement_approx", [("+ e^\\epsilon H", "+ H")]),
        ("replacement_zcdp", [("D_{2\\alpha-1}(P'", "D_{2\\alpha-2}(P'")]),
    ],
)
def test_a_spoilt_proof_proves_nothing(name, changes):
    report = checked(name, *changes)

    assert report.problems or str(report.verdict) not in ("proved", "certified", "cited")


def test_the_claim_for_fewer_is_given_where_its_conditions_hold_of_fewer():
    theorem = catalogue.theorems()["group_tcdp"]

    assert by_induction(theorem)
    assert not by_induction(replace(theorem, assume=(*theorem.assume, theorem.count >= 3)))
    assert not by_induction(catalogue.theorems()["filter_pure"])


def test_what_is_not_symmetric_is_claimed_in_both_orders():
    stated = conclusion(catalogue.theorems()["subsampling_approx"])

    assert isinstance(stated.lhs, sp.Max)
    assert {h.args[1:] for h in stated.lhs.args} == {
        (average(mixture(q, Q, P)), average(Q)),
        (average(Q), average(mixture(q, Q, P))),
    }


@pytest.mark.parametrize("made", ["adaptive(P, Q)", "average(P)"])
def test_no_document_can_say_that_something_is_adaptive(made):
    with pytest.raises(ReadingError):
        read_document(f"let P, Q: distributions\nD(2, {made}, {made}) <= 0\n", kind="plain", strict=True)


weights = st.lists(st.integers(0, 5), min_size=3, max_size=3).filter(any)
levels = st.fractions(Fraction(1, 4), 3, max_denominator=4)


def profile(level, ps, qs):
    return sum(max(p - level * q, Fraction(0)) for p, q in zip(ps, qs, strict=True))


@given(st.lists(weights, min_size=4, max_size=8), levels, levels, st.fractions(0, 1, max_denominator=4))
def test_the_laws_hold_of_finite_distributions(cells, gamma, eta, share):
    """One after the other, by way of a third one, and mixtures, with exact numbers."""
    ps = [[Fraction(x, sum(one)) for x in one] for one in cells]
    first, other, third, last = ps[:4]
    afters = [(ps[i % len(ps)], ps[(i + 1) % len(ps)]) for i in range(3)]

    worst = max(profile(eta, *pair) for pair in afters)
    joint = [
        [x * y for x, (one, two) in zip(of, afters, strict=True) for y in (one, two)[number]]
        for number, of in enumerate((first, other))
    ]
    assert profile(gamma * eta, *joint) <= profile(gamma, first, other) + worst
    assert profile(gamma * eta, first, third) <= profile(gamma, first, other) + gamma * profile(eta, other, third)

    level = 1 + eta
    outer = 1 + share * (level - 1)
    mixed = [[(1 - share) * x + share * y for x, y in zip(last, of, strict=True)] for of in (first, other)]
    parts = (1 - outer / level) * profile(level, first, last) + outer / level * profile(level, first, other)
    assert profile(outer, *mixed) <= share * parts
