"""Products of bounded factors, assumptions that bear on a claim, and conditions of cases, with what does not follow."""

import pytest
import sympy as sp

from dpsym.core.relations import IsInteger, Relation, connected, piecewise
from dpsym.core.verdicts import Verdict
from dpsym.deciding import Domain, EmptyDomain, decide
from dpsym.deciding.bearing import nearest
from dpsym.deciding.counterexamples.finding import points_of

a, b, c, d, k, m, n, x, y, z = sp.symbols("a b c d k m n x y z")
CERTAIN = (Verdict.PROVED, Verdict.CERTIFIED)


def said(text):
    """`a <= b` in the symbols above."""
    left, op, right = text.split(" ", 2)
    return Relation(sp.sympify(left, rational=True), op, sp.sympify(right, rational=True))


POSITIVE = [f"{s} > 0" for s in "xymnk"]
ORDERED = tuple(map(said, ["a >= 0", "a <= b", "c >= 0", "c <= d"]))


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("claim", "assume"),
    [
        pytest.param("a**k*c**k <= b**k*d**k", [*ORDERED, said("k >= 1"), IsInteger(k)], marks=pytest.mark.slow),
        ("x*sqrt(m)/sqrt(n) <= 1", list(map(said, ["x > 0", "m > 0", "n > 0", "x**2*m <= n"]))),
        ("x*y**2*m/(d*n) <= z", [said(f"{s} > 0") for s in "xydmnz"] + list(map(said, ["y**2*m <= n", "x <= d*z"]))),
    ],
)  # fmt: skip
def test_ratios_of_what_is_assumed_are_multiplied(claim, assume):
    assert decide(said(claim), assume, time_limit=60).verdict is Verdict.PROVED


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("claim", "assume"),
    [
        ("a**k*c**k <= b**k*d**k", [*ORDERED[1:], said("k >= 1"), IsInteger(k)]),  # a may be negative
        ("a**k <= b**k", [*ORDERED, said("b > 0"), said("a > 0")]),  # so may k
        ("a**2*c <= b*d", [*ORDERED]),
        ("a*c < b*d", [*ORDERED]),
        ("x*m/n <= 1", list(map(said, ["x > 0", "m > 0", "n > 0", "x**2*m <= n"]))),
        ("x/n <= y/n", list(map(said, ["x > 0", "x <= y", "n < 1"]))),
        # what is cancelled may be negative; without that the claim is false by so little that no point is found
        ("x**k*m <= y**k*n", list(map(said, [*POSITIVE, "c*x <= c*y", "m <= n", "(x-y)*10**40 <= y"]))),
        ("x**k*m <= y**k*n", list(map(said, [*POSITIVE, "-x <= -y", "m <= n", "(x-y)*10**40 <= y"]))),
    ],
)
def test_factors_that_are_not_bounded_so_give_nothing(claim, assume):
    assert decide(said(claim), assume, time_limit=5).verdict not in CERTAIN


CHAIN = tuple(map(said, ["x > 0", "x <= y", "y <= 1", "z >= 2", "m >= z"]))


def test_the_nearest_assumptions_come_first_and_never_all():
    assert list(nearest(said("x > -1"), CHAIN)) == [CHAIN[:1], CHAIN[:3]]
    assert list(nearest(said("x < z"), CHAIN)) == [(CHAIN[0], CHAIN[3])]


@pytest.mark.slow
def test_what_is_proved_from_some_assumptions_is_not_vacuous_under_all():
    assert decide(said("exp(x) <= 1+2*x"), CHAIN, time_limit=30).verdict in CERTAIN
    contradictory = (*CHAIN, *map(said, ["m*y >= 1", "m*y <= 0"]))
    with pytest.raises(EmptyDomain):
        decide(said("exp(x) <= 1+2*x"), contradictory, time_limit=30)


def test_a_claim_that_needs_a_far_assumption_is_not_refuted_by_a_near_one():
    assert decide(said("x <= 1"), CHAIN, time_limit=30).verdict is Verdict.PROVED
    assert decide(said("exp(x) <= 1+x"), CHAIN, time_limit=5).verdict is Verdict.REFUTED


def test_points_are_found_where_many_conditions_meet():
    texts = [
        "m >= 1",
        "n >= 1",
        "x > 0",
        "y > 0",
        "z > 0",
        "z < 1/2",
        "x**2*m <= n",
        "m <= n**2",
        "z <= 1/n",
        "y <= x*z",
    ]
    conditions = [*map(said, texts), IsInteger(m), IsInteger(n)]
    domain = Domain(tuple(conditions))
    found = points_of(domain, frozenset(domain.bounds), 0)
    assert found
    assert all(domain.contains(point) for point in found)


def test_a_relation_between_cases_is_a_condition_in_relations():
    inner = piecewise((x, x > 0), (0, sp.true))
    outer = piecewise((1, inner > y), (0, sp.true))
    assert not outer.has(sp.ITE, sp.Not)
    for values in ({x: 1, y: 0}, {x: 1, y: 2}, {x: -1, y: -1}, {x: -1, y: 0}):
        assert (outer.subs(values) == 1) is bool(inner.subs(values) > values[y])
    both = sp.And(x > 0, sp.Or(y > 0, x > 2), evaluate=False)
    for values in ({x: 1, y: 1}, {x: 1, y: -1}, {x: 3, y: -1}, {x: -1, y: 1}):
        assert connected(both, holds=False).subs(values) == sp.Not(both.subs(values))


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("relation", "verdict"),
    [
        (Relation(piecewise((x, sp.And(x > 0, y > 0)), (0, True)), "<=", sp.Abs(x)), Verdict.PROVED),
        (Relation(piecewise((x, sp.And(x > 0, y > 0)), (0, True)), ">=", x), Verdict.REFUTED),
        (Relation(piecewise((1, piecewise((x, x > 0), (0, True)) > y), (0, True)), "<", 1), Verdict.REFUTED),
    ],
)
def test_joint_conditions_of_cases_are_taken_apart(relation, verdict):
    assert decide(relation, time_limit=30).verdict is verdict
