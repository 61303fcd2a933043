"""Any mechanism with a guarantee: what follows for all of them is accepted, what fails for one of them is refuted."""

import pytest
import sympy as sp

from dpsym.claims import read_claim
from dpsym.core.verdicts import Verdict
from dpsym.deciding import EmptyDomain
from dpsym.deriving import routes
from dpsym.entries.members import members
from dpsym.language import ReadingError, read_goal, read_source
from dpsym.satisfying import satisfies
from dpsym.statements import Adjacency, StatementError, anything

ACCEPTED = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED)
GUARANTEES = [
    "pure(epsilon)", "approx(epsilon, delta)", "zcdp(rho)", "tcdp(rho, omega)", "gdp(mu)", "bounded_range(eta)",
    "rdp(2, epsilon)", "rdp(alpha, alpha*rho)", "offset_zcdp(xi, rho)", "offset_zcdp(xi, 0)", "offset_zcdp(0, rho)",
]  # fmt: skip


@pytest.mark.cases(2)
@pytest.mark.parametrize("text", GUARANTEES)
def test_what_refutes_has_the_guarantee(text):
    guarantee = read_goal(text)
    found = list(members(anything(guarantee)))
    assert found
    for member in found:
        assert satisfies(member, guarantee, time_limit=20.0).verdict in ACCEPTED


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("any(pure(epsilon)) ** k satisfies pure(k*epsilon)", "any(pure(epsilon)) ** k satisfies pure(k*epsilon/2)"),
        ("any(pure(epsilon)) satisfies zcdp(epsilon^2/2)", "any(pure(epsilon)) satisfies zcdp(epsilon^2/3)"),
        ("any(zcdp(rho)) ** 3 satisfies zcdp(3*rho)", "any(zcdp(rho)) ** 3 satisfies zcdp(2*rho)"),
        ("any(gdp(mu)) * any(gdp(mu)) satisfies gdp(mu*sqrt(2))", "any(gdp(mu)) * any(gdp(mu)) satisfies gdp(mu)"),
        (
            "any(approx(epsilon, delta)) satisfies approx(epsilon, delta)",
            "any(approx(1/2, 1/9)) satisfies pure(9)",
        ),
        (
            "subsampled(any(pure(epsilon)), q=1/2) satisfies pure(log((1 + exp(epsilon))/2))",
            "subsampled(any(pure(epsilon)), q=1/2) satisfies pure(epsilon/2)",
        ),
        ("any(offset_zcdp(xi, rho)) satisfies zcdp(xi + rho)", "any(offset_zcdp(1, 1)) satisfies zcdp(99/100)"),
        ("any(offset_zcdp(xi, 0)) satisfies pure(xi)", "any(offset_zcdp(xi, 0)) satisfies pure(xi/2)"),
        (
            "any(offset_zcdp(xi, rho)) ** 3 satisfies offset_zcdp(3*xi, 3*rho)",
            "any(offset_zcdp(xi, rho)) ** 3 satisfies offset_zcdp(xi, 2*rho)",
        ),
        ("any(bounded_range(eta)) satisfies pure(eta)", "any(bounded_range(eta)) satisfies pure(eta/2)"),
        ("any(pure(1)) * laplace(b=1) satisfies pure(2)", "any(pure(1)) * laplace(b=1) satisfies pure(3/2)"),
        ("post_processed(any(zcdp(rho))) satisfies zcdp(rho)", "post_processed(any(zcdp(rho))) satisfies zcdp(rho/2)"),
        ("parallel(any(pure(epsilon))) satisfies pure(epsilon)", "parallel(any(pure(1))) satisfies pure(99/100)"),
        (
            "any(pure(epsilon)) satisfies zcdp(epsilon*tanh(epsilon/2))",
            "any(pure(epsilon)) satisfies zcdp(epsilon^2/8)",
        ),
        ("any(bounded_range(eta)) satisfies zcdp(eta^2/8)", "any(bounded_range(1)) satisfies zcdp(1/20)"),
        (
            "any(pure(epsilon)) satisfies gdp(2*Phi_inv(exp(epsilon)/(1 + exp(epsilon))))",
            "any(pure(epsilon)) satisfies gdp(epsilon)",
        ),
        (  # zCDP is no GDP: randomized response of the same rho is none
            "any(gdp(mu)) satisfies zcdp(mu^2/2)",
            "any(zcdp(rho)) satisfies gdp(sqrt(2*rho))",
        ),
        (
            "any(zcdp(rho)) satisfies approx(rho + 2*sqrt(rho*log(1/delta)), delta)",
            "any(zcdp(rho)) satisfies approx(rho, 1/10)",
        ),
        (
            "any(approx(epsilon, delta)) ** 2 satisfies approx(2*epsilon, 2*delta)",
            "any(approx(1, 1/10)) ** 2 satisfies approx(2, 1/10)",
        ),
        (
            "subsampled(any(approx(epsilon, delta)), q=q) satisfies approx(log(1 + q*(exp(epsilon) - 1)), q*delta)",
            "subsampled(any(approx(1, 1/10)), q=1/2) satisfies approx(log((1 + e)/2), 1/30)",
        ),
        ("any(rdp(2, 1)) ** 3 satisfies rdp(2, 3)", "any(rdp(2, 1)) ** 3 satisfies rdp(2, 2)"),
        ("any(pure(epsilon)) satisfies bounded_range(2*epsilon)", "any(pure(1)) satisfies bounded_range(1)"),
        pytest.param(  # advanced composition, of Dwork, Rothblum and Vadhan, and that it takes so much noise
            "any(pure(epsilon)) ** k satisfies"
            " approx(epsilon*sqrt(2*k*log(1/delta)) + k*epsilon*(exp(epsilon) - 1), delta)",
            "any(pure(1/2)) ** 2 satisfies approx(9/10, 1/100)",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_all_of_them_or_one_that_does_not(right, wrong):
    assert read_claim(right).decide(30.0).verdict in ACCEPTED
    found = read_claim(wrong).decide(30.0)
    assert found.verdict is Verdict.REFUTED
    assert "which satisfies" in found.why


@pytest.mark.slow
def test_parts_are_about_a_record_added_or_removed():
    """Of a record that changes its part a guarantee about replaced records says nothing."""
    assert "added or removed" in read_claim("parallel(any(pure(1))) satisfies pure(1)").decide(20.0).adjacency
    assert "added or removed" in read_claim("parallel(laplace(b=1)) satisfies pure(1)").decide(20.0).adjacency
    with pytest.raises(ReadingError, match="replaced"):
        read_source("parallel(randomized_response(epsilon=1))")
    found = read_claim("parallel(any(pure(1))) * randomized_response(epsilon=1) satisfies pure(2)").decide(20.0)
    assert found.verdict not in ACCEPTED


@pytest.mark.parametrize(
    ("source", "notion", "group", "expected"),
    [  # steps from one input to the other; of delta a geometric sum
        ("any(pure(epsilon))", "pure", 3, "pure(3*epsilon)"),
        ("any(zcdp(rho))", "zcdp", 3, "zcdp(9*rho)"),
        ("any(gdp(mu))", "gdp", 3, "gdp(3*mu)"),
        ("any(approx(log(2), 1/100))", "approx(3*log(2))", 3, "approx(3*log(2), 7/100)"),
    ],
)
def test_groups(source, notion, group, expected):
    (fact, *_) = routes(read_source(source), read_goal(notion), group=sp.Integer(group))
    assert fact.guarantee == read_goal(expected)


@pytest.mark.parametrize(
    ("source", "notion", "expected"),
    [  # one that is replaced is removed and added: a group of two, also on a sample or on parts
        ("subsampled(any(pure(epsilon)), q=q)", "pure", "pure(2*log(1 + q*(exp(epsilon) - 1)))"),
        ("parallel(any(pure(epsilon)))", "pure", "pure(2*epsilon)"),
        ("parallel(any(zcdp(rho)))", "zcdp", "zcdp(4*rho)"),
        ("any(pure(epsilon))", "pure", "pure(epsilon)"),  # whatever the neighbours are
    ],
)
def test_a_record_that_is_replaced(source, notion, expected):
    (fact, *_) = routes(read_source(source), read_goal(notion), adjacency=Adjacency.REPLACE)
    assert fact.guarantee == read_goal(expected)


def test_two_guarantees_are_two_mechanisms():
    """Of equal guarantees each may be had by another mechanism, and one refutes for all."""
    source = read_source("any(pure(1)) * any(zcdp(1/2))")
    assert satisfies(source, read_goal("zcdp(1)"), time_limit=20.0).verdict in ACCEPTED
    assert satisfies(source, read_goal("zcdp(1/2)"), time_limit=20.0).verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    "text",
    [
        "any(laplace(b=1))",
        "any(pure)",
        "any()",
        "any(1)",
        "any(pure(1)) ** (1/0)",
        "any(pure(-1))",
        "any(approx(1, 2))",
    ],
)
def test_what_is_no_guarantee_is_not_read(text):
    with pytest.raises((ReadingError, EmptyDomain)):
        read_source(text)


@pytest.mark.parametrize(
    ("source", "guarantee", "adjacent"),
    [  # of a record replaced it is twice that, or nothing is known
        ("parallel(any(pure(epsilon)))", "pure(epsilon)", "replace"),
        ("subsampled(any(pure(epsilon)), q=1/10)", "pure(log(9/10 + exp(epsilon)/10))", "replace"),
        ("randomized_response(epsilon=1)", "pure(1)", "add-remove"),
    ],
)
def test_a_claim_is_about_the_neighbours_that_are_asked_for(source, guarantee, adjacent):
    claim = f"{source} satisfies {guarantee}"
    assert read_claim(claim).decide(20.0).verdict in ACCEPTED
    try:
        decision = read_claim(claim, adjacent=adjacent).decide(20.0)
    except StatementError:
        return
    assert decision.verdict is Verdict.OPEN


def test_all_orders_are_not_one_that_is_declared():
    assert read_claim("any(rdp(alpha, r)) satisfies rdp(2, r)").decide(20.0).verdict in ACCEPTED
    with pytest.raises(ReadingError, match="every alpha"):
        read_claim("any(rdp(alpha, r)) satisfies rdp(2, r)", let=["alpha > 1"])
